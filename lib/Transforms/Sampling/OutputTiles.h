//===- OutputTiles.h - Parts of output positions ----------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_TRANSFORMS_SAMPLING_OUTPUTTILES_H
#define CONVOY_LIB_TRANSFORMS_SAMPLING_OUTPUTTILES_H

#include "convoy/Transforms/Utils/TensorSlice.h"

#include "mlir/IR/PatternMatch.h"

namespace mlir::convoy {

/// A box of output positions. Along h and w sizes are static.
struct OutputTile {
  OpFoldResult n, h, w; ///< where it begins
  OpFoldResult images;
  int64_t rows, columns;

  /// Its slice of `tensor`, whose dimensions are called `names`; all of those
  /// but n, h and w.
  TensorSlice getSlice(OpBuilder &builder, Location loc, Value tensor,
                       StringRef names) const;
};

/// The tiles along one dimension.
struct TileRange {
  OpFoldResult begin, end;
  int64_t step;
};

/// Tiles of all output positions of an image. Those of a row follow each other;
/// tiles of several rows have all of each.
struct OutputTiling {
  SmallVector<TileRange> rows, columns;
};

/// Tiles of `height` rows of `width` positions, each of which takes
/// `bytesPerPosition` of what a core's second cache holds.
OutputTiling getOutputTiling(OpBuilder &builder, Location loc,
                             OpFoldResult height, OpFoldResult width,
                             int64_t bytesPerPosition);

/// Emits loops over `images` images and the tiles of each, in any order:
/// `build` makes of its slice of `result`, a tensor with dimensions called
/// `names`, what takes its place.
Value emitTileLoops(RewriterBase &rewriter, Location loc, Value result,
                    StringRef names, OpFoldResult images,
                    const OutputTiling &tiling,
                    function_ref<Value(const OutputTile &, Value)> build);

/// A few tiles of all positions of `images` images, of a size that leaves whole
/// kernels enough to do.
SmallVector<OutputTile> getOutputParts(OpBuilder &builder, OpFoldResult images,
                                       int64_t height, int64_t width,
                                       int64_t bytesPerPosition);

} // namespace mlir::convoy

#endif // CONVOY_LIB_TRANSFORMS_SAMPLING_OUTPUTTILES_H
