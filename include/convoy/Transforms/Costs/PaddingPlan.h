//===- PaddingPlan.h - How what meets padding is computed -------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TRANSFORMS_COSTS_PADDINGPLAN_H
#define CONVOY_TRANSFORMS_COSTS_PADDINGPLAN_H

#include "convoy/Transforms/Costs/BorderParts.h"

#include "convoy/Dialect/Convoy/IR/Convoy.h"

namespace mlir::convoy {

/// How what meets padding is computed.
struct PaddingPlan {
  /// The parts that each are a convolution; nothing if the input is copied with
  /// its padding, or has none.
  std::optional<BorderParts> borders;
  /// Cycles for that in addition to the multiply-adds, for as many groups as a
  /// vector has lanes.
  double cycles;
};

/// The plan for `op`, whose sizes are static, that takes the least time.
PaddingPlan getPaddingPlan(ConvolutionOpInterface op);

} // namespace mlir::convoy

#endif // CONVOY_TRANSFORMS_COSTS_PADDINGPLAN_H
