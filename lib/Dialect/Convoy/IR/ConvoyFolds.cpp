//===- ConvoyFolds.cpp - Canonicalization of the dialect's ops --*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Dialect/Convoy/IR/Convoy.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::Operand;
using ::convoy::WindowDim;

/// The simplest window that means the same along one dimension: what moves
/// between positions does not matter where there is one position, what moves
/// between taps not where there is one tap. Sizes may be dynamic.
static WindowDim simplifyWindow(WindowDim window, int64_t input, int64_t filter,
                                int64_t output) {
  WindowDim simple = window;
  if (filter == 1) {
    simple.dilation = 1;
    simple.reverse = false;
  }
  if (input == 1)
    simple.inputDilation = 1;
  if (ShapedType::isDynamic(input) || ShapedType::isDynamic(filter) ||
      ShapedType::isDynamic(output))
    return simple;
  if (output == 1)
    simple.stride = 1;
  if (::convoy::outputSize(input, filter, simple) != output)
    simple.padHigh = ::convoy::padHighFor(input, filter, output, simple);
  return simple;
}

/// Replaces the window of `op` by the simplest one that means the same; writes
/// lists that hold only defaults as empty ones.
static LogicalResult
simplifyWindowOf(Operation *op, WindowAttr window, int64_t spatialRank,
                 function_ref<std::array<int64_t, 3>(char)> sizesOf,
                 PatternRewriter &rewriter) {
  SmallVector<WindowDim> dims;
  for (auto [dim, letter] :
       llvm::enumerate(::convoy::spatialLetters(spatialRank))) {
    auto [input, filter, output] = sizesOf(letter);
    dims.push_back(simplifyWindow(window.getDim(dim), input, filter, output));
  }
  WindowAttr simple = WindowAttr::get(op->getContext(), dims);
  if (simple == window)
    return rewriter.notifyMatchFailure(op, "window is already the simplest");
  rewriter.modifyOpInPlace(op, [&] { op->setAttr("window", simple); });
  return success();
}

namespace {
/// window(stride = [2], dilation = [1]) on one output position -> no window
template <typename OpTy>
struct SimplifyConvWindow final : OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;

  LogicalResult matchAndRewrite(OpTy op,
                                PatternRewriter &rewriter) const override {
    auto conv = cast<ConvolutionOpInterface>(op.getOperation());
    return simplifyWindowOf(
        op, op.getWindow(), op.getLayout().getSpatialRank(),
        [&](char letter) {
          return std::array{conv.getSize(Operand::Input, letter),
                            conv.getSize(Operand::Filter, letter),
                            conv.getSize(Operand::Output, letter)};
        },
        rewriter);
  }
};

/// The same for im2col.
struct SimplifyIm2colWindow final : OpRewritePattern<Im2colOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(Im2colOp op,
                                PatternRewriter &rewriter) const override {
    Im2colLayoutAttr layout = op.getLayout();
    return simplifyWindowOf(
        op, op.getWindow(), layout.getSpatialRank(),
        [&](char letter) {
          return std::array{
              op.getInput().getType().getDimSize(
                  layout.getInput().find(letter)),
              op.getType().getDimSize(layout.getWindowDim(letter)),
              op.getType().getDimSize(layout.getPositionDim(letter))};
        },
        rewriter);
  }
};

/// im2col of one tap that moves by single steps, without padding, in the
/// input's own order is the input itself:
///   %rows = convoy.im2col %x layout(nhwc, nhw|hwc)
///       : tensor<1x9x7x4xf32> -> tensor<1x9x7x1x1x4xf32>
/// becomes
///   %rows = tensor.expand_shape %x [[0], [1], [2], [3, 4, 5]]
struct FoldPointwiseIm2col final : OpRewritePattern<Im2colOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(Im2colOp op,
                                PatternRewriter &rewriter) const override {
    Im2colLayoutAttr layout = op.getLayout();
    RankedTensorType input = op.getInput().getType();
    RankedTensorType type = op.getType();
    if (!op.getWindow().isDefault())
      return rewriter.notifyMatchFailure(op, "window moves or pads");
    for (char letter : ::convoy::spatialLetters(layout.getSpatialRank()))
      if (type.getDimSize(layout.getWindowDim(letter)) != 1)
        return rewriter.notifyMatchFailure(op, "window has several taps");
    // The taps, of size 1, go with the channels.
    std::string letters = layout.getPositions().str();
    letters.insert(layout.getWindowDim(), "c");
    if (letters != layout.getInput())
      return rewriter.notifyMatchFailure(op, "input is in another order");
    SmallVector<ReassociationIndices> groups;
    int64_t next = 0;
    for (auto [dim, letter] : llvm::enumerate(letters)) {
      if (input.getDimSize(dim) != type.getDimSize(layout.getSharedDim(letter)))
        return rewriter.notifyMatchFailure(op, "sizes are known in part");
      int64_t count = letter == 'c' ? layout.getWindow().size() : 1;
      groups.push_back(llvm::to_vector<2>(llvm::seq(next, next + count)));
      next += count;
    }
    rewriter.replaceOpWithNewOp<tensor::ExpandShapeOp>(
        op, type, op.getInput(), groups,
        getMixedValues(type.getShape(), op.getSizes(), rewriter));
    return success();
  }
};
} // namespace

void ConvOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                         MLIRContext *context) {
  patterns.add<SimplifyConvWindow<ConvOp>>(context);
}

void ConvBackwardDataOp::getCanonicalizationPatterns(
    RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<SimplifyConvWindow<ConvBackwardDataOp>>(context);
}

void ConvBackwardFilterOp::getCanonicalizationPatterns(
    RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<SimplifyConvWindow<ConvBackwardFilterOp>>(context);
}

void Im2colOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                           MLIRContext *context) {
  patterns.add<SimplifyIm2colWindow, FoldPointwiseIm2col>(context);
}
