//===- DecomposeCol2im.cpp - Turn col2im into sums of gathers ---*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FoldRows.h"

#include "convoy/Dialect/Convoy/IR/Convoy.h"
#include "convoy/Transforms/Convolution/Passes.h"
#include "convoy/Transforms/Convolution/Patterns.h"
#include "convoy/Transforms/Utils/Copies.h"
#include "convoy/Transforms/Utils/Fills.h"
#include "convoy/Transforms/Utils/GatheredSums.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace mlir::convoy {
#define GEN_PASS_DEF_DECOMPOSECOL2IMPASS
#include "convoy/Transforms/Convolution/Passes.h.inc"
} // namespace mlir::convoy

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::WindowDim;

namespace {
/// The loops of the sums: those over the image, and before the innermost of
/// these, which vectors go along, those over the taps.
struct FoldLoops {
  explicit FoldLoops(Col2imOp op);

  /// The loop over dimension `letter` of the image.
  int64_t getImageLoop(char letter) const {
    int64_t dim = layout.getInput().find(letter);
    return dim == imageRank - 1 ? numLoops - 1 : dim;
  }
  /// The loop over the taps of spatial dimension `number`.
  int64_t getTapLoop(int64_t number) const { return imageRank - 1 + number; }

  AffineMap getImageMap(MLIRContext *context) const;
  AffineMap getTapMap(MLIRContext *context) const;
  SmallVector<utils::IteratorType> getIterators() const;

  Im2colLayoutAttr layout;
  int64_t imageRank, spatialRank, numLoops;
};
} // namespace

FoldLoops::FoldLoops(Col2imOp op)
    : layout(op.getLayout()), imageRank(op.getType().getRank()),
      spatialRank(layout.getSpatialRank()), numLoops(imageRank + spatialRank) {}

AffineMap FoldLoops::getImageMap(MLIRContext *context) const {
  SmallVector<AffineExpr> loops;
  for (char letter : layout.getInput())
    loops.push_back(getAffineDimExpr(getImageLoop(letter), context));
  return AffineMap::get(numLoops, 0, loops, context);
}

AffineMap FoldLoops::getTapMap(MLIRContext *context) const {
  SmallVector<AffineExpr> loops;
  for (int64_t number = 0; number < spatialRank; ++number)
    loops.push_back(getAffineDimExpr(getTapLoop(number), context));
  return AffineMap::get(numLoops, 0, loops, context);
}

SmallVector<utils::IteratorType> FoldLoops::getIterators() const {
  SmallVector<utils::IteratorType> iterators(numLoops,
                                             utils::IteratorType::parallel);
  for (int64_t number = 0; number < spatialRank; ++number)
    iterators[getTapLoop(number)] = utils::IteratorType::reduction;
  return iterators;
}

/// Reads the term of the sum in the loops at hand, or zero where the window
/// there does not have the element.
static Value emitTerm(OpBuilder &builder, Location loc, Col2imOp op,
                      const FoldLoops &loops) {
  Im2colLayoutAttr layout = op.getLayout();
  std::string_view spatial = ::convoy::spatialLetters(loops.spatialRank);
  RankedTensorType rows = op.getInput().getType();
  SmallVector<Value> place(rows.getRank());
  Value isThere;
  for (char letter : layout.getInput()) {
    Value image =
        linalg::IndexOp::create(builder, loc, loops.getImageLoop(letter));
    size_t number = spatial.find(letter);
    if (number == std::string_view::npos) {
      place[layout.getSharedDim(letter)] = image;
      continue;
    }
    Value tap = linalg::IndexOp::create(builder, loc, loops.getTapLoop(number));
    int64_t tapDim = layout.getWindowDim(letter),
            positionDim = layout.getPositionDim(letter);
    FoldPosition position = emitFoldPosition(
        builder, loc, image, tap, op.getWindow().getDim(number),
        rows.getDimSize(tapDim), rows.getDimSize(positionDim));
    isThere =
        isThere ? arith::AndIOp::create(builder, loc, isThere, position.isThere)
                      .getResult()
                : position.isThere;
    place[tapDim] = tap;
    place[positionDim] = position.place;
  }
  Value read = tensor::ExtractOp::create(builder, loc, op.getInput(), place);
  Value zero = arith::ConstantOp::create(
      builder, loc, builder.getZeroAttr(rows.getElementType()));
  return arith::SelectOp::create(builder, loc, isThere, read, zero);
}

namespace {
struct DecomposeCol2im final : OpRewritePattern<Col2imOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(Col2imOp op,
                                PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    RankedTensorType rows = op.getInput().getType();
    Type sumType = getGatheredSumType(rows.getElementType());
    Value zeros =
        createZeros(rewriter, loc, getResultSizes(rewriter, op), sumType);
    // Of no rows there is nothing to read, not even what is not added.
    bool isEmpty = llvm::is_contained(rows.getShape(), 0);
    Value sums = isEmpty ? zeros : emitSums(rewriter, op, zeros);
    rewriter.replaceOp(
        op, convertElements(rewriter, loc, sums, rows.getElementType()));
    return success();
  }

private:
  /// Adds the terms of each element to `init`.
  static Value emitSums(OpBuilder &builder, Col2imOp op, Value init) {
    Location loc = op.getLoc();
    FoldLoops loops(op);
    Type sumType = getElementTypeOrSelf(init.getType());
    // What says how many taps there are, and is not read.
    SmallVector<OpFoldResult> taps;
    for (char letter : ::convoy::spatialLetters(loops.spatialRank))
      taps.push_back(builder.getIndexAttr(op.getInput().getType().getDimSize(
          op.getLayout().getWindowDim(letter))));
    Value window = tensor::EmptyOp::create(builder, loc, taps, sumType);
    MLIRContext *context = builder.getContext();
    return linalg::GenericOp::create(
               builder, loc, init.getType(), window, init,
               ArrayRef{loops.getTapMap(context), loops.getImageMap(context)},
               loops.getIterators(),
               [&](OpBuilder &builder, Location loc, ValueRange arguments) {
                 Value term = emitTerm(builder, loc, op, loops);
                 Value sum = addGatheredTerm(builder, loc, arguments[1], term);
                 linalg::YieldOp::create(builder, loc, sum);
               })
        .getResult(0);
  }
};

struct SplitFoldRows final : OpRewritePattern<Col2imOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(Col2imOp op,
                                PatternRewriter &rewriter) const override {
    if (!hasFoldRows(op))
      return rewriter.notifyMatchFailure(op, "is not added up row by row");
    rewriter.replaceOp(op, emitFoldRows(rewriter, op));
    return success();
  }
};

struct DecomposeCol2imPass final
    : mlir::convoy::impl::DecomposeCol2imPassBase<DecomposeCol2imPass> {
  using Base::Base;

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    populateDecomposeCol2imPatterns(patterns, byRows);
    walkAndApplyPatterns(getOperation(), std::move(patterns));
  }
};
} // namespace

void mlir::convoy::populateDecomposeCol2imPatterns(RewritePatternSet &patterns,
                                                   bool byRows) {
  patterns.add<DecomposeCol2im>(patterns.getContext());
  if (byRows)
    patterns.add<SplitFoldRows>(patterns.getContext(), /*benefit=*/2);
}
