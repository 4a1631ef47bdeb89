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
using ::convoy::ErrorMap;
using ::convoy::ErrorSurvey;

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
