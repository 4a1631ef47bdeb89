//===- Im2colTiling.cpp - Tiles of im2col are im2cols of slices -*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Dialect/Convoy/IR/WindowSlices.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::WindowDim;

/// What the tile at `offsets` of `sizes` reads, for each dimension of the
/// input.
static SmallVector<InputRange> getInputRanges(Im2colOp op, OpBuilder &builder,
                                              ArrayRef<OpFoldResult> offsets,
                                              ArrayRef<OpFoldResult> sizes) {
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
      TileRange tile = getTile(layout.getSharedDim(letter));
      ranges.push_back(sliceInput(builder, tile));
      continue;
    }
    ranges.push_back(readWindows(builder, op.getLoc(),
                                 op.getWindow().getDim(which),
                                 getTile(layout.getPositionDim(letter)),
                                 getTile(layout.getWindowDim(letter)),
                                 resultSizes[layout.getWindowDim(letter)],
                                 inputSizes[dim], op.getWindow().hasPadding()));
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

/// A tile is the im2col, without padding, of what it reads.
FailureOr<TilingResult>
Im2colOp::getTiledImplementation(OpBuilder &builder,
                                 ArrayRef<OpFoldResult> offsets,
                                 ArrayRef<OpFoldResult> sizes) {
  SmallVector<Operation *> slices;
  Value source = readRanges(
      builder, getLoc(), getInput(),
      getInputRanges(*this, builder, offsets, sizes),
      [&](OpBuilder &b) { return getPadValueOrZero(*this, b); }, slices);
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
