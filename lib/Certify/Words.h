//===- Words.h - Integers that are halves of another ------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_CERTIFY_WORDS_H
#define CONVOY_LIB_CERTIFY_WORDS_H

#include "Expr.h"

namespace mlir::convoy::certify {

/// What `arith.trunci` to `type` makes of `word`, in whose low bits a number of
/// no more bits was put: that number, be it alone or below another one. Else
/// null.
ExprRef takeLow(Type type, const ExprRef &word);

/// What `arith.shrsi` by `shift` makes of `word`, above whose low bits another
/// number was put, up to the sign of the word: that number, zero where there is
/// none. Else null.
ExprRef takeHigh(const ExprRef &word, const ExprRef &shift);

} // namespace mlir::convoy::certify

#endif // CONVOY_LIB_CERTIFY_WORDS_H
