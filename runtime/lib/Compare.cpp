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
#include <cstdio>
#include <limits>

namespace convoy {

static constexpr double Infinity = std::numeric_limits<double>::infinity();

namespace {

/// The verdict on one element.
struct ElementCheck {
  double expected = 0, actual = 0;
  double bound = 0;
  /// |actual - expected|; where the class alone counts 0 or infinite.
  double error = 0;
  bool right = true;
  bool overflowed = false;

  double ratio() const {
    if (right && (error == 0 || overflowed))
      return 0;
    // Wrong classes, and errors where none is allowed.
    return std::isfinite(error) && bound > 0 ? error / bound : Infinity;
  }
};

/// Judges the elements of one floating-point result.
class FloatJudge {
public:
  FloatJudge(const ReferenceResult &reference, const ErrorBound &bound,
             bool exact)
      : reference(reference), bound(bound), exact(exact) {}

  ElementCheck check(size_t place, double actual) const {
    SumFacts sum = facts(place);
    uint8_t flags = reference.flags.empty() ? 0 : reference.flags[place];
    ElementCheck result;
    result.expected = sum.value;
    result.actual = actual;
    if (flags & NonFiniteTerm)
      judgeClass(result, sum, flags);
    else if (!std::isfinite(actual) || !std::isfinite(sum.value))
      judgeOverflow(result, sum, flags);
    else
      judgeError(result, sum, place);
    return result;
  }

  SumFacts facts(size_t place) const {
    SumFacts sum;
    sum.value = reference.value[place];
    sum.magnitude = reference.magnitude[place];
    sum.length = reference.length[place];
    sum.hasInit = reference.hasInit;
    if (!reference.operandSum.empty())
      sum.operandSum = reference.operandSum[place];
    return sum;
  }

private:
  /// NaN and infinite sums: the class counts, and the sign of infinity.
  void judgeClass(ElementCheck &result, const SumFacts &sum,
                  uint8_t flags) const {
    bool nanAllowed = flags & NonFinitePadding || bound.sumMayOverflow(sum) ||
                      (bound.targetArithmetic().flushesSubnormals &&
                       flags & InfinityTimesSubnormal);
    if (std::isnan(result.actual))
      result.right = std::isnan(sum.value) || nanAllowed;
    else
      result.right = result.actual == sum.value;
    result.error = result.right ? 0 : Infinity;
  }

  /// A finite sum whose result is not finite, or that overflows even double.
  void judgeOverflow(ElementCheck &result, const SumFacts &sum,
                     uint8_t flags) const {
    if (std::isnan(result.actual) && flags & NonFinitePadding)
      return;
    bool mayOverflow =
        std::isinf(result.actual)
            ? bound.resultMayOverflow(sum, std::copysign(1.0, result.actual))
            : bound.sumMayOverflow(sum);
    result.right = result.overflowed = mayOverflow && !exact;
    result.error = result.right ? 0 : Infinity;
  }

  void judgeError(ElementCheck &result, const SumFacts &sum,
                  size_t place) const {
    double low = reference.valueLow.empty() ? 0.0 : reference.valueLow[place];
    result.error = std::abs((result.actual - sum.value) - low);
    result.bound = exact ? 0.0 : bound.resultError(sum);
    result.right = result.error <= result.bound;
    if (result.right || exact || bound.targetArithmetic().roundsToNearest)
      return;
    // Other roundings turn an overflow into the largest number, from which the
    // sum may go on.
    double largest = bound.resultFormat().largest();
    result.overflowed =
        bound.sumMayOverflow(sum) ||
        (std::abs(result.actual) == largest &&
         bound.resultMayOverflow(sum, std::copysign(1.0, result.actual)));
    result.right = result.overflowed;
  }

  const ReferenceResult &reference;
  const ErrorBound &bound;
  bool exact;
};

} // namespace

/// Integers are equal modulo 2^32 or wrong.
static ElementCheck checkInteger(int64_t expected, int64_t actual) {
  ElementCheck result;
  auto wrapped = static_cast<int32_t>(static_cast<uint32_t>(expected));
  result.expected = wrapped;
  result.actual = static_cast<double>(actual);
  result.error = std::abs(result.actual - result.expected);
  result.right = result.error == 0;
  result.overflowed = result.right && wrapped != expected;
  return result;
}

static void addToReport(CompareReport &report, const ElementCheck &check,
                        const LogicalIndex &element, const LogicalIndex &sizes,
                        double ulp) {
  report.wrong += !check.right;
  report.overflows += check.overflowed;
  if (std::isfinite(check.error) && !check.overflowed) {
    report.maxError = std::max(report.maxError, check.error);
    report.maxUlp = std::max(report.maxUlp, check.error / ulp);
  }
  double ratio = check.ratio();
  if (report.elements++ != 0 && !(ratio > report.worstRatio))
    return;
  report.worstRatio = ratio;
  report.worstIndex = toString(element, sizes);
  report.worstActual = check.actual;
  report.worstExpected = check.expected;
  report.worstBound = check.bound;
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

static CompareReport
compareFloats(const ReferenceResult &reference, Direction direction,
              const ConvNumerics &numerics, const OperandIndex &index,
              const void *actual, const CompareOptions &options) {
  assert((!options.target.flushesSubnormals ||
          reference.operandSum.size() == reference.value.size()) &&
         "bounds with flushed subnormals need operand sums");
  CompareReport report;
  ErrorBound bound(direction, numerics, options.target);
  int64_t longest = 0;
  for (int64_t length : reference.length)
    longest = std::max(longest, length);
  report.refusal = options.exact ? refuseExact(reference, numerics)
                                 : bound.refuse(longest).value_or("");
  if (!report.refusal.empty())
    return report;

  FloatJudge judge(reference, bound, options.exact);
  forEachIndex(index.sizes, [&](const LogicalIndex &element) {
    auto place = static_cast<size_t>(reference.index.offset(element));
    int64_t offset = index.offset(element);
    double value = loadDouble(reference.type, actual, offset);
    ElementCheck check = judge.check(place, value);
    if (isPoison(reference.type, actual, offset)) {
      ++report.unwritten;
      check.right = check.overflowed = false;
      check.error = Infinity;
    } else {
      report.nans += std::isnan(value);
      report.infinities += std::isinf(value);
    }
    double ulp = std::isfinite(check.expected)
                     ? bound.resultFormat().ulp(check.expected)
                     : 1.0;
    addToReport(report, check, element, index.sizes, ulp);
  });
  return report;
}

static CompareReport compareIntegers(const ReferenceResult &reference,
                                     const OperandIndex &index,
                                     const void *actual) {
  CompareReport report;
  forEachIndex(index.sizes, [&](const LogicalIndex &element) {
    auto place = static_cast<size_t>(reference.index.offset(element));
    int64_t offset = index.offset(element);
    ElementCheck check = checkInteger(
        reference.integer[place], loadInteger(reference.type, actual, offset));
    if (!check.right && isPoison(reference.type, actual, offset)) {
      ++report.unwritten;
      check.error = Infinity;
    }
    addToReport(report, check, element, index.sizes, 1.0);
  });
  return report;
}

CompareReport
compareWithReference(const ReferenceResult &reference, Direction direction,
                     const ConvNumerics &numerics, const OperandIndex &index,
                     const void *actual, const CompareOptions &options) {
  if (isFloat(reference.type))
    return compareFloats(reference, direction, numerics, index, actual,
                         options);
  return compareIntegers(reference, index, actual);
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

static std::string shortNumber(double value) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.3g", value);
  return text;
}

static std::string fullNumber(double value) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.17g", value);
  return text;
}

std::string toString(const CompareReport &report) {
  if (!report.refusal.empty())
    return report.refusal;
  if (report.elements == 0)
    return "no elements";
  std::string text = "error/bound " + shortNumber(report.worstRatio) +
                     ", max error " + shortNumber(report.maxError) +
                     ", max ulp " + shortNumber(report.maxUlp);
  auto addCount = [&](int64_t count, std::string_view what) {
    if (count)
      text += ", " + std::to_string(count) + ' ' + std::string(what);
  };
  addCount(report.nans, "nan");
  addCount(report.infinities, "inf");
  addCount(report.overflows, "overflowed");
  addCount(report.unwritten, "unwritten");
  text += ", worst at " + report.worstIndex;
  if (report.wrong == 0)
    return text;
  return std::to_string(report.wrong) + " of " +
         std::to_string(report.elements) + " elements wrong: " + text +
         ": expected " + fullNumber(report.worstExpected) + " within " +
         shortNumber(report.worstBound) + ", but got " +
         fullNumber(report.worstActual);
}

} // namespace convoy
