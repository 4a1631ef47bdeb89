//===- Memory.cpp - How much memory is left ---------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Driver/Memory.h"

#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <fstream>
#include <limits>
#include <sys/resource.h>
#include <unistd.h>

/// The number in the file `path`, or infinity where there is none.
static double readNumber(const char *path) {
  std::ifstream file(path);
  double number = 0;
  return file >> number ? number : std::numeric_limits<double>::infinity();
}

/// What the machine has left, caches that it can drop included.
static double getFreeMemory() {
  std::ifstream file("/proc/meminfo");
  std::string name, unit;
  double kibibytes = 0;
  while (file >> name >> kibibytes) {
    if (name == "MemAvailable:")
      return kibibytes * 1024;
    std::getline(file, unit);
  }
  return std::numeric_limits<double>::infinity();
}

/// What `setrlimit` leaves of the address space.
static double getFreeAddressSpace() {
  rlimit limit;
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
    return std::numeric_limits<double>::infinity();
  double used = readNumber("/proc/self/statm") * double(sysconf(_SC_PAGESIZE));
  return double(limit.rlim_cur) - used;
}

double mlir::convoy::getAvailableMemory() {
  double group = readNumber("/sys/fs/cgroup/memory.max") -
                 readNumber("/sys/fs/cgroup/memory.current");
  double available = std::min(getFreeMemory(), getFreeAddressSpace());
  return std::max(0.0, group < available ? group : available);
}

std::optional<std::string> mlir::convoy::checkMemory(double bytes,
                                                     const std::string &what) {
  double available = getAvailableMemory();
  if (bytes <= available)
    return std::nullopt;
  auto gibibytes = [](double bytes) {
    return llvm::formatv("{0:f1} GiB", bytes / (1 << 30)).str();
  };
  return what + " needs " + gibibytes(bytes) + " of memory, but only " +
         gibibytes(available) + " are available";
}
