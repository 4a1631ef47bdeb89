//===- TlbEntries.cpp - What a core translates at once ----------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Support/TlbEntries.h"

#include <algorithm>

#ifdef __x86_64__
#include <cpuid.h>
#endif

using namespace convoy;

static constexpr uint32_t kAMDCachesLeaf = 0x80000005, kIntelTlbLeaf = 0x18;

static int64_t getBits(uint32_t word, unsigned first, unsigned count) {
  return (word >> first) & ((1U << count) - 1);
}

/// The entries that a part of Intel's leaf describes, if they are those of
/// loads from pages of 4 KiB in the first level, else 0.
static int64_t readIntelEntries(const CPUIDRegisters &part) {
  enum Type { Data = 1, Unified = 3, Loads = 4 };
  int64_t type = getBits(part.edx, 0, 5), level = getBits(part.edx, 5, 3);
  bool hasSmallPages = getBits(part.ebx, 0, 1) == 1;
  if ((type != Data && type != Unified && type != Loads) || level != 1 ||
      !hasSmallPages)
    return 0;
  int64_t ways = getBits(part.ebx, 16, 16), sets = part.ecx;
  return ways * sets;
}

int64_t convoy::readTlbEntries(const CPUID &cpuid) {
  if (int64_t entries = getBits(cpuid(kAMDCachesLeaf, 0).ebx, 16, 8))
    return entries;
  // The number of the last part.
  uint32_t last = std::min(cpuid(kIntelTlbLeaf, 0).eax, 255U);
  for (uint32_t part = 0; part <= last; ++part)
    if (int64_t entries = readIntelEntries(cpuid(kIntelTlbLeaf, part)))
      return entries;
  return 0;
}

int64_t convoy::getHostTlbEntries() {
#ifdef __x86_64__
  return readTlbEntries([](uint32_t leaf, uint32_t part) {
    CPUIDRegisters registers;
    if (!__get_cpuid_count(leaf, part, &registers.eax, &registers.ebx,
                           &registers.ecx, &registers.edx))
      return CPUIDRegisters();
    return registers;
  });
#else
  return 0;
#endif
}
