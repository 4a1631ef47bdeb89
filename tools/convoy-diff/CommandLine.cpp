//===- CommandLine.cpp - What the user asked for ----------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CommandLine.h"

#include "convoy/Driver/ToolOptions.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::convoy;
namespace cl = llvm::cl;

/// Made on its first use, after the options of LLVM's libraries are gone.
static cl::OptionCategory &getCategory() {
  static cl::OptionCategory category(
      "convoy-diff options",
      "FILE is a .mlir file whose function runs on two targets; or two files "
      "with the same layers, or two precisions, are given. Exit codes: 0 fine, "
      "1 bad input, 2 a layer outside its bound, 3 no such device");
  return category;
}

namespace {
/// The options as the parser fills them.
struct Flags {
  cl::list<std::string> files{cl::Positional, cl::cat(getCategory()),
                              cl::value_desc("FILE.mlir"),
                              cl::desc("FILE.mlir [FILE.mlir]")};
  cl::list<std::string> targets{
      "targets", cl::cat(getCategory()), cl::CommaSeparated,
      cl::value_desc("cpu|qemu|vulkan|rocm|rocm-sim|vulkan-sim[,...]"),
      cl::desc("Where the two sides run, as in cpu,vulkan or in "
               "cpu:haswell,cpu:host; of two files or precisions both run on "
               "one target where one is given (default for these: cpu)")};
  cl::opt<std::string> values{
      "values", cl::cat(getCategory()), cl::value_desc("DIR|FILE.npz"),
      cl::desc("Let the second side be recorded values, DIR/LAYER.npy or all "
               "in FILE.npz, as convoy-run --trace-dir writes them of the same "
               "inputs")};
  cl::list<std::string> trace{
      "trace", cl::cat(getCategory()), cl::CommaSeparated,
      cl::value_desc("all|NAME[,...]"),
      cl::desc("Layers: up to these traces, or ops as convoy-insert-trace "
               "names them (default: the file's traces; all where there are "
               "none)")};
  cl::list<std::string> precision{
      "precision", cl::cat(getCategory()), cl::CommaSeparated,
      cl::value_desc("low|normal|high[,...]"),
      cl::desc("How convolutions that say nothing else sum f16 and bf16, on "
               "both sides or on each, as in low,high (default: normal)")};
  TargetErrorFlag targetError{getCategory()};
  RangeFlags ranges{getCategory()};
  cl::opt<std::string> function{
      "function", cl::cat(getCategory()), cl::value_desc("NAME"),
      cl::desc("Function of the file (default: its only public one)")};
  cl::list<std::string> input{
      "input", cl::cat(getCategory()),
      cl::value_desc("1x3x2xf32=0,1,...|@FILE.npy"),
      cl::desc("Value of the function's next argument; one number fills it")};
  cl::opt<std::string> sizes{
      "sizes", cl::cat(getCategory()), cl::value_desc("2,9,..."),
      cl::desc("Dynamic sizes of the function's arguments, in order, for "
               "generated data")};
  TileFlag tile{getCategory()};
  DataFlag data{getCategory(), "normal",
                "Values of generated inputs (default: normal)"};
  cl::opt<std::string> seed{"seed", cl::cat(getCategory()), cl::init("0"),
                            cl::value_desc("N"),
                            cl::desc("Seed of generated inputs (default: 0)")};
  cl::opt<std::string> werror{
      "Werror", cl::cat(getCategory()), cl::value_desc("suspicious"),
      cl::desc("Fail where a layer alone is within its error bound, but "
               "suspicious (docs/Numerics.md)")};
  cl::opt<std::string> json{"json", cl::cat(getCategory()),
                            cl::value_desc("FILE|-"),
                            cl::desc("Write the comparison as JSON; with - "
                                     "nothing else is printed")};
  ReportFlag report{getCategory()};
};
} // namespace

/// What makes the same layers of the same data.
static std::vector<std::string> getCaseWords(const char *program,
                                             const Flags &flags) {
  std::vector<std::string> words = {program};
  llvm::append_range(words, flags.files);
  auto add = [&](const cl::Option &flag, StringRef value) {
    if (flag.getNumOccurrences())
      words.push_back(("--" + flag.ArgStr + "=" + value).str());
  };
  add(flags.targets, llvm::join(flags.targets, ","));
  add(flags.precision, llvm::join(flags.precision, ","));
  for (const cl::opt<std::string> *flag :
       std::initializer_list<const cl::opt<std::string> *>{
           &flags.targetError, &flags.values, &flags.function, &flags.sizes,
           &flags.tile, &flags.data, &flags.seed})
    add(*flag, *flag);
  flags.ranges.forEach(add);
  for (StringRef input : flags.input)
    add(flags.input, input);
  return words;
}

/// Whether one of the sides is recorded values.
static bool isRecorded(const Flags &flags) {
  return flags.values.getNumOccurrences() > 0;
}

/// Whether the sides can sum in this way.
static bool checkPrecisions(const Flags &flags, std::string &error) {
  ArrayRef<std::string> words(flags.precision);
  for (StringRef word : words)
    if (!checkPrecision(word, error))
      return false;
  if (words.size() > (isRecorded(flags) ? 1 : 2))
    return fail(error,
                Twine("expected ") +
                    (isRecorded(flags) ? "one word" : "one or two words") +
                    " for '--precision', but got " + Twine(words.size()));
  return true;
}

/// Reads how the sides sum, whose labels are known.
static bool readSums(const Flags &flags, Options &options, std::string &error) {
  ArrayRef<std::string> words(flags.precision);
  for (auto [number, side] : llvm::enumerate(options.sides)) {
    LoweringOptions &lowering = side.lowering;
    if (!flags.targetError.read(flags.precision, lowering, error))
      return false;
    if (words.empty())
      continue;
    lowering.precision = words[std::min(number, words.size() - 1)];
    if (words.size() == 2)
      side.label += " (" + lowering.precision + ")";
  }
  return true;
}

/// Says what the two sides are.
static bool readSides(const Flags &flags, ArrayRef<std::string> files,
                      Options &options, std::string &error) {
  std::vector<std::string> targets(flags.targets.begin(), flags.targets.end());
  if (isRecorded(flags) && (flags.values.empty() || files.size() != 1))
    return fail(error,
                "expected one file and a folder or an archive with '--values'");
  bool isPair = files.size() == 2 || flags.precision.size() == 2;
  if (targets.empty() && (isPair || isRecorded(flags)))
    targets = {"cpu"};
  for (const std::string &target : targets)
    if (std::optional<std::string> wrong = checkTarget(target))
      return fail(error, StringRef(*wrong).split("'--target'").first +
                             "'--targets'" +
                             StringRef(*wrong).split("'--target'").second);
  if (isRecorded(flags)
          ? targets.size() != 1
          : targets.size() > 2 || targets.size() < (isPair ? 1 : 2))
    return fail(error, Twine("expected ") +
                           (isRecorded(flags) ? "one target"
                            : isPair          ? "one or two targets"
                                              : "two targets") +
                           " for '--targets', but got " +
                           Twine(targets.size()));
  for (auto [number, side] : llvm::enumerate(options.sides)) {
    side.file = files[std::min(number, files.size() - 1)];
    if (isRecorded(flags) && number == 1) {
      side.values = side.label = flags.values;
      break;
    }
    side.target = targets[std::min(number, targets.size() - 1)];
    side.label = files.size() == 2 ? side.file : side.target;
    if (files.size() == 2 && targets.size() == 2)
      side.label += " on " + side.target;
  }
  return true;
}

/// Reads the form of tiles on CPUs, on which one of the sides has to run.
static bool readTiles(const Flags &flags, Options &options,
                      std::string &error) {
  auto isOnCPU = [](const SideOptions &side) { return isCPU(side.target); };
  if (flags.tile.getNumOccurrences() && llvm::none_of(options.sides, isOnCPU))
    return fail(error, "'--tile' is not for --targets=" +
                           llvm::join(flags.targets, ","));
  for (SideOptions &side : llvm::make_filter_range(options.sides, isOnCPU))
    if (!flags.tile.read(side.tile, error))
      return false;
  return true;
}

static bool readValues(const Flags &flags, Options &options,
                       std::string &error) {
  if (!flags.data.read(options.data, error) ||
      !flags.ranges.read(options.ranges, error) ||
      !parseNumber<uint64_t>(flags.seed, 0, UINT64_MAX, options.seed, error))
    return false;
  for (StringRef word : llvm::split(flags.sizes, ',')) {
    int64_t size;
    if (flags.sizes.empty())
      break;
    if (word.getAsInteger(10, size) || size < 0)
      return fail(error,
                  "expected sizes for '--sizes', but got '" + word + "'");
    options.sizes.push_back(size);
  }
  if (!checkNames({&flags.json, &flags.function}, error))
    return false;
  options.suspiciousFails = flags.werror == "suspicious";
  if (flags.werror.getNumOccurrences() && !options.suspiciousFails)
    return fail(error, "expected suspicious for '--Werror', but got '" +
                           flags.werror + "'");
  if (!options.sizes.empty() && flags.input.getNumOccurrences())
    return fail(error, "expected '--sizes' or '--input', but got both");
  return true;
}

bool mlir::convoy::parseCommandLine(int argc, char **argv, Options &options,
                                    std::string &error) {
  // LLVM's libraries register options of their own, some under our names.
  cl::ResetCommandLineParser();
  static Flags flags;
  cl::HideUnrelatedOptions(getCategory());
  if (!parseOptions(ArrayRef<const char *>(argv, argc),
                    "Runs a function on two targets, or two files, layer by "
                    "layer, and says where they differ\n",
                    error))
    return false;
  std::vector<std::string> files(flags.files.begin(), flags.files.end());
  auto model = llvm::find_if(files, isModelFile);
  if (model != files.end())
    return fail(error, "expected one or two .mlir files, but got '" + *model +
                           "': convoy-diff-onnx takes models of ONNX");
  if (files.empty() || files.size() > 2 || !llvm::all_of(files, isIRFile))
    return fail(error, "expected one or two .mlir files, but got '" +
                           llvm::join(files, " ") + "'");
  if (!checkPrecisions(flags, error) ||
      !readSides(flags, files, options, error) ||
      !readSums(flags, options, error) || !readTiles(flags, options, error) ||
      !readValues(flags, options, error))
    return false;
  options.traces.assign(flags.trace.begin(), flags.trace.end());
  options.inputs.assign(flags.input.begin(), flags.input.end());
  options.function = flags.function;
  options.json = flags.json;
  options.commandLine.assign(argv, argv + argc);
  options.caseWords = getCaseWords(argv[0], flags);
  return flags.report.read(options.json, options.report, error);
}
