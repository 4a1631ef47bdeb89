//===- WindowSlices.cpp - What tiles of windows read ------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Dialect/Convoy/IR/WindowSlices.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::WindowDim;

namespace {
/// Builds folded affine arithmetic at one place.
class IndexBuilder {
public:
  IndexBuilder(OpBuilder &builder, Location loc) : builder(builder), loc(loc) {
    for (unsigned i = 0; i < 4; ++i)
      symbols.push_back(builder.getAffineSymbolExpr(i));
  }

  OpFoldResult apply(AffineExpr expr, ArrayRef<OpFoldResult> operands) {
    return affine::makeComposedFoldedAffineApply(builder, loc, expr, operands);
  }
  OpFoldResult min(ArrayRef<AffineExpr> exprs,
                   ArrayRef<OpFoldResult> operands) {
    return affine::makeComposedFoldedAffineMin(
        builder, loc, toMap(exprs, operands), operands);
  }
  OpFoldResult max(ArrayRef<AffineExpr> exprs,
                   ArrayRef<OpFoldResult> operands) {
    return affine::makeComposedFoldedAffineMax(
        builder, loc, toMap(exprs, operands), operands);
  }
  AffineExpr constant(int64_t value) {
    return builder.getAffineConstantExpr(value);
  }

  SmallVector<AffineExpr> symbols;

private:
  AffineMap toMap(ArrayRef<AffineExpr> exprs, ArrayRef<OpFoldResult> operands) {
    return AffineMap::get(0, operands.size(), exprs, builder.getContext());
  }

  OpBuilder &builder;
  Location loc;
};
} // namespace

/// The first input position that `positions` at taps `taps` read:
/// s*o + d*k' - pl, where k' counts reversed taps from the other end of the
/// `allTaps` of the whole window.
static OpFoldResult getReadOffset(IndexBuilder &index, const WindowDim &window,
                                  const TileRange &positions,
                                  const TileRange &taps, OpFoldResult allTaps) {
  AffineExpr s0 = index.symbols[0], s1 = index.symbols[1],
             s2 = index.symbols[2];
  OpFoldResult firstTap =
      window.reverse
          ? index.apply(s0 - s1 - s2, {allTaps, taps.offset, taps.size})
          : taps.offset;
  return index.apply(s0 * window.stride + s1 * window.dilation - window.padLow,
                     {positions.offset, firstTap});
}

/// How many input positions `positions` at taps `taps` span:
/// s*(O-1) + d*(K-1) + 1. Of a tile without positions or without taps nothing
/// is read; the span is then any number that is not negative.
static OpFoldResult getReadSize(IndexBuilder &index, const WindowDim &window,
                                const TileRange &positions,
                                const TileRange &taps) {
  AffineExpr s0 = index.symbols[0], s1 = index.symbols[1];
  if (isZeroInteger(positions.size) || isZeroInteger(taps.size))
    return index.apply(index.constant(0), {});
  OpFoldResult size =
      index.apply((s0 - 1) * window.stride + (s1 - 1) * window.dilation + 1,
                  {positions.size, taps.size});
  if (positions.mayBeEmpty || taps.mayBeEmpty)
    return index.max({s0, index.constant(0)}, {size});
  return size;
}

/// Splits what is read into the part in an input of `inputSize` and the padding
/// around it.
static InputRange padRange(IndexBuilder &index, OpFoldResult offset,
                           OpFoldResult size, OpFoldResult inputSize) {
  AffineExpr s0 = index.symbols[0], s1 = index.symbols[1],
             s2 = index.symbols[2];
  AffineExpr zero = index.constant(0);
  InputRange range;
  range.paddedSize = size;
  range.offset =
      index.max({s0, zero}, {index.min({s0, s1}, {offset, inputSize})});
  OpFoldResult end = index.max(
      {s0, zero}, {index.min({s0 + s1, s2}, {offset, size, inputSize})});
  range.size = index.apply(s1 - s0, {range.offset, end});
  // A slice of nothing must start inside the input all the same.
  if (isZeroInteger(range.size))
    range.offset = index.apply(zero, {});
  range.padLow = index.max({s0, zero}, {index.min({-s0, s1}, {offset, size})});
  range.padHigh = index.apply(s0 - s1 - s2, {size, range.padLow, range.size});
  return range;
}

/// The `size` at `offset` that is read, of a tile that may be empty: its span
/// may leave the input, although nothing is read.
static OpFoldResult clipSize(IndexBuilder &index, OpFoldResult offset,
                             OpFoldResult size, OpFoldResult inputSize) {
  AffineExpr s0 = index.symbols[0], s1 = index.symbols[1],
             s2 = index.symbols[2];
  OpFoldResult room = index.min({s1, s2 - s0}, {offset, size, inputSize});
  return index.max({s0, index.constant(0)}, {room});
}

InputRange mlir::convoy::sliceInput(OpBuilder &builder, const TileRange &tile) {
  OpFoldResult zero = builder.getIndexAttr(0);
  return {tile.offset, tile.size, zero, zero, tile.size};
}

InputRange mlir::convoy::readWindows(OpBuilder &builder, Location loc,
                                     const WindowDim &window,
                                     const TileRange &positions,
                                     const TileRange &taps,
                                     OpFoldResult allTaps,
                                     OpFoldResult inputSize, bool isPadded) {
  IndexBuilder index(builder, loc);
  OpFoldResult offset = getReadOffset(index, window, positions, taps, allTaps);
  OpFoldResult size = getReadSize(index, window, positions, taps);
  if (isPadded)
    return padRange(index, offset, size, inputSize);
  if (positions.mayBeEmpty || taps.mayBeEmpty)
    size = clipSize(index, offset, size, inputSize);
  return sliceInput(builder, {offset, size});
}

Value mlir::convoy::readRanges(OpBuilder &builder, Location loc, Value input,
                               ArrayRef<InputRange> ranges,
                               function_ref<Value(OpBuilder &)> getPadValue,
                               SmallVectorImpl<Operation *> &slices) {
  auto collect = [&](OpFoldResult InputRange::*member) {
    return llvm::map_to_vector(
        ranges, [&](const InputRange &range) { return range.*member; });
  };
  auto isZero = [](OpFoldResult value) { return isZeroInteger(value); };
  SmallVector<OpFoldResult> sizes = collect(&InputRange::size);
  auto [paddedShape, paddedDynamic] =
      decomposeMixedValues(collect(&InputRange::paddedSize));
  auto paddedType =
      RankedTensorType::get(paddedShape, getElementTypeOrSelf(input.getType()));
  if (llvm::any_of(sizes, isZero))
    return tensor::SplatOp::create(builder, loc, getPadValue(builder),
                                   paddedType, paddedDynamic);

  SmallVector<OpFoldResult> strides(sizes.size(), builder.getIndexAttr(1));
  auto slice = tensor::ExtractSliceOp::create(
      builder, loc, input, collect(&InputRange::offset), sizes, strides);
  slices.push_back(slice);
  SmallVector<OpFoldResult> low = collect(&InputRange::padLow);
  SmallVector<OpFoldResult> high = collect(&InputRange::padHigh);
  if (llvm::all_of(low, isZero) && llvm::all_of(high, isZero))
    return slice;
  return tensor::PadOp::create(builder, loc, paddedType, slice, low, high,
                               getPadValue(builder));
}
