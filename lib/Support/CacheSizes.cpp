//===- CacheSizes.cpp - Sizes of a core's data caches -----------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Support/CacheSizes.h"

#include <algorithm>
#include <fstream>
#include <string>

using namespace convoy;
namespace fs = std::filesystem;

/// The largest size that is taken for one of a cache, in KiB: 1 GiB.
static constexpr int64_t MostKiB = 1 << 20;
/// The largest size that is taken for one of a line, and the most sets.
static constexpr int64_t MostLineBytes = 4096, MostSets = 1 << 20;

/// The bytes that `file` holds as in `1024K`, or 0.
static int64_t readBytes(const fs::path &file) {
  std::ifstream stream(file);
  int64_t size = 0;
  char unit = 0;
  if (!(stream >> size >> unit) || unit != 'K' || size < 0 || size > MostKiB)
    return 0;
  return size << 10;
}

/// How many CPUs `file` lists as in `0-3,8-11`, or 0.
static int64_t countCPUs(const fs::path &file) {
  std::ifstream stream(file);
  int64_t count = 0;
  char separator = ',';
  for (int first = 0; separator == ',' && stream >> first;) {
    int last = first;
    separator = 0;
    stream >> separator;
    if (separator == '-') {
      separator = 0;
      stream >> last >> separator;
    }
    if (last < first)
      return 0;
    count += int64_t(last) - first + 1;
  }
  return count;
}

/// The part of the cache in `cache` that a core with so many CPUs has.
static int64_t readShare(const fs::path &cache, int64_t cpusOfCore) {
  int64_t sharing = countCPUs(cache / "shared_cpu_list");
  int64_t bytes = readBytes(cache / "size");
  return sharing > cpusOfCore ? bytes * cpusOfCore / sharing : bytes;
}

/// The number that `file` holds if it is in 1, …, `most`, else 0.
static int64_t readNumber(const fs::path &file, int64_t most) {
  int64_t number = 0;
  std::ifstream(file) >> number;
  return number >= 1 && number <= most ? number : 0;
}

CacheSizes convoy::readCacheSizes(const fs::path &folder) {
  CacheSizes sizes;
  int64_t cpusOfCore = std::max<int64_t>(
      1, countCPUs(folder / "topology" / "thread_siblings_list"));
  for (int index = 0;; ++index) {
    fs::path cache = folder / "cache" / ("index" + std::to_string(index));
    int level = 0;
    std::string type;
    if (!(std::ifstream(cache / "level") >> level) ||
        !(std::ifstream(cache / "type") >> type))
      return sizes;
    if (type == "Instruction")
      continue;
    if (level == 1) {
      sizes.l1 = readShare(cache, cpusOfCore);
      sizes.line = readNumber(cache / "coherency_line_size", MostLineBytes);
      sizes.criticalStride =
          sizes.line * readNumber(cache / "number_of_sets", MostSets);
    }
    if (level == 2)
      sizes.l2 = readShare(cache, cpusOfCore);
  }
}

CacheSizes convoy::getHostCacheSizes() {
  return readCacheSizes("/sys/devices/system/cpu/cpu0");
}
