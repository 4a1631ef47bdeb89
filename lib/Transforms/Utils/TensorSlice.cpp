//===- TensorSlice.cpp - Parts of tensors -----------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Transforms/Utils/TensorSlice.h"

#include <numeric>

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

namespace {
/// Where a slice lies along a dimension.
struct Extent {
  int64_t offset, size, stride;

  /// Nothing where it is dynamic.
  static std::optional<Extent> find(OffsetSizeAndStrideOpInterface slice,
                                    unsigned dim) {
    if (slice.isDynamicOffset(dim) || slice.isDynamicSize(dim) ||
        slice.isDynamicStride(dim))
      return std::nullopt;
    return Extent{slice.getStaticOffset(dim), slice.getStaticSize(dim),
                  slice.getStaticStride(dim)};
  }
  bool isBefore(const Extent &other) const {
    return offset + (size - 1) * stride < other.offset;
  }
  /// Whether both take every so many elements, never the same ones.
  bool isBeside(const Extent &other) const {
    int64_t period = std::gcd(stride, other.stride);
    return period != 0 && (offset - other.offset) % period != 0;
  }
};
} // namespace

bool mlir::convoy::areDisjoint(OffsetSizeAndStrideOpInterface a,
                               OffsetSizeAndStrideOpInterface b) {
  for (unsigned dim = 0; dim < a.getStaticOffsets().size(); ++dim) {
    std::optional<Extent> first = Extent::find(a, dim),
                          second = Extent::find(b, dim);
    if (first && second &&
        (first->isBefore(*second) || second->isBefore(*first) ||
         first->isBeside(*second)))
      return true;
  }
  return false;
}
