//===- convoy-run.cpp - Compile, run, compare with the reference -*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Driver/CheckProblem.h"
#include "convoy/Driver/Compile.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::FlagStatus;
using ::convoy::Problem;
using ::convoy::ProblemDefaults;
namespace cl = llvm::cl;

static cl::list<std::string> input(cl::Positional, cl::desc("INPUT"));
static cl::opt<std::string> cpu("cpu", cl::init("host"), cl::desc("CPU"));
static cl::opt<bool> check("check", cl::desc("Compare"));
static cl::opt<std::string> data("data", cl::init("normal"));
static cl::opt<unsigned> optLevel("O", cl::Prefix, cl::init(3));
static cl::opt<int> runs("runs", cl::init(3));

int main(int argc, char **argv) {
  ProblemDefaults defaults;
  SmallVector<const char *> rest = {argv[0]};
  std::string error;
  std::string file;
  for (int i = 1; i < argc; ++i) {
    if (argv[i][0] == '@') {
      file = argv[i];
      continue;
    }
    switch (::convoy::parseProblemFlag(argv[i], defaults, error)) {
    case FlagStatus::NotAFlag:
      rest.push_back(argv[i]);
      break;
    case FlagStatus::Accepted:
      break;
    case FlagStatus::Rejected:
      llvm::errs() << "convoy-run: " << error << "\n";
      return 1;
    }
  }
  cl::ParseCommandLineOptions(rest.size(), rest.data(), "convoy-run\n");
  std::string text = file.empty() ? llvm::join(input, " ") : file;
  std::optional<std::vector<Problem>> problems;
  if (text.starts_with("@")) {
    auto buffer = llvm::MemoryBuffer::getFile(text.substr(1));
    if (!buffer)
      return 1;
    problems = ::convoy::parseProblemFile((*buffer)->getBuffer(), defaults, error);
  } else {
    problems = ::convoy::parseProblems(text, defaults, error);
  }
  if (!problems) {
    llvm::errs() << "convoy-run: " << error << "\n";
    return 1;
  }
  DialectRegistry registry;
  registerAll(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  int failures = 0;
  for (const Problem &problem : *problems) {
    OwningOpRef<ModuleOp> module = buildModule(&context, problem);
    CompileOptions options;
    options.cpu = cpu;
    options.optLevel = optLevel;
    auto start = std::chrono::steady_clock::now();
    FailureOr<CPUModule> compiled = compileForCPU(*module, options);
    double compile = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (failed(compiled)) {
      llvm::errs() << "COMPILE FAIL " << ::convoy::toString(problem) << "\n";
      ++failures;
      continue;
    }
    CheckOptions checkOptions;
    checkOptions.compare = check;
    checkOptions.data = *::convoy::parseDataKind(data);
    checkOptions.runs = runs;
    CheckResult result =
        checkProblem(problem, compiled->getKernels()[0],
                     compiled->lookup(compiled->getKernels()[0].name), checkOptions);
    bool ok = result.passed();
    failures += !ok;
    llvm::outs() << llvm::formatv("{0} {1,8:f4} {2,7:f1} GF/s compile {3,5:f0} ms ws {4} ", ok ? "ok  " : "FAIL",
                                  result.report.worstRatio,
                                  2e-9 * problem.shape.multiplyAdds() / result.seconds, compile * 1e3,
                                  compiled->getKernels()[0].workspaceBytes.value_or(-1))
                 << ::convoy::toString(problem) << "\n";
    for (const std::string &fault : result.faults)
      llvm::outs() << "    " << fault << "\n";
    if (!ok)
      llvm::outs() << "    " << ::convoy::toString(result.report) << "\n";
    llvm::outs().flush();
  }
  return failures ? 2 : 0;
}
