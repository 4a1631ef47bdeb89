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
  EXPECT_EQ(measurePeak(24, false, 1), 0);
  EXPECT_EQ(measurePeak(0, true, 1), 0);
}

#if defined(__x86_64__) || defined(__aarch64__)
TEST(PeakTest, BaselineIsMeasured) {
  // Slower than any machine, and faster than any.
  for (bool isDouble : {false, true}) {
    double peak = measurePeak(16, isDouble, 2);
    EXPECT_GT(peak, 1e6);
    EXPECT_LT(peak, 1e13);
  }
}
#endif
