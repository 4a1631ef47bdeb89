//===- SumOfProducts.h - What a contraction computes ------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TRANSFORMS_UTILS_SUMOFPRODUCTS_H
#define CONVOY_TRANSFORMS_UTILS_SUMOFPRODUCTS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::convoy {

/// Whether `op` adds products of its two factors, or of their halves, to its
/// init, so that it adds nothing where a factor is zero.
bool isSumOfProducts(linalg::LinalgOp op);

/// Whether these are the products of halves of words: see PairProducts.h.
bool isSumOfPairs(linalg::LinalgOp op);

} // namespace mlir::convoy

#endif // CONVOY_TRANSFORMS_UTILS_SUMOFPRODUCTS_H
