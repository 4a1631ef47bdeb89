//===- GPUToROCDL.cpp - Converts kernels to ROCDL ---------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Conversion/Passes.h"
#include "convoy/Dialect/Convoy/IR/Convoy.h"
#include "convoy/Support/RocmChip.h"
#include "convoy/Transforms/GPUKernels/IndexWidth.h"
#include "convoy/Transforms/Targets/Targets.h"

#include "mlir/Conversion/GPUToROCDL/GPUToROCDLPass.h"
#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/Transforms/VectorRewritePatterns.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir::convoy {
#define GEN_PASS_DEF_CONVERTGPUTOROCDLPASS
#include "convoy/Conversion/Passes.h.inc"
} // namespace mlir::convoy

using namespace mlir;
using namespace mlir::convoy;

/// Lets buffers of dynamic size be passed as their addresses.
static void boundBuffers(gpu::GPUFuncOp kernel) {
  // After them come the workgroup's buffers.
  auto arguments =
      ValueRange(kernel.getArguments()).take_front(kernel.getNumArguments());
  for (Value argument : arguments)
    if (auto buffer = dyn_cast<MemRefType>(argument.getType()))
      argument.setType(getLargestType(buffer));
  kernel.setType(kernel.getFunctionType().clone(TypeRange(arguments), {}));
}

/// Makes shuffles of parts of vectors, which upstream's pass leaves as they
/// are.
static LogicalResult shuffleSlices(gpu::GPUModuleOp module) {
  RewritePatternSet patterns(module.getContext());
  vector::populateVectorInsertExtractStridedSliceTransforms(patterns);
  return applyPatternsGreedily(module, std::move(patterns));
}

namespace {
struct ConvertGPUToROCDLPass final
    : mlir::convoy::impl::ConvertGPUToROCDLPassBase<ConvertGPUToROCDLPass> {
  using Base::Base;

  void runOnOperation() override {
    gpu::GPUModuleOp module = getOperation();
    const ::convoy::RocmChip *chip = findRocmChip(module);
    if (!chip || failed(shuffleSlices(module)))
      return signalPassFailure();
    for (auto kernel : module.getOps<gpu::GPUFuncOp>())
      boundBuffers(kernel);
    ConvertGpuOpsToROCDLOpsOptions options;
    options.chipset = chip->name;
    options.indexBitwidth = needsWideIndex(module) ? 64 : 32;
    options.useBarePtrCallConv = true;
    options.runtime = gpu::amd::HIP;
    OpPassManager pm(gpu::GPUModuleOp::getOperationName());
    pm.addPass(createConvertGpuOpsToROCDLOps(options));
    if (failed(runPipeline(pm, module)))
      signalPassFailure();
  }
};
} // namespace
