//===- RingTerms.h - Sums of integers, multiplied out -----------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_CERTIFY_TERMS_RINGTERMS_H
#define CONVOY_LIB_CERTIFY_TERMS_RINGTERMS_H

#include "Expr.h"

namespace mlir::convoy::certify {

/// Two sums of integers of one type, which wrap around and so are a ring.
struct RingSums {
  Families first, second;
};

/// `first` and `second` with products of sums and differences multiplied out,
/// and terms that one side subtracts added to the other: the new sums are equal
/// just where these are, if they are equal in one of several ways to do so.
/// Empty where there is nothing to do.
SmallVector<RingSums> multiplyOut(const Families &first,
                                  const Families &second);

} // namespace mlir::convoy::certify

#endif // CONVOY_LIB_CERTIFY_TERMS_RINGTERMS_H
