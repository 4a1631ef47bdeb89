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
                              ["reifyResultShapes"]>]> {
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
// Deformable convolution
//===----------------------------------------------------------------------===//

def Convoy_DeformConvOp : Convoy_Op<"deform_conv", [
    Pure, AllTypesMatch<["init", "result"]>, DestinationStyleOpInterface,
    DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface,
                              ["reifyResultShapes"]>]> {
  let summary = "Convolve an input whose window is deformed by offsets";
  let description = [{
    Adds to each element of `init` the products of the filter with the input at
    that output position, as `convoy.conv` does, except that each tap reads the
    input where `offset` moves it: not at position i of the input along a
    dimension, but at i plus the offset, interpolated linearly between the
    elements around, with zeros around the input. `mask`, if there is one, is
    what the sample is multiplied with. Samples are rounded to the input's type
    and products summed in f32, init included; the sum is rounded once.

    `offset` and `mask` have dimensions `n`, `h` and `w` of the output, and `c`,
    whose elements count first through the groups of channels that are moved
    alike, then through the taps, `w` fastest, and in `offset` at last through
    the two offsets along `h` and along `w`. The channels of all groups of the
    filter in their order are divided equally among those groups.
    [Sampling](Sampling.md#deformable-convolutions) has the formulas and the order
    of their operations, and what becomes of offsets that are no numbers.
    Constraints:
    - (C1) The layouts are legal, as for `convoy.conv`, with two spatial
      dimensions, and `offset_layout` has the letters `n`, `c`, `h` and `w`.
    - (C2) Each operand's rank is its layout's length.
    - (C3) Each list of `window` is empty or has two entries; there is no input
      dilation and nothing reversed; strides and dilations are at most 2^24 and
      paddings from -2^24 to 2^24.
    - (C4) A letter's size is the same in all operands that have it; `h` and `w`
      of `offset` and `mask` are those of the output.
    - (C5) The numbers of taps, of channels and of groups are static, and so is
      `c` of `offset` and `mask`. There are taps. `c` of `offset` is twice the
      number of taps times a positive number that divides all channels; `c` of
      `mask` is half of that.
    - (C6) Where static, the output's spatial sizes are those that the window
      gives, and those of the input are from 1 to 2^24.
    - (C7) Input, filter and init have elements of one type, f32, f16 or bf16;
      those of `offset` and `mask` are of any of these.
    Example:
    ```mlir
    %0 = convoy.deform_conv
        ins(%input, %filter, %offset
            : tensor<1x4x9x7xf32>, tensor<6x4x3x2xf32>, tensor<1x24x7x6xf32>)
        mask(%mask : tensor<1x12x7x6xf32>) outs(%init : tensor<1x6x7x6xf32>)
        layout(nchw x fchw -> nfhw) offset_layout(nchw)
    ```
  }];
  let arguments = (ins Convoy_Tensor:$input, Convoy_Tensor:$filter,
                       Convoy_Tensor:$offset, Convoy_Tensor:$init,
                       Optional<Convoy_Tensor>:$mask,
                       Convoy_ConvLayoutAttr:$layout, StrAttr:$offset_layout,
                       Convoy_WindowAttr:$window);
  let results = (outs Convoy_Tensor:$result);
  let hasVerifier = 1;
  let assemblyFormat = [{
    `ins` `(` $input `,` $filter `,` $offset
    `:` type($input) `,` type($filter) `,` type($offset) `)`
    (`mask` `(` $mask^ `:` type($mask) `)`)?
    `outs` `(` $init `:` type($init) `)` `layout` `(` custom<ConvLayout>($layout) `)`
    `offset_layout` `(` custom<Letters>($offset_layout) `)` ``
    custom<Window>($window) attr-dict
  }];
  let extraClassDeclaration = [{
    /// The largest stride, dilation and padding: with images of at
    /// most as many elements, positions of taps have room in 32 bits, and so have what lies
    /// 2^30 elements beside.
    static constexpr int64_t kMaxStep = int64_t(1) << 24;

    ::mlir::MutableOperandRange getDpsInitsMutable() {
      return getInitMutable();
    }
    /// Numbers of taps, outermost dimension first.
    ::std::array<int64_t, 2> getTaps();
    /// The channels of all groups.
    int64_t getChannels();
    /// How many groups of channels are moved alike.
    int64_t getOffsetGroups();
  }];
}

#endif // CONVOY_SAMPLE_OPS_TD
