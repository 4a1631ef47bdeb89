//===- Arithmetic.h - Which numbers are taken for equal ---------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_CERTIFY_TERMS_ARITHMETIC_H
#define CONVOY_LIB_CERTIFY_TERMS_ARITHMETIC_H

namespace mlir::convoy::certify {

/// How floating point is understood. Narrowing rounds in each of them.
enum class Arithmetic {
  AnyOrder,  ///< sums are formed in any order, of the products that there are
  Exact,     ///< a field: products of sums are multiplied out
  Fractions, ///< the same, where a constant is the fraction that it rounds, if
             ///< there is one of a small denominator
};

/// In the place of which names stands what they are of. With all of them,
/// products of sums are multiplied out.
enum class Expansion { Nothing, Vectors, All };

} // namespace mlir::convoy::certify

#endif // CONVOY_LIB_CERTIFY_TERMS_ARITHMETIC_H
