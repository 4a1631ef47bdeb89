//===- Passes.td - Passes on convolutions and their tiles --*- tablegen -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TRANSFORMS_PASSES_TD
#define CONVOY_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvToIm2colPass : Pass<"convoy-conv-to-im2col"> {
  let summary = "Turn convolutions into im2col and a contraction";
  let description = [{
    Takes `convoy.conv` without input dilation; leaves `convoy.im2col` and a
    `linalg.generic` that multiplies its rows with the filter as it lies in
    memory.
    ```mlir
    %r = convoy.conv ins(%x, %w : tensor<1x9x7x4xf32>, tensor<3x3x4x6xf32>)
        outs(%init : tensor<1x7x5x6xf32>) layout(nhwc x hwcf -> nhwf)
    ```
    becomes
    ```mlir
    %rows = convoy.im2col %x layout(nhwc, nhw|hwc)
        : tensor<1x9x7x4xf32> -> tensor<1x7x5x3x3x4xf32>
    %r = linalg.generic {..} ins(%rows, %w) outs(%init) {mulf, addf}
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::convoy::ConvoyDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

#endif // CONVOY_TRANSFORMS_PASSES_TD
