//===- ConvoyDeformOps.td - Convolutions whose taps are moved ----- -*- tablegen -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A part of ConvoyOps.td, which has what all ops are made of.
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_DEFORM_OPS_TD
#define CONVOY_DEFORM_OPS_TD

class Convoy_DeformOp<string mnemonic, string inputs, string types,
                      bit isMasked = 1, list<Trait> traits = []>
    : Convoy_Op<mnemonic, !listconcat(traits, [
        Pure, AllTypesMatch<["init", "result"]>, DestinationStyleOpInterface,
        DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface,
                                  ["reifyResultShapes"]>,
        DeclareOpInterfaceMethods<Convoy_DeformOpInterface,
                                  ["getOperandFor"]>])> {
  let results = (outs Convoy_Tensor:$result);
  let assemblyFormat = "`ins` `(` " # inputs # " `:` " # types # [{ `)` }] #
      !if(isMasked, "(`mask` `(` $mask^ `:` type($mask) `)`)?", "") # [{
    `outs` `(` $init `:` type($init) `)` `layout` `(` custom<ConvLayout>($layout) `)`
    `offset_layout` `(` custom<Letters>($offset_layout) `)` ``
    custom<Window>($window) attr-dict}];
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() {
      return getInitMutable();
    }
  }];
}

/// The constraints that a deformable convolution and its gradients share, in the
/// verifier's order.
defvar Convoy_DeformConstraints = [{
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
}];

def Convoy_DeformConvOp
    : Convoy_DeformOp<"deform_conv", "$input `,` $filter `,` $offset",
                      "type($input) `,` type($filter) `,` type($offset)",
                      /*isMasked=*/1, [Convoy_TiledOp]> {
  let summary = "Convolve an input whose window is deformed by offsets";
  let description = !strconcat([{
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

    Tiling has loops for `n` and `f`: where a tap reads in the whole image depends
    on the output position.
  }], Convoy_DeformConstraints, [{
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
  }]);
  let arguments = (ins Convoy_Tensor:$input, Convoy_Tensor:$filter,
                       Convoy_Tensor:$offset, Convoy_Tensor:$init,
                       Optional<Convoy_Tensor>:$mask,
                       Convoy_ConvLayoutAttr:$layout, StrAttr:$offset_layout,
                       Convoy_WindowAttr:$window);
}

//===----------------------------------------------------------------------===//
// Gradients
//===----------------------------------------------------------------------===//

/// What the gradients share in C7, and what they say of layouts.
defvar Convoy_DeformGradientConstraints = !strconcat(Convoy_DeformConstraints, [{
    - (C7) Input, filter and output have elements of one type, f32, f16 or bf16;
      where one of them is the result, its elements are of that type or of f32.
      Those of `offset` and `mask` are of any of these, and their gradients'
      too.
}]);

def Convoy_DeformConvBackwardFilterOp
    : Convoy_DeformOp<"deform_conv_backward_filter",
                      "$output_gradient `,` $input `,` $offset",
                      "type($output_gradient) `,` type($input) `,` type($offset)"> {
  let summary = "Compute the gradient of a deformable convolution's filter";
  let description = !strconcat([{
    Adds to each element of `init` the products of `output_gradient` and what the
    tap reads at all output positions, summed in f32. Layout, window and sizes are
    those of `convoy.deform_conv`: the filter's layout is the result's, the
    output's that of `output_gradient`.
    [Sampling](Sampling.md#gradients-of-deformable-convolutions) has the formulas.
  }], Convoy_DeformGradientConstraints, [{
    Example:
    ```mlir
    %0 = convoy.deform_conv_backward_filter
        ins(%dy, %input, %offset
            : tensor<1x6x7x6xf32>, tensor<1x4x9x7xf32>, tensor<1x24x7x6xf32>)
        mask(%mask : tensor<1x12x7x6xf32>) outs(%init : tensor<6x4x3x2xf32>)
        layout(nchw x fchw -> nfhw) offset_layout(nchw)
    ```
  }]);
  let arguments = (ins Convoy_Tensor:$output_gradient, Convoy_Tensor:$input,
                       Convoy_Tensor:$offset, Convoy_Tensor:$init,
                       Optional<Convoy_Tensor>:$mask,
                       Convoy_ConvLayoutAttr:$layout, StrAttr:$offset_layout,
                       Convoy_WindowAttr:$window);
}

def Convoy_DeformConvBackwardMaskOp
    : Convoy_DeformOp<"deform_conv_backward_mask",
                      "$output_gradient `,` $input `,` $filter `,` $offset",
                      "type($output_gradient) `,` type($input) `,` type($filter) `,` type($offset)",
                      /*isMasked=*/0> {
  let summary = "Compute the gradient of a deformable convolution's mask";
  let description = !strconcat([{
    Adds to each element of `init` what the channels that the mask's element
    belongs to have read there, times the gradient of that: the sum of the
    products of `output_gradient` and the filter. Layout, window and sizes are
    those of `convoy.deform_conv`; the result has the layout of `offset`.
    [Sampling](Sampling.md#gradients-of-deformable-convolutions) has the formulas.
  }], Convoy_DeformGradientConstraints, [{
    Example:
    ```mlir
    %0 = convoy.deform_conv_backward_mask
        ins(%dy, %input, %filter, %offset
            : tensor<1x6x7x6xf32>, tensor<1x4x9x7xf32>, tensor<6x4x3x2xf32>,
              tensor<1x24x7x6xf32>)
        outs(%init : tensor<1x12x7x6xf32>)
        layout(nchw x fchw -> nfhw) offset_layout(nchw)
    ```
  }]);
  let arguments = (ins Convoy_Tensor:$output_gradient, Convoy_Tensor:$input,
                       Convoy_Tensor:$filter, Convoy_Tensor:$offset,
                       Convoy_Tensor:$init,
                       Convoy_ConvLayoutAttr:$layout, StrAttr:$offset_layout,
                       Convoy_WindowAttr:$window);
}

def Convoy_DeformConvBackwardOffsetOp
    : Convoy_DeformOp<"deform_conv_backward_offset",
                      "$output_gradient `,` $input `,` $filter `,` $offset",
                      "type($output_gradient) `,` type($input) `,` type($filter) `,` type($offset)"> {
  let summary = "Derive a deformable convolution by its offsets";
  let description = !strconcat([{
    Adds to each element of `init`, which has the layout of `offset`, how fast the
    sum of the products of `output_gradient` and the output grows with that
    offset. Where a tap reads at an element, between two pieces of the linear
    samples, the slope is that of the piece with the higher positions. Layout,
    window and sizes are those of `convoy.deform_conv`.
    [Sampling](Sampling.md#gradients-of-deformable-convolutions) has the formulas.
  }], Convoy_DeformGradientConstraints, [{
    Example:
    ```mlir
    %0 = convoy.deform_conv_backward_offset
        ins(%dy, %input, %filter, %offset
            : tensor<1x6x7x6xf32>, tensor<1x4x9x7xf32>, tensor<6x4x3x2xf32>,
              tensor<1x24x7x6xf32>)
        mask(%mask : tensor<1x12x7x6xf32>) outs(%init : tensor<1x24x7x6xf32>)
        layout(nchw x fchw -> nfhw) offset_layout(nchw)
    ```
  }]);
  let arguments = (ins Convoy_Tensor:$output_gradient, Convoy_Tensor:$input,
                       Convoy_Tensor:$filter, Convoy_Tensor:$offset,
                       Convoy_Tensor:$init, Optional<Convoy_Tensor>:$mask,
                       Convoy_ConvLayoutAttr:$layout, StrAttr:$offset_layout,
                       Convoy_WindowAttr:$window);
}

def Convoy_DeformConvBackwardInputOp
    : Convoy_DeformOp<"deform_conv_backward_input",
                      "$output_gradient `,` $filter `,` $offset",
                      "type($output_gradient) `,` type($filter) `,` type($offset)"> {
  let summary = "Compute the gradient of a deformable convolution's input";
  let description = !strconcat([{
    Adds to each element of `init` the gradients of the samples that it is a part
    of, each times the weight that it has there. The gradient of a sample is the
    sum of the products of `output_gradient` and the filter. Layout, window and
    sizes are those of `convoy.deform_conv`: the input's layout is the result's,
    the output's that of `output_gradient`.
    The terms of an element are added in f32, in the order of the output
    positions, outermost dimension first, then of the taps, then of the elements
    of a sample, on all targets and for any number of threads.
    [Sampling](Sampling.md#gradients-of-deformable-convolutions) has the formulas.
  }], Convoy_DeformGradientConstraints, [{
    Example:
    ```mlir
    %0 = convoy.deform_conv_backward_input
        ins(%dy, %filter, %offset
            : tensor<1x6x7x6xf32>, tensor<6x4x3x2xf32>, tensor<1x24x7x6xf32>)
        mask(%mask : tensor<1x12x7x6xf32>) outs(%init : tensor<1x4x9x7xf32>)
        layout(nchw x fchw -> nfhw) offset_layout(nchw)
    ```
  }]);
  let arguments = (ins Convoy_Tensor:$output_gradient, Convoy_Tensor:$filter,
                       Convoy_Tensor:$offset, Convoy_Tensor:$init,
                       Optional<Convoy_Tensor>:$mask,
                       Convoy_ConvLayoutAttr:$layout, StrAttr:$offset_layout,
                       Convoy_WindowAttr:$window);
}

#endif // CONVOY_DEFORM_OPS_TD
