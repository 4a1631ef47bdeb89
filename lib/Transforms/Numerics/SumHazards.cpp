//===- SumHazards.cpp - Why a sum may be no number --------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SumHazards.h"

#include "convoy/Transforms/Utils/Choices.h"

#include "llvm/Support/Format.h"

#include <algorithm>
#include <cmath>

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::Direction;

std::string mlir::convoy::getNumberText(double value) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%g", value);
  return text;
}

std::string mlir::convoy::getTypeText(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << '\'' << type << '\'';
  return text;
}

/// What operand `number` (0 or 1), or the init (2), is called.
static StringRef getOperandName(ConvolutionOpInterface op, unsigned number) {
  if (number == 2)
    return "init";
  bool isGradient =
      (number == 0 && op.getDirection() == Direction::BackwardData) ||
      (number == 1 && op.getDirection() == Direction::BackwardFilter);
  if (isGradient)
    return "output's gradient";
  return number == 0 ? "input" : "filter";
}

SumRange SumPart::take(const SumRange &sum) const {
  if (isWhole())
    return sum;
  // The most that all of them add up to bounds some of them, too.
  return SumRange(sum.length / double(of) * double(channels), sum.term,
                  NumberRange::constant(0), sum.magnitude);
}

/// The first operand of which only its type is known, as a sentence.
static std::string findUnknown(ConvolutionOpInterface op, RangeLookup lookup,
                               bool countInit) {
  for (unsigned number = 0; number < (countInit ? 3 : 2); ++number) {
    NumberRange range =
        number == 2 ? lookup(op.getInit()) : getFactorRange(op, number, lookup);
    Type type = getElementTypeOrSelf(op->getOperand(number).getType());
    if (!range.isNarrowerThan(type))
      return (getWords(Choice::RangeUnknown) + getOperandName(op, number))
          .str();
  }
  return "";
}

std::string mlir::convoy::findSumHazard(ConvolutionOpInterface op,
                                        FloatType accumulator,
                                        RangeAnalysis &ranges,
                                        const SumPart &part) {
  auto lookup = [&](Value value) { return ranges.getRange(value); };
  std::string unknown = findUnknown(op, lookup, part.isWhole());
  if (!unknown.empty())
    return unknown;
  std::optional<SumRange> sum = getSumRange(op, lookup);
  if (!sum)
    return getWords(Choice::DynamicSizes).str();
  sum = part.take(*sum);

  // Twice the unit roundoff, for targets that do not round to nearest.
  double unit = 2 * getUnitRoundoff(accumulator);
  double terms = sum->getTerms();
  if (terms * unit >= 0.125)
    return "sums of " + getNumberText(terms) +
           getWords(Choice::SumsTooLong).str() + ", expected fewer than " +
           getNumberText(0.125 / unit);
  double peak = sum->getPeak(accumulator);
  double largest = NumberRange::allOf(accumulator).high;
  if (!(peak < largest))
    return "sums of " + getNumberText(sum->length) +
           getWords(Choice::SumsTooLarge).str() + getNumberText(peak) +
           ", expected less than " + getNumberText(largest);
  double smallest = getSmallestNormal(accumulator);
  if (sum->term.smallest != 0 && sum->term.smallest < smallest)
    return getWords(Choice::ProductsTooSmall).str() +
           getNumberText(sum->term.smallest) + ", expected at least " +
           getNumberText(smallest);
  return "";
}

/// The least number of products of `term` that leave `all`, the numbers of the
/// accumulator's type, or infinity.
static double getFewestTooMany(const NumberRange &term,
                               const NumberRange &all) {
  double fewest = INFINITY;
  if (term.high > 0)
    fewest = std::floor(all.high / term.high) + 1;
  if (term.low < 0)
    fewest = std::min(fewest, std::floor(all.low / term.low) + 1);
  return fewest;
}

std::string mlir::convoy::findWrapHazard(ConvolutionOpInterface op,
                                         bool countInit,
                                         RangeAnalysis &ranges) {
  Type type = op.getAccumulatorType();
  auto lookup = [&](Value value) { return ranges.getRange(value); };
  std::optional<SumRange> sum = getSumRange(op, lookup);
  if (!sum)
    return countInit ? getWords(Choice::DynamicSizes).str() : "";
  if (countInit || sum->init.isNarrowerThan(type)) {
    if (!mayOverflow(sum->exact, type))
      return "";
  }
  std::string length = getNumberText(sum->length);
  double fewest = getFewestTooMany(sum->term, NumberRange::allOf(type));
  std::string text;
  llvm::raw_string_ostream os(text);
  if (fewest <= sum->length)
    os << "adds " << int64_t(sum->length) << " products, and "
       << getTypeText(type) << " can wrap from " << llvm::format("%.0f", fewest)
       << " on";
  else if (countInit || sum->init.isNarrowerThan(type))
    os << "adds " << int64_t(sum->length) << " products to an init of up to "
       << llvm::format("%.0f", sum->init.getLargest()) << ", and "
       << getTypeText(type) << " can wrap";
  return text;
}
