//===- MatrixOps.h - Matrices that subgroups hold ---------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_CERTIFY_MATRIXOPS_H
#define CONVOY_LIB_CERTIFY_MATRIXOPS_H

#include "Buffers/Obstacle.h"
#include "WaveProducts.h"
#include "WorkItems.h"

namespace mlir::convoy::certify {

/// Makes the ops by which a subgroup computes as one. A matrix that it holds is
/// a tensor with an element for each subgroup, row and column. Which lane has
/// which of these is not asked for, unless work-items hold it as vectors.
class MatrixOps {
public:
  MatrixOps(WorkItems &items, const IRMapping &uniform, OpBuilder &builder)
      : items(items), uniform(uniform), builder(builder) {}

  /// Whether `op` is one of these.
  static bool isKnown(Operation *op);
  /// Makes `op`, or tells `obstacle` why not.
  LogicalResult make(Operation *op, FirstObstacle &obstacle);

  /// Whether `argument`, which a loop carries, is a matrix: of the vectors of
  /// work-items those that are but summands of matrices.
  static bool isMatrix(BlockArgument argument);
  /// The tensor that `matrix` is, or null.
  Value lookup(Value matrix) const { return tensors.lookup(matrix); }
  void map(Value matrix, Value tensor) { tensors[matrix] = tensor; }
  /// The tensor of `init`, in which a loop begins with `argument`; null if it
  /// is not known.
  Value getInit(BlockArgument argument, Value init);
  /// Lets each work-item have its vector of `result`, a matrix that the loop
  /// leaves of `argument`, where it needs that.
  LogicalResult leave(BlockArgument argument, Value result);

private:
  LogicalResult load(gpu::SubgroupMmaLoadMatrixOp op, FirstObstacle &obstacle);
  LogicalResult store(gpu::SubgroupMmaStoreMatrixOp op,
                      FirstObstacle &obstacle);
  LogicalResult fill(gpu::SubgroupMmaConstantMatrixOp op,
                     FirstObstacle &obstacle);
  LogicalResult multiply(gpu::SubgroupMmaComputeOp op, FirstObstacle &obstacle);
  LogicalResult applyToElements(gpu::SubgroupMmaElementwiseOp op,
                                FirstObstacle &obstacle);
  /// The types of factors in IR: in buffers integers have no sign, and bf16 may
  /// be bits of f16.
  struct FactorTypes {
    Type a, b;
    bool isBF16 = false;
  };
  /// The sum of the third of `operands` and the product of the others; null if
  /// that is not known of `types`.
  Value emitProduct(Location loc, ArrayRef<Value> operands,
                    const FactorTypes &types);
  LogicalResult multiply(const WaveProduct &product, Operation *op,
                         FirstObstacle &obstacle);
  /// The tensor whose lines and positions work-items hold as `layout` says, in
  /// their vectors `value`, or those 16 times `shift` lanes later; lines are
  /// rows if `areRows`. Null if it is not known.
  Value gather(Value value, const LaneLayout &layout, bool areRows,
               int64_t shift = 0);
  /// The same, known already or not.
  Value getSummand(Value value, const WaveProduct &product);
  Value getFactor(Value value, const WaveProduct &product, bool areRows);
  /// Lets each work-item have its vector of `tensor`, in which `layout` says
  /// where elements lie, as `value`.
  LogicalResult scatter(Value value, Value tensor, const LaneLayout &layout);
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
  /// Of factors that work-items hold, as rows and as columns.
  DenseMap<Value, Value> factors[2];
};

} // namespace mlir::convoy::certify

#endif // CONVOY_LIB_CERTIFY_MATRIXOPS_H
