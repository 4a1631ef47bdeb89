//===- WideningCosts.cpp - What it takes to widen operands ------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Transforms/Costs/WideningCosts.h"

#include "convoy/Transforms/Costs/CycleCosts.h"
#include "convoy/Transforms/Costs/VectorCosts.h"
#include "convoy/Transforms/Utils/AssumedSize.h"

#include <cmath>

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::Operand;

static double countElements(RankedTensorType type) {
  double elements = 1;
  for (int64_t size : type.getShape())
    elements *= estimateSize(size);
  return elements;
}

/// Products of `op`, those with padding included.
static double countProducts(ConvolutionOpInterface op) {
  double products = countElements(op.getTypeFor(Operand::Output)) *
                    estimateSize(op.getSize(Operand::Filter, 'c'));
  for (char letter : ::convoy::spatialLetters(op.getLayout().getSpatialRank()))
    products *= estimateSize(op.getSize(Operand::Filter, letter));
  return products;
}

/// Cycles for a line of the copy `type`, which is written and read again.
static double getCopyLineCycles(RankedTensorType type, TargetAttr target) {
  // Memory is read before it is written.
  if (isBeyondCaches(target, type))
    return 3 * kMemoryLineCycles;
  return isBeyondL2(target, type) ? kWidenLineCycles : 0;
}

/// Cycles for a copy of `operand` with elements of type `wide`, of which a
/// vector takes `cycles` but for memory.
static double getCopyCycles(RankedTensorType operand, Type wide, double cycles,
                            TargetAttr target) {
  auto type = cast<RankedTensorType>(operand.clone(wide));
  double lines =
      double(target.getVectorBytes()) / double(target.getCore().lineBytes);
  return countElements(type) / double(target.getVectorLanes(wide)) *
         (cycles + lines * getCopyLineCycles(type, target));
}

/// The vectors that the longest loop which tiles of `op` may have lanes along
/// fills: over channels of the result, or what lies innermost in the input.
static int64_t countLaneVectors(ConvolutionOpInterface op, TargetAttr target) {
  auto longest = int64_t(estimateSize(op.getSize(Operand::Filter, 'f')));
  char inner = op.getLayout().getLayouts().input.letters().back();
  if (inner != 'c' && inner != 'g')
    longest = std::max<int64_t>(
        longest, estimateSize(op.getSize(Operand::Output, inner)));
  return llvm::divideCeil(longest,
                          target.getVectorLanes(op.getAccumulatorType()));
}

/// What a multiply-add of vectors takes longer where its factors are widened as
/// they are read.
static double getWidenedStepCycles(ConvolutionOpInterface op,
                                   TargetAttr target) {
  // A single channel of each group has lanes in both factors.
  bool areVectors = op.getSize(Operand::Filter, 'c') == 1 &&
                    op.getSize(Operand::Filter, 'f') == 1;
  if (areVectors)
    return kWidenedVectorCycles;
  // All vectors of a tile share an element of the other factor.
  return kWidenedElementCycles /
         double(std::min<int64_t>(countLaneVectors(op, target), 2));
}

/// Cycles for copies of both operands of `op` in type `wide`.
static double getWideningCycles(ConvolutionOpInterface op, Type wide,
                                TargetAttr target) {
  double copies = 0;
  for (Operand operand : {Operand::Input, Operand::Filter})
    copies += getCopyCycles(op.getTypeFor(operand), wide, kWidenCycles, target);
  return copies;
}

/// Multiply-adds of vectors that `op` takes.
static double countMultiplyAdds(ConvolutionOpInterface op, TargetAttr target) {
  return countProducts(op) /
         double(target.getVectorLanes(op.getAccumulatorType()));
}

/// Cycles for a copy of `operand` as words of `parts`, of which dimension `dim`
/// has `size`.
static double getCopyCyclesOfWords(RankedTensorType operand,
                                   const WordParts &parts, int64_t dim,
                                   int64_t size, TargetAttr target) {
  SmallVector<int64_t> sizes(operand.getShape());
  sizes[dim] = size;
  auto words = RankedTensorType::get(sizes, parts.getWordType());
  return getCopyCycles(words, words.getElementType(), kWordCycles, target);
}

double mlir::convoy::getProductCycles(ConvolutionOpInterface op,
                                      TargetAttr target) {
  double steps = countMultiplyAdds(op, target);
  Type wide = op.getAccumulatorType();
  if (!isa<FloatType>(wide))
    return steps * kByteStepCycles;
  double widened = std::min(getWideningCycles(op, wide, target),
                            steps * getWidenedStepCycles(op, target));
  return steps * target.getCore().getVectorOpCycles() + widened;
}

bool mlir::convoy::addsProducts(const WordParts &parts, TargetAttr target) {
  const ::convoy::CPUDotInstruction *instruction =
      findDotInstruction(parts, target, target.getVectorBytes());
  return instruction && instruction->adds;
}

/// How many instructions that multiply two rows of results by two columns `op`
/// takes for each that two whole rows and columns would take: a row without
/// another one takes as many as two, and so do results of a single channel,
/// which may be multiplied by halves of words.
static double getShareOfPairs(ConvolutionOpInterface op) {
  if (op.getSize(Operand::Filter, 'f') == 1)
    return 2;
  double rows = estimateSize(op.getSize(Operand::Output, 'n'));
  for (char letter : ::convoy::spatialLetters(op.getLayout().getSpatialRank()))
    rows *= estimateSize(op.getSize(Operand::Output, letter));
  return 2 * std::ceil(rows / 2) / rows;
}

double mlir::convoy::getWordCycles(ConvolutionOpInterface op,
                                   const WordParts &parts, char dim,
                                   TargetAttr target) {
  ::convoy::ConvLayouts layouts = op.getLayout().getLayouts();
  int64_t terms = op.getSize(Operand::Filter, dim);
  int64_t words = llvm::divideCeil(terms, parts.count());
  // The words of the taps that an output position meets lie side by side.
  int64_t inputs =
      dim == 'c' ? words : words * op.getSize(Operand::Output, dim);
  double copies =
      getCopyCyclesOfWords(op.getTypeFor(Operand::Input), parts,
                           layouts.input.position(dim), inputs, target) +
      getCopyCyclesOfWords(op.getTypeFor(Operand::Filter), parts,
                           layouts.filter.position(dim), words, target);
  double cycles = addsProducts(parts, target)
                      ? target.getCore().getVectorOpCycles()
                      : kPairStepCycles;
  if (parts.areOfMatrices())
    cycles *= getShareOfPairs(op);
  return copies +
         countMultiplyAdds(op, target) * cycles * double(words) / double(terms);
}

bool mlir::convoy::isWideningFaster(ConvolutionOpInterface op,
                                    TargetAttr target) {
  return getWideningCycles(op, op.getAccumulatorType(), target) <
         countMultiplyAdds(op, target) * getWidenedStepCycles(op, target);
}
