//===- ReportHTML.cpp - What was found, as a page -------------------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Fuzzer.h"

#include "convoy/Report/ReportPage.h"
#include "convoy/Report/SurveyJSON.h"
#include "convoy/Runtime/CompareReport.h"

using namespace mlir;
using namespace mlir::convoy;
using Format = ReportField::Format;
using ::convoy::FuzzCase;
using ::convoy::Verdict;

static constexpr Verdict kVerdicts[] = {Verdict::Exact, Verdict::Explained,
                                        Verdict::Suspicious, Verdict::Wrong};

static llvm::json::Object toJSON(const TargetCounts &counts) {
  llvm::json::Object object{{"runs", counts.runs},
                            {"passed", counts.passed},
                            {"refused", counts.refused},
                            {"findings", counts.findings},
                            {"errors", toJSON(counts.errors)}};
  for (Verdict verdict : kVerdicts) {
    std::string name(::convoy::verdictName(verdict));
    auto found = counts.verdicts.find(name);
    object[name] = found == counts.verdicts.end() ? 0 : found->second;
  }
  return object;
}

static std::string getProblemText(const FuzzCase &fuzzCase) {
  std::optional<::convoy::AnyProblem> problem = getProblem(fuzzCase);
  return problem ? ::convoy::toString(*problem) : "";
}

static llvm::json::Object toJSON(const Finding &finding) {
  return llvm::json::Object{
      {"number", int64_t(finding.number)},
      {"kind", getName(finding.outcome.kind)},
      {"target", finding.smallest.target},
      {"problem", getProblemText(finding.smallest)},
      {"text", llvm::json::fixUTF8(finding.outcome.text)},
      {"drawn", ::convoy::toString(finding.drawn)},
      {"reproduce", ::convoy::toString(finding.smallest)}};
}

/// The columns of the summary, for each target.
static SmallVector<ReportField> getSummaryFields() {
  SmallVector<ReportField> fields = {{"runs", "runs"}, {"passed", "passed"}};
  for (Verdict verdict : kVerdicts) {
    std::string name(::convoy::verdictName(verdict));
    fields.push_back({name, name});
  }
  fields.append({{"refused", "refused"}, {"findings", "findings"}});
  return fields;
}

void Fuzzer::writePage() {
  llvm::json::Object summary;
  for (const auto &[target, ofTarget] : counts)
    summary[target] = ::toJSON(ofTarget);
  llvm::json::Array found, reached, refused;
  for (const Finding &finding : findings)
    found.push_back(::toJSON(finding));
  for (const auto &[edge, runs] : edges.getCounts())
    reached.push_back(llvm::json::Object{{"edge", edge}, {"runs", runs}});
  for (const auto &[text, runs] : refusals)
    refused.push_back(llvm::json::Object{{"reason", text}, {"runs", runs}});
  ReportPage page("convoy-fuzz", options.commandLine,
                  llvm::json::Object{{"summary", std::move(summary)},
                                     {"findings", std::move(found)},
                                     {"refusals", std::move(refused)},
                                     {"edges", std::move(reached)}});
  page.addSummary("Summary", "summary", "target", getSummaryFields());
  page.addTable("Findings", "findings",
                {{"kind", "kind", Format::Status},
                 {"target", "target", Format::Text},
                 {"problem", "problem", Format::Text},
                 {"text", "what is wrong", Format::Text},
                 {"number", "case"}});
  page.addHistogram("Errors of all elements", "summary");
  page.addTable("Refused", "refusals",
                {{"reason", "reason", Format::Text}, {"runs", "runs"}});
  page.addTable("What runs reached", "edges",
                {{"edge", "edge", Format::Text}, {"runs", "runs"}});
  std::string error;
  if (!page.write(options.report, error))
    addError(error);
}
