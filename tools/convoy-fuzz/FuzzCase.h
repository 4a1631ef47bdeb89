//===- FuzzCase.h - A problem and how it is run -----------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TOOLS_CONVOY_FUZZ_FUZZCASE_H
#define CONVOY_TOOLS_CONVOY_FUZZ_FUZZCASE_H

#include "convoy/Runtime/Generate.h"
#include "convoy/Support/Problem.h"

#include <vector>

namespace convoy {

/// One run of convoy-run.
struct FuzzCase {
  Problem problem;
  std::string target = "cpu";
  /// For the CPU alone: threads of the kernel, whether it takes its filter
  /// packed, LLVM's optimization level, and rows and vectors of register tiles,
  /// or empty.
  int threads = 1;
  bool packedFilters = false;
  int optLevel = 3;
  std::vector<int64_t> tile;
  DataKind data = DataKind::Int;
  uint64_t seed = 0;

  bool operator==(const FuzzCase &other) const = default;
};

/// The command that runs and checks the case, in one line.
std::string toString(const FuzzCase &fuzzCase);

/// The layouts that problems have where their texts name none: `nhwc`, `hwcf`
/// and `nhwf` with the spatial letters of `spatialRank`.
ConvLayouts getUsualLayouts(int spatialRank);

/// Lets output sizes and high padding follow from the other sizes. Whether the
/// problem is one that text has words for.
bool settle(Problem &problem);

/// The part of `fuzzCase` that `target` can take.
FuzzCase forTarget(FuzzCase fuzzCase, const std::string &target);

} // namespace convoy

#endif // CONVOY_TOOLS_CONVOY_FUZZ_FUZZCASE_H
