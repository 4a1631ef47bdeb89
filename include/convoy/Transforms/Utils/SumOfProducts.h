//===- SumOfProducts.h - What a contraction computes ------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TRANSFORMS_UTILS_SUMOFPRODUCTS_H
#define CONVOY_TRANSFORMS_UTILS_SUMOFPRODUCTS_H

#include "convoy/Transforms/Utils/WordProducts.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include <array>

namespace mlir::convoy {

/// Whether `op` adds products of its two factors, or of their parts, to its
/// init, so that it adds nothing where a factor is zero.
bool isSumOfProducts(linalg::LinalgOp op);

/// Of each factor of `op`, which adds products of them, whether its elements
/// are integers without a sign.
std::array<bool, 2> areFactorsUnsigned(linalg::LinalgOp op);

/// What the words hold whose parts `op` multiplies, the first factor's being
/// `a`; nothing where it multiplies no words.
std::optional<WordParts> getWordParts(linalg::LinalgOp op);

} // namespace mlir::convoy

#endif // CONVOY_TRANSFORMS_UTILS_SUMOFPRODUCTS_H
