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
  WinogradConvolution(int64_t size, int64_t channels, int64_t pixels,
                      Direction direction = Direction::Forward)
      : size(size), algorithm(*getCookToom(size, 3)), matrices(algorithm),
        conv(direction,
             makeShape(2, 1, channels, 3,
                       {makeSpatial(pixels, 3, {.padLow = 1, .padHigh = 1}),
                        makeSpatial(pixels + 2, 3)}),
             makeLayouts("nhwc", "hwcf", "nhwf")) {}

  void generate(DataKind kind, uint64_t seed, bool init = false) {
    conv.generate(kind, seed, init);
  }

  /// Computes all tiles but those that `drops` says.
  void compute(const std::function<bool(int64_t, int64_t)> &drops = {});

  ReferenceResult reference() const {
    ReferenceResult result = conv.reference();
    takeWinogradSums(conv.problem, {size, size}, result);
    return result;
  }
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
  // The forward window has a row of padding above, the other way round one, and
  // no column or two.
  int64_t left = isForward() ? 0 : 2;
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

/// The bound is that of products one by one, some times larger.
TEST(WinogradBoundTest, IsNotMuchLarger) {
  // Of the corners, where the products are fewest, and of those inside.
  for (auto [size, most, mostInside] :
       {std::tuple{2, 3.0, 2.0}, {4, 45.0, 20.0}, {6, 250.0, 100.0}}) {
    WinogradConvolution conv(size, 64, 8);
    conv.generate(DataKind::Normal, 1);
    ErrorBound bound(Direction::Forward, conv.conv.numerics(), {});
    ReferenceResult direct = conv.conv.reference(), sums = conv.reference();
    double worst = 0, inside = 0;
    for (size_t place = 0; place < direct.value.size(); ++place) {
      double ratio = bound.resultError(getSumFacts(sums, place)) /
                     bound.resultError(getSumFacts(direct, place));
      worst = std::max(worst, ratio);
      if (direct.length[place] == 64 * 9)
        inside = std::max(inside, ratio);
    }
    EXPECT_LE(worst, most);
    EXPECT_LE(inside, mostInside);
    EXPECT_GE(inside, 0.5);
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
