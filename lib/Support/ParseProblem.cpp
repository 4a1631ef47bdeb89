//===- ParseProblem.cpp - What a line of text says of problems ------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProblemKind.h"

using namespace convoy;
using namespace convoy::detail;

//===----------------------------------------------------------------------===//
// From a parsed line to problems
//===----------------------------------------------------------------------===//

/// The flags that hold for a line: its own, else the defaults.
static ProblemDefaults merged(ProblemDefaults line,
                              const ProblemDefaults &defaults) {
  auto fill = [](auto &value, const auto &fallback) {
    if (!value)
      value = fallback;
  };
  auto fillLayout = [](std::string &value, const std::string &fallback) {
    if (value.empty())
      value = fallback;
  };
  if (!line.directions) {
    line.bias = defaults.bias;
    line.offsetGradient = defaults.offsetGradient;
    line.maskGradient = defaults.maskGradient;
  }
  fill(line.directions, defaults.directions);
  if (!line.type)
    line.resultType = defaults.resultType;
  fill(line.type, defaults.type);
  fill(line.postOps, defaults.postOps);
  fill(line.scales, defaults.scales);
  fill(line.resultZeroPoint, defaults.resultZeroPoint);
  fill(line.batch, defaults.batch);
  fill(line.dynamic, defaults.dynamic);
  fill(line.inputSigned, defaults.inputSigned);
  fill(line.filterSigned, defaults.filterSigned);
  fill(line.inputZeroPoint, defaults.inputZeroPoint);
  fill(line.filterZeroPoint, defaults.filterZeroPoint);
  fillLayout(line.inputLayout, defaults.inputLayout);
  fillLayout(line.filterLayout, defaults.filterLayout);
  fillLayout(line.outputLayout, defaults.outputLayout);
  return line;
}

/// Replaces `layout` by `word`, if there is one, which must have as many
/// spatial dimensions as the problem.
static bool applyLayout(Layout &layout, const std::string &word,
                        Operand operand, std::string &error) {
  if (word.empty())
    return true;
  std::optional<Layout> parsed = Layout::parse(word, operand, error);
  if (!parsed)
    return false;
  if (parsed->spatialRank() != layout.spatialRank())
    return fail(error, std::string(operandName(operand)) + " layout '" + word +
                           "' has " + std::to_string(parsed->spatialRank()) +
                           " spatial dimensions, but expected " +
                           std::to_string(layout.spatialRank()) +
                           " as in the problem");
  layout = *parsed;
  return true;
}

/// Checks that `zeroPoint` is one of the numbers that a byte of the operand
/// called `name` can hold.
static bool checkZeroPoint(std::string_view name, int32_t zeroPoint,
                           bool isSigned, std::string &error) {
  int32_t least = isSigned ? -128 : 0;
  if (zeroPoint >= least && zeroPoint <= least + 255)
    return true;
  return fail(error,
              expectation("a number from " + std::to_string(least) + " to " +
                              std::to_string(least + 255),
                          "the zero point of the " + std::string(name) +
                              (isSigned ? ", which is s8" : ", which is u8"),
                          std::to_string(zeroPoint)));
}

static bool applyIntegerFlags(Problem &problem, const ProblemDefaults &flags,
                              std::string &error) {
  problem.inputSigned = flags.inputSigned.value_or(true);
  problem.filterSigned = flags.filterSigned.value_or(true);
  problem.inputZeroPoint = flags.inputZeroPoint.value_or(0);
  problem.filterZeroPoint = flags.filterZeroPoint.value_or(ZeroPoint());
  return checkZeroPoint("input", problem.inputZeroPoint, problem.inputSigned,
                        error) &&
         checkZeroPoint("filter", problem.filterZeroPoint.value,
                        problem.filterSigned, error);
}

bool detail::checkNoIntegerFlags(const ProblemDefaults &flags, ElementType type,
                                 std::string &error) {
  bool hasScales =
      flags.scales &&
      (flags.scales->input || flags.scales->filter || flags.scales->result);
  if (hasScales)
    return fail(error, expectation("i8", "the type of a problem with scales",
                                   elementTypeName(type)));
  return !(flags.inputSigned || flags.inputZeroPoint || flags.filterZeroPoint ||
           flags.resultZeroPoint) ||
         fail(error,
              expectation("i8",
                          "the type of a problem with signs or zero points",
                          elementTypeName(type)));
}

/// What the convolution under a transposed one computes.
static Direction transposed(Direction direction) {
  switch (direction) {
  case Direction::Forward:
    return Direction::BackwardData;
  case Direction::BackwardData:
    return Direction::Forward;
  case Direction::BackwardFilter:
    break;
  }
  return Direction::BackwardFilter;
}

/// Sets direction and bias of `problem`.
static bool applyDirection(Problem &problem, Direction direction,
                           const ParsedLine &line, bool biasFlag,
                           std::string &error) {
  bool isForward = direction == Direction::Forward;
  problem.direction = line.transposed ? transposed(direction) : direction;
  problem.bias = line.bias || (biasFlag && isForward);
  if (problem.bias && (line.transposed || !isForward))
    return fail(error,
                std::string("expected a bias in forward convolutions only, but "
                            "got one ") +
                    (line.transposed ? "in a transposed convolution"
                                     : "in a backward direction"));
  return true;
}

/// Checks that channels have zero points only of a filter that is summed over.
static bool checkZeroPoints(const Problem &problem, std::string &error) {
  return !problem.filterZeroPoint.isPerChannel ||
         problem.direction != Direction::BackwardFilter ||
         fail(error, "expected the gradient of a filter without zero points of "
                     "channels, but got 'wei:per_oc'");
}

/// Checks that the dynamic dimensions of `problem` are dimensions of all
/// operands that have them, rather than parts of others.
static bool checkDynamic(const Problem &problem, std::string &error) {
  std::string_view spatial = spatialLetters(problem.shape.spatialRank());
  bool hasGroups = problem.usesGroups();
  for (char letter : problem.dynamic) {
    std::string flag = std::string("'--dynamic=") + letter + "'";
    bool isKnown = letter == 'g'   ? hasGroups
                   : letter == 'd' ? spatial.size() == 3
                   : letter == 'h' ? spatial.size() >= 2
                                   : true;
    if (!isKnown)
      return fail(error, "expected a dimension of the problem for " + flag +
                             ", but it has no '" + letter + "'");
    if (!hasGroups || (letter != 'g' && letter != 'c' && letter != 'f'))
      continue;
    for (Operand operand : {Operand::Input, Operand::Filter, Operand::Output})
      if (!problem.layouts[operand].hasGroups())
        return fail(error,
                    expectation("a 'g' in the layout of the " +
                                    std::string(operandName(operand)),
                                flag, problem.layouts[operand].letters()));
    if (problem.bias && letter != 'c')
      return fail(error, "expected no bias for " + flag +
                             " of a convolution in groups, but got one");
  }
  return true;
}

static std::optional<std::vector<Problem>>
makeProblems(const ParsedLine &line, const ProblemDefaults &defaults,
             std::string &error) {
  ProblemDefaults flags = merged(line.flags, defaults);
  if (flags.offsetGradient || flags.maskGradient) {
    error = "expected FWD_D, FWD_I, FWD_B, BWD_D, BWD_W or all for '--dir' of "
            "convolutions, which have no offset and mask";
    return std::nullopt;
  }
  Problem problem;
  problem.name = line.name;
  problem.shape = line.shape;
  problem.layouts = line.formLayouts;
  problem.type = flags.type.value_or(ElementType::F32);
  problem.dynamic = flags.dynamic.value_or("");
  if (flags.batch.value_or(0) != 0)
    problem.shape.batch = *flags.batch;

  if (std::optional<std::string> fault = checkShape(problem.shape)) {
    error = *fault;
    return std::nullopt;
  }
  ConvLayouts &layouts = problem.layouts;
  if (!applyLayout(layouts.input, flags.inputLayout, Operand::Input, error) ||
      !applyLayout(layouts.filter, flags.filterLayout, Operand::Filter,
                   error) ||
      !applyLayout(layouts.output, flags.outputLayout, Operand::Output, error))
    return std::nullopt;

  if (problem.type == ElementType::I8) {
    if (!applyIntegerFlags(problem, flags, error))
      return std::nullopt;
  } else if (!checkNoIntegerFlags(line.flags, problem.type, error)) {
    return std::nullopt;
  }

  std::vector<Problem> problems;
  for (Direction direction : flags.directions.value_or(line.formDirections)) {
    if (!applyDirection(problem, direction, line, flags.bias, error) ||
        !checkZeroPoints(problem, error) || !checkDynamic(problem, error) ||
        !settleEpilogue(problem, flags, error))
      return std::nullopt;
    problems.push_back(problem);
  }
  return problems;
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

std::optional<std::vector<Problem>>
convoy::parseProblems(std::string_view line, const ProblemDefaults &defaults,
                      std::string &error) {
  if (std::string_view driver = findDriver(line); !driver.empty()) {
    error = "expected a convolution, but got " + quoted(driver);
    return std::nullopt;
  }
  Words words;
  ProblemDefaults flags;
  for (std::string_view word : splitWords(line)) {
    switch (parseProblemFlag(word, flags, error)) {
    case FlagStatus::Accepted:
      break;
    case FlagStatus::Rejected:
      return std::nullopt;
    case FlagStatus::NotAFlag:
      words.push_back(word);
    }
  }
  std::optional<Words> command = findMIOpenCommand(words);
  std::optional<ParsedLine> parsed = command
                                         ? parseMIOpen(*command, flags, error)
                                         : parseBenchdnn(words, flags, error);
  if (!parsed)
    return std::nullopt;
  return makeProblems(*parsed, defaults, error);
}

std::optional<std::vector<Problem>>
convoy::parseProblemFile(std::string_view text, const ProblemDefaults &defaults,
                         std::string &error) {
  return parseLines(text, defaults, error, parseProblems);
}
