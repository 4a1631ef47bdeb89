//===- Fills.cpp - Tensors that are filled with one value -------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Transforms/Utils/Fills.h"

using namespace mlir;

linalg::FillOp mlir::convoy::getOwnFill(Value tensor) {
  auto fill = tensor.getDefiningOp<linalg::FillOp>();
  return fill && fill->hasOneUse() ? fill : linalg::FillOp();
}

Value mlir::convoy::fillAs(OpBuilder &builder, Location loc,
                           linalg::FillOp fill, Value tensor) {
  if (!fill)
    return tensor;
  return linalg::FillOp::create(builder, loc, fill.getInputs(), tensor)
      .getResult(0);
}
