//===- DecomposeIm2col.cpp - im2col as slices and gathers -------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TileRows.h"

#include "convoy/Dialect/Convoy/IR/Convoy.h"
#include "convoy/Transforms/CPUTiles/Passes.h"
#include "convoy/Transforms/CPUTiles/Patterns.h"
#include "convoy/Transforms/Convolution/Patterns.h"
#include "convoy/Transforms/Utils/Copies.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir::convoy {
#define GEN_PASS_DEF_DECOMPOSEIM2COLPASS
#include "convoy/Transforms/CPUTiles/Passes.h.inc"
} // namespace mlir::convoy

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::WindowDim;

namespace {
/// The slice of an input that stands for the rows of an im2col, and for each of
/// its dimensions the dimension of the rows that runs along it.
struct RowSlice {
  SmallVector<OpFoldResult> offsets, sizes, strides;
  SmallVector<unsigned> rowDims;
};
} // namespace

/// Finds the slice that `op` reads, if its rows are one: each spatial dimension
/// has a single position or a single tap.
static FailureOr<RowSlice> getRowSlice(Im2colOp op, PatternRewriter &rewriter) {
  Im2colLayoutAttr layout = op.getLayout();
  SmallVector<OpFoldResult> rowSizes =
      getMixedValues(op.getType().getShape(), op.getSizes(), rewriter);
  std::string_view spatial = ::convoy::spatialLetters(layout.getSpatialRank());
  RowSlice slice;
  for (char letter : layout.getInput()) {
    size_t index = spatial.find(letter);
    unsigned dim;
    int64_t offset = 0, stride = 1;
    if (index == std::string_view::npos) {
      dim = layout.getSharedDim(letter);
    } else {
      WindowDim window = op.getWindow().getDim(index);
      unsigned position = layout.getPositionDim(letter);
      unsigned tap = layout.getWindowDim(letter);
      // Without padding this is where the first window starts.
      offset = -window.padLow;
      if (isOneInteger(rowSizes[tap])) {
        dim = position;
        stride = window.stride;
      } else if (isOneInteger(rowSizes[position]) && !window.reverse) {
        dim = tap;
        stride = window.dilation;
      } else {
        return rewriter.notifyMatchFailure(
            op, "a dimension has several positions and several taps");
      }
    }
    slice.rowDims.push_back(dim);
    slice.offsets.push_back(rewriter.getIndexAttr(offset));
    slice.sizes.push_back(rowSizes[dim]);
    slice.strides.push_back(rewriter.getIndexAttr(stride));
  }
  return slice;
}

/// The index map with the numbers of reversed taps put in.
static FailureOr<AffineMap> getStaticIndexMap(Im2colOp op) {
  Im2colLayoutAttr layout = op.getLayout();
  SmallVector<AffineExpr> taps;
  for (auto [dim, letter] :
       llvm::enumerate(::convoy::spatialLetters(layout.getSpatialRank()))) {
    if (!op.getWindow().getDim(dim).reverse)
      continue;
    int64_t size = op.getType().getDimSize(layout.getWindowDim(letter));
    if (ShapedType::isDynamic(size))
      return failure();
    taps.push_back(getAffineConstantExpr(size, op.getContext()));
  }
  AffineMap map = op.getIndexMap();
  return map.replaceDimsAndSymbols({}, taps, map.getNumDims(), 0);
}

/// Lets `op` read the input of `rows`, its `operand`, as they do.
static LogicalResult composeMap(linalg::GenericOp op, OpOperand *operand,
                                Im2colOp rows, PatternRewriter &rewriter) {
  FailureOr<AffineMap> map = getStaticIndexMap(rows);
  if (failed(map))
    return rewriter.notifyMatchFailure(op, "reversed taps of dynamic number");
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  AffineMap &read = maps[operand->getOperandNumber()];
  read = map->compose(read);
  if (!inversePermutation(concatAffineMaps(maps, op.getContext())))
    return rewriter.notifyMatchFailure(op,
                                       "a loop's size is in the rows alone");
  std::optional<TileShape> tile = TileShape::find(op);
  if (tile && !tile->canRead(read, tile->getLaneLoop(maps.back())))
    return rewriter.notifyMatchFailure(op, "lanes lie too far apart");
  rewriter.modifyOpInPlace(op, [&] {
    operand->set(rows.getInput());
    op.setIndexingMapsAttr(rewriter.getAffineMapArrayAttr(maps));
  });
  if (rows->use_empty())
    rewriter.eraseOp(rows);
  return success();
}

namespace {
/// A generic that reads the rows of an im2col reads the input instead.
///   %rows = convoy.im2col %x .. : tensor<1x5x4xf32> -> tensor<1x3x1x4xf32>
///   linalg.generic {(n, w, k, c) -> ..} ins(%rows)
/// becomes
///   %slice = tensor.extract_slice %x[0, 0, 0] [1, 3, 4] [1, 2, 1]
///   linalg.generic {(n, w, c) -> ..} ins(%slice)
struct FoldIm2colIntoGeneric final : OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    for (OpOperand *operand : op.getDpsInputOperands()) {
      auto rows = operand->get().getDefiningOp<Im2colOp>();
      if (!rows || rows.getWindow().hasPadding())
        continue;
      // Vectors of such a tile go along the input, elements apart or not.
      std::optional<TileShape> tile = TileShape::find(op);
      if (tile && tile->sumsLanes() &&
          succeeded(composeMap(op, operand, rows, rewriter)))
        return success();
      rewriter.setInsertionPoint(rows);
      FailureOr<RowSlice> slice = getRowSlice(rows, rewriter);
      if (failed(slice)) {
        if (tile && succeeded(composeMap(op, operand, rows, rewriter)))
          return success();
        continue;
      }
      SmallVector<AffineMap> maps = op.getIndexingMapsArray();
      unsigned number = operand->getOperandNumber();
      maps[number] = maps[number].getSubMap(slice->rowDims);
      // A loop over the single tap takes its size from the rows alone.
      if (!inversePermutation(concatAffineMaps(maps, getContext())))
        continue;
      Value source = tensor::ExtractSliceOp::create(
          rewriter, rows.getLoc(), rows.getInput(), slice->offsets,
          slice->sizes, slice->strides);
      rewriter.modifyOpInPlace(op, [&] {
        operand->set(source);
        op.setIndexingMapsAttr(rewriter.getAffineMapArrayAttr(maps));
      });
      if (rows->use_empty())
        rewriter.eraseOp(rows);
      return success();
    }
    return rewriter.notifyMatchFailure(op, "reads no rows that are a slice");
  }
};
} // namespace

namespace {
/// A copy of rows that are no slice gathers them.
///   %rows = convoy.im2col %x .. window(stride = [2])
///   linalg.generic {(k, c, o) -> (o, k, c)} ins(%rows)
/// becomes
///   linalg.generic {(k, c, o) -> (2*o + k, c)} ins(%x)
struct FoldIm2colIntoCopy final : OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    if (!isCopy(op))
      return rewriter.notifyMatchFailure(op, "is no copy");
    auto rows = op.getInputs()[0].getDefiningOp<Im2colOp>();
    if (!rows || rows.getWindow().hasPadding())
      return rewriter.notifyMatchFailure(op, "copies no rows without padding");
    return composeMap(op, op.getDpsInputOperand(0), rows, rewriter);
  }
};

/// Rows without elements read nothing, whatever the sizes of the others would
/// reach of the input.
struct EmptyIm2col final : OpRewritePattern<Im2colOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(Im2colOp op,
                                PatternRewriter &rewriter) const override {
    RankedTensorType type = op.getType();
    if (!llvm::is_contained(type.getShape(), 0))
      return rewriter.notifyMatchFailure(op, "may have elements");
    rewriter.replaceOpWithNewOp<tensor::EmptyOp>(
        op, getMixedValues(type.getShape(), op.getSizes(), rewriter),
        type.getElementType());
    return success();
  }
};

/// Rows that nothing else takes are gathered into a tensor of their own.
struct GatherIm2col final : OpRewritePattern<Im2colOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(Im2colOp op,
                                PatternRewriter &rewriter) const override {
    if (op.getWindow().hasPadding())
      return rewriter.notifyMatchFailure(op, "windows leave the input");
    FailureOr<AffineMap> map = getStaticIndexMap(op);
    if (failed(map))
      return rewriter.notifyMatchFailure(op, "reversed taps of dynamic number");
    RankedTensorType type = op.getType();
    Value empty = tensor::EmptyOp::create(
        rewriter, op.getLoc(),
        getMixedValues(type.getShape(), op.getSizes(), rewriter),
        type.getElementType());
    rewriter.replaceOp(
        op, createCopy(rewriter, op.getLoc(), op.getInput(), *map, empty));
    return success();
  }
};

struct DecomposeIm2colPass final
    : mlir::convoy::impl::DecomposeIm2colPassBase<DecomposeIm2colPass> {
  using Base::Base;

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    populateDecomposeIm2colPatterns(patterns);
    populatePadIm2colPatterns(patterns);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      return signalPassFailure();
    getOperation()->walk([&](Im2colOp op) {
      op.emitOpError("was not decomposed");
      signalPassFailure();
    });
  }
};
} // namespace

void mlir::convoy::populateDecomposeIm2colPatterns(
    RewritePatternSet &patterns) {
  patterns.add<EmptyIm2col>(patterns.getContext(), /*benefit=*/4);
  patterns.add<FoldIm2colIntoCopy>(patterns.getContext(), /*benefit=*/3);
  patterns.add<FoldIm2colIntoGeneric>(patterns.getContext(), /*benefit=*/2);
  patterns.add<GatherIm2col>(patterns.getContext(), /*benefit=*/1);
}
