//===- TrailingUnits.cpp - Tensors without trailing units -------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TrailingUnits.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace {
/// All of a tensor, as a slice.
struct WholeSlice {
  SmallVector<OpFoldResult> offsets, sizes, strides;

  WholeSlice(OpBuilder &builder, Location loc, Value tensor)
      : sizes(tensor::getMixedSizes(builder, loc, tensor)) {
    offsets.assign(sizes.size(), builder.getIndexAttr(0));
    strides.assign(sizes.size(), builder.getIndexAttr(1));
  }
};
} // namespace

Value mlir::convoy::dropUnitsAfter(OpBuilder &builder, Location loc,
                                   Value tensor, unsigned dim) {
  auto type = cast<RankedTensorType>(tensor.getType());
  ArrayRef<int64_t> after = type.getShape().drop_front(dim + 1);
  if (after.empty() ||
      llvm::any_of(after, [](int64_t size) { return size != 1; }))
    return tensor;
  WholeSlice whole(builder, loc, tensor);
  auto shorter = RankedTensorType::get(type.getShape().take_front(dim + 1),
                                       type.getElementType());
  return tensor::ExtractSliceOp::create(
      builder, loc, shorter, tensor, whole.offsets, whole.sizes, whole.strides);
}

Value mlir::convoy::restoreUnits(OpBuilder &builder, Location loc, Value slice,
                                 Value tensor) {
  if (slice.getType() == tensor.getType())
    return slice;
  WholeSlice whole(builder, loc, tensor);
  return tensor::InsertSliceOp::create(
      builder, loc, slice, tensor, whole.offsets, whole.sizes, whole.strides);
}
