//===- PeakTest.cpp - A CPU's peak is measured ---------------------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Peak.h"

#include <gtest/gtest.h>

using namespace convoy;

TEST(PeakTest, HasNoOddVectors) {
  EXPECT_FALSE(PeakLoop::create(24, false, 1));
  EXPECT_FALSE(PeakLoop::create(0, true, 1));
}

#if defined(__x86_64__) || defined(__aarch64__)
TEST(PeakTest, BaselineIsMeasured) {
  for (bool isDouble : {false, true}) {
    std::unique_ptr<PeakLoop> peak = PeakLoop::create(16, isDouble, 2);
    ASSERT_TRUE(peak);
    std::string error;
    std::optional<double> seconds = peak->run(100, error);
    ASSERT_TRUE(seconds);
    // Slower than any machine, and faster than any.
    double speed = 100 * peak->getOperations() / *seconds;
    EXPECT_GT(speed, 1e6);
    EXPECT_LT(speed, 1e13);
  }
}

TEST(PeakTest, CountsOperations) {
  double one = PeakLoop::create(16, false, 1)->getOperations();
  EXPECT_EQ(PeakLoop::create(16, false, 3)->getOperations(), 3 * one);
  EXPECT_EQ(PeakLoop::create(16, true, 1)->getOperations(), one / 2);
}
#endif
