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

std::unique_ptr<TargetModule>
mlir::convoy::compileAndLoad(Compiler &compiler, const OpenTarget &target,
                             int threads, ModuleOp module, StringRef name,
                             LoadFailure &failure) {
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
