//===- PaddedProblem.h - A padded convolution as one line -------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A problem in a word of our own beside those of a convolution. See
// docs/Problems.md.
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_SUPPORT_PADDEDPROBLEM_H
#define CONVOY_SUPPORT_PADDEDPROBLEM_H

#include "convoy/Support/Problem.h"

namespace convoy {

/// Which of its own elements a tensor is padded with.
enum class PaddingMode { Reflect, Replicate, Circular };

/// A convolution whose input is padded with its own elements.
struct PaddedProblem {
  /// Any direction, without a name. Its window's padding is what is padded so;
  /// where that is negative, it crops as in any convolution.
  Problem conv;
  PaddingMode mode = PaddingMode::Reflect;
  std::string name; ///< of the layer; may be empty

  bool operator==(const PaddedProblem &other) const = default;
};

/// The word of `line` that says how it is padded, `--padding-mode=`, if it is a
/// convolution's.
std::string_view findPaddingMode(std::string_view line);

/// Parses a line with `--padding-mode=reflect`, `replicate` or `circular`. On
/// failure returns nothing and puts one sentence into `error`.
std::optional<std::vector<PaddedProblem>>
parsePaddedProblems(std::string_view line, const ProblemDefaults &defaults,
                    std::string &error);

/// Whether `line` has `--padding-mode=causal`.
bool isCausalProblem(std::string_view line);

/// Parses such a line: a convolution that is padded with zeros, in front alone,
/// so that no output position sees input behind its own.
std::optional<std::vector<Problem>>
parseCausalProblems(std::string_view line, const ProblemDefaults &defaults,
                    std::string &error);

/// The problem as one line, which parses back to an equal problem whatever
/// defaults hold but those of --mb and the attributes.
std::string toString(const PaddedProblem &problem);

} // namespace convoy

#endif // CONVOY_SUPPORT_PADDEDPROBLEM_H
