//===- PaddedReads.h - Where nothing but padding is read --------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_TRANSFORMS_CPUTILES_PADDEDREADS_H
#define CONVOY_LIB_TRANSFORMS_CPUTILES_PADDEDREADS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::convoy {

/// Along one dimension of a tensor padded with zeros, where a part of it is
/// read: from Σ coefficient * operand + constant on. Nothing but padding is
/// read there unless least <= start < end.
struct PaddedRead {
  SmallVector<Value> operands;
  SmallVector<int64_t> coefficients;
  int64_t constant, least, end;

  /// Whether the start depends on what is in `op`.
  bool variesIn(Operation *op) const;
  /// Whether more than padding is read.
  Value isRead(OpBuilder &builder, Location loc) const;
  /// Lets `loop` run where more than padding is read, if it steps by one
  /// through the starts; says whether it does.
  bool narrow(RewriterBase &rewriter, scf::ForOp loop) const;

private:
  /// The start, or `without` its operand of that number, as an expression of
  /// all operands.
  AffineExpr getStart(MLIRContext *context,
                      std::optional<unsigned> without = std::nullopt) const;
};

/// The dimensions of what is padded in which some iteration of the loops around
/// reads nothing but padding through `factor`, and some other reads more.
SmallVector<PaddedRead> findPaddedReads(Value factor);

} // namespace mlir::convoy

#endif // CONVOY_LIB_TRANSFORMS_CPUTILES_PADDEDREADS_H
