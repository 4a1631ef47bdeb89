//===- PinMatrixResults.cpp - Matrices are multiplied by whole waves ------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Transforms/GPUKernels/Passes.h"

#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace mlir::convoy {
#define GEN_PASS_DEF_PINMATRIXRESULTSPASS
#include "convoy/Transforms/GPUKernels/Passes.h.inc"
} // namespace mlir::convoy

using namespace mlir;

/// Whether another matrix instruction of the same block needs the result of
/// `op`, and so keeps it there.
static bool isPinned(Operation *op) {
  return llvm::any_of(op->getUsers(), [&](Operation *user) {
    return isa<amdgpu::MFMAOp, amdgpu::WMMAOp>(user) &&
           user->getBlock() == op->getBlock();
  });
}

namespace {
struct PinMatrixResultsPass final
    : mlir::convoy::impl::PinMatrixResultsPassBase<PinMatrixResultsPass> {
  using Base::Base;

  void runOnOperation() override {
    getOperation()->walk([](gpu::GPUFuncOp kernel) {
      kernel.walk([](Operation *op) {
        if (isa<amdgpu::MFMAOp, amdgpu::WMMAOp>(op) && !isPinned(op))
          pin(op);
      });
    });
  }

private:
  static void pin(Operation *op) {
    OpBuilder builder(op->getContext());
    builder.setInsertionPointAfter(op);
    LLVM::CallIntrinsicOp::create(builder, op->getLoc(),
                                  builder.getStringAttr("llvm.fake.use"),
                                  op->getResults());
  }
};
} // namespace
