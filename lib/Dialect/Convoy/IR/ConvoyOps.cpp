//===- ConvoyOps.cpp - The three convolution ops ----------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Dialect/Convoy/IR/Convoy.h"

#include "OpSyntax.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/OpImplementation.h"

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::ConvLayouts;
using ::convoy::ConvShape;
using ::convoy::Direction;
using ::convoy::Operand;
using ::convoy::SpatialDim;
using ::convoy::WindowDim;

#include "convoy/Dialect/Convoy/IR/ConvoyInterfaces.cpp.inc"

#define GET_OP_CLASSES
#include "convoy/Dialect/Convoy/IR/ConvoyOps.cpp.inc"

//===----------------------------------------------------------------------===//
// Roles of the operands
//===----------------------------------------------------------------------===//

OperandRoles mlir::convoy::getOperandRoles(Direction direction) {
  switch (direction) {
  case Direction::Forward:
    return {Operand::Input, Operand::Filter, Operand::Output, 'c'};
  case Direction::BackwardData:
    return {Operand::Output, Operand::Filter, Operand::Input, 'f'};
  case Direction::BackwardFilter:
    return {Operand::Input, Operand::Output, Operand::Filter, 'n'};
  }
  llvm_unreachable("unknown direction");
}

Direction ConvOp::getDirection() { return Direction::Forward; }

Direction ConvBackwardDataOp::getDirection() { return Direction::BackwardData; }

Direction ConvBackwardFilterOp::getDirection() {
  return Direction::BackwardFilter;
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

ConvShape ConvolutionOpInterface::getConvShape(std::optional<int64_t> batch) {
  assert((batch || hasStaticSizes()) && "only static sizes make a ConvShape");
  ConvLayouts layouts = getLayout().getLayouts();
  ConvShape shape;
  shape.batch = batch ? *batch : getSize(Operand::Input, 'n');
  shape.groups =
      getLayout().hasGroups() ? getSize(Operand::Input, 'g') : int64_t(1);
  shape.inputChannels = getSize(Operand::Input, 'c');
  shape.outputChannels = getSize(Operand::Output, 'f');
  int spatialRank = layouts.input.spatialRank();
  for (auto [dim, letter] :
       llvm::enumerate(::convoy::spatialLetters(spatialRank)))
    shape.spatial.push_back(SpatialDim{
        getSize(Operand::Input, letter), getSize(Operand::Filter, letter),
        getSize(Operand::Output, letter), getWindow().getDim(dim)});
  return shape;
}

LogicalResult mlir::convoy::reifyFromInit(ConvolutionOpInterface op,
                                          OpBuilder &builder,
                                          ReifiedRankedShapedTypeDims &shapes) {
  shapes.push_back(tensor::getMixedSizes(builder, op.getLoc(), op.getInit()));
  return success();
}

LogicalResult ConvOp::reifyResultShapes(OpBuilder &builder,
                                        ReifiedRankedShapedTypeDims &shapes) {
  return reifyFromInit(*this, builder, shapes);
}

LogicalResult
ConvBackwardDataOp::reifyResultShapes(OpBuilder &builder,
                                      ReifiedRankedShapedTypeDims &shapes) {
  return reifyFromInit(*this, builder, shapes);
}

LogicalResult
ConvBackwardFilterOp::reifyResultShapes(OpBuilder &builder,
                                        ReifiedRankedShapedTypeDims &shapes) {
  return reifyFromInit(*this, builder, shapes);
}

//===----------------------------------------------------------------------===//
// Verifier
//===----------------------------------------------------------------------===//

static StringRef toRef(std::string_view text) {
  return {text.data(), text.size()};
}

static constexpr Operand kOperands[] = {Operand::Input, Operand::Filter,
                                        Operand::Output};

ConvOperands::ConvOperands(ConvolutionOpInterface op)
    : op(op), layouts(op.getLayout().getLayouts()) {
  for (Operand operand : kOperands)
    types[static_cast<size_t>(operand)] = op.getTypeFor(operand);
}

RankedTensorType ConvOperands::getType(Operand operand) const {
  return types[static_cast<size_t>(operand)];
}

int64_t ConvOperands::getSize(Operand operand, char letter) const {
  return getType(operand).getDimSize(layouts[operand].position(letter));
}

LogicalResult ConvOperands::verifyRanks() const {
  for (Operand operand : kOperands) {
    int64_t rank = getType(operand).getRank();
    if (rank != layouts[operand].rank())
      return op->emitOpError()
             << "expected rank " << layouts[operand].rank() << " for the "
             << toRef(::convoy::operandName(operand)) << " in layout "
             << layouts[operand].letters() << ", but got " << rank;
  }
  return success();
}

LogicalResult mlir::convoy::verifyWindowSizes(Operation *op, WindowAttr window,
                                              int64_t spatialRank) {
  auto check = [&](StringRef name, size_t entries) -> LogicalResult {
    if (entries != 0 && static_cast<int64_t>(entries) != spatialRank)
      return op->emitOpError() << "expected " << spatialRank << " entries in "
                               << name << ", but got " << entries;
    return success();
  };
  return success(
      succeeded(check("stride", window.getStride().size())) &&
      succeeded(check("dilation", window.getDilation().size())) &&
      succeeded(check("pad", window.getPadLow().size())) &&
      succeeded(check("input_dilation", window.getInputDilation().size())) &&
      succeeded(check("reverse", window.getReverse().size())));
}

LogicalResult ConvOperands::verifySharedSizes() const {
  for (char letter : StringRef("ngcf")) {
    int64_t size = ShapedType::kDynamic;
    Operand first = Operand::Input;
    for (Operand operand : kOperands) {
      if (!layouts[operand].contains(letter))
        continue;
      int64_t other = getSize(operand, letter);
      if (ShapedType::isDynamic(size)) {
        size = other;
        first = operand;
      } else if (!ShapedType::isDynamic(other) && other != size) {
        return op->emitOpError()
               << "expected size " << size << " of " << Twine(letter)
               << " as in the " << toRef(::convoy::operandName(first))
               << ", but got " << other << " in the "
               << toRef(::convoy::operandName(operand));
      }
    }
  }
  return success();
}

LogicalResult mlir::convoy::verifyOutputSize(Operation *op, char letter,
                                             int64_t input, int64_t filter,
                                             int64_t output,
                                             const WindowDim &window) {
  if (ShapedType::isDynamic(input) || ShapedType::isDynamic(filter) ||
      ShapedType::isDynamic(output))
    return success();
  int64_t expected = ::convoy::outputSize(input, filter, window);
  if (output != expected)
    return op->emitOpError()
           << "expected " << expected << " output positions along "
           << Twine(letter) << " for input size " << input << " and " << filter
           << " taps, but got " << output;
  return success();
}

/// C5: spatial sizes.
static LogicalResult verifySpatialSizes(ConvolutionOpInterface op) {
  int64_t spatialRank = op.getLayout().getSpatialRank();
  for (auto [dim, letter] :
       llvm::enumerate(::convoy::spatialLetters(spatialRank)))
    if (failed(verifyOutputSize(op, letter, op.getSize(Operand::Input, letter),
                                op.getSize(Operand::Filter, letter),
                                op.getSize(Operand::Output, letter),
                                op.getWindow().getDim(dim))))
      return failure();
  return success();
}

/// The two tensors that are multiplied, in the op's operand order.
static SmallVector<RankedTensorType> getFactorTypes(Operation *op) {
  return {cast<RankedTensorType>(op->getOperand(0).getType()),
          cast<RankedTensorType>(op->getOperand(1).getType())};
}

bool mlir::convoy::holdsValuesOf(Type type, Type narrow) {
  if (type == narrow)
    return true;
  if (isa<FloatType>(type) != isa<FloatType>(narrow) ||
      type.getIntOrFloatBitWidth() <= narrow.getIntOrFloatBitWidth())
    return false;
  auto floatType = dyn_cast<FloatType>(type);
  return !floatType ||
         APFloat::isRepresentableBy(cast<FloatType>(narrow).getFloatSemantics(),
                                    floatType.getFloatSemantics());
}

/// C6: element types.
static LogicalResult verifyElementTypes(ConvolutionOpInterface op) {
  Type accumulator = op.getAccumulatorType();
  Type init = getElementTypeOrSelf(op.getInit().getType());
  for (RankedTensorType factor : getFactorTypes(op)) {
    Type element = factor.getElementType();
    if (isa<FloatType>(element) != isa<FloatType>(accumulator))
      return op.emitOpError() << "expected operands and accumulator to be all "
                                 "float or all integer, but got "
                              << element << " and " << accumulator;
    if (!holdsValuesOf(accumulator, element))
      return op.emitOpError()
             << "expected an accumulator that holds each value of " << element
             << ", but got " << accumulator;
  }
  bool isNarrowerFloat = isa<FloatType>(accumulator) && isa<FloatType>(init) &&
                         holdsValuesOf(accumulator, init);
  if (init != accumulator && !isNarrowerFloat)
    return op.emitOpError() << "expected an init of type " << accumulator
                            << " or of a narrower float type, but got " << init;
  return success();
}

bool mlir::convoy::fitsInto(const APInt &value, Type type, bool isUnsigned) {
  unsigned width = type.getIntOrFloatBitWidth();
  if (isUnsigned)
    return !value.isNegative() && value.getActiveBits() <= width;
  return value.getSignificantBits() <= width;
}

/// C7: the type of the zero point with this number, and how many there are of
/// one for each channel.
static LogicalResult verifyZeroPointType(ConvolutionOpInterface op,
                                         unsigned number) {
  Type type = op.getZeroPoints()[number].getType();
  Type accumulator = op.getAccumulatorType();
  OperandRoles roles = getOperandRoles(op.getDirection());
  bool isOfFilter = number == 1 && roles.second == Operand::Filter;
  auto perChannel = dyn_cast<RankedTensorType>(type);
  if (perChannel ? !isOfFilter || perChannel.getElementType() != accumulator
                 : type != accumulator)
    return op.emitOpError() << "expected a zero point of type " << accumulator
                            << ", but got " << type;
  if (!perChannel)
    return success();
  char letter = roles.result == Operand::Output ? 'f' : 'c';
  int64_t channels = op.getSize(Operand::Filter, letter);
  bool hasGroups = op.getLayout().getLayouts().filter.hasGroups();
  int64_t groups = hasGroups ? op.getSize(Operand::Filter, 'g') : 1;
  int64_t size = perChannel.getDimSize(0);
  if (ShapedType::isDynamic(size) || ShapedType::isDynamic(channels) ||
      ShapedType::isDynamic(groups) || size == channels * groups)
    return success();
  return op.emitOpError() << "expected a zero point for each of "
                          << channels * groups
                          << " channels of the result, but got " << size;
}

/// The number that `zeroPoint` is, or those that it has; nothing where these
/// are not constant.
static SmallVector<APInt> getConstants(Value zeroPoint) {
  Attribute constant;
  if (!matchPattern(zeroPoint, m_Constant(&constant)))
    return {};
  if (auto number = dyn_cast<IntegerAttr>(constant))
    return {number.getValue()};
  if (auto numbers = dyn_cast<DenseIntElementsAttr>(constant))
    return llvm::to_vector(numbers.getValues<APInt>());
  return {};
}

/// C7 and C8: what stands only with integers.
static LogicalResult verifyIntegerNumerics(ConvolutionOpInterface op) {
  OperandRange zeroPoints = op.getZeroPoints();
  NumericsAttr numerics = op.getNumerics();
  Type accumulator = op.getAccumulatorType();
  bool isUnsigned[] = {numerics.getInputUnsigned(),
                       numerics.getFilterUnsigned()};
  if (!zeroPoints.empty() && isa<FloatType>(accumulator))
    return op.emitOpError() << "expected zero points only with integers, but "
                               "got operands of type "
                            << getFactorTypes(op)[0].getElementType();
  if (!zeroPoints.empty() && zeroPoints.size() != 2)
    return op.emitOpError()
           << "expected no zero points or 2, but got " << zeroPoints.size();
  for (auto [index, zeroPoint] : llvm::enumerate(zeroPoints)) {
    if (failed(verifyZeroPointType(op, index)))
      return failure();
    Type element = getFactorTypes(op)[index].getElementType();
    for (const APInt &value : getConstants(zeroPoint))
      if (!fitsInto(value, element, isUnsigned[index]))
        return op.emitOpError()
               << "expected a zero point in the range of "
               << (isUnsigned[index] ? "unsigned " : "signed ") << element
               << ", but got " << value.getSExtValue();
  }
  if (isa<FloatType>(accumulator) && (isUnsigned[0] || isUnsigned[1]))
    return op.emitOpError()
           << "expected unsigned operands to be integer, but "
              "got "
           << getFactorTypes(op)[isUnsigned[0] ? 0 : 1].getElementType();
  return success();
}

LogicalResult mlir::convoy::verifyElements(ConvolutionOpInterface op) {
  return success(succeeded(verifyElementTypes(op)) &&
                 succeeded(verifyIntegerNumerics(op)));
}

LogicalResult mlir::convoy::verifyConvolution(Operation *operation) {
  if (auto transposed = dyn_cast<ConvTransposeOp>(operation))
    return verifyTransposed(transposed);
  auto op = cast<ConvolutionOpInterface>(operation);
  ConvOperands operands(op);
  if (failed(operands.verifyRanks()) ||
      failed(verifyWindowSizes(op, op.getWindow(),
                               op.getLayout().getSpatialRank())))
    return failure();
  return success(succeeded(operands.verifySharedSizes()) &&
                 succeeded(verifySpatialSizes(op)) &&
                 succeeded(verifyElements(op)));
}
