//===- WrittenSlices.h - Whether slices are all of a tensor -----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_TRANSFORMS_KERNELABI_WRITTENSLICES_H
#define CONVOY_LIB_TRANSFORMS_KERNELABI_WRITTENSLICES_H

#include "convoy/Dialect/Convoy/IR/Convoy.h"

namespace mlir::convoy {

/// What is written of one buffer, which may be written in several shapes.
class WrittenSlices {
public:
  /// Adds `slice` of the buffer in the shape of `type`; all of it if that is
  /// null.
  void add(ShapedType type, SliceAttr slice);
  /// Whether the slices of one shape leave no element of it out.
  bool coverAll() const;

private:
  bool isWhole = false;
  SmallVector<std::pair<ShapedType, SmallVector<SliceAttr>>> byType;
};

} // namespace mlir::convoy

#endif // CONVOY_LIB_TRANSFORMS_KERNELABI_WRITTENSLICES_H
