//===- IndexSums.h - Indices as sums of multiples ---------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_CERTIFY_BUFFERS_INDEXSUMS_H
#define CONVOY_LIB_CERTIFY_BUFFERS_INDEXSUMS_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/OpDefinition.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/ConstantRange.h"

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
};

/// What indices lie between, as far as the bounds of the loops around them and
/// the ops that compute them tell. What is not known lies between the least and
/// the greatest integer of 64 bits, at which sums and products stop.
class IndexRanges {
public:
  llvm::ConstantRange get(Value index);
  llvm::ConstantRange get(OpFoldResult index);
  llvm::ConstantRange get(const IndexSum &sum);

private:
  llvm::ConstantRange compute(Value index);
  llvm::ConstantRange get(AffineExpr expr, ValueRange dims, ValueRange symbols);
  llvm::ConstantRange getLoopIndex(BlockArgument index);
  /// Of the least or the greatest result of `map`.
  llvm::ConstantRange getExtremum(AffineMap map, ValueRange operands,
                                  bool isLeast);
  llvm::ConstantRange getChoice(arith::SelectOp op);
  llvm::ConstantRange getQuotient(Value dividend, Value divisor,
                                  bool isRemainder);
  /// Of an index of a loop from `low` to below `high`.
  llvm::ConstantRange getBetween(OpFoldResult low, OpFoldResult high,
                                 OpFoldResult step);

  DenseMap<Value, llvm::ConstantRange> known;
};

} // namespace mlir::convoy::certify

#endif // CONVOY_LIB_CERTIFY_BUFFERS_INDEXSUMS_H
