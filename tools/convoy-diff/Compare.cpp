//===- Compare.cpp - Where two sides part -----------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Compare.h"

#include "convoy/Driver/CheckFunction.h"
#include "convoy/Driver/Values.h"

#include "mlir/Support/DebugStringHelper.h"

#include <cmath>

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::CompareReport;
using ::convoy::HostArray;

/// The layer of `layers` that is called `name`, or nothing.
static std::optional<unsigned> findLayer(const LayeredFunction &layers,
                                         StringRef name) {
  for (auto [number, layer] : llvm::enumerate(layers.layers))
    if (layer.name == name)
      return number;
  return std::nullopt;
}

std::optional<std::string> mlir::convoy::checkSameLayers(const Side &first,
                                                         const Side &second) {
  if (first.getArgumentTypes() != second.getArgumentTypes())
    return "expected functions with the same arguments in " + first.getLabel() +
           " and " + second.getLabel();
  for (auto [one, other] :
       {std::pair(&first, &second), std::pair(&second, &first)})
    for (const Layer &layer : one->getLayers().layers) {
      std::optional<unsigned> number =
          findLayer(other->getLayers(), layer.name);
      if (!number)
        return "expected layers of the same names, but " + one->getLabel() +
               " has '" + layer.name + "', and " + other->getLabel() +
               " has not; '--trace' chooses those that both have";
      func::FuncOp a = layer.function;
      func::FuncOp b = other->getLayers().layers[*number].function;
      if (a.getResultTypes() != b.getResultTypes())
        return "expected layers of the same types, but '" + layer.name +
               "' is " + mlir::debugString(a.getResultTypes().front()) +
               " in " + one->getLabel() + " and " +
               mlir::debugString(b.getResultTypes().front()) + " in " +
               other->getLabel();
    }
  return std::nullopt;
}

/// The largest difference of two elements at one place; infinite where one is
/// of another class, or the arrays are of other shapes.
static double findLargestDifference(const HostArray &a, const HostArray &b) {
  if (a.type != b.type || a.shape != b.shape)
    return HUGE_VAL;
  double largest = 0;
  for (int64_t i = 0; i < a.elementCount(); ++i) {
    double x = a.at(i), y = b.at(i);
    if (x == y || (std::isnan(x) && std::isnan(y)))
      continue;
    double difference = std::abs(x - y);
    largest = std::isnan(difference) ? HUGE_VAL : std::max(largest, difference);
  }
  return largest;
}

namespace {
/// Runs the layers one after the other.
class LayerComparison {
public:
  LayerComparison(const Source &reference, const Side &first,
                  const Side &second, const std::vector<HostArray> &arguments,
                  bool survey)
      : reference(reference), sides{&first, &second}, arguments(arguments),
        survey(survey) {}

  std::optional<std::vector<LayerDiff>> run(Failure &failure);

private:
  /// The inputs of `layer`, of which those that are layers were computed on
  /// `side`.
  std::optional<std::vector<HostArray>> getInputs(const LayeredFunction &layers,
                                                  const Layer &layer,
                                                  unsigned side,
                                                  Failure &failure) const;
  /// What layer `number` of `side` gives for what was computed before on
  /// `inputSide`.
  std::optional<LayerValue> runLayer(unsigned side, unsigned number,
                                     unsigned inputSide,
                                     Failure &failure) const;
  /// Runs layer `number` of the first side and its like of the second.
  bool compareLayer(unsigned number, Failure &failure);
  /// Compares what both sides computed with what the whole function means.
  void compareWhole();

  const Source &reference;
  std::array<const Side *, 2> sides;
  const std::vector<HostArray> &arguments;
  bool survey;
  /// By side, what the layers gave, in the order of the first side's.
  std::array<std::vector<HostArray>, 2> values;
  std::array<TargetMath, 2> math;
  std::vector<LayerDiff> diffs;
};
} // namespace

std::optional<std::vector<HostArray>>
LayerComparison::getInputs(const LayeredFunction &layers, const Layer &layer,
                           unsigned side, Failure &failure) const {
  std::vector<HostArray> inputs;
  for (const LayerInput &input : layer.inputs) {
    if (input.isArgument) {
      inputs.push_back(arguments[input.number]);
      continue;
    }
    // Layers of one name may be in another order.
    StringRef name = layers.layers[input.number].name;
    unsigned number = *findLayer(sides[0]->getLayers(), name);
    if (number >= values[side].size()) {
      failure = {"expected layer '" + name.str() + "' before '" + layer.name +
                 "' in " + sides[0]->getLabel() + " as in " +
                 sides[1]->getLabel()};
      return std::nullopt;
    }
    inputs.push_back(values[side][number]);
  }
  return inputs;
}

std::optional<LayerValue> LayerComparison::runLayer(unsigned side,
                                                    unsigned number,
                                                    unsigned inputSide,
                                                    Failure &failure) const {
  const LayeredFunction &layers = sides[side]->getLayers();
  std::optional<std::vector<HostArray>> inputs =
      getInputs(layers, layers.layers[number], inputSide, failure);
  return inputs ? sides[side]->run(number, *inputs, failure) : std::nullopt;
}

bool LayerComparison::compareLayer(unsigned number, Failure &failure) {
  const Layer &layer = sides[0]->getLayers().layers[number];
  std::optional<std::vector<HostArray>> inputs =
      getInputs(sides[0]->getLayers(), layer, /*side=*/1, failure);
  if (!inputs)
    return false;
  std::optional<LayerValue> a = runLayer(0, number, 0, failure);
  std::optional<LayerValue> between = runLayer(0, number, 1, failure);
  std::optional<LayerValue> b =
      runLayer(1, *findLayer(sides[1]->getLayers(), layer.name), 1, failure);
  if (!a || !between || !b)
    return false;
  if (getTypeText(a->value) != getTypeText(b->value)) {
    failure = {"expected " + getTypeText(a->value) + " for layer '" +
               layer.name + "' of " + sides[1]->getLabel() + ", but got " +
               getTypeText(b->value)};
    return false;
  }
  LayerDiff &diff = diffs.emplace_back();
  diff.name = layer.name;
  for (const LayerInput &input : layer.inputs)
    if (!input.isArgument)
      diff.traces.push_back(sides[0]->getLayers().layers[input.number].name);
  if (layer.isTraced)
    diff.traces.push_back(layer.name);
  diff.introduced = findLargestDifference(b->value, between->value);
  diff.inherited = findLargestDifference(between->value, a->value);
  diff.total = findLargestDifference(b->value, a->value);
  FunctionReference alone(layer.function);
  diff.alone = {alone.compare(*inputs, {between->value}, a->math, survey),
                alone.compare(*inputs, {b->value}, b->math, survey)};
  diff.faults = {std::move(a->faults), std::move(b->faults)};
  math = {a->math, b->math};
  values[0].push_back(std::move(a->value));
  values[1].push_back(std::move(b->value));
  return true;
}

void LayerComparison::compareWhole() {
  // The function returns its own results, then its traces.
  std::vector<unsigned> order = reference.layers.results;
  func::FuncOp function = reference.function;
  for (unsigned result = order.size(); result < function.getNumResults();
       ++result)
    order.push_back(*findLayer(
        reference.layers,
        function.getResultAttrOfType<StringAttr>(result, kNameAttrName)));
  FunctionReference whole(function);
  for (unsigned side : {0, 1}) {
    std::vector<HostArray> results;
    for (unsigned layer : order)
      results.push_back(values[side][layer]);
    std::vector<CompareReport> reports =
        whole.compareEach(arguments, results, math[side]);
    for (auto [layer, report] : llvm::zip_equal(order, reports))
      diffs[layer].whole[side] = report;
  }
}

std::optional<std::vector<LayerDiff>> LayerComparison::run(Failure &failure) {
  for (unsigned number = 0; number < reference.layers.layers.size(); ++number)
    if (!compareLayer(number, failure))
      return std::nullopt;
  compareWhole();
  return std::move(diffs);
}

std::optional<std::vector<LayerDiff>> mlir::convoy::compareLayers(
    const Source &reference, const Side &first, const Side &second,
    const std::vector<HostArray> &arguments, bool survey, Failure &failure) {
  return LayerComparison(reference, first, second, arguments, survey)
      .run(failure);
}
