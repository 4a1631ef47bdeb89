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
  flags.bias = false;
  flags.filterLayout.clear();
  std::string_view given = findConvolutionFlag(flags);
  if (given == "--dir")
    return fail(error, "expected FWD_D or FWD_B for '--dir' of deformable "
                       "convolutions, of which there are no gradients");
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

std::optional<DeformProblem>
convoy::parseDeformProblem(std::string_view text,
                           const ProblemDefaults &defaults,
                           std::string &error) {
  DeformProblem problem;
  problem.offsetLayout = Layout::fromLetters("nchw");
  ProblemDefaults flags;
  // What is left is a convolution.
  std::string line;
  for (std::string_view word : splitWords(text)) {
    if (word == Kind.driver)
      continue;
    FlagStatus status = readFlag(word, problem, error);
    if (status == FlagStatus::NotAFlag) {
      line.append(word).append(" ");
      status = parseProblemFlag(word, flags, error);
    }
    if (status == FlagStatus::Rejected)
      return std::nullopt;
  }
  if (line.empty()) {
    error = "expected a problem such as " + quoted(Kind.someProblem) +
            ", but got none";
    return std::nullopt;
  }
  if (!checkFlags(flags, error) || !checkFlags(defaults, error))
    return std::nullopt;
  auto problems = parseProblems(line, defaults, error);
  if (!problems)
    return std::nullopt;
  problem.conv = std::move(problems->front());
  problem.name = std::exchange(problem.conv.name, "");
  if (problem.conv.direction != Direction::Forward || problems->size() != 1) {
    error = "expected a forward convolution, but got " + quoted(text);
    return std::nullopt;
  }
  if (!checkConvolution(problem.conv, error) ||
      !checkOffsetGroups(problem, error) ||
      !checkElements({problem.offsetShape()}, error))
    return std::nullopt;
  return problem;
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
  text += " " + toString(problem.conv);
  if (!problem.name.empty())
    text += "_n\"" + problem.name + "\"";
  return text;
}
