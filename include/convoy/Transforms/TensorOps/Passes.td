//===- Passes.td - Ops on tensors --------------------------*- tablegen -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TRANSFORMS_TENSOROPS_PASSES_TD
#define CONVOY_TRANSFORMS_TENSOROPS_PASSES_TD

include "mlir/Pass/PassBase.td"

def GeneralizeOpsPass : Pass<"convoy-generalize-ops"> {
  let summary = "Make ops on tensors generic";
  let description = [{
    - Needs: any IR on tensors.
    - Leaves: `linalg.generic`, `linalg.fill`, slices, pads and reshapes in the
      place of all ops that say the same in other words.

    What follows has one form of each op to know. Replaced are named ops of
    linalg (but fills), softmax and packing, arithmetic on whole tensors,
    `tensor.generate`, `splat`, `from_elements`, `insert`, `concat` and
    `reshape` between static shapes. An init that the op does not read becomes
    an empty tensor: it could have to be copied to be overwritten.
    ```mlir
    %sum = arith.addf %x, %y : tensor<2x3xf32>
    %row = linalg.broadcast ins(%b : tensor<3xf32>) outs(%e : tensor<2x3xf32>)
        dimensions = [0]
    ```
    becomes
    ```mlir
    %sum = linalg.generic {indexing_maps = [#all, #all, #all], ..}
        ins(%x, %y : tensor<2x3xf32>, tensor<2x3xf32>) outs(%e : tensor<2x3xf32>) {
    ^bb0(%a: f32, %b: f32, %out: f32):
      %c = arith.addf %a, %b : f32
      linalg.yield %c : f32
    }
    %row = linalg.generic {indexing_maps = [(i, j) -> (j), #all], ..}
        ins(%b : tensor<3xf32>) outs(%e : tensor<2x3xf32>) {
    ^bb0(%a: f32, %out: f32):
      linalg.yield %a : f32
    }
    ```
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::math::MathDialect",
                           "::mlir::tensor::TensorDialect"];
}

def FuseElementwisePass : Pass<"convoy-fuse-elementwise"> {
  let summary = "Fuse elementwise ops";
  let description = [{
    - Needs: `linalg.generic` on tensors.
    - Leaves: chains of elementwise ops as one op.

    Ops that compute each element from one element of each operand become one
    where the first is used by the second alone, and each of its elements once.
    What lies between them is then never in memory, and a chain of hundreds has
    few loops. Bodies stay below 64 ops, since values wait for their use in
    registers. What feeds a convolution or a reduction stays an op of its own,
    since its elements would be computed many times.
    ```mlir
    %y = linalg.generic {indexing_maps = [#id, #id], ..} ins(%x) outs(%e) { arith.addf }
    %z = linalg.generic {indexing_maps = [#id, #id], ..} ins(%y) outs(%e) { arith.maximumf }
    ```
    becomes
    ```mlir
    %z = linalg.generic {indexing_maps = [#id, #id], ..} ins(%x) outs(%e) {
      arith.addf
      arith.maximumf
    }
    ```
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect",
                           "::mlir::linalg::LinalgDialect"];
}

def CheckDialectsPass : Pass<"convoy-check-dialects"> {
  let summary = "Refuse ops of unknown dialects";
  let description = [{
    - Needs: any IR.
    - Leaves: it as it is.

    It fails at the first op whose dialect is not loaded: other passes ask an
    op's dialect what it is, upstream's among them. So it does at a
    `tensor.pad` that lacks sizes: upstream's verifier counts none of them. All
    pipelines begin with it.
    ```mlir
    "a.b"() : () -> ()  // error: expected an op of a known dialect
    ```
  }];
}

def SplitEmptiesPass : Pass<"convoy-split-empties"> {
  let summary = "Give each op an empty tensor of its own";
  let description = [{
    - Needs: any IR.
    - Leaves: a `tensor.empty` for each use of one.

    Ops that write to the same empty tensor, as common subexpressions make
    them, would each be asked by bufferization whether they overwrite what
    another one reads: the time for that grows with the cube of their number.
    ```mlir
    %e = tensor.empty() : tensor<3xf32>
    %y = linalg.generic .. ins(%x : tensor<3xf32>) outs(%e : tensor<3xf32>)
    %z = linalg.generic .. ins(%y : tensor<3xf32>) outs(%e : tensor<3xf32>)
    ```
    becomes
    ```mlir
    %e = tensor.empty() : tensor<3xf32>
    %y = linalg.generic .. ins(%x : tensor<3xf32>) outs(%e : tensor<3xf32>)
    %f = tensor.empty() : tensor<3xf32>
    %z = linalg.generic .. ins(%y : tensor<3xf32>) outs(%f : tensor<3xf32>)
    ```
  }];
  let dependentDialects = ["::mlir::tensor::TensorDialect"];
}

#endif // CONVOY_TRANSFORMS_TENSOROPS_PASSES_TD
