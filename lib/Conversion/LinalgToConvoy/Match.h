//===- Match.h - What makes a linalg op a convolution -----------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_CONVERSION_LINALGTOCONVOY_MATCH_H
#define CONVOY_LIB_CONVERSION_LINALGTOCONVOY_MATCH_H

#include "convoy/Conversion/Utils/Raising.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::convoy {

/// One factor of a term: an element of an input, less its zero point.
struct Factor {
  OpOperand *operand = nullptr;
  /// Whether the element is zero-extended to the accumulator's type.
  bool isUnsigned = false;
  /// In the accumulator's type: a scalar from outside of the body or a constant
  /// in it; null where nothing is subtracted.
  Value zeroPoint;
  /// The input whose elements are subtracted in its place, extended as well;
  /// null where one number is.
  OpOperand *zeroPoints = nullptr;
  bool areZeroPointsUnsigned = false;
};

/// Matches a body that is exactly `out + (ext(a) - za) * (ext(b) - zb)`, where
/// the sums may have their summands, and the product its factors, in any order.
FailureOr<std::array<Factor, 2>> matchMultiplyAdd(linalg::LinalgOp op,
                                                  Refuse refuse);

/// The dimensions of the operands of a convolution in memory order, and how the
/// filter moves. A word lacks the letters that the operand has no dimension
/// for.
struct ConvolutionDims {
  std::string input, filter, output;
  SmallVector<::convoy::WindowDim> window;
};

/// Whether some index of `map` is more than one loop's own: the sign of a
/// window, as in `d1 * 2 + d4`.
bool hasWindow(AffineMap map);

/// Derives letters and window from the maps of `input`, which is the operand
/// with the window, `filter` and the output.
FailureOr<ConvolutionDims> matchConvolutionMaps(linalg::LinalgOp op,
                                                OpOperand &input,
                                                OpOperand &filter,
                                                Refuse refuse);

} // namespace mlir::convoy

#endif // CONVOY_LIB_CONVERSION_LINALGTOCONVOY_MATCH_H
