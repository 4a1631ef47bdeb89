//===- SweepSpace.cpp - The problems of a sweep  -*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SweepSpace.h"

#include <algorithm>
#include <numeric>

using namespace convoy;

__extension__ typedef __int128 Wide;

/// Every order of the letters of `operand`.
static std::vector<std::string> allLayouts(Operand operand, int spatialRank,
                                           bool hasGroups) {
  std::string letters = operand == Operand::Input    ? "nc"
                        : operand == Operand::Filter ? "fc"
                                                     : "nf";
  letters += spatialLetters(spatialRank);
  if (hasGroups)
    letters += "g";
  return permutations(letters);
}

static SweepSpace makeSpace(int spatialRank, bool hasGroups) {
  SweepSpace space;
  for (Operand operand : {Operand::Input, Operand::Filter, Operand::Output}) {
    auto &layouts = space.layouts[static_cast<size_t>(operand)];
    layouts = allLayouts(operand, spatialRank, false);
    if (!hasGroups)
      continue;
    for (std::string &layout : allLayouts(operand, spatialRank, true))
      layouts.push_back(std::move(layout));
  }
  space.directions = {Direction::Forward, Direction::BackwardData,
                      Direction::BackwardFilter};
  space.groups = {1, 2, 3};
  space.windows.assign(
      static_cast<size_t>(spatialRank),
      WindowChoices{{1, 2, 3}, {1, 2}, {-1, 0, 1, 2}, {-1, 0, 1, 2}});
  return space;
}

std::optional<SweepSpace> SweepSpace::create(std::string_view name) {
  if (name == "1d")
    return makeSpace(1, false);
  if (name == "g")
    return makeSpace(1, true);
  if (name == "2d")
    return makeSpace(2, false);
  if (name == "3d")
    return makeSpace(3, false);
  if (name != "layouts2d")
    return std::nullopt;
  SweepSpace space = makeSpace(2, false);
  space.groups = {1};
  space.windows = {{{2}, {1}, {1}, {0}}, {{1}, {2}, {-1}, {2}}};
  return space;
}

void SweepSpace::addPostOps() {
  postOps = {"",
             "relu",
             "clip:-3:9",
             "add:f32:per_tensor",
             "add:f32:per_oc+max:f32:per_oc",
             "sum:2+relu:0.5",
             "abs+max:f32+sub:f16:3"};
}

void SweepSpace::keepWinograd() {
  // Layouts with a group have one of several channels.
  for (std::vector<std::string> &words : layouts)
    std::erase_if(words, [](const std::string &word) {
      return word.find('g') != std::string::npos;
    });
  directions = {Direction::Forward, Direction::BackwardData};
  groups = {1};
  for (WindowChoices &window : windows)
    window.strides = window.dilations = {1};
  sizes = Sizes::Tiles;
}

void SweepSpace::addRequantizations(bool areFiltersPacked) {
  requantizations = getRequantizations(areFiltersPacked);
  types.clear();
}

void SweepSpace::addMatrices() {
  types = {ElementType::F16, ElementType::BF16, ElementType::I8};
  sizes = Sizes::Large;
}

std::vector<int> SweepSpace::counts() const {
  std::vector<int> counts;
  auto add = [&](const auto &choices) {
    counts.push_back(static_cast<int>(choices.size()));
  };
  for (const auto &words : layouts)
    add(words);
  add(directions);
  add(groups);
  for (const WindowChoices &window : windows) {
    add(window.strides);
    add(window.dilations);
    add(window.padLows);
    add(window.padHighs);
  }
  if (!postOps.empty())
    add(postOps);
  if (!types.empty())
    add(types);
  if (!requantizations.empty())
    add(requantizations);
  return counts;
}

int64_t SweepSpace::size() const {
  int64_t product = 1;
  for (int count : counts())
    product *= count;
  return product;
}

SweepRow SweepSpace::row(int64_t number) const {
  std::vector<int> all = counts();
  SweepRow row(all.size());
  for (size_t i = all.size(); i-- > 0;) {
    row[i] = static_cast<int>(number % all[i]);
    number /= all[i];
  }
  return row;
}

namespace {
/// Sizes that differ from each other.
struct RowSizes {
  int64_t batch, inputChannels, outputChannels;
  std::array<std::pair<int64_t, int64_t>, 3> spatial; ///< input, filter
};
} // namespace

/// Sizes that the choices of `row` settle. The filter may be larger than the
/// padded input: then there is no output.
static const RowSizes &chooseSizes(const SweepRow &row,
                                   SweepSpace::Sizes sizes) {
  static constexpr std::array<RowSizes, 5> Small = {{
      {2, 3, 5, {{{7, 4}, {3, 2}, {5, 1}}}},
      {3, 5, 2, {{{4, 1}, {6, 3}, {3, 2}}}},
      {5, 2, 3, {{{6, 4}, {5, 1}, {4, 3}}}},
      {1, 5, 3, {{{7, 2}, {5, 3}, {4, 1}}}},
      {3, 1, 5, {{{4, 2}, {6, 3}, {5, 2}}}},
  }};
  static constexpr std::array<RowSizes, 5> Tiles = {{
      {2, 3, 5, {{{7, 3}, {5, 3}, {9, 3}}}},
      {1, 17, 9, {{{14, 3}, {11, 3}, {6, 3}}}},
      {5, 2, 3, {{{3, 3}, {6, 3}, {4, 3}}}},
      {1, 5, 24, {{{31, 3}, {13, 3}, {5, 3}}}},
      {3, 8, 1, {{{4, 3}, {18, 3}, {7, 3}}}},
  }};
  static constexpr std::array<RowSizes, 5> Large = {{
      {2, 37, 41, {{{23, 4}, {4, 2}, {3, 1}}}},
      {3, 35, 19, {{{18, 1}, {6, 3}, {2, 1}}}},
      {5, 18, 67, {{{17, 3}, {5, 1}, {2, 2}}}},
      {1, 65, 33, {{{35, 2}, {7, 3}, {3, 2}}}},
      {4, 33, 70, {{{19, 2}, {4, 3}, {2, 1}}}},
  }};
  uint64_t hash = 0;
  for (int choice : row)
    hash = RandomNumbers(hash + static_cast<uint64_t>(choice)).next();
  const std::array<RowSizes, 5> &all = sizes == SweepSpace::Sizes::Small ? Small
                                       : sizes == SweepSpace::Sizes::Tiles
                                           ? Tiles
                                           : Large;
  return all[hash % all.size()];
}

Problem SweepSpace::problem(const SweepRow &row) const {
  Problem problem;
  auto next = row.begin();
  auto choose = [&](const auto &choices) -> const auto & {
    return choices[static_cast<size_t>(*next++)];
  };
  auto chooseLayout = [&](Operand operand) {
    return Layout::fromLetters(choose(layouts[static_cast<size_t>(operand)]));
  };
  problem.layouts.input = chooseLayout(Operand::Input);
  problem.layouts.filter = chooseLayout(Operand::Filter);
  problem.layouts.output = chooseLayout(Operand::Output);
  problem.direction = choose(directions);
  problem.shape.groups = choose(groups);
  const RowSizes &chosen = chooseSizes(row, sizes);
  problem.shape.batch = chosen.batch;
  problem.shape.inputChannels = chosen.inputChannels;
  problem.shape.outputChannels = chosen.outputChannels;
  for (size_t i = 0; i < windows.size(); ++i) {
    SpatialDim dim;
    dim.input = chosen.spatial[i].first;
    dim.filter = chosen.spatial[i].second;
    dim.window.stride = choose(windows[i].strides);
    dim.window.dilation = choose(windows[i].dilations);
    dim.window.padLow = choose(windows[i].padLows);
    dim.window.padHigh = choose(windows[i].padHighs);
    dim.output = outputSize(dim.input, dim.filter, dim.window);
    problem.shape.spatial.push_back(dim);
  }
  if (!postOps.empty()) {
    const std::string &chain = choose(postOps);
    if (problem.direction != Direction::BackwardFilter)
      setPostOps(problem, chain);
  }
  if (!types.empty())
    problem.type = choose(types);
  if (!requantizations.empty())
    choose(requantizations).apply(problem);
  return problem;
}

SweepRows::SweepRows(const SweepSpace &space, const SweepSelection &selection)
    : space(space), selection(selection) {
  // All pairs of layouts are few enough, all triples of 3-D layouts are not.
  constexpr int64_t MaxCombinations = 30000;
  if (selection.strength > 0)
    covering = coveringArray(space.counts(), selection.strength,
                             MaxCombinations, selection.seed);
  total = selection.strength > 0 ? static_cast<int64_t>(covering.size())
                                 : space.size();
  step = 1;
  if (selection.strength == 0 && selection.count > 0) {
    // A step without common divisor visits each row once.
    step = static_cast<int64_t>(0.6180339887 * static_cast<double>(total));
    while (std::gcd(step, total) != 1)
      ++step;
  }
}

int64_t SweepRows::size() const {
  int64_t count =
      selection.count > 0 ? std::min(selection.count, total) : total;
  return (count - selection.shard + selection.shards - 1) / selection.shards;
}

SweepRow SweepRows::operator[](int64_t number) const {
  number = number * selection.shards + selection.shard;
  if (selection.strength > 0)
    return covering[static_cast<size_t>(number)];
  if (selection.count == 0)
    return space.row(number);
  Wide start = RandomNumbers(selection.seed).next();
  return space.row(static_cast<int64_t>((start + Wide(number) * step) % total));
}
