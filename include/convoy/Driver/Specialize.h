//===- Specialize.h - Functions with their sizes filled in ------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_DRIVER_SPECIALIZE_H
#define CONVOY_DRIVER_SPECIALIZE_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <optional>
#include <vector>

namespace mlir::convoy {

/// Leaves nothing in `module` but what its function `name` needs: what no one
/// calls would be compiled, too, and may be beyond a target.
void keepFunction(ModuleOp module, StringRef name);

/// One shape for each argument of a function; empty for those that are no
/// tensors.
using ArgumentShapes = std::vector<std::vector<int64_t>>;

/// Whether arguments of `function` can have these shapes.
bool fitShapes(func::FuncOp function, const ArgumentShapes &shapes);

/// Sets `shapes` to those of the arguments of `function` whose dynamic sizes
/// are `sizes`, in order; returns how many it has. Where these are not as many
/// as `sizes`, the shapes mean nothing.
size_t fillShapes(func::FuncOp function, ArrayRef<int64_t> sizes,
                  ArgumentShapes &shapes);

/// A copy of a function whose arguments have static shapes.
class SpecializedFunction {
public:
  /// Copies `function` with arguments of `shapes`, which fit their types, and
  /// folds all sizes that follow. Errors go to the context's handlers.
  static FailureOr<SpecializedFunction> create(func::FuncOp function,
                                               const ArgumentShapes &shapes);

  func::FuncOp get() const { return function; }
  /// The shape of result `number`; nothing where it does not follow from those
  /// of the arguments.
  std::optional<std::vector<int64_t>> getResultShape(unsigned number);

private:
  OwningOpRef<ModuleOp> module;
  func::FuncOp function;
};

} // namespace mlir::convoy

#endif // CONVOY_DRIVER_SPECIALIZE_H
