// RUN: convoy-opt %s --convoy-decompose-backward --convoy-conv-to-im2col --convoy-transpose-results --canonicalize --split-input-file | FileCheck %s

// Elements of the filter's gradient that lie side by side belong to one channel
// of the output; vectors run along these channels. 48 of 96 fit a part.
// CHECK-DAG: #[[SWAP:.*]] = affine_map<(d0, d1) -> (d1, d0)>
// CHECK-LABEL: func.func @gradient(
// CHECK-SAME:    %[[X:.*]]: tensor<1x64x11x9xf32>, %[[DY:.*]]: tensor<1x96x9x7xf32>
// CHECK:         %[[DEST:.*]] = bufferization.to_tensor
// CHECK:         %[[ROWS:.*]] = tensor.collapse_shape %[[DEST]] {{\[\[}}0], [1, 2, 3]] : tensor<96x64x3x3xf32> into tensor<96x576xf32>
// CHECK:         %[[R:.*]] = scf.forall (%[[F:.*]]) = (0) to (96) step (48) shared_outs(%[[T:.*]] = %[[ROWS]])
// CHECK:           %[[IM2COL:.*]] = convoy.im2col %[[X]]
// CHECK:           %[[DYF:.*]] = tensor.extract_slice %[[DY]][0, %[[F]], 0, 0] [1, 48, 9, 7]
// CHECK:           %[[ZERO:.*]] = linalg.fill {{.*}} outs(%{{.*}} : tensor<64x3x3x48xf32>)
// CHECK:           %[[SUMS:.*]] = linalg.generic {{.*}} ins(%[[IM2COL]], %[[DYF]] : {{.*}}) outs(%[[ZERO]] : tensor<64x3x3x48xf32>)
// CHECK:           %[[LINES:.*]] = tensor.collapse_shape %[[SUMS]] {{\[\[}}0, 1, 2], [3]]
// CHECK:           %[[PART:.*]] = tensor.extract_slice %[[T]][%[[F]], 0] [48, 576] [1, 1]
// CHECK:           %[[COPY:.*]] = linalg.generic {indexing_maps = [#[[SWAP]], #{{.*}}]{{.*}} ins(%[[LINES]] : {{.*}}) outs(%[[PART]] :
// CHECK:           tensor.parallel_insert_slice %[[COPY]] into %[[T]][%[[F]], 0] [48, 576] [1, 1]
// CHECK:         tensor.expand_shape %[[R]] {{\[\[}}0], [1, 2, 3]]
module attributes {convoy.target = #convoy.target<vector_bytes = 64, registers = 32, l1_bytes = 32768, l2_bytes = 1048576>} {
  func.func @gradient(%x: tensor<1x64x11x9xf32>, %dy: tensor<1x96x9x7xf32>, %dw: memref<96x64x3x3xf32>) {
    %zero = arith.constant 0.0 : f32
    %dest = bufferization.to_tensor %dw restrict writable : memref<96x64x3x3xf32> to tensor<96x64x3x3xf32>
    %init = linalg.fill ins(%zero : f32) outs(%dest : tensor<96x64x3x3xf32>) -> tensor<96x64x3x3xf32>
    %0 = convoy.conv_backward_filter ins(%x, %dy : tensor<1x64x11x9xf32>, tensor<1x96x9x7xf32>) outs(%init : tensor<96x64x3x3xf32>) layout(nchw x fchw -> nfhw)
    bufferization.materialize_in_destination %0 in writable %dw : (tensor<96x64x3x3xf32>, memref<96x64x3x3xf32>) -> ()
    return
  }
}

// -----

// A cache of a quarter: columns are cut as well, by channels. The groups are
// taken one by one.
// CHECK-DAG: #[[CHANNEL:.*]] = affine_map<(d0) -> (d0 floordiv 9)>
// CHECK-DAG: #[[SWAP:.*]] = affine_map<(d0, d1, d2) -> (d0, d2, d1)>
// CHECK-LABEL: func.func @groups(
// CHECK:         tensor.collapse_shape %{{.*}} {{\[\[}}0], [1], [2, 3, 4]] : tensor<2x96x64x3x3xf32> into tensor<2x96x576xf32>
// CHECK:         scf.forall (%[[G:.*]], %[[F:.*]], %[[K:.*]]) = (0, 0, 0) to (2, 96, 576) step (1, 48, 288)
// CHECK:               %[[C:.*]] = affine.apply #[[CHANNEL]](%[[K]])
// CHECK:               tensor.extract_slice %{{.*}}[0, %[[G]], %[[C]], 0, 0] [1, 1, 32, 11, 9]
// CHECK:               tensor.extract_slice %{{.*}}[0, %[[G]], %[[F]], 0, 0] [1, 1, 48, 9, 7]
// CHECK:               linalg.generic {{.*}} outs(%{{.*}} : tensor<1x32x3x3x48xf32>)
// CHECK:               linalg.generic {indexing_maps = [#[[SWAP]]
// CHECK:               tensor.parallel_insert_slice %{{.*}} into %{{.*}}[%[[G]], %[[F]], %[[K]]] [1, 48, 288]
module attributes {convoy.target = #convoy.target<vector_bytes = 64, registers = 32, l1_bytes = 32768, l2_bytes = 262144>} {
  func.func @groups(%x: tensor<1x2x64x11x9xf32>, %dy: tensor<1x2x96x9x7xf32>, %dw: memref<2x96x64x3x3xf32>) {
    %zero = arith.constant 0.0 : f32
    %dest = bufferization.to_tensor %dw restrict writable : memref<2x96x64x3x3xf32> to tensor<2x96x64x3x3xf32>
    %init = linalg.fill ins(%zero : f32) outs(%dest : tensor<2x96x64x3x3xf32>) -> tensor<2x96x64x3x3xf32>
    %0 = convoy.conv_backward_filter ins(%x, %dy : tensor<1x2x64x11x9xf32>, tensor<1x2x96x9x7xf32>) outs(%init : tensor<2x96x64x3x3xf32>) layout(ngchw x gfchw -> ngfhw)
    bufferization.materialize_in_destination %0 in writable %dw : (tensor<2x96x64x3x3xf32>, memref<2x96x64x3x3xf32>) -> ()
    return
  }
}

// -----

// Lanes lie side by side; what is added to is no fill; sizes are unknown.
// CHECK-LABEL: func.func @nhwc(
// CHECK-NOT:     scf.forall
// CHECK-LABEL: func.func @adds(
// CHECK-NOT:     scf.forall
// CHECK-LABEL: func.func @dynamic(
// CHECK-NOT:     scf.forall
module attributes {convoy.target = #convoy.target<vector_bytes = 64, registers = 32, l1_bytes = 32768, l2_bytes = 1048576>} {
  func.func @nhwc(%x: tensor<1x11x9x64xf32>, %dy: tensor<1x9x7x96xf32>) -> tensor<3x3x64x96xf32> {
    %zero = arith.constant 0.0 : f32
    %empty = tensor.empty() : tensor<3x3x64x96xf32>
    %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<3x3x64x96xf32>) -> tensor<3x3x64x96xf32>
    %0 = convoy.conv_backward_filter ins(%x, %dy : tensor<1x11x9x64xf32>, tensor<1x9x7x96xf32>) outs(%init : tensor<3x3x64x96xf32>) layout(nhwc x hwcf -> nhwf)
    return %0 : tensor<3x3x64x96xf32>
  }
  func.func @adds(%x: tensor<1x64x11x9xf32>, %dy: tensor<1x96x9x7xf32>, %init: tensor<96x64x3x3xf32>) -> tensor<96x64x3x3xf32> {
    %0 = convoy.conv_backward_filter ins(%x, %dy : tensor<1x64x11x9xf32>, tensor<1x96x9x7xf32>) outs(%init : tensor<96x64x3x3xf32>) layout(nchw x fchw -> nfhw)
    return %0 : tensor<96x64x3x3xf32>
  }
  func.func @dynamic(%x: tensor<?x64x11x9xf32>, %dy: tensor<?x96x9x7xf32>) -> tensor<96x64x3x3xf32> {
    %zero = arith.constant 0.0 : f32
    %empty = tensor.empty() : tensor<96x64x3x3xf32>
    %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<96x64x3x3xf32>) -> tensor<96x64x3x3xf32>
    %0 = convoy.conv_backward_filter ins(%x, %dy : tensor<?x64x11x9xf32>, tensor<?x96x9x7xf32>) outs(%init : tensor<96x64x3x3xf32>) layout(nchw x fchw -> nfhw)
    return %0 : tensor<96x64x3x3xf32>
  }
}

// -----

// A part of the groups is a whole tensor as well, since its elements follow each
// other; a part of the taps is not.
// CHECK-LABEL: func.func @parts_of_groups(
// CHECK:         %[[DEST:.*]] = tensor.extract_slice %{{.*}} to tensor<1x96x64x3x3xf32>
// CHECK:         tensor.collapse_shape %[[DEST]] {{\[\[}}0], [1], [2, 3, 4]]
// CHECK:         scf.forall
// CHECK-LABEL: func.func @parts_of_taps(
// CHECK-NOT:     scf.forall
module attributes {convoy.target = #convoy.target<vector_bytes = 64, registers = 32, l1_bytes = 32768, l2_bytes = 1048576>} {
  func.func @parts_of_groups(%x: tensor<1x1x64x11x9xf32>, %dy: tensor<1x1x96x9x7xf32>, %dw: tensor<2x96x64x3x3xf32>, %g: index) -> tensor<2x96x64x3x3xf32> {
    %zero = arith.constant 0.0 : f32
    %dest = tensor.extract_slice %dw[%g, 0, 0, 0, 0] [1, 96, 64, 3, 3] [1, 1, 1, 1, 1] : tensor<2x96x64x3x3xf32> to tensor<1x96x64x3x3xf32>
    %init = linalg.fill ins(%zero : f32) outs(%dest : tensor<1x96x64x3x3xf32>) -> tensor<1x96x64x3x3xf32>
    %0 = convoy.conv_backward_filter ins(%x, %dy : tensor<1x1x64x11x9xf32>, tensor<1x1x96x9x7xf32>) outs(%init : tensor<1x96x64x3x3xf32>) layout(ngchw x gfchw -> ngfhw)
    %1 = tensor.insert_slice %0 into %dw[%g, 0, 0, 0, 0] [1, 96, 64, 3, 3] [1, 1, 1, 1, 1] : tensor<1x96x64x3x3xf32> into tensor<2x96x64x3x3xf32>
    return %1 : tensor<2x96x64x3x3xf32>
  }
  func.func @parts_of_taps(%x: tensor<1x64x11x9xf32>, %dy: tensor<1x96x9x7xf32>, %dw: tensor<96x64x3x5xf32>) -> tensor<96x64x3x5xf32> {
    %zero = arith.constant 0.0 : f32
    %dest = tensor.extract_slice %dw[0, 0, 0, 1] [96, 64, 3, 3] [1, 1, 1, 1] : tensor<96x64x3x5xf32> to tensor<96x64x3x3xf32>
    %init = linalg.fill ins(%zero : f32) outs(%dest : tensor<96x64x3x3xf32>) -> tensor<96x64x3x3xf32>
    %0 = convoy.conv_backward_filter ins(%x, %dy : tensor<1x64x11x9xf32>, tensor<1x96x9x7xf32>) outs(%init : tensor<96x64x3x3xf32>) layout(nchw x fchw -> nfhw)
    %1 = tensor.insert_slice %0 into %dw[0, 0, 0, 1] [96, 64, 3, 3] [1, 1, 1, 1] : tensor<96x64x3x3xf32> into tensor<96x64x3x5xf32>
    return %1 : tensor<96x64x3x5xf32>
  }
}
// -----

// Rows of 7 pixels would be copied one by one for lanes that go on: sums of more
// terms are transposed as well. Rows of 56 are not.
// CHECK-LABEL: func.func @short_rows(
// CHECK:         linalg.generic {{.*}} outs(%{{.*}} : tensor<1x5x7x64xf32>)
// CHECK:         tensor.expand_shape
// CHECK-LABEL: func.func @long_rows(
// CHECK-NOT:     tensor.expand_shape
// CHECK:         return
module attributes {convoy.target = #convoy.target<vector_bytes = 64, registers = 32, l1_bytes = 32768, l2_bytes = 1048576>} {
  func.func @short_rows(%x: tensor<1x640x5x7xf32>, %w: tensor<64x640x1x1xf32>) -> tensor<1x64x5x7xf32> {
    %zero = arith.constant 0.0 : f32
    %empty = tensor.empty() : tensor<1x64x5x7xf32>
    %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x64x5x7xf32>) -> tensor<1x64x5x7xf32>
    %0 = convoy.conv ins(%x, %w : tensor<1x640x5x7xf32>, tensor<64x640x1x1xf32>) outs(%init : tensor<1x64x5x7xf32>) layout(nchw x fchw -> nfhw)
    return %0 : tensor<1x64x5x7xf32>
  }
  func.func @long_rows(%x: tensor<1x640x5x56xf32>, %w: tensor<64x640x1x1xf32>) -> tensor<1x64x5x56xf32> {
    %zero = arith.constant 0.0 : f32
    %empty = tensor.empty() : tensor<1x64x5x56xf32>
    %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x64x5x56xf32>) -> tensor<1x64x5x56xf32>
    %0 = convoy.conv ins(%x, %w : tensor<1x640x5x56xf32>, tensor<64x640x1x1xf32>) outs(%init : tensor<1x64x5x56xf32>) layout(nchw x fchw -> nfhw)
    return %0 : tensor<1x64x5x56xf32>
  }
}

// -----

// Sizes that the factors know, but not the result, stay.
// CHECK-LABEL: func @result_of_unknown_size(
// CHECK:         return
func.func @result_of_unknown_size(%x: tensor<1x2x64x11x9xf32>, %dy: tensor<1x2x96x9x7xf32>, %dw: memref<2x?x64x3x3xf32>) {
  %zero = arith.constant 0.0 : f32
  %dest = bufferization.to_tensor %dw restrict writable : memref<2x?x64x3x3xf32> to tensor<2x?x64x3x3xf32>
  %init = linalg.fill ins(%zero : f32) outs(%dest : tensor<2x?x64x3x3xf32>) -> tensor<2x?x64x3x3xf32>
  %0 = convoy.conv_backward_filter ins(%x, %dy : tensor<1x2x64x11x9xf32>, tensor<1x2x96x9x7xf32>)
      outs(%init : tensor<2x?x64x3x3xf32>) layout(ngchw x gfchw -> ngfhw)
  return
}
