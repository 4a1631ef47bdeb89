//===- Fills.h - Tensors that are filled with one value ---------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TRANSFORMS_UTILS_FILLS_H
#define CONVOY_TRANSFORMS_UTILS_FILLS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"

namespace mlir::convoy {

/// The sizes of the only result of `op`, static or those of operands, for the
/// tensor that takes its place.
SmallVector<OpFoldResult> getResultSizes(OpBuilder &builder,
                                         ReifyRankedShapedTypeOpInterface op);

/// A tensor of `sizes` that holds zeros of type `element`.
Value createZeros(OpBuilder &builder, Location loc,
                  ArrayRef<OpFoldResult> sizes, Type element);

/// What fills `tensor`, if nothing else uses what it fills; null otherwise. Who
/// computes the tensor part by part may fill it part by part in its place.
linalg::FillOp getOwnFill(Value tensor);

/// What fills `buffer` right before `op`, if nothing between them may access
/// memory; null otherwise.
linalg::FillOp findFillBefore(Operation *op, Value buffer);

/// `tensor` filled with what `fill` fills with; as it is where that is null.
Value fillAs(OpBuilder &builder, Location loc, linalg::FillOp fill,
             Value tensor);

} // namespace mlir::convoy

#endif // CONVOY_TRANSFORMS_UTILS_FILLS_H
