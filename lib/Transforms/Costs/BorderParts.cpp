//===- BorderParts.cpp - A convolution without and with padding -*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Transforms/Costs/BorderParts.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::Operand;
using ::convoy::WindowDim;

/// The most that a size, a step or a padding may be, so that all products of
/// two are known.
static constexpr int64_t kMostPositions = int64_t(1) << 30;

namespace {
/// One spatial dimension.
struct Dim {
  int64_t input, filter, output;
  WindowDim window;
  bool splitsTaps;

  bool isSmall() const {
    const int64_t numbers[] = {input,         filter,          output,
                               window.stride, window.dilation, window.padLow,
                               window.padHigh};
    return llvm::all_of(numbers, [](int64_t number) {
      return number >= -kMostPositions && number <= kMostPositions;
    });
  }
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
  /// The convolution of those from `begin` to before `end`.
  BorderDim getPart(int64_t begin, int64_t end) const;
};
} // namespace

BorderDim Dim::getPart(int64_t begin, int64_t end) const {
  int64_t step = getStep();
  int64_t otherStep = splitsTaps ? window.stride : window.dilation;
  int64_t others = splitsTaps ? output : filter;
  // Of what is not cut, all that reads some of the input, as it is read.
  int64_t first = others, last = -1;
  for (int64_t other = 0; other < others; ++other) {
    int64_t place = other * otherStep - window.padLow;
    int64_t one = std::max(begin, llvm::divideCeilSigned(-place, step));
    if (one >= end || one * step + place >= input)
      continue;
    first = std::min(first, other);
    last = other;
  }
  if (last < first) {
    first = 0;
    last = others - 1;
  }
  BorderDim::Range cut{begin, end - begin}, rest{first, last + 1 - first};
  BorderDim part{splitsTaps ? rest : cut, splitsTaps ? cut : rest, window};
  part.window.padLow -=
      part.outputs.offset * window.stride + part.taps.offset * window.dilation;
  part.window.padHigh = ::convoy::padHighFor(input, part.taps.size,
                                             part.outputs.size, part.window);
  // The tap that reads first is the last in memory where they are reversed.
  if (window.reverse)
    part.taps.offset = filter - part.taps.offset - part.taps.size;
  return part;
}

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
    if (!dim.isSmall() || dim.getBegin() >= dim.getEnd() ||
        (splitsTaps && dim.window.reverse))
      return std::nullopt;
  }

  // All combinations of what is below, between and above in each dimension.
  BorderParts result{splitsTaps ? Operand::Filter : Operand::Output,
                     {BorderPart()}};
  for (const Dim &dim : dims) {
    std::vector<BorderPart> parts;
    auto addParts = [&](int64_t begin, int64_t end) {
      if (begin == end)
        return;
      BorderDim added = dim.getPart(begin, end);
      for (BorderPart part : result.parts) {
        part.push_back(added);
        parts.push_back(std::move(part));
      }
    };
    addParts(dim.getBegin(), dim.getEnd());
    addParts(0, dim.getBegin());
    addParts(dim.getEnd(), dim.getSize());
    result.parts = std::move(parts);
  }
  return result;
}
