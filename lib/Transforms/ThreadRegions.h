//===- ThreadRegions.h - What threads run without waiting -------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_TRANSFORMS_THREADREGIONS_H
#define CONVOY_LIB_TRANSFORMS_THREADREGIONS_H

#include "mlir/IR/Block.h"

namespace mlir::convoy {

/// Marks `scf.forall`, and `scf.for` around them, that threads can run one
/// after the other without waiting for each other, as long as each thread takes
/// the same iterations of an `scf.forall` whenever it runs: those in one block
/// with the same number.
constexpr StringLiteral kRegionAttrName = "convoy.region";

/// Marks the loops on tensors in `block`, a function's only one. Foralls in one
/// region write disjoint parts of one tensor, and read no more of what the
/// region writes than the slice that an iteration writes itself.
void markThreadRegions(Block &block);

} // namespace mlir::convoy

#endif // CONVOY_LIB_TRANSFORMS_THREADREGIONS_H
