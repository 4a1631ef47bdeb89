//===- ConstantElements.cpp - Tensors whose elements are known --*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Transforms/Utils/ConstantElements.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

Value mlir::convoy::peelReshapes(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp, tensor::CastOp>(
            op))
      break;
    value = op->getOperand(0);
  }
  return value;
}

Attribute mlir::convoy::getConstantElements(Value tensor) {
  Value source = peelReshapes(tensor);
  if (auto fill = source.getDefiningOp<linalg::FillOp>())
    source = fill.value();
  Attribute constant;
  matchPattern(source, m_Constant(&constant));
  return constant;
}
