// A zero point is in the range of its operand's type where a convolution takes
// it, in a loop too; but a loop that never runs says nothing.
// RUN: split-file %s %t
// RUN: convoy-opt %t/loops.mlir --convoy-conv-to-im2col -o %t/im2col.mlir
// RUN: not convoy-certify %t/loops.mlir %t/im2col.mlir | FileCheck %s
// RUN: convoy-opt %t/groups.mlir --convoy-tile-groups --convoy-split-borders -o %t/tiled.mlir
// RUN: convoy-opt %t/tiled.mlir --convoy-conv-to-im2col -o %t/im2col.mlir
// RUN: convoy-certify %t/tiled.mlir %t/im2col.mlir | FileCheck %s --check-prefix=GROUPS

//--- loops.mlir

// CHECK-DAG: certified: @runs:
func.func @runs(%input: tensor<3x4x2xi8>, %filter: tensor<3x2x5xi8>, %init: tensor<3x4x5xi32>, %zx: i32, %zw: i32) -> tensor<3x4x5xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %result = scf.for %i = %c0 to %c3 step %c1 iter_args(%last = %init) -> tensor<3x4x5xi32> {
    %image = tensor.extract_slice %input[%i, 0, 0] [1, 4, 2] [1, 1, 1] : tensor<3x4x2xi8> to tensor<1x4x2xi8>
    %sums = tensor.extract_slice %last[%i, 0, 0] [1, 4, 5] [1, 1, 1] : tensor<3x4x5xi32> to tensor<1x4x5xi32>
    %next = convoy.conv ins(%image, %filter : tensor<1x4x2xi8>, tensor<3x2x5xi8>)
        outs(%sums : tensor<1x4x5xi32>) zero_points(%zx, %zw : i32, i32) layout(nwc x wcf -> nwf) window(pad = [[1, 1]])
    %all = tensor.insert_slice %next into %last[%i, 0, 0] [1, 4, 5] [1, 1, 1] : tensor<1x4x5xi32> into tensor<3x4x5xi32>
    scf.yield %all : tensor<3x4x5xi32>
  }
  return %result : tensor<3x4x5xi32>
}
// CHECK-DAG: undecided: @may_run:
func.func @may_run(%input: tensor<3x4x2xi8>, %filter: tensor<3x2x5xi8>, %init: tensor<3x4x5xi32>, %zx: i32, %zw: i32, %n: index) -> tensor<3x4x5xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %some = affine.min affine_map<()[s0] -> (s0, 3)>()[%n]
  %result = scf.for %i = %c0 to %some step %c1 iter_args(%last = %init) -> tensor<3x4x5xi32> {
    %image = tensor.extract_slice %input[%i, 0, 0] [1, 4, 2] [1, 1, 1] : tensor<3x4x2xi8> to tensor<1x4x2xi8>
    %sums = tensor.extract_slice %last[%i, 0, 0] [1, 4, 5] [1, 1, 1] : tensor<3x4x5xi32> to tensor<1x4x5xi32>
    %next = convoy.conv ins(%image, %filter : tensor<1x4x2xi8>, tensor<3x2x5xi8>)
        outs(%sums : tensor<1x4x5xi32>) zero_points(%zx, %zw : i32, i32) layout(nwc x wcf -> nwf) window(pad = [[1, 1]])
    %all = tensor.insert_slice %next into %last[%i, 0, 0] [1, 4, 5] [1, 1, 1] : tensor<1x4x5xi32> into tensor<3x4x5xi32>
    scf.yield %all : tensor<3x4x5xi32>
  }
  return %result : tensor<3x4x5xi32>
}

//--- groups.mlir

// GROUPS: certified: @conv:
module attributes {convoy.target = #convoy.target<vector_bytes = 16, registers = 8, l1_bytes = 128, l2_bytes = 256>} {
  func.func @conv(%input: tensor<3x5x4x3xi8>, %filter: tensor<1x2x3x5xi8>, %init: tensor<5x3x2x3xi32>, %zx: i32, %zw: i32) -> tensor<5x3x2x3xi32> {
    %result = convoy.conv ins(%input, %filter : tensor<3x5x4x3xi8>, tensor<1x2x3x5xi8>)
        outs(%init : tensor<5x3x2x3xi32>) zero_points(%zx, %zw : i32, i32) layout(ncwg x wfgc -> wgfn) window(pad = [[0, 1]])
    return %result : tensor<5x3x2x3xi32>
  }
}
