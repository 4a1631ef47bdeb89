//===- CompileForQemu.cpp - Kernels for an emulated CPU ---------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Driver/Compile.h"
#include "convoy/Target/CPUTarget.h"
#include "convoy/Target/EmitInterface.h"
#include "convoy/Target/EmitObject.h"

#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

#include <span>

using namespace mlir;
using namespace mlir::convoy;

/// The functions of this process that say how much workspace kernels of
/// `module`, in LLVM's dialect, need; nothing where all of them know.
static FailureOr<std::optional<CPUModule>>
compileSizeFunctions(ModuleOp module, ArrayRef<KernelInterface> kernels) {
  SmallVector<std::string> names;
  for (const KernelInterface &kernel : kernels)
    if (!kernel.workspaceBytes)
      names.push_back(kernel.getSizeFunctionName());
  if (names.empty())
    return std::optional<CPUModule>();
  OwningOpRef<ModuleOp> clone = module.clone();
  DenseSet<Operation *> kept;
  while (!names.empty()) {
    Operation *symbol = clone->lookupSymbol(names.pop_back_val());
    if (!symbol || !kept.insert(symbol).second)
      continue;
    std::optional<SymbolTable::UseRange> uses =
        SymbolTable::getSymbolUses(symbol);
    for (const SymbolTable::SymbolUse &use : *uses)
      names.push_back(use.getSymbolRef().getRootReference().str());
  }
  for (Operation &op : llvm::make_early_inc_range(clone->getOps()))
    if (isa<SymbolOpInterface>(op) && !kept.contains(&op))
      op.erase();
  FailureOr<CPUModule> functions =
      CPUModule::load(*clone, {kHostCPU.str()}, /*optLevel=*/0);
  if (failed(functions))
    return failure();
  return std::optional<CPUModule>(std::move(*functions));
}

FailureOr<CompiledModule>
mlir::convoy::compileForQemu(ModuleOp module, const CompileOptions &options) {
  auto emitError = [&] { return module.emitError(); };
  FailureOr<std::unique_ptr<llvm::TargetMachine>> machine =
      createCPUTargetMachine(options.cpu, emitError);
  if (failed(machine) || failed(lowerForCPU(module, options)))
    return failure();
  (*machine)->setOptLevel(static_cast<llvm::CodeGenOptLevel>(
      std::min<unsigned>(options.optLevel, 3)));
  SmallVector<KernelInterface> kernels = getKernelInterfaces(module);
  FailureOr<std::optional<CPUModule>> sizes =
      compileSizeFunctions(module, kernels);
  llvm::LLVMContext context;
  FailureOr<std::unique_ptr<llvm::Module>> translated =
      translateForCPU(module, context, **machine, options.optLevel);
  if (failed(sizes) || failed(translated))
    return failure();
  SmallString<0> object;
  llvm::raw_svector_ostream os(object);
  if (failed(emitMachineCode(**translated, **machine,
                             llvm::CodeGenFileType::ObjectFile, os, emitError)))
    return failure();
  FailureOr<std::string> shared =
      linkSharedObject(object, (*machine)->getTargetTriple(), emitError);
  if (failed(shared))
    return failure();
  auto bytes = std::as_bytes(std::span(*shared));
  return CompiledModule("qemu", {bytes.begin(), bytes.end()},
                        std::move(kernels), std::move(*sizes));
}
