//===- Slices.h - Where slices lie, and what they replace -------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_CERTIFY_READERS_SLICES_H
#define CONVOY_LIB_CERTIFY_READERS_SLICES_H

#include "../Evaluator/SymbolicEvaluator.h"

namespace mlir::convoy::certify {

/// A slice's place in the whole.
struct Box {
  SmallVector<LinearExpr> offsets;
  SmallVector<Size> sizes;
};
using BoxCases = Cases<Box>;

FailureOr<BoxCases> getBoxes(SymbolicEvaluator &evaluator,
                             OffsetSizeAndStrideOpInterface op);

/// The element `at` of `destination` with `source` in the place of the slice
/// that `op` names.
FailureOr<Pieces> readInserted(SymbolicEvaluator &evaluator,
                               OffsetSizeAndStrideOpInterface op, Value source,
                               Value destination,
                               const llvm::SmallBitVector &droppedDims,
                               ArrayRef<LinearExpr> at, const System &context);

/// `pieces` without what `op` replaces, which lies at `where`.
FailureOr<Pieces> dropReplaced(SymbolicEvaluator &evaluator, Pieces pieces,
                               const Part &where, const System &context,
                               Operation *op);

} // namespace mlir::convoy::certify

#endif // CONVOY_LIB_CERTIFY_READERS_SLICES_H
