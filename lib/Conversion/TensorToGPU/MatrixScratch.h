//===- MatrixScratch.h - Elements of cooperative matrices -------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_CONVERSION_TENSORTOGPU_MATRIXSCRATCH_H
#define CONVOY_LIB_CONVERSION_TENSORTOGPU_MATRIXSCRATCH_H

#include "KernelBuilder.h"

#include "convoy/Support/GPUMatrixInstruction.h"

namespace mlir::convoy {

/// The type as which factors of `instruction` are shared: their own, but f16
/// for cooperative matrices of bf16, which are moved as those of f16.
Type getSharedType(const ::convoy::GPUMatrixInstruction &instruction,
                   MLIRContext *context);

/// The type of a cooperative matrix that is `operand` of `instruction`, as in
/// `AOp`. `isUnsigned`: integers in it have no sign.
gpu::MMAMatrixType
getCooperativeType(const ::convoy::GPUMatrixInstruction &instruction,
                   MLIRContext *context, StringRef operand, bool isUnsigned);

/// The memory of a workgroup through which a subgroup's cooperative matrix of
/// 16 x 16 sums becomes elements of its work-items, and these become a matrix:
/// nobody knows which elements of the matrix itself a work-item has. All
/// subgroups of a workgroup come to each of its operations together.
class MatrixScratch {
public:
  /// For `subgroups` of `wave` work-items each, and matrices of `type`.
  MatrixScratch(KernelBuilder &kernel, gpu::MMAMatrixType type,
                int64_t subgroups, int64_t wave);

  /// Where a run of kVectorLanes elements begins: its row, and its columns as
  /// groups of as many.
  struct Place {
    Value row, group;
  };
  /// The runs that each work-item has of a matrix.
  SmallVector<Place> emitPlaces(OpBuilder &builder);

  /// Emits what makes `matrix` a vector for each of the runs.
  SmallVector<Value> emitRuns(OpBuilder &builder, Value matrix);
  /// Emits what makes vectors of the runs a matrix.
  Value emitMatrix(OpBuilder &builder, ArrayRef<Value> runs);

private:
  /// Emits the barrier behind the last operation's reads, if there was one.
  void emitBarrierOfLast(OpBuilder &builder);
  /// Where the subgroup's matrix begins.
  Value emitStart(OpBuilder &builder);
  /// Where each run begins.
  SmallVector<Value> emitAddresses(OpBuilder &builder);

  KernelBuilder &kernel;
  gpu::MMAMatrixType type;
  int64_t wave;
  Value buffer;
  bool isUsed = false; ///< by an operation before
};

} // namespace mlir::convoy

#endif // CONVOY_LIB_CONVERSION_TENSORTOGPU_MATRIXSCRATCH_H
