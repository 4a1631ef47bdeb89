//===- RunStage.cpp - A stage's numbers -------------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FinishStage.h"
#include "InterpretStage.h"
#include "JudgeStage.h"

#include "convoy/Driver/CheckFunction.h"
#include "convoy/Driver/CheckProblem.h"
#include "convoy/Driver/FunctionInputs.h"
#include "convoy/Driver/Memory.h"
#include "convoy/Driver/ProblemInputs.h"
#include "convoy/Driver/Specialize.h"
#include "convoy/Driver/Traces.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::HostArray;

using Kind = StageVerdict::Kind;

namespace {
/// A function of the input, with the data that it runs on.
struct FunctionCase {
  func::FuncOp function; ///< with the sizes that it runs on
  /// The module of `function` where these had to be filled in.
  std::optional<SpecializedFunction> specialized;
  std::optional<CheckedConv> conv; ///< what it is, if it is one convolution
  CheckOptions check;
  bool followsAlgorithms = false;   ///< as FunctionReference does
  std::vector<HostArray> arguments; ///< with its results behind them
};
} // namespace

/// The shape of a tensor or of a number; nothing where it is not known.
static std::optional<std::vector<int64_t>> getShape(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return isa<ShapedType>(type) ? std::nullopt
                                 : std::optional(std::vector<int64_t>());
  if (!tensor.hasStaticShape())
    return std::nullopt;
  return tensor.getShape().vec();
}

/// The shapes of the arguments and the results of `functionCase`, or nothing.
static std::optional<ArgumentShapes> getShapes(FunctionCase &functionCase) {
  ArgumentShapes shapes;
  FunctionType type = functionCase.function.getFunctionType();
  for (Type input : type.getInputs())
    shapes.push_back(getShape(input).value_or(std::vector<int64_t>()));
  for (auto [number, result] : llvm::enumerate(type.getResults())) {
    std::optional<std::vector<int64_t>> shape = getShape(result);
    if (!shape && functionCase.specialized)
      shape = functionCase.specialized->getResultShape(number);
    if (!shape)
      return std::nullopt;
    shapes.push_back(std::move(*shape));
  }
  return shapes;
}

/// Draws the data of `functionCase`, whose arguments and results have `shapes`;
/// false, with one sentence in `error`, where there is none.
static bool drawArguments(FunctionCase &functionCase, ArgumentShapes shapes,
                          const BisectOptions &options, std::string &error) {
  func::FuncOp function = functionCase.function;
  const CheckOptions &check = functionCase.check;
  std::vector<HostArray> &arguments = functionCase.arguments;
  if (functionCase.conv) {
    if (auto shortage = checkMemoryFor(*functionCase.conv, check.compare)) {
      error = *shortage;
      return false;
    }
    arguments = generateArguments(*functionCase.conv, check);
    for (auto [array, shape] : llvm::zip_equal(arguments, shapes))
      array.shape = shape;
    return true;
  }
  ArgumentShapes resultShapes(shapes.begin() + function.getNumArguments(),
                              shapes.end());
  shapes.resize(function.getNumArguments());
  auto inputs = options.problem
                    ? generateProblemInputs(*options.problem, function,
                                            check.data, check.seed, error)
                    : generateInputs(function, shapes, check, error);
  if (!inputs)
    return false;
  arguments = std::move(*inputs);
  for (auto [result, shape] :
       llvm::zip_equal(function.getResultTypes(), resultShapes)) {
    auto type = getScalarType(getElementTypeOrSelf(result));
    if (!type) {
      error = "expected elements of f64, f32, f16, bf16, i8, i16, i32 or i64 "
              "for each result";
      return false;
    }
    arguments.emplace_back(*type, shape);
  }
  return true;
}

/// Fills `sizes` into `functionCase`, where its arguments leave any open;
/// false, with one sentence in `error`, where they do not fit.
static bool fillSizes(FunctionCase &functionCase, ArrayRef<int64_t> sizes,
                      std::string &error) {
  ArgumentShapes shapes;
  size_t expected = fillShapes(functionCase.function, sizes, shapes);
  if (expected == 0)
    return true;
  if (expected != sizes.size()) {
    error = "expected " + std::to_string(expected) +
            " dynamic sizes, to run it, but got " +
            std::to_string(sizes.size());
    return false;
  }
  FailureOr<SpecializedFunction> specialized =
      SpecializedFunction::create(functionCase.function, shapes);
  if (failed(specialized))
    return false;
  functionCase.specialized = std::move(*specialized);
  functionCase.function = functionCase.specialized->get();
  return true;
}

static std::optional<FunctionCase> makeCase(func::FuncOp function,
                                            const BisectOptions &options,
                                            std::string &error) {
  FunctionCase functionCase;
  functionCase.function = function;
  if (!fillSizes(functionCase, options.sizes, error))
    return std::nullopt;
  bool isKnown =
      llvm::all_of(functionCase.function.getArgumentTypes(),
                   [](Type type) { return getShape(type).has_value(); });
  std::optional<ArgumentShapes> shapes = getShapes(functionCase);
  if (!isKnown || !shapes) {
    error = "expected sizes that follow from those of its arguments, to run it";
    return std::nullopt;
  }
  std::string reason;
  functionCase.conv = matchConvolution(functionCase.function, reason);
  functionCase.check = options.check;
  functionCase.followsAlgorithms = options.compile.algorithm != "direct";
  noteDeclaredRanges(functionCase.function, functionCase.check);
  if (!drawArguments(functionCase, std::move(*shapes), options, error) ||
      !keepDeclaredRanges(functionCase.function, functionCase.arguments,
                          functionCase.check, error))
    return std::nullopt;
  return functionCase;
}

/// Compares what `kernel` returns with what the function means as it was
/// written.
static CheckResult checkFunction(const LoadedKernel &kernel,
                                 const FunctionCase &functionCase) {
  KernelOutcome outcome = runKernel(kernel, functionCase.arguments, /*runs=*/1);
  findUnwritten(outcome);
  CheckResult result;
  result.error = outcome.error;
  result.faults = outcome.faults;
  if (!result.error.empty() || !result.faults.empty())
    return result;
  FunctionReference reference(functionCase.function, /*areDrawn=*/false,
                              functionCase.followsAlgorithms);
  result.report =
      reference.compare(functionCase.arguments, outcome.results,
                        {outcome.arithmetic, isVulkan(kernel.getTarget())});
  result.error = result.report.refusal;
  return result;
}

/// Runs one function of `loaded`.
static StageVerdict runFunction(const FunctionCase &functionCase,
                                const LoadedModule &loaded) {
  StageVerdict verdict;
  func::FuncOp function = functionCase.function;
  verdict.function = function.getSymName().str();
  ArrayRef<KernelInterface> kernels = loaded.getCompiled().getKernels();
  auto *kernel = llvm::find_if(kernels, [&](const KernelInterface &one) {
    return one.name == verdict.function;
  });
  if (kernel == kernels.end() ||
      kernel->arguments.size() != functionCase.arguments.size()) {
    verdict.message = "there is no kernel of its name that takes " +
                      std::to_string(functionCase.arguments.size()) +
                      " arguments";
    return verdict;
  }
  LoadedKernel entry{loaded, *kernel};
  CheckResult result =
      functionCase.conv
          ? checkKernels(*functionCase.conv, entry, functionCase.arguments,
                         functionCase.check)
                .front()
          : checkFunction(entry, functionCase);
  if (result.passed()) {
    verdict.kind = Kind::Right;
  } else if (!result.faults.empty()) {
    verdict.kind = Kind::Wrong;
    verdict.message = result.faults.front();
  } else if (result.report.wrong > 0) {
    verdict.kind = Kind::Wrong;
    verdict.message = toString(result.report);
  } else {
    verdict.message = result.error;
  }
  return verdict;
}

/// Runs all of `cases`. What is wrong counts most, then what is undecided.
static StageVerdict runFunctions(ArrayRef<FunctionCase> cases,
                                 const CompiledModule &compiled) {
  StageVerdict all;
  ::convoy::Device device;
  ::convoy::Status status = openTarget(compiled.getTarget(), device);
  LoadedModule loaded(compiled, device);
  if (status.ok())
    status = loaded.load();
  if (!status.ok()) {
    all.message = status.text;
    return all;
  }
  all.kind = Kind::Right;
  for (const FunctionCase &functionCase : cases) {
    StageVerdict one = runFunction(functionCase, loaded);
    if (one.kind == Kind::Wrong)
      return one;
    if (one.kind == Kind::Undecided)
      all = one;
  }
  return all;
}

/// Interprets all functions of `stage` that `cases` are. What is wrong counts
/// most, then what is undecided.
static StageVerdict interpretFunctions(ArrayRef<FunctionCase> cases,
                                       ModuleOp stage) {
  StageVerdict all;
  all.kind = Kind::Right;
  for (const FunctionCase &functionCase : cases) {
    func::FuncOp function = functionCase.function;
    StageVerdict one;
    one.function = function.getSymName().str();
    auto other = stage.lookupSymbol<func::FuncOp>(one.function);
    if (other && !other.isExternal()) {
      ::convoy::CompareReport report =
          interpretStage(function, other, functionCase.arguments);
      one.message = report.wrong > 0 ? toString(report) : report.refusal;
      if (report.wrong > 0)
        one.kind = Kind::Wrong;
      else if (report.refusal.empty())
        one.kind = Kind::Right;
    }
    if (one.kind == Kind::Wrong)
      return one;
    if (one.kind == Kind::Undecided)
      all = one;
  }
  return all;
}

/// The functions of `input`; nothing, with the reason in `verdict`, where one
/// cannot be run.
static std::optional<std::vector<FunctionCase>>
makeCases(ModuleOp input, const BisectOptions &options, StageVerdict &verdict) {
  std::vector<FunctionCase> cases;
  for (auto function : input.getOps<func::FuncOp>()) {
    if (function.isPrivate() || function.isExternal())
      continue;
    std::optional<FunctionCase> functionCase =
        makeCase(function, options, verdict.message);
    verdict.function = function.getSymName().str();
    if (!functionCase)
      return std::nullopt;
    cases.push_back(std::move(*functionCase));
  }
  return cases;
}

StageVerdict mlir::convoy::runStage(ModuleOp input, ModuleOp stage,
                                    ModuleOp launching,
                                    const BisectOptions &options,
                                    function_ref<void()> willRun) {
  StageVerdict verdict;
  // Traced values are results, also where no pass has made them so yet.
  if (failed(lowerTraces(input)) || failed(lowerTraces(stage)))
    return verdict;
  std::optional<std::vector<FunctionCase>> cases =
      makeCases(input, options, verdict);
  if (!cases)
    return verdict;
  SmallVector<KernelInterface> launches;
  if (launching)
    launches = findLaunches(launching);
  OwningOpRef<ModuleOp> finished = stage.clone();
  FailureOr<CompiledModule> compiled =
      finishStage(*finished, launches, options.compile);
  if (failed(compiled)) {
    StageVerdict interpreted = interpretFunctions(*cases, stage);
    return interpreted.kind == Kind::Undecided ? verdict : interpreted;
  }
  willRun();
  return runFunctions(*cases, *compiled);
}
