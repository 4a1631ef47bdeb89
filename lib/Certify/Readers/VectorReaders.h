//===- VectorReaders.h - Elements of vectors --------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_CERTIFY_READERS_VECTORREADERS_H
#define CONVOY_LIB_CERTIFY_READERS_VECTORREADERS_H

#include "../Evaluator/SymbolicEvaluator.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace mlir::convoy::certify {

/// Whether the meaning of `op`, which has to do with vectors, is known.
bool isKnownVectorOp(Operation *op);

/// The element `at` of the only result of `op`, one of the vector dialect, in
/// the cases that `context` allows.
FailureOr<Pieces> readVectorOp(SymbolicEvaluator &evaluator, Operation *op,
                               ArrayRef<LinearExpr> at, const System &context);

/// The element `at` of the vector with the bits of `op`'s operand.
FailureOr<Pieces> readBitCast(SymbolicEvaluator &evaluator,
                              vector::BitCastOp op, ArrayRef<LinearExpr> at,
                              const System &context);

/// The element `at` of the vector that `op` reads.
FailureOr<Pieces> readTransfer(SymbolicEvaluator &evaluator,
                               vector::TransferReadOp op,
                               ArrayRef<LinearExpr> at, const System &context);
/// The element `at` of the tensor that `op` leaves.
FailureOr<Pieces> readTransfer(SymbolicEvaluator &evaluator,
                               vector::TransferWriteOp op,
                               ArrayRef<LinearExpr> at, const System &context);

/// Where the element at `place` of the vector is transferred, and where not.
FailureOr<ConditionCases> getMaskCases(SymbolicEvaluator &evaluator,
                                       VectorTransferOpInterface op,
                                       ArrayRef<LinearExpr> place);

/// The element `at` of `mask`, a constant one or one of sizes.
FailureOr<Pieces> readMask(SymbolicEvaluator &evaluator, Value mask,
                           ArrayRef<LinearExpr> at, const System &context);

/// The indices that `op` accesses for the element at `place` of the vector,
/// where `starts` are its own.
SmallVector<LinearExpr> getAccessed(VectorTransferOpInterface op,
                                    ArrayRef<LinearExpr> starts,
                                    ArrayRef<LinearExpr> place);

} // namespace mlir::convoy::certify

#endif // CONVOY_LIB_CERTIFY_READERS_VECTORREADERS_H
