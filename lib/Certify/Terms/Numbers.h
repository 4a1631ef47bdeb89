//===- Numbers.h - What scalar ops make of numbers --------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_CERTIFY_TERMS_NUMBERS_H
#define CONVOY_LIB_CERTIFY_TERMS_NUMBERS_H

#include "Expr.h"

#include <variant>

namespace mlir::convoy::certify {

/// A number of floating point, or an infinity.
struct Real {
  /// Without rounding to its type.
  double value;
  /// How far rounding may move it: of constants, of which another function may
  /// have the product, and of what is made of them. Whole numbers have none.
  double slack = 0;

  /// A constant; nothing for what is no number, or none of `double`.
  static std::optional<Real> get(const llvm::APFloat &constant);
};

/// Integers of at most 64 bits have a sign; a bit that is set is -1.
using Number = std::variant<int64_t, Real>;

/// Whether `a` and `b`, of one type, are different however they are rounded.
bool areApart(const Number &a, const Number &b);

/// As in `3` and `0.25`.
std::string toString(const Number &number);

/// `value` as a number of `type`.
Number makeNumber(int64_t value, Type type);

/// What the op that `apply` stands for makes of `operands`. Nothing if it is
/// not known, has more attributes than are understood, or overflows.
std::optional<Number> applyToNumbers(const Expr &apply,
                                     ArrayRef<Number> operands);

/// The sum of two numbers of `type`, if it is none that overflows.
std::optional<Number> addNumbers(Type type, const Number &a, const Number &b);

/// What a maximum or minimum by the op `name` takes of two numbers of `type`.
/// Nothing if that is not known.
std::optional<Number> chooseNumber(StringRef name, Type type, const Number &a,
                                   const Number &b);

} // namespace mlir::convoy::certify

#endif // CONVOY_LIB_CERTIFY_TERMS_NUMBERS_H
