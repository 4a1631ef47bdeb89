//===- FoldProblem.cpp - Windows of an image as one line ------------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Support/FoldProblem.h"

#include "ProblemKind.h"

#include <algorithm>

using namespace convoy;
using namespace convoy::detail;

static constexpr std::string_view SomeFlags =
    "--image-layout=nchw or --rows-layout=nhw|chw";
static constexpr std::string_view SomeProblem = "mb1_ic3ih9iw7_kh3kw2";
static constexpr ProblemKind Fold = {"--col2im", "col2im", SomeFlags,
                                     SomeProblem};
static constexpr ProblemKind Unfold = {"--im2col", "im2col", SomeFlags,
                                       SomeProblem};

static const ProblemKind &getKind(bool isUnfold) {
  return isUnfold ? Unfold : Fold;
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

std::vector<int64_t> FoldProblem::imageShape() const {
  std::vector<int64_t> sizes;
  for (char letter : imageLayout.letters())
    sizes.push_back(shape.size(Operand::Input, letter));
  return sizes;
}

std::vector<int64_t> FoldProblem::rowsShape() const {
  std::vector<int64_t> sizes;
  for (char letter : rowsLayout.outer())
    sizes.push_back(shape.size(Operand::Output, letter));
  for (char letter : rowsLayout.window)
    sizes.push_back(shape.size(Operand::Filter, letter));
  for (char letter : rowsLayout.inner())
    sizes.push_back(shape.size(Operand::Output, letter));
  return sizes;
}

//===----------------------------------------------------------------------===//
// Words
//===----------------------------------------------------------------------===//

namespace {
/// What a line says, before defaults apply.
struct FoldLine {
  ProblemDefaults flags;
  std::string imageLayout, rowsLayout;
  std::string descriptor;
};
} // namespace

static FlagStatus readFlag(std::string_view word, FoldLine &line) {
  constexpr std::string_view Image = "--image-layout=", Rows = "--rows-layout=";
  if (word.starts_with(Image))
    line.imageLayout = word.substr(Image.size());
  else if (word.starts_with(Rows))
    line.rowsLayout = word.substr(Rows.size());
  else
    return FlagStatus::NotAFlag;
  return FlagStatus::Accepted;
}

/// Checks that no flag is given that is for convolutions alone.
static bool checkFlags(const ProblemKind &kind, const ProblemDefaults &flags,
                       std::string &error) {
  std::string_view given = findConvolutionFlag(flags);
  if (given.empty() && !flags.inputLayout.empty())
    given = "--input-layout";
  if (given.empty() && !flags.outputLayout.empty())
    given = "--output-layout";
  return given.empty() || kind.refuse(given, error);
}

//===----------------------------------------------------------------------===//
// From words to a problem
//===----------------------------------------------------------------------===//

// What a convolution has besides.
static constexpr std::string_view OutputChannels = "oc1";

/// Checks that `descriptor` has no field that only convolutions have.
static bool checkFields(const ProblemKind &kind, const std::string &descriptor,
                        std::string &error) {
  // No other field has these letters, nor the n that a name begins with.
  std::string fields = descriptor.substr(0, descriptor.find('n'));
  for (const char *field : {"g", "oc"})
    if (fields.find(field) != fields.npos)
      return fail(error, std::string("expected no '") + field +
                             "' in descriptor '" + descriptor + "' of " +
                             std::string(kind.name));
  return true;
}

/// Reads the sizes as those of a convolution with one output channel.
static bool readShape(const FoldLine &line, const ProblemDefaults &defaults,
                      FoldProblem &problem, std::string &error) {
  if (!checkFields(getKind(problem.isUnfold), line.descriptor, error))
    return false;
  ProblemDefaults flags;
  flags.batch = line.flags.batch ? line.flags.batch : defaults.batch;
  std::string prefix = std::string(OutputChannels) + "_";
  std::string descriptor = prefix + line.descriptor;
  auto problems = parseProblems(descriptor, flags, error);
  if (!problems) {
    // The user did not write it.
    if (size_t at = error.find(descriptor); at != error.npos)
      error.erase(at, prefix.size());
    return false;
  }
  problem.shape = problems->front().shape;
  problem.name = problems->front().name;
  return true;
}

/// Whether `word` has the letters `expected`, in any order.
static bool hasLetters(std::string_view word, std::string_view expected) {
  return std::is_permutation(word.begin(), word.end(), expected.begin(),
                             expected.end());
}

static bool readLayouts(const FoldLine &line, FoldProblem &problem,
                        std::string &error) {
  std::string spatial(spatialLetters(problem.shape.spatialRank()));
  std::string image = line.imageLayout, rows = line.rowsLayout;
  if (image.empty())
    image = "n" + spatial + "c";
  if (rows.empty())
    rows = "n" + spatial + "|" + spatial + "c";
  if (!hasLetters(image, "n" + spatial + "c"))
    return fail(error, expectation("the letters n" + spatial + "c",
                                   "'--image-layout'", image));
  problem.imageLayout = Layout::fromLetters(image);
  std::optional<RowsLayout> layout = RowsLayout::parse(rows);
  if (!layout || !hasLetters(layout->positions, "n" + spatial) ||
      !hasLetters(layout->window, spatial + "c"))
    return fail(error, expectation("the letters n" + spatial + "|" + spatial +
                                       "c, those on each side in any order, or "
                                       "n|c" +
                                       spatial + "|" + spatial + ",",
                                   "'--rows-layout'", rows));
  problem.rowsLayout = std::move(*layout);
  return true;
}

bool convoy::isFoldProblem(std::string_view line) {
  return Fold.isOf(line) || Unfold.isOf(line);
}

std::optional<FoldProblem>
convoy::parseFoldProblem(std::string_view text, const ProblemDefaults &defaults,
                         std::string &error) {
  FoldLine line;
  FoldProblem problem;
  problem.isUnfold = Unfold.isOf(text);
  const ProblemKind &kind = getKind(problem.isUnfold);
  auto readOwn = [&](std::string_view word) { return readFlag(word, line); };
  if (!kind.readLine(text, line.flags, line.descriptor, readOwn, error) ||
      !checkFlags(kind, line.flags, error) ||
      !checkFlags(kind, defaults, error) ||
      !readShape(line, defaults, problem, error) ||
      !readLayouts(line, problem, error) ||
      !checkElements({problem.rowsShape()}, error))
    return std::nullopt;
  problem.type =
      line.flags.type.value_or(defaults.type.value_or(ElementType::F32));
  return problem;
}

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

std::string convoy::toString(const FoldProblem &problem) {
  Problem conv;
  conv.shape = problem.shape;
  std::string spatial(spatialLetters(problem.shape.spatialRank()));
  conv.layouts = {Layout::fromLetters("n" + spatial + "c"),
                  Layout::fromLetters(spatial + "cf"),
                  Layout::fromLetters("n" + spatial + "f")};
  std::string text = toString(conv);
  std::string descriptor = text.substr(text.rfind(' ') + 1);
  descriptor.erase(descriptor.find(OutputChannels), OutputChannels.size());
  text = std::string(getKind(problem.isUnfold).driver);
  text.append(" --type=").append(elementTypeName(problem.type));
  text += " --image-layout=" + problem.imageLayout.letters() +
          " --rows-layout=" + problem.rowsLayout.toString() + " " + descriptor;
  if (!problem.name.empty())
    text += "_n\"" + problem.name + "\"";
  return text;
}
