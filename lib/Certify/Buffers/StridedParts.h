//===- StridedParts.h - Parts of buffers by strides -------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_CERTIFY_BUFFERS_STRIDEDPARTS_H
#define CONVOY_LIB_CERTIFY_BUFFERS_STRIDEDPARTS_H

#include "IndexRanges.h"
#include "Obstacle.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"

namespace mlir::convoy::certify {

/// What a `memref.reinterpret_cast` names of a buffer without gaps: a slice of
/// the buffer, some of whose dimensions are taken as one, and reshaped.
///
/// The cast says how many elements the part lies behind the buffer's start.
/// Each dimension skips some for a step, so any offsets of a slice that skip as
/// many together mean the same elements, as far as they lie within the buffer.
/// They are chosen from the largest step on. Where an index may reach into the
/// next dimension, both are taken as one.
class StridedPart {
public:
  /// Fails where the buffer has strides that are not known, or where the part
  /// is no slice.
  static FailureOr<StridedPart> find(memref::ReinterpretCastOp op,
                                     IndexRanges &ranges,
                                     FirstObstacle &obstacle);

  Value getBuffer() const { return buffer; }
  /// The part of `whole`, which the buffer holds; `mapping` has what stands for
  /// indices.
  Value read(Value whole, const IRMapping &mapping, OpBuilder &builder);
  /// `whole` with `part` in its place; null where sizes must be static and are
  /// not.
  Value write(Value whole, Value part, const IRMapping &mapping,
              OpBuilder &builder);

private:
  /// Dimensions of the buffer that are taken as one, or a part of them, and the
  /// slice there.
  struct Group {
    /// None where it is a part of the group before it.
    ReassociationIndices dims;
    int64_t size;     ///< of all, or dynamic
    int64_t distance; ///< elements that a step skips
    IndexSum offset;
    SmallVector<unsigned> parts; ///< dimensions of the part
    OpFoldResult sliceSize;
    int64_t sliceStride = 1;
    bool isSplit = false; ///< into itself and the group behind it, or was
  };
  struct Box {
    SmallVector<OpFoldResult> offsets, sizes, strides;
  };

  explicit StridedPart(memref::ReinterpretCastOp op);

  /// Makes a group of each dimension of the buffer.
  LogicalResult makeGroups();
  /// Divides the part's dimensions between the groups, then its offset.
  LogicalResult divideDims();
  /// Divides the group `number` into as many steps as its slice skips and the
  /// rest; returns false where that cannot be, or was tried.
  bool split(unsigned number);
  LogicalResult divideOffset(IndexRanges &ranges);
  /// Finds what the slice becomes.
  void findShape();
  /// A group but the first that an index may leave.
  std::optional<unsigned> findLeft(IndexRanges &ranges) const;
  /// Takes `group` and the one before it as one.
  void mergeWithPrevious(unsigned group);

  Box getBox(const IRMapping &mapping, OpBuilder &builder);
  /// What makes dimensions of the buffer one, and those of all groups.
  SmallVector<ReassociationIndices> getMergedDims() const;
  SmallVector<ReassociationIndices> getSplitDims() const;
  /// The type of what the buffer holds with a dimension for each group, or for
  /// each that has dimensions of the buffer.
  RankedTensorType getGroupedType(Type elements, bool isMerged) const;
  /// `whole` with a dimension for each group, and back.
  Value group(Value whole, OpBuilder &builder);
  Value ungroup(Value grouped, RankedTensorType type, OpBuilder &builder);

  memref::ReinterpretCastOp op;
  Value buffer;
  SmallVector<Group> groups;
  RankedTensorType slice; ///< of the part before it is reshaped
  /// The part's dimensions for each of the slice's.
  SmallVector<ReassociationIndices> reshape;
};

} // namespace mlir::convoy::certify

#endif // CONVOY_LIB_CERTIFY_BUFFERS_STRIDEDPARTS_H
