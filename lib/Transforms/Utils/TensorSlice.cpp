//===- TensorSlice.cpp - Parts of tensors -----------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Transforms/Utils/TensorSlice.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVectorExtras.h"

#include <numeric>
#include <utility>

using namespace mlir;
using namespace mlir::convoy;

TensorSlice::TensorSlice(OpBuilder &builder, Location loc, Value tensor)
    : builder(builder), loc(loc), tensor(tensor),
      sizes(tensor::getMixedSizes(builder, loc, tensor)), picked(sizes.size()) {
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

void TensorSlice::pick(int64_t dim, OpFoldResult index) {
  narrow(dim, index, builder.getIndexAttr(1));
  picked.set(dim);
}

TensorSlice TensorSlice::of(Value other) const {
  TensorSlice slice = *this;
  slice.tensor = other;
  return slice;
}

bool TensorSlice::canReduce() const {
  // MLIR's canonicalization takes the first dimensions of size 1 for those that
  // a slice does not have. A size that is not known may turn out to be 1.
  for (int64_t dim = picked.find_last(); dim >= 0; --dim)
    if (!picked.test(dim) && getConstantIntValue(sizes[dim]).value_or(1) == 1)
      return false;
  return true;
}

SmallVector<ReassociationIndices> TensorSlice::getKeptDims() const {
  SmallVector<ReassociationIndices> groups;
  ReassociationIndices group;
  for (int64_t dim = 0, end = int64_t(sizes.size()); dim < end; ++dim) {
    group.push_back(dim);
    if (picked.test(dim))
      continue;
    groups.push_back(std::exchange(group, {}));
  }
  if (!groups.empty())
    groups.back().append(group);
  return groups;
}

Value TensorSlice::extract() const {
  if (picked.any() && canReduce()) {
    SmallVector<int64_t> shape;
    for (auto [dim, size] : llvm::enumerate(decomposeMixedValues(sizes).first))
      if (!picked.test(dim))
        shape.push_back(size);
    return extract(RankedTensorType::get(shape, getElementTypeOrSelf(tensor)));
  }
  Value part = builder.createOrFold<tensor::ExtractSliceOp>(
      loc, tensor, offsets, sizes, strides);
  if (picked.any())
    part = tensor::CollapseShapeOp::create(builder, loc, part, getKeptDims());
  return part;
}

Value TensorSlice::extract(RankedTensorType type) const {
  return tensor::ExtractSliceOp::create(builder, loc, type, tensor, offsets,
                                        sizes, strides);
}

Value TensorSlice::expand(Value part) const {
  if (picked.none() || canReduce())
    return part;
  auto type = RankedTensorType::get(decomposeMixedValues(sizes).first,
                                    getElementTypeOrSelf(tensor));
  return tensor::ExpandShapeOp::create(builder, loc, type, part, getKeptDims(),
                                       sizes);
}

Value TensorSlice::insert(Value part) const {
  return tensor::InsertSliceOp::create(builder, loc, expand(part), tensor,
                                       offsets, sizes, strides);
}

void TensorSlice::insert(Value part, scf::ForallOp loop) const {
  OpBuilder::InsertionGuard guard(builder);
  Value expanded = expand(part);
  builder.setInsertionPointToEnd(&loop.getTerminator().getRegion().front());
  tensor::ParallelInsertSliceOp::create(builder, loc, expanded, tensor, offsets,
                                        sizes, strides);
}

namespace {
/// Where a slice lies along a dimension.
struct Extent {
  int64_t offset, size, stride;

  bool isBefore(const Extent &other) const {
    return stride > 0 && other.stride > 0 &&
           offset + (size - 1) * stride < other.offset;
  }
  /// Whether both take every so many elements, never the same ones.
  bool isBeside(const Extent &other) const {
    int64_t period = std::gcd(stride, other.stride);
    return period != 0 && (offset - other.offset) % period != 0;
  }
};
} // namespace

/// Where `slice` lies along its dimensions; nothing where it is not constant.
static SmallVector<std::optional<Extent>>
getExtents(OffsetSizeAndStrideOpInterface slice) {
  return llvm::map_to_vector(
      llvm::zip_equal(slice.getMixedOffsets(), slice.getMixedSizes(),
                      slice.getMixedStrides()),
      [](auto fields) -> std::optional<Extent> {
        auto [offset, size, stride] = fields;
        std::optional<int64_t> from = getConstantIntValue(offset),
                               count = getConstantIntValue(size),
                               step = getConstantIntValue(stride);
        if (!from || !count || !step)
          return std::nullopt;
        return Extent{*from, *count, *step};
      });
}

bool mlir::convoy::areDisjoint(OffsetSizeAndStrideOpInterface a,
                               OffsetSizeAndStrideOpInterface b) {
  return llvm::any_of(
      llvm::zip_equal(getExtents(a), getExtents(b)), [](const auto &pair) {
        const auto &[first, second] = pair;
        return first && second &&
               (first->isBefore(*second) || second->isBefore(*first) ||
                first->isBeside(*second));
      });
}
