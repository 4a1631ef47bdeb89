//===- DeformProblem.cpp - A deformable convolution as one line -----------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Support/DeformProblem.h"

#include "ProblemKind.h"

#include <algorithm>
#include <utility>

using namespace convoy;
using namespace convoy::detail;

static constexpr ProblemKind Kind = {"--deform-conv", "deformable convolutions",
                                     "--offset-groups=2 or --mask",
                                     "mb1_ic4ih9iw7_oc6kh3kw3ph1pw1"};

// What f32 can count, and positions in 32 bits have room for.
static constexpr int64_t MaxSize = 1 << 24;

//===----------------------------------------------------------------------===//
// Directions
//===----------------------------------------------------------------------===//

std::string_view convoy::directionName(DeformDirection direction) {
  switch (direction) {
  case DeformDirection::Forward:
    return "FWD_D";
  case DeformDirection::Input:
    return "BWD_D";
  case DeformDirection::Filter:
    return "BWD_W";
  case DeformDirection::Offset:
    return "BWD_OFFSET";
  case DeformDirection::Mask:
    return "BWD_MASK";
  }
  return "";
}

/// What `flags` ask for, of a convolution with a mask or without.
static std::vector<DeformDirection> getDirections(const ProblemDefaults &flags,
                                                  bool hasMask) {
  if (!flags.directions)
    return {DeformDirection::Forward};
  std::vector<DeformDirection> directions;
  for (Direction direction : *flags.directions)
    directions.push_back(
        direction == Direction::Forward        ? DeformDirection::Forward
        : direction == Direction::BackwardData ? DeformDirection::Input
                                               : DeformDirection::Filter);
  if (flags.offsetGradient || flags.allDirections)
    directions.push_back(DeformDirection::Offset);
  if (flags.maskGradient || (flags.allDirections && hasMask))
    directions.push_back(DeformDirection::Mask);
  return directions;
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

static std::vector<int64_t> getShape(const DeformProblem &problem,
                                     int64_t perTap) {
  const ConvShape &shape = problem.conv.shape;
  std::vector<int64_t> sizes;
  for (char letter : problem.offsetLayout.letters())
    sizes.push_back(letter == 'c' ? perTap * problem.offsetGroups *
                                        shape.size(Operand::Filter, 'h') *
                                        shape.size(Operand::Filter, 'w')
                                  : shape.size(Operand::Output, letter));
  return sizes;
}

std::vector<int64_t> DeformProblem::offsetShape() const {
  return getShape(*this, 2);
}

std::vector<int64_t> DeformProblem::maskShape() const {
  return getShape(*this, 1);
}

//===----------------------------------------------------------------------===//
// Words
//===----------------------------------------------------------------------===//

/// Whether `word` is `flag` with a value, which `value` becomes.
static bool takeValue(std::string_view word, std::string_view flag,
                      std::string_view &value) {
  if (!word.starts_with(flag))
    return false;
  value = word.substr(flag.size());
  return true;
}

/// Reads a word that only deformable convolutions have.
static FlagStatus readFlag(std::string_view word, DeformProblem &problem,
                           std::string &error) {
  std::string_view value;
  if (word == "--mask") {
    problem.hasMask = true;
    return FlagStatus::Accepted;
  }
  if (takeValue(word, "--offset-groups=", value)) {
    auto groups = parseNumber(value, "'--offset-groups'", 1, MaxNumber, error);
    problem.offsetGroups = groups.value_or(1);
    return groups ? FlagStatus::Accepted : FlagStatus::Rejected;
  }
  if (takeValue(word, "--offset-layout=", value)) {
    constexpr std::string_view Letters = "nchw";
    problem.offsetLayout = Layout::fromLetters(std::string(value));
    bool isRight = std::is_permutation(value.begin(), value.end(),
                                       Letters.begin(), Letters.end());
    if (!isRight)
      fail(error, expectation("the letters nchw", "'--offset-layout'", value));
    return isRight ? FlagStatus::Accepted : FlagStatus::Rejected;
  }
  if (takeValue(word, "--offset-type=", value)) {
    problem.offsetType = parseElementType(value).value_or(ElementType::I8);
    return checkSampledType("'--offset-type'", problem.offsetType, value, error)
               ? FlagStatus::Accepted
               : FlagStatus::Rejected;
  }
  return FlagStatus::NotAFlag;
}

/// Checks that no flag is given that is for plain convolutions alone.
static bool checkFlags(ProblemDefaults flags, std::string &error) {
  // What these convolutions have, too.
  flags.directions.reset();
  flags.bias = flags.offsetGradient = flags.maskGradient = false;
  flags.filterLayout.clear();
  std::string_view given = findConvolutionFlag(flags);
  return given.empty() || Kind.refuse(given, error);
}

//===----------------------------------------------------------------------===//
// From words to a problem
//===----------------------------------------------------------------------===//

/// Checks that the convolution is one that can be deformed.
static bool checkConvolution(const Problem &conv, std::string &error) {
  if (conv.shape.spatialRank() != 2)
    return fail(error, "expected two spatial dimensions of a deformable "
                       "convolution, but got " +
                           std::to_string(conv.shape.spatialRank()));
  if (!checkSampledType("'--type' of deformable convolutions", conv.type,
                        elementTypeName(conv.type), error))
    return false;
  for (size_t dim = 0; dim < 2; ++dim) {
    const SpatialDim &one = conv.shape.spatial[dim];
    const char letter = spatialLetters(2)[dim];
    if (one.input < 1 || one.input > MaxSize)
      return fail(error,
                  expectation("a size from 1 to " + std::to_string(MaxSize),
                              std::string("'i") + letter + "'",
                              std::to_string(one.input)));
    if (one.filter < 1)
      return fail(error,
                  expectation("taps", std::string("'k") + letter + "'", "0"));
    for (int64_t number : {one.window.stride, one.window.dilation,
                           one.window.padLow, one.window.padHigh})
      if (number < -MaxSize || number > MaxSize)
        return fail(error,
                    expectation("numbers of at most " + std::to_string(MaxSize),
                                std::string("the window's ") + letter,
                                std::to_string(number)));
  }
  return true;
}

static bool checkOffsetGroups(const DeformProblem &problem,
                              std::string &error) {
  const ConvShape &shape = problem.conv.shape;
  int64_t channels = shape.groups * shape.inputChannels;
  return channels % problem.offsetGroups == 0 ||
         fail(error, expectation("a number that divides " +
                                     std::to_string(channels) + " channels",
                                 "'--offset-groups'",
                                 std::to_string(problem.offsetGroups)));
}

bool convoy::isDeformProblem(std::string_view line) { return Kind.isOf(line); }

/// The words of `text` that are not read into `problem` and, of directions,
/// into `flags`: those of a convolution.
static std::optional<std::string> readWords(std::string_view text,
                                            DeformProblem &problem,
                                            ProblemDefaults &flags,
                                            std::string &error) {
  std::string line;
  for (std::string_view word : splitWords(text)) {
    if (word == Kind.driver)
      continue;
    FlagStatus status = readFlag(word, problem, error);
    if (status == FlagStatus::NotAFlag) {
      status = parseProblemFlag(word, flags, error);
      if (!word.starts_with("--dir="))
        line.append(word).append(" ");
    }
    if (status == FlagStatus::Rejected)
      return std::nullopt;
  }
  if (!line.empty())
    return line;
  error = "expected a problem such as " + quoted(Kind.someProblem) +
          ", but got none";
  return std::nullopt;
}

/// Reads the convolution in `line` into `problem`.
static bool readConvolution(const std::string &line, ProblemDefaults defaults,
                            DeformProblem &problem, std::string &error) {
  // Directions are read apart.
  defaults.directions.reset();
  defaults.bias = defaults.offsetGradient = defaults.maskGradient = false;
  auto problems = parseProblems(line, defaults, error);
  if (!problems)
    return false;
  problem.conv = std::move(problems->front());
  problem.name = std::exchange(problem.conv.name, "");
  if (problem.conv.direction != Direction::Forward || problems->size() != 1)
    return fail(error, "expected a forward convolution, but got " +
                           quoted(line.substr(0, line.size() - 1)));
  return checkConvolution(problem.conv, error) &&
         checkOffsetGroups(problem, error) &&
         checkElements({problem.offsetShape()}, error);
}

std::optional<std::vector<DeformProblem>>
convoy::parseDeformProblems(std::string_view text,
                            const ProblemDefaults &defaults,
                            std::string &error) {
  DeformProblem problem;
  problem.offsetLayout = Layout::fromLetters("nchw");
  ProblemDefaults flags;
  std::optional<std::string> line = readWords(text, problem, flags, error);
  if (!line || !checkFlags(flags, error) || !checkFlags(defaults, error) ||
      !readConvolution(*line, defaults, problem, error))
    return std::nullopt;
  const ProblemDefaults &asked = flags.directions ? flags : defaults;
  std::vector<DeformProblem> problems;
  for (DeformDirection direction : getDirections(asked, problem.hasMask)) {
    if (direction == DeformDirection::Mask && !problem.hasMask) {
      error = "expected '--mask' beside '--dir=BWD_MASK'";
      return std::nullopt;
    }
    problem.direction = direction;
    problem.conv.bias = asked.bias && direction == DeformDirection::Forward;
    problems.push_back(problem);
  }
  return problems;
}

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

std::string convoy::toString(const DeformProblem &problem) {
  std::string text(Kind.driver);
  if (problem.offsetGroups != 1)
    text += " --offset-groups=" + std::to_string(problem.offsetGroups);
  if (problem.hasMask)
    text += " --mask";
  text += " --offset-layout=" + problem.offsetLayout.letters();
  text.append(" --offset-type=").append(elementTypeName(problem.offsetType));
  std::string conv = toString(problem.conv);
  // The convolution is forward.
  const std::string forward = "--dir=FWD_D";
  if (size_t place = conv.find(forward); place != std::string::npos)
    conv.replace(place, forward.size(),
                 "--dir=" + std::string(directionName(problem.direction)));
  text += " " + conv;
  if (!problem.name.empty())
    text += "_n\"" + problem.name + "\"";
  return text;
}
