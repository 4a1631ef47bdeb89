//===- Runner.h - Runs problems and IR files --------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TOOLS_CONVOY_RUN_RUNNER_H
#define CONVOY_TOOLS_CONVOY_RUN_RUNNER_H

#include "CommandLine.h"
#include "Report.h"

#include "convoy/Certify/CertifyEach.h"
#include "convoy/Driver/CheckRepeats.h"
#include "convoy/Driver/Compile.h"
#include "convoy/Driver/Import.h"
#include "convoy/Runtime/Npz.h"

#include <map>
#include <memory>

namespace mlir::convoy {

/// A target that this machine has.
struct OpenTarget {
  std::string name; ///< as the user gave it
  ::convoy::Device device;
};

/// Compiles as the user asked.
class Compiler {
public:
  explicit Compiler(const Options &options);

  MLIRContext *getContext() { return &context; }
  FirstErrorHandler &getErrors() { return errors; }

  /// Adds what the user wants to see of each pass; files are named `name`.
  LogicalResult configure(PassManager &pm, StringRef name);
  /// Compiles all functions of `module` for `target`, to run in `threads`
  /// threads. The first error is kept by getErrors().
  FailureOr<CompiledModule> compile(const OpenTarget &target, int threads,
                                    ModuleOp module, StringRef name);
  /// `module`, which was compiled for `target`, with the algorithms of its
  /// convolutions; null where kernels sum products.
  OwningOpRef<ModuleOp> chooseAlgorithms(const OpenTarget &target,
                                         ModuleOp module);
  /// What the tool ends with if that failed.
  ExitCode getFailureCode() const { return changes.getFailureCode(); }

private:
  std::string getStem(StringRef name);

  const Options &options;
  MLIRContext context;
  FirstErrorHandler errors;
  CertifiedChanges changes;          ///< of the module compiled last
  std::map<std::string, int> stages; ///< written with each stem
};

/// What was compiled for one target, on its device.
struct TargetModule {
  TargetModule(const OpenTarget &target, CompiledModule compiled,
               double compileSeconds)
      : target(target), compiled(std::move(compiled)),
        loaded(this->compiled, target.device), compileSeconds(compileSeconds) {}

  const OpenTarget &target;
  CompiledModule compiled;
  LoadedModule loaded;
  double compileSeconds;
};

/// Why there is no module on a device.
struct LoadFailure {
  std::string error;
  ExitCode code = ExitCode::BadInput;
};

/// A target's module for each number of threads, the first of which counts.
using ThreadModules = std::vector<std::unique_ptr<TargetModule>>;

/// Compiles what `makeModule` gives for each number of threads of `target`, and
/// loads it. Empty, with what is wrong in `failure`, where that fails.
ThreadModules
compileForThreads(Compiler &compiler, const Options &options,
                  const OpenTarget &target,
                  function_ref<OwningOpRef<ModuleOp>()> makeModule,
                  StringRef name, LoadFailure &failure);

/// Runs `kernels`, one for each number of threads, as often as the options say.
/// What differs from `result`, which the first gave, is a fault of it.
void repeatKernels(const Options &options, PlaceNamer getPlace,
                   ArrayRef<LoadedKernel> kernels,
                   const std::vector<::convoy::HostArray> &arguments,
                   CheckResult &result);

/// Runs INPUT on all `targets`, on equal data. A file is read where there is
/// none, too: what is wrong with it counts more.
void runProblems(Compiler &compiler, const Options &options,
                 ArrayRef<OpenTarget> targets,
                 const std::vector<::convoy::AnyProblem> &problems,
                 Report &report);
void runFile(Compiler &compiler, const Options &options,
             ArrayRef<OpenTarget> targets, Report &report);

/// The arrays of `--input`, or nothing after an error in `report`.
std::optional<std::vector<::convoy::HostArray>>
readInputs(const Options &options, Report &report);

/// Checks that `inputs` fit the kernel's arguments and puts the arrays of its
/// results behind them. `conv` says which bytes are unsigned, if not null.
/// `resultShapes` has the shapes of results whose types have dynamic sizes, and
/// nothing for those that are not known.
bool arrangeArguments(
    const KernelInterface &kernel, const CheckedConv *conv,
    std::vector<::convoy::HostArray> inputs,
    ArrayRef<std::optional<std::vector<int64_t>>> resultShapes,
    std::vector<::convoy::HostArray> &arguments, std::string &error);

/// What `name`, a file or a traced value, is called for `target`: where there
/// are several targets, it lies in a folder of the target's name.
std::string getNameOnTarget(const Options &options, StringRef target,
                            const std::string &name);

/// Whether `--output` is given as often as there are results, or never; says so
/// in `report` otherwise.
bool checkOutputs(const Options &options, size_t count, Report &report);

/// Prints results of `target` or writes them to files, as `--output` says.
void writeOutputs(const Options &options, StringRef target,
                  ArrayRef<::convoy::HostArray> results, Report &report);

/// `--sizes=2,9`
std::string getSizesOption(ArrayRef<int64_t> sizes);

/// ` --data=int` where `options` ask for several kinds, else nothing.
std::string getDataWord(const Options &options, ::convoy::DataKind data);

/// Writes `values`, by these names, to the files that `--trace-dir` asks for.
void writeTraces(const Options &options, const ::convoy::NamedArrays &values,
                 Report &report);

/// How checks run.
CheckOptions getCheckOptions(const Options &options, ::convoy::DataKind data);

} // namespace mlir::convoy

#endif // CONVOY_TOOLS_CONVOY_RUN_RUNNER_H
