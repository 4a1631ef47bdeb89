//===- LinalgToConvoy.cpp - Raises linalg convolutions ----------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Conversion/LinalgToConvoy.h"

#include "Match.h"

#include "convoy/Conversion/Passes.h"
#include "convoy/Conversion/Utils/UnitDims.h"
#include "convoy/Transforms/Utils/ReasonRecorder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Support/DebugStringHelper.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace mlir::convoy {
#define GEN_PASS_DEF_RAISELINALGPASS
#include "convoy/Conversion/Passes.h.inc"
} // namespace mlir::convoy

using namespace mlir;
using namespace mlir::convoy;
using linalg::LinalgOp;

/// Whether `op` looks like a convolution, so that a user wants to know why it
/// is not raised: it sums over two inputs, one of them read through a window.
/// An input that only gives the window's size, as in pooling, does not count.
static bool resemblesConvolution(LinalgOp op) {
  if (op.getNumReductionLoops() == 0)
    return false;
  int64_t factors = 0;
  bool slides = false;
  for (OpOperand *operand : op.getDpsInputOperands()) {
    if (!isa<ShapedType>(operand->get().getType()) ||
        op.getMatchingBlockArgument(operand).use_empty())
      continue;
    ++factors;
    slides |= hasWindow(op.getMatchingIndexingMap(operand));
  }
  return factors >= 2 && slides;
}

/// What the op is made of has to be tensors, dense ones, and one result.
static LogicalResult checkOperands(LinalgOp op, Refuse refuse) {
  if (op.getNumDpsInits() != 1)
    return refuse("expected 1 output, but got " + Twine(op.getNumDpsInits()));
  for (Value operand : op->getOperands()) {
    if (isa<MemRefType>(operand.getType()))
      return refuse("expected tensors, but got memrefs");
    auto type = dyn_cast<RankedTensorType>(operand.getType());
    if (type && type.getEncoding())
      return refuse("expected tensors without encoding, but got " +
                    debugString(type.getEncoding()));
  }
  return success();
}

/// `word` with unit dimensions for those letters of `letters` that it lacks:
/// batch and spatial ones outermost, channels innermost, or next to the group.
static std::string addUnitLetters(std::string word, StringRef letters) {
  for (char letter : llvm::reverse(letters))
    if (!StringRef("cf").contains(letter) && !StringRef(word).contains(letter))
      word.insert(0, 1, letter);
  for (char letter : letters) {
    if (!StringRef("cf").contains(letter) || StringRef(word).contains(letter))
      continue;
    size_t group = word.find('g');
    word.insert(group == std::string::npos ? word.size() : group + 1, 1,
                letter);
  }
  return word;
}

/// `zeroPoint` as it is outside of `op`'s body, if it is there.
static Value getOutside(LinalgOp op, Value zeroPoint) {
  auto argument = dyn_cast<BlockArgument>(zeroPoint);
  return argument && argument.getOwner() == op.getBlock()
             ? op->getOperand(argument.getArgNumber())
             : zeroPoint;
}

/// The constraint C7 of the dialect: a constant zero point is an element, since
/// padding is filled with it.
static LogicalResult checkZeroPoint(LinalgOp op, const Factor &factor,
                                    StringRef name, Refuse refuse) {
  APInt value;
  if (!factor.zeroPoint ||
      !matchPattern(getOutside(op, factor.zeroPoint), m_ConstantInt(&value)))
    return success();
  Type element = getElementTypeOrSelf(factor.operand->get().getType());
  if (fitsInto(value, element, factor.isUnsigned))
    return success();
  return refuse("expected a zero point of the " + name + " in the range of " +
                (factor.isUnsigned ? "unsigned " : "signed ") +
                debugString(element) + ", but got " +
                Twine(value.getSExtValue()));
}

/// Where elements are subtracted, these have to be zero points of the filter's
/// channels, one for each, which are elements of the filter as well.
static LogicalResult checkZeroPointsOfChannels(LinalgOp op, const Factor &input,
                                               const Factor &filter,
                                               StringRef filterWord,
                                               Refuse refuse) {
  auto describe = [](const Factor &factor) {
    return "operand #" + Twine(factor.zeroPoints->getOperandNumber()).str();
  };
  if (input.zeroPoints)
    return refuse("expected a scalar zero point of the input, but got " +
                  describe(input));
  if (!filter.zeroPoints)
    return success();
  Type element = getElementTypeOrSelf(filter.operand->get().getType());
  Type type = getElementTypeOrSelf(filter.zeroPoints->get().getType());
  if (type != element || filter.areZeroPointsUnsigned != filter.isUnsigned)
    return refuse("expected zero points extended from " + debugString(element) +
                  " as the filter is, but got " + describe(filter) + " of " +
                  debugString(type));
  AffineMap map = op.getMatchingIndexingMap(filter.operand);
  SmallVector<AffineExpr> channels;
  for (char letter : StringRef("gf"))
    if (size_t dim = filterWord.find(letter); dim != StringRef::npos)
      channels.push_back(map.getResult(dim));
  AffineMap own = op.getMatchingIndexingMap(filter.zeroPoints);
  if (!channels.empty() && own.getResults() == ArrayRef(channels))
    return success();
  return refuse("expected a zero point for each channel of the filter, but "
                "got " +
                describe(filter) + " at " + debugString(own));
}

/// The zero points of the filter's channels, one behind the other.
static Value getZeroPointsOfChannels(const Factor &filter, Type accumulator,
                                     Location loc, RewriterBase &rewriter) {
  Value zeroPoints = filter.zeroPoints->get();
  if (cast<RankedTensorType>(zeroPoints.getType()).getRank() == 2)
    zeroPoints = tensor::CollapseShapeOp::create(
        rewriter, loc, zeroPoints,
        ArrayRef<ReassociationIndices>{ReassociationIndices{0, 1}});
  auto type = cast<RankedTensorType>(zeroPoints.getType()).clone(accumulator);
  if (filter.isUnsigned)
    return arith::ExtUIOp::create(rewriter, loc, type, zeroPoints);
  return arith::ExtSIOp::create(rewriter, loc, type, zeroPoints);
}

/// The zero points outside of `op`'s body: none, or one of each factor.
static SmallVector<Value> getZeroPoints(LinalgOp op, ArrayRef<Factor> factors,
                                        Type accumulator,
                                        RewriterBase &rewriter) {
  SmallVector<Value> zeroPoints;
  if (llvm::none_of(factors, [](Factor factor) {
        return factor.zeroPoint || factor.zeroPoints;
      }))
    return zeroPoints;
  for (const Factor &factor : factors) {
    if (factor.zeroPoints) {
      zeroPoints.push_back(
          getZeroPointsOfChannels(factor, accumulator, op.getLoc(), rewriter));
      continue;
    }
    Value zeroPoint = factor.zeroPoint;
    zeroPoint =
        zeroPoint ? getOutside(op, zeroPoint)
                  : arith::ConstantOp::create(rewriter, op.getLoc(),
                                              rewriter.getZeroAttr(accumulator))
                        .getResult();
    if (zeroPoint.getParentBlock() == op.getBlock())
      zeroPoint = rewriter.clone(*zeroPoint.getDefiningOp())->getResult(0);
    zeroPoints.push_back(zeroPoint);
  }
  return zeroPoints;
}

namespace {
/// See the pass's description.
struct RaiseConvolution final : OpInterfaceRewritePattern<LinalgOp> {
  using Base::Base;

  LogicalResult matchAndRewrite(LinalgOp op,
                                PatternRewriter &rewriter) const override {
    auto refuse = [&](const Twine &reason) -> LogicalResult {
      return rewriter.notifyMatchFailure(op, reason);
    };
    // Of other ops no reason is reported.
    if (!resemblesConvolution(op))
      return rewriter.notifyMatchFailure(op, "does not resemble a convolution");
    if (failed(checkOperands(op, refuse)))
      return failure();
    FailureOr<std::array<Factor, 2>> factors = matchMultiplyAdd(op, refuse);
    if (failed(factors))
      return failure();
    auto [input, filter] = *factors;
    auto elementOf = [](OpOperand *operand) {
      return getElementTypeOrSelf(operand->get().getType());
    };
    if (failed(
            checkElements({elementOf(input.operand), elementOf(filter.operand),
                           elementOf(op.getDpsInitOperand(0))},
                          refuse)))
      return failure();
    if (!hasWindow(op.getMatchingIndexingMap(input.operand)))
      std::swap(input, filter);
    FailureOr<ConvolutionDims> dims =
        matchConvolutionMaps(op, *input.operand, *filter.operand, refuse);
    if (failed(dims) || failed(checkZeroPoint(op, input, "input", refuse)) ||
        failed(checkZeroPoint(op, filter, "filter", refuse)) ||
        failed(
            checkZeroPointsOfChannels(op, input, filter, dims->filter, refuse)))
      return failure();
    raise(op, input, filter, *dims, rewriter);
    return success();
  }

private:
  /// Replaces `op` by the convolution that was found in it.
  static void raise(LinalgOp op, const Factor &input, const Factor &filter,
                    const ConvolutionDims &dims, PatternRewriter &rewriter) {
    Location loc = op.getLoc();
    std::string spatial(::convoy::spatialLetters(dims.window.size()));
    std::string inputWord = addUnitLetters(dims.input, "n" + spatial + "c");
    std::string filterWord = addUnitLetters(dims.filter, spatial + "cf");
    std::string outputWord = addUnitLetters(dims.output, "n" + spatial + "f");
    Value init = op.getDpsInitOperand(0)->get();
    Type accumulator = getElementTypeOrSelf(init.getType());
    Value expandedInput = expandUnitDims(rewriter, loc, input.operand->get(),
                                         dims.input, inputWord);
    Value expandedFilter = expandUnitDims(rewriter, loc, filter.operand->get(),
                                          dims.filter, filterWord);
    Value expandedInit =
        expandUnitDims(rewriter, loc, init, dims.output, outputWord);
    Value sums = ConvOp::create(
        rewriter, loc, expandedInit.getType(), expandedInput, expandedFilter,
        expandedInit, getZeroPoints(op, {input, filter}, accumulator, rewriter),
        ConvLayoutAttr::get(rewriter.getContext(), inputWord, filterWord,
                            outputWord),
        WindowAttr::get(rewriter.getContext(), dims.window),
        getRaisedNumerics(input.isUnsigned, filter.isUnsigned, accumulator,
                          accumulator));
    rewriter.replaceOp(
        op, collapseUnitDims(rewriter, loc, sums, dims.output, outputWord));
  }
};

struct RaiseLinalgPass final
    : mlir::convoy::impl::RaiseLinalgPassBase<RaiseLinalgPass> {
  using Base::Base;

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    populateRaiseLinalgPatterns(patterns);
    ReasonRecorder recorder;
    walkAndApplyPatterns(getOperation(), std::move(patterns), &recorder);
    if (!report)
      return;
    getOperation()->walk([&](LinalgOp op) {
      if (resemblesConvolution(op))
        recorder.emitWarning(op, "raised");
    });
  }
};
} // namespace

void mlir::convoy::populateRaiseLinalgPatterns(RewritePatternSet &patterns) {
  patterns.add<RaiseConvolution>(patterns.getContext());
}
