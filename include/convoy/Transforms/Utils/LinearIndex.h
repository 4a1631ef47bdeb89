//===- LinearIndex.h - Indices as sums of multiples -------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TRANSFORMS_UTILS_LINEARINDEX_H
#define CONVOY_TRANSFORMS_UTILS_LINEARINDEX_H

#include "mlir/IR/AffineExpr.h"

namespace mlir::convoy {

/// What `expr` multiplies its dimensions and symbols by, and last the constant
/// it adds; nothing where it is more than their sum, as a quotient is.
std::optional<SmallVector<int64_t>>
getCoefficients(AffineExpr expr, unsigned numDims, unsigned numSymbols = 0);

} // namespace mlir::convoy

#endif // CONVOY_TRANSFORMS_UTILS_LINEARINDEX_H
