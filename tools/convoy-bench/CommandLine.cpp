//===- CommandLine.cpp - What the user asked for ----------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CommandLine.h"

#include "Peers.h"

#include "convoy/Driver/Compile.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::convoy;
namespace cl = llvm::cl;

/// Made on its first use, after the options of LLVM's libraries are gone.
static cl::OptionCategory &getCategory() {
  static cl::OptionCategory category(
      "convoy-bench options",
      "INPUT is a problem (benchdnn's or MIOpenDriver's words, or those of "
      "samples, im2col and col2im) or @FILE with one problem a line. Problems "
      "also "
      "take --dir, "
      "--type, --input-layout "
      "and the other flags of docs/Problems.md. Exit codes: 0 fine, 1 bad "
      "input, 2 wrong numbers, 3 no such device");
  return category;
}

namespace {
/// The options as the parser fills them.
struct Flags : CommonFlags {
  Flags() : CommonFlags(getCategory()) {}

  cl::opt<std::string> target{
      "target", cl::cat(getCategory()), cl::init("cpu"),
      cl::value_desc("cpu|vulkan"),
      cl::desc("Where kernels run (default: cpu); vulkan:N or vulkan:NAME is "
               "one of several devices, the first of which IREE takes")};
  cl::list<std::string> peers{
      "peers", cl::cat(getCategory()), cl::CommaSeparated,
      cl::value_desc("onednn|onednn-plain|onnxruntime|iree|cudnn|none[,...]"),
      cl::desc(
          "Who else is timed: oneDNN in the layouts that it likes best, or "
          "in the problem's; ONNX Runtime and IREE, which need --worker "
          "(default: onednn,onednn-plain); on Vulkan IREE, or cuDNN by "
          "PyTorch, which needs --worker too (default: none)")};
  cl::opt<std::string> worker{
      "worker", cl::cat(getCategory()), cl::value_desc("COMMAND"),
      cl::desc("Program that times onnxruntime, iree and cudnn: a Python that "
               "has them, and utils/bench-worker.py")};
  cl::opt<std::string> workerTimeout{
      "worker-timeout", cl::cat(getCategory()), cl::init("120"),
      cl::value_desc("S"),
      cl::desc("Seconds after which an answer of the worker is not waited for "
               "(default: 120)")};
  cl::list<std::string> layouts{
      "layouts", cl::cat(getCategory()), cl::CommaSeparated,
      cl::value_desc("nhwc|nchw|filters[,...]"),
      cl::desc(
          "Time each problem in these layouts, w or dhw in the place of hw "
          "as need be: nhwc with hwcf, nchw with fchw, or nhwc with the "
          "filter in every order (default: the problem's)")};
  cl::list<std::string> threads{
      "threads", cl::cat(getCategory()), cl::CommaSeparated,
      cl::value_desc("N[,...]"),
      cl::desc("Threads, each number of which is timed (default: 1)")};
  cl::opt<std::string> repetitions{
      "repetitions", cl::cat(getCategory()), cl::init("20"),
      cl::value_desc("N"),
      cl::desc("Turns of each, the best of which is reported (default: 20)")};
  cl::opt<std::string> minTime{
      "min-time", cl::cat(getCategory()), cl::init("5"), cl::value_desc("MS"),
      cl::desc("Milliseconds that a turn takes at least, with as many runs as "
               "fit (default: 5)")};
  cl::opt<std::string> maxTime{
      "max-time", cl::cat(getCategory()), cl::init("2000"),
      cl::value_desc("MS"),
      cl::desc("Milliseconds after which a slow one has no more turns "
               "(default: 2000)")};
  cl::opt<std::string> rotate{
      "rotate", cl::cat(getCategory()), cl::init("256"), cl::value_desc("MIB"),
      cl::desc("On Vulkan, MiB of operands and results, each held several "
               "times, that runs go through in turn, so that caches hold none "
               "of them; 0: each is held once (default: 256 beside cuDNN, or "
               "else 0)")};
  cl::opt<std::string> candidates{
      "candidates", cl::cat(getCategory()), cl::init("1"), cl::value_desc("N"),
      cl::desc("Time kernels with each of the N register tiles that are "
               "estimated to be fastest, and print estimates beside times "
               "(default: 1, the best)")};
  cl::opt<bool> quiet{"quiet", cl::cat(getCategory()),
                      cl::desc("Tell progress in one line of a terminal that "
                               "is gone at the end, not in lines on standard "
                               "error")};
  cl::opt<std::string> json{
      "json", cl::cat(getCategory()), cl::value_desc("FILE|-"),
      cl::desc("Write all results as JSON, in Google Benchmark's form and as "
               "cases; with - nothing else is printed")};
  ReportFlag report{getCategory()};
};
} // namespace

/// The words of a list, each one of `known`, or `defaults` where there are
/// none.
static bool readWords(const cl::list<std::string> &list,
                      ArrayRef<StringRef> known, ArrayRef<StringRef> defaults,
                      std::vector<std::string> &words, std::string &error) {
  if (list.empty())
    words.assign(defaults.begin(), defaults.end());
  for (const std::string &word : list) {
    if (!llvm::is_contained(known, word))
      return fail(error, "expected " + llvm::join(known, ", ") + " for '--" +
                             list.ArgStr + "', but got '" + word + "'");
    if (!llvm::is_contained(words, word))
      words.push_back(word);
  }
  return true;
}

static bool readTarget(const Flags &flags, Options &options,
                       std::string &error) {
  options.target = flags.target;
  if (!options.isForCPU() && getTargetKind(options.target) != "vulkan")
    return fail(error, "expected cpu or vulkan for '--target', but got '" +
                           options.target + "'");
  if (!options.isForCPU() && flags.threads.getNumOccurrences())
    return fail(error, "expected no '--threads' for the target '" +
                           options.target + "', which has its own");
  for (const cl::Option *option : std::initializer_list<const cl::Option *>{
           &flags.filter, &flags.tile, &flags.candidates, &flags.algorithm})
    if (!options.isForCPU() && option->getNumOccurrences())
      return fail(error, "'--" + option->ArgStr +
                             "' is not for --target=" + options.target);
  return true;
}

/// IREE is timed by the host's clock, and then our kernels are, too.
static constexpr StringLiteral kHostTimed = "iree", kDeviceTimed = "cudnn";

bool Options::isDeviceTimed() const {
  return !isForCPU() && !llvm::is_contained(peers, kHostTimed);
}

static bool readRotation(const Flags &flags, Options &options,
                         std::string &error) {
  int mebibytes = 0;
  if (!parseNumber(flags.rotate, 0, 65536, mebibytes, error))
    return false;
  bool isGiven = flags.rotate.getNumOccurrences();
  if (isGiven && options.isForCPU())
    return fail(error, "'--rotate' is not for --target=cpu");
  if (isGiven && !options.isDeviceTimed())
    return fail(error, "'--rotate' is not for the peer 'iree'");
  if (isGiven || llvm::is_contained(options.peers, kDeviceTimed))
    options.rotatedBytes = int64_t(mebibytes) << 20;
  return true;
}

static bool readPeers(const Flags &flags, Options &options,
                      std::string &error) {
  std::vector<StringRef> known = getPeerNames(options.isForCPU());
  known.push_back("none");
  std::vector<StringRef> usual = {"none"};
  if (options.isForCPU())
    usual = {"onednn", "onednn-plain"};
  if (!readWords(flags.peers, known, usual, options.peers, error))
    return false;
  if (llvm::is_contained(options.peers, "none")) {
    if (options.peers.size() > 1)
      return fail(error, "expected none alone for '--peers', but also got '" +
                             options.peers[options.peers[0] == "none"] + "'");
    options.peers.clear();
  }
  if (llvm::is_contained(options.peers, kHostTimed) &&
      llvm::is_contained(options.peers, kDeviceTimed))
    return fail(error, "expected iree or cudnn for '--peers', which are timed "
                       "by different clocks, but got both");
  options.worker = flags.worker;
  for (const std::string &peer : options.peers)
    if (needsWorker(peer) && options.worker.empty())
      return fail(error, "expected --worker=COMMAND for the peer '" + peer +
                             "', but got none");
  return true;
}

static bool readNumbers(const Flags &flags, Options &options,
                        std::string &error) {
  for (const std::string &word : flags.threads) {
    int number = 0;
    if (StringRef(word).getAsInteger(10, number) || number < 1 || number > 1024)
      return fail(error, "expected numbers from 1 to 1024 for '--threads', but "
                         "got '" +
                             word + "'");
    if (!llvm::is_contained(options.threadCounts, number))
      options.threadCounts.push_back(number);
  }
  if (options.threadCounts.empty())
    options.threadCounts = {1};
  int minTime = 0, maxTime = 0;
  if (!parseNumber(flags.repetitions, 1, 100000, options.measure.repetitions,
                   error) ||
      !parseNumber(flags.minTime, 0, 60000, minTime, error) ||
      !parseNumber(flags.maxTime, 0, 3600000, maxTime, error) ||
      !parseNumber(flags.candidates, 1, 1000, options.candidates, error) ||
      !parseNumber(flags.workerTimeout, 1, 86400, options.workerTimeout, error))
    return false;
  options.measure.minTime = 1e-3 * minTime;
  options.measure.maxTime = 1e-3 * maxTime;
  return true;
}

bool mlir::convoy::checkProblems(
    const std::vector<::convoy::AnyProblem> &problems, const Options &options,
    std::string &error) {
  StringRef ofConvolutions = !options.layouts.empty() ? "--layouts"
                             : options.candidates > 1 ? "--candidates"
                             : options.packedFilters  ? "--filter"
                                                      : "";
  for (const ::convoy::AnyProblem &problem : problems)
    if (!std::holds_alternative<::convoy::Problem>(problem) &&
        !ofConvolutions.empty())
      return fail(error, "'" + ofConvolutions +
                             "' is for convolutions, but got '" +
                             toString(problem) + "'");
  return true;
}

bool mlir::convoy::parseCommandLine(int argc, char **argv, Options &options,
                                    std::string &error) {
  // LLVM's libraries register options of their own, some under our names.
  cl::ResetCommandLineParser();
  static Flags flags;
  InputWords words;
  if (!parseToolOptions(argc, argv, getCategory(),
                        "Times convolutions, beside those of other libraries, "
                        "and samples\n",
                        words, error) ||
      !readTarget(flags, options, error) ||
      !readNumbers(flags, options, error) ||
      !readPeers(flags, options, error) ||
      !readRotation(flags, options, error) ||
      !readWords(flags.layouts, {"nhwc", "nchw", "filters"}, {},
                 options.layouts, error) ||
      !flags.report.read(flags.json, options.report, error) ||
      !readCommonOptions(flags, words, options, error))
    return false;
  if (options.isFile())
    return fail(error, "expected a problem or @FILE, but got the IR file '" +
                           options.input + "'");
  if (!checkNames({&flags.json}, error))
    return false;
  options.json = flags.json;
  options.quiet = flags.quiet;
  return true;
}
