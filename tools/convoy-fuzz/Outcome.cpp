//===- Outcome.cpp - What became of a case ----------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Outcome.h"

#include "convoy/Driver/ArgumentRanges.h"
#include "convoy/Report/SurveyJSON.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::FuzzCase;

static constexpr llvm::StringLiteral kKinds[] = {
    "passed",       "refused", "suspicious", "wrong",    "fault",
    "not compiled", "crash",   "hang",       "no device"};

StringRef mlir::convoy::getName(OutcomeKind kind) {
  return kKinds[size_t(kind)];
}

std::string mlir::convoy::hideNumbers(StringRef text) {
  std::string hidden;
  for (size_t i = 0; i < text.size(); ++i)
    if (!llvm::isDigit(text[i]))
      hidden += text[i];
    else if (i == 0 || !llvm::isDigit(text[i - 1]))
      hidden += 'N';
  return hidden;
}

std::string Outcome::getKey() const {
  std::string key = getName(kind).str();
  if (kind == OutcomeKind::NotCompiled || kind == OutcomeKind::Crash)
    key += ": " + hideNumbers(text);
  return key;
}

llvm::json::Object mlir::convoy::toJSON(const Outcome &outcome) {
  llvm::json::Object object{{"kind", getName(outcome.kind)},
                            {"text", llvm::json::fixUTF8(outcome.text)},
                            {"verdict", outcome.verdict},
                            {"remarks", llvm::json::Array(outcome.remarks)}};
  if (outcome.errors)
    object["errors"] = toJSON(*outcome.errors);
  return object;
}

std::optional<Outcome>
mlir::convoy::readOutcome(const llvm::json::Object &object) {
  auto kind = object.getString("kind"), text = object.getString("text"),
       verdict = object.getString("verdict");
  const llvm::json::Array *remarks = object.getArray("remarks");
  if (!kind || !text || !verdict || !remarks)
    return std::nullopt;
  const auto *found = llvm::find(kKinds, *kind);
  if (found == std::end(kKinds))
    return std::nullopt;
  Outcome outcome;
  outcome.kind = OutcomeKind(found - std::begin(kKinds));
  outcome.text = text->str();
  outcome.verdict = verdict->str();
  for (const llvm::json::Value &remark : *remarks)
    outcome.remarks.push_back(remark.getAsString().value_or("").str());
  if (const llvm::json::Object *errors = object.getObject("errors"))
    outcome.errors = readHistogram(*errors);
  return outcome;
}

/// The numbers of `array`.
static std::vector<int64_t> readNumbers(const llvm::json::Array &array) {
  std::vector<int64_t> numbers;
  for (const llvm::json::Value &number : array)
    numbers.push_back(number.getAsInteger().value_or(0));
  return numbers;
}

llvm::json::Object mlir::convoy::toJSON(const FuzzCase &fuzzCase) {
  llvm::json::Array sizes;
  for (const std::vector<int64_t> &ofRun : fuzzCase.sizes)
    sizes.push_back(llvm::json::Array(ofRun));
  llvm::json::Array ranges;
  for (const ::convoy::CaseRange &range : fuzzCase.ranges)
    ranges.push_back(toString(range));
  return llvm::json::Object{
      {"problem", ::convoy::toString(fuzzCase.problem)},
      {"op", StringRef(::convoy::fuzzOpName(fuzzCase.op))},
      {"form", fuzzCase.form},
      {"target", fuzzCase.target},
      {"threads", fuzzCase.threads},
      {"packed", fuzzCase.packedFilters},
      {"opt_level", fuzzCase.optLevel},
      {"tile", llvm::json::Array(fuzzCase.tile)},
      {"sizes", std::move(sizes)},
      {"precision", fuzzCase.precision},
      {"ranges", std::move(ranges)},
      {"algorithm", fuzzCase.algorithm},
      {"data", StringRef(::convoy::dataKindName(fuzzCase.data))},
      {"seed", int64_t(fuzzCase.seed)}};
}

/// The ranges that `array` has the texts of.
static std::optional<std::vector<::convoy::CaseRange>>
readRanges(const llvm::json::Array &array) {
  std::vector<::convoy::CaseRange> ranges;
  for (const llvm::json::Value &text : array) {
    std::string error;
    std::optional<ArgumentRange> range =
        parseArgumentRange(text.getAsString().value_or(""), error);
    if (!range || range->numbers.size() != 3)
      return std::nullopt;
    ranges.push_back({range->argument, range->numbers[0], range->numbers[1],
                      range->numbers[2]});
  }
  return ranges;
}

std::optional<FuzzCase>
mlir::convoy::readCase(const llvm::json::Object &object) {
  auto problem = object.getString("problem"),
       target = object.getString("target"), data = object.getString("data"),
       precision = object.getString("precision"),
       algorithm = object.getString("algorithm"),
       opName = object.getString("op");
  auto threads = object.getInteger("threads"), form = object.getInteger("form"),
       optLevel = object.getInteger("opt_level"),
       seed = object.getInteger("seed");
  auto packed = object.getBoolean("packed");
  const llvm::json::Array *tile = object.getArray("tile"),
                          *runs = object.getArray("sizes"),
                          *rangeTexts = object.getArray("ranges");
  if (!problem || !target || !data || !threads || !optLevel || !seed ||
      !packed || !tile || !runs || !precision || !algorithm || !opName ||
      !form || !rangeTexts)
    return std::nullopt;
  std::vector<std::vector<int64_t>> sizes;
  for (const llvm::json::Value &run : *runs)
    if (const llvm::json::Array *numbers = run.getAsArray())
      sizes.push_back(readNumbers(*numbers));
  std::string error;
  auto problems = ::convoy::parseProblems(*problem, {}, error);
  auto kind = ::convoy::parseDataKind(*data);
  auto op = ::convoy::parseFuzzOp(*opName);
  auto ranges = readRanges(*rangeTexts);
  if (!problems || problems->size() != 1 || !kind || !op || !ranges)
    return std::nullopt;
  return FuzzCase{problems->front(),
                  *op,
                  *form,
                  target->str(),
                  int(*threads),
                  *packed,
                  int(*optLevel),
                  readNumbers(*tile),
                  std::move(sizes),
                  precision->str(),
                  std::move(*ranges),
                  algorithm->str(),
                  *kind,
                  uint64_t(*seed)};
}
