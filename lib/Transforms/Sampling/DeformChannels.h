//===- DeformChannels.h - Channels side by side -----------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_TRANSFORMS_SAMPLING_DEFORMCHANNELS_H
#define CONVOY_LIB_TRANSFORMS_SAMPLING_DEFORMCHANNELS_H

#include "convoy/Dialect/Convoy/IR/Convoy.h"

#include "mlir/IR/PatternMatch.h"

namespace mlir::convoy {

/// Whether `op` takes less time with the channels of all operands innermost
/// than with its own layouts: its samples are then vectors that are read at
/// once, and the filter is brought into the order of the multiplications once
/// for all tiles.
bool gainsByChannels(DeformConvOp op);

/// Emits by `emit` what `op` is of operands whose channels lie side by side,
/// copied where they do not, and brings the result back into the order of `op`.
Value emitAlongChannels(RewriterBase &rewriter, DeformConvOp op,
                        function_ref<Value(RewriterBase &, DeformConvOp)> emit);

} // namespace mlir::convoy

#endif // CONVOY_LIB_TRANSFORMS_SAMPLING_DEFORMCHANNELS_H
