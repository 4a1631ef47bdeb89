//===- CPUTarget.cpp - What LLVM knows of a CPU, as a target ----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Target/CPUTarget.h"

#include "convoy/Support/CacheSizes.h"
#include "convoy/Support/TlbEntries.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/Process.h"
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
  if (cpu != kHostCPU)
    return {cpu.str(), ""};
  llvm::SubtargetFeatures features;
  for (const auto &[name, isOn] : llvm::sys::getHostCPUFeatures())
    features.AddFeature(name, isOn);
  return {llvm::sys::getHostCPUName().str(), features.getString()};
}

/// What LLVM knows of `name`, or null if it does not know it.
static std::unique_ptr<llvm::MCSubtargetInfo>
createSubtarget(const llvm::Target &target, const llvm::Triple &triple,
                const CPUName &name) {
  // LLVM prints a warning for a name that it does not know, so ask first.
  std::unique_ptr<llvm::MCSubtargetInfo> baseline(
      target.createMCSubtargetInfo(triple, "", ""));
  if (!baseline || !baseline->isCPUStringValid(name.cpu))
    return nullptr;
  return std::unique_ptr<llvm::MCSubtargetInfo>(
      target.createMCSubtargetInfo(triple, name.cpu, name.features));
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
  if (!createSubtarget(*target, triple, name))
    return emitError() << "expected a CPU of " << triple.getArchName()
                       << " or host, but got " << cpu,
           failure();
  std::unique_ptr<llvm::TargetMachine> machine(target->createTargetMachine(
      triple, name.cpu, name.features, llvm::TargetOptions(), llvm::Reloc::PIC_,
      std::nullopt, llvm::CodeGenOptLevel::Aggressive));
  return machine;
}

/// What LLVM knows of `cpu`, or null if it does not know it.
static std::unique_ptr<llvm::MCSubtargetInfo>
findSubtarget(const llvm::Triple &triple, StringRef cpu) {
  initializeNativeTarget();
  std::string error;
  const llvm::Target *target =
      llvm::TargetRegistry::lookupTarget(triple, error);
  return target ? createSubtarget(*target, triple, resolveCPU(cpu)) : nullptr;
}

bool mlir::convoy::convertsF16(StringRef cpu) {
  llvm::Triple triple(llvm::sys::getProcessTriple());
  std::unique_ptr<llvm::MCSubtargetInfo> subtarget = findSubtarget(triple, cpu);
  if (!subtarget)
    return false;
  return triple.isAArch64() ||
         (triple.isX86() && subtarget->checkFeatures("+f16c"));
}

/// Sets the registers and, for AVX-512, the cache that LLVM's `subtarget` says.
static void setRegisters(AttachTargetPassOptions &options,
                         const llvm::MCSubtargetInfo &subtarget) {
  auto has = [&](StringRef feature) {
    return subtarget.checkFeatures(("+" + feature).str());
  };
  const llvm::Triple &triple = subtarget.getTargetTriple();
  if (triple.isX86()) {
    options.vectorBytes = has("avx512f") ? 64 : has("avx") ? 32 : 16;
    options.registers = has("avx512f") ? 32 : 16;
    // LLVM knows no sizes of caches: cores with AVX-512 have 1 MiB or more.
    if (has("avx512f"))
      options.l2Bytes = 1 << 20;
  } else if (triple.isAArch64()) {
    options.registers = 32;
  }
}

namespace {
/// A number that options may set, with its name in `#convoy.target`.
struct TargetNumber {
  StringLiteral name;
  int64_t AttachTargetPassOptions::*option;
};
} // namespace

/// What CPUs or this machine say.
static constexpr TargetNumber kKnownNumbers[] = {
    {"vector_bytes", &AttachTargetPassOptions::vectorBytes},
    {"registers", &AttachTargetPassOptions::registers},
    {"l1_bytes", &AttachTargetPassOptions::l1Bytes},
    {"l2_bytes", &AttachTargetPassOptions::l2Bytes},
    {"line_bytes", &AttachTargetPassOptions::lineBytes},
    {"page_bytes", &AttachTargetPassOptions::pageBytes},
    {"critical_stride", &AttachTargetPassOptions::criticalStride},
    {"tlb_entries", &AttachTargetPassOptions::tlbEntries}};

/// What is known of all CPUs such as `cpu`.
static AttachTargetPassOptions describeCPU(StringRef cpu) {
  AttachTargetPassOptions options;
  options.vectorBytes = options.registers = 16;
  options.l1Bytes = 32 << 10;
  options.l2Bytes = 256 << 10;
  llvm::Triple triple(llvm::sys::getProcessTriple());
  if (std::unique_ptr<llvm::MCSubtargetInfo> subtarget =
          findSubtarget(triple, cpu))
    setRegisters(options, *subtarget);
  return options;
}

/// What this machine says of itself.
static AttachTargetPassOptions askMachine() {
  AttachTargetPassOptions options;
  ::convoy::CacheSizes caches = ::convoy::getHostCacheSizes();
  options.l1Bytes = caches.l1;
  options.l2Bytes = caches.l2;
  options.lineBytes = caches.line;
  options.criticalStride = caches.criticalStride;
  options.pageBytes = llvm::sys::Process::getPageSizeEstimate();
  options.tlbEntries = ::convoy::getHostTlbEntries();
  return options;
}

AttachTargetPassOptions
mlir::convoy::getAttachTargetOptions(StringRef cpu,
                                     const AttachTargetPassOptions &given) {
  AttachTargetPassOptions options = given, known = describeCPU(cpu), asked;
  if (cpu == kHostCPU)
    asked = askMachine();
  for (auto [name, option] : kKnownNumbers) {
    if (options.*option != 0)
      continue;
    options.*option = asked.*option != 0 ? asked.*option : known.*option;
    if (asked.*option != 0)
      options.asked.push_back(name.str());
  }
  return options;
}
