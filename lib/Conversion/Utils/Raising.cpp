//===- Raising.cpp - What the raising passes share --------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Conversion/Utils/Raising.h"

using namespace mlir;
using namespace mlir::convoy;

NumericsAttr mlir::convoy::getRaisedNumerics(bool inputUnsigned,
                                             bool filterUnsigned,
                                             Type accumulator, Type init) {
  bool isNarrowFloat =
      isa<FloatType>(accumulator) && accumulator.getIntOrFloatBitWidth() < 32;
  bool isWritten = isNarrowFloat || accumulator != init;
  return NumericsAttr::get(accumulator.getContext(), inputUnsigned,
                           filterUnsigned, isWritten ? accumulator : Type(),
                           Policy::Normal, {}, {});
}
