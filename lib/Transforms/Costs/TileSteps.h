//===- TileSteps.h - Steps of a tile along a reduction ----------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_TRANSFORMS_COSTS_TILESTEPS_H
#define CONVOY_LIB_TRANSFORMS_COSTS_TILESTEPS_H

#include "convoy/Transforms/Costs/WorkgroupTile.h"
#include "convoy/Transforms/Utils/LoopStrides.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::convoy {

/// The sizes of the loops of `contraction`. In the place of a batch that is not
/// known stand as many of its images as a tile may take.
SmallVector<int64_t> getExtents(linalg::GenericOp contraction,
                                ArrayRef<LoopStrides> strides);

/// The steps of the reduction: a part of the loop of the rows that has the
/// shortest stride, or all of it and a part of the next: so `many` terms, or up
/// to `most` where a loop is not much longer.
void chooseSteps(linalg::GenericOp contraction, ArrayRef<LoopStrides> strides,
                 ArrayRef<int64_t> extents, int64_t many, int64_t most,
                 WorkgroupTile &tile);

} // namespace mlir::convoy

#endif // CONVOY_LIB_TRANSFORMS_COSTS_TILESTEPS_H
