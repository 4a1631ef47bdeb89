//===- ApplyPolicy.cpp - Choose the type of convolutions' sums --*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SumHazards.h"

#include "convoy/Transforms/Convolution/Passes.h"
#include "convoy/Transforms/Convolution/Patterns.h"

namespace mlir::convoy {
#define GEN_PASS_DEF_APPLYPOLICYPASS
#include "convoy/Transforms/Convolution/Passes.h.inc"
} // namespace mlir::convoy

using namespace mlir;
using namespace mlir::convoy;

/// The type that `low` would sum in: of f32 sums of narrower floats the init's,
/// where it holds the operands' values; else the declared one.
static FloatType getNarrowType(ConvolutionOpInterface op, FloatType declared) {
  auto init = dyn_cast<FloatType>(getElementTypeOrSelf(op.getInit().getType()));
  bool holdsFactors = llvm::all_of(ArrayRef<unsigned>{0, 1}, [&](unsigned n) {
    return holdsValuesOf(init, getElementTypeOrSelf(op->getOperand(n)));
  });
  return declared.isF32() && holdsFactors ? init : declared;
}

Type mlir::convoy::getPolicyAccumulator(ConvolutionOpInterface op,
                                        RangeAnalysis &ranges,
                                        std::string &reason) {
  reason.clear();
  auto accumulator = dyn_cast<FloatType>(op.getAccumulatorType());
  if (!accumulator)
    return op.getAccumulatorType();
  bool isLow = op.getNumerics().getPolicy() == Policy::Low;
  if (isLow)
    accumulator = getNarrowType(op, accumulator);
  if (accumulator.getWidth() >= 32)
    return accumulator;
  if (isLow) {
    reason = findSumHazard(op, accumulator, ranges);
    if (reason.empty())
      return accumulator;
  }
  return Float32Type::get(op->getContext());
}

/// Says what policy `low` has done, and why.
static void explainLow(ConvolutionOpInterface op, Type accumulator,
                       StringRef reason, RangeAnalysis &ranges) {
  if (!reason.empty()) {
    Type narrow = getNarrowType(op, cast<FloatType>(op.getAccumulatorType()));
    op.emitRemark() << "sums in " << accumulator << " with policy low, not in "
                    << narrow << ": " << reason;
    return;
  }
  auto lookup = [&](Value value) { return ranges.getRange(value); };
  std::optional<SumRange> sum = getSumRange(op, lookup);
  auto floatType = dyn_cast<FloatType>(accumulator);
  if (sum && floatType && floatType.getWidth() < 32)
    op.emitRemark() << "sums in " << accumulator << " with policy low: sums of "
                    << getNumberText(sum->length) << " products stay below "
                    << getNumberText(sum->getPeak(floatType));
}

/// Writes down the accumulator that the policy of `op` asks for.
static void applyPolicy(ConvolutionOpInterface op, RangeAnalysis &ranges) {
  NumericsAttr numerics = op.getNumerics();
  Type declared = op.getAccumulatorType();
  std::string reason;
  Type accumulator = getPolicyAccumulator(op, ranges, reason);
  if (numerics.getPolicy() == Policy::Low)
    explainLow(op, accumulator, reason, ranges);
  if (!reason.empty())
    numerics = numerics.withPolicy(Policy::Normal);
  if (accumulator != declared)
    numerics = numerics.withAccumulator(accumulator);
  op.setNumericsAttr(numerics);
}

namespace {
struct ApplyPolicyPass final
    : mlir::convoy::impl::ApplyPolicyPassBase<ApplyPolicyPass> {
  using Base::Base;

  void runOnOperation() override {
    std::optional<Policy> common = symbolizePolicy(policy);
    if (!common && !policy.empty()) {
      getOperation()->emitError()
          << "expected normal, high or low for policy, but got '" << policy
          << "'";
      return signalPassFailure();
    }
    SmallVector<ConvolutionOpInterface> convolutions;
    getOperation()->walk(
        [&](ConvolutionOpInterface op) { convolutions.push_back(op); });
    if (convolutions.empty())
      return;
    // Accumulators change the ranges of results: the narrow ones are proved on
    // ranges that hold for the wide ones and for them.
    RangeAnalysis ranges(getOperation());
    for (ConvolutionOpInterface op : convolutions) {
      NumericsAttr numerics = op.getNumerics();
      if (common && numerics.getPolicy() == Policy::Normal)
        op.setNumericsAttr(numerics.withPolicy(*common));
      applyPolicy(op, ranges);
    }
  }
};
} // namespace
