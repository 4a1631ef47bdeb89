//===- TrailingUnits.cpp - Tensors without trailing units -------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Transforms/Utils/TrailingUnits.h"

#include "convoy/Transforms/Utils/TensorSlice.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;
using namespace mlir::convoy;

/// What `tensor` is a part or a later state of; null where it is neither.
static Value getWhole(Value tensor) {
  if (auto argument = dyn_cast<BlockArgument>(tensor)) {
    auto loop =
        dyn_cast<LoopLikeOpInterface>(argument.getOwner()->getParentOp());
    OpOperand *init = loop ? loop.getTiedLoopInit(argument) : nullptr;
    return init ? init->get() : Value();
  }
  if (auto slice = tensor.getDefiningOp<tensor::ExtractSliceOp>())
    return slice.getSource();
  auto destination = tensor.getDefiningOp<DestinationStyleOpInterface>();
  return destination
             ? destination.getTiedOpOperand(cast<OpResult>(tensor))->get()
             : Value();
}

/// Whether elements of `tensor` along dimension `dim` may lie as far apart as
/// those along an earlier one, as far as a buffer's type will tell.
static bool hasUnknownStride(Value tensor, unsigned dim) {
  int64_t rank = cast<RankedTensorType>(tensor.getType()).getRank();
  for (; tensor; tensor = getWhole(tensor)) {
    auto type = cast<RankedTensorType>(tensor.getType());
    bool isSame = type.getRank() == rank;
    if (ShapedType::isDynamicShape(isSame ? type.getShape().drop_front(dim + 1)
                                          : type.getShape()))
      return true;
  }
  return false;
}

Value mlir::convoy::dropUnitsAfter(OpBuilder &builder, Location loc,
                                   Value tensor, unsigned dim) {
  auto type = cast<RankedTensorType>(tensor.getType());
  ArrayRef<int64_t> after = type.getShape().drop_front(dim + 1);
  if (after.empty() ||
      llvm::any_of(after, [](int64_t size) { return size != 1; }))
    return tensor;
  // In a buffer it is by their strides that dimensions are missed.
  if (llvm::is_contained(type.getShape().take_front(dim), 1) &&
      hasUnknownStride(tensor, dim + 1))
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
