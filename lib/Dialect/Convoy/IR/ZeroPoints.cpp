//===- ZeroPoints.cpp - Zero points of a filter's channels ------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Dialect/Convoy/IR/ZeroPoints.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::convoy;

std::string mlir::convoy::getZeroPointLetters(ConvolutionOpInterface op) {
  char channel = op.getDirection() == ::convoy::Direction::Forward ? 'f' : 'c';
  bool hasGroups = op.getLayout().getLayouts().filter.hasGroups();
  return hasGroups ? std::string{'g', channel} : std::string{channel};
}

Value mlir::convoy::expandZeroPoints(OpBuilder &builder,
                                     ConvolutionOpInterface op) {
  Value zeroPoints = op.getZeroPoints().back();
  std::string letters = getZeroPointLetters(op);
  if (letters.size() == 1)
    return zeroPoints;
  Location loc = op.getLoc();
  const ::convoy::Layout layout = op.getLayout().getLayouts().filter;
  SmallVector<OpFoldResult> sizes;
  for (char letter : letters)
    sizes.push_back(tensor::getMixedSize(
        builder, loc, op.getOperandFor(::convoy::Operand::Filter),
        layout.position(letter)));
  SmallVector<int64_t> shape = decomposeMixedValues(sizes).first;
  // Their number is known where both sizes are, and only there.
  int64_t count = ShapedType::isDynamicShape(shape) ? ShapedType::kDynamic
                                                    : shape[0] * shape[1];
  Type element = op.getAccumulatorType();
  auto flat = RankedTensorType::get(count, element);
  if (zeroPoints.getType() != flat)
    zeroPoints = tensor::CastOp::create(builder, loc, flat, zeroPoints);
  SmallVector<ReassociationIndices> groups = {{0, 1}};
  return tensor::ExpandShapeOp::create(builder, loc,
                                       RankedTensorType::get(shape, element),
                                       zeroPoints, groups, sizes);
}
