//===- convoy-certify.cpp - Proves that two files mean the same -*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Driver/CertifyModules.h"
#include "convoy/Driver/Compile.h"
#include "convoy/Driver/Import.h"
#include "convoy/Driver/StartTool.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"

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

static int fail(const Twine &message) {
  llvm::errs() << "convoy-certify: " << message << '\n';
  return int(ExitCode::BadInput);
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
  CertifyModulesOptions options = {beforePath, afterPath, functionName,
                                   matchingOnly, timeLimit};
  auto code = ExitCode::Ok;
  std::optional<std::string> missing = certifyModules(
      *before, *after, options, [&](const FunctionCertificate &function) {
        llvm::outs() << toString(function) << '\n';
        code = combine(code, getExitCode(function.certificate.verdict));
      });
  return missing ? fail(*missing) : int(code);
}
