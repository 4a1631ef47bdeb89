//===- LoopValues.h - What a loop's variable runs through -------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TRANSFORMS_UTILS_LOOPVALUES_H
#define CONVOY_TRANSFORMS_UTILS_LOOPVALUES_H

#include "mlir/Dialect/SCF/IR/SCF.h"

#include <cstdint>
#include <optional>

namespace mlir::convoy {

/// The values of a loop's variable: `count` of them from `first` on, each
/// `step` after the one before.
struct LoopValues {
  int64_t first, step, count;
};

/// The values of `variable`. Nothing where it is no loop's, or where bounds or
/// the step, which is positive, are not constant.
std::optional<LoopValues> getLoopValues(Value variable);

/// Products of two numbers below this, and sums of some, do not overflow.
inline constexpr uint64_t kMostMultiplied = uint64_t(1) << 24;

/// Values of indices.
using KnownIndices = DenseMap<Value, int64_t>;

/// The most that `index` may be, where `known` indices are what they are;
/// nothing where that is not plain.
std::optional<int64_t> getMostOf(OpFoldResult index,
                                 const KnownIndices &known = KnownIndices());

/// The least that `index` may be, likewise.
std::optional<int64_t> getLeastOf(OpFoldResult index,
                                  const KnownIndices &known = KnownIndices());

/// How many iterations `loop` has at most; nothing where that is not known.
std::optional<uint64_t> getMostIterations(scf::ForOp loop);

/// Iterations of the loops in `region` at most, and each time that one ends: of
/// those whose length is not known, as many as `unknown`.
uint64_t countIterations(Region &region, uint64_t unknown);

} // namespace mlir::convoy

#endif // CONVOY_TRANSFORMS_UTILS_LOOPVALUES_H
