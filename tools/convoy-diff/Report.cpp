//===- Report.cpp - Prints where two sides part -----------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Report.h"

#include "convoy/Report/ReportPage.h"
#include "convoy/Support/TextTable.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"

#include <cmath>

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::CompareReport;

/// The first layer of which `holds` is true on a side.
static FirstLayer findFirst(ArrayRef<LayerDiff> diffs,
                            bool (LayerDiff::*holds)(unsigned) const) {
  for (const LayerDiff &diff : diffs)
    for (unsigned side : {0, 1})
      if ((diff.*holds)(side))
        return {&diff, side};
  return {};
}

FirstLayer mlir::convoy::findFirstOutside(ArrayRef<LayerDiff> diffs) {
  return findFirst(diffs, &LayerDiff::isOutside);
}

FirstLayer mlir::convoy::findFirstUnexplained(ArrayRef<LayerDiff> diffs) {
  return findFirst(diffs, &LayerDiff::isUnexplained);
}

FirstLayer mlir::convoy::findFirstSuspicious(ArrayRef<LayerDiff> diffs) {
  return findFirst(diffs, &LayerDiff::isSuspicious);
}

static std::string format(double number) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.3g", number);
  return text;
}

/// Error over bound, or `-` where nothing could be compared.
static std::string getRatio(const CompareReport &report) {
  return report.compared + report.wrong == 0 ? "-" : format(report.worstRatio);
}

/// What is wrong with `layer` on `side`, of which `report` says more.
static std::string describe(const Options &options, StringRef sentence,
                            const FirstLayer &first,
                            const CompareReport &report) {
  if (!first.layer)
    return (sentence + ": none\n").str();
  std::string text = (sentence + ": " + first.layer->name + " (" +
                      options.sides[first.side].label + ")\n")
                         .str();
  if (report.wrong > 0 || report.suspicious > 0)
    text += "    " + ::convoy::toString(report) + "\n";
  for (const std::string &fault : first.layer->faults[first.side])
    text += "    " + fault + "\n";
  return text;
}

std::string mlir::convoy::toTable(const Options &options,
                                  ArrayRef<LayerDiff> diffs) {
  ::convoy::TextTable table({"layer", "introduced", "inherited", "total",
                             "a alone", "b alone", "a whole", "b whole"});
  for (const LayerDiff &diff : diffs)
    table.addRow({diff.name, format(diff.introduced), format(diff.inherited),
                  format(diff.total), getRatio(diff.alone[0]),
                  getRatio(diff.alone[1]), getRatio(diff.whole[0]),
                  getRatio(diff.whole[1])});
  FirstLayer outside = findFirstOutside(diffs);
  FirstLayer unexplained = findFirstUnexplained(diffs);
  FirstLayer suspicious = findFirstSuspicious(diffs);
  return "a: " + options.sides[0].label + ", b: " + options.sides[1].label +
         "\n" + table.toString() +
         describe(options, "first layer outside its bound", outside,
                  outside.layer ? outside.layer->whole[outside.side]
                                : CompareReport()) +
         describe(options, "first layer beyond what its inputs explain",
                  unexplained,
                  unexplained.layer ? unexplained.layer->alone[unexplained.side]
                                    : CompareReport()) +
         // Of most layers it is not known what would be.
         (suspicious.layer
              ? describe(options, "first suspicious layer", suspicious,
                         suspicious.layer->alone[suspicious.side])
              : "");
}

/// JSON has no infinities and no NaN: null.
static llvm::json::Value toJSON(double number) {
  return std::isfinite(number) ? llvm::json::Value(number)
                               : llvm::json::Value(nullptr);
}

static llvm::json::Object toJSON(const CompareReport &report) {
  llvm::json::Object object{{"ratio", toJSON(report.worstRatio)},
                            {"elements", report.elements},
                            {"compared", report.compared},
                            {"suspicious", report.suspicious},
                            {"wrong", report.wrong}};
  if (!report.refusal.empty())
    object["refusal"] = report.refusal;
  else
    object["verdict"] = StringRef(::convoy::verdictName(report.verdict()));
  if (report.wrong > 0 || report.suspicious > 0)
    object["worst"] = report.worstPlace.text;
  return object;
}

static llvm::json::Value toJSON(const Options &options,
                                const FirstLayer &first) {
  if (!first.layer)
    return nullptr;
  return llvm::json::Object{{"layer", first.layer->name},
                            {"side", options.sides[first.side].label}};
}

/// The command that cuts the function before and behind one layer alone.
static std::string getLayerCommand(const Options &options,
                                   const LayerDiff &diff) {
  std::vector<std::string> words = options.caseWords;
  const std::vector<std::string> &traces =
      diff.traces.empty() ? options.traces : diff.traces;
  if (!traces.empty())
    words.push_back("--trace=" + llvm::join(traces, ","));
  return quoteCommand(words);
}

llvm::json::Object mlir::convoy::toJSON(const Options &options,
                                        ArrayRef<LayerDiff> diffs) {
  llvm::json::Array layers;
  for (const LayerDiff &diff : diffs) {
    llvm::json::Array sides;
    for (unsigned side : {0, 1})
      sides.push_back(
          llvm::json::Object{{"alone", ::toJSON(diff.alone[side])},
                             {"whole", ::toJSON(diff.whole[side])},
                             {"faults", llvm::json::Array(diff.faults[side])}});
    layers.push_back(
        llvm::json::Object{{"name", diff.name},
                           {"introduced", ::toJSON(diff.introduced)},
                           {"inherited", ::toJSON(diff.inherited)},
                           {"total", ::toJSON(diff.total)},
                           {"reproduce", getLayerCommand(options, diff)},
                           {"sides", std::move(sides)}});
  }
  return llvm::json::Object{
      {"sides",
       llvm::json::Array{options.sides[0].label, options.sides[1].label}},
      {"layers", std::move(layers)},
      {"first_outside", ::toJSON(options, findFirstOutside(diffs))},
      {"first_suspicious", ::toJSON(options, findFirstSuspicious(diffs))},
      {"first_unexplained", ::toJSON(options, findFirstUnexplained(diffs))}};
}
