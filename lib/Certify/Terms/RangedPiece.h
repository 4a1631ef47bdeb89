//===- RangedPiece.h - What forms lie between in a case ---------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_CERTIFY_TERMS_RANGEDPIECE_H
#define CONVOY_LIB_CERTIFY_TERMS_RANGEDPIECE_H

#include "Pieces.h"

#include <map>

namespace mlir::convoy::certify {

/// What a form lies between, if anything.
struct FormRange {
  std::optional<DynamicAPInt> lower, upper;

  bool operator==(const FormRange &other) const = default;
  bool isPoint() const { return lower && upper && *lower == *upper; }
};

/// By how much both bounds of `second` are greater than those of `first`.
std::optional<DynamicAPInt> getBoundShift(const FormRange &first,
                                          const FormRange &second);

/// A linear form without its constant.
using FormTerms = std::vector<std::pair<Var, DynamicAPInt>>;
/// What all forms of a domain lie between.
using FormRanges = std::map<FormTerms, FormRange>;

System getDomain(const FormRanges &ranges);

/// The unknown in the place of a local: no solver gives out as many.
inline Var getPlaceholder(unsigned number) { return (Var(1) << 31) + number; }

/// The locals of `piece` by their places, and the other way around.
DenseMap<Var, LinearExpr> getLocals(const Piece &piece);
DenseMap<Var, LinearExpr> getPlaceholders(const Piece &piece);

/// A piece and what says where it holds, with an unknown in the place of each
/// local that all pieces share.
struct RangedPiece {
  Piece piece;
  Operation *origin;
  FormRanges ranges;
  bool isJoined = false; ///< to another, which holds here now
};

/// The value of `second` with the locals of `first` in the place of its own.
ExprRef getValueIn(const RangedPiece &first, const RangedPiece &second);

/// Makes one piece of those of `pieces` that are the steps of an unrolled loop:
/// of 4*x, 4*x + 1, 4*x + 2 and 4*x + 3, where a local x takes all values
/// between two numbers.
void joinUnrolled(ArrayRef<RangedPiece *> pieces);

} // namespace mlir::convoy::certify

#endif // CONVOY_LIB_CERTIFY_TERMS_RANGEDPIECE_H
