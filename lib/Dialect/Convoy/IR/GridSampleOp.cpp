//===- GridSampleOp.cpp - Checks and shapes of samples ----------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OpSyntax.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::convoy;

namespace {
/// A tensor of the op.
struct NamedTensor {
  StringRef name;
  RankedTensorType type;
  StringRef layout;

  int64_t getSize(char letter) const {
    return type.getDimSize(layout.find(letter));
  }
};
} // namespace

static NamedTensor getInput(GridSampleOp op) {
  return {"input", op.getInput().getType(), op.getLayout().getInput()};
}

static NamedTensor getGrid(GridSampleOp op) {
  return {"grid", op.getGrid().getType(), op.getLayout().getGrid()};
}

static NamedTensor getResult(GridSampleOp op) {
  return {"result", op.getType(), op.getLayout().getOutput()};
}

static StringRef getSpatialLetters(GridSampleOp op) {
  std::string_view letters =
      ::convoy::spatialLetters(op.getLayout().getSpatialRank());
  return {letters.data(), letters.size()};
}

//===----------------------------------------------------------------------===//
// Verifier
//===----------------------------------------------------------------------===//

/// C2. (C1 is checked by the layout attribute itself.)
static LogicalResult verifyRanks(GridSampleOp op) {
  for (const NamedTensor &tensor : {getInput(op), getGrid(op), getResult(op)}) {
    int64_t rank = tensor.layout.size();
    if (tensor.type.getRank() != rank)
      return op.emitOpError()
             << "expected rank " << rank << " of the " << tensor.name
             << ", as its layout has letters, but got "
             << tensor.type.getRank();
  }
  return success();
}

/// C3: types of elements.
static LogicalResult verifyTypes(GridSampleOp op) {
  for (const NamedTensor &tensor : {getInput(op), getGrid(op)}) {
    Type type = tensor.type.getElementType();
    if (!isa<Float32Type, Float16Type, BFloat16Type>(type))
      return op.emitOpError() << "expected elements of f32, f16 or bf16 in the "
                              << tensor.name << ", but got " << type;
  }
  Type type = op.getInput().getType().getElementType();
  if (op.getType().getElementType() != type)
    return op.emitOpError()
           << "expected elements of type " << type << " in the result, but got "
           << op.getType().getElementType();
  return success();
}

/// Checks that `letter` has the same size in both tensors, where it is static.
static LogicalResult verifySameSize(GridSampleOp op, char letter,
                                    const NamedTensor &first,
                                    const NamedTensor &second) {
  int64_t expected = first.getSize(letter), size = second.getSize(letter);
  if (size == expected || ShapedType::isDynamic(size) ||
      ShapedType::isDynamic(expected))
    return success();
  return op.emitOpError() << "expected size " << expected << " of "
                          << Twine(letter) << " as in the " << first.name
                          << ", but got " << size << " in the " << second.name;
}

/// C4 to C6: sizes.
static LogicalResult verifySizes(GridSampleOp op) {
  NamedTensor input = getInput(op), grid = getGrid(op), result = getResult(op);
  StringRef spatial = getSpatialLetters(op);
  int64_t coordinates = grid.getSize('c');
  if (coordinates != int64_t(spatial.size())) {
    InFlightDiagnostic error = op.emitOpError()
                               << "expected " << spatial.size()
                               << " coordinates along c of the grid, but got ";
    if (ShapedType::isDynamic(coordinates))
      return error << "a size that is not known";
    return error << coordinates;
  }
  if (failed(verifySameSize(op, 'n', input, grid)) ||
      failed(verifySameSize(op, 'n', input, result)) ||
      failed(verifySameSize(op, 'n', grid, result)) ||
      failed(verifySameSize(op, 'c', input, result)))
    return failure();
  for (char letter : spatial)
    if (failed(verifySameSize(op, letter, grid, result)))
      return failure();
  for (char letter : spatial) {
    int64_t size = input.getSize(letter);
    if (!ShapedType::isDynamic(size) &&
        (size < 1 || size > GridSampleOp::kMaxSize))
      return op.emitOpError()
             << "expected a size of " << Twine(letter) << " from 1 to "
             << GridSampleOp::kMaxSize << " in the input, but got " << size;
  }
  return success();
}

LogicalResult GridSampleOp::verify() {
  if (failed(verifyRanks(*this)) || failed(verifyTypes(*this)) ||
      failed(verifySizes(*this)))
    return failure();
  if (getMode() == SampleMode::Cubic && getLayout().getSpatialRank() != 2)
    return emitOpError() << "expected 2 spatial dimensions for cubic, but got "
                         << getLayout().getSpatialRank();
  return success();
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

LogicalResult
GridSampleOp::reifyResultShapes(OpBuilder &builder,
                                ReifiedRankedShapedTypeDims &shapes) {
  SampleLayoutAttr layout = getLayout();
  SmallVector<OpFoldResult> sizes;
  for (char letter : layout.getOutput()) {
    bool isOfInput = letter == 'n' || letter == 'c';
    Value source = isOfInput ? getInput() : getGrid();
    StringRef letters = isOfInput ? layout.getInput() : layout.getGrid();
    sizes.push_back(
        tensor::getMixedSize(builder, getLoc(), source, letters.find(letter)));
  }
  shapes.push_back(std::move(sizes));
  return success();
}
