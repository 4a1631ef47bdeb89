//===- ProblemKind.cpp - Lines of problems besides convolutions -----------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProblemKind.h"

#include <algorithm>
#include <iterator>

using namespace convoy;
using namespace convoy::detail;

bool ProblemKind::isOf(std::string_view line) const {
  Words words = splitWords(line);
  return std::find(words.begin(), words.end(), driver) != words.end();
}

bool ProblemKind::readLine(
    std::string_view line, ProblemDefaults &flags, std::string &descriptor,
    const std::function<FlagStatus(std::string_view word)> &readFlag,
    std::string &error) const {
  for (std::string_view word : splitWords(line)) {
    if (word == driver)
      continue;
    FlagStatus status = parseProblemFlag(word, flags, error);
    if (status == FlagStatus::NotAFlag)
      status = readFlag(word);
    if (status == FlagStatus::Rejected)
      return false;
    if (status != FlagStatus::NotAFlag)
      continue;
    if (word.starts_with('-'))
      return fail(error, "expected a flag of " + std::string(name) +
                             " such as " + std::string(someFlags) +
                             ", but got " + quoted(word));
    if (!descriptor.empty())
      return fail(error, "expected one descriptor on a line, but got " +
                             quoted(descriptor) + " and " + quoted(word));
    descriptor = word;
  }
  return !descriptor.empty() ||
         fail(error, "expected a problem such as " + quoted(someProblem) +
                         ", but got none");
}

bool ProblemKind::refuse(std::string_view flag, std::string &error) const {
  return fail(error, quoted(flag) + " is for convolutions, not for " +
                         std::string(name));
}

std::string_view detail::findDriver(std::string_view line) {
  constexpr std::string_view Drivers[] = {"--grid-sample", "--col2im",
                                          "--im2col", "--deform-conv"};
  Words words = splitWords(line);
  auto driver = std::find_first_of(words.begin(), words.end(),
                                   std::begin(Drivers), std::end(Drivers));
  // Samples have padding modes, too.
  if (driver == words.end())
    driver =
        std::find_if(words.begin(), words.end(), [](std::string_view word) {
          return word.starts_with("--padding-mode=");
        });
  return driver == words.end() ? std::string_view() : *driver;
}

std::string_view detail::findConvolutionFlag(const ProblemDefaults &flags) {
  bool isForward =
      !flags.directions || *flags.directions == std::vector{Direction::Forward};
  bool isMixed = flags.resultType && flags.type != ElementType::I8;
  bool isOfTaps = flags.offsetGradient || flags.maskGradient;
  return !isForward || flags.bias || isOfTaps             ? "--dir"
         : flags.dynamic                                  ? "--dynamic"
         : isMixed                                        ? "--dt"
         : flags.inputSigned                              ? "--signs"
         : flags.inputZeroPoint                           ? "--zero-points"
         : flags.postOps                                  ? "--attr-post-ops"
         : flags.scales                                   ? "--attr-scales"
         : flags.filterZeroPoint || flags.resultZeroPoint ? "--attr-zero-points"
         : !flags.filterLayout.empty()                    ? "--filter-layout"
                                                          : "";
}

bool detail::checkSampledType(std::string_view what, ElementType type,
                              std::string_view name, std::string &error) {
  return (type != ElementType::F64 && type != ElementType::I8) ||
         fail(error, expectation("f32, f16 or bf16", what, name));
}

bool detail::checkElements(const std::vector<std::vector<int64_t>> &shapes,
                           std::string &error) {
  constexpr double MostElements = 0x1p60;
  for (const std::vector<int64_t> &shape : shapes) {
    double count = 1;
    for (int64_t size : shape)
      count *= static_cast<double>(size);
    if (count > MostElements)
      return fail(error, "expected tensors of at most 2^60 elements");
  }
  return true;
}
