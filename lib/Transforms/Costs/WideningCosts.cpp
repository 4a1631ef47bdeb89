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

/// What a multiply-add of vectors takes longer where its factors are widened as
/// they are read.
static double getWidenedStepCycles(ConvolutionOpInterface op) {
  // A single channel of each group has lanes in both factors.
  bool areVectors = op.getSize(Operand::Filter, 'c') == 1 &&
                    op.getSize(Operand::Filter, 'f') == 1;
  return areVectors ? kWidenedVectorCycles : kWidenedStepCycles;
}

/// Cycles for a copy of `operand` as words of two neighbours in dimension
/// `dim`.
static double getPairCycles(RankedTensorType operand, int64_t dim,
                            TargetAttr target) {
  SmallVector<int64_t> sizes(operand.getShape());
  sizes[dim] = llvm::divideCeil(sizes[dim], 2);
  auto words =
      RankedTensorType::get(sizes, IntegerType::get(operand.getContext(), 32));
  return getCopyCycles(words, words.getElementType(), kPairCycles, target);
}

bool mlir::convoy::isPairingFaster(ConvolutionOpInterface op,
                                   TargetAttr target) {
  ::convoy::ConvLayouts layouts = op.getLayout().getLayouts();
  double copies = 0;
  for (Operand operand : {Operand::Input, Operand::Filter})
    copies += getPairCycles(op.getTypeFor(operand),
                            layouts[operand].position('c'), target);
  int64_t channels = op.getSize(Operand::Input, 'c');
  double pairs = double(llvm::divideCeil(channels, 2)) / double(channels);
  double steps = countProducts(op) /
                 double(target.getVectorLanes(op.getAccumulatorType()));
  return copies < steps * (kByteStepCycles - pairs * kPairStepCycles);
}

bool mlir::convoy::isWideningFaster(ConvolutionOpInterface op,
                                    TargetAttr target) {
  Type wide = op.getAccumulatorType();
  double copies = 0;
  for (Operand operand : {Operand::Input, Operand::Filter})
    copies += getCopyCycles(op.getTypeFor(operand), wide, kWidenCycles, target);
  double steps = countProducts(op) / double(target.getVectorLanes(wide));
  return copies < steps * getWidenedStepCycles(op);
}
