//===- SampleGradients.h - Gradients of image and grid ----------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_TRANSFORMS_SAMPLING_SAMPLEGRADIENTS_H
#define CONVOY_LIB_TRANSFORMS_SAMPLING_SAMPLEGRADIENTS_H

#include "convoy/Transforms/Sampling/SamplePosition.h"
#include "convoy/Transforms/Utils/TensorSlice.h"

#include "mlir/IR/PatternMatch.h"

namespace mlir::convoy {

/// Emits loops that add the products of the output gradient and of weights to
/// the elements which samples are made of, image by image and some channels at
/// a time. Returns the gradient of the image.
Value emitImageGradientLoops(RewriterBase &rewriter,
                             GridSampleBackwardInputOp op);

/// Emits sums over the channels of slopes and of the output gradient, `byRows`
/// in loops over rows of samples. Returns the gradient of the grid.
Value emitGridGradient(RewriterBase &rewriter, GridSampleBackwardGridOp op,
                       bool byRows);

/// Adds what `gradient`, those of a sample of some channels, gives to `element`
/// to `slice`, which has these channels of it, of f32. Returns the tensor of
/// the slice.
Value addShare(OpBuilder &builder, Location loc, const TensorSlice &slice,
               Value gradient, const SampleElement &element);

} // namespace mlir::convoy

#endif // CONVOY_LIB_TRANSFORMS_SAMPLING_SAMPLEGRADIENTS_H
