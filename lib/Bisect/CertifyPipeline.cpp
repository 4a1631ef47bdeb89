//===- CertifyPipeline.cpp - Proves what any pipeline does ------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Bisect/CertifyPipeline.h"

#include "convoy/Bisect/Bisect.h"
#include "convoy/Bisect/ReduceModule.h"
#include "convoy/Driver/Import.h"

#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

#include <chrono>

using namespace mlir;
using namespace mlir::convoy;

using Verdict = Certificate::Verdict;

const CertifiedStep *CertifiedPipeline::findDifference() const {
  auto found = llvm::find_if(steps, [](const CertifiedStep &step) {
    return step.verdict == Verdict::Different;
  });
  return found == steps.end() ? nullptr : &*found;
}

/// Runs `passes` on `module`; `errors` is that of its context.
static CertifiedPipeline runPasses(ModuleOp module, const OpPassManager &passes,
                                   CertifyEachOptions options,
                                   const FirstErrorHandler &errors) {
  CertifiedPipeline result;
  CertifiedChanges changes;
  options.onStep = [&](const CertifiedStep &step) {
    result.steps.push_back(step);
  };
  PassManager pm(module.getContext(), ModuleOp::getOperationName());
  static_cast<OpPassManager &>(pm) = passes;
  certifyEachPass(pm, options, changes);
  bool isStopped = failed(pm.run(module));
  result.verdict = changes.verdict;
  result.seconds = changes.seconds;
  const CertifiedStep *difference = result.findDifference();
  if (isStopped && (!difference || options.keepGoing)) {
    result.failure = "a pass failed";
    if (!changes.failed.empty())
      result.failure = changes.failed + " failed";
    if (!errors.getError().empty())
      result.failure += ": " + errors.getError();
  }
  return result;
}

std::optional<CertifiedPipeline>
mlir::convoy::certifyPipeline(ModuleOp module, StringRef pipeline,
                              const CertifyEachOptions &options,
                              std::string &error) {
  FailureOr<OpPassManager> passes = parsePipeline(pipeline, error);
  if (failed(passes))
    return std::nullopt;
  FirstErrorHandler errors(module.getContext());
  return runPasses(module, *passes, options, errors);
}

std::optional<CertifiedStep>
mlir::convoy::shrinkDifference(MLIRContext *context, const CertifiedStep &step,
                               double seconds) {
  constexpr unsigned MostTries = 200;
  auto end =
      std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  std::string error;
  FailureOr<OpPassManager> pass = parsePipeline(step.pipeline, error);
  FirstErrorHandler silence(context, [](DiagnosticSeverity, StringRef) {});
  OwningOpRef<ModuleOp> module =
      parseSourceString<ModuleOp>(step.before, context);
  if (failed(pass) || !module)
    return std::nullopt;
  std::optional<CertifiedStep> smallest;
  auto hasFault = [&](ModuleOp smaller) {
    if (std::chrono::steady_clock::now() > end)
      return false;
    OwningOpRef<ModuleOp> copy = smaller.clone();
    CertifiedPipeline result = runPasses(*copy, *pass, {}, silence);
    const CertifiedStep *difference = result.findDifference();
    if (difference)
      smallest = *difference;
    return difference != nullptr;
  };
  if (hasFault(*module))
    reduceModule(std::move(module), MostTries, hasFault);
  return smallest;
}
