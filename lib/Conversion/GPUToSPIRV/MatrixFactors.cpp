//===- MatrixFactors.cpp - Factors that are bf16 ----------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MatrixFactors.h"

#include "convoy/Dialect/Convoy/IR/DiscardableAttrs.h"

using namespace mlir;
using namespace mlir::convoy;

static void retype(Value matrix) {
  auto type = cast<spirv::CooperativeMatrixType>(matrix.getType());
  matrix.setType(spirv::CooperativeMatrixType::get(
      BFloat16Type::get(matrix.getContext()), type.getRows(), type.getColumns(),
      type.getScope(), type.getUse()));
}

void mlir::convoy::retypeBF16Factors(spirv::ModuleOp module) {
  module.walk([](spirv::KHRCooperativeMatrixMulAddOp product) {
    if (!product->removeAttr(kBF16FactorsAttrName))
      return;
    retype(product.getA());
    retype(product.getB());
  });
}
