//===- Layers.h - A function as a sequence of functions ---------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_DRIVER_LAYERS_H
#define CONVOY_DRIVER_LAYERS_H

#include "convoy/Transforms/Numerics/RangeAnalysis.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <string>
#include <vector>

namespace mlir::convoy {

/// What a layer takes: an argument of the whole function, or what a layer
/// before it computes.
struct LayerInput {
  bool isArgument;
  unsigned number; ///< of the argument or of the layer
};

/// A part of a function: what makes a traced value, or a result, of arguments
/// and of traced values before it.
struct Layer {
  std::string name; ///< the trace's
  bool isTraced = true;
  func::FuncOp function;
  std::vector<LayerInput> inputs; ///< the function's arguments
};

/// A function, cut at its traced values.
struct LayeredFunction {
  OwningOpRef<ModuleOp> module; ///< holds the functions of all layers
  std::vector<Layer> layers;    ///< in the order in which they can run
  /// The layers that compute the results of the function.
  std::vector<unsigned> results;
};

/// Cuts `function`, which calls no other. Where `ranges` knows more of what
/// layers take than the types, their functions declare it. Results that are not
/// traced are layers of the name that they have as `convoy.name`, else `result`
/// and their number. Fails, with an error at the op that is in the way, where a
/// function has several blocks, or two layers have one name.
FailureOr<LayeredFunction> splitIntoLayers(func::FuncOp function,
                                           RangeAnalysis *ranges = nullptr);

} // namespace mlir::convoy

#endif // CONVOY_DRIVER_LAYERS_H
