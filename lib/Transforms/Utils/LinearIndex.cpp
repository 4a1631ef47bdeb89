//===- LinearIndex.cpp - Indices as sums of multiples -----------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Transforms/Utils/LinearIndex.h"

#include "mlir/Analysis/FlatLinearValueConstraints.h"

using namespace mlir;

std::optional<SmallVector<int64_t>>
mlir::convoy::getCoefficients(AffineExpr expr, unsigned numDims,
                              unsigned numSymbols) {
  SmallVector<int64_t> coefficients;
  // Quotients have coefficients of their own.
  if (failed(
          getFlattenedAffineExpr(expr, numDims, numSymbols, &coefficients)) ||
      coefficients.size() != numDims + numSymbols + 1)
    return std::nullopt;
  return coefficients;
}
