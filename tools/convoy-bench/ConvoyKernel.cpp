//===- ConvoyKernel.cpp - Our kernel of a problem ---------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ConvoyKernel.h"

#include "convoy/Target/CPUTarget.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <chrono>

using namespace mlir;
using namespace mlir::convoy;
using namespace ::convoy;

/// The same for utils/bench_cudnn.py: enough for 256 KiB each to be in no
/// cache.
static constexpr size_t kMostCopies = 1024;

std::optional<std::string>
ConvoyKernel::prepare(const std::vector<HostArray> &arguments,
                      int64_t rotatedBytes) {
  if (Status status = loaded.load(); !status.ok())
    return status.text;
  // The workspace comes on top.
  int64_t bytes = 1;
  for (const HostArray &argument : arguments)
    bytes += int64_t(argument.bytes.size());
  run.emplace(kernel, arguments,
              std::clamp<size_t>(llvm::divideCeil(rotatedBytes, bytes), 1,
                                 kMostCopies));
  if (Status status = run->prepare(); !status.ok())
    return status.text;
  return std::nullopt;
}

std::optional<std::string>
ConvoyKernel::runPoisoned(std::vector<HostArray> &results,
                          TargetArithmetic &arithmetic) {
  if (Status status = run->poison(); !status.ok())
    return status.text;
  if (Status status = run->launch(); !status.ok())
    return status.text;
  std::vector<std::string> faults;
  run->findTouchedGuards(faults);
  if (Status status = run->readResults(results); !status.ok())
    faults.push_back(status.text);
  if (!faults.empty())
    return llvm::join(faults, "; ");
  if (Status status = run->getArithmetic(arithmetic); !status.ok())
    return status.text;
  return run->getCopies() > 1 ? compareCopies(results) : std::nullopt;
}

std::optional<std::string>
ConvoyKernel::compareCopies(const std::vector<HostArray> &results) {
  auto copies = int64_t(run->getCopies());
  double seconds = 0;
  std::vector<HostArray> last;
  if (Status status = run->launch(copies, seconds); !status.ok())
    return status.text;
  if (Status status = run->readResults(last, size_t(copies - 1)); !status.ok())
    return status.text;
  std::vector<std::string> faults;
  run->findTouchedGuards(faults);
  for (auto [one, other] : llvm::zip_equal(results, last))
    if (one.bytes != other.bytes)
      faults.push_back("copies of operands have different results");
  if (faults.empty())
    return std::nullopt;
  return llvm::join(faults, "; ");
}

std::optional<std::string>
ConvoyKernel::check(const CheckedConv &conv,
                    const std::vector<HostArray> &arguments,
                    const ReferenceResult &reference) {
  std::vector<HostArray> results;
  TargetArithmetic arithmetic;
  if (std::optional<std::string> fault = runPoisoned(results, arithmetic))
    return fault;
  CompareReport report = compareWithReferenceOf(
      conv, arguments, reference, results[0].data(),
      {.target = arithmetic, .sums = getSumLevels(kernel.interface)},
      isVulkan(kernel.getTarget()) ? FunctionMath::Vulkan : FunctionMath::Own,
      getWinogradTile());
  if (report.passed())
    return std::nullopt;
  return ::convoy::toString(report);
}

std::optional<std::string>
ConvoyKernel::check(FunctionReference &reference,
                    const std::vector<HostArray> &inputs, bool isOnVulkan) {
  std::vector<HostArray> results;
  TargetArithmetic arithmetic;
  if (std::optional<std::string> fault = runPoisoned(results, arithmetic))
    return fault;
  CompareReport report =
      reference.compare(inputs, results, {arithmetic, isOnVulkan});
  if (report.passed())
    return std::nullopt;
  return report.refusal.empty() ? ::convoy::toString(report) : report.refusal;
}

namespace {
/// By the device's clock, runs of a turn one after the other.
class DeviceTimedKernel final : public Timed {
public:
  explicit DeviceTimedKernel(KernelRun &kernel) : kernel(kernel) {}

  std::optional<double> run(int64_t count, std::string &error) override {
    double seconds = 0;
    if (Status status = kernel.launch(count, seconds); !status.ok()) {
      error = status.text;
      return std::nullopt;
    }
    return seconds;
  }

private:
  KernelRun &kernel;
};

class TimedKernel final : public Timed {
public:
  explicit TimedKernel(KernelRun &kernel) : kernel(kernel) {}

  std::optional<double> run(int64_t count, std::string &error) override {
    Status failure;
    double seconds = timeCalls(count, [&] {
      if (Status status = kernel.launch(); !status.ok())
        failure = status;
    });
    if (failure.ok())
      return seconds;
    error = failure.text;
    return std::nullopt;
  }

private:
  KernelRun &kernel;
};
} // namespace

std::unique_ptr<Timed> ConvoyKernel::getTimed(bool byDevice) {
  if (byDevice)
    return std::make_unique<DeviceTimedKernel>(*run);
  return std::make_unique<TimedKernel>(*run);
}

KernelCompiler::KernelCompiler(const Options &options)
    : options(options),
      context(makeRegistry(), MLIRContext::Threading::DISABLED),
      errors(&context) {}

Status KernelCompiler::openTarget() {
  if (std::optional<std::string> unknown = checkCPU(options.cpu))
    return {CONVOY_INVALID, *unknown};
  if (Status status =
          mlir::convoy::openTarget(options.target, options.cpu, device);
      !status.ok())
    return status;
  return device.arithmetic(arithmetic);
}

/// Compiles `module` for the CPU, linked as well.
static FailureOr<CompiledModule>
compileFunctions(ModuleOp module, const CompileOptions &options) {
  FailureOr<CPUModule> functions = compileForCPU(module, options);
  if (failed(functions))
    return failure();
  // The loader links at the first look-up.
  (void)functions->lookup(functions->getKernels().front().name);
  return CompiledModule(std::move(*functions));
}

OwningOpRef<ModuleOp> KernelCompiler::build(const AnyProblem &problem,
                                            std::string &error) {
  return buildRangedModule(&context, problem, "kernel", options.ranges, error);
}

OwningOpRef<ModuleOp> KernelCompiler::buildReference(const AnyProblem &problem,
                                                     std::string &error) {
  OwningOpRef<ModuleOp> module = build(problem, error);
  // Without ranges nothing is summed in another type than the problem's.
  if (!module || options.ranges.empty())
    return module;
  errors.clear();
  if (succeeded(importModule(*module)) &&
      succeeded(applyPrecision(*module, options)))
    return module;
  error = errors.getError();
  return nullptr;
}

std::unique_ptr<ConvoyKernel> KernelCompiler::compile(const AnyProblem &problem,
                                                      int threads,
                                                      int candidate,
                                                      std::string &error) {
  CompileOptions compile = getCompileOptions(options, threads);
  compile.candidate = candidate;
  TileEstimate estimate;
  compile.configure = [&](PassManager &pm) {
    recordTiles(pm, estimate);
    return success();
  };
  errors.clear();
  auto start = std::chrono::steady_clock::now();
  OwningOpRef<ModuleOp> module = build(problem, error);
  if (!module)
    return nullptr;
  setDevice(compile, device);
  FailureOr<CompiledModule> compiled =
      options.isForCPU()
          ? compileFunctions(*module, compile)
          : compileFor(getTargetKind(options.target), *module, compile);
  if (failed(compiled)) {
    error = "cannot compile: " + errors.getError();
    return nullptr;
  }
  std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
  return std::make_unique<ConvoyKernel>(std::move(*compiled), device,
                                        time.count(), std::move(estimate));
}
