//===- TensorSlice.cpp - Parts of tensors -----------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Transforms/Utils/TensorSlice.h"

using namespace mlir;
using namespace mlir::convoy;

TensorSlice::TensorSlice(OpBuilder &builder, Location loc, Value tensor)
    : builder(builder), loc(loc), tensor(tensor),
      sizes(tensor::getMixedSizes(builder, loc, tensor)) {
  offsets.assign(sizes.size(), builder.getIndexAttr(0));
  strides.assign(sizes.size(), builder.getIndexAttr(1));
}

void TensorSlice::narrow(int64_t dim, OpFoldResult offset, OpFoldResult size,
                         int64_t stride) {
  offsets[dim] = offset;
  sizes[dim] = size;
  strides[dim] = builder.getIndexAttr(stride);
}

void TensorSlice::narrow(int64_t dim, int64_t offset, int64_t size,
                         int64_t stride) {
  narrow(dim, builder.getIndexAttr(offset), builder.getIndexAttr(size), stride);
}

Value TensorSlice::extract() const {
  return builder.createOrFold<tensor::ExtractSliceOp>(loc, tensor, offsets,
                                                      sizes, strides);
}

Value TensorSlice::extract(RankedTensorType type) const {
  return tensor::ExtractSliceOp::create(builder, loc, type, tensor, offsets,
                                        sizes, strides);
}

Value TensorSlice::insert(Value part) const {
  return tensor::InsertSliceOp::create(builder, loc, part, tensor, offsets,
                                       sizes, strides);
}

void TensorSlice::insert(Value part, scf::ForallOp loop) const {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(&loop.getTerminator().getRegion().front());
  tensor::ParallelInsertSliceOp::create(builder, loc, part, tensor, offsets,
                                        sizes, strides);
}
