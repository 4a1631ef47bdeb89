//===- KernelFiles.cpp - Kernels as files for other programs ----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Driver/KernelFiles.h"

#include "convoy/Driver/TestObject.h"
#include "convoy/Runtime/FileIO.h"
#include "convoy/Support/Sha256.h"
#include "convoy/Target/CPUTarget.h"
#include "convoy/Target/EmitArchive.h"
#include "convoy/Target/EmitHsaco.h"
#include "convoy/Target/EmitObject.h"
#include "convoy/Target/EmitSPIRV.h"
#include "convoy/Transforms/KernelABI/Passes.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Target/TargetMachine.h"

#include <cmath>

using namespace mlir;
using namespace mlir::convoy;

namespace {
/// What is written, and what is known of the kernels in it.
struct Compiled {
  std::string output;
  SmallVector<KernelInterface> kernels;
  /// What kernels of code objects take of a chip.
  std::vector<KernelResources> resources;
  /// What objects for CPUs call of C's mathematical library.
  std::vector<std::string> mathFunctions;
  /// What runs on random integers say of an object, where they are asked for.
  ObjectTest test;
  /// Whether they use AMX's tiles.
  bool usesTiles = false;

  /// Instructions that kernels for `cpu` use.
  std::vector<std::string> getFeatures(const CPUChoice &cpu) const {
    std::vector<std::string> features = getKernelFeatures(cpu);
    if (!usesTiles)
      llvm::erase_if(features, [](StringRef feature) {
        return feature.starts_with("amx");
      });
    return features;
  }
};

/// What to make, and how.
struct Request {
  const KernelFileOptions &options;
  const CompileOptions &lowering;
  const KernelProblems &problems;
  CertifiedChanges &changes;
  function_ref<void()> startEmission;
  ChainModule *chains;
};
} // namespace

static LogicalResult report(MLIRContext *context, const Twine &sentence) {
  return emitError(UnknownLoc::get(context)) << sentence;
}

static std::string getDigest(StringRef text) {
  return ::convoy::sha256(std::as_bytes(std::span(text.data(), text.size())));
}

bool mlir::convoy::checkCertificate(const KernelFileOptions &options,
                                    std::string &error) {
  if (!options.deep)
    return true;
  if (options.target != Target::CPU)
    error = "a deep certificate runs kernels, and is for the target cpu; "
            "convoy-run has it for others";
  else if (options.emission == Emission::MLIR ||
           options.emission == Emission::LLVM ||
           options.emission == Emission::Assembly)
    error = "a deep certificate runs kernels, and is for objects, archives and "
            "shared objects";
  return error.empty();
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

/// LLVM IR, assembly, an object or a static archive.
static FailureOr<std::string> emitCode(ModuleOp module,
                                       llvm::TargetMachine &machine,
                                       unsigned optLevel, Emission emission) {
  llvm::LLVMContext context;
  FailureOr<std::unique_ptr<llvm::Module>> translated =
      translateForCPU(module, context, machine, optLevel);
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

/// Runs the object in `compiled`, which was made of `module`, on random
/// integers.
static LogicalResult testKernels(ModuleOp module,
                                 const llvm::TargetMachine &machine,
                                 const Request &request, Compiled &compiled) {
  if (std::string other = findOtherMachine(request.lowering.cpu);
      !other.empty())
    return report(module.getContext(),
                  "a deep certificate runs kernels, but these are for " +
                      other);
  compiled.test = testObject(module.getContext(), compiled.output,
                             compiled.kernels, request.problems);
  if (compiled.test.code == ::convoy::ExitCode::Ok)
    return success();
  request.changes.verdict =
      compiled.test.code == ::convoy::ExitCode::WrongNumbers
          ? Certificate::Verdict::Different
          : Certificate::Verdict::Undecided;
  return report(module.getContext(), compiled.test.reason);
}

/// Makes what is asked for from a module in LLVM's dialect: LLVM IR, assembly,
/// an object, a static archive or a shared object; and, for the manifest, what
/// it calls.
static LogicalResult emitCPUKernels(ModuleOp module,
                                    llvm::TargetMachine &machine,
                                    const Request &request,
                                    Compiled &compiled) {
  const KernelFileOptions &options = request.options;
  unsigned optLevel = request.lowering.optLevel;
  auto keep = [&](FailureOr<std::string> made) {
    if (succeeded(made))
      compiled.output = std::move(*made);
    return LogicalResult(made);
  };
  bool isShared = options.emission == Emission::SharedObject;
  if (isShared || options.emission == Emission::Object || options.deep ||
      !options.manifest.empty()) {
    if (failed(keep(emitCode(module, machine, optLevel, Emission::Object))))
      return failure();
    FailureOr<std::vector<std::string>> functions =
        findMathFunctions(compiled.output, [&] { return module.emitError(); });
    if (failed(functions))
      return failure();
    compiled.mathFunctions = std::move(*functions);
  }
  if (options.deep && failed(testKernels(module, machine, request, compiled)))
    return failure();
  if (isShared)
    return keep(linkSharedObject(compiled.output, machine.getTargetTriple(),
                                 [&] { return module.emitError(); }));
  if (options.emission == Emission::LLVM ||
      options.emission == Emission::Assembly ||
      options.emission == Emission::Archive)
    return keep(emitCode(module, machine, optLevel, options.emission));
  return success();
}

/// What is asked for, made from a module with SPIR-V: a binary or its text.
static FailureOr<std::string> emitSPIRVKernels(ModuleOp module,
                                               Emission emission) {
  FailureOr<SmallVector<uint32_t>> binary = emitSPIRV(module);
  if (failed(binary))
    return failure();
  if (emission == Emission::Assembly)
    return disassembleSPIRV(*binary, [&] { return module.emitError(); });
  return std::string(reinterpret_cast<const char *>(binary->data()),
                     binary->size() * sizeof(uint32_t));
}

/// Makes what is asked for from a module with kernels in ROCDL: LLVM IR,
/// assembly or a code object; and, for the manifest, what its kernels take.
static LogicalResult emitRocmKernels(ModuleOp module, const Request &request,
                                     Compiled &compiled) {
  const KernelFileOptions &options = request.options;
  auto emit = [&](HsacoStage stage) {
    FailureOr<std::string> made =
        emitHsaco(module, request.lowering.optLevel, stage);
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

/// Lowers `module`. The output is empty where nothing lowered is asked for.
static FailureOr<Compiled> makeCPUKernels(ModuleOp module,
                                          const Request &request) {
  FailureOr<std::unique_ptr<llvm::TargetMachine>> machine =
      createCPUTargetMachine(request.lowering.cpu,
                             [&] { return module.emitError(); });
  if (succeeded(machine) && !(*machine)->getTargetTriple().isOSBinFormatELF() &&
      request.options.emission == Emission::SharedObject)
    return module.emitError("expected a triple of ELF for a shared object, but "
                            "got ")
           << (*machine)->getTargetTriple().str()
           << ": write an object or an archive";
  if (failed(machine) || failed(lowerForCPU(module, request.lowering)) ||
      (request.chains && failed(linkChains(module, *request.chains))))
    return failure();
  request.startEmission();
  Compiled compiled{"", getKernelInterfaces(module), {}, {}, {}};
  compiled.usesTiles = usesTiles(module);
  if (!compiled.kernels.empty() &&
      failed(emitCPUKernels(module, **machine, request, compiled)))
    return failure();
  return compiled;
}

/// The same for Vulkan.
static FailureOr<Compiled> makeVulkanKernels(ModuleOp module,
                                             const Request &request) {
  FailureOr<SmallVector<KernelInterface>> kernels =
      lowerForVulkan(module, request.lowering);
  if (failed(kernels))
    return failure();
  request.startEmission();
  Compiled compiled{"", *kernels, {}, {}, {}};
  Emission emission = request.options.emission;
  if (emission == Emission::MLIR || compiled.kernels.empty())
    return compiled;
  FailureOr<std::string> output = emitSPIRVKernels(module, emission);
  if (failed(output))
    return failure();
  compiled.output = *output;
  return compiled;
}

/// The same for AMD's GPUs.
static FailureOr<Compiled> makeRocmKernels(ModuleOp module,
                                           const Request &request) {
  FailureOr<SmallVector<KernelInterface>> kernels =
      lowerForRocm(module, request.lowering);
  if (failed(kernels))
    return failure();
  request.startEmission();
  Compiled compiled{"", *kernels, {}, {}, {}};
  if (!compiled.kernels.empty() &&
      failed(emitRocmKernels(module, request, compiled)))
    return failure();
  return compiled;
}

static FailureOr<Compiled> makeKernels(ModuleOp module,
                                       const Request &request) {
  switch (request.options.target) {
  case Target::CPU:
    return makeCPUKernels(module, request);
  case Target::Rocm:
    return makeRocmKernels(module, request);
  case Target::Vulkan:
    return makeVulkanKernels(module, request);
  }
  llvm_unreachable("all are named");
}

/// What the kernels are for, and how they are launched.
static llvm::json::Object describe(const Compiled &compiled,
                                   const Request &request) {
  const KernelProblems &problems = request.problems;
  switch (request.options.target) {
  case Target::CPU: {
    llvm::json::Object manifest =
        makeManifest(compiled.kernels, problems, "cpu",
                     resolveCPU(request.lowering.cpu).cpu);
    manifest["triple"] = getTriple(request.lowering.cpu).str();
    manifest["features"] = compiled.getFeatures(request.lowering.cpu);
    if (!compiled.mathFunctions.empty())
      manifest["math_functions"] = compiled.mathFunctions;
    if (request.chains) {
      manifest["chains"] = toJSON(*request.chains);
      manifest["model"] = request.chains->model;
    }
    return manifest;
  }
  case Target::Rocm: {
    llvm::json::Object manifest =
        makeManifest(compiled.kernels, problems, "rocm", request.lowering.chip);
    manifest["resources"] = toJSON(compiled.resources);
    return manifest;
  }
  case Target::Vulkan:
    return makeManifest(compiled.kernels, problems, "vulkan",
                        request.lowering.vulkan.name);
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

/// `For x86_64-unknown-linux-gnu, haswell, with instructions of avx avx2 ...`
static std::string describeMachine(const Compiled &compiled,
                                   const CPUChoice &cpu) {
  std::string line = "For " + getTriple(cpu).str() + ", " + resolveCPU(cpu).cpu;
  std::vector<std::string> features = compiled.getFeatures(cpu);
  if (!features.empty())
    line += ", with instructions of " + llvm::join(features, " ");
  return line;
}

namespace {
/// What was proved: every change of the IR of `source` down to where
/// `changes` end. Nothing is written unless all is certified.
struct Proof {
  StringRef source;
  std::string digest; ///< of the IR, SHA-256
  const CertifiedChanges &changes;
};
} // namespace

/// What was proved, and what was run, for a manifest.
static llvm::json::Object toJSON(const Proof &proof, const Compiled &compiled) {
  llvm::json::Object object{{"verdict", "certified"},
                            {"from", proof.source},
                            {"from_sha256", proof.digest},
                            {"to", "input of " + proof.changes.end},
                            {"changes", proof.changes.numCertified}};
  object["claim"] = describeEquality(proof.changes.conditions);
  if (proof.changes.conditions.isExactOnly)
    object["arithmetic"] = "exact";
  if (compiled.test.kernels.empty())
    return object;
  llvm::json::Array tests;
  for (const auto &[name, test] : compiled.test.kernels) {
    llvm::json::Object ran = mlir::convoy::toJSON(test);
    ran["kernel"] = name;
    tests.push_back(std::move(ran));
  }
  object["identity_tests"] = std::move(tests);
  return object;
}

/// The same as lines for a header.
static std::vector<std::string> describe(const Proof &proof,
                                         const Compiled &compiled) {
  std::string from;
  llvm::raw_string_ostream os(from);
  llvm::printEscapedString(proof.source, os);
  std::vector<std::string> lines = {
      llvm::formatv(
          "Certified: all {0} changes from \"{1}\" to the input of "
          "{2} keep what is computed{3}",
          proof.changes.numCertified, from, proof.changes.end,
          proof.changes.conditions.isExactOnly ? " in exact arithmetic" : "")
          .str(),
      "  SHA-256 of the IR that it began with: " + proof.digest};
  for (const auto &[name, test] : compiled.test.kernels)
    lines.push_back(llvm::formatv("  {0}: {1}, which miss a wrong sum with a "
                                  "probability of at most 2^{2}",
                                  name, toString(test),
                                  int(std::ceil(test.getMissedExponent())))
                        .str());
  return lines;
}

/// The header and the manifest, where they are asked for, of the kernels in the
/// file with the content `output`, for which `proof` holds.
static SmallVector<OutputFile> makeInterfaces(const Compiled &compiled,
                                              const Proof &proof,
                                              StringRef output,
                                              const Request &request) {
  const KernelFileOptions &options = request.options;
  SmallVector<OutputFile> files;
  std::string digest = getDigest(output);
  if (!options.header.empty()) {
    OutputFile &file = files.emplace_back(OutputFile{options.header, ""});
    llvm::raw_string_ostream os(file.text);
    HeaderNotes notes;
    if (request.chains)
      notes = getHeaderNotes(*request.chains);
    notes.opening.push_back(describeMachine(compiled, request.lowering.cpu));
    if (compiled.usesTiles && getTriple(request.lowering.cpu).isOSLinux())
      notes.opening.push_back(
          "Kernels use AMX, for which a constructor asks Linux: "
          "arch_prctl(ARCH_REQ_XCOMP_PERM, 18)");
    if (options.certify)
      llvm::append_range(notes.opening, describe(proof, compiled));
    emitHeader(compiled.kernels, request.problems, notes,
               getHeaderGuard(options.header), digest, os);
  }
  if (options.manifest.empty())
    return files;
  llvm::json::Object manifest = describe(compiled, request);
  manifest["sha256"] = digest;
  if (options.certify)
    manifest["certificate"] = toJSON(proof, compiled);
  files.push_back(
      {options.manifest,
       llvm::formatv("{0:2}\n", llvm::json::Value(std::move(manifest)))});
  return files;
}

FailureOr<SmallVector<OutputFile>> mlir::convoy::makeKernelFiles(
    ModuleOp module, const KernelProblems &problems, StringRef source,
    const KernelFileOptions &options, const CompileOptions &lowering,
    CertifiedChanges &changes, function_ref<void()> startEmission,
    ChainModule *chains) {
  MLIRContext *context = module.getContext();
  std::string imported;
  llvm::raw_string_ostream(imported) << module << '\n';
  bool isMLIR = options.emission == Emission::MLIR;
  if (isMLIR && options.header.empty() && options.manifest.empty() &&
      !options.certify)
    return SmallVector<OutputFile>{{options.output, imported}};
  Request request = {options, lowering,      problems,
                     changes, startEmission, chains};
  FailureOr<Compiled> compiled = makeKernels(module, request);
  if (failed(compiled))
    return failure();
  if (compiled->kernels.empty())
    return report(context, "expected a public function to compile, but " +
                               source + " has none");
  SmallVector<OutputFile> files = {
      {options.output, isMLIR ? imported : compiled->output}};
  std::string output = files.front().text;
  Proof proof = {source, getDigest(imported), changes};
  llvm::append_range(files, makeInterfaces(*compiled, proof, output, request));
  return files;
}
