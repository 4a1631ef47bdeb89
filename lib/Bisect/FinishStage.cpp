//===- FinishStage.cpp - Kernels of a stage between passes ------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FinishStage.h"

#include "convoy/Dialect/Convoy/IR/DiscardableAttrs.h"
#include "convoy/Pipelines/Pipelines.h"
#include "convoy/Target/EmitHsaco.h"
#include "convoy/Target/EmitInterface.h"
#include "convoy/Target/EmitSPIRV.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SPIRV/IR/SPIRVOps.h"
#include "mlir/Dialect/SPIRV/Transforms/Passes.h"

#include <span>

using namespace mlir;
using namespace mlir::convoy;

/// Whether `stage` has an `Op`, at any depth.
template <typename Op>
static bool hasOp(ModuleOp stage) {
  return stage->walk([](Op) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

/// What the functions of `stage` have left behind.
static PlainLoweringOptions describeStage(ModuleOp stage,
                                          const CPUChoice &cpu) {
  PlainLoweringOptions options;
  options.cpu = cpu;
  for (Operation &op : *stage.getBody()) {
    options.hasDestinations |= op.hasAttr(kArgumentsAttrName);
    options.hasWorkspace |= op.hasAttr(kWorkspaceAttrName);
    // Before, functions return nothing.
    auto function = dyn_cast<LLVM::LLVMFuncOp>(op);
    options.isWrapped |= function && op.hasAttr(kArgumentsAttrName) &&
                         function.getFunctionType().getReturnType() !=
                             LLVM::LLVMVoidType::get(op.getContext());
  }
  return options;
}

static LogicalResult runPasses(ModuleOp stage,
                               function_ref<void(OpPassManager &)> addPasses) {
  PassManager pm(stage.getContext(), ModuleOp::getOperationName());
  addPasses(pm);
  return pm.run(stage);
}

/// Whether any function of `stage` launches kernels on buffers.
static bool hasLaunchesOnBuffers(ModuleOp stage) {
  auto isOnBuffers = [](LaunchOp op) {
    return llvm::none_of(op->getOperandTypes(), llvm::IsaPred<TensorType>)
               ? WalkResult::interrupt()
               : WalkResult::advance();
  };
  return stage->walk(isOnBuffers).wasInterrupted();
}

SmallVector<KernelInterface> mlir::convoy::findLaunches(ModuleOp stage) {
  if (!hasLaunchesOnBuffers(stage))
    return {};
  return getKernelInterfaces(stage);
}

/// Compiles functions without kernels of a GPU.
static FailureOr<CompiledModule> finishForCPU(ModuleOp stage,
                                              const CompileOptions &options) {
  PlainLoweringOptions plain = describeStage(stage, options.cpu);
  if (failed(runPasses(stage, [&](OpPassManager &pm) {
        buildPlainLLVMPipeline(pm, plain);
      })))
    return failure();
  FailureOr<CPUModule> functions =
      CPUModule::load(stage, options.cpu, options.optLevel);
  if (failed(functions))
    return failure();
  return CompiledModule(std::move(*functions));
}

/// Compiles kernels that are SPIR-V, or are still to become it.
static FailureOr<CompiledModule>
finishForVulkan(ModuleOp stage, ArrayRef<KernelInterface> launches) {
  auto addPasses = [&](OpPassManager &pm) {
    if (!hasOp<spirv::ModuleOp>(stage))
      buildKernelsToSPIRVPipeline(pm, VulkanOptions());
    OpPassManager &kernels = pm.nest<spirv::ModuleOp>();
    kernels.addPass(spirv::createSPIRVLowerABIAttributesPass());
    kernels.addPass(spirv::createSPIRVUpdateVCEPass());
  };
  if (failed(runPasses(stage, addPasses)))
    return failure();
  FailureOr<SmallVector<uint32_t>> binary = emitSPIRV(stage);
  if (failed(binary))
    return failure();
  auto bytes = std::as_bytes(std::span(binary->data(), binary->size()));
  return CompiledModule("vulkan", {bytes.begin(), bytes.end()},
                        SmallVector<KernelInterface>(launches));
}

static FailureOr<CompiledModule>
finishForRocm(ModuleOp stage, ArrayRef<KernelInterface> launches,
              const CompileOptions &options) {
  if (failed(runPasses(stage, [](OpPassManager &pm) {
        buildKernelsToROCDLPipeline(pm, RocmOptions());
      })))
    return failure();
  FailureOr<std::string> object =
      emitHsaco(stage, options.optLevel, HsacoStage::CodeObject);
  if (failed(object))
    return failure();
  auto bytes = std::as_bytes(std::span(object->data(), object->size()));
  return CompiledModule("rocm", {bytes.begin(), bytes.end()},
                        SmallVector<KernelInterface>(launches));
}

/// Whether kernels of `stage` are in LLVM's dialect, for a GPU.
static bool hasGPUCode(ModuleOp stage) {
  for (auto kernels : stage.getOps<gpu::GPUModuleOp>())
    if (!kernels.getOps<LLVM::LLVMFuncOp>().empty())
      return true;
  return false;
}

/// Compiles kernels on buffers, and what launches them unless `launches` do.
static FailureOr<CompiledModule>
finishForSimulator(ModuleOp stage, ArrayRef<KernelInterface> launches,
                   const CompileOptions &options) {
  SmallVector<KernelInterface> all(launches);
  if (hasOp<LaunchOp>(stage)) {
    PlainLoweringOptions plain = describeStage(stage, options.cpu);
    if (failed(runPasses(stage, [&](OpPassManager &pm) {
          buildPlainLaunchesPipeline(pm, plain);
        })))
      return failure();
    all = findLaunches(stage);
  }
  return compileForSimulator(stage, std::move(all), options);
}

FailureOr<CompiledModule>
mlir::convoy::finishStage(ModuleOp stage, ArrayRef<KernelInterface> launches,
                          const CompileOptions &options) {
  if (hasOp<spirv::ModuleOp>(stage))
    return finishForVulkan(stage, launches);
  if (hasGPUCode(stage))
    return finishForRocm(stage, launches, options);
  if (!hasOp<LaunchOp>(stage) && launches.empty())
    return finishForCPU(stage, options);
  // What is on its way to SPIR-V is not for the simulator.
  OwningOpRef<ModuleOp> copy = stage.clone();
  FailureOr<CompiledModule> simulated =
      finishForSimulator(*copy, launches, options);
  if (succeeded(simulated) || !VulkanProfileAttr::lookup(stage))
    return simulated;
  return finishForVulkan(stage, launches);
}
