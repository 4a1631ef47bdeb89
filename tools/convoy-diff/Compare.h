//===- Compare.h - Where two sides part -------------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TOOLS_CONVOY_DIFF_COMPARE_H
#define CONVOY_TOOLS_CONVOY_DIFF_COMPARE_H

#include "Side.h"

#include "convoy/Runtime/CompareReport.h"

#include <array>

namespace mlir::convoy {

/// What was found of one layer. With a and b what the sides compute, x and y
/// what these computed before, the sides differ by b(y) - a(x).
struct LayerDiff {
  std::string name;
  /// The traces that cut it out: of the layers whose values it takes, and its
  /// own, unless it is a result without one.
  std::vector<std::string> traces;
  /// Largest differences of an element: b(y) - a(y), of the same inputs; a(y) -
  /// a(x), of the same side; and both together.
  double introduced = 0, inherited = 0, total = 0;
  /// By side: the layer alone, a(y) and b(y), beside what the first file's
  /// means for these inputs.
  std::array<::convoy::CompareReport, 2> alone;
  /// By side: a(x) and b(y) beside what the first file's function means, the
  /// errors of all layers before allowed.
  std::array<::convoy::CompareReport, 2> whole;
  std::array<std::vector<std::string>, 2> faults; ///< other than wrong numbers

  /// Whether what `side` computes is outside the bound that holds from the
  /// arguments on.
  bool isOutside(unsigned side) const { return !isRight(whole[side]); }
  /// Whether its inputs do not explain what `side` computes.
  bool isUnexplained(unsigned side) const {
    return !isRight(alone[side]) || !faults[side].empty();
  }
  /// Whether the layer alone is further off than rounding makes it on drawn
  /// data, though within its bound.
  bool isSuspicious(unsigned side) const {
    return isRight(alone[side]) && alone[side].suspicious > 0;
  }

private:
  /// Of what has no bound nothing is known.
  static bool isRight(const ::convoy::CompareReport &report) {
    return report.wrong == 0;
  }
};

/// What the first file's function means, by side: they may sum in other types.
using Meanings = std::array<const Source *, 2>;

/// Runs all layers of both sides, `arguments` being those of the functions, and
/// compares; with `survey` the reports of layers alone have a survey. Where the
/// arguments are drawn, with random signs, it is known of layers what is
/// suspicious. On failure returns nothing and says why in `failure`.
std::optional<std::vector<LayerDiff>>
compareLayers(const Meanings &meanings, const Side &first, const Side &second,
              const std::vector<::convoy::HostArray> &arguments, bool areDrawn,
              bool survey, Failure &failure);

/// Why the layers of two sides cannot be compared, as one sentence, or nothing.
std::optional<std::string> checkSameLayers(const Side &first,
                                           const Side &second);

} // namespace mlir::convoy

#endif // CONVOY_TOOLS_CONVOY_DIFF_COMPARE_H
