//===- ToolOptions.h - Command lines of our tools ---------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_DRIVER_TOOLOPTIONS_H
#define CONVOY_DRIVER_TOOLOPTIONS_H

#include "convoy/Driver/ArgumentRanges.h"
#include "convoy/Driver/Compile.h"
#include "convoy/Runtime/Generate.h"
#include "convoy/Support/Problem.h"

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/CommandLine.h"

#include <optional>
#include <string>
#include <vector>

namespace mlir::convoy {

/// Puts one sentence into `error`. Always false.
bool fail(std::string &error, const Twine &text);
/// The same of an option that there is not.
bool failAtOption(StringRef option, std::string &error);

/// What a command line holds beside a tool's options: INPUT, whose words may
/// look like options, and flags of problems.
struct InputWords {
  std::vector<std::string> words;
  ::convoy::ProblemDefaults problemFlags;
  std::string firstFlag; ///< the first flag of problems, or empty
  /// The tool's own options, each with its value, and the whole command line.
  std::vector<std::string> options, commandLine;

  std::string getInput() const;
};

/// Whether INPUT is the name of an IR file.
inline bool isIRFile(StringRef input) { return input.ends_with(".mlir"); }

/// Whether `input` names a model of ONNX, which programs in Python read.
inline bool isModelFile(StringRef input) { return input.ends_with(".onnx"); }

/// Sets options of LLVM's from `arguments`, the program's name first. Where
/// they are wrong, returns false and puts one sentence into `error`. Ends the
/// program for `--help` and `--version`.
bool parseOptions(ArrayRef<const char *> arguments, StringRef overview,
                  std::string &error);

/// Reads a command line: sets the options of `category`, which take text or
/// nothing, and puts all other words into `words`. Where it is wrong, returns
/// false and puts one sentence into `error`. Ends the program for `--help` and
/// `--version`.
bool parseToolOptions(int argc, char **argv, llvm::cl::OptionCategory &category,
                      StringRef overview, InputWords &words,
                      std::string &error);

/// Reads the number of `option`, from `least` to `most`. (The parser of options
/// would print errors of its own.)
template <typename Number>
bool parseNumber(const llvm::cl::opt<std::string> &option, Number least,
                 Number most, Number &number, std::string &error) {
  if (!StringRef(option).getAsInteger(10, number) && number >= least &&
      number <= most)
    return true;
  return fail(error, "expected a number from " + Twine(least) + " to " +
                         Twine(most) + " for '--" + option.ArgStr +
                         "', but got '" + option + "'");
}

/// What tools are told to work on.
struct InputOptions {
  /// A problem, `@FILE` or the name of an IR file.
  std::string input;
  ::convoy::ProblemDefaults problemFlags;

  bool isFile() const { return isIRFile(input); }
};

/// Reads that. False, with one sentence in `error`, where there is no INPUT or
/// flags of problems stand beside an IR file.
bool readInput(const InputWords &words, InputOptions &options,
               std::string &error);

/// What all tools that compile are told.
struct CommonOptions : InputOptions, CPUOptions {
  unsigned optLevel = 3;
  /// What numbers arguments hold: those of problems that have them, or of an IR
  /// file's only function.
  std::vector<ArgumentRange> ranges;
  /// The command line, and the tool's options in it.
  std::vector<std::string> commandLine, optionWords;
};

/// The option of tools that compile for one CPU.
struct CPUFlag : llvm::cl::opt<std::string> {
  explicit CPUFlag(llvm::cl::OptionCategory &category);
};

/// The option of tools that set the form of register tiles on the CPU.
struct TileFlag : llvm::cl::opt<std::string> {
  explicit TileFlag(llvm::cl::OptionCategory &category);

  /// Reads rows and vectors, or nothing where it is not given.
  bool read(SmallVectorImpl<int64_t> &tile, std::string &error) const;
};

/// The option of tools that say how kernels for the CPU take filters.
struct FilterFlag : llvm::cl::opt<std::string> {
  explicit FilterFlag(llvm::cl::OptionCategory &category);

  bool read(bool &packed, std::string &error) const;
};

/// Reads rows and vectors of register tiles, as in `6x4`.
bool readTile(StringRef text, SmallVectorImpl<int64_t> &tile,
              std::string &error);

/// The option of tools that say how convolutions sum.
struct PrecisionFlag : llvm::cl::opt<std::string> {
  explicit PrecisionFlag(llvm::cl::OptionCategory &category);

  bool read(std::string &precision, std::string &error) const;
};

/// Checks that `precision` is a policy of convolutions.
bool checkPrecision(StringRef precision, std::string &error);
/// Whether `algorithm` is one; else one sentence is in `error`.
bool checkAlgorithm(StringRef algorithm, std::string &error);

/// The option of tools that choose sums for results with an error bound.
struct TargetErrorFlag : llvm::cl::opt<std::string> {
  explicit TargetErrorFlag(llvm::cl::OptionCategory &category);

  /// Reads it into `options`, with 0 where it is not given. It chooses
  /// policies: `precision`, the option that does so, too, is not given then.
  bool read(const llvm::cl::Option &precision, LoweringOptions &options,
            std::string &error) const;
};

/// The option of tools that say how convolutions are computed.
struct AlgorithmFlag : llvm::cl::opt<std::string> {
  explicit AlgorithmFlag(llvm::cl::OptionCategory &category);

  bool read(std::string &algorithm, std::string &error) const;
};

/// The options of tools that are told what numbers arguments hold.
struct RangeFlags {
  explicit RangeFlags(llvm::cl::OptionCategory &category);

  bool read(std::vector<ArgumentRange> &ranges, std::string &error) const;
  /// Calls `function` with each value that was given and its option.
  void forEach(llvm::function_ref<void(const llvm::cl::Option &option,
                                       const std::string &value)>
                   function) const;

  llvm::cl::list<std::string> range, calibrate;
};

/// The options of CommonOptions, as the parser fills them.
struct CommonFlags {
  explicit CommonFlags(llvm::cl::OptionCategory &category);

  CPUFlag cpu;
  llvm::cl::opt<std::string> optLevel;
  llvm::cl::opt<bool> explain;
  FilterFlag filter;
  TileFlag tile;
  PrecisionFlag precision;
  TargetErrorFlag targetError;
  AlgorithmFlag algorithm;
  RangeFlags ranges;
};

/// Reads what all tools have in common, the input as readInput does. False,
/// with one sentence in `error`, where it is wrong.
bool readCommonOptions(const CommonFlags &flags, const InputWords &words,
                       CommonOptions &options, std::string &error);

/// The option of tools that compile kernels for one number of threads.
struct ThreadsFlag : llvm::cl::opt<std::string> {
  explicit ThreadsFlag(llvm::cl::OptionCategory &category);
};

/// The option of tools that compile for Vulkan devices of a name, `standard`
/// where it is not given.
struct ProfileFlag : llvm::cl::opt<std::string> {
  ProfileFlag(llvm::cl::OptionCategory &category, StringRef standard,
              StringRef description);

  /// Reads the profile of that name, or nothing for `device`.
  bool read(std::optional<::convoy::VulkanProfile> &profile,
            std::string &error) const;
};

/// The option of tools that draw numbers, `standard` where it is not given.
struct DataFlag : llvm::cl::opt<std::string> {
  /// `takesSpecial` also allows NaN, infinities and subnormal numbers.
  DataFlag(llvm::cl::OptionCategory &category, StringRef standard,
           StringRef description, bool takesSpecial = false);

  bool read(::convoy::DataKind &data, std::string &error) const;
  /// Reads several, with commas between.
  bool read(std::vector<::convoy::DataKind> &kinds, std::string &error) const;

private:
  std::optional<::convoy::DataKind> parse(StringRef name,
                                          std::string &error) const;

  bool takesSpecial;
};

/// Checks that `flag`, `--chip`, names a chip of AMD's.
bool checkChip(const llvm::cl::opt<std::string> &flag, std::string &error);

/// Checks that none of `flags` that were given, which are names, is empty.
bool checkNames(ArrayRef<const llvm::cl::opt<std::string> *> flags,
                std::string &error);

/// `--certify`, of tools that prove what they compile.
struct CertifyFlag {
  /// `description` says what is proved, and what is done with it.
  CertifyFlag(llvm::cl::OptionCategory &category, StringRef description);

  /// Whether lowerings are proved, and kernels run on random integers, too.
  bool read(bool &certify, bool &deep, std::string &error) const;

  std::string description;
  llvm::cl::opt<std::string> opt;
};

/// The option of tools that write what they found as a page.
struct ReportFlag : llvm::cl::opt<std::string> {
  explicit ReportFlag(llvm::cl::OptionCategory &category);

  /// Reads the name of the page's file, or nothing. False, with one sentence in
  /// `error`, where reports are not built in, or that file or `json`, which may
  /// be empty, cannot be written, or both are the same.
  bool read(StringRef json, std::string &file, std::string &error) const;
};

/// The command that runs one of the cases of `options` again: the tool on
/// `caseWords`, with its options but for those named in `others`, which hold
/// for all cases together.
std::string getCaseCommand(const CommonOptions &options,
                           ArrayRef<std::string> caseWords,
                           ArrayRef<StringRef> others);

/// How kernels that run in `threads` threads are compiled.
CompileOptions getCompileOptions(const CommonOptions &options, int threads);

/// Checks that `flag`, which may be empty, is not given for an IR file.
bool checkIsForProblem(StringRef flag, const InputOptions &options,
                       std::string &error);
/// Checks that `flag`, which may be empty, is not given for a problem.
bool checkIsForFile(StringRef flag, const InputOptions &options,
                    std::string &error);

} // namespace mlir::convoy

#endif // CONVOY_DRIVER_TOOLOPTIONS_H
