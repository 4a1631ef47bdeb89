//===- WorkgroupSides.cpp - Both sides of a workgroup's tile ----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Transforms/Utils/WorkgroupSides.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::convoy;

SideLoops mlir::convoy::getSideLoops(linalg::GenericOp contraction,
                                     unsigned laneLoop,
                                     ArrayRef<int64_t> steps) {
  SmallVector<AffineMap> maps = contraction.getIndexingMapsArray();
  SideLoops sides;
  sides.laneFactor = maps[0].isFunctionOfDim(laneLoop) ? 0 : 1;
  sides.lanes.push_back(laneLoop);
  for (int64_t loop = contraction.getNumParallelLoops() - 1; loop >= 0;
       --loop) {
    if (loop == laneLoop || steps[loop] == 1)
      continue;
    if (!maps[sides.laneFactor].isFunctionOfDim(loop))
      sides.rows.push_back(loop);
    else if (!maps[1 - sides.laneFactor].isFunctionOfDim(loop))
      sides.lanes.push_back(loop);
  }
  return sides;
}

int64_t mlir::convoy::getSideVolume(ArrayRef<int64_t> steps, bool alongFirst,
                                    int64_t itemSize) {
  int64_t volume = 1;
  for (auto [number, size] : llvm::enumerate(steps))
    volume *=
        alongFirst && number == 0 ? llvm::alignTo(size, kVectorLanes) : size;
  return llvm::alignTo(volume, itemSize);
}
