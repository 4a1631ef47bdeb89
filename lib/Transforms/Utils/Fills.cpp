//===- Fills.cpp - Tensors that are filled with one value -------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Transforms/Utils/Fills.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

SmallVector<OpFoldResult>
mlir::convoy::getResultSizes(OpBuilder &builder,
                             ReifyRankedShapedTypeOpInterface op) {
  ReifiedRankedShapedTypeDims shapes;
  [[maybe_unused]] LogicalResult areKnown =
      op.reifyResultShapes(builder, shapes);
  assert(succeeded(areKnown) && "sizes are static or those of operands");
  return shapes.front();
}

Value mlir::convoy::createZeros(OpBuilder &builder, Location loc,
                                ArrayRef<OpFoldResult> sizes, Type element) {
  Value empty = tensor::EmptyOp::create(builder, loc, sizes, element);
  Value zero =
      arith::ConstantOp::create(builder, loc, builder.getZeroAttr(element));
  return linalg::FillOp::create(builder, loc, zero, empty).getResult(0);
}

linalg::FillOp mlir::convoy::getOwnFill(Value tensor) {
  auto fill = tensor.getDefiningOp<linalg::FillOp>();
  return fill && fill->hasOneUse() ? fill : linalg::FillOp();
}

linalg::FillOp mlir::convoy::findFillBefore(Operation *op, Value buffer) {
  while ((op = op->getPrevNode())) {
    if (auto fill = dyn_cast<linalg::FillOp>(op))
      return fill.getOutputs()[0] == buffer ? fill : linalg::FillOp();
    if (!isMemoryEffectFree(op) && !isa<memref::AllocOp>(op))
      return {};
  }
  return {};
}

Value mlir::convoy::fillAs(OpBuilder &builder, Location loc,
                           linalg::FillOp fill, Value tensor) {
  if (!fill)
    return tensor;
  return linalg::FillOp::create(builder, loc, fill.getInputs(), tensor)
      .getResult(0);
}
