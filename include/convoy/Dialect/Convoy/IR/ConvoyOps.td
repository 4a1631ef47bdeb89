//===- ConvoyOps.td - The operations of the dialect -------------- -*- tablegen -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_OPS_TD
#define CONVOY_OPS_TD

include "convoy/Dialect/Convoy/IR/ConvoyAttrs.td"
include "convoy/Dialect/Convoy/IR/ConvoyInterfaces.td"
include "convoy/Dialect/Convoy/IR/ConvoyPlans.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/DestinationStyleOpInterface.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Interfaces/TilingInterface.td"

class Convoy_Op<string mnemonic, list<Trait> traits = []>
    : Op<Convoy_Dialect, mnemonic, traits>;

/// What traces write to, and nothing reads.
def ConvoyTraces : Resource<"::mlir::convoy::TraceResource">;

def Convoy_Tensor : RankedTensorOf<[AnySignlessInteger, AnyFloat]>;

/// One number, or one for each channel.
def Convoy_ZeroPoint : AnyTypeOf<[AnySignlessInteger,
                                  1DTensorOf<[AnySignlessInteger]>]>;

/// Tiles are the same op on slices; loops are dimensions of the result.
defvar Convoy_TiledOp = DeclareOpInterfaceMethods<TilingInterface,
    ["getLoopIteratorTypes", "getIterationDomain", "getTiledImplementation",
     "getResultTilePosition", "generateResultTileValue"]>;

//===----------------------------------------------------------------------===//
// The three directions, and the transposed convolution
//===----------------------------------------------------------------------===//

class Convoy_ConvolutionOp<string mnemonic, string lhs, string rhs,
                           list<Trait> traits = []>
    : Convoy_Op<mnemonic, !listconcat(traits, [
        Pure, AllTypesMatch<["init", "result"]>, DestinationStyleOpInterface,
        DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface,
                                  ["reifyResultShapes"]>,
        DeclareOpInterfaceMethods<Convoy_ConvolutionOpInterface,
                                  ["getDirection"]>])> {
  let results = (outs Convoy_Tensor:$result);
  let hasCanonicalizer = 1;
  let assemblyFormat = "`ins` `(` $" # lhs # " `,` $" # rhs # " `:` type($" #
      lhs # ") `,` type($" # rhs # [{) `)` `outs` `(` $init `:` type($init) `)`
    (`zero_points` `(` $zero_points^ `:` type($zero_points) `)`)?
    `layout` `(` custom<ConvLayout>($layout) `)` `` custom<Window>($window)
    `` custom<Numerics>($numerics) attr-dict}];
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() {
      return getInitMutable();
    }
  }];
}

/// The constraints that the three directions share, in the verifier's order.
/// (`#` would paste the name of a global, not its text.)
defvar Convoy_ConvolutionConstraints = [{
    Constraints:
    - (C1) The layouts are legal: `n`, `c`, spatial letters in the input's; `f`,
      `c`, taps in the filter's; `n`, `f`, spatial letters in the output's; the
      same spatial letters and the same use of `g` in all three.
    - (C2) Each operand's rank is its layout's length.
    - (C3) Each list of `window` is empty or has one entry for each spatial
      dimension; strides and dilations are positive.
    - (C4) A letter's size is the same in all operands that have it, spatial
      letters excepted.
    - (C5) Where static, the output's spatial sizes are those that the window
      gives for the input's and the filter's.
    - (C6) The two operands and the accumulator are all float or all integer.
      The accumulator's type is each operand's, or wider and able to hold each
      of its values; the init's is the accumulator's, or, for floats, narrower
      with values that the accumulator can hold.
    - (C7) Zero points stand only with integers, one of each operand in the
      operands' order, have the accumulator's type and, where constant, lie in
      the range of the operand's type as it is read. A filter's may be a tensor
      of one for each channel of the result, `f` or, of `conv_backward_data`,
      `c`; those of all groups in their order.
    - (C8) `unsigned` stands only with integers.
}];

def Convoy_ConvOp
    : Convoy_ConvolutionOp<"conv", "input", "filter", [Convoy_TiledOp]> {
  let summary = "Convolve an input with a filter";
  let description = !strconcat([{
    Adds to each element of `init` the products of the filter with the input
    window at that output position. The sum, init included, is formed in the
    accumulator's type and rounded once to the init's. Where sizes are dynamic
    the init's hold, and `pad`'s high side is a bound on how far the window
    reaches past the input.

    Tiling has a loop for each dimension of the result, but for spatial ones with
    input dilation. A tile reads a slice of the input, padded where windows leave
    the image.
  }], Convoy_ConvolutionConstraints, [{
    Example:
    ```mlir
    %0 = convoy.conv ins(%input, %filter : tensor<1x9x7x4xf32>, tensor<3x3x4x6xf32>)
        outs(%init : tensor<1x5x4x6xf32>) layout(nhwc x hwcf -> nhwf)
        window(stride = [2, 2], pad = [[1, 1], [1, 1]])
    ```
  }]);
  let arguments = (ins Convoy_Tensor:$input, Convoy_Tensor:$filter,
                       Convoy_Tensor:$init, Variadic<Convoy_ZeroPoint>:$zero_points,
                       Convoy_ConvLayoutAttr:$layout, Convoy_WindowAttr:$window,
                       Convoy_NumericsAttr:$numerics);
}

def Convoy_ConvBackwardDataOp
    : Convoy_ConvolutionOp<"conv_backward_data", "output_gradient", "filter"> {
  let summary = "Compute the gradient of a convolution's input";
  let description = !strconcat([{
    Layout, window and sizes are those of the forward convolution: the input's
    layout is the result's, the output's that of `output_gradient`. This is also
    what frameworks call a transposed convolution.
  }], Convoy_ConvolutionConstraints, [{
    Example:
    ```mlir
    %0 = convoy.conv_backward_data
        ins(%dy, %filter : tensor<1x5x4x6xf32>, tensor<3x3x4x6xf32>)
        outs(%init : tensor<1x9x7x4xf32>) layout(nhwc x hwcf -> nhwf)
        window(stride = [2, 2], pad = [[1, 1], [1, 1]])
    ```
  }]);
  let arguments = (ins Convoy_Tensor:$output_gradient, Convoy_Tensor:$filter,
                       Convoy_Tensor:$init, Variadic<Convoy_ZeroPoint>:$zero_points,
                       Convoy_ConvLayoutAttr:$layout, Convoy_WindowAttr:$window,
                       Convoy_NumericsAttr:$numerics);
}

def Convoy_ConvBackwardFilterOp
    : Convoy_ConvolutionOp<"conv_backward_filter", "input", "output_gradient"> {
  let summary = "Compute the gradient of a convolution's filter";
  let description = !strconcat([{
    Layout, window and sizes are those of the forward convolution: the filter's
    layout is the result's, the output's that of `output_gradient`.
  }], Convoy_ConvolutionConstraints, [{
    Example:
    ```mlir
    %0 = convoy.conv_backward_filter
        ins(%input, %dy : tensor<1x9x7x4xf32>, tensor<1x5x4x6xf32>)
        outs(%init : tensor<3x3x4x6xf32>) layout(nhwc x hwcf -> nhwf)
        window(stride = [2, 2], pad = [[1, 1], [1, 1]])
    ```
  }]);
  let arguments = (ins Convoy_Tensor:$input, Convoy_Tensor:$output_gradient,
                       Convoy_Tensor:$init, Variadic<Convoy_ZeroPoint>:$zero_points,
                       Convoy_ConvLayoutAttr:$layout, Convoy_WindowAttr:$window,
                       Convoy_NumericsAttr:$numerics);
}

def Convoy_ConvTransposeOp : Convoy_Op<"conv_transpose", [
    Pure, AllTypesMatch<["init", "result"]>, DestinationStyleOpInterface,
    DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface,
                              ["reifyResultShapes"]>,
    DeclareOpInterfaceMethods<Convoy_ConvolutionOpInterface,
        ["getDirection", "getLayout", "getWindow"]>]> {
  let summary = "Convolve an input with a filter, transposed";
  let description = [{
    What frameworks call a transposed convolution, or deconvolution: each element
    of the input adds its multiples of the filter's taps to the result, tap k of
    input position i at result position s*i + d*k' - pl. Layouts and sizes are
    its own: `c` are the channels that it reads, `f` those that it makes.
    `output_pad` is what the result has more at the high end of each spatial
    dimension, since several sizes are taken to one by a convolution with a
    stride. The sum is formed as that of `convoy.conv`.

    It is the gradient of the input of a convolution, and canonicalizes to that:
    to `convoy.conv_backward_data` with `c` and `f` exchanged, and a high padding
    that is less by `output_pad`.
    Constraints:
    - (C1) The layouts are legal, as for `convoy.conv`.
    - (C2) Each operand's rank is its layout's length.
    - (C3) Each list of `window`, and `output_pad`, is empty or has one entry for
      each spatial dimension; strides and dilations are positive, entries of
      `output_pad` not negative; there is no input dilation.
    - (C4) A letter's size is the same in all operands that have it, spatial
      letters excepted.
    - (C5) Where static, the result's spatial sizes are
      (I-1)*s + D - pl - ph + output_pad for I input positions and the extent D
      of the taps, d*(K-1) + 1 of K or 0 of none. Where there are positions and
      taps, that is not below 0; of none, what is below 0 counts as 0.
    - (C6) to (C8) as for `convoy.conv`.
    Example:
    ```mlir
    %0 = convoy.conv_transpose
        ins(%input, %filter : tensor<1x5x4x6xf32>, tensor<6x4x3x3xf32>)
        outs(%init : tensor<1x10x7x4xf32>) layout(nhwc x cfhw -> nhwf)
        window(stride = [2, 2], pad = [[1, 1], [1, 1]]) output_pad([1, 0])
    ```
  }];
  let arguments = (ins Convoy_Tensor:$input, Convoy_Tensor:$filter,
                       Convoy_Tensor:$init, Variadic<Convoy_ZeroPoint>:$zero_points,
                       Convoy_ConvLayoutAttr:$own_layout, Convoy_WindowAttr:$own_window,
                       DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$output_pad,
                       Convoy_NumericsAttr:$numerics);
  let results = (outs Convoy_Tensor:$result);
  let hasCanonicalizer = 1;
  let assemblyFormat = [{
    `ins` `(` $input `,` $filter `:` type($input) `,` type($filter) `)`
    `outs` `(` $init `:` type($init) `)`
    (`zero_points` `(` $zero_points^ `:` type($zero_points) `)`)?
    `layout` `(` custom<ConvLayout>($own_layout) `)` `` custom<Window>($own_window)
    (`output_pad` `(` $output_pad^ `)`)? `` custom<Numerics>($numerics) attr-dict
  }];
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() {
      return getInitMutable();
    }
  }];
}

//===----------------------------------------------------------------------===//
// im2col
//===----------------------------------------------------------------------===//

def Convoy_Im2colOp : Convoy_Op<"im2col", [
    Pure, AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface,
                                  ["reifyResultShapes"]>,
    Convoy_TiledOp]> {
  let summary = "Unfold input windows into the rows of a contraction";
  let description = [{
    Element (positions | taps, c) of the result is the input element that the
    output position reads at that tap, or the pad value. The order inside a
    window is the filter's own, so that a contraction reads the filter as it
    lies in memory. With `reverse`, tap k reads input s*o + d*(K-1-k) - pad.
    `sizes` gives the result's dynamic sizes in their order. The pad value is
    zero unless given.
    Constraints:
    - (C1) The layout is legal: `n`, `c` and spatial letters in the input's;
      `n` and positions, bars, and between or beside them taps and `c` in the
      rows'; the same spatial letters in all; `g`, if any, is first.
    - (C2) Each list of `window` is empty or has one entry for each spatial
      dimension; strides and dilations are positive.
    - (C3) `window` has no input dilation.
    - (C4) Input and result have the ranks of their layouts and the same element
      type.
    - (C5) A letter's size is the same in input and result, spatial letters
      excepted.
    - (C6) Where static, positions fit the window: they are as many as the
      window gives for the input's size and the taps.
    - (C7) `sizes` has one entry for each dynamic size of the result.
    - (C8) The pad value has the input's element type.
    Example:
    ```mlir
    %rows = convoy.im2col %input layout(nhwc, nhw|hwc) window(pad = [[1, 1], [1, 1]])
        : tensor<1x9x7x4xf32> -> tensor<1x9x7x3x3x4xf32>
    ```
  }];
  let arguments = (ins Convoy_Tensor:$input, Variadic<Index>:$sizes,
                       Optional<AnyType>:$pad_value,
                       Convoy_Im2colLayoutAttr:$layout, Convoy_WindowAttr:$window);
  let results = (outs Convoy_Tensor:$result);
  let hasVerifier = 1;
  let hasCanonicalizer = 1;
  let assemblyFormat = [{
    $input (`sizes` `(` $sizes^ `)`)?
    (`pad_value` `(` $pad_value^ `:` type($pad_value) `)`)?
    `layout` `(` custom<Im2colLayout>($layout) `)` `` custom<Window>($window)
    attr-dict `:` type($input) `->` type($result)
  }];
  let extraClassDeclaration = [{
    /// The affine map from (positions, taps, c) of the result to the input
    /// element; indices outside the input stand for the pad value. Symbols are
    /// the numbers of taps of the reversed dimensions, outermost first.
    ::mlir::AffineMap getIndexMap();
  }];
}

def Convoy_Col2imOp : Convoy_Op<"col2im", [
    Pure,
    DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface,
                              ["reifyResultShapes"]>,
    Convoy_TiledOp]> {
  let summary = "Add up windows where they overlap in an image";
  let description = [{
    The adjoint of `convoy.im2col` with the same layout and window: an element of
    the result is the sum of those elements (positions | taps, c) of the input
    for which im2col would have read it, and zero where there are none. What
    im2col reads beside the image is left out. So the sum of the products of
    im2col(x) and y is that of x and col2im(y).
    An element's terms are added to zero in the order of the taps, `w` fastest,
    on all targets and for any number of threads: floats of less than 32 bits in
    f32, of which the sum is rounded, and integers in their own type, in which
    they wrap around.
    Tiling has loops for `n`, `g` and `c`.
    Constraints:
    - (C1) The layout is legal, as that of `convoy.im2col`, whose input is the
      result here.
    - (C2) Each list of `window` is empty or has one entry for each spatial
      dimension; strides and dilations are positive.
    - (C3) `window` has no input dilation.
    - (C4) Input and result have the ranks of their layouts and the same element
      type.
    - (C5) A letter's size is the same in input and result, spatial letters
      excepted; it is static in both or in neither.
    - (C6) Sizes of spatial letters and numbers of taps are static.
    - (C7) Positions fit the window: they are as many as the window gives for the
      result's size and the taps.
    Example:
    ```mlir
    %image = convoy.col2im %rows layout(nhwc, nhw|hwc) window(pad = [[1, 1], [1, 1]])
        : tensor<1x9x7x3x3x4xf32> -> tensor<1x9x7x4xf32>
    ```
  }];
  let arguments = (ins Convoy_Tensor:$input,
                       Convoy_Im2colLayoutAttr:$layout, Convoy_WindowAttr:$window);
  let results = (outs Convoy_Tensor:$result);
  let hasVerifier = 1;
  let assemblyFormat = [{
    $input `layout` `(` custom<Im2colLayout>($layout) `)` ``
    custom<Window>($window) attr-dict `:` type($input) `->` type($result)
  }];
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

def Convoy_Shaped
    : AnyTypeOf<[AnyRankedTensor, AnyMemRef], "tensor or buffer">;

def Convoy_LaunchOp : Convoy_Op<"launch", [
    AttrSizedOperandSegments, DestinationStyleOpInterface,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "Run a kernel of a GPU over a grid of workgroups";
  let description = [{
    The kernel takes one flat buffer for each operand: first the inputs, which it
    reads, then the inits, into which it writes its results: all of their
    elements or, of its only init, those of the slice `writes`; others keep the
    init's value. It may read an init's element before it writes it. `grid` counts workgroups along x, y and z; how many work-items each
    has is the kernel's own. Launches run in their order.
    One size may be unknown until then, that of the batch. Operands may have a
    dimension of that size; a kernel may take it as its last argument; and where
    `groups` is [times, divide], the grid has along z ceil(batch * times / divide)
    times as many workgroups as it says.
    Constraints:
    - (C1) `grid` has three positive sizes, `groups` two.
    - (C2) `kernel` is a function with one flat buffer for each operand, of the
      operand's element type and number of elements, and an i32 after them if it
      takes the batch.
    - (C3) Buffers have no gaps; operands have static shapes but for one
      dimension, the batch's.
    - (C4) `batch` is given where an operand, the kernel or the grid depends on
      it.
    - (C5) `writes` is a slice of the only init, of which a size of -1 stands for
      all images of a batch.
    Example:
    ```mlir
    %r = convoy.launch @kernels::@conv_0 grid [4, 2, 1]
        ins(%x, %w : tensor<1x9x7x4xf32>, tensor<3x3x4x6xf32>)
        outs(%init : tensor<1x7x5x6xf32>) -> tensor<1x7x5x6xf32>
    %s = convoy.launch @kernels::@conv_1 grid [4, 2, 1] batch(%n) groups [1, 2]
        ins(%y, %w : tensor<?x9x7x4xf32>, tensor<3x3x4x6xf32>)
        outs(%sums : tensor<?x7x5x6xf32>) -> tensor<?x7x5x6xf32>
    %t = convoy.launch @kernels::@conv_2 grid [2, 1, 1]
        ins(%x : tensor<1x9x7x4xf32>)
        outs(%init : tensor<1x7x5x6xf32>) writes <[0, 1, 0, 0] [1, 3, 5, 6] [1, 2, 1, 1]>
        -> tensor<1x7x5x6xf32>
    ```
  }];
  let arguments = (ins SymbolRefAttr:$kernel, DenseI64ArrayAttr:$grid,
                       Optional<Index>:$batch,
                       OptionalAttr<DenseI64ArrayAttr>:$groups,
                       OptionalAttr<Convoy_SliceAttr>:$writes,
                       Variadic<Convoy_Shaped>:$inputs,
                       Variadic<Convoy_Shaped>:$inits);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let hasVerifier = 1;
  let assemblyFormat = [{
    $kernel `grid` $grid (`batch` `(` $batch^ `)`)? (`groups` $groups^)?
    (`ins` `(` $inputs^ `:` type($inputs) `)`)?
    `outs` `(` $inits `:` type($inits) `)` (`writes` $writes^)? attr-dict (`->` type($results)^)?
  }];
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() {
      return getInitsMutable();
    }
    /// The inputs and the inits.
    ::mlir::OperandRange getBuffers() {
      return getOperands().drop_front(getBatch() ? 1 : 0);
    }
  }];
}

//===----------------------------------------------------------------------===//
// Traces
//===----------------------------------------------------------------------===//

def Convoy_TraceOp : Convoy_Op<"trace", [
    SameOperandsAndResultType,
    MemoryEffects<[MemWrite<ConvoyTraces>]>]> {
  let summary = "Record a value under a name";
  let description = [{
    The result is the operand. The function around it hands the value to its
    caller as well: `convoy-lower-traces`, with which all pipelines begin, makes
    it a result of that name beside the function's own, so that a trace needs no
    library, no callback and no support of a target. No pass drops a trace,
    moves it, or changes what it records.
    Constraints:
    - (C1) `name` is an identifier: letters, digits and `_`, not a digit first.
    Example:
    ```mlir
    %1 = convoy.trace "conv1" %0 : tensor<1x7x5x6xf32>
    ```
  }];
  let arguments = (ins StrAttr:$name, Convoy_Tensor:$value);
  let results = (outs Convoy_Tensor:$result);
  let hasVerifier = 1;
  let assemblyFormat = "$name $value attr-dict `:` type($value)";
}

include "convoy/Dialect/Convoy/IR/ConvoyDeformOps.td"
include "convoy/Dialect/Convoy/IR/ConvoyPadOps.td"
include "convoy/Dialect/Convoy/IR/ConvoySampleOps.td"

#endif // CONVOY_OPS_TD
