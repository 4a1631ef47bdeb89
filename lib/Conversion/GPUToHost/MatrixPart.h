//===- MatrixPart.h - Cooperative matrices on the host ----------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_CONVERSION_GPUTOHOST_MATRIXPART_H
#define CONVOY_LIB_CONVERSION_GPUTOHOST_MATRIXPART_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace mlir::convoy {

/// The elements that a work-item has of a cooperative matrix where the host
/// executes it: as many successive ones as each, counted line by line. Lines
/// are rows, but of B columns.
struct MatrixPart {
  int64_t elements;   ///< of a work-item
  int64_t lineLength; ///< a multiple of that
  bool areColumns;    ///< whether lines are
  Type element;       ///< without a sign

  VectorType getType() const { return VectorType::get({elements}, element); }
};

/// The part of `matrix` that each of `wave` work-items has, or nothing where it
/// has no equal parts within lines.
std::optional<MatrixPart> getMatrixPart(gpu::MMAMatrixType matrix,
                                        int64_t wave);

/// Whether `divideMatrices` takes `op`, which loads, stores or makes matrices
/// of which each of `wave` work-items has a part.
bool canDivideMatrices(Operation *op, int64_t wave);

/// Makes all cooperative matrices of `function` vectors, part number `part` of
/// those that a wave of `wave` has, and ops that load, store and make them ones
/// on vectors. Products are left, with parts as operands and results.
void divideMatrices(func::FuncOp function, Value part, int64_t wave);

} // namespace mlir::convoy

#endif // CONVOY_LIB_CONVERSION_GPUTOHOST_MATRIXPART_H
