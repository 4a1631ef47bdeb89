//===- ContractFloats.cpp - Products added without rounding -----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Dialect/Convoy/IR/DiscardableAttrs.h"
#include "convoy/Transforms/Floats/Passes.h"
#include "convoy/Transforms/Utils/FastMath.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace mlir::convoy {
#define GEN_PASS_DEF_CONTRACTFLOATSPASS
#include "convoy/Transforms/Floats/Passes.h.inc"
} // namespace mlir::convoy

using namespace mlir;
using namespace mlir::convoy;

namespace {
struct ContractFloatsPass final
    : mlir::convoy::impl::ContractFloatsPassBase<ContractFloatsPass> {
  using Base::Base;

  void runOnOperation() override {
    getOperation()->walk([](gpu::GPUFuncOp kernel) {
      kernel.walk([](Operation *op) {
        if (isa<arith::MulFOp, arith::AddFOp>(op) &&
            !op->hasAttr(kUncontractedAttrName))
          allowContraction(cast<arith::ArithFastMathInterface>(op));
      });
    });
  }
};
} // namespace
