//===- FloatRanges.h - What floating point lies between ---------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_CERTIFY_TERMS_FLOATRANGES_H
#define CONVOY_LIB_CERTIFY_TERMS_FLOATRANGES_H

#include "Expr.h"

namespace mlir::convoy::certify {

/// Whether, whatever the arguments hold, what is cut off to an integer in
/// `place` is a number that this integer can be, and maxima and minima in it
/// are of numbers.
bool isOfNumbers(const ExprRef &place);

} // namespace mlir::convoy::certify

#endif // CONVOY_LIB_CERTIFY_TERMS_FLOATRANGES_H
