//===- IRModule.cpp - IR that Python reads, rewrites, compares --*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IRModule.h"

#include "Context.h"
#include "Error.h"

#include "convoy/Driver/CertifyModules.h"
#include "convoy/Driver/Compile.h"
#include "convoy/Driver/Import.h"
#include "convoy/InitAll.h"

#include "mlir/InitAllPasses.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"

#include <optional>

using namespace convoy;
using namespace convoy::python;
using mlir::DiagnosticSeverity;
using mlir::FailureOr;
using mlir::MLIRContext;
using mlir::ModuleOp;
using mlir::OpPassManager;
using mlir::OwningOpRef;
using mlir::PassManager;
using mlir::convoy::FirstErrorHandler;

void python::registerPasses() {
  mlir::registerAllPasses();
  mlir::convoy::registerAllPasses();
}

OwningOpRef<ModuleOp> python::parseModule(MLIRContext *context,
                                          const std::string &text,
                                          const std::string &name) {
  FirstErrorHandler errors(context, [](DiagnosticSeverity, llvm::StringRef) {});
  auto module = mlir::parseSourceString<ModuleOp>(text, context, name);
  if (!module)
    throwError(errors.getError());
  return module;
}

IRModule::IRModule(const std::string &text, const std::string &name)
    : context(makeContext()), module(parseModule(context.get(), text, name)) {}

/// Adds the passes of `pipeline` to `pm`. Throws.
static void addPasses(PassManager &pm, llvm::StringRef pipeline) {
  std::string error;
  llvm::raw_string_ostream os(error);
  if (!pipeline.trim().starts_with("builtin.module(")) {
    if (failed(mlir::parsePassPipeline(pipeline, pm, os)))
      throwError(llvm::StringRef(error).trim().split('\n').first.str());
    return;
  }
  FailureOr<OpPassManager> parsed = mlir::parsePassPipeline(pipeline, os);
  if (failed(parsed))
    throwError(llvm::StringRef(error).trim().split('\n').first.str());
  static_cast<OpPassManager &>(pm) = std::move(*parsed);
}

std::vector<std::string> IRModule::run(const std::string &pipeline) {
  std::lock_guard lock(mutex);
  std::vector<std::string> lines;
  FirstErrorHandler errors(context.get(),
                           [&](DiagnosticSeverity, llvm::StringRef line) {
                             lines.push_back(line.str());
                           });
  PassManager pm(context.get(), ModuleOp::getOperationName(),
                 OpPassManager::Nesting::Implicit);
  addPasses(pm, pipeline);
  OwningOpRef<ModuleOp> rewritten = module->clone();
  if (failed(mlir::convoy::runAllPasses(pm, *rewritten)))
    throwError(errors.getError());
  module = std::move(rewritten);
  return lines;
}

std::string IRModule::print(bool locations) {
  std::lock_guard lock(mutex);
  mlir::OpPrintingFlags flags;
  if (locations)
    flags.enableDebugInfo();
  std::string text;
  llvm::raw_string_ostream os(text);
  module->print(os, flags);
  os << '\n';
  return text;
}

std::vector<OperationInfo> IRModule::list() {
  std::lock_guard lock(mutex);
  return listOperations(*module);
}

/// The place and the name of the op that `certificate` is about.
static FunctionVerdict
describe(const mlir::convoy::FunctionCertificate &function) {
  const mlir::convoy::Certificate &certificate = function.certificate;
  FunctionVerdict verdict = {
      function.path,     certificate.verdict, certificate.message, "", "",
      toString(function)};
  if (certificate.op) {
    std::string place = mlir::convoy::getPlace(certificate.op->getLoc());
    verdict.location = llvm::StringRef(place).rtrim(": ").str();
    verdict.op = certificate.op->getName().getStringRef().str();
  }
  return verdict;
}

std::vector<FunctionVerdict> python::certifyTexts(const std::string &before,
                                                  const std::string &after,
                                                  const std::string &function,
                                                  bool matchingOnly,
                                                  double timeLimit) {
  std::unique_ptr<MLIRContext> context = makeContext();
  // As convoy-certify does.
  context->allowUnregisteredDialects();
  OwningOpRef<ModuleOp> first = parseModule(context.get(), before, "before");
  OwningOpRef<ModuleOp> second = parseModule(context.get(), after, "after");
  std::vector<FunctionVerdict> verdicts;
  FirstErrorHandler errors(context.get(),
                           [](DiagnosticSeverity, llvm::StringRef) {});
  std::optional<std::string> missing = mlir::convoy::certifyModules(
      *first, *second, {"before", "after", function, matchingOnly, timeLimit},
      [&](const mlir::convoy::FunctionCertificate &found) {
        verdicts.push_back(describe(found));
      });
  if (missing)
    throwError(*missing);
  return verdicts;
}
