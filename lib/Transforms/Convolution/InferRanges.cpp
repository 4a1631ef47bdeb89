//===- InferRanges.cpp - Which numbers overflow or vanish -------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SumHazards.h"

#include "convoy/Transforms/Convolution/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::convoy {
#define GEN_PASS_DEF_INFERRANGESPASS
#include "convoy/Transforms/Convolution/Passes.h.inc"
} // namespace mlir::convoy

using namespace mlir;
using namespace mlir::convoy;

namespace {
/// Finds ops whose results are no numbers, or zeros, where their operands are
/// numbers.
class HazardFinder {
public:
  /// With `strict` also where only the types bound the operands.
  HazardFinder(RangeAnalysis &ranges, bool strict)
      : ranges(ranges), strict(strict) {}

  /// What is wrong with a result of `op`, as one sentence; empty where it
  /// cannot be.
  std::string find(Operation *op);

private:
  std::string findInConvolution(ConvolutionOpInterface op);
  std::string findInReduction(linalg::LinalgOp op);
  std::string findInElements(Operation *op);
  /// What sums of `sum` do in `type`, which are rounded to `result`.
  std::string findInSum(const SumRange &sum, FloatType type, FloatType result);
  /// Whether to speak of an op with an operand `value`.
  bool isKnown(Value value) {
    return strict || ranges.getRange(value).isNarrowerThan(
                         getElementTypeOrSelf(value.getType()));
  }
  NumberRange getRange(Value value) { return ranges.getRange(value); }

  RangeAnalysis &ranges;
  bool strict;
};
} // namespace

/// Floats that may well be too narrow: bf16 has the exponents of f32.
static bool isNarrowFloat(Type type) {
  auto floatType = dyn_cast<FloatType>(type);
  return floatType && floatType.getWidth() < 32 && !floatType.isBF16();
}

/// Whether numbers of `range` other than zero all vanish in `type`.
static bool vanishes(const NumberRange &range, FloatType type) {
  return range.isFinite && range.getLargest() != 0 &&
         range.getLargest() < getSmallestNormal(type);
}

static std::string describeVanished(const NumberRange &range, FloatType type) {
  return "reach at most " + getNumberText(range.getLargest()) +
         ", and vanish in " + getTypeText(type);
}

std::string HazardFinder::findInSum(const SumRange &sum, FloatType type,
                                    FloatType result) {
  std::string length = getNumberText(sum.length);
  double peak = sum.getPeak(type);
  double largest = NumberRange::allOf(result).high;
  // In `type` there is an overflow as well.
  if (isNarrowFloat(result) && !(peak < largest))
    return "sums of " + length + " terms of up to " +
           getNumberText(sum.term.getLargest()) + " may reach " +
           getNumberText(peak) + ", and " + getTypeText(result) + " ends at " +
           getNumberText(largest);
  if (isNarrowFloat(type) && vanishes(sum.term, type))
    return "products " + describeVanished(sum.term, type);
  if (isNarrowFloat(result) && vanishes(sum.exact, result))
    return "sums of " + length + " terms " +
           describeVanished(sum.exact, result);
  return "";
}

std::string HazardFinder::findInConvolution(ConvolutionOpInterface op) {
  auto lookup = [&](Value value) { return getRange(value); };
  Type accumulator = op.getAccumulatorType();
  if (isa<IntegerType>(accumulator))
    return findWrapHazard(op, /*countInit=*/strict, ranges);
  for (unsigned number : {0, 1}) {
    Type type = getElementTypeOrSelf(op->getOperand(number).getType());
    if (!strict && !getFactorRange(op, number, lookup).isNarrowerThan(type))
      return "";
  }
  std::optional<SumRange> sum = getSumRange(op, lookup);
  auto result = cast<FloatType>(getElementTypeOrSelf(op.getInit().getType()));
  if (!sum)
    return strict && isNarrowFloat(result) ? "sizes are dynamic" : "";
  return findInSum(*sum, cast<FloatType>(accumulator), result);
}

std::string HazardFinder::findInReduction(linalg::LinalgOp op) {
  auto lookup = [&](Value value) { return getRange(value); };
  for (unsigned number = 0; number < op->getNumResults(); ++number) {
    Type type = getElementTypeOrSelf(op->getResult(number).getType());
    std::optional<SumRange> sum = getSumRange(op, number, lookup);
    if (!sum || !hasNumbers(type))
      continue;
    bool isKnown = sum->term.isNarrowerThan(type) || strict;
    if (!isKnown)
      continue;
    if (auto floatType = dyn_cast<FloatType>(type)) {
      std::string hazard = findInSum(*sum, floatType, floatType);
      if (!hazard.empty())
        return hazard;
    } else if (mayOverflow(sum->exact, type)) {
      return "sums of " + getNumberText(sum->length) + " terms of up to " +
             getNumberText(sum->term.getLargest()) + " may wrap in " +
             getTypeText(type);
    }
  }
  return "";
}

std::string HazardFinder::findInElements(Operation *op) {
  Type type = getElementTypeOrSelf(op->getResult(0).getType());
  SmallVector<NumberRange> operands;
  for (Value operand : op->getOperands()) {
    if (!hasNumbers(operand.getType()) || !isKnown(operand))
      return "";
    operands.push_back(getRange(operand));
  }
  std::optional<NumberRange> exact = getExactRange(op, operands);
  if (!exact)
    return "";
  std::string values = "values from " + getNumberText(exact->low) + " to " +
                       getNumberText(exact->high);
  auto floatType = dyn_cast<FloatType>(type);
  if (mayOverflow(*exact, type))
    return values +
           (floatType ? " may overflow in " : " may not be numbers of ") +
           getTypeText(type);
  if (floatType && vanishes(*exact, floatType))
    return "values " + describeVanished(*exact, floatType);
  return "";
}

std::string HazardFinder::find(Operation *op) {
  if (auto convolution = dyn_cast<ConvolutionOpInterface>(op))
    return findInConvolution(convolution);
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
    return linalgOp.getNumReductionLoops() > 0 ? findInReduction(linalgOp) : "";
  bool hasElements = op->getNumResults() == 1 &&
                     hasNumbers(op->getResult(0).getType()) &&
                     op->getNumOperands() > 0;
  if (!hasElements)
    return "";
  // What sums add is looked at above, as a whole.
  auto body = dyn_cast<linalg::LinalgOp>(op->getParentOp());
  bool isSum = isa<arith::AddFOp, arith::AddIOp>(op) && body &&
               body.getNumReductionLoops() > 0;
  Type type = getElementTypeOrSelf(op->getResult(0).getType());
  // Arithmetic of integers may wrap on purpose; conversions do not.
  bool isConversion =
      isa<arith::TruncIOp, arith::FPToSIOp, arith::FPToUIOp>(op);
  return !isSum && (isNarrowFloat(type) || isConversion) ? findInElements(op)
                                                         : "";
}

/// Declares the ranges of the operands of `op`, where it does not and more is
/// known than their types.
static void declareRanges(ConvolutionOpInterface op, RangeAnalysis &ranges) {
  NumericsAttr numerics = op.getNumerics();
  auto getDeclared = [&](unsigned number, DenseF64ArrayAttr declared,
                         bool isUnsigned) {
    Value operand = op->getOperand(number);
    NumberRange range = ranges.getRange(operand);
    bool isKnown = range.isNarrowerThan(getElementTypeOrSelf(operand)) &&
                   !(isUnsigned && range.low < 0);
    return declared || !isKnown
               ? declared
               : DenseF64ArrayAttr::get(op->getContext(),
                                        {range.low, range.high});
  };
  DenseF64ArrayAttr input =
      getDeclared(0, numerics.getInputRange(), numerics.getInputUnsigned());
  DenseF64ArrayAttr filter =
      getDeclared(1, numerics.getFilterRange(), numerics.getFilterUnsigned());
  op.setNumericsAttr(
      NumericsAttr::get(op->getContext(), numerics.getInputUnsigned(),
                        numerics.getFilterUnsigned(), numerics.getAccumulator(),
                        numerics.getPolicy(), input, filter));
}

namespace {
struct InferRangesPass final
    : mlir::convoy::impl::InferRangesPassBase<InferRangesPass> {
  using Base::Base;

  void runOnOperation() override {
    RangeAnalysis ranges(getOperation());
    HazardFinder finder(ranges, strict);
    bool failed = false;
    getOperation()->walk([&](Operation *op) {
      std::string hazard = finder.find(op);
      if (hazard.empty())
        return;
      failed |= strict;
      InFlightDiagnostic diagnostic =
          strict ? op->emitError() : op->emitWarning();
      diagnostic << hazard;
    });
    if (failed)
      return signalPassFailure();
    getOperation()->walk(
        [&](ConvolutionOpInterface op) { declareRanges(op, ranges); });
  }
};
} // namespace
