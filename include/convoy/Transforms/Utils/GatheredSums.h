//===- GatheredSums.h - Sums of elements from computed places ---*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TRANSFORMS_UTILS_GATHEREDSUMS_H
#define CONVOY_TRANSFORMS_UTILS_GATHEREDSUMS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::convoy {

/// The type that elements of `type` are added in: f32 for narrower floats.
Type getGatheredSumType(Type type);

/// `sum` and `term`, which is widened to the sum's type.
Value addGatheredTerm(OpBuilder &builder, Location loc, Value sum, Value term);

} // namespace mlir::convoy

#endif // CONVOY_TRANSFORMS_UTILS_GATHEREDSUMS_H
