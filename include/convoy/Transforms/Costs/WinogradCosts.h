//===- WinogradCosts.h - What Winograd's algorithm takes --------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TRANSFORMS_COSTS_WINOGRADCOSTS_H
#define CONVOY_TRANSFORMS_COSTS_WINOGRADCOSTS_H

#include "convoy/Dialect/Convoy/IR/Convoy.h"

namespace mlir::convoy {

/// The cycles that `op`, a convolution with stride 1 of sizes that are known
/// but for the batch's, takes where tiles of so many results along each spatial
/// dimension are computed by Winograd's algorithm.
double getWinogradCycles(ConvolutionOpInterface op, ArrayRef<int64_t> tile,
                         TargetAttr target);

/// The cycles that the products of `op` take one by one.
double getDirectCycles(ConvolutionOpInterface op, TargetAttr target);

/// How many tiles are transformed and multiplied
/// together.
struct WinogradBlock {
  int64_t images = 1;
  SmallVector<int64_t> tiles; ///< along each spatial dimension
};

/// The block for a tensor of `images` with so many `tiles` along each spatial
/// dimension, of `products` each, between so many channels. The number of
/// images divides theirs, which may be dynamic.
WinogradBlock getWinogradBlock(int64_t images, ArrayRef<int64_t> tiles,
                               int64_t products, int64_t channels,
                               TargetAttr target);

} // namespace mlir::convoy

#endif // CONVOY_TRANSFORMS_COSTS_WINOGRADCOSTS_H
