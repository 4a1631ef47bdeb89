//===- BorderParts.h - A convolution without and with padding ---*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_TRANSFORMS_BORDERPARTS_H
#define CONVOY_LIB_TRANSFORMS_BORDERPARTS_H

#include "convoy/Dialect/Convoy/IR/Convoy.h"

namespace mlir::convoy {

/// A part of a convolution's output positions, or of its taps where these are
/// more: a box, and the window of the convolution of it.
struct BorderPart {
  SmallVector<int64_t> offsets, sizes;
  SmallVector<::convoy::WindowDim> window;
};

/// A convolution as one without padding and those along the borders.
struct BorderParts {
  /// Of which operand boxes are parts: the output, or the filter, whose parts
  /// are summed.
  ::convoy::Operand operand;
  /// The part that meets no padding, then the others.
  SmallVector<BorderPart> parts;
};

/// The parts of `op`, whose sizes are static and whose input is not dilated.
/// Nothing if all its positions meet padding.
std::optional<BorderParts> getBorderParts(ConvolutionOpInterface op);

} // namespace mlir::convoy

#endif // CONVOY_LIB_TRANSFORMS_BORDERPARTS_H
