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
using ::convoy::ConvLayouts;
using ::convoy::Operand;
using ::convoy::WindowDim;

/// Cycles for padding a vector.
static constexpr double kPadCycles = 3.5;
/// Cycles for a multiply-add of vectors in the first cache.
static constexpr double kStepCycles = 0.7;
/// The same in borders whose elements lie apart along the lanes.
static constexpr double kApartBorderCycles = 4.5;
/// Cycles for beginning with a part.
static constexpr double kPartCycles = 10;
/// The part of the multiply-adds' time that is worth the code of all parts.
static constexpr double kLeastGain = 1.0 / 16;
/// The most parts: those of two dimensions.
static constexpr size_t kMostParts = 9;

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
  /// The convolution of those from `begin` to before `end`.
  BorderDim getPart(int64_t begin, int64_t end) const;
};
} // namespace

BorderDim Dim::getPart(int64_t begin, int64_t end) const {
  // Of what is not cut, all that reads some of the input.
  int64_t others = splitsTaps ? output : filter, first = others, last = -1;
  for (int64_t one = begin; one < end; ++one)
    for (int64_t other = 0; other < others; ++other)
      if (::convoy::inputPosition(splitsTaps ? other : one,
                                  splitsTaps ? one : other, input, filter,
                                  window)) {
        first = std::min(first, other);
        last = std::max(last, other);
      }
  if (last < first) {
    first = 0;
    last = others - 1;
  }
  BorderDim::Range cut{begin, end - begin}, rest{first, last + 1 - first};
  BorderDim part{splitsTaps ? rest : cut, splitsTaps ? cut : rest, window};
  // The tap that reads first is the last in memory where they are reversed.
  int64_t tap = window.reverse ? filter - part.taps.offset - part.taps.size
                               : part.taps.offset;
  part.window.padLow -=
      part.outputs.offset * window.stride + tap * window.dilation;
  part.window.padHigh = ::convoy::padHighFor(input, part.taps.size,
                                             part.outputs.size, part.window);
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
    if (dim.getBegin() >= dim.getEnd() || (splitsTaps && dim.window.reverse))
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
      for (BorderPart part : result.parts) {
        part.push_back(dim.getPart(begin, end));
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

//===----------------------------------------------------------------------===//
// What padding costs
//===----------------------------------------------------------------------===//

int64_t mlir::convoy::getGroupStride(ConvolutionOpInterface op,
                                     Operand operand) {
  int64_t position = op.getLayout().getLayouts()[operand].position('g');
  return llvm::product_of(
      op.getTypeFor(operand).getShape().drop_front(position + 1));
}

double mlir::convoy::countSteps(ConvolutionOpInterface op) {
  double steps = double(op.getTypeFor(Operand::Output).getNumElements()) *
                 double(op.getTypeFor(Operand::Filter).getNumElements()) /
                 double(op.getSize(Operand::Output, 'f'));
  for (const WindowDim &dim :
       op.getWindow().getDims(op.getLayout().getSpatialRank()))
    steps /= double(dim.inputDilation);
  auto groups = double(op.getSize(Operand::Output, 'g'));
  return steps / (groups * groups);
}

int64_t mlir::convoy::countPadded(ConvolutionOpInterface op) {
  int64_t elements =
      op.getSize(Operand::Input, 'n') * op.getSize(Operand::Input, 'c');
  unsigned rank = op.getLayout().getSpatialRank();
  for (auto [letter, dim] : llvm::zip_equal(::convoy::spatialLetters(rank),
                                            op.getWindow().getDims(rank)))
    elements *= op.getSize(Operand::Input, letter) +
                std::max<int64_t>(0, dim.padLow) +
                std::max<int64_t>(0, dim.padHigh);
  return elements;
}

/// Multiply-adds of `part` of `op` for each group.
static double countPartSteps(ConvolutionOpInterface op,
                             const BorderPart &part) {
  double steps = countSteps(op);
  for (auto [letter, dim] :
       llvm::zip_equal(::convoy::spatialLetters(part.size()), part))
    steps *= double(dim.outputs.size * dim.taps.size) /
             double(op.getSize(Operand::Output, letter) *
                    op.getSize(Operand::Filter, letter));
  return steps;
}

/// Elements that `part` of `op` copies of a group's input to pad it.
static int64_t countPartPadded(ConvolutionOpInterface op,
                               const BorderPart &part) {
  if (llvm::none_of(part, [](const BorderDim &dim) {
        return dim.window.padLow > 0 || dim.window.padHigh > 0;
      }))
    return 0;
  int64_t elements =
      op.getSize(Operand::Input, 'n') * op.getSize(Operand::Input, 'c');
  for (const BorderDim &dim : part)
    elements *= (dim.outputs.size - 1) * dim.window.stride +
                (dim.taps.size - 1) * dim.window.dilation + 1;
  return elements;
}

/// Whether what is summed over lies innermost in both factors.
static bool sumsRows(ConvolutionOpInterface op) {
  ConvLayouts layouts = op.getLayout().getLayouts();
  char innermost = layouts.filter.letters().back();
  return layouts.input.letters().back() == innermost &&
         ::convoy::spatialLetters(op.getLayout().getSpatialRank())
                 .find(innermost) != std::string_view::npos;
}

PaddingPlan mlir::convoy::getPaddingPlan(ConvolutionOpInterface op) {
  if (!op.getWindow().hasPadding())
    return {std::nullopt, 0};
  PaddingPlan whole{std::nullopt, double(countPadded(op)) * kPadCycles};
  if (op.getWindow().hasInputDilation())
    return whole;
  std::optional<BorderParts> borders = getBorderParts(op);
  if (!borders || borders->parts.size() > kMostParts)
    return whole;
  // Where groups do not lie side by side, lanes may run along rows that are
  // summed over, but borders of other rows would be columns.
  bool isApart = getGroupStride(op, Operand::Output) > 1;
  if (isApart && (borders->operand == Operand::Output || !sumsRows(op)))
    return whole;
  double cycles = 0;
  for (const BorderPart &part : borders->parts)
    cycles += double(countPartPadded(op, part)) * kPadCycles;
  for (const BorderPart &part : ArrayRef(borders->parts).drop_front())
    cycles +=
        isApart ? countPartSteps(op, part) * kApartBorderCycles : kPartCycles;
  if (whole.cycles - cycles < kLeastGain * kStepCycles * countSteps(op))
    return whole;
  return {borders, cycles};
}
