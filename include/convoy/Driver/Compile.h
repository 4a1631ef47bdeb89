//===- Compile.h - Problems and IR to kernels in memory ---------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_DRIVER_COMPILE_H
#define CONVOY_DRIVER_COMPILE_H

#include "convoy/Dialect/Convoy/IR/Convoy.h"
#include "convoy/Driver/CompiledModule.h"
#include "convoy/Pipelines/Options.h"
#include "convoy/Support/AnyProblem.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Pass/PassManager.h"

namespace mlir::convoy {

/// How kernels are compiled for any target; those for CPUs, for `host` unless
/// told otherwise, also how they are lowered.
struct CompileOptions : CPUOptions {
  CompileOptions() { cpu.name = kHostCPU; }

  /// LLVM's optimization level, 0 to 3.
  unsigned optLevel = 3;
  /// What Vulkan devices are to run kernels, or are simulated: a profile with a
  /// name, or what a device that is present says of itself.
  ::convoy::VulkanProfile vulkan = *::convoy::getVulkanProfile("generic");
  /// The chip of ROCm that is to run kernels, or is simulated.
  std::string chip = "gfx942";
  /// Whether a simulator looks for faults at each access to memory.
  bool checks = true;
  /// Whether its matrix instructions add products pair by pair, and not one
  /// after the other.
  bool pairwiseSums = false;
  /// Verify IR after each pass, and not only after those on tensors and at the
  /// end of a pipeline: a third of the time that passes take. Always on where
  /// assertions are.
#ifdef NDEBUG
  bool verifyEach = false;
#else
  bool verifyEach = true;
#endif
  /// Called with the pass manager before it runs: printing, timing.
  std::function<LogicalResult(PassManager &)> configure;
};

/// The system whose CPUs QEMU emulates.
constexpr StringLiteral kEmulatedTriple = "aarch64-linux-gnu";

/// Registers every dialect, extension and translation that compiling needs.
void registerAll(DialectRegistry &registry);
/// A registry with all of that.
DialectRegistry makeRegistry();

/// A module with one function per problem, each named by one of `symbols`.
OwningOpRef<ModuleOp> buildNamedModule(MLIRContext *context,
                                       ArrayRef<::convoy::AnyProblem> problems,
                                       ArrayRef<std::string> symbols);

/// The same with functions that are named `prefix` and their number.
OwningOpRef<ModuleOp> buildModule(MLIRContext *context,
                                  ArrayRef<::convoy::Problem> problems,
                                  StringRef prefix = "conv");

/// A module with one function, which is the epilogue of `problem` alone.
OwningOpRef<ModuleOp> buildEpilogueModule(MLIRContext *context,
                                          const ::convoy::Problem &problem);

/// Gives the convolutions of `module` their policy and the accumulators that
/// follow from it, as lowering with `options` does.
LogicalResult applyPrecision(ModuleOp module, const LoweringOptions &options);

/// Writes on the convolutions of `module`, whose policies are applied, by which
/// algorithm kernels for `target` compute them: bounds of their errors depend
/// on that. Only those for CPUs have other algorithms than sums of products.
LogicalResult applyAlgorithms(StringRef target, ModuleOp module,
                              const CPUOptions &options);

/// Lowers `module` to kernels in LLVM's dialect.
LogicalResult lowerForCPU(ModuleOp module, const CompileOptions &options);

/// Lowers `module` to one `spirv.module`, for `emitSPIRV`. Returns how programs
/// launch the kernels in it.
FailureOr<SmallVector<KernelInterface>>
lowerForVulkan(ModuleOp module, const CompileOptions &options);

/// Lowers `module` to what a simulator of the kind `target` executes: kernels
/// on buffers for the chip of `options`, or those of its profile just before
/// they become SPIR-V. Returns how programs launch them.
FailureOr<SmallVector<KernelInterface>>
lowerForSimulator(StringRef target, ModuleOp module,
                  const CompileOptions &options);

/// Lowers `module` to one `gpu.module` in ROCDL, for `emitHsaco`. Returns how
/// programs launch the kernels in it.
FailureOr<SmallVector<KernelInterface>>
lowerForRocm(ModuleOp module, const CompileOptions &options);

/// Lowers `module`, compiles it and loads it.
FailureOr<CPUModule> compileForCPU(ModuleOp module,
                                   const CompileOptions &options);

/// Lowers `module`, and compiles it for the CPU of `options`, which QEMU
/// emulates.
FailureOr<CompiledModule> compileForQemu(ModuleOp module,
                                         const CompileOptions &options);

/// Compiles what `lowerForSimulator` has made of `module`, to functions that
/// execute its kernels on the host.
FailureOr<CompiledModule>
compileForSimulator(ModuleOp module, SmallVector<KernelInterface> kernels,
                    const CompileOptions &options);

/// What kernels for `target` are compiled for, as in `vulkan:1`: the part
/// before the colon.
inline StringRef getTargetKind(StringRef target) {
  return target.split(':').first;
}

/// Whether kernels for `target` are Vulkan's, wherever they run.
inline bool isVulkan(StringRef target) {
  StringRef kind = getTargetKind(target);
  return kind == "vulkan" || kind == "vulkan-sim";
}

/// Whether kernels for `target` are a CPU's, this one's or an emulated one's.
inline bool isCPU(StringRef target) {
  StringRef kind = getTargetKind(target);
  return kind == "cpu" || kind == "qemu";
}

/// Whether `target` simulates a GPU.
inline bool isSimulator(StringRef target) {
  return getTargetKind(target).ends_with("-sim");
}

/// Why nothing can be compiled for `target`, as one sentence, or nothing.
std::optional<std::string> checkTarget(StringRef target);

/// Opens the device that runs kernels for `target`: `hip:1` for `rocm:1`, else
/// that of the same name.
::convoy::Status openTarget(StringRef target, ::convoy::Device &device);

/// The same where code for CPUs, which simulators run too, is for `cpu`, which
/// is known: there is no such device if this machine cannot run it.
::convoy::Status openTarget(StringRef target, const CPUChoice &cpu,
                            ::convoy::Device &device);

/// Lets `options` say what `device` is.
void setDevice(CompileOptions &options, const ::convoy::Device &device);

/// Lowers `module` to tiles on tensors, as `compileFor` does on its way.
LogicalResult lowerToTilesFor(StringRef target, ModuleOp module,
                              const CompileOptions &options);

/// Lowers `module` and compiles it for a target of the kind `target`.
FailureOr<CompiledModule> compileFor(StringRef target, ModuleOp module,
                                     const CompileOptions &options);

} // namespace mlir::convoy

#endif // CONVOY_DRIVER_COMPILE_H
