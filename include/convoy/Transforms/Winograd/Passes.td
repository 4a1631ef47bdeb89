//===- Passes.td - Winograd's algorithm --------------------*- tablegen -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TRANSFORMS_WINOGRAD_PASSES_TD
#define CONVOY_TRANSFORMS_WINOGRAD_PASSES_TD

include "mlir/Pass/PassBase.td"

def ChooseAlgorithmsPass : Pass<"convoy-choose-algorithms"> {
  let summary = "Choose how convolutions are computed";
  let description = [{
    - Needs: convolutions in any direction, with the type of their sums
      (`convoy-apply-policy`).
    - Leaves: `convoy.winograd` on those that `convoy-apply-winograd` is to
      compute; others stay.

    With `algorithm=direct` all sum their products. With `winograd` all are
    computed by Winograd's algorithm, in tiles of 2 or 4 results along each
    spatial dimension, and with policy `low` 6, whichever is estimated to be
    fastest; `winograd:4` says which. It takes convolutions and gradients of the
    input of f32 with 3 taps along each spatial dimension, stride 1, no
    dilation, no groups, and static sizes but the batch's, for CPUs and policies
    other than `high`; any other convolution is an error, which says why. With
    `auto` those are computed by it of which it is estimated to be faster. Where
    there is `convoy.most_winograd` (`convoy-apply-policy`), that says how large
    tiles may be, and not the policy.
    ```mlir
    %r = convoy.conv ins(%x, %w : tensor<1x8x8x4xf32>, tensor<3x3x4x6xf32>)
        outs(%init : tensor<1x6x6x6xf32>) layout(nhwc x hwcf -> nhwf)
    ```
    becomes with `algorithm=winograd:2`
    ```mlir
    %r = convoy.conv ins(%x, %w : tensor<1x8x8x4xf32>, tensor<3x3x4x6xf32>)
        outs(%init : tensor<1x6x6x6xf32>) layout(nhwc x hwcf -> nhwf)
        {convoy.winograd = array<i64: 2, 2>}
    ```
  }];
  let options = [
    Option<"algorithm", "algorithm", "std::string", "\"direct\"",
           "direct, winograd, winograd:2, winograd:4, winograd:6 or auto">,
    Option<"explain", "explain", "bool", "false",
           "Say in a remark what was chosen for each convolution, and why">
  ];
  let dependentDialects = ["::mlir::convoy::ConvoyDialect"];
}

def ApplyWinogradPass : Pass<"convoy-apply-winograd"> {
  let summary = "Compute convolutions by Winograd's algorithm";
  let description = [{
    - Needs: `convoy.conv` with `convoy.winograd`, as `convoy-choose-algorithms`
      leaves it.
    - Leaves: transforms of the filter, of the input's tiles and of the sums, in
      vectors, around a `convoy.conv` with a group for each product; other
      convolutions stay.

    F(m x m, 3 x 3) computes m x m results by (m + 2) x (m + 2) products (see
    `convoy/Support/CookToom.h` for the matrices). The filter is transformed
    once. An `scf.forall` goes over images, or some at a time where they are
    small, and copies each into zeros, channels innermost; another one inside
    goes over blocks of tiles, as many as the L2 cache holds with their products,
    24 at least. A bias and an op that alone reads the sums, element by element,
    are applied to vectors of results before these are stored. Results that are
    not whole tiles with channels innermost are copied from there, and added to
    an init that is neither a bias nor read by such an op.
    ```mlir
    %r = convoy.conv ins(%x, %w : tensor<1x8x4xf32>, tensor<3x4x6xf32>)
        outs(%zeros : tensor<1x6x6xf32>) layout(nwc x wcf -> nwf)
        {convoy.winograd = array<i64: 2>}
    ```
    becomes
    ```mlir
    %taps = scf.forall (%c) in (4) {G times the taps of %w} : tensor<4x1x4x6xf32>
    %r = scf.forall (%n) in (1) {
      scf.forall (%block) in (1) {
        %inputs = scf.for {B times the tiles of %x} : tensor<4x1x3x4xf32>
        %sums = convoy.conv ins(%inputs, %taps) layout(gnwc x gwcf -> gnwf)
            : tensor<4x1x3x6xf32>
        %part = scf.for {A times the products of %sums} : tensor<1x6x6xf32>
      }
    }
    ```
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::convoy::ConvoyDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect",
                           "::mlir::ub::UBDialect",
                           "::mlir::vector::VectorDialect"];
  let options = [
    Option<"explain", "explain", "bool", "false",
           "Say in a remark which op behind a convolution is not applied to its "
           "sums before they are stored, and why">
  ];
}

#endif // CONVOY_TRANSFORMS_WINOGRAD_PASSES_TD
