//===- BoundedSampler.h - Samples and their errors --------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_INTERPRETER_BOUNDEDSAMPLER_H
#define CONVOY_LIB_INTERPRETER_BOUNDEDSAMPLER_H

#include "Rounding.h"

#include "convoy/Interpreter/BoundedNumbers.h"

namespace mlir::convoy {

/// The most elements that are looked at around an inexact position.
constexpr int64_t kMostSampleElements = 4096;

/// A position along one dimension, and what lies there.
struct AxisPosition {
  double value = 0; ///< exact but for rounding in double
  double error = 0; ///< of a target's position
  int64_t whole = 0;
  BoundedFloat rest = {0, 0};
  /// Elements that a target may read, as numbers of the padded image.
  int64_t first = 0, last = 0;
};

class BoundedSampler final : public Sampler {
public:
  BoundedSampler(BoundedNumbers &numbers, const Sampling &sampling,
                 const TargetMath &target);

  void moveTo(ArrayRef<Scalar> coordinates) override;
  void moveBeside(ArrayRef<int64_t> from, ArrayRef<Scalar> offsets) override;
  Scalar sample(ReadElement read, std::optional<Scalar> factor) override;
  void spread(Scalar gradient, AddTerm add,
              std::optional<Scalar> factor) override;
  SmallVector<Scalar, 3> differentiate(ArrayRef<Scalar> gradients,
                                       ReadChannel read) override;

private:
  using Weights = SmallVector<BoundedFloat, 4>;
  /// What one tap along a dimension gives to a place.
  struct AxisShare {
    int64_t place;
    BoundedFloat weight;
  };
  /// The elements, and their weights, of a position in one piece of samples
  /// along a dimension.
  struct AxisPiece {
    int64_t first = 0; ///< number of the first tap in the padded image
    Weights weights;
    Weights slopes; ///< of cubic samples
    bool isFlat = false;
  };
  using Pieces = SmallVector<AxisPiece, 3>;

  BoundedFloat call(const Algebra::Function &function, BoundedFloat a,
                    BoundedFloat b) const {
    return BoundedFloat(function({a, b}));
  }
  BoundedFloat getPosition(BoundedFloat coordinate, int64_t size) const;
  /// The position `offset` elements beside element `from`.
  AxisPosition getAxisPosition(int64_t from, BoundedFloat offset,
                               int64_t size) const;
  Weights getWeights(BoundedFloat rest) const;
  /// Number of elements that a sample is made of along a dimension before the
  /// one at its position or just below, and after it.
  int64_t getTapsBefore() const { return mode == SampleMode::Cubic ? 1 : 0; }
  int64_t getTapsAfter() const {
    return mode == SampleMode::Nearest ? 0 : mode == SampleMode::Cubic ? 2 : 1;
  }
  /// Element `number` of the padded image: its place along `dim`, or nothing
  /// where zeros are.
  std::optional<int64_t> getPlace(size_t dim, int64_t number) const;
  BoundedFloat readPadded(ReadElement read, ArrayRef<int64_t> numbers) const;
  BoundedFloat sampleNearest(ReadElement read) const;
  BoundedFloat interpolate(ReadElement read,
                           std::optional<BoundedFloat> factor) const;
  /// How far off an interpolated sample may be for what positions and elements
  /// are off; infinite where that is not known.
  double getInheritedError(ReadElement read) const;
  /// Calls `visit` with all elements that a target may read, outermost
  /// dimension first.
  void
  forEachElement(function_ref<void(ArrayRef<int64_t> numbers)> visit) const;

  // BoundedSampleGradients.cpp: gradients.
  /// What a sample gives to places along `dim`, and by how much the places that
  /// a target may choose are off.
  SmallVector<AxisShare> getShares(size_t dim) const;
  Weights getSlopeWeights(BoundedFloat rest) const;
  /// The piece at `rest` behind element `whole`; `isExact` where the position
  /// has no error.
  AxisPiece getPiece(size_t dim, int64_t whole, BoundedFloat rest,
                     bool isExact) const;
  /// The pieces along `dim` that a target may choose, at both ends of what it
  /// may take for the position.
  SmallVector<AxisPiece> getPieces(size_t dim) const;
  /// The slope along `dim` of the image that `read` reads, in f32.
  BoundedFloat getSlope(const Pieces &pieces, size_t dim,
                        function_ref<BoundedFloat(ArrayRef<int64_t>)> read);
  /// The sum over the channels of output gradients and slopes along `dim`.
  BoundedFloat sumSlopes(const Pieces &pieces, size_t dim,
                         ArrayRef<Scalar> gradients, ReadChannel read);
  /// How far off the sum of slopes of cubic samples along `dim` may be for what
  /// positions are off.
  double getCubicError(size_t dim, ArrayRef<Scalar> gradients,
                       ReadChannel read);
  BoundedFloat readPiece(ReadElement read, ArrayRef<int64_t> numbers) const;

  BoundedNumbers &algebra;
  Type sumType; ///< f32
  SampleMode mode;
  SamplePadding padding;
  bool alignCorners;
  SmallVector<int64_t, 3> sizes;
  Algebra::Function add, subtract, multiply;
  /// From the image's type to f32 and back; null where it is f32.
  Algebra::Function widen, narrow;
  SmallVector<AxisPosition, 3> position;
  /// How far a step of a coordinate goes, along each dimension.
  SmallVector<double, 3> scales;
};

} // namespace mlir::convoy

#endif // CONVOY_LIB_INTERPRETER_BOUNDEDSAMPLER_H
