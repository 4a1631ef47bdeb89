//===- ScatterLoops.h - Sums at computed places -----------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_TRANSFORMS_SAMPLING_SCATTERLOOPS_H
#define CONVOY_LIB_TRANSFORMS_SAMPLING_SCATTERLOOPS_H

#include "convoy/Dialect/Convoy/IR/Convoy.h"

#include "mlir/IR/PatternMatch.h"

namespace mlir::convoy {

/// Builds a loop from `begin` to `end`, an index in each step, that carries
/// `sums`: `build` is given the index and what the step before has left.
Value emitSumLoop(OpBuilder &builder, Location loc, Value sums,
                  OpFoldResult begin, OpFoldResult end, int64_t step,
                  function_ref<Value(Value index, Value sums)> build);

/// Emits loops over the channels of the images of `op` and, in each, over its
/// samples. Returns the result.
Value emitScatterLoops(RewriterBase &rewriter, ScatterAddOp op);

} // namespace mlir::convoy

#endif // CONVOY_LIB_TRANSFORMS_SAMPLING_SCATTERLOOPS_H
