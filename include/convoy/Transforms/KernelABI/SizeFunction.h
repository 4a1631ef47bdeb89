//===- SizeFunction.h - Functions of a kernel's dynamic sizes ---*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TRANSFORMS_KERNELABI_SIZEFUNCTION_H
#define CONVOY_TRANSFORMS_KERNELABI_SIZEFUNCTION_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"

namespace mlir::convoy {

/// The ops of `kernel` that compute `values`, which are defined outside of
/// loops, in an order in which each follows those that it needs. Fails where
/// one depends on more than sizes.
FailureOr<SmallVector<Operation *>> getSizeSlice(func::FuncOp kernel,
                                                 ValueRange values);

/// Builds a function beside a kernel, which is on buffers, that computes some
/// of the kernel's values from the dynamic sizes of its arguments alone.
class SizeFunction {
public:
  /// Starts `name(sizes : i64..) -> result`.
  SizeFunction(func::FuncOp kernel, StringRef name, Type result);

  /// Repeats the computation of `values`, see `getSizeSlice`.
  LogicalResult compute(ValueRange values);
  /// What stands for a value that has been computed.
  Value lookup(Value value) const { return mapping.lookupOrDefault(value); }
  /// The sizes, as they are passed.
  ValueRange getSizes() { return function.getArguments(); }
  OpBuilder &getBuilder() { return builder; }
  void createReturn(Value value);

private:
  func::FuncOp kernel, function;
  OpBuilder builder;
  IRMapping mapping;
  /// Argument and dimension that each size belongs to, and the size as index.
  SmallVector<std::pair<Value, int64_t>> dims;
  SmallVector<Value> indices;
};

} // namespace mlir::convoy

#endif // CONVOY_TRANSFORMS_KERNELABI_SIZEFUNCTION_H
