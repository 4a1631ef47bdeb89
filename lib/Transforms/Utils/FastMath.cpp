//===- FastMath.cpp - What ops on floats may do ----------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Transforms/Utils/FastMath.h"

using namespace mlir;
using namespace mlir::convoy;

void mlir::convoy::allowContraction(arith::ArithFastMathInterface op) {
  arith::FastMathFlags flags =
      op.getFastMathFlagsAttr().getValue() | arith::FastMathFlags::contract;
  op->setAttr(op.getFastMathAttrName(),
              arith::FastMathFlagsAttr::get(op.getContext(), flags));
}
