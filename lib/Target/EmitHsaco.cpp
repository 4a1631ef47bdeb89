//===- EmitHsaco.cpp - Code objects for AMD's GPUs --------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Target/EmitHsaco.h"

#include "DeviceLibrary.h"
#include "LinkELF.h"

#include "convoy/Dialect/Convoy/IR/Convoy.h"
#include "convoy/Support/RocmChip.h"
#include "convoy/Target/EmitObject.h"
#include "convoy/Transforms/Targets/Targets.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/BinaryFormat/MsgPackDocument.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Object/ELF.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/TargetSelect.h"

using namespace mlir;
using namespace mlir::convoy;

/// Version 5 of code objects: what ROCm loads from 5.7 on.
static constexpr uint32_t kCodeObjectVersion = 500;

static std::unique_ptr<llvm::TargetMachine>
createMachine(const ::convoy::RocmChip &chip) {
  static const bool once = [] {
    LLVMInitializeAMDGPUTargetInfo();
    LLVMInitializeAMDGPUTarget();
    LLVMInitializeAMDGPUTargetMC();
    LLVMInitializeAMDGPUAsmPrinter();
    return true;
  }();
  (void)once;
  llvm::Triple triple("amdgcn-amd-amdhsa");
  std::string error;
  const llvm::Target *target =
      llvm::TargetRegistry::lookupTarget(triple, error);
  assert(target && "LLVM is built with all targets");
  return std::unique_ptr<llvm::TargetMachine>(target->createTargetMachine(
      triple, chip.name, /*Features=*/"", llvm::TargetOptions(),
      llvm::Reloc::PIC_, std::nullopt, llvm::CodeGenOptLevel::Aggressive));
}

//===----------------------------------------------------------------------===//
// The linker
//===----------------------------------------------------------------------===//

/// Links the object file into a code object; the linker's first complaint goes
/// to `module`.
static LogicalResult callLinker(ModuleOp module, const char *objectPath,
                                const char *outputPath) {
  if (llvm::Error error =
          linkELF({"-shared", "--no-undefined", objectPath, "-o", outputPath}))
    return module.emitError() << "could not link a code object: "
                              << llvm::toString(std::move(error));
  return success();
}

static LogicalResult writeObject(ModuleOp module, StringRef path,
                                 StringRef object) {
  std::error_code code;
  llvm::raw_fd_ostream os(path, code);
  if (!code) {
    os << object;
    os.close();
    code = os.error();
    os.clear_error();
  }
  if (code)
    return module.emitError()
           << "cannot write " << path << ": " << code.message();
  return success();
}

static FailureOr<std::string> link(ModuleOp module, StringRef object) {
  SmallString<128> folder;
  if (std::error_code code =
          llvm::sys::fs::createUniqueDirectory("convoy", folder))
    return module.emitError()
           << "cannot make a folder for temporary files: " << code.message();
  // What a linker that has failed left there, too.
  llvm::scope_exit remove(
      [&] { (void)llvm::sys::fs::remove_directories(folder); });
  SmallString<128> objectPath(folder), outputPath(folder);
  llvm::sys::path::append(objectPath, "kernels.o");
  llvm::sys::path::append(outputPath, "kernels.hsaco");
  if (failed(writeObject(module, objectPath, object)) ||
      failed(callLinker(module, objectPath.c_str(), outputPath.c_str())))
    return failure();
  auto buffer = llvm::MemoryBuffer::getFile(outputPath);
  if (!buffer)
    return module.emitError() << "cannot read " << outputPath << ": "
                              << buffer.getError().message();
  return (*buffer)->getBuffer().str();
}

//===----------------------------------------------------------------------===//
// Compilation
//===----------------------------------------------------------------------===//

namespace {
/// Reports the errors of LLVM's code generator, which else end the program.
struct ErrorReporter final : llvm::DiagnosticHandler {
  ErrorReporter(ModuleOp module, bool &hasErrors)
      : module(module), hasErrors(hasErrors) {}

  bool handleDiagnostics(const llvm::DiagnosticInfo &info) override {
    if (info.getSeverity() != llvm::DS_Error)
      return true;
    std::string text;
    llvm::raw_string_ostream os(text);
    llvm::DiagnosticPrinterRawOStream printer(os);
    info.print(printer);
    module.emitError() << text;
    hasErrors = true;
    return true;
  }

  ModuleOp module;
  bool &hasErrors;
};
} // namespace

static FailureOr<gpu::GPUModuleOp> findKernels(ModuleOp module) {
  auto kernels = llvm::to_vector(module.getOps<gpu::GPUModuleOp>());
  if (kernels.size() != 1)
    return module.emitError()
           << "expected one gpu.module, but got " << kernels.size();
  return kernels.front();
}

FailureOr<std::string>
mlir::convoy::emitHsaco(ModuleOp module, unsigned optLevel, HsacoStage stage) {
  const ::convoy::RocmChip *chip = findRocmChip(module);
  if (!chip)
    return failure();
  FailureOr<gpu::GPUModuleOp> kernels = findKernels(module);
  if (failed(kernels))
    return failure();
  std::unique_ptr<llvm::TargetMachine> machine = createMachine(*chip);
  llvm::LLVMContext context;
  bool hasErrors = false;
  context.setDiagnosticHandler(
      std::make_unique<ErrorReporter>(module, hasErrors));
  FailureOr<std::unique_ptr<llvm::Module>> translated =
      translateFor(*kernels, context, *machine);
  if (failed(translated) ||
      failed(linkDeviceLibrary(*kernels, **translated, *chip)))
    return failure();
  (*translated)
      ->addModuleFlag(llvm::Module::Error, "amdhsa_code_object_version",
                      kCodeObjectVersion);
  // Unrolled, the loops over a step's terms take more registers than there are.
  if (failed(optimizeFor(**translated, *machine, optLevel, /*unroll=*/false)))
    return module.emitError("interrupted");
  SmallString<0> bytes;
  llvm::raw_svector_ostream os(bytes);
  if (stage == HsacoStage::LLVM) {
    (*translated)->print(os, nullptr);
    return bytes.str().str();
  }
  auto kind = stage == HsacoStage::Assembly
                  ? llvm::CodeGenFileType::AssemblyFile
                  : llvm::CodeGenFileType::ObjectFile;
  if (failed(emitMachineCode(**translated, *machine, kind, os,
                             [&] { return module.emitError(); })) ||
      hasErrors)
    return failure();
  if (stage == HsacoStage::Assembly)
    return bytes.str().str();
  return link(module, bytes);
}

//===----------------------------------------------------------------------===//
// Metadata
//===----------------------------------------------------------------------===//

/// Reads the note with the metadata of `hsaco`; false where there is none.
static bool readMetadata(StringRef hsaco, llvm::msgpack::Document &document) {
  auto file = llvm::object::ELF64LEFile::create(hsaco);
  if (!file)
    return llvm::consumeError(file.takeError()), false;
  auto segments = file->program_headers();
  if (!segments)
    return llvm::consumeError(segments.takeError()), false;
  bool isRead = false;
  for (const auto &segment : *segments) {
    if (segment.p_type != llvm::ELF::PT_NOTE)
      continue;
    llvm::Error error = llvm::Error::success();
    for (const auto &note : file->notes(segment, error))
      if (note.getName() == "AMDGPU" &&
          note.getType() == llvm::ELF::NT_AMDGPU_METADATA)
        isRead = document.readFromBlob(note.getDescAsStringRef(segment.p_align),
                                       /*Multi=*/false);
    llvm::consumeError(std::move(error));
  }
  return isRead && document.getRoot().isMap();
}

/// The chip that metadata is for, as in amdgcn-amd-amdhsa--gfx942:sramecc+;
/// null for one that is not known.
static const ::convoy::RocmChip *findChip(llvm::msgpack::Document &document) {
  std::string target =
      document.getRoot().getMap(/*Convert=*/true)["amdhsa.target"].toString();
  StringRef name = StringRef(target).rsplit('-').second;
  return ::convoy::getRocmChip(name.split(':').first);
}

/// How many registers of a work-item of `chip` are allocated together, as LLVM
/// rounds them (AMDGPU::IsaInfo::getVGPRAllocGranule).
static int64_t getRegisterStep(const ::convoy::RocmChip &chip) {
  std::unique_ptr<llvm::TargetMachine> machine = createMachine(chip);
  auto has = [&](StringRef feature) {
    return machine->getMCSubtargetInfo()->checkFeatures(feature);
  };
  if (has("+gfx90a-insts"))
    return 8;
  bool isOfOneAndAHalf = has("+allocate1_5xvgprs");
  return chip.wave == 32 ? (isOfOneAndAHalf ? 24 : 16)
                         : (isOfOneAndAHalf ? 12 : 8);
}

FailureOr<std::vector<KernelResources>>
mlir::convoy::readResources(ModuleOp module, StringRef hsaco) {
  llvm::msgpack::Document document;
  const ::convoy::RocmChip *chip =
      readMetadata(hsaco, document) ? findChip(document) : nullptr;
  if (!chip)
    return module.emitError("expected a code object with metadata");
  int64_t step = getRegisterStep(*chip);
  std::vector<KernelResources> kernels;
  for (llvm::msgpack::DocNode &node :
       document.getRoot().getMap()["amdhsa.kernels"].getArray(
           /*Convert=*/true)) {
    llvm::msgpack::MapDocNode &entry = node.getMap(/*Convert=*/true);
    auto get = [&](StringRef key) -> int64_t {
      llvm::msgpack::DocNode &value = entry[key];
      return value.getKind() == llvm::msgpack::Type::UInt ? value.getUInt() : 0;
    };
    kernels.push_back(
        {.symbol = entry[".name"].toString(),
         .wave = get(".wavefront_size"),
         .workgroupItems = get(".max_flat_workgroup_size"),
         .workgroupBytes = get(".group_segment_fixed_size"),
         .scratchBytes = get(".private_segment_fixed_size"),
         .argumentBytes = get(".kernarg_segment_size"),
         .vgprs = get(".vgpr_count"),
         .sgprs = get(".sgpr_count"),
         .allocatedVgprs = int64_t(llvm::alignTo(get(".vgpr_count"), step)),
         .matrixRegisters = get(".agpr_count"),
         .vgprSpills = get(".vgpr_spill_count"),
         .sgprSpills = get(".sgpr_spill_count")});
  }
  llvm::sort(kernels, [](const KernelResources &a, const KernelResources &b) {
    return a.symbol < b.symbol;
  });
  return kernels;
}

llvm::json::Array mlir::convoy::toJSON(ArrayRef<KernelResources> kernels) {
  llvm::json::Array array;
  for (const KernelResources &kernel : kernels)
    array.push_back(
        llvm::json::Object{{"symbol", kernel.symbol},
                           {"wave_size", kernel.wave},
                           {"workgroup_items", kernel.workgroupItems},
                           {"lds_bytes", kernel.workgroupBytes},
                           {"scratch_bytes", kernel.scratchBytes},
                           {"argument_bytes", kernel.argumentBytes},
                           {"vgprs", kernel.vgprs},
                           {"vgprs_allocated", kernel.allocatedVgprs},
                           {"agprs", kernel.matrixRegisters},
                           {"sgprs", kernel.sgprs},
                           {"vgpr_spills", kernel.vgprSpills},
                           {"sgpr_spills", kernel.sgprSpills}});
  return array;
}
