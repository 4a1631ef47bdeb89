//===- BorderParts.cpp - A convolution without and with padding -*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BorderParts.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::Operand;
using ::convoy::WindowDim;

namespace {
/// One spatial dimension.
struct Dim {
  int64_t input, filter, output;
  WindowDim window;
  bool splitsTaps;

  /// How many positions or taps there are, and how far apart they read.
  int64_t getSize() const { return splitsTaps ? filter : output; }
  int64_t getStep() const {
    return splitsTaps ? window.dilation : window.stride;
  }
  /// The first that meets no padding below, and the first after it that meets
  /// padding above.
  int64_t getBegin() const {
    return std::clamp<int64_t>(llvm::divideCeilSigned(window.padLow, getStep()),
                               0, getSize());
  }
  int64_t getEnd() const {
    int64_t others = splitsTaps ? (output - 1) * window.stride
                                : (filter - 1) * window.dilation;
    int64_t last = input - 1 + window.padLow - others;
    return std::clamp<int64_t>(llvm::divideFloorSigned(last, getStep()) + 1, 0,
                               getSize());
  }
  /// The window of `size` of them from `offset` on.
  WindowDim getWindow(int64_t offset, int64_t size) const {
    WindowDim part = window;
    part.padLow -= getStep() * offset;
    part.padHigh = splitsTaps ? ::convoy::padHighFor(input, size, output, part)
                              : ::convoy::padHighFor(input, filter, size, part);
    return part;
  }
};
} // namespace

std::optional<BorderParts>
mlir::convoy::getBorderParts(ConvolutionOpInterface op) {
  SmallVector<Dim> dims;
  for (auto [dim, letter] : llvm::enumerate(
           ::convoy::spatialLetters(op.getLayout().getSpatialRank())))
    dims.push_back({op.getSize(Operand::Input, letter),
                    op.getSize(Operand::Filter, letter),
                    op.getSize(Operand::Output, letter),
                    op.getWindow().getDim(dim), false});
  // What is longer has the smaller borders.
  bool splitsTaps = llvm::all_of(
      dims, [](const Dim &dim) { return dim.filter > dim.output; });
  for (Dim &dim : dims) {
    dim.splitsTaps = splitsTaps;
    if (dim.getBegin() >= dim.getEnd() || (splitsTaps && dim.window.reverse))
      return std::nullopt;
  }

  // Each dimension takes what is below and above, and leaves the rest to those
  // after it.
  BorderParts result{splitsTaps ? Operand::Filter : Operand::Output, {}};
  BorderPart rest;
  for (const Dim &dim : dims) {
    rest.offsets.push_back(0);
    rest.sizes.push_back(dim.getSize());
    rest.window.push_back(dim.window);
  }
  for (auto [index, dim] : llvm::enumerate(dims)) {
    auto getPart = [&](int64_t begin, int64_t end) {
      BorderPart part = rest;
      part.offsets[index] = begin;
      part.sizes[index] = end - begin;
      part.window[index] = dim.getWindow(begin, end - begin);
      return part;
    };
    if (dim.getBegin() > 0)
      result.parts.push_back(getPart(0, dim.getBegin()));
    if (dim.getEnd() < dim.getSize())
      result.parts.push_back(getPart(dim.getEnd(), dim.getSize()));
    rest = getPart(dim.getBegin(), dim.getEnd());
  }
  result.parts.insert(result.parts.begin(), rest);
  return result;
}
