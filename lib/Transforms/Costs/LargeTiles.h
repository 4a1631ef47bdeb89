//===- LargeTiles.h - Workgroups that fill a GPU ----------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_TRANSFORMS_COSTS_LARGETILES_H
#define CONVOY_LIB_TRANSFORMS_COSTS_LARGETILES_H

#include "convoy/Dialect/Convoy/IR/Convoy.h"
#include "convoy/Transforms/Utils/LoopStrides.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::convoy {

/// How many workgroups keep all of a GPU busy.
double getEnoughGroups(TargetAttr target);

/// The part of a GPU that so many workgroups keep busy until the last has run,
/// where parts of a reduction are to make enough of them.
double getBusyPart(TargetAttr target, double groups);

/// What is estimated of a contraction in a tile: what a multiply-add costs on a
/// GPU that is busy, and how many workgroups there are.
struct TileEstimate {
  double cost, groups;
};

/// What is estimated of `contraction` in its best tile, if there is one, with
/// each of its loops divided into so many parts; none is where `counts` is
/// empty.
std::optional<TileEstimate> estimateParts(TargetAttr target,
                                          linalg::GenericOp contraction,
                                          ArrayRef<LoopStrides> strides,
                                          ArrayRef<int64_t> counts);

/// The workgroups of `contraction` in tiles so large that they read little for
/// what they compute.
double countLargeTiles(TargetAttr target, linalg::GenericOp contraction,
                       ArrayRef<LoopStrides> strides);

} // namespace mlir::convoy

#endif // CONVOY_LIB_TRANSFORMS_COSTS_LARGETILES_H
