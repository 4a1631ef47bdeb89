//===- Edges.h - What a run has reached -------------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TOOLS_CONVOY_FUZZ_EDGES_H
#define CONVOY_TOOLS_CONVOY_FUZZ_EDGES_H

#include "FuzzCase.h"

#include <string>
#include <utility>
#include <vector>

namespace convoy {

/// What the compiler did with a case.
struct CompiledCase {
  FuzzCase fuzzCase;
  /// What `--explain` prints of it, a remark each.
  std::vector<std::string> remarks;
};

/// The numbers above 1 in the compiler's remarks: the steps of its tiles, and
/// so the sizes at which what it does changes.
std::vector<int64_t> getSteps(const std::vector<std::string> &remarks);

/// Counts how many cases were on each side of what the compiler and its runtime
/// branch on.
class EdgeCounts {
public:
  EdgeCounts();

  void add(const CompiledCase &compiled);
  /// How many cases reached each edge, by its name.
  std::vector<std::pair<std::string, int64_t>> getCounts() const;
  /// A line for each edge: how many cases reached it, and its name.
  std::string toString() const;

private:
  std::vector<int64_t> counts;
};

} // namespace convoy

#endif // CONVOY_TOOLS_CONVOY_FUZZ_EDGES_H
