//===- SweepSpaceTest.cpp - Tests of sweep/SweepSpace -*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SweepSpace.h"

#include "gtest/gtest.h"

#include <set>

using namespace convoy;

static SweepSpace getSpace(std::string_view name) {
  std::optional<SweepSpace> space = SweepSpace::create(name);
  EXPECT_TRUE(space) << name;
  return *space;
}

TEST(SweepSpace, HasTheSizeOfItsCross) {
  EXPECT_EQ(getSpace("1d").size(), 186624);
  EXPECT_EQ(getSpace("layouts2d").size(), 24 * 24 * 24 * 3);
  EXPECT_EQ(getSpace("g").size(), int64_t(30) * 30 * 30 * 3 * 3 * 96);
  EXPECT_FALSE(SweepSpace::create("4d"));
}

TEST(SweepSpace, HasLegalProblemsOnly) {
  for (std::string_view name : {"1d", "g", "2d", "3d", "layouts2d"}) {
    SweepSpace space = getSpace(name);
    SweepRows rows(space, {.strength = 0, .count = 2000, .seed = 3});
    ASSERT_EQ(rows.size(), 2000);
    for (int64_t i = 0; i < rows.size(); ++i) {
      Problem problem = space.problem(rows[i]);
      EXPECT_EQ(checkShape(problem.shape), std::nullopt) << toString(problem);
    }
  }
}

TEST(SweepSpace, HasPostOpsAsOneMoreParameter) {
  SweepSpace space = getSpace("1d");
  space.addPostOps();
  EXPECT_EQ(space.size(), 186624 * int64_t(space.postOps.size()));
  SweepRows rows(space, {.strength = 2});
  std::set<std::string> chains;
  for (int64_t i = 0; i < rows.size(); ++i) {
    Problem problem = space.problem(rows[i]);
    std::string chain = toString(problem.epilogue.postOps, 3);
    EXPECT_TRUE(chain.empty() ||
                problem.direction != Direction::BackwardFilter);
    chains.insert(chain);
  }
  EXPECT_EQ(chains,
            std::set<std::string>(space.postOps.begin(), space.postOps.end()));
}

TEST(SweepSpace, HasTypesOfMatricesAsOneMoreParameter) {
  SweepSpace space = getSpace("g");
  int64_t size = space.size();
  space.addMatrices();
  EXPECT_EQ(space.size(), 3 * size);
  SweepRows rows(space, {.strength = 2});
  std::set<ElementType> types;
  for (int64_t i = 0; i < rows.size(); ++i) {
    Problem problem = space.problem(rows[i]);
    EXPECT_EQ(checkShape(problem.shape), std::nullopt) << toString(problem);
    EXPECT_GE(problem.shape.inputChannels, 16);
    EXPECT_GE(problem.shape.outputChannels, 16);
    types.insert(problem.type);
  }
  EXPECT_EQ(types, (std::set<ElementType>{ElementType::F16, ElementType::BF16,
                                          ElementType::I8}));
}

TEST(SweepSpace, HasEveryTypeThatBytesBecome) {
  for (bool areFiltersPacked : {false, true}) {
    SweepSpace space = getSpace("g");
    int64_t size = space.size();
    space.addMatrices();
    space.addRequantizations(areFiltersPacked);
    EXPECT_EQ(space.size(), size * int64_t(space.requantizations.size()));
    SweepRows rows(space, {.strength = 2});
    std::set<DataType> types;
    std::set<bool> perChannel;
    for (int64_t i = 0; i < rows.size(); ++i) {
      Problem problem = space.problem(rows[i]);
      EXPECT_EQ(problem.type, ElementType::I8);
      EXPECT_GE(problem.shape.inputChannels, 16);
      types.insert(problem.resultType());
      perChannel.insert(problem.filterZeroPoint.isPerChannel);
      if (problem.direction == Direction::BackwardFilter) {
        EXPECT_TRUE(problem.epilogue.isEmpty());
      }
    }
    EXPECT_EQ(types.size(), 6u);
    EXPECT_EQ(perChannel.count(true), areFiltersPacked ? 0u : 1u);
  }
}

/// Tools read what the sweep prints of a case.
TEST(SweepSpace, HasRequantizationsThatTextHas) {
  SweepSpace space = getSpace("layouts2d");
  space.addRequantizations(/*areFiltersPacked=*/false);
  SweepRows rows(space, {.strength = 2});
  for (int64_t i = 0; i < rows.size(); ++i) {
    Problem problem = space.problem(rows[i]);
    std::string error, text = toString(problem);
    std::optional<std::vector<Problem>> read = parseProblems(text, {}, error);
    ASSERT_TRUE(read) << text << ": " << error;
    EXPECT_EQ(toString(read->front()), text);
  }
}

TEST(SweepSpace, KeepsWhatWinogradsAlgorithmComputes) {
  SweepSpace space = getSpace("2d");
  space.addPostOps();
  space.keepWinograd();
  SweepRows rows(space, {.strength = 2});
  std::set<int64_t> partial;
  for (int64_t i = 0; i < rows.size(); ++i) {
    Problem problem = space.problem(rows[i]);
    EXPECT_EQ(checkShape(problem.shape), std::nullopt) << toString(problem);
    EXPECT_NE(problem.direction, Direction::BackwardFilter);
    EXPECT_EQ(problem.shape.groups, 1);
    for (const SpatialDim &dim : problem.shape.spatial) {
      EXPECT_EQ(dim.filter, 3);
      EXPECT_EQ(dim.window.stride, 1);
      EXPECT_EQ(dim.window.dilation, 1);
      partial.insert(dim.output % 4);
    }
  }
  EXPECT_EQ(partial, (std::set<int64_t>{0, 1, 2, 3}));
}

TEST(SweepRows, OfASubsetAreDifferent) {
  SweepSpace space = getSpace("1d");
  SweepRows rows(space, {.strength = 0, .count = 5000, .seed = 1});
  std::set<SweepRow> found;
  for (int64_t i = 0; i < rows.size(); ++i)
    found.insert(rows[i]);
  EXPECT_EQ(found.size(), 5000u);
}

TEST(SweepRows, OfAllShardsAreTheWhole) {
  SweepSpace space = getSpace("layouts2d");
  std::set<SweepRow> found;
  for (int64_t shard = 0; shard < 7; ++shard) {
    SweepRows rows(space, {.shard = shard, .shards = 7});
    for (int64_t i = 0; i < rows.size(); ++i)
      found.insert(rows[i]);
  }
  EXPECT_EQ(found.size(), static_cast<size_t>(space.size()));
}

TEST(SweepRows, CoverAllTriplesOfLayouts) {
  SweepSpace space = getSpace("2d");
  SweepRows rows(space, {.strength = 3});
  std::set<std::vector<int>> found;
  for (int64_t i = 0; i < rows.size(); ++i) {
    SweepRow row = rows[i];
    found.emplace(row.begin(), row.begin() + 3);
  }
  EXPECT_EQ(found.size(), size_t(24) * 24 * 24);
}
