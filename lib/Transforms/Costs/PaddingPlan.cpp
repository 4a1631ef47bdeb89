//===- PaddingPlan.cpp - How what meets padding is computed -----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Transforms/Costs/PaddingPlan.h"

#include "convoy/Transforms/Costs/CycleCosts.h"
#include "convoy/Transforms/Costs/Groups.h"

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::Operand;

/// The part of the multiply-adds' time that is worth the code of all parts.
static constexpr double kLeastPaddingGain = 1.0 / 16;
/// The most parts: those of two dimensions.
static constexpr size_t kMostParts = 9;

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
  if (whole.cycles - cycles <
      kLeastPaddingGain * kNearStepCycles * countSteps(op))
    return whole;
  return {borders, cycles};
}
