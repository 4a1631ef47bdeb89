//===- FuzzOp.cpp - Problems of ops around convolutions ---------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FuzzCase.h"

#include <algorithm>
#include <array>

using namespace convoy;

namespace {
/// The choices that a number stands for.
class Choices {
public:
  explicit Choices(int64_t form) : form(form) {}

  int64_t take(int64_t count) {
    int64_t choice = form % count;
    form /= count;
    return choice;
  }
  template <typename T, size_t count>
  T take(const std::array<T, count> &choices) {
    return choices[static_cast<size_t>(take(int64_t(count)))];
  }

private:
  int64_t form;
};
} // namespace

static constexpr std::array kFloatTypes = {ElementType::F32, ElementType::F16,
                                           ElementType::BF16};

static bool isAmongFloatTypes(ElementType type) {
  return std::ranges::find(kFloatTypes, type) != kFloatTypes.end();
}

/// `layout` without groups, and with `name` for the dimension `old`.
static Layout getTensorLayout(const Layout &layout, char old, char name) {
  std::string letters(layout.letters());
  std::erase(letters, 'g');
  std::ranges::replace(letters, old, name);
  return Layout::fromLetters(letters);
}

static std::optional<AnyProblem> getPadded(const FuzzCase &fuzzCase) {
  Choices choices(fuzzCase.form);
  PaddedProblem padded;
  padded.conv = fuzzCase.problem;
  padded.mode = choices.take(std::array{
      PaddingMode::Reflect, PaddingMode::Replicate, PaddingMode::Circular});
  return padded;
}

static std::optional<AnyProblem> getSamples(const FuzzCase &fuzzCase) {
  const Problem &problem = fuzzCase.problem;
  if (!isAmongFloatTypes(problem.type) || problem.shape.spatialRank() < 2)
    return std::nullopt;
  Choices choices(fuzzCase.form);
  SampleProblem samples;
  samples.direction = problem.direction;
  samples.mode = choices.take(
      std::array{SampleMode::Linear, SampleMode::Nearest, SampleMode::Cubic});
  samples.padding = choices.take(std::array{
      SamplePadding::Zeros, SamplePadding::Border, SamplePadding::Reflection});
  samples.alignCorners = choices.take(2) != 0;
  samples.gridType = choices.take(kFloatTypes);
  samples.type = problem.type;
  samples.batch = problem.shape.batch;
  samples.channels = problem.shape.inputChannels;
  for (const SpatialDim &dim : problem.shape.spatial) {
    samples.image.push_back(dim.input);
    samples.samples.push_back(dim.output);
  }
  samples.imageLayout = getTensorLayout(problem.layouts.input, 'c', 'c');
  // A grid has images in the place of output channels.
  samples.gridLayout = getTensorLayout(problem.layouts.filter, 'f', 'n');
  samples.sampleLayout = getTensorLayout(problem.layouts.output, 'f', 'c');
  return samples;
}

static std::optional<AnyProblem> getDeformed(const FuzzCase &fuzzCase) {
  const Problem &problem = fuzzCase.problem;
  if (!isAmongFloatTypes(problem.type) || problem.shape.spatialRank() != 2)
    return std::nullopt;
  Choices choices(fuzzCase.form);
  DeformProblem deformed;
  deformed.conv = problem;
  deformed.conv.direction = Direction::Forward;
  if (problem.direction == Direction::BackwardData)
    deformed.direction = DeformDirection::Input;
  else if (problem.direction == Direction::BackwardFilter)
    deformed.direction = choices.take(std::array{DeformDirection::Filter,
                                                 DeformDirection::Offset,
                                                 DeformDirection::Mask});
  deformed.hasMask =
      choices.take(2) != 0 || deformed.direction == DeformDirection::Mask;
  deformed.offsetType = choices.take(kFloatTypes);
  deformed.offsetLayout = Layout::fromLetters(
      choices.take(std::array{"nchw", "nhwc", "hwnc", "cwhn"}));
  int64_t channels = problem.shape.groups * problem.shape.inputChannels;
  int64_t groups = choices.take(4) + 1;
  deformed.offsetGroups = channels % groups == 0 ? groups : 1;
  return deformed;
}

static std::optional<AnyProblem> getFolded(const FuzzCase &fuzzCase) {
  const Problem &problem = fuzzCase.problem;
  Choices choices(fuzzCase.form);
  FoldProblem folded;
  folded.isUnfold = choices.take(2) != 0;
  folded.type = problem.type;
  folded.shape = problem.shape;
  folded.shape.groups = folded.shape.outputChannels = 1;
  folded.imageLayout = getTensorLayout(problem.layouts.input, 'c', 'c');
  for (char letter : problem.layouts.output.letters())
    if (letter != 'f' && letter != 'g')
      folded.rowsLayout.positions += letter;
  for (char letter : problem.layouts.filter.letters())
    if (letter != 'f' && letter != 'g')
      folded.rowsLayout.window += letter;
  // The windows of positions more often than in another order.
  int64_t count = folded.rowsLayout.positions.size();
  folded.rowsLayout.windowDim = std::min(choices.take(2 * count), count);
  return folded;
}

/// Whether text has words for it.
static bool isProblem(const AnyProblem &problem) {
  std::string error;
  std::optional<std::vector<AnyProblem>> parsed =
      parseAnyProblems(toString(problem), {}, error);
  return parsed && parsed->size() == 1 && parsed->front() == problem;
}

std::optional<AnyProblem> convoy::getProblem(const FuzzCase &fuzzCase) {
  std::optional<AnyProblem> problem;
  switch (fuzzCase.op) {
  case FuzzOp::Convolution:
    return fuzzCase.problem;
  case FuzzOp::Padded:
    problem = getPadded(fuzzCase);
    break;
  case FuzzOp::Samples:
    problem = getSamples(fuzzCase);
    break;
  case FuzzOp::Deformed:
    problem = getDeformed(fuzzCase);
    break;
  case FuzzOp::Folded:
    problem = getFolded(fuzzCase);
    break;
  }
  return problem && isProblem(*problem) ? problem : std::nullopt;
}

std::string_view convoy::fuzzOpName(FuzzOp op) {
  return kFuzzOpNames[static_cast<size_t>(op)];
}

std::optional<FuzzOp> convoy::parseFuzzOp(std::string_view name) {
  const auto *found = std::ranges::find(kFuzzOpNames, name);
  if (found == kFuzzOpNames.end())
    return std::nullopt;
  return FuzzOp(found - kFuzzOpNames.begin());
}
