//===- Passes.td - Samples and their gradients -------------*- tablegen -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TRANSFORMS_SAMPLING_PASSES_TD
#define CONVOY_TRANSFORMS_SAMPLING_PASSES_TD

include "mlir/Pass/PassBase.td"

def DecomposeSamplingPass : Pass<"convoy-decompose-sampling"> {
  let summary = "Turn samples into gathers";
  let description = [{
    - Needs: `convoy.grid_sample`, `convoy.deform_conv` and their gradients,
      `convoy.scatter_add`.
    - Leaves: a `linalg.generic` over the samples whose body computes the
      position of each, reads the elements around it by `tensor.extract` and adds
      their products with weights; a `convoy.conv` or
      `convoy.conv_backward_filter` for each deformed tile.

    Slices of the grid, one for each coordinate, are the operands. All that
    decides which elements are read and with which weights is computed in f32 and
    in integers of 32 bits in the order that docs/Sampling.md gives; products and
    sums of floats among it are `convoy.uncontracted`. Places lie inside of the
    image; what is outside is replaced by zero where the padding is zeros. Products
    are added in the order of the places, outermost dimension first, in f32.
    The loops run over the samples in their order. Where `c` is innermost, what the
    body computes of positions does not depend on the innermost loop. With
    `by-rows` it is computed once for all channels where `w` is innermost, too, and
    sizes are static: loops over rows first write down what up to 256 samples of a
    row read and with which weights. Gradients of grids are sums over channels;
    those of images are loops that add to slices of channels, or without `by-rows`
    the op itself, of f32. What windows of a deformable convolution read is sampled
    tile by tile, as an image in which each tap has a part of its own, which a
    convolution with the tile's size as its dilation reads. `by-rows` makes tiles of
    up to 256 positions and 128 KiB or so; else there are up to eight, of 64 MiB.
    Gradients of a deformable convolution go through the same tiles: that of the
    filter convolves what windows read with the output's gradient, and the others
    begin with a convolution of the output's gradient whose channels are all taps',
    which is that of what windows read. It is multiplied with samples or slopes and
    summed over channels, or added to the elements that samples are made of: by
    loops over the positions, or without `by-rows` by `convoy.scatter_add`.
    ```mlir
    %0 = convoy.grid_sample %image, %grid layout(nhwc x nhwc -> nhwc)
        mode(nearest) padding(border)
        : tensor<1x9x7x4xf32>, tensor<1x5x6x2xf32> -> tensor<1x5x6x4xf32>
    ```
    becomes
    ```mlir
    %x = tensor.extract_slice %grid[0, 0, 0, 0] [1, 5, 6, 1] [1, 1, 1, 1]
    %y = tensor.extract_slice %grid[0, 0, 0, 1] [1, 5, 6, 1] [1, 1, 1, 1]
    %0 = linalg.generic {…} ins(%y, %x : …) outs(%empty : …) {
    ^bb0(%y_of_sample: f32, %x_of_sample: f32, %out: f32): …
      %element = tensor.extract %image[%n, %row, %column, %c]
      linalg.yield %element
    }
    ```
  }];
  let options = [
    Option<"byRows", "by-rows", "bool", /*default=*/"false",
           "Compute positions once for all channels, row by row or tile by tile">
  ];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::convoy::ConvoyDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"];
}

#endif // CONVOY_TRANSFORMS_SAMPLING_PASSES_TD
