//===- Words.h - Numbers in the bits of an integer --------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_CERTIFY_TERMS_WORDS_H
#define CONVOY_LIB_CERTIFY_TERMS_WORDS_H

#include "Expr.h"

namespace mlir::convoy::certify {

/// What `arith.trunci` to `type` makes of `word`, or of it after `arith.shrui`,
/// in whose bits there a number of no more bits was put: that number, be it
/// alone or between others, zero where there is none. Else null.
ExprRef takeLow(Type type, const ExprRef &word);

/// What `arith.shrsi` by `shift` makes of `word`, above whose low bits another
/// number was put, up to the sign of the word: that number, zero where there is
/// none. Else null.
ExprRef takeHigh(const ExprRef &word, const ExprRef &shift);

/// What `arith.bitcast` to `type` makes of the bits of such a number: that
/// number, widened or narrowed where its bits are. Else null.
ExprRef castBits(Type type, const ExprRef &value);

} // namespace mlir::convoy::certify

#endif // CONVOY_LIB_CERTIFY_TERMS_WORDS_H
