//===- TosaConv.h - What convolutions of TOSA have in common ----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_CERTIFY_READERS_TOSACONV_H
#define CONVOY_LIB_CERTIFY_READERS_TOSACONV_H

#include "mlir/Dialect/Tosa/IR/TosaOps.h"

namespace mlir::convoy::certify {

/// The operands and attributes of any of TOSA's four convolutions.
struct TosaConv {
  template <typename OpTy>
  explicit TosaConv(OpTy op)
      : op(op), input(op.getInput()), weight(op.getWeight()),
        bias(op.getBias()), inputZp(op.getInputZp()),
        weightZp(op.getWeightZp()), accumulator(op.getAccType()),
        stride(op.getStride()) {
    if constexpr (std::is_same_v<OpTy, tosa::TransposeConv2DOp>) {
      isTransposed = true;
      pad = op.getOutPad();
    } else {
      pad = op.getPad();
      dilation = op.getDilation();
    }
    isDepthwise = std::is_same_v<OpTy, tosa::DepthwiseConv2DOp>;
  }

  Operation *op;
  Value input, weight, bias, inputZp, weightZp;
  Type accumulator;
  ArrayRef<int64_t> stride, pad, dilation;
  bool isTransposed = false, isDepthwise = false;
};

} // namespace mlir::convoy::certify

#endif // CONVOY_LIB_CERTIFY_READERS_TOSACONV_H
