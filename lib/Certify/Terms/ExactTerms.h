//===- ExactTerms.h - Sums and products in exact arithmetic -----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_CERTIFY_TERMS_EXACTTERMS_H
#define CONVOY_LIB_CERTIFY_TERMS_EXACTTERMS_H

#include "Arithmetic.h"
#include "Pieces.h"

namespace mlir::convoy::certify {

/// `expr` as a sum of multiples of what it adds up, the same terms added to one
/// multiple; products of sums stay, and what has a name, but for what
/// `expansion` says. `context`, where it is meant, is no condition of a term.
/// `arithmetic` is exact.
ExprRef collectTerms(Solver &solver, const ExprRef &expr, const System &context,
                     Arithmetic arithmetic, Expansion expansion);

/// Two expressions, both multiplied by the same whole number.
struct ExactPair {
  ExprRef first, second;
  DynamicAPInt factor;
};

/// `first` and `second` multiplied out, as sums of products of elements with
/// whole coefficients that are meant where `context` holds. Nothing where the
/// coefficients are no numbers of f64.
std::optional<ExactPair> multiplyOut(Solver &solver, const ExprRef &first,
                                     const ExprRef &second,
                                     const System &context,
                                     Arithmetic arithmetic);

/// Makes one piece of `pieces`, which are all of a tensor within `bounds`, if
/// some of them are zero: the sum of the others, each where it holds.
void joinZeros(Solver &solver, Pieces &pieces, const System &bounds);

/// Whether `pieces`, which are all of a value within `bounds`, are numbers that
/// are best read by a name, as sums are.
bool areWorthNaming(Solver &solver, const Pieces &pieces, const System &bounds);

/// `pieces` as elements at `indices` of a tensor or vector that `origin` makes
/// and that has a name.
ExprRef nameElements(ArrayRef<Var> indices, const Pieces &pieces,
                     OpResult origin);

/// `pieces` with those in the place of named elements that these are, if
/// `expansion` says so.
Pieces expandNames(Solver &solver, const Pieces &pieces, Expansion expansion);

/// Whether a product in `expr` has sums as both its factors.
bool hasProductOfSums(const ExprRef &expr);

} // namespace mlir::convoy::certify

#endif // CONVOY_LIB_CERTIFY_TERMS_EXACTTERMS_H
