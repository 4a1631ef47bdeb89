//===- WinogradBound.cpp - How far Winograd's sums may be off -------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Runtime/WinogradBound.h"

#include "ForEachInThreads.h"
#include "TileTransform.h"

#include "convoy/Support/WinogradGrowth.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace convoy {

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

/// An element of an operand, and how far off it may be.
struct Number {
  double value = 0, error = 0;

  bool isFinite() const { return std::isfinite(value) && std::isfinite(error); }
};

/// Transformed numbers.
struct Transformed {
  std::vector<double> values;     ///< magnitudes where elements have errors
  std::vector<double> passing;    ///< what passes the transform's roundings
  std::vector<double> magnitudes; ///< of all terms

  Transformed(const TileTransform &transform, const std::vector<Number> &window,
              bool isExact);
};

/// What is known of the results of one tile and column.
struct TileResults {
  std::vector<double> magnitudes, underflows;
  PerStage<std::vector<double>> stages;
  double peak;
  bool isFinite;
};

/// What is known of all tiles: their algorithms, and the filter's taps.
class WinogradSums {
public:
  WinogradSums(const ReferenceProblem &problem,
               const std::vector<int64_t> &tile, ReferenceResult &reference,
               const OperandErrors &errors);

  void compute(int threads);

private:
  class Tile;

  void setRoundings();
  /// Stores what is known of a result of a tile.
  void store(const TileResults &results, size_t number,
             const LogicalIndex &index) const;
  /// Fills what is known of the taps of one column.
  void transformTaps(int64_t column);
  /// The operand's element at `index`.
  Number load(Operand operand, const LogicalIndex &index) const;
  void makeTransforms();
  LogicalIndex indexAt(const std::vector<int64_t> &position) const;
  /// The results, taps or products of a tile along each dimension.
  std::vector<int64_t> sizesOf(int64_t (CookToom::*size)() const) const;

  const ReferenceProblem &problem;
  ReferenceResult &reference;
  const OperandErrors &errors;
  bool isExact = true; ///< no element has an error
  Operand data;
  char reduced, column;
  int64_t reducedCount, columnCount;
  std::vector<TiledDim> dims;
  std::string_view letters;
  int64_t productCount = 1;     ///< of a tile
  TransformRoundings roundings; ///< in all dimensions together
  TileTransform input, filter, output;

  /// By product, reduced channel and column: transformed taps, of which there
  /// are the magnitudes alone where elements have errors, and what passes the
  /// roundings of their transforms.
  std::vector<double> values, taps;
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
  Transformed transformInputs(int64_t image, const std::vector<int64_t> &tile,
                              int64_t channel);
  /// Adds a channel's products of one number of its transformed inputs.
  void addProducts(const Transformed &inputs, int64_t product, int64_t channel);
  /// The sums of a transformed tile for one column, in each of its results.
  void storeColumn(int64_t image, const std::vector<int64_t> &tile,
                   int64_t column) const;
  std::vector<double> countUnderflows(int64_t column) const;

  const WinogradSums &all;
  /// By product, sums of inputs over reduced channels.
  std::vector<double> inputSums;
  /// By product and column, sums of products and what passes the roundings of
  /// each stage, and all of them.
  std::vector<double> sums;
  PerStage<std::vector<double>> stages;
  std::vector<double> magnitudes;
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

Transformed::Transformed(const TileTransform &transform,
                         const std::vector<Number> &window, bool isExact) {
  std::vector<double> elements, errors, sizes;
  for (const Number &number : window) {
    bool isFinite = number.isFinite();
    elements.push_back(isFinite ? number.value : 0);
    errors.push_back(isFinite ? number.error : 0);
    sizes.push_back(std::abs(elements.back()) + errors.back());
  }
  values = transform.apply(elements);
  magnitudes = transform.applyMagnitudes(std::move(sizes));
  if (isExact) {
    passing = transform.applyToRoundings(std::move(elements));
    return;
  }
  passing = magnitudes;
  errors = transform.applyMagnitudes(std::move(errors));
  for (size_t place = 0; place < values.size(); ++place)
    values[place] = std::abs(values[place]) + errors[place];
}

void WinogradSums::makeTransforms() {
  for (const TiledDim &dim : dims) {
    productCount *= dim.algorithm.products();
    TransformRoundings ofDim = countTransformRoundings(dim.algorithm);
    roundings += ofDim;
    input.add(dim.algorithm.input, ofDim.inputs);
    filter.add(dim.algorithm.filter, ofDim.taps);
    output.add(dim.algorithm.output, ofDim.sums);
  }
}

WinogradSums::WinogradSums(const ReferenceProblem &problem,
                           const std::vector<int64_t> &tile,
                           ReferenceResult &reference,
                           const OperandErrors &errors)
    : problem(problem), reference(reference), errors(errors),
      data(problem.direction == Direction::Forward ? Operand::Input
                                                   : Operand::Output),
      reduced(data == Operand::Input ? 'c' : 'f'),
      column(data == Operand::Input ? 'f' : 'c'),
      reducedCount(problem.shape.size(Operand::Filter, reduced)),
      columnCount(problem.shape.size(Operand::Filter, column)),
      dims(tileDims(problem, tile)),
      letters(spatialLetters(static_cast<int>(tile.size()))) {
  for (const double *ofOperand : errors)
    isExact = isExact && !ofOperand;
  makeTransforms();
}

Number WinogradSums::load(Operand operand, const LogicalIndex &index) const {
  auto place = static_cast<size_t>(operand);
  const OperandData &array = problem.operands[place];
  int64_t offset = array.index.offset(index);
  return {loadDouble(problem.numerics.type(operand), array.data, offset),
          errors[place] ? errors[place][offset] : 0};
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
    std::vector<Number> window;
    forEachPosition(sizes, [&](std::vector<int64_t> tap) {
      for (size_t dim = 0; dim < tap.size(); ++dim)
        if (dims[dim].flipsTaps)
          tap[dim] = sizes[dim] - 1 - tap[dim];
      LogicalIndex index = indexAt(tap);
      index[logicalDim(reduced)] = c;
      index[logicalDim(column)] = f;
      window.push_back(load(Operand::Filter, index));
      tapsAreFinite[f] = tapsAreFinite[f] && window.back().isFinite();
    });
    Transformed transformed(filter, window, isExact);
    for (int64_t product = 0; product < productCount; ++product) {
      double value = transformed.magnitudes[product];
      int64_t place = (product * reducedCount + c) * columnCount + f;
      values[place] = transformed.values[product];
      taps[place] = value;
      tapSums[product * columnCount + f] += value;
      largestTaps[f] = std::max(largestTaps[f], value);
    }
  }
}

Transformed WinogradSums::Tile::transformInputs(
    int64_t image, const std::vector<int64_t> &tile, int64_t channel) {
  std::vector<Number> window;
  forEachPosition(
      all.sizesOf(&CookToom::products), [&](std::vector<int64_t> at) {
        bool isInside = true;
        for (size_t number = 0; number < at.size(); ++number) {
          const TiledDim &dim = all.dims[number];
          at[number] += tile[number] * dim.algorithm.outputs() - dim.padLow;
          isInside &= at[number] >= 0 && at[number] < dim.input;
        }
        Number &number = window.emplace_back();
        if (isInside) {
          LogicalIndex index = all.indexAt(at);
          index[logicalDim('n')] = image;
          index[logicalDim(all.reduced)] = channel;
          number = all.load(all.data, index);
        }
        inputsAreFinite = inputsAreFinite && number.isFinite();
      });
  return Transformed(all.input, window, all.isExact);
}

void WinogradSums::Tile::addProducts(const Transformed &inputs, int64_t product,
                                     int64_t channel) {
  int64_t from = (product * all.reducedCount + channel) * all.columnCount;
  int64_t to = product * all.columnCount;
  double value = inputs.values[product], size = std::abs(value);
  double passing = inputs.passing[product];
  double most = inputs.magnitudes[product];
  for (int64_t f = 0; f < all.columnCount; ++f) {
    double tap = all.values[from + f], mostOfTap = all.taps[from + f];
    sums[to + f] += value * tap;
    stages.products[to + f] += size * std::abs(tap);
    stages.inputs[to + f] += passing * std::abs(tap);
    stages.taps[to + f] += size * mostOfTap;
    magnitudes[to + f] += most * mostOfTap;
  }
}

void WinogradSums::Tile::compute(int64_t image,
                                 const std::vector<int64_t> &tile) {
  inputSums.assign(all.productCount, 0);
  for (std::vector<double> *numbers :
       {&sums, &stages.taps, &stages.inputs, &stages.products, &magnitudes})
    numbers->assign(all.productCount * all.columnCount, 0);
  largestInput = 0;
  inputsAreFinite = true;
  for (int64_t c = 0; c < all.reducedCount; ++c) {
    Transformed inputs = transformInputs(image, tile, c);
    for (int64_t product = 0; product < all.productCount; ++product) {
      double value = inputs.magnitudes[product];
      inputSums[product] += value;
      largestInput = std::max(largestInput, value);
      addProducts(inputs, product, c);
    }
  }
  for (int64_t f = 0; f < all.columnCount; ++f)
    storeColumn(image, tile, f);
}

void WinogradSums::Tile::storeColumn(int64_t image,
                                     const std::vector<int64_t> &tile,
                                     int64_t f) const {
  auto ofColumn = [&](const std::vector<double> &numbers) {
    std::vector<double> result;
    for (int64_t product = 0; product < all.productCount; ++product)
      result.push_back(numbers[product * all.columnCount + f]);
    return result;
  };
  TileResults results;
  std::vector<double> products = ofColumn(magnitudes);
  results.peak = std::max(
      {largestInput, all.largestTaps[f], *std::ranges::max_element(products)});
  results.isFinite = inputsAreFinite && all.tapsAreFinite[f];
  results.magnitudes = all.output.applyMagnitudes(std::move(products));
  results.underflows = all.output.applyMagnitudes(countUnderflows(f));
  results.stages = {all.output.applyMagnitudes(ofColumn(stages.taps)),
                    all.output.applyMagnitudes(ofColumn(stages.inputs)),
                    all.output.applyMagnitudes(ofColumn(stages.products)),
                    all.output.applyToRoundings(ofColumn(sums))};
  // Of magnitudes alone it is not known what cancels.
  if (!all.isExact)
    results.stages.results = results.stages.products;
  std::vector<int64_t> sizes = all.sizesOf(&CookToom::outputs);
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
    all.store(results, current, index);
  });
}

std::vector<double> WinogradSums::Tile::countUnderflows(int64_t f) const {
  double lostInput = all.input.underflows(), lostTap = all.filter.underflows();
  std::vector<double> underflows;
  for (int64_t product = 0; product < all.productCount; ++product)
    underflows.push_back(lostTap * inputSums[product] +
                         lostInput *
                             all.tapSums[product * all.columnCount + f] +
                         static_cast<double>(all.reducedCount));
  return underflows;
}

void WinogradSums::store(const TileResults &results, size_t number,
                         const LogicalIndex &index) const {
  auto place = static_cast<size_t>(reference.index.offset(index));
  double init = 0;
  if (const std::optional<OperandData> &given = problem.init)
    init = std::abs(
        loadDouble(reference.type, given->data, given->index.offset(index)));
  if (!std::isfinite(init))
    init = 0;
  reference.magnitude[place] = results.magnitudes[number] + init;
  reference.underflows[place] =
      results.underflows[number] + output.underflows();
  reference.peak[place] =
      results.isFinite ? results.peak : std::numeric_limits<double>::infinity();
  if (!results.isFinite)
    reference.flags[place] |= NonFinitePadding;
  PerStage<ReferenceStage> &stages = *reference.stages;
  stages.taps.magnitude[place] = results.stages.taps[number];
  stages.inputs.magnitude[place] = results.stages.inputs[number];
  stages.products.magnitude[place] = results.stages.products[number];
  stages.results.magnitude[place] = results.stages.results[number] + init;
}

void WinogradSums::setRoundings() {
  int64_t ofInit = reference.hasInit ? 1 : 0;
  reference.roundings = roundings.total() + 1 + reducedCount + ofInit;
  PerStage<ReferenceStage> &stages = reference.stages.emplace();
  stages.taps.roundings = roundings.taps;
  stages.inputs.roundings = roundings.inputs;
  stages.products.roundings = 1 + reducedCount;
  stages.results.roundings = roundings.sums + ofInit;
  for (ReferenceStage *stage :
       {&stages.taps, &stages.inputs, &stages.products, &stages.results})
    stage->magnitude.assign(reference.magnitude.size(), 0);
  reference.sharedProducts = static_cast<double>(productCount);
  reference.denominator = 1;
  for (const TiledDim &dim : dims) {
    const CookToom &algorithm = dim.algorithm;
    reference.sharedProducts *= static_cast<double>(algorithm.products());
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
  values.resize(productCount * reducedCount * columnCount);
  taps.resize(values.size());
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
                      const ReferenceOptions &options,
                      const OperandErrors &errors) {
  WinogradSums(problem, tile, reference, errors)
      .compute(getReferenceThreads(problem, options));
}

} // namespace convoy
