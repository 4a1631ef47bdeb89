//===- Registration.cpp - Flags of the pipelines ----------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Pipelines/Pipelines.h"
#include "convoy/Target/CPUTarget.h"
#include "convoy/Transforms/Threads/Passes.h"

#include "mlir/Pass/PassOptions.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::convoy;

//===----------------------------------------------------------------------===//
// Flags that pipelines have in common
//===----------------------------------------------------------------------===//

namespace {
struct LoweringFlags : virtual mlir::detail::PassOptions {
  Option<bool> explain{
      *this, "explain",
      llvm::cl::desc("Say in remarks what tiles are made for and how each "
                     "contraction is tiled"),
      llvm::cl::init(false)};
  Option<std::string> precision{
      *this, "precision",
      llvm::cl::desc("Policy of convolutions that have no other than normal: "
                     "normal, high or low"),
      llvm::cl::init("")};
  Option<double> targetError{
      *this, "target-error",
      llvm::cl::desc("How far off results may be, relative to the largest that "
                     "they may be: takes the cheapest sums for it; 0 asks for "
                     "none"),
      llvm::cl::init(0)};
  Option<bool> strictRanges{
      *this, "strict-ranges",
      llvm::cl::desc("Fail where f16 or integers are not proved to be wide "
                     "enough"),
      llvm::cl::init(false)};

  Option<std::string> algorithm{
      *this, "algorithm",
      llvm::cl::desc("How convolutions are computed: direct, winograd (with "
                     ":2, :4 or :6 for the size of its tiles) or auto"),
      llvm::cl::init("direct")};

  LoweringOptions getOptions() const {
    return {explain, precision, targetError, strictRanges, algorithm};
  }
};

struct CPUFlags : LoweringFlags {
  Option<std::string> cpu{
      *this, "cpu",
      llvm::cl::desc("CPU to make tiles for, as in LLVM's -mcpu, or host; "
                     "empty takes the module's #convoy.target and needs no "
                     "instruction that only some CPUs have"),
      llvm::cl::init("")};
  Option<std::string> triple{
      *this, "triple",
      llvm::cl::desc("Architecture and system of the CPU, as in LLVM's "
                     "-mtriple; empty is this machine's"),
      llvm::cl::init("")};
  ListOption<int64_t> tile{
      *this, "tile",
      llvm::cl::desc("Rows and vectors of register tiles, or of whole loops "
                     "that are shorter, as in 6,4; empty takes the module's, "
                     "or those that are estimated to be fastest")};
  Option<int64_t> l1Bytes{
      *this, "l1-bytes",
      llvm::cl::desc("Size of a core's first cache in bytes; 0 takes what is "
                     "known of the CPU"),
      llvm::cl::init(0)};
  Option<int64_t> l2Bytes{
      *this, "l2-bytes",
      llvm::cl::desc("Size of a core's second cache in bytes; 0 takes what is "
                     "known of the CPU"),
      llvm::cl::init(0)};
  Option<uint64_t> candidate{
      *this, "candidate",
      llvm::cl::desc("How many register tiles with better estimates to pass "
                     "over"),
      llvm::cl::init(0)};

  CPUOptions getOptions() const {
    CPUOptions options;
    static_cast<LoweringOptions &>(options) = LoweringFlags::getOptions();
    options.cpu = {cpu, triple};
    options.machine.tile.assign(tile.begin(), tile.end());
    options.machine.l1Bytes = l1Bytes;
    options.machine.l2Bytes = l2Bytes;
    options.candidate = candidate;
    return options;
  }
};

struct ProfileFlag : virtual mlir::detail::PassOptions {
  Option<std::string> profile{
      *this, "profile",
      llvm::cl::desc("Vulkan profile, lavapipe, generic, nvidia or amd, and "
                     "features as in nvidia-f16; empty takes the module's "
                     "#convoy.vulkan_profile"),
      llvm::cl::init("")};
};

struct ChipFlag : virtual mlir::detail::PassOptions {
  Option<std::string> chip{
      *this, "chip",
      llvm::cl::desc("Chip, gfx90a, gfx942, gfx950, gfx1100 or gfx1201; empty "
                     "takes the module's convoy.rocm_chip"),
      llvm::cl::init("")};
};

//===----------------------------------------------------------------------===//
// Flags of each pipeline
//===----------------------------------------------------------------------===//

struct ConvoyToTilesFlags : PassPipelineOptions<ConvoyToTilesFlags>,
                            CPUFlags {};

struct ConvoyToLLVMFlags : PassPipelineOptions<ConvoyToLLVMFlags>, CPUFlags {
  Option<int> threads{
      *this, "threads",
      llvm::cl::desc("Threads that a kernel runs in; with more than 1 it calls "
                     "LLVM's OpenMP library"),
      llvm::cl::init(1)};
  Option<bool> packedFilters{
      *this, "packed-filters",
      llvm::cl::desc("Let kernels take their filters as functions of their own "
                     "pack them"),
      llvm::cl::init(false)};
  Option<bool> scalarsInMemory{
      *this, "scalars-in-memory",
      llvm::cl::desc("Let kernels take numbers as buffers of rank 0, and not "
                     "by value"),
      llvm::cl::init(false)};

  CPUOptions getOptions() const {
    CPUOptions options = CPUFlags::getOptions();
    options.threads = threads;
    options.packedFilters = packedFilters;
    options.scalarsInMemory = scalarsInMemory;
    return options;
  }
};

struct ConvoyToKernelsFlags : PassPipelineOptions<ConvoyToKernelsFlags>,
                              LoweringFlags {};

struct KernelsToSPIRVFlags : PassPipelineOptions<KernelsToSPIRVFlags>,
                             ProfileFlag {
  Option<bool> explain{
      *this, "explain",
      llvm::cl::desc("Say in a remark which buffers are accessed by single "
                     "elements"),
      llvm::cl::init(false)};

  VulkanOptions getOptions() const {
    VulkanOptions options;
    options.explain = explain;
    options.profile = profile;
    return options;
  }
};

struct ConvoyToSPIRVFlags : PassPipelineOptions<ConvoyToSPIRVFlags>,
                            LoweringFlags,
                            ProfileFlag {
  VulkanOptions getOptions() const {
    return {LoweringFlags::getOptions(), profile};
  }
};

struct KernelsToHostFlags : PassPipelineOptions<KernelsToHostFlags> {
  Option<std::string> cpu{
      *this, "cpu",
      llvm::cl::desc("CPU to compile for, as in LLVM's -mcpu, or host; empty "
                     "needs no instruction that only some CPUs have"),
      llvm::cl::init("")};
  Option<bool> checks{
      *this, "checks",
      llvm::cl::desc("Ask the runtime before each access to memory"),
      llvm::cl::init(true)};
  Option<bool> pairwiseSums{
      *this, "pairwise-sums",
      llvm::cl::desc("Let matrix instructions add products pair by pair"),
      llvm::cl::init(false)};

  SimulatorOptions getOptions() const { return {{cpu}, checks, pairwiseSums}; }
};

struct KernelsToROCDLFlags : PassPipelineOptions<KernelsToROCDLFlags>,
                             ChipFlag {
  RocmOptions getOptions() const { return {{}, chip}; }
};

struct ConvoyToROCDLFlags : PassPipelineOptions<ConvoyToROCDLFlags>,
                            LoweringFlags,
                            ChipFlag {
  RocmOptions getOptions() const { return {LoweringFlags::getOptions(), chip}; }
};
} // namespace

/// What is wrong with options of a pipeline that no pass of it would find.
static std::optional<std::string> check(const CPUChoice &cpu) {
  if (!cpu.empty())
    return checkCPU(cpu);
  if (!cpu.triple.empty())
    return "expected a CPU for the triple " + cpu.triple;
  return std::nullopt;
}
static std::optional<std::string> check(const CPUOptions &options) {
  if (options.threads < 1 || options.threads > kMaxThreads)
    return llvm::formatv("expected from 1 to {0} threads, but got {1}",
                         kMaxThreads, options.threads);
  return check(options.cpu);
}
static std::optional<std::string> check(const SimulatorOptions &options) {
  return check(options.cpu);
}
static std::optional<std::string> check(const LoweringOptions &) {
  return std::nullopt;
}

/// Registers the pipeline that `build` adds for flags.
template <typename Flags, typename Options>
static void registerPipeline(StringRef name, StringRef description,
                             void (*build)(OpPassManager &, const Options &)) {
  registerPassPipeline(
      name, description,
      [build](OpPassManager &pm, StringRef words,
              function_ref<LogicalResult(const Twine &)> emitError) {
        Flags flags;
        if (failed(flags.parseFromString(words)))
          return failure();
        Options options = flags.getOptions();
        if (std::optional<std::string> wrong = check(options))
          return emitError(*wrong);
        build(pm, options);
        return success();
      },
      [](function_ref<void(const mlir::detail::PassOptions &)> show) {
        show(Flags());
      });
}

void mlir::convoy::registerConvoyPipelines() {
  PassPipelineRegistration<>(
      "convoy-import-pipeline",
      "Raise convolutions of linalg and TOSA, lower the rest of TOSA",
      buildConvoyImportPipeline);
  registerPipeline<ConvoyToTilesFlags>(
      "convoy-to-tiles-pipeline",
      "Lower convolutions to loops over register tiles that read slices",
      buildConvoyToTilesPipeline);
  registerPipeline<ConvoyToKernelsFlags>(
      "convoy-to-kernels-pipeline",
      "Lower functions with convolutions to kernels of a GPU and launches",
      buildConvoyToKernelsPipeline);
  registerPipeline<ConvoyToLLVMFlags>(
      "convoy-to-llvm-pipeline",
      "Lower functions with convolutions to kernels in LLVM's dialect",
      buildConvoyToLLVMPipeline);
  registerPipeline<KernelsToSPIRVFlags>(
      "convoy-kernels-to-spirv-pipeline",
      "Lower kernels on buffers to SPIR-V for Vulkan",
      buildKernelsToSPIRVPipeline);
  registerPipeline<ConvoyToSPIRVFlags>(
      "convoy-to-spirv-pipeline",
      "Lower functions with convolutions to kernels in SPIR-V for Vulkan",
      buildConvoyToSPIRVPipeline);
  registerPipeline<KernelsToHostFlags>(
      "convoy-kernels-to-host-pipeline",
      "Lower kernels on buffers to functions that execute them on the host",
      buildKernelsToHostPipeline);
  registerPipeline<KernelsToROCDLFlags>(
      "convoy-kernels-to-rocdl-pipeline",
      "Lower kernels on buffers to ROCDL for AMD's GPUs",
      buildKernelsToROCDLPipeline);
  registerPipeline<ConvoyToROCDLFlags>(
      "convoy-to-rocdl-pipeline",
      "Lower functions with convolutions to kernels in ROCDL for AMD's GPUs",
      buildConvoyToROCDLPipeline);
}
