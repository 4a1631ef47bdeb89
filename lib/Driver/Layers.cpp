//===- Layers.cpp - A function as a sequence of functions -------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Driver/Layers.h"

#include "convoy/Dialect/Convoy/IR/Convoy.h"
#include "convoy/Dialect/Convoy/IR/DiscardableAttrs.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace mlir::convoy;

namespace {
/// Cuts one function.
class LayerBuilder {
public:
  LayerBuilder(func::FuncOp function, RangeAnalysis *ranges)
      : function(function), ranges(ranges) {}

  FailureOr<LayeredFunction> build();

private:
  /// Adds the layer `name`, which computes `value` and is asked for as
  /// `result`.
  LogicalResult addLayer(StringRef name, Value value, Value result);
  /// Copies the ops that make `value` into a function of `layer`.
  void makeFunction(Layer &layer, Value value,
                    const SetVector<Operation *> &ops,
                    const SetVector<Value> &inputs);
  /// Declares what is known of `input`, argument `number` of `layer`.
  void declareRange(Layer &layer, unsigned number, Value input);
  std::string getResultName(unsigned number);

  func::FuncOp function;
  RangeAnalysis *ranges;
  LayeredFunction layered;
  /// The layer that computes a value that is traced, or a result.
  DenseMap<Value, unsigned> layerOf;
};
} // namespace

/// The ops that make `value` of arguments and of traced values, in order.
static SetVector<Operation *> findOps(Value value) {
  SetVector<Operation *> ops;
  BackwardSliceOptions options([](Operation *op) { return !isa<TraceOp>(op); });
  options.inclusive = true;
  options.omitBlockArguments = true;
  options.omitUsesFromAbove = false;
  if (!value.getDefiningOp() || isa<TraceOp>(value.getDefiningOp()))
    return ops;
  [[maybe_unused]] LogicalResult sliced =
      getBackwardSlice(value, &ops, options);
  assert(succeeded(sliced) && "ops of one block are in no circle");
  return ops;
}

/// What `ops`, which make `value`, take from others: in the order of use.
static SetVector<Value> findInputs(Value value,
                                   const SetVector<Operation *> &ops) {
  SetVector<Value> inputs;
  auto add = [&](Value operand) {
    if (!ops.contains(operand.getDefiningOp()))
      inputs.insert(operand);
  };
  for (Operation *op : ops) {
    llvm::for_each(op->getOperands(), add);
    SetVector<Value> captured;
    getUsedValuesDefinedAbove(op->getRegions(), captured);
    llvm::for_each(captured, add);
  }
  if (ops.empty())
    inputs.insert(value);
  return inputs;
}

void LayerBuilder::makeFunction(Layer &layer, Value value,
                                const SetVector<Operation *> &ops,
                                const SetVector<Value> &inputs) {
  OpBuilder builder = OpBuilder::atBlockEnd(layered.module->getBody());
  layer.function = func::FuncOp::create(
      builder, value.getLoc(), "layer_" + layer.name,
      builder.getFunctionType(ValueRange(inputs.getArrayRef()).getTypes(),
                              value.getType()));
  Block *body = layer.function.addEntryBlock();
  IRMapping copies;
  copies.map(inputs.getArrayRef(), body->getArguments());
  builder.setInsertionPointToStart(body);
  for (Operation *op : ops)
    builder.clone(*op, copies);
  func::ReturnOp::create(builder, value.getLoc(), copies.lookup(value));
  for (auto [number, input] : llvm::enumerate(inputs)) {
    if (ranges)
      declareRange(layer, number, input);
    auto argument = dyn_cast<BlockArgument>(input);
    if (!argument) {
      layer.inputs.push_back({/*isArgument=*/false, layerOf.at(input)});
      continue;
    }
    layer.inputs.push_back({/*isArgument=*/true, argument.getArgNumber()});
    if (DictionaryAttr known = function.getArgAttrDict(argument.getArgNumber()))
      layer.function.setArgAttrs(number, known);
  }
}

void LayerBuilder::declareRange(Layer &layer, unsigned number, Value input) {
  NumberRange range = ranges->getRange(input);
  if (isa<BlockArgument>(input) || !hasNumbers(input.getType()) ||
      !range.isNarrowerThan(getElementTypeOrSelf(input)))
    return;
  SmallVector<double> numbers = {range.low, range.high};
  if (range.smallest != 0)
    numbers.push_back(range.smallest);
  layer.function.setArgAttr(
      number, kRangeAttrName,
      DenseF64ArrayAttr::get(function.getContext(), numbers));
}

LogicalResult LayerBuilder::addLayer(StringRef name, Value value,
                                     Value result) {
  if (llvm::is_contained(llvm::map_range(layered.layers,
                                         [](const Layer &layer) {
                                           return StringRef(layer.name);
                                         }),
                         name))
    return function.emitOpError()
           << "expected layers of different names, but got two called '" << name
           << "'";
  if (!isa<RankedTensorType>(value.getType()))
    return function.emitOpError()
           << "expected a ranked tensor as the result of layer '" << name
           << "', but got " << value.getType();
  SetVector<Operation *> ops = findOps(value);
  unsigned number = layered.layers.size();
  Layer &layer = layered.layers.emplace_back();
  layer.name = name.str();
  layer.isTraced = result.getDefiningOp<TraceOp>() != nullptr;
  makeFunction(layer, value, ops, findInputs(value, ops));
  layerOf[result] = number;
  return success();
}

std::string LayerBuilder::getResultName(unsigned number) {
  if (auto name =
          function.getResultAttrOfType<StringAttr>(number, kNameAttrName))
    return name.str();
  return "result" + std::to_string(number);
}

FailureOr<LayeredFunction> LayerBuilder::build() {
  if (!function.getBody().hasOneBlock())
    return function.emitOpError("expected a function of one block");
  layered.module = ModuleOp::create(function.getLoc());
  for (auto trace : function.front().getOps<TraceOp>())
    if (failed(addLayer(trace.getName(), trace.getValue(), trace.getResult())))
      return failure();
  Operation *terminator = function.front().getTerminator();
  for (auto [number, result] : llvm::enumerate(terminator->getOperands())) {
    if (!layerOf.contains(result) &&
        failed(addLayer(getResultName(number), result, result)))
      return failure();
    layered.results.push_back(layerOf.at(result));
  }
  return std::move(layered);
}

FailureOr<LayeredFunction>
mlir::convoy::splitIntoLayers(func::FuncOp function, RangeAnalysis *ranges) {
  return LayerBuilder(function, ranges).build();
}
