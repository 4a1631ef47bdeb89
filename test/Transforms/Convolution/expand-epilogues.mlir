// RUN: convoy-opt %s --convoy-place-phases --convoy-expand-epilogues --split-input-file | FileCheck %s
// RUN: convoy-opt %s --convoy-place-phases --convoy-expand-epilogues --split-input-file --convoy-certify-each 2>&1 | FileCheck %s --check-prefix=CERTIFIED

// CERTIFIED-NOT: undecided
// CERTIFIED-NOT: differ

#cpu = #convoy.target<vector_bytes = 64, registers = 32>

// What is done with each sum is done in the same dimensions, and written where
// the result goes.
// CHECK-LABEL: func @epilogue(
// CHECK-SAME:    %[[BIAS:[a-z0-9]*]]: tensor<16xf32>, %[[TO:.*]]: memref<2x6x16xf32>)
// CHECK:         %[[EMPTY:.*]] = tensor.empty() : tensor<2x3x2x16xf32>
// CHECK:         %[[INIT:.*]] = linalg.fill {{.*}} outs(%[[EMPTY]] :
// CHECK:         %[[SUM:.*]] = linalg.generic {{.*}} outs(%[[INIT]] :
// CHECK:         %[[RESULT:.*]] = bufferization.to_tensor %[[TO]] restrict writable
// CHECK:         %[[PLACES:.*]] = tensor.expand_shape %[[RESULT]] {{.*}} into tensor<2x3x2x16xf32>
// CHECK:         %[[DONE:.*]] = linalg.generic {{.*}} ins(%[[SUM]], %[[BIAS]] : {{.*}}) outs(%[[PLACES]] :
// CHECK:         %[[WHOLE:.*]] = tensor.collapse_shape %[[DONE]] {{\[\[}}0], [1, 2], [3]]
// CHECK:         bufferization.materialize_in_destination %[[WHOLE]] in writable %[[TO]]
module attributes {convoy.target = #cpu} {
  func.func @epilogue(%x: tensor<2x3x5xf32>, %w: tensor<2x5x16xf32>, %bias: tensor<16xf32>, %to: memref<2x6x16xf32>) {
    %zero = arith.constant 0.0 : f32
    %room = tensor.empty() : tensor<2x6x16xf32>
    %init = linalg.fill ins(%zero : f32) outs(%room : tensor<2x6x16xf32>) -> tensor<2x6x16xf32>
    %r = convoy.conv ins(%x, %w : tensor<2x3x5xf32>, tensor<2x5x16xf32>) outs(%init : tensor<2x6x16xf32>)
        layout(nwc x wcf -> nwf) window(pad = [[1, 1]], input_dilation = [2], reverse = [true])
    %all = tensor.empty() : tensor<2x6x16xf32>
    %done = linalg.generic {indexing_maps = [affine_map<(n, w, f) -> (n, w, f)>, affine_map<(n, w, f) -> (f)>, affine_map<(n, w, f) -> (n, w, f)>],
                            iterator_types = ["parallel", "parallel", "parallel"]}
        ins(%r, %bias : tensor<2x6x16xf32>, tensor<16xf32>) outs(%all : tensor<2x6x16xf32>) {
    ^bb0(%sum: f32, %b: f32, %out: f32):
      %s = arith.addf %sum, %b : f32
      linalg.yield %s : f32
    } -> tensor<2x6x16xf32>
    bufferization.materialize_in_destination %done in restrict writable %to : (tensor<2x6x16xf32>, memref<2x6x16xf32>) -> ()
    return
  }
}

// -----

#cpu = #convoy.target<vector_bytes = 64, registers = 32>

// Sums that something else reads, too, are collapsed for it.
// CHECK-LABEL: func @read_twice(
// CHECK:         %[[SUMS:.*]] = tensor.collapse_shape
// CHECK:         linalg.generic {{.*}} ins(%[[SUMS]] : tensor<2x6x16xf32>)
// CHECK:         return %{{.*}}, %[[SUMS]]
module attributes {convoy.target = #cpu} {
  func.func @read_twice(%x: tensor<2x3x5xf32>, %w: tensor<2x5x16xf32>, %init: tensor<2x6x16xf32>) -> (tensor<2x6x16xf32>, tensor<2x6x16xf32>) {
    %r = convoy.conv ins(%x, %w : tensor<2x3x5xf32>, tensor<2x5x16xf32>) outs(%init : tensor<2x6x16xf32>)
        layout(nwc x wcf -> nwf) window(pad = [[1, 1]], input_dilation = [2], reverse = [true])
    %all = tensor.empty() : tensor<2x6x16xf32>
    %done = linalg.generic {indexing_maps = [affine_map<(n, w, f) -> (n, w, f)>, affine_map<(n, w, f) -> (n, w, f)>],
                            iterator_types = ["parallel", "parallel", "parallel"]}
        ins(%r : tensor<2x6x16xf32>) outs(%all : tensor<2x6x16xf32>) {
    ^bb0(%sum: f32, %out: f32):
      %s = arith.negf %sum : f32
      linalg.yield %s : f32
    } -> tensor<2x6x16xf32>
    return %done, %r : tensor<2x6x16xf32>, tensor<2x6x16xf32>
  }

  // Only sums of convolutions have tiles.
  // CHECK-LABEL: func @no_sums(
  // CHECK:         %[[WHOLE:.*]] = tensor.collapse_shape
  // CHECK:         linalg.generic {{.*}} ins(%[[WHOLE]] :
  func.func @no_sums(%x: tensor<2x3x2x16xf32>, %all: tensor<2x6x16xf32>) -> tensor<2x6x16xf32> {
    %r = tensor.collapse_shape %x [[0], [1, 2], [3]] : tensor<2x3x2x16xf32> into tensor<2x6x16xf32>
    %done = linalg.generic {indexing_maps = [affine_map<(n, w, f) -> (n, w, f)>, affine_map<(n, w, f) -> (n, w, f)>],
                            iterator_types = ["parallel", "parallel", "parallel"]}
        ins(%r : tensor<2x6x16xf32>) outs(%all : tensor<2x6x16xf32>) {
    ^bb0(%sum: f32, %out: f32):
      %s = arith.negf %sum : f32
      linalg.yield %s : f32
    } -> tensor<2x6x16xf32>
    return %done : tensor<2x6x16xf32>
  }
}
