//===- PinLoads.cpp - Keep loads before the next barrier --------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Transforms/GPUKernels/Passes.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

namespace mlir::convoy {
#define GEN_PASS_DEF_PINLOADSPASS
#include "convoy/Transforms/GPUKernels/Passes.h.inc"
} // namespace mlir::convoy

using namespace mlir;

/// Whether `op` loads memory that other workgroups see, too.
static bool isGlobalLoad(Operation *op) {
  if (!isa<memref::LoadOp, vector::LoadOp>(op))
    return false;
  auto buffer = cast<MemRefType>(op->getOperand(0).getType());
  return !gpu::GPUDialect::isWorkgroupMemoryAddressSpace(
      buffer.getMemorySpace());
}

/// Uses before each condition of `block` what this needs of loads that stand
/// before a barrier, and the condition behind it.
static void pinLoads(Block &block) {
  llvm::SmallDenseSet<Value> loaded, early;
  for (Operation &op : block) {
    if (isa<gpu::BarrierOp>(op)) {
      early.insert(loaded.begin(), loaded.end());
      continue;
    }
    auto isIn = [](const llvm::SmallDenseSet<Value> &values) {
      return [&](Value value) { return values.contains(value); };
    };
    if (isGlobalLoad(&op))
      loaded.insert(op.getResult(0));
    if (isMemoryEffectFree(&op)) {
      if (llvm::any_of(op.getOperands(), isIn(loaded)))
        loaded.insert(op.result_begin(), op.result_end());
      if (llvm::any_of(op.getOperands(), isIn(early)))
        early.insert(op.result_begin(), op.result_end());
    }
    auto condition = dyn_cast<scf::IfOp>(op);
    if (!condition)
      continue;
    llvm::SetVector<Value> captured;
    getUsedValuesDefinedAbove(condition->getRegions(), captured);
    captured.remove_if([&](Value value) { return !early.contains(value); });
    if (captured.empty())
      continue;
    OpBuilder builder(&op);
    LLVM::CallIntrinsicOp::create(builder, op.getLoc(),
                                  builder.getStringAttr("llvm.fake.use"),
                                  captured.getArrayRef());
  }
}

namespace {
struct PinLoadsPass final : mlir::convoy::impl::PinLoadsPassBase<PinLoadsPass> {
  using Base::Base;

  void runOnOperation() override {
    getOperation()->walk([](gpu::GPUFuncOp kernel) {
      kernel.walk([](Block *block) { pinLoads(*block); });
    });
  }
};
} // namespace
