//===- PolicyTypes.cpp - What a policy sums in ------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Transforms/Numerics/PolicyTypes.h"

#include "SumHazards.h"

using namespace mlir;
using namespace mlir::convoy;

FloatType mlir::convoy::getNarrowAccumulator(ConvolutionOpInterface op,
                                             FloatType declared) {
  auto init = dyn_cast<FloatType>(getElementTypeOrSelf(op.getInit().getType()));
  bool holdsFactors = llvm::all_of(ArrayRef<unsigned>{0, 1}, [&](unsigned n) {
    return holdsValuesOf(init, getElementTypeOrSelf(op->getOperand(n)));
  });
  return declared.isF32() && holdsFactors ? init : declared;
}

Type mlir::convoy::getPolicyAccumulator(ConvolutionOpInterface op,
                                        RangeAnalysis &ranges,
                                        std::string &reason) {
  reason.clear();
  auto accumulator = dyn_cast<FloatType>(op.getAccumulatorType());
  if (!accumulator)
    return op.getAccumulatorType();
  bool isLow = op.getNumerics().getPolicy() == Policy::Low;
  if (isLow)
    accumulator = getNarrowAccumulator(op, accumulator);
  if (accumulator.getWidth() >= 32)
    return accumulator;
  if (isLow) {
    reason = findSumHazard(op, accumulator, ranges);
    if (reason.empty())
      return accumulator;
  }
  return Float32Type::get(op->getContext());
}
