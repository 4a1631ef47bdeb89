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

/// The numbers above 1 in the compiler's remarks on tiles: the steps of its
/// tiles, and so the sizes at which what it does changes.
std::vector<int64_t> getSteps(const std::vector<std::string> &remarks);

/// How many cases were on either side of something that the compiler or its
/// runtime branches on.
struct EdgeCount {
  std::string name;
  int64_t reached = 0, others = 0;
};

/// Counts how many cases were on each side of what the compiler and its runtime
/// branch on.
class EdgeCounts {
public:
  EdgeCounts();

  void add(const CompiledCase &compiled);
  std::vector<EdgeCount> getCounts() const;
  /// A line for each edge: how many cases reached it and how many did not, and
  /// its name.
  std::string toString() const;

private:
  std::vector<int64_t> counts;
  int64_t numCases = 0;
};

} // namespace convoy

#endif // CONVOY_TOOLS_CONVOY_FUZZ_EDGES_H
