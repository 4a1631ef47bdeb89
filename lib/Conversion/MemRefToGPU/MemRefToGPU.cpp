//===- MemRefToGPU.cpp - Copies of buffers to launches ----------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../TensorToGPU/ElementKernel.h"

#include "convoy/Conversion/Passes.h"
#include "convoy/Conversion/TensorToGPU.h"
#include "convoy/Transforms/KernelABI/KernelInterface.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::convoy {
#define GEN_PASS_DEF_OUTLINECOPIESPASS
#include "convoy/Conversion/Passes.h.inc"
} // namespace mlir::convoy

using namespace mlir;
using namespace mlir::convoy;

/// Turns the copies of `function` into launches of kernels in `module`.
static LogicalResult outlineCopies(func::FuncOp function,
                                   gpu::GPUModuleOp module) {
  SmallVector<memref::CopyOp> copies;
  function.walk([&](memref::CopyOp copy) { copies.push_back(copy); });
  OpBuilder host(function.getContext());
  for (auto [number, copy] : llvm::enumerate(copies)) {
    for (Value buffer : {copy.getSource(), copy.getTarget()}) {
      auto type = cast<MemRefType>(buffer.getType());
      if (!type.getLayout().isIdentity())
        return copy.emitOpError()
               << "expected buffers without gaps, but got " << type;
    }
    if (failed(checkHasBatch(copy)))
      return failure();
    host.setInsertionPoint(copy);
    buildCopyKernel(host, module,
                    (function.getSymName() + "_copy_" + Twine(number)).str(),
                    copy.getLoc(), copy.getSource(), copy.getTarget());
    copy.erase();
  }
  return success();
}

namespace {
struct OutlineCopiesPass final
    : mlir::convoy::impl::OutlineCopiesPassBase<OutlineCopiesPass> {
  using Base::Base;

  void runOnOperation() override {
    auto module =
        getOperation().lookupSymbol<gpu::GPUModuleOp>(kKernelModuleName);
    if (!module) {
      getOperation().emitOpError("expected the gpu.module that "
                                 "convoy-outline-kernels leaves");
      return signalPassFailure();
    }
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (!function.isExternal() && (failed(outlineCopies(function, module)) ||
                                     failed(checkLaunches(function))))
        return signalPassFailure();
  }
};
} // namespace
