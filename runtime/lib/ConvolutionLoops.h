//===- ConvolutionLoops.h - The loops of the reference ----------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Visits the terms of every result element, straight from the definition: the
// same loops serve all directions, which differ in the roles of the operands.
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_RUNTIME_LIB_CONVOLUTIONLOOPS_H
#define CONVOY_RUNTIME_LIB_CONVOLUTIONLOOPS_H

#include "ForEachInThreads.h"

#include "convoy/Runtime/Numerics.h"
#include "convoy/Runtime/OperandIndex.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace convoy {

/// Along one spatial dimension: the position of the first operand that the
/// result's position `result` and the second operand's position `second` meet,
/// or -1 where they meet padding or a hole between dilated elements.
int64_t firstPosition(Direction direction, const SpatialDim &dim,
                      int64_t result, int64_t second);

/// The operands of one convolution, converted to `Element` and packed in the
/// order in which the loops read them.
template <typename Element>
struct PackedConvolution {
  Direction direction;
  std::array<SpatialDim, 3> spatial; ///< d, h, w; what the rank lacks is 1
  OperandIndex result;               ///< row-major logical order
  char row, column, reduced;
  OperandIndex firstIndex;  ///< order g row d h w reduced
  OperandIndex secondIndex; ///< order g d h w reduced column
  std::vector<Element> first, second;
};

/// Adds up rows of the result. `Sums` holds the sums of one row at one position
/// of the result, one lane for each column, and has
///   start(offset, stride): where lane 0 lies in the result, and the distance
///     between lanes;
///   addTerms(first, second, count): `count` terms for each lane, the products
///     of `count` factors and as many rows of lanes;
///   addPadding(factors, count): factors of the second operand that meet
///     padding;
///   addBeyond(factors, count), if there is one: factors of the first operand
///     that positions beyond the second one's ends meet, less than a step of
///     the dilation away;
///   finish(offset, stride, terms): `terms` were added to each lane.
template <typename Element, typename Sums>
class RowSummer {
public:
  RowSummer(const PackedConvolution<Element> &conv, const Sums &sums)
      : conv(conv), sums(sums) {}

  /// Sums the row of `group` and `row` at `position`, row-major in d, h, w.
  void sumRow(int64_t position, int64_t group, int64_t row) {
    if (position != currentPosition)
      moveTo(position);
    LogicalIndex index{};
    index[logicalDim('g')] = group;
    index[logicalDim(conv.row)] = row;
    std::copy(resultPosition.begin(), resultPosition.end(),
              index.begin() + logicalDim('d'));
    int64_t offset = conv.result.offset(index);
    int64_t stride = conv.result.strides[logicalDim(conv.column)];
    sums.start(offset, stride);
    int64_t terms = addTerms(group, row);
    if constexpr (seesBeyond)
      addBeyond(group, row);
    sums.finish(offset, stride, terms);
  }

private:
  static constexpr bool seesBeyond = requires(
      Sums sums, const Element *factors) { sums.addBeyond(factors, 0); };

  void moveTo(int64_t position) {
    currentPosition = position;
    for (size_t dim = 3; dim-- > 0;) {
      int64_t size = conv.result.sizes[logicalDim('d') + dim];
      resultPosition[dim] = position % size;
      position /= size;
      firstPositions[dim].clear();
      int64_t count = conv.secondIndex.sizes[logicalDim('d') + dim];
      for (int64_t second = 0; second < count; ++second)
        firstPositions[dim].push_back(firstPosition(
            conv.direction, conv.spatial[dim], resultPosition[dim], second));
      if constexpr (seesBeyond)
        findBeyond(dim, count);
    }
  }

  /// What positions beyond both ends of the second operand's `count` meet.
  void findBeyond(size_t dim, int64_t count) {
    const WindowDim &window = conv.spatial[dim].window;
    int64_t step = conv.direction == Direction::BackwardData
                       ? window.stride
                       : window.inputDilation;
    beyond[dim].clear();
    // With fewer positions than a step has, there are no whole steps.
    if (step > conv.result.sizes[logicalDim('d') + dim])
      return;
    for (int64_t away = 1; away < step; ++away)
      for (int64_t second : {-away, count - 1 + away})
        beyond[dim].push_back(firstPosition(conv.direction, conv.spatial[dim],
                                            resultPosition[dim], second));
  }

  int64_t addTerms(int64_t group, int64_t row) {
    int64_t reduced = conv.secondIndex.sizes[logicalDim(conv.reduced)];
    int64_t columns = conv.secondIndex.sizes[logicalDim(conv.column)];
    const Element *second =
        conv.second.data() + group * conv.secondIndex.strides[logicalDim('g')];
    LogicalIndex firstIndex{};
    firstIndex[logicalDim('g')] = group;
    firstIndex[logicalDim(conv.row)] = row;
    int64_t terms = 0;
    for (int64_t d : firstPositions[0])
      for (int64_t h : firstPositions[1])
        forEachRun(d >= 0 && h >= 0, [&](int64_t w, int64_t length) {
          int64_t count = length * reduced;
          if (w < 0) {
            sums.addPadding(second, count * columns);
          } else {
            firstIndex[logicalDim('d')] = d;
            firstIndex[logicalDim('h')] = h;
            firstIndex[logicalDim('w')] = w;
            sums.addTerms(conv.first.data() +
                              conv.firstIndex.offset(firstIndex),
                          second, count);
            terms += count;
          }
          second += count * columns;
        });
    return terms;
  }

  /// Calls `visit(w, length)` for each run of the second operand's positions
  /// along w: those that meet w, w + 1, ..., whose elements lie one behind the
  /// other in both operands; w is -1 for those that meet padding, which all do
  /// unless the line `isInside`.
  template <typename Function>
  void forEachRun(bool isInside, Function visit) {
    const std::vector<int64_t> &positions = firstPositions[2];
    auto meets = [&](size_t second) {
      return isInside ? positions[second] : -1;
    };
    for (size_t begin = 0, end; begin < positions.size(); begin = end) {
      int64_t next = meets(begin);
      for (end = begin; end < positions.size() && meets(end) == next; ++end)
        next = next < 0 ? next : next + 1;
      visit(meets(begin), static_cast<int64_t>(end - begin));
    }
  }

  void addBeyond(int64_t group, int64_t row) {
    LogicalIndex firstIndex{};
    firstIndex[logicalDim('g')] = group;
    firstIndex[logicalDim(conv.row)] = row;
    auto visit = [&](auto &&self, size_t dim, bool isBeyond) -> void {
      if (dim == 3) {
        if (isBeyond)
          sums.addBeyond(conv.first.data() + conv.firstIndex.offset(firstIndex),
                         conv.secondIndex.sizes[logicalDim(conv.reduced)]);
        return;
      }
      for (const auto *positions : {&firstPositions[dim], &beyond[dim]})
        for (int64_t position : *positions) {
          if (position < 0)
            continue;
          firstIndex[logicalDim('d') + dim] = position;
          self(self, dim + 1, isBeyond || positions == &beyond[dim]);
        }
    };
    visit(visit, 0, false);
  }

  const PackedConvolution<Element> &conv;
  Sums sums;
  int64_t currentPosition = -1;
  std::array<int64_t, 3> resultPosition;
  /// For d, h and w: what each position of the second operand meets.
  std::array<std::vector<int64_t>, 3> firstPositions;
  /// What positions beyond its ends would meet.
  std::array<std::vector<int64_t>, 3> beyond;
};

/// Sums every row of the result, each thread with its own copy of `sums`.
template <typename Element, typename Sums>
void sumAllRows(const PackedConvolution<Element> &conv, const Sums &sums,
                int threads) {
  const LogicalIndex &sizes = conv.result.sizes;
  int64_t rows = sizes[logicalDim(conv.row)];
  int64_t rowsOfAllGroups = sizes[logicalDim('g')] * rows;
  int64_t count = rowsOfAllGroups * sizes[logicalDim('d')] *
                  sizes[logicalDim('h')] * sizes[logicalDim('w')];
  forEachInThreads(count, threads, [&] {
    return [&,
            summer = RowSummer<Element, Sums>(conv, sums)](int64_t i) mutable {
      summer.sumRow(i / rowsOfAllGroups, i % rowsOfAllGroups / rows, i % rows);
    };
  });
}

} // namespace convoy

#endif // CONVOY_RUNTIME_LIB_CONVOLUTIONLOOPS_H
