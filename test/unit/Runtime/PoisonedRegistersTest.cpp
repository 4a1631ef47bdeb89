//===- PoisonedRegistersTest.cpp - Tests of registers nobody wrote --------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Runtime/Poison.h"

#include <array>
#include <gtest/gtest.h>
#include <set>

using namespace convoy;

#if defined(__x86_64__)

/// What two registers hold after a fill.
static std::array<uint32_t, 2> readTwo() {
  std::array<uint32_t, 4> left, right;
  PoisonedRegisters::fill();
  asm volatile("movups %%xmm9, (%0)\n\tmovups %%xmm14, (%1)" ::"r"(left.data()),
               "r"(right.data())
               : "memory");
  return {left[3], right[3]};
}

TEST(PoisonedRegistersTest, HoldNaNsLargeNumbersAndZerosInTurn) {
  if (!__builtin_cpu_supports("avx"))
    GTEST_SKIP() << "no AVX";
  PoisonedRegisters registers;
  std::set<std::array<uint32_t, 2>> pairs;
  for (int call = 0; call < 7; ++call)
    pairs.insert(readTwo());
  constexpr uint32_t Ones = 0xFFFFFFFF, Large = 0x4B4B4B4B;
  EXPECT_TRUE(pairs.contains({Ones, Ones}));
  EXPECT_TRUE(pairs.contains({Large, Large}));
  // 9 and 14 differ in three bits.
  EXPECT_TRUE(pairs.contains({Large, 0}));
  EXPECT_TRUE(pairs.contains({0, Large}));
  EXPECT_TRUE(pairs.contains({0, 0}));
}

TEST(PoisonedRegistersTest, StayAsTheyAreWithoutOne) {
  if (!__builtin_cpu_supports("avx"))
    GTEST_SKIP() << "no AVX";
  {
    PoisonedRegisters registers;
  }
  std::array<uint32_t, 4> read;
  asm volatile("xorps %%xmm9, %%xmm9" ::: "xmm9");
  PoisonedRegisters::fill();
  asm volatile("movups %%xmm9, (%0)" ::"r"(read.data()) : "memory");
  EXPECT_EQ(read[0], 0u);
}

#endif
