//===- LinalgToConvoy.h - Raises linalg convolutions ------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_CONVERSION_LINALGTOCONVOY_H
#define CONVOY_CONVERSION_LINALGTOCONVOY_H

namespace mlir {
class RewritePatternSet;
} // namespace mlir

namespace mlir::convoy {

/// Turns each linalg op that is a convolution, whatever its name, into
/// convoy.conv. Refusals give their reason to the rewriter's listener.
void populateRaiseLinalgPatterns(RewritePatternSet &patterns);

} // namespace mlir::convoy

#endif // CONVOY_CONVERSION_LINALGTOCONVOY_H
