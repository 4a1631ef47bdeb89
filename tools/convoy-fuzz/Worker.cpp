//===- Worker.cpp - Tries cases in a process of its own ---------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Worker.h"

#include "Outcome.h"

#include "convoy/Driver/ArgumentRanges.h"
#include "convoy/Driver/CheckFunction.h"
#include "convoy/Driver/CheckProblem.h"
#include "convoy/Driver/Compile.h"
#include "convoy/Driver/FunctionInputs.h"
#include "convoy/Driver/Import.h"
#include "convoy/Driver/ProblemInputs.h"
#include "convoy/Driver/RunKernel.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <iostream>
#include <map>

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::FuzzCase;
using ::convoy::HostArray;
using ::convoy::Verdict;

static constexpr StringRef kFunctionName = "conv0";

namespace {
/// Compiles and runs one case after the other.
class CaseWorker {
public:
  explicit CaseWorker(ModuleHook hook) : hook(hook), registry(makeRegistry()) {}

  Outcome answer(StringRef request, const FuzzCase &fuzzCase, bool survey);

private:
  Outcome tile(const FuzzCase &fuzzCase, const ::convoy::Device &device);
  Outcome run(const FuzzCase &fuzzCase, const ::convoy::Device &device,
              bool survey);
  /// Null where an error is reported.
  OwningOpRef<ModuleOp> build(const FuzzCase &fuzzCase,
                              const CompileOptions &options);
  void renewContext();

  ModuleHook hook;
  DialectRegistry registry;
  std::unique_ptr<MLIRContext> context;
  int64_t contextUses = 0;
  std::map<std::string, ::convoy::Device> devices;
};

/// Collects remarks, as long as it is there.
class RemarkHandler : public ScopedDiagnosticHandler {
public:
  explicit RemarkHandler(MLIRContext *context)
      : ScopedDiagnosticHandler(context) {
    setHandler([this](Diagnostic &diagnostic) {
      if (diagnostic.getSeverity() != DiagnosticSeverity::Remark)
        return failure();
      remarks.push_back(diagnostic.str());
      return success();
    });
  }

  std::vector<std::string> remarks;
};
} // namespace

/// A context keeps every type and attribute that it has ever seen.
void CaseWorker::renewContext() {
  constexpr int64_t UsesOfContext = 64;
  if (contextUses++ % UsesOfContext == 0)
    context = std::make_unique<MLIRContext>(registry,
                                            MLIRContext::Threading::DISABLED);
}

static CompileOptions getOptions(const FuzzCase &fuzzCase,
                                 const ::convoy::Device &device) {
  CompileOptions options;
  options.threads = fuzzCase.threads;
  options.packedFilters = fuzzCase.packedFilters;
  options.optLevel = unsigned(fuzzCase.optLevel);
  options.machine.tile.assign(fuzzCase.tile.begin(), fuzzCase.tile.end());
  options.precision = fuzzCase.precision;
  options.algorithm = fuzzCase.algorithm;
  options.scalarsInMemory = true;
  options.explain = true;
  options.explainRewrites = true;
  setDevice(options, device);
  return options;
}

/// Whether `error` says that there are no tiles of the form that is asked for,
/// or that the device takes no such batch or no such long loops: no faults.
static bool isLimit(StringRef error) {
  static constexpr StringRef Texts[] = {
      "has no tile of", "takes a batch of at most",
      "iterations of loops, but only the first"};
  return llvm::any_of(Texts,
                      [&](StringRef text) { return error.contains(text); });
}

/// Says why the case was not compiled.
static void describeFailure(const std::string &error, Outcome &outcome) {
  outcome.kind =
      isLimit(error) ? OutcomeKind::Refused : OutcomeKind::NotCompiled;
  outcome.text = error;
}

OwningOpRef<ModuleOp> CaseWorker::build(const FuzzCase &fuzzCase,
                                        const CompileOptions &options) {
  std::vector<ArgumentRange> ranges;
  for (const ::convoy::CaseRange &range : fuzzCase.ranges)
    ranges.push_back(
        {range.argument, "", {range.low, range.high, range.least}});
  std::string error;
  OwningOpRef<ModuleOp> module =
      buildRangedModule(context.get(), *getProblem(fuzzCase),
                        std::string(kFunctionName), ranges, error);
  if (!module) {
    emitError(UnknownLoc::get(context.get())) << error;
    return nullptr;
  }
  if (hook)
    hook(*module, fuzzCase.problem);
  // What is right depends on the types that ranges let sums have.
  bool isLowered =
      ranges.empty() || (succeeded(importModule(*module)) &&
                         succeeded(applyPrecision(*module, options)));
  return isLowered ? std::move(module) : nullptr;
}

Outcome CaseWorker::tile(const FuzzCase &fuzzCase,
                         const ::convoy::Device &device) {
  FirstErrorHandler errors(context.get());
  RemarkHandler remarks(context.get());
  CompileOptions options = getOptions(fuzzCase, device);
  OwningOpRef<ModuleOp> module = build(fuzzCase, options);
  LogicalResult result = failure();
  if (module)
    result = lowerToTilesFor(getTargetKind(fuzzCase.target), *module, options);
  Outcome outcome;
  outcome.remarks = std::move(remarks.remarks);
  if (failed(result))
    describeFailure(errors.getError(), outcome);
  return outcome;
}

/// What a check found.
static void describe(const CheckResult &result, Outcome &outcome) {
  bool isRefused = isLimit(result.error);
  if (!result.report.refusal.empty() || isRefused) {
    outcome.kind = OutcomeKind::Refused;
    outcome.text = isRefused ? result.error : result.report.refusal;
  } else if (!result.error.empty() || !result.faults.empty()) {
    outcome.kind = OutcomeKind::Fault;
    outcome.text =
        result.error.empty() ? llvm::join(result.faults, "; ") : result.error;
  } else {
    Verdict verdict = result.report.verdict();
    outcome.verdict = ::convoy::verdictName(verdict);
    if (verdict == Verdict::Wrong)
      outcome.kind = OutcomeKind::Wrong;
    else if (verdict == Verdict::Suspicious)
      outcome.kind = OutcomeKind::Suspicious;
    if (outcome.isFinding())
      outcome.text = ::convoy::toString(result.report);
    if (result.report.survey)
      outcome.errors = result.report.survey->histogram;
  }
}

/// Lets `outcome` be that of the runs before it and of `run`.
static void add(Outcome run, Outcome &outcome) {
  if (outcome.errors && run.errors)
    run.errors->merge(*outcome.errors);
  else if (outcome.errors)
    run.errors = outcome.errors;
  run.remarks = std::move(outcome.remarks);
  // What was compared counts more than what could not be.
  bool isLess = run.verdict.empty() || outcome.verdict == "explained";
  if (!run.isFinding() && isLess && !outcome.verdict.empty()) {
    run.kind = outcome.kind;
    run.verdict = outcome.verdict;
    run.text = outcome.text;
  }
  outcome = std::move(run);
}

/// Runs a kernel of what is no convolution alone, and compares it with what an
/// interpreter makes of `function`, whose arguments may declare ranges.
static Outcome runFunction(const FuzzCase &fuzzCase, func::FuncOp function,
                           const LoadedKernel &kernel, bool survey) {
  Outcome outcome;
  std::optional<std::vector<HostArray>> arguments =
      generateProblemInputs(*getProblem(fuzzCase), function, fuzzCase.data,
                            fuzzCase.seed, outcome.text);
  CheckOptions check;
  check.data = fuzzCase.data;
  check.seed = fuzzCase.seed;
  noteDeclaredRanges(function, check);
  if (!arguments ||
      !keepDeclaredRanges(function, *arguments, check, outcome.text)) {
    outcome.kind = OutcomeKind::Fault;
    return outcome;
  }
  for (Type type : function.getResultTypes()) {
    auto tensor = cast<RankedTensorType>(type);
    arguments->emplace_back(*getScalarType(tensor.getElementType()),
                            tensor.getShape().vec());
  }
  CheckResult result = runUncompared(kernel, *arguments, /*runs=*/1);
  if (result.error.empty() && result.faults.empty())
    result.report =
        FunctionReference(function, check.hasRandomSigns())
            .compare(*arguments, result.results,
                     {result.arithmetic, isVulkan(kernel.getTarget())}, survey);
  describe(result, outcome);
  return outcome;
}

/// Runs the kernel of a convolution whose arguments declare ranges, and
/// compares it as convoy-run does: `function` has the types that it sums in.
static Outcome runRanged(const FuzzCase &fuzzCase, func::FuncOp function,
                         const LoadedKernel &kernel, bool survey) {
  CheckOptions check;
  check.data = fuzzCase.data;
  check.seed = fuzzCase.seed;
  check.threads = 1;
  check.survey = survey;
  noteDeclaredRanges(function, check);
  CheckedConv described = describeProblem(fuzzCase.problem);
  std::string reason;
  std::optional<CheckedConv> conv = matchConvolution(function, reason);
  std::vector<HostArray> arguments =
      generateArguments(conv ? *conv : described, check);
  for (auto [array, shape] : llvm::zip_equal(arguments, described.shapes))
    array.shape = shape;
  Outcome outcome;
  if (!keepDeclaredRanges(function, arguments, check, outcome.text)) {
    outcome.kind = OutcomeKind::Fault;
    return outcome;
  }
  CheckResult result =
      conv ? checkKernels(*conv, kernel, arguments, check).front()
           : runUncompared(kernel, arguments, /*runs=*/1);
  if (!conv && result.error.empty() && result.faults.empty())
    result.report =
        FunctionReference(function, check.hasRandomSigns())
            .compare(arguments, result.results,
                     {result.arithmetic, isVulkan(kernel.getTarget())}, survey);
  describe(result, outcome);
  return outcome;
}

/// Runs the kernel on all sizes of the case, up to a finding.
static void runAll(const FuzzCase &fuzzCase, const LoadedKernel &kernel,
                   bool survey, Outcome &outcome) {
  CheckOptions check;
  check.data = fuzzCase.data;
  check.seed = fuzzCase.seed;
  check.threads = 1;
  check.survey = survey;
  for (const ::convoy::Problem &problem : getRuns(fuzzCase)) {
    Outcome run;
    describe(checkProblem(problem, kernel, check), run);
    add(std::move(run), outcome);
    if (outcome.isFinding())
      return;
  }
}

Outcome CaseWorker::run(const FuzzCase &fuzzCase,
                        const ::convoy::Device &device, bool survey) {
  FirstErrorHandler errors(context.get());
  RemarkHandler remarks(context.get());
  CompileOptions options = getOptions(fuzzCase, device);
  OwningOpRef<ModuleOp> module = build(fuzzCase, options), given;
  FailureOr<CompiledModule> compiled = failure();
  if (module) {
    given = module->clone();
    compiled = compileFor(getTargetKind(fuzzCase.target), *module, options);
  }
  Outcome outcome;
  outcome.remarks = std::move(remarks.remarks);
  if (failed(compiled)) {
    describeFailure(errors.getError(), outcome);
    return outcome;
  }
  LoadedModule loaded(*compiled, device);
  if (::convoy::Status status = loaded.load(); !status.ok()) {
    outcome.kind = OutcomeKind::Fault;
    outcome.text = status.text;
    return outcome;
  }
  LoadedKernel kernel{loaded, compiled->getKernels().front()};
  auto getFunction = [&] {
    return given->lookupSymbol<func::FuncOp>(kFunctionName);
  };
  if (fuzzCase.op != ::convoy::FuzzOp::Convolution)
    add(runFunction(fuzzCase, getFunction(), kernel, survey), outcome);
  else if (!fuzzCase.ranges.empty())
    add(runRanged(fuzzCase, getFunction(), kernel, survey), outcome);
  else
    runAll(fuzzCase, kernel, survey, outcome);
  return outcome;
}

Outcome CaseWorker::answer(StringRef request, const FuzzCase &fuzzCase,
                           bool survey) {
  auto [entry, isNew] = devices.try_emplace(fuzzCase.target);
  if (isNew)
    if (::convoy::Status status = openTarget(fuzzCase.target, entry->second);
        !status.ok()) {
      devices.erase(entry);
      return {OutcomeKind::NoDevice, status.text, "", {}};
    }
  renewContext();
  if (request == "tile")
    return tile(fuzzCase, entry->second);
  return request == "run" ? run(fuzzCase, entry->second, survey) : Outcome();
}

int mlir::convoy::serveCases(ModuleHook hook) {
  CaseWorker worker(hook);
  for (std::string line; std::getline(std::cin, line);) {
    llvm::Expected<llvm::json::Value> request = llvm::json::parse(line);
    std::optional<FuzzCase> fuzzCase;
    if (request && request->getAsObject())
      fuzzCase = readCase(*request->getAsObject());
    if (!fuzzCase) {
      llvm::consumeError(request.takeError());
      llvm::errs() << "convoy-fuzz: expected a case, but got '" << line
                   << "'\n";
      return 1;
    }
    const llvm::json::Object &object = *request->getAsObject();
    Outcome outcome =
        worker.answer(object.getString("do").value_or(""), *fuzzCase,
                      object.getBoolean("survey").value_or(false));
    llvm::outs() << llvm::json::Value(toJSON(outcome)) << '\n';
    llvm::outs().flush();
  }
  return 0;
}
