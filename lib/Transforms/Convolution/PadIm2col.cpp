//===- PadIm2col.cpp - Pad inputs so that no window leaves them -*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Dialect/Convoy/IR/Convoy.h"
#include "convoy/Transforms/Convolution/Passes.h"
#include "convoy/Transforms/Convolution/Patterns.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
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

struct PadIm2colPass final
    : mlir::convoy::impl::PadIm2colPassBase<PadIm2colPass> {
  using Base::Base;

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    populatePadIm2colPatterns(patterns);
    walkAndApplyPatterns(getOperation(), std::move(patterns));
  }
};
} // namespace

void mlir::convoy::populatePadIm2colPatterns(RewritePatternSet &patterns) {
  patterns.add<PadIm2col>(patterns.getContext());
}
