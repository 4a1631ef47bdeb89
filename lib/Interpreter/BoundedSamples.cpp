//===- BoundedSamples.cpp - Samples and their errors ------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// docs/Sampling.md, section "How far off a sample may be". Positions and
// samples are computed in double; the errors are those of f32.
//
//===----------------------------------------------------------------------===//

#include "BoundedSampler.h"

using namespace mlir;
using namespace mlir::convoy;

BoundedSampler::BoundedSampler(BoundedNumbers &numbers,
                               const Sampling &sampling,
                               const TargetMath &target)
    : algebra(numbers),
      sumType(Float32Type::get(sampling.imageType.getContext())),
      mode(sampling.mode), padding(sampling.padding),
      alignCorners(sampling.alignCorners), sizes(sampling.sizes) {
  MLIRContext *context = sampling.imageType.getContext();
  Type f32 = Float32Type::get(context);
  auto resolve = [&](StringRef name, Type to, ArrayRef<Type> from) {
    FailureOr<Algebra::Function> function =
        numbers.resolve(name, DictionaryAttr::get(context), to, from);
    assert(succeeded(function) && "arithmetic is known");
    return *function;
  };
  add = resolve("arith.addf", f32, {f32, f32});
  subtract = resolve("arith.subf", f32, {f32, f32});
  multiply = resolve("arith.mulf", f32, {f32, f32});
  if (sampling.imageType != f32) {
    widen = resolve("arith.extf", f32, sampling.imageType);
    narrow = resolve("arith.truncf", sampling.imageType, f32);
  }
}

//===----------------------------------------------------------------------===//
// Positions
//===----------------------------------------------------------------------===//

/// What is further out in any case is the farthest position exactly.
static BoundedFloat limitPosition(BoundedFloat position) {
  constexpr double Farthest = 0x1p30;
  if (std::abs(position.value) - position.error >= Farthest)
    position.error = 0;
  position.value = std::clamp(position.value, -Farthest, Farthest);
  return position;
}

BoundedFloat BoundedSampler::getPosition(BoundedFloat coordinate,
                                         int64_t size) const {
  constexpr double FarthestCoordinate = 0x1p31;
  auto exact = [](double value) { return BoundedFloat(value, 0); };
  if (std::isnan(coordinate.value))
    coordinate.value = -1;
  coordinate.value =
      std::clamp(coordinate.value, -FarthestCoordinate, FarthestCoordinate);
  BoundedFloat fromLow = call(add, coordinate, exact(1));
  BoundedFloat result(0, 0);
  if (alignCorners) {
    BoundedFloat part = call(multiply, fromLow, exact(0.5));
    result = call(multiply, part, exact(double(size - 1)));
  } else {
    BoundedFloat edges = call(multiply, fromLow, exact(double(size)));
    result = call(multiply, call(subtract, edges, exact(1)), exact(0.5));
  }
  return limitPosition(result);
}

AxisPosition BoundedSampler::getAxisPosition(int64_t from, BoundedFloat offset,
                                             int64_t size) const {
  AxisPosition result;
  result.value = double(from) + offset.value;
  double whole = std::floor(offset.value);
  result.whole = from + int64_t(whole);
  BoundedFloat rest = call(subtract, offset, BoundedFloat(whole, 0));
  // The next number of f32 to what is cut off is also an error of the position.
  result.error = mode == SampleMode::Nearest ? offset.error : rest.error;
  // An error marks what is rounded on the way from here, however small it is.
  result.rest = {rest.value, result.error > 0 ? 0x1p-149 : 0};
  if (!std::isfinite(result.error))
    return result;
  double low = result.value - result.error, high = result.value + result.error;
  if (mode == SampleMode::Nearest && result.error == 0) {
    result.first = result.last = int64_t(std::nearbyint(result.value));
  } else if (mode == SampleMode::Nearest) {
    result.first = int64_t(std::ceil(low - 0.5));
    result.last = int64_t(std::floor(high + 0.5));
  } else {
    result.first = int64_t(std::floor(low)) - getTapsBefore();
    result.last = int64_t(std::floor(high)) + getTapsAfter();
  }
  if (padding == SamplePadding::Reflection)
    return result;
  // Further out there is nothing else.
  result.first = std::clamp<int64_t>(result.first, -2, size + 1);
  result.last = std::clamp<int64_t>(result.last, -2, size + 1);
  return result;
}

void BoundedSampler::moveTo(ArrayRef<Scalar> coordinates) {
  position.clear();
  scales.clear();
  for (auto [coordinate, size] : llvm::zip_equal(coordinates, sizes)) {
    position.push_back(
        getAxisPosition(0, getPosition(BoundedFloat(coordinate), size), size));
    scales.push_back(double(size - (alignCorners ? 1 : 0)) / 2);
  }
}

void BoundedSampler::moveBeside(ArrayRef<int64_t> from,
                                ArrayRef<Scalar> offsets) {
  position.clear();
  scales.assign(sizes.size(), 1);
  for (auto [start, offset, size] : llvm::zip_equal(from, offsets, sizes)) {
    BoundedFloat number(offset);
    if (std::isnan(number.value))
      number.value = 0;
    position.push_back(getAxisPosition(start, limitPosition(number), size));
  }
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

std::optional<int64_t> BoundedSampler::getPlace(size_t dim,
                                                int64_t number) const {
  int64_t size = sizes[dim];
  if (number >= 0 && number < size)
    return number;
  if (padding == SamplePadding::Zeros)
    return std::nullopt;
  if (padding == SamplePadding::Border)
    return number < 0 ? 0 : size - 1;
  // There and back again: with the outermost elements once or twice.
  int64_t period = alignCorners ? 2 * size - 2 : 2 * size;
  if (period == 0)
    return 0;
  int64_t place = ((number % period) + period) % period;
  return place < size ? place : period - place - (alignCorners ? 0 : 1);
}

BoundedFloat BoundedSampler::readPadded(ReadElement read,
                                        ArrayRef<int64_t> numbers) const {
  SmallVector<int64_t, 3> place;
  for (auto [dim, number] : llvm::enumerate(numbers)) {
    std::optional<int64_t> inside = getPlace(dim, number);
    if (!inside)
      return {0, 0};
    place.push_back(*inside);
  }
  return BoundedFloat(read(place));
}

void BoundedSampler::forEachElement(
    function_ref<void(ArrayRef<int64_t> numbers)> visit) const {
  SmallVector<int64_t, 3> numbers;
  for (const AxisPosition &axis : position)
    numbers.push_back(axis.first);
  while (true) {
    visit(numbers);
    size_t dim = numbers.size();
    while (dim > 0 && ++numbers[dim - 1] > position[dim - 1].last) {
      numbers[dim - 1] = position[dim - 1].first;
      --dim;
    }
    if (dim == 0)
      return;
  }
}

//===----------------------------------------------------------------------===//
// Samples
//===----------------------------------------------------------------------===//

BoundedFloat BoundedSampler::sampleNearest(ReadElement read) const {
  SmallVector<int64_t, 3> nearest;
  for (const AxisPosition &axis : position)
    nearest.push_back(int64_t(std::nearbyint(axis.value)));
  BoundedFloat result = readPadded(read, nearest);
  double error = result.error;
  forEachElement([&](ArrayRef<int64_t> numbers) {
    BoundedFloat other = readPadded(read, numbers);
    if (other.value != result.value)
      error =
          std::max(error, std::abs(other.value - result.value) + other.error);
  });
  return {result.value, std::isnan(error) ? kUnknown : error};
}

BoundedSampler::Weights BoundedSampler::getWeights(BoundedFloat rest) const {
  auto exact = [](double value) { return BoundedFloat(value, 0); };
  BoundedFloat other = call(subtract, exact(1), rest);
  if (mode == SampleMode::Linear)
    return {other, rest};
  auto inner = [&](BoundedFloat distance) {
    BoundedFloat factor =
        call(subtract, call(multiply, exact(1.25), distance), exact(2.25));
    BoundedFloat product =
        call(multiply, call(multiply, factor, distance), distance);
    return call(add, product, exact(1));
  };
  auto outer = [&](BoundedFloat distance, BoundedFloat other) {
    BoundedFloat product = call(multiply, exact(-0.75), distance);
    return call(multiply, call(multiply, product, other), other);
  };
  return {outer(rest, other), inner(rest), inner(other), outer(other, rest)};
}

BoundedFloat
BoundedSampler::interpolate(ReadElement read,
                            std::optional<BoundedFloat> factor) const {
  SmallVector<Weights, 3> weights;
  for (const AxisPosition &axis : position)
    weights.push_back(getWeights(axis.rest));
  std::optional<BoundedFloat> sum;
  SmallVector<int64_t, 3> numbers(position.size());
  auto addFrom = [&](auto &&self, size_t dim,
                     std::optional<BoundedFloat> weight) -> void {
    if (dim == position.size()) {
      BoundedFloat element = readPadded(read, numbers);
      // What it is off by is not for the sum to know.
      element.error = 0;
      if (widen)
        element = BoundedFloat(widen({element}));
      BoundedFloat product = call(multiply, element, *weight);
      sum = sum ? call(add, *sum, product) : product;
      return;
    }
    for (auto [tap, factor] : llvm::enumerate(weights[dim])) {
      numbers[dim] = position[dim].whole - getTapsBefore() + int64_t(tap);
      self(self, dim + 1, weight ? call(multiply, *weight, factor) : factor);
    }
  };
  addFrom(addFrom, 0, factor);
  return *sum;
}

double BoundedSampler::getInheritedError(ReadElement read) const {
  // Of cubic weights: the most that the sizes of all four along a dimension add
  // up to, and those of their slopes.
  constexpr double CubicWeights = 1.375, CubicSlopes = 3;
  bool isCubic = mode == SampleMode::Cubic;
  double largestError = 0, least = HUGE_VAL, greatest = -HUGE_VAL;
  SmallVector<double, 3> steps(position.size(), 0);
  bool isFinite = true;
  forEachElement([&](ArrayRef<int64_t> numbers) {
    BoundedFloat element = readPadded(read, numbers);
    isFinite &= std::isfinite(element.value);
    largestError = std::max(largestError, element.error);
    least = std::min(least, element.value);
    greatest = std::max(greatest, element.value);
    SmallVector<int64_t, 3> next(numbers);
    for (size_t dim = 0; dim < next.size() && !isCubic; ++dim) {
      if (position[dim].error == 0 || next[dim] == position[dim].last)
        continue;
      ++next[dim];
      double step = readPadded(read, next).value - element.value;
      steps[dim] = std::max(steps[dim], std::abs(step));
      --next[dim];
    }
  });
  if (!isFinite)
    return kUnknown;
  double error = largestError;
  if (isCubic)
    error *= CubicWeights * CubicWeights;
  for (auto [axis, step] : llvm::zip_equal(position, steps))
    if (axis.error > 0)
      error += axis.error *
               (isCubic ? CubicSlopes * CubicWeights * (greatest - least) / 2
                        : step);
  // The weights' own roundings change what they make of errors.
  return error * (1 + 0x1p-16);
}

Scalar BoundedSampler::sample(ReadElement read, std::optional<Scalar> factor) {
  double elements = 1;
  for (const AxisPosition &axis : position) {
    if (!std::isfinite(axis.error))
      return BoundedFloat(0, kUnknown);
    elements *= double(axis.last - axis.first + 1);
  }
  if (elements > kMostSampleElements)
    return BoundedFloat(0, kUnknown);
  if (mode == SampleMode::Nearest)
    return sampleNearest(read);
  double inherited = getInheritedError(read);
  if (!std::isfinite(inherited))
    return BoundedFloat(0, kUnknown);
  std::optional<BoundedFloat> scale;
  if (factor) {
    scale = BoundedFloat(*factor);
    inherited *= std::abs(scale->value) + scale->error;
  }
  BoundedFloat result = interpolate(read, scale);
  // Of an infinite factor nothing is known if elements are off.
  result.error += std::isnan(inherited) ? kUnknown : inherited;
  return narrow ? narrow({result}) : Scalar(result);
}

std::unique_ptr<Sampler>
BoundedNumbers::startSampling(const Sampling &sampling) {
  return std::make_unique<BoundedSampler>(*this, sampling, target);
}
