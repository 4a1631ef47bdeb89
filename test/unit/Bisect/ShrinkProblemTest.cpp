//===- ShrinkProblemTest.cpp - Smaller problems with a fault ----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Bisect/ShrinkProblem.h"

#include <gtest/gtest.h>

using namespace mlir::convoy;
using ::convoy::Problem;

namespace {
Problem parse(std::string_view text) {
  std::string error;
  return ::convoy::parseProblems(text, {}, error).value().front();
}

TEST(ShrinkProblemTest, FindsEachBoundInFewTries) {
  Problem problem = parse("mb3_ic160ih9iw11_oc70oh7ow9_kh3kw3");
  unsigned tries = 0;
  Problem smallest = shrinkProblem(problem, 100, [&](const Problem &one) {
    ++tries;
    return one.shape.inputChannels >= 129 && one.shape.outputChannels >= 3;
  });
  EXPECT_EQ(smallest.shape.inputChannels, 129);
  EXPECT_EQ(smallest.shape.outputChannels, 3);
  EXPECT_EQ(smallest.shape.batch, 1);
  for (const ::convoy::SpatialDim &dim : smallest.shape.spatial) {
    EXPECT_EQ(dim.input, 1);
    EXPECT_EQ(dim.filter, 1);
  }
  EXPECT_LE(tries, 100u);
}

// All sizes have their turn, though one alone would take all tries.
TEST(ShrinkProblemTest, GivesEachSizeItsTurn) {
  Problem problem = parse("mb1_ic100000iw8_oc9ow7_kw2");
  Problem smallest = shrinkProblem(problem, 60, [&](const Problem &one) {
    return one.shape.inputChannels >= 65537;
  });
  EXPECT_LT(smallest.shape.inputChannels, 100000);
  EXPECT_EQ(smallest.shape.outputChannels, 1);
  EXPECT_EQ(smallest.shape.spatial[0].filter, 1);
}

TEST(ShrinkProblemTest, KeepsWhatIsSmallest) {
  Problem problem = parse("mb1_ic1iw1_oc1ow1_kw1");
  EXPECT_TRUE(getSmallerProblems(problem).empty());
  EXPECT_EQ(toString(shrinkProblem(problem, 10,
                                   [](const Problem &) { return true; })),
            toString(problem));
}
} // namespace
