//===- CertifyModules.cpp - Proofs of all functions of two files *- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Driver/CertifyModules.h"

#include "convoy/Certify/Certify.h"
#include "convoy/Certify/Functions.h"
#include "convoy/Certify/InlinePackers.h"
#include "convoy/Certify/InlineSymbols.h"
#include "convoy/Certify/MemoryStates.h"
#include "convoy/Dialect/Convoy/IR/Convoy.h"
#include "convoy/Driver/Import.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Support/FormatVariadic.h"

#include <chrono>
#include <map>

using namespace mlir;
using namespace mlir::convoy;

namespace {
/// What two modules have under one path; null where one has nothing.
struct FunctionPair {
  FunctionOpInterface before, after;
};
} // namespace

/// The functions of two modules by their paths.
using Functions =
    llvm::MapVector<std::string, FunctionPair, std::map<std::string, unsigned>>;

/// Whether `function` is a kernel that `module` launches: its launches are
/// compared.
static bool isLaunched(ModuleOp module, FunctionOpInterface function) {
  return function->getParentOp() != module &&
         module
             ->walk([&](LaunchOp launch) {
               return SymbolTable::lookupNearestSymbolFrom(
                          launch, launch.getKernel()) == function
                          ? WalkResult::interrupt()
                          : WalkResult::advance();
             })
             .wasInterrupted();
}

/// Adds the functions of `module` that compute to one side of `functions`, but
/// for kernels that others launch.
static void addFunctions(ModuleOp module,
                         FunctionOpInterface FunctionPair::*side,
                         StringRef wanted, Functions &functions) {
  module->walk([&](FunctionOpInterface function) {
    std::string path = getFunctionPath(function);
    if (isComputation(function) && !isLaunched(module, function) &&
        (wanted.empty() || path == wanted))
      functions[path].*side = function;
  });
}

/// Why there is nothing to compare, or nothing.
static std::optional<std::string>
findMissing(const Functions &functions, const CertifyModulesOptions &options) {
  if (options.function.empty())
    return functions.empty()
               ? std::optional("expected functions in " + options.beforeName +
                               " and " + options.afterName)
               : std::nullopt;
  FunctionPair pair = functions.lookup(options.function);
  if (pair.before && pair.after)
    return std::nullopt;
  return "expected a function '" + options.function + "' in " +
         (pair.before ? options.afterName : options.beforeName);
}

/// The verdict on a function that only one module has.
static Certificate judgeAlone(const FunctionPair &pair,
                              const CertifyModulesOptions &options) {
  FunctionOpInterface function = pair.before ? pair.before : pair.after;
  Certificate certificate;
  if (options.matchingOnly || function.isPrivate())
    return certificate;
  certificate.verdict = Certificate::Verdict::Undecided;
  certificate.message = "a function that only " +
                        (pair.before ? options.beforeName : options.afterName) +
                        " has";
  certificate.op = function;
  return certificate;
}

/// Where it stands, where that is known, and the op's name.
static std::string describe(Operation *op) {
  return (getPlace(op->getLoc()) + op->getName().getStringRef()).str();
}

std::string mlir::convoy::toString(const FunctionCertificate &function) {
  const Certificate &certificate = function.certificate;
  switch (certificate.verdict) {
  case Certificate::Verdict::Certified:
    if (!certificate.message.empty())
      return "certified: @" + function.path + ": " +
             describeEquality(certificate);
    return llvm::formatv(
        "certified: @{0}: {1} ({2} parts of results, {3} sets of terms, "
        "{4:f1} ms)",
        function.path, describeEquality(certificate), certificate.numPieces,
        certificate.numFamilies, function.seconds * 1e3);
  case Certificate::Verdict::Different:
    return "different: @" + function.path + ": " + certificate.message +
           (certificate.op ? "\n  at " + describe(certificate.op) : "");
  case Certificate::Verdict::Undecided:
    return "undecided: @" + function.path + ": " +
           (certificate.op ? describe(certificate.op) + ": " : "") +
           certificate.message;
  }
  llvm_unreachable("unknown verdict");
}

/// Compares the two functions of `pair`.
static Certificate certifyPair(const FunctionPair &pair, double seconds) {
  auto [before, after] = pair;
  if (!haveSamePackers(before, after)) {
    Certificate packed;
    packed.verdict = Certificate::Verdict::Undecided;
    packed.message = "an argument that another function packs";
    packed.op = after;
    return packed;
  }
  auto type = dyn_cast<FunctionType>(before.getFunctionType());
  Certificate memory;
  if (rewriteMemory(before).verdict == Certificate::Verdict::Certified) {
    memory = rewriteMemory(after, type);
    if (memory.verdict != Certificate::Verdict::Certified)
      return memory;
  }
  Certificate certificate = certifyRewrite(before, after, {seconds});
  certificate.addConditions(memory);
  return certificate;
}

std::optional<std::string> mlir::convoy::certifyModules(
    ModuleOp before, ModuleOp after, const CertifyModulesOptions &options,
    function_ref<void(const FunctionCertificate &)> report) {
  Functions functions;
  addFunctions(before, &FunctionPair::before, options.function, functions);
  addFunctions(after, &FunctionPair::after, options.function, functions);
  if (std::optional<std::string> missing = findMissing(functions, options))
    return missing;
  // All before any: what a function names is as it was written.
  for (const FunctionPair &pair : llvm::make_second_range(functions))
    for (FunctionOpInterface function : {pair.before, pair.after})
      if (function)
        inlineSymbols(function, function);
  for (const auto &[path, pair] : functions) {
    if (!pair.before || !pair.after) {
      Certificate alone = judgeAlone(pair, options);
      if (alone.verdict != Certificate::Verdict::Certified)
        report({path, alone});
      continue;
    }
    auto start = std::chrono::steady_clock::now();
    Certificate certificate = certifyPair(pair, options.seconds);
    std::chrono::duration<double> time =
        std::chrono::steady_clock::now() - start;
    report({path, certificate, time.count()});
  }
  return std::nullopt;
}
