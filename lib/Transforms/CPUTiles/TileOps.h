//===- TileOps.h - Ops that compute register tiles --------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_TRANSFORMS_CPUTILES_TILEOPS_H
#define CONVOY_LIB_TRANSFORMS_CPUTILES_TILEOPS_H

#include "TileRows.h"

namespace mlir::convoy {

/// Whether `op` is marked as the op of a tile and computes one of static size.
bool isTile(Operation *op);

/// Whether every reduction of `op`, which computes a tile, has one term, or, if
/// lanes are summed, terms that are few enough to be unrolled; matrices have
/// any.
bool hasFewTerms(linalg::LinalgOp op);

} // namespace mlir::convoy

#endif // CONVOY_LIB_TRANSFORMS_CPUTILES_TILEOPS_H
