//===- Divisibility.h - Indices that are multiples --------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TRANSFORMS_UTILS_DIVISIBILITY_H
#define CONVOY_TRANSFORMS_UTILS_DIVISIBILITY_H

#include "mlir/IR/Value.h"

namespace mlir::convoy {

/// Whether `value`, of an integer type or `index`, is known to be a multiple of
/// `divisor`, a power of two, from the ops that compute it. Wrapping around
/// changes nothing in that.
bool isMultipleOf(Value value, int64_t divisor);

/// The divisors of `number`, the largest first: none where it is not positive,
/// and of one beyond 2^40, which no memory has room for, itself and 1 alone.
SmallVector<int64_t> getDivisors(int64_t number);

/// How many of `size` elements to take at a time, at most `most`, so that the
/// rest is not much smaller.
int64_t divideEvenly(int64_t size, int64_t most);

} // namespace mlir::convoy

#endif // CONVOY_TRANSFORMS_UTILS_DIVISIBILITY_H
