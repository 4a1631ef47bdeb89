//===- TileSteps.cpp - Steps of a tile along a reduction --------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TileSteps.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::convoy;

/// How many times shorter a step may be so that it divides its loop.
static constexpr int64_t kSlowStep = 8;
/// Elements for which a tile, or a step of the reduction, takes several images
/// of a batch that is not known: so few that a small batch does not waste much.
static constexpr int64_t kFewElements = 16;

SmallVector<int64_t> mlir::convoy::getExtents(linalg::GenericOp contraction,
                                              ArrayRef<LoopStrides> strides) {
  SmallVector<int64_t> extents = contraction.getStaticLoopRanges();
  unsigned numParallel = contraction.getNumParallelLoops();
  auto isAlike = [&](unsigned a, unsigned b) {
    return (a < numParallel) == (b < numParallel) &&
           (strides[0][a] == 0) == (strides[0][b] == 0) &&
           (strides[1][a] == 0) == (strides[1][b] == 0);
  };
  for (auto [loop, extent] : llvm::enumerate(extents)) {
    if (!ShapedType::isDynamic(extent))
      continue;
    int64_t elements = 1;
    for (unsigned other = 0; other < extents.size(); ++other)
      if (other != loop && isAlike(other, loop))
        elements =
            std::clamp<int64_t>(elements * extents[other], 1, kFewElements);
    extent = llvm::divideCeil(kFewElements, elements);
  }
  return extents;
}

void mlir::convoy::chooseSteps(linalg::GenericOp contraction,
                               ArrayRef<LoopStrides> strides,
                               ArrayRef<int64_t> extents, int64_t many,
                               int64_t most, WorkgroupTile &tile) {
  SmallVector<unsigned> loops;
  contraction.getReductionDims(loops);
  auto getStride = [&](unsigned loop) {
    return std::min(strides[0][loop].value_or(INT64_MAX),
                    strides[1][loop].value_or(INT64_MAX));
  };
  llvm::stable_sort(loops, [&](unsigned a, unsigned b) {
    return getStride(a) < getStride(b);
  });
  bool isWhole = true;
  for (unsigned loop : loops) {
    int64_t room = 1;
    if (isWhole && tile.terms < many)
      room = std::max<int64_t>(std::min(most, many) / tile.terms, 1);
    int64_t step = std::min(extents[loop], room);
    // A step that divides the loop needs no test for its end, and can be
    // certified. Where that is a short one, the whole loop may be.
    int64_t divisor = step;
    while (extents[loop] % divisor != 0)
      --divisor;
    bool isShort = 2 * divisor <= step;
    if (isShort && extents[loop] <= std::min(2 * room, most / tile.terms))
      step = extents[loop];
    else if (kSlowStep * divisor >= step)
      step = divisor;
    tile.sizes[loop] = step;
    tile.terms *= step;
    isWhole &= step == extents[loop];
  }
}
