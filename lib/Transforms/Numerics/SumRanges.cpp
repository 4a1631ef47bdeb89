//===- SumRanges.cpp - Ranges of convolutions and reductions ----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Transforms/Numerics/RangeAnalysis.h"
#include "convoy/Transforms/Utils/SumLength.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Matchers.h"

#include <algorithm>
#include <cmath>

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::Direction;
using ::convoy::Operand;

//===----------------------------------------------------------------------===//
// Factors
//===----------------------------------------------------------------------===//

/// The range of an operand of integers as it is read, less its zero point.
static NumberRange getIntegerFactor(const NumberRange &range, Type type,
                                    bool isUnsigned, Value zeroPoint,
                                    RangeLookup lookup) {
  NumberRange all = NumberRange::allOf(type);
  if (isUnsigned) {
    double span = all.high - all.low;
    all = {0, span, 1, true};
  }
  NumberRange read = isUnsigned && range.low < 0 ? all : range;
  if (!zeroPoint)
    return read;
  // A zero point is a number that the operand can be.
  return add(read, negate(intersect(all, lookup(zeroPoint))));
}

NumberRange mlir::convoy::getFactorRange(ConvolutionOpInterface op,
                                         unsigned number, RangeLookup lookup) {
  NumericsAttr numerics = op.getNumerics();
  Type type = getElementTypeOrSelf(op->getOperand(number).getType());
  NumberRange range = lookup(op->getOperand(number));
  DenseF64ArrayAttr declared =
      number == 0 ? numerics.getInputRange() : numerics.getFilterRange();
  if (declared)
    range = intersect(range, NumberRange::between(declared[0], declared[1]));
  if (isa<FloatType>(type))
    return fit(range, type);
  return getIntegerFactor(
      range, type,
      number == 0 ? numerics.getInputUnsigned() : numerics.getFilterUnsigned(),
      op.getZeroPoints().empty() ? Value() : op.getZeroPoints()[number],
      lookup);
}

//===----------------------------------------------------------------------===//
// Convolutions
//===----------------------------------------------------------------------===//

namespace {
/// Places of one letter in a row-major tensor.
struct LetterPlaces {
  int64_t size = 1, stride = 1;

  int64_t at(int64_t position) const { return position / stride % size; }
};
} // namespace

static LetterPlaces getPlaces(ConvolutionOpInterface op, char letter) {
  std::string letters = op.getLayout().getLayouts()[Operand::Filter].letters();
  LetterPlaces places;
  size_t dim = letters.find(letter);
  if (dim == std::string::npos)
    return places;
  ArrayRef<int64_t> shape = op.getTypeFor(Operand::Filter).getShape();
  places.size = shape[dim];
  for (int64_t size : shape.drop_front(dim + 1))
    places.stride *= size;
  return places;
}

/// The magnitudes of the taps, where the filter is a constant without a zero
/// point; else none.
static std::vector<double> getTaps(ConvolutionOpInterface op) {
  DenseElementsAttr filter;
  std::vector<double> taps;
  if (!op.getZeroPoints().empty() ||
      !matchPattern(op.getOperandFor(Operand::Filter), m_Constant(&filter)))
    return taps;
  if (auto floats = dyn_cast<DenseFPElementsAttr>(filter))
    for (const APFloat &tap : floats.getValues<APFloat>())
      taps.push_back(std::abs(tap.convertToDouble()));
  else if (isa<DenseIntElementsAttr>(filter))
    for (const APInt &tap : filter.getValues<APInt>())
      taps.push_back(
          std::abs(tap.roundToDouble(!op.getNumerics().getFilterUnsigned())));
  return taps;
}

/// The most that the magnitudes of the taps in a sum add up to; infinite where
/// that is not known.
static double getTapSum(ConvolutionOpInterface op) {
  if (op.getDirection() == Direction::BackwardFilter)
    return INFINITY;
  std::vector<double> taps = getTaps(op);
  if (taps.empty())
    return INFINITY;
  LetterPlaces group = getPlaces(op, 'g');
  LetterPlaces channel =
      getPlaces(op, op.getDirection() == Direction::Forward ? 'f' : 'c');
  std::vector<double> sums(group.size * channel.size, 0);
  for (auto [position, tap] : llvm::enumerate(taps))
    sums[group.at(position) * channel.size + channel.at(position)] += tap;
  double largest = *std::max_element(sums.begin(), sums.end());
  bool isExact =
      largest < 0x1p53 &&
      llvm::all_of(taps, [](double tap) { return tap == std::floor(tap); });
  // A sum of n numbers in double is off by less than n parts in 2^52.
  return isExact ? largest : largest * (1 + double(taps.size()) * 0x1p-52);
}

std::optional<SumRange> mlir::convoy::getSumRange(ConvolutionOpInterface op,
                                                  RangeLookup lookup) {
  std::optional<uint64_t> length = getSumLength(op);
  if (!length)
    return std::nullopt;
  NumberRange input = getFactorRange(op, 0, lookup);
  NumberRange filter = getFactorRange(op, 1, lookup);
  double most = INFINITY;
  double taps = getTapSum(op);
  if (std::isfinite(taps) && input.isFinite)
    most = multiply(NumberRange::constant(taps),
                    NumberRange::constant(input.getLargest()))
               .high;
  return SumRange(double(*length), multiply(input, filter),
                  lookup(op.getInit()), most);
}

//===----------------------------------------------------------------------===//
// Reductions of linalg
//===----------------------------------------------------------------------===//

Value mlir::convoy::getSummedTerm(linalg::LinalgOp op, unsigned number) {
  Value yielded = op.getBlock()->getTerminator()->getOperand(number);
  Operation *sum = yielded.getDefiningOp();
  if (!isa_and_nonnull<arith::AddFOp, arith::AddIOp>(sum))
    return nullptr;
  BlockArgument init =
      op.getMatchingBlockArgument(op.getDpsInitOperand(number));
  for (unsigned side : {0, 1})
    if (sum->getOperand(side) == init && init.hasOneUse())
      return sum->getOperand(1 - side);
  return nullptr;
}

std::optional<SumRange> mlir::convoy::getSumRange(linalg::LinalgOp op,
                                                  unsigned number,
                                                  RangeLookup lookup) {
  Value term = getSummedTerm(op, number);
  double length = 1;
  for (auto [size, kind] :
       llvm::zip_equal(op.getStaticLoopRanges(), op.getIteratorTypesArray())) {
    if (kind != utils::IteratorType::reduction)
      continue;
    if (ShapedType::isDynamic(size))
      return std::nullopt;
    length *= double(size);
  }
  if (!term)
    return std::nullopt;
  return SumRange(length, lookup(term),
                  lookup(op.getDpsInitOperand(number)->get()));
}
