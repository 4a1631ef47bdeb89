//===- RunStage.cpp - A stage's numbers -------------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FinishStage.h"
#include "JudgeStage.h"

#include "convoy/Driver/CheckFunction.h"
#include "convoy/Driver/CheckProblem.h"
#include "convoy/Driver/Memory.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::HostArray;

using Kind = StageVerdict::Kind;

namespace {
/// A function of the input, with the data that it runs on.
struct FunctionCase {
  func::FuncOp function;
  std::optional<CheckedConv> conv;  ///< what it is, if it is one convolution
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

/// Makes the data of `function`; false, with one sentence in `error`, where
/// there is none.
static bool makeArguments(FunctionCase &functionCase,
                          const CheckOptions &options, std::string &error) {
  func::FuncOp function = functionCase.function;
  if (functionCase.conv) {
    if (auto shortage = checkMemoryFor(*functionCase.conv, options.compare)) {
      error = *shortage;
      return false;
    }
    functionCase.arguments = generateArguments(*functionCase.conv, options);
    return true;
  }
  ArgumentShapes shapes;
  for (Type type : function.getFunctionType().getInputs())
    shapes.push_back(getShape(type).value_or(std::vector<int64_t>()));
  auto inputs = generateInputs(function, shapes, options, error);
  if (!inputs)
    return false;
  functionCase.arguments = std::move(*inputs);
  for (Type result : function.getResultTypes()) {
    auto type = getScalarType(getElementTypeOrSelf(result));
    if (!type) {
      error = "expected elements of f64, f32, f16, bf16, i8, i16, i32 or i64 "
              "for each result";
      return false;
    }
    functionCase.arguments.emplace_back(*type, *getShape(result));
  }
  return true;
}

static std::optional<FunctionCase> makeCase(func::FuncOp function,
                                            const CheckOptions &options,
                                            std::string &error) {
  bool isStatic = llvm::all_of(
      llvm::concat<const Type>(function.getFunctionType().getInputs(),
                               function.getFunctionType().getResults()),
      [](Type type) { return getShape(type).has_value(); });
  if (!isStatic) {
    error = "expected static sizes, to run it";
    return std::nullopt;
  }
  FunctionCase functionCase;
  functionCase.function = function;
  std::string reason;
  functionCase.conv = matchConvolution(function, reason);
  if (!makeArguments(functionCase, options, error))
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
  FunctionReference reference(functionCase.function);
  result.report =
      reference.compare(functionCase.arguments, outcome.results,
                        {outcome.arithmetic, kernel.getTarget() == "vulkan"});
  result.error = result.report.refusal;
  return result;
}

/// Runs one function of `loaded`.
static StageVerdict runFunction(const FunctionCase &functionCase,
                                const LoadedModule &loaded,
                                const CheckOptions &options) {
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
  CheckResult result = functionCase.conv
                           ? checkKernels(*functionCase.conv, entry,
                                          functionCase.arguments, options)
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
                                 const CompiledModule &compiled,
                                 const BisectOptions &options) {
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
    StageVerdict one = runFunction(functionCase, loaded, options.check);
    if (one.kind == Kind::Wrong)
      return one;
    if (one.kind == Kind::Undecided)
      all = one;
  }
  return all;
}

StageVerdict mlir::convoy::runStage(ModuleOp input, ModuleOp stage,
                                    ModuleOp launching,
                                    const BisectOptions &options,
                                    function_ref<void()> willRun) {
  StageVerdict verdict;
  std::vector<FunctionCase> cases;
  for (auto function : input.getOps<func::FuncOp>()) {
    if (function.isPrivate() || function.isExternal())
      continue;
    std::optional<FunctionCase> functionCase =
        makeCase(function, options.check, verdict.message);
    verdict.function = function.getSymName().str();
    if (!functionCase)
      return verdict;
    cases.push_back(std::move(*functionCase));
  }
  SmallVector<KernelInterface> launches;
  if (launching)
    launches = findLaunches(launching);
  FailureOr<CompiledModule> compiled =
      finishStage(stage, launches, options.compile);
  if (failed(compiled))
    return verdict;
  willRun();
  return runFunctions(cases, *compiled, options);
}
