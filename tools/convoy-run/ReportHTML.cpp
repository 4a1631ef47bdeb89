//===- ReportHTML.cpp - Comparisons as a page -----------------------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Report.h"

#include "convoy/Report/ReportPage.h"
#include "convoy/Report/SurveyJSON.h"

using namespace mlir;
using namespace mlir::convoy;
using Format = ReportField::Format;

void Report::addSurvey(const CaseResult &result, Summary &summary) {
  const ::convoy::CompareReport &report = result.result.report;
  if (!report.survey)
    return;
  summary.histogram.merge(report.survey->histogram);
  bool isFirst = summary.worstCase.empty();
  if (!isFirst && report.worstRatio <= summary.surveyedRatio)
    return;
  summary.surveyedRatio = report.worstRatio;
  summary.worstMap = report.survey->map;
  summary.worstCase = result.name;
}

/// The columns of a summary, for each target.
static SmallVector<ReportField> getSummaryFields(bool isChecked) {
  SmallVector<ReportField> fields = {{"cases", "cases"}};
  if (!isChecked) {
    fields.append({{"ran", "ran"}, {"failed", "failed"}});
    return fields;
  }
  fields.append({{"passed", "passed"},
                 {"failed", "failed"},
                 {"worst_ratio", "worst error/bound"},
                 {"exact", "exact"},
                 {"explained", "explained"},
                 {"suspicious", "suspicious"},
                 {"wrong", "wrong"}});
  return fields;
}

/// The columns of the table of cases.
static SmallVector<ReportField> getCaseFields(bool isChecked) {
  SmallVector<ReportField> fields = {{"case", "case", Format::Text},
                                     {"target", "target", Format::Text},
                                     {"status", "status", Format::Status}};
  if (isChecked)
    fields.append({{"verdict", "verdict", Format::Status},
                   {"worst_ratio", "error/bound"},
                   {"max_ulp", "max ulp"},
                   {"worst.place", "worst element", Format::Text}});
  fields.append({{"seconds", "seconds"}, {"gflops", "GF/s"}});
  return fields;
}

void Report::writePage(llvm::json::Object document) {
  llvm::json::Object &totals = *document.getObject("summary");
  for (const auto &[target, summary] : summaries)
    if (!summary.worstCase.empty())
      (*totals.getObject(target))["errors"] =
          toSurveyJSON(summary.histogram, summary.worstCase, summary.worstMap);
  ReportPage page("convoy-run", options.commandLine, std::move(document));
  page.addSummary("Summary", "summary", "target",
                  getSummaryFields(options.check));
  page.addHistogram("Errors of all elements", "summary");
  page.addHeatMap("The worst case, element by element", "summary");
  page.addTable("Cases", "cases", getCaseFields(options.check));
  std::string error;
  if (!page.write(options.report, error))
    addError(error, ExitCode::BadInput);
}
