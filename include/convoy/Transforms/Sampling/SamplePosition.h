//===- SamplePosition.h - Which elements a sample is made of ----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TRANSFORMS_SAMPLING_SAMPLEPOSITION_H
#define CONVOY_TRANSFORMS_SAMPLING_SAMPLEPOSITION_H

#include "convoy/Transforms/Sampling/SampleRule.h"

namespace mlir::convoy {

/// One of the elements that a sample is made of.
struct SampleElement {
  /// Its number along each spatial dimension, outermost first: an i32 inside of
  /// the image.
  SmallVector<Value, 3> place;
  Value isInside; ///< whether it is there; null where it always is
  Value weight;   ///< f32; null where it is 1
};

/// `hw` or `dhw`.
inline StringRef getSpatialLetters(SampleLayoutAttr layout) {
  std::string_view letters = ::convoy::spatialLetters(layout.getSpatialRank());
  return {letters.data(), letters.size()};
}

/// The slice of `grid`, with dimensions called `letters`, that holds coordinate
/// `number`, without that dimension.
Value emitCoordinates(OpBuilder &builder, Location loc, Value grid,
                      StringRef letters, int64_t number);

/// Emits the positions that `coordinates` stand for, of which there is one for
/// each spatial dimension, outermost first, in an image of `sizes`.
SmallVector<SamplePosition> emitGridPositions(OpBuilder &builder, Location loc,
                                              const SampleRule &rule,
                                              ValueRange coordinates,
                                              ArrayRef<OpFoldResult> sizes);

/// Emits the position that lies `offset` beside element `start`, an i32.
SamplePosition emitOffsetPosition(OpBuilder &builder, Location loc,
                                  Value offset, Value start);

/// How many elements a sample at a position of `rank` dimensions is made of.
size_t countElements(SampleMode mode, size_t rank);

/// Emits which elements of an image of `sizes` are read at `positions`, in the
/// order of their places. Their weights are multiplied with `factor`, an f32,
/// unless it is null.
SmallVector<SampleElement> emitElements(OpBuilder &builder, Location loc,
                                        const SampleRule &rule,
                                        ArrayRef<SamplePosition> positions,
                                        ArrayRef<OpFoldResult> sizes,
                                        Value factor = {});

/// Emits the sample that `elements`, which `read` reads, make; they and the
/// sample are of `type`.
Value emitSample(OpBuilder &builder, Location loc, Type type,
                 ArrayRef<SampleElement> elements,
                 function_ref<Value(const SampleElement &)> read);

/// Emits what `gradient`, that of a sample, adds to `element`, in f32.
Value emitShare(OpBuilder &builder, Location loc, Value gradient,
                const SampleElement &element);

/// Emits how steep the sample at `positions` is along each spatial dimension,
/// outermost first, as an f32 for a step from one element to the next. `read`
/// reads an element of the image, which the sample is interpolated from.
SmallVector<Value> emitSlopes(OpBuilder &builder, Location loc,
                              const SampleRule &rule,
                              ArrayRef<SamplePosition> positions,
                              ArrayRef<OpFoldResult> sizes,
                              function_ref<Value(const SampleElement &)> read);

/// Emits how many elements of a dimension of `size` a position moves by when
/// its coordinate moves by 1, as an f32.
Value emitPositionScale(OpBuilder &builder, Location loc,
                        const SampleRule &rule, OpFoldResult size);

/// Emits the number of `element` among those of an image of `sizes`, which are
/// static, as an i32: -1 for what is not there.
Value emitFlatNumber(OpBuilder &builder, Location loc,
                     const SampleElement &element,
                     ArrayRef<OpFoldResult> sizes);

/// Where to read the element of a number that `emitFlatNumber` emits.
struct FlatPlace {
  Value index;    ///< inside of the image
  Value isInside; ///< whether it is there; null where it always is
};

FlatPlace emitFlatPlace(OpBuilder &builder, Location loc, SamplePadding padding,
                        Value number);

/// Emits `element` where `isInside`, else zero; null for what always is.
Value emitInside(OpBuilder &builder, Location loc, Value isInside,
                 Value element);

} // namespace mlir::convoy

#endif // CONVOY_TRANSFORMS_SAMPLING_SAMPLEPOSITION_H
