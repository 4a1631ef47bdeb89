//===- CommandLine.cpp - What the user asked for ----------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CommandLine.h"

#include "convoy/Driver/StageFiles.h"
#include "convoy/Runtime/FileIO.h"
#include "convoy/Runtime/Npz.h"
#include "convoy/Support/RocmChip.h"
#include "convoy/Transforms/Threads/Passes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <climits>

using namespace mlir;
using namespace mlir::convoy;
namespace cl = llvm::cl;

/// Made on its first use, after the options of LLVM's libraries are gone.
static cl::OptionCategory &getCategory() {
  static cl::OptionCategory category(
      "convoy-run options",
      "INPUT is a problem (benchdnn's or MIOpenDriver's words, or samples, "
      "windows, their sums and deformable convolutions with --grid-sample, "
      "--im2col, --col2im and --deform-conv; --padding-mode pads "
      "convolutions), @FILE with one problem a line, or a .mlir file with "
      "linalg, TOSA or convoy ops. "
      "Problems "
      "also take --dir, --type, --input-layout and the other flags of "
      "docs/Problems.md. Exit codes: 0 fine, 1 bad input, 2 wrong numbers or "
      "proved different, 3 no such device, 4 undecided");
  return category;
}

namespace {
/// The options as the parser fills them.
struct Flags : CommonFlags {
  Flags() : CommonFlags(getCategory()) {}

  cl::list<std::string> target{
      "target", cl::cat(getCategory()), cl::CommaSeparated,
      cl::value_desc("cpu|qemu|vulkan|rocm|rocm-sim|vulkan-sim[,...]"),
      cl::desc("Where to run (default: cpu); vulkan:N "
               "or vulkan:NAME is one of several "
               "devices, and so is rocm:N")};
  cl::opt<std::string> chip{
      "chip", cl::cat(getCategory()), cl::value_desc("gfx942|..."),
      cl::desc("Chip that rocm-sim executes (default: gfx942), or that "
               "the device of rocm has to have; rocm-sim:NAME and rocm:NAME "
               "are the same")};
  ProfileFlag profile{getCategory(), "device",
                      "Vulkan devices that kernels for vulkan are compiled "
                      "for: the one that runs them, or those of a name "
                      "(default: device); or that vulkan-sim executes "
                      "(default: nvidia), as does vulkan-sim:NAME"};
  cl::opt<bool> unchecked{
      "unchecked", cl::cat(getCategory()),
      cl::desc("Let rocm-sim and vulkan-sim run faster, without a look for "
               "races and for accesses to elements that buffers lack")};
  cl::opt<bool> pairwiseSums{
      "pairwise-sums", cl::cat(getCategory()),
      cl::desc("Let matrix instructions of rocm-sim and vulkan-sim add "
               "products pair by pair (default: one after the other; neither "
               "AMD nor Vulkan promises an order)")};
  cl::opt<bool> check{"check", cl::cat(getCategory()),
                      cl::desc("Compare with the reference")};
  cl::list<std::string> werror{
      "Werror", cl::CommaSeparated, cl::cat(getCategory()),
      cl::value_desc("suspicious|range"),
      cl::desc("Fail where a result is within its error bound, but suspicious; "
               "or where f16 or integers are not proved to be wide enough "
               "(docs/Numerics.md)")};
  CertifyFlag certify{
      getCategory(),
      "Prove each lowering, down to LLVM's or a GPU's part "
      "(docs/Certificates.md), and run nothing that is not certified"};
  DataFlag data{getCategory(), "normal",
                "Values of generated inputs (default: normal); of several, "
                "with commas between, a case for each",
                /*takesSpecial=*/true};
  cl::opt<std::string> seed{"seed", cl::cat(getCategory()), cl::init("0"),
                            cl::value_desc("N"),
                            cl::desc("Seed of generated inputs (default: 0)")};
  cl::opt<std::string> runs{
      "runs", cl::cat(getCategory()), cl::init("1"), cl::value_desc("N"),
      cl::desc("Runs, of which the shortest is reported (default: 1)")};
  cl::list<std::string> threads{
      "threads", cl::cat(getCategory()), cl::CommaSeparated,
      cl::value_desc("N[,...]"),
      cl::desc(
          "Threads that a kernel runs in (default: 1); with more it needs "
          "LLVM's OpenMP library. Kernels with each number have to give the "
          "same bits")};
  cl::opt<std::string> repeat{
      "repeat", cl::cat(getCategory()), cl::init("1"), cl::value_desc("N"),
      cl::desc("Runs with each number of threads that have to "
               "give the same bits (default: 1)")};
  cl::opt<std::string> referenceThreads{
      "reference-threads", cl::cat(getCategory()), cl::init("0"),
      cl::value_desc("N"),
      cl::desc("Threads of the reference (default: one a processor)")};
  cl::opt<std::string> layouts{
      "layouts", cl::cat(getCategory()), cl::value_desc("all"),
      cl::desc("Run each problem in every permutation of its three layouts: "
               "216 in 1-D, 13824 in 2-D, where --O0 takes two minutes in the "
               "place of five")};
  cl::list<std::string> input{
      "input", cl::cat(getCategory()),
      cl::value_desc("1x3x2xf32=0,1,...|@FILE.npy"),
      cl::desc("Value of the next argument, in the op's order; one number "
               "fills it")};
  cl::list<std::string> output{
      "output", cl::cat(getCategory()), cl::value_desc("@FILE.npy|-"),
      cl::desc(
          "Where the next result goes, for each of them, with several targets "
          "in a folder for each, TARGET/FILE.npy; - prints it in full "
          "(default: print first elements where inputs are given)")};
  cl::opt<std::string> function{
      "function", cl::cat(getCategory()), cl::value_desc("NAME"),
      cl::desc("Function of the IR file (default: each public one)")};
  cl::list<std::string> trace{
      "trace", cl::cat(getCategory()), cl::CommaSeparated,
      cl::value_desc("all|NAME[,...]"),
      cl::desc("Print what these values of the IR file's function are like: "
               "traces, or ops as convoy-insert-trace names them; all is each "
               "op that computes a tensor (docs/Traces.md)")};
  cl::opt<std::string> traceDir{
      "trace-dir", cl::cat(getCategory()), cl::value_desc("DIR|FILE.npz"),
      cl::desc("Write each traced value as DIR/NAME.npy or, for several "
               "targets, DIR/TARGET/NAME.npy (default: of the file's traces); "
               "in FILE.npz all of them, under the names behind DIR")};
  cl::list<std::string> sizes{
      "sizes", cl::cat(getCategory()), cl::value_desc("2,9,..."),
      cl::desc("Dynamic sizes of the IR file's inputs, or of a problem's "
               "dimensions that --dynamic names, in order, for generated data; "
               "given several times, one compiled kernel runs on each")};
  cl::opt<bool> quiet{"quiet", cl::cat(getCategory()),
                      cl::desc("Print failures, what is suspicious and the "
                               "summary only; a terminal shows which case is "
                               "at hand")};
  cl::opt<std::string> json{"json", cl::cat(getCategory()),
                            cl::value_desc("FILE|-"),
                            cl::desc("Write all results as JSON; with - "
                                     "nothing else is printed")};
  ReportFlag report{getCategory()};
  cl::opt<std::string> keep{
      "keep", cl::cat(getCategory()), cl::value_desc("DIR"),
      cl::desc("Write the IR after each pass, LLVM IR, assembly and objects")};
  cl::list<std::string> printAfter{
      "print-after", cl::cat(getCategory()), cl::value_desc("PASS"),
      cl::desc("Print the IR after this pass, to standard error")};
  cl::opt<bool> printAfterAll{
      "print-after-all", cl::cat(getCategory()),
      cl::desc("Print the IR after each pass, to standard error")};
};
} // namespace

static bool parseThreads(const Flags &flags, Options &options,
                         std::string &error) {
  for (StringRef word : flags.threads) {
    int number = 0;
    if (word.getAsInteger(10, number) || number < 1 || number > kMaxThreads)
      return fail(error, "expected a number from 1 to " + Twine(kMaxThreads) +
                             " for '--threads', but got '" + word + "'");
    if (!llvm::is_contained(options.threadCounts, number))
      options.threadCounts.push_back(number);
  }
  if (options.threadCounts.empty())
    options.threadCounts = {1};
  return true;
}

static bool parseNumbers(const Flags &flags, Options &options,
                         std::string &error) {
  return parseNumber<uint64_t>(flags.seed, 0, UINT64_MAX, options.seed,
                               error) &&
         parseNumber<unsigned>(flags.runs, 1, INT_MAX, options.runs, error) &&
         parseNumber<unsigned>(flags.repeat, 1, INT_MAX, options.repeat,
                               error) &&
         parseThreads(flags, options, error) &&
         parseNumber(flags.referenceThreads, 0, kMaxThreads,
                     options.referenceThreads, error);
}

static bool parseSizes(const Flags &flags, Options &options,
                       std::string &error) {
  for (StringRef text : flags.sizes) {
    std::vector<int64_t> &sizes = options.sizes.emplace_back();
    for (StringRef word : llvm::split(text, ','))
      if (word.getAsInteger(10, sizes.emplace_back()) || sizes.back() < 0)
        return fail(error, "expected sizes, as in 2,9, for '--sizes', but got "
                           "'" +
                               text + "'");
  }
  return true;
}

/// Whether an option that was given is for one of the targets.
static bool checkIsTaken(const cl::Option &option, const Options &options,
                         std::string &error, bool (*takes)(StringRef target)) {
  if (!option.getNumOccurrences() || llvm::any_of(options.targets, takes))
    return true;
  return fail(error, "'--" + option.ArgStr + "' is not for --target=" +
                         llvm::join(options.targets, ","));
}

static bool isWithoutChip(StringRef target) {
  return target == "rocm" || target == "rocm-sim";
}

/// Adds the chip of `--chip` to the targets that have chips.
static bool addChip(const Flags &flags, Options &options, std::string &error) {
  if (!flags.chip.getNumOccurrences())
    return true;
  if (!checkChip(flags.chip, error) ||
      !checkIsTaken(flags.chip, options, error, isWithoutChip))
    return false;
  for (std::string &target : options.targets)
    if (isWithoutChip(target))
      target += ":" + flags.chip.getValue();
  return true;
}

static bool takesProfile(StringRef target) {
  return getTargetKind(target) == "vulkan" || target == "vulkan-sim";
}

/// Reads what Vulkan devices kernels are for, and adds the profile to the
/// targets that simulate one.
static bool readProfile(const Flags &flags, Options &options,
                        std::string &error) {
  if (!checkIsTaken(flags.profile, options, error, takesProfile) ||
      !flags.profile.read(options.vulkan, error))
    return false;
  for (std::string &target : options.targets)
    if (options.vulkan && target == "vulkan-sim")
      target += ":" + options.vulkan->name;
  return true;
}

/// Checks values whose options are plain text.
static bool checkValues(const Flags &flags, Options &options,
                        std::string &error) {
  options.targets.assign(flags.target.begin(), flags.target.end());
  if (options.targets.empty())
    options.targets = {"cpu"};
  for (const std::string &target : options.targets)
    for (const cl::Option *option :
         std::initializer_list<const cl::Option *>{&flags.filter, &flags.tile})
      if (!isCPU(target) && option->getNumOccurrences())
        return fail(error,
                    "'--" + option->ArgStr + "' is not for --target=" + target);
  for (const std::string &target : options.targets)
    if (std::optional<std::string> wrong = checkTarget(target))
      return fail(error, *wrong);
  auto takesThreads = [](StringRef target) { return isCPU(target); };
  if (!checkIsTaken(flags.threads, options, error, takesThreads) ||
      !checkIsTaken(flags.unchecked, options, error, isSimulator) ||
      !checkIsTaken(flags.pairwiseSums, options, error, isSimulator) ||
      !addChip(flags, options, error) || !readProfile(flags, options, error) ||
      !flags.data.read(options.dataKinds, error))
    return false;
  for (const std::string &kind : flags.werror)
    if (kind != "suspicious" && kind != "range")
      return fail(error, "expected suspicious or range for '--Werror', but got "
                         "'" +
                             kind + "'");
  if (!flags.certify.read(options.certify, options.deep, error))
    return false;
  if (flags.layouts.getNumOccurrences() && flags.layouts != "all")
    return fail(error, "expected all for '--layouts', but got '" +
                           flags.layouts + "'");
  if (!checkNames({&flags.json, &flags.keep, &flags.function, &flags.traceDir},
                  error))
    return false;
  for (const std::string &pass : flags.printAfter)
    if (std::optional<std::string> wrong = checkPassName(pass))
      return fail(error, *wrong + " for '--print-after'");
  for (const std::string &output : flags.output)
    if (output != "-" && (output.size() < 2 || output[0] != '@'))
      return fail(error, "expected @FILE.npy or - for '--output', but got '" +
                             output + "'");
  return true;
}

/// Checks that no file is to be written twice.
static bool checkFiles(const Options &options, std::string &error) {
  std::vector<std::string> paths;
  for (StringRef output : options.outputs)
    if (output.consume_front("@"))
      paths.push_back(output.str());
  for (const std::string &path : {options.json, options.report})
    if (!path.empty() && path != "-")
      paths.push_back(path);
  if (::convoy::isNpzPath(options.traceDir))
    paths.push_back(options.traceDir);
  std::string same = ::convoy::findSameFile(paths);
  return same.empty() ||
         fail(error, "expected different files for '--output', '--json', "
                     "'--report' and '--trace-dir', but got '" +
                         same + "' twice");
}

/// Checks that INPUT and the options go together.
static bool checkInput(const Options &options, std::string &error) {
  if (!checkIsForProblem(options.allLayouts ? "--layouts" : "", options,
                         error) ||
      !checkIsForFile(options.function.empty() ? "" : "--function", options,
                      error) ||
      !checkIsForFile(options.traces.empty() ? "" : "--trace", options,
                      error) ||
      !checkIsForFile(options.traceDir.empty() ? "" : "--trace-dir", options,
                      error))
    return false;
  if (!options.sizes.empty() && !options.inputs.empty())
    return fail(error, "expected '--sizes' or '--input', but got both");
  StringRef ofOneRun = !options.inputs.empty()     ? "--input"
                       : !options.outputs.empty()  ? "--output"
                       : !options.traceDir.empty() ? "--trace-dir"
                                                   : "";
  if (options.dataKinds.size() > 1 && !ofOneRun.empty())
    return fail(error, "expected one kind of '--data' with '" + ofOneRun +
                           "', but got " + Twine(options.dataKinds.size()));
  if (options.sizes.size() > 1 && !ofOneRun.empty())
    return fail(error, "expected '--sizes' once with '" + ofOneRun +
                           "', but got " + Twine(options.sizes.size()) +
                           " times");
  if (options.suspiciousFails && !options.check)
    return fail(error, "expected '--check' with '--Werror=suspicious'");
  if (options.printsJSON() && llvm::is_contained(options.outputs, "-"))
    return fail(error, "expected '--json=-' or '--output=-', but got both");
  return checkFiles(options, error);
}

bool mlir::convoy::parseCommandLine(int argc, char **argv, Options &options,
                                    std::string &error) {
  // LLVM's libraries register options of their own, some under our names.
  cl::ResetCommandLineParser();
  static Flags flags;
  InputWords words;
  if (!parseToolOptions(
          argc, argv, getCategory(),
          "Compiles convolutions, runs them and compares their numbers with a "
          "reference\n",
          words, error) ||
      !parseNumbers(flags, options, error) ||
      !parseSizes(flags, options, error) ||
      !checkValues(flags, options, error) ||
      !flags.report.read(flags.json, options.report, error) ||
      !readCommonOptions(flags, words, options, error))
    return false;
  options.check = flags.check;
  options.suspiciousFails = llvm::is_contained(flags.werror, "suspicious");
  options.strictRanges = llvm::is_contained(flags.werror, "range");
  options.unchecked = flags.unchecked;
  options.pairwiseSums = flags.pairwiseSums;
  options.allLayouts = flags.layouts == "all";
  options.inputs.assign(flags.input.begin(), flags.input.end());
  options.outputs.assign(flags.output.begin(), flags.output.end());
  options.function = flags.function;
  options.traces.assign(flags.trace.begin(), flags.trace.end());
  options.traceDir = flags.traceDir;
  options.quiet = flags.quiet;
  options.json = flags.json;
  options.keep = flags.keep;
  options.printAfter.assign(flags.printAfter.begin(), flags.printAfter.end());
  options.printAfterAll = flags.printAfterAll;
  return checkInput(options, error);
}
