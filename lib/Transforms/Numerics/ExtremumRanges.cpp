//===- ExtremumRanges.cpp - Ranges of maxima and minima ---------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Transforms/Numerics/RangeAnalysis.h"

#include "convoy/Transforms/Utils/ConstantElements.h"

#include "mlir/Analysis/FlatLinearValueConstraints.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::convoy;

/// Whether `value` is the infinity that any number takes the place of, in
/// maxima or in minima.
static bool isNeverTaken(Value value, bool isMax) {
  Attribute constant = getConstantElements(value);
  if (auto splat = dyn_cast_or_null<SplatElementsAttr>(constant))
    constant = splat.getSplatValue<Attribute>();
  auto number = dyn_cast_or_null<FloatAttr>(constant);
  return number && number.getValue().isInfinity() &&
         number.getValue().isNegative() == isMax;
}

//===----------------------------------------------------------------------===//
// Padded windows
//===----------------------------------------------------------------------===//

namespace {
/// The places that a window takes along one dimension of an operand: from
/// anywhere between `first` and `last`, `size` of them `step` apart.
struct WindowPlaces {
  int64_t first = 0, last = 0, size = 1, step = 1;

  /// Whether each window has one of `count` places from `begin` on.
  bool reach(int64_t begin, int64_t count) const {
    return step <= count && last < begin + count &&
           first + (size - 1) * step >= begin;
  }
};
} // namespace

/// The places that `index` takes in the loops of `op`. Nothing where they are
/// not those of a window with loops of its own; these are put into `taken`.
static std::optional<WindowPlaces>
getPlaces(linalg::LinalgOp op, AffineExpr index, llvm::SmallBitVector &taken) {
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  SmallVector<int64_t> factors;
  if (failed(getFlattenedAffineExpr(index, sizes.size(), 0, &factors)) ||
      factors.size() != sizes.size() + 1)
    return std::nullopt;
  WindowPlaces places;
  places.first = places.last = factors.pop_back_val();
  for (auto [loop, factor] : llvm::enumerate(factors)) {
    if (factor == 0)
      continue;
    int64_t size = sizes[loop];
    if (factor < 0 || ShapedType::isDynamic(size) || size == 0 || taken[loop])
      return std::nullopt;
    if (op.getIteratorTypesArray()[loop] == utils::IteratorType::parallel) {
      places.last += factor * (size - 1);
      continue;
    }
    if (places.size > 1)
      return std::nullopt;
    taken.set(loop);
    places.size = size;
    places.step = size == 1 ? 1 : factor;
  }
  return places;
}

/// Whether every window of `operand`, which is the result of `pad`, has an
/// element that was not added.
static bool reachesSource(linalg::LinalgOp op, OpOperand &operand,
                          tensor::PadOp pad) {
  ArrayRef<int64_t> sizes = pad.getSourceType().getShape();
  llvm::SmallBitVector taken(op.getNumLoops());
  for (auto [dim, index] :
       llvm::enumerate(op.getMatchingIndexingMap(&operand).getResults())) {
    std::optional<WindowPlaces> places = getPlaces(op, index, taken);
    int64_t low = pad.getStaticLow()[dim];
    if (ShapedType::isDynamic(low) || ShapedType::isDynamic(sizes[dim]) ||
        !places || !places->reach(low, sizes[dim]))
      return false;
  }
  return true;
}

/// What is padded where `term`, in the body of `op`, is of it in every window,
/// at least once; else null.
static tensor::PadOp findPad(linalg::LinalgOp op, Value term) {
  auto argument = dyn_cast<BlockArgument>(term);
  if (!argument || argument.getOwner() != op.getBlock())
    return {};
  OpOperand *operand = op.getMatchingOpOperand(argument);
  auto pad = operand->get().getDefiningOp<tensor::PadOp>();
  bool isReached =
      pad && pad.getConstantPaddingValue() && reachesSource(op, *operand, pad);
  return isReached ? pad : tensor::PadOp();
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

/// Whether every result has a term.
static bool hasTerms(linalg::LinalgOp op) {
  return llvm::all_of(
      llvm::zip_equal(op.getStaticLoopRanges(), op.getIteratorTypesArray()),
      [](auto loop) {
        auto [size, kind] = loop;
        return kind == utils::IteratorType::parallel ||
               (!ShapedType::isDynamic(size) && size > 0);
      });
}

std::optional<NumberRange> mlir::convoy::getExtremumRange(linalg::LinalgOp op,
                                                          unsigned number,
                                                          RangeLookup lookup) {
  SmallVector<Operation *> combiners;
  Value term = matchReduction(op.getRegionOutputArgs(), number, combiners);
  if (!term || combiners.size() != 1)
    return std::nullopt;
  Operation *combiner = combiners.front();
  bool isMax =
      isa<arith::MaximumFOp, arith::MaxNumFOp, arith::MaxSIOp>(combiner);
  if (!isMax &&
      !isa<arith::MinimumFOp, arith::MinNumFOp, arith::MinSIOp>(combiner))
    return std::nullopt;

  Value init = op.getDpsInitOperand(number)->get();
  if (!hasTerms(op))
    return join(lookup(term), lookup(init));
  auto takeOf = [&](const NumberRange &range, Value other) {
    return isNeverTaken(other, isMax)
               ? range
               : *getExactRange(combiner, {range, lookup(other)});
  };
  NumberRange range;
  if (tensor::PadOp pad = findPad(op, term)) {
    // A window may have none of the padding.
    NumberRange source = lookup(pad.getSource());
    range = join(source, takeOf(source, pad.getConstantPaddingValue()));
  } else {
    range = lookup(term);
  }
  return takeOf(range, init);
}
