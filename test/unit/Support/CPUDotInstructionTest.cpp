//===- CPUDotInstructionTest.cpp - Tests of CPUDotInstruction ---*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Support/CPUDotInstruction.h"

#include "gtest/gtest.h"

using namespace convoy;

TEST(CPUDotInstruction, HasANameOfItsOwn) {
  for (const CPUDotInstruction &instruction : getDotInstructions())
    EXPECT_EQ(getDotInstruction(instruction.name), &instruction);
  EXPECT_EQ(getDotInstruction("sdot"), nullptr);
}

TEST(CPUDotInstruction, IsForVectorsThatItsExtensionHas) {
  auto getIntrinsic = [](const char *name, int64_t bytes) {
    return getDotInstruction(name)->getIntrinsic(bytes);
  };
  EXPECT_EQ(getIntrinsic("avx_vpdpbusd", 32), "llvm.x86.avx512.vpdpbusd.256");
  EXPECT_EQ(getIntrinsic("avx_vpdpbusd", 64), "");
  EXPECT_EQ(getIntrinsic("neon_sdot", 8), "llvm.aarch64.neon.sdot.v2i32.v8i8");
  EXPECT_EQ(getIntrinsic("neon_sdot", 32), "");
  EXPECT_EQ(getIntrinsic("neon_smmla", 16),
            "llvm.aarch64.neon.smmla.v4i32.v16i8");
  EXPECT_EQ(getIntrinsic("neon_smmla", 8), "");
  EXPECT_EQ(getIntrinsic("neon_bfmmla", 16), "llvm.aarch64.neon.bfmmla");
  for (int64_t bytes : {0, 4, 12, 24, 128})
    EXPECT_EQ(getIntrinsic("avx512_vpdpbusd", bytes), "") << bytes;
}

TEST(CPUDotInstruction, MultipliesMatricesByWordsOf64Bits) {
  for (const CPUDotInstruction &instruction : getDotInstructions())
    EXPECT_EQ(instruction.wordBits,
              instruction.name.find("mmla") == std::string_view::npos ? 32 : 64)
        << instruction.name;
}

TEST(CPUDotInstruction, MultipliesVectorsOrTiles) {
  for (const CPUDotInstruction &instruction : getDotInstructions()) {
    bool isOfTiles = instruction.name.starts_with("amx_");
    EXPECT_EQ(!instruction.tileIntrinsic.empty(), isOfTiles)
        << instruction.name;
    EXPECT_EQ(instruction.getIntrinsic(16).empty(), isOfTiles)
        << instruction.name;
  }
}
