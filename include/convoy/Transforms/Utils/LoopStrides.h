//===- LoopStrides.h - How far apart loops read -----------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TRANSFORMS_UTILS_LOOPSTRIDES_H
#define CONVOY_TRANSFORMS_UTILS_LOOPSTRIDES_H

#include "convoy/Dialect/Convoy/IR/Convoy.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::convoy {

/// How far apart in memory two steps of each loop lie, in elements: 0 where the
/// operand does not depend on the loop, nothing where the distance is dynamic.
using LoopStrides = SmallVector<std::optional<int64_t>>;

/// The distances for an operand that is read at `map`'s results and whose
/// dimensions are `dimStrides` apart; failure where `map` is not linear.
FailureOr<LoopStrides>
getLoopStrides(AffineMap map, ArrayRef<std::optional<int64_t>> dimStrides);

/// Where `rows` reads its input, if taps that are counted from the other end
/// are one: how far apart it reads does not depend on it.
AffineMap getIndexMapOfOneTap(Im2colOp rows);

/// The distances of the two factors and the result of `contraction`, whose
/// first operand is the im2col `rows`.
SmallVector<LoopStrides> getLoopStrides(linalg::GenericOp contraction,
                                        Im2colOp rows);

/// The bytes of an element of `tensor`.
int64_t getElementBytes(Value tensor);

} // namespace mlir::convoy

#endif // CONVOY_TRANSFORMS_UTILS_LOOPSTRIDES_H
