//===- Fractions.h - Rational numbers behind constants ----------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_CERTIFY_TERMS_FRACTIONS_H
#define CONVOY_LIB_CERTIFY_TERMS_FRACTIONS_H

#include "Expr.h"

#include "mlir/Analysis/Presburger/Fraction.h"

namespace mlir::convoy::certify {

using presburger::Fraction;

/// `value`, which is finite and of 53 significant bits at most, as it is.
/// Nothing for other numbers.
std::optional<Fraction> getFraction(const llvm::APFloat &value);

/// The fraction that is rounded to `value` in its type and whose denominator
/// has no more than half as many bits: there is one at most from -1 to 1, and
/// the number itself if it is such a fraction. Where there is none, `value` as
/// it is.
std::optional<Fraction> getRoundedFraction(const llvm::APFloat &value);

/// `value` as a number of `type`; null where it is none.
TypedAttr makeFloat(const Fraction &value, FloatType type);

} // namespace mlir::convoy::certify

#endif // CONVOY_LIB_CERTIFY_TERMS_FRACTIONS_H
