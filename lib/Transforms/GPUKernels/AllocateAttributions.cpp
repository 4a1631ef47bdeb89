//===- AllocateAttributions.cpp - Workgroup memory of kernels ---*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Transforms/GPUKernels/Passes.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Builders.h"

namespace mlir::convoy {
#define GEN_PASS_DEF_ALLOCATEATTRIBUTIONSPASS
#include "convoy/Transforms/GPUKernels/Passes.h.inc"
} // namespace mlir::convoy

using namespace mlir;

namespace {
struct AllocateAttributionsPass final
    : mlir::convoy::impl::AllocateAttributionsPassBase<
          AllocateAttributionsPass> {
  using Base::Base;

  void runOnOperation() override {
    getOperation()->walk([](gpu::GPUFuncOp function) { allocate(function); });
  }

private:
  static void allocate(gpu::GPUFuncOp function) {
    unsigned first = function.getNumArguments();
    unsigned count = function.getNumWorkgroupAttributions();
    if (count == 0)
      return;
    Block &body = function.getBody().front();
    OpBuilder builder = OpBuilder::atBlockBegin(&body);
    for (BlockArgument buffer : function.getWorkgroupAttributions())
      buffer.replaceAllUsesWith(memref::AllocOp::create(
          builder, buffer.getLoc(), cast<MemRefType>(buffer.getType())));
    body.eraseArguments(first, count);
    function->removeAttr(function.getNumWorkgroupAttributionsAttrName());
    function.removeWorkgroupAttribAttrsAttr();
  }
};
} // namespace
