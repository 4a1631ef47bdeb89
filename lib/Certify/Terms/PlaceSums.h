//===- PlaceSums.h - Places as sums of multiples ----------------*- C++ -*-===//
//-*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_CERTIFY_TERMS_PLACESUMS_H
#define CONVOY_LIB_CERTIFY_TERMS_PLACESUMS_H

#include "Places.h"

namespace mlir::convoy::certify {

/// A sum of multiples of integers, and a constant.
struct PlaceSum {
  SmallVector<std::pair<ExprRef, int64_t>> terms;
  int64_t constant = 0;
};

/// The integer `expr` of 32 bits as a sum in which nothing wraps around where
/// `facts` hold: of itself, if that is all that is known.
PlaceSum getPlaceSum(const ExprRef &expr, const PlaceFacts &facts);

} // namespace mlir::convoy::certify

#endif // CONVOY_LIB_CERTIFY_TERMS_PLACESUMS_H
