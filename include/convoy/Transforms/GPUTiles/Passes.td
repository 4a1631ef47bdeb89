//===- Passes.td - Tiles of workgroups ---------------------*- tablegen -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TRANSFORMS_GPUTILES_PASSES_TD
#define CONVOY_TRANSFORMS_GPUTILES_PASSES_TD

include "mlir/Pass/PassBase.td"

def CheckBatchPass : Pass<"convoy-check-batch", "::mlir::ModuleOp"> {
  let summary = "Refuse dynamic sizes other than the batch's";
  let description = [{
    - Needs: functions on tensors.
    - Leaves: the IR as it is.

    Kernels of a GPU take one size that is not known when compiling, how many
    images a batch has: `n` of convolutions, and what other tensors have it
    from. A function whose tensors may have another one is an error at the op
    that has it:
    ```mlir
    // error: expected a known size of h in the input, since kernels of GPUs take
    // no dynamic size but the batch
    %r = convoy.conv ins(%x, %w : tensor<?x?x7x4xf32>, tensor<3x2x4x6xf32>)
        outs(%init : tensor<?x?x6x6xf32>) layout(nhwc x hwcf -> nhwf)
    ```
    That the batches of all arguments are equal is checked when it is known.
  }];
}

def SplitReductionsPass : Pass<"convoy-split-reductions"> {
  let summary = "Sum long reductions in parts, for more workgroups of a GPU";
  let description = [{
    - Needs: contractions whose left operand is `convoy.im2col`, of static
      sizes but for a batch's; `#convoy.target` on the module.
    - Leaves: an `scf.forall` over parts of a reduction, and a reduction that
      adds them, where the result is too small for a GPU; other contractions
      stay.

    The result of a filter's gradient is often too small for as many workgroups
    as keep a GPU busy. Each part, of one loop or of several, the outermost in
    single steps, is a contraction into a slice of a tensor of its own; the parts
    are added to the init in their order, so that results have the same bits in
    every run. Where the module's `#convoy.target` is no GPU, nothing is done.
    ```mlir
    %r = linalg.generic {...}
        ins(%rows, %dy : tensor<3x4x56x56xf32>, tensor<56x56x8xf32>)
        outs(%init : tensor<3x4x8xf32>)
    ```
    becomes
    ```mlir
    %parts = scf.forall (%s) in (14) shared_outs(%out = %empty) -> (tensor<14x3x4x8xf32>) {
      %part = linalg.generic {...}
          ins(%rows_s, %dy_s : tensor<3x4x4x56xf32>, tensor<4x56x8xf32>)
          outs(%zeros : tensor<3x4x8xf32>)
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %part into %out[%s, 0, 0, 0] [1, 3, 4, 8] [1, 1, 1, 1]
    ..
    %r = linalg.generic {...} ins(%parts : tensor<14x3x4x8xf32>)
        outs(%init : tensor<3x4x8xf32>)
    ```
  }];
  let options = [
    Option<"explain", "explain", "bool", "false",
           "Say in a remark which reductions are divided">
  ];
  let dependentDialects = ["::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::convoy::ConvoyDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect"];
}

def TileWorkgroupsPass : Pass<"convoy-tile-workgroups"> {
  let summary = "Tile contractions over im2col for the workgroups of a GPU";
  let description = [{
    - Needs: contractions whose left operand is `convoy.im2col`, of static
      sizes but for a batch's, with the ops that convert their init and their
      result; `#convoy.target` on the module.
    - Leaves: an `scf.forall` over tiles, each of which one workgroup computes,
      marked `convoy.workgroup_tile`.

    Inside a tile the reduction runs in steps, with im2col fused: the two
    factors of a step are what `convoy-outline-kernels` puts into the memory
    that the workgroup shares. Where shared memory is slow it is one step,
    whose factors are read in place. Tiles that stick out of the result are
    smaller. A contraction whose factors are used once, as in a depthwise
    convolution, stays as it is.

    The tile comes from `#convoy.target` on the module; where that is no GPU,
    nothing is done. `convoy.workgroup_tile` on the contraction keeps the
    choice, and with it the target's matrix instruction, where it has one for a
    contraction that does nothing but add products, and that pays.
    ```mlir
    %rows = convoy.im2col %x layout(nhwc, nhw|hwc)
        : tensor<1x10x10x32xf32> -> tensor<1x8x8x3x3x32xf32>
    %r = linalg.generic {...}
        ins(%rows, %w : tensor<1x8x8x3x3x32xf32>, tensor<3x3x32x128xf32>)
        outs(%init : tensor<1x8x8x128xf32>)
    ```
    becomes
    ```mlir
    %r = scf.forall (%f) = (0) to (128) step (64) shared_outs(%out = %init) -> (tensor<1x8x8x128xf32>) {
      %sum = scf.for %kh = %c0 to %c3 step %c1 iter_args(..) {
        scf.for %kw = %c0 to %c3 step %c1 iter_args(..) {
          scf.for %c = %c0 to %c32 step %c16 iter_args(..) {
            %rows = convoy.im2col .. -> tensor<1x8x8x1x1x16xf32>
            linalg.generic {..} {convoy.workgroup_tile = #convoy.workgroup_tile<..>}
    ```
  }];
  let options = [
    Option<"explain", "explain", "bool", "false",
           "Say in a remark how each contraction is tiled">
  ];
  let dependentDialects = ["::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::convoy::ConvoyDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect"];
}

#endif // CONVOY_TRANSFORMS_GPUTILES_PASSES_TD
