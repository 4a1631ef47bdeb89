//===- DecomposeBackward.cpp - Gradients are convolutions -------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A gradient of a convolution is a convolution of the same tensors with some
// dimensions renamed; nothing moves in memory. See convoy/Support/ConvShape.h
// for the windows.
//
//===----------------------------------------------------------------------===//

#include "convoy/Dialect/Convoy/IR/Convoy.h"
#include "convoy/Dialect/Convoy/IR/WinogradTile.h"
#include "convoy/Transforms/Convolution/Passes.h"
#include "convoy/Transforms/Convolution/Patterns.h"
#include "convoy/Transforms/Utils/Fills.h"
#include "convoy/Transforms/Utils/ReasonRecorder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace mlir::convoy {
#define GEN_PASS_DEF_DECOMPOSEBACKWARDPASS
#include "convoy/Transforms/Convolution/Passes.h.inc"
} // namespace mlir::convoy

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::ConvLayouts;
using ::convoy::Direction;
using ::convoy::Layout;
using ::convoy::Operand;
using ::convoy::WindowDim;

/// Sizes of input, filter and output along a spatial dimension of the forward
/// convolution; may be dynamic.
using SpatialSizes = std::array<int64_t, 3>;

static SmallVector<SpatialSizes> getSpatialSizes(ConvolutionOpInterface op) {
  int64_t rank = op.getLayout().getSpatialRank();
  return llvm::map_to_vector(::convoy::spatialLetters(rank), [&](char letter) {
    return SpatialSizes{op.getSize(Operand::Input, letter),
                        op.getSize(Operand::Filter, letter),
                        op.getSize(Operand::Output, letter)};
  });
}

static bool isStatic(const SpatialSizes &sizes) {
  return llvm::none_of(sizes, ShapedType::isDynamic);
}

/// Whether the forward convolution has no output position at all, or no tap, so
/// that nothing is added to the init.
static bool hasNoTerms(ArrayRef<SpatialSizes> sizes) {
  return llvm::any_of(sizes, [](const SpatialSizes &dim) {
    return dim[1] == 0 || dim[2] == 0;
  });
}

/// The layouts with `a` and `b` exchanged, in the roles that the tensors have
/// in the convolution that computes the gradient.
static ConvLayoutAttr renameDims(MLIRContext *context, const Layout &input,
                                 const Layout &filter, const Layout &output,
                                 char a, char b) {
  return ConvLayoutAttr::get(context, ConvLayouts{input.swapped(a, b),
                                                  filter.swapped(a, b),
                                                  output.swapped(a, b)});
}

namespace {
/// The input's gradient from the output's gradient and the filter:
///   conv_backward_data ins(%dy, %w) layout(nhwc x hwcf -> nhwf)
/// becomes
///   conv ins(%dy, %w) layout(nhwc x hwfc -> nhwf)
struct DecomposeBackwardData final
    : OpInterfaceRewritePattern<ConvolutionOpInterface> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(ConvolutionOpInterface op,
                                PatternRewriter &rewriter) const override {
    if (op.getDirection() != Direction::BackwardData)
      return failure();
    SmallVector<SpatialSizes> sizes = getSpatialSizes(op);
    if (hasNoTerms(sizes)) {
      rewriter.replaceOp(op, op.getInit());
      return success();
    }
    SmallVector<WindowDim> window;
    for (auto [dim, size] : llvm::enumerate(sizes)) {
      auto [input, filter, output] = size;
      WindowDim forward = op.getWindow().getDim(dim);
      if (ShapedType::isDynamic(filter))
        return rewriter.notifyMatchFailure(
            op, "the filter's spatial sizes are not static");
      window.push_back(
          isStatic(size)
              ? ::convoy::backwardDataWindow(input, filter, output, forward)
              : ::convoy::backwardDataWindow(filter, forward));
    }

    ConvLayouts layouts = op.getLayout().getLayouts();
    Attribute algorithm = op->getAttr(kWinogradAttrName);
    auto conv = rewriter.replaceOpWithNewOp<ConvOp>(
        op, op.getOperandFor(Operand::Output),
        op.getOperandFor(Operand::Filter), op.getInit(), op.getZeroPoints(),
        renameDims(getContext(), layouts.output, layouts.filter, layouts.input,
                   'c', 'f'),
        WindowAttr::get(getContext(), window), op.getNumerics());
    // Both have the same spatial dimensions.
    if (algorithm)
      conv->setAttr(kWinogradAttrName, algorithm);
    return success();
  }
};

/// The filter's gradient from the input and the output's gradient:
///   conv_backward_filter ins(%x, %dy) layout(nhwc x hwcf -> nhwf)
/// becomes
///   conv ins(%x, %dy) layout(chwn x chwf -> hwnf)
/// Where the forward convolution reverses its taps, those of the sum are
/// flipped when it is added to the init.
struct DecomposeBackwardFilter final : OpRewritePattern<ConvBackwardFilterOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ConvBackwardFilterOp op,
                                PatternRewriter &rewriter) const override {
    SmallVector<SpatialSizes> sizes = getSpatialSizes(op);
    if (hasNoTerms(sizes)) {
      rewriter.replaceOp(op, op.getInit());
      return success();
    }
    SmallVector<WindowDim> window;
    bool anyReverse = false;
    for (auto [dim, size] : llvm::enumerate(sizes)) {
      auto [input, filter, output] = size;
      WindowDim forward = op.getWindow().getDim(dim);
      if (forward.reverse && ShapedType::isDynamic(filter))
        return rewriter.notifyMatchFailure(
            op, "the filter's reversed spatial sizes are not static");
      anyReverse |= forward.reverse;
      window.push_back(
          isStatic(size)
              ? ::convoy::backwardFilterWindow(input, filter, output, forward)
              : ::convoy::backwardFilterWindow(forward));
    }

    Value init = anyReverse ? createZeroSum(rewriter, op) : op.getInit();
    ConvLayouts layouts = op.getLayout().getLayouts();
    Value sum =
        ConvOp::create(rewriter, op.getLoc(), op.getInput(),
                       op.getOutputGradient(), init, op.getZeroPoints(),
                       renameDims(getContext(), layouts.input, layouts.output,
                                  layouts.filter, 'n', 'c'),
                       WindowAttr::get(getContext(), window), op.getNumerics());
    rewriter.replaceOp(op, anyReverse ? addFlipped(rewriter, op, sum) : sum);
    return success();
  }

private:
  /// Zeros of the accumulator's type and the filter's shape.
  static Value createZeroSum(OpBuilder &builder, ConvolutionOpInterface op) {
    Location loc = op.getLoc();
    return createZeros(builder, loc,
                       tensor::getMixedSizes(builder, loc, op.getInit()),
                       op.getAccumulatorType());
  }

  /// init + flip(sum) in the accumulator's type, rounded to the init's.
  static Value addFlipped(OpBuilder &builder, ConvBackwardFilterOp op,
                          Value sum) {
    Layout layout = op.getLayout().getLayouts().filter;
    AffineMap identity = builder.getMultiDimIdentityMap(layout.rank());
    SmallVector<AffineExpr> flipped(identity.getResults());
    for (auto [dim, letter] : llvm::enumerate(
             ::convoy::spatialLetters(op.getLayout().getSpatialRank())))
      if (op.getWindow().getDim(dim).reverse) {
        AffineExpr &tap = flipped[layout.position(letter)];
        tap = op.getType().getDimSize(layout.position(letter)) - 1 - tap;
      }
    AffineMap flip =
        AffineMap::get(layout.rank(), 0, flipped, builder.getContext());

    SmallVector<utils::IteratorType> parallel(layout.rank(),
                                              utils::IteratorType::parallel);
    return linalg::GenericOp::create(
               builder, op.getLoc(), op.getType(), sum, op.getInit(),
               ArrayRef<AffineMap>{flip, identity}, parallel, buildSum)
        .getResult(0);
  }

  /// round(ext(init) + sum), for elements (sum, init).
  static void buildSum(OpBuilder &builder, Location loc, ValueRange elements) {
    Value sum = elements[0];
    Value init = convertScalarToDtype(builder, loc, elements[1], sum.getType(),
                                      /*isUnsignedCast=*/false);
    if (isa<FloatType>(sum.getType()))
      sum = arith::AddFOp::create(builder, loc, init, sum);
    else
      sum = arith::AddIOp::create(builder, loc, init, sum);
    sum = convertScalarToDtype(builder, loc, sum, elements[1].getType(),
                               /*isUnsignedCast=*/false);
    linalg::YieldOp::create(builder, loc, sum);
  }
};

struct DecomposeBackwardPass final
    : mlir::convoy::impl::DecomposeBackwardPassBase<DecomposeBackwardPass> {
  using Base::Base;

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    populateDecomposeBackwardPatterns(patterns);
    ReasonRecorder recorder;
    walkAndApplyPatterns(getOperation(), std::move(patterns), &recorder);
    getOperation()->walk([&](Operation *op) {
      auto convolution = dyn_cast<ConvolutionOpInterface>(op);
      if (!convolution || convolution.getDirection() == Direction::Forward)
        return;
      recorder.emitLeftBehind(op, "decomposed");
      signalPassFailure();
    });
  }
};
} // namespace

void mlir::convoy::populateDecomposeBackwardPatterns(
    RewritePatternSet &patterns) {
  patterns.add<DecomposeBackwardData, DecomposeBackwardFilter>(
      patterns.getContext());
}
