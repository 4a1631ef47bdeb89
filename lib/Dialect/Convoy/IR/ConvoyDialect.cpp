//===- ConvoyDialect.cpp - Registration of the dialect ----------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Dialect/Convoy/IR/Convoy.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::convoy;

#include "convoy/Dialect/Convoy/IR/ConvoyOpsDialect.cpp.inc"

void ConvoyDialect::initialize() {
  registerAttributes();
  addOperations<
#define GET_OP_LIST
#include "convoy/Dialect/Convoy/IR/ConvoyOps.cpp.inc"
      >();
}
