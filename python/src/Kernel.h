//===- Kernel.h - A compiled problem that Python calls ----------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_PYTHON_SRC_KERNEL_H
#define CONVOY_PYTHON_SRC_KERNEL_H

#include "HostKernel.h"
#include "Problems.h"

#include "convoy/Certify/CertifyEach.h"
#include "convoy/Driver/ArgumentRanges.h"
#include "convoy/Driver/CheckProblem.h"
#include "convoy/Driver/Compile.h"
#include "convoy/Driver/Import.h"
#include "convoy/Driver/KernelFiles.h"

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace convoy::python {

/// What was proved of a kernel's way from its problem to tiles.
struct KernelCertificate {
  mlir::convoy::Certificate::Verdict verdict;
  std::string text; ///< one sentence
  unsigned numChanges = 0;
  double seconds = 0; ///< spent on all proofs
};

/// How a kernel is compiled: for which target and CPU, with what tiles, in how
/// many threads.
struct KernelSettings {
  std::string target, cpu;
  int threads = 1;
  std::optional<std::string> tile; ///< as in `6x4`
  std::string precision;           ///< the policy of convolutions
  std::string algorithm;           ///< of convolutions, on the CPU
  std::string triple; ///< as in LLVM's -mtriple; empty for this machine
  /// What numbers arguments hold, as in `input=-8:8:0.125`, and as in
  /// `input=x.npy`.
  std::vector<std::string> ranges, calibrations;
};

/// Which files a kernel is written to; empty where not asked for.
struct SavedFiles {
  std::string output, header, manifest;
  std::optional<std::string> emit, name;
  bool certify = false;
  bool deep = false; ///< with a certificate of runs on random integers
};

/// Checks `files` and says what is to be written for a target of the kind
/// `kind`. Throws.
mlir::convoy::KernelFileOptions getFileOptions(const std::string &kind,
                                               const SavedFiles &files);

/// A problem, compiled for a target and loaded onto its device, unless that is
/// a CPU of another machine. Threads may use it at once: on the CPU their calls
/// run at once, on other devices in turn.
class Kernel {
public:
  /// Compiles `problem`. Throws.
  Kernel(const AnyProblem &problem, const KernelSettings &settings);

  const AnyProblem &getProblem() const { return problem; }
  const std::string &getTarget() const { return target; }
  /// The architecture and the system of a kernel for CPUs, else nothing.
  std::string getTriple() const;
  /// What its compiler warned of.
  const std::vector<std::string> &getWarnings() const { return warnings; }
  /// How it was tiled, a line for each remark.
  const std::vector<std::string> &getRemarks() const { return remarks; }
  int64_t getCodeBytes() const { return compiled->getCodeBytes(); }
  int64_t getWorkspaceBytes() const;

  /// Runs it: on the CPU in place, elsewhere on copies between guard zones.
  /// Throws.
  void launch(const Addresses &addresses);
  /// Runs it on generated data and compares with the reference. Throws.
  mlir::convoy::CheckResult check(const std::string &data, uint64_t seed);
  /// Proves what its passes do. Throws.
  KernelCertificate certify() const;
  /// Compiles it into files. Throws.
  void save(const SavedFiles &files) const;

private:
  void compile();
  mlir::convoy::CheckResult checkConv(const Problem &conv,
                                      const mlir::convoy::CheckOptions &checks);
  /// The same where the problem is no convolution, or ranges decide its sums.
  mlir::convoy::CheckResult checkFunction(mlir::convoy::CheckOptions checks);
  /// Its data for `function`, in the declared ranges; the result is the last.
  std::vector<HostArray>
  generateFor(mlir::func::FuncOp function,
              const mlir::convoy::CheckOptions &checks) const;
  /// The problem as a function `symbol` with the declared ranges. Throws.
  mlir::OwningOpRef<mlir::ModuleOp> build(mlir::MLIRContext *context,
                                          const std::string &symbol) const;
  void launchOnCopies(const Addresses &addresses);
  mlir::convoy::LoadedKernel getLoaded() const {
    return {*loaded, compiled->getKernels().front()};
  }
  bool isOnCPU() const { return kind == "cpu"; }
  /// Whether it is for a CPU or a system that this machine does not have.
  bool isForOther() const { return !otherMachine.empty(); }
  /// Throws where this machine cannot run it.
  void checkRunsHere() const;

  AnyProblem problem;
  std::vector<Argument> arguments;
  std::string target, kind; ///< as in `vulkan:1`, and `vulkan`
  mlir::convoy::CompileOptions options;
  std::string otherMachine; ///< which it is for, unless this one runs it
  std::vector<mlir::convoy::ArgumentRange> ranges;
  std::vector<std::string> warnings, remarks;
  /// Holds the types in the kernel's interface.
  std::unique_ptr<mlir::MLIRContext> context;
  Device device;
  std::optional<mlir::convoy::CompiledModule> compiled;
  std::optional<mlir::convoy::LoadedModule> loaded;
  std::optional<HostKernel> hostKernel; ///< on the CPU
  std::vector<size_t> sizes;            ///< bytes of each argument
  std::mutex mutex; ///< of devices that one thread uses at a time
};

} // namespace convoy::python

#endif // CONVOY_PYTHON_SRC_KERNEL_H
