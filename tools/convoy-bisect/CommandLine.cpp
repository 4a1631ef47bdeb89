//===- CommandLine.cpp - What the user asked for ----------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CommandLine.h"

#include "convoy/Pipelines/Pipelines.h"
#include "convoy/Support/RocmChip.h"
#include "convoy/Transforms/Threads/Passes.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace mlir::convoy;
namespace cl = llvm::cl;

/// Made on its first use, after the options of LLVM's libraries are gone.
static cl::OptionCategory &getCategory() {
  static cl::OptionCategory category(
      "convoy-bisect options",
      "INPUT is a problem (benchdnn's or MIOpenDriver's words, or samples, "
      "windows, their sums and deformable convolutions with --grid-sample, "
      "--im2col, --col2im and --deform-conv; --padding-mode pads "
      "convolutions), @FILE with one problem a line, or a .mlir file with "
      "linalg, TOSA or convoy ops. "
      "Problems also take --dir, --type, --input-layout and the other flags of "
      "docs/Problems.md. Exit codes: 0 all passes are right, 1 bad input, 2 a "
      "pass is at fault, 4 undecided");
  return category;
}

namespace {
/// The options as the parser fills them.
struct Flags {
  cl::opt<std::string> target{
      "target", cl::cat(getCategory()), cl::init("cpu"),
      cl::value_desc("cpu|vulkan|rocm|rocm-sim|vulkan-sim"),
      cl::desc("Whose pipeline to search (default: cpu)")};
  cl::opt<std::string> pipeline{
      "pass-pipeline", cl::cat(getCategory()), cl::value_desc("PIPELINE"),
      cl::desc("The pipeline to search in the place of a target's, as "
               "convoy-opt takes it")};
  cl::list<std::string> insertions{
      "insert", cl::cat(getCategory()), cl::value_desc("NUMBER:PASS"),
      cl::desc("Run PASS, too, after the pass of this number, or first with "
               "0")};
  cl::opt<bool> printsPipeline{
      "print-pipeline", cl::cat(getCategory()),
      cl::desc("Print the passes with their numbers, and search nothing")};
  CPUFlag cpu{getCategory()};
  ThreadsFlag threads{getCategory()};
  FilterFlag filter{getCategory()};
  TileFlag tile{getCategory()};
  PrecisionFlag precision{getCategory()};
  TargetErrorFlag targetError{getCategory()};
  AlgorithmFlag algorithm{getCategory()};
  RangeFlags ranges{getCategory()};
  cl::opt<std::string> chip{
      "chip", cl::cat(getCategory()), cl::init("gfx942"),
      cl::value_desc("gfx90a|gfx942|gfx950|gfx1100|gfx1201"),
      cl::desc("AMD's GPU to compile for (default: gfx942)")};
  cl::opt<std::string> profile{
      "profile", cl::cat(getCategory()), cl::init("generic"),
      cl::value_desc("lavapipe|generic|nvidia|amd"),
      cl::desc("Vulkan devices to compile for (default: generic)")};
  DataFlag data{getCategory(), "int",
                "What IR runs on: integers, for which all must be exact, or "
                "others, within error bounds (default: int)"};
  cl::opt<std::string> seed{"seed", cl::cat(getCategory()), cl::init("0"),
                            cl::value_desc("N"),
                            cl::desc("Seed of the data (default: 0)")};
  cl::opt<std::string> seconds{
      "time-limit", cl::cat(getCategory()), cl::init("60"),
      cl::value_desc("SECONDS"),
      cl::desc("Of all passes, of a proof or of a run (default: 60)")};
  cl::opt<std::string> sizes{
      "sizes", cl::cat(getCategory()), cl::value_desc("2,9,..."),
      cl::desc("Dynamic sizes of the arguments of the file's functions, in "
               "order, that IR runs on (default: such functions are proved "
               "alone)")};
  cl::opt<bool> keepsSize{
      "keep-size", cl::cat(getCategory()),
      cl::desc("Do not look for a smaller problem or file with the same "
               "fault")};
  cl::opt<std::string> shrinkSeconds{
      "shrink-seconds", cl::cat(getCategory()), cl::init("60"),
      cl::value_desc("N"),
      cl::desc("Look for that no longer than N seconds (default: 60)")};
  cl::opt<std::string> folder{
      "o", cl::cat(getCategory()), cl::value_desc("DIR"),
      cl::desc("Write the IR before and after the pass, and a file that was "
               "made smaller, into this folder")};
  cl::opt<std::string> json{
      "json", cl::cat(getCategory()), cl::value_desc("FILE"),
      cl::desc("Also write the report as JSON; - is standard output")};
};
} // namespace

/// Adds the passes of `target`, as tools that compile for it run them.
static void addPasses(OpPassManager &pm, StringRef target,
                      const std::string &profile,
                      const CompileOptions &options) {
  if (target == "cpu")
    return buildConvoyToLLVMPipeline(pm, options);
  if (target == "vulkan")
    return buildConvoyToSPIRVPipeline(pm, {options, profile});
  if (target == "rocm")
    return buildConvoyToROCDLPipeline(pm, {options, options.chip});
  if (isVulkan(target))
    pm.addPass(createAttachVulkanProfilePass({profile}));
  else
    pm.addPass(createAttachRocmChipPass({options.chip}));
  buildConvoyToKernelsPipeline(pm, options);
  if (isVulkan(target))
    buildKernelsForSPIRVPipeline(pm, {options, /*profile=*/""});
  buildKernelsToHostPipeline(
      pm, {options.cpu, options.checks, options.pairwiseSums});
}

/// The pipeline of `--target`, with the import that files need.
static bool readTarget(const Flags &flags, const Options &options,
                       std::string &pipeline, std::string &error) {
  if (std::optional<std::string> reason = checkTarget(flags.target)) {
    error = *reason;
    return false;
  }
  if (flags.target == "qemu")
    return fail(error, "expected a target whose kernels this machine runs or "
                       "simulates for '--target', but got 'qemu'");
  if (!checkChip(flags.chip, error))
    return false;
  if (!::convoy::getVulkanProfile(flags.profile))
    return fail(error, "expected " +
                           Twine(::convoy::expectVulkanProfile(flags.profile)) +
                           " for '--profile', but got '" + flags.profile + "'");
  for (const cl::Option *option : std::initializer_list<const cl::Option *>{
           &flags.tile, &flags.threads, &flags.filter})
    if (flags.target != "cpu" && option->getNumOccurrences())
      return fail(error, "'--" + option->ArgStr +
                             "' is not for --target=" + flags.target);
  OpPassManager pm(ModuleOp::getOperationName());
  if (options.isFile())
    buildConvoyImportPipeline(pm);
  addPasses(pm, flags.target, flags.profile, options.bisect.compile);
  llvm::raw_string_ostream os(pipeline);
  pm.printAsTextualPipeline(os);
  return true;
}

/// Adds the passes of `--insert`, whose numbers are those before any is added.
static bool insertPasses(const Flags &flags, std::vector<std::string> &passes,
                         std::string &error) {
  std::vector<std::vector<std::string>> added(passes.size() + 1);
  for (StringRef insertion : flags.insertions) {
    auto [number, pass] = insertion.split(':');
    size_t place = 0;
    if (number.getAsInteger(10, place) || place > passes.size() || pass.empty())
      return fail(error, "expected a number from 0 to " + Twine(passes.size()) +
                             ", a colon and a pass for '--insert', but got '" +
                             insertion + "'");
    added[place].push_back(pass.str());
  }
  std::vector<std::string> all = added[0];
  for (size_t number = 0; number < passes.size(); ++number) {
    all.push_back(std::move(passes[number]));
    llvm::append_range(all, added[number + 1]);
  }
  passes = std::move(all);
  return true;
}

/// Reads which passes run.
static bool readPipeline(const Flags &flags, Options &options,
                         std::string &error) {
  std::string pipeline = flags.pipeline;
  if (!flags.pipeline.getNumOccurrences()) {
    if (!readTarget(flags, options, pipeline, error))
      return false;
  } else {
    // What a target's pipeline is told, another one says itself.
    for (const cl::Option *option : std::initializer_list<const cl::Option *>{
             &flags.target, &flags.threads, &flags.filter, &flags.tile,
             &flags.precision, &flags.targetError, &flags.algorithm})
      if (option->getNumOccurrences())
        return fail(error, "expected '--" + option->ArgStr +
                               "' or '--pass-pipeline', but got both");
  }
  std::optional<std::vector<std::string>> passes =
      splitPipeline(pipeline, error);
  if (!passes || !insertPasses(flags, *passes, error))
    return false;
  // Those that were added are checked, too.
  passes = splitPipeline(joinPipeline(*passes), error);
  if (!passes)
    return false;
  options.bisect.pipeline = joinPipeline(*passes);
  return true;
}

static bool readSizes(const Flags &flags, Options &options,
                      std::string &error) {
  if (!flags.sizes.getNumOccurrences())
    return true;
  for (StringRef word : llvm::split(flags.sizes, ','))
    if (int64_t &size = options.bisect.sizes.emplace_back();
        word.getAsInteger(10, size) || size < 0)
      return fail(error, "expected sizes, as in 2,9, for '--sizes', but got '" +
                             flags.sizes + "'");
  return checkIsForFile("--sizes", options, error);
}

/// The options that are pasted behind another INPUT.
static std::string getPassOptions(const Flags &flags) {
  std::string text;
  auto add = [&](const cl::Option &option, const std::string &value) {
    if (option.getNumOccurrences())
      text += " --" + option.ArgStr.str() + "='" + value + "'";
  };
  add(flags.target, flags.target);
  add(flags.pipeline, flags.pipeline);
  for (const std::string &insertion : flags.insertions)
    add(flags.insertions, insertion);
  add(flags.cpu, flags.cpu);
  add(flags.threads, flags.threads);
  add(flags.filter, flags.filter);
  add(flags.tile, flags.tile);
  add(flags.precision, flags.precision);
  add(flags.targetError, flags.targetError);
  add(flags.algorithm, flags.algorithm);
  flags.ranges.forEach(add);
  add(flags.chip, flags.chip);
  add(flags.profile, flags.profile);
  add(flags.data, flags.data);
  add(flags.seed, flags.seed);
  add(flags.sizes, flags.sizes);
  return text;
}

bool mlir::convoy::parseCommandLine(int argc, char **argv, Options &options,
                                    std::string &error) {
  // LLVM's libraries register options of their own, some under our names.
  cl::ResetCommandLineParser();
  static Flags flags;
  InputWords words;
  CheckOptions &check = options.bisect.check;
  CompileOptions &compile = options.bisect.compile;
  if (!parseToolOptions(
          argc, argv, getCategory(),
          "Names the first pass after which a convolution is computed wrong, "
          "or which fails or crashes\n",
          words, error) ||
      !flags.data.read(check.data, error) ||
      !parseNumber(flags.threads, 1, kMaxThreads, compile.threads, error) ||
      !flags.filter.read(compile.packedFilters, error) ||
      !flags.tile.read(compile.machine.tile, error) ||
      !flags.precision.read(compile.precision, error) ||
      !flags.targetError.read(flags.precision, compile, error) ||
      !flags.algorithm.read(compile.algorithm, error) ||
      !flags.ranges.read(options.ranges, error) ||
      !parseNumber<uint64_t>(flags.seed, 0, UINT64_MAX, check.seed, error) ||
      !parseNumber<unsigned>(flags.seconds, 1, 86400, options.bisect.seconds,
                             error) ||
      !parseNumber<unsigned>(flags.shrinkSeconds, 1, 86400,
                             options.shrinkSeconds, error))
    return false;
  options.target = flags.target;
  options.printsPipeline = flags.printsPipeline;
  options.shrinks = !flags.keepsSize;
  options.json = flags.json;
  options.folder = flags.folder;
  compile.cpu.name = flags.cpu;
  compile.chip = flags.chip;
  compile.scalarsInMemory = true;
  options.passOptions = getPassOptions(flags);
  options.program = llvm::sys::path::filename(argv[0]).str();
  // A pipeline is printed as it is for problems, unless a file is given.
  bool needsInput = !options.printsPipeline || !words.words.empty();
  if (needsInput &&
      (!readInput(words, options, error) || !readSizes(flags, options, error)))
    return false;
  return readPipeline(flags, options, error);
}
