//===- AlgorithmTest.cpp - Tests of Support/Algorithm -----------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Support/Algorithm.h"

#include "gtest/gtest.h"

using namespace convoy;

TEST(Algorithm, HasANameForEachKindAndTile) {
  EXPECT_EQ(parseAlgorithm("direct")->kind, Algorithm::Kind::Direct);
  EXPECT_EQ(parseAlgorithm("auto")->kind, Algorithm::Kind::Auto);
  EXPECT_EQ(parseAlgorithm("winograd")->kind, Algorithm::Kind::Winograd);
  EXPECT_EQ(parseAlgorithm("winograd")->tile, 0);
  EXPECT_EQ(parseAlgorithm("winograd:6")->tile, 6);
  for (const char *name : {"", "fft", "winograd:", "winograd:5", "direct:2"})
    EXPECT_FALSE(parseAlgorithm(name)) << name;
}
