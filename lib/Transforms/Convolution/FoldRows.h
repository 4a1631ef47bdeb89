//===- FoldRows.h - Windows added up row by row -----------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_TRANSFORMS_CONVOLUTION_FOLDROWS_H
#define CONVOY_LIB_TRANSFORMS_CONVOLUTION_FOLDROWS_H

#include "convoy/Dialect/Convoy/IR/Convoy.h"

#include "mlir/IR/PatternMatch.h"

namespace mlir::convoy {

/// The output position along one dimension whose window has an element of the
/// image at a tap.
struct FoldPosition {
  /// Within the rows, whether there is such a position or not.
  Value place;
  Value isThere;
};

/// Solves s*o + d*k - p = i for the output position o, with i `image` and k
/// `tap`.
FoldPosition emitFoldPosition(OpBuilder &builder, Location loc, Value image,
                              Value tap, const ::convoy::WindowDim &window,
                              int64_t taps, int64_t positions);

/// Whether the windows of `op` can be added up a row of the image at a time:
/// there are elements, a number of channels that is known, and few enough taps
/// along a row to have code of their own.
bool hasFoldRows(Col2imOp op);

/// Emits loops over the rows of the image: each adds up, tap by tap, what the
/// windows have of the row, in their order. Returns the image.
Value emitFoldRows(RewriterBase &rewriter, Col2imOp op);

} // namespace mlir::convoy

#endif // CONVOY_LIB_TRANSFORMS_CONVOLUTION_FOLDROWS_H
