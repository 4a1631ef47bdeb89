//===- PadIm2col.cpp - Pad inputs so that no window leaves them -*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Dialect/Convoy/IR/Convoy.h"
#include "convoy/Transforms/Convolution/Passes.h"
#include "convoy/Transforms/Convolution/Patterns.h"
#include "convoy/Transforms/Utils/WordProducts.h"
#include "convoy/Transforms/Utils/WordViews.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace mlir::convoy {
#define GEN_PASS_DEF_PADIM2COLPASS
#include "convoy/Transforms/Convolution/Passes.h.inc"
} // namespace mlir::convoy

using namespace mlir;
using namespace mlir::convoy;

namespace {
/// The tile that holds all of an im2col is the im2col of a padded slice:
///   %rows = convoy.im2col %x .. window(pad = [[1, 1]])
/// becomes
///   %padded = tensor.pad %x low[0, 1, 0] high[0, 1, 0]
///   %rows = convoy.im2col %padded ..
struct PadIm2col final : OpRewritePattern<Im2colOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(Im2colOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.getWindow().hasPadding())
      return rewriter.notifyMatchFailure(op, "no window leaves the input");
    SmallVector<OpFoldResult> offsets(op.getType().getRank(),
                                      rewriter.getIndexAttr(0));
    SmallVector<OpFoldResult> sizes =
        getMixedValues(op.getType().getShape(), op.getSizes(), rewriter);
    FailureOr<TilingResult> whole =
        op.getTiledImplementation(rewriter, offsets, sizes);
    if (failed(whole))
      return rewriter.notifyMatchFailure(op, "rows have no tile");
    rewriter.replaceOp(op, whole->tiledValues);
    return success();
  }
};
} // namespace

/// Pads what words are copies of, not them, where tiles of matrices may then
/// read it as words.
static void padElements(RewriterBase &rewriter, tensor::PadOp pad,
                        TargetAttr target) {
  Value whole = pad.getSource();
  while (auto slice = whole.getDefiningOp<tensor::ExtractSliceOp>())
    whole = slice.getSource();
  std::optional<WordView> copy = matchWordView(whole);
  APInt word;
  Value padding = pad.getConstantPaddingValue();
  if (!copy || !pad.getSource().hasOneUse() || !padding ||
      !matchPattern(padding, m_ConstantInt(&word)) ||
      !multipliesTilesOf(copy->getElementType(), target) ||
      !isZeroInteger(pad.getMixedLowPad().back()) ||
      !isZeroInteger(pad.getMixedHighPad().back()))
    return;
  unsigned bits = copy->getElementType().getIntOrFloatBitWidth();
  APInt part = word.trunc(bits);
  if (word != APInt::getSplat(word.getBitWidth(), part))
    return;
  Value elements = getElementsOfWords(rewriter, pad.getSource());
  if (!elements)
    return;
  Location loc = pad.getLoc();
  rewriter.setInsertionPoint(pad);
  TypedAttr number;
  if (auto type = dyn_cast<FloatType>(copy->getElementType()))
    number =
        rewriter.getFloatAttr(type, APFloat(type.getFloatSemantics(), part));
  else
    number = rewriter.getIntegerAttr(copy->getElementType(), part);
  Value element = arith::ConstantOp::create(rewriter, loc, number);
  Value padded = tensor::PadOp::create(
      rewriter, loc, Type(), elements, pad.getMixedLowPad(),
      pad.getMixedHighPad(), element, pad.getNofold());
  SmallVector<OpFoldResult> sizes =
      tensor::getMixedSizes(rewriter, loc, padded);
  sizes.back() = tensor::getMixedSize(rewriter, loc, pad.getSource(),
                                      int64_t(sizes.size()) - 1);
  Value empty = tensor::EmptyOp::create(rewriter, loc, sizes,
                                        getElementTypeOrSelf(pad.getType()));
  SmallVector<Value> operands(copy->count, padded);
  operands.push_back(empty);
  Operation *words =
      clone(rewriter, copy->op, TypeRange(empty.getType()), operands);
  if (words->getResult(0).getType() == pad.getType())
    rewriter.replaceOp(pad, words->getResults());
  else
    rewriter.replaceOpWithNewOp<tensor::CastOp>(pad, pad.getType(),
                                                words->getResult(0));
}

namespace {
struct PadIm2colPass final
    : mlir::convoy::impl::PadIm2colPassBase<PadIm2colPass> {
  using Base::Base;

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    populatePadIm2colPatterns(patterns);
    walkAndApplyPatterns(getOperation(), std::move(patterns));
    IRRewriter rewriter(&getContext());
    TargetAttr target = TargetAttr::lookup(getOperation());
    SmallVector<tensor::PadOp> pads;
    getOperation()->walk([&](tensor::PadOp pad) { pads.push_back(pad); });
    for (tensor::PadOp pad : pads)
      padElements(rewriter, pad, target);
  }
};
} // namespace

void mlir::convoy::populatePadIm2colPatterns(RewritePatternSet &patterns) {
  patterns.add<PadIm2col>(patterns.getContext());
}
