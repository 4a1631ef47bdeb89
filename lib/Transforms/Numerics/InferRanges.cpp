//===- InferRanges.cpp - Which numbers overflow or vanish -------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlacedSums.h"
#include "SumHazards.h"

#include "convoy/Transforms/Numerics/Passes.h"
#include "convoy/Transforms/Utils/Choices.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/CallInterfaces.h"

#include <cmath>

namespace mlir::convoy {
#define GEN_PASS_DEF_INFERRANGESPASS
#include "convoy/Transforms/Numerics/Passes.h.inc"
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
  std::string findInPlacedSums(Operation *op);
  std::string findInElements(Operation *op, Type type);
  /// What sums of `sum` do in `type`, which are rounded to `result`.
  std::string findInSum(const SumRange &sum, FloatType type, FloatType result);
  /// Whether to speak of an op with an operand `value`.
  bool isKnown(Value value) {
    // Of floats in wider types no more is known than of what was added up.
    auto convolution = value.getDefiningOp<ConvolutionOpInterface>();
    if (!strict && convolution &&
        isa<FloatType>(convolution.getAccumulatorType()))
      return llvm::all_of(convolution->getOperands().take_front(2),
                          [&](Value factor) { return isKnown(factor); });
    return strict || ranges.getRange(value).isNarrowerThan(
                         getElementTypeOrSelf(value.getType()));
  }
  bool areTermsKnown(Operation *op) {
    return llvm::all_of(getTermOperands(op), [&](Value operand) {
      return hasNumbers(operand.getType()) && isKnown(operand);
    });
  }
  /// What is said of a sum in `type` of unknown length.
  std::string findInUnknownSum(Type type);
  /// What is said of a result of `op` of which nothing is known.
  std::string findInUnknown(Operation *op, Type type);
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

/// Integers that arithmetic is not in where it wraps on purpose, as in that of
/// indices and of multipliers.
static bool isNarrowInteger(Type type) {
  auto integerType = dyn_cast<IntegerType>(type);
  return integerType && integerType.getWidth() < 32 &&
         integerType.getWidth() > 1;
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
  if (isNarrowFloat(result) && std::isinf(peak) && sum.magnitude < largest)
    return "sums of " + length + getWords(Choice::SumsTooLong).str() +
           " for a bound of what " + getTypeText(type) + " rounds off";
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

static std::string describeWrap(const SumRange &sum, Type type) {
  return "sums of " + getNumberText(sum.length) + " terms of up to " +
         getNumberText(sum.term.getLargest()) + " may wrap in " +
         getTypeText(type);
}

std::string HazardFinder::findInUnknownSum(Type type) {
  return strict && (isNarrowFloat(type) || isa<IntegerType>(type))
             ? "sizes are dynamic"
             : "";
}

std::string HazardFinder::findInUnknown(Operation *op, Type type) {
  if (!strict)
    return "";
  return "no range is known of '" + op->getName().getStringRef().str() +
         "' in " + getTypeText(type);
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
    return findInUnknownSum(result);
  return findInSum(*sum, cast<FloatType>(accumulator), result);
}

std::string HazardFinder::findInReduction(linalg::LinalgOp op) {
  auto lookup = [&](Value value) { return getRange(value); };
  for (unsigned number = 0; number < op->getNumResults(); ++number) {
    Type type = getElementTypeOrSelf(op->getResult(number).getType());
    // Of what else is reduced, the body is looked at.
    if (!getSummedTerm(op, number) || !hasNumbers(type))
      continue;
    std::optional<SumRange> sum = getSumRange(op, number, lookup);
    if (!sum)
      return findInUnknownSum(type);
    bool isKnown = sum->term.isNarrowerThan(type) || strict;
    if (!isKnown)
      continue;
    if (auto floatType = dyn_cast<FloatType>(type)) {
      std::string hazard = findInSum(*sum, floatType, floatType);
      if (!hazard.empty())
        return hazard;
    } else if (mayOverflow(sum->exact, type)) {
      return describeWrap(*sum, type);
    }
  }
  return "";
}

/// Whether conversion of `exact` to `type` may give another number.
static bool mayBeOther(Operation *op, const NumberRange &exact, Type type) {
  if (!isa<arith::FPToUIOp>(op))
    return mayOverflow(exact, type);
  double end = std::ldexp(1, int(type.getIntOrFloatBitWidth()));
  return !exact.isFinite || exact.high >= end;
}

/// What values of range `exact` that `op` computes do in `type`.
static std::string describeValues(Operation *op, const NumberRange &exact,
                                  Type type) {
  auto floatType = dyn_cast<FloatType>(type);
  if (mayBeOther(op, exact, type))
    return "values from " + getNumberText(exact.low) + " to " +
           getNumberText(exact.high) +
           (floatType ? " may overflow in " : " may not be numbers of ") +
           getTypeText(type);
  if (floatType && vanishes(exact, floatType))
    return "values " + describeVanished(exact, floatType);
  return "";
}

std::string HazardFinder::findInPlacedSums(Operation *op) {
  if (!areTermsKnown(op))
    return "";
  auto lookup = [&](Value value) { return getRange(value); };
  Type type = getElementTypeOrSelf(op->getResult(0).getType());
  if (isa<DeformConvOp, DeformConvBackwardFilterOp>(op)) {
    auto deform = cast<DeformOpInterface>(op);
    Type input =
        getElementTypeOrSelf(deform.getTypeFor(::convoy::Operand::Input));
    NumberRange samples = getDeformedSamples(deform, lookup);
    if (isNarrowFloat(input) && mayOverflow(samples, input))
      return "samples of up to " + getNumberText(samples.getLargest()) +
             " may overflow in " + getTypeText(input);
  }
  std::optional<SumRange> sum = getPlacedSums(op, lookup);
  if (!sum)
    return findInUnknownSum(type);
  if (isMove(op, *sum))
    return isNarrowFloat(type) ? describeValues(op, sum->exact, type) : "";
  auto floatType = dyn_cast<FloatType>(type);
  if (!floatType)
    return mayOverflow(sum->exact, type) ? describeWrap(*sum, type) : "";
  return findInSum(*sum, cast<FloatType>(getPlacedSumType(op)), floatType);
}

/// Whether `op` gives one of its operands, perhaps with another sign or width.
static bool choosesOperand(Operation *op) {
  return isa<arith::MaximumFOp, arith::MinimumFOp, arith::MaxNumFOp,
             arith::MinNumFOp, arith::NegFOp, arith::ExtFOp, arith::SelectOp,
             math::AbsFOp>(op);
}

std::string HazardFinder::findInElements(Operation *op, Type type) {
  SmallVector<Value> terms = getTermOperands(op);
  if (!llvm::all_of(terms,
                    [](Value term) { return hasNumbers(term.getType()); }))
    return findInUnknown(op, type);
  if (!areTermsKnown(op))
    return "";
  SmallVector<NumberRange> operands =
      llvm::map_to_vector(terms, [&](Value term) { return getRange(term); });
  auto sample = dyn_cast<GridSampleOp>(op);
  std::optional<NumberRange> exact = sample
                                         ? getSampleRange(sample, operands[0])
                                         : getExactRange(op, operands);
  if (!exact)
    return findInUnknown(op, type);
  bool isPassed =
      choosesOperand(op) || (sample && sample.getMode() == SampleMode::Nearest);
  return isPassed && !exact->isFinite ? "" : describeValues(op, *exact, type);
}

/// Whether results of `op` are what it is given, or what ops in it make.
static bool passesNumbers(Operation *op) {
  return op->getNumRegions() > 0 || movesElements(op) ||
         op->hasTrait<OpTrait::ConstantLike>() ||
         isa<CallOpInterface, tensor::EmptyOp>(op);
}

/// Whether `op` is the addition in the body of a reduction, which is looked at
/// as a whole.
static bool isInSum(Operation *op) {
  auto body = dyn_cast_or_null<linalg::LinalgOp>(op->getParentOp());
  if (!body || body.getNumReductionLoops() == 0)
    return false;
  auto yielded = body.getBlock()->getTerminator()->getOperands();
  return llvm::any_of(llvm::enumerate(yielded), [&](auto result) {
    return result.value().getDefiningOp() == op &&
           getSummedTerm(body, result.index());
  });
}

/// Whether integers that `op` computes are all there, whatever it is given.
static bool neverWraps(Operation *op) {
  return isa<arith::AndIOp, arith::OrIOp, arith::XOrIOp, arith::RemSIOp,
             arith::RemUIOp, arith::DivUIOp, arith::CeilDivUIOp, arith::MinUIOp,
             arith::MaxUIOp, arith::BitcastOp>(op);
}

std::string HazardFinder::find(Operation *op) {
  if (auto convolution = dyn_cast<ConvolutionOpInterface>(op))
    return findInConvolution(convolution);
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
    return linalgOp.getNumReductionLoops() > 0 ? findInReduction(linalgOp) : "";
  if (hasPlacedSums(op))
    return findInPlacedSums(op);
  if (passesNumbers(op) || isInSum(op))
    return "";
  for (Value result : op->getResults()) {
    Type type = getElementTypeOrSelf(result.getType());
    // Arithmetic of wide integers may wrap on purpose; conversions do not.
    bool mayWrap = isa<arith::TruncIOp, arith::FPToSIOp, arith::FPToUIOp>(op) ||
                   (strict && isNarrowInteger(type) && !neverWraps(op));
    if (isNarrowFloat(type) || (isa<IntegerType>(type) && mayWrap))
      return op->getNumResults() == 1 ? findInElements(op, type)
                                      : findInUnknown(op, type);
  }
  return "";
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
