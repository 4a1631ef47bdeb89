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

/// Cycles for a copy of `operand` with elements of type `wide`.
static double getCopyCycles(RankedTensorType operand, Type wide,
                            TargetAttr target) {
  auto type = cast<RankedTensorType>(operand.clone(wide));
  double lines =
      double(target.getVectorBytes()) / double(target.getCore().lineBytes);
  return countElements(type) / double(target.getVectorLanes(wide)) *
         (kWidenCycles + lines * getCopyLineCycles(type, target));
}

/// What a multiply-add of vectors takes longer where its factors are widened as
/// they are read.
static double getWidenedStepCycles(ConvolutionOpInterface op) {
  // A single channel of each group has lanes in both factors.
  bool areVectors = op.getSize(Operand::Filter, 'c') == 1 &&
                    op.getSize(Operand::Filter, 'f') == 1;
  return areVectors ? kWidenedVectorCycles : kWidenedStepCycles;
}

bool mlir::convoy::isWideningFaster(ConvolutionOpInterface op,
                                    TargetAttr target) {
  Type wide = op.getAccumulatorType();
  double copies = getCopyCycles(op.getTypeFor(Operand::Input), wide, target) +
                  getCopyCycles(op.getTypeFor(Operand::Filter), wide, target);
  double steps = countProducts(op) / double(target.getVectorLanes(wide));
  return copies < steps * getWidenedStepCycles(op);
}
