//===- convoy-certify.cpp - Proves that two files mean the same -*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Certify/Certify.h"
#include "convoy/Certify/InlineCalls.h"
#include "convoy/Driver/Compile.h"
#include "convoy/Driver/Import.h"
#include "convoy/Driver/StartTool.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InitLLVM.h"

#include <chrono>

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::ExitCode;
namespace cl = llvm::cl;

static cl::OptionCategory category("Options of convoy-certify");
static cl::opt<std::string> beforePath(cl::Positional, cl::cat(category),
                                       cl::value_desc("BEFORE"),
                                       cl::desc("BEFORE"));
static cl::opt<std::string> afterPath(cl::Positional, cl::cat(category),
                                      cl::value_desc("AFTER"),
                                      cl::desc("AFTER"));
static cl::opt<std::string>
    functionName("function", cl::cat(category), cl::value_desc("NAME"),
                 cl::desc("compare this function alone, in the place of all "
                          "that both files have"));

static cl::opt<double>
    timeLimit("time-limit", cl::cat(category), cl::init(10),
              cl::value_desc("SECONDS"),
              cl::desc("of one function, after which it is undecided (10)"));

static const char *const overview =
    "Proves that two .mlir files compute the same for all finite values\n\n"
    "  convoy-certify BEFORE AFTER [--function=NAME]\n\n"
    "Each element of a result must be the same sum of the same products. What "
    "cannot be\nproved is said, never taken for granted.\n"
    "exit codes: 0 certified, 1 bad input, 2 different (with a "
    "counterexample),\n4 undecided (with the op that is not understood)\n";

using FunctionPair = std::pair<FunctionOpInterface, FunctionOpInterface>;

static int fail(const Twine &message) {
  llvm::errs() << "convoy-certify: " << message << '\n';
  return int(ExitCode::BadInput);
}

static FunctionOpInterface findFunction(ModuleOp module, StringRef name) {
  for (auto function : module.getOps<FunctionOpInterface>())
    if (function.getName() == name && !function.isExternal())
      return function;
  return nullptr;
}

/// The functions to compare; none, with a sentence in `error`, if there are
/// none.
static SmallVector<FunctionPair> findPairs(ModuleOp before, ModuleOp after,
                                           std::string &error) {
  SmallVector<FunctionPair> pairs;
  for (auto function : before.getOps<FunctionOpInterface>()) {
    bool isWanted = functionName.empty() || function.getName() == functionName;
    if (function.isExternal() || !isWanted)
      continue;
    if (FunctionOpInterface other = findFunction(after, function.getName()))
      pairs.emplace_back(function, other);
  }
  if (!pairs.empty())
    return pairs;
  if (functionName.empty())
    error = "expected a function of one name in both files";
  else
    error = "expected a function '" + functionName + "' in " +
            (findFunction(before, functionName) ? afterPath : beforePath);
  return pairs;
}

/// Where it stands, where that is known, and the op's name.
static std::string describe(Operation *op) {
  return (getPlace(op->getLoc()) + op->getName().getStringRef()).str();
}

static void report(StringRef name, const Certificate &certificate,
                   double seconds) {
  switch (certificate.verdict) {
  case Certificate::Verdict::Certified:
    llvm::outs() << llvm::formatv(
        "certified: @{0}: equal for all finite values ({1} parts of results, "
        "{2} sets of terms, {3:f1} ms)\n",
        name, certificate.numPieces, certificate.numFamilies, seconds * 1e3);
    return;
  case Certificate::Verdict::Different:
    llvm::outs() << "different: @" << name << ": " << certificate.message
                 << '\n';
    if (certificate.op)
      llvm::outs() << "  at " << describe(certificate.op) << '\n';
    return;
  case Certificate::Verdict::Undecided:
    llvm::outs() << "undecided: @" << name << ": ";
    if (certificate.op)
      llvm::outs() << describe(certificate.op) << ": ";
    llvm::outs() << certificate.message << '\n';
    return;
  }
  llvm_unreachable("unknown verdict");
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  startTool("convoy-certify");
  cl::HideUnrelatedOptions(category);
  std::string error;
  llvm::raw_string_ostream os(error);
  if (!cl::ParseCommandLineOptions(argc, argv, overview, &os)) {
    // Of several lines the first says what is wrong.
    llvm::errs() << StringRef(error).split('\n').first << '\n';
    return int(ExitCode::BadInput);
  }
  if (afterPath.empty())
    return fail("expected BEFORE and AFTER, two .mlir files");
  DialectRegistry registry;
  registerAll(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  // IREE's im2col is understood in its generic form; other ops of unknown
  // dialects are named where they stand in the way.
  context.allowUnregisteredDialects();
  FirstErrorHandler errors(&context);
  OwningOpRef<ModuleOp> before = readModule(&context, beforePath);
  OwningOpRef<ModuleOp> after =
      before ? readModule(&context, afterPath) : OwningOpRef<ModuleOp>();
  if (!before || !after)
    return fail(errors.getError());
  SmallVector<FunctionPair> pairs = findPairs(*before, *after, error);
  if (pairs.empty())
    return fail(error);
  auto code = ExitCode::Ok;
  for (auto [first, second] : pairs) {
    inlineCalls(first, first);
    inlineCalls(second, second);
    auto start = std::chrono::steady_clock::now();
    Certificate certificate = certifyRewrite(first, second, timeLimit);
    std::chrono::duration<double> time =
        std::chrono::steady_clock::now() - start;
    report(first.getName(), certificate, time.count());
    code = combine(code, getExitCode(certificate.verdict));
  }
  return int(code);
}
