//===- InterpretTosa.cpp - TOSA, by its specification -----------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From TOSA's specification, version 1.0: convolutions, matrix products and
// elementwise ops.
//
//===----------------------------------------------------------------------===//

#include "Convolution.h"

#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::convoy;

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

FailureOr<Index> Interpreter::getKnown(Operation *op, Value tensor) {
  if (auto shape = tensor.getDefiningOp<tosa::ConstShapeOp>())
    return Index(
        llvm::map_range(shape.getValues().getValues<APInt>(),
                        [](const APInt &size) { return size.getSExtValue(); }));
  DenseIntElementsAttr elements;
  if (!matchPattern(tensor, m_Constant(&elements)))
    return unknown(op, "an operand that is not known");
  return Index(
      llvm::map_range(elements.getValues<APInt>(),
                      [](const APInt &value) { return value.getSExtValue(); }));
}

FailureOr<Scalar> Interpreter::getZeroPoint(Operation *op, Value zeroPoint,
                                            Type type) {
  Type stored = getElementTypeOrSelf(zeroPoint.getType());
  Scalar scalar = getScalar(zeroPoint);
  if (stored == type)
    return scalar;
  auto widen = resolve(op, isa<FloatType>(type) ? "arith.extf" : "arith.extsi",
                       type, stored);
  if (failed(widen))
    return failure();
  return (*widen)(scalar);
}

static Value getOperandNamed(Operation *op, StringRef name) {
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case<tosa::Conv2DOp, tosa::Conv3DOp, tosa::DepthwiseConv2DOp,
            tosa::TransposeConv2DOp>([&](auto conv) -> Value {
        return name == "bias"       ? conv.getBias()
               : name == "input_zp" ? conv.getInputZp()
                                    : conv.getWeightZp();
      })
      .Default(Value());
}

//===----------------------------------------------------------------------===//
// Convolutions
//===----------------------------------------------------------------------===//

/// `[n, h, w, c]` with `size` in the place of dimension `dim`.
static Index splitLast(ArrayRef<int64_t> shape, int64_t outer) {
  Index split(shape);
  int64_t last = split.pop_back_val();
  split.push_back(outer);
  split.push_back(last / outer);
  return split;
}

/// Layouts and window of `op` on operands of `shapes`: input, filter, output.
static void describe(Operation *op, std::array<Index, 3> shapes,
                     std::array<std::string, 3> &layouts,
                     std::array<Index, 3> &split,
                     std::vector<WindowEquation> &window,
                     std::array<unsigned, 3> &roles) {
  split = shapes;
  auto setWindow = [&](ArrayRef<int64_t> pad, ArrayRef<int64_t> stride,
                       ArrayRef<int64_t> dilation) {
    for (size_t dim = 0; dim < stride.size(); ++dim)
      window.push_back({stride[dim], dilation[dim], pad[2 * dim], 1, false});
  };
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](tosa::Conv2DOp conv) {
        layouts = {"nhwc", "fhwc", "nhwf"};
        setWindow(conv.getPad(), conv.getStride(), conv.getDilation());
      })
      .Case([&](tosa::Conv3DOp conv) {
        layouts = {"ndhwc", "fdhwc", "ndhwf"};
        setWindow(conv.getPad(), conv.getStride(), conv.getDilation());
      })
      .Case([&](tosa::DepthwiseConv2DOp conv) {
        layouts = {"nhwg", "hwgf", "nhwgf"};
        split[2] = splitLast(shapes[2], shapes[0].back());
        setWindow(conv.getPad(), conv.getStride(), conv.getDilation());
      })
      .Case([&](tosa::TransposeConv2DOp conv) {
        // The result is the input of the convolution whose output is read:
        // result = stride*position + tap + out_pad.
        layouts = {"nhwc", "chwf", "nhwf"};
        split = {shapes[2], shapes[1], shapes[0]};
        roles = {2, 1, 0};
        ArrayRef<int64_t> pad = conv.getOutPad(), stride = conv.getStride();
        for (size_t dim = 0; dim < stride.size(); ++dim)
          window.push_back({stride[dim], 1, -pad[2 * dim], 1, false});
      });
}

FailureOr<Tensor> Interpreter::readTosaOperand(Operation *op, unsigned number,
                                               Type sumType) {
  FailureOr<Tensor> tensor = widen(op, number, sumType, /*isUnsigned=*/false);
  if (failed(tensor) || isa<FloatType>(sumType))
    return tensor;
  SmallVector<Type, 2> types(2, sumType);
  StringRef name = number == 0 ? "input_zp" : "weight_zp";
  auto zeroPoint = getZeroPoint(op, getOperandNamed(op, name), sumType);
  auto subtract = resolve(op, "arith.subi", sumType, types);
  if (failed(zeroPoint) || failed(subtract))
    return failure();
  for (Scalar &element : *tensor->elements)
    element = (*subtract)({element, *zeroPoint});
  return tensor;
}

LogicalResult Interpreter::runTosaConv(Operation *op) {
  auto resultType = cast<RankedTensorType>(op->getResult(0).getType());
  if (!resultType.hasStaticShape())
    return unknown(op, "a result without a static size");
  Type type = resultType.getElementType();
  Type sumType = type;
  if (auto narrow = dyn_cast<FloatType>(type))
    if (narrow.getWidth() < 32)
      sumType = Float32Type::get(op->getContext());
  const Tensor &input = getTensor(op->getOperand(0));
  Index shape(resultType.getShape());
  // Sizes that TOSA's verifier leaves open follow from the operands.
  Convolution convolution;
  describe(op, {input.shape, getTensor(op->getOperand(1)).shape, shape},
           convolution.layouts, convolution.shapes, convolution.window,
           convolution.roles);
  for (unsigned number : {0, 1}) {
    FailureOr<Tensor> operand = readTosaOperand(op, number, sumType);
    if (failed(operand))
      return failure();
    convolution.operands[number] = std::move(*operand);
  }
  SmallVector<Type, 2> types(2, sumType);
  bool isFloat = isa<FloatType>(sumType);
  auto multiply =
      resolve(op, isFloat ? "arith.mulf" : "arith.muli", sumType, types);
  if (failed(multiply))
    return failure();
  convolution.multiply = *multiply;
  // The sums start at the bias, which is one number or one for each channel.
  const Tensor &bias = getTensor(getOperandNamed(op, "bias"));
  Tensor result = makeTensor(shape);
  for (int64_t i = 0; i < result.size(); ++i)
    (*result.elements)[i] =
        (*bias.elements)[bias.size() == 1 ? 0 : i % shape.back()];
  if (failed(convertAll(op, "arith.extf", result, type, sumType)))
    return failure();
  std::unique_ptr<Sums> sums =
      algebra.startSumsOf(op, sumType, *result.elements);
  if (failed(addProducts(convolution, *sums)))
    return failure();
  return setSums(op, *sums, sumType, std::move(result));
}

LogicalResult Interpreter::runTosaMatMul(tosa::MatMulOp op) {
  Type type = getElementTypeOrSelf(op.getType());
  bool isFloat = isa<FloatType>(type);
  const Tensor &a = getTensor(op.getA()), &b = getTensor(op.getB());
  Type element = getElementTypeOrSelf(op.getA().getType());
  SmallVector<Type, 2> types(2, type);
  auto zeroA = getZeroPoint(op, op.getAZp(), type);
  auto zeroB = getZeroPoint(op, op.getBZp(), type);
  auto subtract =
      resolve(op, isFloat ? "arith.subf" : "arith.subi", type, types);
  auto multiply =
      resolve(op, isFloat ? "arith.mulf" : "arith.muli", type, types);
  FailureOr<Algebra::Function> widen = Algebra::Function();
  if (element != type)
    widen = resolve(op, isFloat ? "arith.extf" : "arith.extsi", type, element);
  if (failed(zeroA) || failed(zeroB) || failed(subtract) || failed(multiply) ||
      failed(widen))
    return failure();
  auto take = [&](const Scalar &value, const Scalar &zero) {
    return (*subtract)({*widen ? (*widen)(value) : value, zero});
  };
  Tensor result = makeTensor({a.shape[0], a.shape[1], b.shape[2]});
  std::unique_ptr<Sums> sums = algebra.startSums(
      type, std::vector<Scalar>(result.size(), getZero(type)));
  (void)forEachIndex(result.shape, [&](ArrayRef<int64_t> at) {
    int64_t place = &result.at(at) - result.elements->data();
    for (int64_t k = 0; k < a.shape[2]; ++k)
      sums->add(place, (*multiply)({take(a.at({at[0], at[1], k}), *zeroA),
                                    take(b.at({at[0], k, at[2]}), *zeroB)}));
    return success();
  });
  return setSums(op, *sums, type, std::move(result));
}

//===----------------------------------------------------------------------===//
// Elementwise ops
//===----------------------------------------------------------------------===//

/// The op on elements that `op` is; empty where there is none.
static StringRef getScalarOp(Operation *op, bool isFloat) {
  auto either = [&](StringRef onFloats, StringRef onIntegers) {
    return isFloat ? onFloats : onIntegers;
  };
  return llvm::TypeSwitch<Operation *, StringRef>(op)
      .Case([&](tosa::AddOp) { return either("arith.addf", "arith.addi"); })
      .Case([&](tosa::SubOp) { return either("arith.subf", "arith.subi"); })
      .Case([&](tosa::MulOp) { return either("arith.mulf", "arith.muli"); })
      .Case([&](tosa::MaximumOp) {
        return either("arith.maximumf", "arith.maxsi");
      })
      .Case([&](tosa::MinimumOp) {
        return either("arith.minimumf", "arith.minsi");
      })
      .Case([&](tosa::AbsOp) { return either("math.absf", "math.absi"); })
      .Case([&](tosa::PowOp) { return either("math.powf", ""); })
      .Case([](tosa::IntDivOp) { return "arith.divsi"; })
      .Case([](tosa::CeilOp) { return "math.ceil"; })
      .Case([](tosa::FloorOp) { return "math.floor"; })
      .Case([](tosa::ErfOp) { return "math.erf"; })
      .Case([](tosa::ExpOp) { return "math.exp"; })
      .Case([](tosa::LogOp) { return "math.log"; })
      .Case([](tosa::RsqrtOp) { return "math.rsqrt"; })
      .Case([](tosa::TanhOp) { return "math.tanh"; })
      .Case([](tosa::SinOp) { return "math.sin"; })
      .Case([](tosa::CosOp) { return "math.cos"; })
      .Case([](tosa::SigmoidOp) { return "tosa.sigmoid"; })
      .Case([](tosa::ReciprocalOp) { return "tosa.reciprocal"; })
      .Case([](tosa::CastOp) { return "tosa.cast"; })
      .Case<tosa::BitwiseAndOp, tosa::LogicalAndOp>(
          [](auto) { return "arith.andi"; })
      .Case<tosa::BitwiseOrOp, tosa::LogicalOrOp>(
          [](auto) { return "arith.ori"; })
      .Case<tosa::BitwiseXorOp, tosa::LogicalXorOp>(
          [](auto) { return "arith.xori"; })
      .Case([&](tosa::SelectOp) { return "arith.select"; })
      .Case<tosa::GreaterOp, tosa::GreaterEqualOp, tosa::EqualOp>(
          [&](auto) { return either("arith.cmpf", "arith.cmpi"); })
      .Default(StringRef());
}

/// The attributes of the op on elements.
static DictionaryAttr getScalarAttributes(Operation *op, bool isFloat) {
  Builder builder(op->getContext());
  auto predicate = [&](arith::CmpFPredicate onFloats,
                       arith::CmpIPredicate onIntegers) {
    int64_t number = isFloat ? int64_t(onFloats) : int64_t(onIntegers);
    return builder.getDictionaryAttr(
        builder.getNamedAttr("predicate", builder.getI64IntegerAttr(number)));
  };
  return llvm::TypeSwitch<Operation *, DictionaryAttr>(op)
      .Case([&](tosa::GreaterOp) {
        return predicate(arith::CmpFPredicate::OGT, arith::CmpIPredicate::sgt);
      })
      .Case([&](tosa::GreaterEqualOp) {
        return predicate(arith::CmpFPredicate::OGE, arith::CmpIPredicate::sge);
      })
      .Case([&](tosa::EqualOp) {
        return predicate(arith::CmpFPredicate::OEQ, arith::CmpIPredicate::eq);
      })
      .Default(builder.getDictionaryAttr({}));
}

/// Operands that the op on elements has: those behind them are zero points and
/// shifts.
static unsigned countElementOperands(Operation *op) {
  if (isa<tosa::MulOp>(op))
    return 2;
  return op->getNumOperands();
}

LogicalResult Interpreter::runTosaElementwise(Operation *op) {
  auto operands = op->getOperands().take_front(countElementOperands(op));
  auto types = llvm::map_to_vector(operands, [](Value value) {
    return getElementTypeOrSelf(value.getType());
  });
  bool isFloat = isa<FloatType>(types.back());
  StringRef name = getScalarOp(op, isFloat);
  if (name.empty())
    return unknown(op, "an op that is not known");
  if (auto product = dyn_cast<tosa::MulOp>(op)) {
    auto shift = getKnown(op, product.getShift());
    if (failed(shift) || llvm::any_of(*shift, [](int64_t s) { return s != 0; }))
      return unknown(op, "a product that is shifted");
  }
  auto function =
      algebra.resolve(name, getScalarAttributes(op, isFloat),
                      getElementTypeOrSelf(op->getResult(0).getType()), types);
  bool isSelect = isa<tosa::SelectOp>(op);
  if (failed(function) && !isSelect)
    return unknown(op, "a scalar op that is not known: " + name);
  Index shape(getTensor(operands[0]).shape);
  for (Value operand : operands)
    for (auto [size, other] : llvm::zip_equal(shape, getTensor(operand).shape))
      if (size == 1)
        size = other;
  Tensor result = makeTensor(shape);
  SmallVector<Scalar, 3> elements;
  LogicalResult done = forEachIndex(shape, [&](ArrayRef<int64_t> at) {
    elements.clear();
    for (Value operand : operands) {
      const Tensor &tensor = getTensor(operand);
      Index place(at);
      for (auto [i, size] : llvm::zip_equal(place, tensor.shape))
        i = size == 1 ? 0 : i;
      if (!tensor.contains(place))
        return illegal(op, "operands whose sizes do not agree");
      elements.push_back(tensor.at(place));
    }
    bool isCertain = isSelect && elements[0].error == 0;
    if (isSelect && !isCertain && failed(function))
      return unknown(op, "a condition that rounding decides");
    result.at(at) = !isCertain           ? (*function)(elements)
                    : elements[0].number ? elements[1]
                                         : elements[2];
    return success();
  });
  if (failed(done))
    return failure();
  return setTensor(op->getResult(0), std::move(result));
}

LogicalResult Interpreter::runTosaClamp(tosa::ClampOp op) {
  Type type = getElementTypeOrSelf(op.getType());
  bool isFloat = isa<FloatType>(type);
  SmallVector<Type, 2> types(2, type);
  auto least =
      resolve(op, isFloat ? "arith.maximumf" : "arith.maxsi", type, types);
  auto greatest =
      resolve(op, isFloat ? "arith.minimumf" : "arith.minsi", type, types);
  auto low = algebra.getConstant(cast<TypedAttr>(op.getMinVal()));
  auto high = algebra.getConstant(cast<TypedAttr>(op.getMaxVal()));
  if (failed(least) || failed(greatest) || failed(low) || failed(high))
    return unknown(op, "bounds that are not known");
  Tensor result = copy(getTensor(op.getInput()));
  for (Scalar &element : *result.elements)
    element = (*greatest)({(*least)({element, *low}), *high});
  return setTensor(op->getResult(0), std::move(result));
}

LogicalResult Interpreter::runTosaRescale(tosa::RescaleOp op) {
  Type from = getElementTypeOrSelf(op.getInput().getType());
  Type to = getElementTypeOrSelf(op.getType());
  auto wide = IntegerType::get(op.getContext(), 32);
  if (!from.isInteger() || from.getIntOrFloatBitWidth() > 32 ||
      !op.getScale32())
    return unknown(op, "a scale of 16 bits, or integers of 48");
  auto multipliers = getKnown(op, op.getMultiplier());
  auto shifts = getKnown(op, op.getShift());
  auto inputZero = getKnown(op, op.getInputZp());
  auto outputZero = getKnown(op, op.getOutputZp());
  SmallVector<Type, 2> types(2, wide);
  SmallVector<Type, 3> scaleTypes = {wide, wide,
                                     IntegerType::get(op.getContext(), 8)};
  auto scale = algebra.resolve("tosa.apply_scale", op->getAttrDictionary(),
                               wide, scaleTypes);
  auto widen = resolve(
      op, op.getInputUnsigned() ? "arith.extui" : "arith.extsi", wide, from);
  auto narrow = resolve(op, "arith.trunci", to, wide);
  auto add = resolve(op, "arith.addi", wide, types);
  auto most = resolve(op, "arith.minsi", wide, types);
  auto least = resolve(op, "arith.maxsi", wide, types);
  if (failed(multipliers) || failed(shifts) || failed(inputZero) ||
      failed(outputZero) || failed(widen) || failed(narrow) || failed(add) ||
      failed(most) || failed(least))
    return failure();
  if (failed(scale))
    return unknown(op, "a scale that is not known");
  unsigned width = to.getIntOrFloatBitWidth();
  auto mask = [](int64_t value, bool isUnsigned, unsigned width) {
    return isUnsigned ? value & ((int64_t(1) << width) - 1) : value;
  };
  int64_t zeroIn = mask(inputZero->front(), op.getInputUnsigned(),
                        from.getIntOrFloatBitWidth());
  int64_t zeroOut = mask(outputZero->front(), op.getOutputUnsigned(), width);
  int64_t low = op.getOutputUnsigned() ? 0 : -(int64_t(1) << (width - 1));
  int64_t high = (int64_t(1) << (width - !op.getOutputUnsigned())) - 1;
  Tensor result = copy(getTensor(op.getInput()));
  int64_t channels = result.shape.empty() ? 1 : result.shape.back();
  for (int64_t i = 0; i < result.size(); ++i) {
    int64_t channel = op.getPerChannel() ? i % channels : 0;
    Scalar &element = (*result.elements)[i];
    Scalar shifted = (*add)({(*widen)(element), Scalar(-zeroIn)});
    Scalar scaled = (*scale)(
        {shifted, Scalar((*multipliers)[channel]), Scalar((*shifts)[channel])});
    Scalar moved = (*add)({scaled, Scalar(zeroOut)});
    element =
        (*narrow)((*most)({(*least)({moved, Scalar(low)}), Scalar(high)}));
  }
  return setTensor(op->getResult(0), std::move(result));
}

LogicalResult Interpreter::runTosa(Operation *op) {
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case<tosa::Conv2DOp, tosa::Conv3DOp, tosa::DepthwiseConv2DOp,
            tosa::TransposeConv2DOp>(
          [&](auto conv) { return runTosaConv(conv); })
      .Case([&](tosa::MatMulOp op) { return runTosaMatMul(op); })
      .Case([&](tosa::ClampOp op) { return runTosaClamp(op); })
      .Case([&](tosa::RescaleOp op) { return runTosaRescale(op); })
      .Case([&](tosa::ConstOp op) { return runConstant(op, op.getValues()); })
      .Case([&](tosa::ConstShapeOp) { return success(); })
      .Default([&](Operation *op) { return runTosaTensorOp(op); });
}
