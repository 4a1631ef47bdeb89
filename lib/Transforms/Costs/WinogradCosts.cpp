//===- WinogradCosts.cpp - What Winograd's algorithm takes ------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Transforms/Costs/WinogradCosts.h"

#include "convoy/Support/CookToom.h"
#include "convoy/Transforms/Costs/CycleCosts.h"
#include "convoy/Transforms/Utils/AssumedSize.h"

#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::CookToom;
using ::convoy::Direction;
using ::convoy::FractionMatrix;
using ::convoy::Operand;

namespace {
/// The sizes of the convolution that the products make up.
struct WinogradSizes {
  double images, reduced, columns;
  SmallVector<int64_t> results, taps; ///< along each spatial dimension
};
} // namespace

static WinogradSizes getSizes(ConvolutionOpInterface op) {
  bool isForward = op.getDirection() == Direction::Forward;
  Operand result = isForward ? Operand::Output : Operand::Input;
  WinogradSizes sizes;
  sizes.images = estimateSize(op.getSize(result, 'n'));
  sizes.reduced =
      estimateSize(op.getSize(Operand::Filter, isForward ? 'c' : 'f'));
  sizes.columns =
      estimateSize(op.getSize(Operand::Filter, isForward ? 'f' : 'c'));
  for (char letter :
       ::convoy::spatialLetters(op.getLayout().getSpatialRank())) {
    sizes.results.push_back(op.getSize(result, letter));
    sizes.taps.push_back(op.getSize(Operand::Filter, letter));
  }
  return sizes;
}

/// Numbers of `matrix` that are not zero, each of which takes an addition or a
/// multiply-add.
static double countTerms(const FractionMatrix &matrix) {
  double terms = 0;
  for (const auto &row : matrix)
    terms += double(llvm::count_if(
        row, [](const auto &number) { return !number.isZero(); }));
  return terms;
}

/// Cycles for a vector of transformed numbers, each dimension by its matrix:
/// arithmetic, and what is read and written.
static double getTransformCycles(ArrayRef<const FractionMatrix *> matrices,
                                 TargetAttr target) {
  double read = 1, operations = 0;
  for (const FractionMatrix *matrix : matrices)
    read *= double(matrix->front().size());
  double numbers = read;
  for (const FractionMatrix *matrix : matrices) {
    numbers /= double(matrix->front().size());
    operations += numbers * countTerms(*matrix);
    numbers *= double(matrix->size());
  }
  return operations * target.getCore().getVectorOpCycles() +
         (read + numbers) * kNearVectorCycles;
}

/// Cycles for a line of `bytes` that are gone through again and again.
static double getLineCycles(double bytes, TargetAttr target) {
  if (bytes > double(target.getLastLevelBytes()))
    return kMemoryLineCycles;
  return bytes > double(target.getL2Bytes()) ? kPrefetchedLineCycles : 0;
}

double mlir::convoy::getWinogradCycles(ConvolutionOpInterface op,
                                       ArrayRef<int64_t> tile,
                                       TargetAttr target) {
  WinogradSizes sizes = getSizes(op);
  double lanes =
      double(target.getVectorLanes(getElementTypeOrSelf(op.getInit())));
  SmallVector<CookToom> algorithms;
  SmallVector<int64_t> counts;
  double tiles = sizes.images, products = 1;
  for (auto [size, results, taps] :
       llvm::zip_equal(tile, sizes.results, sizes.taps)) {
    algorithms.push_back(*::convoy::getCookToom(size, taps));
    counts.push_back(llvm::divideCeil(results, size));
    tiles *= double(counts.back());
    products *= double(algorithms.back().products());
  }
  auto transform = [&](FractionMatrix CookToom::*matrix) {
    SmallVector<const FractionMatrix *> matrices;
    for (const CookToom &algorithm : algorithms)
      matrices.push_back(&(algorithm.*matrix));
    return getTransformCycles(matrices, target);
  };
  double reduced = std::ceil(sizes.reduced / lanes);
  double columns = std::ceil(sizes.columns / lanes);
  double multiply = tiles * products * sizes.reduced * columns *
                    target.getCore().getVectorOpCycles();
  // The transformed filter is written once, and read for each block.
  WinogradBlock block =
      getWinogradBlock(int64_t(sizes.images), counts, int64_t(products),
                       int64_t(sizes.reduced + sizes.columns), target);
  double blockTiles = double(block.images);
  for (int64_t count : block.tiles)
    blockTiles *= double(count);
  double bytes = 4 * products * sizes.reduced * sizes.columns;
  double passes = 1 + std::ceil(tiles / blockTiles);
  double lines = bytes / double(target.getCore().lineBytes) * passes *
                 getLineCycles(bytes, target);
  return lines + multiply + tiles * reduced * transform(&CookToom::input) +
         tiles * columns * transform(&CookToom::output) +
         sizes.reduced * columns * transform(&CookToom::filter);
}

double mlir::convoy::getDirectCycles(ConvolutionOpInterface op,
                                     TargetAttr target) {
  WinogradSizes sizes = getSizes(op);
  double lanes =
      double(target.getVectorLanes(getElementTypeOrSelf(op.getInit())));
  double products = sizes.images * sizes.reduced;
  for (auto [results, taps] : llvm::zip_equal(sizes.results, sizes.taps))
    products *= double(results) * double(taps);
  return products * std::ceil(sizes.columns / lanes) *
         target.getCore().getVectorOpCycles();
}

/// The least tiles that share what is read of a transformed filter, which may
/// come from beyond the L2 cache, and the most that are worth it.
static constexpr int64_t kLeastTiles = 24, kMostTiles = 96;

/// Parts of `size` that are at most `most` long, as even as can be.
static int64_t getEvenPart(int64_t size, int64_t most) {
  most = std::max<int64_t>(most, 1);
  return llvm::divideCeil(size, llvm::divideCeil(size, most));
}

WinogradBlock mlir::convoy::getWinogradBlock(int64_t images,
                                             ArrayRef<int64_t> tiles,
                                             int64_t products, int64_t channels,
                                             TargetAttr target) {
  // Half of the cache is left for what comes and goes.
  int64_t fitting = target.getL2Bytes() / 2 / (4 * products * channels);
  int64_t most = std::clamp(fitting, kLeastTiles, kMostTiles);
  WinogradBlock block;
  block.tiles.assign(tiles.begin(), tiles.end());
  int64_t left = most;
  for (int64_t &size : llvm::reverse(block.tiles)) {
    size = getEvenPart(size, left);
    left = llvm::divideCeil(left, size);
  }
  bool isWhole = ArrayRef(block.tiles) == tiles;
  for (int64_t size = 2; isWhole && size <= left; ++size)
    if (ShapedType::isStatic(images) && images % size == 0)
      block.images = size;
  return block;
}
