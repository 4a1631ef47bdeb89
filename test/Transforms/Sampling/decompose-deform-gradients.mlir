// RUN: convoy-opt %s --convoy-decompose-sampling | FileCheck %s
// RUN: convoy-opt %s --convoy-decompose-sampling=by-rows | FileCheck %s --check-prefix=TILES

// What windows read is convolved with the output's gradient; sums are f32.
// CHECK-LABEL: func.func @filter(
// CHECK-SAME:      %[[DY:[^:]*]]: tensor<1x7x6x6xf16>, %[[X:[^:]*]]: tensor<1x9x7x4xf16>
// CHECK:         %[[COLUMNS:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<1x3x7x2x6x4xf16>)
// CHECK:         %[[PARTS:.*]] = tensor.collapse_shape %[[COLUMNS]] {{\[\[}}0], [1, 2], [3, 4], [5]]
// CHECK:         %[[SUMS:.*]] = convoy.conv_backward_filter ins(%[[PARTS]], %[[DY]] : tensor<1x21x12x4xf16>, tensor<1x7x6x6xf16>) outs(%{{.*}} : tensor<3x2x4x6xf32>)
// CHECK-SAME:        layout(nhwc x hwcf -> nhwf) window(dilation = [7, 6])
// CHECK:         %[[R:.*]] = linalg.generic {{.*}} ins(%[[SUMS]] : tensor<3x2x4x6xf32>) outs(%{{.*}} : tensor<3x2x4x6xf16>)
// CHECK:         return %[[R]]

// For some channels after others, one tile after the other.
// TILES-LABEL: func.func @filter(
// TILES:         scf.forall (%{{.*}}, %{{.*}}) = (0, 0) to (1, 4) step (1, 4)
// TILES-COUNT-3:   scf.for
// TILES:             convoy.conv_backward_filter {{.*}} window(dilation = [7, 6])
// TILES:         tensor.parallel_insert_slice
func.func @filter(%dy: tensor<1x7x6x6xf16>, %x: tensor<1x9x7x4xf16>,
    %d: tensor<1x12x7x6xf32>, %init: tensor<3x2x4x6xf16>) -> tensor<3x2x4x6xf16> {
  %0 = convoy.deform_conv_backward_filter
      ins(%dy, %x, %d
          : tensor<1x7x6x6xf16>, tensor<1x9x7x4xf16>, tensor<1x12x7x6xf32>)
      outs(%init : tensor<3x2x4x6xf16>)
      layout(nhwc x hwcf -> nhwf) offset_layout(nchw)
  return %0 : tensor<3x2x4x6xf16>
}

// The gradients of samples are a convolution whose channels are all taps'.
// CHECK-LABEL: func.func @offset(
// CHECK-SAME:      %[[DY:[^:]*]]: tensor<1x7x6x6xf32>, %[[X:[^:]*]]: tensor<1x9x7x4xf32>, %[[W:[^:]*]]: tensor<3x2x4x6xf32>, %[[D:[^:]*]]: tensor<1x12x7x6xf32>
// CHECK:         %[[TAPS:.*]] = tensor.expand_shape %{{.*}} : tensor<6x24xf32> into tensor<1x1x6x24xf32>
// CHECK:         %[[V:.*]] = convoy.conv ins(%[[DY]], %[[TAPS]] : tensor<1x7x6x6xf32>, tensor<1x1x6x24xf32>) outs(%{{.*}} : tensor<1x7x6x24xf32>) layout(nhwc x hwcf -> nhwf)
// CHECK:         %[[APART:.*]] = tensor.expand_shape %[[V]] {{\[\[}}0], [1], [2], [3, 4, 5]]
// CHECK:         %[[SUMS:.*]]:2 = linalg.generic {{.*}}"reduction"]} ins(%{{.*}} : tensor<4xf32>) outs({{.*}} : tensor<1x1x3x2x7x6xf32>, tensor<1x1x3x2x7x6xf32>)
// CHECK:           tensor.extract %[[D]][
// CHECK:           tensor.extract %[[D]][
// CHECK-COUNT-4:   tensor.extract %[[X]][
// CHECK:           tensor.extract %[[APART]][
// The two dimensions lie inside of the taps.
// CHECK:         linalg.generic {{.*}} ins(%[[SUMS]]#0, %[[SUMS]]#1, %{{.*}}) outs(%{{.*}} : tensor<1x1x3x2x2x7x6xf32>)

// TILES-LABEL: func.func @offset(
// TILES:         scf.forall
// TILES:           convoy.conv
// TILES:           linalg.generic {{.*}}"reduction"]}
// TILES:           tensor.parallel_insert_slice
func.func @offset(%dy: tensor<1x7x6x6xf32>, %x: tensor<1x9x7x4xf32>,
    %w: tensor<3x2x4x6xf32>, %d: tensor<1x12x7x6xf32>,
    %m: tensor<1x6x7x6xf32>, %init: tensor<1x12x7x6xf32>)
    -> tensor<1x12x7x6xf32> {
  %0 = convoy.deform_conv_backward_offset
      ins(%dy, %x, %w, %d
          : tensor<1x7x6x6xf32>, tensor<1x9x7x4xf32>, tensor<3x2x4x6xf32>,
            tensor<1x12x7x6xf32>)
      mask(%m : tensor<1x6x7x6xf32>) outs(%init : tensor<1x12x7x6xf32>)
      layout(nhwc x hwcf -> nhwf) offset_layout(nchw)
  return %0 : tensor<1x12x7x6xf32>
}

// CHECK-LABEL: func.func @input(
// CHECK:         %[[V:.*]] = convoy.conv {{.*}} outs(%{{.*}} : tensor<1x7x6x24xf32>) layout(nhwc x hwcf -> nhwf)
// CHECK:         %[[APART:.*]] = tensor.expand_shape %[[V]] {{\[\[}}0], [1], [2], [3, 4, 5]]
// CHECK:         linalg.generic {{.*}} ins(%[[APART]] : tensor<1x7x6x3x2x4xf32>) outs(%{{.*}} : tensor<1x4x7x6x3x2xf32>)
// CHECK:         %[[VALUES:.*]] = tensor.collapse_shape %{{.*}} : tensor<1x4x7x6x3x2xf32> into tensor<1x4x252xf32>
// CHECK:         linalg.generic {{.*}} outs({{.*}} : tensor<1x1x7x6x3x2x4xi32>, tensor<1x1x7x6x3x2x4xf32>)
// CHECK:         convoy.scatter_add ins(%[[VALUES]], %{{.*}}, %{{.*}} : tensor<1x4x252xf32>, tensor<1x1x252x4xi32>, tensor<1x1x252x4xf32>) outs(%{{.*}} : tensor<1x4x63xf32>)

// Rows, columns and taps of each tile.
// TILES-LABEL: func.func @input(
// TILES:         scf.forall
// TILES-COUNT-2:   scf.for
// TILES:             convoy.conv
// TILES-COUNT-4:     scf.for
// TILES-COUNT-4:       arith.addf %{{.*}} : f32
// TILES:         tensor.parallel_insert_slice
// TILES-NOT:     convoy.scatter_add
func.func @input(%dy: tensor<1x7x6x6xf32>, %w: tensor<3x2x4x6xf32>,
    %d: tensor<1x12x7x6xf32>, %init: tensor<1x9x7x4xf32>)
    -> tensor<1x9x7x4xf32> {
  %0 = convoy.deform_conv_backward_input
      ins(%dy, %w, %d
          : tensor<1x7x6x6xf32>, tensor<3x2x4x6xf32>, tensor<1x12x7x6xf32>)
      outs(%init : tensor<1x9x7x4xf32>)
      layout(nhwc x hwcf -> nhwf) offset_layout(nchw)
  return %0 : tensor<1x9x7x4xf32>
}

// Nothing is added without channels.
// CHECK-LABEL: func.func @nothing(
// CHECK-SAME:      %[[INIT:[^:]*]]: tensor<1x9x7x0xf32>)
// CHECK-NEXT:    return %[[INIT]]
func.func @nothing(%dy: tensor<1x7x6x6xf32>, %w: tensor<3x2x0x6xf32>,
    %d: tensor<1x12x7x6xf32>, %init: tensor<1x9x7x0xf32>)
    -> tensor<1x9x7x0xf32> {
  %0 = convoy.deform_conv_backward_input
      ins(%dy, %w, %d
          : tensor<1x7x6x6xf32>, tensor<3x2x0x6xf32>, tensor<1x12x7x6xf32>)
      outs(%init : tensor<1x9x7x0xf32>)
      layout(nhwc x hwcf -> nhwf) offset_layout(nchw)
  return %0 : tensor<1x9x7x0xf32>
}

// CHECK-LABEL: func.func @scatter(
// CHECK:         convoy.scatter_add
// TILES-LABEL: func.func @scatter(
// TILES-SAME:      %[[V:[^:]*]]: tensor<1x6x9xf32>, %[[P:[^:]*]]: tensor<1x2x9x4xi32>, %[[W:[^:]*]]: tensor<1x2x9x4xf32>
// TILES:         scf.forall (%[[N:[^ ]*]], %[[C:[^ ]*]]) in (1, 6)
// TILES:           %[[G:.*]] = arith.divui %[[C]], %{{.*}}
// TILES:           scf.for %[[S:[^ ]*]] =
// TILES:             tensor.extract %[[V]][%[[N]], %[[C]], %[[S]]]
// TILES:             scf.for %[[E:[^ ]*]] =
// TILES:               tensor.extract %[[P]][%[[N]], %[[G]], %[[S]], %[[E]]]
// TILES:               tensor.extract %[[W]][%[[N]], %[[G]], %[[S]], %[[E]]]
// TILES:               scf.if
func.func @scatter(%v: tensor<1x6x9xf32>, %p: tensor<1x2x9x4xi32>,
    %w: tensor<1x2x9x4xf32>, %init: tensor<1x6x35xf32>) -> tensor<1x6x35xf32> {
  %0 = convoy.scatter_add
      ins(%v, %p, %w : tensor<1x6x9xf32>, tensor<1x2x9x4xi32>, tensor<1x2x9x4xf32>)
      outs(%init : tensor<1x6x35xf32>)
  return %0 : tensor<1x6x35xf32>
}
