//===- ScatterAddOp.cpp - Sums at computed places ---------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Dialect/Convoy/IR/Convoy.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::convoy;

LogicalResult
ScatterAddOp::reifyResultShapes(OpBuilder &builder,
                                ReifiedRankedShapedTypeDims &shapes) {
  shapes.push_back(tensor::getMixedSizes(builder, getLoc(), getInit()));
  return success();
}

LogicalResult ScatterAddOp::verify() {
  ShapedType values = getValues().getType(), places = getPlaces().getType(),
             init = getInit().getType();
  auto verifySame = [&](int64_t dim, ShapedType type,
                        StringRef name) -> LogicalResult {
    int64_t expected = values.getDimSize(dim), size = type.getDimSize(dim);
    if (size == expected || ShapedType::isDynamic(size) ||
        ShapedType::isDynamic(expected))
      return success();
    return emitOpError() << "expected size " << expected << " of dimension "
                         << dim << " as in the values, but got " << size
                         << " in the " << name;
  };
  if (failed(verifySame(0, places, "places")) ||
      failed(verifySame(2, places, "places")) ||
      failed(verifySame(0, init, "init")) ||
      failed(verifySame(1, init, "init")))
    return failure();
  int64_t groups = places.getDimSize(1), channels = values.getDimSize(1);
  if (places.isDynamicDim(1) || places.isDynamicDim(3) ||
      values.isDynamicDim(1))
    return emitOpError("expected static numbers of groups, elements and "
                       "channels");
  if (groups == 0 || channels % groups != 0)
    return emitOpError() << "expected a number of groups that divides "
                         << channels << " channels, but got " << groups;
  return success();
}
