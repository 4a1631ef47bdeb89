//===- FastMath.h - What ops on floats may do ------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TRANSFORMS_UTILS_FASTMATH_H
#define CONVOY_TRANSFORMS_UTILS_FASTMATH_H

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace mlir::convoy {

/// Lets `op`, a product or a sum, become one multiply-add with the other, which
/// rounds once.
void allowContraction(arith::ArithFastMathInterface op);

} // namespace mlir::convoy

#endif // CONVOY_TRANSFORMS_UTILS_FASTMATH_H
