//===- SumFacts.h - Facts about ops of sums ---------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_TRANSFORMS_UTILS_SUMFACTS_H
#define CONVOY_LIB_TRANSFORMS_UTILS_SUMFACTS_H

#include "convoy/Transforms/Utils/LoopValues.h"
#include "convoy/Transforms/Utils/Roundings.h"
#include "convoy/Transforms/Utils/TensorSlice.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::convoy {

inline bool isFloat(Type type) {
  return isa<FloatType>(getElementTypeOrSelf(type));
}

/// What the product of `a` and `b` is rounded by.
Roundings getProductRounding(Value a, Value b, Type type);

/// Whether each result of `op` has elements of its operands, and zeros, alone.
bool movesTerms(Operation *op);

/// The tensor that the elements of `slice` are of, past those of others.
Value getSource(tensor::ExtractSliceOp slice);

/// The same for one element.
Value getSource(tensor::ExtractOp element);

/// How many elements `op` reduces to one at most; nothing where that is not
/// known.
std::optional<uint64_t> getMostReduced(linalg::LinalgOp op,
                                       const KnownIndices &known);

/// Whether the elements of `buffer`, an argument that a kernel writes results
/// to, are those of another argument, or none, before it does.
bool startsAsArgument(Value buffer);

} // namespace mlir::convoy

#endif // CONVOY_LIB_TRANSFORMS_UTILS_SUMFACTS_H
