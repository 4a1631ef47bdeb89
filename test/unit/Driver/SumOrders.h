//===- SumOrders.h - Orders in which tests add products ---------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TEST_UNIT_DRIVER_SUMORDERS_H
#define CONVOY_TEST_UNIT_DRIVER_SUMORDERS_H

#include "llvm/ADT/STLExtras.h"

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <utility>
#include <vector>

namespace mlir::convoy {

/// Factors whose products are added.
using Terms = std::vector<std::pair<float, float>>;
/// Adds terms in f32 in some order.
using Order = std::function<float(const Terms &)>;

inline float addForward(const Terms &terms) {
  float sum = 0;
  for (auto [a, b] : terms)
    sum = std::fma(a, b, sum);
  return sum;
}

inline float addBackward(const Terms &terms) {
  float sum = 0;
  for (auto [a, b] : llvm::reverse(terms))
    sum += a * b;
  return sum;
}

/// In eight lanes, which are added at the end.
inline float addLanes(const Terms &terms) {
  float lanes[8] = {}, sum = 0;
  for (auto [i, term] : llvm::enumerate(terms))
    lanes[i % 8] = std::fma(term.first, term.second, lanes[i % 8]);
  for (float lane : lanes)
    sum += lane;
  return sum;
}

inline float addInF16(const Terms &terms) {
  _Float16 sum = 0;
  for (auto [a, b] : terms)
    sum = static_cast<_Float16>(static_cast<float>(sum) + a * b);
  return static_cast<float>(sum);
}

/// How many seeds are drawn for each case.
inline uint64_t getSeeds() {
  const char *asked = std::getenv("CONVOY_DRAWN_CASES");
  return asked ? std::strtoull(asked, nullptr, 10) : 1;
}

} // namespace mlir::convoy

#endif // CONVOY_TEST_UNIT_DRIVER_SUMORDERS_H
