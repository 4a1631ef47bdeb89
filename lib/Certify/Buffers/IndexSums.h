//===- IndexSums.h - Indices as sums of multiples ---------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_CERTIFY_BUFFERS_INDEXSUMS_H
#define CONVOY_LIB_CERTIFY_BUFFERS_INDEXSUMS_H

#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/OpDefinition.h"
#include "llvm/ADT/MapVector.h"

namespace mlir::convoy::certify {

/// Indices times constants, and a constant.
struct IndexSum {
  llvm::MapVector<Value, int64_t> factors;
  int64_t constant = 0;

  /// What `index` is, as its ops say; an index that no sum makes is itself.
  static IndexSum get(OpFoldResult index);

  /// Adds `factor` times `other`; returns false where that overflows.
  [[nodiscard]] bool add(const IndexSum &other, int64_t factor);
  bool hasSameFactors(const IndexSum &other) const;
  /// The index that it is, made of what `mapping` has for its own indices.
  OpFoldResult make(OpBuilder &builder, Location loc,
                    const IRMapping &mapping = {}) const;
};

/// The number of the operand of which `expr`, of a map with `numDims`
/// dimensions, is the quotient or remainder by a positive constant, and that;
/// nothing if it is none.
std::optional<std::pair<unsigned, int64_t>>
getDivision(AffineExpr expr, AffineExprKind kind, unsigned numDims);

/// Makes quotients and remainders within sums of `affine.apply` indices of
/// their own, with what they are of these in the place of remainders.
void separateQuotients(Operation *root);

} // namespace mlir::convoy::certify

#endif // CONVOY_LIB_CERTIFY_BUFFERS_INDEXSUMS_H
