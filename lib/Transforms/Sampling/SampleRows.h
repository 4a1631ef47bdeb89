//===- SampleRows.h - Positions once for all channels -----------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_TRANSFORMS_SAMPLING_SAMPLEROWS_H
#define CONVOY_LIB_TRANSFORMS_SAMPLING_SAMPLEROWS_H

#include "convoy/Dialect/Convoy/IR/Convoy.h"

#include "mlir/IR/PatternMatch.h"

namespace mlir::convoy {

/// As many samples of a row of `size` as are worked on at a time: a divisor of
/// that. What is kept of their positions stays in a core's first cache.
int64_t getRowPart(int64_t size);

/// Whether `op` can sample a row at a time, and gains by it: its samples lie
/// row by row, there are several channels, and its image has static sizes and
/// rows behind each other.
bool hasSampleRows(GridSampleOp op);

/// Emits loops over the rows of samples: each first finds out for a part of the
/// row which elements it reads, and with which weights, and keeps that in
/// tensors, from which it samples all channels. Returns the samples.
Value emitSampleRows(RewriterBase &rewriter, GridSampleOp op);

} // namespace mlir::convoy

#endif // CONVOY_LIB_TRANSFORMS_SAMPLING_SAMPLEROWS_H
