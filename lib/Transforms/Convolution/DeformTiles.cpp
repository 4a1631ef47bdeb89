//===- DeformTiles.cpp - Deformable convolutions tile by tile ---*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DeformTiles.h"

#include "DeformColumns.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

#include <algorithm>

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::ConvLayouts;
using ::convoy::Layout;
using ::convoy::WindowDim;

/// What the columns of a tile take of a core's second cache, about, and the
/// most positions of a tile.
static constexpr int64_t kTileBytes = 128 << 10, kMostPositions = 256;
/// How many positions of a row are a tile where rows have any length.
static constexpr int64_t kDynamicPart = 16;
/// What the columns of a part take of a GPU's memory, unless that were more
/// parts.
static constexpr double kPartBytes = 64 << 20;
static constexpr int64_t kMostParts = 8;

namespace {
/// The loops over tiles along one dimension.
struct TileRange {
  OpFoldResult begin, end;
  int64_t step;
};

class DeformEmitter {
public:
  DeformEmitter(RewriterBase &rewriter, DeformConvOp op)
      : rewriter(rewriter), loc(op.getLoc()), op(op),
        layouts(op.getLayout().getLayouts()), columns(rewriter, op) {}

  Value emitTiles();
  Value emitParts();

private:
  OpFoldResult index(int64_t value) { return rewriter.getIndexAttr(value); }
  OpFoldResult getOutputSize(char letter) {
    return tensor::getMixedSize(rewriter, loc, op.getInit(),
                                layouts.output.position(letter));
  }
  /// Whether there is nothing to add.
  bool isEmpty();
  int64_t getBytesPerPosition();
  /// Loops over tiles of `size` positions of which up to `most` are one, and
  /// over what is left.
  SmallVector<TileRange> getRanges(OpFoldResult size, int64_t most);
  Value emitLoops(Value result, const TileRange &rows,
                  const TileRange &columnRange);
  struct Slice {
    SmallVector<OpFoldResult> offsets, sizes, strides;
  };
  Slice getSlice(const OutputTile &tile);
  /// The sums of a tile that begin with those in `inits`.
  Value emitTile(const OutputTile &tile, Value inits, const Slice &slice,
                 bool inStages);

  RewriterBase &rewriter;
  Location loc;
  DeformConvOp op;
  ConvLayouts layouts;
  ColumnEmitter columns;
};
} // namespace

bool DeformEmitter::isEmpty() {
  return op.getChannels() == 0 ||
         llvm::is_contained(op.getType().getShape(), 0);
}

int64_t DeformEmitter::getBytesPerPosition() {
  auto [rows, columnTaps] = op.getTaps();
  return std::max<int64_t>(1, rows * columnTaps * op.getChannels() *
                                  op.getType().getElementTypeBitWidth() / 8);
}

//===----------------------------------------------------------------------===//
// One tile
//===----------------------------------------------------------------------===//

DeformEmitter::Slice DeformEmitter::getSlice(const OutputTile &tile) {
  Slice slice;
  for (char letter : layouts.output.letters()) {
    bool isWhole = letter == 'g' || letter == 'f';
    slice.offsets.push_back(isWhole         ? index(0)
                            : letter == 'n' ? tile.n
                            : letter == 'h' ? tile.h
                                            : tile.w);
    slice.sizes.push_back(isWhole         ? getOutputSize(letter)
                          : letter == 'n' ? tile.images
                          : letter == 'h' ? index(tile.rows)
                                          : index(tile.columns));
    slice.strides.push_back(index(1));
  }
  return slice;
}

Value DeformEmitter::emitTile(const OutputTile &tile, Value inits,
                              const Slice &slice, bool inStages) {
  Value init = tensor::ExtractSliceOp::create(
      rewriter, loc, inits, slice.offsets, slice.sizes, slice.strides);
  Value image = columns.emit(tile, inStages);
  SmallVector<WindowDim> window(2);
  auto [rows, columnTaps] = op.getTaps();
  if (rows > 1)
    window[0].dilation = tile.rows;
  if (columnTaps > 1)
    window[1].dilation = tile.columns;
  MLIRContext *context = op.getContext();
  auto layout = ConvLayoutAttr::get(
      context, ConvLayouts{Layout::fromLetters(columns.getLayout()),
                           layouts.filter, layouts.output});
  NumericsAttr numerics = NumericsAttr::getDefault(context);
  if (!op.getType().getElementType().isF32())
    numerics = numerics.withAccumulator(rewriter.getF32Type());
  return ConvOp::create(rewriter, loc, image, op.getFilter(), init,
                        ValueRange{}, layout, WindowAttr::get(context, window),
                        numerics);
}

//===----------------------------------------------------------------------===//
// Loops over tiles
//===----------------------------------------------------------------------===//

SmallVector<TileRange> DeformEmitter::getRanges(OpFoldResult size,
                                                int64_t most) {
  std::optional<int64_t> known = getConstantIntValue(size);
  if (!known) {
    int64_t part = std::min(most, kDynamicPart);
    if (part == 1)
      return {{index(0), size, 1}};
    AffineExpr s0 = rewriter.getAffineSymbolExpr(0);
    OpFoldResult whole = affine::makeComposedFoldedAffineApply(
        rewriter, loc, s0.floorDiv(part) * part, size);
    return {{index(0), whole, part}, {whole, size, 1}};
  }
  int64_t part = std::min(*known, most);
  int64_t divisor = part;
  while (*known % divisor != 0)
    --divisor;
  if (2 * divisor > part)
    part = divisor;
  int64_t whole = *known - *known % part;
  SmallVector<TileRange> ranges = {{index(0), index(whole), part}};
  if (whole != *known)
    ranges.push_back({index(whole), size, *known - whole});
  return ranges;
}

Value DeformEmitter::emitLoops(Value result, const TileRange &rows,
                               const TileRange &columnRange) {
  SmallVector<OpFoldResult> begins = {index(0), rows.begin, columnRange.begin};
  SmallVector<OpFoldResult> ends = {getOutputSize('n'), rows.end,
                                    columnRange.end};
  SmallVector<OpFoldResult> steps = {index(1), index(rows.step),
                                     index(columnRange.step)};
  auto loop = scf::ForallOp::create(rewriter, loc, begins, ends, steps, result,
                                    /*mapping=*/std::nullopt);
  OpBuilder::InsertionGuard restore(rewriter);
  rewriter.setInsertionPoint(loop.getTerminator());
  auto begin = [&](size_t dim) -> OpFoldResult {
    return loop.getInductionVars()[dim];
  };
  OutputTile tile = {begin(0), begin(1),  begin(2),
                     index(1), rows.step, columnRange.step};
  Value inits = loop.getRegionIterArgs().front();
  Slice slice = getSlice(tile);
  Value sums = emitTile(tile, inits, slice, /*inStages=*/true);
  rewriter.setInsertionPointToStart(loop.getTerminator().getBody());
  tensor::ParallelInsertSliceOp::create(
      rewriter, loc, sums, inits, slice.offsets, slice.sizes, slice.strides);
  return loop.getResult(0);
}

Value DeformEmitter::emitTiles() {
  Value result = op.getInit();
  if (isEmpty())
    return result;
  int64_t most = std::clamp<int64_t>(kTileBytes / getBytesPerPosition(), 1,
                                     kMostPositions);
  SmallVector<TileRange> ofColumns = getRanges(getOutputSize('w'), most);
  OpFoldResult height = getOutputSize('h');
  int64_t mostRows = std::max<int64_t>(1, most / ofColumns.front().step);
  // Rows of any number have tiles of one.
  if (!getConstantIntValue(height))
    mostRows = 1;
  for (const TileRange &rows : getRanges(height, mostRows))
    for (const TileRange &columnRange : ofColumns)
      result = emitLoops(result, rows, columnRange);
  return result;
}

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

Value DeformEmitter::emitParts() {
  Value result = op.getInit();
  if (isEmpty())
    return result;
  OpFoldResult images = getOutputSize('n');
  int64_t height = *getConstantIntValue(getOutputSize('h')),
          width = *getConstantIntValue(getOutputSize('w'));
  std::optional<int64_t> batch = getConstantIntValue(images);
  double bytes = double(getBytesPerPosition()) * double(height) *
                 double(width) * double(batch.value_or(1));
  // Of a batch that is not known there may be many.
  int64_t parts = kMostParts;
  if (batch)
    parts = std::clamp<int64_t>(int64_t(bytes / kPartBytes) + 1, 1, kMostParts);
  bool areImages = batch && *batch >= parts;
  int64_t size = areImages ? *batch : height;
  parts = std::min(parts, size);
  for (int64_t part = 0; part < parts; ++part) {
    int64_t begin = part * size / parts, end = (part + 1) * size / parts;
    OutputTile tile = {index(0), index(0), index(0), images, height, width};
    if (areImages) {
      tile.n = index(begin);
      tile.images = index(end - begin);
    } else {
      tile.h = index(begin);
      tile.rows = end - begin;
    }
    Slice slice = getSlice(tile);
    Value sums = emitTile(tile, op.getInit(), slice, /*inStages=*/false);
    result = parts == 1
                 ? sums
                 : tensor::InsertSliceOp::create(rewriter, loc, sums, result,
                                                 slice.offsets, slice.sizes,
                                                 slice.strides)
                       .getResult();
  }
  return result;
}

Value mlir::convoy::emitDeformTiles(RewriterBase &rewriter, DeformConvOp op) {
  return DeformEmitter(rewriter, op).emitTiles();
}

Value mlir::convoy::emitDeformParts(RewriterBase &rewriter, DeformConvOp op) {
  return DeformEmitter(rewriter, op).emitParts();
}
