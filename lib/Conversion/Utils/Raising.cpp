//===- Raising.cpp - What the raising passes share --------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Conversion/Utils/Raising.h"

#include "convoy/Dialect/Convoy/IR/ElementBits.h"
#include "mlir/Support/DebugStringHelper.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::convoy;

LogicalResult mlir::convoy::checkElements(ArrayRef<Type> elements,
                                          Refuse refuse) {
  for (Type element : elements) {
    if (!element.isSignlessIntOrFloat())
      return refuse("expected signless integer or float elements, but got " +
                    debugString(element));
    unsigned width = getElementBits(element);
    if (width < 8 || !llvm::isPowerOf2_32(width))
      return refuse("expected elements of 8, 16, 32 or more bits, a power of "
                    "two, but got " +
                    debugString(element));
  }
  return success();
}

NumericsAttr mlir::convoy::getRaisedNumerics(bool inputUnsigned,
                                             bool filterUnsigned,
                                             Type accumulator, Type init) {
  bool isNarrowFloat =
      isa<FloatType>(accumulator) && getElementBits(accumulator) < 32;
  bool isWritten = isNarrowFloat || accumulator != init;
  return NumericsAttr::get(accumulator.getContext(), inputUnsigned,
                           filterUnsigned, isWritten ? accumulator : Type(),
                           Policy::Normal, {}, {});
}
