//===- TileBox.cpp - Sizes of one side of a tile --------------------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TileBox.h"

#include "convoy/Transforms/Utils/WorkgroupSides.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::convoy;

void mlir::convoy::fillBox(const Side &side, int64_t most, int64_t itemSize,
                           bool alongFirst, const TileBox &box, TileBox &best) {
  if (box.sizes.size() == side.extents.size()) {
    TileBox whole = box;
    whole.volume = getSideVolume(box.sizes, alongFirst, itemSize);
    whole.waste *= double(whole.volume) / double(box.volume);
    if (best.sizes.empty() || whole.waste * (1 + 1.0 / double(whole.volume)) <
                                  best.waste * (1 + 1.0 / double(best.volume)))
      best = whole;
    return;
  }
  int64_t extent = side.extents[box.sizes.size()];
  if (extent < 1)
    return;
  // From one size that there is to the next, down from the largest that fits.
  int64_t largest = std::max<int64_t>(1, most / box.volume);
  for (int64_t size = largest + 1; size > 1;) {
    int64_t parts = llvm::divideCeil(extent, size - 1);
    size = llvm::divideCeil(extent, parts);
    TileBox next = box;
    next.sizes.push_back(size);
    next.volume = getSideVolume(next.sizes, alongFirst, /*itemSize=*/1);
    if (next.volume > most)
      continue;
    int64_t padded = next.volume / box.volume;
    next.waste *=
        double(llvm::divideCeil(extent, size) * padded) / double(extent);
    fillBox(side, most, itemSize, alongFirst, next, best);
  }
}
