//===- GridSampleOp.cpp - Checks and shapes of samples ----------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The gradients have the constraints of the samples: what is a result of one is
// an operand of another.
//
//===----------------------------------------------------------------------===//

#include "OpSyntax.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::convoy;

namespace {
/// The tensors of samples or of a gradient of them.
struct SampleTensors {
  NamedTensor image, grid, samples;
};
} // namespace

static SampleTensors getTensors(GridSampleOp op) {
  SampleLayoutAttr layout = op.getLayout();
  return {{"input", op.getInput().getType(), layout.getInput()},
          {"grid", op.getGrid().getType(), layout.getGrid()},
          {"result", op.getType(), layout.getOutput()}};
}

static SampleTensors getTensors(GridSampleBackwardInputOp op) {
  SampleLayoutAttr layout = op.getLayout();
  return {{"result", op.getType(), layout.getInput()},
          {"grid", op.getGrid().getType(), layout.getGrid()},
          {"output gradient", op.getOutputGradient().getType(),
           layout.getOutput()}};
}

static SampleTensors getTensors(GridSampleBackwardGridOp op) {
  SampleLayoutAttr layout = op.getLayout();
  return {{"input", op.getInput().getType(), layout.getInput()},
          {"grid", op.getGrid().getType(), layout.getGrid()},
          {"output gradient", op.getOutputGradient().getType(),
           layout.getOutput()}};
}

//===----------------------------------------------------------------------===//
// Verifiers
//===----------------------------------------------------------------------===//

/// C2. (C1 is checked by the layout attribute itself.)
static LogicalResult verifyRanks(Operation *op, const SampleTensors &tensors) {
  for (const NamedTensor &tensor :
       {tensors.image, tensors.grid, tensors.samples})
    if (failed(verifyRank(op, tensor)))
      return failure();
  return success();
}

/// C3: types of elements, of which those of `first` and `second` are the same,
/// or with `isWide` f32.
static LogicalResult verifyTypes(Operation *op, const NamedTensor &first,
                                 const NamedTensor &second,
                                 const NamedTensor &grid, bool isWide = false) {
  for (const NamedTensor &tensor : {first, grid})
    if (failed(verifySampledType(op, tensor)))
      return failure();
  Type type = first.type.getElementType(), other = second.type.getElementType();
  if (other == type || (isWide && other.isF32()))
    return success();
  InFlightDiagnostic error = op->emitOpError()
                             << "expected elements of type " << type;
  if (isWide && !type.isF32())
    error << " or f32";
  return error << " in the " << second.name << ", but got " << other;
}

/// C4 and C5: sizes that tensors share.
static LogicalResult verifySizes(Operation *op, const SampleTensors &tensors,
                                 StringRef spatial) {
  const auto &[image, grid, samples] = tensors;
  int64_t coordinates = grid.getSize('c');
  if (coordinates != int64_t(spatial.size())) {
    InFlightDiagnostic error = op->emitOpError()
                               << "expected " << spatial.size()
                               << " coordinates along c of the grid, but got ";
    if (ShapedType::isDynamic(coordinates))
      return error << "a size that is not known";
    return error << coordinates;
  }
  if (failed(verifySameSize(op, 'n', image, grid)) ||
      failed(verifySameSize(op, 'n', image, samples)) ||
      failed(verifySameSize(op, 'n', grid, samples)) ||
      failed(verifySameSize(op, 'c', image, samples)))
    return failure();
  for (char letter : spatial)
    if (failed(verifySameSize(op, letter, grid, samples)))
      return failure();
  return success();
}

/// All constraints but C3.
template <typename OpTy>
static LogicalResult verifyShapes(OpTy op) {
  SampleTensors tensors = getTensors(op);
  std::string_view letters =
      ::convoy::spatialLetters(op.getLayout().getSpatialRank());
  StringRef spatial(letters.data(), letters.size());
  if (failed(verifySizes(op, tensors, spatial)))
    return failure();
  for (char letter : spatial) {
    // Of an image that is a result no operand tells the sizes.
    if (std::is_same_v<OpTy, GridSampleBackwardInputOp> &&
        ShapedType::isDynamic(tensors.image.getSize(letter)))
      return op.emitOpError() << "expected a static size of " << Twine(letter)
                              << " in the result";
    if (failed(verifyImageSize(op, letter, tensors.image)))
      return failure();
  }
  if (op.getMode() == SampleMode::Cubic && spatial.size() != 2)
    return op.emitOpError()
           << "expected 2 spatial dimensions for cubic, but got "
           << spatial.size();
  return success();
}

LogicalResult GridSampleOp::verify() {
  auto [image, grid, samples] = getTensors(*this);
  return failure(failed(verifyRanks(*this, {image, grid, samples})) ||
                 failed(verifyTypes(*this, image, samples, grid)) ||
                 failed(verifyShapes(*this)));
}

LogicalResult GridSampleBackwardInputOp::verify() {
  auto [image, grid, samples] = getTensors(*this);
  return failure(failed(verifyRanks(*this, {image, grid, samples})) ||
                 failed(verifyTypes(*this, samples, image, grid,
                                    /*isWide=*/true)) ||
                 failed(verifyShapes(*this)));
}

LogicalResult GridSampleBackwardGridOp::verify() {
  auto [image, grid, samples] = getTensors(*this);
  return failure(failed(verifyRanks(*this, {image, grid, samples})) ||
                 failed(verifyTypes(*this, samples, image, grid)) ||
                 failed(verifyShapes(*this)));
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

LogicalResult GridSampleBackwardInputOp::reifyResultShapes(
    OpBuilder &builder, ReifiedRankedShapedTypeDims &shapes) {
  SampleLayoutAttr layout = getLayout();
  SmallVector<OpFoldResult> sizes;
  for (auto [letter, size] :
       llvm::zip_equal(layout.getInput(), getType().getShape()))
    if (ShapedType::isDynamic(size))
      sizes.push_back(tensor::getMixedSize(builder, getLoc(),
                                           getOutputGradient(),
                                           layout.getOutput().find(letter)));
    else
      sizes.push_back(builder.getIndexAttr(size));
  shapes.push_back(std::move(sizes));
  return success();
}

LogicalResult GridSampleBackwardGridOp::reifyResultShapes(
    OpBuilder &builder, ReifiedRankedShapedTypeDims &shapes) {
  shapes.push_back(tensor::getMixedSizes(builder, getLoc(), getGrid()));
  return success();
}
