//===- SampleErrors.cpp - How far off samples may be ------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Positions, weights and sums are computed in f32, in the order that
// docs/Sampling.md has.
//
//===----------------------------------------------------------------------===//

#include "ErrorAnalysis.h"
#include "PlacedSums.h"

#include <algorithm>

using namespace mlir;
using namespace mlir::convoy;

/// How far a position along a dimension of `size` elements may be from that of
/// the coordinate which `grid` should be.
static double getPositionError(int64_t size, SamplePadding padding,
                               const BoundedMagnitude &grid) {
  if (ShapedType::isDynamic(size))
    return INFINITY;
  // Further out than the elements of a cubic sample reach, all samples with
  // zeros or a border around are the same.
  double farthest = ((grid.largest + 1) * double(size) + 1) / 2;
  if (padding != SamplePadding::Reflection)
    farthest = std::min(farthest, double(size) + 4);
  // Three roundings of the position, and one of what lies behind its point.
  double rounded = 0x1p-24 * (3.5 * farthest + 4);
  return rounded + grid.error * double(size) / 2;
}

double mlir::convoy::getSampleError(GridSampleOp op, const NumberRange &image,
                                    double imageError,
                                    const BoundedMagnitude &grid) {
  if (!image.isFinite)
    return INFINITY;
  NumberRange elements = getElements(image, op.getPadding());
  double spread = elements.high - elements.low;
  double weights = getSampleWeights(op.getMode());
  double error = weights * imageError;
  // Two samples are no further apart than that.
  double farthest = spread * weights;
  if (op.getMode() == SampleMode::Nearest || spread == 0)
    return error + farthest;
  double slope = getSteepestSlope(op.getMode()) * spread;
  double moved = 0;
  StringRef letters = op.getLayout().getInput();
  for (auto [letter, size] :
       llvm::zip_equal(letters, op.getInput().getType().getShape()))
    if (letter != 'n' && letter != 'c')
      moved += slope * getPositionError(size, op.getPadding(), grid);
  error +=
      std::min(moved, farthest) + getSampleRounding(op.getMode(), elements);
  auto type = cast<FloatType>(getElementTypeOrSelf(op.getType()));
  double largest = weights * elements.getLargest() + error;
  return type.isF32() ? error : error + getRoundingError(largest, type);
}
