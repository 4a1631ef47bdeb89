//===- ToolOptions.cpp - Command lines of our tools -------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Driver/ToolOptions.h"

#include "convoy/Report/ReportPage.h"
#include "convoy/Runtime/FileIO.h"
#include "convoy/Support/Algorithm.h"
#include "convoy/Support/ProblemFlags.h"
#include "convoy/Support/RocmChip.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::convoy;
namespace cl = llvm::cl;

bool mlir::convoy::fail(std::string &error, const Twine &text) {
  error = text.str();
  return false;
}

bool mlir::convoy::failAtOption(StringRef option, std::string &error) {
  return fail(error, "unknown option '" + option + "' (see --help)");
}

std::string InputWords::getInput() const { return llvm::join(words, " "); }

namespace {
/// Divides words between options, flags of problems and INPUT. `@FILE` must not
/// be taken for a response file.
class WordSorter {
public:
  WordSorter(cl::OptionCategory &category, InputWords &input,
             std::string &error)
      : category(category), input(input), error(error) {}

  bool sort(ArrayRef<const char *> words);

private:
  cl::Option *findOption(StringRef word) const;
  /// Checks that a name of a file is the only word of INPUT.
  bool checkInput();

  cl::OptionCategory &category;
  InputWords &input;
  std::string &error;
};
} // namespace

/// The option of ours that `word` names, or null. One dash is enough for names
/// of one letter; a problem has longer words with one dash.
cl::Option *WordSorter::findOption(StringRef word) const {
  StringRef name = word.split('=').first;
  bool isLong = name.consume_front("--");
  if (!isLong && !name.consume_front("-"))
    return nullptr;
  bool isPrefix = name.size() == 2 && name[0] == 'O';
  auto found = cl::getRegisteredOptions().find(isPrefix ? "O" : name);
  if (found == cl::getRegisteredOptions().end())
    return nullptr;
  cl::Option *option = found->second;
  // Without its value, -O is a word of MIOpenDriver's.
  if (option->getFormattingFlag() == cl::Prefix && !isPrefix &&
      !word.contains('='))
    return nullptr;
  bool isStandard =
      name == "help" || name == "help-hidden" || name == "version";
  if (isStandard)
    return option;
  bool isOurs = llvm::is_contained(option->Categories, &category);
  return isOurs && (isLong || isPrefix || name.size() == 1) ? option : nullptr;
}

bool WordSorter::sort(ArrayRef<const char *> words) {
  for (size_t i = 0; i < words.size(); ++i) {
    StringRef word = words[i];
    if (cl::Option *option = findOption(word)) {
      std::string text = word.str();
      bool needsValue = option->getValueExpectedFlag() == cl::ValueRequired &&
                        option->getFormattingFlag() != cl::Prefix;
      if (needsValue && !word.contains('=')) {
        if (i + 1 == words.size())
          return fail(error, "expected a value for '" + word + "'");
        text += std::string("=") + words[++i];
      }
      input.options.push_back(std::move(text));
      continue;
    }
    switch (::convoy::parseProblemFlag(word.str(), input.problemFlags, error)) {
    case ::convoy::FlagStatus::NotAFlag:
      input.words.push_back(word.str());
      break;
    case ::convoy::FlagStatus::Accepted:
      if (input.firstFlag.empty())
        input.firstFlag = word.str();
      break;
    case ::convoy::FlagStatus::Rejected:
      return false;
    }
  }
  return checkInput();
}

bool WordSorter::checkInput() {
  ArrayRef<std::string> words = input.words;
  for (StringRef word : words) {
    bool standsAlone = word.starts_with("@") || isIRFile(word);
    if (standsAlone && words.size() > 1) {
      StringRef other = word == words[0] ? words[1] : words[0];
      return other.starts_with("-")
                 ? failAtOption(other, error)
                 : fail(error, "expected '" + word + "' alone, but also got '" +
                                   other + "'");
    }
    if (isModelFile(word))
      return fail(error, "expected a problem or a .mlir file, but got '" +
                             word +
                             "': convoy-import-onnx takes models of ONNX");
  }
  return true;
}

bool mlir::convoy::parseToolOptions(int argc, char **argv,
                                    cl::OptionCategory &category,
                                    StringRef overview, InputWords &words,
                                    std::string &error) {
  cl::HideUnrelatedOptions(category);
  static const std::string flags =
      "\nFlags of problems:\n\n" + ::convoy::describeProblemFlags();
  static cl::extrahelp help(flags);
  WordSorter sorter(category, words, error);
  if (!sorter.sort(ArrayRef<const char *>(argv + 1, argc - 1)))
    return false;
  words.commandLine.assign(argv, argv + argc);
  std::vector<const char *> arguments = {argv[0]};
  for (const std::string &word : words.options)
    arguments.push_back(word.c_str());
  return parseOptions(arguments, overview, error);
}

CPUFlag::CPUFlag(cl::OptionCategory &category)
    : opt("cpu", cl::cat(category), cl::init("host"),
          cl::value_desc("NAME|host"),
          cl::desc("CPU to compile for, as in LLVM's -mcpu (default: host)")) {}

FilterFlag::FilterFlag(cl::OptionCategory &category)
    : opt("filter", cl::cat(category), cl::init("plain"),
          cl::value_desc("plain|packed"),
          cl::desc("How kernels for the CPU take filters: as they are, or "
                   "packed once beforehand by a function <kernel>_pack_"
                   "<filter> that is compiled with them (default: plain)")) {}

bool FilterFlag::read(bool &packed, std::string &error) const {
  packed = getValue() == "packed";
  return packed || getValue() == "plain" ||
         fail(error, "expected plain or packed for '--filter', but got '" +
                         getValue() + "'");
}

TileFlag::TileFlag(cl::OptionCategory &category)
    : opt("tile", cl::cat(category), cl::value_desc("ROWSxVECTORS"),
          cl::desc(
              "Register tiles on the CPU of so many rows and 1 to 4 vectors, "
              "or of whole loops that are shorter, as in 6x4 (default: "
              "those that are estimated to be fastest)")) {}

bool TileFlag::read(SmallVectorImpl<int64_t> &tile, std::string &error) const {
  return !getNumOccurrences() || readTile(getValue(), tile, error);
}

bool mlir::convoy::readTile(StringRef text, SmallVectorImpl<int64_t> &tile,
                            std::string &error) {
  auto [rows, vectors] = text.split('x');
  tile.resize(2);
  if (!rows.getAsInteger(10, tile[0]) && !vectors.getAsInteger(10, tile[1]) &&
      tile[0] >= 1 && tile[0] <= 1024 && tile[1] >= 1 && tile[1] <= 4)
    return true;
  return fail(error,
              "expected 1 to 1024 rows and 1 to 4 vectors, as in 6x4, for "
              "'--tile', but got '" +
                  text + "'");
}

PrecisionFlag::PrecisionFlag(cl::OptionCategory &category)
    : opt("precision", cl::cat(category), cl::init("normal"),
          cl::value_desc("low|normal|high"),
          cl::desc(
              "How convolutions that say nothing else sum f16 and bf16: in "
              "f32, or with low in their own type where ranges prove that "
              "no number overflows or vanishes (default: normal)")) {}

bool PrecisionFlag::read(std::string &precision, std::string &error) const {
  precision = getValue();
  return checkPrecision(precision, error);
}

bool mlir::convoy::checkPrecision(StringRef precision, std::string &error) {
  return llvm::is_contained({"low", "normal", "high"}, precision) ||
         fail(error, "expected low, normal or high for '--precision', but got "
                     "'" +
                         precision + "'");
}

TargetErrorFlag::TargetErrorFlag(cl::OptionCategory &category)
    : opt("target-error", cl::cat(category), cl::value_desc("E"),
          cl::desc("Sum each convolution in the cheapest way with which no "
                   "result is further off than E times the largest that the "
                   "ranges allow, as in 1e-3 (docs/Numerics.md)")) {}

bool TargetErrorFlag::read(const cl::Option &precision,
                           LoweringOptions &options, std::string &error) const {
  if (!getNumOccurrences())
    return true;
  if (precision.getNumOccurrences())
    return fail(error, "expected '--precision' or '--target-error', but got "
                       "both");
  bool isNumber = !StringRef(getValue()).getAsDouble(options.targetError);
  return (isNumber && options.targetError > 0 && options.targetError < 1) ||
         fail(error, "expected a number between 0 and 1 for '--target-error', "
                     "but got '" +
                         getValue() + "'");
}

AlgorithmFlag::AlgorithmFlag(cl::OptionCategory &category)
    : opt("algorithm", cl::cat(category), cl::init("direct"),
          cl::value_desc("direct|winograd|auto"),
          cl::desc(
              "How convolutions are computed: as sums of their products, by "
              "Winograd's algorithm, in tiles of 2, 4 or 6 results with "
              "winograd:2, :4 or :6, or whichever is estimated to be "
              "faster (default: direct)")) {}

bool mlir::convoy::checkAlgorithm(StringRef algorithm, std::string &error) {
  return ::convoy::parseAlgorithm(algorithm) ||
         fail(error, "expected " +
                         Twine(StringRef(::convoy::getAlgorithmNames())) +
                         " for '--algorithm', but got '" + algorithm + "'");
}

bool AlgorithmFlag::read(std::string &algorithm, std::string &error) const {
  algorithm = getValue();
  return checkAlgorithm(algorithm, error);
}

CommonFlags::CommonFlags(cl::OptionCategory &category)
    : cpu(category),
      optLevel("O", cl::cat(category), cl::init("3"), cl::Prefix,
               cl::value_desc("0|1|2|3"),
               cl::desc("LLVM's optimization level (default: 3)")),
      explain(
          "explain", cl::cat(category),
          cl::desc("Say on standard error what tiles are made for and how each "
                   "convolution is tiled")),
      filter(category), tile(category), precision(category),
      targetError(category), algorithm(category), ranges(category) {}

ThreadsFlag::ThreadsFlag(cl::OptionCategory &category)
    : opt("threads", cl::cat(category), cl::init("1"), cl::value_desc("N"),
          cl::desc("Threads that a kernel runs in (default: 1); with more it "
                   "needs LLVM's OpenMP library")) {}

ProfileFlag::ProfileFlag(cl::OptionCategory &category, StringRef standard,
                         StringRef description)
    : opt("profile", cl::cat(category), cl::init(standard.str()),
          cl::value_desc("device|lavapipe|generic|nvidia|amd"),
          cl::desc(description)) {}

bool ProfileFlag::read(std::optional<::convoy::VulkanProfile> &profile,
                       std::string &error) const {
  profile = ::convoy::getVulkanProfile(getValue());
  return profile || getValue() == "device" ||
         fail(error, "expected device, " +
                         Twine(::convoy::expectVulkanProfile(getValue())) +
                         " for '--profile', but got '" + getValue() + "'");
}

DataFlag::DataFlag(cl::OptionCategory &category, StringRef standard,
                   StringRef description, bool takesSpecial)
    : opt("data", cl::cat(category), cl::init(standard.str()),
          cl::value_desc(takesSpecial
                             ? "int|uniform|normal|range|cancel|edge|special"
                             : "int|uniform|normal|range|cancel|edge"),
          cl::desc(description)),
      takesSpecial(takesSpecial) {}

std::optional<::convoy::DataKind> DataFlag::parse(StringRef name,
                                                  std::string &error) const {
  std::optional<::convoy::DataKind> kind = ::convoy::parseDataKind(name);
  if (kind && (*kind != ::convoy::DataKind::Special || takesSpecial))
    return kind;
  fail(error, Twine("expected int, uniform, normal, range, cancel") +
                  (takesSpecial ? ", edge or special" : " or edge") +
                  " for '--data', but got '" + name + "'");
  return std::nullopt;
}

bool DataFlag::read(::convoy::DataKind &data, std::string &error) const {
  std::optional<::convoy::DataKind> kind = parse(getValue(), error);
  if (kind)
    data = *kind;
  return kind.has_value();
}

bool DataFlag::read(std::vector<::convoy::DataKind> &kinds,
                    std::string &error) const {
  for (StringRef name : llvm::split(getValue(), ',')) {
    std::optional<::convoy::DataKind> kind = parse(name, error);
    if (!kind)
      return false;
    if (llvm::is_contained(kinds, *kind))
      return fail(error, "expected each kind once for '--data', but got '" +
                             getValue() + "'");
    kinds.push_back(*kind);
  }
  return true;
}

RangeFlags::RangeFlags(cl::OptionCategory &category)
    : range("range", cl::cat(category),
            cl::value_desc("ARGUMENT=LOW:HIGH[:LEAST]"),
            cl::desc("Let a kernel's argument, by its name or its number, hold "
                     "numbers from LOW to HIGH and none but zero of a "
                     "magnitude below LEAST, as in input=-8:8:0.125 "
                     "(docs/Numerics.md)")),
      calibrate("calibrate", cl::cat(category),
                cl::value_desc("ARGUMENT=FILE.npy"),
                cl::desc("Take such a range from numbers that the argument "
                         "held; of several files, from all")) {}

void RangeFlags::forEach(
    function_ref<void(const cl::Option &, const std::string &)> function)
    const {
  for (const std::string &value : range)
    function(range, value);
  for (const std::string &value : calibrate)
    function(calibrate, value);
}

bool RangeFlags::read(std::vector<ArgumentRange> &ranges,
                      std::string &error) const {
  for (const std::string &text : range) {
    std::string expected;
    std::optional<ArgumentRange> one = parseArgumentRange(text, expected);
    if (!one)
      return fail(error, "expected " + expected + " for '--range', but got '" +
                             text + "'");
    ranges.push_back(std::move(*one));
  }
  for (const std::string &text : calibrate) {
    std::optional<ArgumentRange> one = parseCalibration(text);
    if (!one)
      return fail(error, "expected an argument and a file, as in "
                         "input=x.npy, for '--calibrate', but got '" +
                             text + "'");
    ranges.push_back(std::move(*one));
  }
  return true;
}

bool mlir::convoy::checkChip(const cl::opt<std::string> &flag,
                             std::string &error) {
  return ::convoy::getRocmChip(flag.getValue()) ||
         fail(error,
              "expected " + Twine(StringRef(::convoy::getRocmChipNames())) +
                  " for '--" + flag.ArgStr + "', but got '" + flag + "'");
}

bool mlir::convoy::checkNames(ArrayRef<const cl::opt<std::string> *> flags,
                              std::string &error) {
  for (const cl::opt<std::string> *flag : flags)
    if (flag->getNumOccurrences() && flag->empty())
      return fail(error,
                  "expected a name for '--" + flag->ArgStr + "', but got ''");
  return true;
}

CertifyFlag::CertifyFlag(cl::OptionCategory &category, StringRef description)
    : description((description +
                   ". With deep, kernels also run on random integers until a "
                   "wrong sum of products is taken for right with a "
                   "probability of at most 2^-64")
                      .str()),
      opt("certify", cl::cat(category), cl::ValueOptional,
          cl::value_desc("deep"), cl::desc(this->description)) {}

bool CertifyFlag::read(bool &certify, bool &deep, std::string &error) const {
  certify = opt.getNumOccurrences() > 0;
  deep = opt == "deep";
  return opt.empty() || deep ||
         fail(error, "expected deep or no value for '--certify', but got '" +
                         opt + "'");
}

ReportFlag::ReportFlag(cl::OptionCategory &category)
    : opt("report", cl::cat(category), cl::value_desc("FILE"),
          cl::desc("Write tables and charts of all results as one page, "
                   "FILE.html, for a "
                   "browser (docs/Reports.md)")) {}

bool ReportFlag::read(StringRef json, std::string &file,
                      std::string &error) const {
  if (!json.empty() && json != "-" &&
      !::convoy::checkCanWrite(json.str(), error))
    return false;
  if (!getNumOccurrences())
    return true;
  file = getValue();
  if (file.empty() || file == "-")
    return fail(error,
                "expected a name for '--report', but got '" + file + "'");
  if (std::optional<std::string> lack = checkReportSupport())
    return fail(error, "cannot write '" + file + "': " + *lack);
  if (!::convoy::checkCanWrite(file, error))
    return false;
  std::string same = ::convoy::findSameFile({{json.str(), file}});
  return json.empty() || same.empty() ||
         fail(error, "expected different files for '--json' and '--report', "
                     "but got '" +
                         same + "' for both");
}

std::string mlir::convoy::getCaseCommand(const CommonOptions &options,
                                         ArrayRef<std::string> caseWords,
                                         ArrayRef<StringRef> others) {
  std::vector<std::string> words = {options.commandLine.front()};
  llvm::append_range(words, caseWords);
  for (StringRef word : options.optionWords)
    if (!llvm::is_contained(others, word.ltrim('-').split('=').first))
      words.push_back(word.str());
  return quoteCommand(words);
}

bool mlir::convoy::readInput(const InputWords &words, InputOptions &options,
                             std::string &error) {
  options.input = words.getInput();
  options.problemFlags = words.problemFlags;
  if (options.input.empty())
    return fail(error, "expected a problem, @FILE or a .mlir file, but got no "
                       "input");
  return checkIsForProblem(words.firstFlag, options, error);
}

bool mlir::convoy::readCommonOptions(const CommonFlags &flags,
                                     const InputWords &words,
                                     CommonOptions &options,
                                     std::string &error) {
  options.commandLine = words.commandLine;
  options.optionWords = words.options;
  options.cpu.name = flags.cpu;
  options.explain = flags.explain;
  if (!parseNumber<unsigned>(flags.optLevel, 0, 3, options.optLevel, error))
    return false;
  return flags.filter.read(options.packedFilters, error) &&
         flags.tile.read(options.machine.tile, error) &&
         flags.precision.read(options.precision, error) &&
         flags.targetError.read(flags.precision, options, error) &&
         flags.algorithm.read(options.algorithm, error) &&
         flags.ranges.read(options.ranges, error) &&
         readInput(words, options, error);
}

CompileOptions mlir::convoy::getCompileOptions(const CommonOptions &options,
                                               int threads) {
  CompileOptions compile;
  static_cast<CPUOptions &>(compile) = options;
  compile.threads = threads;
  compile.optLevel = options.optLevel;
  return compile;
}

bool mlir::convoy::checkIsForProblem(StringRef flag,
                                     const InputOptions &options,
                                     std::string &error) {
  return flag.empty() || !options.isFile() ||
         fail(error, "'" + flag +
                         "' is for problems, but the input is the IR file '" +
                         options.input + "'");
}

bool mlir::convoy::checkIsForFile(StringRef flag, const InputOptions &options,
                                  std::string &error) {
  return flag.empty() || options.isFile() ||
         fail(error, "'" + flag + "' is for IR files, but the input is '" +
                         options.input + "'");
}
