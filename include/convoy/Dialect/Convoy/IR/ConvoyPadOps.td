//===- ConvoyPadOps.td - Padding by elements of the input ------- -*- tablegen -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A part of ConvoyOps.td, which has what all ops are made of.
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_PAD_OPS_TD
#define CONVOY_PAD_OPS_TD

class Convoy_PaddingOp<string mnemonic, list<Trait> traits = []>
    : Convoy_Op<mnemonic, [
        Pure, AllRanksMatch<["input", "result"]>,
        DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface,
                                  ["reifyResultShapes"]>] # traits> {
  let arguments = (ins Convoy_Tensor:$input, Convoy_PaddingModeAttr:$mode,
                       DenseI64ArrayAttr:$low, DenseI64ArrayAttr:$high);
  let results = (outs Convoy_Tensor:$result);
  let hasVerifier = 1;
  let hasFolder = 1;
  let assemblyFormat = [{
    $input `mode` `(` custom<PaddingMode>($mode) `)` `low` `` $low `high` `` $high
    attr-dict `:` type($input) `->` type($result)
  }];
}

def Convoy_PadOp
    : Convoy_PaddingOp<"pad", [AllElementTypesMatch<["input", "result"]>]> {
  let summary = "Pad a tensor with elements of its own";
  let description = [{
    Along each dimension the result has `low` elements before those of the input
    and `high` behind them. Element i - low of the input lies at i, and where the
    input of size S has no element p = i - low, there is

    - `reflect`: element r or 2(S-1) - r, whichever is less, for
      r = p mod 2(S-1): the input is reflected at the centers of its outermost
      elements, as in 2 1 0 1 2 1 0. Of one element that is it.
    - `replicate`: the element next to it, 0 or S-1.
    - `circular`: element p mod S.

    A remainder (mod) is from 0 on. Padding may be larger than the input: it is
    reflected, or goes around, several times. Each dimension is padded by itself.
    Padding with one value is upstream's `tensor.pad`, or the window of a
    convolution; padding in front alone, which frameworks call causal, is such a
    window.
    Constraints:
    - (C1) `low` and `high` have an entry for each dimension, none of which is
      negative.
    - (C2) Dimensions that are padded have a static size of at least one element
      in the input.
    - (C3) The result's sizes are the input's and the padding; a size is static
      in both or in neither.
    Example:
    ```mlir
    %0 = convoy.pad %image mode(reflect) low[0, 1, 2, 0] high[0, 1, 1, 0]
        : tensor<2x9x7x4xf32> -> tensor<2x11x10x4xf32>
    ```
  }];
}

def Convoy_PadBackwardOp : Convoy_PaddingOp<"pad_backward"> {
  let summary = "Add up the padding where it was taken from";
  let description = [{
    The adjoint of `convoy.pad`, which is its gradient: an element of the result
    is the sum of those elements of the input that `convoy.pad` would have taken
    from it. So the sum of the products of pad(x) and y is that of x and
    pad_backward(y).
    An element's terms are added to zero in the order of their places, the
    innermost dimension fastest, on all targets and for any number of threads:
    floats of less than 32 bits in f32, and integers in their own type, in which
    they wrap around. The sum is rounded to the result's type.
    Constraints:
    - (C1) `low` and `high` have an entry for each dimension, none of which is
      negative.
    - (C2) Dimensions that are padded have a static size of at least one element
      in the result.
    - (C3) The input's sizes are the result's and the padding; a size is static
      in both or in neither.
    - (C4) The result's elements are of the input's type or, of floats, of a
      narrower one.
    Example:
    ```mlir
    %0 = convoy.pad_backward %gradient mode(reflect) low[0, 1, 2, 0] high[0, 1, 1, 0]
        : tensor<2x11x10x4xf32> -> tensor<2x9x7x4xf32>
    ```
  }];
}

#endif // CONVOY_PAD_OPS_TD
