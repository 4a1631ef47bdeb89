// RUN: convoy-opt %s --convoy-decompose-sampling | FileCheck %s
// RUN: convoy-opt %s --convoy-decompose-sampling=by-rows | FileCheck %s --check-prefix=TILES

// The columns have a part for each tap, as large as the output, which a dilated
// convolution reads.
// CHECK-LABEL: func.func @channels_last(
// CHECK-SAME:      %[[X:[^:]*]]: tensor<1x9x7x4xf32>, %[[W:[^:]*]]: tensor<3x2x4x6xf32>, %[[D:[^:]*]]: tensor<1x12x7x6xf32>, %[[INIT:[^:]*]]: tensor<1x7x6x6xf32>)
// CHECK:         %[[COLUMNS:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<1x3x7x2x6x4xf32>)
// CHECK:           %[[DY:.*]] = tensor.extract %[[D]][
// CHECK:           %[[DX:.*]] = tensor.extract %[[D]][
// What is not a number is 0.
// CHECK:           %[[BITS:.*]] = arith.bitcast %[[DY]] : f32 to i32
// CHECK:           arith.cmpi ugt
// CHECK:           arith.select %{{.*}}, %{{.*}}, %[[DY]] : f32
// The rest is the offset's, and the whole part is added to the tap's place.
// CHECK:           arith.subf {{.*}} {convoy.uncontracted} : f32
// CHECK:           arith.addi %{{.*}}, %{{.*}} : i32
// CHECK-COUNT-4:   tensor.extract %[[X]][
// CHECK:         %[[PARTS:.*]] = tensor.collapse_shape %[[COLUMNS]] {{\[\[}}0], [1, 2], [3, 4], [5]]
// CHECK:         %[[R:.*]] = convoy.conv ins(%[[PARTS]], %[[W]] : tensor<1x21x12x4xf32>, tensor<3x2x4x6xf32>) outs(%{{.*}} : tensor<1x7x6x6xf32>)
// CHECK-SAME:        layout(nhwc x hwcf -> nhwf) window(dilation = [7, 6])
// CHECK:         return %[[R]]

// Positions and weights of a tile once for all channels.
// TILES-LABEL: func.func @channels_last(
// TILES:         scf.forall
// TILES:           linalg.generic {{.*}} outs({{.*}} : tensor<3x2x7x6xi32>, tensor<3x2x7x6xi32>, tensor<3x2x7x6xi32>, tensor<3x2x7x6xi32>, tensor<3x2x7x6xf32>, tensor<3x2x7x6xf32>, tensor<3x2x7x6xf32>, tensor<3x2x7x6xf32>)
// TILES:           linalg.generic {{.*}} outs({{.*}} : tensor<1x3x7x2x6x4xf32>)
// TILES:           convoy.conv {{.*}} window(dilation = [7, 6])
// TILES:           tensor.parallel_insert_slice
func.func @channels_last(%x: tensor<1x9x7x4xf32>, %w: tensor<3x2x4x6xf32>,
    %d: tensor<1x12x7x6xf32>, %init: tensor<1x7x6x6xf32>)
    -> tensor<1x7x6x6xf32> {
  %0 = convoy.deform_conv
      ins(%x, %w, %d
          : tensor<1x9x7x4xf32>, tensor<3x2x4x6xf32>, tensor<1x12x7x6xf32>)
      outs(%init : tensor<1x7x6x6xf32>)
      layout(nhwc x hwcf -> nhwf) offset_layout(nchw)
  return %0 : tensor<1x7x6x6xf32>
}

// Vectors go along w. Narrow floats are summed in f32.
// CHECK-LABEL: func.func @channels_first(
// CHECK-SAME:      %{{.*}}, %[[M:[^:]*]]: tensor<1x12x7x6xf32>, %{{[^:]*}}: tensor<1x6x7x6xf16>)
// CHECK:         linalg.generic {{.*}} outs(%{{.*}} : tensor<1x2x2x3x7x2x6xf16>)
// CHECK:           %[[FACTOR:.*]] = tensor.extract %[[M]][
// CHECK:           arith.mulf %[[FACTOR]], %{{.*}} {convoy.uncontracted} : f32
// CHECK:         tensor.collapse_shape {{.*}} {{\[\[}}0], [1, 2], [3, 4], [5, 6]]
// CHECK:         convoy.conv {{.*}} layout(nchw x fchw -> nfhw) window(dilation = [7, 6]) numerics(accumulator = f32)
func.func @channels_first(%x: tensor<1x4x9x7xf16>, %w: tensor<6x4x3x2xf16>,
    %d: tensor<1x24x7x6xf32>, %m: tensor<1x12x7x6xf32>,
    %init: tensor<1x6x7x6xf16>) -> tensor<1x6x7x6xf16> {
  %0 = convoy.deform_conv
      ins(%x, %w, %d
          : tensor<1x4x9x7xf16>, tensor<6x4x3x2xf16>, tensor<1x24x7x6xf32>)
      mask(%m : tensor<1x12x7x6xf32>) outs(%init : tensor<1x6x7x6xf16>)
      layout(nchw x fchw -> nfhw) offset_layout(nchw)
  return %0 : tensor<1x6x7x6xf16>
}

// As many as a tile has of rows, and what is left; 2 of 4 groups of the filter
// are moved alike.
// TILES-LABEL: func.func @rest(
// TILES:         scf.forall (%{{.*}}, %{{.*}}, %{{.*}}) = (0, 0, 0) to (1, 1, 192) step (1, 1, 64)
// TILES:           tensor<1x1x1x1x64x2x2x128xf32>
// TILES:           tensor.collapse_shape {{.*}} {{\[\[}}0], [1, 2], [3, 4], [5, 6], [7]]
// TILES:           convoy.conv {{.*}} layout(nhwgc x ghwcf -> nhwgf){{$}}
// TILES:         scf.forall (%{{.*}}, %{{.*}}, %{{.*}}) = (0, 0, 192) to (1, 1, 193) step (1, 1, 1)
func.func @rest(%x: tensor<1x1x193x4x128xf32>, %w: tensor<4x1x1x128x3xf32>,
    %d: tensor<1x4x1x193xf32>, %init: tensor<1x1x193x4x3xf32>)
    -> tensor<1x1x193x4x3xf32> {
  %0 = convoy.deform_conv
      ins(%x, %w, %d
          : tensor<1x1x193x4x128xf32>, tensor<4x1x1x128x3xf32>, tensor<1x4x1x193xf32>)
      outs(%init : tensor<1x1x193x4x3xf32>)
      layout(nhwgc x ghwcf -> nhwgf) offset_layout(nchw)
  return %0 : tensor<1x1x193x4x3xf32>
}

// Groups that do not go into each other tell nothing apart.
// TILES-LABEL: func.func @across(
// TILES:         scf.forall
// TILES-NOT:       xi32>
// TILES:           arith.divui
func.func @across(%x: tensor<1x3x4x2x3xf32>, %w: tensor<2x1x1x3x5xf32>,
    %d: tensor<1x6x3x4xf32>, %init: tensor<1x3x4x2x5xf32>)
    -> tensor<1x3x4x2x5xf32> {
  %0 = convoy.deform_conv
      ins(%x, %w, %d
          : tensor<1x3x4x2x3xf32>, tensor<2x1x1x3x5xf32>, tensor<1x6x3x4xf32>)
      outs(%init : tensor<1x3x4x2x5xf32>)
      layout(nhwgc x ghwcf -> nhwgf) offset_layout(nchw)
  return %0 : tensor<1x3x4x2x5xf32>
}

// Of any number of rows and columns there are tiles of one row.
// CHECK-LABEL: func.func @of_any_size(
// CHECK:         convoy.deform_conv
// TILES-LABEL: func.func @of_any_size(
// TILES:         %[[WHOLE:.*]] = affine.apply
// TILES:         scf.forall {{.*}} step (1, 1, 16)
// TILES:         scf.forall {{.*}} step (1, 1, 1)
// TILES-NOT:     convoy.deform_conv
func.func @of_any_size(%x: tensor<?x?x?x4xf32>, %w: tensor<3x3x4x?xf32>,
    %d: tensor<?x18x?x?xf32>, %init: tensor<?x?x?x?xf32>)
    -> tensor<?x?x?x?xf32> {
  %0 = convoy.deform_conv
      ins(%x, %w, %d
          : tensor<?x?x?x4xf32>, tensor<3x3x4x?xf32>, tensor<?x18x?x?xf32>)
      outs(%init : tensor<?x?x?x?xf32>)
      layout(nhwc x hwcf -> nhwf) offset_layout(nchw)
  return %0 : tensor<?x?x?x?xf32>
}

// Nothing to add.
// CHECK-LABEL: func.func @no_channels(
// CHECK-SAME:      %[[INIT:[^:]*]]: tensor<1x6x7x6xf32>)
// CHECK-NEXT:    return %[[INIT]]
func.func @no_channels(%x: tensor<1x0x9x7xf32>, %w: tensor<6x0x3x2xf32>,
    %d: tensor<1x12x7x6xf32>, %init: tensor<1x6x7x6xf32>)
    -> tensor<1x6x7x6xf32> {
  %0 = convoy.deform_conv
      ins(%x, %w, %d
          : tensor<1x0x9x7xf32>, tensor<6x0x3x2xf32>, tensor<1x12x7x6xf32>)
      outs(%init : tensor<1x6x7x6xf32>)
      layout(nchw x fchw -> nfhw) offset_layout(nchw)
  return %0 : tensor<1x6x7x6xf32>
}

// Channels that do not lie side by side, and are enough to be brought there, are
// copied so; the sums are brought back.
// TILES-LABEL: func.func @along_channels(
// TILES-SAME:      %[[X:[^:]*]]: tensor<1x8x9x7xf32>, %[[W:[^:]*]]: tensor<9x8x3x2xf32>, %{{[^:]*}}: tensor<1x12x7x6xf32>, %[[INIT:[^:]*]]: tensor<1x9x7x6xf32>)
// TILES-DAG:     %[[IMAGE:.*]] = linalg.generic {{.*}} ins(%[[X]] : {{.*}}) outs(%{{.*}} : tensor<1x9x7x8xf32>)
// TILES-DAG:     %[[FILTER:.*]] = linalg.generic {{.*}} ins(%[[W]] : {{.*}}) outs(%{{.*}} : tensor<3x2x8x9xf32>)
// TILES-DAG:     %[[BEFORE:.*]] = linalg.generic {{.*}} ins(%[[INIT]] : {{.*}}) outs(%{{.*}} : tensor<1x7x6x9xf32>)
// TILES:         %[[SUMS:.*]] = scf.forall {{.*}} shared_outs(%{{.*}} = %[[BEFORE]])
// TILES:           convoy.conv ins(%{{.*}}, %[[FILTER]] : {{.*}} layout(nhwc x hwcf -> nhwf)
// TILES:         %[[BACK:.*]] = linalg.generic {{.*}} ins(%[[SUMS]] : {{.*}}) outs(%{{.*}} : tensor<1x9x7x6xf32>)
// TILES:         return %[[BACK]]
func.func @along_channels(%x: tensor<1x8x9x7xf32>, %w: tensor<9x8x3x2xf32>,
    %d: tensor<1x12x7x6xf32>, %init: tensor<1x9x7x6xf32>)
    -> tensor<1x9x7x6xf32> {
  %0 = convoy.deform_conv
      ins(%x, %w, %d
          : tensor<1x8x9x7xf32>, tensor<9x8x3x2xf32>, tensor<1x12x7x6xf32>)
      outs(%init : tensor<1x9x7x6xf32>)
      layout(nchw x fchw -> nfhw) offset_layout(nchw)
  return %0 : tensor<1x9x7x6xf32>
}

// Zeros need no copy, and neither does what lies well.
// TILES-LABEL: func.func @from_zeros(
// TILES-SAME:      %{{[^:]*}}: tensor<1x9x7x8xf32>, %[[W:[^:]*]]: tensor<3x2x8x9xf32>,
// TILES:         %[[ZEROS:.*]] = linalg.fill {{.*}} outs(%{{.*}} : tensor<1x7x6x9xf32>)
// TILES-NEXT:    scf.forall {{.*}} shared_outs(%{{.*}} = %[[ZEROS]])
// TILES:           convoy.conv ins(%{{.*}}, %[[W]] :
func.func @from_zeros(%x: tensor<1x9x7x8xf32>, %w: tensor<3x2x8x9xf32>,
    %d: tensor<1x12x7x6xf32>) -> tensor<1x9x7x6xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x9x7x6xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x9x7x6xf32>) -> tensor<1x9x7x6xf32>
  %0 = convoy.deform_conv
      ins(%x, %w, %d
          : tensor<1x9x7x8xf32>, tensor<3x2x8x9xf32>, tensor<1x12x7x6xf32>)
      outs(%init : tensor<1x9x7x6xf32>)
      layout(nhwc x hwcf -> nfhw) offset_layout(nchw)
  return %0 : tensor<1x9x7x6xf32>
}
