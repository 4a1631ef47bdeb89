// Sizes that are known only when the kernel runs.
// RUN: rm -rf %t && split-file %s %t
// RUN: not convoy-certify %t/before.mlir %t/after.mlir | FileCheck %s
// RUN: convoy-opt %t/before.mlir --convoy-attach-target="vector-bytes=32 registers=16" --convoy-to-tiles-pipeline -o %t/tiles.mlir
// RUN: convoy-certify %t/before.mlir %t/tiles.mlir | FileCheck %s --check-prefix=TILES

// TILES-COUNT-3: certified: @

//--- before.mlir

// CHECK-DAG: certified: @batch_and_channels:
func.func @batch_and_channels(%input: tensor<?x5x?xf32>, %filter: tensor<3x?x?xf32>, %init: tensor<?x3x?xf32>) -> tensor<?x3x?xf32> {
  %result = convoy.conv ins(%input, %filter : tensor<?x5x?xf32>, tensor<3x?x?xf32>)
      outs(%init : tensor<?x3x?xf32>) layout(nwc x wcf -> nwf)
  return %result : tensor<?x3x?xf32>
}
// CHECK-DAG: certified: @image:
func.func @image(%input: tensor<?x?x2xf32>, %filter: tensor<3x2x4xf32>, %init: tensor<?x?x4xf32>) -> tensor<?x?x4xf32> {
  %result = convoy.conv ins(%input, %filter : tensor<?x?x2xf32>, tensor<3x2x4xf32>)
      outs(%init : tensor<?x?x4xf32>) layout(nwc x wcf -> nwf) window(stride = [2])
  return %result : tensor<?x?x4xf32>
}
// CHECK-DAG: different: @other_tap: element [{{.*}}]: the second function lacks argument0[{{.*}}] * argument1[{{.*}}]
func.func @other_tap(%input: tensor<?x5x?xf32>, %filter: tensor<3x?x?xf32>, %init: tensor<?x3x?xf32>) -> tensor<?x3x?xf32> {
  %result = convoy.conv ins(%input, %filter : tensor<?x5x?xf32>, tensor<3x?x?xf32>)
      outs(%init : tensor<?x3x?xf32>) layout(nwc x wcf -> nwf)
  return %result : tensor<?x3x?xf32>
}

//--- after.mlir
#x = affine_map<(n, w, f, k, c) -> (n, w + k, c)>
#x2 = affine_map<(n, w, f, k, c) -> (n, w * 2 + k, c)>
#f = affine_map<(n, w, f, k, c) -> (k, c, f)>
#y = affine_map<(n, w, f, k, c) -> (n, w, f)>
func.func @batch_and_channels(%input: tensor<?x5x?xf32>, %filter: tensor<3x?x?xf32>, %init: tensor<?x3x?xf32>) -> tensor<?x3x?xf32> {
  %result = linalg.generic {indexing_maps = [#x, #f, #y],
      iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%input, %filter : tensor<?x5x?xf32>, tensor<3x?x?xf32>) outs(%init : tensor<?x3x?xf32>) {
  ^bb0(%p: f32, %q: f32, %sum: f32):
    %product = arith.mulf %p, %q : f32
    %next = arith.addf %sum, %product : f32
    linalg.yield %next : f32
  } -> tensor<?x3x?xf32>
  return %result : tensor<?x3x?xf32>
}
func.func @image(%input: tensor<?x?x2xf32>, %filter: tensor<3x2x4xf32>, %init: tensor<?x?x4xf32>) -> tensor<?x?x4xf32> {
  %result = linalg.generic {indexing_maps = [#x2, #f, #y],
      iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%input, %filter : tensor<?x?x2xf32>, tensor<3x2x4xf32>) outs(%init : tensor<?x?x4xf32>) {
  ^bb0(%p: f32, %q: f32, %sum: f32):
    %product = arith.mulf %p, %q : f32
    %next = arith.addf %sum, %product : f32
    linalg.yield %next : f32
  } -> tensor<?x?x4xf32>
  return %result : tensor<?x?x4xf32>
}
func.func @other_tap(%input: tensor<?x5x?xf32>, %filter: tensor<3x?x?xf32>, %init: tensor<?x3x?xf32>) -> tensor<?x3x?xf32> {
  %result = convoy.conv ins(%input, %filter : tensor<?x5x?xf32>, tensor<3x?x?xf32>)
      outs(%init : tensor<?x3x?xf32>) layout(nwc x wcf -> nwf) window(reverse = [true])
  return %result : tensor<?x3x?xf32>
}
