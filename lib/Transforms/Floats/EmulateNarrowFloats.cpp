//===- EmulateNarrowFloats.cpp - Floats a device lacks ----------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Dialect/Convoy/IR/Convoy.h"
#include "convoy/Transforms/Floats/NarrowFloats.h"
#include "convoy/Transforms/Floats/Passes.h"
#include "convoy/Transforms/TensorOps/Passes.h"

#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace mlir::convoy {
#define GEN_PASS_DEF_EMULATENARROWFLOATSPASS
#include "convoy/Transforms/Floats/Passes.h.inc"
} // namespace mlir::convoy

using namespace mlir;
using namespace mlir::convoy;

void mlir::convoy::addNarrowFloats(OpPassManager &pm, bool hasF16) {
  // f32 is what libraries compute in; upstream's pass leaves math.fma alone.
  pm.addPass(math::createMathExtendToSupportedTypes());
  arith::ArithEmulateUnsupportedFloatsOptions emulation;
  emulation.sourceTypeStrs.push_back("bf16");
  if (!hasF16)
    emulation.sourceTypeStrs.push_back("f16");
  pm.addPass(arith::createArithEmulateUnsupportedFloats(emulation));
  pm.addPass(createSplitF64ConversionsPass());
  if (!hasF16)
    pm.addPass(createExpandF16Pass());
  pm.addPass(arith::createArithExpandOpsPass({/*includeBf16=*/true}));
}

namespace {
struct EmulateNarrowFloatsPass final
    : mlir::convoy::impl::EmulateNarrowFloatsPassBase<EmulateNarrowFloatsPass> {
  using Base::Base;

  void runOnOperation() override {
    auto profile = VulkanProfileAttr::lookup(getOperation());
    if (!profile) {
      getOperation()->emitError()
          << "expected " << VulkanProfileAttr::getModuleAttrName()
          << " on the module";
      return signalPassFailure();
    }
    bool hasF16 = profile.getLimits().f16;
    OpPassManager steps(getOperation()->getName());
    steps.addPass(createCheckDialectsPass());
    addNarrowFloats(steps, hasF16);
    steps.addPass(createStoreFloatsAsBitsPass({/*keepF16=*/hasF16}));
    if (failed(runPipeline(steps, getOperation())))
      signalPassFailure();
  }
};
} // namespace
