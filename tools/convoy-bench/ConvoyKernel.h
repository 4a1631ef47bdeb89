//===- ConvoyKernel.h - Our kernel of a problem -----------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TOOLS_CONVOY_BENCH_CONVOYKERNEL_H
#define CONVOY_TOOLS_CONVOY_BENCH_CONVOYKERNEL_H

#include "CommandLine.h"
#include "Measure.h"
#include "TileEstimate.h"

#include "convoy/Driver/CheckFunction.h"
#include "convoy/Driver/CheckedConv.h"
#include "convoy/Driver/Compile.h"
#include "convoy/Driver/Import.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace mlir::convoy {

/// Our kernel, compiled, with its buffers.
class ConvoyKernel {
public:
  /// `device` outlives this.
  ConvoyKernel(CompiledModule compiled, const ::convoy::Device &device,
               double compileSeconds, TileEstimate estimate)
      : compiled(std::move(compiled)), compileSeconds(compileSeconds),
        estimate(std::move(estimate)), loaded(this->compiled, device),
        kernel{loaded, this->compiled.getKernels().front()} {}

  /// Makes the buffers, so many times that they have `rotatedBytes`; one
  /// sentence where that fails. `arguments` outlives this.
  std::optional<std::string>
  prepare(const std::vector<::convoy::HostArray> &arguments,
          int64_t rotatedBytes = 0);
  /// Runs once on poisoned results; what is wrong with them, as one sentence,
  /// or nothing.
  std::optional<std::string>
  check(const CheckedConv &conv,
        const std::vector<::convoy::HostArray> &arguments,
        const ::convoy::ReferenceResult &reference);
  /// The same of what `reference` gives for `inputs`.
  std::optional<std::string>
  check(FunctionReference &reference,
        const std::vector<::convoy::HostArray> &inputs, bool isOnVulkan);
  /// For timing by the host's clock, or the device's, as long as this lives.
  std::unique_ptr<::convoy::Timed> getTimed(bool byDevice = false);

  /// Empty where it is not for the CPU.
  const TileEstimate &getEstimate() const { return estimate; }
  /// Results of a tile along each spatial dimension where Winograd's algorithm
  /// computes them; else empty.
  std::vector<int64_t> getWinogradTile() const {
    return mlir::convoy::getWinogradTile(kernel.interface);
  }
  double getCompileSeconds() const { return compileSeconds; }
  int64_t getCodeBytes() const { return compiled.getCodeBytes(); }
  int64_t getWorkspaceBytes() const { return run->getWorkspaceBytes(); }

private:
  /// Runs once; what was wrong before numbers are looked at, or nothing.
  std::optional<std::string>
  runPoisoned(std::vector<::convoy::HostArray> &results,
              ::convoy::TargetArithmetic &arithmetic);

  /// Runs on all copies; what is wrong with the last one's results, where
  /// `results` are the first one's, or nothing.
  std::optional<std::string>
  compareCopies(const std::vector<::convoy::HostArray> &results);

  CompiledModule compiled;
  double compileSeconds;
  TileEstimate estimate;
  LoadedModule loaded;
  LoadedKernel kernel;
  std::optional<KernelRun> run;
};

/// Compiles problems as the user asked.
class KernelCompiler {
public:
  explicit KernelCompiler(const Options &options);

  /// Opens the user's target, and looks whether it can be compiled for.
  ::convoy::Status openTarget();
  /// What that target promises.
  ::convoy::TargetArithmetic getArithmetic() const { return arithmetic; }
  /// What the target's device is called; "" of the CPU.
  std::string getDeviceName() const { return device.description(); }

  /// A kernel that runs in `threads`, by the register tiles that `candidate`
  /// others are estimated to be faster than. Null and one sentence in `error`
  /// where the problem cannot be compiled.
  std::unique_ptr<ConvoyKernel> compile(const ::convoy::AnyProblem &problem,
                                        int threads, int candidate,
                                        std::string &error);

  /// `problem` as a function whose convolutions sum as its kernel's do, in the
  /// ranges of its arguments that are known. Null and one sentence in `error`
  /// where that fails.
  OwningOpRef<ModuleOp> buildReference(const ::convoy::AnyProblem &problem,
                                       std::string &error);

  MLIRContext *getContext() { return &context; }

private:
  /// `problem` as a function that declares these ranges.
  OwningOpRef<ModuleOp> build(const ::convoy::AnyProblem &problem,
                              std::string &error);

  const Options &options;
  MLIRContext context;
  FirstErrorHandler errors;
  ::convoy::Device device;
  ::convoy::TargetArithmetic arithmetic;
};

} // namespace mlir::convoy

#endif // CONVOY_TOOLS_CONVOY_BENCH_CONVOYKERNEL_H
