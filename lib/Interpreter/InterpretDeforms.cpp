//===- InterpretDeforms.cpp - Deformable convolutions -----------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// docs/Sampling.md: a convolution whose taps are moved, and its gradients.
//
//===----------------------------------------------------------------------===//

#include "Convolution.h"

#include <tuple>

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::Operand;

/// The tensors of a deformable convolution, and where its loops are. The
/// result's tensor gives its shape alone.
struct Interpreter::Deformed {
  Tensor image, taps, outputs; ///< but for the image, in f32
  Tensor offsets;
  std::optional<Tensor> factors; ///< the mask
  Letters input, filter, output, offset, mask;
  std::vector<WindowEquation> window;
  int64_t offsetGroups, channelsPerGroup; ///< of those that are moved alike
  std::unique_ptr<Sampler> sampler;
  Algebra::Function multiply; ///< in f32
  Algebra::Function widen;    ///< of samples to f32
  Algebra &algebra;
  Scalar zero; ///< of f32
  /// Output position, tap, group and channel.
  int64_t n = 0, h = 0, w = 0, y = 0, x = 0, g = 0, c = 0;
  /// Gradients of the samples at an output position, by tap and channel.
  std::vector<Scalar> gradients = {};

  int64_t getChannels() const { return input.sizes['g'] * input.sizes['c']; }
  /// Goes to a channel of those of all groups.
  void setChannel(int64_t channel) {
    g = channel / input.sizes['c'];
    c = channel % input.sizes['c'];
  }
  int64_t getChannel() const { return g * input.sizes['c'] + c; }
  /// The number of the tap along c of the mask; its offsets lie at twice that.
  int64_t getTap() const {
    int64_t group = getChannel() / channelsPerGroup;
    return (group * filter.sizes['h'] + y) * filter.sizes['w'] + x;
  }
  int64_t getOffsetPlace(const Letters &letters, int64_t number) const {
    return n * letters.strides['n'] + number * letters.strides['c'] +
           h * letters.strides['h'] + w * letters.strides['w'];
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
  Scalar readImage(ArrayRef<int64_t> place) const {
    return (*image.elements)[getInputPlace(place)];
  }
  std::optional<Scalar> getFactor() const {
    if (!factors)
      return std::nullopt;
    return (*factors->elements)[getOffsetPlace(mask, getTap())];
  }
  /// Moves the sampler to what the tap reads.
  void move() {
    SmallVector<int64_t, 2> start = {
        window[0].evaluate(h, y, filter.sizes['h']),
        window[1].evaluate(w, x, filter.sizes['w'])};
    SmallVector<Scalar, 2> moved;
    for (int64_t dim : {0, 1})
      moved.push_back(
          (*offsets.elements)[getOffsetPlace(offset, 2 * getTap() + dim)]);
    sampler->moveBeside(start, moved);
  }
  /// What the tap reads, times `factor`, in f32.
  Scalar sample(std::optional<Scalar> factor) {
    Scalar value = sampler->sample(
        [&](ArrayRef<int64_t> place) { return readImage(place); }, factor);
    return widen ? widen(value) : value;
  }
  Scalar &getGradient() {
    return gradients[(y * filter.sizes['w'] + x) * getChannels() +
                     getChannel()];
  }
  /// Sets the gradients of all samples at the output position.
  void differentiateSamples(Type sumType);
  /// Calls `visit` for each tap and channel of the output position.
  void forEachSample(function_ref<void()> visit);
  /// Calls `visit` for each tap and group of channels that are moved alike,
  /// with the first of these.
  void forEachGroup(function_ref<void(int64_t first)> visit);

  /// Input, filter and output.
  using Tensors = std::array<Tensor, 3>;
  /// Those of `op`, in f32 but for what is sampled and the result.
  static LogicalResult getTensors(Interpreter &interpreter,
                                  DeformOpInterface op, Tensors &tensors);

  // What is added for one output position.
  void addOutputs(Sums &sums);
  void addFilters(Sums &sums);
  void addMasks(Sums &sums);
  void addOffsets(Sums &sums);
  void addInputs(Sums &sums);
};

void Interpreter::Deformed::forEachSample(function_ref<void()> visit) {
  Index loops = {filter.sizes['h'], filter.sizes['w'], input.sizes['g'],
                 input.sizes['c']};
  (void)forEachIndex(loops, [&](ArrayRef<int64_t> index) {
    std::tie(y, x, g, c) = std::tuple(index[0], index[1], index[2], index[3]);
    visit();
    return success();
  });
}

void Interpreter::Deformed::forEachGroup(function_ref<void(int64_t)> visit) {
  if (getChannels() == 0)
    return;
  Index loops = {filter.sizes['h'], filter.sizes['w'], offsetGroups};
  (void)forEachIndex(loops, [&](ArrayRef<int64_t> index) {
    std::tie(y, x) = std::tuple(index[0], index[1]);
    int64_t first = index[2] * channelsPerGroup;
    setChannel(first);
    move();
    visit(first);
    return success();
  });
}

void Interpreter::Deformed::differentiateSamples(Type sumType) {
  gradients.assign(filter.sizes['h'] * filter.sizes['w'] * getChannels(), {});
  std::unique_ptr<Sums> sums =
      algebra.startSums(sumType, std::vector<Scalar>(gradients.size(), zero));
  forEachSample([&] {
    int64_t place = &getGradient() - gradients.data();
    for (int64_t f = 0; f < filter.sizes['f']; ++f)
      sums->add(place, multiply({(*outputs.elements)[getOutputPlace(f)],
                                 (*taps.elements)[getFilterPlace(f)]}));
    getGradient() = sums->get(place);
  });
}

//===----------------------------------------------------------------------===//
// Terms
//===----------------------------------------------------------------------===//

void Interpreter::Deformed::addOutputs(Sums &sums) {
  forEachSample([&] {
    move();
    Scalar value = sample(getFactor());
    for (int64_t f = 0; f < filter.sizes['f']; ++f)
      sums.add(getOutputPlace(f),
               multiply({value, (*taps.elements)[getFilterPlace(f)]}));
  });
}

void Interpreter::Deformed::addFilters(Sums &sums) {
  forEachSample([&] {
    move();
    Scalar value = sample(getFactor());
    for (int64_t f = 0; f < filter.sizes['f']; ++f)
      sums.add(getFilterPlace(f),
               multiply({value, (*outputs.elements)[getOutputPlace(f)]}));
  });
}

void Interpreter::Deformed::addMasks(Sums &sums) {
  forEachGroup([&](int64_t first) {
    int64_t place = getOffsetPlace(mask, getTap());
    for (int64_t channel = 0; channel < channelsPerGroup; ++channel) {
      setChannel(first + channel);
      sums.add(place, multiply({sample(std::nullopt), getGradient()}));
    }
  });
}

void Interpreter::Deformed::addOffsets(Sums &sums) {
  forEachGroup([&](int64_t first) {
    int64_t tap = getTap();
    std::optional<Scalar> factor = getFactor();
    SmallVector<Scalar> ofChannels;
    for (int64_t channel = 0; channel < channelsPerGroup; ++channel) {
      setChannel(first + channel);
      ofChannels.push_back(getGradient());
    }
    SmallVector<Scalar, 3> slopes = sampler->differentiate(
        ofChannels, [&](int64_t channel, ArrayRef<int64_t> place) {
          setChannel(first + channel);
          return readImage(place);
        });
    for (auto [dim, slope] : llvm::enumerate(slopes))
      sums.add(getOffsetPlace(offset, 2 * tap + int64_t(dim)),
               factor ? multiply({slope, *factor}) : slope);
  });
}

void Interpreter::Deformed::addInputs(Sums &sums) {
  forEachSample([&] {
    move();
    sampler->spread(
        getGradient(),
        [&](ArrayRef<int64_t> place, Scalar term) {
          sums.add(getInputPlace(place), term);
        },
        getFactor());
  });
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

LogicalResult Interpreter::addDeformedTerms(DeformOpInterface op, Deformed &at,
                                            Sums &sums) {
  Type sumType = Float32Type::get(op.getContext());
  Index positions = {at.output.sizes['n'], at.output.sizes['h'],
                     at.output.sizes['w']};
  return forEachIndex(positions, [&](ArrayRef<int64_t> index) {
    std::tie(at.n, at.h, at.w) = std::tuple(index[0], index[1], index[2]);
    if (isa<DeformConvOp>(op)) {
      at.addOutputs(sums);
      return success();
    }
    if (isa<DeformConvBackwardFilterOp>(op)) {
      at.addFilters(sums);
      return success();
    }
    at.differentiateSamples(sumType);
    if (isa<DeformConvBackwardMaskOp>(op))
      at.addMasks(sums);
    else if (isa<DeformConvBackwardOffsetOp>(op))
      at.addOffsets(sums);
    else
      at.addInputs(sums);
    return success();
  });
}

/// The type of the elements of `value`.
static FloatType getFloatElement(Value value) {
  return cast<FloatType>(getElementTypeOrSelf(value.getType()));
}

/// Whether what `op` reads is rounded to the input's type.
static bool roundsSamples(DeformOpInterface op) {
  return isa<DeformConvOp, DeformConvBackwardFilterOp>(op);
}

/// How `op` samples an input of these sizes.
static Sampling getSampling(DeformOpInterface op, const Letters &input) {
  FloatType type = Float32Type::get(op.getContext());
  if (roundsSamples(op))
    type = getFloatElement(op.getOperandFor(Operand::Input));
  return {SampleMode::Linear,
          SamplePadding::Zeros,
          /*alignCorners=*/false,
          {input.sizes['h'], input.sizes['w']},
          type,
          getFloatElement(op.getOffset())};
}

LogicalResult Interpreter::Deformed::getTensors(Interpreter &interpreter,
                                                DeformOpInterface op,
                                                Tensors &tensors) {
  for (Operand operand : {Operand::Input, Operand::Filter, Operand::Output}) {
    Value value = op.getOperandFor(operand);
    Tensor &tensor = tensors[size_t(operand)];
    tensor = interpreter.getTensor(value);
    bool isSampled = operand == Operand::Input && roundsSamples(op);
    if (value == op.getInit() || isSampled)
      continue;
    tensor = copy(tensor);
    if (failed(interpreter.convertAll(op, "arith.extf", tensor,
                                      getFloatElement(value),
                                      Float32Type::get(op.getContext()))))
      return failure();
  }
  return success();
}

LogicalResult Interpreter::runDeformed(DeformOpInterface op) {
  Type sumType = Float32Type::get(op.getContext());
  ConvLayoutAttr layout = op.getLayout();
  Deformed::Tensors tensors;
  if (failed(Deformed::getTensors(*this, op, tensors)))
    return failure();
  auto &[image, taps, outputs] = tensors;
  Letters input(layout.getInput(), image.shape);
  Sampling sampling = getSampling(op, input);
  for (int64_t size : sampling.sizes)
    if (size < 1)
      return illegal(op, "an image without elements");
  std::unique_ptr<Sampler> sampler = algebra.startSampling(sampling);
  if (!sampler)
    return unknown(op, "samples");
  FailureOr<Algebra::Function> multiply =
      resolve(op, "arith.mulf", sumType, SmallVector<Type>(2, sumType));
  FailureOr<Algebra::Function> widen = Algebra::Function();
  if (sampling.imageType != sumType)
    widen = resolve(op, "arith.extf", sumType, sampling.imageType);
  Type type = getElementTypeOrSelf(op.getInit().getType());
  Tensor result = copy(getTensor(op.getInit()));
  if (failed(multiply) || failed(widen) ||
      failed(convertAll(op, "arith.extf", result, type, sumType)))
    return failure();
  const Tensor &offset = getTensor(op.getOffset());
  std::optional<Tensor> mask;
  if (op.getMask())
    mask = getTensor(op.getMask());
  const Index &maskShape = mask                                ? mask->shape
                           : isa<DeformConvBackwardMaskOp>(op) ? result.shape
                                                               : offset.shape;
  Deformed at = {image,
                 taps,
                 outputs,
                 offset,
                 mask,
                 input,
                 Letters(layout.getFilter(), taps.shape),
                 Letters(layout.getOutput(), outputs.shape),
                 Letters(op.getOffsetLayout(), offset.shape),
                 Letters(op.getOffsetLayout(), maskShape),
                 getEquations(op.getWindow(), layout.getInput()),
                 op.getOffsetGroups(),
                 op.getChannels() / op.getOffsetGroups(),
                 std::move(sampler),
                 *multiply,
                 *widen,
                 algebra,
                 getZero(sumType)};
  std::unique_ptr<Sums> sums = algebra.startSums(sumType, *result.elements);
  if (failed(addDeformedTerms(op, at, *sums)))
    return failure();
  return setSums(op, *sums, sumType, std::move(result));
}
