// RUN: convoy-opt %s --convoy-outline-kernels --split-input-file | FileCheck %s

// 2 images of 4 channels are 8 planes, and so each work-item has one of their
// rows. It fills that with zeros, goes through all samples of the image, and adds
// what they give to its row.
// CHECK-LABEL: func.func @rows(
// CHECK-SAME:      %[[Y:[^:]*]]: tensor<2x5x6x4xf16>, %[[G:[^:]*]]: tensor<2x5x6x2xf32>)
// CHECK:         %[[EMPTY:.*]] = tensor.empty() : tensor<2x9x7x4xf32>
// CHECK:         convoy.launch @kernels::@rows_0 grid [2, 1, 1] ins({{.*}} : tensor<2x5x6x2xf32>, tensor<2x5x6x4xf16>) outs(%[[EMPTY]] : tensor<2x9x7x4xf32>)
// CHECK:       gpu.func @rows_0(%[[GRID:[^:]*]]: memref<120xf32>, %[[SAMPLES:[^:]*]]: memref<240xf16>, %[[RESULT:[^:]*]]: memref<504xf32>)
// CHECK:         scf.if
// CHECK:           scf.for
// CHECK:             scf.for
// CHECK:               memref.store %{{.*}}, %[[RESULT]]
// CHECK:           scf.for
// CHECK:             scf.for
// CHECK:               memref.load %[[GRID]]
// CHECK:               memref.load %[[GRID]]
// CHECK:               %[[GRADIENT:.*]] = memref.load %[[SAMPLES]]
// CHECK:               scf.if
// CHECK:                 %[[WIDE:.*]] = arith.extf %[[GRADIENT]]
// CHECK:                 %[[BEFORE:.*]] = memref.load %[[RESULT]][%[[PLACE:.*]]]
// CHECK:                 %[[SUM:.*]] = arith.addf %[[BEFORE]], %[[WIDE]]
// CHECK:                 memref.store %[[SUM]], %[[RESULT]][%[[PLACE]]]
func.func @rows(%y: tensor<2x5x6x4xf16>, %g: tensor<2x5x6x2xf32>)
    -> tensor<2x9x7x4xf32> {
  %0 = convoy.grid_sample_backward_input %y, %g layout(nhwc x nhwc -> nhwc)
      mode(nearest) padding(border)
      : tensor<2x5x6x4xf16>, tensor<2x5x6x2xf32> -> tensor<2x9x7x4xf32>
  return %0 : tensor<2x9x7x4xf32>
}

// -----

// 2048 planes are in two parts each; any number of images is taken for one.
// CHECK-LABEL: func.func @parts(
// CHECK:         convoy.launch @kernels::@parts_0 grid [64, 1, 1] batch(%{{.*}}) groups [4096, 4096]
// CHECK:       gpu.func @parts_0(
// CHECK:         scf.for %{{.*}} = %[[FIRST:[^ ]*]] to %[[END:[^ ]*]] step
// CHECK:           scf.for
// CHECK:             memref.store
// CHECK-COUNT-4: scf.if
func.func @parts(%y: tensor<?x2048x5x6xf32>, %g: tensor<?x5x6x2xf32>)
    -> tensor<?x2048x4x7xf32> {
  %0 = convoy.grid_sample_backward_input %y, %g layout(nchw x nhwc -> nchw)
      mode(linear) padding(zeros)
      : tensor<?x2048x5x6xf32>, tensor<?x5x6x2xf32> -> tensor<?x2048x4x7xf32>
  return %0 : tensor<?x2048x4x7xf32>
}
