//===- Output.cpp - What convoy-compile writes ------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Output.h"

#include "convoy/Runtime/FileIO.h"
#include "convoy/Support/Sha256.h"
#include "convoy/Target/CPUTarget.h"
#include "convoy/Target/EmitArchive.h"
#include "convoy/Target/EmitObject.h"
#include "convoy/Target/EmitSPIRV.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace mlir::convoy;

static LogicalResult report(MLIRContext *context, const Twine &sentence) {
  return emitError(UnknownLoc::get(context)) << sentence;
}

LogicalResult mlir::convoy::writeOutputs(MLIRContext *context,
                                         ArrayRef<OutputFile> files) {
  std::vector<::convoy::FileContent> contents;
  std::string printed;
  for (const OutputFile &file : files) {
    if (file.path == "-")
      printed += file.text;
    else
      contents.push_back({file.path, std::as_bytes(std::span(file.text))});
  }
  std::string error;
  if (!::convoy::writeFiles(contents, error))
    return report(context, error);
  llvm::outs() << printed;
  llvm::outs().flush();
  if (!llvm::outs().has_error())
    return success();
  std::string reason = llvm::outs().error().message();
  llvm::outs().clear_error();
  return report(context, "cannot write standard output: " + reason);
}

/// `object` linked into a shared object.
static FailureOr<std::string> linkObject(ModuleOp module, std::string object,
                                         SharedLibraries libraries) {
  MLIRContext *context = module.getContext();
  SmallString<128> objectPath, sharedPath;
  if (std::error_code code =
          llvm::sys::fs::createTemporaryFile("convoy", "o", objectPath))
    return report(context, "cannot make a temporary file: " + code.message());
  llvm::FileRemover removeObject(objectPath);
  if (std::error_code code =
          llvm::sys::fs::createTemporaryFile("convoy", "so", sharedPath))
    return report(context, "cannot make a temporary file: " + code.message());
  llvm::FileRemover removeShared(sharedPath);
  OutputFile file = {objectPath.str().str(), std::move(object)};
  if (failed(writeOutputs(context, file)) ||
      failed(linkSharedObject(objectPath, sharedPath, libraries,
                              [&] { return module.emitError(); })))
    return failure();
  std::string error;
  std::optional<std::vector<std::byte>> bytes =
      ::convoy::readFile(sharedPath.str().str(), error);
  if (!bytes)
    return report(context, error);
  return std::string(reinterpret_cast<const char *>(bytes->data()),
                     bytes->size());
}

/// LLVM IR, assembly, an object or a static archive.
static FailureOr<std::string> emitCode(ModuleOp module,
                                       llvm::TargetMachine &machine,
                                       const Options &options,
                                       Emission emission) {
  llvm::LLVMContext context;
  FailureOr<std::unique_ptr<llvm::Module>> translated =
      translateForCPU(module, context, machine, options.optLevel);
  if (failed(translated))
    return failure();
  SmallString<0> bytes;
  llvm::raw_svector_ostream os(bytes);
  if (emission == Emission::LLVM) {
    (*translated)->print(os, nullptr);
    return bytes.str().str();
  }
  auto emitErrorHere = [&] { return module.emitError(); };
  if (emission == Emission::Archive)
    return emitArchive(**translated, machine, emitErrorHere);
  auto kind = emission == Emission::Assembly
                  ? llvm::CodeGenFileType::AssemblyFile
                  : llvm::CodeGenFileType::ObjectFile;
  if (failed(emitMachineCode(**translated, machine, kind, os, emitErrorHere)))
    return failure();
  return bytes.str().str();
}

LogicalResult mlir::convoy::emitCPUKernels(ModuleOp module,
                                           llvm::TargetMachine &machine,
                                           const Options &options,
                                           Compiled &compiled) {
  auto keep = [&](FailureOr<std::string> made) {
    if (succeeded(made))
      compiled.output = std::move(*made);
    return LogicalResult(made);
  };
  bool isShared = options.emission == Emission::SharedObject;
  if (isShared || options.emission == Emission::Object ||
      !options.manifest.empty()) {
    if (failed(keep(emitCode(module, machine, options, Emission::Object))))
      return failure();
    FailureOr<std::vector<std::string>> functions =
        findMathFunctions(compiled.output, [&] { return module.emitError(); });
    if (failed(functions))
      return failure();
    compiled.mathFunctions = std::move(*functions);
  }
  if (isShared)
    return keep(linkObject(module, compiled.output,
                           {.openMP = options.threads > 1,
                            .math = !compiled.mathFunctions.empty()}));
  if (options.emission == Emission::LLVM ||
      options.emission == Emission::Assembly ||
      options.emission == Emission::Archive)
    return keep(emitCode(module, machine, options, options.emission));
  return success();
}

FailureOr<std::string> mlir::convoy::emitSPIRVKernels(ModuleOp module,
                                                      const Options &options) {
  FailureOr<SmallVector<uint32_t>> binary = emitSPIRV(module);
  if (failed(binary))
    return failure();
  if (options.emission == Emission::Assembly)
    return disassembleSPIRV(*binary);
  return std::string(reinterpret_cast<const char *>(binary->data()),
                     binary->size() * sizeof(uint32_t));
}

LogicalResult mlir::convoy::emitRocmKernels(ModuleOp module,
                                            const Options &options,
                                            Compiled &compiled) {
  auto emit = [&](HsacoStage stage) {
    FailureOr<std::string> made = emitHsaco(module, options.optLevel, stage);
    if (succeeded(made))
      compiled.output = *made;
    return LogicalResult(made);
  };
  if (options.emission == Emission::Hsaco || !options.manifest.empty()) {
    if (failed(emit(HsacoStage::CodeObject)))
      return failure();
    FailureOr<std::vector<KernelResources>> resources =
        readResources(module, compiled.output);
    if (failed(resources))
      return failure();
    compiled.resources = *resources;
  }
  if (options.emission == Emission::LLVM)
    return emit(HsacoStage::LLVM);
  if (options.emission == Emission::Assembly)
    return emit(HsacoStage::Assembly);
  return success();
}

/// What the kernels are for, and how they are launched.
static llvm::json::Object describe(const Compiled &compiled,
                                   const KernelProblems &problems,
                                   const Options &options) {
  switch (options.target) {
  case Target::CPU: {
    llvm::json::Object manifest = makeManifest(
        compiled.kernels, problems, "cpu", resolveCPU(options.cpu).cpu);
    if (!compiled.mathFunctions.empty())
      manifest["math_functions"] = compiled.mathFunctions;
    return manifest;
  }
  case Target::Rocm: {
    llvm::json::Object manifest =
        makeManifest(compiled.kernels, problems, "rocm", options.chip);
    manifest["resources"] = toJSON(compiled.resources);
    return manifest;
  }
  case Target::Vulkan:
    return makeManifest(compiled.kernels, problems, "vulkan",
                        options.vulkan->name);
  }
  llvm_unreachable("all are named");
}

/// `CONVOY_CONVOLUTION_H` for `dir/convolution.h`.
static std::string getHeaderGuard(StringRef path) {
  std::string guard = llvm::sys::path::filename(path).upper();
  for (char &c : guard)
    if (!llvm::isAlnum(c))
      c = '_';
  return "CONVOY_" + guard;
}

SmallVector<OutputFile> mlir::convoy::makeInterfaces(
    const Compiled &compiled, const KernelProblems &problems, StringRef output,
    const Options &options, const CertifiedChanges &changes) {
  SmallVector<OutputFile> files;
  std::string digest =
      ::convoy::sha256(std::as_bytes(std::span(output.data(), output.size())));
  if (!options.header.empty()) {
    OutputFile &file = files.emplace_back(OutputFile{options.header, ""});
    llvm::raw_string_ostream os(file.text);
    emitHeader(compiled.kernels, problems, getHeaderGuard(options.header),
               digest, os);
  }
  if (options.manifest.empty())
    return files;
  llvm::json::Object manifest = describe(compiled, problems, options);
  manifest["sha256"] = digest;
  // Nothing is written unless all is certified.
  if (options.certify)
    manifest["certificate"] =
        llvm::json::Object{{"verdict", "certified"},
                           {"from", options.input},
                           {"to", "input of " + changes.end},
                           {"changes", changes.numCertified}};
  files.push_back(
      {options.manifest,
       llvm::formatv("{0:2}\n", llvm::json::Value(std::move(manifest)))});
  return files;
}
