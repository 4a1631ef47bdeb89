//===- WriteChain.h - Tensors that iterations only write --------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_CERTIFY_EVALUATOR_WRITECHAIN_H
#define CONVOY_LIB_CERTIFY_EVALUATOR_WRITECHAIN_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::convoy::certify {

/// What an iteration makes of a tensor, step by step, where nothing that it
/// writes depends on elements of that tensor. So an element is what it was if
/// and only if no step writes it, and which steps do, which depends on indices
/// alone, may be asked without what they write.
class WriteChain {
public:
  /// The chain from `carried`, which `loop` carries, to what it yields; nothing
  /// if an iteration is not known to do only that.
  static std::optional<WriteChain> find(scf::ForOp loop, BlockArgument carried);

  /// Whether `tensor` is a step.
  bool contains(Value tensor) const { return steps.contains(tensor); }

private:
  bool add(Value tensor);
  bool addSteps(OpResult result);
  bool addWrite(OpOperand &source, OpOperand &destination);
  /// Whether nothing that is written depends on a step, nor where and whether
  /// it is on elements of any tensor.
  bool isApart() const;

  llvm::SetVector<Value> steps;
  SmallVector<Value> sources;  ///< what is written
  SmallVector<Value> controls; ///< where, and whether
};

} // namespace mlir::convoy::certify

#endif // CONVOY_LIB_CERTIFY_EVALUATOR_WRITECHAIN_H
