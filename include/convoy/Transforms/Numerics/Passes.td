//===- Passes.td - Ranges and types of sums ----------------*- tablegen -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TRANSFORMS_NUMERICS_PASSES_TD
#define CONVOY_TRANSFORMS_NUMERICS_PASSES_TD

include "mlir/Pass/PassBase.td"

def ApplyPolicyPass : Pass<"convoy-apply-policy"> {
  let summary = "Choose the type of convolutions' sums";
  let description = [{
    - Needs: convolutions in any direction.
    - Leaves: them with the accumulator that the policy in their `numerics`
      asks for; with `low` some as convolutions of blocks of their channels.

    The policies `normal` and `high` raise a float accumulator below f32 to
    f32; others stay. `low` takes the init's type, where it is narrower than f32
    and holds the operands' values, or keeps an accumulator below f32, where the
    ranges of the operands and the init show that nothing overflows or vanishes
    (`convoy-infer-ranges`): with L terms in a sum at most, u the accumulator's
    unit roundoff and S = |init| + L |x| |w| for the largest magnitudes,
    - 2 L u < 1/8, so that there is an error bound, in whatever direction a
      target rounds,
    - S (1 + 2 L u / (1 - 2 L u)) is below the accumulator's largest number,
    - the smallest nonzero product is not below its smallest normal number. In
      a range that has zero in it, that of an operand is its type's smallest,
      unless it is known.

    A remark says how far the sums go. Where that holds for blocks of the reduced
    channels (`c`, `f` or `n` in the three directions), 2 to 8 of them, each block
    becomes a convolution of slices with sums in the narrow type, and its result
    is added to the others' in f32. Elsewhere the policy becomes `normal`. A
    remark says why. Samples always sum in f32; of narrow ones a remark says so.

    With `target-error`, convolutions of floats whose policy is `normal` have the
    cheapest of these ways with which no result of their function is further off
    than that part of the largest that it may be (docs/Numerics.md); those that
    sum in f32 have the policy `high` then. With `winograd` they have
    `convoy.most_winograd` besides: how many results tiles of Winograd's
    algorithm may have along each dimension, 6, 4, 2 or, where none suffices, 0.
    Convolutions with the most products are given theirs first.
    ```mlir
    %r = convoy.conv ins(%x, %w : tensor<1x7x3xf16>, tensor<2x3x5xf16>)
        outs(%init : tensor<1x6x5xf16>) layout(nwc x wcf -> nwf)
    ```
    becomes
    ```mlir
    %r = convoy.conv ins(%x, %w : tensor<1x7x3xf16>, tensor<2x3x5xf16>)
        outs(%init : tensor<1x6x5xf16>) layout(nwc x wcf -> nwf)
        numerics(accumulator = f32)
    ```
  }];
  let options = [
    Option<"policy", "policy", "std::string", /*default=*/"",
           "Policy of convolutions that have no other than normal: normal, high "
           "or low">,
    Option<"targetError", "target-error", "double", /*default=*/"0",
           "How far off results may be, relative to the largest that they may "
           "be: takes the cheapest sums for it; 0 asks for none">,
    Option<"winograd", "winograd", "bool", /*default=*/"false",
           "With a target error, say which tiles of Winograd's algorithm are "
           "for it">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::convoy::ConvoyDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

def InferRangesPass : Pass<"convoy-infer-ranges"> {
  let summary = "Warn of numbers that overflow or vanish";
  let description = [{
    - Needs: functions on tensors, with ops of linalg, arith, math, tensor and
      convoy.
    - Leaves: the ranges that were found in the `numerics` of convolutions.

    A range is a low and a high number and the least magnitude that is not zero.
    It comes from constants, from `convoy.range` of arguments, from
    `input_range` and `filter_range` of convolutions, or from the type, and goes
    through elementwise ops, sums, samples and moves. It holds for what targets
    compute, whatever the order of sums and however they round
    ([Numerics](Numerics.md#ranges)). The sums of a constant filter's taps are
    taken from its elements.

    A warning names the place, the magnitude and the length of a sum: where f16
    sums, arithmetic or conversions may overflow, or all of their numbers vanish;
    where integer sums or conversions may wrap. There is none where types alone
    bound what is computed, except for sums of products of integers. With
    `strict`, whatever is not known to fit is an error.
    ```mlir
    func.func @f(%x: tensor<1x7x3xf16> {convoy.range = array<f64: -8.0, 8.0>},
                 %w: tensor<2x3x5xf16> {convoy.range = array<f64: 0.25, 2.0>})
    // ...
    %r = convoy.conv ins(%x, %w : tensor<1x7x3xf16>, tensor<2x3x5xf16>)
        outs(%init : tensor<1x6x5xf16>) layout(nwc x wcf -> nwf)
    ```
    becomes
    ```mlir
    %r = convoy.conv ins(%x, %w : tensor<1x7x3xf16>, tensor<2x3x5xf16>)
        outs(%init : tensor<1x6x5xf16>) layout(nwc x wcf -> nwf)
        numerics(input_range = [-8.0, 8.0], filter_range = [0.25, 2.0])
    ```
  }];
  let options = [
    Option<"strict", "strict", "bool", /*default=*/"false",
           "Make errors of the warnings, also where only the types bound what "
           "is computed">
  ];
  let dependentDialects = ["::mlir::convoy::ConvoyDialect"];
}

#endif // CONVOY_TRANSFORMS_NUMERICS_PASSES_TD
