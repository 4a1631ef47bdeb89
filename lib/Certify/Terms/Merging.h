//===- Merging.h - Fewer cases that say the same ----------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_CERTIFY_TERMS_MERGING_H
#define CONVOY_LIB_CERTIFY_TERMS_MERGING_H

#include "Pieces.h"

namespace mlir::convoy::certify {

/// Takes locals out of `piece` that nothing needs, where `context` holds alone
/// is it to stay the same; returns false if it holds nowhere.
bool compact(Piece &piece, const System &context = {});
/// The same of the terms of sums and extrema in `expr`, of which there are
/// fewer then, as mergeNeighbours makes them.
ExprRef compactTerms(Solver &solver, const ExprRef &expr,
                     const System &context);
/// Drops inequalities from `domain`, one by one, that `mayDrop` allows and that
/// the rest and `around` imply, as `implies` says.
void dropIfImplied(
    System &domain, const System &around,
    llvm::function_ref<bool(const Constraint &)> mayDrop,
    llvm::function_ref<bool(const System &, const Constraint &)> implies);
/// Drops constraints of many terms from `domain` that the others and `around`
/// imply, but for what that says of `locals`, which may stand for something
/// else there: what is left where one write of many comes before another.
void dropImplied(Solver &solver, System &domain, ArrayRef<Var> locals,
                 const System &around);

/// Makes one piece of each two that lie side by side, a linear form apart, and
/// whose values are one expression of that form: the rows of an unrolled tile
/// are one tile again.
void mergeNeighbours(Pieces &pieces);
/// The same of the terms of a sum, or of an extremum.
void mergeNeighbours(Families &families);

} // namespace mlir::convoy::certify

#endif // CONVOY_LIB_CERTIFY_TERMS_MERGING_H
