//===- WinogradBound.cpp - How far Winograd's sums may be off -------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Runtime/WinogradBound.h"

#include "ForEachInThreads.h"

#include "convoy/Support/WinogradGrowth.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace convoy {

using Matrix = std::vector<std::vector<double>>;

/// The magnitudes of the numbers of `matrix`.
static Matrix magnitudes(const FractionMatrix &matrix) {
  Matrix result;
  for (const std::vector<Fraction> &row : matrix) {
    std::vector<double> &numbers = result.emplace_back();
    for (const Fraction &number : row)
      numbers.push_back(number.abs().toDouble());
  }
  return result;
}

/// The largest sum of a row.
static double largestRowSum(const Matrix &matrix) {
  double largest = 0;
  for (const std::vector<double> &row : matrix) {
    double sum = 0;
    for (double number : row)
      sum += number;
    largest = std::max(largest, sum);
  }
  return largest;
}

/// One of the three matrices for each spatial dimension, applied one after the
/// other to arrays of so many dimensions, row-major.
class Transform {
public:
  explicit Transform(std::vector<Matrix> matrices)
      : matrices(std::move(matrices)) {}

  std::vector<double> apply(std::vector<double> values) const {
    size_t inner = values.size(), outer = 1;
    for (const Matrix &matrix : matrices) {
      size_t from = matrix.front().size(), to = matrix.size();
      inner /= from;
      std::vector<double> next(outer * to * inner);
      for (size_t o = 0; o < outer; ++o)
        for (size_t row = 0; row < to; ++row)
          for (size_t column = 0; column < from; ++column)
            for (size_t i = 0; i < inner; ++i)
              next[(o * to + row) * inner + i] +=
                  matrix[row][column] * values[(o * from + column) * inner + i];
      values = std::move(next);
      outer *= to;
    }
    return values;
  }

  /// How many times the smallest subnormal number a result may be off where
  /// each product of a number of the matrices may underflow. A row has at most
  /// as many as the matrix has columns, and half of one is lost with each; what
  /// follows is rounded, too, which doubles it at most.
  double underflows() const {
    double lost = 0;
    for (const Matrix &matrix : matrices)
      lost = lost * largestRowSum(matrix) + double(matrix.front().size());
    return lost;
  }

private:
  std::vector<Matrix> matrices;
};

namespace {

/// One spatial dimension of the convolution that is computed in tiles.
struct TiledDim {
  CookToom algorithm;
  int64_t input, output; ///< sizes
  int64_t padLow;
  bool flipsTaps;

  int64_t tiles() const {
    int64_t size = algorithm.outputs();
    return (output + size - 1) / size;
  }
};

/// Counts row-major through positions within `sizes`.
template <typename Function>
void forEachPosition(const std::vector<int64_t> &sizes, Function function) {
  std::vector<int64_t> at(sizes.size(), 0);
  if (std::find(sizes.begin(), sizes.end(), 0) != sizes.end())
    return;
  size_t dim;
  do {
    function(static_cast<const std::vector<int64_t> &>(at));
    dim = at.size();
    while (dim > 0 && ++at[dim - 1] == sizes[dim - 1])
      at[--dim] = 0;
  } while (dim > 0);
}

/// What is known of all tiles: their algorithms, and the filter's taps.
class WinogradSums {
public:
  WinogradSums(const ReferenceProblem &problem,
               const std::vector<int64_t> &tile, ReferenceResult &reference);

  void compute(int threads);

private:
  class Tile;

  void setRoundings();
  /// Fills what is known of the taps of one column.
  void transformTaps(int64_t column);
  /// The magnitude of the operand's element at `index`.
  double load(Operand operand, const LogicalIndex &index) const;
  Transform transformOf(FractionMatrix CookToom::*matrix) const;
  LogicalIndex indexAt(const std::vector<int64_t> &position) const;
  /// The results, taps or products of a tile along each dimension.
  std::vector<int64_t> sizesOf(int64_t (CookToom::*size)() const) const;

  const ReferenceProblem &problem;
  ReferenceResult &reference;
  Operand data;
  char reduced, column;
  int64_t reducedCount, columnCount;
  std::vector<TiledDim> dims;
  std::string_view letters;
  int64_t productCount = 1; ///< of a tile
  Transform input, filter, output;

  /// By product, reduced channel and column.
  std::vector<double> taps;
  /// Their sums over reduced channels, and for each column the largest.
  std::vector<double> tapSums, largestTaps;
  std::vector<uint8_t> tapsAreFinite; ///< by column
};

/// Computes one tile after the other.
class WinogradSums::Tile {
public:
  explicit Tile(const WinogradSums &sums) : all(sums) {}

  void compute(int64_t image, const std::vector<int64_t> &tile);

private:
  /// The transformed inputs of one reduced channel.
  std::vector<double> transformInputs(int64_t image,
                                      const std::vector<int64_t> &tile,
                                      int64_t channel);
  /// The sums of a transformed tile for one column, in each of its results.
  void storeColumn(int64_t image, const std::vector<int64_t> &tile,
                   int64_t column) const;

  const WinogradSums &all;
  /// By product, sums of inputs over reduced channels, and products of all
  /// columns.
  std::vector<double> inputSums, products;
  double largestInput = 0;
  bool inputsAreFinite = true;
};

} // namespace

static std::vector<TiledDim> tileDims(const ReferenceProblem &problem,
                                      const std::vector<int64_t> &tile) {
  bool isForward = problem.direction == Direction::Forward;
  std::vector<TiledDim> dims;
  for (size_t number = 0; number < tile.size(); ++number) {
    const SpatialDim &dim = problem.shape.spatial[number];
    std::optional<CookToom> algorithm = getCookToom(tile[number], dim.filter);
    assert(algorithm && "the kernel was computed by it");
    int64_t padLow = dim.window.padLow;
    dims.push_back({*algorithm, isForward ? dim.input : dim.output,
                    isForward ? dim.output : dim.input,
                    isForward ? padLow : dim.filter - 1 - padLow,
                    dim.window.reverse == isForward});
  }
  return dims;
}

Transform WinogradSums::transformOf(FractionMatrix CookToom::*matrix) const {
  std::vector<Matrix> matrices;
  for (const TiledDim &dim : dims)
    matrices.push_back(magnitudes(dim.algorithm.*matrix));
  return Transform(std::move(matrices));
}

WinogradSums::WinogradSums(const ReferenceProblem &problem,
                           const std::vector<int64_t> &tile,
                           ReferenceResult &reference)
    : problem(problem), reference(reference),
      data(problem.direction == Direction::Forward ? Operand::Input
                                                   : Operand::Output),
      reduced(data == Operand::Input ? 'c' : 'f'),
      column(data == Operand::Input ? 'f' : 'c'),
      reducedCount(problem.shape.size(Operand::Filter, reduced)),
      columnCount(problem.shape.size(Operand::Filter, column)),
      dims(tileDims(problem, tile)),
      letters(spatialLetters(static_cast<int>(tile.size()))),
      input(transformOf(&CookToom::input)),
      filter(transformOf(&CookToom::filter)),
      output(transformOf(&CookToom::output)) {
  for (const TiledDim &dim : dims)
    productCount *= dim.algorithm.products();
}

double WinogradSums::load(Operand operand, const LogicalIndex &index) const {
  auto place = static_cast<size_t>(operand);
  const OperandData &array = problem.operands[place];
  return std::abs(loadDouble(problem.numerics.type(operand), array.data,
                             array.index.offset(index)));
}

LogicalIndex WinogradSums::indexAt(const std::vector<int64_t> &position) const {
  LogicalIndex index{};
  for (size_t dim = 0; dim < position.size(); ++dim)
    index[logicalDim(letters[dim])] = position[dim];
  return index;
}

std::vector<int64_t> WinogradSums::sizesOf(int64_t (CookToom::*size)()
                                               const) const {
  std::vector<int64_t> sizes;
  for (const TiledDim &dim : dims)
    sizes.push_back((dim.algorithm.*size)());
  return sizes;
}

void WinogradSums::transformTaps(int64_t f) {
  std::vector<int64_t> sizes = sizesOf(&CookToom::taps);
  for (int64_t c = 0; c < reducedCount; ++c) {
    std::vector<double> window;
    forEachPosition(sizes, [&](std::vector<int64_t> tap) {
      for (size_t dim = 0; dim < tap.size(); ++dim)
        if (dims[dim].flipsTaps)
          tap[dim] = sizes[dim] - 1 - tap[dim];
      LogicalIndex index = indexAt(tap);
      index[logicalDim(reduced)] = c;
      index[logicalDim(column)] = f;
      double value = load(Operand::Filter, index);
      bool isFinite = std::isfinite(value);
      tapsAreFinite[f] = tapsAreFinite[f] && isFinite;
      window.push_back(isFinite ? value : 0);
    });
    std::vector<double> transformed = filter.apply(std::move(window));
    for (int64_t product = 0; product < productCount; ++product) {
      double value = transformed[product];
      taps[(product * reducedCount + c) * columnCount + f] = value;
      tapSums[product * columnCount + f] += value;
      largestTaps[f] = std::max(largestTaps[f], value);
    }
  }
}

std::vector<double> WinogradSums::Tile::transformInputs(
    int64_t image, const std::vector<int64_t> &tile, int64_t channel) {
  std::vector<double> window;
  forEachPosition(
      all.sizesOf(&CookToom::products), [&](std::vector<int64_t> at) {
        bool isInside = true;
        for (size_t number = 0; number < at.size(); ++number) {
          const TiledDim &dim = all.dims[number];
          at[number] += tile[number] * dim.algorithm.outputs() - dim.padLow;
          isInside &= at[number] >= 0 && at[number] < dim.input;
        }
        double value = 0;
        if (isInside) {
          LogicalIndex index = all.indexAt(at);
          index[logicalDim('n')] = image;
          index[logicalDim(all.reduced)] = channel;
          value = all.load(all.data, index);
        }
        bool isFinite = std::isfinite(value);
        inputsAreFinite = inputsAreFinite && isFinite;
        window.push_back(isFinite ? value : 0);
      });
  return all.input.apply(std::move(window));
}

void WinogradSums::Tile::compute(int64_t image,
                                 const std::vector<int64_t> &tile) {
  inputSums.assign(all.productCount, 0);
  products.assign(all.productCount * all.columnCount, 0);
  largestInput = 0;
  inputsAreFinite = true;
  for (int64_t c = 0; c < all.reducedCount; ++c) {
    std::vector<double> transformed = transformInputs(image, tile, c);
    for (int64_t product = 0; product < all.productCount; ++product) {
      double value = transformed[product];
      inputSums[product] += value;
      largestInput = std::max(largestInput, value);
      const double *from =
          &all.taps[(product * all.reducedCount + c) * all.columnCount];
      double *to = &products[product * all.columnCount];
      for (int64_t f = 0; f < all.columnCount; ++f)
        to[f] += value * from[f];
    }
  }
  for (int64_t f = 0; f < all.columnCount; ++f)
    storeColumn(image, tile, f);
}

void WinogradSums::Tile::storeColumn(int64_t image,
                                     const std::vector<int64_t> &tile,
                                     int64_t f) const {
  std::vector<double> sums, underflows;
  double peak = std::max(largestInput, all.largestTaps[f]);
  double lostInput = all.input.underflows(), lostTap = all.filter.underflows();
  for (int64_t product = 0; product < all.productCount; ++product) {
    double sum = products[product * all.columnCount + f];
    peak = std::max(peak, sum);
    sums.push_back(sum);
    underflows.push_back(lostTap * inputSums[product] +
                         lostInput *
                             all.tapSums[product * all.columnCount + f] +
                         static_cast<double>(all.reducedCount));
  }
  bool isFinite = inputsAreFinite && all.tapsAreFinite[f];
  if (!isFinite)
    peak = std::numeric_limits<double>::infinity();
  sums = all.output.apply(std::move(sums));
  underflows = all.output.apply(std::move(underflows));
  std::vector<int64_t> sizes = all.sizesOf(&CookToom::outputs);
  ReferenceResult &reference = all.reference;
  size_t number = 0;
  forEachPosition(sizes, [&](std::vector<int64_t> at) {
    size_t current = number++;
    for (size_t dim = 0; dim < at.size(); ++dim) {
      at[dim] += tile[dim] * sizes[dim];
      if (at[dim] >= all.dims[dim].output)
        return;
    }
    LogicalIndex index = all.indexAt(at);
    index[logicalDim('n')] = image;
    index[logicalDim(all.column)] = f;
    auto place = static_cast<size_t>(reference.index.offset(index));
    double init = 0;
    if (const std::optional<OperandData> &given = all.problem.init)
      init = std::abs(
          loadDouble(reference.type, given->data, given->index.offset(index)));
    reference.magnitude[place] =
        sums[current] + (std::isfinite(init) ? init : 0);
    reference.underflows[place] = underflows[current] + all.output.underflows();
    reference.peak[place] = peak;
    if (!isFinite)
      reference.flags[place] |= NonFinitePadding;
  });
}

void WinogradSums::setRoundings() {
  reference.roundings = 1 + reducedCount + (reference.hasInit ? 1 : 0);
  reference.sharedProducts = static_cast<double>(productCount);
  reference.denominator = 1;
  for (const TiledDim &dim : dims) {
    const CookToom &algorithm = dim.algorithm;
    reference.sharedProducts *= static_cast<double>(algorithm.products());
    reference.roundings += countTransformRoundings(algorithm);
    reference.denominator *=
        isDyadic(algorithm.filter)
            ? static_cast<double>(commonDenominator(algorithm.input) *
                                  commonDenominator(algorithm.filter) *
                                  commonDenominator(algorithm.output))
            : std::numeric_limits<double>::infinity();
  }
}

void WinogradSums::compute(int threads) {
  setRoundings();
  size_t count = reference.magnitude.size();
  reference.underflows.assign(count, 0);
  reference.peak.assign(count, 0);
  if (reference.flags.empty())
    reference.flags.assign(count, 0);
  taps.resize(productCount * reducedCount * columnCount);
  tapSums.assign(productCount * columnCount, 0);
  largestTaps.assign(columnCount, 0);
  tapsAreFinite.assign(columnCount, true);
  forEachInThreads(columnCount, threads,
                   [&] { return [&](int64_t f) { transformTaps(f); }; });
  std::vector<std::vector<int64_t>> tiles;
  std::vector<int64_t> counts;
  for (const TiledDim &dim : dims)
    counts.push_back(dim.tiles());
  forEachPosition(
      counts, [&](const std::vector<int64_t> &tile) { tiles.push_back(tile); });
  auto ofImage = static_cast<int64_t>(tiles.size());
  forEachInThreads(problem.shape.batch * ofImage, threads, [&] {
    return [&, tile = Tile(*this)](int64_t i) mutable {
      tile.compute(i / ofImage, tiles[static_cast<size_t>(i % ofImage)]);
    };
  });
}

void takeWinogradSums(const ReferenceProblem &problem,
                      const std::vector<int64_t> &tile,
                      ReferenceResult &reference,
                      const ReferenceOptions &options) {
  WinogradSums(problem, tile, reference)
      .compute(getReferenceThreads(problem, options));
}

} // namespace convoy
