//===- SurveyJSON.cpp - Where a result's errors are, as JSON --------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Report/SurveyJSON.h"

#include <cmath>

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::ErrorAxis;
using ::convoy::ErrorHistogram;
using ::convoy::ErrorView;

static llvm::json::Array toBinsJSON(const ErrorHistogram &histogram) {
  llvm::json::Array bins;
  for (auto [number, count] : llvm::enumerate(histogram.bins()))
    if (count > 0)
      bins.push_back(
          llvm::json::Object{{"from", ErrorHistogram::lowerEdge(int(number))},
                             {"to", ErrorHistogram::lowerEdge(int(number) + 1)},
                             {"count", count}});
  return bins;
}

llvm::json::Object mlir::convoy::toJSON(const ErrorHistogram &histogram) {
  return llvm::json::Object{{"zero", histogram.zeros()},
                            {"infinite", histogram.infinities()},
                            {"bins", toBinsJSON(histogram)}};
}

std::optional<ErrorHistogram>
mlir::convoy::readHistogram(const llvm::json::Object &object) {
  auto zeros = object.getInteger("zero"),
       infinities = object.getInteger("infinite");
  const llvm::json::Array *bins = object.getArray("bins");
  if (!zeros || !infinities || !bins)
    return std::nullopt;
  ErrorHistogram histogram;
  histogram.add(0, *zeros);
  histogram.add(INFINITY, *infinities);
  for (const llvm::json::Value &value : *bins) {
    const llvm::json::Object *bin = value.getAsObject();
    auto from = bin ? bin->getNumber("from") : std::nullopt;
    auto to = bin ? bin->getNumber("to") : std::nullopt;
    auto count = bin ? bin->getInteger("count") : std::nullopt;
    if (!from || !to || !count)
      return std::nullopt;
    // In the middle, where no rounding leads to a neighbour.
    histogram.add(std::sqrt(*from * *to), *count);
  }
  return histogram;
}

static llvm::json::Value toRatioJSON(float ratio) {
  if (ratio == ErrorView::kNothing)
    return nullptr;
  if (std::isinf(ratio))
    return "inf";
  return double(ratio);
}

static llvm::json::Object toViewJSON(const ErrorView &view) {
  llvm::json::Array ratios;
  for (float ratio : view.ratios)
    ratios.push_back(toRatioJSON(ratio));
  return llvm::json::Object{{"rows", int64_t(view.rowAxis)},
                            {"columns", int64_t(view.columnAxis)},
                            {"ratios", std::move(ratios)}};
}

llvm::json::Object mlir::convoy::toSurveyJSON(const ErrorHistogram &histogram,
                                              StringRef worstCase,
                                              const ::convoy::ErrorMap &map) {
  llvm::json::Array axes, views;
  for (const ErrorAxis &axis : map.axes())
    axes.push_back(llvm::json::Object{
        {"name", axis.name}, {"size", axis.size}, {"bins", axis.bins()}});
  for (const ErrorView &view : map.views())
    views.push_back(toViewJSON(view));
  llvm::json::Object survey = toJSON(histogram);
  survey["case"] = worstCase;
  survey["axes"] = std::move(axes);
  survey["views"] = std::move(views);
  return survey;
}
