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
  for (const NamedTensor &tensor : {getInput(op), getGrid(op), getResult(op)})
    if (failed(verifyRank(op, tensor)))
      return failure();
  return success();
}

/// C3: types of elements.
static LogicalResult verifyTypes(GridSampleOp op) {
  for (const NamedTensor &tensor : {getInput(op), getGrid(op)})
    if (failed(verifySampledType(op, tensor)))
      return failure();
  Type type = op.getInput().getType().getElementType();
  if (op.getType().getElementType() != type)
    return op.emitOpError()
           << "expected elements of type " << type << " in the result, but got "
           << op.getType().getElementType();
  return success();
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
  for (char letter : spatial)
    if (failed(verifyImageSize(op, letter, input.getSize(letter))))
      return failure();
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
