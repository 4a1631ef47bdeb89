//===- PairProducts.h - Sums of two products of words -----------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A word of i32 holds two integers of 16 bits, so that what goes through
// tensors, tiles and vectors is one element. The product of two words is the
// sum of the products of their halves, as an instruction of x86 computes it
// (`pmaddwd`).
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TRANSFORMS_UTILS_PAIRPRODUCTS_H
#define CONVOY_TRANSFORMS_UTILS_PAIRPRODUCTS_H

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace mlir::convoy {

/// A word of `halves`, one or two numbers of i16: the first is its low half,
/// and the high half is zero where there is one.
Value createPair(OpBuilder &builder, Location loc, ValueRange halves);

/// `sum` and the products of both halves of the words `a` and `b`, all of i32,
/// wrapping around as i32 does.
Value createPairSum(OpBuilder &builder, Location loc, Value a, Value b,
                    Value sum);

/// The words whose halves are multiplied.
struct PairProduct {
  Value a, b;
};

/// The words whose products `add` sums, without the sum that they are added
/// to; nothing where it does something else.
std::optional<PairProduct> matchPairProduct(arith::AddIOp add);

} // namespace mlir::convoy

#endif // CONVOY_TRANSFORMS_UTILS_PAIRPRODUCTS_H
