//===- Im2colOp.cpp - Checks and shapes of im2col ---------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OpSyntax.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::WindowDim;

LogicalResult mlir::convoy::verifyUnfoldedTypes(Operation *op,
                                                RankedTensorType input,
                                                int64_t inputRank,
                                                RankedTensorType result,
                                                int64_t resultRank) {
  if (input.getRank() != inputRank)
    return op->emitOpError() << "expected an input of rank " << inputRank
                             << ", but got " << input.getRank();
  if (result.getRank() != resultRank)
    return op->emitOpError() << "expected a result of rank " << resultRank
                             << ", but got " << result.getRank();
  if (input.getElementType() != result.getElementType())
    return op->emitOpError()
           << "expected elements of type " << input.getElementType()
           << " in the result, but got " << result.getElementType();
  return success();
}

/// C5 and C6: sizes.
static LogicalResult verifySizes(Im2colOp op) {
  Im2colLayoutAttr layout = op.getLayout();
  RankedTensorType input = op.getInput().getType();
  RankedTensorType result = op.getType();
  std::string_view spatial = ::convoy::spatialLetters(layout.getSpatialRank());
  for (auto [index, letter] : llvm::enumerate(layout.getInput())) {
    if (spatial.find(letter) != std::string_view::npos)
      continue;
    int64_t size = input.getDimSize(index);
    int64_t other = result.getDimSize(layout.getSharedDim(letter));
    if (size != other && !ShapedType::isDynamic(size) &&
        !ShapedType::isDynamic(other))
      return op.emitOpError()
             << "expected size " << size << " of " << Twine(letter)
             << " as in the input, but got " << other << " in the result";
  }
  for (auto [index, letter] : llvm::enumerate(spatial))
    if (failed(verifyOutputSize(
            op, letter, input.getDimSize(layout.getInput().find(letter)),
            result.getDimSize(layout.getWindowDim(letter)),
            result.getDimSize(layout.getPositionDim(letter)),
            op.getWindow().getDim(index))))
      return failure();
  return success();
}

LogicalResult Im2colOp::verify() {
  if (failed(
          verifyWindowSizes(*this, getWindow(), getLayout().getSpatialRank())))
    return failure();
  if (getWindow().hasInputDilation())
    return emitOpError("expected no input dilation");
  Im2colLayoutAttr layout = getLayout();
  if (failed(verifyUnfoldedTypes(*this, getInput().getType(),
                                 layout.getInput().size(), getType(),
                                 layout.getRowsRank())) ||
      failed(verifySizes(*this)))
    return failure();
  int64_t dynamicSizes = getType().getNumDynamicDims();
  if (static_cast<int64_t>(getSizes().size()) != dynamicSizes)
    return emitOpError() << "expected " << dynamicSizes
                         << " sizes for the dynamic dimensions of the result, "
                            "but got "
                         << getSizes().size();
  if (getPadValue() &&
      getPadValue().getType() != getInput().getType().getElementType())
    return emitOpError() << "expected a pad value of type "
                         << getInput().getType().getElementType()
                         << ", but got " << getPadValue().getType();
  return success();
}

LogicalResult Im2colOp::reifyResultShapes(OpBuilder &builder,
                                          ReifiedRankedShapedTypeDims &shapes) {
  shapes.push_back(getMixedValues(getType().getShape(), getSizes(), builder));
  return success();
}
