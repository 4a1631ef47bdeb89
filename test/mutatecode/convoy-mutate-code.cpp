//===- convoy-mutate-code.cpp - Mutants of machine code ---------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CodeRunner.h"

#include "convoy/Driver/StartTool.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/TargetSelect.h"

using namespace mlir::convoy::test;
namespace cl = llvm::cl;

static cl::OptionCategory category("Options of the mutants");

static cl::opt<unsigned> count("count", cl::init(200), cl::cat(category),
                               cl::desc("number of mutants (200)"));
static cl::opt<uint64_t>
    seed("seed", cl::init(0), cl::cat(category),
         cl::desc("of the choice of problems and changes (0)"));

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  mlir::convoy::startTool("convoy-mutate-code");
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(
      argc, argv,
      "Compiles small convolutions for this machine, changes one operand of "
      "one "
      "instruction,\nand asks whether runs on random integers "
      "(--certify=deep) find it. Exits with 2 where\nthey do not, and other "
      "data show that the kernel's numbers have changed.\n");
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmParser();
  llvm::InitializeNativeTargetDisassembler();
  CodeOptions options;
  options.count = count;
  options.seed = seed;
  std::optional<int64_t> missed = CodeRunner(options).run();
  if (!missed)
    return 1;
  return *missed == 0 ? 0 : 2;
}
