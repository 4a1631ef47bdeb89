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

#include "llvm/ADT/MapVector.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InitLLVM.h"

#include <chrono>
#include <map>

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
                 cl::desc("compare this function alone"));
static cl::opt<bool> matchingOnly(
    "matching-only", cl::cat(category),
    cl::desc("pass over functions that only one file has, which are else "
             "undecided"));

static cl::opt<double>
    timeLimit("time-limit", cl::cat(category), cl::init(10),
              cl::value_desc("SECONDS"),
              cl::desc("of one function, after which it is undecided (10)"));

static const char *const overview =
    "Proves that two .mlir files compute the same for all finite values\n\n"
    "  convoy-certify BEFORE AFTER [--function=NAME]\n\n"
    "Each element of a result must be the same sum of the same products. What "
    "cannot be\nproved is said, never taken for granted: so is a function "
    "that only one file has,\nunless it is private or --matching-only is "
    "given.\n"
    "exit codes: 0 certified, 1 bad input, 2 different (with a "
    "counterexample),\n4 undecided (with the op that is not understood)\n";

namespace {
/// What two files have under one name; null where a file has nothing.
struct FunctionPair {
  FunctionOpInterface before, after;
};
} // namespace

/// The functions of a file by their paths, as in `module::kernel`.
using Functions =
    llvm::MapVector<std::string, FunctionPair, std::map<std::string, unsigned>>;

static int fail(const Twine &message) {
  llvm::errs() << "convoy-certify: " << message << '\n';
  return int(ExitCode::BadInput);
}

/// The name of `function` behind those of the modules around it, as in
/// `inner::f`.
static std::string getPath(FunctionOpInterface function) {
  std::string path = function.getName().str();
  for (Operation *parent = function->getParentOp(); parent;
       parent = parent->getParentOp())
    if (auto name =
            parent->getAttrOfType<StringAttr>(SymbolTable::getSymbolAttrName()))
      path = (name.getValue() + "::" + path).str();
  return path;
}

/// Adds the functions of `module` that have a body to one side of `functions`.
static void addFunctions(ModuleOp module,
                         FunctionOpInterface FunctionPair::*side,
                         Functions &functions) {
  module->walk([&](FunctionOpInterface function) {
    std::string path = getPath(function);
    if (!function.isExternal() &&
        (functionName.empty() || path == functionName))
      functions[path].*side = function;
  });
}

/// Why there is nothing to compare, or nothing.
static std::optional<std::string> findMissing(const Functions &functions) {
  if (functionName.empty())
    return functions.empty() ? std::optional("expected functions in " +
                                             beforePath + " and " + afterPath)
                             : std::nullopt;
  FunctionPair pair = functions.lookup(functionName);
  if (pair.before && pair.after)
    return std::nullopt;
  return "expected a function '" + functionName + "' in " +
         (pair.before ? afterPath : beforePath);
}

/// The verdict on a function that only one file has: nobody can call a private
/// one but functions that are compared.
static Certificate judgeAlone(const FunctionPair &pair) {
  FunctionOpInterface function = pair.before ? pair.before : pair.after;
  Certificate certificate;
  if (matchingOnly || function.isPrivate())
    return certificate;
  certificate.verdict = Certificate::Verdict::Undecided;
  certificate.message =
      "a function that only " + (pair.before ? beforePath : afterPath) + " has";
  certificate.op = function;
  return certificate;
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
  Functions functions;
  addFunctions(*before, &FunctionPair::before, functions);
  addFunctions(*after, &FunctionPair::after, functions);
  if (std::optional<std::string> missing = findMissing(functions))
    return fail(*missing);
  auto code = ExitCode::Ok;
  for (const auto &[path, pair] : functions) {
    auto [first, second] = pair;
    if (!first || !second) {
      Certificate alone = judgeAlone(pair);
      if (alone.verdict != Certificate::Verdict::Certified)
        report(path, alone, 0);
      code = combine(code, getExitCode(alone.verdict));
      continue;
    }
    inlineCalls(first, first);
    inlineCalls(second, second);
    auto start = std::chrono::steady_clock::now();
    Certificate certificate = certifyRewrite(first, second, timeLimit);
    std::chrono::duration<double> time =
        std::chrono::steady_clock::now() - start;
    report(path, certificate, time.count());
    code = combine(code, getExitCode(certificate.verdict));
  }
  return int(code);
}
