//===- Report.cpp - Prints what was found -----------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Report.h"

#include "convoy/Driver/Values.h"
#include "convoy/Runtime/FileIO.h"
#include "convoy/Runtime/ValueSummary.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>

using namespace mlir;
using namespace mlir::convoy;

static constexpr ::convoy::Verdict kVerdicts[] = {
    ::convoy::Verdict::Exact, ::convoy::Verdict::Explained,
    ::convoy::Verdict::Suspicious, ::convoy::Verdict::Wrong};

void Report::start(const std::string &name) {
  if (name != current || numResults >= numTargets) {
    ++numStarted;
    current = name;
    numResults = 0;
  }
  bool printsIR = options.printAfterAll || !options.printAfter.empty();
  if ((options.quiet || options.printsJSON()) && !printsIR)
    progress.show(numStarted, numCases, name);
}

void Report::addError(const std::string &sentence, ExitCode code) {
  eraseProgress();
  llvm::outs().flush();
  llvm::errs() << "convoy-run: " << sentence << "\n";
  exitCode = combine(exitCode, code);
}

llvm::raw_ostream &Report::getStream() const {
  return options.printsJSON() ? llvm::nulls() : llvm::outs();
}

bool Report::accepts(const CaseResult &result) const {
  return result.result.report.passed() &&
         !(options.suspiciousFails && result.isSuspicious());
}

bool Report::passed(const CaseResult &result) const {
  return result.result.passed() && accepts(result);
}

StringRef Report::getStatus(const CaseResult &result) const {
  if (!passed(result))
    return "FAILED";
  return result.isChecked ? "passed" : "ran";
}

/// The speed where the work is known, else the time.
static std::string getSpeed(const CaseResult &result) {
  double seconds = result.result.seconds;
  if (result.multiplyAdds > 0 && seconds > 0)
    return llvm::formatv("{0:f1} GF/s", 2e-9 * result.multiplyAdds / seconds);
  return llvm::formatv("{0:f3} ms", 1e3 * seconds);
}

static std::string getRatio(double ratio) {
  if (std::isinf(ratio))
    return "inf";
  return llvm::formatv("{0:f4}", ratio);
}

static std::string getUlp(double ulp) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.3g ulp", ulp);
  return text;
}

void Report::printCase(const CaseResult &result) {
  eraseProgress();
  const ::convoy::CompareReport &report = result.result.report;
  std::string ratio = "-", ulp = "-";
  StringRef verdict = "-";
  if (result.wasCompared()) {
    ratio = getRatio(report.worstRatio);
    verdict = ::convoy::verdictName(report.verdict());
    ulp = getUlp(report.maxUlp);
  }
  bool didRun = result.result.error.empty();
  getStream() << llvm::formatv(
      "{0,-6}  {1,-8}  {2,8}  {3,-10}  {4,12}  {5,12}  {6}\n",
      getStatus(result), result.target, ratio, verdict, ulp,
      didRun ? getSpeed(result) : "-", result.name);
}

void Report::printNotes(const CaseResult &result) {
  if (!result.result.error.empty())
    addError(result.name + ": " + result.result.error, result.result.errorCode);
  for (const std::string &fault : result.result.faults)
    getStream() << "    " << fault << "\n";
  if (result.result.identity)
    getStream() << llvm::formatv(
        "    {0}: a wrong sum of products is missed with a probability of at "
        "most 2^{1}\n",
        toString(*result.result.identity),
        int64_t(result.result.identity->getMissedExponent()));
  if (!result.wasCompared())
    return;
  const ::convoy::CompareReport &report = result.result.report;
  if (!report.passed() || result.isSuspicious())
    getStream() << "    " << ::convoy::toString(report) << "\n";
  else if (std::string counts = ::convoy::describeCounts(report);
           !counts.empty())
    getStream() << "    " << counts << "\n";
  if (!report.vacuity.empty())
    getStream() << "    " << report.vacuity << "\n";
}

void Report::printTraces(const CaseResult &result) {
  size_t width = 0;
  for (const auto &[name, value] : result.traces)
    width = std::max(width, name.size());
  for (const auto &[name, value] : result.traces)
    getStream() << "    " << llvm::left_justify(name, unsigned(width)) << "  "
                << getTypeText(value) << "  "
                << ::convoy::toString(::convoy::summarize(value)) << "\n";
}

void Report::add(const CaseResult &result) {
  numResults += result.name == current;
  bool isPassed = passed(result);
  const ::convoy::CompareReport &report = result.result.report;
  Summary &summary = summaries[result.target];
  ++summary.cases;
  summary.passed += isPassed;
  // What is not certified does not run.
  summary.certified += options.certify && result.result.error.empty();
  summary.isChecked |= result.isChecked;
  if (const std::optional<IdentityTest> &test = result.result.identity) {
    ++summary.identities;
    summary.missedExponent =
        std::max(summary.missedExponent, test->getMissedExponent());
  }
  if (result.wasCompared()) {
    summary.worstRatio = std::max(summary.worstRatio, report.worstRatio);
    ++summary.verdicts[report.verdict()];
    summary.vacuous += !report.vacuity.empty();
    addSurvey(result, summary);
  }
  if (!isPassed)
    exitCode = combine(exitCode, result.result.error.empty()
                                     ? ExitCode::WrongNumbers
                                     : result.result.errorCode);
  if (!options.quiet || !isPassed || result.isSuspicious()) {
    printCase(result);
    printNotes(result);
    printTraces(result);
  }
  llvm::outs().flush();
  if (!options.json.empty() || !options.report.empty())
    addJSON(result);
}

/// The command that runs a case again.
static std::string getReproduction(const CaseResult &result,
                                   const Options &options) {
  std::vector<std::string> words = result.words;
  words.push_back("--target=" + result.target);
  SmallVector<StringRef> others = {
      "chip",        "function",        "json",  "keep",   "layouts", "output",
      "print-after", "print-after-all", "quiet", "report", "sizes",   "target"};
  // The case's own words name it.
  if (options.dataKinds.size() > 1)
    others.push_back("data");
  return getCaseCommand(options, words, others);
}

/// What the recorded values are like.
static llvm::json::Array
toJSON(ArrayRef<std::pair<std::string, ::convoy::HostArray>> traces) {
  llvm::json::Array values;
  for (const auto &[name, value] : traces) {
    ::convoy::ValueSummary summary = ::convoy::summarize(value);
    values.push_back(llvm::json::Object{
        {"name", name},
        {"type", getTypeText(value)},
        {"min", toJSON(summary.minimum)},
        {"max", toJSON(summary.maximum)},
        {"mean", toJSON(summary.mean)},
        {"nan", summary.nans},
        {"inf", summary.infinities},
        {"histogram", llvm::json::Array(summary.histogram)}});
  }
  return values;
}

void Report::addJSON(const CaseResult &result) {
  const CheckResult &check = result.result;
  llvm::json::Array faults(check.faults);
  if (!check.error.empty())
    faults.push_back(check.error);
  else if (!accepts(result))
    faults.push_back(::convoy::toString(check.report));
  llvm::json::Object object;
  // Of a case that was refused, too.
  if (result.wasCompared() || check.report.elements > 0)
    object = toJSON(check.report);
  object["case"] = result.name;
  object["target"] = result.target;
  object["reproduce"] = getReproduction(result, options);
  object["status"] = getStatus(result).lower();
  object["compile_ms"] = 1e3 * result.compileSeconds;
  object["faults"] = std::move(faults);
  if (check.error.empty())
    object["seconds"] = toJSON(check.seconds);
  if (check.error.empty() && result.multiplyAdds > 0)
    object["gflops"] = toJSON(2e-9 * result.multiplyAdds / check.seconds);
  if (options.certify && check.error.empty())
    object["certified"] = true;
  if (check.identity)
    object["identity_test"] = toJSON(*check.identity);
  if (!result.traces.empty())
    object["traces"] = ::toJSON(result.traces);
  cases.push_back(std::move(object));
}

llvm::json::Object Report::takeDocument() {
  llvm::json::Object totals;
  for (const auto &[target, summary] : summaries) {
    llvm::json::Object total{
        {"cases", summary.cases},
        {summary.isChecked ? "passed" : "ran", summary.passed},
        {"failed", summary.cases - summary.passed}};
    if (auto device = devices.find(target);
        device != devices.end() && !device->second.empty())
      total["device"] = device->second;
    if (summary.isChecked) {
      total["worst_ratio"] = toJSON(summary.worstRatio);
      total["vacuous"] = summary.vacuous;
      for (::convoy::Verdict verdict : kVerdicts)
        total[StringRef(::convoy::verdictName(verdict))] =
            summary.countOf(verdict);
    }
    totals[target] = std::move(total);
  }
  return llvm::json::Object{{"cases", std::move(cases)},
                            {"summary", std::move(totals)}};
}

void Report::writeJSON(const llvm::json::Object &document) {
  std::string text =
      llvm::formatv("{0:2}\n", llvm::json::Value(llvm::json::Object(document)));
  if (options.printsJSON()) {
    llvm::outs() << text;
    return;
  }
  std::string error;
  if (!::convoy::writeFile(options.json,
                           std::as_bytes(std::span(text.data(), text.size())),
                           error))
    addError(error, ExitCode::BadInput);
}

ExitCode Report::finish() {
  eraseProgress();
  llvm::raw_ostream &os = getStream();
  for (const auto &[target, summary] : summaries) {
    os << summary.cases << (summary.cases == 1 ? " case" : " cases") << " on "
       << target << ": " << summary.passed
       << (summary.isChecked ? " passed, " : " ran, ")
       << summary.cases - summary.passed << " failed";
    if (options.certify)
      os << ", " << summary.certified << " certified";
    if (options.deep)
      os << ", " << summary.identities << " deep";
    if (summary.identities > 0)
      os << " (at most 2^" << int64_t(summary.missedExponent) << " missed)";
    if (summary.isChecked)
      os << ", worst error/bound " << getRatio(summary.worstRatio);
    for (::convoy::Verdict verdict : kVerdicts)
      if (int64_t count = summary.countOf(verdict))
        os << ", " << count << " " << StringRef(::convoy::verdictName(verdict));
    if (summary.vacuous)
      os << ", " << summary.vacuous << " vacuous";
    os << "\n";
  }
  llvm::json::Object document = takeDocument();
  if (!options.json.empty())
    writeJSON(document);
  if (!options.report.empty())
    writePage(std::move(document));
  llvm::outs().flush();
  return exitCode;
}
