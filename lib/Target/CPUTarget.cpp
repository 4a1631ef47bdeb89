//===- CPUTarget.cpp - What LLVM knows of a CPU, as a target ----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Target/CPUTarget.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/SubtargetFeature.h"
#include "llvm/TargetParser/Triple.h"

using namespace mlir;
using namespace mlir::convoy;

static void initializeNativeTarget() {
  static const bool once = [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    llvm::InitializeNativeTargetAsmParser();
    return true;
  }();
  (void)once;
}

CPUName mlir::convoy::resolveCPU(StringRef cpu) {
  if (cpu != "host")
    return {cpu.str(), ""};
  llvm::SubtargetFeatures features;
  for (const auto &[name, isOn] : llvm::sys::getHostCPUFeatures())
    features.AddFeature(name, isOn);
  return {llvm::sys::getHostCPUName().str(), features.getString()};
}

FailureOr<std::unique_ptr<llvm::TargetMachine>>
mlir::convoy::createCPUTargetMachine(
    StringRef cpu, function_ref<InFlightDiagnostic()> emitError) {
  initializeNativeTarget();
  llvm::Triple triple(llvm::sys::getProcessTriple());
  std::string error;
  const llvm::Target *target =
      llvm::TargetRegistry::lookupTarget(triple, error);
  if (!target)
    return emitError() << error, failure();
  CPUName name = resolveCPU(cpu);
  std::unique_ptr<llvm::MCSubtargetInfo> subtarget(
      target->createMCSubtargetInfo(triple, name.cpu, name.features));
  if (!subtarget || !subtarget->isCPUStringValid(name.cpu))
    return emitError() << "expected a CPU of " << triple.getArchName()
                       << " or host, but got " << cpu,
           failure();
  std::unique_ptr<llvm::TargetMachine> machine(target->createTargetMachine(
      triple, name.cpu, name.features, llvm::TargetOptions(),
      llvm::Reloc::PIC_, std::nullopt, llvm::CodeGenOptLevel::Aggressive));
  return machine;
}

AttachTargetPassOptions mlir::convoy::getAttachTargetOptions(StringRef cpu) {
  initializeNativeTarget();
  llvm::Triple triple(llvm::sys::getProcessTriple());
  AttachTargetPassOptions options;
  std::string error;
  const llvm::Target *target =
      llvm::TargetRegistry::lookupTarget(triple, error);
  CPUName name = resolveCPU(cpu);
  std::unique_ptr<llvm::MCSubtargetInfo> subtarget(
      target ? target->createMCSubtargetInfo(triple, name.cpu, name.features)
             : nullptr);
  if (!subtarget || !subtarget->isCPUStringValid(name.cpu))
    return options;
  auto has = [&](StringRef feature) {
    return subtarget->checkFeatures(("+" + feature).str());
  };
  if (triple.isX86()) {
    options.vectorBytes = has("avx512f") ? 64 : has("avx") ? 32 : 16;
    options.registers = has("avx512f") ? 32 : 16;
  } else if (triple.isAArch64()) {
    options.registers = 32;
  }
  return options;
}
