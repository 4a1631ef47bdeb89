//===- WinogradBoundTest.cpp - Tests of the bounds of Winograd's sums -----===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Convolutions that are computed by the matrices, in f32 and step by step: none
// is beyond its bound, and each bug is.
//
//===----------------------------------------------------------------------===//

#include "convoy/Runtime/WinogradBound.h"

#include "convoy/Runtime/Compare.h"
#include "convoy/Support/CookToom.h"

#include "ConvFixture.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <limits>
#include <tuple>

using namespace convoy;

using Floats = std::vector<float>;
using FloatMatrix = std::vector<Floats>;

namespace {

/// The matrices as a kernel has them, for a bug to change.
struct Matrices {
  FloatMatrix input, filter, output;

  explicit Matrices(const CookToom &algorithm)
      : input(round(algorithm.input)), filter(round(algorithm.filter)),
        output(round(algorithm.output)) {}

  static FloatMatrix round(const FractionMatrix &matrix) {
    FloatMatrix rounded;
    for (const auto &row : matrix) {
      rounded.emplace_back();
      for (const Fraction &number : row)
        rounded.back().push_back(static_cast<float>(number.toDouble()));
    }
    return rounded;
  }
};

/// Two-dimensional 3x3 convolutions, nhwc x hwcf -> nhwf, by F(m x m, 3 x 3).
class WinogradConvolution {
public:
  /// Sums over `channels`, with a row of padding and so many columns.
  WinogradConvolution(int64_t size, int64_t channels, int64_t pixels,
                      Direction direction = Direction::Forward,
                      int64_t columns = 3, int64_t padding = 0)
      : size(size), padding(padding), algorithm(*getCookToom(size, 3)),
        matrices(algorithm),
        conv(direction,
             makeShape(2, 1,
                       direction == Direction::Forward ? channels : columns,
                       direction == Direction::Forward ? columns : channels,
                       {makeSpatial(pixels, 3, {.padLow = 1, .padHigh = 1}),
                        makeSpatial(pixels + 2 - 2 * padding, 3,
                                    {.padLow = padding, .padHigh = padding})}),
             makeLayouts("nhwc", "hwcf", "nhwf")) {}

  void generate(DataKind kind, uint64_t seed, bool init = false) {
    conv.generate(kind, seed, init);
  }

  /// Computes all tiles but those that `drops` says.
  void compute(const std::function<bool(int64_t, int64_t)> &drops = {});

  ReferenceResult reference(const OperandErrors &errors = {}) const {
    ReferenceResult result = conv.reference();
    takeWinogradSums(conv.problem, {size, size}, result, {}, errors);
    return result;
  }
  /// A sum in more precision than the reference has, and its bound there.
  long double sumAt(const LogicalIndex &index);
  /// The largest error as a part of its bound.
  double worstPart();
  /// How many times larger than the products' bounds these are, at most, in
  /// all results and in those that read no padding, and on average.
  struct Ratios {
    double all = 0, inside = 0, mean = 0;
  };
  Ratios ratios() const;
  CompareReport compare(bool drawn = true, bool exact = false) {
    CompareOptions options;
    options.drawn = drawn;
    options.exact = exact;
    return compareWithReference(
        reference(), conv.problem.direction, conv.numerics(),
        conv.index(conv.resultOperand()),
        conv.array(conv.resultOperand()).data(), options);
  }

  int64_t size;
  int64_t padding; ///< of columns
  CookToom algorithm;
  Matrices matrices;
  ConvFixture conv;

private:
  bool isForward() const {
    return conv.problem.direction == Direction::Forward;
  }
  float load(Operand operand, LogicalIndex index) {
    const OperandIndex &place = conv.index(operand);
    for (size_t dim = 0; dim < index.size(); ++dim)
      if (index[dim] < 0 || index[dim] >= place.sizes[dim])
        return 0;
    return static_cast<float>(conv.array(operand).at(place.offset(index)));
  }
  FloatMatrix transformTile(int64_t n, int64_t c, int64_t h, int64_t w);
  FloatMatrix transformTaps(int64_t c, int64_t f);
};

} // namespace

/// left * x * right transposed, in f32.
static FloatMatrix multiply(const FloatMatrix &matrix, const FloatMatrix &x) {
  FloatMatrix half(matrix.size(), Floats(x.front().size(), 0));
  for (size_t i = 0; i < matrix.size(); ++i)
    for (size_t j = 0; j < x.front().size(); ++j)
      for (size_t k = 0; k < x.size(); ++k)
        half[i][j] += matrix[i][k] * x[k][j];
  FloatMatrix result(matrix.size(), Floats(matrix.size(), 0));
  for (size_t i = 0; i < matrix.size(); ++i)
    for (size_t j = 0; j < matrix.size(); ++j)
      for (size_t k = 0; k < x.front().size(); ++k)
        result[i][j] += matrix[j][k] * half[i][k];
  return result;
}

FloatMatrix WinogradConvolution::transformTile(int64_t n, int64_t c, int64_t h,
                                               int64_t w) {
  // The window has a row of padding above, both ways.
  int64_t left = isForward() ? padding : 2 - padding;
  FloatMatrix window(size + 2, Floats(size + 2));
  for (int64_t i = 0; i < size + 2; ++i)
    for (int64_t j = 0; j < size + 2; ++j) {
      LogicalIndex index{};
      index[logicalDim('n')] = n;
      index[logicalDim(isForward() ? 'c' : 'f')] = c;
      index[logicalDim('h')] = h * size + i - 1;
      index[logicalDim('w')] = w * size + j - left;
      window[i][j] =
          load(isForward() ? Operand::Input : Operand::Output, index);
    }
  return multiply(matrices.input, window);
}

FloatMatrix WinogradConvolution::transformTaps(int64_t c, int64_t f) {
  FloatMatrix window(3, Floats(3));
  for (int64_t i = 0; i < 3; ++i)
    for (int64_t j = 0; j < 3; ++j) {
      LogicalIndex index{};
      index[logicalDim('c')] = isForward() ? c : f;
      index[logicalDim('f')] = isForward() ? f : c;
      index[logicalDim('h')] = isForward() ? i : 2 - i;
      index[logicalDim('w')] = isForward() ? j : 2 - j;
      window[i][j] = load(Operand::Filter, index);
    }
  return multiply(matrices.filter, window);
}

void WinogradConvolution::compute(
    const std::function<bool(int64_t, int64_t)> &drops) {
  Operand result = conv.resultOperand();
  const OperandIndex &place = conv.index(result);
  int64_t channels =
      conv.index(Operand::Filter).sizes[logicalDim(isForward() ? 'c' : 'f')];
  forEachIndex(place.sizes, [&](const LogicalIndex &index) {
    int64_t n = index[logicalDim('n')], h = index[logicalDim('h')],
            w = index[logicalDim('w')],
            f = index[logicalDim(isForward() ? 'f' : 'c')];
    if (drops && drops(h / size, w / size))
      return conv.array(result).set(place.offset(index), 0);
    FloatMatrix sums(size + 2, Floats(size + 2, 0));
    for (int64_t c = 0; c < channels; ++c) {
      FloatMatrix tile = transformTile(n, c, h / size, w / size);
      FloatMatrix taps = transformTaps(c, f);
      for (int64_t i = 0; i < size + 2; ++i)
        for (int64_t j = 0; j < size + 2; ++j)
          sums[i][j] = std::fma(tile[i][j], taps[i][j], sums[i][j]);
    }
    double init = conv.problem.init
                      ? loadDouble(ScalarType::F32, conv.problem.init->data,
                                   conv.problem.init->index.offset(index))
                      : 0;
    conv.array(result).set(
        place.offset(index),
        static_cast<float>(init) +
            multiply(matrices.output, sums)[h % size][w % size]);
  });
}

TEST(WinogradBoundTest, RightResultsAreWithin) {
  for (int64_t size : {2, 4, 6})
    for (DataKind kind : {DataKind::Uniform, DataKind::Normal, DataKind::Range,
                          DataKind::Cancel, DataKind::Edge})
      for (Direction direction : {Direction::Forward, Direction::BackwardData})
        for (uint64_t seed = 0; seed < 2; ++seed) {
          WinogradConvolution conv(size, 5, 7, direction);
          conv.generate(kind, seed, seed == 1);
          conv.compute();
          CompareReport report = conv.compare(kind != DataKind::Edge);
          EXPECT_TRUE(report.passed())
              << "F(" << size << "): " << toString(report);
          EXPECT_LE(report.verdict(), Verdict::Explained)
              << "F(" << size << "): " << toString(report);
        }
}

TEST(WinogradBoundTest, IntegersStayExactInSmallTiles) {
  WinogradConvolution small(2, 4, 7);
  small.generate(DataKind::Int, 0);
  small.compute();
  EXPECT_TRUE(sumsStayExact(small.reference()));
  EXPECT_TRUE(small.compare(/*drawn=*/false, /*exact=*/true).passed());
  WinogradConvolution large(4, 4, 7);
  large.generate(DataKind::Int, 0);
  large.compute();
  EXPECT_FALSE(sumsStayExact(large.reference()));
  EXPECT_TRUE(large.compare(/*drawn=*/false).passed());
}

TEST(WinogradBoundTest, OtherKernelsStayExact) {
  WinogradConvolution conv(4, 4, 7);
  conv.generate(DataKind::Int, 0);
  EXPECT_TRUE(sumsStayExact(conv.conv.reference()));
}

/// Each number of a matrix that is off by a hundredth is found.
TEST(WinogradBoundTest, WrongNumbersAreFound) {
  for (int64_t size : {2, 4, 6})
    for (auto matrix :
         {&Matrices::input, &Matrices::filter, &Matrices::output}) {
      WinogradConvolution conv(size, 8, 6);
      FloatMatrix right = conv.matrices.*matrix;
      for (size_t row = 0; row < right.size(); ++row)
        for (size_t column = 0; column < right[row].size(); ++column) {
          float &number = (conv.matrices.*matrix)[row][column];
          number += std::max(std::abs(number), 1.0f) * 0x1p-6f;
          conv.generate(DataKind::Normal, 7);
          conv.compute();
          CompareReport report = conv.compare();
          EXPECT_EQ(report.verdict(), Verdict::Wrong)
              << "F(" << size << "), row " << row << ", column " << column;
          number = right[row][column];
        }
    }
}

TEST(WinogradBoundTest, DroppedTilesAreFound) {
  for (int64_t size : {2, 4, 6}) {
    WinogradConvolution conv(size, 8, 12);
    conv.generate(DataKind::Normal, 3);
    conv.compute([](int64_t h, int64_t w) { return h == 1 && w == 0; });
    EXPECT_EQ(conv.compare().verdict(), Verdict::Wrong);
  }
}

long double WinogradConvolution::sumAt(const LogicalIndex &index) {
  int64_t channels =
      conv.index(Operand::Filter).sizes[logicalDim(isForward() ? 'c' : 'f')];
  long double sum = 0;
  for (int64_t c = 0; c < channels; ++c)
    for (int64_t i = 0; i < 3; ++i)
      for (int64_t j = 0; j < 3; ++j) {
        LogicalIndex from = index, tap{};
        from[logicalDim(isForward() ? 'c' : 'f')] = c;
        from[logicalDim(isForward() ? 'f' : 'c')] = 0;
        tap[logicalDim('c')] = isForward() ? c : index[logicalDim('c')];
        tap[logicalDim('f')] = isForward() ? index[logicalDim('f')] : c;
        tap[logicalDim('h')] = i;
        tap[logicalDim('w')] = j;
        from[logicalDim('h')] += isForward() ? i - 1 : 1 - i;
        from[logicalDim('w')] += isForward() ? j - padding : padding - j;
        sum += static_cast<long double>(
                   load(isForward() ? Operand::Input : Operand::Output, from)) *
               load(Operand::Filter, tap);
      }
  return sum;
}

double WinogradConvolution::worstPart() {
  ErrorBound bound(conv.problem.direction, conv.numerics(), {});
  ReferenceResult sums = reference();
  const OperandIndex &place = conv.index(conv.resultOperand());
  double worst = 0;
  forEachIndex(place.sizes, [&](const LogicalIndex &index) {
    auto actual = static_cast<long double>(
        conv.array(conv.resultOperand()).at(place.offset(index)));
    double most = bound.resultError(
        getSumFacts(sums, static_cast<size_t>(sums.index.offset(index))));
    worst = std::max(
        worst, static_cast<double>(std::abs(actual - sumAt(index))) / most);
  });
  return worst;
}

WinogradConvolution::Ratios WinogradConvolution::ratios() const {
  ErrorBound bound(conv.problem.direction, conv.numerics(), {});
  ReferenceResult direct = conv.reference(), sums = reference();
  int64_t longest = *std::ranges::max_element(direct.length);
  Ratios ratios;
  for (size_t place = 0; place < direct.value.size(); ++place) {
    double ratio = bound.resultError(getSumFacts(sums, place)) /
                   bound.resultError(getSumFacts(direct, place));
    ratios.all = std::max(ratios.all, ratio);
    if (direct.length[place] == longest)
      ratios.inside = std::max(ratios.inside, ratio);
    ratios.mean += ratio / static_cast<double>(direct.value.size());
  }
  return ratios;
}

/// Data that make sums cancel, add up, or be of one element alone.
static const std::vector<std::function<float(int64_t, int64_t)>> Patterns = {
    [](int64_t place, int64_t) { return place % 2 ? -1.1f : 1.1f; },
    [](int64_t place, int64_t) { return place % 3 ? -0.7f : 0x1.fffffep0f; },
    [](int64_t, int64_t) { return 0x1.fffffep-1f; },
    [](int64_t, int64_t) { return 1 / 3.0f; },
    [](int64_t place, int64_t pixels) {
      // One in a tile of any size, or two.
      int64_t w = place % pixels, h = place / pixels % pixels;
      return h % 4 == 1 && w % 4 == 2 ? 0x1.23456p30f : 0x1.6db6dcp-2f;
    },
    [](int64_t place, int64_t) {
      return std::ldexp(1.3f, static_cast<int>(place * 7 % 41) - 20);
    },
    [](int64_t place, int64_t) {
      return (place % 2 ? -1 : 1) * std::ldexp(1.9f, place % 5 ? -60 : 60);
    },
};

TEST(WinogradBoundTest, HardDataAreWithin) {
  for (int64_t size : {2, 4, 6})
    for (Direction direction : {Direction::Forward, Direction::BackwardData})
      for (const auto &first : Patterns)
        for (const auto &second : Patterns) {
          WinogradConvolution conv(size, 5, 7, direction);
          auto fill = [&](Operand operand, const auto &pattern, int64_t width) {
            HostArray &array = conv.conv.array(operand);
            for (int64_t place = 0; place < array.elementCount(); ++place)
              array.set(place, pattern(place, width));
          };
          conv.generate(DataKind::Uniform, 0);
          fill(direction == Direction::Forward ? Operand::Input
                                               : Operand::Output,
               first, 7);
          fill(Operand::Filter, second, 3);
          conv.compute();
          double worst = conv.worstPart();
          EXPECT_LT(worst, 1) << "F(" << size << ")";
        }
}

/// The bound is that of products one by one, some times larger: of the 3x3
/// layers of ResNet-50, and of others.
TEST(WinogradBoundTest, IsNotMuchLarger) {
  struct Limit {
    int64_t size;
    double inside, mean, all;
  };
  // Of padded results the products are fewer, but not the tiles' numbers.
  for (Limit limit : {Limit{2, 0.5, 0.5, 2}, {4, 5, 3, 20}, {6, 30, 10, 100}})
    for (Direction direction : {Direction::Forward, Direction::BackwardData})
      for (auto [channels, pixels] :
           {std::pair(64, 56), {128, 28}, {256, 14}, {512, 7}, {96, 13}}) {
        WinogradConvolution conv(limit.size, channels, pixels, direction, 2, 1);
        conv.generate(DataKind::Normal, 1);
        WinogradConvolution::Ratios ratios = conv.ratios();
        EXPECT_LE(ratios.inside, limit.inside);
        EXPECT_LE(ratios.mean, limit.mean);
        EXPECT_LE(ratios.all, limit.all);
      }
}

/// What is known of elements with errors holds of all that they may be.
TEST(WinogradBoundTest, ErrorsOfElementsAreCovered) {
  for (int64_t size : {2, 4, 6}) {
    WinogradConvolution conv(size, 5, 7);
    conv.generate(DataKind::Normal, 1);
    std::array<std::vector<double>, 3> errors;
    OperandErrors pointers = {};
    for (Operand operand : {Operand::Input, Operand::Filter}) {
      auto number = static_cast<size_t>(operand);
      errors[number].assign(
          static_cast<size_t>(conv.conv.array(operand).elementCount()), 0x1p-6);
      pointers[number] = errors[number].data();
    }
    ReferenceResult most = conv.reference(pointers);
    for (Operand operand : {Operand::Input, Operand::Filter})
      for (int64_t place = 0; place < conv.conv.array(operand).elementCount();
           ++place) {
        double value = conv.conv.array(operand).at(place);
        conv.conv.array(operand).set(place, value + (place % 3 - 1) * 0x1p-6);
      }
    ReferenceResult sums = conv.reference();
    auto isCovered = [&](ReferenceStage PerStage<ReferenceStage>::*stage) {
      const ReferenceStage &whole = (*most.stages).*stage;
      const ReferenceStage &part = (*sums.stages).*stage;
      for (size_t place = 0; place < part.magnitude.size(); ++place)
        EXPECT_LE(part.magnitude[place], whole.magnitude[place]);
    };
    isCovered(&PerStage<ReferenceStage>::taps);
    isCovered(&PerStage<ReferenceStage>::inputs);
    isCovered(&PerStage<ReferenceStage>::products);
    isCovered(&PerStage<ReferenceStage>::results);
  }
}

/// A NaN spreads to the tiles that read it, and to no others.
TEST(WinogradBoundTest, WhatIsNotFiniteSpreadsInTiles) {
  WinogradConvolution conv(4, 2, 12);
  conv.generate(DataKind::Normal, 1);
  conv.conv.array(Operand::Input)
      .set(0, std::numeric_limits<double>::quiet_NaN());
  conv.compute();
  CompareReport report = conv.compare();
  EXPECT_TRUE(report.passed()) << toString(report);
  // A result of the second tile.
  LogicalIndex index{};
  index[logicalDim('w')] = 5;
  conv.conv.array(Operand::Output)
      .set(conv.conv.index(Operand::Output).offset(index),
           std::numeric_limits<double>::quiet_NaN());
  EXPECT_FALSE(conv.compare().passed());
}
