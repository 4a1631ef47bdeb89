//===- Im2colTiling.cpp - Tiles of im2col are im2cols of slices -*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Dialect/Convoy/IR/Convoy.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::WindowDim;

namespace {
/// What a tile reads along one dimension of the input: a slice, and positions
/// before and after it that meet padding.
struct InputRange {
  OpFoldResult offset, size;
  OpFoldResult padLow, padHigh;
  /// Size of the slice with its padding.
  OpFoldResult paddedSize;
};

/// A tile's part of one dimension of the result.
struct TileRange {
  OpFoldResult offset, size;
  /// Whether the size may turn out to be 0 when the tile is computed. A tile of
  /// a dimension that is static is never empty unless its size is a constant.
  bool mayBeEmpty = false;
};

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

/// What is read where no window leaves the input.
static InputRange sliceRange(IndexBuilder &index, OpFoldResult offset,
                             OpFoldResult size) {
  OpFoldResult zero = index.apply(index.constant(0), {});
  return {offset, size, zero, zero, size};
}

/// The same where the tile may be empty: its span may leave the input, although
/// nothing is read.
static InputRange clippedRange(IndexBuilder &index, OpFoldResult offset,
                               OpFoldResult size, OpFoldResult inputSize) {
  AffineExpr s0 = index.symbols[0], s1 = index.symbols[1],
             s2 = index.symbols[2];
  OpFoldResult room = index.min({s1, s2 - s0}, {offset, size, inputSize});
  return sliceRange(index, offset, index.max({s0, index.constant(0)}, {room}));
}

/// What the tile at `offsets` of `sizes` reads, for each dimension of the
/// input.
static SmallVector<InputRange> getInputRanges(Im2colOp op, OpBuilder &builder,
                                              ArrayRef<OpFoldResult> offsets,
                                              ArrayRef<OpFoldResult> sizes) {
  IndexBuilder index(builder, op.getLoc());
  Im2colLayoutAttr layout = op.getLayout();
  std::string_view spatial = ::convoy::spatialLetters(layout.getSpatialRank());
  SmallVector<OpFoldResult> inputSizes =
      tensor::getMixedSizes(builder, op.getLoc(), op.getInput());
  SmallVector<OpFoldResult> resultSizes =
      getMixedValues(op.getType().getShape(), op.getSizes(), builder);
  auto getTile = [&](int64_t dim) {
    bool mayBeEmpty = op.getType().isDynamicDim(dim) &&
                      !getConstantIntValue(sizes[dim]).has_value();
    return TileRange{offsets[dim], sizes[dim], mayBeEmpty};
  };

  SmallVector<InputRange> ranges;
  for (auto [dim, letter] : llvm::enumerate(layout.getInput())) {
    size_t which = spatial.find(letter);
    if (which == std::string_view::npos) {
      TileRange tile = getTile(letter == 'c' ? layout.getWindowDim(letter)
                                             : layout.getPositionDim(letter));
      ranges.push_back(sliceRange(index, tile.offset, tile.size));
      continue;
    }
    WindowDim window = op.getWindow().getDim(which);
    TileRange positions = getTile(layout.getPositionDim(letter));
    TileRange taps = getTile(layout.getWindowDim(letter));
    OpFoldResult offset =
        getReadOffset(index, window, positions, taps,
                      resultSizes[layout.getWindowDim(letter)]);
    OpFoldResult size = getReadSize(index, window, positions, taps);
    if (op.getWindow().hasPadding())
      ranges.push_back(padRange(index, offset, size, inputSizes[dim]));
    else if (positions.mayBeEmpty || taps.mayBeEmpty)
      ranges.push_back(clippedRange(index, offset, size, inputSizes[dim]));
    else
      ranges.push_back(sliceRange(index, offset, size));
  }
  return ranges;
}

SmallVector<utils::IteratorType> Im2colOp::getLoopIteratorTypes() {
  return SmallVector<utils::IteratorType>(getType().getRank(),
                                          utils::IteratorType::parallel);
}

SmallVector<Range> Im2colOp::getIterationDomain(OpBuilder &builder) {
  return llvm::map_to_vector(
      getMixedValues(getType().getShape(), getSizes(), builder),
      [&](OpFoldResult size) {
        return Range{builder.getIndexAttr(0), size, builder.getIndexAttr(1)};
      });
}

/// The pad value, zero where the op has none.
static Value getPadValueOrZero(Im2colOp op, OpBuilder &builder) {
  if (op.getPadValue())
    return op.getPadValue();
  return arith::ConstantOp::create(
      builder, op.getLoc(), builder.getZeroAttr(op.getType().getElementType()));
}

/// The part of the input that `ranges` describe, with its padding: a slice, a
/// padded slice, or, where the slice is known to be empty, nothing but padding.
/// Adds the slice to `slices`.
static Value readRanges(Im2colOp op, OpBuilder &builder,
                        ArrayRef<InputRange> ranges,
                        SmallVectorImpl<Operation *> &slices) {
  Location loc = op.getLoc();
  auto collect = [&](OpFoldResult InputRange::*member) {
    return llvm::map_to_vector(
        ranges, [&](const InputRange &range) { return range.*member; });
  };
  auto isZero = [](OpFoldResult value) { return isZeroInteger(value); };
  SmallVector<OpFoldResult> sizes = collect(&InputRange::size);
  auto [paddedShape, paddedDynamic] =
      decomposeMixedValues(collect(&InputRange::paddedSize));
  auto paddedType =
      RankedTensorType::get(paddedShape, op.getType().getElementType());
  if (llvm::any_of(sizes, isZero))
    return tensor::SplatOp::create(builder, loc, getPadValueOrZero(op, builder),
                                   paddedType, paddedDynamic);

  SmallVector<OpFoldResult> strides(sizes.size(), builder.getIndexAttr(1));
  auto slice = tensor::ExtractSliceOp::create(builder, loc, op.getInput(),
                                              collect(&InputRange::offset),
                                              sizes, strides);
  slices.push_back(slice);
  SmallVector<OpFoldResult> low = collect(&InputRange::padLow);
  SmallVector<OpFoldResult> high = collect(&InputRange::padHigh);
  if (llvm::all_of(low, isZero) && llvm::all_of(high, isZero))
    return slice;
  return tensor::PadOp::create(builder, loc, paddedType, slice, low, high,
                               getPadValueOrZero(op, builder));
}

/// A tile is the im2col, without padding, of what it reads.
FailureOr<TilingResult>
Im2colOp::getTiledImplementation(OpBuilder &builder,
                                 ArrayRef<OpFoldResult> offsets,
                                 ArrayRef<OpFoldResult> sizes) {
  SmallVector<Operation *> slices;
  Value source = readRanges(
      *this, builder, getInputRanges(*this, builder, offsets, sizes), slices);
  SmallVector<WindowDim> dims =
      getWindow().getDims(getLayout().getSpatialRank());
  for (WindowDim &dim : dims)
    dim.padLow = dim.padHigh = 0;
  auto [staticSizes, dynamicSizes] = decomposeMixedValues(sizes);
  auto tile = Im2colOp::create(
      builder, getLoc(),
      RankedTensorType::get(staticSizes, getType().getElementType()), source,
      dynamicSizes, getPadValue(), getLayout(),
      WindowAttr::get(getContext(), dims));
  return TilingResult{{tile}, {tile.getResult()}, slices};
}

LogicalResult Im2colOp::getResultTilePosition(
    OpBuilder &, unsigned, ArrayRef<OpFoldResult> offsets,
    ArrayRef<OpFoldResult> sizes, SmallVector<OpFoldResult> &resultOffsets,
    SmallVector<OpFoldResult> &resultSizes) {
  resultOffsets.assign(offsets.begin(), offsets.end());
  resultSizes.assign(sizes.begin(), sizes.end());
  return success();
}

FailureOr<TilingResult>
Im2colOp::generateResultTileValue(OpBuilder &builder, unsigned,
                                  ArrayRef<OpFoldResult> offsets,
                                  ArrayRef<OpFoldResult> sizes) {
  return getTiledImplementation(builder, offsets, sizes);
}
