//===- ReportJSON.cpp - What was found, as JSON -----------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Fuzzer.h"

#include "convoy/Report/SurveyJSON.h"
#include "convoy/Runtime/FileIO.h"

#include "llvm/Support/FormatVariadic.h"

#include <span>

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::FuzzCase;
using ::convoy::Verdict;

/// With `hasSurvey` how errors are distributed, which pages show.
static llvm::json::Object toJSON(const TargetCounts &counts, bool hasSurvey) {
  llvm::json::Object object{{"runs", counts.runs},
                            {"passed", counts.passed},
                            {"refused", counts.refused},
                            {"findings", counts.findings}};
  if (hasSurvey)
    object["errors"] = toJSON(counts.errors);
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

llvm::json::Object Fuzzer::makeDocument() {
  llvm::json::Object summary;
  for (const auto &[target, ofTarget] : counts)
    summary[target] = ::toJSON(ofTarget, !options.report.empty());
  llvm::json::Array found, reached, refused;
  for (const Finding &finding : findings)
    found.push_back(::toJSON(finding));
  for (const ::convoy::EdgeCount &edge : edges.getCounts())
    reached.push_back(llvm::json::Object{
        {"edge", edge.name}, {"runs", edge.reached}, {"others", edge.others}});
  for (const auto &[text, runs] : refusals)
    refused.push_back(llvm::json::Object{{"reason", text}, {"runs", runs}});
  return llvm::json::Object{{"summary", std::move(summary)},
                            {"findings", std::move(found)},
                            {"refusals", std::move(refused)},
                            {"edges", std::move(reached)}};
}

void Fuzzer::writeJSON(const llvm::json::Object &document) {
  std::string text =
      llvm::formatv("{0:2}\n", llvm::json::Value(llvm::json::Object(document)));
  if (options.printsJSON()) {
    llvm::outs() << text;
    llvm::outs().flush();
    return;
  }
  std::string error;
  if (!::convoy::writeFile(options.json,
                           std::as_bytes(std::span(text.data(), text.size())),
                           error))
    addError(error);
}
