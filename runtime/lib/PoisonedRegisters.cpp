//===- PoisonedRegisters.cpp - Registers that nobody has written ----------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Runtime/Poison.h"

#include <array>

using namespace convoy;

static thread_local int numLiving = 0;

PoisonedRegisters::PoisonedRegisters() { ++numLiving; }
PoisonedRegisters::~PoisonedRegisters() { --numLiving; }

#if defined(__x86_64__)

/// What each 32-bit lane of each register holds.
using RegisterWords = std::array<uint32_t, 32>;

/// The next contents: ones, which are NaNs; then, a bit of the register's
/// number after the other, large numbers where that bit is set and zeros where
/// it is not, so that two registers differ in one of them; then large numbers
/// everywhere. Callers that come in twos and threes meet all seven.
static RegisterWords getNextWords() {
  constexpr uint32_t Ones = 0xFFFFFFFF, Large = 0x4B4B4B4B;
  constexpr int NumBits = 5;
  static thread_local int next = 0;
  int bit = next - 1;
  next = (next + 1) % (NumBits + 2);
  RegisterWords words;
  for (uint32_t number = 0; number < words.size(); ++number) {
    bool isLarge = bit == NumBits || (bit >= 0 && (number >> bit & 1));
    words[number] = bit < 0 ? Ones : isLarge ? Large : 0;
  }
  return words;
}

// These have no attribute for their instructions: compilers would end them by
// one that clears the upper lanes, and do not touch registers that the rest of
// this file does not use.
static void fillZmm(const RegisterWords &words) {
  asm volatile(
      ".irp reg,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,"
      "24,25,26,27,28,29,30,31\n\t"
      "vbroadcastss 4*\\reg(%0), %%zmm\\reg\n\t"
      ".endr\n\t"
      ".irp reg,1,2,3,4,5,6,7\n\t"
      "kmovw 4*\\reg(%0), %%k\\reg\n\t"
      ".endr" ::"r"(words.data())
      : "memory", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6",
        "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14",
        "xmm15");
}

static void fillYmm(const RegisterWords &words) {
  asm volatile(".irp reg,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15\n\t"
               "vbroadcastss 4*\\reg(%0), %%ymm\\reg\n\t"
               ".endr" ::"r"(words.data())
               : "memory", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5",
                 "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12",
                 "xmm13", "xmm14", "xmm15");
}

void PoisonedRegisters::fill() {
  if (numLiving == 0)
    return;
  RegisterWords words = getNextWords();
  if (__builtin_cpu_supports("avx512f"))
    fillZmm(words);
  else if (__builtin_cpu_supports("avx"))
    fillYmm(words);
}

#else

void PoisonedRegisters::fill() {}

#endif
