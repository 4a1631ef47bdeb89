//===- SweepSpace.h - The problems of a sweep  -*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Plain C++: which problems a sweep tries.
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TEST_SWEEP_SWEEPSPACE_H
#define CONVOY_TEST_SWEEP_SWEEPSPACE_H

#include "CoveringArray.h"
#include "Requantization.h"

#include <array>
#include <optional>
#include <string_view>

namespace convoy {

/// The windows that one spatial dimension may have.
struct WindowChoices {
  std::vector<int64_t> strides, dilations, padLows, padHighs;
};

/// A set of small problems: the cross of these choices. Sizes are no choice but
/// change from row to row; those of one problem differ from each other, and few
/// are multiples of a vector.
struct SweepSpace {
  std::array<std::vector<std::string>, 3> layouts; ///< indexed by Operand
  std::vector<Direction> directions;
  std::vector<int64_t> groups;
  std::vector<WindowChoices> windows; ///< of each spatial dimension
  /// Chains of post-ops, of which gradients of filters have none; without any,
  /// they are no parameter.
  std::vector<std::string> postOps;
  /// Types of elements; without any, all is f32 and they are no parameter.
  std::vector<ElementType> types;
  /// What becomes of bytes; without any, it is no parameter.
  std::vector<Requantization> requantizations;
  /// The sizes to choose of: small ones, those of several tiles of Winograd's
  /// algorithm, or enough channels and pixels for matrix instructions.
  enum class Sizes { Small, Tiles, Large } sizes = Sizes::Small;

  /// The space `name`: `1d`, `2d`, `3d`, every layout without `g` and every
  /// window; `g`, 1-D with every layout, with `g` and without; `layouts2d`,
  /// every layout and direction with one window. Nothing for another name.
  static std::optional<SweepSpace> create(std::string_view name);
  /// Adds epilogues of which integers are exact.
  void addPostOps();
  /// Keeps the problems that Winograd's algorithm can compute, and makes sizes
  /// those of several tiles, whole ones and not.
  void keepWinograd();
  /// Makes all problems ones of bytes, with these epilogues and zero points.
  void addRequantizations(bool areFiltersPacked);
  /// Adds the types that matrix instructions multiply, and makes sizes large.
  void addMatrices();

  /// The number of choices for each parameter: the three layouts, direction,
  /// groups, then stride, dilation, low and high padding of each dimension, the
  /// post-ops, the types and what becomes of bytes.
  std::vector<int> counts() const;
  /// The number of problems in the space.
  int64_t size() const;
  /// The row with the number `number`, which is below `size()`.
  SweepRow row(int64_t number) const;
  /// The problem of a row that has one number for each of `counts()`.
  Problem problem(const SweepRow &row) const;
};

/// Which rows of a space a sweep tries.
struct SweepSelection {
  /// Cover every combination of this many parameters; 0: take every row.
  int strength = 0;
  /// The number of rows, drawn by the seed from those that `strength` asks
  /// for; 0: all of them.
  int64_t count = 0;
  uint64_t seed = 0;
  /// Part `shard` of `shards` parts.
  int64_t shard = 0, shards = 1;
};

/// The rows of a selection, computed when asked for: all rows of a large space
/// need not be in memory.
class SweepRows {
public:
  SweepRows(const SweepSpace &space, const SweepSelection &selection);

  int64_t size() const;
  SweepRow operator[](int64_t number) const;

private:
  const SweepSpace &space;
  SweepSelection selection;
  std::vector<SweepRow> covering; ///< empty where every row is taken
  int64_t total;
  int64_t step; ///< walks through all rows in an order that mixes them
};

} // namespace convoy

#endif // CONVOY_TEST_SWEEP_SWEEPSPACE_H
