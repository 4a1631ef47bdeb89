//===- InterpretSamples.cpp - What is read at computed positions -*- C++ -*-==//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// docs/Sampling.md.
//
//===----------------------------------------------------------------------===//

#include "Convolution.h"

#include <tuple>

using namespace mlir;
using namespace mlir::convoy;

//===----------------------------------------------------------------------===//
// grid_sample
//===----------------------------------------------------------------------===//

/// The size of dimension `letter` of `tensor`.
static int64_t getSize(const Tensor &tensor, StringRef layout, char letter) {
  return tensor.shape[layout.find(letter)];
}

/// The float type of the elements of `value`.
static FloatType getFloatType(Value value) {
  return cast<FloatType>(getElementTypeOrSelf(value.getType()));
}

LogicalResult Interpreter::runGridSample(GridSampleOp op) {
  const Tensor &image = getTensor(op.getInput());
  const Tensor &grid = getTensor(op.getGrid());
  SampleLayoutAttr layout = op.getLayout();
  StringRef imageLayout = layout.getInput(), gridLayout = layout.getGrid();
  Sampling sampling{op.getMode(),
                    op.getPadding(),
                    op.getAlignCorners(),
                    {},
                    getFloatType(op.getInput()),
                    getFloatType(op.getGrid())};
  std::string spatial;
  for (char letter : StringRef("dhw"))
    if (imageLayout.contains(letter)) {
      spatial += letter;
      sampling.sizes.push_back(getSize(image, imageLayout, letter));
    }
  for (int64_t size : sampling.sizes)
    if (size < 1)
      return illegal(op, "an image without elements");
  std::unique_ptr<Sampler> sampler = algebra.startSampling(sampling);
  if (!sampler)
    return unknown(op, "samples");
  Index shape;
  for (char letter : StringRef(layout.getOutput()))
    shape.push_back(letter == 'n' || letter == 'c'
                        ? getSize(image, imageLayout, letter)
                        : getSize(grid, gridLayout, letter));
  Tensor result = makeTensor(shape);
  (void)forEachIndex(shape, [&](ArrayRef<int64_t> index) {
    Point sample = {layout.getOutput(), index};
    auto placeIn = [&](StringRef letters, int64_t channel) {
      Index place;
      for (char letter : letters)
        place.push_back(letter == 'c' ? channel : sample.at(letter));
      return place;
    };
    SmallVector<Scalar, 3> coordinates;
    for (size_t number = spatial.size(); number-- > 0;)
      coordinates.push_back(grid.at(placeIn(gridLayout, int64_t(number))));
    sampler->moveTo(coordinates);
    Index element = placeIn(imageLayout, sample.at('c'));
    result.at(index) = sampler->sample([&](ArrayRef<int64_t> place) {
      for (auto [letter, i] : llvm::zip_equal(spatial, place))
        element[imageLayout.find(letter)] = i;
      return image.at(element);
    });
    return success();
  });
  return setTensor(op->getResult(0), std::move(result));
}

//===----------------------------------------------------------------------===//
// deform_conv
//===----------------------------------------------------------------------===//

namespace {
/// The tensors of a deformable convolution, and where its loops are.
struct DeformedWindow {
  Letters input, filter, output, offset, mask;
  std::vector<WindowEquation> window;
  int64_t channelsPerGroup; ///< of those that are moved alike
  /// Output position, tap, group and channel.
  int64_t n = 0, h = 0, w = 0, y = 0, x = 0, g = 0, c = 0;

  /// The number of the tap along c of the mask; its offsets lie at twice that.
  int64_t getTap() const {
    int64_t group = (g * input.sizes['c'] + c) / channelsPerGroup;
    return (group * filter.sizes['h'] + y) * filter.sizes['w'] + x;
  }
  int64_t getOffsetPlace(const Letters &letters, int64_t number) const {
    return n * letters.strides['n'] + number * letters.strides['c'] +
           h * letters.strides['h'] + w * letters.strides['w'];
  }
  /// What the tap reads where it is not moved.
  std::array<int64_t, 2> getStart() const {
    return {window[0].evaluate(h, y, filter.sizes['h']),
            window[1].evaluate(w, x, filter.sizes['w'])};
  }
  int64_t getInputPlace(ArrayRef<int64_t> place) const {
    return n * input.strides['n'] + g * input.strides['g'] +
           c * input.strides['c'] + place[0] * input.strides['h'] +
           place[1] * input.strides['w'];
  }
  int64_t getFilterPlace(int64_t f) const {
    return g * filter.strides['g'] + f * filter.strides['f'] +
           c * filter.strides['c'] + y * filter.strides['h'] +
           x * filter.strides['w'];
  }
  int64_t getOutputPlace(int64_t f) const {
    return n * output.strides['n'] + g * output.strides['g'] +
           f * output.strides['f'] + h * output.strides['h'] +
           w * output.strides['w'];
  }
};
} // namespace

LogicalResult
Interpreter::addDeformedProducts(DeformConvOp op, Sampler &sampler,
                                 const Algebra::Function &multiply,
                                 Sums &sums) {
  ConvLayoutAttr layout = op.getLayout();
  const Tensor &image = getTensor(op.getInput()),
               &taps = getTensor(op.getFilter()),
               &offset = getTensor(op.getOffset());
  const Tensor *mask = op.getMask() ? &getTensor(op.getMask()) : nullptr;
  DeformedWindow at = {
      Letters(layout.getInput(), image.shape),
      Letters(layout.getFilter(), taps.shape),
      Letters(layout.getOutput(), getTensor(op.getInit()).shape),
      Letters(op.getOffsetLayout(), offset.shape),
      Letters(op.getOffsetLayout(), mask ? mask->shape : offset.shape),
      getEquations(op.getWindow(), layout.getInput()),
      op.getChannels() / op.getOffsetGroups()};
  // What the tap of channel c of group g reads.
  auto sample = [&]() -> Scalar {
    int64_t tap = at.getTap();
    SmallVector<Scalar, 2> offsets;
    for (int64_t dim : {0, 1})
      offsets.push_back(
          (*offset.elements)[at.getOffsetPlace(at.offset, 2 * tap + dim)]);
    sampler.moveBeside(at.getStart(), offsets);
    std::optional<Scalar> factor;
    if (mask)
      factor = (*mask->elements)[at.getOffsetPlace(at.mask, tap)];
    return sampler.sample(
        [&](ArrayRef<int64_t> place) {
          return (*image.elements)[at.getInputPlace(place)];
        },
        factor);
  };
  Index loops = {at.output.sizes['n'], at.output.sizes['h'],
                 at.output.sizes['w'], at.filter.sizes['h'],
                 at.filter.sizes['w'], at.input.sizes['g'],
                 at.input.sizes['c']};
  return forEachIndex(loops, [&](ArrayRef<int64_t> index) {
    std::tie(at.n, at.h, at.w, at.y, at.x, at.g, at.c) = std::tuple(
        index[0], index[1], index[2], index[3], index[4], index[5], index[6]);
    Scalar value = sample();
    for (int64_t f = 0; f < at.filter.sizes['f']; ++f)
      sums.add(at.getOutputPlace(f),
               multiply({value, (*taps.elements)[at.getFilterPlace(f)]}));
    return success();
  });
}

LogicalResult Interpreter::runDeformConv(DeformConvOp op) {
  const Tensor &image = getTensor(op.getInput());
  StringRef letters = op.getLayout().getInput();
  Sampling sampling{
      SampleMode::Linear,
      SamplePadding::Zeros,
      /*alignCorners=*/false,
      {getSize(image, letters, 'h'), getSize(image, letters, 'w')},
      getFloatType(op.getInput()),
      getFloatType(op.getOffset())};
  for (int64_t size : sampling.sizes)
    if (size < 1)
      return illegal(op, "an image without elements");
  std::unique_ptr<Sampler> sampler = algebra.startSampling(sampling);
  if (!sampler)
    return unknown(op, "samples");
  Type type = sampling.imageType, sumType = Float32Type::get(op.getContext());
  SmallVector<Type, 2> types(2, sumType);
  Tensor result = copy(getTensor(op.getInit()));
  FailureOr<Algebra::Function> product =
      resolve(op, "arith.mulf", sumType, types);
  FailureOr<Algebra::Function> widen = Algebra::Function();
  if (type != sumType)
    widen = resolve(op, "arith.extf", sumType, type);
  if (failed(product) || failed(widen) ||
      failed(convertAll(op, "arith.extf", result, type, sumType)))
    return failure();
  auto multiply = [&](ArrayRef<Scalar> factors) -> Scalar {
    if (!*widen)
      return (*product)(factors);
    return (*product)({(*widen)(factors[0]), (*widen)(factors[1])});
  };
  std::unique_ptr<Sums> sums = algebra.startSums(sumType, *result.elements);
  if (failed(addDeformedProducts(op, *sampler, multiply, *sums)))
    return failure();
  for (int64_t i = 0; i < result.size(); ++i)
    (*result.elements)[i] = sums->get(i);
  if (failed(convertAll(op, "arith.truncf", result, sumType, type)))
    return failure();
  return setTensor(op->getResult(0), std::move(result));
}
