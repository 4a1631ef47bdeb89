//===- UnitDims.h - Adds and removes dimensions of size one -----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_CONVERSION_UTILS_UNITDIMS_H
#define CONVOY_CONVERSION_UTILS_UNITDIMS_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

namespace mlir::convoy {

/// `tensor`, whose dimensions are the letters of `word`, as a tensor whose
/// dimensions are those of `full`. `word` is `full` without some letters, which
/// get size 1. Moves no data; the tensor itself where the words are the same.
Value expandUnitDims(OpBuilder &builder, Location loc, Value tensor,
                     StringRef word, StringRef full);

/// The inverse: drops the unit dimensions of `full` that are not in `word`.
Value collapseUnitDims(OpBuilder &builder, Location loc, Value tensor,
                       StringRef word, StringRef full);

} // namespace mlir::convoy

#endif // CONVOY_CONVERSION_UTILS_UNITDIMS_H
