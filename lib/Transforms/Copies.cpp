//===- Copies.cpp - Generics that copy --------------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Copies.h"

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
