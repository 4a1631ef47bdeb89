//===- WorkgroupCosts.h - Cost model of workgroups --------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TRANSFORMS_COSTS_WORKGROUPCOSTS_H
#define CONVOY_TRANSFORMS_COSTS_WORKGROUPCOSTS_H

#include "convoy/Transforms/Costs/WorkgroupTile.h"
#include "convoy/Transforms/Utils/LoopStrides.h"

namespace mlir::convoy {

/// Chooses the tile of least estimated time for `target`, a GPU, or nothing
/// where the factors are not read often enough to be shared. Matrix
/// instructions of the target are used where it has them for the contraction's
/// types, the contraction does nothing but multiply and add, and it pays.
/// `strides` is what getLoopStrides returns; sizes are static but for a
/// batch's, of which a tile takes several images only where these are small.
/// The estimate counts multiply-adds, those of tiles that stick out of the
/// result included, and reads of memory, and wants enough workgroups to be
/// busy.
std::optional<WorkgroupTile> chooseWorkgroupTile(TargetAttr target,
                                                 linalg::GenericOp contraction,
                                                 ArrayRef<LoopStrides> strides);

/// Loops of a contraction's reduction, divided into parts that are summed
/// apart.
struct ReductionSplit {
  /// By loop of the contraction, how many parts it is divided into, which is
  /// one for loops of sizes that are not known, and divides the size of others.
  SmallVector<int64_t> counts;
  int64_t parts = 1; ///< the product of these
};

/// How to divide a reduction so that there are enough workgroups, or nothing
/// where there are without, or parts are not estimated to be faster. Every part
/// keeps many terms, but up to `mostTerms`, if the reduction can be divided so.
std::optional<ReductionSplit>
chooseReductionSplit(TargetAttr target, linalg::GenericOp contraction,
                     ArrayRef<LoopStrides> strides, int64_t mostTerms);

} // namespace mlir::convoy

#endif // CONVOY_TRANSFORMS_COSTS_WORKGROUPCOSTS_H
