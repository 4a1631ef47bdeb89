//===- GradientKernel.h - Gradients of sampled images -----------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_CONVERSION_TENSORTOGPU_GRADIENTKERNEL_H
#define CONVOY_LIB_CONVERSION_TENSORTOGPU_GRADIENTKERNEL_H

#include "KernelBuilder.h"

namespace mlir::convoy {

/// Writes the kernel `name` that computes `op`, whose result is of f32, into
/// `target`: each work-item goes through all samples of an image and adds to a
/// channel of some of its rows, which no other one touches. Returns `target` as
/// the launch leaves it.
FailureOr<Value> buildImageGradientKernel(OpBuilder &host,
                                          gpu::GPUModuleOp module,
                                          StringRef name,
                                          GridSampleBackwardInputOp op,
                                          Value target);

} // namespace mlir::convoy

#endif // CONVOY_LIB_CONVERSION_TENSORTOGPU_GRADIENTKERNEL_H
