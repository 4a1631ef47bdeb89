//===- DropHosts.cpp - Kernels without what launches them -------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Dialect/Convoy/IR/Convoy.h"
#include "convoy/Transforms/GPUKernels/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/BuiltinOps.h"

namespace mlir::convoy {
#define GEN_PASS_DEF_DROPHOSTSPASS
#include "convoy/Transforms/GPUKernels/Passes.h.inc"
} // namespace mlir::convoy

using namespace mlir;
using namespace mlir::convoy;

/// Whether `function` launches a kernel.
static bool launches(func::FuncOp function) {
  return function.walk([](LaunchOp) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

namespace {
struct DropHostsPass final
    : mlir::convoy::impl::DropHostsPassBase<DropHostsPass> {
  using Base::Base;

  void runOnOperation() override {
    for (auto function :
         llvm::make_early_inc_range(getOperation().getOps<func::FuncOp>()))
      if (launches(function))
        function.erase();
    // Constants that they read are data of whoever launches kernels.
    for (auto constant :
         llvm::make_early_inc_range(getOperation().getOps<memref::GlobalOp>()))
      if (SymbolTable::symbolKnownUseEmpty(constant, getOperation()))
        constant.erase();
  }
};
} // namespace
