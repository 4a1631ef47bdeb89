//===- Network.cpp - Networks as files for other programs -------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Network.h"

#include "Context.h"
#include "Error.h"
#include "IRModule.h"

#include "convoy/Driver/Chains.h"
#include "convoy/Driver/Import.h"
#include "convoy/Driver/KernelFiles.h"
#include "convoy/Driver/ToolOptions.h"
#include "convoy/Support/Interruption.h"
#include "convoy/Target/CPUTarget.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinDialect.h"
#include "mlir/IR/DialectResourceBlobManager.h"

using namespace convoy;
using namespace convoy::python;
using namespace mlir::convoy;
using mlir::DiagnosticSeverity;
using mlir::FailureOr;
using mlir::MLIRContext;
using mlir::ModuleOp;
using mlir::OwningOpRef;

/// What a blob does with memory that is someone else's. (GCC 12 takes a blob
/// without such a function for one that moves what was never written.)
static void keepMemory(void *, size_t, size_t) {}

/// Lets the resources that `context` knows the names of be what lies in memory.
static void setResources(MLIRContext *context, const Network &network) {
  auto &resources =
      mlir::DenseResourceElementsHandle::getManagerInterface(context)
          .getBlobManager();
  for (const auto &[name, place] : network.constants)
    if (resources.lookup(name))
      resources.update(
          name, mlir::UnmanagedAsmResourceBlob::allocateWithAlign(
                    {reinterpret_cast<const char *>(place.first), place.second},
                    /*align=*/1, keepMemory));
}

std::vector<std::string>
python::saveNetwork(const Network &network, const NetworkSettings &settings,
                    const SavedFiles &files,
                    const std::map<std::string, std::string> &others) {
  KernelFileOptions written = getFileOptions("cpu", files);
  std::unique_ptr<MLIRContext> context = python::makeContext();
  if (std::optional<std::string> reason = checkCPU(settings.cpu))
    throwError(*reason);
  if (std::string error; !checkAlgorithm(settings.algorithm, error))
    throwError(error);
  OwningOpRef<ModuleOp> module =
      parseModule(context.get(), network.text, network.name);
  setResources(context.get(), network);
  std::vector<std::string> warnings;
  FirstErrorHandler errors(
      context.get(), [&](DiagnosticSeverity severity, llvm::StringRef line) {
        if (severity == DiagnosticSeverity::Warning)
          warnings.push_back(line.str());
      });
  FailureOr<ChainModule> chains = takeChains(*module);
  if (failed(chains) || failed(importModule(*module)))
    throwError("cannot compile: " + errors.getError());
  chains->model = llvm::cantFail(llvm::json::parse(network.model));
  CompileOptions lowering;
  lowering.cpu = settings.cpu;
  lowering.threads = settings.threads;
  lowering.algorithm = settings.algorithm;
  CertifiedChanges changes;
  FailureOr<llvm::SmallVector<OutputFile>> made = makeKernelFiles(
      *module, {}, network.name, written, lowering, changes, [] {}, &*chains);
  if (failed(made))
    throwError("cannot compile: " + errors.getError());
  if (isInterrupted())
    throwError("interrupted");
  for (const auto &[path, content] : others)
    made->push_back({path, content});
  if (failed(writeOutputs(context.get(), *made)))
    throwError(errors.getError());
  return warnings;
}
