//===- FuzzCase.h - A problem and how it is run -----------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TOOLS_CONVOY_FUZZ_FUZZCASE_H
#define CONVOY_TOOLS_CONVOY_FUZZ_FUZZCASE_H

#include "convoy/Runtime/Generate.h"
#include "convoy/Support/AnyProblem.h"

#include <array>
#include <optional>
#include <string_view>
#include <vector>

namespace convoy {

/// What is computed: a convolution, or an op around convolutions.
/// Folded ones are im2col and col2im.
enum class FuzzOp { Convolution, Padded, Samples, Deformed, Folded };

/// What --ops= calls them, in their order.
inline constexpr std::array<std::string_view, 5> kFuzzOpNames = {
    "conv", "padded-conv", "grid-sample", "deform-conv", "col2im"};

std::string_view fuzzOpName(FuzzOp op);
std::optional<FuzzOp> parseFuzzOp(std::string_view name);

/// What numbers an argument holds: from `low` to `high`, and no magnitude but
/// zero below `least`.
struct CaseRange {
  std::string argument; ///< its name
  double low, high, least;

  bool operator==(const CaseRange &other) const = default;
};

/// `input=-8:8:0.125`
std::string toString(const CaseRange &range);

/// One run of convoy-run.
struct FuzzCase {
  /// The convolution, or one whose sizes, layouts, type and direction another
  /// op has; it says nothing else then.
  Problem problem;
  FuzzOp op = FuzzOp::Convolution;
  /// Which of an op's modes, types and directions it is; 0 is the simplest.
  int64_t form = 0;
  std::string target = "cpu";
  /// For the CPU alone: threads of the kernel, whether it takes its filter
  /// packed, LLVM's optimization level, and rows and vectors of register tiles,
  /// or empty.
  int threads = 1;
  bool packedFilters = false;
  int optLevel = 3;
  std::vector<int64_t> tile;
  /// What the kernel of a problem with dynamic sizes runs on, one after the
  /// other; empty: the problem's own.
  std::vector<std::vector<int64_t>> sizes;
  std::string precision = "normal"; ///< the policy of --precision
  /// What arguments declare.
  std::vector<CaseRange> ranges;
  std::string algorithm = "direct"; ///< for the CPU alone
  DataKind data = DataKind::Int;
  uint64_t seed = 0;

  bool operator==(const FuzzCase &other) const = default;
};

/// What is computed; nothing where the op has no such sizes or layouts.
std::optional<AnyProblem> getProblem(const FuzzCase &fuzzCase);

/// The command that runs and checks the case, in one line.
std::string toString(const FuzzCase &fuzzCase);

/// The names of the arguments that may declare ranges, factors of sums first.
std::vector<std::string> getArguments(const FuzzCase &fuzzCase);

/// The layouts that problems have where their texts name none: `nhwc`, `hwcf`
/// and `nhwf` with the spatial letters of `spatialRank`.
ConvLayouts getUsualLayouts(int spatialRank);

/// Lets output sizes and high padding follow from the other sizes. Whether the
/// problem is one that text has words for.
bool settle(Problem &problem);

/// The problems that the kernel solves as it runs; none where it cannot run on
/// some of its sizes.
std::vector<Problem> getRuns(const FuzzCase &fuzzCase);

/// Lets the size of dimension `letter` be known when the kernel is compiled.
void makeStatic(FuzzCase &fuzzCase, char letter);

/// The part of `fuzzCase` that `target` can take.
FuzzCase forTarget(FuzzCase fuzzCase, const std::string &target);

} // namespace convoy

#endif // CONVOY_TOOLS_CONVOY_FUZZ_FUZZCASE_H
