//===- BufferUse.h - Results that are written to buffers --------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_CERTIFY_BUFFERS_BUFFERUSE_H
#define CONVOY_LIB_CERTIFY_BUFFERS_BUFFERUSE_H

#include "Obstacle.h"

#include "mlir/IR/Value.h"

namespace mlir::convoy::certify {

/// What a function does with a buffer that it gets.
struct BufferUse {
  Value start;   ///< the tensor that is copied into it first, or null
  Value written; ///< the tensor that is written to it last, or null

  /// Fails for anything but a copy into `buffer`, tensors read from it after
  /// that, and one write.
  static FailureOr<BufferUse> find(BlockArgument buffer,
                                   FirstObstacle &obstacle);
};

} // namespace mlir::convoy::certify

#endif // CONVOY_LIB_CERTIFY_BUFFERS_BUFFERUSE_H
