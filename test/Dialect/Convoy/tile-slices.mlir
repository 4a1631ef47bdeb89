// Tiles are the same ops on slices, as upstream's transform dialect makes them.
// RUN: rm -rf %t && split-file %s %t
// DEFINE: %{tiles} = transform-preload-library{transform-library-paths=%t/schedule.mlir},transform-interpreter
// RUN: convoy-opt %t/ops.mlir --pass-pipeline="builtin.module(%{tiles},canonicalize,cse)" -o %t/tiled.mlir
// RUN: FileCheck %t/ops.mlir --input-file=%t/tiled.mlir
// RUN: not convoy-certify %t/ops.mlir %t/tiled.mlir | FileCheck %s --check-prefix=PROVED
// PROVED-NOT: different
// PROVED: certified: @unpadded:
// PROVED-NOT: different
// PROVED: certified: @divided:
// PROVED-NOT: different
// PROVED: certified: @dilated_input:
// PROVED-NOT: different
// PROVED: certified: @col2im:
// PROVED-NOT: different
// RUN: convoy-opt %t/any-size.mlir --pass-pipeline="builtin.module(%{tiles},canonicalize,cse)" | FileCheck %t/any-size.mlir
// RUN: convoy-opt %t/fused.mlir --transform-interpreter --canonicalize | FileCheck %t/fused.mlir
// RUN: convoy-opt %t/uncut.mlir --transform-interpreter | FileCheck %t/uncut.mlir

//--- schedule.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %pixels = transform.structured.match attributes {tile = "pixels"} in %root : (!transform.any_op) -> !transform.any_op
    %0, %loops0:4 = transform.structured.tile_using_for %pixels tile_sizes [1, 2, 3, 4]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    %threads = transform.structured.match attributes {tile = "threads"} in %root : (!transform.any_op) -> !transform.any_op
    %1, %loop1 = transform.structured.tile_using_forall %threads tile_sizes [0, 2, 3, 2]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %three = transform.structured.match attributes {tile = "three"} in %root : (!transform.any_op) -> !transform.any_op
    %2, %loops2:2 = transform.structured.tile_using_for %three tile_sizes [0, 2, 3]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    %two = transform.structured.match attributes {tile = "two"} in %root : (!transform.any_op) -> !transform.any_op
    %3, %loops3:2 = transform.structured.tile_using_for %two tile_sizes [1, 2]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}

//--- ops.mlir

// What windows read beside the image is padding.
// CHECK-LABEL: func.func @conv(
// CHECK-SAME:      %[[X:.*]]: tensor<2x9x7x5xf32>, %[[W:.*]]: tensor<3x2x5x7xf32>, %{{.*}}: tensor
// CHECK-COUNT-4:   scf.for
// CHECK:           %[[SLICE:.*]] = tensor.extract_slice %[[X]][%{{.*}}, %{{.*}}, %{{.*}}, 0] [1, %{{.*}}, %{{.*}}, 5]
// CHECK:           %[[PADDED:.*]] = tensor.pad %[[SLICE]] low[0, %{{.*}}, %{{.*}}, 0] high[0, %{{.*}}, %{{.*}}, 0]
// CHECK:           %[[TAPS:.*]] = tensor.extract_slice %[[W]][0, 0, 0, %{{.*}}] [3, 2, 5, %{{.*}}]
// CHECK:           convoy.conv ins(%[[PADDED]], %[[TAPS]] :
// CHECK-SAME:          window(stride = [2, 1], dilation = [1, 3], reverse = [true, false]) {tile = "pixels"}
func.func @conv(%x: tensor<2x9x7x5xf32>, %w: tensor<3x2x5x7xf32>, %init: tensor<2x5x5x7xf32>) -> tensor<2x5x5x7xf32> {
  %r = convoy.conv ins(%x, %w : tensor<2x9x7x5xf32>, tensor<3x2x5x7xf32>) outs(%init : tensor<2x5x5x7xf32>)
      layout(nhwc x hwcf -> nhwf) window(stride = [2, 1], dilation = [1, 3], pad = [[1, 1], [0, 1]], reverse = [true, false]) {tile = "pixels"}
  return %r : tensor<2x5x5x7xf32>
}

// No window leaves the image.
// CHECK-LABEL: func.func @unpadded(
// CHECK-NOT:       tensor.pad
// CHECK:           convoy.conv ins(%{{.*}}, %{{.*}} : tensor<1x?x?x5xf32>, tensor<3x2x5x?xf32>)
func.func @unpadded(%x: tensor<2x11x8x5xf32>, %w: tensor<3x2x5x7xf32>, %init: tensor<2x5x7x7xf32>) -> tensor<2x5x7x7xf32> {
  %r = convoy.conv ins(%x, %w : tensor<2x11x8x5xf32>, tensor<3x2x5x7xf32>) outs(%init : tensor<2x5x7x7xf32>)
      layout(nhwc x hwcf -> nhwf) window(stride = [2, 1]) {tile = "pixels"}
  return %r : tensor<2x5x7x7xf32>
}

// Zero points of channels are sliced with their groups, and the input's is what
// lies beside the image.
// CHECK-LABEL: func.func @groups(
// CHECK-SAME:      %[[ZX:[^ ]*]]: i32, %[[ZW:[^ ]*]]: tensor<15xi32>)
// CHECK:           scf.forall (%[[G:.*]], %{{.*}}, %[[F:.*]]) in (2, 3, 3)
// CHECK:             %[[BYTE:.*]] = arith.trunci %[[ZX]] : i32 to i8
// CHECK:             tensor.yield %[[BYTE]]
// CHECK:             %[[APART:.*]] = tensor.expand_shape %[[ZW]] {{.*}} : tensor<15xi32> into tensor<3x5xi32>
// CHECK:             %[[SOME:.*]] = tensor.extract_slice %[[APART]]
// CHECK:             %[[ZEROS:.*]] = tensor.collapse_shape %[[SOME]]
// CHECK:             convoy.conv {{.*}} zero_points(%[[ZX]], %[[ZEROS]] : i32, tensor<?xi32>) layout(ngwc x gwcf -> ngwf) {tile = "threads"}
func.func @groups(%x: tensor<1x3x9x4xi8>, %w: tensor<3x3x4x5xi8>, %init: tensor<1x3x9x5xi32>, %zx: i32, %zw: tensor<15xi32>) -> tensor<1x3x9x5xi32> {
  %r = convoy.conv ins(%x, %w : tensor<1x3x9x4xi8>, tensor<3x3x4x5xi8>) outs(%init : tensor<1x3x9x5xi32>)
      zero_points(%zx, %zw : i32, tensor<15xi32>) layout(ngwc x gwcf -> ngwf) window(pad = [[1, 1]]) {tile = "threads"}
  return %r : tensor<1x3x9x5xi32>
}

// CHECK-LABEL: func.func @divided(
// CHECK:           convoy.conv ins(%{{.*}}, %{{.*}} : tensor<1x4x4x5xf32>, tensor<3x2x5x4xf32>)
func.func @divided(%x: tensor<2x4x6x5xf32>, %w: tensor<3x2x5x8xf32>, %init: tensor<2x4x6x8xf32>) -> tensor<2x4x6x8xf32> {
  %r = convoy.conv ins(%x, %w : tensor<2x4x6x5xf32>, tensor<3x2x5x8xf32>) outs(%init : tensor<2x4x6x8xf32>)
      layout(nhwc x hwcf -> nhwf) window(pad = [[1, 1], [0, 1]]) {tile = "pixels"}
  return %r : tensor<2x4x6x8xf32>
}

// A dimension whose input is dilated is no loop.
// CHECK-LABEL: func.func @dilated_input(
// CHECK-COUNT-2:   scf.for
// CHECK-NOT:       scf.for
// CHECK:           tensor.pad {{.*}} low[0, 0, %{{.*}}, 0] high[0, 0, %{{.*}}, 0]
// CHECK:           convoy.conv {{.*}} window(pad = {{\[}}[1, 1], [0, 0]], input_dilation = [2, 1])
func.func @dilated_input(%x: tensor<1x4x5x2xf32>, %w: tensor<3x2x2x7xf32>, %init: tensor<1x7x4x7xf32>) -> tensor<1x7x4x7xf32> {
  %r = convoy.conv ins(%x, %w : tensor<1x4x5x2xf32>, tensor<3x2x2x7xf32>) outs(%init : tensor<1x7x4x7xf32>)
      layout(nhwc x hwcf -> nhwf) window(pad = [[1, 1], [0, 0]], input_dilation = [2, 1]) {tile = "three"}
  return %r : tensor<1x7x4x7xf32>
}

// A tile reads whole images.
// CHECK-LABEL: func.func @grid_sample(
// CHECK-COUNT-4:   scf.for
// CHECK:           tensor.extract_slice %{{.*}}[%[[N:.*]], %[[C:.*]], 0, 0] [1, %{{.*}}, 9, 7]
// CHECK:           tensor.extract_slice %{{.*}}[%[[N]], %[[H:.*]], %[[W:.*]], 0] [1, %{{.*}}, %{{.*}}, 2]
// CHECK:           convoy.grid_sample {{.*}} : tensor<1x?x9x7xf32>, tensor<1x?x?x2xf32> -> tensor<1x?x?x?xf32>
// CHECK:           tensor.insert_slice %{{.*}} into %{{.*}}[%[[N]], %[[C]], %[[H]], %[[W]]]
func.func @grid_sample(%x: tensor<2x3x9x7xf32>, %grid: tensor<2x5x7x2xf32>) -> tensor<2x3x5x7xf32> {
  %r = convoy.grid_sample %x, %grid layout(nchw x nhwc -> nchw) mode(linear) padding(border) {tile = "pixels"}
      : tensor<2x3x9x7xf32>, tensor<2x5x7x2xf32> -> tensor<2x3x5x7xf32>
  return %r : tensor<2x3x5x7xf32>
}

// CHECK-LABEL: func.func @divided_samples(
// CHECK:           convoy.grid_sample {{.*}} : tensor<1x2x9x7xf32>, tensor<1x3x4x2xf32> -> tensor<1x2x3x4xf32>
func.func @divided_samples(%x: tensor<2x4x9x7xf32>, %grid: tensor<2x6x8x2xf32>) -> tensor<2x4x6x8xf32> {
  %r = convoy.grid_sample %x, %grid layout(nchw x nhwc -> nchw) mode(nearest) padding(zeros) {tile = "pixels"}
      : tensor<2x4x9x7xf32>, tensor<2x6x8x2xf32> -> tensor<2x4x6x8xf32>
  return %r : tensor<2x4x6x8xf32>
}

// Windows overlap along spatial dimensions, which are no loops.
// CHECK-LABEL: func.func @col2im(
// CHECK-COUNT-2:   scf.for
// CHECK:           tensor.extract_slice %{{.*}}[%[[G:.*]], 0, 0, 0, %[[C:.*]]] [%{{.*}}, 1, 9, 2, %{{.*}}]
// CHECK:           convoy.col2im {{.*}} : tensor<?x1x9x2x?xf32> -> tensor<1x?x10x?xf32>
// CHECK:           tensor.insert_slice %{{.*}} into %{{.*}}[0, %[[G]], 0, %[[C]]]
func.func @col2im(%rows: tensor<3x1x9x2x7xf32>) -> tensor<1x3x10x7xf32> {
  %r = convoy.col2im %rows layout(ngwc, gnw|wc) {tile = "three"} : tensor<3x1x9x2x7xf32> -> tensor<1x3x10x7xf32>
  return %r : tensor<1x3x10x7xf32>
}

// Offsets reach the whole image.
// CHECK-LABEL: func.func @deform_conv(
// CHECK-COUNT-2:   scf.for
// CHECK:           tensor.extract_slice %{{.*}}[%[[N:.*]], 0, 0, 0] [1, 4, 9, 7]
// CHECK:           tensor.extract_slice %{{.*}}[%[[F:.*]], 0, 0, 0] [2, 4, 3, 2]
// CHECK:           tensor.extract_slice %{{.*}}[%[[N]], 0, 0, 0] [1, 24, 7, 6]
// CHECK:           tensor.extract_slice %{{.*}}[%[[N]], %[[F]], 0, 0] [1, 2, 7, 6]
// CHECK:           tensor.extract_slice %{{.*}}[%[[N]], 0, 0, 0] [1, 12, 7, 6]
// CHECK:           convoy.deform_conv
func.func @deform_conv(%x: tensor<2x4x9x7xf32>, %w: tensor<6x4x3x2xf32>, %offset: tensor<2x24x7x6xf32>, %mask: tensor<2x12x7x6xf32>, %init: tensor<2x6x7x6xf32>) -> tensor<2x6x7x6xf32> {
  %r = convoy.deform_conv ins(%x, %w, %offset : tensor<2x4x9x7xf32>, tensor<6x4x3x2xf32>, tensor<2x24x7x6xf32>)
      mask(%mask : tensor<2x12x7x6xf32>) outs(%init : tensor<2x6x7x6xf32>)
      layout(nchw x fchw -> nfhw) offset_layout(nchw) {tile = "two"}
  return %r : tensor<2x6x7x6xf32>
}

//--- fused.mlir

// A tile is computed where its consumer's is.
// CHECK-LABEL: func.func @fused(
// CHECK:           scf.forall
// CHECK:             convoy.conv {{.*}} outs(%{{.*}} : tensor<1x4x3x7xf32>)
// CHECK:             linalg.exp
func.func @fused(%x: tensor<1x9x7x5xf32>, %w: tensor<3x2x5x7xf32>, %init: tensor<1x8x6x7xf32>) -> tensor<1x8x6x7xf32> {
  %y = convoy.conv ins(%x, %w : tensor<1x9x7x5xf32>, tensor<3x2x5x7xf32>) outs(%init : tensor<1x8x6x7xf32>)
      layout(nhwc x hwcf -> nhwf) window(pad = [[1, 0], [0, 0]]) {producer}
  %empty = tensor.empty() : tensor<1x8x6x7xf32>
  %r = linalg.exp {consumer} ins(%y : tensor<1x8x6x7xf32>) outs(%empty : tensor<1x8x6x7xf32>) -> tensor<1x8x6x7xf32>
  return %r : tensor<1x8x6x7xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %consumer = transform.structured.match attributes {consumer} in %root : (!transform.any_op) -> !transform.any_op
    %producer = transform.structured.match attributes {producer} in %root : (!transform.any_op) -> !transform.any_op
    %0, %loop = transform.structured.tile_using_forall %consumer tile_sizes [0, 4, 3, 0] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %1, %2 = transform.structured.fuse_into_containing_op %producer into %loop : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

//--- uncut.mlir

// There is no tile of what is no loop.
// CHECK-LABEL: func.func @uncut(
// CHECK:           scf.forall
// CHECK:             convoy.col2im {{.*}} : tensor<1x9x2x7xf32> -> tensor<1x10x7xf32>
func.func @uncut(%rows: tensor<1x9x2x7xf32>) -> tensor<1x10x7xf32> {
  %y = convoy.col2im %rows layout(nwc, nw|wc) {producer} : tensor<1x9x2x7xf32> -> tensor<1x10x7xf32>
  %empty = tensor.empty() : tensor<1x10x7xf32>
  %r = linalg.exp {consumer} ins(%y : tensor<1x10x7xf32>) outs(%empty : tensor<1x10x7xf32>) -> tensor<1x10x7xf32>
  return %r : tensor<1x10x7xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %consumer = transform.structured.match attributes {consumer} in %root : (!transform.any_op) -> !transform.any_op
    %producer = transform.structured.match attributes {producer} in %root : (!transform.any_op) -> !transform.any_op
    %0, %loop = transform.structured.tile_using_forall %consumer tile_sizes [0, 5, 0] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %1, %2 = transform.structured.fuse_into_containing_op %producer into %loop : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

//--- any-size.mlir

// A tile may be empty; what is not tiled is whole.
// CHECK-DAG:   #[[SPAN:.*]] = affine_map<()[s0] -> (0, s0 + 2)>
// CHECK-LABEL: func.func @any_size(
// CHECK-SAME:      %[[X:.*]]: tensor<?x?x?xf32>, %[[W:.*]]: tensor<3x?x?xf32>, %[[INIT:.*]]: tensor<?x?x?xf32>)
// CHECK:           %[[CHANNELS:.*]] = tensor.dim %[[INIT]], %c2
// CHECK-COUNT-2:   scf.for
// CHECK:           affine.max #[[SPAN]]()
// CHECK:           %[[PADDED:.*]] = tensor.pad
// CHECK:           %[[SUMS:.*]] = tensor.extract_slice %{{.*}}[%{{.*}}, %{{.*}}, 0] [1, %{{.*}}, %[[CHANNELS]]]
// CHECK:           convoy.conv {{.*}} outs(%[[SUMS]] : tensor<1x?x?xf32>) layout(nwc x wcf -> nwf) {tile = "two"}
func.func @any_size(%x: tensor<?x?x?xf32>, %w: tensor<3x?x?xf32>, %init: tensor<?x?x?xf32>) -> tensor<?x?x?xf32> {
  %r = convoy.conv ins(%x, %w : tensor<?x?x?xf32>, tensor<3x?x?xf32>) outs(%init : tensor<?x?x?xf32>)
      layout(nwc x wcf -> nwf) window(pad = [[1, 1]]) {tile = "two"}
  return %r : tensor<?x?x?xf32>
}
