//===- GatheredSums.cpp - Sums of elements from computed places -*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Transforms/Utils/GatheredSums.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

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

Value mlir::convoy::roundGatheredSums(OpBuilder &builder, Location loc,
                                      Value sums, ArrayRef<OpFoldResult> sizes,
                                      Type element) {
  if (getElementTypeOrSelf(sums.getType()) == element)
    return sums;
  Value empty = tensor::EmptyOp::create(builder, loc, sizes, element);
  auto rank = static_cast<int64_t>(sizes.size());
  AffineMap map = builder.getMultiDimIdentityMap(rank);
  SmallVector<utils::IteratorType> iterators(rank,
                                             utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             builder, loc, empty.getType(), sums, empty, ArrayRef{map, map},
             iterators,
             [&](OpBuilder &builder, Location loc, ValueRange arguments) {
               Value rounded =
                   arith::TruncFOp::create(builder, loc, element, arguments[0]);
               linalg::YieldOp::create(builder, loc, rounded);
             })
      .getResult(0);
}
