//===- Passes.td - Packed factors --------------------------*- tablegen -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TRANSFORMS_PACKING_PASSES_TD
#define CONVOY_TRANSFORMS_PACKING_PASSES_TD

include "mlir/Pass/PassBase.td"

def HoistPackingPass : Pass<"convoy-hoist-packing"> {
  let summary = "Pack whole filters outside of all loops";
  let description = [{
    - Needs: packed copies (`convoy.packed`) in loops, of slices of what
      depends on nothing but one argument marked `convoy.prepacked`.
    - Leaves: one copy for all iterations outside of the loops, and slices of
      it in the loops.

    The copy has a dimension for each loop that the slices depend on.
    ```mlir
    scf.forall (%f) = (0) to (64) step (32) {
      %panel = tensor.extract_slice %w[0, 0, %f] [3, 48, 32] [1, 1, 1]
      %packed = linalg.generic {convoy.packed} .. ins(%panel) outs(%empty)
    ```
    becomes
    ```mlir
    // (panel, tap, c, lane) -> (tap, c, panel * 32 + lane)
    %all = linalg.generic .. ins(%w) outs(%empties : tensor<2x3x48x32xf32>)
    scf.forall (%f) = (0) to (64) step (32) {
      %i = affine.apply affine_map<(d0) -> (d0 floordiv 32)>(%f)
      %packed = tensor.extract_slice %all[%i, 0, 0, 0] [1, 3, 48, 32] [1, 1, 1, 1]
    ```
    Where slices are no affine functions of loops with constant bounds, copies
    stay.
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

def OutlinePackingPass : Pass<"convoy-outline-packing", "::mlir::ModuleOp"> {
  let summary = "Compute what depends on packed arguments in functions of their own";
  let description = [{
    - Needs: functions with destinations (`convoy-add-destinations`) and
      arguments marked `convoy.prepacked`.
    - Leaves: for each such argument a function that packs it, and functions
      that take what that leaves.

    For each such argument a function `<name>_pack_<argument>` computes all
    tensors that depend on nothing else, one after the other in one flat
    tensor, each from a multiple of 64 bytes on. The function that had the
    argument takes the flat tensor in its place and says who makes it, as
    `packer` in `convoy.arguments`.
    ```mlir
    func.func @conv(%x: tensor<1x7x3xf32>,
                    %w: tensor<2x3x5xf32> {convoy.prepacked}, %y: memref<..>)
    ```
    becomes
    ```mlir
    func.func @conv(%x: tensor<1x7x3xf32>, %w: tensor<32xf32>, %y: memref<..>)
    func.func @conv_pack_filter(%w: tensor<2x3x5xf32>, %packed: memref<32xf32>)
    ```
  }];
  let dependentDialects = ["::mlir::bufferization::BufferizationDialect",
                           "::mlir::func::FuncDialect",
                           "::mlir::tensor::TensorDialect"];
}

#endif // CONVOY_TRANSFORMS_PACKING_PASSES_TD
