//===- PipelineReport.cpp - What passes did, as text and JSON ---*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PipelineReport.h"

#include "convoy/Driver/Import.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::convoy;

using Verdict = Certificate::Verdict;

/// What was found, in a word or two: of what was not compared the reason.
static StringRef getWord(const CertifiedStep &step) {
  return step.verdict ? getWord(*step.verdict) : StringRef(step.message);
}

/// Where the op is that the message is about, where that is known, and its
/// name.
static std::string getPlaceOfOp(const CertifiedStep &step) {
  std::string place =
      step.location ? getPlace(Location(step.location)) : std::string();
  return place + step.op;
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

static std::string getFunctionText(const CertifiedStep &step) {
  return step.function.empty() ? "" : "@" + step.function;
}

static void printTable(ArrayRef<CertifiedStep> steps, raw_ostream &os) {
  size_t passWidth = 4, functionWidth = 8;
  for (const CertifiedStep &step : steps) {
    passWidth = std::max(passWidth, step.pass.size());
    functionWidth = std::max(functionWidth, getFunctionText(step).size());
  }
  auto printRow = [&](StringRef pass, StringRef function, StringRef verdict,
                      StringRef time) {
    std::string row;
    llvm::raw_string_ostream(row)
        << llvm::left_justify(pass, passWidth) << "  "
        << llvm::left_justify(function, functionWidth) << "  "
        << llvm::left_justify(verdict, 12) << llvm::right_justify(time, 8);
    os << StringRef(row).rtrim() << '\n';
  };
  printRow("pass", "function", "verdict", "ms");
  for (const CertifiedStep &step : steps) {
    std::string time = llvm::formatv("{0:f1}", step.seconds * 1e3);
    printRow(step.pass, getFunctionText(step), getWord(step),
             step.verdict ? StringRef(time) : "");
  }
}

/// The verdict on a step that is not certified, with its reason.
static void printReason(const CertifiedStep &step, raw_ostream &os) {
  std::string place = getPlaceOfOp(step);
  bool isDifferent = step.verdict == Verdict::Different;
  os << getWord(step) << ": " << step.pass << " on @" << step.function << ": ";
  if (!isDifferent && !place.empty())
    os << place << ": ";
  os << step.message << step.files << '\n';
  if (isDifferent && !place.empty())
    os << "  at " << place << '\n';
}

/// `2 certified, 1 undecided` of the functions that passes changed.
static std::string count(ArrayRef<CertifiedStep> steps) {
  std::string text;
  for (Verdict verdict :
       {Verdict::Certified, Verdict::Different, Verdict::Undecided}) {
    size_t number = llvm::count_if(steps, [&](const CertifiedStep &step) {
      return step.verdict == verdict;
    });
    if (number == 0 && verdict != Verdict::Certified)
      continue;
    text += (text.empty() ? "" : ", ") + std::to_string(number) + " ";
    text += getWord(verdict);
  }
  return text;
}

/// Under which conditions certified steps hold, and how many of them.
static void printConditions(ArrayRef<CertifiedStep> steps, raw_ostream &os) {
  std::string anywhere = describeEquality(Certificate());
  llvm::MapVector<StringRef, unsigned> numbers;
  for (const CertifiedStep &step : steps)
    if (step.verdict == Verdict::Certified && step.message != anywhere)
      ++numbers[step.message];
  for (const auto &[condition, number] : numbers)
    os << number << " of them: " << condition << '\n';
}

void mlir::convoy::printPipeline(const CertifiedPipeline &result,
                                 raw_ostream &os) {
  printTable(result.steps, os);
  for (const CertifiedStep &step : result.steps)
    if (step.verdict && *step.verdict != Verdict::Certified)
      printReason(step, os);
  size_t numChanges = llvm::count_if(
      result.steps, [](const CertifiedStep &step) { return step.verdict; });
  os << llvm::formatv("{0} change{1} of functions: {2} ({3:f1} ms)\n",
                      numChanges, numChanges == 1 ? "" : "s",
                      count(result.steps), result.seconds * 1e3);
  printConditions(result.steps, os);
}

void mlir::convoy::printDifference(const CertifiedStep &step, raw_ostream &os) {
  os << "before " << step.pass << ":\n" << step.before;
  os << "after " << step.pass << ":\n" << step.after;
  os << "the pass alone: --pipeline='" << step.pipeline << "'\n";
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

static llvm::json::Object toJSON(const CertifiedStep &step) {
  llvm::json::Object object{{"pass", step.pass},
                            {"pipeline", step.pipeline},
                            {"function", step.function},
                            {"verdict", getWord(step)},
                            {"seconds", step.seconds}};
  if (!step.verdict)
    return object;
  object["message"] = step.message;
  if (*step.verdict == Verdict::Certified)
    return object;
  object["op"] = getPlaceOfOp(step);
  object["before"] = step.before;
  object["after"] = step.after;
  return object;
}

llvm::json::Object mlir::convoy::toJSON(const CertifiedPipeline &result,
                                        const CertifiedStep *smallest) {
  llvm::json::Array steps;
  for (const CertifiedStep &step : result.steps)
    steps.push_back(::toJSON(step));
  llvm::json::Object object{{"verdict", getWord(result.verdict)},
                            {"failure", result.failure},
                            {"steps", std::move(steps)}};
  if (smallest)
    object["smallest"] = ::toJSON(*smallest);
  return object;
}

llvm::json::Object mlir::convoy::toJSON(const FunctionCertificate &function) {
  const Certificate &certificate = function.certificate;
  llvm::json::Object object{{"function", function.path},
                            {"verdict", getWord(certificate.verdict)},
                            {"message", certificate.message},
                            {"seconds", function.seconds}};
  if (certificate.op)
    object["op"] = (getPlace(certificate.op->getLoc()) +
                    certificate.op->getName().getStringRef())
                       .str();
  return object;
}
