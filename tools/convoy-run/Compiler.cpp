//===- Compiler.cpp - Compiles as the user asked ----------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runner.h"

#include "convoy/Driver/StageFiles.h"

#include "mlir/Pass/Pass.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <algorithm>
#include <chrono>

using namespace mlir;
using namespace mlir::convoy;

Compiler::Compiler(const Options &options)
    : options(options),
      context(makeRegistry(), MLIRContext::Threading::DISABLED),
      errors(&context) {}

std::string Compiler::getStem(StringRef name) {
  SmallString<128> stem(options.keep);
  llvm::sys::path::append(stem, name);
  return stem.str().str();
}

LogicalResult Compiler::configure(PassManager &pm, StringRef name) {
  if (options.printAfterAll || !options.printAfter.empty())
    pm.enableIRPrinting([](Pass *, Operation *) { return false; },
                        [this](Pass *pass, Operation *) {
                          return options.printAfterAll ||
                                 llvm::is_contained(options.printAfter,
                                                    pass->getArgument().str());
                        },
                        /*printModuleScope=*/true,
                        /*printAfterOnlyOnChange=*/false);
  if (options.certify)
    certifyEachPass(pm,
                    {/*folder=*/options.keep, /*stopWhereUndecided=*/true,
                     /*remarks=*/false},
                    changes);
  if (options.keep.empty())
    return success();
  if (std::error_code error = llvm::sys::fs::create_directories(options.keep))
    return emitError(UnknownLoc::get(&context))
           << "cannot create '" << options.keep << "': " << error.message();
  std::string stem = getStem(name);
  writeStages(pm, stem, stages[stem]);
  return success();
}

FailureOr<CompiledModule> Compiler::compile(const OpenTarget &target,
                                            int threads, ModuleOp module,
                                            StringRef name) {
  CompileOptions compile = getCompileOptions(options, threads);
  compile.scalarsInMemory = true;
  StringRef kind = getTargetKind(target.name);
  std::string fileName = name.str();
  if (kind != "cpu")
    fileName += "." + target.name;
  std::ranges::replace(fileName, ':', '-');
  compile.configure = [&](PassManager &pm) { return configure(pm, fileName); };
  errors.clear();
  changes = CertifiedChanges();
  setDevice(compile, target.device);
  // What is simulated is the device.
  if (options.vulkan && !isSimulator(kind))
    compile.vulkan = *options.vulkan;
  compile.checks = !options.unchecked;
  compile.pairwiseSums = options.pairwiseSums;
  if (kind != "cpu")
    return compileFor(kind, module, compile);
  if (failed(lowerForCPU(module, compile)))
    return failure();
  if (!options.keep.empty() &&
      failed(writeMachineFiles(module, compile, getStem(name))))
    return failure();
  FailureOr<CPUModule> functions =
      CPUModule::load(module, compile.cpu, compile.optLevel);
  if (failed(functions))
    return failure();
  return CompiledModule(std::move(*functions));
}

OwningOpRef<ModuleOp> Compiler::chooseAlgorithms(const OpenTarget &target,
                                                 ModuleOp module) {
  if (options.algorithm == "direct")
    return {};
  CompileOptions compile = getCompileOptions(options, /*threads=*/1);
  setDevice(compile, target.device);
  OwningOpRef<ModuleOp> chosen = module.clone();
  LogicalResult result = applyAlgorithms(target.name, *chosen, compile);
  assert(succeeded(result) && "the module was compiled");
  (void)result;
  return chosen;
}

/// Compiles `module`, which is lowered in place, for `threads` threads of
/// `target` and loads it. Null, with what is wrong in `failure`, where that
/// fails.
static std::unique_ptr<TargetModule>
compileAndLoad(Compiler &compiler, const OpenTarget &target, int threads,
               ModuleOp module, StringRef name, LoadFailure &failure) {
  auto start = std::chrono::steady_clock::now();
  FailureOr<CompiledModule> compiled =
      compiler.compile(target, threads, module, name);
  std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
  if (failed(compiled)) {
    failure = {"cannot compile: " + compiler.getErrors().getError(),
               compiler.getFailureCode()};
    return nullptr;
  }
  auto result = std::make_unique<TargetModule>(target, std::move(*compiled),
                                               time.count());
  ::convoy::Status status = result->loaded.load();
  if (status.ok())
    return result;
  failure = {status.text, ExitCode(status.code)};
  return nullptr;
}

ThreadModules mlir::convoy::compileForThreads(
    Compiler &compiler, const Options &options, const OpenTarget &target,
    function_ref<OwningOpRef<ModuleOp>()> makeModule, StringRef name,
    LoadFailure &failure) {
  ThreadModules modules;
  for (int threads : options.threadCounts) {
    OwningOpRef<ModuleOp> module = makeModule();
    auto compiled =
        compileAndLoad(compiler, target, threads, *module, name, failure);
    if (!compiled)
      return {};
    modules.push_back(std::move(compiled));
    // Other targets have threads of their own.
    if (target.name != "cpu")
      break;
  }
  return modules;
}

void mlir::convoy::repeatKernels(
    const Options &options, PlaceNamer getPlace, ArrayRef<LoadedKernel> kernels,
    const std::vector<::convoy::HostArray> &arguments, CheckResult &result) {
  if (kernels.size() == 1 && options.repeat == 1)
    return;
  std::vector<RepeatedKernel> repeated;
  for (auto [kernel, threads] : llvm::zip(kernels, options.threadCounts))
    repeated.push_back({kernel, std::to_string(threads) +
                                    (threads == 1 ? " thread" : " threads")});
  checkRepeats(getPlace, repeated, arguments, options.repeat, result);
}
