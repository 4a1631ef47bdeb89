//===- InterruptionTest.cpp - Tests of work that is given up --------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Support/Interruption.h"

#include <gtest/gtest.h>
#include <thread>

using namespace convoy;

/// Asks until `isWanted` says so, or ten seconds are over.
template <typename Wanted>
static void askUntil(const Wanted &isWanted) {
  auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  while (!isWanted() && std::chrono::steady_clock::now() < end)
    isInterrupted();
}

TEST(InterruptionTest, NobodyAsks) { EXPECT_FALSE(isInterrupted()); }

TEST(InterruptionTest, AsksNowAndThenUntilItIsOver) {
  int asked = 0;
  Interruption interruption([&] { return ++asked == 3; });
  EXPECT_FALSE(isInterrupted());
  EXPECT_EQ(asked, 0);
  askUntil([&] { return interruption.isOver(); });
  EXPECT_TRUE(isInterrupted());
  EXPECT_EQ(asked, 3);
}

TEST(InterruptionTest, TheInnerOneCountsWhileItIsThere) {
  Interruption outer([] { return true; });
  {
    int asked = 0;
    Interruption inner([&] { return ++asked > 100; });
    askUntil([&] { return asked == 2; });
    EXPECT_FALSE(isInterrupted());
  }
  askUntil([&] { return outer.isOver(); });
  EXPECT_TRUE(isInterrupted());
}

TEST(InterruptionTest, IsOfOneThread) {
  Interruption interruption([] { return true; });
  askUntil([&] { return interruption.isOver(); });
  bool isOther = true;
  std::thread([&] { isOther = isInterrupted(); }).join();
  EXPECT_FALSE(isOther);
}
