//===- GroupCosts.cpp - How groups are taken --------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Transforms/Costs/GroupCosts.h"

#include "convoy/Dialect/Convoy/IR/ElementBits.h"
#include "convoy/Transforms/Costs/Groups.h"
#include "convoy/Transforms/Costs/PaddingPlan.h"
#include "convoy/Transforms/Costs/VectorCosts.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::Layout;
using ::convoy::Operand;

GroupCosts::GroupCosts(ConvolutionOpInterface op, TargetAttr target)
    : op(op), window(op.getWindow().getDims(op.getLayout().getSpatialRank())),
      spatial(::convoy::spatialLetters(window.size())),
      elementBytes(getElementBytes(op.getInit())),
      lanes(target.getVectorLanes(getElementTypeOrSelf(op.getInit()))),
      registers(target.getRegisters()),
      cacheElements(target.getL1Bytes() / elementBytes),
      groups(op.getSize(Operand::Output, 'g')) {}

int64_t GroupCosts::countTouched() {
  int64_t elements = countPadded(op);
  for (Operand operand : {Operand::Input, Operand::Filter, Operand::Output}) {
    int64_t read = op.getTypeFor(operand).getNumElements() / groups;
    bool isCopied = getGroupStride(op, operand) > 1;
    elements += isCopied && operand != Operand::Input ? 2 * read : read;
  }
  return elements;
}

double GroupCosts::getTransposedCycles() {
  double moved = 0;
  for (Operand operand : {Operand::Input, Operand::Filter, Operand::Output})
    if (getGroupStride(op, operand) > 1)
      moved += double(op.getTypeFor(operand).getNumElements()) / double(groups);
  double cycles = kNearStepCycles;
  if (op.getSize(Operand::Input, 'c') * op.getSize(Operand::Output, 'f') > 1)
    cycles = kSlowStepCycles;
  // Many channels of as many groups do not stay in the first cache.
  if (lanes * std::min(op.getTypeFor(Operand::Filter).getNumElements(),
                       op.getTypeFor(Operand::Output).getNumElements()) >
      cacheElements * groups)
    cycles = kFarStepCycles;
  return (cycles + kTransposedVectorCycles * moved / countSteps(op)) /
         getUsedLanes(groups);
}

double GroupCosts::getInPlaceCycles(char letter, bool isLast) {
  int64_t size = op.getSize(Operand::Output, letter);
  double inGroup =
      double(op.getTypeFor(Operand::Output).getNumElements()) / double(groups);
  // Cycles for what lies apart in the result.
  double stored = kScatteredCycles * double(lanes) * inGroup / countSteps(op);
  size_t dim = spatial.find(letter);
  if (dim == std::string_view::npos) {
    // A copy in the order of lanes serves all that the result has beside them.
    double packed = kNearStepCycles + kGatherCycles * double(size) / inGroup;
    return (isLast ? kNearStepCycles : packed + stored) / getUsedLanes(size);
  }
  int64_t dilation = window[dim].inputDilation;
  size = llvm::divideCeil(size, dilation);
  double inFilters = double(op.getSize(Operand::Output, 'f'));
  double step = window[dim].stride == 1 ? kSlowStepCycles : kGatherCycles;
  step = std::max(kNearStepCycles, step / inFilters) / getUsedLanes(size);
  // Lanes of what is packed go on from one row to the next.
  step = std::min(step, kNearStepCycles + kGatherCycles / inFilters);
  if (!isLast)
    return step + stored;
  return step +
         (dilation == 1 ? 0 : kInterleaveCycles * inGroup / countSteps(op));
}

double GroupCosts::getSummedCycles() {
  // Steps share rows of the input only where registers are many.
  if (!sumsRows(op) || registers < kManyRegisters)
    return std::numeric_limits<double>::infinity();
  char letter = op.getLayout().getLayouts().filter.letters().back();
  size_t dim = spatial.find(letter);
  int64_t size = op.getSize(Operand::Filter, letter);
  double vectors = double(llvm::divideCeil(size, lanes));
  double used = double(size) / (vectors * double(lanes));
  double sums =
      double(op.getTypeFor(Operand::Output).getNumElements()) / double(groups);
  double step = kNearStepCycles;
  if (window[dim].dilation > 1)
    step = kApartStepCycles * double(window[dim].dilation);
  return step / used + ((kSumCycles + kScatteredCycles) * sums * double(lanes) +
                        getPaddingPlan(op).cycles) /
                           countSteps(op);
}

double GroupCosts::getInPlaceCycles() {
  Layout output = op.getLayout().getLayouts().output;
  double least = std::numeric_limits<double>::infinity();
  bool isLast = true;
  for (char letter : llvm::reverse(output.letters())) {
    if (letter == 'g' || op.getSize(Operand::Output, letter) == 1)
      continue;
    least = std::min(least, getInPlaceCycles(letter, isLast));
    isLast = false;
  }
  return least;
}

std::optional<GroupPlan> GroupCosts::getPlan() {
  bool apart = getGroupStride(op, Operand::Output) > 1;
  double inPlace = getInPlaceCycles(), summed = getSummedCycles();
  bool transposed = apart && getTransposedCycles() < std::min(inPlace, summed);
  if (!transposed && !op.getWindow().hasPadding())
    return std::nullopt;
  // At least the vectors along groups, or else a cache line.
  int64_t unit = lanes;
  if (apart && !transposed)
    unit = llvm::divideCeil(lanes, getGroupStride(op, Operand::Output));
  int64_t room = transposed ? cacheElements / 2 / countTouched()
                            : cacheElements / countPadded(op);
  int64_t most = room / unit * unit;
  most = std::max(unit, most);
  if (most >= groups && !transposed)
    return std::nullopt;
  GroupPlan plan{std::min(groups, most), transposed};
  // What divides the groups needs no code of its own for a remainder.
  for (int64_t size = plan.size; size * 2 > plan.size; size -= unit)
    if (groups % size == 0) {
      plan.size = size;
      break;
    }
  return plan;
}
