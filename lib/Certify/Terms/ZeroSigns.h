//===- ZeroSigns.h - Ops that tell 0 from -0 --------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_CERTIFY_TERMS_ZEROSIGNS_H
#define CONVOY_LIB_CERTIFY_TERMS_ZEROSIGNS_H

#include "Expr.h"

namespace mlir::convoy::certify {

/// `operands` of the scalar op `name` as it tells them apart: where its result
/// is another number for 0 than for -0, what is left out of an operand and may
/// have changed the sign of a zero is made part of its expression.
SmallVector<ExprRef> showZeros(StringRef name, ArrayRef<ExprRef> operands);

/// Whether `expr` is a value that may be 0 in one function and -0 in another,
/// even if both have it as the same expression.
bool isOfUnknownSign(const Expr &expr);

/// `expr` as such an op sees it.
ExprRef showZeros(const ExprRef &expr);
/// What `expr` shows the zeros of, as ops see it that take 0 and -0 for one.
ExprRef hideZeros(const ExprRef &expr);
/// Whether `expr`, which shows its zeros, is never -0.
bool isNeverMinusZero(const ExprRef &expr);
/// Whether the sign of a zero that it is depends on zeros that were left out.
bool dependsOnZeros(const ExprRef &expr);

} // namespace mlir::convoy::certify

#endif // CONVOY_LIB_CERTIFY_TERMS_ZEROSIGNS_H
