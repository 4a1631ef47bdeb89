//===- VaryingValues.h - What differs among work-items ----------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_TRANSFORMS_GPUKERNELS_VARYINGVALUES_H
#define CONVOY_LIB_TRANSFORMS_GPUKERNELS_VARYINGVALUES_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"

namespace mlir::convoy {

/// The values of a kernel that may differ among the work-items of a group:
/// their numbers, what they have in memory of their own, what is computed of
/// either, and what control flow makes of it. All others are uniform, if no
/// two work-items access an element without a barrier between. Of loops and
/// conditions of the scf dialect each value counts; what other ops with regions
/// or successors are given varies in all that they make.
class VaryingValues {
public:
  explicit VaryingValues(gpu::GPUFuncOp kernel);

  /// Whether work-items may decide differently at `op`: which region of it
  /// they go through, or how often.
  bool isBranch(Operation *op) const;

private:
  void add(Value value);
  void add(ValueRange values);
  /// Adds the results and the arguments of the regions of `op`.
  void addAll(Operation *op);
  /// Adds what `use` makes of a value that varies.
  void follow(OpOperand &use);
  void followYielded(Operation *terminator, unsigned number);

  llvm::DenseSet<Value> varying;
  SmallVector<Value> pending;
};

} // namespace mlir::convoy

#endif // CONVOY_LIB_TRANSFORMS_GPUKERNELS_VARYINGVALUES_H
