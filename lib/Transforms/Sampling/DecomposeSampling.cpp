//===- DecomposeSampling.cpp - Turn samples into gathers --------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The formulas are those of docs/Sampling.md, and so is the order of their
// operations.
//
//===----------------------------------------------------------------------===//

#include "DeformChannels.h"
#include "DeformGradients.h"
#include "DeformTiles.h"
#include "SampleGradients.h"
#include "SampleRows.h"
#include "ScatterLoops.h"

#include "convoy/Transforms/Sampling/Passes.h"
#include "convoy/Transforms/Sampling/Patterns.h"
#include "convoy/Transforms/Sampling/SamplePosition.h"
#include "convoy/Transforms/Utils/Copies.h"
#include "convoy/Transforms/Utils/Fills.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace mlir::convoy {
#define GEN_PASS_DEF_DECOMPOSESAMPLINGPASS
#include "convoy/Transforms/Sampling/Passes.h.inc"
} // namespace mlir::convoy

using namespace mlir;
using namespace mlir::convoy;

/// Reads `element` in the loops over the samples of `op`.
static Value readElement(OpBuilder &builder, Location loc, GridSampleOp op,
                         const SampleElement &element) {
  SampleLayoutAttr layout = op.getLayout();
  StringRef spatial = getSpatialLetters(layout);
  SmallVector<Value> place;
  for (char letter : layout.getInput()) {
    size_t dim = spatial.find(letter);
    if (dim == StringRef::npos)
      place.push_back(linalg::IndexOp::create(builder, loc,
                                              layout.getOutput().find(letter)));
    else
      place.push_back(arith::IndexCastOp::create(
          builder, loc, builder.getIndexType(), element.place[dim]));
  }
  Value read = tensor::ExtractOp::create(builder, loc, op.getInput(), place);
  return emitInside(builder, loc, element.isInside, read);
}

/// The dimensions of the result that a slice of the grid has, in its order.
static AffineMap getCoordinateMap(SampleLayoutAttr layout,
                                  MLIRContext *context) {
  SmallVector<AffineExpr> dims;
  for (char letter : layout.getGrid())
    if (letter != 'c')
      dims.push_back(
          getAffineDimExpr(layout.getOutput().find(letter), context));
  return AffineMap::get(layout.getOutput().size(), 0, dims, context);
}

namespace {
struct DecomposeGridSample final : OpRewritePattern<GridSampleOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(GridSampleOp op,
                                PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    SampleLayoutAttr layout = op.getLayout();
    SmallVector<OpFoldResult> imageSizes;
    SmallVector<Value> coordinates;
    StringRef spatial = getSpatialLetters(layout);
    for (auto [dim, letter] : llvm::enumerate(spatial)) {
      imageSizes.push_back(tensor::getMixedSize(
          rewriter, loc, op.getInput(), layout.getInput().find(letter)));
      coordinates.push_back(emitCoordinates(rewriter, loc, op.getGrid(),
                                            layout.getGrid(),
                                            spatial.size() - 1 - dim));
    }
    Value empty =
        tensor::EmptyOp::create(rewriter, loc, getResultSizes(rewriter, op),
                                op.getType().getElementType());
    SmallVector<AffineMap> maps(
        coordinates.size(), getCoordinateMap(layout, rewriter.getContext()));
    int64_t rank = op.getType().getRank();
    maps.push_back(rewriter.getMultiDimIdentityMap(rank));
    SmallVector<utils::IteratorType> iterators(rank,
                                               utils::IteratorType::parallel);
    rewriter.replaceOpWithNewOp<linalg::GenericOp>(
        op, empty.getType(), coordinates, empty, maps, iterators,
        [&](OpBuilder &builder, Location loc, ValueRange arguments) {
          SampleRule rule = SampleRule::get(op);
          SmallVector<SampleElement> elements =
              emitElements(builder, loc, rule,
                           emitGridPositions(builder, loc, rule,
                                             arguments.drop_back(), imageSizes),
                           imageSizes);
          Value sample = emitSample(builder, loc, op.getType().getElementType(),
                                    elements, [&](const SampleElement &one) {
                                      return readElement(builder, loc, op, one);
                                    });
          linalg::YieldOp::create(builder, loc, sample);
        });
    return success();
  }
};

struct SplitRows final : OpRewritePattern<GridSampleOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(GridSampleOp op,
                                PatternRewriter &rewriter) const override {
    if (!hasSampleRows(op))
      return rewriter.notifyMatchFailure(op, "samples lie in no rows");
    rewriter.replaceOp(op, emitSampleRows(rewriter, op));
    return success();
  }
};
} // namespace

/// Puts zeros in the place of `op`, a gradient, where there are no samples of
/// which there is a gradient: nothing of them is read, then.
template <typename OpTy>
static LogicalResult replaceEmptySums(PatternRewriter &rewriter, OpTy op) {
  if (!llvm::is_contained(op.getOutputGradient().getType().getShape(), 0))
    return failure();
  rewriter.replaceOp(op, createZeros(rewriter, op.getLoc(),
                                     getResultSizes(rewriter, op),
                                     op.getType().getElementType()));
  return success();
}

namespace {
/// In loops, or with `inLoops` false as an op whose sums are f32.
struct DecomposeImageGradient final
    : OpRewritePattern<GridSampleBackwardInputOp> {
  DecomposeImageGradient(MLIRContext *context, bool inLoops)
      : OpRewritePattern(context), inLoops(inLoops) {}

  LogicalResult matchAndRewrite(GridSampleBackwardInputOp op,
                                PatternRewriter &rewriter) const override {
    if (succeeded(replaceEmptySums(rewriter, op)))
      return success();
    if (inLoops) {
      rewriter.replaceOp(op, emitImageGradientLoops(rewriter, op));
      return success();
    }
    RankedTensorType type = op.getType();
    if (type.getElementType().isF32())
      return rewriter.notifyMatchFailure(op, "sums are not narrower than f32");
    Value sums = GridSampleBackwardInputOp::create(
        rewriter, op.getLoc(), type.clone(rewriter.getF32Type()),
        op.getOutputGradient(), op.getGrid(), op.getLayoutAttr(),
        op.getModeAttr(), op.getPaddingAttr(), op.getAlignCornersAttr());
    rewriter.replaceOp(op, convertElements(rewriter, op.getLoc(), sums,
                                           type.getElementType()));
    return success();
  }

private:
  bool inLoops;
};

struct DecomposeGridGradient final
    : OpRewritePattern<GridSampleBackwardGridOp> {
  DecomposeGridGradient(MLIRContext *context, bool byRows)
      : OpRewritePattern(context), byRows(byRows) {}

  LogicalResult matchAndRewrite(GridSampleBackwardGridOp op,
                                PatternRewriter &rewriter) const override {
    if (failed(replaceEmptySums(rewriter, op)))
      rewriter.replaceOp(op, emitGridGradient(rewriter, op, byRows));
    return success();
  }

private:
  bool byRows;
};

} // namespace

/// Checks that `op` has static numbers of output positions.
static LogicalResult checkPositions(PatternRewriter &rewriter,
                                    DeformOpInterface op) {
  for (char letter : StringRef("hw"))
    if (ShapedType::isDynamic(op.getSize(::convoy::Operand::Output, letter)))
      return rewriter.notifyMatchFailure(op, "output positions are not static");
  return success();
}

namespace {
/// In loops over tiles, or with `byTiles` false in parts one after the other.
struct DecomposeDeformConv final : OpRewritePattern<DeformConvOp> {
  DecomposeDeformConv(MLIRContext *context, bool byTiles)
      : OpRewritePattern(context), byTiles(byTiles) {}

  LogicalResult matchAndRewrite(DeformConvOp op,
                                PatternRewriter &rewriter) const override {
    if (!byTiles && failed(checkPositions(rewriter, op)))
      return failure();
    Value result;
    if (!byTiles)
      result = emitDeformParts(rewriter, op);
    else if (gainsByChannels(op))
      result = emitAlongChannels(rewriter, op, emitDeformTiles);
    else
      result = emitDeformTiles(rewriter, op);
    rewriter.replaceOp(op, result);
    return success();
  }

private:
  bool byTiles;
};

/// In loops over tiles, or with `byTiles` false in parts one after the other,
/// as `emit` does.
template <typename OpTy, Value (*emit)(RewriterBase &, OpTy, bool byTiles)>
struct DecomposeDeformGradient final : OpRewritePattern<OpTy> {
  DecomposeDeformGradient(MLIRContext *context, bool byTiles)
      : OpRewritePattern<OpTy>(context), byTiles(byTiles) {}

  LogicalResult matchAndRewrite(OpTy op,
                                PatternRewriter &rewriter) const override {
    if (!byTiles && failed(checkPositions(rewriter, op)))
      return failure();
    bool isEmpty = DeformGradientEmitter(rewriter, op).isEmpty();
    rewriter.replaceOp(op,
                       isEmpty ? op.getInit() : emit(rewriter, op, byTiles));
    return success();
  }

private:
  bool byTiles;
};

struct DecomposeScatterAdd final : OpRewritePattern<ScatterAddOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ScatterAddOp op,
                                PatternRewriter &rewriter) const override {
    rewriter.replaceOp(op, emitScatterLoops(rewriter, op));
    return success();
  }
};

struct DecomposeSamplingPass final
    : mlir::convoy::impl::DecomposeSamplingPassBase<DecomposeSamplingPass> {
  using Base::Base;

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    populateDecomposeSamplingPatterns(patterns, byRows);
    walkAndApplyPatterns(getOperation(), std::move(patterns));
  }
};
} // namespace

void mlir::convoy::populateDecomposeSamplingPatterns(
    RewritePatternSet &patterns, bool byRows) {
  patterns.add<DecomposeGridSample>(patterns.getContext());
  patterns.add<
      DecomposeDeformConv, DecomposeImageGradient, DecomposeGridGradient,
      DecomposeDeformGradient<DeformConvBackwardFilterOp,
                              emitDeformFilterGradient>,
      DecomposeDeformGradient<DeformConvBackwardMaskOp, emitDeformMaskGradient>,
      DecomposeDeformGradient<DeformConvBackwardOffsetOp,
                              emitDeformOffsetGradient>,
      DecomposeDeformGradient<DeformConvBackwardInputOp,
                              emitDeformInputGradient>>(patterns.getContext(),
                                                        byRows);
  if (byRows) {
    patterns.add<DecomposeScatterAdd>(patterns.getContext());
    patterns.add<SplitRows>(patterns.getContext(), /*benefit=*/2);
  }
}
