//===- ProofTimes.h - How long proofs took ----------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TEST_SWEEP_PROOFTIMES_H
#define CONVOY_TEST_SWEEP_PROOFTIMES_H

#include <cstddef>
#include <string>
#include <vector>

namespace convoy {

/// The times of many proofs, and their distribution.
class ProofTimes {
public:
  void add(double newSeconds) { seconds.push_back(newSeconds); }
  size_t size() const { return seconds.size(); }
  /// The median, the 95th percentile and the longest time, as text.
  std::string describe() const;

private:
  std::vector<double> seconds;
};

} // namespace convoy

#endif // CONVOY_TEST_SWEEP_PROOFTIMES_H
