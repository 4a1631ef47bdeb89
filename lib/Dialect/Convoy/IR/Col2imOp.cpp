//===- Col2imOp.cpp - Checks and shapes of col2im ---------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OpSyntax.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::convoy;

/// `size` as it is printed.
static std::string toText(int64_t size) {
  return ShapedType::isDynamic(size) ? "?" : std::to_string(size);
}

/// C5: sizes of what is not spatial.
static LogicalResult verifySharedSizes(Col2imOp op) {
  Im2colLayoutAttr layout = op.getLayout();
  std::string_view spatial = ::convoy::spatialLetters(layout.getSpatialRank());
  for (auto [dim, letter] : llvm::enumerate(layout.getInput())) {
    if (spatial.find(letter) != std::string_view::npos)
      continue;
    int64_t expected =
        op.getInput().getType().getDimSize(layout.getSharedDim(letter));
    int64_t size = op.getType().getDimSize(dim);
    if (size != expected)
      return op.emitOpError() << "expected size " << toText(expected) << " of "
                              << Twine(letter) << " as in the input, but got "
                              << toText(size) << " in the result";
  }
  return success();
}

/// C6 and C7: spatial sizes.
static LogicalResult verifySpatialSizes(Col2imOp op) {
  Im2colLayoutAttr layout = op.getLayout();
  std::string_view spatial = ::convoy::spatialLetters(layout.getSpatialRank());
  RankedTensorType input = op.getInput().getType();
  for (auto [number, letter] : llvm::enumerate(spatial)) {
    int64_t size = op.getType().getDimSize(layout.getInput().find(letter)),
            taps = input.getDimSize(layout.getWindowDim(letter)),
            positions = input.getDimSize(layout.getPositionDim(letter));
    for (auto [what, one] : {std::pair("size", size), std::pair("taps", taps),
                             std::pair("positions", positions)})
      if (ShapedType::isDynamic(one))
        return op.emitOpError() << "expected static " << what << " along "
                                << Twine(letter) << ", but got ?";
    if (failed(verifyOutputSize(op, letter, size, taps, positions,
                                op.getWindow().getDim(number))))
      return failure();
  }
  return success();
}

LogicalResult Col2imOp::verify() {
  Im2colLayoutAttr layout = getLayout();
  if (failed(verifyWindowSizes(*this, getWindow(), layout.getSpatialRank())))
    return failure();
  if (getWindow().hasInputDilation())
    return emitOpError("expected no input dilation");
  if (failed(verifyUnfoldedTypes(*this, getInput().getType(),
                                 layout.getRowsRank(), getType(),
                                 layout.getInput().size())))
    return failure();
  return failure(failed(verifySharedSizes(*this)) ||
                 failed(verifySpatialSizes(*this)));
}

LogicalResult Col2imOp::reifyResultShapes(OpBuilder &builder,
                                          ReifiedRankedShapedTypeDims &shapes) {
  Im2colLayoutAttr layout = getLayout();
  SmallVector<OpFoldResult> sizes;
  for (auto [dim, letter] : llvm::enumerate(layout.getInput()))
    if (getType().isDynamicDim(dim))
      sizes.push_back(tensor::getMixedSize(builder, getLoc(), getInput(),
                                           layout.getSharedDim(letter)));
    else
      sizes.push_back(builder.getIndexAttr(getType().getDimSize(dim)));
  shapes.push_back(std::move(sizes));
  return success();
}
