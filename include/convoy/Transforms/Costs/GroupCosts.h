//===- GroupCosts.h - How groups are taken ----------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TRANSFORMS_COSTS_GROUPCOSTS_H
#define CONVOY_TRANSFORMS_COSTS_GROUPCOSTS_H

#include "convoy/Dialect/Convoy/IR/Convoy.h"

namespace mlir::convoy {

/// How the groups of one convolution are taken.
struct GroupPlan {
  int64_t size; ///< how many at a time
  /// Whether what has other dimensions inside its groups is copied, so that
  /// groups lie side by side.
  bool transposed;
};

/// The cost model for one convolution with groups and static sizes.
class GroupCosts {
public:
  GroupCosts(ConvolutionOpInterface op, TargetAttr target);

  /// How to take groups; nothing if all at once, as they lie, is as good.
  std::optional<GroupPlan> getPlan();

private:
  /// Elements that a group reads and writes where it is copied: those of all
  /// operands and of their copies.
  int64_t countTouched();
  /// Cycles for a vector of multiply-adds along the groups, copies included.
  double getTransposedCycles();
  /// The same along the best other dimension of the result.
  double getInPlaceCycles();
  /// The same along the dimension `letter`, the last in the result or not.
  double getInPlaceCycles(char letter, bool isLast);
  /// The same along taps that are summed over, if they lie side by side.
  double getSummedCycles();
  /// How much of their vectors `size` lanes fill, a rest being taken by vectors
  /// of powers of two.
  double getUsedLanes(int64_t size) const {
    int64_t vectors = size / lanes + llvm::popcount(uint64_t(size % lanes));
    return double(size) / double(vectors * lanes);
  }

  /// As many registers as AVX-512 has.
  static constexpr int64_t kManyRegisters = 32;

  ConvolutionOpInterface op;
  SmallVector<::convoy::WindowDim> window;
  std::string_view spatial;
  int64_t elementBytes, lanes, registers, cacheElements, groups;
};

} // namespace mlir::convoy

#endif // CONVOY_TRANSFORMS_COSTS_GROUPCOSTS_H
