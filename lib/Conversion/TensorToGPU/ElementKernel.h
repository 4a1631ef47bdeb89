//===- ElementKernel.h - One work-item for each element ---------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_CONVERSION_TENSORTOGPU_ELEMENTKERNEL_H
#define CONVOY_LIB_CONVERSION_TENSORTOGPU_ELEMENTKERNEL_H

#include "IndexSpace.h"
#include "KernelBuilder.h"

namespace mlir::convoy {

/// Work-items of a workgroup of kernels with a work-item for each element: a
/// multiple of the subgroups of all GPUs.
constexpr int64_t kElementItems = 64;

/// Starts a kernel with a work-item for each of `count` elements: returns its
/// number, and builds on where it has an element.
Value startElements(KernelBuilder &kernel, ElementCount count,
                    LaunchGrid &grid);

/// Gives `index` its values: the position of element `number`, row-major, or of
/// the first of `width` elements along dimension `fast`, the last of more than
/// one.
void emitPosition(KernelBuilder &kernel, IndexSpace &space,
                  ArrayRef<int64_t> shape, ArrayRef<AffineExpr> index,
                  unsigned fast, int64_t width, Value number);

/// In how many parts of one size work-items share the `size` elements of each
/// channel of an image, of which there are `images`, or a batch that is not
/// known, where each goes through all that is added to them.
int64_t countOwnParts(int64_t images, int64_t channels, int64_t size);

/// The elements of a channel of an image that a work-item alone adds to.
struct OwnPart {
  Value begin, end;
};

/// Starts a kernel with a work-item for each of the parts of `size` elements
/// that countOwnParts counts, whose image, channel and part are `index`.
OwnPart startOwnParts(KernelBuilder &kernel, IndexSpace &space, int64_t images,
                      int64_t channels, int64_t size,
                      ArrayRef<AffineExpr> index, LaunchGrid &grid);

/// Adds `share` to what the kernel has written at `address`.
void emitAddition(KernelBuilder &kernel, Value address, Value share);

/// A part of a tensor and what is to be written there.
struct ElementStore {
  Value source; ///< tensor with a value for each element that is written
  Value target; ///< tensor that is written into
  /// Where the element at an index of `source` goes: offset and stride along
  /// each dimension of `target`, in which `source` lacks those of `dropped`.
  SmallVector<int64_t> offsets, strides;
  llvm::SmallBitVector dropped;

  /// The elements of `target` that are written; null if all are.
  SliceAttr getWritten() const;
};

/// Where the element at `index` of the source is written.
AffineExpr getTargetAddress(const IndexSpace &space, const ElementStore &store,
                            ArrayRef<AffineExpr> index);

/// Writes the kernel `name` that computes each element of `store` in a
/// work-item of its own. Returns `target` as the launch leaves it.
FailureOr<Value> buildElementKernel(OpBuilder &host, gpu::GPUModuleOp module,
                                    StringRef name, const ElementStore &store);

/// Writes the kernel `name` that copies all elements of `source` to `target`,
/// buffers without gaps, and launches it.
void buildCopyKernel(OpBuilder &host, gpu::GPUModuleOp module, StringRef name,
                     Location loc, Value source, Value target);

} // namespace mlir::convoy

#endif // CONVOY_LIB_CONVERSION_TENSORTOGPU_ELEMENTKERNEL_H
