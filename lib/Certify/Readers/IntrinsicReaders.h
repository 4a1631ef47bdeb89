//===- IntrinsicReaders.h - Elements that instructions make -----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_CERTIFY_READERS_INTRINSICREADERS_H
#define CONVOY_LIB_CERTIFY_READERS_INTRINSICREADERS_H

#include "../Evaluator/SymbolicEvaluator.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace mlir::convoy::certify {

/// Whether `op` calls an intrinsic whose meaning is known. It has no effects.
bool isKnownIntrinsic(Operation *op);

/// The element `at` of the only result of `op`.
FailureOr<Pieces> readIntrinsic(SymbolicEvaluator &evaluator,
                                LLVM::CallIntrinsicOp op,
                                ArrayRef<LinearExpr> at, const System &context);

} // namespace mlir::convoy::certify

#endif // CONVOY_LIB_CERTIFY_READERS_INTRINSICREADERS_H
