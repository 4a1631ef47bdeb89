//===- PhasePasses.td - Convolutions of dilated inputs -----*- tablegen -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TRANSFORMS_CONVOLUTION_PHASEPASSES_TD
#define CONVOY_TRANSFORMS_CONVOLUTION_PHASEPASSES_TD

include "mlir/Pass/PassBase.td"

def PlacePhasesPass : Pass<"convoy-place-phases"> {
  let summary = "Compute phases of one tap each as one contraction";
  let description = [{
    - Needs: `convoy.conv` with input dilation, without groups or zero points
      and with static sizes; `#convoy.target`.
    - Leaves: in the place of those whose windows do not overlap, a
      `linalg.generic` over `convoy.im2col`; other convolutions stay.

    Where the input is dilated by as much as the filter has taps, each output
    position has one tap: a phase (see `convoy-split-phases`) is a product of the
    input with a slice of the filter. Here the phases are dimensions of the
    result of one contraction, beside the positions between which they lie, so
    that each pixel is read once for all of them, and no sum is copied. Left as
    it is what sums in another type than its operands have, what has other
    dimensions than channels innermost or channels that fill less than three
    quarters of their vectors, and everything for a GPU.
    ```mlir
    %r = convoy.conv ins(%x, %w : tensor<1x3x2xf32>, tensor<2x2x16xf32>)
        outs(%init : tensor<1x6x16xf32>) layout(nwc x wcf -> nwf)
        window(pad = [[1, 1]], input_dilation = [2], reverse = [true])
    ```
    becomes
    ```mlir
    %rows = convoy.im2col %x layout(nwc, nw|wc)
        : tensor<1x3x2xf32> -> tensor<1x3x1x2xf32>
    %places = tensor.expand_shape %init [[0], [1, 2], [3]]
        : tensor<1x6x16xf32> into tensor<1x3x2x16xf32>
    %sums = linalg.generic {(n, w, phase, f, tap, c) -> (n, w, tap, c),
                            (n, w, phase, f, tap, c) -> (phase, c, f),
                            (n, w, phase, f, tap, c) -> (n, w, phase, f)}
        ins(%rows, %w) outs(%places)
    %r = tensor.collapse_shape %sums [[0], [1, 2], [3]]
        : tensor<1x3x2x16xf32> into tensor<1x6x16xf32>
    ```
  }];
  let options = [
    Option<"explain", "explain", "bool", "false",
           "Say in a remark which convolutions stay as they are, and why">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::bufferization::BufferizationDialect",
                           "::mlir::convoy::ConvoyDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

def ExpandEpiloguesPass : Pass<"convoy-expand-epilogues"> {
  let summary = "Give epilogues the dimensions of the sums that they finish";
  let description = [{
    - Needs: any IR on tensors.
    - Leaves: in the place of a `linalg.generic` that finishes the sums of a
      contraction over `convoy.im2col` one by one, behind a
      `tensor.collapse_shape`, the same in front of it.

    Tiles of sums are finished before they leave the registers if the op that
    does so has their dimensions. Sums of placed phases have more than their
    result (`convoy-place-phases`).
    ```mlir
    %whole = tensor.collapse_shape %sums [[0], [1, 2], [3]]
        : tensor<1x3x2x16xf32> into tensor<1x6x16xf32>
    %r = linalg.generic {(n, w, f) -> (n, w, f)} ins(%whole) outs(%room)
    ```
    becomes
    ```mlir
    %places = tensor.expand_shape %room [[0], [1, 2], [3]]
        : tensor<1x6x16xf32> into tensor<1x3x2x16xf32>
    %done = linalg.generic {(n, w, phase, f) -> (n, w, phase, f)}
        ins(%sums) outs(%places)
    %r = tensor.collapse_shape %done [[0], [1, 2], [3]]
        : tensor<1x3x2x16xf32> into tensor<1x6x16xf32>
    ```
  }];
  let dependentDialects = ["::mlir::bufferization::BufferizationDialect",
                           "::mlir::convoy::ConvoyDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

def MergePhasesPass : Pass<"convoy-merge-phases"> {
  let summary = "Compute the phases of few channels as one convolution";
  let description = [{
    - Needs: `convoy.conv` with input dilation, without groups or zero points
      and with static sizes.
    - Leaves: one dense convolution and a copy of its sums to their places,
      where that pays; other convolutions stay.

    The dense convolution has the channels of all phases (see
    `convoy-split-phases`). It is made where these fill vectors better than one
    phase's, or where one phase's sums lie apart in the result and the
    multiply-adds are few. Each phase's taps, a slice of the filter, lie among
    zeros where others have taps that it has not; its sums are copied to where
    they belong in the result. The rest, and everything for a GPU, is left as
    it is.
    ```mlir
    %r = convoy.conv ins(%x, %w : tensor<1x3x2xf32>, tensor<3x2x4xf32>)
        outs(%init : tensor<1x6x4xf32>) layout(nwc x wcf -> nwf)
        window(pad = [[2, 1]], input_dilation = [2])
    ```
    becomes, where `%wm` holds taps 0 and 2 of `%w`, then a zero and tap 1,
    ```mlir
    %c = convoy.conv ins(%x, %wm : tensor<1x3x2xf32>, tensor<2x2x8xf32>)
        outs(%zeros : tensor<1x3x8xf32>) layout(nwc x wcf -> nwf)
        window(pad = [[1, 0]])
    %phases = tensor.expand_shape %c [[0], [1], [2, 3]]
        : tensor<1x3x8xf32> into tensor<1x3x2x4xf32>
    %copy = linalg.generic {(n, w, phase, f) -> (n, w, phase, f)} ins(%phases)
    %r = tensor.collapse_shape %copy [[0], [1, 2], [3]]
        : tensor<1x3x2x4xf32> into tensor<1x6x4xf32>
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

def InterleavePhasesPass : Pass<"convoy-interleave-phases"> {
  let summary = "Compute the phases of a row of the result side by side";
  let description = [{
    - Needs: `convoy.conv` with static sizes whose input is dilated along the
      dimension that lies innermost in the result, and whose init is filled
      with one value.
    - Leaves: the dense convolutions of its phases, side by side, and a copy of
      their sums to their places; other convolutions stay.

    `convoy-split-phases` would leave the same dense convolutions, but with
    sums that are stored one by one. Here the phases of that dimension are
    computed side by side, each as long as the longest, for each choice of
    phases in the other dimensions, and then copied to their places. A phase
    without taps is filled. The rest, and everything for a GPU, is left as it
    is.
    ```mlir
    %r = convoy.conv ins(%x, %w : tensor<1x2x3xf32>, tensor<4x2x3xf32>)
        outs(%init : tensor<1x4x6xf32>) layout(ncw x fcw -> nfw)
        window(pad = [[2, 1]], input_dilation = [2])
    ```
    becomes, where `%sums` holds the convolutions with taps 0 and 2 of `%w` and
    with tap 1,
    ```mlir
    %place = tensor.expand_shape %init [[0], [1], [2, 3]]
        : tensor<1x4x6xf32> into tensor<1x4x3x2xf32>
    %copy = linalg.generic {(n, f, w, phase) -> (phase, n, f, w)}
        ins(%sums : tensor<2x1x4x3xf32>) outs(%place : tensor<1x4x3x2xf32>)
    %r = tensor.collapse_shape %copy [[0], [1], [2, 3]]
        : tensor<1x4x3x2xf32> into tensor<1x4x6xf32>
    ```
  }];
  let options = [
    Option<"explain", "explain", "bool", "false",
           "Say in a remark which convolutions stay as they are, and why">
  ];
  let dependentDialects = ["::mlir::convoy::ConvoyDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

def SplitPhasesPass : Pass<"convoy-split-phases"> {
  let summary = "Turn input-dilated convolutions into dense ones on slices";
  let description = [{
    - Needs: `convoy.conv` whose taps along dimensions with input dilation are
      static.
    - Leaves: `convoy.conv` without input dilation, on slices of the filter and
      the result.

    Along a dimension with input dilation e and stride s, output positions that
    are e / gcd(e, s) apart read the input at the same taps: those of one phase
    become a dense convolution with the phase's taps, a slice of the filter,
    into a slice of the result. A phase without taps keeps the init; where all
    have taps and the init is filled with one value, each phase fills its own
    slice. Several dimensions give every combination of their phases. The
    input's holes are never multiplied. Refused where the number of taps along
    a dilated dimension is dynamic.
    ```mlir
    %r = convoy.conv ins(%x, %w : tensor<1x3x2xf32>, tensor<3x2x4xf32>)
        outs(%init : tensor<1x7x4xf32>) layout(nwc x wcf -> nwf)
        window(pad = [[2, 2]], input_dilation = [2])
    ```
    becomes
    ```mlir
    %w0 = tensor.extract_slice %w[0, 0, 0] [2, 2, 4] [2, 1, 1]
        : tensor<3x2x4xf32> to tensor<2x2x4xf32>
    %i0 = tensor.extract_slice %init[0, 0, 0] [1, 4, 4] [1, 2, 1]
        : tensor<1x7x4xf32> to tensor<1x4x4xf32>
    %c0 = convoy.conv ins(%x, %w0 : tensor<1x3x2xf32>, tensor<2x2x4xf32>)
        outs(%i0 : tensor<1x4x4xf32>) layout(nwc x wcf -> nwf)
        window(pad = [[1, 1]])
    %r0 = tensor.insert_slice %c0 into %init[0, 0, 0] [1, 4, 4] [1, 2, 1]
        : tensor<1x4x4xf32> into tensor<1x7x4xf32>
    %w1 = tensor.extract_slice %w[1, 0, 0] [1, 2, 4] [2, 1, 1]
        : tensor<3x2x4xf32> to tensor<1x2x4xf32>
    %i1 = tensor.extract_slice %r0[0, 1, 0] [1, 3, 4] [1, 2, 1]
        : tensor<1x7x4xf32> to tensor<1x3x4xf32>
    %c1 = convoy.conv ins(%x, %w1 : tensor<1x3x2xf32>, tensor<1x2x4xf32>)
        outs(%i1 : tensor<1x3x4xf32>) layout(nwc x wcf -> nwf)
    %r = tensor.insert_slice %c1 into %r0[0, 1, 0] [1, 3, 4] [1, 2, 1]
        : tensor<1x3x4xf32> into tensor<1x7x4xf32>
    ```
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect",
                           "::mlir::convoy::ConvoyDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

#endif // CONVOY_TRANSFORMS_CONVOLUTION_PHASEPASSES_TD
