//===- BoundedFunctions.cpp - Functions of floats ---------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Rounding.h"

#include "llvm/ADT/StringRef.h"

#include <cfloat>

using namespace mlir;
using namespace mlir::convoy;

namespace {
/// A function of one float.
struct FloatFunction {
  StringRef name;
  double (*evaluate)(double);
  /// The error of our vectors (docs/Numerics.md) and of C's libraries, in units
  /// in the last place of the result, with room above what glibc's manual has
  /// ("Known Maximum Errors in Math Functions") and AMD's device library
  /// promises.
  double ulps;
  /// What Vulkan allows: units in the last place, more of them for each unit
  /// of |x|, and an absolute error ("Precision of GLSL.std.450 Instructions",
  /// and docs/Numerics.md for those that upstream expands).
  double vulkanUlps, vulkanUlpsOfX, vulkanError;
  /// Whether it only rises or only falls where it is defined. Other functions
  /// change by no more than their operand does.
  bool isMonotonic = true;
  /// The step functions below are exact, and jump.
  bool isStep = false;
};
} // namespace

static double reciprocal(double x) { return 1 / x; }
static double reciprocalRoot(double x) { return 1 / std::sqrt(x); }
static double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }
static double negate(double x) { return -x; }

// Vulkan's functions by formulas (tanh, sinh, cosh, ...) get what their
// exponentials and quotients may lose.
static constexpr FloatFunction kFunctions[] = {
    {"arith.negf", negate, 0, 0, 0, 0},
    {"math.absf", std::fabs, 0, 0, 0, 0, false},
    {"math.floor", std::floor, 0, 0, 0, 0, true, true},
    {"math.ceil", std::ceil, 0, 0, 0, 0, true, true},
    {"math.trunc", std::trunc, 0, 0, 0, 0, true, true},
    {"math.round", std::round, 0, 0, 0, 0, true, true},
    {"math.roundeven", std::nearbyint, 0, 0, 0, 0, true, true},
    {"math.exp", std::exp, 4, 3, 2, 0},
    {"math.exp2", std::exp2, 4, 3, 2, 0},
    {"math.expm1", std::expm1, 4, 3, 2, 4e-7},
    {"math.log", std::log, 4, 3, 0, 4.8e-7},
    {"math.log1p", std::log1p, 4, 3, 0, 6e-7},
    {"math.log2", std::log2, 4, 4, 0, 6.9e-7},
    {"math.log10", std::log10, 4, 4, 0, 4.8e-7},
    {"math.sqrt", std::sqrt, 1, 4, 0, 0},
    {"math.rsqrt", reciprocalRoot, 4, 2, 0, 0},
    {"math.cbrt", std::cbrt, 4, 16, 0, 0},
    {"math.sin", std::sin, 4, 0, 0, 4.9e-4, false},
    {"math.cos", std::cos, 4, 0, 0, 4.9e-4, false},
    {"math.atan", std::atan, 4, 4096, 0, 0},
    {"math.tanh", std::tanh, 8, 16, 8, 1e-6},
    {"math.erf", std::erf, 8, 16, 0, 1e-6},
    {"tosa.sigmoid", sigmoid, 8, 8, 2, 0},
    {"tosa.reciprocal", reciprocal, 1, 5, 0, 0},
};

/// How far `function` changes while its operand changes by `error`.
static double getChange(const FloatFunction &function, double x, double value,
                        double error) {
  if (error == 0)
    return 0;
  // What may be NaN stays so, also where all numbers have results close by.
  if (!std::isfinite(error))
    return kUnknown;
  if (!function.isMonotonic)
    return error;
  double below = function.evaluate(x - error);
  double above = function.evaluate(x + error);
  double change = std::max(std::abs(below - value), std::abs(above - value));
  // A pole, or an operand that may leave the domain.
  bool isPole = std::isnan(below) || std::isnan(above) ||
                (function.name == "tosa.reciprocal" && std::abs(x) <= error);
  return isPole ? kUnknown : change;
}

/// The error that the target's function adds, in f32 or a wider type: narrower
/// floats are widened for it.
static double getOwnError(const FloatFunction &function, double x, double value,
                          const Rounding &rounding) {
  // As 1 / (1 + exp(-x)), whose exponential may overflow.
  double largest = std::max<double>(rounding.largest, FLT_MAX);
  double lost =
      function.name == "tosa.sigmoid" && value * largest < 2 ? value : 0;
  double unit = std::min(rounding.unit, std::ldexp(1.0, -23));
  double ulp = 2 * unit * std::abs(value);
  if (!rounding.isVulkan)
    return function.ulps * ulp + lost;
  return (function.vulkanUlps + function.vulkanUlpsOfX * std::abs(x)) * ulp +
         function.vulkanError + lost;
}

static Algebra::Function getFunction(const FloatFunction &function,
                                     const Rounding &rounding) {
  return [=](ArrayRef<Scalar> operands) -> Scalar {
    BoundedFloat x = rounding.read(operands[0]);
    double value = function.evaluate(x.value);
    double change = getChange(function, x.value, value, x.error);
    double own = getOwnError(function, x.value, value, rounding);
    bool isExact = function.ulps == 0 || !std::isfinite(value);
    if (!std::isfinite(value))
      own = 0;
    return rounding.round(value, change + own, isExact);
  };
}

/// x^y: changes with both, largest at a corner.
static Algebra::Function getPower(const Rounding &rounding) {
  return [=](ArrayRef<Scalar> operands) -> Scalar {
    BoundedFloat x = rounding.read(operands[0]), y = rounding.read(operands[1]);
    double value = std::pow(x.value, y.value), change = 0;
    for (double dx : {-x.error, x.error})
      for (double dy : {-y.error, y.error}) {
        double corner = std::abs(std::pow(x.value + dx, y.value + dy) - value);
        if (!(corner <= change))
          change = std::isnan(corner) ? kUnknown : corner;
      }
    // Vulkan: exp2(y * log2(x)), whose exponent has its own error.
    double exponent = y.value * std::log2(std::abs(x.value));
    double ulps = rounding.isVulkan ? 16 + 16 * std::abs(exponent) : 4;
    double own = std::isfinite(value) && value != 0
                     ? ulps * 2 * rounding.unit * std::abs(value)
                     : 0;
    return rounding.round(value, change + own, false);
  };
}

static Algebra::Function getFusedProduct(const Rounding &rounding) {
  return [=](ArrayRef<Scalar> operands) -> Scalar {
    BoundedFloat a = rounding.read(operands[0]), b = rounding.read(operands[1]),
                 c = rounding.read(operands[2]);
    double product = a.value * b.value;
    double value = product + c.value;
    double error = c.error;
    if (a.error > 0 || b.error > 0)
      error += std::abs(a.value) * b.error + std::abs(b.value) * a.error +
               a.error * b.error;
    // A target may round twice.
    if (!rounding.has(product) || !rounding.has(value))
      error += rounding.unit * std::abs(product);
    return rounding.round(value, error, rounding.has(product));
  };
}

static Algebra::Function getCopySign(const Rounding &rounding) {
  return [=](ArrayRef<Scalar> operands) -> Scalar {
    BoundedFloat x = rounding.read(operands[0]), y = rounding.read(operands[1]);
    double error = x.error;
    if (y.error > 0 && std::abs(y.value) <= y.error)
      error += 2 * std::abs(x.value);
    return BoundedFloat(std::copysign(x.value, y.value), error);
  };
}

Algebra::Function mlir::convoy::resolveFloatFunction(StringRef name,
                                                     const Rounding &rounding) {
  for (const FloatFunction &function : kFunctions)
    if (function.name == name)
      return getFunction(function, rounding);
  if (name == "math.powf")
    return getPower(rounding);
  if (name == "math.fma")
    return getFusedProduct(rounding);
  if (name == "math.copysign")
    return getCopySign(rounding);
  return nullptr;
}
