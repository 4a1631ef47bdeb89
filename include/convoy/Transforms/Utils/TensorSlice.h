//===- TensorSlice.h - Parts of tensors -------------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TRANSFORMS_UTILS_TENSORSLICE_H
#define CONVOY_TRANSFORMS_UTILS_TENSORSLICE_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/SmallBitVector.h"

namespace mlir::convoy {

/// A strided part of a tensor: all of it, until it is narrowed.
class TensorSlice {
public:
  TensorSlice(OpBuilder &builder, Location loc, Value tensor);

  /// Narrows dimension `dim` to `size` positions offset + stride*j.
  void narrow(int64_t dim, OpFoldResult offset, OpFoldResult size,
              int64_t stride = 1);
  void narrow(int64_t dim, int64_t offset, int64_t size, int64_t stride = 1);
  /// Narrows dimension `dim` to the position `index` alone. What is extracted
  /// does not have the dimension.
  void pick(int64_t dim, OpFoldResult index);
  OpFoldResult getSize(int64_t dim) const { return sizes[dim]; }
  ArrayRef<OpFoldResult> getOffsets() const { return offsets; }
  ArrayRef<OpFoldResult> getSizes() const { return sizes; }

  /// The same part of another tensor, whose dimensions are the same.
  TensorSlice of(Value other) const;

  /// The part; the tensor itself where it is all of it.
  Value extract() const;
  /// The part without some of its dimensions of size 1.
  Value extract(RankedTensorType type) const;
  /// The tensor with `part` in the place of the slice.
  Value insert(Value part) const;
  /// Ends the iterations of `loop`, which shares the tensor, with this.
  void insert(Value part, scf::ForallOp loop) const;

private:
  /// Whether a slice without the picked dimensions keeps its meaning.
  bool canReduce() const;
  /// What a reshape without the picked dimensions merges.
  SmallVector<ReassociationIndices> getKeptDims() const;
  /// `part` as it is inserted.
  Value expand(Value part) const;

  OpBuilder &builder;
  Location loc;
  Value tensor;
  SmallVector<OpFoldResult> offsets, sizes, strides;
  llvm::SmallBitVector picked;
};

/// Whether slices of one tensor, or of one buffer, have no element in common,
/// as far as that is plain.
bool areDisjoint(OffsetSizeAndStrideOpInterface a,
                 OffsetSizeAndStrideOpInterface b);

} // namespace mlir::convoy

#endif // CONVOY_TRANSFORMS_UTILS_TENSORSLICE_H
