//===- AssumedSize.h - Sizes that estimates take for dynamic ----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TRANSFORMS_UTILS_ASSUMEDSIZE_H
#define CONVOY_TRANSFORMS_UTILS_ASSUMEDSIZE_H

#include "mlir/IR/BuiltinTypeInterfaces.h"

namespace mlir::convoy {

/// What estimates take for a size that is not known, such as a batch's.
inline constexpr int64_t kAssumedSize = 16;

/// `size`, or what estimates take for it.
inline double estimateSize(int64_t size) {
  return double(ShapedType::isDynamic(size) ? kAssumedSize : size);
}

} // namespace mlir::convoy

#endif // CONVOY_TRANSFORMS_UTILS_ASSUMEDSIZE_H
