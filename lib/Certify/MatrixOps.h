//===- MatrixOps.h - Matrices that subgroups hold ---------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_CERTIFY_MATRIXOPS_H
#define CONVOY_LIB_CERTIFY_MATRIXOPS_H

#include "Buffers/Obstacle.h"
#include "WorkItems.h"

namespace mlir::convoy::certify {

/// Makes the ops by which a subgroup computes as one. A matrix that it holds is
/// a tensor with an element for each subgroup, row and column: which lane has
/// which of these is not asked for.
class MatrixOps {
public:
  MatrixOps(WorkItems &items, const IRMapping &uniform, OpBuilder &builder)
      : items(items), uniform(uniform), builder(builder) {}

  /// Whether `op` is one of these.
  static bool isKnown(Operation *op);
  /// Makes `op`, or tells `obstacle` why not.
  LogicalResult make(Operation *op, FirstObstacle &obstacle);

  static bool isMatrix(Value value) {
    return isa<gpu::MMAMatrixType>(value.getType());
  }
  /// The tensor that `matrix` is, or null.
  Value lookup(Value matrix) const { return tensors.lookup(matrix); }
  void map(Value matrix, Value tensor) { tensors[matrix] = tensor; }

private:
  LogicalResult load(gpu::SubgroupMmaLoadMatrixOp op, FirstObstacle &obstacle);
  LogicalResult store(gpu::SubgroupMmaStoreMatrixOp op,
                      FirstObstacle &obstacle);
  LogicalResult fill(gpu::SubgroupMmaConstantMatrixOp op,
                     FirstObstacle &obstacle);
  LogicalResult multiply(gpu::SubgroupMmaComputeOp op, FirstObstacle &obstacle);
  RankedTensorType getTensorType(Value matrix) const;
  /// Goes to the body of a loop over the elements of `matrix`, of all
  /// subgroups. Returns the place in a tensor and, in `buffer`, that of the
  /// element whose row or, if `isTransposed`, column begins at `indices`.
  struct Places {
    SmallVector<Value> inTensor;
    Value buffer, inBuffer;
  };
  FailureOr<Places> enterElements(Operation *op, Value matrix, Value buffer,
                                  ValueRange indices, int64_t leadDimension,
                                  bool isTransposed, FirstObstacle &obstacle);

  WorkItems &items;
  const IRMapping &uniform;
  OpBuilder &builder;
  DenseMap<Value, Value> tensors;
};

} // namespace mlir::convoy::certify

#endif // CONVOY_LIB_CERTIFY_MATRIXOPS_H
