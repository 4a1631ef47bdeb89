//===- FloatBits.h - Conversions of floats done on bits ---------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_CERTIFY_TERMS_FLOATBITS_H
#define CONVOY_LIB_CERTIFY_TERMS_FLOATBITS_H

#include "Expr.h"

namespace mlir::convoy::certify {

/// Whether `condition` holds where `value` is no number, and only there.
bool asksForNone(const Expr &condition, const ExprRef &value);

/// The number whose bits, rounded to bf16 as integers, are `bits`, an integer
/// of 16 bits: the nearest, of two the even one, and a NaN for NaNs. Null where
/// they are others.
ExprRef matchRoundedBF16(const ExprRef &bits);

} // namespace mlir::convoy::certify

#endif // CONVOY_LIB_CERTIFY_TERMS_FLOATBITS_H
