//===- SurveyJSONTest.cpp - Tests of surveys as JSON ----------------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Report/SurveyJSON.h"

#include <gtest/gtest.h>

#include <limits>

using namespace mlir::convoy;
using ::convoy::ErrorHistogram;
using ::convoy::ErrorMap;
using ::convoy::ErrorSurvey;

TEST(SurveyJSONTest, HistogramsAreReadAsTheyAreWritten) {
  ErrorHistogram histogram;
  for (int bin = 0; bin < ErrorHistogram::kBins; ++bin)
    histogram.add(ErrorHistogram::lowerEdge(bin) * 1.01, bin % 3);
  histogram.add(0, 5);
  histogram.add(std::numeric_limits<double>::infinity(), 7);
  std::string text;
  llvm::raw_string_ostream(text) << llvm::json::Value(toJSON(histogram));
  std::optional<ErrorHistogram> read =
      readHistogram(*llvm::cantFail(llvm::json::parse(text)).getAsObject());
  ASSERT_TRUE(read);
  EXPECT_EQ(read->zeros(), 5);
  EXPECT_EQ(read->infinities(), 7);
  EXPECT_EQ(read->bins(), histogram.bins());
}

TEST(SurveyJSONTest, OnlyHistogramsAreRead) {
  for (const char *text :
       {R"({"zero": 1, "infinite": 0})", R"({"zero": 1, "bins": []})",
        R"({"zero": 1, "infinite": 0, "bins": [1]})",
        R"({"zero": 1, "infinite": 0, "bins": [{"from": 1, "to": 2}]})"})
    EXPECT_FALSE(
        readHistogram(*llvm::cantFail(llvm::json::parse(text)).getAsObject()))
        << text;
}

TEST(SurveyJSONTest, HoldsHistogramAndMap) {
  ErrorSurvey survey{{}, ErrorMap({{"h", 2}, {"w", 2}})};
  auto add = [&](int64_t h, int64_t w, double ratio) {
    survey.add(std::array<int64_t, 2>{h, w}, ratio);
  };
  add(0, 0, 0.5);
  add(0, 1, 0);
  add(1, 0, std::numeric_limits<double>::infinity());
  llvm::json::Value value = toSurveyJSON(survey.histogram, "conv", survey.map);
  double from = std::pow(10.0, -0.5), to = std::pow(10.0, -0.25);
  EXPECT_EQ(
      value,
      llvm::json::Value(llvm::json::Object{
          {"case", "conv"},
          {"zero", 1},
          {"infinite", 1},
          {"bins", llvm::json::Array{llvm::json::Object{
                       {"from", from}, {"to", to}, {"count", 1}}}},
          {"axes",
           llvm::json::Array{
               llvm::json::Object{{"name", "h"}, {"size", 2}, {"bins", 2}},
               llvm::json::Object{{"name", "w"}, {"size", 2}, {"bins", 2}}}},
          {"views",
           llvm::json::Array{llvm::json::Object{
               {"rows", 0},
               {"columns", 1},
               {"ratios", llvm::json::Array{0.5, 0, "inf", nullptr}}}}}}));
}
