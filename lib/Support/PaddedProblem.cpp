//===- PaddedProblem.cpp - A padded convolution as one line ---------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Support/PaddedProblem.h"

#include "ProblemKind.h"

#include <algorithm>
#include <array>
#include <utility>

using namespace convoy;
using namespace convoy::detail;

static constexpr std::string_view Flag = "--padding-mode=";

//===----------------------------------------------------------------------===//
// Modes
//===----------------------------------------------------------------------===//

static constexpr std::array<std::string_view, 3> ModeNames = {
    "reflect", "replicate", "circular"};

/// Reads a mode in PyTorch's words, or in those of ONNX and NumPy.
static std::optional<PaddingMode> parseMode(std::string_view word) {
  if (word == "edge")
    return PaddingMode::Replicate;
  if (word == "wrap")
    return PaddingMode::Circular;
  auto found = std::find(ModeNames.begin(), ModeNames.end(), word);
  if (found == ModeNames.end())
    return std::nullopt;
  return static_cast<PaddingMode>(found - ModeNames.begin());
}

std::string_view convoy::findPaddingMode(std::string_view line) {
  std::string_view driver = findDriver(line);
  return driver.starts_with(Flag) ? driver : std::string_view();
}

bool convoy::isCausalProblem(std::string_view line) {
  return findPaddingMode(line) == std::string(Flag) + "causal";
}

//===----------------------------------------------------------------------===//
// From words to problems
//===----------------------------------------------------------------------===//

/// Splits `text` into its padding mode and the convolution that is left.
static bool splitLine(std::string_view text, std::string_view &mode,
                      std::string &line, std::string &error) {
  Words words = splitWords(text);
  for (std::string_view word : words) {
    if (!word.starts_with(Flag)) {
      line.append(word).append(" ");
      continue;
    }
    if (!mode.empty())
      return fail(error, "expected one '--padding-mode', but got " +
                             quoted(mode) + " and " +
                             quoted(word.substr(Flag.size())));
    mode = word.substr(Flag.size());
  }
  if (findMIOpenCommand(splitWords(line)) ||
      std::find(words.begin(), words.end(), "--deconv") != words.end())
    return fail(error, "expected a convolution in benchdnn's form for "
                       "'--padding-mode', but got a transposed one or "
                       "MIOpenDriver's form");
  return !line.empty() ||
         fail(error, "expected a problem such as 'mb1_ic4ih9iw7_oc6kh3kw3ph1', "
                     "but got none");
}

/// Parses the convolutions of a line with a padding mode, which sizes are known
/// of.
static std::optional<std::vector<Problem>>
parseConvolutions(std::string_view line, const ProblemDefaults &defaults,
                  std::string &error) {
  auto problems = parseProblems(line, defaults, error);
  if (problems && !problems->front().dynamic.empty()) {
    error = "expected known sizes for '--padding-mode', but got '--dynamic=" +
            problems->front().dynamic + "'";
    return std::nullopt;
  }
  return problems;
}

/// Checks that there is something to pad with, and memory for it.
static bool checkPadding(const Problem &conv, std::string &error) {
  double elements = double(conv.shape.batch) * double(conv.shape.groups) *
                    double(conv.shape.inputChannels);
  for (size_t dim = 0; dim < conv.shape.spatial.size(); ++dim) {
    const SpatialDim &one = conv.shape.spatial[dim];
    int64_t low = std::max<int64_t>(one.window.padLow, 0),
            high = std::max<int64_t>(one.window.padHigh, 0);
    if (one.input < 1 && (low > 0 || high > 0))
      return fail(
          error,
          expectation("elements to pad with",
                      std::string("'i") +
                          spatialLetters(conv.shape.spatialRank())[dim] + "'",
                      std::to_string(one.input)));
    elements *= double(one.input) + double(low) + double(high);
  }
  return elements <= 0x1p60 ||
         fail(error, "expected tensors of at most 2^60 elements");
}

std::optional<std::vector<PaddedProblem>>
convoy::parsePaddedProblems(std::string_view text,
                            const ProblemDefaults &defaults,
                            std::string &error) {
  std::string_view word;
  std::string line;
  if (!splitLine(text, word, line, error))
    return std::nullopt;
  std::optional<PaddingMode> mode = parseMode(word);
  if (!mode) {
    error = expectation("reflect, replicate, circular or causal",
                        "'--padding-mode'", word);
    return std::nullopt;
  }
  auto problems = parseConvolutions(line, defaults, error);
  if (!problems)
    return std::nullopt;
  std::vector<PaddedProblem> all;
  for (Problem &conv : *problems) {
    if (!checkPadding(conv, error))
      return std::nullopt;
    std::string name = std::exchange(conv.name, "");
    all.push_back({std::move(conv), *mode, std::move(name)});
  }
  return all;
}

/// Checks that the descriptor of `line`, which is no flag, leaves padding and
/// output sizes open.
static bool checkCausal(std::string_view line, std::string &error) {
  for (std::string_view word : splitWords(line)) {
    // No other field has a p, nor an o but oc; a name begins with an n.
    std::string_view fields = word.substr(0, word.find('n'));
    for (size_t at = 0; at < fields.size() && !word.starts_with('-'); ++at)
      if (fields[at] == 'p' ||
          (fields[at] == 'o' && !fields.substr(at).starts_with("oc")))
        return fail(error, "expected no " + quoted(fields.substr(at, 2)) +
                               " in descriptor " + quoted(word) +
                               " of a causal convolution, which settles "
                               "padding and output sizes");
  }
  return true;
}

std::optional<std::vector<Problem>>
convoy::parseCausalProblems(std::string_view text,
                            const ProblemDefaults &defaults,
                            std::string &error) {
  std::string_view word;
  std::string line;
  if (!splitLine(text, word, line, error) || !checkCausal(line, error))
    return std::nullopt;
  auto problems = parseConvolutions(line, defaults, error);
  if (!problems)
    return std::nullopt;
  for (Problem &problem : *problems) {
    for (SpatialDim &dim : problem.shape.spatial) {
      // The last tap is at the output position's own place.
      dim.window.padLow =
          std::max<int64_t>(dilatedSize(dim.filter, dim.window.dilation), 1) -
          1;
      dim.window.padHigh = 0;
      dim.output = outputSize(dim.input, dim.filter, dim.window);
      dim.window.padHigh =
          padHighFor(dim.input, dim.filter, dim.output, dim.window);
    }
    if (std::optional<std::string> fault = checkShape(problem.shape)) {
      error = *fault;
      return std::nullopt;
    }
  }
  return problems;
}

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

std::string convoy::toString(const PaddedProblem &problem) {
  std::string text(Flag);
  text.append(ModeNames[static_cast<size_t>(problem.mode)]);
  text += " " + toString(problem.conv);
  if (!problem.name.empty())
    text += "_n\"" + problem.name + "\"";
  return text;
}
