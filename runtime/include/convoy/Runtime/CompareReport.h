//===- CompareReport.h - What a comparison found ----------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Counts the elements of a result that were compared with what they should be,
// and says what follows of the whole. docs/Numerics.md defines the verdicts.
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_RUNTIME_COMPAREREPORT_H
#define CONVOY_RUNTIME_COMPAREREPORT_H

#include "convoy/Runtime/ErrorSurvey.h"
#include "convoy/Runtime/ScalarType.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace convoy {

/// How well a result agrees with the reference, from best to worst.
enum class Verdict {
  Exact,      ///< equal to the reference, rounded to the result's type
  Explained,  ///< within the error bound
  Suspicious, ///< within it, but beyond what rounding does to drawn data
  Wrong,      ///< beyond the error bound, or of the wrong class
};

/// "exact", "explained", "suspicious" or "wrong".
std::string_view verdictName(Verdict verdict);

/// One element of a result beside what it should be.
struct ElementCheck {
  double actual = 0, expected = 0;
  /// How far off it may be, in the worst case and but for a rare chance.
  double bound = 0;
  double probableBound = std::numeric_limits<double>::infinity();
  /// |actual - expected|; where the class alone counts, 0 or infinite.
  double error = 0;
  bool isRight = true;
  /// Whether the error was compared with a bound. Where the reference is not
  /// finite, a class may be right; where a sum may overflow, anything may be.
  bool isCompared = true;
  /// Accepted as an overflow, or equal since integers wrap around.
  bool isOverflow = false;
  bool isUnwritten = false; ///< still holds poison

  /// error/bound; infinite for a wrong class and for an error where the bound
  /// is 0.
  double ratio() const;
};

/// Where an element stands in a result.
struct ElementPlace {
  /// For people: "n=0 h=3 w=4 f=12".
  std::string text;
  /// The result's layout, where it has one, and the index in its order.
  std::string layout;
  std::vector<int64_t> index;
};

/// What the comparison found.
struct CompareReport {
  /// Why there is nothing to compare with, or nothing was compared, as one
  /// sentence; else empty.
  std::string refusal;
  /// Why a result that is right shows nothing; else empty.
  std::string vacuity;

  int64_t elements = 0;
  /// Elements of each verdict that is not `explained`. The unwritten are wrong.
  int64_t exact = 0, suspicious = 0, wrong = 0;
  int64_t unwritten = 0; ///< still hold poison
  /// ElementCheck::isCompared.
  int64_t compared = 0;
  /// Accepted elements whose sum overflows, or in integers wraps around,
  /// legitimately.
  int64_t overflows = 0;
  /// In the result, the unwritten elements left out; zeros where the reference
  /// has none when it is rounded to the result's type.
  int64_t nans = 0, infinities = 0, subnormals = 0, zeros = 0;
  int64_t referenceNans = 0, referenceInfinities = 0, referenceZeros = 0;

  /// Largest error/bound.
  double worstRatio = 0;
  /// Largest error, absolute and in units of the last place of the expected
  /// value, over the elements that are finite as they should be.
  double maxError = 0, maxUlp = 0;
  /// The element with the largest error/bound among those with the worst
  /// verdict. Its place is empty where there are no elements.
  ElementCheck worst;
  ElementPlace worstPlace;
  double worstUlp = 0; ///< its error in units of the last place
  /// How the error/bound of the compared elements is distributed, where that
  /// was asked for; the map is that of the result with the worst element.
  std::optional<ErrorSurvey> survey;

  Verdict verdict() const;
  bool passed() const { return refusal.empty() && wrong == 0; }

  /// Adds what was found of another result of the same kernel.
  void merge(const CompareReport &other);

private:
  /// Adds its survey; `isWorst` says whether its worst element is worse.
  void mergeSurvey(const CompareReport &other, bool isWorst);
};

/// The report in one line, for example
/// "error/bound 0.031, max error 3.1e-06, max ulp 2.5, worst at f=3 h=1 w=2:
/// expected 1.5 within 0.0001, but got 1.5000031, 2.5 ulp off".
std::string toString(const CompareReport &report);

/// What a report has beyond errors, for example "93 of 96 compared, 3 nan, 3
/// nan in the reference"; empty where there is nothing.
std::string describeCounts(const CompareReport &report);

/// Counts the elements of one result.
class ReportBuilder {
public:
  explicit ReportBuilder(ScalarType type);

  /// Counts one element; `place()` says where it stands.
  template <typename Place>
  void add(const ElementCheck &check, Place place) {
    if (count(check))
      report.worstPlace = place();
    if (report.survey && (check.isCompared || !check.isRight))
      report.survey->add(place().index, check.ratio());
  }

  /// Surveys the errors of a result that has these axes; the places of all
  /// elements have an index then.
  void survey(std::vector<ErrorAxis> axes) {
    report.survey = ErrorSurvey{{}, ErrorMap(std::move(axes))};
  }

  /// What follows. A result of which nothing was compared, and one of zeros
  /// alone in the place of others, is refused even if its bounds allow it; one
  /// that has the reference's infinities shows little.
  CompareReport finish();

private:
  Verdict judge(const ElementCheck &check, double rounded) const;
  /// Whether it is the worst up to now.
  bool count(const ElementCheck &check);
  void countClasses(const ElementCheck &check, double rounded);

  ScalarType type;
  int64_t resultZeros = 0;
  Verdict worstVerdict = Verdict::Exact;
  CompareReport report;
};

} // namespace convoy

#endif // CONVOY_RUNTIME_COMPAREREPORT_H
