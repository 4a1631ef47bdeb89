//===- ApplyPolicy.cpp - Choose the type of convolutions' sums --*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Dialect/Convoy/IR/Convoy.h"
#include "convoy/Transforms/Convolution/Passes.h"
#include "convoy/Transforms/Convolution/Patterns.h"
#include "convoy/Transforms/Utils/ConstantElements.h"

#include "llvm/Support/Format.h"

#include <algorithm>
#include <cmath>

namespace mlir::convoy {
#define GEN_PASS_DEF_APPLYPOLICYPASS
#include "convoy/Transforms/Convolution/Passes.h.inc"
} // namespace mlir::convoy

using namespace mlir;
using namespace mlir::convoy;

/// A bound takes fewer than 16 operations on numbers that are not negative,
/// each of which loses at most one part in 2^53.
static constexpr double kRoundedUp = 1 + 16 * 0x1p-53;

namespace {
/// Magnitudes of the finite values of one operand that are not zero.
struct Magnitudes {
  double smallest, largest;
};
} // namespace

static Magnitudes getMagnitudes(ArrayRef<double> range, FloatType type) {
  auto [low, high] = std::minmax({std::abs(range[0]), std::abs(range[1])});
  if (range[0] > 0 || range[1] < 0)
    return {low, high};
  return {APFloat::getSmallest(type.getFloatSemantics()).convertToDouble(),
          high};
}

/// The largest magnitude of the elements of `tensor`, or nothing where they are
/// not constant.
static std::optional<double> getLargestMagnitude(Value tensor) {
  Attribute constant = getConstantElements(tensor);
  if (auto number = dyn_cast_or_null<FloatAttr>(constant))
    return std::abs(number.getValueAsDouble());
  auto elements = dyn_cast_or_null<DenseFPElementsAttr>(constant);
  if (!elements)
    return std::nullopt;
  double largest = 0;
  for (const APFloat &value : elements.getValues<APFloat>())
    largest = std::max(largest, std::abs(value.convertToDouble()));
  return largest;
}

static std::string toText(double value) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%g", value);
  return text;
}

/// Why a sum of `op` may overflow, vanish or lose its error bound in
/// `accumulator`, as one sentence; empty where it cannot.
static std::string findHazard(ConvolutionOpInterface op,
                              FloatType accumulator) {
  NumericsAttr numerics = op.getNumerics();
  if (!numerics.getInputRange() || !numerics.getFilterRange())
    return "expected input_range and filter_range";
  if (!op.hasStaticSizes())
    return "sizes are dynamic";
  std::optional<double> init = getLargestMagnitude(op.getInit());
  if (!init)
    return "the init is not constant";

  const llvm::fltSemantics &semantics = accumulator.getFloatSemantics();
  double unit = std::ldexp(1, -int(APFloat::semanticsPrecision(semantics)));
  double products =
      double(op.getConvShape().reductionLength(op.getDirection()));
  double length = products + (*init != 0 ? 1 : 0);
  if (length * unit >= 0.125)
    return "sums of " + toText(length) + " terms are too long, expected " +
           "fewer than " + toText(0.125 / unit);

  auto getFactor = [&](unsigned number, DenseF64ArrayAttr range) {
    Type type = getElementTypeOrSelf(op->getOperand(number).getType());
    return getMagnitudes(range.asArrayRef(), cast<FloatType>(type));
  };
  Magnitudes first = getFactor(0, numerics.getInputRange());
  Magnitudes second = getFactor(1, numerics.getFilterRange());
  double gamma = length * unit / (1 - length * unit);
  double sum = (*init + products * first.largest * second.largest) *
               (1 + gamma) * kRoundedUp;
  double largest = APFloat::getLargest(semantics).convertToDouble();
  if (!(sum < largest))
    return "sums may reach " + toText(sum) + ", expected less than " +
           toText(largest);
  double product = first.smallest * second.smallest;
  double smallest = APFloat::getSmallestNormalized(semantics).convertToDouble();
  if (product < smallest)
    return "products may be as small as " + toText(product) +
           ", expected at least " + toText(smallest);
  return "";
}

Type mlir::convoy::getPolicyAccumulator(ConvolutionOpInterface op,
                                        std::string &reason) {
  reason.clear();
  auto accumulator = dyn_cast<FloatType>(op.getAccumulatorType());
  if (!accumulator || accumulator.getWidth() >= 32)
    return op.getAccumulatorType();
  if (op.getNumerics().getPolicy() == Policy::Low) {
    reason = findHazard(op, accumulator);
    if (reason.empty())
      return accumulator;
  }
  return Float32Type::get(op->getContext());
}

/// Writes down the accumulator that the policy of `op` asks for.
static void applyPolicy(ConvolutionOpInterface op) {
  NumericsAttr numerics = op.getNumerics();
  Type declared = op.getAccumulatorType();
  std::string reason;
  Type accumulator = getPolicyAccumulator(op, reason);
  if (!reason.empty()) {
    op.emitRemark() << "sums in " << accumulator << " with policy low, not in "
                    << declared << ": " << reason;
    numerics = numerics.withPolicy(Policy::Normal);
  }
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
    getOperation()->walk([&](ConvolutionOpInterface op) {
      if (common)
        op.setNumericsAttr(op.getNumerics().withPolicy(*common));
      applyPolicy(op);
    });
  }
};
} // namespace
