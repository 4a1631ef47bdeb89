//===- BandwidthTest.cpp - Tests of how memory is timed -------------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Bandwidth.h"

#include <gtest/gtest.h>

using namespace convoy;

TEST(BandwidthTest, IsMeasured) {
  // Slower than any machine, and faster than any.
  for (int threads : {1, 3}) {
    double bandwidth = measureBandwidth(threads, 1 << 24);
    EXPECT_GT(bandwidth, 1e6);
    EXPECT_LT(bandwidth, 1e13);
  }
}
