// RUN: convoy-opt %s --convoy-assert-sizes --split-input-file | FileCheck %s

// Dimensions of one letter are equal; the window may reach one position past
// the input: 2*(o-1) + 2 - 1 <= i-1 where there are terms.
// CHECK-DAG:   #[[LAST_IN:.*]] = affine_map<()[s0] -> (s0 - 1, -1)>
// CHECK-DAG:   #[[LAST_OUT:.*]] = affine_map<()[s0] -> ((s0 - 1) * 2, -1)>
// CHECK-DAG:   #[[END:.*]] = affine_map<()[s0] -> (s0 + 1)>
// CHECK-LABEL: func @forward(
// CHECK-SAME:    %[[X:.*]]: tensor<?x?x4xf32>, %[[W:[^:]*]]: tensor<3x4x6xf32>, %[[INIT:.*]]: tensor<?x?x6xf32>)
// CHECK-DAG:     %[[NX:.*]] = tensor.dim %[[X]], %c0
// CHECK-DAG:     %[[NI:.*]] = tensor.dim %[[INIT]], %c0
// CHECK:         %[[EQUAL:.*]] = arith.cmpi eq, %[[NX]], %[[NI]]
// CHECK:         cf.assert %[[EQUAL]], "expected equal sizes of one dimension"
// CHECK-DAG:     %[[I:.*]] = tensor.dim %[[X]], %c1
// CHECK-DAG:     %[[O:.*]] = tensor.dim %[[INIT]], %c1
// CHECK-DAG:     %[[LI:.*]] = affine.max #[[LAST_IN]]()[%[[I]]]
// CHECK-DAG:     %[[LO:.*]] = affine.max #[[LAST_OUT]]()[%[[O]]]
// CHECK-DAG:     %[[WINDOW_END:.*]] = affine.apply #[[END]]()[%[[LO]]]
// CHECK:         arith.cmpi sle, %[[WINDOW_END]], %[[LI]]
// CHECK:         cf.assert %{{.*}}, "expected windows within the padded input"
// CHECK-NOT:     cf.assert
// CHECK:         convoy.conv
func.func @forward(%x: tensor<?x?x4xf32>, %w: tensor<3x4x6xf32>, %init: tensor<?x?x6xf32>)
    -> tensor<?x?x6xf32> attributes {convoy.arguments = []} {
  %y = convoy.conv ins(%x, %w : tensor<?x?x4xf32>, tensor<3x4x6xf32>)
      outs(%init : tensor<?x?x6xf32>) layout(nwc x wcf -> nwf) window(stride = [2], pad = [[1, 0]])
  return %y : tensor<?x?x6xf32>
}

// -----

// The gradient ends before another window would fit.
// CHECK-LABEL: func @backward_data(
// CHECK:         cf.assert %{{.*}}, "expected windows within the padded input"
// CHECK:         cf.assert %{{.*}}, "expected no room for another window"
// CHECK-NOT:     cf.assert
func.func @backward_data(%dy: tensor<2x?x6xf32>, %w: tensor<3x4x6xf32>, %init: tensor<2x?x4xf32>)
    -> tensor<2x?x4xf32> attributes {convoy.arguments = []} {
  %dx = convoy.conv_backward_data ins(%dy, %w : tensor<2x?x6xf32>, tensor<3x4x6xf32>)
      outs(%init : tensor<2x?x4xf32>) layout(nwc x wcf -> nwf)
  return %dx : tensor<2x?x4xf32>
}

// -----

// CHECK-LABEL: func @loops_and_result(
// CHECK-SAME:    %[[BIAS:.*]]: tensor<?xf32>, %[[INIT:.*]]: tensor<3x?xf32>, %[[OUT:.*]]: memref<3x?xf32>)
// CHECK:         %[[B:.*]] = tensor.dim %[[BIAS]], %c0
// CHECK:         %[[F:.*]] = tensor.dim %[[INIT]], %c1
// CHECK:         %[[EQUAL:.*]] = arith.cmpi eq, %[[B]], %[[F]]
// CHECK:         cf.assert %[[EQUAL]]
// CHECK:         linalg.broadcast
// CHECK:         %[[R:.*]] = tensor.dim %[[INIT]], %c1
// CHECK:         %[[D:.*]] = memref.dim %[[OUT]], %c1
// CHECK:         %[[FITS:.*]] = arith.cmpi eq, %[[R]], %[[D]]
// CHECK:         cf.assert %[[FITS]]
// CHECK:         bufferization.materialize_in_destination
func.func @loops_and_result(%bias: tensor<?xf32>, %init: tensor<3x?xf32>, %out: memref<3x?xf32>)
    attributes {convoy.arguments = []} {
  %y = linalg.broadcast ins(%bias : tensor<?xf32>) outs(%init : tensor<3x?xf32>) dimensions = [0]
  bufferization.materialize_in_destination %y in restrict writable %out : (tensor<3x?xf32>, memref<3x?xf32>) -> ()
  return
}

// -----

// Of an image and a grid; that of channels is nobody else's.
// CHECK:       #[[LAST:.*]] = affine_map<()[s0] -> (s0 - 1)>
// CHECK-LABEL: func @samples(
// CHECK-SAME:    %[[IMAGE:.*]]: tensor<?x?x7x?xf32>, %[[GRID:.*]]: tensor<?x5x4x2xf32>)
// CHECK-DAG:     %[[IMAGES:.*]] = tensor.dim %[[IMAGE]], %c0
// CHECK-DAG:     %[[GRIDS:.*]] = tensor.dim %[[GRID]], %c0
// CHECK:         %[[EQUAL:.*]] = arith.cmpi eq, %[[IMAGES]], %[[GRIDS]]
// CHECK:         cf.assert %[[EQUAL]], "expected equal sizes of one dimension"
// CHECK:         %[[ROWS:.*]] = tensor.dim %[[IMAGE]], %c1
// CHECK:         %[[ROW:.*]] = affine.apply #[[LAST]]()[%[[ROWS]]]
// CHECK:         %[[FITS:.*]] = arith.cmpi ult, %[[ROW]], %c16777216
// CHECK:         cf.assert %[[FITS]], "expected from 1 to 2^24 elements along an image"
// CHECK-NOT:     cf.assert
func.func @samples(%image: tensor<?x?x7x?xf32>, %grid: tensor<?x5x4x2xf32>)
    attributes {convoy.arguments = []} {
  %y = convoy.grid_sample %image, %grid layout(nhwc x nhwc -> nhwc)
      mode(linear) padding(zeros)
      : tensor<?x?x7x?xf32>, tensor<?x5x4x2xf32> -> tensor<?x5x4x?xf32>
  return
}

// -----

// CHECK-LABEL: func @static_or_no_kernel(
// CHECK-NOT:     cf.assert
// CHECK:         return
func.func @static_or_no_kernel(%bias: tensor<?xf32>, %init: tensor<3x?xf32>) -> tensor<3x?xf32> {
  %y = linalg.broadcast ins(%bias : tensor<?xf32>) outs(%init : tensor<3x?xf32>) dimensions = [0]
  return %y : tensor<3x?xf32>
}
