// RUN: convoy-opt %s --convoy-outline-kernels | FileCheck %s

// A work-item for each channel and pixel, since there are few, which copies its
// init and then goes through all samples.
// CHECK-LABEL: func.func @scatter(
// CHECK-SAME:      %[[V:[^:]*]]: tensor<1x6x9xf32>, %[[P:[^:]*]]: tensor<1x2x9x4xi32>, %[[W:[^:]*]]: tensor<1x2x9x4xf32>, %[[INIT:[^:]*]]: tensor<1x6x35xf32>)
// CHECK:         %[[R:.*]] = convoy.launch @kernels::@scatter_0 {{.*}}ins(%[[INIT]], %[[V]], %[[P]], %[[W]]
// CHECK:         return %[[R]]
// CHECK:         gpu.func @scatter_0(%[[INITS:[^:]*]]: memref<210xf32>, %[[VALUES:[^:]*]]: memref<54xf32>, %[[PLACES:[^:]*]]: memref<72xi32>, %[[WEIGHTS:[^:]*]]: memref<72xf32>, %[[SUMS:[^:]*]]: memref<210xf32>)
// CHECK:           scf.for
// CHECK:             %[[START:.*]] = memref.load %[[INITS]][
// CHECK:             memref.store %[[START]], %[[SUMS]][
// CHECK:           scf.for
// CHECK:             %[[VALUE:.*]] = memref.load %[[VALUES]][
// CHECK:             scf.for
// CHECK:               %[[PLACE:.*]] = memref.load %[[PLACES]][
// CHECK:               %[[WEIGHT:.*]] = memref.load %[[WEIGHTS]][
// CHECK:               arith.index_cast %[[PLACE]] : i32 to index
// CHECK:               scf.if
// CHECK:                 %[[SHARE:.*]] = arith.mulf %[[VALUE]], %[[WEIGHT]] : f32
// CHECK:                 %[[BEFORE:.*]] = memref.load %[[SUMS]][
// CHECK:                 %[[SUM:.*]] = arith.addf %[[BEFORE]], %[[SHARE]] : f32
// CHECK:                 memref.store %[[SUM]], %[[SUMS]][
func.func @scatter(%v: tensor<1x6x9xf32>, %p: tensor<1x2x9x4xi32>,
    %w: tensor<1x2x9x4xf32>, %init: tensor<1x6x35xf32>) -> tensor<1x6x35xf32> {
  %0 = convoy.scatter_add
      ins(%v, %p, %w : tensor<1x6x9xf32>, tensor<1x2x9x4xi32>, tensor<1x2x9x4xf32>)
      outs(%init : tensor<1x6x35xf32>)
  return %0 : tensor<1x6x35xf32>
}
