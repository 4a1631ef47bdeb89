//===- PointWalk.h - Points of linear constraints -----------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_CERTIFY_TERMS_POINTWALK_H
#define CONVOY_LIB_CERTIFY_TERMS_POINTWALK_H

#include "Expr.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace mlir::convoy::certify {

/// Values of unknowns.
using Point = DenseMap<Var, int64_t>;

/// Visits the integer points of linear constraints.
class PointWalk {
public:
  /// Those of `family`, whose unknowns but for its own have values in `point`.
  /// `budget` is what is left of the steps that it may take.
  PointWalk(const Family &family, const Point &point, int64_t &budget);

  /// Returns false if it had to stop, or `visit` does.
  bool run(llvm::function_ref<bool(const Point &)> visit);

private:
  struct Range {
    int64_t least = std::numeric_limits<int32_t>::min();
    int64_t most = std::numeric_limits<int32_t>::max();

    bool isFinite() const {
      return least > std::numeric_limits<int32_t>::min() &&
             most < std::numeric_limits<int32_t>::max();
    }
    /// Narrows it by sum + factor * value >= 0, where the sum is at most `sum`.
    void narrow(int64_t factor, int64_t sum);
  };

  Range getRange(Var var, ArrayRef<Range> ranges) const;
  /// Narrows ranges by `expr` >= 0; returns false if that cannot hold.
  bool narrowAll(const LinearExpr &expr, MutableArrayRef<Range> ranges) const;
  /// Finds the unknown without a value that has the smallest range, if any;
  /// returns false if there are no points.
  bool findRanges(std::optional<unsigned> &smallest, Range &range) const;

  SmallVector<Var> vars;
  Constraints rows;
  Point point;
  int64_t &budget;
};

} // namespace mlir::convoy::certify

#endif // CONVOY_LIB_CERTIFY_TERMS_POINTWALK_H
