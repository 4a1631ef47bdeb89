//===- InterpretConvoy.cpp - Convolutions, term by term ---------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The dialect, from docs/Convoy.md.
//
//===----------------------------------------------------------------------===//

#include "Convolution.h"

#include <map>

using namespace mlir;
using namespace mlir::convoy;

std::vector<WindowEquation> mlir::convoy::getEquations(WindowAttr window,
                                                       StringRef layout) {
  std::vector<WindowEquation> equations(llvm::count_if(layout, isSpatial));
  for (auto [dim, equation] : llvm::enumerate(equations)) {
    auto take = [&, dim = dim](auto &entry, auto list) {
      if (!list.empty())
        entry = list[dim];
    };
    take(equation.stride, window.getStride());
    take(equation.dilation, window.getDilation());
    take(equation.padLow, window.getPadLow());
    take(equation.inputDilation, window.getInputDilation());
    take(equation.reverse, window.getReverse());
  }
  return equations;
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

LogicalResult Interpreter::addProducts(Operation *op,
                                       const Convolution &convolution,
                                       Sums &sums) {
  auto &[layouts, shapes, window, roles, operands, conversions, multiply] =
      convolution;
  Letters input(layouts[0], shapes[0]), filter(layouts[1], shapes[1]),
      output(layouts[2], shapes[2]);
  std::string spatial;
  for (char letter : StringRef("dhw"))
    if (StringRef(layouts[2]).contains(letter))
      spatial += letter;
  // An output position meets all taps of all input channels.
  const std::string outer = "ngf" + spatial, inner = "c" + spatial;
  Index outerShape, innerShape;
  for (char letter : outer)
    outerShape.push_back(letter == 'f' ? filter.sizes[letter]
                                       : output.sizes[letter]);
  for (char letter : inner)
    innerShape.push_back(filter.sizes[letter]);
  auto convert = [&](unsigned number, int64_t place) -> Scalar {
    const Scalar &element = (*operands[number].elements)[place];
    return conversions[number] ? conversions[number](element) : element;
  };
  return forEachIndex(outerShape, [&](ArrayRef<int64_t> at) {
    std::array<int64_t, 3> base = {0, 0, 0};
    for (auto [letter, i] : llvm::zip_equal(outer, at)) {
      base[2] += i * output.strides[letter];
      if (isSpatial(letter))
        continue;
      base[0] += i * input.strides[letter];
      base[1] += i * filter.strides[letter];
    }
    return forEachIndex(innerShape, [&](ArrayRef<int64_t> tap) {
      std::array<int64_t, 3> place = base;
      place[0] += tap[0] * input.strides['c'];
      place[1] += tap[0] * filter.strides['c'];
      for (auto [dim, letter] : llvm::enumerate(spatial)) {
        int64_t k = tap[dim + 1];
        int64_t wanted =
            window[dim].evaluate(at[dim + 3], k, filter.sizes[letter]);
        int64_t i = wanted / window[dim].inputDilation;
        if (wanted < 0 || wanted % window[dim].inputDilation != 0 ||
            i >= input.sizes[letter])
          return success();
        place[0] += i * input.strides[letter];
        place[1] += k * filter.strides[letter];
      }
      sums.add(place[roles[2]], multiply({convert(0, place[roles[0]]),
                                          convert(1, place[roles[1]])}));
      return success();
    });
  });
}

LogicalResult Interpreter::convertAll(Operation *op, StringRef name,
                                      const Tensor &tensor, Type from,
                                      Type to) {
  if (from == to)
    return success();
  FailureOr<Algebra::Function> convert = resolve(op, name, to, from);
  if (failed(convert))
    return failure();
  for (Scalar &element : *tensor.elements)
    element = (*convert)(element);
  return success();
}

LogicalResult Interpreter::setSums(Operation *op, Sums &sums, Type sumType,
                                   Tensor result) {
  for (int64_t i = 0; i < result.size(); ++i)
    (*result.elements)[i] = sums.get(i);
  Type type = getElementTypeOrSelf(op->getResult(0).getType());
  if (failed(convertAll(op, "arith.truncf", result, sumType, type)))
    return failure();
  return setTensor(op->getResult(0), std::move(result));
}

//===----------------------------------------------------------------------===//
// The three directions
//===----------------------------------------------------------------------===//

/// The type of the sum: what is declared, but `normal` and `high` do not sum
/// floats below f32.
static Type getSumType(ConvolutionOpInterface op) {
  Type type = op.getNumerics().getAccumulator();
  if (!type)
    type = getElementTypeOrSelf(op.getInit().getType());
  if (isa<FloatType>(type) && type.getIntOrFloatBitWidth() < 32 &&
      op.getNumerics().getPolicy() != Policy::Low)
    return Float32Type::get(op.getContext());
  return type;
}

/// Which tensors of the forward convolution the two operands and the result
/// are: 0 is the input, 1 the filter, 2 the output.
static std::array<unsigned, 3> getRoles(ConvolutionOpInterface op) {
  switch (op.getDirection()) {
  case ::convoy::Direction::Forward:
    return {0, 1, 2};
  case ::convoy::Direction::BackwardData:
    return {2, 1, 0};
  case ::convoy::Direction::BackwardFilter:
    return {0, 2, 1};
  }
  llvm_unreachable("unknown direction");
}

/// Widens an element and subtracts its zero point; null where neither is to be
/// done.
static Algebra::Function getConversion(Algebra::Function widen,
                                       Algebra::Function subtract,
                                       Scalar zeroPoint) {
  if (!widen && !subtract)
    return nullptr;
  return [=](ArrayRef<Scalar> element) -> Scalar {
    Scalar wide = widen ? widen(element) : element[0];
    return subtract ? subtract({wide, zeroPoint}) : wide;
  };
}

/// Converts the elements of `filter`, each with the zero point of its channel.
/// Returns whether each channel has one.
static bool subtractPerChannel(ConvolutionOpInterface op, Tensor &filter,
                               const Tensor &zeroPoints,
                               Algebra::Function widen,
                               Algebra::Function subtract) {
  char letter = op.getDirection() == ::convoy::Direction::Forward ? 'f' : 'c';
  Letters letters(op.getLayout().getFilter(), filter.shape);
  if (zeroPoints.size() != letters.sizes['g'] * letters.sizes[letter])
    return false;
  auto find = [&](char letter, int64_t place) {
    int64_t stride = letters.strides[letter];
    return stride == 0 ? 0 : place / stride % letters.sizes[letter];
  };
  for (auto [place, element] : llvm::enumerate(*filter.elements)) {
    int64_t channel =
        find('g', place) * letters.sizes[letter] + find(letter, place);
    element = getConversion(widen, subtract,
                            (*zeroPoints.elements)[channel])(element);
  }
  return true;
}

/// Whether each letter but spatial ones has one size in all of `layouts` that
/// have it.
static bool haveEqualSizes(ArrayRef<std::string> layouts,
                           ArrayRef<Index> shapes) {
  std::map<char, int64_t> sizes;
  for (auto [layout, shape] : llvm::zip_equal(layouts, shapes))
    for (auto [letter, size] : llvm::zip_equal(layout, shape))
      if (!isSpatial(letter) &&
          sizes.try_emplace(letter, size).first->second != size)
        return false;
  return true;
}

LogicalResult Interpreter::runConvolution(ConvolutionOpInterface op) {
  Type accumulator = getSumType(op);
  Type type = getElementTypeOrSelf(op.getInit().getType());
  bool isFloat = isa<FloatType>(accumulator);
  SmallVector<Type, 2> types(2, accumulator);
  Convolution convolution;
  convolution.roles = getRoles(op);
  ConvLayoutAttr layout = op.getLayout();
  convolution.layouts = {layout.getInput().str(), layout.getFilter().str(),
                         layout.getOutput().str()};
  convolution.window = getEquations(op.getWindow(), layout.getInput());
  Tensor result = copy(getTensor(op.getInit()));
  convolution.shapes[convolution.roles[2]] = result.shape;
  bool isUnsigned[] = {op.getNumerics().getInputUnsigned(),
                       op.getNumerics().getFilterUnsigned()};
  for (unsigned number : {0, 1}) {
    convolution.operands[number] = getTensor(op->getOperand(number));
    convolution.shapes[convolution.roles[number]] =
        convolution.operands[number].shape;
    Type element = getElementTypeOrSelf(op->getOperand(number).getType());
    FailureOr<Algebra::Function> widen = Algebra::Function();
    FailureOr<Algebra::Function> subtract = Algebra::Function();
    if (element != accumulator)
      widen = resolve(op,
                      isFloat              ? "arith.extf"
                      : isUnsigned[number] ? "arith.extui"
                                           : "arith.extsi",
                      accumulator, element);
    bool isShifted = !op.getZeroPoints().empty();
    if (isShifted)
      subtract = resolve(op, "arith.subi", accumulator, types);
    if (failed(widen) || failed(subtract))
      return failure();
    if (number == 1 && op.hasZeroPointsPerChannel()) {
      convolution.operands[1] = copy(convolution.operands[1]);
      if (!subtractPerChannel(op, convolution.operands[1],
                              getTensor(op.getZeroPoints()[1]), *widen,
                              *subtract))
        return illegal(op, "zero points of more or fewer channels");
      continue;
    }
    convolution.conversions[number] = getConversion(
        *widen, *subtract,
        isShifted ? getScalar(op.getZeroPoints()[number]) : Scalar());
  }
  if (!haveEqualSizes(convolution.layouts, convolution.shapes))
    return illegal(op, "sizes of one letter that differ");
  FailureOr<Algebra::Function> multiply =
      resolve(op, isFloat ? "arith.mulf" : "arith.muli", accumulator, types);
  if (failed(multiply) ||
      failed(convertAll(op, "arith.extf", result, type, accumulator)))
    return failure();
  convolution.multiply = *multiply;
  std::unique_ptr<Sums> sums =
      algebra.startSumsOf(op, accumulator, *result.elements);
  if (failed(addProducts(op, convolution, *sums)))
    return failure();
  return setSums(op, *sums, accumulator, std::move(result));
}

//===----------------------------------------------------------------------===//
// im2col and col2im
//===----------------------------------------------------------------------===//

/// Calls `function` with the indices of each element (positions | taps, c) of
/// rows and of the element of the image that it stands for, where there is one.
static void forEachWindowElement(
    Im2colLayoutAttr layout, WindowAttr window, const Index &rows,
    const Index &image,
    function_ref<void(ArrayRef<int64_t>, ArrayRef<int64_t>)> function) {
  StringRef positions = layout.getPositions(), taps = layout.getWindow();
  std::vector<WindowEquation> equations =
      getEquations(window, layout.getInput());
  (void)forEachIndex(rows, [&](ArrayRef<int64_t> index) {
    Point position = {positions, index.take_front(positions.size())};
    Point tap = {taps, index.drop_front(positions.size())};
    Index place(image.size());
    size_t dim = 0;
    for (char letter : StringRef("dhwncg")) {
      size_t at = layout.getInput().find(letter);
      if (at == StringRef::npos)
        continue;
      if (isSpatial(letter))
        place[at] = equations[dim++].evaluate(
            position.at(letter), tap.at(letter),
            rows[positions.size() + taps.find(letter)]);
      else
        place[at] = position.has(letter) ? position.at(letter) : tap.at(letter);
      if (place[at] < 0 || place[at] >= image[at])
        return success();
    }
    function(index, place);
    return success();
  });
}

LogicalResult Interpreter::runIm2col(Im2colOp op) {
  const Tensor &input = getTensor(op.getInput());
  auto type = op.getResult().getType();
  Type elementType = type.getElementType();
  Index shape = getShape(type, op.getSizes());
  FailureOr<Scalar> pad = op.getPadValue()
                              ? getScalar(op.getPadValue())
                              : FailureOr<Scalar>(getZero(elementType));
  if (failed(pad))
    return unknown(op, "a pad value that is not known");
  Tensor result = makeTensor(shape, *pad);
  forEachWindowElement(op.getLayout(), op.getWindow(), shape, input.shape,
                       [&](ArrayRef<int64_t> row, ArrayRef<int64_t> image) {
                         result.at(row) = input.at(image);
                       });
  return setTensor(op->getResult(0), std::move(result));
}

LogicalResult Interpreter::addTerms(Operation *op, ArrayRef<int64_t> shape,
                                    function_ref<void(VisitTerm)> forEachTerm) {
  Tensor input = copy(getTensor(op->getOperand(0)));
  Type from = getElementTypeOrSelf(op->getOperand(0).getType()), sumType = from;
  if (isa<FloatType>(from) && from.getIntOrFloatBitWidth() < 32)
    sumType = Float32Type::get(op->getContext());
  if (failed(convertAll(op, "arith.extf", input, from, sumType)))
    return failure();
  Tensor result = makeTensor(shape, getZero(sumType));
  std::unique_ptr<Sums> sums = algebra.startSums(sumType, *result.elements);
  forEachTerm([&](ArrayRef<int64_t> from, ArrayRef<int64_t> to) {
    sums->add(&result.at(to) - result.elements->data(), input.at(from));
  });
  return setSums(op, *sums, sumType, std::move(result));
}

LogicalResult Interpreter::runCol2im(Col2imOp op) {
  const Index &rows = getTensor(op.getInput()).shape;
  Im2colLayoutAttr layout = op.getLayout();
  Index shape;
  for (auto [dim, letter] : llvm::enumerate(layout.getInput()))
    shape.push_back(op.getType().isDynamicDim(dim)
                        ? rows[op.getInputDim(letter)]
                        : op.getType().getDimSize(dim));
  return addTerms(op, shape, [&](VisitTerm visit) {
    forEachWindowElement(layout, op.getWindow(), rows, shape, visit);
  });
}
