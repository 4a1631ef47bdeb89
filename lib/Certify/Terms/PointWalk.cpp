//===- PointWalk.cpp - Points of linear constraints ---------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PointWalk.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::convoy;
using namespace mlir::convoy::certify;

PointWalk::PointWalk(const Family &family, const Point &point, int64_t &budget)
    : vars(family.instance), point(point), budget(budget) {
  for (const Constraint &constraint : family.domain.getConstraints())
    rows.push_back(constraint);
}

bool PointWalk::run(llvm::function_ref<bool(const Point &)> visit) {
  if (--budget < 0)
    return false;
  std::optional<unsigned> next;
  Range range;
  if (!findRanges(next, range))
    return true; // no points
  if (!next)
    return llvm::any_of(vars, [&](Var var) { return !point.contains(var); })
               ? false
               : visit(point);
  Var var = vars[*next];
  for (int64_t value = range.least; value <= range.most; ++value) {
    point[var] = value;
    if (!run(visit))
      return false;
  }
  point.erase(var);
  return true;
}

PointWalk::Range PointWalk::getRange(Var var, ArrayRef<Range> ranges) const {
  if (auto it = point.find(var); it != point.end())
    return {it->second, it->second};
  const auto *it = llvm::find(vars, var);
  return it == vars.end() ? Range() : ranges[it - vars.begin()];
}

void PointWalk::Range::narrow(int64_t factor, int64_t sum) {
  if (factor > 0)
    least = std::max(least, llvm::divideCeilSigned(-sum, factor));
  else
    most = std::min(most, llvm::divideFloorSigned(sum, -factor));
}

bool PointWalk::narrowAll(const LinearExpr &expr,
                          MutableArrayRef<Range> ranges) const {
  auto most = int64_t(expr.getConstant());
  unsigned numInfinite = 0;
  auto getMost = [&](Var var, int64_t factor) -> std::optional<int64_t> {
    Range range = getRange(var, ranges);
    int64_t end = factor > 0 ? range.most : range.least;
    bool isInfinite = factor > 0 ? end == std::numeric_limits<int32_t>::max()
                                 : end == std::numeric_limits<int32_t>::min();
    if (isInfinite)
      return std::nullopt;
    return end * factor;
  };
  for (const auto &[var, factor] : expr.getTerms()) {
    std::optional<int64_t> part = getMost(var, int64_t(factor));
    numInfinite += !part;
    most += part.value_or(0);
  }
  if (numInfinite == 0 && most < 0)
    return false;
  for (const auto &[var, factor] : expr.getTerms()) {
    const auto *it = llvm::find(vars, var);
    if (it == vars.end() || point.contains(var))
      continue;
    std::optional<int64_t> own = getMost(var, int64_t(factor));
    if (numInfinite == 0 || (numInfinite == 1 && !own))
      ranges[it - vars.begin()].narrow(int64_t(factor), most - own.value_or(0));
  }
  return true;
}

bool PointWalk::findRanges(std::optional<unsigned> &smallest,
                           Range &range) const {
  SmallVector<Range> ranges(vars.size());
  for (size_t round = 0; round <= vars.size(); ++round)
    for (const Constraint &row : rows)
      if (!narrowAll(row.expr, ranges) ||
          (row.isEquality && !narrowAll(row.expr * DynamicAPInt(-1), ranges)))
        return false;
  for (auto [number, candidate] : llvm::enumerate(ranges)) {
    if (point.contains(vars[number]))
      continue;
    if (candidate.least > candidate.most)
      return false;
    bool isSmaller = !smallest || candidate.most - candidate.least <
                                      range.most - range.least;
    if (candidate.isFinite() && isSmaller) {
      smallest = number;
      range = candidate;
    }
  }
  return true;
}
