//===- TosaToConvoy.h - Raises TOSA convolutions ----------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_CONVERSION_TOSATOCONVOY_H
#define CONVOY_CONVERSION_TOSATOCONVOY_H

namespace mlir {
class RewritePatternSet;
} // namespace mlir

namespace mlir::convoy {

/// Turns tosa.conv2d, conv3d and depthwise_conv2d into convoy.conv and
/// tosa.transpose_conv2d into convoy.conv_backward_data, and lets sigmoids of
/// narrow floats compute in f32. Refusals give their reason to the rewriter's
/// listener.
void populateRaiseTosaPatterns(RewritePatternSet &patterns);

} // namespace mlir::convoy

#endif // CONVOY_CONVERSION_TOSATOCONVOY_H
