//===- Search.cpp - Points of systems of few choices ------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Systems of tiles have many unknowns, most of which are quotients and digits
// of a few others. What each constraint says of one unknown, given between
// which numbers the others lie, is passed on until nothing changes. Then the
// unknown with the fewest values is split. A general method, which knows
// nothing of digits, takes a hundred times as long for such systems.
//
//===----------------------------------------------------------------------===//

#include "Search.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::convoy;
using namespace mlir::convoy::certify;

/// Numbers beyond which nothing is searched, and terms of a constraint: sums of
/// so many products of two such numbers fit 64 bits.
static constexpr int64_t kMost = int64_t(1) << 28;
static constexpr size_t kMostTerms = 64;

namespace {
/// The numbers from `least` to `most`; at ±kMost it has no bound.
struct Range {
  int64_t least = -kMost, most = kMost;

  bool isFixed() const { return least == most; }
  bool isEmpty() const { return least > most; }
  bool isBounded() const { return -kMost < least && most < kMost; }
};

/// The sum of all `terms`, of an unknown's number and its factor, and of
/// `constant` is at least 0.
struct Row {
  SmallVector<std::pair<unsigned, int64_t>> terms;
  int64_t constant;
};

using Ranges = SmallVector<Range>;

class Search {
public:
  /// Returns false if numbers are too large.
  bool read(ArrayRef<Constraint> constraints);
  std::optional<bool> run() { return find(Ranges(numbers.size())); }

private:
  std::optional<bool> find(Ranges ranges);
  /// Passes bounds on; returns false if an unknown has no value, or none that
  /// is searched.
  bool narrow(Ranges &ranges);
  bool narrow(const Row &row, Ranges &ranges, bool &hasChanged);

  SmallVector<Row> rows;
  DenseMap<Var, unsigned> numbers;
  unsigned numSteps = 0;
  bool isTooLarge = false; ///< whether bounds were found beyond kMost
};
} // namespace

static bool fits(const DynamicAPInt &number) {
  return -DynamicAPInt(kMost) < number && number < DynamicAPInt(kMost);
}

bool Search::read(ArrayRef<Constraint> constraints) {
  for (const Constraint &constraint : constraints) {
    Row row, negated;
    if (!fits(constraint.expr.getConstant()) ||
        constraint.expr.getTerms().size() > kMostTerms)
      return false;
    row.constant = int64_t(constraint.expr.getConstant());
    negated.constant = -row.constant;
    for (const auto &[var, factor] : constraint.expr.getTerms()) {
      if (!fits(factor))
        return false;
      unsigned number = numbers.try_emplace(var, numbers.size()).first->second;
      row.terms.push_back({number, int64_t(factor)});
      negated.terms.push_back({number, -int64_t(factor)});
    }
    rows.push_back(std::move(row));
    if (constraint.isEquality)
      rows.push_back(std::move(negated));
  }
  return true;
}

bool Search::narrow(const Row &row, Ranges &ranges, bool &hasChanged) {
  // The greatest value of all terms whose unknowns have bounds there.
  int64_t greatest = row.constant;
  unsigned numOpen = 0;
  auto isOpen = [&](unsigned number, int64_t factor) {
    const Range &range = ranges[number];
    return factor > 0 ? range.most >= kMost : range.least <= -kMost;
  };
  auto getGreatest = [&](unsigned number, int64_t factor) {
    const Range &range = ranges[number];
    return factor * (factor > 0 ? range.most : range.least);
  };
  for (auto [number, factor] : row.terms)
    if (isOpen(number, factor))
      ++numOpen;
    else
      greatest += getGreatest(number, factor);
  if (numOpen == 0 && greatest < 0)
    return false;
  for (auto [number, factor] : row.terms) {
    bool isOwn = isOpen(number, factor);
    if (numOpen > (isOwn ? 1u : 0u))
      continue;
    // factor * x >= -others.
    int64_t others = isOwn ? greatest : greatest - getGreatest(number, factor);
    Range &range = ranges[number];
    Range before = range;
    if (factor > 0)
      range.least =
          std::max(range.least, llvm::divideCeilSigned(-others, factor));
    else
      range.most =
          std::min(range.most, llvm::divideFloorSigned(others, -factor));
    isTooLarge |= range.least >= kMost || range.most <= -kMost;
    hasChanged |= range.least != before.least || range.most != before.most;
    if (isTooLarge || range.isEmpty())
      return false;
  }
  return true;
}

bool Search::narrow(Ranges &ranges) {
  // Bounds that creep are left to the next split.
  constexpr unsigned MostRounds = 16;
  bool hasChanged = true;
  for (unsigned round = 0; round < MostRounds && hasChanged; ++round) {
    hasChanged = false;
    for (const Row &row : rows)
      if (!narrow(row, ranges, hasChanged))
        return false;
  }
  return true;
}

std::optional<bool> Search::find(Ranges ranges) {
  constexpr unsigned MostSteps = 1024;
  if (++numSteps > MostSteps)
    return std::nullopt;
  bool mayHavePoints = narrow(ranges);
  if (isTooLarge)
    return std::nullopt;
  if (!mayHavePoints)
    return false;
  Range *split = nullptr;
  for (Range &range : ranges)
    if (!range.isFixed() &&
        (!split || range.most - range.least < split->most - split->least))
      split = &range;
  // The last round may have fixed some, which no row has been asked about.
  if (!split)
    return llvm::all_of(rows, [&](const Row &row) {
      int64_t sum = row.constant;
      for (auto [number, factor] : row.terms)
        sum += factor * ranges[number].least;
      return sum >= 0;
    });
  if (!split->isBounded())
    return std::nullopt;
  Range all = *split;
  int64_t middle = all.least + (all.most - all.least) / 2;
  for (Range half : {Range{all.least, middle}, Range{middle + 1, all.most}}) {
    *split = half;
    std::optional<bool> found = find(ranges);
    if (!found || *found)
      return found;
  }
  return false;
}

std::optional<bool> certify::searchPoint(ArrayRef<Constraint> constraints) {
  Search search;
  return search.read(constraints) ? search.run() : std::nullopt;
}
