//===- TileBox.h - Sizes of one side of a tile ------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_TRANSFORMS_COSTS_TILEBOX_H
#define CONVOY_LIB_TRANSFORMS_COSTS_TILEBOX_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>

namespace mlir::convoy {

/// How many elements of some loops a tile has.
struct TileBox {
  SmallVector<int64_t> sizes; ///< of the loops, in their order
  int64_t volume = 1;         ///< in whole vectors
  double waste = 1;           ///< what all boxes compute, over what is needed
};

/// The loops that one factor has alone.
struct Side {
  SmallVector<unsigned> loops; ///< innermost of the result first
  SmallVector<int64_t> extents;

  int64_t getVolume() const {
    int64_t volume = 1;
    for (int64_t extent : extents)
      volume *= extent;
    return volume;
  }
};

/// Completes `box`, which has sizes for the first loops, in every way that
/// stays within `most` elements; keeps the best in `best`: the least waste,
/// then the largest. Vectors run along the first loop if `alongFirst`, else
/// along all; the volume is a multiple of `itemSize`.
void fillBox(const Side &side, int64_t most, int64_t itemSize, bool alongFirst,
             const TileBox &box, TileBox &best);

} // namespace mlir::convoy

#endif // CONVOY_LIB_TRANSFORMS_COSTS_TILEBOX_H
