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
#include <map>

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
  LayerComparison(const Meanings &meanings, const Side &first,
                  const Side &second, const std::vector<HostArray> &arguments,
                  bool areDrawn, bool survey)
      : meanings(meanings), sides{&first, &second}, arguments(arguments),
        areDrawn(areDrawn), survey(survey) {}

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
  /// Which inputs of `layer` are drawn arguments on which its other inputs do
  /// not depend: they have none, or no other layer reads the argument.
  SmallVector<bool> findDrawnInputs(const LayeredFunction &layers,
                                    const Layer &layer) const;
  /// Compares what layer `name` of each side gave for inputs of side 1, with
  /// what the layer means.
  bool compareAlone(StringRef name, const std::array<HostArray, 2> &results,
                    LayerDiff &diff, Failure &failure) const;
  /// Compares what both sides computed with what the whole function means.
  void compareWhole();

  Meanings meanings;
  std::array<const Side *, 2> sides;
  const std::vector<HostArray> &arguments;
  bool areDrawn, survey;
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

SmallVector<bool>
LayerComparison::findDrawnInputs(const LayeredFunction &layers,
                                 const Layer &layer) const {
  auto isReadOnce = [&](unsigned argument) {
    auto reads = [&](const LayerInput &input) {
      return input.isArgument && input.number == argument;
    };
    return llvm::count_if(layers.layers, [&](const Layer &other) {
             return llvm::any_of(other.inputs, reads);
           }) == 1;
  };
  SmallVector<bool> drawn;
  for (const LayerInput &input : layer.inputs)
    drawn.push_back(areDrawn && input.isArgument &&
                    (layer.inputs.size() == 1 || isReadOnce(input.number)));
  return drawn;
}

bool LayerComparison::compareAlone(StringRef name,
                                   const std::array<HostArray, 2> &results,
                                   LayerDiff &diff, Failure &failure) const {
  // Sides that mean the same share what was computed of it.
  std::map<const Source *, FunctionReference> references;
  for (unsigned side : {0, 1}) {
    const LayeredFunction &meant = meanings[side]->layers;
    const Layer &layer = meant.layers[*findLayer(meant, name)];
    std::optional<std::vector<HostArray>> inputs =
        getInputs(meant, layer, /*side=*/1, failure);
    if (!inputs)
      return false;
    auto [reference, isNew] = references.try_emplace(
        meanings[side], layer.function, findDrawnInputs(meant, layer));
    diff.alone[side] =
        reference->second.compare(*inputs, {results[side]}, math[side], survey);
  }
  return true;
}

bool LayerComparison::compareLayer(unsigned number, Failure &failure) {
  const Layer &layer = sides[0]->getLayers().layers[number];
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
  diff.faults = {std::move(a->faults), std::move(b->faults)};
  math = {a->math, b->math};
  if (!compareAlone(layer.name, {std::move(between->value), b->value}, diff,
                    failure))
    return false;
  values[0].push_back(std::move(a->value));
  values[1].push_back(std::move(b->value));
  return true;
}

void LayerComparison::compareWhole() {
  const LayeredFunction &first = sides[0]->getLayers();
  std::map<const Source *, FunctionReference> references;
  for (unsigned side : {0, 1}) {
    const Source &meaning = *meanings[side];
    func::FuncOp function = meaning.function;
    // The function returns its own results, then its traces.
    std::vector<unsigned> order;
    for (unsigned result : meaning.layers.results)
      order.push_back(*findLayer(first, meaning.layers.layers[result].name));
    for (unsigned result = order.size(); result < function.getNumResults();
         ++result)
      order.push_back(*findLayer(
          first,
          function.getResultAttrOfType<StringAttr>(result, kNameAttrName)));
    std::vector<HostArray> results;
    for (unsigned layer : order)
      results.push_back(values[side][layer]);
    auto [reference, isNew] =
        references.try_emplace(&meaning, function, areDrawn);
    std::vector<CompareReport> reports =
        reference->second.compareEach(arguments, results, math[side]);
    for (auto [layer, report] : llvm::zip_equal(order, reports))
      diffs[layer].whole[side] = report;
  }
}

std::optional<std::vector<LayerDiff>> LayerComparison::run(Failure &failure) {
  for (unsigned number = 0; number < sides[0]->getLayers().layers.size();
       ++number)
    if (!compareLayer(number, failure))
      return std::nullopt;
  compareWhole();
  return std::move(diffs);
}

std::optional<std::vector<LayerDiff>>
mlir::convoy::compareLayers(const Meanings &meanings, const Side &first,
                            const Side &second,
                            const std::vector<HostArray> &arguments,
                            bool areDrawn, bool survey, Failure &failure) {
  return LayerComparison(meanings, first, second, arguments, areDrawn, survey)
      .run(failure);
}
