//===- CompareReport.cpp - What a comparison found ------------------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Runtime/CompareReport.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace convoy {

std::string_view verdictName(Verdict verdict) {
  switch (verdict) {
  case Verdict::Exact:
    return "exact";
  case Verdict::Explained:
    return "explained";
  case Verdict::Suspicious:
    return "suspicious";
  case Verdict::Wrong:
    return "wrong";
  }
  return "";
}

double ElementCheck::ratio() const {
  if (isRight && (error == 0 || !isCompared))
    return 0;
  bool isMeasured = isCompared && std::isfinite(error) && bound > 0;
  return isMeasured ? error / bound : std::numeric_limits<double>::infinity();
}

//===----------------------------------------------------------------------===//
// Reports
//===----------------------------------------------------------------------===//

Verdict CompareReport::verdict() const {
  if (wrong > 0)
    return Verdict::Wrong;
  if (suspicious > 0)
    return Verdict::Suspicious;
  return exact == elements ? Verdict::Exact : Verdict::Explained;
}

/// Whether an element with the verdict `a` and the ratio `ratioA` is worse.
/// Exact and explained ones differ by their ratios alone.
static bool isWorse(Verdict a, double ratioA, Verdict b, double ratioB) {
  a = std::max(a, Verdict::Explained);
  b = std::max(b, Verdict::Explained);
  return a != b ? a > b : ratioA > ratioB;
}

void CompareReport::mergeSurvey(const CompareReport &other, bool isWorst) {
  if (!other.survey)
    return;
  if (!survey)
    survey.emplace();
  survey->histogram.merge(other.survey->histogram);
  if (isWorst)
    survey->map = other.survey->map;
}

void CompareReport::merge(const CompareReport &other) {
  bool isWorst = elements == 0 || isWorse(other.verdict(), other.worst.ratio(),
                                          verdict(), worst.ratio());
  mergeSurvey(other, isWorst);
  if (isWorst) {
    worst = other.worst;
    worstPlace = other.worstPlace;
    worstUlp = other.worstUlp;
  }
  if (!vacuity.empty() && !other.vacuity.empty())
    vacuity += "; ";
  vacuity += other.vacuity;
  for (int64_t CompareReport::*count :
       {&CompareReport::elements, &CompareReport::exact,
        &CompareReport::suspicious, &CompareReport::wrong,
        &CompareReport::unwritten, &CompareReport::compared,
        &CompareReport::overflows, &CompareReport::nans,
        &CompareReport::infinities, &CompareReport::subnormals,
        &CompareReport::zeros, &CompareReport::referenceNans,
        &CompareReport::referenceInfinities, &CompareReport::referenceZeros})
    this->*count += other.*count;
  for (double CompareReport::*largest :
       {&CompareReport::worstRatio, &CompareReport::maxError,
        &CompareReport::maxUlp})
    this->*largest = std::max(this->*largest, other.*largest);
}

//===----------------------------------------------------------------------===//
// Counting
//===----------------------------------------------------------------------===//

ReportBuilder::ReportBuilder(ScalarType type) : type(type) {}

Verdict ReportBuilder::judge(const ElementCheck &check, double rounded) const {
  if (!check.isRight)
    return Verdict::Wrong;
  bool isEqual = isFloat(type)
                     ? check.actual == rounded ||
                           (std::isnan(check.actual) && std::isnan(rounded))
                     : check.error == 0;
  if (isEqual)
    return Verdict::Exact;
  return check.isCompared && check.error > check.probableBound
             ? Verdict::Suspicious
             : Verdict::Explained;
}

void ReportBuilder::countClasses(const ElementCheck &check, double rounded) {
  report.referenceNans += std::isnan(rounded);
  report.referenceInfinities += std::isinf(rounded);
  report.referenceZeros += rounded == 0;
  if (check.isUnwritten)
    return;
  report.nans += std::isnan(check.actual);
  report.infinities += std::isinf(check.actual);
  report.subnormals +=
      isFloat(type) && check.actual != 0 &&
      std::abs(check.actual) < floatFormat(type).smallestNormal();
  bool isZero = check.actual == 0;
  resultZeros += isZero;
  report.zeros += isZero && rounded != 0 && !std::isnan(rounded);
}

bool ReportBuilder::count(const ElementCheck &check) {
  double rounded = roundTo(type, check.expected);
  Verdict verdict = judge(check, rounded);
  double ratio = check.ratio();
  double ulp = isFloat(type) && std::isfinite(check.expected)
                   ? floatFormat(type).ulp(check.expected)
                   : 1;
  ++report.elements;
  report.exact += verdict == Verdict::Exact;
  report.suspicious += verdict == Verdict::Suspicious;
  report.wrong += verdict == Verdict::Wrong;
  report.unwritten += check.isUnwritten;
  report.compared += check.isCompared;
  report.overflows += check.isOverflow;
  countClasses(check, rounded);
  report.worstRatio = std::max(report.worstRatio, ratio);
  if (std::isfinite(check.error) && check.isCompared) {
    report.maxError = std::max(report.maxError, check.error);
    report.maxUlp = std::max(report.maxUlp, check.error / ulp);
  }
  if (report.elements > 1 &&
      !isWorse(verdict, ratio, worstVerdict, report.worst.ratio()))
    return false;
  worstVerdict = verdict;
  report.worst = check;
  report.worstUlp = check.error / ulp;
  return true;
}

static std::string counted(int64_t count, std::string_view what) {
  return std::to_string(count) + ' ' + std::string(what);
}

/// Joins the counts that are not 0.
static std::string
joinCounts(std::initializer_list<std::pair<int64_t, std::string_view>> counts) {
  std::string text;
  for (auto [count, what] : counts) {
    if (count == 0)
      continue;
    text += (text.empty() ? "" : ", ") + counted(count, what);
  }
  return text;
}

/// Why elements were not compared.
static std::string describeReference(const CompareReport &report) {
  int64_t others = report.elements - report.compared - report.referenceNans -
                   report.referenceInfinities;
  return joinCounts(
      {{report.referenceNans, "nan"},
       {report.referenceInfinities, "inf"},
       {std::max<int64_t>(others, 0),
        "without a bound (a sum too long for its type, an overflow or a "
        "division of integers by 0)"}});
}

CompareReport ReportBuilder::finish() {
  // Signs of infinities were compared, but an error was not.
  bool isForced =
      report.referenceInfinities > 0 &&
      report.referenceInfinities + report.referenceNans == report.elements;
  if (report.elements == 0)
    report.vacuity = "there are no elements";
  else if (report.wrong > 0)
    return report;
  else if (report.compared == 0 && isForced)
    report.vacuity = "the reference has " + describeReference(report) +
                     ", and no other element";
  else if (report.compared == 0)
    report.refusal = "nothing was checked: the reference has " +
                     describeReference(report) + ", and no other element";
  else if (resultZeros == report.elements && report.zeros > 0)
    report.refusal = "nothing was checked: the result is 0 everywhere, and " +
                     std::to_string(report.zeros) + " of " +
                     std::to_string(report.elements) +
                     " elements should not be, but may be by their bounds";
  else if (report.referenceZeros == report.elements)
    report.vacuity = "the reference rounds to 0 everywhere";
  return report;
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

std::string describeCounts(const CompareReport &report) {
  std::string compared = "of " + std::to_string(report.elements) + " compared";
  bool isPart = report.compared < report.elements;
  return joinCounts({{isPart ? report.compared : 0, compared},
                     {report.suspicious, "suspicious"},
                     {report.nans, "nan"},
                     {report.infinities, "inf"},
                     {report.subnormals, "subnormal"},
                     {report.zeros, "zero where the reference is not"},
                     {report.referenceNans, "nan in the reference"},
                     {report.referenceInfinities, "inf in the reference"},
                     {report.overflows, "overflowed"},
                     {report.unwritten, "unwritten"}});
}

std::string toString(const CompareReport &report) {
  if (!report.refusal.empty())
    return report.refusal;
  if (report.elements == 0)
    return "no elements";
  const ElementCheck &worst = report.worst;
  std::string text;
  if (report.wrong > 0)
    text = std::to_string(report.wrong) + " of " +
           counted(report.elements, "elements wrong: ");
  text += "error/bound " + shortNumber(report.worstRatio) + ", max error " +
          shortNumber(report.maxError) + ", max ulp " +
          shortNumber(report.maxUlp);
  if (std::string counts = describeCounts(report); !counts.empty())
    text += ", " + counts;
  text += ", worst at " + report.worstPlace.text + ": expected " +
          fullNumber(worst.expected) + " within " + shortNumber(worst.bound);
  if (std::isfinite(worst.probableBound))
    text += ", probably within " + shortNumber(worst.probableBound);
  text += ", but got " + fullNumber(worst.actual);
  if (std::isfinite(worst.error))
    text += ", " + shortNumber(report.worstUlp) + " ulp off";
  return text;
}

} // namespace convoy
