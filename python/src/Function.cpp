//===- Function.cpp - A compiled function that Python calls -----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Function.h"

#include "Context.h"
#include "Error.h"
#include "IRModule.h"

#include "convoy/Driver/CheckFunction.h"
#include "convoy/Driver/FunctionInputs.h"
#include "convoy/Driver/Import.h"
#include "convoy/Driver/Specialize.h"
#include "convoy/Driver/ToolOptions.h"
#include "convoy/Target/CPUTarget.h"

#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <cstring>

using namespace convoy;
using namespace convoy::python;
using namespace mlir::convoy;
using mlir::DiagnosticSeverity;
using mlir::FailureOr;
using mlir::MLIRContext;
using mlir::ModuleOp;
using mlir::OwningOpRef;
using mlir::RankedTensorType;
using mlir::ShapedType;
using mlir::func::FuncOp;

/// The public function `name` of `module`, or the only one. Throws.
static FuncOp findFunction(ModuleOp module, const std::string &file,
                           const std::string &name) {
  std::vector<std::string> names;
  FuncOp found;
  for (auto function : module.getOps<FuncOp>()) {
    if (function.isPrivate() || function.isDeclaration())
      continue;
    names.push_back(function.getSymName().str());
    if (name.empty() || names.back() == name)
      found = function;
  }
  std::string known = names.empty() ? "none" : llvm::join(names, ", ");
  if (!name.empty() && !found)
    throwError(file + ": expected a public function '" + name + "', but got " +
               known);
  if (name.empty() && names.size() != 1)
    throwError(file +
               ": expected one public function or the name of one, but "
               "got " +
               known);
  return found;
}

/// Whether calls give sizes of `kernel`.
static bool isDynamic(const FunctionKernel &kernel) {
  return llvm::any_of(kernel.arguments, [](const Argument &argument) {
    return llvm::is_contained(argument.shape, kDynamicSize);
  });
}

python::Function::Function(const std::string &text, const std::string &file,
                           const std::string &name,
                           const FunctionOptions &options)
    : options(options), kind(getTargetKind(options.target).str()),
      context(python::makeContext()) {
  if (std::optional<std::string> reason = checkTarget(options.target))
    throwError(*reason);
  if (std::optional<std::string> reason = checkCPU({options.cpu}))
    throwError(*reason);
  if (std::string error; !checkAlgorithm(options.algorithm, error))
    throwError(error);
  if (options.packedFilters && !isOnCPU())
    throwError("expected filters that are not packed for '" + options.target +
               "': only kernels for cpu take others");
  module = parseModule(context.get(), text, file);
  this->name = findFunction(*module, file, name).getSymName().str();
  throwIfFailed(openTarget(options.target, {options.cpu}, device));
  compile();
  throwIfFailed(loaded.emplace(*compiled, device).load());
  const KernelInterface &own = compiled->getKernel(this->name);
  unpacked = describe(compiled->getUnpacked(own)).arguments;
  kernels.push_back(describe(own));
  for (const std::string &packer : kernels.front().packers)
    if (!packer.empty())
      kernels.push_back(describe(compiled->getKernel(packer)));
  for (auto [number, kernel] : llvm::enumerate(kernels)) {
    bytes.push_back(isDynamic(kernel) ? std::vector<size_t>()
                                      : countBytes(kernel.arguments));
    if (!isOnCPU())
      continue;
    convoy::Kernel function;
    throwIfFailed(loaded->findKernel(kernel.name, function));
    hostKernels.try_emplace(number, device, function,
                            kernel.workspaceBytes.value_or(0));
  }
}

CompileOptions python::Function::getLowering() const {
  CompileOptions lowering;
  lowering.cpu.name = options.cpu;
  lowering.threads = options.threads;
  lowering.explain = true;
  lowering.packedFilters = options.packedFilters;
  lowering.algorithm = options.algorithm;
  lowering.scalarsInMemory = true;
  setDevice(lowering, device);
  return lowering;
}

void python::Function::compile() {
  FirstErrorHandler errors(
      context.get(), [this](DiagnosticSeverity severity, llvm::StringRef line) {
        bool isWarning = severity == DiagnosticSeverity::Warning;
        (isWarning ? warnings : remarks).push_back(line.str());
      });
  OwningOpRef<ModuleOp> lowered = module->clone();
  keepFunction(*lowered, name);
  if (failed(importModule(*lowered)))
    throwError(errors.getError());
  FailureOr<CompiledModule> made = compileFor(kind, *lowered, getLowering());
  if (failed(made))
    throwError("cannot compile: " + errors.getError());
  compiled.emplace(std::move(*made));
}

FunctionKernel python::Function::describe(const KernelInterface &kernel) const {
  FunctionKernel described;
  described.name = kernel.name;
  described.workspaceBytes = kernel.workspaceBytes;
  for (const KernelArgument &argument : kernel.arguments) {
    auto tensor = cast<RankedTensorType>(argument.type);
    std::optional<ScalarType> type = getScalarType(tensor.getElementType());
    assert(type && "kernels take elements that tools can read");
    std::vector<int64_t> shape = tensor.getShape().vec();
    llvm::replace(shape, ShapedType::kDynamic, kDynamicSize);
    described.arguments.push_back(
        {argument.name, *type, argument.layout, shape, argument.isWritten});
    described.packers.push_back(argument.packer);
  }
  return described;
}

Sizes python::Function::findResultSizes(const Sizes &sizes) {
  std::lock_guard lock(mutex);
  FuncOp function = getSource();
  ArgumentShapes shapes;
  if (size_t expected = fillShapes(function, sizes, shapes);
      expected != sizes.size())
    throwError("expected " + std::to_string(expected) +
               " dynamic sizes of arguments, but got " +
               std::to_string(sizes.size()));
  FirstErrorHandler errors(context.get(),
                           [](DiagnosticSeverity, llvm::StringRef) {});
  FailureOr<SpecializedFunction> specialized =
      SpecializedFunction::create(function, shapes);
  if (failed(specialized))
    throwError("cannot call '" + name + "': " + errors.getError());
  Sizes found;
  for (auto [number, type] : llvm::enumerate(function.getResultTypes())) {
    auto tensor = cast<RankedTensorType>(type);
    if (tensor.hasStaticShape())
      continue;
    std::optional<std::vector<int64_t>> shape =
        specialized->getResultShape(number);
    if (!shape)
      throwError("cannot call '" + name + "': the sizes of result " +
                 std::to_string(number) +
                 " do not follow from those of the arguments");
    for (auto [size, actual] : llvm::zip_equal(tensor.getShape(), *shape))
      if (ShapedType::isDynamic(size))
        found.push_back(actual);
  }
  return found;
}

void python::Function::launch(size_t number, const Addresses &addresses,
                              const Sizes &sizes) {
  const FunctionKernel &kernel = kernels.at(number);
  if (!isOnCPU())
    return launchOnCopies(number, addresses, sizes);
  if (!isDynamic(kernel))
    return hostKernels.at(number).call(addresses, bytes.at(number));
  std::vector<Argument> arguments = fillSizes(kernel.arguments, sizes);
  std::optional<int64_t> workspace =
      compiled->getWorkspaceBytes(compiled->getKernel(kernel.name), sizes);
  if (!workspace)
    throwError("cannot call '" + name +
               "': its dynamic sizes contradict each other");
  hostKernels.at(number).call(addresses, countBytes(arguments), *workspace,
                              sizes);
}

void python::Function::launchOnCopies(size_t number, const Addresses &addresses,
                                      const Sizes &sizes) {
  std::lock_guard lock(mutex);
  const FunctionKernel &kernel = kernels.at(number);
  LoadedKernel run = {*loaded, compiled->getKernel(kernel.name)};
  KernelOutcome outcome = runKernel(
      run, copyArguments(fillSizes(kernel.arguments, sizes), addresses),
      /*runs=*/1);
  if (!outcome.error.empty())
    throwError(outcome.error, outcome.errorCode);
  if (!outcome.faults.empty())
    throwError(llvm::join(outcome.faults, "; "));
  auto result = outcome.results.begin();
  for (auto [argument, address] : llvm::zip_equal(kernel.arguments, addresses))
    if (argument.isWritten) {
      if (!result->bytes.empty())
        std::memcpy(reinterpret_cast<void *>(address), result->data(),
                    result->bytes.size());
      ++result;
    }
}

void python::Function::generate(const std::string &data, uint64_t seed,
                                const Addresses &addresses,
                                const Sizes &sizes) {
  std::lock_guard lock(mutex);
  CheckOptions checks;
  checks.data = parseData(data);
  checks.seed = seed;
  FuncOp function = getSource();
  ArgumentShapes shapes;
  fillShapes(function, sizes, shapes);
  std::string error;
  std::optional<std::vector<HostArray>> inputs =
      generateInputs(function, shapes, checks, error);
  if (!inputs || !keepDeclaredRanges(function, *inputs, checks, error))
    throwError(error);
  for (auto [input, address] : llvm::zip(*inputs, addresses))
    if (!input.bytes.empty())
      std::memcpy(reinterpret_cast<void *>(address), input.data(),
                  input.bytes.size());
}

std::vector<HostArray>
python::Function::copyOperands(const std::vector<Argument> &arguments,
                               const Addresses &addresses) {
  std::vector<HostArray> arrays = copyArguments(arguments, addresses);
  CheckOptions checks;
  checks.areGiven = true;
  std::string error;
  if (!keepDeclaredRanges(getSource(), arrays, checks, error))
    throwError("cannot check '" + name + "': " + error);
  return arrays;
}

FuncOp python::Function::getSource() const {
  return module.get().lookupSymbol<FuncOp>(name);
}

FuncOp python::Function::getReference() {
  if (options.algorithm == "direct")
    return getSource();
  std::lock_guard lock(mutex);
  if (!algorithms) {
    FirstErrorHandler errors(context.get(),
                             [](DiagnosticSeverity, llvm::StringRef) {});
    algorithms = module->clone();
    keepFunction(*algorithms, name);
    CompileOptions lowering = getLowering();
    if (failed(importModule(*algorithms)) ||
        failed(applyPrecision(*algorithms, lowering)) ||
        failed(applyAlgorithms(kind, *algorithms, lowering)))
      throwError(errors.getError());
  }
  return algorithms->lookupSymbol<FuncOp>(name);
}

CheckResult python::Function::runChecked(const Addresses &addresses,
                                         const Sizes &sizes) {
  std::lock_guard lock(mutex);
  std::vector<HostArray> arguments =
      copyOperands(fillSizes(unpacked, sizes), addresses);
  CheckResult result = runUncompared({*loaded, compiled->getKernel(name)},
                                     arguments, /*runs=*/1);
  if (!result.error.empty())
    throwError(result.error, result.errorCode);
  return result;
}

CheckResult python::Function::check(const Addresses &addresses,
                                    const Sizes &sizes, Meaning &meaning) {
  CheckResult result = runChecked(addresses, sizes);
  if (result.faults.empty())
    meaning.compare(result, kind);
  return result;
}

//===----------------------------------------------------------------------===//
// What a function means
//===----------------------------------------------------------------------===//

python::Meaning::Meaning(Function &function, const Addresses &addresses,
                         const Sizes &sizes, bool unsignedBytes)
    : function(function), arguments(fillSizes(function.unpacked, sizes)),
      unsignedBytes(unsignedBytes),
      reference(function.getReference(), /*areDrawn=*/false,
                /*followsAlgorithms=*/function.options.algorithm != "direct") {
  std::lock_guard lock(function.mutex);
  operands = function.copyOperands(arguments, addresses);
}

CheckResult python::Meaning::compare(const Addresses &addresses) {
  CheckResult result;
  auto address = addresses.begin();
  for (const Argument &argument : arguments) {
    if (!argument.isWritten)
      continue;
    HostArray &array = result.results.emplace_back(argument.makeArray());
    if (!array.bytes.empty())
      std::memcpy(array.data(), reinterpret_cast<const void *>(*address),
                  array.bytes.size());
    ++address;
  }
  compare(result, function.kind);
  return result;
}

void python::Meaning::compare(CheckResult &result, const std::string &kind) {
  std::lock_guard lock(function.mutex);
  if (unsignedBytes)
    for (HostArray &array : result.results)
      if (array.type == ScalarType::I8)
        array.type = ScalarType::U8;
  result.report = reference.compare(operands, result.results,
                                    {result.arithmetic, isVulkan(kind)});
  if (!result.report.refusal.empty())
    throwError("cannot check '" + function.name +
               "': " + result.report.refusal);
}
