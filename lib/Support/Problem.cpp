//===- Problem.cpp - A convolution as one line of text --------------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProblemParsing.h"

#include "convoy/Support/AnyProblem.h"

#include <algorithm>

using namespace convoy;
using namespace convoy::detail;

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

static std::string_view directionName(Direction direction, bool bias) {
  switch (direction) {
  case Direction::Forward:
    return bias ? "FWD_B" : "FWD_D";
  case Direction::BackwardData:
    return "BWD_D";
  case Direction::BackwardFilter:
    break;
  }
  return "BWD_W";
}

bool Problem::usesGroups() const {
  return shape.groups != 1 || layouts.input.hasGroups() ||
         layouts.filter.hasGroups() || layouts.output.hasGroups();
}

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
  if (!line.directions)
    line.bias = defaults.bias;
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
  problem.filterZeroPoint = flags.filterZeroPoint.value_or(0);
  return checkZeroPoint("input", problem.inputZeroPoint, problem.inputSigned,
                        error) &&
         checkZeroPoint("filter", problem.filterZeroPoint, problem.filterSigned,
                        error);
}

/// Checks that a line of floats has no flags of integers.
static bool checkNoIntegerFlags(const ProblemDefaults &flags, ElementType type,
                                std::string &error) {
  bool hasScales =
      flags.scales &&
      (flags.scales->input || flags.scales->filter || flags.scales->result);
  if (hasScales)
    return fail(error, expectation("i8", "the type of a line with scales",
                                   elementTypeName(type)));
  return !(flags.inputSigned || flags.inputZeroPoint || flags.filterZeroPoint ||
           flags.resultZeroPoint) ||
         fail(error,
              expectation("i8", "the type of a line with signs or zero points",
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
        !checkDynamic(problem, error) || !settleEpilogue(problem, flags, error))
      return std::nullopt;
    problems.push_back(problem);
  }
  return problems;
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

static constexpr std::string_view Blanks = " \t\r\n\v\f";

Words detail::splitWords(std::string_view line) {
  Words words;
  for (size_t begin = 0;
       (begin = line.find_first_not_of(Blanks, begin)) != line.npos;) {
    size_t end = std::min(line.find_first_of(Blanks, begin), line.size());
    words.push_back(line.substr(begin, end - begin));
    begin = end;
  }
  return words;
}

std::optional<std::vector<Problem>>
convoy::parseProblems(std::string_view line, const ProblemDefaults &defaults,
                      std::string &error) {
  if (isSampleProblem(line) || isFoldProblem(line)) {
    error = std::string("expected a convolution, but got '") +
            (isSampleProblem(line) ? "--grid-sample'" : "--col2im'");
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

/// `line` up to its comment: a `#` at its start or after a blank.
static std::string_view withoutComment(std::string_view line) {
  for (size_t hash = 0; (hash = line.find('#', hash)) != line.npos; ++hash)
    if (hash == 0 || Blanks.find(line[hash - 1]) != Blanks.npos)
      return line.substr(0, hash);
  return line;
}

bool detail::forEachLine(
    std::string_view text, std::string &error,
    const std::function<bool(std::string_view line)> &parse) {
  for (int64_t number = 1; !text.empty(); ++number) {
    size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = withoutComment(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.find_first_not_of(Blanks) == line.npos)
      continue;
    if (!parse(line))
      return fail(error, "line " + std::to_string(number) + ": " + error);
  }
  return true;
}

std::optional<std::vector<Problem>>
convoy::parseProblemFile(std::string_view text, const ProblemDefaults &defaults,
                         std::string &error) {
  return parseLines(text, defaults, error, parseProblems);
}

//===----------------------------------------------------------------------===//
// Dynamic sizes
//===----------------------------------------------------------------------===//

static bool isSpatial(char letter) {
  return letter == 'd' || letter == 'h' || letter == 'w';
}

bool Problem::isDynamic(Operand operand, char letter) const {
  bool isTap = operand == Operand::Filter && isSpatial(letter);
  return !isTap && dynamic.find(letter) != std::string::npos;
}

/// Gives `dim`, called `letter`, an input of `size` and the output of that.
static bool setInput(SpatialDim &dim, char letter, int64_t size,
                     Direction direction, std::string &error) {
  dim.input = size;
  dim.output = outputSize(size, dim.filter, dim.window);
  // A kernel computes the output's size without asking whether a window fits.
  if (dim.output == 0 &&
      padHighFor(size, dim.filter, 0, dim.window) > dim.window.padHigh)
    return fail(error, std::string("expected an input in which a window fits "
                                   "for the dynamic size '") +
                           letter + "', but got " + std::to_string(size));
  // A gradient's size follows from the output's.
  int64_t covered = padHighFor(size, dim.filter, dim.output, dim.window);
  if (direction == Direction::BackwardData && covered != dim.window.padHigh)
    return fail(error, std::string("expected an input that windows cover for "
                                   "the dynamic size '") +
                           letter + "', but got " + std::to_string(size));
  return true;
}

std::optional<Problem> convoy::withSizes(Problem problem,
                                         const std::vector<int64_t> &sizes,
                                         std::string &error) {
  if (sizes.size() != problem.dynamic.size()) {
    error = "expected " + std::to_string(problem.dynamic.size()) +
            " dynamic sizes, but got " + std::to_string(sizes.size());
    return std::nullopt;
  }
  ConvShape &shape = problem.shape;
  for (size_t number = 0; number < sizes.size(); ++number) {
    char letter = problem.dynamic[number];
    int64_t size = sizes[number];
    if (isSpatial(letter)) {
      size_t dim = spatialLetters(shape.spatialRank()).find(letter);
      if (!setInput(shape.spatial[dim], letter, size, problem.direction, error))
        return std::nullopt;
      continue;
    }
    int64_t &changed = letter == 'n'   ? shape.batch
                       : letter == 'g' ? shape.groups
                       : letter == 'c' ? shape.inputChannels
                                       : shape.outputChannels;
    changed = size;
  }
  if (std::optional<std::string> fault = checkShape(shape)) {
    error = *fault;
    return std::nullopt;
  }
  return problem;
}

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

/// What integers are, and what becomes of them.
static std::string integersToString(const Problem &problem) {
  const Epilogue &epilogue = problem.epilogue;
  std::string signs = problem.inputSigned ? "s8:" : "u8:";
  signs += problem.filterSigned ? "s8" : "u8";
  std::string text = epilogue.resultType
                         ? " --dt=" + signs + ":" +
                               std::string(dataTypeName(*epilogue.resultType))
                         : " --type=i8 --signs=" + signs;
  text += " --zero-points=" + std::to_string(problem.inputZeroPoint) + ":" +
          std::to_string(problem.filterZeroPoint);
  if (std::string scales = scalesToString(epilogue); !scales.empty())
    text += " --attr-scales=" + scales;
  if (epilogue.resultZeroPoint != 0)
    text += " --attr-zero-points=dst:common:" +
            std::to_string(epilogue.resultZeroPoint);
  return text;
}

static std::string flagsToString(const Problem &problem) {
  std::string text = "--dir=";
  text += directionName(problem.direction, problem.bias);
  if (problem.type == ElementType::I8)
    text += integersToString(problem);
  else
    text.append(" --type=").append(elementTypeName(problem.type));
  if (!problem.epilogue.postOps.empty())
    text += " --attr-post-ops=" +
            toString(problem.epilogue.postOps, 2 + problem.shape.spatialRank());
  if (!problem.dynamic.empty())
    text += " --dynamic=" + problem.dynamic;
  const ConvLayouts &layouts = problem.layouts;
  return text + " --input-layout=" + layouts.input.letters() +
         " --filter-layout=" + layouts.filter.letters() +
         " --output-layout=" + layouts.output.letters();
}

/// `prefix` with each spatial letter and its value, as in "kh3kw3".
static std::string spatialToString(const ConvShape &shape, char prefix,
                                   int64_t (*value)(const SpatialDim &dim)) {
  std::string text;
  std::string_view letters = spatialLetters(shape.spatialRank());
  for (size_t i = 0; i < letters.size(); ++i)
    text.append({prefix, letters[i]})
        .append(std::to_string(value(shape.spatial[i])));
  return text;
}

static std::string descriptorToString(const Problem &problem) {
  const ConvShape &shape = problem.shape;
  auto total = [&](Operand operand, const char *letter) {
    return std::to_string(
        shape.shape(operand, Layout::fromLetters(letter)).front());
  };
  auto spatial = [&](char prefix, int64_t (*value)(const SpatialDim &dim)) {
    return spatialToString(shape, prefix, value);
  };
  auto stride = [](const SpatialDim &dim) { return dim.window.stride; };
  auto dilation = [](const SpatialDim &dim) { return dim.window.dilation - 1; };
  auto anyDim = [&](auto property) {
    return std::any_of(shape.spatial.begin(), shape.spatial.end(), property);
  };

  std::string text;
  if (shape.groups != 1)
    text += "g" + std::to_string(shape.groups);
  text += "mb" + std::to_string(shape.batch);
  text += "_ic" + total(Operand::Input, "c") +
          spatial('i', [](const SpatialDim &dim) { return dim.input; });
  text += "_oc" + total(Operand::Output, "f") +
          spatial('o', [](const SpatialDim &dim) { return dim.output; });
  text += "_" + spatial('k', [](const SpatialDim &dim) { return dim.filter; });
  if (anyDim([&](const SpatialDim &dim) { return stride(dim) != 1; }))
    text += "_" + spatial('s', stride);
  text += "_" +
          spatial('p', [](const SpatialDim &dim) { return dim.window.padLow; });
  if (anyDim([&](const SpatialDim &dim) { return dilation(dim) != 0; }))
    text += "_" + spatial('d', dilation);
  if (!problem.name.empty())
    text += "_n\"" + problem.name + "\"";
  return text;
}

std::string convoy::toString(const Problem &problem) {
  return flagsToString(problem) + " " + descriptorToString(problem);
}
