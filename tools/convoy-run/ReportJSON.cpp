//===- ReportJSON.cpp - Comparisons as JSON ---------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Report.h"

#include <cmath>

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::CompareReport;
using ::convoy::ElementCheck;

llvm::json::Value mlir::convoy::toJSON(double number) {
  return std::isfinite(number) ? llvm::json::Value(number)
                               : llvm::json::Value(nullptr);
}

/// An element's value, of which the class counts, too.
static llvm::json::Value toValueJSON(double number) {
  if (std::isnan(number))
    return "nan";
  if (std::isinf(number))
    return number > 0 ? "inf" : "-inf";
  return number;
}

static llvm::json::Object toWorstJSON(const CompareReport &report) {
  const ElementCheck &worst = report.worst;
  llvm::json::Object object{
      {"place", report.worstPlace.text},
      {"index", llvm::json::Array(report.worstPlace.index)},
      {"actual", toValueJSON(worst.actual)},
      {"expected", toValueJSON(worst.expected)},
      {"bound", toJSON(worst.bound)},
      {"probable_bound", toJSON(worst.probableBound)},
      {"error", toJSON(worst.error)},
      {"ulp", toJSON(report.worstUlp)},
      {"ratio", toJSON(worst.ratio())}};
  if (!report.worstPlace.layout.empty())
    object["layout"] = report.worstPlace.layout;
  return object;
}

llvm::json::Object mlir::convoy::toJSON(const CompareReport &report) {
  llvm::json::Object object{
      {"worst_ratio", toJSON(report.worstRatio)},
      {"max_error", toJSON(report.maxError)},
      {"max_ulp", toJSON(report.maxUlp)},
      {"elements",
       llvm::json::Object{{"all", report.elements},
                          {"compared", report.compared},
                          {"exact", report.exact},
                          {"suspicious", report.suspicious},
                          {"wrong", report.wrong},
                          {"unwritten", report.unwritten},
                          {"overflowed", report.overflows},
                          {"nan", report.nans},
                          {"inf", report.infinities},
                          {"subnormal", report.subnormals},
                          {"zero", report.zeros},
                          {"reference_nan", report.referenceNans},
                          {"reference_inf", report.referenceInfinities},
                          {"reference_zero", report.referenceZeros}}}};
  if (report.refusal.empty())
    object["verdict"] = StringRef(::convoy::verdictName(report.verdict()));
  if (report.elements > 0)
    object["worst"] = toWorstJSON(report);
  if (!report.vacuity.empty())
    object["vacuity"] = report.vacuity;
  return object;
}
