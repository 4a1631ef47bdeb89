//===- OperandIndexTest.cpp - Tests of logical indices --------------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Runtime/OperandIndex.h"

#include "ConvFixture.h"

#include <gtest/gtest.h>
#include <set>

using namespace convoy;

static ConvShape threeGroups() {
  return makeShape(2, 3, 4, 5, {makeSpatial(7, 3), makeSpatial(9, 2)});
}

TEST(OperandIndexTest, ExplicitGroups) {
  OperandIndex index =
      operandIndex(threeGroups(), Operand::Input, Layout::fromLetters("nhwgc"));
  EXPECT_EQ(index.sizes, (LogicalIndex{2, 3, 4, 1, 1, 7, 9}));
  EXPECT_EQ(index.strides, (LogicalIndex{756, 4, 1, 0, 0, 108, 12}));
  EXPECT_EQ(index.elementCount(), 1512);
}

TEST(OperandIndexTest, FlatGroupsLieOutsideTheirChannel) {
  ConvShape shape = threeGroups();
  OperandIndex input =
      operandIndex(shape, Operand::Input, Layout::fromLetters("nhwc"));
  EXPECT_EQ(input.strides, (LogicalIndex{756, 4, 1, 0, 0, 108, 12}));
  OperandIndex filter =
      operandIndex(shape, Operand::Filter, Layout::fromLetters("fchw"));
  EXPECT_EQ(filter.strides, (LogicalIndex{0, 120, 6, 24, 0, 2, 1}));
  OperandIndex output =
      operandIndex(shape, Operand::Output, Layout::fromLetters("hwfn"));
  EXPECT_EQ(output.strides, (LogicalIndex{1, 10, 0, 2, 0, 240, 30}));
}

TEST(OperandIndexTest, EveryIndexHasItsOwnPlace) {
  ConvShape shape = threeGroups();
  for (std::string letters : {"nchw", "hwcn", "gnchw", "cwnhg"}) {
    OperandIndex index =
        operandIndex(shape, Operand::Input, Layout::fromLetters(letters));
    std::set<int64_t> places;
    forEachIndex(index.sizes, [&](const LogicalIndex &element) {
      places.insert(index.offset(element));
    });
    EXPECT_EQ(static_cast<int64_t>(places.size()), index.elementCount());
    EXPECT_EQ(*places.begin(), 0);
    EXPECT_EQ(*places.rbegin(), index.elementCount() - 1);
  }
}

TEST(OperandIndexTest, VisitsIndicesInRowMajorOrder) {
  OperandIndex index = logicalOperandIndex(threeGroups(), Operand::Output);
  int64_t next = 0;
  forEachIndex(index.sizes, [&](const LogicalIndex &element) {
    EXPECT_EQ(index.offset(element), next++);
  });
  EXPECT_EQ(next, index.elementCount());
  forEachIndex({2, 0, 1, 1, 1, 1, 1},
               [](const LogicalIndex &) { FAIL() << "there is no element"; });
}

TEST(OperandIndexTest, Text) {
  LogicalIndex sizes = {1, 3, 1, 5, 1, 7, 9};
  EXPECT_EQ(toString(LogicalIndex{0, 2, 0, 0, 0, 6, 8}, sizes),
            "g=2 f=0 h=6 w=8");
  EXPECT_EQ(toString(LogicalIndex{}, {1, 1, 1, 1, 1, 1, 1}),
            "the only element");
}
