//===- OptMain.cpp - MLIR's optimizer with our passes -----------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OptMain.h"

#include "convoy/Certify/CertifyEach.h"
#include "convoy/Driver/StartTool.h"
#include "convoy/Driver/ToolOptions.h"
#include "convoy/InitAll.h"
#include "convoy/Runtime/FileIO.h"

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace mlir;
using namespace mlir::convoy;
namespace cl = llvm::cl;

static cl::opt<bool> certifyEach(
    "convoy-certify-each",
    cl::desc("Prove after each pass that functions compute the same as before; "
             "exits with 2 where one does not, with 4 where it is undecided"));
static cl::opt<std::string> certifyFolder(
    "convoy-certify-folder", cl::init("."), cl::value_desc("DIR"),
    cl::desc("Where --convoy-certify-each writes both sides of a change that "
             "is not certified (.)"));
static cl::opt<double> certifyTimeLimit(
    "convoy-certify-time-limit", cl::init(10), cl::value_desc("SECONDS"),
    cl::desc("Of one proof of --convoy-certify-each, after which it is "
             "undecided (10)"));

/// What MlirOptMain does with `config` between options and exit code.
static LogicalResult run(StringRef inputPath, StringRef outputPath,
                         DialectRegistry &registry,
                         const MlirOptMainConfig &config) {
  std::string error;
  std::unique_ptr<llvm::MemoryBuffer> input = openInputFile(inputPath, &error);
  std::unique_ptr<llvm::ToolOutputFile> output =
      input ? openOutputFile(outputPath, &error) : nullptr;
  if (!output) {
    llvm::errs() << error << '\n';
    return failure();
  }
  if (failed(MlirOptMain(output->os(), std::move(input), registry, config)))
    return failure();
  output->keep();
  return success();
}

int mlir::convoy::runOptMain(int argc, char **argv) {
  mlir::registerAllPasses();
  convoy::registerAllPasses();
  DialectRegistry registry;
  convoy::registerAllDialects(registry);
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  llvm::InitLLVM init(argc, argv);
  startTool("convoy-opt");
  auto [inputPath, outputPath] = registerAndParseCLIOptions(
      argc, argv, "Convoy, a convolution lowering compiler\n", registry);
  if (isModelFile(inputPath)) {
    llvm::errs() << "convoy-opt: expected a .mlir file, but got '" << inputPath
                 << "': convoy-import-onnx takes models of ONNX\n";
    return EXIT_FAILURE;
  }
  uint64_t size = 0;
  if (!llvm::sys::fs::file_size(inputPath, size) &&
      size > ::convoy::kMaxTextBytes) {
    llvm::errs() << "convoy-opt: cannot read '" << inputPath
                 << "': it is longer than 1 GiB\n";
    return EXIT_FAILURE;
  }
  if (!certifyEach)
    return asMainReturnCode(
        MlirOptMain(argc, argv, inputPath, outputPath, registry));
  CertifiedChanges changes;
  MlirOptMainConfig parsed = MlirOptMainConfig::createFromCLOptions();
  MlirOptMainConfig config = parsed;
  config.setPassPipelineSetupFn([&](PassManager &pm) {
    CertifyEachOptions options{certifyFolder, /*stopWhereUndecided=*/false};
    options.seconds = certifyTimeLimit;
    certifyEachPass(pm, options, changes);
    return parsed.setupPassPipeline(pm);
  });
  LogicalResult result = run(inputPath, outputPath, registry, config);
  using Verdict = Certificate::Verdict;
  if (failed(result) && changes.verdict != Verdict::Different)
    return EXIT_FAILURE;
  llvm::errs() << llvm::formatv(
      "convoy-opt: certified {0} change{1} of functions{2} in {3:f1} ms",
      changes.numCertified, changes.numCertified == 1 ? "" : "s",
      changes.verdict == Verdict::Certified ? "" : ", but not all",
      changes.seconds * 1e3);
  if (changes.numCertified > 0)
    llvm::errs() << ": " << describeEquality(changes.conditions);
  llvm::errs() << '\n';
  return int(getExitCode(changes.verdict));
}
