//===- Passes.td - Convolutions, down to im2col ------------*- tablegen -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TRANSFORMS_CONVOLUTION_PASSES_TD
#define CONVOY_TRANSFORMS_CONVOLUTION_PASSES_TD

include "mlir/Pass/PassBase.td"

def DecomposeBackwardPass : Pass<"convoy-decompose-backward"> {
  let summary = "Turn gradients of convolutions into convolutions";
  let description = [{
    - Needs: `convoy.conv_backward_data` and `convoy.conv_backward_filter`.
    - Leaves: `convoy.conv` on the same tensors, in which dimensions have other
      names; gradients of the input may have input dilation.

    The gradient of the input exchanges `c` and `f`, that of the filter `n` and
    `c`. Nothing is transposed. With `reverse`, the taps of a filter's gradient
    are flipped by one `linalg.generic` of the filter's size. Where sizes are
    dynamic the high padding is the largest that any size needs; only taps that
    are dynamic are refused, where the window depends on their number.
    ```mlir
    %dx = convoy.conv_backward_data
        ins(%dy, %w : tensor<1x5x4x6xf32>, tensor<3x3x4x6xf32>)
        outs(%init : tensor<1x9x7x4xf32>) layout(nhwc x hwcf -> nhwf)
        window(stride = [2, 2], pad = [[1, 1], [1, 1]])
    %dw = convoy.conv_backward_filter
        ins(%x, %dy : tensor<1x9x7x4xf32>, tensor<1x5x4x6xf32>)
        outs(%init : tensor<3x3x4x6xf32>) layout(nhwc x hwcf -> nhwf)
        window(stride = [2, 2], pad = [[1, 1], [1, 1]])
    ```
    becomes
    ```mlir
    %dx = convoy.conv ins(%dy, %w : tensor<1x5x4x6xf32>, tensor<3x3x4x6xf32>)
        outs(%init : tensor<1x9x7x4xf32>) layout(nhwc x hwfc -> nhwf)
        window(pad = [[1, 1], [1, 1]], input_dilation = [2, 2],
               reverse = [true, true])
    %dw = convoy.conv ins(%x, %dy : tensor<1x9x7x4xf32>, tensor<1x5x4x6xf32>)
        outs(%init : tensor<3x3x4x6xf32>) layout(chwn x chwf -> hwnf)
        window(dilation = [2, 2], pad = [[1, 1], [1, 1]])
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::convoy::ConvoyDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

def WidenOperandsPass : Pass<"convoy-widen-operands"> {
  let summary = "Widen operands before all tiles";
  let description = [{
    - Needs: `convoy.conv` whose floats are narrower than what it sums in.
    - Leaves: the same on copies of both operands in the type of its sums, where
      that is estimated to take less time than to widen what each tile reads.

    An element is read by as many tiles as the filter has taps and output
    channels to share it, and most CPUs multiply no narrow floats: they widen
    them first. Widening is exact, so that no result changes. What is for a GPU
    is left as it is.
    ```mlir
    %r = convoy.conv ins(%x, %w : tensor<1x56x64xf16>, tensor<3x64x64xf16>)
        outs(%init : tensor<1x54x64xf16>) layout(nwc x wcf -> nwf)
        numerics(accumulator = f32)
    ```
    becomes
    ```mlir
    %wide_x = linalg.generic ins(%x : tensor<1x56x64xf16>)
        outs(%empty_x : tensor<1x56x64xf32>) {arith.extf}
    %wide_w = linalg.generic ins(%w : tensor<3x64x64xf16>)
        outs(%empty_w : tensor<3x64x64xf32>) {arith.extf}
    %r = convoy.conv ins(%wide_x, %wide_w : tensor<1x56x64xf32>,
                                            tensor<3x64x64xf32>)
        outs(%init : tensor<1x54x64xf16>) layout(nwc x wcf -> nwf)
        numerics(accumulator = f32)
    ```
  }];
  let options = [
    Option<"explain", "explain", "bool", "false",
           "Say in a remark which convolutions stay as they are, and why">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::convoy::ConvoyDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

def WordProductsPass : Pass<"convoy-word-products"> {
  let summary = "Multiply bytes and bf16 several at a time";
  let description = [{
    - Needs: `convoy.conv` without input dilation (`convoy-split-phases`), of
      integers that sums in i32, or of bf16 that sums in f32; `#convoy.target` on
      the module, whose `dot` names instructions that sum products in pairs or in
      fours, or those of matrices besides.
    - Leaves: copies of both operands whose elements are words of neighbours
      along the channels or a spatial dimension, and `convoy.im2col` and a
      `linalg.generic` that multiplies these, where that is estimated to take
      less time; other convolutions stay.

    A word of i32 holds two elements of bf16; two of integers less their zero
    points, in 16 bits; or four in 8 bits, if the target multiplies such with the
    signs that they have. This is exact: there are no zero points left, and
    padding is zero. Where the filter fits 8 bits and the input does not, it is
    shifted: what is left of its zero point pads it, and is multiplied with the
    sums of the filter, which are subtracted from the init. Where neighbours do
    not fill the last word, it has zeros beside them. To all that follows a word
    is an element of i32: tiles, panels and vectors stay what they are, and a
    reduction has half or a quarter as many steps. Products are added one after
    the other. Where `dot` has instructions for matrices, and a word of twice as
    many elements takes less time, it is one of i64.
    ```mlir
    %r = convoy.conv ins(%x, %w : tensor<1x9x9x6xi8>, tensor<3x3x6x8xi8>)
        outs(%init : tensor<1x7x7x8xi32>) layout(nhwc x hwcf -> nhwf)
    ```
    becomes
    ```mlir
    %x0 = tensor.extract_slice %x[0, 0, 0, 0] [1, 9, 9, 3] [1, 1, 1, 2]
    %x1 = tensor.extract_slice %x[0, 0, 0, 1] [1, 9, 9, 3] [1, 1, 1, 2]
    %words_x = linalg.generic ins(%x0, %x1) outs(%empty_x : tensor<1x9x9x3xi32>)
        {%x0 | %x1 << 16}
    ..
    %rows = convoy.im2col %words_x : tensor<1x9x9x3xi32>
    %r = linalg.generic ins(%rows, %words_w : tensor<1x7x7x3x3x3xi32>,
                                              tensor<3x3x3x8xi32>)
        outs(%init) {%sum + high(%a) * high(%b) + low(%a) * low(%b)}
    ```
    Words of neighbouring taps, as those of a gradient of the filter at batch 1
    are, lie side by side for each output position; its stride is then their
    number, and there is no dilation, padding or reversal along the dimension.
  }];
  let options = [
    Option<"explain", "explain", "bool", "false",
           "Say in a remark which convolutions stay as they are, and why">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::convoy::ConvoyDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

def TileGroupsPass : Pass<"convoy-tile-groups"> {
  let summary = "Compute groups some at a time";
  let description = [{
    - Needs: `convoy.conv` with groups and static sizes.
    - Leaves: an `scf.forall` over some of its groups at a time, where that
      pays, in which the convolution has a `#convoy.group_panel`; other
      convolutions stay.

    As many groups are taken at a time as have padded copies that stay in the
    cache. Where other dimensions lie inside groups, operands are copied for
    vectors along the groups, if these take less time, as many as half of the
    first cache holds with their copies, and the sums are copied back:
    `layout(ngcw x gfcw -> ngfw)` becomes `layout(ncwg x fcwg -> nfwg)`.
    `#convoy.group_panel` says so, and how the padding of a panel is computed.
    One that is there before is an error. What gives the init alone, as a fill or
    a bias does, and what alone reads the sums and computes each element further,
    are computed for the groups of a panel, too, unless its sums are copied back.
    For a GPU nothing is done.
  }];
  let options = [
    Option<"explain", "explain", "bool", "false",
           "Say in a remark which convolutions stay as they are, and why">
  ];
  let dependentDialects = ["::mlir::convoy::ConvoyDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect"];
}

include "convoy/Transforms/Convolution/PhasePasses.td"

def SplitBordersPass : Pass<"convoy-split-borders"> {
  let summary = "Convolve borders by themselves";
  let description = [{
    - Needs: `convoy.conv` with groups and static sizes, whose input is not
      dilated.
    - Leaves: convolutions of its parts, most of which read no padding, where
      that pays; other convolutions stay.

    The parts are the output positions that meet no padding, those along each
    border, and those in each corner. They are computed apart where that takes
    less time than a padded copy of the input. Where taps are more than
    positions, as in a gradient of the filter, the sum is cut in the same way.
    Each part leaves out the taps, or positions, that meet nothing but padding,
    so that most parts read the input where it lies. Sums of parts are rounded
    once. What gives the init alone, as a fill or a bias does, and what alone
    reads the result and computes each element further, are computed part by
    part, too, so that tiles do both in registers. A convolution has nine parts
    at most, and no tensor more than 36, or nine with three spatial dimensions,
    since each part is a case of its own for a proof. A convolution is left as it is where all positions of a
    dimension meet padding, where taps would be cut but are reversed, and on a
    GPU. What `convoy-tile-groups` has decided in a `#convoy.group_panel` is
    done: where it copies the input in another order, the copy pads on the way.
    A convolution that cannot be computed as its plan says is an error.
    ```mlir
    %r = convoy.conv ins(%x, %w : tensor<1x9x1x16xf32>, tensor<3x1x1x16xf32>)
        outs(%init : tensor<1x9x1x16xf32>) layout(nwcg x wcfg -> nwfg)
        window(pad = [[1, 1]])
    ```
    becomes
    ```mlir
    %i0 = tensor.extract_slice %init[0, 1, 0, 0] [1, 7, 1, 16] [1, 1, 1, 1]
        : tensor<1x9x1x16xf32> to tensor<1x7x1x16xf32>
    %s0 = convoy.conv ins(%x, %w : tensor<1x9x1x16xf32>, tensor<3x1x1x16xf32>)
        outs(%i0 : tensor<1x7x1x16xf32>) layout(nwcg x wcfg -> nwfg)
    %r0 = tensor.insert_slice %s0 into %init[0, 1, 0, 0] [1, 7, 1, 16] [1, 1, 1, 1]
        : tensor<1x7x1x16xf32> into tensor<1x9x1x16xf32>
    %w1 = tensor.extract_slice %w[1, 0, 0, 0] [2, 1, 1, 16] [1, 1, 1, 1]
        : tensor<3x1x1x16xf32> to tensor<2x1x1x16xf32>
    %i1 = tensor.extract_slice %r0[0, 0, 0, 0] [1, 1, 1, 16] [1, 1, 1, 1]
        : tensor<1x9x1x16xf32> to tensor<1x1x1x16xf32>
    %s1 = convoy.conv ins(%x, %w1 : tensor<1x9x1x16xf32>, tensor<2x1x1x16xf32>)
        outs(%i1 : tensor<1x1x1x16xf32>) layout(nwcg x wcfg -> nwfg)
        window(pad = [[0, -7]])
    // and the last position
    ```
  }];
  let options = [
    Option<"explain", "explain", "bool", "false",
           "Say in a remark which convolutions stay as they are, and why">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::convoy::ConvoyDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

def ConvToIm2colPass : Pass<"convoy-conv-to-im2col"> {
  let summary = "Turn convolutions into im2col and a contraction";
  let description = [{
    - Needs: `convoy.conv` without input dilation (`convoy-split-phases`).
    - Leaves: `convoy.im2col` and a `linalg.generic` that multiplies its rows
      with the filter as it lies in memory.

    Of empty tensors the init is left. A plan of another pass is an error.
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
    - Needs: `convoy.im2col` whose window reaches outside the input.
    - Leaves: a `tensor.pad` of what the windows read, and an im2col without
      padding.

    Tiles of an im2col without padding are slices. Negative padding beside it
    becomes part of the slice that is padded; alone it is left as it is.
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

def DecomposeCol2imPass : Pass<"convoy-decompose-col2im"> {
  let summary = "Turn col2im into sums of gathers";
  let description = [{
    - Needs: `convoy.col2im`.
    - Leaves: a `linalg.generic` over the image and the taps whose body solves
      the window's equation for the output position, and adds what
      `tensor.extract` reads there, or zero where there is no such position. Sums
      of floats of less than 32 bits are f32, and another `linalg.generic`
      rounds them.

    So each element is summed by its own loops over the taps, in one order, and
    nothing is read beside the rows. These loops stand before the innermost one
    over the image, which vectors go along. The input is not read: its sizes say
    how many taps there are.

    With `by-rows` there are loops over the rows of the image: for each tap that
    has a position there, what all windows have of the row is added at once, along
    its positions and channels, in the same order. A row is added up in the order
    that its windows have. Where positions lie side by side in them, and windows
    are several elements apart, the row is added up by phases, elements as far
    apart as windows are, and these are put together in the end. Where taps lie
    side by side, or channels are few, the taps of a row, of up to a MiB, are
    copied before they are added, so that channels, or positions, lie side by
    side.
    ```mlir
    %0 = convoy.col2im %rows layout(nwc, nw|wc) window(pad = [[1, 1]])
        : tensor<1x7x3x4xf32> -> tensor<1x7x4xf32>
    ```
    becomes
    ```mlir
    %0 = linalg.generic {indexing_maps = [affine_map<(n, w, k, c) -> (k)>,
                                          affine_map<(n, w, k, c) -> (n, w, c)>], …}
        ins(%window : tensor<3xf32>) outs(%zeros : tensor<1x7x4xf32>) {
    ^bb0(%in: f32, %sum: f32):
      …
      %read = tensor.extract %rows[%n, %place, %k, %c]
      %term = arith.select %is_there, %read, %zero
      %next = arith.addf %sum, %term
      linalg.yield %next
    }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::convoy::ConvoyDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect"];
  let options = [
    Option<"byRows", "by-rows", "bool", /*default=*/"false",
           "Add up windows a row of the image at a time">];
}

def SubtractZeroPointsPass : Pass<"convoy-subtract-zero-points"> {
  let summary = "Give filters zero points of 0";
  let description = [{
    - Needs: ops of convolutions whose filter has a zero point for each channel.
    - Leaves: the same ops on the filter less its zero points, which is made once,
      in twice as many bits; or with one zero point, where all are the same
      constant.

    Whatever tiles, packs or multiplies afterwards sees one zero point of each
    operand. Differences of bytes have 9 bits, and those in as many bits as sums
    have wrap around as these do.
    ```mlir
    %r = convoy.conv ins(%x, %w : tensor<1x9x4xi8>, tensor<3x4x6xi8>)
        outs(%init : tensor<1x7x6xi32>)
        zero_points(%zx, %zw : i32, tensor<6xi32>) layout(nwc x wcf -> nwf)
    ```
    becomes
    ```mlir
    %less = linalg.generic ins(%w, %zw : tensor<3x4x6xi8>, tensor<6xi32>)
        outs(%empty : tensor<3x4x6xi16>) {%w - %zw}
    %r = convoy.conv ins(%x, %less : tensor<1x9x4xi8>, tensor<3x4x6xi16>)
        outs(%init : tensor<1x7x6xi32>) zero_points(%zx, %zero : i32, i32)
        layout(nwc x wcf -> nwf)
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

#endif // CONVOY_TRANSFORMS_CONVOLUTION_PASSES_TD
