//===- ContiguousLoop.h - Loops over neighbours in memory -------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_TRANSFORMS_BUFFERS_CONTIGUOUSLOOP_H
#define CONVOY_LIB_TRANSFORMS_BUFFERS_CONTIGUOUSLOOP_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include <optional>

namespace mlir::convoy {

/// The parallel loop over which elements that `op` writes lie side by side, and
/// those that it reads, unless they are the same along it; where the innermost
/// loop of `op` is a reduction.
std::optional<unsigned> findContiguousLoop(linalg::GenericOp op);

/// The reduction over which elements that `op` reads lie side by side, unless
/// they are the same along it.
std::optional<unsigned> findContiguousSum(linalg::GenericOp op);

} // namespace mlir::convoy

#endif // CONVOY_LIB_TRANSFORMS_BUFFERS_CONTIGUOUSLOOP_H
