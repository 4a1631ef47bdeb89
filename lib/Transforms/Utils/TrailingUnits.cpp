//===- TrailingUnits.cpp - Tensors without trailing units -------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Transforms/Utils/TrailingUnits.h"

#include "convoy/Transforms/Utils/TensorSlice.h"

using namespace mlir;
using namespace mlir::convoy;

Value mlir::convoy::dropUnitsAfter(OpBuilder &builder, Location loc,
                                   Value tensor, unsigned dim) {
  auto type = cast<RankedTensorType>(tensor.getType());
  ArrayRef<int64_t> after = type.getShape().drop_front(dim + 1);
  if (after.empty() ||
      llvm::any_of(after, [](int64_t size) { return size != 1; }))
    return tensor;
  auto shorter = RankedTensorType::get(type.getShape().take_front(dim + 1),
                                       type.getElementType());
  return TensorSlice(builder, loc, tensor).extract(shorter);
}

Value mlir::convoy::restoreUnits(OpBuilder &builder, Location loc, Value slice,
                                 Value tensor) {
  if (slice.getType() == tensor.getType())
    return slice;
  return TensorSlice(builder, loc, tensor).insert(slice);
}
