//===- ConvToIm2col.cpp - Convolutions as contractions ----------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ConvContraction.h"

#include "convoy/Dialect/Convoy/IR/Convoy.h"
#include "convoy/Dialect/Convoy/IR/ConvoyPlans.h"
#include "convoy/Dialect/Convoy/IR/WinogradTile.h"
#include "convoy/Transforms/Convolution/Passes.h"
#include "convoy/Transforms/Convolution/Patterns.h"
#include "convoy/Transforms/Utils/Choices.h"
#include "convoy/Transforms/Utils/PlanErrors.h"
#include "convoy/Transforms/Utils/ReasonRecorder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace mlir::convoy {
#define GEN_PASS_DEF_CONVTOIM2COLPASS
#include "convoy/Transforms/Convolution/Passes.h.inc"
} // namespace mlir::convoy

using namespace mlir;
using namespace mlir::convoy;

/// What the input of `op` is padded by: its zero point, in its type; null for
/// zero.
static Value getPadding(OpBuilder &builder, ConvOp op) {
  if (op.getZeroPoints().empty())
    return {};
  Value padding = op.getZeroPoints().front();
  Type element = op.getInput().getType().getElementType();
  if (padding.getType() == element)
    return padding;
  return arith::TruncIOp::create(builder, op.getLoc(), element, padding);
}

namespace {
/// See the pass's description.
struct ConvToIm2col final : OpRewritePattern<ConvOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ConvOp op,
                                PatternRewriter &rewriter) const override {
    if (op.getWindow().hasInputDilation())
      return rewriter.notifyMatchFailure(op, "input is dilated");
    if (cast<ConvolutionOpInterface>(*op).hasZeroPointsPerChannel())
      return rewriter.notifyMatchFailure(
          op, "each channel of the filter has a zero point of its own "
              "(convoy-subtract-zero-points)");
    if (cast<ConvolutionOpInterface>(*op).hasEmptyTensor()) {
      rewriter.replaceOp(op, op.getInit());
      return success();
    }

    ConvFactors factors = {op.getInput(), op.getFilter(),
                           getPadding(rewriter, op)};
    rewriter.replaceOp(op, createContraction(rewriter, op, factors));
    return success();
  }
};

struct ConvToIm2colPass final
    : mlir::convoy::impl::ConvToIm2colPassBase<ConvToIm2colPass> {
  using Base::Base;

  void runOnOperation() override {
    if (failed(verifyNoPlan(getOperation(), kWinogradAttrName,
                            "convoy-apply-winograd computes it so")) ||
        failed(verifyNoPlan(getOperation(), GroupPanelAttr::getAttrName(),
                            "convoy-split-borders pads it so")))
      return signalPassFailure();
    RewritePatternSet patterns(&getContext());
    populateConvToIm2colPatterns(patterns);
    ReasonRecorder recorder;
    walkAndApplyPatterns(getOperation(), std::move(patterns), &recorder);
    WalkResult walk = getOperation()->walk([&](ConvOp op) {
      recorder.emitLeftBehind(op, "turned into im2col");
      return WalkResult::interrupt();
    });
    if (walk.wasInterrupted())
      return signalPassFailure();
    getOperation()->walk(remarkIfForeign);
  }

  /// Says of a convolution of linalg that this pass is not for it. Pipelines
  /// have none here.
  static void remarkIfForeign(linalg::LinalgOp op) {
    if (isa<linalg::ConvolutionOpInterface>(*op) &&
        op->getName().stripDialect().contains("conv"))
      op->emitRemark() << getWords(Choice::NoIm2col)
                       << ": convoy-raise-linalg makes a convoy.conv of it";
  }
};
} // namespace

void mlir::convoy::populateConvToIm2colPatterns(RewritePatternSet &patterns) {
  patterns.add<ConvToIm2col>(patterns.getContext());
}
