//===- WorkgroupTile.h - Choice of a workgroup's tile -----------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TRANSFORMS_COSTS_WORKGROUPTILE_H
#define CONVOY_TRANSFORMS_COSTS_WORKGROUPTILE_H

#include "convoy/Support/GPUMatrixInstruction.h"

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/SmallVector.h"

namespace mlir::convoy {

/// The part of a contraction that a workgroup computes with both factors in the
/// memory that it shares: lanes along the loops of the factor that the
/// innermost dimension of the result belongs to, rows along those of the other
/// factor.
struct WorkgroupTile {
  unsigned laneLoop = 0; ///< its elements fill vectors
  /// How many elements of each loop of the contraction: of the result's, and of
  /// the reductions' in one step.
  SmallVector<int64_t> sizes;
  int64_t lanes = 1, rows = 1, terms = 1; ///< the products of those sizes
  /// What one work-item computes, or a wave together by `matrix`.
  int64_t itemLanes = 1, itemRows = 1;
  const ::convoy::GPUMatrixInstruction *matrix = nullptr;
  bool staged = true;  ///< whether work-items share what they read
  int64_t buffers = 1; ///< steps of which the factors are shared at a time

  int64_t sharers = 1; ///< work-items that add up each sum
  int64_t idle = 0;    ///< work-items that have no sum of their own

  int64_t getItems() const {
    return lanes / itemLanes * (rows / itemRows) * sharers *
               (matrix ? matrix->wave : 1) +
           idle;
  }
};

} // namespace mlir::convoy

#endif // CONVOY_TRANSFORMS_COSTS_WORKGROUPTILE_H
