//===- BoundedSampleGradients.cpp - Gradients and their errors --*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// docs/Sampling.md, section "How far off a gradient may be".
//
//===----------------------------------------------------------------------===//

#include "BoundedSampler.h"

#include <map>

using namespace mlir;
using namespace mlir::convoy;

/// Of an exact number.
static BoundedFloat getExact(double value) { return {value, 0}; }

/// The most that the sizes of the four cubic weights add up to, those of their
/// slopes and those of the slopes of these; and the steepest of a weight.
static constexpr double kCubicWeights = 1.375, kCubicSlopes = 3,
                        kCubicCurvatures = 12, kSteepestCubic = 1.35;
/// What the roundings of a cubic weight may change: 16 of numbers up to 1 or 8
/// up to 2.
static constexpr double kCubicRounding = 0x1p-20;
/// The weights' own roundings change what they make of errors.
static constexpr double kWithRounding = 1 + 0x1p-16;
/// The most combinations of pieces that are looked at.
static constexpr size_t kMostPieces = 256;

//===----------------------------------------------------------------------===//
// The image
//===----------------------------------------------------------------------===//

SmallVector<BoundedSampler::AxisShare>
BoundedSampler::getShares(size_t dim) const {
  const AxisPosition &axis = position[dim];
  SmallVector<AxisShare> shares;
  auto add = [&](int64_t number, BoundedFloat weight) {
    if (std::optional<int64_t> place = getPlace(dim, number))
      shares.push_back({*place, weight});
  };
  if (mode == SampleMode::Nearest)
    add(int64_t(std::nearbyint(axis.value)), getExact(1));
  else
    for (auto [tap, weight] : llvm::enumerate(getWeights(axis.rest)))
      add(axis.whole - getTapsBefore() + int64_t(tap), weight);
  if (axis.error == 0)
    return shares;
  // How many taps may lie at each place. A reflection has all places twice.
  int64_t last = std::min(axis.last, axis.first + 2 * sizes[dim] - 1);
  std::map<int64_t, int64_t> counts;
  bool leavesImage = false;
  for (int64_t number = axis.first; number <= last; ++number) {
    std::optional<int64_t> place = getPlace(dim, number);
    if (place)
      ++counts[*place];
    leavesImage |= !place;
  }
  // Where there is one place alone it has all weights, whatever they are.
  bool isOnePlace = counts.size() == 1 && !leavesImage;
  bool isCubic = mode == SampleMode::Cubic;
  double most = isCubic ? 2 * kCubicWeights : 1;
  double steepest = isCubic ? kSteepestCubic : 1;
  for (auto [place, count] : counts) {
    double error = isOnePlace ? 0
                   : mode == SampleMode::Nearest
                       ? 1
                       : std::min(most, double(count) * steepest * axis.error);
    error = error * kWithRounding + (isCubic ? kCubicRounding : 0);
    if (error > 0)
      shares.push_back({place, {0, error}});
  }
  return shares;
}

void BoundedSampler::spread(Scalar gradient, AddTerm add,
                            std::optional<Scalar> factor) {
  SmallVector<SmallVector<AxisShare>, 3> shares;
  for (size_t dim = 0; dim < position.size(); ++dim) {
    AxisPosition &axis = position[dim];
    if (!std::isfinite(axis.error)) {
      // Anywhere along this dimension.
      axis.first = 0;
      axis.last = 2 * sizes[dim];
    }
    shares.push_back(getShares(dim));
  }
  BoundedFloat wide(widen ? widen({gradient}) : gradient);
  SmallVector<int64_t, 3> place(position.size());
  auto addFrom = [&](auto &&self, size_t dim,
                     std::optional<BoundedFloat> weight) -> void {
    if (dim == position.size()) {
      add(place, call(multiply, wide, *weight));
      return;
    }
    for (const AxisShare &share : shares[dim]) {
      place[dim] = share.place;
      self(self, dim + 1,
           weight ? call(multiply, *weight, share.weight) : share.weight);
    }
  };
  std::optional<BoundedFloat> scale;
  if (factor)
    scale = BoundedFloat(*factor);
  addFrom(addFrom, 0, scale);
}

//===----------------------------------------------------------------------===//
// Slopes
//===----------------------------------------------------------------------===//

BoundedSampler::Weights
BoundedSampler::getSlopeWeights(BoundedFloat rest) const {
  BoundedFloat other = call(subtract, getExact(1), rest);
  auto outer = [&](BoundedFloat distance, BoundedFloat opposite, double sign) {
    BoundedFloat factor = call(multiply, getExact(-0.75 * sign), opposite);
    BoundedFloat scaled = call(multiply, getExact(3), distance);
    return call(multiply, factor, call(subtract, getExact(1), scaled));
  };
  auto inner = [&](BoundedFloat distance, double sign) {
    BoundedFloat scaled = call(multiply, getExact(3.75 * sign), distance);
    return call(multiply, call(subtract, scaled, getExact(4.5 * sign)),
                distance);
  };
  return {outer(rest, other, 1), inner(rest, 1), inner(other, -1),
          outer(other, rest, -1)};
}

BoundedSampler::AxisPiece BoundedSampler::getPiece(size_t dim, int64_t whole,
                                                   BoundedFloat rest,
                                                   bool isExact) const {
  AxisPiece piece;
  piece.first = whole - getTapsBefore();
  piece.weights = getWeights(rest);
  if (mode == SampleMode::Cubic) {
    piece.slopes = getSlopeWeights(rest);
    return piece;
  }
  if (!isExact || rest.value != 0 || padding == SamplePadding::Zeros)
    return piece;
  int64_t place = *getPlace(dim, whole);
  piece.isFlat = place == 0 || place == sizes[dim] - 1;
  // Of two pieces that of the higher numbers in the image.
  if (!piece.isFlat && *getPlace(dim, whole + 1) < place) {
    --piece.first;
    piece.weights = getWeights(getExact(1));
  }
  return piece;
}

SmallVector<BoundedSampler::AxisPiece>
BoundedSampler::getPieces(size_t dim) const {
  const AxisPosition &axis = position[dim];
  SmallVector<AxisPiece> pieces = {
      getPiece(dim, axis.whole, axis.rest, axis.error == 0)};
  if (axis.error == 0)
    return pieces;
  double low = axis.value - axis.error, high = axis.value + axis.error;
  // Further out there is nothing else, but for reflections.
  if (padding != SamplePadding::Reflection) {
    double beyond = double(sizes[dim]) + 1;
    low = std::clamp(low, -2.0, beyond);
    high = std::clamp(high, -2.0, beyond);
  }
  for (double whole = std::floor(low);
       whole <= std::floor(high) && pieces.size() <= kMostPieces; ++whole)
    for (double end : {std::max(low, whole), std::min(high, whole + 1)})
      pieces.push_back(
          getPiece(dim, int64_t(whole), {end - whole, axis.rest.error}, false));
  return pieces;
}

BoundedFloat BoundedSampler::readPiece(ReadElement read,
                                       ArrayRef<int64_t> numbers) const {
  BoundedFloat element = readPadded(read, numbers);
  return widen ? BoundedFloat(widen({element})) : element;
}

BoundedFloat
BoundedSampler::getSlope(const Pieces &pieces, size_t dim,
                         function_ref<BoundedFloat(ArrayRef<int64_t>)> read) {
  if (pieces[dim].isFlat)
    return {0, 0};
  SmallVector<int64_t, 3> at(pieces.size());
  auto sampleFrom = [&](auto &&self, size_t axis) -> BoundedFloat {
    if (axis == pieces.size())
      return read(at);
    const AxisPiece &piece = pieces[axis];
    Weights values;
    for (size_t tap = 0; tap < piece.weights.size(); ++tap) {
      at[axis] = piece.first + int64_t(tap);
      values.push_back(self(self, axis + 1));
    }
    if (axis == dim && piece.slopes.empty())
      return call(subtract, values[1], values[0]);
    std::optional<BoundedFloat> sum;
    for (auto [value, weight] :
         llvm::zip_equal(values, axis == dim ? piece.slopes : piece.weights)) {
      BoundedFloat product = call(multiply, value, weight);
      sum = sum ? call(add, *sum, product) : product;
    }
    return *sum;
  };
  return sampleFrom(sampleFrom, 0);
}

BoundedFloat BoundedSampler::sumSlopes(const Pieces &pieces, size_t dim,
                                       ArrayRef<Scalar> gradients,
                                       ReadChannel read) {
  std::unique_ptr<Sums> sums = algebra.startSums(sumType, {getExact(0)});
  for (auto [channel, gradient] : llvm::enumerate(gradients)) {
    BoundedFloat slope = getSlope(pieces, dim, [&](ArrayRef<int64_t> place) {
      return readPiece(
          [&](ArrayRef<int64_t> inside) {
            return read(int64_t(channel), inside);
          },
          place);
    });
    BoundedFloat wide(widen ? widen({gradient}) : gradient);
    sums->add(0, call(multiply, wide, slope));
  }
  return BoundedFloat(sums->get(0));
}

/// A cubic sample is smooth: its slope changes by at most its curvature, and in
/// several dimensions by the slopes' product, times what a position is off.
/// All weights of slopes add up to 0, so that half the range of the elements is
/// what they are multiplied with.
double BoundedSampler::getCubicError(size_t dim, ArrayRef<Scalar> gradients,
                                     ReadChannel read) {
  double reach = 0;
  for (auto [along, axis] : llvm::enumerate(position))
    reach += axis.error * (along == dim ? kCubicCurvatures * kCubicWeights
                                        : kCubicSlopes * kCubicSlopes);
  if (reach == 0)
    return 0;
  double error = 0;
  for (auto [channel, gradient] : llvm::enumerate(gradients)) {
    double least = HUGE_VAL, greatest = -HUGE_VAL;
    bool isFinite = true;
    forEachElement([&](ArrayRef<int64_t> place) {
      BoundedFloat element = readPadded(
          [&](ArrayRef<int64_t> inside) {
            return read(int64_t(channel), inside);
          },
          place);
      isFinite &= std::isfinite(element.value) && std::isfinite(element.error);
      least = std::min(least, element.value - element.error);
      greatest = std::max(greatest, element.value + element.error);
    });
    if (!isFinite)
      return kUnknown;
    BoundedFloat factor(gradient);
    error += (std::abs(factor.value) + factor.error) * (greatest - least) / 2;
  }
  error *= reach * kWithRounding;
  return std::isnan(error) ? kUnknown : error;
}

SmallVector<Scalar, 3> BoundedSampler::differentiate(ArrayRef<Scalar> gradients,
                                                     ReadChannel read) {
  SmallVector<Scalar, 3> results;
  if (mode == SampleMode::Nearest)
    return SmallVector<Scalar, 3>(position.size(), getExact(0));
  double elements = 1, combinations = 1;
  SmallVector<SmallVector<AxisPiece>, 3> all;
  for (size_t dim = 0; dim < position.size(); ++dim) {
    const AxisPosition &axis = position[dim];
    if (!std::isfinite(axis.error))
      return SmallVector<Scalar, 3>(position.size(), BoundedFloat(0, kUnknown));
    elements *= double(axis.last - axis.first + 1);
    all.push_back(getPieces(dim));
    if (mode == SampleMode::Cubic)
      all.back().truncate(1);
    combinations *= double(all.back().size());
  }
  if (elements > kMostSampleElements || combinations > kMostPieces)
    return SmallVector<Scalar, 3>(position.size(), BoundedFloat(0, kUnknown));
  for (size_t dim = 0; dim < position.size(); ++dim) {
    std::optional<BoundedFloat> result;
    double error = 0;
    Pieces pieces;
    auto visit = [&](auto &&self) -> void {
      if (pieces.size() < all.size()) {
        for (const AxisPiece &piece : all[pieces.size()]) {
          pieces.push_back(piece);
          self(self);
          pieces.pop_back();
        }
        return;
      }
      // The first ones are those of the position itself.
      BoundedFloat sum = sumSlopes(pieces, dim, gradients, read);
      if (!result)
        result = sum;
      double off = sum.error;
      if (sum.value != result->value)
        off += std::abs(sum.value - result->value);
      error = std::isnan(off) ? kUnknown : std::max(error, off);
    };
    visit(visit);
    if (mode == SampleMode::Cubic)
      error += getCubicError(dim, gradients, read);
    results.push_back(
        call(multiply, {result->value, error}, getExact(scales[dim])));
  }
  return results;
}
