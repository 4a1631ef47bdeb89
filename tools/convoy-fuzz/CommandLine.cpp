//===- CommandLine.cpp - What the user asked for ----------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CommandLine.h"

#include "convoy/Driver/ToolOptions.h"

#include "llvm/ADT/StringExtras.h"

#include <climits>

using namespace mlir;
using namespace mlir::convoy;
namespace cl = llvm::cl;

/// Made on its first use, after the options of LLVM's libraries are gone.
static cl::OptionCategory &getCategory() {
  static cl::OptionCategory category(
      "convoy-fuzz options",
      "--dir and --type say which problems are drawn. Exit codes: 0 fine, 1 "
      "bad input, 2 findings, 3 no such device");
  return category;
}

namespace {
/// The options as the parser fills them.
struct Flags {
  cl::list<std::string> targets{
      "targets", cl::cat(getCategory()), cl::CommaSeparated,
      cl::value_desc("cpu|qemu|vulkan|rocm|rocm-sim|vulkan-sim[,...]"),
      cl::desc("Where each case runs (default: cpu)")};
  cl::opt<std::string> seconds{
      "seconds", cl::cat(getCategory()), cl::init("0"), cl::value_desc("N"),
      cl::desc("Begin no case after N seconds (default: 60 where --cases is "
               "not given)")};
  cl::opt<std::string> cases{
      "cases", cl::cat(getCategory()), cl::init("0"), cl::value_desc("N"),
      cl::desc("Number of cases; with one job the output is the same each "
               "time but for times (default: as many as the time allows)")};
  cl::opt<std::string> first{"first", cl::cat(getCategory()), cl::init("0"),
                             cl::value_desc("N"),
                             cl::desc("Number of the first case (default: 0)")};
  cl::opt<std::string> seed{"seed", cl::cat(getCategory()), cl::init("0"),
                            cl::value_desc("N"),
                            cl::desc("Seed of all cases (default: 0)")};
  cl::list<std::string> ops{
      "ops", cl::cat(getCategory()), cl::CommaSeparated,
      cl::value_desc("conv|padded-conv|grid-sample|deform-conv|col2im[,...]"),
      cl::desc("What is drawn (default: all)")};
  TileFlag tile{getCategory()};
  cl::opt<std::string> jobs{"jobs", cl::cat(getCategory()), cl::init("1"),
                            cl::value_desc("N"),
                            cl::desc("Cases tried at a time (default: 1)")};
  cl::opt<std::string> caseSeconds{
      "case-seconds", cl::cat(getCategory()), cl::init("60"),
      cl::value_desc("N"),
      cl::desc("Seconds after which a case hangs (default: 60)")};
  cl::opt<std::string> shrinkTries{
      "shrink-tries", cl::cat(getCategory()), cl::init("500"),
      cl::value_desc("N"),
      cl::desc("Cases tried at most to make a finding small (default: 500)")};
  cl::opt<std::string> shrinkSeconds{
      "shrink-seconds", cl::cat(getCategory()), cl::init("300"),
      cl::value_desc("N"),
      cl::desc("Seconds after which a finding is not made smaller (default: "
               "300)")};
  cl::opt<std::string> writeTest{
      "write-test", cl::cat(getCategory()), cl::value_desc("DIR"),
      cl::desc("Write a lit test for each finding into this folder")};
  cl::opt<bool> listEdges{
      "list-edges", cl::cat(getCategory()),
      cl::desc("Print how many runs reached each side of what the compiler "
               "branches on, those that none reached among them")};
  cl::opt<std::string> json{"json", cl::cat(getCategory()),
                            cl::value_desc("FILE|-"),
                            cl::desc("Write counts, findings and what was "
                                     "reached as JSON; with - nothing else is "
                                     "printed")};
  ReportFlag report{getCategory()};
  cl::opt<bool> worker{"worker", cl::cat(getCategory()), cl::ReallyHidden};
};
} // namespace

static bool parseNumbers(const Flags &flags, Options &options,
                         std::string &error) {
  uint64_t seconds = 0;
  if (!parseNumber<uint64_t>(flags.seconds, 0, INT_MAX, seconds, error) ||
      !parseNumber<uint64_t>(flags.cases, 0, INT64_MAX, options.cases, error) ||
      !parseNumber<uint64_t>(flags.first, 0, INT64_MAX, options.first, error) ||
      !parseNumber<uint64_t>(flags.seed, 0, UINT64_MAX, options.seed, error) ||
      !parseNumber<unsigned>(flags.jobs, 1, 1024, options.jobs, error) ||
      !parseNumber(flags.caseSeconds, 1, INT_MAX / 1000, options.caseSeconds,
                   error) ||
      !parseNumber(flags.shrinkTries, 0, INT_MAX, options.shrinkTries, error) ||
      !parseNumber(flags.shrinkSeconds, 0, INT_MAX, options.shrinkSeconds,
                   error))
    return false;
  constexpr double UsualSeconds = 60;
  options.seconds = double(seconds);
  if (seconds == 0 && options.cases == 0)
    options.seconds = UsualSeconds;
  return true;
}

static bool readOps(const Flags &flags, Options &options, std::string &error) {
  if (!flags.ops.empty())
    options.draw.ops.clear();
  for (const std::string &name : flags.ops) {
    std::optional<::convoy::FuzzOp> op = ::convoy::parseFuzzOp(name);
    if (!op)
      return fail(error, "expected " +
                             llvm::join(::convoy::kFuzzOpNames, ", ") +
                             " for '--ops', but got '" + name + "'");
    options.draw.ops.push_back(*op);
  }
  return true;
}

/// Reads what is to be drawn; no other words are for this tool.
static bool readWords(const InputWords &words, Options &options,
                      std::string &error) {
  auto isOption = [](StringRef word) { return word.starts_with("-"); };
  auto unknown = llvm::find_if(words.words, isOption);
  if (unknown != words.words.end())
    return failAtOption(*unknown, error);
  if (!words.words.empty())
    return fail(error,
                "expected options alone, but got '" + words.getInput() + "'");
  ::convoy::ProblemDefaults flags = words.problemFlags;
  if (flags.directions)
    options.draw.directions = *flags.directions;
  if (flags.type)
    options.draw.types = {*flags.type};
  // The others' sizes and layouts are drawn.
  flags.directions.reset();
  flags.type.reset();
  if (flags.bias || !flags.inputLayout.empty() || !flags.filterLayout.empty() ||
      !flags.outputLayout.empty() || flags.inputSigned || flags.filterSigned ||
      flags.inputZeroPoint || flags.filterZeroPoint || flags.batch)
    return fail(error, "of the flags of problems, expected --dir=FWD_D, BWD_D, "
                       "BWD_W or all, and --type alone");
  return true;
}

bool mlir::convoy::parseCommandLine(int argc, char **argv, Options &options,
                                    std::string &error) {
  // LLVM's libraries register options of their own, some under our names.
  cl::ResetCommandLineParser();
  static Flags flags;
  InputWords words;
  if (!parseToolOptions(
          argc, argv, getCategory(),
          "Draws convolutions and ops around them at random, most with sizes "
          "at the edges of\ntiles, compares their results with a reference, "
          "and makes what it finds small: one\ncommand that repeats it\n",
          words, error) ||
      !parseNumbers(flags, options, error) ||
      !readWords(words, options, error) || !readOps(flags, options, error))
    return false;
  options.targets.assign(flags.targets.begin(), flags.targets.end());
  if (options.targets.empty())
    options.targets = {"cpu"};
  for (const std::string &target : options.targets)
    if (std::optional<std::string> wrong = checkTarget(target))
      return fail(error, *wrong);
  if (flags.tile.getNumOccurrences() && llvm::none_of(options.targets, isCPU))
    return fail(error, "'--tile' is not for --targets=" +
                           llvm::join(options.targets, ","));
  if (!flags.tile.read(options.tile, error) ||
      !checkNames({&flags.writeTest, &flags.json}, error))
    return false;
  options.testFolder = flags.writeTest;
  options.listEdges = flags.listEdges;
  options.json = flags.json;
  options.isWorker = flags.worker;
  options.commandLine = words.commandLine;
  return flags.report.read(flags.json, options.report, error);
}
