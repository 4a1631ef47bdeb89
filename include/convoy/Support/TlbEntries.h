//===- TlbEntries.h - What a core translates at once ------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_SUPPORT_TLBENTRIES_H
#define CONVOY_SUPPORT_TLBENTRIES_H

#include <cstdint>
#include <functional>

namespace convoy {

/// What the instruction CPUID of x86 leaves in registers.
struct CPUIDRegisters {
  uint32_t eax = 0, ebx = 0, ecx = 0, edx = 0;
};

/// The instruction for a leaf and a part of it; zeros where a CPU lacks the
/// leaf.
using CPUID = std::function<CPUIDRegisters(uint32_t leaf, uint32_t part)>;

/// How many pages of 4 KiB the first level of the TLB translates for loads, by
/// AMD's leaf 0x80000005 or Intel's 0x18; 0 where neither says it.
int64_t readTlbEntries(const CPUID &cpuid);

/// The same of this machine; known on x86 alone.
int64_t getHostTlbEntries();

} // namespace convoy

#endif // CONVOY_SUPPORT_TLBENTRIES_H
