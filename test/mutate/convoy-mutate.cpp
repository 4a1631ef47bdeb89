//===- convoy-mutate.cpp - Tests the certifier with mutants -----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelMutants.h"
#include "MutationRunner.h"

#include "convoy/Driver/StartTool.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"

using namespace mlir::convoy::test;
namespace cl = llvm::cl;

static cl::OptionCategory category("Options of the mutants");

static cl::opt<unsigned> count("count", cl::init(300), cl::cat(category),
                               cl::desc("number of mutants (300)"));
static cl::opt<uint64_t>
    seed("seed", cl::init(0), cl::cat(category),
         cl::desc("of the choice of problems and changes (0)"));
static cl::opt<unsigned> jobs("jobs", cl::init(1), cl::cat(category),
                              cl::desc("threads (1)"));

static cl::opt<bool>
    kernels("kernels", cl::cat(category),
            cl::desc("make mutants of vectors, memory and kernels of GPUs, and "
                     "run them, one after the\nother; else of linalg down to "
                     "tiles"));

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  mlir::convoy::startTool("convoy-mutate");
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(
      argc, argv,
      "Lowers small convolutions, certifies each step, changes one thing in "
      "the lowered\nIR, and compares what the certifier says of the change "
      "with what running both\nfunctions says. Exits with 2 where they do not "
      "agree, or the lowering\nof a single convolution is undecided.\n");
  if (kernels) {
    if (jobs.getNumOccurrences() > 0)
      return llvm::errs() << "convoy-mutate: expected no '--jobs' beside "
                             "'--kernels'\n",
             1;
    KernelOptions options{count, seed};
    return KernelMutants(options).run() == 0 ? 0 : 2;
  }
  MutationOptions options;
  options.count = count;
  options.seed = seed;
  options.jobs = jobs;
  return MutationRunner(options).run() == 0 ? 0 : 2;
}
