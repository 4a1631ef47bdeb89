//===- Passes.td - Ops on tensors --------------------------*- tablegen -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TRANSFORMS_TENSOROPS_PASSES_TD
#define CONVOY_TRANSFORMS_TENSOROPS_PASSES_TD

include "mlir/Pass/PassBase.td"

def InsertTracePass : Pass<"convoy-insert-trace", "::mlir::func::FuncOp"> {
  let summary = "Trace what ops compute";
  let description = [{
    - Needs: functions on tensors.
    - Leaves: them with a `convoy.trace` behind the ops chosen, whose users take
      its result; else as they were.

    Chosen are ops in a function's own block that compute tensors from what
    depends on an argument, unless options say otherwise. Elements that no
    kernel gives, as those of i1, are not traced. A trace is called after the
    name in its op's location, as in `loc("conv1")`, else after the op and a
    number that makes the name new. Values that are traced already are left
    alone.
    ```mlir
    %0 = math.absf %x : tensor<7xf32>
    %1 = math.sqrt %0 : tensor<7xf32> loc("root")
    return %1 : tensor<7xf32>
    ```
    becomes
    ```mlir
    %0 = math.absf %x : tensor<7xf32>
    %1 = convoy.trace "absf_0" %0 : tensor<7xf32>
    %2 = math.sqrt %1 : tensor<7xf32>
    %3 = convoy.trace "root" %2 : tensor<7xf32>
    return %3 : tensor<7xf32>
    ```
  }];
  let options = [
    ListOption<"ops", "ops", "std::string",
               "Trace ops of these names alone, as linalg.generic, or of these "
               "dialects, as linalg">,
    ListOption<"names", "names", "std::string",
               "Trace ops whose locations have one of these names alone">,
    Option<"every", "every", "unsigned", /*default=*/"1",
           "Trace every Nth of the ops chosen, the Nth first; 0 traces none">
  ];
  let dependentDialects = ["::mlir::convoy::ConvoyDialect"];
}

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
    an empty tensor, if all of it is written: it could have to be copied to be
    overwritten. A reduction of nothing is what it begins with. A
    `#convoy.tile_lanes` that is there already is an error.
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
    - Leaves: a `tensor.empty` for each use of one, but for what is computed in
      a slice of it and inserted there: that has one, and a fill of the slice, of
      its own.

    Ops that write to the same empty tensor, as common subexpressions make
    them, would each be asked by bufferization whether they overwrite what
    another one reads: the time for that grows with the cube of their number.
    Where sums of several loops begin with one fill, all but the last would be
    copied.
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

def DecomposePaddingPass : Pass<"convoy-decompose-padding"> {
  let summary = "Turn padding into gathers";
  let description = [{
    - Needs: `convoy.pad`, `convoy.pad_backward`.
    - Leaves: for each a `linalg.generic` whose body computes the place of an
      element, or the places of the terms of a sum, and reads there by
      `tensor.extract`. Sums of floats of less than 32 bits are f32, and another
      `linalg.generic` rounds them.

    What is padded is stored as a whole, as convolutions store an input that
    they pad with zeros. Sums have one reduction loop for each padded dimension,
    over the pieces of the padded tensor that are the input, its reflection or
    its copy, or one of the outermost elements.
    ```mlir
    %0 = convoy.pad %x mode(circular) low[0, 2] high[0, 1]
        : tensor<4x5xf32> -> tensor<4x8xf32>
    ```
    becomes
    ```mlir
    %0 = linalg.generic {indexing_maps = [#id], ..} outs(%e : tensor<4x8xf32>) {
    ^bb0(%out: f32):
      %i = linalg.index 0 : index
      %j = linalg.index 1 : index
      %shifted = arith.addi %j, %c3 : index
      %place = arith.remui %shifted, %c5 : index
      %element = tensor.extract %x[%i, %place] : tensor<4x5xf32>
      linalg.yield %element : f32
    }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

def SplitPadsPass : Pass<"convoy-split-pads"> {
  let summary = "Reduce windows at padding by themselves";
  let description = [{
    - Needs: `linalg.generic` and `tensor.pad` on tensors.
    - Leaves: reductions of the windows that meet no padding, and of those along
      each border with the taps that meet elements, in the place of those whose
      input is padded; others stay.

    Split are reductions that take the largest or the smallest element of a
    window, as max pools do, and begin with what the input is padded with: there
    padding changes nothing. So no padded copy of the input is made. A result has
    nine parts at most; one with more, or with windows of padding alone, stays.
    ```mlir
    %padded = tensor.pad %x low[1] high[0] {.. yield %least } : tensor<8xf32> to tensor<9xf32>
    %init = linalg.fill ins(%least : f32) outs(%out : tensor<4xf32>)
    %r = linalg.generic {indexing_maps = [affine_map<(p, t) -> (p * 2 + t)>, ..]}
        ins(%padded, %taps : tensor<9xf32>, tensor<3xf32>) outs(%init) ..
    ```
    becomes
    ```mlir
    %x0 = tensor.extract_slice %x[0] [2] [1]
    %r0 = linalg.generic .. ins(%x0, %taps0 : tensor<2xf32>, tensor<2xf32>) ..
    %out0 = tensor.insert_slice %r0 into %out[0] [1] [1]
    %x1 = tensor.extract_slice %x[1] [7] [1]
    %r1 = linalg.generic .. ins(%x1, %taps : tensor<7xf32>, tensor<3xf32>) ..
    %r = tensor.insert_slice %r1 into %out0[1] [3] [1]
    ```
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

#endif // CONVOY_TRANSFORMS_TENSOROPS_PASSES_TD
