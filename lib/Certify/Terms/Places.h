//===- Places.h - Integers that say where to read ---------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_CERTIFY_TERMS_PLACES_H
#define CONVOY_LIB_CERTIFY_TERMS_PLACES_H

#include "Expr.h"

namespace mlir::convoy::certify {

/// The integers from `least` to `most`; none where it is greater.
struct PlaceRange {
  int64_t least, most;

  bool isEmpty() const { return least > most; }
  bool contains(const PlaceRange &other) const {
    return least <= other.least && other.most <= most;
  }
};

/// What integers of `type` lie between, with a sign.
PlaceRange getTypeRange(Type type);

PlaceRange add(const PlaceRange &a, const PlaceRange &b);
PlaceRange multiply(const PlaceRange &a, const PlaceRange &b);

/// The number that `expr` is, if it is a constant integer.
std::optional<int64_t> getInteger(const ExprRef &expr);

/// Comparisons, and whether they hold.
using PlaceFacts = SmallVector<std::pair<ExprRef, bool>>;

/// Adds to `facts` what `condition` says where it is `value`.
void addFacts(const ExprRef &condition, bool value, PlaceFacts &facts);

/// What the integer `expr` lies between, with a sign, where `facts` hold.
PlaceRange getPlaceRange(const ExprRef &expr, const PlaceFacts &facts = {});

/// `expr` where `facts` hold.
ExprRef assume(const ExprRef &expr, const PlaceFacts &facts);

/// What the scalar op `name` makes of `operands`, of which one is computed from
/// floating point, where their ranges tell; null where they do not.
ExprRef simplifyPlace(StringRef name, DictionaryAttr attributes, Type type,
                      ArrayRef<ExprRef> operands);

} // namespace mlir::convoy::certify

#endif // CONVOY_LIB_CERTIFY_TERMS_PLACES_H
