//===- LoopStates.h - What iterations find in other tensors -----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_CERTIFY_READERS_LOOPSTATES_H
#define CONVOY_LIB_CERTIFY_READERS_LOOPSTATES_H

#include "../Evaluator/SymbolicEvaluator.h"

namespace mlir::convoy::certify {

/// `next`, what an iteration makes of `carried`, with what iterations before it
/// left of the loop's other tensors in the place of reads of these. `context`
/// holds in the iteration.
FailureOr<Pieces> resolveStates(SymbolicEvaluator &evaluator, Pieces next,
                                BlockArgument carried, const System &context);

} // namespace mlir::convoy::certify

#endif // CONVOY_LIB_CERTIFY_READERS_LOOPSTATES_H
