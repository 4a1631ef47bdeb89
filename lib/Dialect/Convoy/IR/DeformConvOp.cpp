//===- DeformConvOp.cpp - Deformable convolutions ---------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OpSyntax.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::Operand;
using ::convoy::WindowDim;

static ConvOperands getConvOperands(DeformOpInterface op) {
  return {op,
          op.getLayout().getLayouts(),
          {op.getTypeFor(Operand::Input), op.getTypeFor(Operand::Filter),
           op.getTypeFor(Operand::Output)}};
}

static RankedTensorType getTensorType(Value tensor) {
  return cast<RankedTensorType>(tensor.getType());
}

namespace {
/// The offset, the mask, or the gradient of one of them.
struct TapTensor {
  NamedTensor tensor;
  int64_t numbersPerTap;
};
} // namespace

/// The offset first.
static SmallVector<TapTensor> getTapTensors(DeformOpInterface op) {
  SmallVector<TapTensor> tensors;
  auto add = [&](StringRef name, Value tensor, int64_t numbersPerTap) {
    tensors.push_back(
        {{name, getTensorType(tensor), op.getOffsetLayout()}, numbersPerTap});
  };
  add("offset", op.getOffset(), 2);
  if (op.getMask())
    add("mask", op.getMask(), 1);
  if (isa<DeformConvBackwardOffsetOp>(op))
    add("offset's gradient", op.getInit(), 2);
  if (isa<DeformConvBackwardMaskOp>(op))
    add("mask's gradient", op.getInit(), 1);
  return tensors;
}

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

/// The sizes of the only result, which are its init's.
static LogicalResult reifyInit(DeformOpInterface op, OpBuilder &builder,
                               ReifiedRankedShapedTypeDims &shapes) {
  shapes.push_back(tensor::getMixedSizes(builder, op.getLoc(), op.getInit()));
  return success();
}

LogicalResult
DeformConvOp::reifyResultShapes(OpBuilder &builder,
                                ReifiedRankedShapedTypeDims &shapes) {
  return reifyInit(*this, builder, shapes);
}

LogicalResult DeformConvBackwardFilterOp::reifyResultShapes(
    OpBuilder &builder, ReifiedRankedShapedTypeDims &shapes) {
  return reifyInit(*this, builder, shapes);
}

LogicalResult DeformConvBackwardMaskOp::reifyResultShapes(
    OpBuilder &builder, ReifiedRankedShapedTypeDims &shapes) {
  return reifyInit(*this, builder, shapes);
}

LogicalResult DeformConvBackwardOffsetOp::reifyResultShapes(
    OpBuilder &builder, ReifiedRankedShapedTypeDims &shapes) {
  return reifyInit(*this, builder, shapes);
}

LogicalResult DeformConvBackwardInputOp::reifyResultShapes(
    OpBuilder &builder, ReifiedRankedShapedTypeDims &shapes) {
  return reifyInit(*this, builder, shapes);
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

/// That of `input`, `filter` and `output` which plays `operand`.
static Value choose(Operand operand, Value input, Value filter, Value output) {
  switch (operand) {
  case Operand::Input:
    return input;
  case Operand::Filter:
    return filter;
  case Operand::Output:
    return output;
  }
  llvm_unreachable("all are named");
}

Value DeformConvOp::getOperandFor(Operand operand) {
  return choose(operand, getInput(), getFilter(), getInit());
}

Value DeformConvBackwardFilterOp::getOperandFor(Operand operand) {
  return choose(operand, getInput(), getInit(), getOutputGradient());
}

Value DeformConvBackwardMaskOp::getOperandFor(Operand operand) {
  return choose(operand, getInput(), getFilter(), getOutputGradient());
}

/// The mask's gradient does not depend on it.
Value DeformConvBackwardMaskOp::getMask() { return {}; }

Value DeformConvBackwardOffsetOp::getOperandFor(Operand operand) {
  return choose(operand, getInput(), getFilter(), getOutputGradient());
}

Value DeformConvBackwardInputOp::getOperandFor(Operand operand) {
  return choose(operand, getInit(), getFilter(), getOutputGradient());
}

//===----------------------------------------------------------------------===//
// Verifier
//===----------------------------------------------------------------------===//

/// C1, but for what the layout attribute checks itself.
static LogicalResult verifyLayouts(DeformOpInterface op) {
  if (op.getLayout().getSpatialRank() != 2)
    return op.emitOpError() << "expected 2 spatial dimensions, but got "
                            << op.getLayout().getSpatialRank();
  std::string letters = op.getOffsetLayout().str();
  llvm::sort(letters);
  if (letters != "chnw")
    return op.emitOpError()
           << "expected the letters nchw in offset_layout, but got "
           << op.getOffsetLayout();
  return success();
}

/// C2.
static LogicalResult verifyRanks(DeformOpInterface op) {
  if (failed(getConvOperands(op).verifyRanks()))
    return failure();
  for (const TapTensor &one : getTapTensors(op))
    if (failed(verifyRank(op, one.tensor)))
      return failure();
  return success();
}

/// C3.
static LogicalResult verifyWindow(DeformOpInterface op) {
  constexpr int64_t Most = DeformOpInterface::kMaxStep;
  WindowAttr window = op.getWindow();
  if (failed(verifyWindowSizes(op, window, 2)))
    return failure();
  if (window.hasInputDilation())
    return op.emitOpError("expected no input dilation");
  for (int64_t dim : {0, 1}) {
    WindowDim one = window.getDim(dim);
    if (one.reverse)
      return op.emitOpError("expected no reversed taps");
    for (int64_t number : {one.stride, one.dilation, one.padLow, one.padHigh})
      if (number < -Most || number > Most)
        return op.emitOpError() << "expected numbers of at most " << Most
                                << " in the window, but got " << number;
  }
  return success();
}

/// C4.
static LogicalResult verifySharedSizes(DeformOpInterface op) {
  ConvOperands operands = getConvOperands(op);
  if (failed(operands.verifySharedSizes()))
    return failure();
  const std::string &letters = operands.layouts.output.letters();
  NamedTensor output = {"output", op.getTypeFor(Operand::Output), letters};
  for (const TapTensor &one : getTapTensors(op))
    for (char letter : StringRef("nhw"))
      if (failed(verifySameSize(op, letter, output, one.tensor)))
        return failure();
  return success();
}

/// C5.
static LogicalResult verifyOffsetGroups(DeformOpInterface op) {
  ConvOperands operands = getConvOperands(op);
  for (char letter : StringRef("gchw"))
    if (operands.layouts.filter.contains(letter) &&
        ShapedType::isDynamic(operands.getSize(Operand::Filter, letter)))
      return op.emitOpError() << "expected a static size of " << Twine(letter)
                              << " in the filter";
  if (ShapedType::isDynamic(op.getChannels()))
    return op.emitOpError("expected a static size of c in the input");
  auto [rows, columns] = op.getTaps();
  if (rows == 0 || columns == 0)
    return op.emitOpError("expected taps in the filter, but got none");
  int64_t perGroup = 2 * rows * columns, channels = op.getChannels();
  SmallVector<TapTensor> tensors = getTapTensors(op);
  int64_t size = tensors.front().tensor.getSize('c');
  if (ShapedType::isDynamic(size) || size == 0 || size % perGroup != 0 ||
      channels % (size / perGroup) != 0)
    return op.emitOpError()
           << "expected a size of c in the offset that is " << perGroup
           << " times a number which divides " << channels
           << " channels, but got "
           << (ShapedType::isDynamic(size) ? "one that is not known"
                                           : std::to_string(size));
  for (const auto &[tensor, numbersPerTap] : llvm::drop_begin(tensors)) {
    int64_t expected = size / 2 * numbersPerTap, other = tensor.getSize('c');
    if (other != expected)
      return op.emitOpError()
             << "expected size " << expected << " of c in the " << tensor.name
             << (numbersPerTap == 1 ? ", half of that in the offset"
                                    : ", as in the offset")
             << ", but got "
             << (ShapedType::isDynamic(other) ? "one that is not known"
                                              : std::to_string(other));
  }
  return success();
}

/// C6.
static LogicalResult verifySpatialSizes(DeformOpInterface op) {
  ConvOperands operands = getConvOperands(op);
  for (auto [dim, letter] : llvm::enumerate(StringRef("hw"))) {
    int64_t input = operands.getSize(Operand::Input, letter);
    if (failed(verifyOutputSize(op, letter, input,
                                operands.getSize(Operand::Filter, letter),
                                operands.getSize(Operand::Output, letter),
                                op.getWindow().getDim(dim))) ||
        failed(verifyImageSize(op, letter,
                               {"input", op.getTypeFor(Operand::Input),
                                op.getLayout().getInput()})))
      return failure();
  }
  return success();
}

/// C7.
static LogicalResult verifyTypes(DeformOpInterface op) {
  bool isForward = isa<DeformConvOp>(op);
  // Of those that are no result, which may be f32.
  Operand first = op.getInit() == op.getOperandFor(Operand::Input)
                      ? Operand::Output
                      : Operand::Input;
  if (failed(verifySampledType(
          op, {::convoy::operandName(first).data(), op.getTypeFor(first), ""})))
    return failure();
  for (const TapTensor &one : getTapTensors(op))
    if (failed(verifySampledType(op, one.tensor)))
      return failure();
  Type type = op.getTypeFor(first).getElementType();
  for (Operand operand : {Operand::Input, Operand::Filter, Operand::Output}) {
    Type other = op.getTypeFor(operand).getElementType();
    bool isResult = op.getOperandFor(operand) == op.getInit();
    if (other == type || (isResult && !isForward && other.isF32()))
      continue;
    StringRef name = ::convoy::operandName(operand).data();
    return op.emitOpError()
           << "expected elements of type " << type << " in the "
           << (isResult && isForward ? "init" : name) << ", but got " << other;
  }
  return success();
}

LogicalResult mlir::convoy::verifyDeformed(Operation *op) {
  auto deformed = cast<DeformOpInterface>(op);
  return success(succeeded(verifyLayouts(deformed)) &&
                 succeeded(verifyRanks(deformed)) &&
                 succeeded(verifyWindow(deformed)) &&
                 succeeded(verifySharedSizes(deformed)) &&
                 succeeded(verifyOffsetGroups(deformed)) &&
                 succeeded(verifySpatialSizes(deformed)) &&
                 succeeded(verifyTypes(deformed)));
}
