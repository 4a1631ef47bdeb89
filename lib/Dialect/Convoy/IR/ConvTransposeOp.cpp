//===- ConvTransposeOp.cpp - The transposed convolution ---------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OpSyntax.h"

#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::ConvLayouts;
using ::convoy::Direction;
using ::convoy::Operand;
using ::convoy::WindowDim;

/// The tensors in the op's own letters: `init` is its output.
static ConvOperands getOwnOperands(ConvTransposeOp op) {
  return {op,
          op.getOwnLayout().getLayouts(),
          {op.getInput().getType(), op.getFilter().getType(),
           op.getInit().getType()}};
}

/// The window of spatial dimension `dim`, less of which is cut off the result's
/// high end by what `output_pad` adds to it.
static WindowDim getWindowDim(ConvTransposeOp op, int64_t dim) {
  ArrayRef<int64_t> outputPad = op.getOutputPad();
  return ::convoy::withOutputPad(op.getOwnWindow().getDim(dim),
                                 outputPad.empty() ? 0 : outputPad[dim]);
}

//===----------------------------------------------------------------------===//
// The convolution of which the op is the gradient
//===----------------------------------------------------------------------===//

Direction ConvTransposeOp::getDirection() { return Direction::BackwardData; }

ConvLayoutAttr ConvTransposeOp::getLayout() {
  ConvLayouts own = getOwnLayout().getLayouts();
  return ConvLayoutAttr::get(getContext(),
                             ConvLayouts{own.output.swapped('c', 'f'),
                                         own.filter.swapped('c', 'f'),
                                         own.input.swapped('c', 'f')});
}

WindowAttr ConvTransposeOp::getWindow() {
  ConvOperands operands = getOwnOperands(*this);
  SmallVector<WindowDim> dims;
  for (auto [dim, letter] : llvm::enumerate(
           ::convoy::spatialLetters(getOwnLayout().getSpatialRank()))) {
    WindowDim window = getWindowDim(*this, dim);
    int64_t input = operands.getSize(Operand::Input, letter);
    int64_t taps = operands.getSize(Operand::Filter, letter);
    int64_t output = operands.getSize(Operand::Output, letter);
    // Another one only where a size is 0, or would be less.
    if (!ShapedType::isDynamic(input) && !ShapedType::isDynamic(taps) &&
        !ShapedType::isDynamic(output))
      window.padHigh = ::convoy::padHighFor(output, taps, input, window);
    dims.push_back(window);
  }
  return WindowAttr::get(getContext(), dims);
}

LogicalResult
ConvTransposeOp::reifyResultShapes(OpBuilder &builder,
                                   ReifiedRankedShapedTypeDims &shapes) {
  return reifyFromInit(*this, builder, shapes);
}

//===----------------------------------------------------------------------===//
// Verifier
//===----------------------------------------------------------------------===//

/// C3: `window` and `output_pad`.
static LogicalResult verifyWindow(ConvTransposeOp op) {
  int64_t spatialRank = op.getOwnLayout().getSpatialRank();
  if (failed(verifyWindowSizes(op, op.getOwnWindow(), spatialRank)))
    return failure();
  if (op.getOwnWindow().hasInputDilation())
    return op.emitOpError("expected no input dilation");
  ArrayRef<int64_t> outputPad = op.getOutputPad();
  if (!outputPad.empty() &&
      static_cast<int64_t>(outputPad.size()) != spatialRank)
    return op.emitOpError()
           << "expected " << spatialRank << " entries in output_pad, but got "
           << outputPad.size();
  for (int64_t pad : outputPad)
    if (pad < 0)
      return op.emitOpError()
             << "expected entries of output_pad that are not negative, but got "
             << pad;
  return success();
}

/// C5: spatial sizes.
static LogicalResult verifySpatialSizes(ConvTransposeOp op,
                                        const ConvOperands &operands) {
  for (auto [dim, letter] : llvm::enumerate(
           ::convoy::spatialLetters(op.getOwnLayout().getSpatialRank()))) {
    int64_t input = operands.getSize(Operand::Input, letter);
    int64_t taps = operands.getSize(Operand::Filter, letter);
    int64_t output = operands.getSize(Operand::Output, letter);
    if (ShapedType::isDynamic(input) || ShapedType::isDynamic(taps) ||
        ShapedType::isDynamic(output))
      continue;
    WindowDim window = getWindowDim(op, dim);
    if (input > 0 && taps > 0 &&
        window.padHigh > ::convoy::padHighFor(0, taps, input, window))
      return op.emitOpError()
             << "expected padding that leaves size 0 or more along "
             << Twine(letter) << " for input size " << input << " and " << taps
             << " taps, but got " << window.padLow << " and " << window.padHigh;
    int64_t expected = ::convoy::transposedSize(input, taps, window);
    if (output != expected)
      return op.emitOpError()
             << "expected size " << expected << " of the result along "
             << Twine(letter) << " for input size " << input << " and " << taps
             << " taps, but got " << output;
  }
  return success();
}

LogicalResult mlir::convoy::verifyTransposed(ConvTransposeOp op) {
  ConvOperands operands = getOwnOperands(op);
  return success(succeeded(operands.verifyRanks()) &&
                 succeeded(verifyWindow(op)) &&
                 succeeded(operands.verifySharedSizes()) &&
                 succeeded(verifySpatialSizes(op, operands)) &&
                 succeeded(verifyElements(op)));
}

//===----------------------------------------------------------------------===//
// Canonicalization
//===----------------------------------------------------------------------===//

namespace {
/// conv_transpose ins(%x, %w) layout(nhwc x cfhw -> nhwf)
///     window(stride = [2, 2], pad = [[1, 1], [1, 1]]) output_pad([1, 0])
/// becomes
/// conv_backward_data ins(%x, %w) layout(nhwc x fchw -> nhwf)
///     window(stride = [2, 2], pad = [[1, 0], [1, 1]])
struct TransposeToBackwardData final : OpRewritePattern<ConvTransposeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ConvTransposeOp op,
                                PatternRewriter &rewriter) const override {
    // Nothing is added; no window need fit sizes of 0.
    if (op.hasEmptyTensor()) {
      rewriter.replaceOp(op, op.getInit());
      return success();
    }
    rewriter.replaceOpWithNewOp<ConvBackwardDataOp>(
        op, op.getInput(), op.getFilter(), op.getInit(), op.getZeroPoints(),
        op.getLayout(), op.getWindow(), op.getNumerics());
    return success();
  }
};
} // namespace

void ConvTransposeOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                                  MLIRContext *context) {
  patterns.add<TransposeToBackwardData>(context);
}
