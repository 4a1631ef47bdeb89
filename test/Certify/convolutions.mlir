// The dialect's ops against loops written by hand, and what one wrong index does.
// RUN: rm -rf %t && split-file %s %t
// RUN: not convoy-certify %t/before.mlir %t/after.mlir | FileCheck %s

//--- before.mlir

// CHECK-DAG: certified: @forward:
func.func @forward(%input: tensor<2x9x3xf32>, %filter: tensor<3x3x5xf32>, %init: tensor<2x4x5xf32>) -> tensor<2x4x5xf32> {
  %result = convoy.conv ins(%input, %filter : tensor<2x9x3xf32>, tensor<3x3x5xf32>)
      outs(%init : tensor<2x4x5xf32>) layout(nwc x wcf -> nwf) window(stride = [2])
  return %result : tensor<2x4x5xf32>
}
// CHECK-DAG: different: @stride: element {{.*}}: the second function lacks
func.func @stride(%input: tensor<2x9x3xf32>, %filter: tensor<3x3x5xf32>, %init: tensor<2x4x5xf32>) -> tensor<2x4x5xf32> {
  %result = convoy.conv ins(%input, %filter : tensor<2x9x3xf32>, tensor<3x3x5xf32>)
      outs(%init : tensor<2x4x5xf32>) layout(nwc x wcf -> nwf) window(stride = [2])
  return %result : tensor<2x4x5xf32>
}
// CHECK-DAG: different: @dilation: element {{.*}}: the second function lacks
func.func @dilation(%input: tensor<2x9x3xf32>, %filter: tensor<3x3x5xf32>, %init: tensor<2x5x5xf32>) -> tensor<2x5x5xf32> {
  %result = convoy.conv ins(%input, %filter : tensor<2x9x3xf32>, tensor<3x3x5xf32>)
      outs(%init : tensor<2x5x5xf32>) layout(nwc x wcf -> nwf) window(dilation = [2])
  return %result : tensor<2x5x5xf32>
}
// The gradient of the input, taken for a convolution: the filter's channels are
// not swapped. All sizes agree.
// CHECK-DAG: different: @backward_as_forward: element [{{.*}}]: the second function lacks argument0[{{.*}}] * argument1[{{.*}}], and has argument0[{{.*}}] * argument1[{{.*}}] instead
func.func @backward_as_forward(%dy: tensor<1x2x2xf32>, %filter: tensor<2x2x2xf32>, %init: tensor<1x3x2xf32>) -> tensor<1x3x2xf32> {
  %dx = convoy.conv_backward_data ins(%dy, %filter : tensor<1x2x2xf32>, tensor<2x2x2xf32>)
      outs(%init : tensor<1x3x2xf32>) layout(nwc x cwf -> nwf)
  return %dx : tensor<1x3x2xf32>
}
// CHECK-DAG: certified: @backward_data:
func.func @backward_data(%dy: tensor<1x2x2xf32>, %filter: tensor<2x2x2xf32>, %init: tensor<1x3x2xf32>) -> tensor<1x3x2xf32> {
  %dx = convoy.conv_backward_data ins(%dy, %filter : tensor<1x2x2xf32>, tensor<2x2x2xf32>)
      outs(%init : tensor<1x3x2xf32>) layout(nwc x cwf -> nwf)
  return %dx : tensor<1x3x2xf32>
}
// Windows that do not overlap: each position writes a row of its own.
// CHECK-DAG: certified: @transposed:
func.func @transposed(%x: tensor<3x5x4xf32>, %filter: tensor<4x4x2xf32>, %init: tensor<3x5x2x4xf32>) -> tensor<3x10x4xf32> {
  %flat = tensor.collapse_shape %init [[0], [1, 2], [3]] : tensor<3x5x2x4xf32> into tensor<3x10x4xf32>
  %y = convoy.conv_transpose ins(%x, %filter : tensor<3x5x4xf32>, tensor<4x4x2xf32>)
      outs(%flat : tensor<3x10x4xf32>) layout(nwc x cfw -> nwf) window(stride = [2])
  return %y : tensor<3x10x4xf32>
}
// CHECK-DAG: different: @transposed_channels:
func.func @transposed_channels(%x: tensor<3x5x4xf32>, %filter: tensor<4x4x2xf32>, %init: tensor<3x5x2x4xf32>) -> tensor<3x10x4xf32> {
  %flat = tensor.collapse_shape %init [[0], [1, 2], [3]] : tensor<3x5x2x4xf32> into tensor<3x10x4xf32>
  %y = convoy.conv_transpose ins(%x, %filter : tensor<3x5x4xf32>, tensor<4x4x2xf32>)
      outs(%flat : tensor<3x10x4xf32>) layout(nwc x fcw -> nwf) window(stride = [2])
  return %y : tensor<3x10x4xf32>
}
// CHECK-DAG: different: @reversal:
func.func @reversal(%dy: tensor<1x2x2xf32>, %filter: tensor<2x2x2xf32>, %init: tensor<1x3x2xf32>) -> tensor<1x3x2xf32> {
  %dx = convoy.conv_backward_data ins(%dy, %filter : tensor<1x2x2xf32>, tensor<2x2x2xf32>)
      outs(%init : tensor<1x3x2xf32>) layout(nwc x cwf -> nwf)
  return %dx : tensor<1x3x2xf32>
}
// CHECK-DAG: different: @pad_side:
func.func @pad_side(%input: tensor<1x5x2xf32>, %filter: tensor<3x2x4xf32>, %init: tensor<1x4x4xf32>) -> tensor<1x4x4xf32> {
  %result = convoy.conv ins(%input, %filter : tensor<1x5x2xf32>, tensor<3x2x4xf32>)
      outs(%init : tensor<1x4x4xf32>) layout(nwc x wcf -> nwf) window(pad = [[1, 0]])
  return %result : tensor<1x4x4xf32>
}
// CHECK-DAG: certified: @backward_filter:
func.func @backward_filter(%x: tensor<2x7x3xf32>, %dy: tensor<2x3x5xf32>, %init: tensor<3x3x5xf32>) -> tensor<3x3x5xf32> {
  %df = convoy.conv_backward_filter ins(%x, %dy : tensor<2x7x3xf32>, tensor<2x3x5xf32>)
      outs(%init : tensor<3x3x5xf32>) layout(nwc x wcf -> nwf) window(stride = [2])
  return %df : tensor<3x3x5xf32>
}
// CHECK-DAG: certified: @groups:
func.func @groups(%input: tensor<2x5x2x3xf32>, %filter: tensor<2x2x4x3xf32>, %init: tensor<2x4x2x4xf32>) -> tensor<2x4x2x4xf32> {
  %result = convoy.conv ins(%input, %filter : tensor<2x5x2x3xf32>, tensor<2x2x4x3xf32>)
      outs(%init : tensor<2x4x2x4xf32>) layout(nwgc x gwfc -> nwgf)
  return %result : tensor<2x4x2x4xf32>
}
// CHECK-DAG: certified: @im2col:
func.func @im2col(%input: tensor<1x5x2xf32>, %filter: tensor<2x3x4xf32>, %init: tensor<1x5x4xf32>) -> tensor<1x5x4xf32> {
  %result = convoy.conv ins(%input, %filter : tensor<1x5x2xf32>, tensor<2x3x4xf32>)
      outs(%init : tensor<1x5x4xf32>) layout(nwc x cwf -> nwf) window(pad = [[1, 1]])
  return %result : tensor<1x5x4xf32>
}
// The im2col has the order of another filter, whose size agrees.
// CHECK-DAG: different: @im2col_order:
func.func @im2col_order(%input: tensor<1x5x2xf32>, %filter: tensor<2x2x4xf32>, %init: tensor<1x4x4xf32>) -> tensor<1x4x4xf32> {
  %result = convoy.conv ins(%input, %filter : tensor<1x5x2xf32>, tensor<2x2x4xf32>)
      outs(%init : tensor<1x4x4xf32>) layout(nwc x cwf -> nwf)
  return %result : tensor<1x4x4xf32>
}

//--- after.mlir
#forward_x = affine_map<(n, w, f, k, c) -> (n, w * 2 + k, c)>
#dilated_x = affine_map<(n, w, f, k, c) -> (n, w + k, c)>
#wcf = affine_map<(n, w, f, k, c) -> (k, c, f)>
#nwf = affine_map<(n, w, f, k, c) -> (n, w, f)>
#gradient_x = affine_map<(k, c, f, n, w) -> (n, w * 2 + k, c)>
#gradient_y = affine_map<(k, c, f, n, w) -> (n, w, f)>
#gradient_f = affine_map<(k, c, f, n, w) -> (k, c, f)>
#group_x = affine_map<(n, w, g, f, k, c) -> (n, w + k, g, c)>
#group_f = affine_map<(n, w, g, f, k, c) -> (g, k, f, c)>
#group_y = affine_map<(n, w, g, f, k, c) -> (n, w, g, f)>
#columns = affine_map<(n, w, f, c, k) -> (n, w, c, k)>
#cwf = affine_map<(n, w, f, c, k) -> (c, k, f)>
#rows = affine_map<(n, w, f, c, k) -> (n, w, f)>
func.func @forward(%input: tensor<2x9x3xf32>, %filter: tensor<3x3x5xf32>, %init: tensor<2x4x5xf32>) -> tensor<2x4x5xf32> {
  %result = linalg.generic {indexing_maps = [#forward_x, #wcf, #nwf],
      iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%input, %filter : tensor<2x9x3xf32>, tensor<3x3x5xf32>) outs(%init : tensor<2x4x5xf32>) {
  ^bb0(%x: f32, %y: f32, %sum: f32):
    %product = arith.mulf %x, %y : f32
    %next = arith.addf %product, %sum : f32
    linalg.yield %next : f32
  } -> tensor<2x4x5xf32>
  return %result : tensor<2x4x5xf32>
}
func.func @stride(%input: tensor<2x9x3xf32>, %filter: tensor<3x3x5xf32>, %init: tensor<2x4x5xf32>) -> tensor<2x4x5xf32> {
  %part = tensor.extract_slice %input[0, 0, 0] [2, 6, 3] [1, 1, 1] : tensor<2x9x3xf32> to tensor<2x6x3xf32>
  %result = linalg.conv_1d_nwc_wcf ins(%part, %filter : tensor<2x6x3xf32>, tensor<3x3x5xf32>)
      outs(%init : tensor<2x4x5xf32>) -> tensor<2x4x5xf32>
  return %result : tensor<2x4x5xf32>
}
func.func @dilation(%input: tensor<2x9x3xf32>, %filter: tensor<3x3x5xf32>, %init: tensor<2x5x5xf32>) -> tensor<2x5x5xf32> {
  %part = tensor.extract_slice %input[0, 0, 0] [2, 7, 3] [1, 1, 1] : tensor<2x9x3xf32> to tensor<2x7x3xf32>
  %result = linalg.generic {indexing_maps = [#dilated_x, #wcf, #nwf],
      iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%part, %filter : tensor<2x7x3xf32>, tensor<3x3x5xf32>) outs(%init : tensor<2x5x5xf32>) {
  ^bb0(%x: f32, %y: f32, %sum: f32):
    %product = arith.mulf %x, %y : f32
    %next = arith.addf %product, %sum : f32
    linalg.yield %next : f32
  } -> tensor<2x5x5xf32>
  return %result : tensor<2x5x5xf32>
}
func.func @backward_as_forward(%dy: tensor<1x2x2xf32>, %filter: tensor<2x2x2xf32>, %init: tensor<1x3x2xf32>) -> tensor<1x3x2xf32> {
  %dx = convoy.conv ins(%dy, %filter : tensor<1x2x2xf32>, tensor<2x2x2xf32>)
      outs(%init : tensor<1x3x2xf32>) layout(nwc x cwf -> nwf) window(pad = [[1, 1]], reverse = [true])
  return %dx : tensor<1x3x2xf32>
}
func.func @backward_data(%dy: tensor<1x2x2xf32>, %filter: tensor<2x2x2xf32>, %init: tensor<1x3x2xf32>) -> tensor<1x3x2xf32> {
  %dx = convoy.conv ins(%dy, %filter : tensor<1x2x2xf32>, tensor<2x2x2xf32>)
      outs(%init : tensor<1x3x2xf32>) layout(nwc x fwc -> nwf) window(pad = [[1, 1]], reverse = [true])
  return %dx : tensor<1x3x2xf32>
}
func.func @transposed(%x: tensor<3x5x4xf32>, %filter: tensor<4x4x2xf32>, %init: tensor<3x5x2x4xf32>) -> tensor<3x10x4xf32> {
  %rows = linalg.generic {
      indexing_maps = [affine_map<(n, i, k, f, c) -> (n, i, c)>, affine_map<(n, i, k, f, c) -> (c, f, k)>, affine_map<(n, i, k, f, c) -> (n, i, k, f)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]
    } ins(%x, %filter : tensor<3x5x4xf32>, tensor<4x4x2xf32>) outs(%init : tensor<3x5x2x4xf32>) {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    %product = arith.mulf %a, %b : f32
    %next = arith.addf %sum, %product : f32
    linalg.yield %next : f32
  } -> tensor<3x5x2x4xf32>
  %y = tensor.collapse_shape %rows [[0], [1, 2], [3]] : tensor<3x5x2x4xf32> into tensor<3x10x4xf32>
  return %y : tensor<3x10x4xf32>
}
func.func @transposed_channels(%x: tensor<3x5x4xf32>, %filter: tensor<4x4x2xf32>, %init: tensor<3x5x2x4xf32>) -> tensor<3x10x4xf32> {
  %rows = linalg.generic {
      indexing_maps = [affine_map<(n, i, k, f, c) -> (n, i, c)>, affine_map<(n, i, k, f, c) -> (c, f, k)>, affine_map<(n, i, k, f, c) -> (n, i, k, f)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]
    } ins(%x, %filter : tensor<3x5x4xf32>, tensor<4x4x2xf32>) outs(%init : tensor<3x5x2x4xf32>) {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    %product = arith.mulf %a, %b : f32
    %next = arith.addf %sum, %product : f32
    linalg.yield %next : f32
  } -> tensor<3x5x2x4xf32>
  %y = tensor.collapse_shape %rows [[0], [1, 2], [3]] : tensor<3x5x2x4xf32> into tensor<3x10x4xf32>
  return %y : tensor<3x10x4xf32>
}
func.func @reversal(%dy: tensor<1x2x2xf32>, %filter: tensor<2x2x2xf32>, %init: tensor<1x3x2xf32>) -> tensor<1x3x2xf32> {
  %dx = convoy.conv ins(%dy, %filter : tensor<1x2x2xf32>, tensor<2x2x2xf32>)
      outs(%init : tensor<1x3x2xf32>) layout(nwc x fwc -> nwf) window(pad = [[1, 1]])
  return %dx : tensor<1x3x2xf32>
}
func.func @pad_side(%input: tensor<1x5x2xf32>, %filter: tensor<3x2x4xf32>, %init: tensor<1x4x4xf32>) -> tensor<1x4x4xf32> {
  %result = convoy.conv ins(%input, %filter : tensor<1x5x2xf32>, tensor<3x2x4xf32>)
      outs(%init : tensor<1x4x4xf32>) layout(nwc x wcf -> nwf) window(pad = [[0, 1]])
  return %result : tensor<1x4x4xf32>
}
func.func @backward_filter(%x: tensor<2x7x3xf32>, %dy: tensor<2x3x5xf32>, %init: tensor<3x3x5xf32>) -> tensor<3x3x5xf32> {
  %df = linalg.generic {indexing_maps = [#gradient_x, #gradient_y, #gradient_f],
      iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %dy : tensor<2x7x3xf32>, tensor<2x3x5xf32>) outs(%init : tensor<3x3x5xf32>) {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    %product = arith.mulf %b, %a : f32
    %next = arith.addf %sum, %product : f32
    linalg.yield %next : f32
  } -> tensor<3x3x5xf32>
  return %df : tensor<3x3x5xf32>
}
func.func @groups(%input: tensor<2x5x2x3xf32>, %filter: tensor<2x2x4x3xf32>, %init: tensor<2x4x2x4xf32>) -> tensor<2x4x2x4xf32> {
  %result = linalg.generic {indexing_maps = [#group_x, #group_f, #group_y],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%input, %filter : tensor<2x5x2x3xf32>, tensor<2x2x4x3xf32>) outs(%init : tensor<2x4x2x4xf32>) {
  ^bb0(%x: f32, %y: f32, %sum: f32):
    %product = arith.mulf %x, %y : f32
    %next = arith.addf %sum, %product : f32
    linalg.yield %next : f32
  } -> tensor<2x4x2x4xf32>
  return %result : tensor<2x4x2x4xf32>
}
func.func @im2col(%input: tensor<1x5x2xf32>, %filter: tensor<2x3x4xf32>, %init: tensor<1x5x4xf32>) -> tensor<1x5x4xf32> {
  %matrix = convoy.im2col %input layout(nwc, nw|cw) window(pad = [[1, 1]]) : tensor<1x5x2xf32> -> tensor<1x5x2x3xf32>
  %result = linalg.contract indexing_maps = [#columns, #cwf, #rows]
      ins(%matrix, %filter : tensor<1x5x2x3xf32>, tensor<2x3x4xf32>) outs(%init : tensor<1x5x4xf32>) -> tensor<1x5x4xf32>
  return %result : tensor<1x5x4xf32>
}
func.func @im2col_order(%input: tensor<1x5x2xf32>, %filter: tensor<2x2x4xf32>, %init: tensor<1x4x4xf32>) -> tensor<1x4x4xf32> {
  %matrix = convoy.im2col %input layout(nwc, nw|wc) window() : tensor<1x5x2xf32> -> tensor<1x4x2x2xf32>
  %result = linalg.contract indexing_maps = [#columns, #cwf, #rows]
      ins(%matrix, %filter : tensor<1x4x2x2xf32>, tensor<2x2x4xf32>) outs(%init : tensor<1x4x4xf32>) -> tensor<1x4x4xf32>
  return %result : tensor<1x4x4xf32>
}
