//===- BisectMain.cpp - Names the pass that is at fault ---------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BisectMain.h"

#include "CommandLine.h"
#include "Report.h"

#include "convoy/Bisect/ReduceModule.h"
#include "convoy/Bisect/ShrinkProblem.h"
#include "convoy/Driver/Import.h"
#include "convoy/Driver/KernelSymbols.h"
#include "convoy/Driver/StartTool.h"
#include "convoy/Driver/Traces.h"
#include "convoy/InitAll.h"
#include "convoy/Runtime/FileIO.h"
#include "convoy/Target/CPUTarget.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/InitAllPasses.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Path.h"

#include <chrono>
#include <span>

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::ExitCode;

/// Prints one line; returns the exit code.
static ExitCode failTool(StringRef sentence,
                         ExitCode code = ExitCode::BadInput) {
  llvm::errs() << "convoy-bisect: " << sentence << '\n';
  return code;
}

namespace {
/// Searches for all inputs of a command line.
class BisectTool {
public:
  explicit BisectTool(const Options &options)
      : options(options),
        context(makeRegistry(), MLIRContext::Threading::DISABLED),
        errors(&context) {}

  ExitCode run();

private:
  ExitCode runFile();
  ExitCode runProblems();
  /// Searches, and again with what is smaller where a pass is at fault, in a
  /// module that `input` is, a file or `problem`.
  ExitCode runModule(OwningOpRef<ModuleOp> module, const std::string &input,
                     const ::convoy::AnyProblem *problem = nullptr);
  ExitCode runProblem(const ::convoy::Problem &problem);
  /// The same for a problem that is no convolution.
  ExitCode runOther(const ::convoy::AnyProblem &problem);
  /// Lets convolutions of `module` sum as `--precision`, `--target-error` and
  /// `--algorithm` say: what is right depends on it, so that no pass is at
  /// fault for that.
  LogicalResult applyNumerics(ModuleOp module);
  /// A function that computes `problem`, as it is to be lowered; null after one
  /// sentence in `error`.
  OwningOpRef<ModuleOp> build(const ::convoy::AnyProblem &problem);
  /// What comes of `module`, which runs on `sizes` and data of `other`, if that
  /// is not null, or of `problem`; nothing, with one sentence in `error`, where
  /// its pipeline does not run.
  std::optional<BisectResult>
  search(ModuleOp module, ArrayRef<int64_t> sizes,
         const ::convoy::AnyProblem *other = nullptr);
  std::optional<BisectResult> search(const ::convoy::Problem &problem);
  /// Whether to look for something smaller than what gave `result`.
  bool canShrink(const BisectResult &result);
  /// Whether there is time left and `other` finds the same fault, which becomes
  /// the result then.
  bool findsAgain(BisectResult &result,
                  function_ref<std::optional<BisectResult>()> other);
  ExitCode report(const Finding &finding);
  ExitCode writeJSON();

  const Options &options;
  MLIRContext context;
  FirstErrorHandler errors;
  std::string error;
  llvm::json::Array findings;
  unsigned numReported = 0;
  std::chrono::steady_clock::time_point shrinkEnd;
};
} // namespace

ExitCode BisectTool::report(const Finding &finding) {
  if (options.json != "-")
    printFinding(finding, options);
  if (!options.json.empty())
    findings.push_back(toJSON(finding, options));
  std::string stem = options.isFile()
                         ? llvm::sys::path::stem(options.input).str()
                         : "problem" + std::to_string(numReported);
  ++numReported;
  if (!options.folder.empty() && !writeSides(finding, options, stem, error))
    return failTool(error);
  return getExitCode(finding.result.kind);
}

LogicalResult BisectTool::applyNumerics(ModuleOp module) {
  const CompileOptions &compile = options.bisect.compile;
  if (compile.precision == "normal" && compile.targetError == 0 &&
      compile.algorithm == "direct")
    return success();
  if (options.isFile() && failed(importModule(module)))
    return failure();
  return success(succeeded(applyPrecision(module, compile)) &&
                 succeeded(applyAlgorithms(options.target, module, compile)));
}

ExitCode BisectTool::runFile() {
  OwningOpRef<ModuleOp> module = readModule(&context, options.input);
  // As in other tools, traces are those of functions that nothing calls.
  if (!module || failed(chooseTraces(*module, {})))
    return failTool(errors.getError());
  if (!declareRanges(*module, options.ranges, error))
    return failTool(error);
  if (failed(applyNumerics(*module)))
    return failTool(errors.getError());
  return runModule(std::move(module), options.input);
}

std::optional<BisectResult>
BisectTool::search(ModuleOp module, ArrayRef<int64_t> sizes,
                   const ::convoy::AnyProblem *other) {
  BisectOptions bisect = options.bisect;
  bisect.problem = other;
  bisect.sizes = sizes.vec();
  return bisectPasses(module, bisect, error);
}

/// The sizes that the arguments of the function of `problem` leave open.
static std::vector<int64_t> getOpenSizes(ModuleOp module,
                                         const ::convoy::Problem &problem) {
  std::vector<int64_t> sizes;
  auto function = *module.getOps<func::FuncOp>().begin();
  for (auto [type, shape] :
       llvm::zip(function.getArgumentTypes(), describeProblem(problem).shapes))
    for (auto [known, size] :
         llvm::zip_equal(cast<RankedTensorType>(type).getShape(), shape))
      if (ShapedType::isDynamic(known))
        sizes.push_back(size);
  return sizes;
}

OwningOpRef<ModuleOp> BisectTool::build(const ::convoy::AnyProblem &problem) {
  bool isConv = std::holds_alternative<::convoy::Problem>(problem);
  OwningOpRef<ModuleOp> module = buildRangedModule(
      &context, problem, isConv ? "conv0" : getStandardName(problem).str(),
      options.ranges, error);
  if (!module)
    return nullptr;
  if (succeeded(applyNumerics(*module)))
    return module;
  error = errors.getError();
  return nullptr;
}

std::optional<BisectResult>
BisectTool::search(const ::convoy::Problem &problem) {
  OwningOpRef<ModuleOp> module = build(problem);
  if (!module)
    return std::nullopt;
  return search(*module, getOpenSizes(*module, problem));
}

static void printWarnings(const BisectResult &result) {
  for (const std::string &warning : result.warnings)
    llvm::errs() << warning << '\n';
}

/// Whether `smaller` shows the fault that `result` is: all its suspects are
/// suspects there.
static bool isSameFault(const BisectResult &result,
                        const BisectResult &smaller) {
  auto isSuspect = [&](const PassRun &run) {
    return llvm::any_of(result.suspects, [&](const PassRun &other) {
      return other.number == run.number;
    });
  };
  return result.kind == smaller.kind && !smaller.suspects.empty() &&
         llvm::all_of(smaller.suspects, isSuspect);
}

bool BisectTool::canShrink(const BisectResult &result) {
  shrinkEnd = std::chrono::steady_clock::now() +
              std::chrono::seconds(options.shrinkSeconds);
  return options.shrinks && getExitCode(result.kind) == ExitCode::WrongNumbers;
}

bool BisectTool::findsAgain(BisectResult &result,
                            function_ref<std::optional<BisectResult>()> other) {
  if (std::chrono::steady_clock::now() > shrinkEnd)
    return false;
  // What passes remark of the input was said once; errors are counted above.
  ScopedDiagnosticHandler silence(&context, [](Diagnostic &diagnostic) {
    return success(diagnostic.getSeverity() != DiagnosticSeverity::Error);
  });
  std::optional<BisectResult> found = other();
  if (!found || !isSameFault(result, *found))
    return false;
  result = std::move(*found);
  return true;
}

ExitCode BisectTool::runModule(OwningOpRef<ModuleOp> module,
                               const std::string &input,
                               const ::convoy::AnyProblem *problem) {
  constexpr unsigned MostTries = 500;
  ArrayRef<int64_t> sizes = options.bisect.sizes;
  std::optional<BisectResult> result = search(*module, sizes, problem);
  if (!result)
    return failTool(input + ": " + error);
  printWarnings(*result);
  Finding finding{input, std::move(*result), ""};
  if (!canShrink(finding.result))
    return report(finding);
  bool isSmaller = false;
  auto hasFault = [&](ModuleOp smaller) {
    bool isSame =
        findsAgain(finding.result, [&] { return search(smaller, sizes); });
    isSmaller |= isSame;
    return isSame;
  };
  module = reduceModule(std::move(module), MostTries, hasFault);
  if (isSmaller)
    llvm::raw_string_ostream(finding.smallest) << *module << '\n';
  return report(finding);
}

ExitCode BisectTool::runProblem(const ::convoy::Problem &problem) {
  constexpr unsigned MostTries = 60;
  std::optional<BisectResult> result = search(problem);
  if (!result)
    return failTool(toString(problem) + ": " + error);
  printWarnings(*result);
  if (!canShrink(*result))
    return report({toString(problem), std::move(*result), ""});
  auto hasFault = [&](const ::convoy::Problem &smaller) {
    return findsAgain(*result, [&] { return search(smaller); });
  };
  ::convoy::Problem smallest = shrinkProblem(problem, MostTries, hasFault);
  return report({toString(smallest), std::move(*result), ""});
}

ExitCode BisectTool::runOther(const ::convoy::AnyProblem &problem) {
  OwningOpRef<ModuleOp> module = build(problem);
  std::string text = toString(problem);
  return module ? runModule(std::move(module), text, &problem)
                : failTool(text + ": " + error);
}

ExitCode BisectTool::runProblems() {
  std::optional<std::vector<::convoy::AnyProblem>> problems =
      readAnyProblems(options.input, options.problemFlags, error);
  if (!problems ||
      !checkProblemRanges(&context, *problems, options.ranges, error))
    return failTool(error);
  auto code = ExitCode::Ok;
  for (const ::convoy::AnyProblem &problem : *problems) {
    const auto *conv = std::get_if<::convoy::Problem>(&problem);
    code = combine(code, conv ? runProblem(*conv) : runOther(problem));
  }
  return code;
}

ExitCode BisectTool::writeJSON() {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << llvm::formatv("{0:2}\n", llvm::json::Value(llvm::json::Object{
                                     {"findings", std::move(findings)}}));
  if (options.json == "-")
    llvm::outs() << text;
  else if (!::convoy::writeFile(
               options.json, std::as_bytes(std::span(text.data(), text.size())),
               error))
    return failTool(error);
  return ExitCode::Ok;
}

ExitCode BisectTool::run() {
  if (std::optional<std::string> reason = checkCPU(options.bisect.compile.cpu))
    return failTool(*reason);
  ExitCode code = options.isFile() ? runFile() : runProblems();
  if (!options.json.empty())
    code = combine(code, writeJSON());
  return code;
}

/// Prints each pass behind its number.
static void printPipeline(StringRef pipeline) {
  std::string error;
  for (auto [number, pass] : llvm::enumerate(*splitPipeline(pipeline, error)))
    llvm::outs() << number + 1 << ' ' << pass << '\n';
}

int mlir::convoy::runBisectMain(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  guardStandardOutput("convoy-bisect");
  mlir::registerAllPasses();
  convoy::registerAllPasses();
  Options options;
  std::string error;
  if (!parseCommandLine(argc, argv, options, error))
    return int(failTool(error));
  if (options.printsPipeline) {
    printPipeline(options.bisect.pipeline);
    return int(ExitCode::Ok);
  }
  return int(BisectTool(options).run());
}
