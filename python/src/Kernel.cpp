//===- Kernel.cpp - A compiled problem that Python calls --------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernel.h"

#include "Context.h"
#include "Error.h"

#include "convoy/Driver/CheckFunction.h"
#include "convoy/Driver/FunctionInputs.h"
#include "convoy/Driver/Import.h"
#include "convoy/Driver/KernelFiles.h"
#include "convoy/Driver/KernelSymbols.h"
#include "convoy/Driver/ToolOptions.h"
#include "convoy/Runtime/FileIO.h"
#include "convoy/Target/CPUTarget.h"
#include "convoy/Target/EmitInterface.h"
#include "convoy/Target/EmitObject.h"
#include "convoy/Transforms/KernelABI/KernelNames.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/TargetParser/Triple.h"

#include <cstring>
#include <span>

using namespace convoy;
using namespace convoy::python;
using namespace mlir::convoy;
using mlir::DiagnosticSeverity;
using mlir::FailureOr;
using mlir::MLIRContext;
using mlir::ModuleOp;
using mlir::OwningOpRef;
using mlir::PassManager;
using Proof = Certificate::Verdict;

/// What kernels of problems are called in files, unless `name` is given.
static std::string chooseSymbol(const AnyProblem &problem,
                                const std::optional<std::string> &name) {
  if (name && !isKernelName(*name))
    throwError("expected a name for C and C++ for '--name', but got '" + *name +
               "'");
  std::string error;
  std::optional<std::vector<std::string>> symbols =
      chooseKernelSymbols(problem, name, error);
  if (!symbols)
    throwError(error);
  return symbols->front();
}

/// Checks `settings` and says how the kernel is lowered.
static CPUOptions getLowering(MLIRContext *context,
                              const KernelSettings &settings) {
  if (std::optional<std::string> reason = checkTarget(settings.target))
    throwError(*reason);
  if (std::optional<std::string> reason =
          checkCPU({settings.cpu, settings.triple}))
    throwError(*reason);
  CPUOptions lowering;
  lowering.cpu = {settings.cpu, settings.triple};
  lowering.threads = settings.threads;
  lowering.precision = settings.precision;
  lowering.algorithm = settings.algorithm;
  lowering.explain = true;
  std::string error;
  bool isForCPU = getTargetKind(settings.target) == "cpu";
  if (settings.tile && !isForCPU)
    throwError("'tile' is not for target=" + settings.target);
  if (!settings.triple.empty() && !isForCPU)
    throwError("'triple' is not for target=" + settings.target);
  if (settings.tile && !readTile(*settings.tile, lowering.machine.tile, error))
    throwError(error);
  if (!checkPrecision(settings.precision, error) ||
      !checkAlgorithm(settings.algorithm, error))
    throwError(error);
  return lowering;
}

/// Reads what `settings` say of arguments.
static std::vector<ArgumentRange> getRanges(const KernelSettings &settings) {
  std::vector<ArgumentRange> ranges;
  for (const std::string &text : settings.ranges) {
    std::string expected;
    std::optional<ArgumentRange> range = parseArgumentRange(text, expected);
    if (!range)
      throwError("expected " + expected + " for 'ranges', but got '" + text +
                 "'");
    ranges.push_back(std::move(*range));
  }
  for (const std::string &text : settings.calibrations) {
    std::optional<ArgumentRange> range = parseCalibration(text);
    if (!range)
      throwError("expected an argument and a file for 'calibrate', but got '" +
                 text + "'");
    ranges.push_back(std::move(*range));
  }
  return ranges;
}

python::Kernel::Kernel(const AnyProblem &problem,
                       const KernelSettings &settings)
    : problem(problem), arguments(describeArguments(problem)),
      target(settings.target), kind(getTargetKind(target).str()),
      ranges(getRanges(settings)), context(python::makeContext()) {
  static_cast<CPUOptions &>(options) = getLowering(context.get(), settings);
  if (isOnCPU())
    otherMachine = findOtherMachine(options.cpu);
  throwIfFailed(openTarget(target, device));
  setDevice(options, device);
  compile();
  if (isForOther())
    return;
  throwIfFailed(loaded.emplace(*compiled, device).load());
  for (const Argument &argument : arguments)
    sizes.push_back(checkedElementCount(argument.type, argument.shape).value() *
                    scalarSize(argument.type));
  if (!isOnCPU())
    return;
  convoy::Kernel function;
  throwIfFailed(
      loaded->findKernel(compiled->getKernels().front().name, function));
  hostKernel.emplace(device, function, getWorkspaceBytes());
}

std::string python::Kernel::getTriple() const {
  return isOnCPU() ? mlir::convoy::getTriple(options.cpu).str() : "";
}

void python::Kernel::checkRunsHere() const {
  if (isForOther())
    throwError("expected a kernel for this machine to run, but got one for " +
               otherMachine);
}

/// Compiles a kernel for the CPU of another machine, to an object.
static FailureOr<CompiledModule>
compileForOther(ModuleOp module, const CompileOptions &options) {
  auto emitError = [&] { return module.emitError(); };
  FailureOr<std::unique_ptr<llvm::TargetMachine>> machine =
      createCPUTargetMachine(options.cpu, emitError);
  if (failed(machine) || failed(lowerForCPU(module, options)))
    return mlir::failure();
  llvm::SmallVector<KernelInterface> kernels = getKernelInterfaces(module);
  llvm::LLVMContext llvmContext;
  FailureOr<std::unique_ptr<llvm::Module>> code =
      translateForCPU(module, llvmContext, **machine, options.optLevel);
  if (failed(code))
    return mlir::failure();
  llvm::SmallString<0> object;
  llvm::raw_svector_ostream os(object);
  if (failed(emitMachineCode(**code, **machine,
                             llvm::CodeGenFileType::ObjectFile, os, emitError)))
    return mlir::failure();
  auto bytes = std::as_bytes(std::span(object.data(), object.size()));
  return CompiledModule("cpu", {bytes.begin(), bytes.end()},
                        std::move(kernels));
}

void python::Kernel::compile() {
  FirstErrorHandler errors(
      context.get(), [this](DiagnosticSeverity severity, llvm::StringRef line) {
        bool isWarning = severity == DiagnosticSeverity::Warning;
        (isWarning ? warnings : remarks).push_back(line.str());
      });
  OwningOpRef<ModuleOp> module =
      build(context.get(), chooseSymbol(problem, {}));
  FailureOr<CompiledModule> made = isForOther()
                                       ? compileForOther(*module, options)
                                       : compileFor(kind, *module, options);
  if (failed(made))
    throwError("cannot compile: " + errors.getError());
  compiled.emplace(std::move(*made));
}

int64_t python::Kernel::getWorkspaceBytes() const {
  return compiled->getKernels().front().workspaceBytes.value_or(0);
}

void python::Kernel::launch(const Addresses &addresses) {
  checkRunsHere();
  if (addresses.size() != arguments.size())
    throwError("expected " + std::to_string(arguments.size()) +
               " arrays, but got " + std::to_string(addresses.size()));
  return hostKernel ? hostKernel->call(addresses, sizes)
                    : launchOnCopies(addresses);
}

void python::Kernel::launchOnCopies(const Addresses &addresses) {
  std::lock_guard lock(mutex);
  KernelOutcome outcome =
      runKernel(getLoaded(), copyArguments(arguments, addresses), /*runs=*/1);
  if (!outcome.error.empty())
    throwError(outcome.error, outcome.errorCode);
  if (!outcome.faults.empty())
    throwError(llvm::join(outcome.faults, "; "));
  const HostArray &result = outcome.results.front();
  if (!result.bytes.empty())
    std::memcpy(reinterpret_cast<void *>(addresses.back()), result.data(),
                result.bytes.size());
}

CheckResult python::Kernel::checkConv(const Problem &problem,
                                      const CheckOptions &checks) {
  CheckedConv conv = describeProblem(problem);
  if (std::optional<std::string> shortage =
          checkMemoryFor(conv, /*compare=*/true))
    throwError(*shortage);
  std::vector<HostArray> inputs = generateArguments(conv, checks);
  for (size_t number = 0; number < inputs.size(); ++number)
    inputs[number].shape = arguments[number].shape;
  return checkKernels(conv, getLoaded(), inputs, checks).front();
}

OwningOpRef<ModuleOp> python::Kernel::build(MLIRContext *context,
                                            const std::string &symbol) const {
  std::string error;
  if (!checkProblemRanges(context, problem, ranges, error))
    throwError(error);
  OwningOpRef<ModuleOp> module =
      buildRangedModule(context, problem, symbol, ranges, error);
  if (!module)
    throwError(error);
  return module;
}

std::vector<HostArray>
python::Kernel::generateFor(mlir::func::FuncOp function,
                            const CheckOptions &checks) const {
  std::vector<HostArray> inputs;
  if (const auto *conv = std::get_if<Problem>(&problem)) {
    inputs = generateArguments(describeProblem(*conv), checks);
  } else {
    inputs = generateOther(problem, function, checks.data, checks.seed);
    inputs.push_back(arguments.back().makeArray());
  }
  std::string error;
  if (!keepDeclaredRanges(function, inputs, checks, error))
    throwError(error);
  return inputs;
}

CheckResult python::Kernel::checkFunction(CheckOptions checks) {
  std::unique_ptr<MLIRContext> own = python::makeContext();
  FirstErrorHandler errors(own.get(),
                           [](DiagnosticSeverity, llvm::StringRef) {});
  OwningOpRef<ModuleOp> module = build(own.get(), chooseSymbol(problem, {}));
  mlir::func::FuncOp function = *module->getOps<mlir::func::FuncOp>().begin();
  noteDeclaredRanges(function, checks);
  std::vector<HostArray> inputs = generateFor(function, checks);
  // What is expected depends on the type of sums, and on the algorithm.
  bool isDirect = options.algorithm == "direct";
  if ((!ranges.empty() || !isDirect) &&
      (failed(importModule(*module)) ||
       failed(applyPrecision(*module, options)) ||
       failed(applyAlgorithms(kind, *module, options))))
    throwError(errors.getError());
  function = *module->getOps<mlir::func::FuncOp>().begin();
  std::string mismatch;
  if (auto conv = matchConvolution(function, mismatch))
    return checkKernels(*conv, getLoaded(), inputs, checks).front();
  CheckResult result = runUncompared(getLoaded(), inputs, /*runs=*/1);
  if (!result.error.empty() || !result.faults.empty())
    return result;
  FunctionReference reference(function, /*areDrawn=*/false,
                              /*followsAlgorithms=*/!isDirect);
  result.report = reference.compare(inputs, result.results,
                                    {result.arithmetic, isVulkan(kind)});
  result.error = result.report.refusal;
  return result;
}

CheckResult python::Kernel::check(const std::string &data, uint64_t seed) {
  checkRunsHere();
  CheckOptions checks;
  checks.data = parseData(data);
  checks.seed = seed;
  std::unique_lock lock(mutex, std::defer_lock);
  if (!isOnCPU())
    lock.lock();
  const auto *conv = std::get_if<Problem>(&problem);
  CheckResult result =
      conv && ranges.empty() ? checkConv(*conv, checks) : checkFunction(checks);
  if (!result.error.empty())
    throwError(result.error, result.errorCode);
  return result;
}

/// What `changes` show of the way from a problem to tiles; where the passes
/// failed, `error` says how.
static KernelCertificate summarize(const CertifiedChanges &changes,
                                   const std::string &error) {
  KernelCertificate certificate = {changes.verdict, error, changes.numCertified,
                                   changes.seconds};
  if (changes.verdict == Proof::Certified)
    certificate.text = "equal for all finite values from the problem to tiles "
                       "(" +
                       std::to_string(changes.numCertified) + " changes)";
  return certificate;
}

KernelCertificate python::Kernel::certify() const {
  std::unique_ptr<MLIRContext> own = python::makeContext();
  FirstErrorHandler errors(own.get(),
                           [](DiagnosticSeverity, llvm::StringRef) {});
  CertifiedChanges changes;
  CompileOptions lowering = options;
  lowering.configure = [&](PassManager &pm) {
    certifyEachPass(pm,
                    {/*folder=*/"", /*stopWhereUndecided=*/true,
                     /*remarks=*/false},
                    changes);
    return mlir::success();
  };
  OwningOpRef<ModuleOp> module = build(own.get(), chooseSymbol(problem, {}));
  if (failed(lowerToTilesFor(kind, *module, lowering)) &&
      changes.verdict == Proof::Certified)
    throwError("cannot compile: " + errors.getError());
  return summarize(changes, errors.getError());
}

/// What convoy-compile calls the target of `kind`.
static Target getFileTarget(const std::string &kind) {
  if (kind == "cpu")
    return Target::CPU;
  if (kind == "vulkan")
    return Target::Vulkan;
  if (kind == "rocm")
    return Target::Rocm;
  throwError("expected a kernel for cpu, vulkan or rocm to save, but got one "
             "for '" +
             kind + "'");
}

KernelFileOptions python::getFileOptions(const std::string &kind,
                                         const SavedFiles &files) {
  for (const std::string &path : {files.output, files.header, files.manifest})
    if (path == "-")
      throwError("expected the name of a file, but got '-'");
  KernelFileOptions written;
  written.target = getFileTarget(kind);
  written.output = files.output;
  written.header = files.header;
  written.manifest = files.manifest;
  written.certify = files.certify;
  written.deep = files.deep;
  std::optional<llvm::StringRef> word;
  if (files.emit)
    word = *files.emit;
  std::string error;
  if (!chooseEmission(written.target, kind, word, files.output,
                      written.emission, error) ||
      !checkCertificate(written, error))
    throwError(error);
  std::vector<std::string> paths = {files.output};
  for (const std::string &path : {files.header, files.manifest})
    if (!path.empty())
      paths.push_back(path);
  if (std::string same = findSameFile(paths); !same.empty())
    throwError("expected different files for output, header and manifest, but "
               "got '" +
               same + "' twice");
  return written;
}

void python::Kernel::save(const SavedFiles &files) const {
  KernelFileOptions written = getFileOptions(kind, files);
  std::string symbol = chooseSymbol(problem, files.name);
  std::unique_ptr<MLIRContext> own = python::makeContext();
  FirstErrorHandler errors(own.get(),
                           [](DiagnosticSeverity, llvm::StringRef) {});
  CertifiedChanges changes;
  CompileOptions lowering = options;
  lowering.explain = false;
  if (files.certify)
    lowering.configure = [&](PassManager &pm) {
      certifyEachPass(pm, {/*folder=*/"", /*stopWhereUndecided=*/true},
                      changes);
      return mlir::success();
    };
  KernelProblems problems;
  problems.try_emplace(symbol, problem);
  OwningOpRef<ModuleOp> module = build(own.get(), symbol);
  FailureOr<llvm::SmallVector<OutputFile>> made = makeKernelFiles(
      *module, problems, toString(problem), written, lowering, changes);
  if (failed(made) || failed(writeOutputs(own.get(), *made)))
    throwError(errors.getError());
}
