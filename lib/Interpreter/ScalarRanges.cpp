//===- ScalarRanges.cpp - Between which numbers results lie -----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What passes take for the ranges of numbers (Transforms/Numerics) is not used:
// where it was wrong, checks of what they make of it should say so.
//
//===----------------------------------------------------------------------===//

#include "ScalarRanges.h"

#include "convoy/Interpreter/BoundedFloat.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

#include <cmath>

using namespace mlir;
using namespace mlir::convoy;

namespace {
/// Numbers between two, which may be infinite.
struct ScalarRange {
  double low = -HUGE_VAL, high = HUGE_VAL;

  bool isFinite() const { return std::isfinite(low) && std::isfinite(high); }
  /// The least magnitude, of numbers that are all positive.
  double getLeast() const { return std::max(low, 0.0); }
};
} // namespace

/// What targets round, and what their functions may be off by, goes beyond a
/// range by at most this part of its numbers, or this.
static constexpr double kRounded = 0x1p-6;

static ScalarRange applyRising(double (*function)(double),
                               const ScalarRange &range) {
  return {function(range.low), function(range.high)};
}

static ScalarRange getQuotient(const ScalarRange &a, const ScalarRange &b) {
  if (a.low < 0 || b.getLeast() == 0)
    return {};
  return {std::isfinite(b.high) ? a.low / b.high : 0, a.high / b.low};
}

/// Between which numbers `value` lies for all finite arguments.
static ScalarRange getScalarRange(Value value, unsigned depth = 0) {
  constexpr unsigned MostDepth = 8;
  Operation *op = value.getDefiningOp();
  if (!op || depth == MostDepth)
    return {};
  FloatAttr constant;
  if (matchPattern(value, m_Constant(&constant)))
    return {constant.getValueAsDouble(), constant.getValueAsDouble()};
  auto get = [&](unsigned number) {
    return getScalarRange(op->getOperand(number), depth + 1);
  };
  return llvm::TypeSwitch<Operation *, ScalarRange>(op)
      .Case<math::AbsFOp, math::SqrtOp>(
          [](auto) { return ScalarRange{0, HUGE_VAL}; })
      .Case<math::TanhOp, math::ErfOp>([](auto) { return ScalarRange{-1, 1}; })
      .Case([&](math::ExpOp) { return applyRising(std::exp, get(0)); })
      .Case([&](math::Exp2Op) { return applyRising(std::exp2, get(0)); })
      .Case([&](math::Log1pOp) {
        ScalarRange range = get(0);
        return range.low >= 0 ? applyRising(std::log1p, range) : ScalarRange();
      })
      .Case([&](arith::NegFOp) {
        ScalarRange range = get(0);
        return ScalarRange{-range.high, -range.low};
      })
      .Case([&](arith::AddFOp) {
        ScalarRange a = get(0), b = get(1);
        return ScalarRange{a.low + b.low, a.high + b.high};
      })
      .Case([&](arith::DivFOp) { return getQuotient(get(0), get(1)); })
      .Case([&](arith::SelectOp) {
        ScalarRange a = get(1), b = get(2);
        return ScalarRange{std::min(a.low, b.low), std::max(a.high, b.high)};
      })
      .Default([](Operation *) { return ScalarRange(); });
}

/// `function`, whose result lies in `range` in exact arithmetic.
static Algebra::Function limitResult(Algebra::Function function,
                                     const ScalarRange &range) {
  double slack = kRounded * std::max({std::abs(range.low), std::abs(range.high),
                                      kRounded});
  return [=](ArrayRef<Scalar> operands) -> Scalar {
    BoundedFloat result(function(operands));
    // What may be no number may be anything.
    bool areKnown = llvm::all_of(operands, [](const Scalar &operand) {
      return std::isfinite(operand.error);
    });
    if (areKnown && std::isfinite(result.value)) {
      double most =
          std::max(range.high - result.value, result.value - range.low) + slack;
      if (!(result.error <= most))
        result.error = most;
    }
    return result;
  };
}

/// `function`, a quotient whose divisor is `least` or more.
static Algebra::Function limitDivisor(Algebra::Function function,
                                      double least) {
  return [=](ArrayRef<Scalar> operands) -> Scalar {
    BoundedFloat divisor(operands[1]);
    double room = std::abs(divisor.value) - least;
    if (!(room > 0 && divisor.error > room && std::isfinite(divisor.error)))
      return function(operands);
    // A divisor that is larger makes the quotient smaller, but no less than 0.
    BoundedFloat result(
        function({operands[0], BoundedFloat(divisor.value, room)}));
    result.error += std::abs(result.value) * (1 + kRounded);
    return result;
  };
}

Algebra::Function mlir::convoy::limitToRange(Algebra::Function function,
                                             Operation *op) {
  if (!isa<FloatType>(op->getResult(0).getType()))
    return function;
  if (isa<arith::DivFOp>(op))
    if (double least = getScalarRange(op->getOperand(1)).getLeast(); least > 0)
      function = limitDivisor(function, least * (1 - kRounded));
  ScalarRange range = getScalarRange(op->getResult(0));
  bool isConstant = op->getNumOperands() == 0;
  return range.isFinite() && !isConstant ? limitResult(function, range)
                                         : function;
}
