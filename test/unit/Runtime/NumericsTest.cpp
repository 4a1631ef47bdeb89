//===- NumericsTest.cpp - Tests of operands' types and roles
//---------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Runtime/Numerics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace convoy;
using ::testing::ElementsAre;

/// The numerics of an i8 problem whose operands are told apart.
static ConvNumerics makeNumerics(Direction direction) {
  Problem problem;
  problem.direction = direction;
  problem.type = ElementType::I8;
  problem.inputSigned = false;
  problem.filterSigned = true;
  problem.inputZeroPoint = 200;
  problem.filterZeroPoint.value = -3;
  return convNumerics(problem);
}

TEST(NumericsTest, SignsAndZeroPointsFollowTheBytesThatAreRead) {
  ConvNumerics forward = makeNumerics(Direction::Forward);
  EXPECT_THAT(forward.types,
              ElementsAre(ScalarType::U8, ScalarType::I8, ScalarType::I32));
  EXPECT_THAT(forward.zeroPoints, ElementsAre(200, -3, 0));

  ConvNumerics data = makeNumerics(Direction::BackwardData);
  EXPECT_THAT(data.types,
              ElementsAre(ScalarType::I32, ScalarType::I8, ScalarType::U8));
  EXPECT_THAT(data.zeroPoints, ElementsAre(0, -3, 200));

  ConvNumerics filter = makeNumerics(Direction::BackwardFilter);
  EXPECT_THAT(filter.types,
              ElementsAre(ScalarType::U8, ScalarType::I32, ScalarType::I8));
  EXPECT_THAT(filter.zeroPoints, ElementsAre(200, 0, -3));
}

TEST(NumericsTest, FloatsHaveOneType) {
  for (Direction direction : {Direction::Forward, Direction::BackwardData,
                              Direction::BackwardFilter}) {
    Problem problem;
    problem.direction = direction;
    problem.type = ElementType::BF16;
    ConvNumerics numerics = convNumerics(problem);
    EXPECT_THAT(numerics.types, ElementsAre(ScalarType::BF16, ScalarType::BF16,
                                            ScalarType::BF16));
    EXPECT_EQ(numerics.accumulator, ScalarType::F32);
  }
}
