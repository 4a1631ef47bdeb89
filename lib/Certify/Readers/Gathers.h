//===- Gathers.h - Elements at computed places ------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_CERTIFY_READERS_GATHERS_H
#define CONVOY_LIB_CERTIFY_READERS_GATHERS_H

#include "../Evaluator/SymbolicEvaluator.h"
#include "../Terms/Places.h"

namespace mlir::convoy::certify {

/// Whether `index` is made of elements, not of indices and sizes alone.
bool isOfElements(Value index);

/// Whether an index of `op` is.
bool isGather(tensor::ExtractOp op);

/// The element of `tensor` at `places`, integers of at most 32 bits or indices,
/// which `op` reads where `facts` hold: there it lies inside.
FailureOr<Pieces> readAtPlaces(SymbolicEvaluator &evaluator, Operation *op,
                               Value tensor, ArrayRef<ExprRef> places,
                               const PlaceFacts &facts, const System &context);

} // namespace mlir::convoy::certify

#endif // CONVOY_LIB_CERTIFY_READERS_GATHERS_H
