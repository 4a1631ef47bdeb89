//===- Rounding.h - What rounding to a type may change ----------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_INTERPRETER_ROUNDING_H
#define CONVOY_LIB_INTERPRETER_ROUNDING_H

#include "convoy/Interpreter/BoundedFloat.h"

#include "mlir/IR/BuiltinTypes.h"

#include <cmath>
#include <limits>

namespace mlir::convoy {

constexpr double kUnknown = std::numeric_limits<double>::infinity();

/// Rounding to one type of floats on one target. The letters are those of
/// docs/Numerics.md.
struct Rounding {
  Rounding(FloatType type, const TargetMath &target);

  /// Whether the type has `value`.
  bool has(double value) const;
  /// What an operand is that the target may flush to zero.
  BoundedFloat read(const Scalar &operand) const;
  /// A result that is `value` up to `error` before it is rounded; `isExact`
  /// where `value` has no error of its own in double.
  BoundedFloat round(double value, double error, bool isExact) const;

  int precision;            ///< p
  double unit, eta, lambda; ///< u and eta doubled as need be
  double largest;
  int minExponent;
  bool flushes, isVulkan;
  /// Whether what is far too large becomes infinite, whatever other ops it is
  /// computed with: the type has f32's range or more, and rounds to nearest.
  bool overflows;
};

/// The functions of one or two floats that are known by `name`; null for
/// others.
Algebra::Function resolveFloatFunction(StringRef name,
                                       const Rounding &rounding);

/// Conversions between floats and integers.
FailureOr<Algebra::Function>
resolveConversion(StringRef name, Type to, Type from, const TargetMath &target);

/// Ops on integers, conditions and indices.
FailureOr<Algebra::Function> resolveIntegerOp(StringRef name,
                                              DictionaryAttr attributes,
                                              Type type, ArrayRef<Type> types);

} // namespace mlir::convoy

#endif // CONVOY_LIB_INTERPRETER_ROUNDING_H
