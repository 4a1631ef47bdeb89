//===- Compile.cpp - Problems and IR to kernels in memory -------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Driver/Compile.h"

#include "VerifyTensors.h"

#include "convoy/Conversion/ProblemToConvoy.h"
#include "convoy/Dialect/Convoy/IR/Convoy.h"
#include "convoy/Driver/Import.h"
#include "convoy/InitAll.h"
#include "convoy/Pipelines/Pipelines.h"
#include "convoy/Runtime/SimulatedKernel.h"
#include "convoy/Support/RocmChip.h"
#include "convoy/Target/CPUTarget.h"
#include "convoy/Target/EmitHsaco.h"
#include "convoy/Target/EmitInterface.h"
#include "convoy/Target/EmitObject.h"
#include "convoy/Target/EmitSPIRV.h"
#include "convoy/Transforms/Numerics/Passes.h"
#include "convoy/Transforms/Targets/Targets.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Verifier.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "llvm/Target/TargetMachine.h"

#include <span>
#include <type_traits>

using namespace mlir;
using namespace mlir::convoy;

void mlir::convoy::registerAll(DialectRegistry &registry) {
  convoy::registerAllDialects(registry);
  mlir::registerAllDialects(registry);
  registerAllExtensions(registry);
  registerTranslations(registry);
}

DialectRegistry mlir::convoy::makeRegistry() {
  DialectRegistry registry;
  registerAll(registry);
  return registry;
}

/// Loads the dialects that problems are written in.
static void loadProblemDialects(MLIRContext *context) {
  context
      ->loadDialect<ConvoyDialect, affine::AffineDialect, arith::ArithDialect,
                    func::FuncDialect, linalg::LinalgDialect, math::MathDialect,
                    tensor::TensorDialect>();
}

OwningOpRef<ModuleOp>
mlir::convoy::buildEpilogueModule(MLIRContext *context,
                                  const ::convoy::Problem &problem) {
  loadProblemDialects(context);
  Location loc = UnknownLoc::get(context);
  OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
  OpBuilder builder = OpBuilder::atBlockEnd(module->getBody());
  buildEpilogueFunction(builder, loc, problem, "epilogue");
  return module;
}

OwningOpRef<ModuleOp>
mlir::convoy::buildNamedModule(MLIRContext *context,
                               ArrayRef<::convoy::AnyProblem> problems,
                               ArrayRef<std::string> symbols) {
  loadProblemDialects(context);
  Location loc = UnknownLoc::get(context);
  OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
  OpBuilder builder = OpBuilder::atBlockEnd(module->getBody());
  for (auto [problem, symbol] : llvm::zip_equal(problems, symbols)) {
    Location named =
        NameLoc::get(builder.getStringAttr(toString(problem)), loc);
    if (const auto *conv = std::get_if<::convoy::Problem>(&problem))
      buildProblem(builder, named, *conv, symbol);
    else if (const auto *samples =
                 std::get_if<::convoy::SampleProblem>(&problem))
      buildSampleProblem(builder, named, *samples, symbol);
    else if (const auto *fold = std::get_if<::convoy::FoldProblem>(&problem))
      buildFoldProblem(builder, named, *fold, symbol);
    else if (const auto *padded =
                 std::get_if<::convoy::PaddedProblem>(&problem))
      buildPaddedProblem(builder, named, *padded, symbol);
    else
      buildDeformProblem(builder, named,
                         std::get<::convoy::DeformProblem>(problem), symbol);
  }
  return module;
}

OwningOpRef<ModuleOp>
mlir::convoy::buildModule(MLIRContext *context,
                          ArrayRef<::convoy::Problem> problems,
                          StringRef prefix) {
  SmallVector<std::string> symbols;
  for (size_t number = 0; number < problems.size(); ++number)
    symbols.push_back((prefix + Twine(number)).str());
  std::vector<::convoy::AnyProblem> any(problems.begin(), problems.end());
  return buildNamedModule(context, any, symbols);
}

/// Runs what `build` adds to a pass manager.
template <typename PipelineOptions>
static LogicalResult
runPipeline(ModuleOp module, const CompileOptions &options,
            void (*build)(OpPassManager &, const PipelineOptions &),
            const std::type_identity_t<PipelineOptions> &pipeline) {
  PassManager pm(module->getContext());
  pm.enableVerifier(options.verifyEach);
  const TensorVerifier &onTensors = addTensorVerifier(pm);
  if (options.configure && failed(options.configure(pm)))
    return failure();
  build(pm, pipeline);
  if (failed(runAllPasses(pm, module)) || !onTensors.foundNothing())
    return failure();
  return success(options.verifyEach || succeeded(verify(module)));
}

LogicalResult mlir::convoy::applyPrecision(ModuleOp module,
                                           const LoweringOptions &options) {
  PassManager pm(module->getContext());
  pm.addPass(createApplyPolicyPass(
      {options.precision, options.targetError, options.algorithm != "direct"}));
  return runAllPasses(pm, module);
}

LogicalResult mlir::convoy::applyAlgorithms(StringRef target, ModuleOp module,
                                            const CPUOptions &options) {
  if (options.algorithm == "direct" || !isCPU(target))
    return success();
  PassManager pm(module->getContext());
  CPUOptions silent = options;
  silent.explain = false;
  buildAlgorithmsPipeline(pm, silent);
  return runAllPasses(pm, module);
}

LogicalResult mlir::convoy::lowerForCPU(ModuleOp module,
                                        const CompileOptions &options) {
  return runPipeline(module, options, buildConvoyToLLVMPipeline, options);
}

/// Says in `module` what Vulkan devices `options` asks for.
static void attachProfile(ModuleOp module, const CompileOptions &options) {
  attachVulkanProfile(
      module, VulkanProfileAttr::get(module->getContext(), options.vulkan));
}

/// Lowers `module`, which says for which GPU, to kernels on buffers. Returns
/// how programs launch them.
static FailureOr<SmallVector<KernelInterface>>
lowerToKernels(ModuleOp module, const CompileOptions &options) {
  if (failed(
          runPipeline(module, options, buildConvoyToKernelsPipeline, options)))
    return failure();
  // While there are functions that launch the kernels.
  return getKernelInterfaces(module);
}

/// Lowers `module` to kernels on buffers for the profile of `options`, and
/// these by what `build` adds.
static FailureOr<SmallVector<KernelInterface>>
lowerVulkanKernels(ModuleOp module, const CompileOptions &options,
                   void (*build)(OpPassManager &, const VulkanOptions &)) {
  attachProfile(module, options);
  FailureOr<SmallVector<KernelInterface>> kernels =
      lowerToKernels(module, options);
  if (failed(kernels) ||
      failed(runPipeline(module, options, build, {options, /*profile=*/""})))
    return failure();
  return kernels;
}

FailureOr<SmallVector<KernelInterface>>
mlir::convoy::lowerForVulkan(ModuleOp module, const CompileOptions &options) {
  return lowerVulkanKernels(module, options, buildKernelsToSPIRVPipeline);
}

/// Lowers `module` to kernels on buffers for the chip of `options`.
static FailureOr<SmallVector<KernelInterface>>
lowerToRocmKernels(ModuleOp module, const CompileOptions &options) {
  if (failed(attachRocmChip(module, options.chip)))
    return failure();
  return lowerToKernels(module, options);
}

FailureOr<SmallVector<KernelInterface>>
mlir::convoy::lowerForSimulator(StringRef target, ModuleOp module,
                                const CompileOptions &options) {
  if (isVulkan(target))
    return lowerVulkanKernels(module, options, buildKernelsForSPIRVPipeline);
  return lowerToRocmKernels(module, options);
}

FailureOr<SmallVector<KernelInterface>>
mlir::convoy::lowerForRocm(ModuleOp module, const CompileOptions &options) {
  FailureOr<SmallVector<KernelInterface>> kernels =
      lowerToRocmKernels(module, options);
  if (failed(kernels) ||
      failed(runPipeline(module, options, buildKernelsToROCDLPipeline,
                         RocmOptions())))
    return failure();
  return kernels;
}

FailureOr<CPUModule>
mlir::convoy::compileForCPU(ModuleOp module, const CompileOptions &options) {
  if (failed(lowerForCPU(module, options)))
    return failure();
  return CPUModule::load(module, options.cpu, options.optLevel);
}

std::optional<std::string> mlir::convoy::checkTarget(StringRef target) {
  static constexpr StringRef kKinds[] = {"cpu",  "qemu",     "vulkan",
                                         "rocm", "rocm-sim", "vulkan-sim"};
  if (llvm::is_contained(kKinds, getTargetKind(target)))
    return std::nullopt;
  return ("expected cpu, qemu, vulkan, rocm, rocm-sim or vulkan-sim for "
          "'--target', "
          "but got '" +
          target + "'")
      .str();
}

::convoy::Status mlir::convoy::openTarget(StringRef target,
                                          ::convoy::Device &device) {
  StringRef kind = getTargetKind(target);
  std::string name = (kind == "rocm" ? "hip" : kind).str();
  return ::convoy::Device::open(name + target.substr(kind.size()).str(),
                                device);
}

::convoy::Status mlir::convoy::openTarget(StringRef target,
                                          const CPUChoice &cpu,
                                          ::convoy::Device &device) {
  if (getTargetKind(target) == "cpu" || isSimulator(target))
    if (std::string other = findOtherMachine(cpu); !other.empty())
      return {CONVOY_NO_DEVICE,
              "expected kernels for this machine to run, but got some for " +
                  other};
  return openTarget(target, device);
}

void mlir::convoy::setDevice(CompileOptions &options,
                             const ::convoy::Device &device) {
  if (std::optional<::convoy::VulkanProfile> profile = device.vulkanProfile())
    options.vulkan = *profile;
  if (const ::convoy::RocmChip *chip = device.rocmChip())
    options.chip = chip->name;
  if (std::optional<std::string> cpu = device.emulatedCpu())
    options.cpu = {cpu->empty() ? "generic" : *cpu, kEmulatedTriple.str()};
}

/// The binary and the launches of `module` on Vulkan devices.
static FailureOr<CompiledModule>
compileForVulkan(ModuleOp module, const CompileOptions &options) {
  FailureOr<SmallVector<KernelInterface>> kernels =
      lowerForVulkan(module, options);
  if (failed(kernels))
    return failure();
  FailureOr<SmallVector<uint32_t>> binary = emitSPIRV(module);
  if (failed(binary))
    return failure();
  auto bytes = std::as_bytes(std::span(binary->data(), binary->size()));
  return CompiledModule("vulkan", {bytes.begin(), bytes.end()},
                        std::move(*kernels));
}

/// The code object and the launches of `module` on the chip of `options`.
static FailureOr<CompiledModule> compileForRocm(ModuleOp module,
                                                const CompileOptions &options) {
  FailureOr<SmallVector<KernelInterface>> kernels =
      lowerForRocm(module, options);
  if (failed(kernels))
    return failure();
  FailureOr<std::string> object =
      emitHsaco(module, options.optLevel, HsacoStage::CodeObject);
  if (failed(object))
    return failure();
  auto bytes = std::as_bytes(std::span(object->data(), object->size()));
  return CompiledModule("rocm", {bytes.begin(), bytes.end()},
                        std::move(*kernels));
}

/// The device that simulates what the kernels of `module` are for.
static std::string getSimulator(ModuleOp module,
                                const CompileOptions &options) {
  auto profile = VulkanProfileAttr::lookup(module);
  if (!profile)
    return "rocm-sim:" + options.chip;
  // One that a module alone knows has no device of its own.
  StringRef name = profile.getProfileName();
  return ::convoy::getVulkanProfile(name) ? ("vulkan-sim:" + name).str()
                                          : "vulkan-sim";
}

FailureOr<CompiledModule>
mlir::convoy::compileForSimulator(ModuleOp module,
                                  SmallVector<KernelInterface> kernels,
                                  const CompileOptions &options) {
  // What launches nothing stays otherwise.
  for (const KernelInterface &kernel : kernels)
    if (Operation *host = module.lookupSymbol(kernel.name))
      host->erase();
  SimulatorOptions toHost{options.cpu, options.checks, options.pairwiseSums};
  if (failed(runPipeline(module, options, buildKernelsToHostPipeline, toHost)))
    return failure();
  auto addressOf = [](auto *function) {
    return reinterpret_cast<void *>(function);
  };
  const HostFunction called[] = {
      {"convoy_simulated_barrier", addressOf(convoy_simulated_barrier)},
      {"convoy_simulated_multiply", addressOf(convoy_simulated_multiply)},
      {"convoy_simulated_read", addressOf(convoy_simulated_read)},
      {"convoy_simulated_write", addressOf(convoy_simulated_write)}};
  FailureOr<CPUModule> functions =
      CPUModule::load(module, options.cpu, options.optLevel, called);
  if (failed(functions))
    return failure();
  return CompiledModule(getSimulator(module, options), std::move(*functions),
                        std::move(kernels));
}

LogicalResult mlir::convoy::lowerToTilesFor(StringRef target, ModuleOp module,
                                            const CompileOptions &options) {
  if (isCPU(target))
    return runPipeline(module, options, buildConvoyToCPUTilesPipeline, options);
  if (isVulkan(target))
    attachProfile(module, options);
  else if (failed(attachRocmChip(module, options.chip)))
    return failure();
  return runPipeline(module, options, buildConvoyToGPUTilesPipeline, options);
}

FailureOr<CompiledModule>
mlir::convoy::compileFor(StringRef target, ModuleOp module,
                         const CompileOptions &options) {
  if (target == "vulkan")
    return compileForVulkan(module, options);
  if (target == "rocm")
    return compileForRocm(module, options);
  if (target == "qemu")
    return compileForQemu(module, options);
  if (isSimulator(target)) {
    FailureOr<SmallVector<KernelInterface>> kernels =
        lowerForSimulator(target, module, options);
    if (failed(kernels))
      return failure();
    return compileForSimulator(module, std::move(*kernels), options);
  }
  FailureOr<CPUModule> functions = compileForCPU(module, options);
  if (failed(functions))
    return failure();
  return CompiledModule(std::move(*functions));
}
