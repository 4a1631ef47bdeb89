//===- FuzzCase.cpp - A problem and how it is run ---------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FuzzCase.h"

#include <algorithm>
#include <charconv>
#include <cstddef>

using namespace convoy;

/// The shortest text that stands for `number`.
static std::string toText(double number) {
  char text[32];
  return {text, std::to_chars(text, std::end(text), number).ptr};
}

std::string convoy::toString(const CaseRange &range) {
  return range.argument + "=" + toText(range.low) + ":" + toText(range.high) +
         ":" + toText(range.least);
}

/// The arguments of a convolution that its sums are made of.
static std::vector<std::string> getSummedArguments(const Problem &problem) {
  switch (problem.direction) {
  case Direction::BackwardData:
    return {"output_gradient", "filter"};
  case Direction::BackwardFilter:
    return {"input", "output_gradient"};
  case Direction::Forward:
    break;
  }
  std::vector<std::string> names = {"input", "filter"};
  if (problem.bias)
    names.push_back("bias");
  return names;
}

static std::vector<std::string> getArguments(const SampleProblem &samples) {
  switch (samples.direction) {
  case Direction::Forward:
    return {"input", "grid"};
  case Direction::BackwardData:
    return {"output_gradient", "grid"};
  case Direction::BackwardFilter:
    return {"output_gradient", "input", "grid"};
  }
  return {};
}

static std::vector<std::string> getArguments(const DeformProblem &deformed) {
  Problem plain = deformed.conv;
  bool isForward = deformed.direction == DeformDirection::Forward;
  if (!isForward)
    plain.direction = deformed.direction == DeformDirection::Input
                          ? Direction::BackwardData
                          : Direction::BackwardFilter;
  std::vector<std::string> names = getSummedArguments(plain);
  bool isOfTaps = deformed.direction == DeformDirection::Offset ||
                  deformed.direction == DeformDirection::Mask;
  if (isOfTaps)
    names.emplace_back("filter");
  names.emplace_back("offset");
  if (deformed.hasMask && deformed.direction != DeformDirection::Mask)
    names.emplace_back("mask");
  return names;
}

std::vector<std::string> convoy::getArguments(const FuzzCase &fuzzCase) {
  std::optional<AnyProblem> problem = getProblem(fuzzCase);
  if (!problem || std::holds_alternative<FoldProblem>(*problem))
    return {"input"};
  if (const auto *samples = std::get_if<SampleProblem>(&*problem))
    return ::getArguments(*samples);
  if (const auto *deformed = std::get_if<DeformProblem>(&*problem))
    return ::getArguments(*deformed);
  return getSummedArguments(fuzzCase.problem);
}

std::string convoy::toString(const FuzzCase &fuzzCase) {
  std::string line = "convoy-run --target=" + fuzzCase.target;
  if (fuzzCase.threads != 1)
    line += " --threads=" + std::to_string(fuzzCase.threads);
  if (fuzzCase.packedFilters)
    line += " --filter=packed";
  if (fuzzCase.optLevel != 3)
    line += " -O" + std::to_string(fuzzCase.optLevel);
  if (!fuzzCase.tile.empty())
    line += " --tile=" + std::to_string(fuzzCase.tile[0]) + "x" +
            std::to_string(fuzzCase.tile[1]);
  if (fuzzCase.precision != "normal")
    line += " --precision=" + fuzzCase.precision;
  for (const CaseRange &range : fuzzCase.ranges)
    line += " --range=" + toString(range);
  if (fuzzCase.algorithm != "direct")
    line += " --algorithm=" + fuzzCase.algorithm;
  line += " --check --Werror=suspicious --data=";
  line += dataKindName(fuzzCase.data);
  if (fuzzCase.seed != 0)
    line += " --seed=" + std::to_string(fuzzCase.seed);
  for (const std::vector<int64_t> &sizes : fuzzCase.sizes)
    for (size_t i = 0; i < sizes.size(); ++i)
      line += (i == 0 ? " --sizes=" : ",") + std::to_string(sizes[i]);
  std::optional<AnyProblem> problem = getProblem(fuzzCase);
  return line + " " + (problem ? toString(*problem) : "");
}

ConvLayouts convoy::getUsualLayouts(int spatialRank) {
  std::string letters(spatialLetters(spatialRank));
  return {Layout::fromLetters("n" + letters + "c"),
          Layout::fromLetters(letters + "cf"),
          Layout::fromLetters("n" + letters + "f")};
}

bool convoy::settle(Problem &problem) {
  for (SpatialDim &dim : problem.shape.spatial) {
    if (dim.input < 0 || dim.filter < 1)
      return false;
    dim.output = outputSize(dim.input, dim.filter, dim.window);
    dim.window.padHigh =
        padHighFor(dim.input, dim.filter, dim.output, dim.window);
  }
  if (checkShape(problem.shape))
    return false;
  std::string error;
  std::optional<std::vector<Problem>> parsed =
      parseProblems(toString(problem), {}, error);
  return parsed && parsed->size() == 1 && parsed->front() == problem;
}

std::vector<Problem> convoy::getRuns(const FuzzCase &fuzzCase) {
  if (fuzzCase.sizes.empty())
    return {fuzzCase.problem};
  std::vector<Problem> runs;
  for (const std::vector<int64_t> &sizes : fuzzCase.sizes) {
    std::string error;
    std::optional<Problem> run = withSizes(fuzzCase.problem, sizes, error);
    if (!run)
      return {};
    runs.push_back(std::move(*run));
  }
  return runs;
}

void convoy::makeStatic(FuzzCase &fuzzCase, char letter) {
  std::string &letters = fuzzCase.problem.dynamic;
  size_t place = letters.find(letter);
  if (place == std::string::npos)
    return;
  letters.erase(place, 1);
  std::vector<std::vector<int64_t>> kept;
  for (std::vector<int64_t> &sizes : fuzzCase.sizes) {
    sizes.erase(sizes.begin() + static_cast<std::ptrdiff_t>(place));
    bool isKnown = std::find(kept.begin(), kept.end(), sizes) != kept.end();
    if (!sizes.empty() && !isKnown)
      kept.push_back(std::move(sizes));
  }
  fuzzCase.sizes = std::move(kept);
}

/// Whether kernels call a function for it, rather than add, choose and round.
static bool callsFunction(const PostOp &postOp) {
  switch (postOp.kind) {
  case PostOp::Kind::Elu:
  case PostOp::Kind::Exp:
  case PostOp::Kind::GeluErf:
  case PostOp::Kind::GeluTanh:
  case PostOp::Kind::Log:
  case PostOp::Kind::Logistic:
  case PostOp::Kind::Mish:
  case PostOp::Kind::SoftRelu:
  case PostOp::Kind::Swish:
  case PostOp::Kind::Tanh:
    return true;
  default:
    return false;
  }
}

FuzzCase convoy::forTarget(FuzzCase fuzzCase, const std::string &target) {
  fuzzCase.target = target;
  if (target == "cpu")
    return fuzzCase;
  fuzzCase.threads = 1;
  if (target.starts_with("qemu"))
    return fuzzCase;
  fuzzCase.packedFilters = false;
  fuzzCase.optLevel = 3;
  fuzzCase.tile.clear();
  fuzzCase.algorithm = "direct";
  // SPIR-V has no functions of f64.
  if (target.starts_with("vulkan") && fuzzCase.problem.type == ElementType::F64)
    std::erase_if(fuzzCase.problem.epilogue.postOps, callsFunction);
  // GPUs take batches of any size alone.
  for (char letter : {'g', 'c', 'f', 'd', 'h', 'w'})
    makeStatic(fuzzCase, letter);
  return fuzzCase;
}
