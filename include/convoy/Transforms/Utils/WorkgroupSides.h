//===- WorkgroupSides.h - Both sides of a workgroup's tile ------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Who chooses a workgroup's tile and who makes its kernel count elements alike.
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TRANSFORMS_UTILS_WORKGROUPSIDES_H
#define CONVOY_TRANSFORMS_UTILS_WORKGROUPSIDES_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::convoy {

/// Lanes of a vector: every GPU reads, computes and writes as many elements at
/// once.
constexpr int64_t kVectorLanes = 4;

/// The loops of a contraction's result by the factor that has them alone.
struct SideLoops {
  unsigned laneFactor; ///< the operand with the loop of the lanes
  /// Its loops, that of the lanes first, and those of the other factor; the
  /// innermost first.
  SmallVector<unsigned> lanes, rows;
};

/// The loops of `contraction`, in which there are so many steps of each, by
/// factors. But for `laneLoop`, loops of one step are on no side.
SideLoops getSideLoops(linalg::GenericOp contraction, unsigned laneLoop,
                       ArrayRef<int64_t> steps);

/// The elements of a side whose loops have so many `steps`, rounded up to what
/// work-items have each. If `alongFirst`, vectors run along its first loop
/// alone, whose size is rounded up for that.
int64_t getSideVolume(ArrayRef<int64_t> steps, bool alongFirst,
                      int64_t itemSize);

} // namespace mlir::convoy

#endif // CONVOY_TRANSFORMS_UTILS_WORKGROUPSIDES_H
