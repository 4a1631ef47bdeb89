//===- WorkgroupLoops.h - The loops around a tile ---------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_CONVERSION_TENSORTOGPU_WORKGROUPLOOPS_H
#define CONVOY_LIB_CONVERSION_TENSORTOGPU_WORKGROUPLOOPS_H

#include "convoy/Dialect/Convoy/IR/Convoy.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::convoy {

/// The loops that `convoy-tile-workgroups` leaves, taken apart.
struct WorkgroupLoops {
  /// The loop over tiles, null where there is one tile, and the slice that a
  /// tile writes.
  scf::ForallOp tiles;
  tensor::ParallelInsertSliceOp insert;
  /// The loop over parts of the reduction around it, or null, and the slice
  /// that a part writes.
  scf::ForallOp parts;
  tensor::ParallelInsertSliceOp partInsert;
  SmallVector<scf::ForOp> steps; ///< of the reduction, outermost first
  linalg::GenericOp contraction;
  WorkgroupTileAttr tile;

  /// What the contraction of a tile starts from and what it results in.
  Value getInit();
  Value getSum();
  /// What the workgroup writes.
  Value getResult() {
    return insert ? insert.getSource() : partInsert.getSource();
  }
};

/// Takes `outermost`, a loop over tiles or over parts of a reduction with a
/// tiled contraction in it, apart.
/// Emits an error where the loops are not those that the tile in it asks for.
FailureOr<WorkgroupLoops> matchWorkgroupLoops(scf::ForallOp outermost);

} // namespace mlir::convoy

#endif // CONVOY_LIB_CONVERSION_TENSORTOGPU_WORKGROUPLOOPS_H
