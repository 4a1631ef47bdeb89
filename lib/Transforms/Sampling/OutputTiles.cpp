//===- OutputTiles.cpp - Parts of output positions --------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OutputTiles.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

#include <algorithm>

using namespace mlir;
using namespace mlir::convoy;

/// What a tile takes of a core's second cache, about, and the
/// most positions of a tile.
static constexpr int64_t kTileBytes = 128 << 10, kMostTilePositions = 256;
/// How many positions of a row are a tile where rows have any length.
static constexpr int64_t kDynamicPart = 16;
/// What a part takes of a GPU's memory, unless that were more
/// parts.
static constexpr double kPartBytes = 64 << 20;
static constexpr int64_t kMostBufferParts = 8;

TensorSlice OutputTile::getSlice(OpBuilder &builder, Location loc, Value tensor,
                                 StringRef names) const {
  TensorSlice slice(builder, loc, tensor);
  for (auto [dim, name] : llvm::enumerate(names)) {
    if (name == 'n')
      slice.narrow(int64_t(dim), n, images);
    else if (name == 'h')
      slice.narrow(int64_t(dim), h, builder.getIndexAttr(rows));
    else if (name == 'w')
      slice.narrow(int64_t(dim), w, builder.getIndexAttr(columns));
  }
  return slice;
}

/// Tiles of `size` positions of which up to `most` are one, and what is left.
static SmallVector<TileRange> getRanges(OpBuilder &builder, Location loc,
                                        OpFoldResult size, int64_t most) {
  auto index = [&](int64_t value) { return builder.getIndexAttr(value); };
  std::optional<int64_t> known = getConstantIntValue(size);
  if (!known) {
    int64_t part = std::min(most, kDynamicPart);
    if (part == 1)
      return {{index(0), size, 1}};
    AffineExpr s0 = builder.getAffineSymbolExpr(0);
    OpFoldResult whole = affine::makeComposedFoldedAffineApply(
        builder, loc, s0.floorDiv(part) * part, size);
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

OutputTiling mlir::convoy::getOutputTiling(OpBuilder &builder, Location loc,
                                           OpFoldResult height,
                                           OpFoldResult width,
                                           int64_t bytesPerPosition) {
  int64_t most =
      std::clamp<int64_t>(kTileBytes / bytesPerPosition, 1, kMostTilePositions);
  OutputTiling tiling;
  tiling.columns = getRanges(builder, loc, width, most);
  // Rows of any number have tiles of one.
  int64_t mostRows =
      getConstantIntValue(height)
          ? std::max<int64_t>(1, most / tiling.columns.front().step)
          : 1;
  tiling.rows = getRanges(builder, loc, height, mostRows);
  return tiling;
}

/// Emits loops over some of the tiles.
static Value
emitTileLoop(RewriterBase &rewriter, Location loc, Value result,
             StringRef names, OpFoldResult images, const TileRange &rows,
             const TileRange &columns,
             function_ref<Value(const OutputTile &, Value)> build) {
  auto index = [&](int64_t value) { return rewriter.getIndexAttr(value); };
  SmallVector<OpFoldResult> begins = {index(0), rows.begin, columns.begin},
                            ends = {images, rows.end, columns.end},
                            steps = {index(1), index(rows.step),
                                     index(columns.step)};
  auto loop = scf::ForallOp::create(rewriter, loc, begins, ends, steps, result,
                                    /*mapping=*/std::nullopt);
  OpBuilder::InsertionGuard restore(rewriter);
  rewriter.setInsertionPoint(loop.getTerminator());
  auto begin = [&](size_t dim) -> OpFoldResult {
    return loop.getInductionVars()[dim];
  };
  OutputTile tile = {begin(0), begin(1),  begin(2),
                     index(1), rows.step, columns.step};
  TensorSlice slice =
      tile.getSlice(rewriter, loc, loop.getRegionIterArgs().front(), names);
  slice.insert(build(tile, slice.extract()), loop);
  return loop.getResult(0);
}

Value mlir::convoy::emitTileLoops(
    RewriterBase &rewriter, Location loc, Value result, StringRef names,
    OpFoldResult images, const OutputTiling &tiling,
    function_ref<Value(const OutputTile &, Value)> build) {
  for (const TileRange &rows : tiling.rows)
    for (const TileRange &columns : tiling.columns)
      result = emitTileLoop(rewriter, loc, result, names, images, rows, columns,
                            build);
  return result;
}

SmallVector<OutputTile> mlir::convoy::getOutputParts(OpBuilder &builder,
                                                     OpFoldResult images,
                                                     int64_t height,
                                                     int64_t width,
                                                     int64_t bytesPerPosition) {
  auto index = [&](int64_t value) { return builder.getIndexAttr(value); };
  std::optional<int64_t> batch = getConstantIntValue(images);
  double bytes = double(bytesPerPosition) * double(height) * double(width) *
                 double(batch.value_or(1));
  // Of a batch that is not known there may be many.
  int64_t parts = kMostBufferParts;
  if (batch)
    parts = std::clamp<int64_t>(int64_t(bytes / kPartBytes) + 1, 1,
                                kMostBufferParts);
  bool areImages = batch && *batch >= parts;
  int64_t size = areImages ? *batch : height;
  parts = std::min(parts, size);
  SmallVector<OutputTile> tiles;
  for (int64_t part = 0; part < parts; ++part) {
    int64_t begin = part * size / parts, end = (part + 1) * size / parts;
    OutputTile &tile = tiles.emplace_back(
        OutputTile{index(0), index(0), index(0), images, height, width});
    if (areImages) {
      tile.n = index(begin);
      tile.images = index(end - begin);
    } else {
      tile.h = index(begin);
      tile.rows = end - begin;
    }
  }
  return tiles;
}
