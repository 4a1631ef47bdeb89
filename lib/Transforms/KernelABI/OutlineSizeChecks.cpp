//===- OutlineSizeChecks.cpp - Checks of sizes before a kernel --*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Transforms/KernelABI/KernelInterface.h"
#include "convoy/Transforms/KernelABI/Passes.h"
#include "convoy/Transforms/KernelABI/SizeFunction.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"

namespace mlir::convoy {
#define GEN_PASS_DEF_OUTLINESIZECHECKSPASS
#include "convoy/Transforms/KernelABI/Passes.h.inc"
} // namespace mlir::convoy

using namespace mlir;
using namespace mlir::convoy;

/// Moves the assertions of `kernel` into a function that returns whether all of
/// them hold.
static LogicalResult outline(func::FuncOp kernel) {
  SmallVector<cf::AssertOp> assertions(kernel.getOps<cf::AssertOp>());
  if (assertions.empty())
    return success();
  SizeFunction checks(kernel, getSizeCheckName(kernel.getSymName()),
                      IntegerType::get(kernel.getContext(), 1));
  Value all;
  for (cf::AssertOp assertion : assertions) {
    if (failed(checks.compute(assertion.getArg())))
      return failure();
    Value holds = checks.lookup(assertion.getArg());
    all = all ? arith::AndIOp::create(checks.getBuilder(), assertion.getLoc(),
                                      all, holds)
                    .getResult()
              : holds;
    assertion.erase();
  }
  checks.createReturn(all);
  return success();
}

namespace {
struct OutlineSizeChecksPass final
    : mlir::convoy::impl::OutlineSizeChecksPassBase<OutlineSizeChecksPass> {
  using Base::Base;

  void runOnOperation() override {
    for (auto function : llvm::to_vector(getOperation().getOps<func::FuncOp>()))
      if (function->hasAttr(kArgumentsAttrName) && failed(outline(function)))
        return signalPassFailure();
  }
};
} // namespace
