//===- ReportHTML.cpp - Where two sides part, as a page -------------------===//
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
using ::convoy::CompareReport;
using ::convoy::Verdict;

/// How the layers of `side` fare alone: how many have each verdict, the errors
/// of all, and where they are in the worst.
static llvm::json::Object makeSummary(ArrayRef<LayerDiff> diffs,
                                      unsigned side) {
  llvm::json::Object summary{{"layers", diffs.size()}};
  ::convoy::ErrorHistogram errors;
  const LayerDiff *worst = nullptr;
  std::map<Verdict, int64_t> verdicts;
  for (const LayerDiff &diff : diffs) {
    const CompareReport &report = diff.alone[side];
    verdicts[report.verdict()] += report.refusal.empty();
    if (!report.survey)
      continue;
    errors.merge(report.survey->histogram);
    if (!worst || report.worstRatio > worst->alone[side].worstRatio)
      worst = &diff;
  }
  for (Verdict verdict : {Verdict::Exact, Verdict::Explained,
                          Verdict::Suspicious, Verdict::Wrong})
    summary[StringRef(::convoy::verdictName(verdict))] = verdicts[verdict];
  if (worst)
    summary["errors"] =
        toSurveyJSON(errors, worst->name, worst->alone[side].survey->map);
  return summary;
}

/// What is shown of both sides, by their names in the table.
static llvm::json::Object makeSummaries(const Options &options,
                                        ArrayRef<LayerDiff> diffs) {
  FirstLayer outside = findFirstOutside(diffs);
  FirstLayer unexplained = findFirstUnexplained(diffs);
  FirstLayer suspicious = findFirstSuspicious(diffs);
  llvm::json::Object summaries;
  for (unsigned side : {0, 1}) {
    llvm::json::Object summary = makeSummary(diffs, side);
    for (auto [name, first] : {std::pair("first_outside", outside),
                               std::pair("first_unexplained", unexplained),
                               std::pair("first_suspicious", suspicious)})
      if (first.layer && first.side == side)
        summary[name] = first.layer->name;
    summaries[(side == 0 ? "a: " : "b: ") + options.sides[side].label] =
        std::move(summary);
  }
  return summaries;
}

/// The columns of the table that `convoy-diff` prints, and the verdicts.
static SmallVector<ReportField> getLayerFields() {
  return {{"name", "layer", Format::Text},
          {"introduced", "introduced"},
          {"inherited", "inherited"},
          {"total", "total"},
          {"sides.0.alone.verdict", "a", Format::Status},
          {"sides.1.alone.verdict", "b", Format::Status},
          {"sides.0.alone.ratio", "a alone"},
          {"sides.1.alone.ratio", "b alone"},
          {"sides.0.whole.ratio", "a whole"},
          {"sides.1.whole.ratio", "b whole"}};
}

bool mlir::convoy::writePage(const Options &options, ArrayRef<LayerDiff> diffs,
                             std::string &error) {
  llvm::json::Object document = toJSON(options, diffs);
  document["summary"] = makeSummaries(options, diffs);
  ReportPage page("convoy-diff", options.commandLine, std::move(document));
  page.addSummary("Summary", "summary", "side",
                  {{"layers", "layers"},
                   {"exact", "exact"},
                   {"explained", "explained"},
                   {"suspicious", "suspicious"},
                   {"wrong", "wrong"},
                   {"first_outside", "first outside its bound", Format::Text},
                   {"first_unexplained", "first beyond what its inputs explain",
                    Format::Text},
                   {"first_suspicious", "first suspicious", Format::Text}});
  page.addBars("Error by layer", "layers", {"name", "layer", Format::Text},
               {{"introduced", "introduced"}, {"inherited", "inherited"}});
  page.addHistogram("Errors of all elements, each layer alone", "summary");
  page.addHeatMap("The worst layer alone, element by element", "summary");
  page.addTable("Layers", "layers", getLayerFields());
  return page.write(options.report, error);
}
