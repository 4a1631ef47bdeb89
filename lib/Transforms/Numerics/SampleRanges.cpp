//===- SampleRanges.cpp - Ranges of samples and their sums ------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Samples are elements times weights, whose magnitudes add up to at most 1 or,
// of cubic ones, 1.375 along each dimension (docs/Sampling.md).
//
//===----------------------------------------------------------------------===//

#include "PlacedSums.h"

#include "convoy/Support/ConvShape.h"

#include <algorithm>
#include <cmath>

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::Operand;

/// What the magnitudes of the four weights of a cubic sample add up to at most,
/// and those of its slope.
static constexpr double kCubicWeights = 1.375, kCubicSlopes = 3;
/// What rounding in f32, in any direction, changes a sample by, as a part of
/// the largest element: 14 roundings of linear weights, products and sums;
/// those of cubic ones, whose weights and slopes cancel in part, make less than
/// 400 units.
static constexpr double kLinearError = 0x1p-18, kCubicError = 0x1p-15;
/// What flushing subnormal weights and products takes from 64 of each.
static constexpr double kFlushed = 0x1p-118;

/// `range` and numbers up to `error` beside it.
static NumberRange widen(const NumberRange &range, double error) {
  NumberRange wide = add(range, NumberRange::between(-error, error));
  return wide.isFinite ? NumberRange::between(wide.low, wide.high) : wide;
}

/// The same of numbers that no rounding gives another sign.
static NumberRange widenOneSided(const NumberRange &range, double error) {
  NumberRange wide = widen(range, error);
  if (!wide.isFinite)
    return wide;
  return NumberRange::between(
      range.low >= 0 ? std::max(wide.low, 0.0) : wide.low,
      range.high <= 0 ? std::min(wide.high, 0.0) : wide.high);
}

static double getFlushed(const NumberRange &elements) {
  return kFlushed * (1 + elements.getLargest());
}

NumberRange mlir::convoy::getElements(const NumberRange &image,
                                      SamplePadding padding) {
  return padding == SamplePadding::Zeros ? join(image, NumberRange::constant(0))
                                         : image;
}

double mlir::convoy::getSampleWeights(SampleMode mode) {
  return mode == SampleMode::Cubic ? kCubicWeights * kCubicWeights : 1;
}

double mlir::convoy::getSteepestSlope(SampleMode mode) {
  switch (mode) {
  case SampleMode::Nearest:
    return 0;
  case SampleMode::Linear:
    return 1;
  case SampleMode::Cubic:
    // Weights of a slope add up to 0.
    return kCubicSlopes / 2 * kCubicWeights;
  }
  llvm_unreachable("not a mode of samples");
}

double mlir::convoy::getSampleRounding(SampleMode mode,
                                       const NumberRange &elements) {
  double part = mode == SampleMode::Cubic ? kCubicError : kLinearError;
  return part * elements.getLargest() + getFlushed(elements);
}

/// Interpolated from elements of this range.
static NumberRange interpolate(const NumberRange &elements, SampleMode mode) {
  if (mode == SampleMode::Nearest || !elements.isFinite ||
      elements.getLargest() == 0)
    return elements;
  double rounded = getSampleRounding(mode, elements);
  if (mode == SampleMode::Linear)
    return widenOneSided(elements, rounded);
  // Weights add up to 1: so negative ones to half of what magnitudes are more.
  double negative = (getSampleWeights(mode) - 1) / 2;
  return widen(elements, negative * (elements.high - elements.low) + rounded);
}

NumberRange mlir::convoy::getSampleRange(GridSampleOp op,
                                         const NumberRange &image) {
  return interpolate(getElements(image, op.getPadding()), op.getMode());
}

//===----------------------------------------------------------------------===//
// Gradients of samples
//===----------------------------------------------------------------------===//

/// `range` in f32, in which it is computed.
static NumberRange fitFloat(const NumberRange &range, MLIRContext *context) {
  return fit(range, Float32Type::get(context));
}

/// How fast samples of `elements` change with the position.
static NumberRange getSlopes(const NumberRange &elements, SampleMode mode,
                             MLIRContext *context) {
  if (!elements.isFinite)
    return elements;
  if (mode == SampleMode::Nearest)
    return NumberRange::constant(0);
  double most = getSteepestSlope(mode) * (elements.high - elements.low) +
                getSampleRounding(SampleMode::Cubic, elements);
  return fitFloat(NumberRange::between(-most, most), context);
}

/// The spatial sizes of `type`, whose dimensions `letters` name; nothing where
/// one is dynamic.
static std::optional<SmallVector<int64_t>> getSpatialSizes(ShapedType type,
                                                           StringRef letters) {
  SmallVector<int64_t> sizes;
  for (auto [letter, size] : llvm::zip_equal(letters, type.getShape())) {
    if (letter == 'n' || letter == 'c')
      continue;
    if (ShapedType::isDynamic(size))
      return std::nullopt;
    sizes.push_back(size);
  }
  return sizes;
}

std::optional<SumRange>
mlir::convoy::getPlacedSums(GridSampleBackwardInputOp op, RangeLookup lookup) {
  auto sizes = getSpatialSizes(op.getOutputGradient().getType(),
                               op.getLayout().getOutput());
  if (!sizes)
    return std::nullopt;
  bool isCubic = op.getMode() == SampleMode::Cubic;
  double samples = 1;
  for (int64_t size : *sizes)
    samples *= double(size);
  // A border may be all elements of a sample.
  double elements =
      std::pow(isCubic ? 4 : 2, double(op.getLayout().getSpatialRank()));
  double weights = getSampleWeights(op.getMode());
  NumberRange gradient = lookup(op.getOutputGradient());
  NumberRange weight =
      NumberRange::between(isCubic ? -1 - kCubicError : 0, 1 + kCubicError);
  double most = samples * weights * (1 + kCubicError) * gradient.getLargest();
  return SumRange(samples * elements, multiply(gradient, weight),
                  NumberRange::constant(0),
                  most + samples * getFlushed(gradient));
}

std::optional<SumRange> mlir::convoy::getPlacedSums(GridSampleBackwardGridOp op,
                                                    RangeLookup lookup) {
  StringRef letters = op.getLayout().getInput();
  RankedTensorType image = op.getInput().getType();
  auto sizes = getSpatialSizes(image, letters);
  int64_t channels = image.getDimSize(letters.find('c'));
  if (!sizes || ShapedType::isDynamic(channels))
    return std::nullopt;
  NumberRange slopes =
      getSlopes(getElements(lookup(op.getInput()), op.getPadding()),
                op.getMode(), op.getContext());
  // The sum is scaled with half a size, or a little less, at last.
  double scale = std::max(
      1.0, double(*std::max_element(sizes->begin(), sizes->end())) / 2);
  NumberRange term = multiply(lookup(op.getOutputGradient()), slopes);
  return SumRange(double(channels),
                  multiply(term, NumberRange::between(-scale, scale)),
                  NumberRange::constant(0));
}

//===----------------------------------------------------------------------===//
// Deformable convolutions
//===----------------------------------------------------------------------===//

/// The product of numbers and the mask, if there is one.
static NumberRange applyMask(const NumberRange &range, Value mask,
                             RangeLookup lookup) {
  return mask ? multiply(range, lookup(mask)) : range;
}

NumberRange mlir::convoy::getDeformedSamples(DeformOpInterface op,
                                             RangeLookup lookup) {
  NumberRange elements = getElements(lookup(op.getOperandFor(Operand::Input)),
                                     SamplePadding::Zeros);
  NumberRange samples = interpolate(elements, SampleMode::Linear);
  if (!op.getMask())
    return samples;
  // The mask is a factor of the weights.
  return widen(applyMask(samples, op.getMask(), lookup), getFlushed(elements));
}

/// The gradients of samples but for the mask, which are sums in f32.
static NumberRange getSampleGradients(DeformOpInterface op,
                                      RangeLookup lookup) {
  NumberRange product = multiply(lookup(op.getOperandFor(Operand::Output)),
                                 lookup(op.getOperandFor(Operand::Filter)));
  SumRange sum(double(op.getSize(Operand::Filter, 'f')), product,
               NumberRange::constant(0));
  return sum.fitSum(Float32Type::get(op->getContext()));
}

/// The products that are summed, and how many there are; a dynamic number where
/// that is not known.
static std::pair<NumberRange, int64_t> getTerms(DeformOpInterface op,
                                                RangeLookup lookup) {
  auto [rows, columns] = op.getTaps();
  int64_t taps = rows * columns;
  int64_t height = op.getSize(Operand::Output, 'h');
  int64_t width = op.getSize(Operand::Output, 'w');
  int64_t images = op.getSize(Operand::Output, 'n');
  bool isDynamic =
      ShapedType::isDynamic(height) || ShapedType::isDynamic(width);
  Type type = getElementTypeOrSelf(op.getTypeFor(Operand::Input));
  if (isa<DeformConvOp>(op))
    return {multiply(fit(getDeformedSamples(op, lookup), type),
                     lookup(op.getOperandFor(Operand::Filter))),
            taps * op.getSize(Operand::Filter, 'c')};
  if (isa<DeformConvBackwardFilterOp>(op))
    return {multiply(fit(getDeformedSamples(op, lookup), type),
                     lookup(op.getOperandFor(Operand::Output))),
            isDynamic || ShapedType::isDynamic(images)
                ? ShapedType::kDynamic
                : images * height * width};
  NumberRange gradients = getSampleGradients(op, lookup);
  if (isa<DeformConvBackwardInputOp>(op)) {
    NumberRange weight = NumberRange::between(0, 1 + kLinearError);
    return {multiply(applyMask(gradients, op.getMask(), lookup), weight),
            isDynamic ? ShapedType::kDynamic : height * width * taps};
  }
  int64_t channels = op.getChannels() / op.getOffsetGroups();
  NumberRange elements = getElements(lookup(op.getOperandFor(Operand::Input)),
                                     SamplePadding::Zeros);
  if (isa<DeformConvBackwardMaskOp>(op))
    return {
        multiply(gradients, fitFloat(interpolate(elements, SampleMode::Linear),
                                     op->getContext())),
        channels};
  // The sum is multiplied with the mask at last.
  NumberRange slopes = multiply(
      gradients, getSlopes(elements, SampleMode::Linear, op->getContext()));
  return {op.getMask() ? join(slopes, applyMask(slopes, op.getMask(), lookup))
                       : slopes,
          channels};
}

std::optional<SumRange> mlir::convoy::getPlacedSums(DeformOpInterface op,
                                                    RangeLookup lookup) {
  auto [term, length] = getTerms(op, lookup);
  if (ShapedType::isDynamic(length))
    return std::nullopt;
  return SumRange(double(length), term, lookup(op.getInit()));
}
