//===- ProofTimes.cpp - How long proofs took --------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProofTimes.h"

#include <algorithm>
#include <array>
#include <cstdio>

using namespace convoy;

std::string ProofTimes::describe() const {
  std::vector<double> sorted = seconds;
  std::sort(sorted.begin(), sorted.end());
  auto getMilliseconds = [&](size_t percent) {
    size_t rank = (sorted.size() * percent + 99) / 100;
    return sorted.empty() ? 0 : sorted[rank - 1] * 1e3;
  };
  std::array<char, 128> text;
  std::snprintf(text.data(), text.size(),
                "%.1f ms in the middle, %.1f ms at 95 %%, %.1f ms at most",
                getMilliseconds(50), getMilliseconds(95), getMilliseconds(100));
  return text.data();
}
