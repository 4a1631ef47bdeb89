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
/// A range of input positions: what a tile reads along one dimension.
struct InputRange {
  OpFoldResult offset, size;
  /// Positions of the range before and after the input.
  OpFoldResult padLow, padHigh;
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

/// The positions that `positions` at taps `taps` read, offsets first:
/// [s*o + d*k' - pl, .. + s*(O-1) + d*(K-1)], where k' counts reversed taps
/// from the other end of the `allTaps` of the whole window.
static InputRange getReadRange(IndexBuilder &index, const WindowDim &window,
                               std::pair<OpFoldResult, OpFoldResult> positions,
                               std::pair<OpFoldResult, OpFoldResult> taps,
                               OpFoldResult allTaps) {
  AffineExpr s0 = index.symbols[0], s1 = index.symbols[1],
             s2 = index.symbols[2];
  OpFoldResult firstTap =
      window.reverse
          ? index.apply(s0 - s1 - s2, {allTaps, taps.first, taps.second})
          : taps.first;
  InputRange range;
  range.offset =
      index.apply(s0 * window.stride + s1 * window.dilation - window.padLow,
                  {positions.first, firstTap});
  range.size =
      index.apply((s0 - 1) * window.stride + (s1 - 1) * window.dilation + 1,
                  {positions.second, taps.second});
  return range;
}

/// Splits `range` into what lies in an input of `inputSize` and what does not.
static InputRange clampRange(IndexBuilder &index, const InputRange &range,
                             OpFoldResult inputSize) {
  AffineExpr s0 = index.symbols[0], s1 = index.symbols[1],
             s2 = index.symbols[2];
  AffineExpr zero = index.constant(0);
  InputRange result;
  OpFoldResult start =
      index.max({s0, zero}, {index.min({s0, s1}, {range.offset, inputSize})});
  OpFoldResult end = index.max(
      {s0, zero},
      {index.min({s0 + s1, s2}, {range.offset, range.size, inputSize})});
  result.offset = start;
  result.size = index.apply(s1 - s0, {start, end});
  result.padLow =
      index.max({s0, zero}, {index.min({-s0, s1}, {range.offset, range.size})});
  result.padHigh =
      index.apply(s0 - s1 - s2, {range.size, result.padLow, result.size});
  return result;
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

/// The part of the input that a tile reads, padded to what its windows cover.
/// A window that never leaves the input needs a slice only.
FailureOr<TilingResult>
Im2colOp::getTiledImplementation(OpBuilder &builder,
                                 ArrayRef<OpFoldResult> offsets,
                                 ArrayRef<OpFoldResult> sizes) {
  Location loc = getLoc();
  IndexBuilder index(builder, loc);
  Im2colLayoutAttr layout = getLayout();
  std::string_view spatial = ::convoy::spatialLetters(layout.getSpatialRank());
  SmallVector<OpFoldResult> inputSizes =
      tensor::getMixedSizes(builder, loc, getInput());
  SmallVector<OpFoldResult> resultSizes =
      getMixedValues(getType().getShape(), getSizes(), builder);

  SmallVector<OpFoldResult> sliceOffsets, sliceSizes, padLow, padHigh;
  for (auto [dim, letter] : llvm::enumerate(layout.getInput())) {
    InputRange range{OpFoldResult(), OpFoldResult(), builder.getIndexAttr(0),
                     builder.getIndexAttr(0)};
    if (size_t which = spatial.find(letter); which != std::string_view::npos) {
      int64_t o = layout.getPositionDim(letter);
      int64_t k = layout.getWindowDim(letter);
      range =
          getReadRange(index, getWindow().getDim(which), {offsets[o], sizes[o]},
                       {offsets[k], sizes[k]}, resultSizes[k]);
      if (hasPadding())
        range = clampRange(index, range, inputSizes[dim]);
      else
        range.padLow = range.padHigh = builder.getIndexAttr(0);
    } else {
      int64_t from = letter == 'c' ? layout.getWindowDim(letter)
                                   : layout.getPositionDim(letter);
      range.offset = offsets[from];
      range.size = sizes[from];
    }
    sliceOffsets.push_back(range.offset);
    sliceSizes.push_back(range.size);
    padLow.push_back(range.padLow);
    padHigh.push_back(range.padHigh);
  }

  SmallVector<OpFoldResult> strides(sliceOffsets.size(),
                                    builder.getIndexAttr(1));
  auto slice = tensor::ExtractSliceOp::create(
      builder, loc, getInput(), sliceOffsets, sliceSizes, strides);
  Value source = slice;
  auto isZero = [](OpFoldResult pad) { return isZeroInteger(pad); };
  if (!llvm::all_of(padLow, isZero) || !llvm::all_of(padHigh, isZero))
    source = tensor::PadOp::create(builder, loc, Type(), source, padLow,
                                   padHigh, getPadValueOrZero(*this, builder))
                 .getResult();

  SmallVector<WindowDim> dims = getWindow().getDims(spatial.size());
  for (WindowDim &dim : dims)
    dim.padLow = dim.padHigh = 0;
  auto [staticSizes, dynamicSizes] = decomposeMixedValues(sizes);
  auto tile = Im2colOp::create(
      builder, loc,
      RankedTensorType::get(staticSizes, getType().getElementType()), source,
      dynamicSizes, getPadValue(), layout, WindowAttr::get(getContext(), dims));
  return TilingResult{{tile}, {tile.getResult()}, {slice}};
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
