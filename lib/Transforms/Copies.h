//===- Copies.h - Generics that copy ----------------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_TRANSFORMS_COPIES_H
#define CONVOY_LIB_TRANSFORMS_COPIES_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::convoy {

/// Whether `op` copies its only input, element by element.
bool isCopy(linalg::GenericOp op);

/// Copies `source`, read at `map`, into all of the tensor `destination`, whose
/// dimensions are the loops.
linalg::GenericOp createCopy(OpBuilder &builder, Location loc, Value source,
                             AffineMap map, Value destination);

} // namespace mlir::convoy

#endif // CONVOY_LIB_TRANSFORMS_COPIES_H
