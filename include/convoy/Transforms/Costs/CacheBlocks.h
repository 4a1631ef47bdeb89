//===- CacheBlocks.h - What tiles share in the cache ------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TRANSFORMS_COSTS_CACHEBLOCKS_H
#define CONVOY_TRANSFORMS_COSTS_CACHEBLOCKS_H

#include "convoy/Transforms/Costs/RegisterTile.h"
#include "convoy/Transforms/Utils/LoopStrides.h"

namespace mlir::convoy {

/// Chooses how the loops over register tiles of `tile` are cut, and in which
/// order they run, so that the fewest lines come from beyond the L2 cache: the
/// blocks of rows, and where the factor with the lanes is packed and partial
/// sums may be stored (`canBlock`), those of the reduction. Does nothing where
/// sizes are dynamic.
void chooseCacheBlocks(TargetAttr target, linalg::GenericOp contraction,
                       ArrayRef<LoopStrides> strides, RegisterTile &tile,
                       bool canBlock);

} // namespace mlir::convoy

#endif // CONVOY_TRANSFORMS_COSTS_CACHEBLOCKS_H
