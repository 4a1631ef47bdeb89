//===- GatheredSums.cpp - Sums of elements from computed places -*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Transforms/Utils/GatheredSums.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

Type mlir::convoy::getGatheredSumType(Type type) {
  auto floatType = dyn_cast<FloatType>(type);
  bool isNarrow = floatType && floatType.getWidth() < 32;
  return isNarrow ? Float32Type::get(type.getContext()) : type;
}

Value mlir::convoy::addGatheredTerm(OpBuilder &builder, Location loc, Value sum,
                                    Value term) {
  Type type = sum.getType();
  if (term.getType() != type)
    term = arith::ExtFOp::create(builder, loc, type, term);
  if (isa<FloatType>(type))
    return arith::AddFOp::create(builder, loc, sum, term);
  return arith::AddIOp::create(builder, loc, sum, term);
}
