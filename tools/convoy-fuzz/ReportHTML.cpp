//===- ReportHTML.cpp - What was found, as a page -------------------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Fuzzer.h"

#include "convoy/Report/ReportPage.h"

using namespace mlir;
using namespace mlir::convoy;
using Format = ReportField::Format;
using ::convoy::Verdict;

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

void Fuzzer::writePage(llvm::json::Object document) {
  ReportPage page("convoy-fuzz", options.commandLine, std::move(document));
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
                {{"edge", "edge", Format::Text},
                 {"runs", "runs"},
                 {"others", "other runs"}});
  std::string error;
  if (!page.write(options.report, error))
    addError(error);
}
