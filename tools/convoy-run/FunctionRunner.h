//===- FunctionRunner.h - Runs a function of an IR file ---------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TOOLS_CONVOY_RUN_FUNCTIONRUNNER_H
#define CONVOY_TOOLS_CONVOY_RUN_FUNCTIONRUNNER_H

#include "Runner.h"

#include "convoy/Driver/CheckFunction.h"
#include "convoy/Driver/Specialize.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::convoy {

/// Compiles one function, of an IR file or made of a problem, for all targets
/// and runs it.
class FunctionRunner {
public:
  /// `problem` is what the function was made of, or null.
  FunctionRunner(Compiler &compiler, const Options &options,
                 ArrayRef<OpenTarget> targets, Report &report,
                 const ::convoy::AnyProblem *problem = nullptr)
      : compiler(compiler), options(options), targets(targets), report(report),
        problem(problem), source(problem ? toString(*problem) : options.input) {
  }

  /// Runs `given`, which is a function as it was written.
  void run(func::FuncOp given);

private:
  /// One run of the function.
  struct Case {
    std::string name;
    std::vector<std::string> words; ///< the same on a command line
    ::convoy::DataKind data = ::convoy::DataKind::Normal;
    /// The user's values; empty where data is generated.
    std::vector<::convoy::HostArray> inputs;
    ArgumentShapes shapes;
    /// Of a problem that is a convolution, with the sizes of this run.
    std::optional<::convoy::Problem> problem;
    std::optional<CheckedConv> conv;
    std::vector<std::optional<std::vector<int64_t>>> resultShapes;
  };

  /// Always false.
  bool fail(const std::string &sentence, ExitCode code = ExitCode::BadInput) {
    report.addError(sentence, code);
    return false;
  }
  /// Raises the convolutions of a module that has nothing but what `given`
  /// needs.
  bool import(func::FuncOp given);
  /// What the run on such arguments of these dynamic sizes is called.
  std::string getCaseName(ArrayRef<int64_t> sizes, ::convoy::DataKind data);
  /// Adds the case of that run, of which `fileCase` has all but the words.
  void addCase(Case fileCase, ArrayRef<int64_t> sizes, ::convoy::DataKind data);
  /// The cases that the options ask for.
  bool makeCases();
  /// Fills in the shapes of arguments whose dynamic sizes are `sizes`.
  bool fillShapes(ArrayRef<int64_t> sizes, Case &fileCase);
  /// The same for a convolution, whose sizes are those of its letters.
  bool fillShapes(const ::convoy::Problem &conv, ArrayRef<int64_t> sizes,
                  Case &fileCase);
  /// Finds out what the function computes on the shapes of `fileCase`.
  bool analyze(Case &fileCase);
  /// How its kernels are checked.
  CheckOptions getOptions(const Case &fileCase);
  /// Data for the arguments of `fileCase`; nothing with a sentence in `error`.
  std::optional<std::vector<::convoy::HostArray>> generate(const Case &fileCase,
                                                           std::string &error);
  /// Keeps `inputs` in the ranges that the function declares.
  bool keepRanges(const CheckOptions &check,
                  std::vector<::convoy::HostArray> &inputs);
  bool prepareArguments(const KernelInterface &kernel, const Case &fileCase,
                        std::vector<::convoy::HostArray> &arguments);
  /// Compiles the function for all targets.
  void compile();
  CaseResult makeResult(const Case &fileCase, const OpenTarget &target);
  /// The results of the function on the values or the data of `fileCase`.
  std::vector<CheckResult>
  check(ArrayRef<LoadedKernel> kernels, const Case &fileCase,
        const std::vector<::convoy::HostArray> &arguments);
  /// Runs the kernels of each target again, as often as they should.
  void repeat(const std::vector<::convoy::HostArray> &arguments,
              std::vector<CheckResult> &results);
  /// Compares what was returned with the function as it was written.
  void compare(ArrayRef<LoadedKernel> kernels,
               const std::vector<::convoy::HostArray> &arguments,
               const CheckOptions &checkOptions,
               std::vector<CheckResult> &results);
  /// The values that `result`, which `kernel` gave, has traced.
  ::convoy::NamedArrays takeTraces(const KernelInterface &kernel,
                                   CheckResult &result);
  void runCase(const Case &fileCase);

  Compiler &compiler;
  const Options &options;
  ArrayRef<OpenTarget> targets;
  Report &report;
  const ::convoy::AnyProblem *problem;
  std::string source; ///< the IR file or the problem
  func::FuncOp given; ///< the function as it was written
  OwningOpRef<ModuleOp> module;
  func::FuncOp function; ///< of `module`
  std::string functionName;
  std::vector<Case> cases;
  std::vector<ThreadModules> compiled; ///< for each target
  std::vector<LoadedKernel> kernels;   ///< the function's that count, likewise
  /// Likewise, `module` with the algorithms that kernels use; null where these
  /// sum products.
  std::vector<OwningOpRef<ModuleOp>> algorithms;
  /// Targets for which it did not compile, or whose device refused it.
  std::vector<std::pair<const OpenTarget *, LoadFailure>> failures;
};

} // namespace mlir::convoy

#endif // CONVOY_TOOLS_CONVOY_RUN_FUNCTIONRUNNER_H
