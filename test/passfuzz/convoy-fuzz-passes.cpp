//===- convoy-fuzz-passes.cpp - Mutated IR through all passes ---*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PassFuzzer.h"

#include "convoy/Driver/StartTool.h"
#include "convoy/InitAll.h"

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::convoy::test;
namespace cl = llvm::cl;

static cl::OptionCategory category("Options of the fuzzer");

static cl::opt<std::string> folder(cl::Positional, cl::value_desc("tests"),
                                   cl::init("test"), cl::cat(category),
                                   cl::desc("<folder of .mlir files>"));
static cl::opt<uint64_t> tries("tries", cl::init(~uint64_t(0) >> 1),
                               cl::cat(category),
                               cl::desc("number of mutants (no limit)"));
static cl::opt<uint64_t> first("first", cl::init(0), cl::cat(category),
                               cl::desc("number of the first mutant (0)"));
static cl::opt<double> minutes("minutes", cl::init(0), cl::cat(category),
                               cl::desc("time for all mutants (no limit)"));
static cl::opt<uint64_t>
    attributes("attributes", cl::init(0), cl::cat(category),
               cl::desc("change attributes of the dialect alone: so many "
                        "mutants of each (0: of anything)"));
static cl::opt<uint64_t> seed("seed", cl::init(0), cl::cat(category),
                              cl::desc("of the choice of mutants (0)"));
static cl::opt<unsigned> jobs("jobs", cl::init(1), cl::cat(category),
                              cl::desc("processes (1)"));
static cl::opt<unsigned>
    seconds("seconds", cl::init(20), cl::cat(category),
            cl::desc("processor time after which a mutant hangs (20)"));
static cl::list<std::string>
    passes("pass", cl::cat(category),
           cl::desc("give mutants to this pass alone"));
static cl::opt<std::string>
    output("output", cl::init("fuzz-findings"), cl::cat(category),
           cl::desc("folder for findings (fuzz-findings)"));
static cl::opt<bool> noShrink("no-shrink", cl::cat(category),
                              cl::desc("leave findings as they are"));
static cl::opt<bool>
    tiny("tiny", cl::cat(category),
         cl::desc("no mutants: each pass alone on an empty module "
                  "and on 14 tiny ones"));
static cl::opt<bool> print("print", cl::cat(category),
                           cl::desc("print the mutant --first, run nothing"));

static FuzzOptions readOptions() {
  FuzzOptions options;
  options.seed = seed;
  options.tries = tries;
  options.first = first;
  options.minutes = minutes;
  options.ofAttribute = attributes;
  options.jobs = std::max(1u, unsigned(jobs));
  options.folder = output;
  options.passes.insert(passes.begin(), passes.end());
  options.shrink = !noShrink;
  options.limits.seconds = seconds;
  return options;
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  mlir::convoy::startTool("convoy-fuzz-passes");
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(
      argc, argv,
      "Changes the IR of all tests at random and gives it to all passes and "
      "pipelines.\nA signal, more than 20 s or more than 4 GB is a finding: it "
      "is made short, and\nprinted with the command that repeats it. Exits "
      "with "
      "2 where there are findings.\n");
  mlir::convoy::registerAllPasses();
  DialectRegistry registry;
  mlir::convoy::registerAllDialects(registry);
  mlir::registerAllDialects(registry);
  registerAllExtensions(registry);
  FuzzOptions options = readOptions();
  if (tiny)
    return tryTinyModules(registry, options.limits) == 0 ? 0 : 2;
  FailureOr<Corpus> corpus = readCorpus(folder, registry);
  if (failed(corpus)) {
    llvm::errs() << "convoy-fuzz-passes: no .mlir file with IR below '"
                 << folder << "'\n";
    return 1;
  }
  PassFuzzer fuzzer(options, *corpus, registry);
  if (print) {
    Mutant mutant = fuzzer.makeMutant(first);
    llvm::outs() << "// " << mutant.file << printFlags(mutant.passes) << '\n'
                 << mutant.text;
    return 0;
  }
  if (attributes)
    fuzzer.listAttributes();
  return fuzzer.run() == 0 ? 0 : 2;
}
