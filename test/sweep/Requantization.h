//===- Requantization.h - What sums of bytes become in sweeps ---*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TEST_SWEEP_REQUANTIZATION_H
#define CONVOY_TEST_SWEEP_REQUANTIZATION_H

#include "convoy/Support/Problem.h"

namespace convoy {

/// Signs and zero points of bytes, and what becomes of their sums.
struct Requantization {
  bool inputSigned = true, filterSigned = true, hasBias = false;
  int32_t inputZeroPoint = 0;
  ZeroPoint filterZeroPoint;
  Epilogue epilogue;

  /// Lets `problem` be of such bytes. Gradients of filters have one zero point
  /// for each operand, and no epilogue.
  void apply(Problem &problem) const;
};

/// Some with each type of results, with scales and zero points of all channels
/// and of each, with and without a bias and post-ops. Packed filters have no
/// zero points of channels.
std::vector<Requantization> getRequantizations(bool areFiltersPacked);

/// Lets `problem` have the post-ops of `text`, which is right.
void setPostOps(Problem &problem, const std::string &text);

} // namespace convoy

#endif // CONVOY_TEST_SWEEP_REQUANTIZATION_H
