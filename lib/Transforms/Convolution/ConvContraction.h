//===- ConvContraction.h - Convolutions as contractions ---------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_TRANSFORMS_CONVOLUTION_CONVCONTRACTION_H
#define CONVOY_LIB_TRANSFORMS_CONVOLUTION_CONVCONTRACTION_H

#include "convoy/Dialect/Convoy/IR/Convoy.h"

namespace mlir::convoy {

/// What a contraction multiplies in the place of a convolution: its operands,
/// or copies of them in the same layouts.
struct ConvFactors {
  Value input, filter;
  Value padding; ///< an element around the input; null for zero
};

/// The result of `op`, whose input is not dilated and none of whose tensors is
/// empty, as sums over im2col of `factors`. `buildSum` is given an element of
/// the rows, one of the filter and a sum, and returns the sum with their term.
Value createContraction(
    OpBuilder &builder, ConvOp op, const ConvFactors &factors,
    function_ref<Value(OpBuilder &, Location, ValueRange)> buildSum);

} // namespace mlir::convoy

#endif // CONVOY_LIB_TRANSFORMS_CONVOLUTION_CONVCONTRACTION_H
