//===- convoy-certify.cpp - Proves that two files mean the same -*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PipelineReport.h"

#include "convoy/Certify/Functions.h"
#include "convoy/Driver/Compile.h"
#include "convoy/Driver/Import.h"
#include "convoy/Driver/StartTool.h"
#include "convoy/Driver/ToolOptions.h"
#include "convoy/InitAll.h"
#include "convoy/Runtime/FileIO.h"

#include "mlir/InitAllPasses.h"
#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "mlir/Tools/Plugins/PassPlugin.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InitLLVM.h"

#include <span>

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::ExitCode;
namespace cl = llvm::cl;

static cl::OptionCategory category("Options of convoy-certify");
static cl::opt<std::string> beforePath(cl::Positional, cl::cat(category),
                                       cl::value_desc("BEFORE"),
                                       cl::desc("BEFORE|FILE"));
static cl::opt<std::string> afterPath(cl::Positional, cl::cat(category),
                                      cl::value_desc("AFTER"),
                                      cl::desc("[AFTER]"));
static cl::opt<std::string>
    pipeline("pipeline", cl::cat(category),
             cl::value_desc("builtin.module(...)"),
             cl::desc("run these passes on FILE, and compare after each"));
static cl::list<std::string> plugins(
    "plugin", cl::cat(category), cl::value_desc("LIB.so"),
    cl::desc("load the passes and dialects of this library, as mlir-opt does "
             "with --load-pass-plugin"));
static cl::opt<bool> keepGoing(
    "keep-going", cl::cat(category),
    cl::desc("with --pipeline, run the passes behind a difference, too"));
static cl::opt<std::string>
    folder("o", cl::cat(category), cl::value_desc("DIR"),
           cl::desc("with --pipeline, write the function before and after a "
                    "pass that is not certified into this folder"));
static cl::opt<double> shrinkSeconds(
    "shrink-seconds", cl::cat(category), cl::init(10),
    cl::value_desc("SECONDS"),
    cl::desc("with --pipeline, look so long for a smaller function that shows "
             "the first difference (10); 0: not at all"));
static cl::opt<std::string>
    jsonPath("json", cl::cat(category), cl::value_desc("FILE"),
             cl::desc("also write what was found as JSON; - is standard "
                      "output, in the place of text"));
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
    "Proves that two .mlir files compute the same for all finite values, or "
    "that passes\nchange nothing of that\n\n"
    "  convoy-certify BEFORE AFTER [--function=NAME]\n"
    "  convoy-certify --pipeline='builtin.module(...)' [--plugin=LIB.so] FILE\n"
    "\n"
    "Each element of a result must be the same sum of the same products. What "
    "cannot be\nproved is said, never taken for granted: so is a function "
    "that only one file has,\nunless it is private or --matching-only is "
    "given. Of a pipeline the first pass is\nnamed that changes what a "
    "function computes, with the smallest function found\nthat shows it.\n"
    "exit codes: 0 certified, 1 bad input or a pass that fails, 2 different "
    "(with a\ncounterexample), 4 undecided (with the op that is not "
    "understood)\n";

static int fail(const Twine &message) {
  llvm::outs().flush();
  llvm::errs() << "convoy-certify: " << message << '\n';
  return int(ExitCode::BadInput);
}

/// Where text goes: nowhere if standard output is for JSON.
static raw_ostream &getTextStream() {
  return jsonPath == "-" ? llvm::nulls() : llvm::outs();
}

/// Writes `object` where --json says; returns false with an `error`.
static bool writeJSON(llvm::json::Object object, std::string &error) {
  if (jsonPath.empty())
    return true;
  std::string text =
      llvm::formatv("{0:2}\n", llvm::json::Value(std::move(object)));
  if (jsonPath == "-") {
    llvm::outs() << text;
    return true;
  }
  return ::convoy::writeFile(
      jsonPath, std::as_bytes(std::span(text.data(), text.size())), error);
}

//===----------------------------------------------------------------------===//
// Two files
//===----------------------------------------------------------------------===//

static int compareFiles(MLIRContext &context) {
  FirstErrorHandler errors(&context);
  OwningOpRef<ModuleOp> before = readModule(&context, beforePath);
  OwningOpRef<ModuleOp> after =
      before ? readModule(&context, afterPath) : OwningOpRef<ModuleOp>();
  if (!before || !after)
    return fail(errors.getError());
  CertifyModulesOptions options = {beforePath, afterPath, functionName,
                                   matchingOnly, timeLimit};
  auto code = ExitCode::Ok;
  llvm::json::Array functions;
  std::optional<std::string> missing = certifyModules(
      *before, *after, options, [&](const FunctionCertificate &function) {
        getTextStream() << toString(function) << '\n';
        functions.push_back(toJSON(function));
        code = combine(code, getExitCode(function.certificate.verdict));
      });
  if (missing)
    return fail(*missing);
  std::string error;
  if (!writeJSON(llvm::json::Object{{"functions", std::move(functions)}},
                 error))
    return fail(error);
  return int(code);
}

//===----------------------------------------------------------------------===//
// Passes
//===----------------------------------------------------------------------===//

/// Loads what --plugin names; returns one sentence where that fails.
static std::optional<std::string> loadPlugins(DialectRegistry &registry) {
  for (const std::string &path : plugins) {
    llvm::Expected<PassPlugin> passes = PassPlugin::load(path);
    if (passes && passes->getPluginName() == "Convoy")
      return "the passes of '" + path + "' are built in";
    if (passes)
      passes->registerPassRegistryCallbacks();
    llvm::Expected<DialectPlugin> dialects = DialectPlugin::load(path);
    if (dialects)
      dialects->registerDialectRegistryCallbacks(registry);
    std::string error = llvm::toString(passes.takeError());
    bool isOne = bool(dialects) || error.empty();
    llvm::consumeError(dialects.takeError());
    if (!isOne)
      return StringRef(error).split('\n').first.str();
  }
  return std::nullopt;
}

/// Whether `module` has the function that --function asks for, if it does.
static bool hasFunction(ModuleOp module) {
  bool isFound = functionName.empty();
  module->walk([&](FunctionOpInterface function) {
    isFound |=
        isComputation(function) && getFunctionPath(function) == functionName;
  });
  return isFound;
}

static int certifyPasses(MLIRContext &context) {
  OwningOpRef<ModuleOp> module;
  {
    FirstErrorHandler errors(&context);
    module = readModule(&context, beforePath);
    if (!module)
      return fail(errors.getError());
  }
  if (!hasFunction(*module))
    return fail("expected a function '" + functionName + "' in " + beforePath);
  CertifyEachOptions options;
  options.folder = folder;
  options.seconds = timeLimit;
  options.keepGoing = keepGoing;
  options.function = functionName;
  std::string error;
  std::optional<CertifiedPipeline> result =
      certifyPipeline(*module, pipeline, options, error);
  if (!result)
    return fail(error);
  printPipeline(*result, getTextStream());
  const CertifiedStep *difference = result->findDifference();
  std::optional<CertifiedStep> smallest;
  if (difference && shrinkSeconds > 0)
    smallest = shrinkDifference(&context, *difference, shrinkSeconds);
  if (difference)
    printDifference(smallest ? *smallest : *difference, getTextStream());
  if (!writeJSON(toJSON(*result, smallest ? &*smallest : nullptr), error))
    return fail(error);
  if (!result->failure.empty())
    return fail(result->failure);
  return int(getExitCode(result->verdict));
}

/// Why the options do not go together, or nothing.
static std::optional<std::string> checkOptions() {
  if (pipeline.empty()) {
    if (afterPath.empty())
      return "expected BEFORE and AFTER, two .mlir files, or --pipeline and "
             "one";
    if (!plugins.empty() || keepGoing || !folder.empty())
      return "expected --pipeline with --plugin, --keep-going and -o";
    return std::nullopt;
  }
  if (beforePath.empty() || !afterPath.empty())
    return "expected one .mlir file with --pipeline";
  if (matchingOnly)
    return "expected two .mlir files with --matching-only";
  return std::nullopt;
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  startTool("convoy-certify");
  cl::HideUnrelatedOptions(category);
  std::string error;
  if (!parseOptions(ArrayRef<const char *>(argv, argc), overview, error))
    return fail(error);
  if (std::optional<std::string> wrong = checkOptions())
    return fail(*wrong);
  DialectRegistry registry;
  registerAll(registry);
  if (!pipeline.empty()) {
    mlir::registerAllPasses();
    mlir::convoy::registerAllPasses();
  }
  if (std::optional<std::string> wrong = loadPlugins(registry))
    return fail(*wrong);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  // IREE's im2col is understood in its generic form; other ops of unknown
  // dialects are named where they stand in the way.
  context.allowUnregisteredDialects();
  return pipeline.empty() ? compareFiles(context) : certifyPasses(context);
}
