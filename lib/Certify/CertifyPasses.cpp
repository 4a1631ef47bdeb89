//===- CertifyPasses.cpp - A pass that proves what passes do ----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Certify/CertifyEach.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassRegistry.h"

using namespace mlir;
using namespace mlir::convoy;

using Verdict = Certificate::Verdict;

namespace {
/// For tools whose pass managers are out of reach: a pass cannot instrument the
/// pass manager that it runs in, but one of its own.
struct CertifyPassesPass final
    : PassWrapper<CertifyPassesPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(CertifyPassesPass)

  CertifyPassesPass() = default;
  CertifyPassesPass(const CertifyPassesPass &other)
      : PassWrapper(other), passes(other.passes) {}

  StringRef getArgument() const override { return "convoy-certify-passes"; }
  StringRef getDescription() const override {
    return "Run passes, and prove after each that functions compute the same "
           "as before";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    if (passes)
      passes->getDependentDialects(registry);
  }

  LogicalResult initializeOptions(
      StringRef text,
      function_ref<LogicalResult(const Twine &)> errorHandler) override {
    if (failed(PassWrapper::initializeOptions(text, errorHandler)))
      return failure();
    std::string error;
    llvm::raw_string_ostream os(error);
    passes = OpPassManager(ModuleOp::getOperationName());
    if (succeeded(parsePassPipeline(pipeline, *passes, os)))
      return success();
    return errorHandler(StringRef(error).trim().split('\n').first);
  }

  void runOnOperation() override {
    PassManager pm(&getContext(), ModuleOp::getOperationName());
    if (passes)
      static_cast<OpPassManager &>(pm) = *passes;
    CertifyEachOptions options;
    options.folder = folder;
    options.keepGoing = keepGoing;
    CertifiedChanges changes;
    certifyEachPass(pm, options, changes);
    bool isFailed = failed(pm.run(getOperation())) ||
                    changes.verdict == Verdict::Different ||
                    (changes.verdict == Verdict::Undecided && !allowUndecided);
    if (isFailed)
      signalPassFailure();
  }

private:
  Option<std::string> pipeline{
      *this, "pipeline",
      llvm::cl::desc("The passes, as they stand in builtin.module(...)")};
  Option<std::string> folder{
      *this, "folder",
      llvm::cl::desc("Where both sides of a change that is not certified are "
                     "written (default: nowhere)")};
  Option<bool> keepGoing{
      *this, "keep-going", llvm::cl::init(false),
      llvm::cl::desc("Run the passes behind a difference, too")};
  Option<bool> allowUndecided{
      *this, "allow-undecided", llvm::cl::init(false),
      llvm::cl::desc("Fail where a pass makes a difference alone, not where "
                     "one is undecided")};
  std::optional<OpPassManager> passes;
};
} // namespace

void mlir::convoy::registerCertifyPassesPass() {
  PassRegistration<CertifyPassesPass>();
}
