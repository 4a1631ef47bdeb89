//===- Compare.cpp - Is this the convolution's result? --------------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Runtime/Compare.h"

#include "convoy/Runtime/Poison.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>

namespace convoy {

static constexpr double Infinity = std::numeric_limits<double>::infinity();

PerStage<SumStage> getStages(const PerStage<ReferenceStage> &stages,
                             size_t place) {
  auto at = [&](const ReferenceStage &stage) {
    return SumStage{stage.roundings, stage.magnitude[place]};
  };
  return {at(stages.taps), at(stages.inputs), at(stages.products),
          at(stages.results)};
}

SumFacts getSumFacts(const ReferenceResult &reference, size_t place) {
  SumFacts sum;
  sum.value = reference.value[place];
  sum.magnitude = reference.magnitude[place];
  sum.length = reference.length[place];
  sum.hasInit = reference.hasInit;
  if (!reference.operandSum.empty())
    sum.operandSum = reference.operandSum[place];
  sum.roundings = reference.roundings;
  if (!reference.underflows.empty()) {
    sum.underflows = reference.underflows[place];
    sum.peak = reference.peak[place];
  }
  if (reference.stages)
    sum.stages = getStages(*reference.stages, place);
  return sum;
}

namespace {

/// Judges the elements of one floating-point result.
class FloatJudge {
public:
  FloatJudge(const ReferenceResult &reference, const ErrorBound &bound,
             const CompareOptions &options)
      : reference(reference), bound(bound), exact(options.exact) {
    if (options.drawn)
      kappa = bound.deviations(std::accumulate(reference.length.begin(),
                                               reference.length.end(), 0.0) *
                               reference.sharedProducts);
  }

  ElementCheck check(size_t place, double actual) const {
    SumFacts sum = getSumFacts(reference, place);
    uint8_t flags = reference.flags.empty() ? 0 : reference.flags[place];
    ElementCheck result;
    result.expected = sum.value + low(place);
    result.actual = actual;
    if (flags & NonFiniteTerm)
      judgeClass(result, sum, flags);
    else if (!std::isfinite(actual) || !std::isfinite(sum.value))
      judgeOverflow(result, sum, flags);
    else
      judgeError(result, sum, place);
    return result;
  }

private:
  /// What is to be added to the reference's value.
  double low(size_t place) const {
    return reference.valueLow.empty() ? 0.0 : reference.valueLow[place];
  }

  /// NaN and infinite sums: the class counts, and the sign of infinity.
  void judgeClass(ElementCheck &result, const SumFacts &sum,
                  uint8_t flags) const {
    bool nanAllowed = flags & NonFinitePadding || bound.sumMayOverflow(sum) ||
                      (bound.targetArithmetic().flushesSubnormals &&
                       flags & InfinityTimesSubnormal);
    if (std::isnan(result.actual))
      result.isRight = std::isnan(sum.value) || nanAllowed;
    else
      result.isRight = result.actual == sum.value;
    result.isCompared = false;
    result.error = result.isRight ? 0 : Infinity;
  }

  /// A finite sum whose result is not finite, or that overflows even double.
  void judgeOverflow(ElementCheck &result, const SumFacts &sum,
                     uint8_t flags) const {
    result.isCompared = false;
    if (std::isnan(result.actual) && flags & NonFinitePadding)
      return;
    bool mayOverflow =
        std::isinf(result.actual)
            ? bound.resultMayOverflow(sum, std::copysign(1.0, result.actual))
            : bound.sumMayOverflow(sum);
    result.isRight = result.isOverflow = mayOverflow && !exact;
    result.error = result.isRight ? 0 : Infinity;
  }

  void judgeError(ElementCheck &result, const SumFacts &sum,
                  size_t place) const {
    result.error = std::abs((result.actual - sum.value) - low(place));
    result.bound = exact ? 0.0 : bound.resultError(sum);
    if (kappa > 0)
      result.probableBound = bound.probableError(sum, kappa);
    result.isRight = result.error <= result.bound;
    if (result.isRight || exact || bound.targetArithmetic().roundsToNearest)
      return;
    // Other roundings turn an overflow into the largest number, from which the
    // sum may go on.
    double largest = bound.resultFormat().largest();
    result.isOverflow =
        bound.sumMayOverflow(sum) ||
        (std::abs(result.actual) == largest &&
         bound.resultMayOverflow(sum, std::copysign(1.0, result.actual)));
    result.isRight = result.isOverflow;
    result.isCompared = !result.isOverflow;
  }

  const ReferenceResult &reference;
  const ErrorBound &bound;
  bool exact;
  double kappa = 0; ///< 0 where rounding errors are not random
};

/// Names the elements of a result by the letters of its layout.
class ElementNames {
public:
  ElementNames(const Layout &layout, Operand operand, const LogicalIndex &sizes)
      : letters(layout.letters()), sizes(sizes) {
    if (!layout.hasGroups())
      grouped = Layout::groupedLetter(operand);
  }

  ElementPlace operator()(const LogicalIndex &element) const {
    if (letters.empty())
      return {toString(element, sizes), {}, {}};
    ElementPlace place{{}, letters, {}};
    for (char letter : letters) {
      size_t dim = logicalDim(letter);
      int64_t position = element[dim];
      if (letter == grouped)
        position += element[logicalDim('g')] * sizes[dim];
      place.index.push_back(position);
      place.text += (place.text.empty() ? "" : " ") + std::string(1, letter) +
                    '=' + std::to_string(position);
    }
    return place;
  }

  /// The axes of ElementPlace::index.
  std::vector<ErrorAxis> axes() const {
    std::vector<ErrorAxis> axes;
    for (char letter : letters) {
      int64_t size = sizes[logicalDim(letter)];
      if (letter == grouped)
        size *= sizes[logicalDim('g')];
      axes.push_back({std::string(1, letter), size});
    }
    return axes;
  }

private:
  std::string letters;
  LogicalIndex sizes;
  char grouped = 0; ///< the letter that counts through all groups
};

} // namespace

/// Integers are equal modulo 2^32 or wrong.
static ElementCheck checkInteger(int64_t expected, int64_t actual) {
  ElementCheck result;
  auto wrapped = static_cast<int32_t>(static_cast<uint32_t>(expected));
  result.expected = wrapped;
  result.actual = static_cast<double>(actual);
  result.error = std::abs(result.actual - result.expected);
  result.isRight = result.error == 0;
  result.isOverflow = result.isRight && wrapped != expected;
  return result;
}

/// Exact sums must not pass the integers that accumulator and result hold.
static std::string refuseExact(const ReferenceResult &reference,
                               const ConvNumerics &numerics) {
  int precision = std::min(floatFormat(numerics.accumulator).precision,
                           floatFormat(reference.type).precision);
  double limit = std::ldexp(1.0, precision);
  for (double magnitude : reference.magnitude)
    if (!(magnitude <= limit))
      return "sums are not exact: expected the magnitudes of the terms to add "
             "up to at most 2^" +
             std::to_string(precision) + ", but got " +
             std::to_string(magnitude);
  return {};
}

bool sumsStayExact(const ReferenceResult &reference) {
  if (reference.denominator == 1)
    return true;
  double limit = std::ldexp(1.0, floatFormat(reference.type).precision);
  auto fits = [&](double magnitude) {
    return magnitude * reference.denominator <= limit;
  };
  return std::ranges::all_of(reference.magnitude, fits) &&
         std::ranges::all_of(reference.peak, fits);
}

static CompareReport
compareFloats(const ReferenceResult &reference, Direction direction,
              const ConvNumerics &numerics, const OperandIndex &index,
              const ElementNames &names, const void *actual,
              const CompareOptions &options) {
  assert((!options.target.flushesSubnormals ||
          reference.operandSum.size() == reference.value.size()) &&
         "bounds with flushed subnormals need operand sums");
  CompareReport report;
  ErrorBound bound(direction, numerics, options.target, options.sums);
  int64_t longest = 0;
  for (int64_t length : reference.length)
    longest = std::max(longest, length);
  report.refusal = options.exact ? refuseExact(reference, numerics)
                                 : bound.refuse(longest).value_or("");
  if (!report.refusal.empty())
    return report;

  FloatJudge judge(reference, bound, options);
  ReportBuilder builder(reference.type);
  if (options.survey)
    builder.survey(names.axes());
  forEachIndex(index.sizes, [&](const LogicalIndex &element) {
    auto place = static_cast<size_t>(reference.index.offset(element));
    int64_t offset = index.offset(element);
    ElementCheck check =
        judge.check(place, loadDouble(reference.type, actual, offset));
    if (isPoison(reference.type, actual, offset)) {
      check.isUnwritten = true;
      check.isRight = check.isOverflow = false;
      check.error = Infinity;
    }
    builder.add(check, [&] { return names(element); });
  });
  return builder.finish();
}

static CompareReport compareIntegers(const ReferenceResult &reference,
                                     const OperandIndex &index,
                                     const ElementNames &names,
                                     const void *actual, bool survey) {
  ReportBuilder builder(reference.type);
  if (survey)
    builder.survey(names.axes());
  forEachIndex(index.sizes, [&](const LogicalIndex &element) {
    auto place = static_cast<size_t>(reference.index.offset(element));
    int64_t offset = index.offset(element);
    ElementCheck check = checkInteger(
        reference.integer[place], loadInteger(reference.type, actual, offset));
    if (!check.isRight && isPoison(reference.type, actual, offset)) {
      check.isUnwritten = true;
      check.error = Infinity;
    }
    builder.add(check, [&] { return names(element); });
  });
  return builder.finish();
}

CompareReport
compareWithReference(const ReferenceResult &reference, Direction direction,
                     const ConvNumerics &numerics, const OperandIndex &index,
                     const void *actual, const CompareOptions &options) {
  assert((!options.survey || !options.layout.letters().empty()) &&
         "a survey needs the result's layout");
  ElementNames names(options.layout, directionRoles(direction).result,
                     index.sizes);
  if (isFloat(reference.type))
    return compareFloats(reference, direction, numerics, index, names, actual,
                         options);
  return compareIntegers(reference, index, names, actual, options.survey);
}

} // namespace convoy
