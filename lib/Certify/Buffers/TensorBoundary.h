//===- TensorBoundary.h - Buffers in the place of tensors -------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_CERTIFY_BUFFERS_TENSORBOUNDARY_H
#define CONVOY_LIB_CERTIFY_BUFFERS_TENSORBOUNDARY_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mlir::convoy::certify {

/// A function that takes and leaves buffers where it took and left tensors
/// before, as bufferization makes it: of each argument of `type` there is one,
/// and each result of `type` is returned or, if it is a tensor, left in an
/// argument behind these. Both are in the results' order, and types must say
/// which are left.
struct TensorBoundary {
  FunctionType type;
  /// For each result of `type`, what is returned in its place, or the argument
  /// that it is left in.
  SmallVector<Value> results;

  /// Nothing if `function` is no such one, or `type` its own type.
  static std::optional<TensorBoundary> find(FunctionOpInterface function,
                                            FunctionType type);

  /// Whether `argument` is there for a result, not for an argument.
  bool isForResult(BlockArgument argument) const {
    return argument.getArgNumber() >= type.getNumInputs();
  }
  /// Gives `function` the type again, with the attributes that go with it; the
  /// body is the caller's part.
  void restore(FunctionOpInterface function) const;
};

} // namespace mlir::convoy::certify

#endif // CONVOY_LIB_CERTIFY_BUFFERS_TENSORBOUNDARY_H
