//===- IndexRanges.h - What indices lie between -----------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_CERTIFY_BUFFERS_INDEXRANGES_H
#define CONVOY_LIB_CERTIFY_BUFFERS_INDEXRANGES_H

#include "IndexSums.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/ConstantRange.h"

namespace mlir::convoy::certify {

/// An index divided by a constant, rounded down.
struct IndexQuotient {
  Value dividend;
  int64_t divisor;
};

/// What indices lie between, as far as the bounds of the loops around them and
/// the ops that compute them tell. What is not known lies between the least and
/// the greatest integer of 64 bits, at which sums and products stop.
class IndexRanges {
public:
  llvm::ConstantRange get(Value index);
  llvm::ConstantRange get(OpFoldResult index);
  llvm::ConstantRange get(const IndexSum &sum);

  /// What `index` is a quotient of, where the dividend is never negative.
  std::optional<IndexQuotient> getQuotient(Value index);

private:
  llvm::ConstantRange compute(Value index);
  /// The operand that is chosen in any case; null if it depends.
  Value getOnlyChoice(arith::SelectOp op);
  /// What `index` is behind choices that do not depend on anything.
  Value skipChoices(Value index);
  llvm::ConstantRange get(AffineExpr expr, ValueRange dims, ValueRange symbols);
  llvm::ConstantRange getLoopIndex(BlockArgument index);
  /// Of the least or the greatest result of `map`.
  llvm::ConstantRange getExtremum(AffineMap map, ValueRange operands,
                                  bool isLeast);
  llvm::ConstantRange getChoice(arith::SelectOp op);
  llvm::ConstantRange getRangeOfDivision(Value dividend, Value divisor,
                                         bool isRemainder);
  /// Of an index of a loop from `low` to below `high`.
  llvm::ConstantRange getBetween(OpFoldResult low, OpFoldResult high,
                                 OpFoldResult step);

  DenseMap<Value, llvm::ConstantRange> known;
};

} // namespace mlir::convoy::certify

#endif // CONVOY_LIB_CERTIFY_BUFFERS_INDEXRANGES_H
