//===- AnyProblem.cpp - Problems of all kinds -----------------------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Support/AnyProblem.h"

#include "ProblemParsing.h"

#include <algorithm>

using namespace convoy;
using namespace convoy::detail;

/// The only problem of a line, or nothing.
template <typename ProblemT>
static std::optional<std::vector<AnyProblem>>
makeList(std::optional<ProblemT> problem) {
  if (!problem)
    return std::nullopt;
  std::vector<AnyProblem> all;
  all.emplace_back(std::move(*problem));
  return all;
}

/// `problems` as problems of any kind.
template <typename ProblemT>
static std::optional<std::vector<AnyProblem>>
widen(std::optional<std::vector<ProblemT>> problems) {
  if (!problems)
    return std::nullopt;
  return std::vector<AnyProblem>(problems->begin(), problems->end());
}

std::optional<std::vector<AnyProblem>>
convoy::parseAnyProblems(std::string_view line, const ProblemDefaults &defaults,
                         std::string &error) {
  if (isSampleProblem(line))
    return widen(parseSampleProblems(line, defaults, error));
  if (isFoldProblem(line))
    return makeList(parseFoldProblem(line, defaults, error));
  if (isDeformProblem(line))
    return widen(parseDeformProblems(line, defaults, error));
  if (isCausalProblem(line))
    return widen(parseCausalProblems(line, defaults, error));
  if (!findPaddingMode(line).empty())
    return widen(parsePaddedProblems(line, defaults, error));
  return widen(parseProblems(line, defaults, error));
}

std::optional<std::vector<AnyProblem>>
convoy::parseAnyProblemFile(std::string_view text,
                            const ProblemDefaults &defaults,
                            std::string &error) {
  return parseLines(text, defaults, error, parseAnyProblems);
}

/// The type of the elements of `problem`.
static ElementType getType(const AnyProblem &problem) {
  return std::visit(
      [](const auto &one) {
        if constexpr (requires { one.conv; })
          return one.conv.type;
        else
          return one.type;
      },
      problem);
}

bool convoy::checkDefaults(const ProblemDefaults &defaults,
                           const std::vector<AnyProblem> &problems,
                           std::string &error) {
  return std::ranges::any_of(problems,
                             [](const AnyProblem &problem) {
                               return getType(problem) == ElementType::I8;
                             }) ||
         checkNoIntegerFlags(defaults, getType(problems.front()), error);
}

const std::string &convoy::layerName(const AnyProblem &problem) {
  return std::visit(
      [](const auto &one) -> const std::string & { return one.name; }, problem);
}

std::string convoy::toString(const AnyProblem &problem) {
  return std::visit([](const auto &one) { return toString(one); }, problem);
}
