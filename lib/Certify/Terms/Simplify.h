//===- Simplify.h - Scalar ops with simpler values --------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_CERTIFY_TERMS_SIMPLIFY_H
#define CONVOY_LIB_CERTIFY_TERMS_SIMPLIFY_H

#include "Expr.h"

namespace mlir::convoy::certify {

/// An expression for what the scalar op `name`, which has no attributes, makes
/// of `operands`, with the same value for all finite values of arguments; null
/// where there is none that is simpler.
ExprRef simplify(StringRef name, Type type, ArrayRef<ExprRef> operands);

/// What MLIR's folder makes of the scalar op `name` for those of `operands`
/// that are constants: a constant, or one of the others. Null where it does not
/// fold, or `operands` may be no numbers.
ExprRef fold(StringRef name, DictionaryAttr attributes, Type type,
             ArrayRef<ExprRef> operands);

/// `constant` as the wider type `type`, or the narrower integer type, holds it,
/// which `name` converts it to; null for other conversions.
TypedAttr convertConstant(StringRef name, TypedAttr constant, Type type);

/// Whether the scalar op `name` has the same value of its two operands the
/// other way around, where these are finite.
bool commutes(StringRef name);

/// Whether `expr` is the constant one.
bool isOne(const ExprRef &expr);

/// Whether `expr` is a sum of integers, some of them cut off, in an order that
/// their shapes alone determine.
bool isSumOfPlaces(const Expr &expr);

/// `expr`, an integer, with the other sign.
ExprRef negate(const ExprRef &expr);

/// Whether `expr`, which isFinite, is made of what may overflow.
bool isComputed(const ExprRef &expr);

/// Whether `expr` is a number wherever arguments are, or an infinity: no NaN.
bool isNumber(const ExprRef &expr);

/// Whether the one term of `family` is there everywhere.
bool isEverywhere(const Family &family);

/// Whether the scalar op `name` takes the greatest or the least of its
/// operands.
bool isExtremum(StringRef name);
/// Whether `expr` is made by such an op.
bool isExtremum(const Expr &expr);
/// The op whose value a choice is, `operands` being a condition, what is chosen
/// where it holds, and else, all of them numbers: the condition compares these
/// two. Empty for others.
StringRef getChosenExtremum(ArrayRef<ExprRef> operands);
/// The terms of `expr` as an extremum by the op `name`: itself, if it is none.
Families getExtremumTerms(const ExprRef &expr, StringRef name);

} // namespace mlir::convoy::certify

#endif // CONVOY_LIB_CERTIFY_TERMS_SIMPLIFY_H
