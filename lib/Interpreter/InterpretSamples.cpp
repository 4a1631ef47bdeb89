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
// scatter_add
//===----------------------------------------------------------------------===//

LogicalResult Interpreter::runScatterAdd(ScatterAddOp op) {
  const Tensor &values = getTensor(op.getValues()),
               &places = getTensor(op.getPlaces()),
               &weights = getTensor(op.getWeights());
  Tensor result = copy(getTensor(op.getInit()));
  Type type = op.getType().getElementType();
  SmallVector<Type, 2> types(2, type);
  FailureOr<Algebra::Function> multiply =
      resolve(op, "arith.mulf", type, types);
  if (failed(multiply))
    return failure();
  std::unique_ptr<Sums> sums = algebra.startSums(type, *result.elements);
  int64_t channels = values.shape[1], pixels = result.shape[2],
          channelsPerGroup = channels / places.shape[1];
  Index loops = {values.shape[0], channels, values.shape[2], places.shape[3]};
  (void)forEachIndex(loops, [&](ArrayRef<int64_t> at) {
    Index part = {at[0], at[1] / channelsPerGroup, at[2], at[3]};
    // Numbers of i32 are signed.
    int64_t place = int32_t(places.at(part).number);
    if (place >= 0 && place < pixels)
      sums->add(
          (at[0] * channels + at[1]) * pixels + place,
          (*multiply)({values.at({at[0], at[1], at[2]}), weights.at(part)}));
    return success();
  });
  return setSums(op, *sums, type, std::move(result));
}
