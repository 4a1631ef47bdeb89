//===- ReportTest.cpp - Tests of what convoy-run prints -------------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Report.h"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace mlir::convoy;
using ::convoy::ElementCheck;
using ::convoy::ElementPlace;
using ::convoy::ReportBuilder;
using ::convoy::ScalarType;
using testing::HasSubstr;
using testing::Not;

namespace {

/// The element `actual` in the place of 1, within 1.
ElementCheck makeCheck(double actual) {
  ElementCheck check;
  check.actual = actual;
  check.expected = 1;
  check.bound = 1;
  check.error = std::abs(actual - 1);
  check.isRight = check.error <= 1;
  return check;
}

/// Within its bound, but not as rounding would have it.
ElementCheck makeSuspicious() {
  ElementCheck check = makeCheck(1.5);
  check.probableBound = 0.25;
  return check;
}

CaseResult makeCase(const std::vector<ElementCheck> &checks) {
  CaseResult result;
  result.name = "conv";
  result.target = "cpu";
  result.isChecked = true;
  result.result.seconds = 1e-3;
  ReportBuilder builder(ScalarType::F32);
  int64_t number = 0;
  for (const ElementCheck &check : checks) {
    builder.add(check, [&] {
      return ElementPlace{"n=0 f=" + std::to_string(number), "nf", {0, number}};
    });
    ++number;
  }
  result.result.report = builder.finish();
  return result;
}

/// What is printed of `results`, and then the exit code.
std::string print(const std::vector<CaseResult> &results,
                  const Options &options) {
  testing::internal::CaptureStdout();
  Report report(options);
  for (const CaseResult &result : results)
    report.add(result);
  int code = int(report.finish());
  return testing::internal::GetCapturedStdout() + "exit code " +
         std::to_string(code);
}

TEST(ReportTest, PrintsVerdicts) {
  std::string text = print(
      {makeCase({makeCheck(1)}), makeCase({makeCheck(1), makeCheck(1.25)})},
      {});
  EXPECT_EQ(
      text,
      "passed  cpu         0.0000  exact              0 ulp      1.000 ms  "
      "conv\n"
      "passed  cpu         0.2500  explained    2.1e+06 ulp      1.000 ms  "
      "conv\n"
      "2 cases on cpu: 2 passed, 0 failed, worst error/bound 0.2500, 1 exact, "
      "1 explained\n"
      "exit code 0");
}

TEST(ReportTest, SuspiciousCasesPassUnlessTheyAreErrors) {
  Options options;
  options.quiet = true;
  CaseResult result = makeCase({makeSuspicious(), makeCheck(1)});
  std::string text = print({result}, options);
  EXPECT_THAT(text, HasSubstr("passed  cpu         0.5000  suspicious"));
  EXPECT_THAT(text, HasSubstr("worst at n=0 f=0: expected 1 within 1, probably "
                              "within 0.25, but got 1.5, 4.19e+06 ulp off\n"));
  EXPECT_THAT(text, HasSubstr("1 passed, 0 failed, worst error/bound 0.5000, "
                              "1 suspicious\nexit code 0"));
  options.suspiciousFails = true;
  text = print({result}, options);
  EXPECT_THAT(text, HasSubstr("FAILED  cpu         0.5000  suspicious"));
  EXPECT_THAT(text, HasSubstr("0 passed, 1 failed, worst error/bound 0.5000, "
                              "1 suspicious\nexit code 2"));
}

TEST(ReportTest, PrintsAllOfWhatIsWrong) {
  std::string text = print({makeCase({makeCheck(1), makeCheck(NAN)})}, {});
  EXPECT_THAT(text, HasSubstr("FAILED  cpu            inf  wrong"));
  EXPECT_THAT(text, HasSubstr("    1 of 2 elements wrong: error/bound inf, max "
                              "error 0, max ulp 0, 1 nan, worst at n=0 f=1: "
                              "expected 1 within 1, but got nan\n"));
  EXPECT_THAT(text, HasSubstr("1 wrong\nexit code 2"));
}

TEST(ReportTest, NotesWhatIsNotOrdinary) {
  ElementCheck zero = makeCheck(0), nothing = zero;
  nothing.expected = nothing.error = 0;
  std::string text =
      print({makeCase({makeCheck(1), zero}), makeCase({nothing})}, {});
  EXPECT_THAT(text, HasSubstr("    1 zero where the reference is not\n"));
  EXPECT_THAT(text, HasSubstr("    the reference rounds to 0 everywhere\n"));
  EXPECT_THAT(text, HasSubstr("1 exact, 1 explained, 1 vacuous\nexit code 0"));
}

TEST(ReportTest, PrintsNoVerdictWhereNothingWasCompared) {
  CaseResult result = makeCase({});
  result.result.faults = {"guard of the result0: 4 bytes were overwritten"};
  std::string text = print({result}, {});
  EXPECT_THAT(text, HasSubstr("FAILED  cpu              -  -"));
  EXPECT_THAT(text, HasSubstr("    guard of the result0"));
  EXPECT_THAT(text, Not(HasSubstr("vacuous")));
}

TEST(ReportTest, JSONHasTheWorstElement) {
  Options options;
  options.json = "-";
  options.commandLine = {"convoy-run"};
  std::string text = print({makeCase({makeCheck(1), makeSuspicious()}),
                            makeCase({makeCheck(INFINITY)})},
                           options);
  for (const char *part :
       {"\"verdict\": \"suspicious\"", "\"place\": \"n=0 f=1\"",
        "\"layout\": \"nf\"", "\"actual\": 1.5", "\"expected\": 1",
        "\"bound\": 1", "\"probable_bound\": 0.25", "\"error\": 0.5",
        "\"ulp\": 4194304", "\"ratio\": 0.5", "\"compared\": 2",
        "\"suspicious\": 1", "\"actual\": \"inf\"", "\"worst_ratio\": null",
        "\"reference_zero\": 0"})
    EXPECT_THAT(text, HasSubstr(part));
}

} // namespace
