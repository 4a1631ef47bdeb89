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

#include "convoy/Dialect/Convoy/IR/WinogradTile.h"
#include "convoy/Support/Interruption.h"

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

namespace {
/// What a tap adds to the places of elements in input and filter.
struct TapPlaces {
  int64_t input, filter;
};
} // namespace

/// By output position of the spatial dimension `letter`, the taps that meet an
/// element of the input there. `equation` is null where there is no such
/// dimension.
static std::vector<std::vector<TapPlaces>>
findTaps(char letter, const WindowEquation *equation, const Letters &input,
         const Letters &filter, const Letters &output) {
  if (!equation)
    return {{{0, 0}}};
  std::vector<std::vector<TapPlaces>> taps(output.sizes[letter]);
  for (auto [position, met] : llvm::enumerate(taps))
    for (int64_t k = 0; k < filter.sizes[letter]; ++k) {
      int64_t wanted =
          equation->evaluate(int64_t(position), k, filter.sizes[letter]);
      int64_t i = wanted / equation->inputDilation;
      if (wanted >= 0 && wanted % equation->inputDilation == 0 &&
          i < input.sizes[letter])
        met.push_back({i * input.strides[letter], k * filter.strides[letter]});
    }
  return taps;
}

LogicalResult Interpreter::addProducts(const Convolution &convolution,
                                       Sums &sums) {
  auto &[layouts, shapes, window, roles, operands, multiply] = convolution;
  Letters input(layouts[0], shapes[0]), filter(layouts[1], shapes[1]),
      output(layouts[2], shapes[2]);
  std::array<std::vector<std::vector<TapPlaces>>, 3> taps;
  const WindowEquation *equation = window.data();
  for (auto [dim, letter] : llvm::enumerate(StringRef("dhw")))
    taps[dim] = findTaps(
        letter, StringRef(layouts[2]).contains(letter) ? equation++ : nullptr,
        input, filter, output);
  // An output position meets all taps of all input channels.
  constexpr StringLiteral outer = "ngfdhw";
  Index outerShape;
  for (char letter : outer)
    outerShape.push_back((letter == 'f' ? filter : output).sizes[letter]);
  int64_t products = 0;
  return forEachIndex(outerShape, [&](ArrayRef<int64_t> at) {
    std::array<int64_t, 3> place = {0, 0, 0};
    for (auto [letter, i] : llvm::zip_equal(outer, at)) {
      place[2] += i * output.strides[letter];
      if (isSpatial(letter))
        continue;
      place[0] += i * input.strides[letter];
      place[1] += i * filter.strides[letter];
    }
    const std::array<int64_t, 3> base = place;
    for (int64_t c = 0; c < filter.sizes['c']; ++c) {
      for (const TapPlaces &d : taps[0][at[3]])
        for (const TapPlaces &h : taps[1][at[4]])
          for (const TapPlaces &w : taps[2][at[5]]) {
            place[0] =
                base[0] + c * input.strides['c'] + d.input + h.input + w.input;
            place[1] = base[1] + c * filter.strides['c'] + d.filter + h.filter +
                       w.filter;
            sums.add(place[roles[2]],
                     multiply({(*operands[0].elements)[place[roles[0]]],
                               (*operands[1].elements)[place[roles[1]]]}));
            if (++products % kIndicesAtOnce == 0 && ::convoy::isInterrupted())
              return failure();
          }
    }
    return success();
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

FailureOr<Tensor> Interpreter::widen(Operation *op, unsigned number, Type type,
                                     bool isUnsigned) {
  Type from = getElementTypeOrSelf(op->getOperand(number).getType());
  Tensor tensor = copy(getTensor(op->getOperand(number)));
  StringRef name = isa<FloatType>(type) ? "arith.extf"
                   : isUnsigned         ? "arith.extui"
                                        : "arith.extsi";
  if (failed(convertAll(op, name, tensor, from, type)))
    return failure();
  return tensor;
}

/// The index of the channel of `filter`'s element `place` among those that have
/// zero points, and their count.
static std::pair<int64_t, int64_t>
findChannel(ConvolutionOpInterface op, const Letters &filter, int64_t place) {
  char letter = op.getDirection() == ::convoy::Direction::Forward ? 'f' : 'c';
  auto find = [&](char letter) {
    int64_t stride = filter.strides[letter];
    return stride == 0 ? 0 : place / stride % filter.sizes[letter];
  };
  int64_t channels = filter.sizes[letter];
  return {find('g') * channels + find(letter), filter.sizes['g'] * channels};
}

LogicalResult Interpreter::subtractZeroPoints(ConvolutionOpInterface op,
                                              unsigned number,
                                              const Tensor &operand,
                                              Type type) {
  SmallVector<Type, 2> types(2, type);
  FailureOr<Algebra::Function> subtract =
      resolve(op, "arith.subi", type, types);
  if (failed(subtract))
    return failure();
  Value zeroPoint = op.getZeroPoints()[number];
  if (number == 0 || !op.hasZeroPointsPerChannel()) {
    for (Scalar &element : *operand.elements)
      element = (*subtract)({element, getScalar(zeroPoint)});
    return success();
  }
  const Tensor &zeroPoints = getTensor(zeroPoint);
  Letters letters(op.getLayout().getFilter(), operand.shape);
  for (auto [place, element] : llvm::enumerate(*operand.elements)) {
    auto [channel, channels] = findChannel(op, letters, int64_t(place));
    if (zeroPoints.size() != channels)
      return illegal(op, "zero points of more or fewer channels");
    element = (*subtract)({element, (*zeroPoints.elements)[channel]});
  }
  return success();
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
    FailureOr<Tensor> operand =
        widen(op, number, accumulator, isUnsigned[number]);
    if (failed(operand) ||
        (!op.getZeroPoints().empty() &&
         failed(subtractZeroPoints(op, number, *operand, accumulator))))
      return failure();
    convolution.shapes[convolution.roles[number]] = operand->shape;
    convolution.operands[number] = std::move(*operand);
  }
  if (!haveEqualSizes(convolution.layouts, convolution.shapes))
    return illegal(op, "sizes of one letter that differ");
  SmallVector<Type, 2> types(2, accumulator);
  FailureOr<Algebra::Function> multiply =
      resolve(op, isa<FloatType>(accumulator) ? "arith.mulf" : "arith.muli",
              accumulator, types);
  if (failed(multiply) ||
      failed(convertAll(op, "arith.extf", result, type, accumulator)))
    return failure();
  convolution.multiply = *multiply;
  std::vector<Scalar> inits = *result.elements;
  std::unique_ptr<Sums> sums = algebra.startSumsOf(op, accumulator, inits);
  if (failed(addProducts(convolution, *sums)) ||
      failed(setSums(op, *sums, accumulator, result)))
    return failure();
  // Sums of f32, which are not converted.
  Letters input(convolution.layouts[0], convolution.shapes[0]);
  if (auto tile = op->getAttrOfType<DenseI64ArrayAttr>(kWinogradAttrName))
    algebra.followWinograd({op,
                            input.sizes['n'],
                            {convolution.operands[0].elements.get(),
                             convolution.operands[1].elements.get()},
                            inits},
                           tile, *getTensor(op->getResult(0)).elements);
  return success();
}

//===----------------------------------------------------------------------===//
// im2col and col2im
//===----------------------------------------------------------------------===//

/// Calls `function` with the indices of each element (positions, taps, c) of
/// rows and of the element of the image that it stands for, where there is one.
static void forEachWindowElement(
    Im2colLayoutAttr layout, WindowAttr window, const Index &rows,
    const Index &image,
    function_ref<void(ArrayRef<int64_t>, ArrayRef<int64_t>)> function) {
  std::vector<WindowEquation> equations =
      getEquations(window, layout.getInput());
  (void)forEachIndex(rows, [&](ArrayRef<int64_t> index) {
    Index place(image.size());
    size_t dim = 0;
    for (char letter : StringRef("dhwncg")) {
      size_t at = layout.getInput().find(letter);
      if (at == StringRef::npos)
        continue;
      if (isSpatial(letter))
        place[at] =
            equations[dim++].evaluate(index[layout.getPositionDim(letter)],
                                      index[layout.getWindowDim(letter)],
                                      rows[layout.getWindowDim(letter)]);
      else
        place[at] = index[layout.getSharedDim(letter)];
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
  Type sumType = getElementTypeOrSelf(op->getOperand(0).getType());
  if (isa<FloatType>(sumType) && sumType.getIntOrFloatBitWidth() < 32)
    sumType = Float32Type::get(op->getContext());
  FailureOr<Tensor> input = widen(op, 0, sumType, /*isUnsigned=*/false);
  if (failed(input))
    return failure();
  Tensor result = makeTensor(shape, getZero(sumType));
  std::unique_ptr<Sums> sums = algebra.startSums(sumType, *result.elements);
  forEachTerm([&](ArrayRef<int64_t> from, ArrayRef<int64_t> to) {
    sums->add(&result.at(to) - result.elements->data(), input->at(from));
  });
  return setSums(op, *sums, sumType, std::move(result));
}

LogicalResult Interpreter::runCol2im(Col2imOp op) {
  const Index &rows = getTensor(op.getInput()).shape;
  Im2colLayoutAttr layout = op.getLayout();
  Index shape;
  for (auto [dim, letter] : llvm::enumerate(layout.getInput()))
    shape.push_back(op.getType().isDynamicDim(dim)
                        ? rows[layout.getSharedDim(letter)]
                        : op.getType().getDimSize(dim));
  return addTerms(op, shape, [&](VisitTerm visit) {
    forEachWindowElement(layout, op.getWindow(), rows, shape, visit);
  });
}
