//===- ConvoySampleOps.td - Ops at computed positions ------------- -*- tablegen -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A part of ConvoyOps.td, which has what all ops are made of.
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_SAMPLE_OPS_TD
#define CONVOY_SAMPLE_OPS_TD

//===----------------------------------------------------------------------===//
// Samples
//===----------------------------------------------------------------------===//

def Convoy_GridSampleOp : Convoy_Op<"grid_sample", [
    Pure,
    DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface,
                              ["reifyResultShapes"]>,
    Convoy_TiledOp]> {
  let summary = "Sample an image at the positions that a grid gives";
  let description = [{
    An element of the result is the sample of its channel of `input` at the
    position that the grid's coordinates x, y and, in three dimensions, z stand
    for: of -1 to 1 they go from one end of the image to the other along its
    innermost, next and outermost spatial dimension. The ends are the centers of
    the outermost elements with `align_corners`, else their outer edges. Around
    the image lie zeros (`zeros`), the elements at its border (`border`), or its
    reflections (`reflection`). A sample is the element next to the position
    (`nearest`; of two, the one of even number), or interpolated from the two
    (`linear`) or four (`cubic`) elements next to it along each dimension.
    [Sampling](Sampling.md) has the formulas, the order of their operations in
    f32, and what becomes of coordinates that are no numbers or far outside.

    Tiling has a loop for each dimension of the result. A tile reads whole images.
    Constraints:
    - (C1) The layouts are legal: `n`, `c` and the same spatial letters, `hw` or
      `dhw`, in all three.
    - (C2) Input, grid and result have the ranks of their layouts.
    - (C3) The elements of input and result are of the same type, one of f32, f16
      and bf16; the grid's of any of these.
    - (C4) The grid's `c` is the number of spatial dimensions.
    - (C5) Where static, the size of `n` is the same in all three, that of `c` in
      input and result, and those of spatial letters in grid and result.
    - (C6) Where static, spatial sizes of the input are from 1 to 2^24.
    - (C7) `cubic` has two spatial dimensions.
    Example:
    ```mlir
    %0 = convoy.grid_sample %image, %grid layout(nchw x nhwc -> nchw)
        mode(linear) padding(border) align_corners
        : tensor<1x3x9x7xf32>, tensor<1x5x4x2xf32> -> tensor<1x3x5x4xf32>
    ```
  }];
  let arguments = (ins Convoy_Tensor:$input, Convoy_Tensor:$grid,
                       Convoy_SampleLayoutAttr:$layout,
                       Convoy_SampleModeAttr:$mode,
                       Convoy_SamplePaddingAttr:$padding,
                       UnitAttr:$align_corners);
  let results = (outs Convoy_Tensor:$result);
  let hasVerifier = 1;
  let assemblyFormat = [{
    $input `,` $grid `layout` `(` custom<SampleLayout>($layout) `)`
    `mode` `(` custom<SampleMode>($mode) `)`
    `padding` `(` custom<SamplePadding>($padding) `)`
    (`align_corners` $align_corners^)? attr-dict
    `:` type($input) `,` type($grid) `->` type($result)
  }];
  let extraClassDeclaration = [{
    /// The most elements along a spatial dimension of an image: f32 has all
    /// numbers of elements.
    static constexpr int64_t kMaxSize = int64_t(1) << 24;
  }];
}

//===----------------------------------------------------------------------===//
// Gradients of samples
//===----------------------------------------------------------------------===//

class Convoy_GridSampleGradientOp<string mnemonic, list<Trait> traits = []>
    : Convoy_Op<mnemonic, [
        Pure,
        DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface,
                                  ["reifyResultShapes"]>] # traits> {
  let results = (outs Convoy_Tensor:$result);
  let hasVerifier = 1;
}

def Convoy_GridSampleBackwardInputOp
    : Convoy_GridSampleGradientOp<"grid_sample_backward_input"> {
  let summary = "Add up gradients of samples in the image that they were read of";
  let description = [{
    The gradient of `convoy.grid_sample` with respect to its input, of which it is
    the adjoint: the sum of the products of grid_sample(x, g) and y is that of x
    and grid_sample_backward_input(y, g). Each element of `output_gradient` is
    multiplied with the weights that its sample has, and the products are added to
    zero at the elements that the sample is made of. `layout`, `mode`, `padding`
    and `align_corners` are those of the samples.
    The terms of an element are added in f32, in the order of the samples,
    outermost dimension first, and of one sample in that of its elements, on all
    targets and for any number of threads. The sum is rounded to the type.
    [Sampling](Sampling.md#gradients) has the formulas.
    Constraints:
    - (C1) The layouts are legal: `n`, `c` and the same spatial letters, `hw` or
      `dhw`, in all three.
    - (C2) Output gradient, grid and result have the ranks of their layouts.
    - (C3) The elements of output gradient and grid are of f32, f16 or bf16, each
      of any of these; the result's of the output gradient's type or of f32.
    - (C4) The grid's `c` is the number of spatial dimensions.
    - (C5) Where static, the size of `n` is the same in all three, that of `c` in
      output gradient and result, and those of spatial letters in grid and output
      gradient.
    - (C6) Spatial sizes of the result are static and from 1 to 2^24.
    - (C7) `cubic` has two spatial dimensions.
    Example:
    ```mlir
    %0 = convoy.grid_sample_backward_input %gradient, %grid
        layout(nchw x nhwc -> nchw) mode(linear) padding(border) align_corners
        : tensor<1x3x5x4xf32>, tensor<1x5x4x2xf32> -> tensor<1x3x9x7xf32>
    ```
  }];
  let arguments = (ins Convoy_Tensor:$output_gradient, Convoy_Tensor:$grid,
                       Convoy_SampleLayoutAttr:$layout,
                       Convoy_SampleModeAttr:$mode,
                       Convoy_SamplePaddingAttr:$padding,
                       UnitAttr:$align_corners);
  let assemblyFormat = [{
    $output_gradient `,` $grid `layout` `(` custom<SampleLayout>($layout) `)`
    `mode` `(` custom<SampleMode>($mode) `)`
    `padding` `(` custom<SamplePadding>($padding) `)`
    (`align_corners` $align_corners^)? attr-dict
    `:` type($output_gradient) `,` type($grid) `->` type($result)
  }];
}

def Convoy_GridSampleBackwardGridOp
    : Convoy_GridSampleGradientOp<"grid_sample_backward_grid",
                                  [AllTypesMatch<["grid", "result"]>]> {
  let summary = "Derive samples by the coordinates of their positions";
  let description = [{
    The gradient of `convoy.grid_sample` with respect to its grid: for each
    coordinate the sum over the channels of the products of `output_gradient` with
    the derivative of the sample by that coordinate. `layout`, `mode`, `padding`
    and `align_corners` are those of the samples.
    Samples of `linear` have no derivative where pieces meet: it is that of the
    piece whose elements have the higher numbers, and 0 at the outermost elements
    of an image that is not surrounded by zeros. Samples of `nearest` have the
    derivative 0 everywhere.
    The products are added in f32, in the order of the channels, and the sum is
    rounded to the grid's type. [Sampling](Sampling.md#gradients) has the formulas
    and the order of their operations.
    Constraints:
    - (C1) The layouts are legal: `n`, `c` and the same spatial letters, `hw` or
      `dhw`, in all three.
    - (C2) Output gradient, input and grid have the ranks of their layouts.
    - (C3) The elements of output gradient and input are of the same type, one of
      f32, f16 and bf16; the grid's of any of these.
    - (C4) The grid's `c` is the number of spatial dimensions.
    - (C5) Where static, the size of `n` is the same in all three, that of `c` in
      output gradient and input, and those of spatial letters in grid and output
      gradient.
    - (C6) Where static, spatial sizes of the input are from 1 to 2^24.
    - (C7) `cubic` has two spatial dimensions.
    Example:
    ```mlir
    %0 = convoy.grid_sample_backward_grid %gradient, %image, %grid
        layout(nchw x nhwc -> nchw) mode(linear) padding(border) align_corners
        : tensor<1x3x5x4xf32>, tensor<1x3x9x7xf32>, tensor<1x5x4x2xf32>
    ```
  }];
  let arguments = (ins Convoy_Tensor:$output_gradient, Convoy_Tensor:$input,
                       Convoy_Tensor:$grid, Convoy_SampleLayoutAttr:$layout,
                       Convoy_SampleModeAttr:$mode,
                       Convoy_SamplePaddingAttr:$padding,
                       UnitAttr:$align_corners);
  let assemblyFormat = [{
    $output_gradient `,` $input `,` $grid
    `layout` `(` custom<SampleLayout>($layout) `)`
    `mode` `(` custom<SampleMode>($mode) `)`
    `padding` `(` custom<SamplePadding>($padding) `)`
    (`align_corners` $align_corners^)? attr-dict
    `:` type($output_gradient) `,` type($input) `,` type($grid)
  }];
}

//===----------------------------------------------------------------------===//
// Sums at computed places
//===----------------------------------------------------------------------===//

def Convoy_ScatterAddOp : Convoy_Op<"scatter_add", [
    Pure, AllTypesMatch<["init", "result"]>, AllShapesMatch<["places", "weights"]>,
    DestinationStyleOpInterface,
    DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface,
                              ["reifyResultShapes"]>]> {
  let summary = "Add values to the elements of images that places name";
  let description = [{
    `values` has an image's samples by channel, `places` and `weights` some
    elements for each sample and group of channels, and `init` and the result an
    image's pixels by channel; the first dimension of all is that of the images.
    Each value times its weights is added to the pixels of its channel that the
    places say; a place that is no pixel adds nothing. The channels are divided
    equally among the groups. The terms of a pixel are added to its init in the
    order of the samples, and of one sample in that of its elements, for any
    number of threads and work-items.
    Constraints:
    - (C1) Where static, the sizes of dimension 0 are the same in all operands,
      those of dimension 1 in `values` and `init`, and those of dimension 2 in
      `values` and `places`.
    - (C2) The numbers of groups and elements are static, and so is that of
      channels, which the positive number of groups divides.
    Example:
    ```mlir
    %0 = convoy.scatter_add
        ins(%values, %places, %weights
            : tensor<1x6x9xf32>, tensor<1x2x9x4xi32>, tensor<1x2x9x4xf32>)
        outs(%init : tensor<1x6x35xf32>)
    ```
  }];
  let arguments = (ins 3DTensorOf<[F32]>:$values, 4DTensorOf<[I32]>:$places,
                       4DTensorOf<[F32]>:$weights, 3DTensorOf<[F32]>:$init);
  let results = (outs 3DTensorOf<[F32]>:$result);
  let hasVerifier = 1;
  let assemblyFormat = [{
    `ins` `(` $values `,` $places `,` $weights
    `:` type($values) `,` type($places) `,` type($weights) `)`
    `outs` `(` $init `:` type($init) `)` attr-dict
  }];
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() {
      return getInitMutable();
    }
  }];
}

#endif // CONVOY_SAMPLE_OPS_TD
