//===- CoveringArray.cpp - Few rows that hold every combination -*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CoveringArray.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <set>

using namespace convoy;

namespace {
constexpr int Free = -1; ///< a value that no combination needs yet

/// Parameters, ascending, of which every combination is to stand in a row.
struct Target {
  std::vector<int> params;
  std::vector<bool> covered; ///< by combination, the last parameter fastest
};

class ArrayBuilder {
public:
  ArrayBuilder(std::vector<int> counts, uint64_t seed)
      : counts(std::move(counts)), random(seed) {}

  void addTargets(int strength, int64_t maxCombinations);
  std::vector<SweepRow> build();

private:
  void addTarget(std::vector<int> params, int64_t maxCombinations);
  /// The number of the row's combination without the value of the target's last
  /// parameter, or Free.
  int64_t prefixOf(const Target &target, const SweepRow &row) const;
  void cover(std::vector<Target> &targets, const SweepRow &row);
  /// Gives `row` the value of `param` that covers most.
  void extend(std::vector<Target> &targets, SweepRow &row, int param);
  /// Adds combinations that no row has.
  void complete(std::vector<Target> &targets, int param);
  SweepRow &findRow(const std::vector<int> &params,
                    const std::vector<int> &values, size_t &firstOpen);

  std::vector<int> counts;
  RandomNumbers random;
  std::set<std::vector<int>> chosen;
  std::vector<SweepRow> rows;
};
} // namespace

void ArrayBuilder::addTarget(std::vector<int> params, int64_t maxCombinations) {
  int64_t combinations = 1;
  for (int param : params)
    combinations *= counts[static_cast<size_t>(param)];
  if (combinations <= maxCombinations || params.size() == 1) {
    chosen.insert(std::move(params));
    return;
  }
  for (size_t left = 0; left < params.size(); ++left) {
    std::vector<int> fewer = params;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(left));
    addTarget(std::move(fewer), maxCombinations);
  }
}

void ArrayBuilder::addTargets(int strength, int64_t maxCombinations) {
  std::vector<bool> picks(counts.size(), false);
  std::fill_n(picks.begin(),
              std::min(static_cast<size_t>(strength), counts.size()), true);
  do {
    std::vector<int> params;
    for (size_t i = 0; i < picks.size(); ++i)
      if (picks[i])
        params.push_back(static_cast<int>(i));
    addTarget(std::move(params), maxCombinations);
  } while (std::prev_permutation(picks.begin(), picks.end()));
}

int64_t ArrayBuilder::prefixOf(const Target &target,
                               const SweepRow &row) const {
  int64_t number = 0;
  for (size_t i = 0; i + 1 < target.params.size(); ++i) {
    size_t param = static_cast<size_t>(target.params[i]);
    if (row[param] == Free)
      return Free;
    number = number * counts[param] + row[param];
  }
  return number;
}

void ArrayBuilder::cover(std::vector<Target> &targets, const SweepRow &row) {
  for (Target &target : targets) {
    size_t last = static_cast<size_t>(target.params.back());
    int64_t prefix = prefixOf(target, row);
    if (prefix != Free && row[last] != Free)
      target.covered[static_cast<size_t>(prefix * counts[last] + row[last])] =
          true;
  }
}

void ArrayBuilder::extend(std::vector<Target> &targets, SweepRow &row,
                          int param) {
  int count = counts[static_cast<size_t>(param)];
  std::vector<int> gains(static_cast<size_t>(count), 0);
  for (const Target &target : targets) {
    int64_t prefix = prefixOf(target, row);
    if (prefix == Free)
      continue;
    for (int value = 0; value < count; ++value)
      gains[static_cast<size_t>(value)] +=
          !target.covered[static_cast<size_t>(prefix * count + value)];
  }
  int start = random.below(count), best = start;
  for (int i = 1; i < count; ++i) {
    int value = (start + i) % count;
    if (gains[static_cast<size_t>(value)] > gains[static_cast<size_t>(best)])
      best = value;
  }
  if (gains[static_cast<size_t>(best)] == 0)
    return;
  row[static_cast<size_t>(param)] = best;
  cover(targets, row);
}

/// A row that can take `values`, of those from `firstOpen` on, or a new one.
SweepRow &ArrayBuilder::findRow(const std::vector<int> &params,
                                const std::vector<int> &values,
                                size_t &firstOpen) {
  size_t known = static_cast<size_t>(params.back()) + 1;
  auto isOpen = [&](const SweepRow &row) {
    return std::find(row.begin(),
                     row.begin() + static_cast<std::ptrdiff_t>(known),
                     Free) != row.begin() + static_cast<std::ptrdiff_t>(known);
  };
  while (firstOpen < rows.size() && !isOpen(rows[firstOpen]))
    ++firstOpen;
  for (size_t number = firstOpen; number < rows.size(); ++number) {
    SweepRow &row = rows[number];
    bool fits = true;
    for (size_t i = 0; fits && i < params.size(); ++i) {
      int value = row[static_cast<size_t>(params[i])];
      fits = value == Free || value == values[i];
    }
    if (fits)
      return row;
  }
  return rows.emplace_back(counts.size(), Free);
}

void ArrayBuilder::complete(std::vector<Target> &targets, int param) {
  size_t firstOpen = 0;
  for (Target &target : targets)
    for (size_t number = 0; number < target.covered.size(); ++number) {
      if (target.covered[number])
        continue;
      std::vector<int> values(target.params.size());
      size_t rest = number;
      for (size_t i = values.size(); i-- > 0;) {
        size_t count =
            static_cast<size_t>(counts[static_cast<size_t>(target.params[i])]);
        values[i] = static_cast<int>(rest % count);
        rest /= count;
      }
      SweepRow &row = findRow(target.params, values, firstOpen);
      for (size_t i = 0; i < values.size(); ++i)
        row[static_cast<size_t>(target.params[i])] = values[i];
      cover(targets, row);
    }
}

std::vector<SweepRow> ArrayBuilder::build() {
  for (int param = 0; param < static_cast<int>(counts.size()); ++param) {
    std::vector<Target> targets;
    for (const std::vector<int> &params : chosen) {
      if (params.back() != param)
        continue;
      size_t combinations = 1;
      for (int p : params)
        combinations *= static_cast<size_t>(counts[static_cast<size_t>(p)]);
      targets.push_back({params, std::vector<bool>(combinations, false)});
    }
    for (SweepRow &row : rows)
      extend(targets, row, param);
    complete(targets, param);
  }
  for (SweepRow &row : rows)
    for (size_t param = 0; param < row.size(); ++param)
      if (row[param] == Free)
        row[param] = random.below(counts[param]);
  for (size_t left = rows.size(); left > 1; --left)
    std::swap(
        rows[left - 1],
        rows[static_cast<size_t>(random.below(static_cast<int64_t>(left)))]);
  return std::move(rows);
}

/// Builds the array with the parameters of most values first, whose
/// combinations the others then ride on.
std::vector<SweepRow> convoy::coveringArray(const std::vector<int> &counts,
                                            int strength,
                                            int64_t maxCombinations,
                                            uint64_t seed) {
  std::vector<size_t> order(counts.size());
  std::iota(order.begin(), order.end(), size_t(0));
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return counts[a] > counts[b]; });
  std::vector<int> sorted;
  for (size_t param : order)
    sorted.push_back(counts[param]);
  ArrayBuilder builder(std::move(sorted), seed);
  builder.addTargets(strength, maxCombinations);
  std::vector<SweepRow> rows = builder.build();
  for (SweepRow &row : rows) {
    SweepRow original(row.size());
    for (size_t i = 0; i < row.size(); ++i)
      original[order[i]] = row[i];
    row = std::move(original);
  }
  return rows;
}
