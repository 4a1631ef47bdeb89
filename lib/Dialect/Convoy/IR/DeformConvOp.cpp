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

static ConvOperands getConvOperands(DeformConvOp op) {
  return {op,
          op.getLayout().getLayouts(),
          {op.getInput().getType(), op.getFilter().getType(),
           op.getInit().getType()}};
}

static NamedTensor getNamedOffset(DeformConvOp op) {
  return {"offset", op.getOffset().getType(), op.getOffsetLayout()};
}

/// The offset and, if there is one, the mask.
static SmallVector<NamedTensor> getOffsetAndMask(DeformConvOp op) {
  SmallVector<NamedTensor> tensors = {getNamedOffset(op)};
  if (op.getMask())
    tensors.push_back({"mask", cast<RankedTensorType>(op.getMask().getType()),
                       op.getOffsetLayout()});
  return tensors;
}

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

std::array<int64_t, 2> DeformConvOp::getTaps() {
  ConvOperands operands = getConvOperands(*this);
  return {operands.getSize(Operand::Filter, 'h'),
          operands.getSize(Operand::Filter, 'w')};
}

int64_t DeformConvOp::getChannels() {
  ConvOperands operands = getConvOperands(*this);
  int64_t channels = operands.getSize(Operand::Input, 'c');
  if (getLayout().getLayouts().input.hasGroups())
    channels *= operands.getSize(Operand::Input, 'g');
  return channels;
}

int64_t DeformConvOp::getOffsetGroups() {
  auto [rows, columns] = getTaps();
  return getNamedOffset(*this).getSize('c') / (2 * rows * columns);
}

LogicalResult
DeformConvOp::reifyResultShapes(OpBuilder &builder,
                                ReifiedRankedShapedTypeDims &shapes) {
  shapes.push_back(tensor::getMixedSizes(builder, getLoc(), getInit()));
  return success();
}

//===----------------------------------------------------------------------===//
// Verifier
//===----------------------------------------------------------------------===//

/// C1, but for what the layout attribute checks itself.
static LogicalResult verifyLayouts(DeformConvOp op) {
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
static LogicalResult verifyRanks(DeformConvOp op) {
  if (failed(getConvOperands(op).verifyRanks()))
    return failure();
  for (const NamedTensor &tensor : getOffsetAndMask(op))
    if (failed(verifyRank(op, tensor)))
      return failure();
  return success();
}

/// C3.
static LogicalResult verifyWindow(DeformConvOp op) {
  constexpr int64_t Most = DeformConvOp::kMaxStep;
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
static LogicalResult verifySharedSizes(DeformConvOp op) {
  ConvOperands operands = getConvOperands(op);
  if (failed(operands.verifySharedSizes()))
    return failure();
  const std::string &letters = operands.layouts.output.letters();
  NamedTensor output = {"output", op.getInit().getType(), letters};
  for (const NamedTensor &tensor : getOffsetAndMask(op))
    for (char letter : StringRef("nhw"))
      if (failed(verifySameSize(op, letter, output, tensor)))
        return failure();
  return success();
}

/// C5.
static LogicalResult verifyOffsetGroups(DeformConvOp op) {
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
  int64_t size = getNamedOffset(op).getSize('c');
  if (ShapedType::isDynamic(size) || size == 0 || size % perGroup != 0 ||
      channels % (size / perGroup) != 0)
    return op.emitOpError()
           << "expected a size of c in the offset that is " << perGroup
           << " times a number which divides " << channels
           << " channels, but got "
           << (ShapedType::isDynamic(size) ? "one that is not known"
                                           : std::to_string(size));
  if (!op.getMask())
    return success();
  NamedTensor mask = getOffsetAndMask(op).back();
  if (mask.getSize('c') != size / 2)
    return op.emitOpError()
           << "expected size " << size / 2 << " of c in the mask, half of that "
           << "in the offset, but got "
           << (ShapedType::isDynamic(mask.getSize('c'))
                   ? "one that is not known"
                   : std::to_string(mask.getSize('c')));
  return success();
}

/// C6.
static LogicalResult verifySpatialSizes(DeformConvOp op) {
  ConvOperands operands = getConvOperands(op);
  for (auto [dim, letter] : llvm::enumerate(StringRef("hw"))) {
    int64_t input = operands.getSize(Operand::Input, letter);
    if (failed(verifyOutputSize(op, letter, input,
                                operands.getSize(Operand::Filter, letter),
                                operands.getSize(Operand::Output, letter),
                                op.getWindow().getDim(dim))) ||
        failed(verifyImageSize(
            op, letter,
            {"input", op.getInput().getType(), op.getLayout().getInput()})))
      return failure();
  }
  return success();
}

/// C7.
static LogicalResult verifyTypes(DeformConvOp op) {
  SmallVector<NamedTensor> tensors = getOffsetAndMask(op);
  tensors.insert(tensors.begin(), {"input", op.getInput().getType(), ""});
  for (const NamedTensor &tensor : tensors)
    if (failed(verifySampledType(op, tensor)))
      return failure();
  Type type = op.getInput().getType().getElementType();
  for (auto [name, other] :
       {std::pair<StringRef, RankedTensorType>("filter",
                                               op.getFilter().getType()),
        std::pair<StringRef, RankedTensorType>("init", op.getInit().getType())})
    if (other.getElementType() != type)
      return op.emitOpError()
             << "expected elements of type " << type << " in the " << name
             << ", but got " << other.getElementType();
  return success();
}

LogicalResult DeformConvOp::verify() {
  return success(
      succeeded(verifyLayouts(*this)) && succeeded(verifyRanks(*this)) &&
      succeeded(verifyWindow(*this)) && succeeded(verifySharedSizes(*this)) &&
      succeeded(verifyOffsetGroups(*this)) &&
      succeeded(verifySpatialSizes(*this)) && succeeded(verifyTypes(*this)));
}
