//===- SymbolicSizes.h - Sizes as linear expressions ------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_CERTIFY_EVALUATOR_SYMBOLICSIZES_H
#define CONVOY_LIB_CERTIFY_EVALUATOR_SYMBOLICSIZES_H

#include "Scopes.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::convoy::certify {

/// Evaluates sizes and bounds to linear expressions, which must do in all cases
/// that can occur where they are made.
class SymbolicSizes {
public:
  SymbolicSizes(Solver &solver, Arguments &arguments, SymbolicIndices &indices,
                Scopes &scopes, FirstObstacle &obstacle)
      : solver(solver), arguments(arguments), indices(indices), scopes(scopes),
        obstacle(obstacle) {}

  // Sizes of tensors.
  /// Size `dim` of a tensor, or of a buffer that is an argument.
  FailureOr<Size> getSize(Value shaped, int64_t dim);
  /// The same where it has one value.
  FailureOr<LinearExpr> getSingleSize(Value tensor, int64_t dim);
  /// That `tensor` has the element with these indices.
  FailureOr<System> getBounds(Value tensor, ArrayRef<LinearExpr> element);
  /// The iteration space of `op`: one size for each loop.
  FailureOr<SmallVector<Size>> getLoopSizes(linalg::LinalgOp op);
  /// Finds the sizes that `op` has to do with, for what follows to know what
  /// their quotients are.
  void findSizes(Operation *op);

  // Operands of `op`.
  /// A size.
  FailureOr<Size> evaluateSize(OpFoldResult value, Operation *op);
  /// An upper bound, which is the least of the values, negative or not.
  FailureOr<Size> evaluateUpperBound(OpFoldResult value, Operation *op);
  /// An index that has one value.
  FailureOr<LinearExpr> evaluateSingle(OpFoldResult value, Operation *op);

private:
  FailureOr<Size> findSize(Value tensor, int64_t dim);
  FailureOr<Size> findSizeOfArgument(BlockArgument argument, int64_t dim);
  FailureOr<Size> findPaddedSize(tensor::PadOp op, int64_t dim);
  /// The product of the sizes that are collapsed, one of which may be dynamic.
  FailureOr<Size> findCollapsedSize(tensor::CollapseShapeOp op, int64_t dim);
  FailureOr<Size> findChosenSize(scf::IfOp op, unsigned number, int64_t dim);
  FailureOr<Size> findBufferSize(BlockArgument buffer, int64_t dim);
  FailureOr<Size> findLeast(Value value, Operation *op,
                            std::optional<int64_t> floor, bool isSingle);
  /// Drops those of `cases`, if there are several, that `scope` rules out.
  void keepWithin(const System &scope, IndexCases &cases);

  Solver &solver;
  Arguments &arguments;
  SymbolicIndices &indices;
  Scopes &scopes;
  FirstObstacle &obstacle;
  /// Sizes that are not constants, as operands and of tensors.
  DenseMap<Value, Size> sizes;
  DenseMap<std::pair<Value, int64_t>, Size> sizesOfTensors;
};

/// The tensors that `op` takes element by element, whose sizes are the same;
/// none for other ops.
SmallVector<Value> getElementwiseOperands(Operation *op);

/// The operands of `op` that are sizes of tensors.
SmallVector<Value> getSizeOperands(Operation *op);

/// Whether sizes are the same wherever `domain` holds; negative ones are 0.
bool areEqualSizes(Solver &solver, const Size &a, const Size &b,
                   const System &domain);
/// The size that `size` is at `point`.
int64_t evaluateSize(const Size &size, const DenseMap<Var, int64_t> &point);

} // namespace mlir::convoy::certify

#endif // CONVOY_LIB_CERTIFY_EVALUATOR_SYMBOLICSIZES_H
