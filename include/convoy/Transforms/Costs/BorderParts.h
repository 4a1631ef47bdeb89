//===- BorderParts.h - A convolution without and with padding ---*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TRANSFORMS_COSTS_BORDERPARTS_H
#define CONVOY_TRANSFORMS_COSTS_BORDERPARTS_H

#include "convoy/Dialect/Convoy/IR/Convoy.h"

namespace mlir::convoy {

/// One spatial dimension of a part: some of the output positions, some of the
/// taps, and the window of these.
struct BorderDim {
  struct Range {
    int64_t offset, size;
  };
  Range outputs, taps;
  ::convoy::WindowDim window;

  const Range &getRange(::convoy::Operand operand) const {
    return operand == ::convoy::Operand::Filter ? taps : outputs;
  }
};

/// A part of a convolution, by its spatial dimensions.
using BorderPart = SmallVector<BorderDim>;

/// A convolution as one without padding and those along the borders, which
/// leave out what meets nothing but padding.
struct BorderParts {
  /// Which operand the parts share among them: the output, each position of
  /// which has the taps of its part, or the filter, whose parts are summed.
  ::convoy::Operand operand;
  /// The part that meets no padding, then the others.
  std::vector<BorderPart> parts;
};

/// The parts of `op`, whose sizes are static and whose input is not dilated.
/// Nothing if in some dimension all positions meet padding, or if it is taps
/// that would be cut and they are reversed.
std::optional<BorderParts> getBorderParts(ConvolutionOpInterface op);

} // namespace mlir::convoy

#endif // CONVOY_TRANSFORMS_COSTS_BORDERPARTS_H
