//===- MemoryPlanTest.cpp - Tests of places of buffers --------------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Support/MemoryPlan.h"
#include "convoy/Support/RandomNumbers.h"

#include <gtest/gtest.h>

#include <algorithm>

using namespace convoy;

constexpr int64_t kAlignment = 64;

static int64_t roundUp(int64_t bytes) {
  return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

/// The most bytes that are in use in one step: no plan has fewer.
static int64_t getLowerBound(const std::vector<PlannedBuffer> &buffers) {
  int64_t most = 0;
  for (const PlannedBuffer &at : buffers) {
    int64_t bytes = 0;
    for (const PlannedBuffer &other : buffers)
      if (other.first <= at.first && at.first <= other.last)
        bytes += roundUp(other.bytes);
    most = std::max(most, bytes);
  }
  return most;
}

/// Bytes of all buffers side by side: no plan needs more.
static int64_t getUpperBound(const std::vector<PlannedBuffer> &buffers) {
  int64_t bytes = 0;
  for (const PlannedBuffer &buffer : buffers)
    bytes += roundUp(buffer.bytes);
  return bytes;
}

static bool areInUseAtOnce(const PlannedBuffer &a, const PlannedBuffer &b) {
  return a.first <= b.last && b.first <= a.last;
}

/// Checks what `planMemory` promises, and returns the plan.
static MemoryPlan checkPlan(const std::vector<PlannedBuffer> &buffers) {
  MemoryPlan plan = planMemory(buffers, kAlignment);
  EXPECT_EQ(plan.offsets.size(), buffers.size());
  for (size_t a = 0; a < buffers.size(); ++a) {
    EXPECT_EQ(plan.offsets[a] % kAlignment, 0);
    EXPECT_GE(plan.offsets[a], 0);
    EXPECT_LE(plan.offsets[a] + buffers[a].bytes, plan.bytes);
    for (size_t b = 0; b < a; ++b) {
      bool areApart = plan.offsets[a] + buffers[a].bytes <= plan.offsets[b] ||
                      plan.offsets[b] + buffers[b].bytes <= plan.offsets[a];
      EXPECT_TRUE(areApart || !areInUseAtOnce(buffers[a], buffers[b]))
          << "buffers " << a << " and " << b << " share bytes";
    }
  }
  EXPECT_GE(plan.bytes, getLowerBound(buffers));
  EXPECT_LE(plan.bytes, getUpperBound(buffers));
  return plan;
}

TEST(MemoryPlanTest, NothingNeedsNothing) {
  EXPECT_EQ(checkPlan({}).bytes, 0);
  EXPECT_EQ(checkPlan({{0, 0, 3}, {0, 1, 2}}).bytes, 0);
}

TEST(MemoryPlanTest, ChainsAlternate) {
  // Each step reads what the one before wrote: two places are enough.
  std::vector<PlannedBuffer> buffers = {
      {100, 0, 1}, {300, 1, 2}, {200, 2, 3}, {250, 3, 4}};
  MemoryPlan plan = checkPlan(buffers);
  EXPECT_EQ(plan.bytes, getLowerBound(buffers));
  EXPECT_EQ(plan.offsets[1], plan.offsets[3]);
}

TEST(MemoryPlanTest, ResidualsStay) {
  std::vector<PlannedBuffer> buffers = {
      {64, 0, 3}, {640, 1, 2}, {640, 2, 3}, {64, 3, 4}};
  EXPECT_EQ(checkPlan(buffers).bytes, getLowerBound(buffers));
}

TEST(MemoryPlanTest, SmallestGapIsTaken) {
  // Those of 320 and 192 bytes leave gaps of 320 and 192 bytes from step 4 on.
  std::vector<PlannedBuffer> buffers = {{640, 0, 9}, {320, 0, 3}, {256, 0, 9},
                                        {192, 0, 3}, {128, 0, 9}, {190, 4, 9},
                                        {320, 4, 9}};
  MemoryPlan plan = checkPlan(buffers);
  EXPECT_EQ(plan.bytes, getLowerBound(buffers));
  EXPECT_EQ(plan.offsets[5], plan.offsets[3]);
}

/// Lifetimes of the values of a graph: each is made in a step, and read in some
/// of the few steps behind that, or in any, as residuals are; and workspaces.
static std::vector<PlannedBuffer> drawGraph(uint64_t seed) {
  constexpr int kMostBytes = 5000, kMostSteps = 40, kReach = 4;
  RandomNumbers numbers(seed);
  std::vector<PlannedBuffer> buffers;
  size_t steps = 1 + numbers.below(kMostSteps);
  for (size_t step = 0; step < steps; ++step) {
    int reach = numbers.below(5) == 0 ? kMostSteps : kReach;
    size_t last = std::min(step + numbers.below(reach), steps);
    buffers.push_back({numbers.below(kMostBytes), step, last});
    if (numbers.below(3) == 0)
      buffers.push_back({numbers.below(kMostBytes), step, step});
  }
  return buffers;
}

TEST(MemoryPlanTest, RandomGraphsKeepValuesApart) {
  for (uint64_t seed = 0; seed < 500; ++seed)
    checkPlan(drawGraph(seed));
}
