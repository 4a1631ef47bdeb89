//===- WindowSlices.h - What tiles of windows read --------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_DIALECT_CONVOY_IR_WINDOWSLICES_H
#define CONVOY_DIALECT_CONVOY_IR_WINDOWSLICES_H

#include "convoy/Dialect/Convoy/IR/Convoy.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace mlir::convoy {

/// What a tile reads along one dimension of the input: a slice, and positions
/// before and after it that meet padding.
struct InputRange {
  OpFoldResult offset, size;
  OpFoldResult padLow, padHigh;
  /// Size of the slice with its padding.
  OpFoldResult paddedSize;
};

/// A tile's part of one dimension.
struct TileRange {
  OpFoldResult offset, size;
  /// Whether the size may turn out to be 0 when the tile is computed. A tile of
  /// a dimension that is static is never empty unless its size is a constant.
  bool mayBeEmpty = false;
};

/// A slice of the input, as it is.
InputRange sliceInput(OpBuilder &builder, const TileRange &tile);

/// What `positions` at taps `taps` of a window of `allTaps` read along a
/// spatial dimension of an input of `inputSize`. Without `isPadded` no window
/// leaves the input.
InputRange readWindows(OpBuilder &builder, Location loc,
                       const ::convoy::WindowDim &window,
                       const TileRange &positions, const TileRange &taps,
                       OpFoldResult allTaps, OpFoldResult inputSize,
                       bool isPadded);

/// The part of `input` that `ranges` describe, with its padding: a slice, a
/// padded slice, or, where the slice is known to be empty, nothing but padding.
/// Adds the slice to `slices`.
Value readRanges(OpBuilder &builder, Location loc, Value input,
                 ArrayRef<InputRange> ranges,
                 function_ref<Value(OpBuilder &)> getPadValue,
                 SmallVectorImpl<Operation *> &slices);

} // namespace mlir::convoy

#endif // CONVOY_DIALECT_CONVOY_IR_WINDOWSLICES_H
