//===- PlacedSums.h - Sums at places that an op names -----------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sums of neither convolutions nor reductions: of windows where they overlap,
// of padding, of samples and of what their gradients are made of.
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_TRANSFORMS_NUMERICS_PLACEDSUMS_H
#define CONVOY_LIB_TRANSFORMS_NUMERICS_PLACEDSUMS_H

#include "convoy/Dialect/Convoy/IR/Convoy.h"
#include "convoy/Transforms/Numerics/NumberRange.h"

namespace mlir::convoy {

/// Whether `op` has such sums.
bool hasPlacedSums(Operation *op);

/// The type that an op with such sums adds in.
Type getPlacedSumType(Operation *op);

/// The sums of such an op. Nothing where their length is not known.
std::optional<SumRange> getPlacedSums(Operation *op, RangeLookup lookup);

/// Whether sums have at most one term each, which is an element: nothing is
/// added then.
bool isMove(Operation *op, const SumRange &sum);

/// The elements of the result of such an op.
std::optional<NumberRange> getPlacedRange(Operation *op, RangeLookup lookup);

/// The operands that numbers of the result are made of: not those which say
/// where, nor what sums are added to.
SmallVector<Value> getTermOperands(Operation *op);

/// The sums of each op; the most of them.
std::optional<SumRange> getPlacedSums(GridSampleBackwardInputOp op,
                                      RangeLookup lookup);
std::optional<SumRange> getPlacedSums(GridSampleBackwardGridOp op,
                                      RangeLookup lookup);
std::optional<SumRange> getPlacedSums(DeformOpInterface op, RangeLookup lookup);

/// Samples of an image with elements of this range, not yet rounded to its
/// type. They hold no more than the image has, whatever the grid is.
NumberRange getSampleRange(GridSampleOp op, const NumberRange &image);

/// The numbers that samples are made of: elements, and zeros around them.
NumberRange getElements(const NumberRange &image, SamplePadding padding);

/// What the magnitudes of the weights of a sample add up to at most.
double getSampleWeights(SampleMode mode);

/// How fast a sample of elements that are 1 apart changes with its position
/// along a dimension at most, between jumps.
double getSteepestSlope(SampleMode mode);

/// What rounding changes weights, products and sums of a sample by.
double getSampleRounding(SampleMode mode, const NumberRange &elements);

/// What the taps of a deformable convolution read, times its mask, not yet
/// rounded to the input's type.
NumberRange getDeformedSamples(DeformOpInterface op, RangeLookup lookup);

} // namespace mlir::convoy

#endif // CONVOY_LIB_TRANSFORMS_NUMERICS_PLACEDSUMS_H
