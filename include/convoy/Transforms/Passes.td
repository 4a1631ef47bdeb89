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

def PadIm2colPass : Pass<"convoy-pad-im2col"> {
  let summary = "Pad inputs so that no window leaves them";
  let description = [{
    Takes `convoy.im2col` whose window reaches outside the input; leaves a
    `tensor.pad` of what the windows read and an im2col without padding, whose
    tiles are then slices. Negative padding becomes a slice.
    ```mlir
    %rows = convoy.im2col %x layout(nwc, nw|wc) window(pad = [[1, 1]])
        : tensor<1x7x4xf32> -> tensor<1x7x3x4xf32>
    ```
    becomes
    ```mlir
    %padded = tensor.pad %x low[0, 1, 0] high[0, 1, 0] {..}
        : tensor<1x7x4xf32> to tensor<1x9x4xf32>
    %rows = convoy.im2col %padded layout(nwc, nw|wc)
        : tensor<1x9x4xf32> -> tensor<1x7x3x4xf32>
    ```
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::convoy::ConvoyDialect",
                           "::mlir::tensor::TensorDialect"];
}

def TileContractionPass : Pass<"convoy-tile-contraction"> {
  let summary = "Tile contractions over im2col for the target's registers";
  let description = [{
    Takes a contraction whose left operand is `convoy.im2col`, with the ops that
    convert its init and its result; leaves loops over tiles. Parallel loops are
    outside; a register tile has one dimension of lanes and one of rows. The
    reduction runs inside, one tap and channel at a time, with im2col fused, so
    that the matrix never exists. Where a size is no multiple of the tile, the
    rest is an op of its own with a smaller tile. The tile comes from
    `#convoy.target` on the module, and `convoy.lanes` on each tiled op names
    the output dimension of the lanes for `convoy-vectorize-tiles`.
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::convoy::ConvoyDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect"];
}

def DecomposeIm2colPass : Pass<"convoy-decompose-im2col"> {
  let summary = "Turn im2col into slices, or gathers where no slice will do";
  let description = [{
    Takes `convoy.im2col` of any size, padded or not. Where each spatial
    dimension has one position or one tap and the consumer is a
    `linalg.generic`, the consumer reads a strided slice of the input in place
    of the rows, and nothing is copied:
    ```mlir
    %rows = convoy.im2col %x layout(nwc, nw|wc) window(stride = [2])
        : tensor<1x5x4xf32> -> tensor<1x3x1x4xf32>
    ```
    becomes
    ```mlir
    %rows = tensor.extract_slice %x[0, 0, 0] [1, 3, 4] [1, 2, 1]
    ```
    Elsewhere the rows are gathered by a `linalg.generic`.
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::convoy::ConvoyDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

def VectorizeTilesPass : Pass<"convoy-vectorize-tiles"> {
  let summary = "Hold register tiles in vectors";
  let description = [{
    Takes what `convoy-tile-contraction` left: fills, conversions and reduction
    loops on tiles of static size, marked `convoy.lanes`; leaves vectors. Each
    row of a tile is one vector along the lanes; the accumulators are carried
    through the reduction loops, read and written once. Operands without lanes
    are read as scalars and broadcast, operands whose lanes are not adjacent in
    memory are read element by element.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect",
                           "::mlir::ub::UBDialect",
                           "::mlir::vector::VectorDialect"];
}

#endif // CONVOY_TRANSFORMS_PASSES_TD
