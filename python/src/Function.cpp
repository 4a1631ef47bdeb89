//===- Function.cpp - A compiled function that Python calls -----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Function.h"

#include "Error.h"
#include "IRModule.h"

#include "convoy/Driver/CheckFunction.h"
#include "convoy/Driver/Import.h"
#include "convoy/Driver/Specialize.h"

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

python::Function::Function(const std::string &text, const std::string &file,
                           const std::string &name,
                           const FunctionOptions &options)
    : options(options), kind(getTargetKind(options.target).str()),
      context(std::make_unique<MLIRContext>(makeRegistry(),
                                            MLIRContext::Threading::DISABLED)) {
  if (std::optional<std::string> reason = checkTarget(options.target))
    throwError(*reason);
  if (std::optional<std::string> reason =
          checkCPU(context.get(), {options.cpu}))
    throwError(*reason);
  if (options.packedFilters && !isOnCPU())
    throwError("expected filters that are not packed for '" + options.target +
               "': only kernels for cpu take others");
  module = parseModule(context.get(), text, file);
  this->name = findFunction(*module, file, name).getSymName().str();
  throwIfFailed(openTarget(options.target, device));
  compile();
  throwIfFailed(loaded.emplace(*compiled, device).load());
  const KernelInterface &own = compiled->getKernel(this->name);
  unpacked = describe(compiled->getUnpacked(own)).arguments;
  kernels.push_back(describe(own));
  for (const std::string &packer : kernels.front().packers)
    if (!packer.empty())
      kernels.push_back(describe(compiled->getKernel(packer)));
  for (auto [number, kernel] : llvm::enumerate(kernels)) {
    std::vector<size_t> &bytes = sizes.emplace_back();
    for (const Argument &argument : kernel.arguments)
      bytes.push_back(argument.makeArray().bytes.size());
    if (!isOnCPU())
      continue;
    convoy::Kernel function;
    throwIfFailed(loaded->findKernel(kernel.name, function));
    hostKernels.try_emplace(number, device, function, kernel.workspaceBytes);
  }
}

void python::Function::compile() {
  FirstErrorHandler errors(
      context.get(), [this](DiagnosticSeverity severity, llvm::StringRef line) {
        bool isWarning = severity == DiagnosticSeverity::Warning;
        (isWarning ? warnings : remarks).push_back(line.str());
      });
  CompileOptions lowering;
  lowering.cpu.name = options.cpu;
  lowering.threads = options.threads;
  lowering.explain = true;
  lowering.packedFilters = options.packedFilters;
  lowering.scalarsInMemory = true;
  setDevice(lowering, device);
  OwningOpRef<ModuleOp> lowered = module->clone();
  keepFunction(*lowered, name);
  if (failed(importModule(*lowered)))
    throwError(errors.getError());
  FailureOr<CompiledModule> made = compileFor(kind, *lowered, lowering);
  if (failed(made))
    throwError("cannot compile: " + errors.getError());
  compiled.emplace(std::move(*made));
}

FunctionKernel python::Function::describe(const KernelInterface &kernel) const {
  FunctionKernel described;
  described.name = kernel.name;
  described.workspaceBytes = kernel.workspaceBytes.value_or(0);
  for (const KernelArgument &argument : kernel.arguments) {
    auto tensor = dyn_cast<RankedTensorType>(argument.type);
    std::optional<ScalarType> type;
    if (tensor && tensor.hasStaticShape())
      type = getScalarType(tensor.getElementType());
    if (!type)
      throwError("expected tensors of static sizes and of f64, f32, f16, bf16, "
                 "i8, i16, i32 or i64 in '" +
                 name + "', but got '" + argument.name + "'");
    described.arguments.push_back({argument.name, *type, argument.layout,
                                   tensor.getShape().vec(),
                                   argument.isWritten});
    described.packers.push_back(argument.packer);
  }
  return described;
}

void python::Function::launch(size_t number, const Addresses &addresses) {
  if (isOnCPU())
    hostKernels.at(number).call(addresses, sizes.at(number));
  else
    launchOnCopies(number, addresses);
}

void python::Function::launchOnCopies(size_t number,
                                      const Addresses &addresses) {
  std::lock_guard lock(mutex);
  const FunctionKernel &kernel = kernels.at(number);
  LoadedKernel run = {*loaded, compiled->getKernel(kernel.name)};
  KernelOutcome outcome =
      runKernel(run, copyArguments(kernel.arguments, addresses), /*runs=*/1);
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
                                const Addresses &addresses) {
  std::lock_guard lock(mutex);
  CheckOptions checks;
  checks.data = parseData(data);
  checks.seed = seed;
  auto function = module->lookupSymbol<FuncOp>(name);
  ArgumentShapes shapes;
  fillShapes(function, {}, shapes);
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
python::Function::copyOperands(const Addresses &addresses) {
  std::vector<HostArray> arguments = copyArguments(unpacked, addresses);
  CheckOptions checks;
  checks.areGiven = true;
  std::string error;
  if (!keepDeclaredRanges(module->lookupSymbol<FuncOp>(name), arguments, checks,
                          error))
    throwError("cannot check '" + name + "': " + error);
  return arguments;
}

void python::Function::compareWith(const std::vector<HostArray> &arguments,
                                   CheckResult &result) {
  FunctionReference reference(module->lookupSymbol<FuncOp>(name));
  result.report = reference.compare(arguments, result.results,
                                    {result.arithmetic, kind == "vulkan"});
  if (!result.report.refusal.empty())
    throwError("cannot check '" + name + "': " + result.report.refusal);
}

CheckResult python::Function::check(const Addresses &addresses) {
  std::lock_guard lock(mutex);
  std::vector<HostArray> arguments = copyOperands(addresses);
  KernelOutcome outcome =
      runKernel({*loaded, compiled->getKernel(name)}, arguments, /*runs=*/1);
  findUnwritten(outcome);
  if (!outcome.error.empty())
    throwError(outcome.error, outcome.errorCode);
  CheckResult result;
  result.faults = outcome.faults;
  result.seconds = outcome.seconds;
  result.arithmetic = outcome.arithmetic;
  result.results = std::move(outcome.results);
  if (result.faults.empty())
    compareWith(arguments, result);
  return result;
}

CheckResult python::Function::compare(const Addresses &addresses) {
  std::lock_guard lock(mutex);
  CheckResult result;
  std::vector<HostArray> arguments = copyOperands(addresses);
  for (auto [argument, address] : llvm::zip_equal(unpacked, addresses)) {
    if (!argument.isWritten)
      continue;
    HostArray &array = result.results.emplace_back(argument.makeArray());
    if (!array.bytes.empty())
      std::memcpy(array.data(), reinterpret_cast<const void *>(address),
                  array.bytes.size());
  }
  compareWith(arguments, result);
  return result;
}
