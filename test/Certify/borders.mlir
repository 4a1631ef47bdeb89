// Tiles that do not divide: sizes are minima. The tiles are upstream's.
// RUN: rm -rf %t && split-file %s %t
// RUN: convoy-opt %t/whole.mlir --transform-preload-library='transform-library-paths=%t/tile.mlir' --transform-interpreter=entry-point=loops --canonicalize --cse -o %t/loops.mlir
// RUN: convoy-opt %t/whole.mlir --transform-preload-library='transform-library-paths=%t/tile.mlir' --transform-interpreter=entry-point=threads --canonicalize --cse -o %t/threads.mlir
// RUN: convoy-certify %t/whole.mlir %t/loops.mlir | FileCheck %s --check-prefix=TILED
// RUN: convoy-certify %t/whole.mlir %t/threads.mlir | FileCheck %s --check-prefix=TILED
// TILED: certified: @matmul:
// TILED: certified: @conv:

// Faults at the border. (The first line of sed shows that it is a minimum.)
// RUN: grep '(-d0 + 11, 5)' %t/loops.mlir
// RUN: sed 's/(-d0 + 11, 5)/(-d0 + 11, 6)/' %t/loops.mlir > %t/overlap.mlir
// RUN: not convoy-certify %t/whole.mlir %t/overlap.mlir --function=matmul | FileCheck %s --check-prefix=OVERLAP
// OVERLAP: different: @matmul: element [{{.*}}]: the second function adds twice argument0[{{.*}}] * argument1[{{.*}}]
// RUN: sed 's/(-d0 + 11, 5)/(-d0 + 10, 5)/' %t/loops.mlir > %t/short.mlir
// RUN: not convoy-certify %t/whole.mlir %t/short.mlir --function=matmul | FileCheck %s --check-prefix=SHORT
// SHORT: different: @matmul: element [{{.*}}]: the second function lacks argument0[{{[0-9]}}, 10] * argument1[10, {{[0-9]}}]
// RUN: grep '(d0 \* -4 + 10, 4)' %t/threads.mlir
// RUN: sed 's/(d0 \* -4 + 10, 4)/(d0 * -4 + 11, 4)/' %t/threads.mlir > %t/beyond.mlir
// RUN: not convoy-certify %t/whole.mlir %t/beyond.mlir --function=matmul | FileCheck %s --check-prefix=BEYOND
// BEYOND: different: @matmul: index 10 is accessed in dimension 1 of a tensor, whose size is 10

// The same by hand: min and max of arith, select, a loop to a minimum.
// RUN: not convoy-certify %t/before.mlir %t/after.mlir | FileCheck %s --check-prefix=HAND
// HAND: certified: @selected:
// HAND-NEXT: certified: @two_levels:
// HAND-NEXT: certified: @clamped:
// HAND-NEXT: undecided: @neither: {{.*}}tensor.extract_slice: a loop bound or size with several cases
// HAND-NEXT: different: @other_sizes: sizes of operands that do not agree

//--- whole.mlir
func.func @matmul(%a: tensor<7x11xf32>, %b: tensor<11x10xf32>, %init: tensor<7x10xf32>) -> tensor<7x10xf32> {
  %sum = linalg.matmul ins(%a, %b : tensor<7x11xf32>, tensor<11x10xf32>) outs(%init : tensor<7x10xf32>) -> tensor<7x10xf32>
  return %sum : tensor<7x10xf32>
}
func.func @conv(%input: tensor<2x9x11x3xf32>, %filter: tensor<3x2x3x7xf32>, %init: tensor<2x4x10x7xf32>) -> tensor<2x4x10x7xf32> {
  %sum = linalg.conv_2d_nhwc_hwcf {strides = dense<[2, 1]> : tensor<2xi64>}
      ins(%input, %filter : tensor<2x9x11x3xf32>, tensor<3x2x3x7xf32>) outs(%init : tensor<2x4x10x7xf32>) -> tensor<2x4x10x7xf32>
  return %sum : tensor<2x4x10x7xf32>
}
//--- tile.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @loops(%root: !transform.any_op {transform.readonly}) {
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %0, %l0:3 = transform.structured.tile_using_for %matmul tile_sizes [3, 4, 5]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    %conv = transform.structured.match ops{["linalg.conv_2d_nhwc_hwcf"]} in %root : (!transform.any_op) -> !transform.any_op
    %1, %l1:4 = transform.structured.tile_using_for %conv tile_sizes [0, 3, 4, 5, 0, 0, 2]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
  transform.named_sequence @threads(%root: !transform.any_op {transform.readonly}) {
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %0, %l0 = transform.structured.tile_using_forall %matmul tile_sizes [3, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %conv = transform.structured.match ops{["linalg.conv_2d_nhwc_hwcf"]} in %root : (!transform.any_op) -> !transform.any_op
    %1, %l1 = transform.structured.tile_using_forall %conv num_threads [0, 3, 4, 3] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
//--- before.mlir
func.func @selected(%a: tensor<11xf32>, %b: tensor<11xf32>, %init: tensor<f32>) -> tensor<f32> {
  %sum = linalg.dot ins(%a, %b : tensor<11xf32>, tensor<11xf32>) outs(%init : tensor<f32>) -> tensor<f32>
  return %sum : tensor<f32>
}
func.func @two_levels(%a: tensor<?xf32>, %b: tensor<?xf32>, %init: tensor<f32>) -> tensor<f32> {
  %sum = linalg.dot ins(%a, %b : tensor<?xf32>, tensor<?xf32>) outs(%init : tensor<f32>) -> tensor<f32>
  return %sum : tensor<f32>
}
func.func @clamped(%a: tensor<11xf32>, %b: tensor<11xf32>, %init: tensor<f32>) -> tensor<f32> {
  %sum = linalg.dot ins(%a, %b : tensor<11xf32>, tensor<11xf32>) outs(%init : tensor<f32>) -> tensor<f32>
  return %sum : tensor<f32>
}
func.func @neither(%a: tensor<11xf32>, %b: tensor<11xf32>, %init: tensor<f32>) -> tensor<f32> {
  %sum = linalg.dot ins(%a, %b : tensor<11xf32>, tensor<11xf32>) outs(%init : tensor<f32>) -> tensor<f32>
  return %sum : tensor<f32>
}
func.func @other_sizes(%a: tensor<11xf32>, %b: tensor<11xf32>, %init: tensor<f32>) -> tensor<f32> {
  %sum = linalg.dot ins(%a, %b : tensor<11xf32>, tensor<11xf32>) outs(%init : tensor<f32>) -> tensor<f32>
  return %sum : tensor<f32>
}
//--- after.mlir
func.func @selected(%a: tensor<11xf32>, %b: tensor<11xf32>, %init: tensor<f32>) -> tensor<f32> {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c11 = arith.constant 11 : index
  %sum = scf.for %i = %c0 to %c11 step %c4 iter_args(%so_far = %init) -> (tensor<f32>) {
    %rest = arith.subi %c11, %i : index
    %isShort = arith.cmpi slt, %rest, %c4 : index
    %size = arith.select %isShort, %rest, %c4 : index
    %same = arith.minsi %rest, %c4 : index
    %x = tensor.extract_slice %a[%i] [%size] [1] : tensor<11xf32> to tensor<?xf32>
    %y = tensor.extract_slice %b[%i] [%same] [1] : tensor<11xf32> to tensor<?xf32>
    %next = linalg.dot ins(%x, %y : tensor<?xf32>, tensor<?xf32>) outs(%so_far : tensor<f32>) -> tensor<f32>
    scf.yield %next : tensor<f32>
  }
  return %sum : tensor<f32>
}
func.func @two_levels(%a: tensor<?xf32>, %b: tensor<?xf32>, %init: tensor<f32>) -> tensor<f32> {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %sum = scf.for %i = %c0 to %n step %c8 iter_args(%so_far = %init) -> (tensor<f32>) {
    %end = affine.min affine_map<(i)[n] -> (i + 8, n)>(%i)[%n]
    %most = scf.for %j = %i to %end step %c4 iter_args(%so_far_j = %so_far) -> (tensor<f32>) {
      %size = affine.min affine_map<(j)[n] -> (4, n - j)>(%j)[%n]
      %x = tensor.extract_slice %a[%j] [%size] [1] : tensor<?xf32> to tensor<?xf32>
      %y = tensor.extract_slice %b[%j] [%size] [1] : tensor<?xf32> to tensor<?xf32>
      %next = linalg.dot ins(%x, %y : tensor<?xf32>, tensor<?xf32>) outs(%so_far_j : tensor<f32>) -> tensor<f32>
      scf.yield %next : tensor<f32>
    }
    scf.yield %most : tensor<f32>
  }
  return %sum : tensor<f32>
}
func.func @clamped(%a: tensor<11xf32>, %b: tensor<11xf32>, %init: tensor<f32>) -> tensor<f32> {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c15 = arith.constant 15 : index
  %sum = scf.for %i = %c0 to %c15 step %c4 iter_args(%so_far = %init) -> (tensor<f32>) {
    %rest = affine.min affine_map<(i) -> (4, 11 - i)>(%i)
    %size = affine.max affine_map<(rest) -> (0, rest)>(%rest)
    %from = affine.min affine_map<(i) -> (i, 11)>(%i)
    %x = tensor.extract_slice %a[%from] [%size] [1] : tensor<11xf32> to tensor<?xf32>
    %y = tensor.extract_slice %b[%from] [%size] [1] : tensor<11xf32> to tensor<?xf32>
    %next = linalg.dot ins(%x, %y : tensor<?xf32>, tensor<?xf32>) outs(%so_far : tensor<f32>) -> tensor<f32>
    scf.yield %next : tensor<f32>
  }
  return %sum : tensor<f32>
}
// The greater of two numbers bounds nothing from above.
func.func @neither(%a: tensor<11xf32>, %b: tensor<11xf32>, %init: tensor<f32>) -> tensor<f32> {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c11 = arith.constant 11 : index
  %sum = scf.for %i = %c0 to %c11 step %c4 iter_args(%so_far = %init) -> (tensor<f32>) {
    %size = affine.max affine_map<(i) -> (4, 11 - i)>(%i)
    %x = tensor.extract_slice %a[%i] [%size] [1] : tensor<11xf32> to tensor<?xf32>
    %y = tensor.extract_slice %b[%i] [%size] [1] : tensor<11xf32> to tensor<?xf32>
    %next = linalg.dot ins(%x, %y : tensor<?xf32>, tensor<?xf32>) outs(%so_far : tensor<f32>) -> tensor<f32>
    scf.yield %next : tensor<f32>
  }
  return %sum : tensor<f32>
}
func.func @other_sizes(%a: tensor<11xf32>, %b: tensor<11xf32>, %init: tensor<f32>) -> tensor<f32> {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c11 = arith.constant 11 : index
  %sum = scf.for %i = %c0 to %c11 step %c4 iter_args(%so_far = %init) -> (tensor<f32>) {
    %size = affine.min affine_map<(i) -> (4, 11 - i)>(%i)
    %less = affine.min affine_map<(i) -> (4, 10 - i)>(%i)
    %x = tensor.extract_slice %a[%i] [%size] [1] : tensor<11xf32> to tensor<?xf32>
    %y = tensor.extract_slice %b[%i] [%less] [1] : tensor<11xf32> to tensor<?xf32>
    %next = linalg.dot ins(%x, %y : tensor<?xf32>, tensor<?xf32>) outs(%so_far : tensor<f32>) -> tensor<f32>
    scf.yield %next : tensor<f32>
  }
  return %sum : tensor<f32>
}
