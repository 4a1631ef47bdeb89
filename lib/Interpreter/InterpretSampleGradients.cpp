//===- InterpretSampleGradients.cpp - Gradients of samples ------*- C++ -*-===//
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

namespace {
/// The loops over samples, and where their tensors have what belongs to one.
struct SamplePoint {
  template <typename OpTy>
  SamplePoint(OpTy op, const Tensor &grid)
      : image(op.getLayout().getInput()), grid(op.getLayout().getGrid()),
        samples(op.getLayout().getOutput()),
        sampling{
            op.getMode(), op.getPadding(), op.getAlignCorners(), {}, {}, {}} {
    for (char letter : StringRef("dhw"))
      if (image.contains(letter))
        spatial += letter;
    letters = "n" + spatial;
    for (char letter : letters)
      shape.push_back(grid.shape[this->grid.find(letter)]);
    auto getType = [](Value value) {
      return cast<FloatType>(getElementTypeOrSelf(value.getType()));
    };
    sampling.imageType = getType(op.getOutputGradient());
    sampling.gridType = getType(op.getGrid());
  }

  /// Takes the spatial sizes of an image of `imageShape`.
  void setImage(ArrayRef<int64_t> imageShape) {
    for (char letter : spatial)
      sampling.sizes.push_back(imageShape[image.find(letter)]);
  }
  int64_t at(char letter) const { return index[letters.find(letter)]; }
  /// The place of `channel` in a tensor with dimensions called `names`, which
  /// has the samples' spatial dimensions.
  Index getPlace(StringRef names, int64_t channel) const {
    Index place;
    for (char name : names)
      place.push_back(name == 'c' ? channel : at(name));
    return place;
  }
  /// The same in the image, at the spatial position `inside`.
  Index getImagePlace(int64_t channel, ArrayRef<int64_t> inside) const {
    Index place;
    for (char name : image)
      place.push_back(name == 'n'   ? at('n')
                      : name == 'c' ? channel
                                    : inside[spatial.find(name)]);
    return place;
  }
  /// Those of the sample in `tensor`, outermost dimension first.
  SmallVector<Scalar, 3> getCoordinates(const Tensor &tensor) const {
    SmallVector<Scalar, 3> coordinates;
    for (size_t number = spatial.size(); number-- > 0;)
      coordinates.push_back(tensor.at(getPlace(grid, int64_t(number))));
    return coordinates;
  }

  StringRef image, grid, samples; ///< names of dimensions
  std::string spatial, letters;
  Index shape; ///< of the loops
  ArrayRef<int64_t> index;
  Sampling sampling;
};
} // namespace

LogicalResult
Interpreter::runGridSampleBackwardInput(GridSampleBackwardInputOp op) {
  const Tensor &gradient = getTensor(op.getOutputGradient()),
               &grid = getTensor(op.getGrid());
  SamplePoint point(op, grid);
  Index shape(op.getType().getShape());
  for (auto [size, name] : llvm::zip_equal(shape, point.image))
    if (ShapedType::isDynamic(size))
      size = gradient.shape[point.samples.find(name)];
  point.setImage(shape);
  std::unique_ptr<Sampler> sampler = algebra.startSampling(point.sampling);
  if (!sampler)
    return unknown(op, "gradients of samples");
  Type sumType = Float32Type::get(op.getContext());
  Tensor result = makeTensor(shape, getZero(sumType));
  std::unique_ptr<Sums> sums = algebra.startSums(sumType, *result.elements);
  int64_t channels = gradient.shape[point.samples.find('c')];
  (void)forEachIndex(point.shape, [&](ArrayRef<int64_t> index) {
    point.index = index;
    sampler->moveTo(point.getCoordinates(grid));
    for (int64_t channel = 0; channel < channels; ++channel)
      sampler->spread(gradient.at(point.getPlace(point.samples, channel)),
                      [&](ArrayRef<int64_t> inside, Scalar term) {
                        Scalar &place =
                            result.at(point.getImagePlace(channel, inside));
                        sums->add(&place - result.elements->data(), term);
                      });
    return success();
  });
  return setSums(op, *sums, sumType, std::move(result));
}

LogicalResult
Interpreter::runGridSampleBackwardGrid(GridSampleBackwardGridOp op) {
  const Tensor &gradient = getTensor(op.getOutputGradient()),
               &image = getTensor(op.getInput()),
               &grid = getTensor(op.getGrid());
  SamplePoint point(op, grid);
  point.setImage(image.shape);
  for (int64_t size : point.sampling.sizes)
    if (size < 1)
      return illegal(op, "an image without elements");
  std::unique_ptr<Sampler> sampler = algebra.startSampling(point.sampling);
  if (!sampler)
    return unknown(op, "gradients of samples");
  Tensor result = makeTensor(grid.shape);
  int64_t channels = gradient.shape[point.samples.find('c')];
  (void)forEachIndex(point.shape, [&](ArrayRef<int64_t> index) {
    point.index = index;
    sampler->moveTo(point.getCoordinates(grid));
    SmallVector<Scalar> gradients;
    for (int64_t channel = 0; channel < channels; ++channel)
      gradients.push_back(gradient.at(point.getPlace(point.samples, channel)));
    SmallVector<Scalar, 3> slopes = sampler->differentiate(
        gradients, [&](int64_t channel, ArrayRef<int64_t> inside) {
          return image.at(point.getImagePlace(channel, inside));
        });
    for (auto [number, slope] : llvm::enumerate(llvm::reverse(slopes)))
      result.at(point.getPlace(point.grid, int64_t(number))) = slope;
    return success();
  });
  if (failed(convertAll(op, "arith.truncf", result,
                        Float32Type::get(op.getContext()),
                        point.sampling.gridType)))
    return failure();
  return setTensor(op->getResult(0), std::move(result));
}
