//===- RegisterTileSearch.h - Choice of a register tile ---------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TRANSFORMS_COSTS_REGISTERTILESEARCH_H
#define CONVOY_TRANSFORMS_COSTS_REGISTERTILESEARCH_H

#include "convoy/Transforms/Costs/RegisterTile.h"
#include "convoy/Transforms/Utils/LoopStrides.h"

namespace mlir::convoy {

/// Chooses the tile with the least estimated time per multiply-add, counting
/// what a core does for one step of the reduction: fused multiply-adds and
/// loads, two of each a cycle, an element at a time where lanes do not lie side
/// by side in memory; the reads and writes of the result; and, if the factor
/// with the lanes is packed, its copy. Rows run over a second loop where the
/// whole of the first leaves registers free, but not where the target gives the
/// tile. Loops of dynamic size are tiled by 1. `strides` is what getLoopStrides
/// returns. Where there is no tile of the form that the target asks for, or no
/// element, the result is one element with an infinite cost. What is packed at
/// a time takes a quarter of the L2 cache; with
/// `canBlock`, partial sums may be stored in the result, so that it can be a
/// part of a reduction.
RegisterTile chooseRegisterTile(TargetAttr target,
                                linalg::GenericOp contraction,
                                ArrayRef<LoopStrides> strides, bool canBlock);

/// The tiles that this chooses from, no two of them alike: its choice first,
/// the others by estimated time.
SmallVector<RegisterTile> rankRegisterTiles(TargetAttr target,
                                            linalg::GenericOp contraction,
                                            ArrayRef<LoopStrides> strides,
                                            bool canBlock);

} // namespace mlir::convoy

#endif // CONVOY_TRANSFORMS_COSTS_REGISTERTILESEARCH_H
