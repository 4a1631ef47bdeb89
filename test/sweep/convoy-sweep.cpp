//===- convoy-sweep.cpp - Checks whole sets of small problems -*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SweepRunner.h"

#include "convoy/Driver/StartTool.h"
#include "convoy/Driver/ToolOptions.h"
#include "convoy/Support/Algorithm.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InitLLVM.h"

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::SweepRows;
using ::convoy::SweepSelection;
using ::convoy::SweepSpace;
namespace cl = llvm::cl;

static cl::OptionCategory category("Options of the sweep");

static cl::opt<std::string>
    mode("mode", cl::init("1d"), cl::cat(category),
         cl::desc("1d, 2d, 3d: all layouts without g, all windows; g: 1-D, all "
                  "layouts with g and without; layouts2d: all layouts, one "
                  "window (1d)"));
static cl::opt<unsigned>
    strength("strength", cl::init(0), cl::cat(category),
             cl::desc("try every combination of the values of this many "
                      "parameters; 0 tries every case (0)"));
static cl::opt<unsigned>
    count("count", cl::init(0), cl::cat(category),
          cl::desc("number of cases, drawn by the seed; 0 takes all (0)"));
static cl::opt<uint64_t> seed("seed", cl::init(0), cl::cat(category),
                              cl::desc("of the choice of cases and data (0)"));
static cl::opt<std::string>
    shard("shard", cl::init("0/1"), cl::cat(category),
          cl::desc("I/N: the I-th, from 0, of N parts of the cases (0/1)"));
static cl::opt<unsigned> batch("batch", cl::init(32), cl::cat(category),
                               cl::desc("kernels in a module (32)"));
static cl::opt<unsigned> jobs("jobs", cl::init(1), cl::cat(category),
                              cl::desc("cases tried at a time (1)"));
static cl::opt<unsigned>
    kernelThreads("kernel-threads", cl::init(1), cl::cat(category),
                  cl::desc("threads that each kernel runs in (1)"));
static cl::opt<unsigned> optLevel("O", cl::Prefix, cl::init(0),
                                  cl::cat(category),
                                  cl::desc("LLVM's optimization level (0)"));
static cl::opt<bool>
    hostTile("host-tile", cl::cat(category),
             cl::desc("tiles for the host, not two rows of two lanes"));
static cl::opt<unsigned>
    verifyEvery("verify-every", cl::init(64), cl::cat(category),
                cl::desc("verify the IR of one in so many modules after each "
                         "pass; 0 verifies none (64)"));
static cl::opt<bool>
    certify("certify", cl::cat(category),
            cl::desc("also prove that each case's tiles mean what it does"));
static cl::opt<bool> certifyOnly("certify-only", cl::cat(category),
                                 cl::desc("prove it and run nothing"));

static cl::opt<bool>
    packedFilters("packed-filters", cl::cat(category),
                  cl::desc("kernels take their filters packed beforehand"));

static AlgorithmFlag algorithm(category);

static DataFlag data(category, "int",
                     "values of inputs: integers, of which all must be exact, "
                     "or others, within error bounds (int)");

static cl::opt<bool>
    postOps("post-ops", cl::cat(category),
            cl::desc("post-ops of which integers are exact as one parameter "
                     "more"));

static cl::opt<bool>
    requantize("requantize", cl::cat(category),
               cl::desc("bytes with scales, zero points, types of results and "
                        "post-ops as one parameter more"));

static cl::opt<bool>
    matrices("matrices", cl::cat(category),
             cl::desc("f16, bf16 and i8 as one parameter more, or i8 with "
                      "--requantize, and as many channels and pixels as "
                      "matrix instructions pay for"));

static cl::opt<std::string>
    target("target", cl::init("cpu"), cl::cat(category),
           cl::desc("where to run: cpu, qemu, vulkan, rocm-sim or vulkan-sim "
                    "(cpu)"));

static ProfileFlag
    profile(category, "device",
            "Vulkan devices that kernels for vulkan are compiled for: the one "
            "that runs them, or those of a name (device)");

static int fail(const Twine &text, int code = 1) {
  llvm::errs() << "convoy-sweep: " << text << "\n";
  return code;
}

/// Reads I/N into the selection.
static bool parseShard(StringRef text, SweepSelection &selection) {
  auto [index, parts] = text.split('/');
  return !index.getAsInteger(10, selection.shard) &&
         !parts.getAsInteger(10, selection.shards) && selection.shard >= 0 &&
         selection.shard < selection.shards;
}

/// Lets `space` have what the options ask for, and reads how its problems are
/// computed; false, with one sentence in `error`, where that cannot be.
static bool chooseProblems(SweepSpace &space, SweepOptions &options,
                           std::string &error) {
  if (!algorithm.read(options.algorithm, error) ||
      !data.read(options.data, error))
    return false;
  bool isWinograd = ::convoy::parseAlgorithm(options.algorithm)->kind ==
                    ::convoy::Algorithm::Kind::Winograd;
  if (isWinograd && (matrices || requantize || !isCPU(target))) {
    error = "'--algorithm=" + options.algorithm + "' is not for " +
            (matrices     ? "'--matrices'"
             : requantize ? "'--requantize'"
                          : "--target=" + target);
    return false;
  }
  if (requantize && postOps) {
    error = "'--requantize' has post-ops of its own, and '--post-ops' is not "
            "for it";
    return false;
  }
  if (postOps)
    space.addPostOps();
  if (matrices)
    space.addMatrices();
  if (requantize)
    space.addRequantizations(packedFilters);
  if (isWinograd)
    space.keepWinograd();
  return true;
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  startTool("convoy-sweep");
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(
      argc, argv,
      "Compiles small convolutions, runs them on integers and "
      "compares\nthe results exactly; with --certify it proves each as well. "
      "Exits with 2 where a\ncase fails.\n");

  std::optional<SweepSpace> space = SweepSpace::create(mode.getValue());
  if (!space)
    return fail("expected 1d, 2d, 3d, g or layouts2d as '--mode', but got '" +
                mode + "'");
  SweepOptions options;
  std::string error;
  if (!chooseProblems(*space, options, error))
    return fail(error);
  SweepSelection selection;
  selection.strength = strength;
  selection.count = count;
  selection.seed = seed;
  if (!parseShard(shard, selection))
    return fail("expected I/N with 0 <= I < N as '--shard', but got '" + shard +
                "'");
  if (batch == 0)
    return fail("expected '--batch' of at least 1, but got 0");

  if (kernelThreads == 0)
    return fail("expected '--kernel-threads' of at least 1, but got 0");

  if (std::optional<std::string> wrong = checkTarget(target))
    return fail(*wrong);
  if (packedFilters && !isCPU(target))
    return fail("'--packed-filters' is not for --target=" + target);
  if (!profile.read(options.vulkan, error))
    return fail(error);
  if (profile.getNumOccurrences() && getTargetKind(target) != "vulkan")
    return fail("'--profile' is not for --target=" + target);
  ::convoy::Device device;
  if (auto status = openTarget(target, device); !status.ok())
    return fail(status.text, status.code);

  options.target = target;
  options.batch = batch;
  options.jobs = jobs;
  options.threads = kernelThreads;
  options.packedFilters = packedFilters;
  options.hostTile = hostTile;
  options.optLevel = optLevel;
  options.verifyEvery = verifyEvery;
  options.seed = seed;
  options.certify = certify || certifyOnly;
  options.run = !certifyOnly;
  SweepRows rows(*space, selection);
  return SweepRunner(*space, rows, options).run() == 0 ? 0 : 2;
}
