//===- WordVectors.h - Vectors of words -------------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_CONVERSION_UTILS_WORDVECTORS_H
#define CONVOY_CONVERSION_UTILS_WORDVECTORS_H

#include "convoy/Transforms/Utils/WordProducts.h"

namespace mlir::convoy {

/// Whether all words of `vector` are one: ARM's instructions take an element of
/// a vector for their last factor, and two rows for one of matrices.
bool isSplat(Value vector);

/// The parts of the words of `vector`, which has as many as fill it.
Value castToParts(OpBuilder &builder, Location loc, Value vector,
                  const WordParts &parts);

/// The parts of the lower halves of `words`, or with `half` 1 of the upper
/// ones, with any behind them where there are fewer than `lanes`.
Value takeHalves(OpBuilder &builder, Location loc, Value words,
                 const WordParts &parts, int64_t half, int64_t lanes);

/// The result of `instruction`, of `type`, for `operands`.
Value callDotInstruction(OpBuilder &builder, Location loc,
                         const ::convoy::CPUDotInstruction &instruction,
                         VectorType type, ValueRange operands);

} // namespace mlir::convoy

#endif // CONVOY_CONVERSION_UTILS_WORDVECTORS_H
