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
// Where that takes long, unknowns are changed first. If rows say that
// least <= a*x + a*b*y + rest <= most, x + b*y may have far fewer values than
// x: it takes the place of x, in all rows. Of factors that a does not divide,
// the nearest multiples leave least for the rest. Such a change of unknowns has
// an inverse in integers, so that there are points behind it where there were
// before. It is what reduction of a lattice's basis does in general (Lenstra,
// "Integer programming with a fixed number of variables", 1983), of which the
// sums are read off the rows here.
//
// Where that does not help, sums that several rows have get names. Of many
// quotients of one number that is not an unknown itself, none says much about
// another one by what it says of the number's terms; with a name the number is
// an unknown of narrow bounds, and so are its remainders.
//
//===----------------------------------------------------------------------===//

#include "Search.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <map>

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
  double getWidth() const { return double(most) - double(least) + 1; }
  /// Keeps the numbers x with factor * x + rest >= 0.
  void restrict(int64_t factor, int64_t rest) {
    if (factor > 0)
      least = std::max(least, llvm::divideCeilSigned(-rest, factor));
    else
      most = std::min(most, llvm::divideFloorSigned(rest, -factor));
  }
};

/// An unknown's number and its factor.
using Term = std::pair<unsigned, int64_t>;
using Terms = SmallVector<Term>;

/// The sum of all `terms`, in the order of their unknowns, and of `constant` is
/// at least 0.
struct Row {
  Terms terms;
  int64_t constant;
};

using Ranges = SmallVector<Range>;

/// A sum of unknowns, of which `unknown` has the factor 1, and its values.
struct UnknownSum {
  unsigned unknown;
  Terms terms;
  Range range;
};

class Search {
public:
  /// Returns false if numbers are too large.
  bool read(ArrayRef<Constraint> constraints);
  std::optional<bool> run(Effort effort);

private:
  /// Searches between `ranges`, by the steps that are left.
  std::optional<bool> find(Ranges ranges);
  std::optional<bool> findWithin(unsigned steps) {
    stepsLeft = steps;
    return find(Ranges(numUnknowns));
  }
  /// Puts sums of unknowns in the place of unknowns that have more values: of
  /// the digits of one number, say, and of that number and another, most of
  /// what the search would go through is the same for all values of one.
  void changeUnknowns();
  /// The sums that rows bound.
  std::vector<UnknownSum> findSums(const Ranges &ranges);
  /// Puts `sum`, and what is known of it, in the place of its unknown; returns
  /// false where numbers would be too large.
  bool substitute(const UnknownSum &sum);
  /// Gives names, unknowns of their own, to sums that several rows have.
  void nameSums();
  /// The sum of two terms or more that most pairs of rows have.
  std::optional<Terms> findCommonSum() const;
  /// Passes bounds on; returns false if an unknown has no value, or none that
  /// is searched.
  bool narrow(Ranges &ranges);
  bool narrow(const Row &row, Ranges &ranges, bool &hasChanged);

  SmallVector<Row> rows;
  DenseMap<Var, unsigned> numbers;
  unsigned numUnknowns = 0;
  unsigned stepsLeft = 0;
  bool isTooLarge = false; ///< whether bounds were found beyond kMost
};
} // namespace

static bool fits(const DynamicAPInt &number) {
  return -DynamicAPInt(kMost) < number && number < DynamicAPInt(kMost);
}

bool Search::read(ArrayRef<Constraint> constraints) {
  for (const Constraint &constraint : constraints) {
    Row row;
    if (!fits(constraint.expr.getConstant()) ||
        constraint.expr.getTerms().size() > kMostTerms)
      return false;
    row.constant = int64_t(constraint.expr.getConstant());
    for (const auto &[var, factor] : constraint.expr.getTerms()) {
      if (!fits(factor))
        return false;
      unsigned number = numbers.try_emplace(var, numbers.size()).first->second;
      row.terms.push_back({number, int64_t(factor)});
    }
    llvm::sort(row.terms);
    rows.push_back(row);
    if (!constraint.isEquality)
      continue;
    for (Term &term : row.terms)
      term.second = -term.second;
    row.constant = -row.constant;
    rows.push_back(std::move(row));
  }
  numUnknowns = numbers.size();
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
    // factor * x + others >= 0.
    int64_t others = isOwn ? greatest : greatest - getGreatest(number, factor);
    Range &range = ranges[number];
    Range before = range;
    range.restrict(factor, others);
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
  if (stepsLeft == 0)
    return std::nullopt;
  --stepsLeft;
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

//===----------------------------------------------------------------------===//
// Change of unknowns
//===----------------------------------------------------------------------===//

std::vector<UnknownSum> Search::findSums(const Ranges &ranges) {
  std::map<std::pair<unsigned, Terms>, Range> sums;
  for (const Row &row : rows)
    for (auto [unknown, divisor] : row.terms) {
      // divisor * sum + rest >= 0.
      Terms sum;
      int64_t rest = row.constant;
      bool isBounded = true;
      for (auto [number, factor] : row.terms) {
        // The nearest multiple leaves least.
        int64_t multiple =
            llvm::divideFloorSigned(2 * factor + divisor, 2 * divisor);
        if (multiple != 0)
          sum.push_back({number, multiple});
        int64_t left = factor - multiple * divisor;
        if (left == 0)
          continue;
        isBounded &= ranges[number].isBounded();
        rest += left * (left > 0 ? ranges[number].most : ranges[number].least);
      }
      if (!isBounded || sum.size() < 2)
        continue;
      sums[{unknown, sum}].restrict(divisor, rest);
    }
  std::vector<UnknownSum> found;
  for (const auto &[key, range] : sums)
    if (range.isBounded() && !range.isEmpty())
      found.push_back({key.first, key.second, range});
  return found;
}

bool Search::substitute(const UnknownSum &sum) {
  SmallVector<Row> changed = rows;
  for (Row &row : changed) {
    const Term *own = llvm::find_if(
        row.terms, [&](const Term &t) { return t.first == sum.unknown; });
    if (own == row.terms.end())
      continue;
    int64_t factor = own->second;
    std::map<unsigned, int64_t> factors(row.terms.begin(), row.terms.end());
    for (auto [number, part] : sum.terms)
      if (number != sum.unknown &&
          !fits(DynamicAPInt(factors[number] -= factor * part)))
        return false;
    row.terms.clear();
    for (auto [number, other] : factors)
      if (other != 0)
        row.terms.push_back({number, other});
    if (row.terms.size() > kMostTerms)
      return false;
  }
  rows = std::move(changed);
  // No row may say as plainly between which numbers it lies.
  rows.push_back({{{sum.unknown, 1}}, -sum.range.least});
  rows.push_back({{{sum.unknown, -1}}, sum.range.most});
  return true;
}

void Search::changeUnknowns() {
  for (unsigned change = 0; change < 2 * numUnknowns; ++change) {
    Ranges ranges(numUnknowns);
    if (!narrow(ranges))
      return;
    auto gain = [&](const UnknownSum &sum) {
      return ranges[sum.unknown].getWidth() / sum.range.getWidth();
    };
    std::vector<UnknownSum> sums = findSums(ranges);
    auto best =
        llvm::max_element(sums, [&](const UnknownSum &a, const UnknownSum &b) {
          return gain(a) < gain(b);
        });
    if (best == sums.end() || gain(*best) < 2 || !substitute(*best))
      return;
  }
}

//===----------------------------------------------------------------------===//
// Names of sums
//===----------------------------------------------------------------------===//

/// The terms of `a` that `b` has, too, times `sign`, which is 1 or -1; the sum
/// itself, or its opposite, so that the first factor is positive.
static Terms getCommonTerms(ArrayRef<Term> a, ArrayRef<Term> b, int64_t sign) {
  Terms common;
  const Term *other = b.begin();
  for (auto [number, factor] : a) {
    while (other != b.end() && other->first < number)
      ++other;
    if (other != b.end() && *other == Term(number, sign * factor))
      common.push_back({number, factor});
  }
  if (!common.empty() && common.front().second < 0)
    for (Term &term : common)
      term.second = -term.second;
  return common;
}

std::optional<Terms> Search::findCommonSum() const {
  std::map<Terms, unsigned> counts;
  for (size_t last = 0; last < rows.size(); ++last)
    for (size_t first = 0; first < last; ++first)
      for (int64_t sign : {1, -1}) {
        Terms common =
            getCommonTerms(rows[first].terms, rows[last].terms, sign);
        if (common.size() > 1)
          ++counts[common];
      }
  auto most = llvm::max_element(
      counts, [](const auto &a, const auto &b) { return a.second < b.second; });
  // The two bounds of one sum are a pair.
  if (most == counts.end() || most->second < 2)
    return std::nullopt;
  return most->first;
}

void Search::nameSums() {
  // All pairs are looked at for each name.
  constexpr size_t MostRows = 512;
  while (rows.size() < MostRows) {
    std::optional<Terms> sum = findCommonSum();
    if (!sum)
      return;
    unsigned name = numUnknowns++;
    for (Row &row : rows)
      for (int64_t sign : {1, -1})
        if (getCommonTerms(*sum, row.terms, sign).size() == sum->size()) {
          llvm::erase_if(row.terms, [&](const Term &term) {
            return llvm::is_contained(*sum,
                                      Term(term.first, sign * term.second));
          });
          row.terms.push_back({name, sign});
        }
    for (int64_t sign : {1, -1}) {
      Row &row = rows.emplace_back(Row{{}, 0});
      for (auto [number, factor] : *sum)
        row.terms.push_back({number, sign * factor});
      row.terms.push_back({name, -sign});
    }
  }
}

std::optional<bool> Search::run(Effort effort) {
  // Changing unknowns takes as long as some steps.
  std::optional<bool> found = findWithin(32);
  if (found || isTooLarge || effort == Effort::Short)
    return found;
  SmallVector<Row> given = rows;
  constexpr unsigned MostSteps = 1024;
  changeUnknowns();
  if (!isTooLarge)
    found = findWithin(MostSteps);
  if (found)
    return found;
  rows = std::move(given);
  isTooLarge = false;
  nameSums();
  return findWithin(MostSteps);
}

std::optional<bool> certify::searchPoint(ArrayRef<Constraint> constraints,
                                         Effort effort) {
  Search search;
  return search.read(constraints) ? search.run(effort) : std::nullopt;
}
