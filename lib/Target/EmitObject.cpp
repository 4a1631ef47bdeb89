//===- EmitObject.cpp - From LLVM's dialect to machine code -----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Target/EmitObject.h"

#include "LinkELF.h"
#include "OpenMPRuntime.h"
#include "SystemLibrary.h"
#include "convoy/Support/Interruption.h"
#include "convoy/Target/CPUTarget.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/GPU/GPUToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/OpenMP/OpenMPToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/ROCDL/ROCDLToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;
using namespace mlir::convoy;

void mlir::convoy::registerTranslations(DialectRegistry &registry) {
  registerBuiltinDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
  registerOpenMPDialectTranslation(registry);
  registerGPUDialectTranslation(registry);
  registerROCDLDialectTranslation(registry);
}

static llvm::OptimizationLevel getLevel(unsigned optLevel) {
  switch (optLevel) {
  case 0:
    return llvm::OptimizationLevel::O0;
  case 1:
    return llvm::OptimizationLevel::O1;
  case 2:
    return llvm::OptimizationLevel::O2;
  default:
    return llvm::OptimizationLevel::O3;
  }
}

LogicalResult mlir::convoy::optimizeFor(llvm::Module &module,
                                        llvm::TargetMachine &machine,
                                        unsigned optLevel, bool unroll) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager callGraphs;
  llvm::ModuleAnalysisManager modules;
  llvm::PipelineTuningOptions tuning;
  tuning.LoopUnrolling = unroll;
  llvm::PassInstrumentationCallbacks callbacks;
  callbacks.registerShouldRunOptionalPassCallback(
      [](StringRef, llvm::Any) { return !::convoy::isInterrupted(); });
  llvm::PassBuilder builder(&machine, tuning, std::nullopt, &callbacks);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(callGraphs);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, callGraphs, modules);
  llvm::OptimizationLevel level = getLevel(optLevel);
  llvm::ModulePassManager passes =
      level == llvm::OptimizationLevel::O0
          ? builder.buildO0DefaultPipeline(level)
          : builder.buildPerModuleDefaultPipeline(level);
  passes.run(module, modules);
  return failure(::convoy::isInterrupted());
}

FailureOr<std::unique_ptr<llvm::Module>>
mlir::convoy::translateFor(Operation *module, llvm::LLVMContext &context,
                           llvm::TargetMachine &machine) {
  std::unique_ptr<llvm::Module> translated =
      translateModuleToLLVMIR(module, context, "convoy");
  if (!translated)
    return module->emitError("expected a module in LLVM's dialect");
  translated->setDataLayout(machine.createDataLayout());
  translated->setTargetTriple(machine.getTargetTriple());
  for (llvm::Function &function : *translated) {
    if (function.isDeclaration())
      continue;
    function.addFnAttr("target-cpu", machine.getTargetCPU());
    function.addFnAttr("target-features", machine.getTargetFeatureString());
    // Loops that copy stay loops: they write whole lines, which need not be
    // read before, and C's function takes as long again for a few hundred
    // bytes.
    function.addFnAttr("no-builtin-memcpy");
  }
  return translated;
}

FailureOr<std::unique_ptr<llvm::Module>>
mlir::convoy::translateForCPU(ModuleOp module, llvm::LLVMContext &context,
                              llvm::TargetMachine &machine, unsigned optLevel) {
  FailureOr<std::unique_ptr<llvm::Module>> translated =
      translateFor(module, context, machine);
  if (succeeded(translated) &&
      failed(optimizeFor(**translated, machine, optLevel)))
    return module.emitError("interrupted");
  return translated;
}

LogicalResult mlir::convoy::emitMachineCode(
    llvm::Module &module, llvm::TargetMachine &machine,
    llvm::CodeGenFileType kind, llvm::raw_pwrite_stream &os,
    function_ref<InFlightDiagnostic()> emitError) {
  llvm::legacy::PassManager passes;
  if (machine.addPassesToEmitFile(passes, os, nullptr, kind))
    return emitError() << "expected a target that can write "
                       << (kind == llvm::CodeGenFileType::ObjectFile
                               ? "objects"
                               : "assembly");
  passes.run(module);
  return success();
}

static FailureOr<std::unique_ptr<llvm::object::ObjectFile>>
readObject(StringRef object, function_ref<InFlightDiagnostic()> emitError) {
  auto file = llvm::object::ObjectFile::createObjectFile(
      llvm::MemoryBufferRef(object, "kernels"));
  if (!file)
    return emitError() << "could not read the object: "
                       << llvm::toString(file.takeError());
  return std::move(*file);
}

static std::vector<std::string>
getMathFunctions(const llvm::object::ObjectFile &object) {
  std::vector<std::string> functions;
  for (const llvm::object::SymbolRef &symbol : object.symbols()) {
    // Symbols of an object in memory have flags and names.
    if (!(llvm::cantFail(symbol.getFlags()) &
          llvm::object::SymbolRef::SF_Undefined))
      continue;
    StringRef name = llvm::cantFail(symbol.getName());
    // There C's names have one more.
    if (object.isMachO())
      name.consume_front("_");
    // Names of the compiler's and OpenMP's own libraries start with _. What
    // sets and copies memory is called so but for Apple's bzero.
    bool isOther = name.empty() || name.starts_with("_") ||
                   name.starts_with("mem") || name == "bzero";
    if (!isOther)
      functions.push_back(name.str());
  }
  llvm::sort(functions);
  return functions;
}

FailureOr<std::vector<std::string>>
mlir::convoy::findMathFunctions(StringRef object,
                                function_ref<InFlightDiagnostic()> emitError) {
  FailureOr<std::unique_ptr<llvm::object::ObjectFile>> file =
      readObject(object, emitError);
  if (failed(file))
    return failure();
  return getMathFunctions(**file);
}

/// Adds what `object` calls to what is linked.
static LogicalResult
addLibraries(StringRef object, SmallVectorImpl<std::string> &arguments,
             function_ref<InFlightDiagnostic()> emitError) {
  FailureOr<std::unique_ptr<llvm::object::ObjectFile>> file =
      readObject(object, emitError);
  if (failed(file))
    return failure();
  if (callsOpenMP(**file)) {
    void *library = openOpenMP();
    if (!library)
      return emitError() << llvm::toString(makeOpenMPError());
    arguments.push_back(getLibraryPath(library));
  }
  // C++'s own library needs it, so that it is always there.
  if (!getMathFunctions(**file).empty())
    arguments.push_back(getLibraryPath(openSystemLibrary(CONVOY_MATH_LIBRARY)));
  return success();
}

FailureOr<std::string>
mlir::convoy::linkSharedObject(StringRef object, const llvm::Triple &triple,
                               function_ref<InFlightDiagnostic()> emitError) {
  auto report = [&](const Twine &what) -> LogicalResult {
    return emitError() << "could not link a shared object: " << what;
  };
  auto reportFile = [&](std::error_code code) -> LogicalResult {
    return emitError() << "cannot make a temporary file: " << code.message();
  };
  SmallString<128> objectPath, sharedPath;
  int file = -1;
  if (std::error_code code =
          llvm::sys::fs::createTemporaryFile("convoy", "o", file, objectPath))
    return reportFile(code);
  llvm::FileRemover removeObject(objectPath);
  llvm::raw_fd_ostream os(file, /*shouldClose=*/true);
  os << object;
  os.close();
  if (std::error_code code = os.error()) {
    os.clear_error();
    return reportFile(code);
  }
  if (std::error_code code =
          llvm::sys::fs::createTemporaryFile("convoy", "so", sharedPath))
    return reportFile(code);
  llvm::FileRemover removeShared(sharedPath);

  SmallVector<std::string> arguments = {"-shared", "-o", sharedPath.str().str(),
                                        objectPath.str().str()};
  if (triple == getTriple(CPUChoice()) &&
      failed(addLibraries(object, arguments, emitError)))
    return failure();
  auto pointers = llvm::map_to_vector(
      arguments, [](const std::string &argument) { return argument.c_str(); });
  if (llvm::Error error = linkELF(pointers))
    return report(llvm::toString(std::move(error)));
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> linked =
      llvm::MemoryBuffer::getFile(sharedPath);
  if (!linked)
    return report(linked.getError().message());
  return (*linked)->getBuffer().str();
}
