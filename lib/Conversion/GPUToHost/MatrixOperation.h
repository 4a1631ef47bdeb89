//===- MatrixOperation.h - Matrix instructions on the host ------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_CONVERSION_GPUTOHOST_MATRIXOPERATION_H
#define CONVOY_LIB_CONVERSION_GPUTOHOST_MATRIXOPERATION_H

#include "mlir/IR/Operation.h"

#include <array>
#include <optional>

namespace mlir::convoy {

/// D = A * B + C, as the runtime knows it.
struct MatrixOperation {
  /// The most registers of 32 bits that a work-item has of A, B and C.
  static constexpr int64_t kMaxRegisters = 64;

  /// `convoy_simulated_operation` in convoy/Runtime/SimulatedKernel.h. The op's
  /// first operands are A, B and C.
  std::array<int64_t, 10> numbers;
};

/// What `op` computes if it is a matrix instruction without modifiers. Of
/// cooperative matrices each of `wave` work-items has a part (see MatrixPart).
std::optional<MatrixOperation> getMatrixOperation(Operation *op, int64_t wave,
                                                  bool pairwise);

} // namespace mlir::convoy

#endif // CONVOY_LIB_CONVERSION_GPUTOHOST_MATRIXOPERATION_H
