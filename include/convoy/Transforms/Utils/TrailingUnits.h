//===- TrailingUnits.h - Tensors without trailing units ---------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TRANSFORMS_UTILS_TRAILINGUNITS_H
#define CONVOY_TRANSFORMS_UTILS_TRAILINGUNITS_H

#include "mlir/IR/Builders.h"

namespace mlir::convoy {

/// All of `tensor` as a slice whose last dimension is `dim`, where those after
/// it are of size 1, and no other can be taken for one of these; else `tensor`.
/// Vectors along `dim` then run along the last dimension, and are read and
/// written whole.
Value dropUnitsAfter(OpBuilder &builder, Location loc, Value tensor,
                     unsigned dim);

/// `slice`, what dropUnitsAfter made of `tensor`, with its shape again.
Value restoreUnits(OpBuilder &builder, Location loc, Value slice, Value tensor);

} // namespace mlir::convoy

#endif // CONVOY_TRANSFORMS_UTILS_TRAILINGUNITS_H
