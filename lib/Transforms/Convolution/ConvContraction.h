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
  Value padding = {};     ///< an element around the input; null for zero
  WindowAttr window = {}; ///< of the input; null for the convolution's
};

/// Adds the product of an element of the rows and one of the filter, given with
/// a sum.
using SumBuilder = function_ref<Value(OpBuilder &, Location, ValueRange)>;

/// The result of `op`, none of whose tensors is empty, as sums over im2col of
/// `factors`: of the products that `op` says, or of those of `buildSum`. Its
/// input is not dilated but in the spatial dimensions `phased`: there each
/// phase has one tap, that of its number, and its positions are the input's.
Value createContraction(OpBuilder &builder, ConvOp op,
                        const ConvFactors &factors,
                        SumBuilder buildSum = nullptr, StringRef phased = {});

} // namespace mlir::convoy

#endif // CONVOY_LIB_TRANSFORMS_CONVOLUTION_CONVCONTRACTION_H
