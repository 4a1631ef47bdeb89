//===- StridedParts.cpp - Parts of buffers by strides -----------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StridedParts.h"
#include "BufferRoots.h"
#include "StandIns.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::convoy;
using namespace mlir::convoy::certify;

using llvm::ConstantRange;

StridedPart::StridedPart(memref::ReinterpretCastOp op)
    : op(op), buffer(BufferRoots::find(op.getSource())) {}

LogicalResult StridedPart::makeGroups() {
  auto type = dyn_cast<MemRefType>(buffer.getType());
  if (!type || !type.getLayout().isIdentity() || type.getRank() == 0)
    return failure();
  int64_t distance = 1;
  for (int64_t dim = type.getRank() - 1; dim >= 0; --dim) {
    int64_t size = type.getDimSize(dim);
    groups.insert(groups.begin(), Group{{dim}, size, distance, {}, {}, {}});
    bool isKnown = !ShapedType::isDynamic(size) && size > 0 &&
                   !llvm::MulOverflow(distance, size, distance);
    if (dim > 0 && !isKnown)
      return failure();
  }
  return success();
}

void StridedPart::mergeWithPrevious(unsigned group) {
  Group &outer = groups[group - 1], &inner = groups[group];
  outer.dims.append(inner.dims);
  bool isKnown = !ShapedType::isDynamic(outer.size) &&
                 !llvm::MulOverflow(outer.size, inner.size, outer.size);
  if (!isKnown)
    outer.size = ShapedType::kDynamic;
  outer.distance = inner.distance;
  outer.isSplit = outer.isSplit || inner.isSplit;
  groups.erase(groups.begin() + group);
}

//===----------------------------------------------------------------------===//
// What lies in which dimension
//===----------------------------------------------------------------------===//

LogicalResult StridedPart::divideDims() {
  SmallVector<OpFoldResult> sizes = op.getConstifiedMixedSizes();
  SmallVector<OpFoldResult> strides = op.getConstifiedMixedStrides();
  for (Group &group : groups) {
    group.parts.clear();
    group.sliceSize = OpBuilder(op).getIndexAttr(1);
    group.sliceStride = 1;
  }
  Group *last = nullptr;
  for (auto [dim, size] : llvm::enumerate(sizes)) {
    if (isConstantIntValue(size, 1))
      continue;
    std::optional<int64_t> stride = getConstantIntValue(strides[dim]);
    if (!stride || *stride <= 0)
      return failure();
    auto *group = llvm::find_if(groups, [&](const Group &one) {
      return one.size != 1 && *stride % one.distance == 0;
    });
    if (group == groups.end() || (last && group < last))
      return failure();
    last = group;
    std::optional<int64_t> known = getConstantIntValue(size);
    if (group->parts.empty()) {
      group->sliceSize = size;
    } else {
      // Behind each other, both are one, which is reshaped.
      std::optional<int64_t> outer = getConstantIntValue(group->sliceSize);
      int64_t product, reach;
      if (!known || !outer || llvm::MulOverflow(*known, *outer, product) ||
          llvm::MulOverflow(*known, *stride, reach) ||
          reach != group->sliceStride * group->distance)
        return split(group - groups.begin()) ? divideDims() : failure();
      group->sliceSize = OpBuilder(op).getIndexAttr(product);
    }
    group->sliceStride = *stride / group->distance;
    group->parts.push_back(dim);
  }
  return success();
}

bool StridedPart::split(unsigned number) {
  Group &outer = groups[number];
  bool isStatic = llvm::none_of(groups, [](const Group &group) {
    return ShapedType::isDynamic(group.size);
  });
  if (!isStatic || outer.isSplit || outer.sliceStride <= 1 ||
      outer.size % outer.sliceStride != 0)
    return false;
  Group inner{{}, outer.sliceStride, outer.distance, {}, {}, {}};
  outer.size /= outer.sliceStride;
  outer.distance *= outer.sliceStride;
  inner.isSplit = outer.isSplit = true;
  groups.insert(groups.begin() + number + 1, inner);
  return true;
}

/// The quotient by the least number of an index that stands in `offset`
/// besides, and of these one of an index that is no such quotient itself.
static std::optional<std::pair<Value, IndexQuotient>>
findQuotient(const IndexSum &offset, ArrayRef<Value> done,
             IndexRanges &ranges) {
  llvm::MapVector<Value, IndexQuotient> quotients;
  for (Value index : llvm::make_first_range(offset.factors))
    if (auto quotient = ranges.getQuotient(index);
        quotient && offset.factors.contains(quotient->dividend) &&
        !llvm::is_contained(done, index))
      quotients[index] = *quotient;
  std::optional<std::pair<Value, IndexQuotient>> least;
  for (const auto &[index, quotient] : quotients)
    if (!quotients.contains(quotient.dividend) &&
        (!least || quotient.divisor < least->second.divisor))
      least = {index, quotient};
  return least;
}

/// The sums of indices that stand together in `offset`, and their factors: of
/// an index and its quotient, the remainder and the quotient. Nothing where a
/// factor overflows.
static std::optional<SmallVector<std::pair<IndexSum, int64_t>>>
getTerms(IndexSum offset, IndexRanges &ranges) {
  SmallVector<std::pair<IndexSum, int64_t>> terms;
  SmallVector<Value> done;
  while (auto found = findQuotient(offset, done, ranges)) {
    auto [index, quotient] = *found;
    done.push_back(index);
    IndexSum remainder;
    remainder.factors[quotient.dividend] = 1;
    remainder.factors[index] = -quotient.divisor;
    int64_t factor = offset.factors.lookup(quotient.dividend);
    terms.push_back({remainder, factor});
    if (!offset.add(remainder, -factor))
      return std::nullopt;
  }
  for (auto [index, factor] : offset.factors) {
    IndexSum alone;
    alone.factors[index] = 1;
    terms.push_back({alone, factor});
  }
  terms.push_back({IndexSum{{}, 1}, offset.constant});
  return terms;
}

LogicalResult StridedPart::divideOffset(IndexRanges &ranges) {
  auto terms = getTerms(IndexSum::get(op.getConstifiedMixedOffset()), ranges);
  if (!terms)
    return failure();
  for (Group &group : groups) {
    group.offset = IndexSum();
    for (auto &[index, factor] : *terms) {
      int64_t steps = factor / group.distance;
      if (!group.offset.add(index, steps))
        return failure();
      factor -= steps * group.distance;
    }
  }
  // Steps in the last dimension skip one element.
  return success(
      llvm::all_of(*terms, [](const auto &term) { return term.second == 0; }));
}

std::optional<unsigned> StridedPart::findLeft(IndexRanges &ranges) const {
  auto makeRange = [](int64_t number) {
    return ConstantRange(APInt(64, number, /*isSigned=*/true));
  };
  for (unsigned number = groups.size() - 1; number > 0; --number) {
    const Group &group = groups[number];
    ConstantRange first = ranges.get(group.offset);
    ConstantRange reach = ranges.get(group.sliceSize)
                              .sadd_sat(makeRange(-1))
                              .smul_sat(makeRange(group.sliceStride));
    ConstantRange last = first.sadd_sat(reach);
    bool isWithin = !first.getSignedMin().isNegative() &&
                    last.getSignedMax().slt(group.size);
    if (!isWithin)
      return number;
  }
  return std::nullopt;
}

void StridedPart::findShape() {
  RankedTensorType type = getTensorType(op.getResult());
  bool hasAll =
      groups.size() == size_t(type.getRank()) &&
      llvm::all_of(llvm::enumerate(groups), [](const auto &group) {
        ArrayRef<unsigned> parts = group.value().parts;
        return parts.empty() || parts == ArrayRef(unsigned(group.index()));
      });
  slice = type;
  if (hasAll)
    return;
  SmallVector<int64_t> shape;
  int64_t next = 0;
  for (const Group &group : groups) {
    if (group.parts.empty())
      continue;
    shape.push_back(
        getConstantIntValue(group.sliceSize).value_or(ShapedType::kDynamic));
    ReassociationIndices &dims = reshape.emplace_back();
    while (next <= group.parts.back())
      dims.push_back(next++);
  }
  while (next < type.getRank() && !reshape.empty())
    reshape.back().push_back(next++);
  slice = RankedTensorType::get(shape, type.getElementType());
  if (slice == type)
    reshape.clear();
}

FailureOr<StridedPart> StridedPart::find(memref::ReinterpretCastOp op,
                                         IndexRanges &ranges,
                                         FirstObstacle &obstacle) {
  StridedPart part(op);
  if (failed(part.makeGroups()))
    return obstacle.undecided(op, "a part of a buffer whose strides are not "
                                  "known");
  while (true) {
    if (failed(part.divideDims()) || failed(part.divideOffset(ranges)))
      return obstacle.undecided(op, "a part of a buffer that is no slice");
    std::optional<unsigned> left = part.findLeft(ranges);
    if (!left)
      break;
    part.mergeWithPrevious(*left);
  }
  part.findShape();
  return part;
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

SmallVector<ReassociationIndices> StridedPart::getMergedDims() const {
  SmallVector<ReassociationIndices> dims;
  for (const Group &group : groups)
    if (!group.dims.empty())
      dims.push_back(group.dims);
  return dims;
}

SmallVector<ReassociationIndices> StridedPart::getSplitDims() const {
  SmallVector<ReassociationIndices> dims;
  for (auto [number, group] : llvm::enumerate(groups)) {
    if (!group.dims.empty())
      dims.emplace_back();
    dims.back().push_back(number);
  }
  return dims;
}

RankedTensorType StridedPart::getGroupedType(Type elements,
                                             bool isMerged) const {
  SmallVector<int64_t> shape;
  for (const Group &group : groups)
    if (isMerged && group.dims.empty())
      shape.back() *= group.size;
    else
      shape.push_back(group.size);
  return RankedTensorType::get(shape, elements);
}

Value StridedPart::group(Value whole, OpBuilder &builder) {
  Type elements = cast<RankedTensorType>(whole.getType()).getElementType();
  RankedTensorType merged = getGroupedType(elements, /*isMerged=*/true);
  RankedTensorType grouped = getGroupedType(elements, /*isMerged=*/false);
  if (whole.getType() != merged)
    whole = tensor::CollapseShapeOp::create(builder, op.getLoc(), merged, whole,
                                            getMergedDims());
  if (merged != grouped)
    whole = tensor::ExpandShapeOp::create(builder, op.getLoc(), grouped, whole,
                                          getSplitDims());
  return whole;
}

Value StridedPart::ungroup(Value grouped, RankedTensorType type,
                           OpBuilder &builder) {
  RankedTensorType merged =
      getGroupedType(type.getElementType(), /*isMerged=*/true);
  if (grouped.getType() != merged)
    grouped = tensor::CollapseShapeOp::create(builder, op.getLoc(), merged,
                                              grouped, getSplitDims());
  if (merged == type)
    return grouped;
  if (!type.hasStaticShape())
    return nullptr;
  return tensor::ExpandShapeOp::create(builder, op.getLoc(), type, grouped,
                                       getMergedDims());
}

StridedPart::Box StridedPart::getBox(const IRMapping &mapping,
                                     OpBuilder &builder) {
  Box box;
  for (const Group &group : groups) {
    box.offsets.push_back(group.offset.make(builder, op.getLoc(), mapping));
    auto size = dyn_cast<Value>(group.sliceSize);
    box.sizes.push_back(size ? OpFoldResult(mapping.lookupOrDefault(size))
                             : group.sliceSize);
    box.strides.push_back(builder.getIndexAttr(group.sliceStride));
  }
  return box;
}

Value StridedPart::read(Value whole, const IRMapping &mapping,
                        OpBuilder &builder) {
  Box box = getBox(mapping, builder);
  // The offsets are one of several choices.
  Value part = allowOutside(tensor::ExtractSliceOp::create(
      builder, op.getLoc(), slice, group(whole, builder), box.offsets,
      box.sizes, box.strides));
  RankedTensorType type = getTensorType(op.getResult());
  if (slice == type)
    return part;
  SmallVector<OpFoldResult> sizes;
  for (OpFoldResult size : op.getConstifiedMixedSizes()) {
    auto value = dyn_cast<Value>(size);
    sizes.push_back(value ? OpFoldResult(mapping.lookupOrDefault(value))
                          : size);
  }
  return tensor::ExpandShapeOp::create(builder, op.getLoc(), type, part,
                                       reshape, sizes);
}

Value StridedPart::write(Value whole, Value part, const IRMapping &mapping,
                         OpBuilder &builder) {
  auto type = cast<RankedTensorType>(whole.getType());
  if (part.getType() != slice)
    part = tensor::CollapseShapeOp::create(builder, op.getLoc(), slice, part,
                                           reshape);
  Box box = getBox(mapping, builder);
  Value changed = allowOutside(tensor::InsertSliceOp::create(
      builder, op.getLoc(), part, group(whole, builder), box.offsets, box.sizes,
      box.strides));
  return ungroup(changed, type, builder);
}
