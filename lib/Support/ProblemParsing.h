//===- ProblemParsing.h - What the problem parsers share --------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each form of a problem has a parser of its own. It turns a line into a
// ParsedLine; what follows from there is the same for all forms.
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_SUPPORT_PROBLEMPARSING_H
#define CONVOY_LIB_SUPPORT_PROBLEMPARSING_H

#include "Text.h"

#include "convoy/Support/Problem.h"

namespace convoy::detail {

/// Dimensions that may be dynamic, in the order in which their sizes are given.
inline constexpr std::string_view DynamicLetters = "ngcfdhw";

/// What a line says, before defaults apply and directions are told apart.
struct ParsedLine {
  ConvShape shape;
  std::string name;
  /// Flags that stand on the line.
  ProblemDefaults flags;
  /// What the form means where neither line nor command line says otherwise.
  ConvLayouts formLayouts;
  std::vector<Direction> formDirections;
  /// The line describes a transposed convolution: forward and backward-data
  /// change places.
  bool transposed = false;
  /// The line asks for a bias in whatever it computes (MIOpenDriver's `-b 1`).
  bool bias = false;
};

/// Checks that `flags`, of a line of floats of `type`, are none of integers.
bool checkNoIntegerFlags(const ProblemDefaults &flags, ElementType type,
                         std::string &error);

/// The problems of all lines of a file's text, each of which `parse` reads.
template <typename ProblemT>
std::optional<std::vector<ProblemT>>
parseLines(std::string_view text, const ProblemDefaults &defaults,
           std::string &error,
           std::optional<std::vector<ProblemT>> (*parse)(
               std::string_view line, const ProblemDefaults &defaults,
               std::string &error)) {
  std::vector<ProblemT> all;
  bool isRight = forEachLine(text, error, [&](std::string_view line) {
    auto problems = parse(line, defaults, error);
    if (problems)
      all.insert(all.end(), problems->begin(), problems->end());
    return problems.has_value();
  });
  if (!isRight)
    return std::nullopt;
  return all;
}

/// Reads a layer's name after its `n`: all of `rest`, with or without quotes.
bool readName(std::string_view rest, std::string &name, std::string &error);

/// The layout that a plain tag of oneDNN's, such as `axb` or `hwigo`, is for
/// `operand`; nothing, with a reason in `error`, for others.
std::optional<Layout> parseTag(std::string_view tag, Operand operand,
                               bool hasGroups, int spatialRank,
                               std::string &error);

/// Gives `problem`, whose direction is known, the epilogue that `flags` say, if
/// it can have it.
bool settleEpilogue(Problem &problem, const ProblemDefaults &flags,
                    std::string &error);

/// Parses the words of a line in benchdnn's form. `flags` stand on the line,
/// too.
std::optional<ParsedLine> parseBenchdnn(const Words &words,
                                        const ProblemDefaults &flags,
                                        std::string &error);

/// The words of the MIOpenDriver command line in `words` from the command
/// (`conv`, `convfp16`, …) on, or nothing where they hold no such command line.
std::optional<Words> findMIOpenCommand(const Words &words);

/// Parses a MIOpenDriver command line: the command and its options. `flags`
/// stand on the line, too.
std::optional<ParsedLine> parseMIOpen(const Words &words,
                                      const ProblemDefaults &flags,
                                      std::string &error);

} // namespace convoy::detail

#endif // CONVOY_LIB_SUPPORT_PROBLEMPARSING_H
