//===- CPUTarget.cpp - What LLVM knows of a CPU, as a target ----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Target/CPUTarget.h"

#include "convoy/Support/CPUDotInstruction.h"
#include "convoy/Support/CacheSizes.h"
#include "convoy/Support/TileRegisters.h"
#include "convoy/Support/TlbEntries.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Config/Targets.h"
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

/// Registers what LLVM compiles for CPUs with: this machine's, and those of x86
/// and ARM for others.
static void initializeTargets() {
  static const bool once = [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    llvm::InitializeNativeTargetAsmParser();
#if LLVM_HAS_AARCH64_TARGET
    LLVMInitializeAArch64TargetInfo();
    LLVMInitializeAArch64Target();
    LLVMInitializeAArch64TargetMC();
    LLVMInitializeAArch64AsmPrinter();
    LLVMInitializeAArch64AsmParser();
#endif
#if LLVM_HAS_X86_TARGET
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86Target();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86AsmPrinter();
    LLVMInitializeX86AsmParser();
#endif
    return true;
  }();
  (void)once;
}

llvm::Triple mlir::convoy::getTriple(const CPUChoice &cpu) {
  return llvm::Triple(cpu.triple.empty() ? llvm::sys::getProcessTriple()
                                         : llvm::Triple::normalize(cpu.triple));
}

CPUName mlir::convoy::resolveCPU(const CPUChoice &cpu) {
  if (cpu.name != kHostCPU)
    return {cpu.name, ""};
  llvm::SubtargetFeatures features;
  bool hasTiles = ::convoy::requestTileRegisters();
  for (const auto &[name, isOn] : llvm::sys::getHostCPUFeatures())
    features.AddFeature(name, isOn && (hasTiles || !name.starts_with("amx")));
  return {llvm::sys::getHostCPUName().str(), features.getString()};
}

/// Whether this machine's CPU is of the architecture of `triple`.
static bool isOfThisMachine(const llvm::Triple &triple) {
  return triple.getArch() ==
         llvm::Triple(llvm::sys::getProcessTriple()).getArch();
}

/// LLVM's target for `triple`, or null where kernels cannot be for it. They
/// have indices and pointers of 64 bits.
static const llvm::Target *findTarget(const llvm::Triple &triple) {
  initializeTargets();
  bool isKnown = triple.getArch() == llvm::Triple::aarch64 ||
                 triple.getArch() == llvm::Triple::x86_64 ||
                 isOfThisMachine(triple);
  if (!isKnown || triple.isX32() ||
      triple.getEnvironment() == llvm::Triple::GNUILP32)
    return nullptr;
  std::string error;
  return llvm::TargetRegistry::lookupTarget(triple, error);
}

/// What LLVM knows of `cpu`, or null if it does not know it.
static std::unique_ptr<llvm::MCSubtargetInfo>
findSubtarget(const CPUChoice &cpu) {
  llvm::Triple triple = getTriple(cpu);
  const llvm::Target *target = findTarget(triple);
  if (!target)
    return nullptr;
  CPUName name = resolveCPU(cpu);
  // LLVM prints a warning for a name that it does not know, so ask first.
  std::unique_ptr<llvm::MCSubtargetInfo> baseline(
      target->createMCSubtargetInfo(triple, "", ""));
  if (!baseline || !baseline->isCPUStringValid(name.cpu))
    return nullptr;
  return std::unique_ptr<llvm::MCSubtargetInfo>(
      target->createMCSubtargetInfo(triple, name.cpu, name.features));
}

/// That `cpu`, which is none of its architecture, is one of another; or "".
static std::string findOther(const CPUChoice &cpu) {
  for (StringRef other : {"x86_64-linux-gnu", "aarch64-linux-gnu"})
    if (findSubtarget({cpu.name, other.str()}))
      return (", which is one of " + llvm::Triple(other).getArchName() +
              " (with a triple such as " + other + ")")
          .str();
  return "";
}

std::optional<std::string> mlir::convoy::checkCPU(const CPUChoice &cpu) {
  llvm::Triple triple = getTriple(cpu);
  if (!findTarget(triple))
    return "expected a triple of x86_64 or aarch64, such as "
           "aarch64-linux-gnu, but got " +
           triple.str();
  if (cpu.name == kHostCPU && !isOfThisMachine(triple))
    return ("expected a CPU of " + triple.getArchName() +
            ", such as generic, since this machine has none, but got " +
            cpu.name)
        .str();
  if (!findSubtarget(cpu))
    return ("expected a CPU of " + triple.getArchName() +
            (isOfThisMachine(triple) ? " or host" : "") + ", but got " +
            cpu.name + findOther(cpu))
        .str();
  return std::nullopt;
}

FailureOr<std::unique_ptr<llvm::TargetMachine>>
mlir::convoy::createCPUTargetMachine(
    const CPUChoice &cpu, function_ref<InFlightDiagnostic()> emitError) {
  if (std::optional<std::string> reason = checkCPU(cpu))
    return emitError() << *reason, failure();
  llvm::Triple triple = getTriple(cpu);
  CPUName name = resolveCPU(cpu);
  llvm::TargetOptions options;
  options.UseInitArray = true; // the older way is not called by every linker
  std::unique_ptr<llvm::TargetMachine> machine(
      findTarget(triple)->createTargetMachine(
          triple, name.cpu, name.features, options, llvm::Reloc::PIC_,
          std::nullopt, llvm::CodeGenOptLevel::Aggressive));
  return machine;
}

/// Whether LLVM chooses instructions of `feature` for kernels. Other features
/// are those that systems use, and those for tuning.
static bool isChosenForKernels(const llvm::Triple &triple, StringRef feature) {
  static constexpr StringLiteral kOfX86[] = {"amx",    "avx",  "bmi",   "f16c",
                                             "fma",    "gfni", "lzcnt", "movbe",
                                             "popcnt", "sse",  "ssse3", "xop"};
  static constexpr StringLiteral kOfARM[] = {
      "bf16", "complxnum", "dotprod", "fp-armv8", "fp16fml", "fullfp16", "i8mm",
      "lse",  "neon",      "rcpc",    "rdm",      "sme",     "sve"};
  ArrayRef<StringLiteral> prefixes =
      triple.isX86()       ? ArrayRef<StringLiteral>(kOfX86)
      : triple.isAArch64() ? ArrayRef<StringLiteral>(kOfARM)
                           : ArrayRef<StringLiteral>();
  return llvm::any_of(
      prefixes, [&](StringRef prefix) { return feature.starts_with(prefix); });
}

std::vector<std::string> mlir::convoy::getKernelFeatures(const CPUChoice &cpu) {
  std::unique_ptr<llvm::MCSubtargetInfo> subtarget = findSubtarget(cpu);
  assert(subtarget && "expected a CPU that is known");
  std::vector<std::string> features;
  for (const llvm::SubtargetFeatureKV &feature :
       subtarget->getEnabledProcessorFeatures())
    if (isChosenForKernels(subtarget->getTargetTriple(), feature.Key))
      features.push_back(feature.Key);
  llvm::sort(features);
  return features;
}

/// Whether code for `triple` runs here on some CPU of its architecture.
static bool isOfThisSystem(const llvm::Triple &triple) {
  llvm::Triple own = getTriple(CPUChoice());
  return triple.getArch() == own.getArch() && triple.getOS() == own.getOS() &&
         triple.getEnvironment() == own.getEnvironment();
}

std::string mlir::convoy::findOtherMachine(const llvm::Triple &triple,
                                           ArrayRef<std::string> features) {
  if (!isOfThisSystem(triple))
    return triple.str();
  llvm::StringMap<bool> known = llvm::sys::getHostCPUFeatures();
  for (const std::string &feature : features)
    if (auto found = known.find(feature);
        found != known.end() && !found->second)
      return "a CPU with " + feature;
  return "";
}

std::string mlir::convoy::findOtherMachine(const CPUChoice &cpu) {
  llvm::Triple triple = getTriple(cpu);
  if (!isOfThisSystem(triple))
    return triple.str();
  return findOtherMachine(triple, getKernelFeatures(cpu));
}

bool mlir::convoy::convertsF16(const CPUChoice &cpu) {
  if (cpu.empty())
    return false;
  std::unique_ptr<llvm::MCSubtargetInfo> subtarget = findSubtarget(cpu);
  if (!subtarget)
    return false;
  const llvm::Triple &triple = subtarget->getTargetTriple();
  return triple.isAArch64() ||
         (triple.isX86() && subtarget->checkFeatures("+f16c"));
}

namespace {
/// What LLVM's tables do not say of a core, as its manual does; of caches whose
/// size is a choice of who builds it, the usual.
struct KnownCore {
  StringLiteral prefix; ///< of the names of all such
  int64_t l1Bytes, l2Bytes, lineBytes;
};
} // namespace

/// Cores of ARM's architecture that have more than others.
static constexpr KnownCore kKnownCores[] = {
    {"apple-m", 128 << 10, 3 << 20, 128},
    {"cortex-a75", 64 << 10, 256 << 10, 64},
    {"cortex-a76", 64 << 10, 256 << 10, 64},
    {"cortex-a77", 64 << 10, 256 << 10, 64},
    {"cortex-a78", 64 << 10, 256 << 10, 64},
    {"cortex-x", 64 << 10, 512 << 10, 64},
    {"neoverse-n", 64 << 10, 1 << 20, 64},
    {"neoverse-v", 64 << 10, 1 << 20, 64}};

/// Sets what sums products of neighbours on a CPU of x86 that `has` extensions.
static void setDotInstructionsOfX86(AttachTargetPassOptions &options,
                                    function_ref<bool(StringRef)> has) {
  // Shorter vectors have AVX-512's instructions by avx512vl alone.
  bool hasShort = has("avx512vl"), hasWords = has("avx512vnni") && hasShort;
  if (hasWords)
    llvm::append_values(options.dot, "avx512_vpdpwssd", "avx512_vpdpbusd");
  else if (has("avxvnni"))
    llvm::append_values(options.dot, "avx_vpdpwssd", "avx_vpdpbusd");
  else
    options.dot.push_back(has("avx512bw") ? "avx512_pmaddwd"
                          : has("avx2")   ? "avx2_pmaddwd"
                                          : "sse2_pmaddwd");
  if (has("avx512bf16") && hasShort)
    options.dot.push_back("avx512_vdpbf16ps");
  if (has("amx-bf16"))
    options.dot.push_back("amx_tdpbf16ps");
  if (has("amx-int8"))
    llvm::append_values(options.dot, "amx_tdpbssd", "amx_tdpbsud",
                        "amx_tdpbusd", "amx_tdpbuud");
}

/// Sets what sums products of neighbours on a CPU of ARM that `has` extensions.
static void setDotInstructionsOfARM(AttachTargetPassOptions &options,
                                    function_ref<bool(StringRef)> has) {
  if (has("dotprod"))
    llvm::append_values(options.dot, "neon_sdot", "neon_udot");
  if (has("i8mm"))
    llvm::append_values(options.dot, "neon_usdot", "neon_smmla", "neon_ummla",
                        "neon_usmmla");
  if (has("bf16"))
    llvm::append_values(options.dot, "neon_bfdot", "neon_bfmmla");
  if (options.dot.empty())
    options.dot.push_back("none");
}

/// Sets the registers and, for AVX-512 and ARM, the caches of `subtarget`, the
/// CPU `name`.
static void setRegisters(AttachTargetPassOptions &options,
                         const llvm::MCSubtargetInfo &subtarget,
                         StringRef name) {
  auto has = [&](StringRef feature) {
    return subtarget.checkFeatures(("+" + feature).str());
  };
  const llvm::Triple &triple = subtarget.getTargetTriple();
  if (triple.isX86()) {
    options.vectorBytes = has("avx512f") ? 64 : has("avx") ? 32 : 16;
    options.registers = has("avx512f") ? 32 : 16;
    setDotInstructionsOfX86(options, has);
    // LLVM knows no sizes of caches: cores with AVX-512 have 1 MiB or more.
    if (has("avx512f"))
      options.l2Bytes = 1 << 20;
  } else if (triple.isAArch64()) {
    options.registers = 32;
    options.indexedBytes = 16;
    setDotInstructionsOfARM(options, has);
    for (const KnownCore &core : kKnownCores)
      if (name.starts_with(core.prefix)) {
        options.l1Bytes = core.l1Bytes;
        options.l2Bytes = core.l2Bytes;
        options.lineBytes = core.lineBytes;
      }
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
    {"tlb_entries", &AttachTargetPassOptions::tlbEntries},
    {"indexed_bytes", &AttachTargetPassOptions::indexedBytes}};

/// What is known of all CPUs such as `cpu`.
static AttachTargetPassOptions describeCPU(const CPUChoice &cpu) {
  AttachTargetPassOptions options;
  options.vectorBytes = options.registers = 16;
  options.l1Bytes = 32 << 10;
  options.l2Bytes = 256 << 10;
  if (std::unique_ptr<llvm::MCSubtargetInfo> subtarget = findSubtarget(cpu))
    setRegisters(options, *subtarget, resolveCPU(cpu).cpu);
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
mlir::convoy::getAttachTargetOptions(const CPUChoice &cpu,
                                     const AttachTargetPassOptions &given) {
  AttachTargetPassOptions options = given, known = describeCPU(cpu), asked;
  if (cpu.name == kHostCPU && isOfThisMachine(getTriple(cpu)))
    asked = askMachine();
  if (options.dot.empty())
    options.dot = known.dot;
  for (auto [name, option] : kKnownNumbers) {
    if (options.*option != 0)
      continue;
    options.*option = asked.*option != 0 ? asked.*option : known.*option;
    if (asked.*option != 0)
      options.asked.push_back(name.str());
  }
  return options;
}

bool mlir::convoy::addsProductsOfBytes(const CPUChoice &cpu) {
  return llvm::any_of(
      getAttachTargetOptions(cpu).dot, [](const std::string &name) {
        const ::convoy::CPUDotInstruction *dot =
            ::convoy::getDotInstruction(name);
        return dot && dot->part == ::convoy::CPUDotInstruction::Part::I8;
      });
}
