//===- InterpretSums.cpp - linalg and convolutions, term by term *- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Interpreter.h"

using namespace mlir;
using namespace mlir::convoy;
using namespace mlir::convoy::test;

//===----------------------------------------------------------------------===//
// linalg
//===----------------------------------------------------------------------===//

FailureOr<Index> Interpreter::getLoopSizes(linalg::LinalgOp op) {
  Index sizes(op.getNumLoops(), -1);
  for (OpOperand &operand : op->getOpOperands())
    for (auto [dim, expr] :
         llvm::enumerate(op.getMatchingIndexingMap(&operand).getResults())) {
      auto loop = dyn_cast<AffineDimExpr>(expr);
      if (!loop)
        continue;
      int64_t size = getTensor(operand.get()).shape[dim];
      int64_t &known = sizes[loop.getPosition()];
      if (known >= 0 && known != size)
        return illegal(op, "operands whose sizes do not agree");
      known = size;
    }
  if (llvm::is_contained(sizes, -1))
    return unknown(op, "a loop whose size no operand gives");
  return sizes;
}

FailureOr<Scalar *> Interpreter::getPlace(linalg::LinalgOp op,
                                          OpOperand &operand,
                                          const Tensor &tensor,
                                          ArrayRef<int64_t> loops) {
  Index place;
  for (AffineExpr expr : op.getMatchingIndexingMap(&operand).getResults()) {
    FailureOr<int64_t> index = evaluate(expr, loops, {}, op);
    if (failed(index))
      return failure();
    place.push_back(*index);
  }
  if (!tensor.contains(place))
    return illegal(op, "an element outside its tensor");
  return &tensor.at(place);
}

LogicalResult Interpreter::runPoint(linalg::LinalgOp op,
                                    ArrayRef<int64_t> loops,
                                    MutableArrayRef<Tensor> results) {
  SmallVector<Scalar *> places;
  for (OpOperand &operand : op->getOpOperands()) {
    BlockArgument argument = op.getMatchingBlockArgument(&operand);
    if (!isa<RankedTensorType>(operand.get().getType())) {
      set(argument, getNumber(operand.get()));
      continue;
    }
    unsigned number = operand.getOperandNumber();
    bool isInit = op.isDpsInit(&operand);
    FailureOr<Scalar *> place =
        getPlace(op, operand,
                 isInit ? results[number - op.getNumDpsInputs()]
                        : getTensor(operand.get()),
                 loops);
    if (failed(place))
      return failure();
    set(argument, **place);
    if (isInit)
      places.push_back(*place);
  }
  linalgLoops.assign(loops.begin(), loops.end());
  if (failed(runBlock(*op.getBlock())))
    return failure();
  for (auto [place, value] :
       llvm::zip_equal(places, op.getBlock()->getTerminator()->getOperands()))
    *place = getNumber(value);
  return success();
}

LogicalResult Interpreter::runLinalg(linalg::LinalgOp op) {
  if (!op.getBlock())
    return unknown(op, "an op of linalg without a body");
  FailureOr<Index> sizes = getLoopSizes(op);
  if (failed(sizes))
    return failure();
  SmallVector<Tensor> results;
  for (Value init : op.getDpsInits())
    results.push_back(copy(getTensor(init)));
  LogicalResult done = forEachIndex(*sizes, [&](ArrayRef<int64_t> loops) {
    return runPoint(op, loops, results);
  });
  if (failed(done))
    return failure();
  for (auto [result, tensor] : llvm::zip_equal(op->getResults(), results))
    if (failed(setTensor(result, tensor)))
      return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// The dialect, from docs/Convoy.md
//===----------------------------------------------------------------------===//

namespace {
/// e*i = s*o + d*k' - pl of one spatial dimension.
struct Equation {
  int64_t stride = 1, dilation = 1, padLow = 0, inputDilation = 1;
  bool reverse = false;

  Equation(WindowAttr window, size_t dim) {
    auto take = [&](auto &entry, auto list) {
      if (!list.empty())
        entry = list[dim];
    };
    take(stride, window.getStride());
    take(dilation, window.getDilation());
    take(padLow, window.getPadLow());
    take(inputDilation, window.getInputDilation());
    take(reverse, window.getReverse());
  }

  /// s*o + d*k' - pl.
  int64_t evaluate(int64_t output, int64_t tap, int64_t taps) const {
    return stride * output + dilation * (reverse ? taps - 1 - tap : tap) -
           padLow;
  }
};

/// The letter that stands for one thing in a layout: where it stands.
int64_t find(StringRef layout, char letter) {
  return int64_t(layout.find(letter));
}

/// A point of an op: the indices of its tensors, by layout.
struct Point {
  StringRef layout;
  ArrayRef<int64_t> index;

  bool has(char letter) const { return layout.contains(letter); }
  int64_t at(char letter) const { return index[find(layout, letter)]; }
};
} // namespace

static bool isSpatial(char letter) { return StringRef("dhw").contains(letter); }

/// The output position at which input position and tap of each point meet;
/// nothing if they do not.
static std::optional<Index> findOutput(const Point &input, const Point &filter,
                                       StringRef layout,
                                       ArrayRef<int64_t> filterShape,
                                       ArrayRef<int64_t> outputShape,
                                       WindowAttr window) {
  for (char letter : filter.layout)
    if (!isSpatial(letter) && input.has(letter) &&
        input.at(letter) != filter.at(letter))
      return std::nullopt;
  Index output(layout.size());
  size_t dim = 0;
  for (char letter : StringRef("dhw")) {
    if (!layout.contains(letter))
      continue;
    Equation equation(window, dim++);
    int64_t size = outputShape[find(layout, letter)];
    int64_t taps = filterShape[find(filter.layout, letter)];
    int64_t wanted = equation.inputDilation * input.at(letter);
    int64_t &position = output[find(layout, letter)];
    for (position = 0; position < size; ++position)
      if (equation.evaluate(position, filter.at(letter), taps) == wanted)
        break;
    if (position == size)
      return std::nullopt;
  }
  for (auto [number, letter] : llvm::enumerate(layout))
    if (!isSpatial(letter))
      output[number] = input.has(letter) ? input.at(letter) : filter.at(letter);
  return output;
}

FailureOr<Scalar> Interpreter::takeOperand(ConvolutionOpInterface op,
                                           unsigned number, Scalar element,
                                           Type accumulator) {
  Type type = getElementTypeOrSelf(op->getOperand(number).getType());
  bool isUnsigned = number == 0 ? op.getNumerics().getInputUnsigned()
                                : op.getNumerics().getFilterUnsigned();
  if (type != accumulator) {
    StringRef widening = isa<FloatType>(type) ? "arith.extf"
                         : isUnsigned         ? "arith.extui"
                                              : "arith.extsi";
    FailureOr<Scalar> wide = apply(op, widening, accumulator, element, type);
    if (failed(wide))
      return failure();
    element = *wide;
  }
  if (op.getZeroPoints().empty())
    return element;
  return apply(op, "arith.subi", accumulator,
               {element, getNumber(op.getZeroPoints()[number])},
               {accumulator, accumulator});
}

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

LogicalResult Interpreter::convertAll(Operation *op, StringRef name,
                                      const Tensor &tensor, Type from,
                                      Type to) {
  if (from == to)
    return success();
  for (Scalar &element : *tensor.elements) {
    FailureOr<Scalar> converted = apply(op, name, to, element, from);
    if (failed(converted))
      return failure();
    element = *converted;
  }
  return success();
}

/// Which tensors of the forward convolution the two operands and the result
/// are: 0 is the input, 1 the filter, 2 the output.
static std::array<unsigned, 3> getRoles(ConvolutionOpInterface op) {
  if (isa<ConvBackwardDataOp>(op))
    return {2, 1, 0};
  if (isa<ConvBackwardFilterOp>(op))
    return {0, 2, 1};
  return {0, 1, 2};
}

LogicalResult Interpreter::addTerm(ConvolutionOpInterface op,
                                   std::array<Scalar *, 3> elements,
                                   Type accumulator) {
  std::array<unsigned, 3> roles = getRoles(op);
  bool isFloat = isa<FloatType>(accumulator);
  SmallVector<Scalar, 2> factors;
  for (unsigned number : {0, 1}) {
    FailureOr<Scalar> factor =
        takeOperand(op, number, *elements[roles[number]], accumulator);
    if (failed(factor))
      return failure();
    factors.push_back(*factor);
  }
  SmallVector<Type, 2> types(2, accumulator);
  FailureOr<Scalar> product = apply(op, isFloat ? "arith.mulf" : "arith.muli",
                                    accumulator, factors, types);
  if (failed(product))
    return failure();
  FailureOr<Scalar> sum =
      apply(op, isFloat ? "arith.addf" : "arith.addi", accumulator,
            {*elements[roles[2]], *product}, types);
  if (failed(sum))
    return failure();
  *elements[roles[2]] = *sum;
  return success();
}

LogicalResult Interpreter::runConvolution(ConvolutionOpInterface op) {
  Type accumulator = getSumType(op);
  Type type = getElementTypeOrSelf(op.getInit().getType());
  std::array<unsigned, 3> roles = getRoles(op);
  Tensor sums = copy(getTensor(op.getInit()));
  std::array<Tensor, 3> tensors;
  tensors[roles[0]] = getTensor(op->getOperand(0));
  tensors[roles[1]] = getTensor(op->getOperand(1));
  tensors[roles[2]] = sums;
  auto &[input, filter, output] = tensors;
  if (failed(convertAll(op, "arith.extf", sums, type, accumulator)))
    return failure();
  ConvLayoutAttr layout = op.getLayout();
  LogicalResult done = forEachIndex(input.shape, [&](ArrayRef<int64_t> at) {
    Point position = {layout.getInput(), at};
    return forEachIndex(filter.shape, [&](ArrayRef<int64_t> at) {
      Point tap = {layout.getFilter(), at};
      std::optional<Index> met =
          findOutput(position, tap, layout.getOutput(), filter.shape,
                     output.shape, op.getWindow());
      if (!met)
        return success();
      return addTerm(
          op, {&input.at(position.index), &filter.at(at), &output.at(*met)},
          accumulator);
    });
  });
  if (failed(done) ||
      failed(convertAll(op, "arith.truncf", sums, accumulator, type)))
    return failure();
  return setTensor(op->getResult(0), sums);
}

LogicalResult Interpreter::runIm2col(Im2colOp op) {
  const Tensor &input = getTensor(op.getInput());
  auto type = op.getResult().getType();
  Type elementType = type.getElementType();
  Index shape(type.getShape());
  unsigned next = 0;
  for (int64_t &size : shape)
    if (ShapedType::isDynamic(size))
      size = getNumber(op.getSizes()[next++]);
  auto zero = isa<FloatType>(elementType)
                  ? TypedAttr(FloatAttr::get(elementType, 0.0))
                  : TypedAttr(IntegerAttr::get(elementType, 0));
  FailureOr<Scalar> pad = op.getPadValue() ? getNumber(op.getPadValue())
                                           : algebra.getConstant(zero);
  if (failed(pad))
    return unknown(op, "a pad value that is not known");
  Im2colLayoutAttr layout = op.getLayout();
  StringRef positions = layout.getPositions(), window = layout.getWindow();
  Tensor result = makeTensor(shape, *pad);
  (void)forEachIndex(shape, [&](ArrayRef<int64_t> index) {
    Point position = {positions, index.take_front(positions.size())};
    Point tap = {window, index.drop_front(positions.size())};
    Index place(input.shape.size());
    size_t dim = 0;
    for (char letter : StringRef("dhwncg")) {
      int64_t at = find(layout.getInput(), letter);
      if (at < 0)
        continue;
      if (isSpatial(letter))
        place[at] =
            Equation(op.getWindow(), dim++)
                .evaluate(position.at(letter), tap.at(letter),
                          shape[positions.size() + find(window, letter)]);
      else
        place[at] = position.has(letter) ? position.at(letter) : tap.at(letter);
    }
    if (input.contains(place))
      result.at(index) = input.at(place);
    return success();
  });
  return setTensor(op->getResult(0), std::move(result));
}
