//===- Copies.cpp - Generics that copy and convert --------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Copies.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::convoy;

bool mlir::convoy::isCopy(linalg::GenericOp op) {
  Block *body = op.getBody();
  return op.getNumDpsInputs() == 1 && op.getNumDpsInits() == 1 &&
         op.getNumReductionLoops() == 0 && body->without_terminator().empty() &&
         body->getTerminator()->getOperand(0) == body->getArgument(0);
}

linalg::GenericOp mlir::convoy::createCopy(OpBuilder &builder, Location loc,
                                           Value source, AffineMap map,
                                           Value destination) {
  SmallVector<AffineMap> maps = {
      map, builder.getMultiDimIdentityMap(map.getNumDims())};
  SmallVector<utils::IteratorType> parallel(map.getNumDims(),
                                            utils::IteratorType::parallel);
  return linalg::GenericOp::create(
      builder, loc, destination.getType(), source, destination, maps, parallel,
      [](OpBuilder &b, Location loc, ValueRange args) {
        linalg::YieldOp::create(b, loc, args[0]);
      });
}

Value mlir::convoy::convertElements(OpBuilder &builder, Location loc,
                                    Value source, Type element) {
  auto type = cast<RankedTensorType>(source.getType());
  Value empty = tensor::EmptyOp::create(
      builder, loc, tensor::getMixedSizes(builder, loc, source), element);
  AffineMap identity = builder.getMultiDimIdentityMap(type.getRank());
  SmallVector<utils::IteratorType> parallel(type.getRank(),
                                            utils::IteratorType::parallel);
  bool widens = type.getElementTypeBitWidth() < element.getIntOrFloatBitWidth();
  return linalg::GenericOp::create(
             builder, loc, empty.getType(), source, empty,
             ArrayRef<AffineMap>{identity, identity}, parallel,
             [&](OpBuilder &b, Location loc, ValueRange args) {
               Value converted =
                   widens
                       ? Value(arith::ExtFOp::create(b, loc, element, args[0]))
                       : Value(
                             arith::TruncFOp::create(b, loc, element, args[0]));
               linalg::YieldOp::create(b, loc, converted);
             })
      .getResult(0);
}
