//===- ElementErrors.cpp - Errors of elementwise ops ------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ErrorAnalysis.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/TypeSwitch.h"

#include <algorithm>
#include <cmath>

using namespace mlir;
using namespace mlir::convoy;

using Operands = ArrayRef<BoundedMagnitude>;

double mlir::convoy::getRoundingError(double largest, FloatType type) {
  return getUnitRoundoff(type) * largest + getSmallest(type) / 2;
}

/// What a function of math itself is off by, in f32 or the wider `type`: at
/// most `units` of the last place of numbers up to `largest`.
static double getFunctionError(double units, double largest, Type type) {
  bool isDouble = getElementTypeOrSelf(type).isF64();
  return units * largest * (isDouble ? 0x1p-52 : 0x1p-23);
}

/// What an error of the operand, and none of its own, makes of the result of a
/// function of math; infinite for others.
static double getInheritedError(Operation *op, const BoundedMagnitude &x,
                                double largestResult) {
  // No function is steeper than this between the operand and what it should be.
  auto scale = [&](double steepest) {
    return x.error == 0 ? 0 : steepest * x.error;
  };
  return llvm::TypeSwitch<Operation *, double>(op)
      .Case<math::ExpOp, math::Exp2Op>(
          [&](Operation *) { return scale(largestResult); })
      .Case([&](math::LogOp) { return scale(1 / x.smallest); })
      .Case([&](math::SqrtOp) {
        // Of zero it is infinitely steep, and nowhere further off than that.
        return std::min(scale(0.5 / std::sqrt(x.smallest)), std::sqrt(x.error));
      })
      .Case([&](math::RsqrtOp) {
        return scale(0.5 * std::pow(x.smallest, -1.5));
      })
      .Case([&](math::TanhOp) { return scale(1); })
      .Case([&](math::ErfOp) { return scale(1.13); })
      .Default([](Operation *) { return INFINITY; });
}

/// The error that a function of math adds, on any target: docs/Numerics.md.
static double getOwnError(Operation *op, const BoundedMagnitude &x,
                          double largestResult, Type type) {
  auto units = [&](double number) {
    return getFunctionError(number, largestResult, type);
  };
  return llvm::TypeSwitch<Operation *, double>(op)
      .Case<math::ExpOp, math::Exp2Op>(
          [&](Operation *) { return units(3 + 2 * x.largest); })
      .Case([&](math::LogOp) { return std::max(units(3), 0x1p-21); })
      .Case<math::SqrtOp, math::RsqrtOp>([&](Operation *) { return units(4); })
      // A quotient of sums of exponentials.
      .Case([&](math::TanhOp) { return units(4 * (3 + 2 * x.largest)); })
      .Case([&](math::ErfOp) { return units(6); })
      .Default([](Operation *) { return INFINITY; });
}

/// Ops whose results have no rounding of their own; infinite for others.
static double getExactOpError(Operation *op, Operands operands) {
  auto most = [&] {
    double error = 0;
    for (const BoundedMagnitude &operand : operands)
      error = std::max(error, operand.error);
    return error;
  };
  return llvm::TypeSwitch<Operation *, double>(op)
      .Case<arith::ExtFOp, arith::NegFOp, arith::MaximumFOp, arith::MinimumFOp,
            arith::MaxNumFOp, arith::MinNumFOp, math::AbsFOp>(
          [&](Operation *) { return most(); })
      .Case<math::FloorOp, math::CeilOp, math::RoundOp, math::RoundEvenOp,
            math::TruncOp, arith::FPToSIOp>([&](Operation *) {
        double error = most();
        return error == 0 ? 0 : error + 1;
      })
      .Default([](Operation *) { return INFINITY; });
}

/// What operands that are off make of the results of arithmetic, without its
/// rounding; infinite for others. Operands and what they should be lie in the
/// same ranges.
static double getArithmeticError(Operation *op, Operands operands) {
  auto scale = [](double error, double factor) {
    return error == 0 ? 0 : error * factor;
  };
  return llvm::TypeSwitch<Operation *, double>(op)
      .Case<arith::AddFOp, arith::SubFOp>(
          [&](Operation *) { return operands[0].error + operands[1].error; })
      .Case([&](arith::MulFOp) {
        return scale(operands[1].error, operands[0].largest) +
               scale(operands[0].error, operands[1].largest);
      })
      .Case([&](arith::DivFOp) {
        const BoundedMagnitude &divisor = operands[1];
        double inverse = 1 / divisor.smallest;
        return scale(operands[0].error, inverse) +
               scale(divisor.error, operands[0].largest * inverse * inverse);
      })
      .Case<arith::TruncFOp, arith::SIToFPOp, arith::UIToFPOp>(
          [&](Operation *) { return operands[0].error; })
      .Default([](Operation *) { return INFINITY; });
}

double mlir::convoy::getElementError(Operation *op, Operands operands,
                                     double largestResult, Type type) {
  auto floatType = dyn_cast<FloatType>(getElementTypeOrSelf(type));
  bool areExact = llvm::all_of(
      operands, [](const BoundedMagnitude &x) { return x.error == 0; });
  // Integers are computed exactly, or wrap around on purpose.
  if (!floatType && areExact)
    return 0;
  double error = getExactOpError(op, operands);
  if (std::isfinite(error) || !floatType)
    return error;
  error = getArithmeticError(op, operands);
  if (!std::isfinite(error) && operands.size() == 1)
    error = getInheritedError(op, operands[0], largestResult) +
            getOwnError(op, operands[0], largestResult, type);
  return error + getRoundingError(largestResult, floatType);
}
