// What ops take for granted, and what they do not: nothing where no result is
// made of them.
// RUN: rm -rf %t && split-file %s %t
// RUN: not convoy-certify %t/before.mlir %t/after.mlir | FileCheck %s

//--- before.mlir
#map = affine_map<(d0) -> (d0)>
// CHECK-DAG: undecided: @dead_contract: {{.*}}linalg.generic: sizes of operands that do not agree
func.func @dead_contract(%arg0: tensor<?xf32>, %arg1: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %dim = tensor.dim %arg0, %c0 : tensor<?xf32>
  %0 = tensor.empty(%dim) : tensor<?xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} ins(%arg0, %arg1 : tensor<?xf32>, tensor<?xf32>) outs(%0 : tensor<?xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %2 = arith.addf %in, %in_0 : f32
    linalg.yield %2 : f32
  } -> tensor<?xf32>
  return %arg0 : tensor<?xf32>
}

// A zero point fits the type of its operand, and no narrower one.
// CHECK-DAG: certified: @as_wide_as_its_operand
func.func @as_wide_as_its_operand(%x: tensor<1x5x2xi8>, %w: tensor<3x2x4xi8>, %init: tensor<1x3x4xi32>, %z: i32, %v: i32) -> (tensor<1x3x4xi32>, tensor<1xi32>) {
  %0 = convoy.conv ins(%x, %w : tensor<1x5x2xi8>, tensor<3x2x4xi8>) outs(%init : tensor<1x3x4xi32>)
      zero_points(%z, %v : i32, i32) layout(nwc x wcf -> nwf)
  %1 = tensor.splat %z : tensor<1xi32>
  return %0, %1 : tensor<1x3x4xi32>, tensor<1xi32>
}
// CHECK-DAG: undecided: @narrower: {{.*}}terms that differ
func.func @narrower(%x: tensor<1x5x2xi8>, %w: tensor<3x2x4xi8>, %init: tensor<1x3x4xi32>, %z: i32, %v: i32) -> (tensor<1x3x4xi32>, tensor<1xi32>) {
  %0 = convoy.conv ins(%x, %w : tensor<1x5x2xi8>, tensor<3x2x4xi8>) outs(%init : tensor<1x3x4xi32>)
      zero_points(%z, %v : i32, i32) layout(nwc x wcf -> nwf)
  %1 = tensor.splat %z : tensor<1xi32>
  return %0, %1 : tensor<1x3x4xi32>, tensor<1xi32>
}
// So does each of the zero points of channels.
// CHECK-DAG: certified: @of_channels
func.func @of_channels(%x: tensor<1x5x2xi8>, %w: tensor<3x2x4xi8>, %init: tensor<1x3x4xi32>, %z: i32, %v: tensor<4xi32>) -> (tensor<1x3x4xi32>, tensor<4xi32>) {
  %0 = convoy.conv ins(%x, %w : tensor<1x5x2xi8>, tensor<3x2x4xi8>) outs(%init : tensor<1x3x4xi32>)
      zero_points(%z, %v : i32, tensor<4xi32>) layout(nwc x wcf -> nwf)
  return %0, %v : tensor<1x3x4xi32>, tensor<4xi32>
}
// CHECK-DAG: different: @of_channels_narrower
func.func @of_channels_narrower(%x: tensor<1x5x2xi8>, %w: tensor<3x2x4xi8>, %init: tensor<1x3x4xi32>, %z: i32, %v: tensor<4xi32>) -> (tensor<1x3x4xi32>, tensor<4xi32>) {
  %0 = convoy.conv ins(%x, %w : tensor<1x5x2xi8>, tensor<3x2x4xi8>) outs(%init : tensor<1x3x4xi32>)
      zero_points(%z, %v : i32, tensor<4xi32>) layout(nwc x wcf -> nwf)
  return %0, %v : tensor<1x3x4xi32>, tensor<4xi32>
}
// One for each channel, in the order of the groups.
// CHECK-DAG: certified: @of_groups
func.func @of_groups(%x: tensor<1x2x5x3xi8>, %w: tensor<2x3x3x4xi8>, %init: tensor<1x2x3x4xi32>, %z: i32, %v: tensor<8xi32>) -> tensor<1x2x3x4xi32> {
  %0 = convoy.conv ins(%x, %w : tensor<1x2x5x3xi8>, tensor<2x3x3x4xi8>) outs(%init : tensor<1x2x3x4xi32>)
      zero_points(%z, %v : i32, tensor<8xi32>) layout(ngwc x gwcf -> ngwf)
  return %0 : tensor<1x2x3x4xi32>
}
// CHECK-DAG: different: @of_wrong_groups
func.func @of_wrong_groups(%x: tensor<1x2x5x3xi8>, %w: tensor<2x3x3x2xi8>, %init: tensor<1x2x3x2xi32>, %z: i32, %v: tensor<4xi32>) -> tensor<1x2x3x2xi32> {
  %0 = convoy.conv ins(%x, %w : tensor<1x2x5x3xi8>, tensor<2x3x3x2xi8>) outs(%init : tensor<1x2x3x2xi32>)
      zero_points(%z, %v : i32, tensor<4xi32>) layout(ngwc x gwcf -> ngwf)
  return %0 : tensor<1x2x3x2xi32>
}
// CHECK-DAG: undecided: @of_uncounted_channels: {{.*}}convoy.conv: zero points of groups whose channels are not counted
func.func @of_uncounted_channels(%x: tensor<1x2x5x3xi8>, %w: tensor<2x3x3x?xi8>, %init: tensor<1x2x3x?xi32>, %z: i32, %v: tensor<?xi32>) -> tensor<1x2x3x?xi32> {
  %0 = convoy.conv ins(%x, %w : tensor<1x2x5x3xi8>, tensor<2x3x3x?xi8>) outs(%init : tensor<1x2x3x?xi32>)
      zero_points(%z, %v : i32, tensor<?xi32>) layout(ngwc x gwcf -> ngwf)
  return %0 : tensor<1x2x3x?xi32>
}
//--- after.mlir
func.func @dead_contract(%arg0: tensor<?xf32>, %arg1: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %dim = tensor.dim %arg1, %c0 : tensor<?xf32>
  %extracted_slice = tensor.extract_slice %arg0[0] [%dim] [1] : tensor<?xf32> to tensor<?xf32>
  return %extracted_slice : tensor<?xf32>
}
func.func @as_wide_as_its_operand(%x: tensor<1x5x2xi8>, %w: tensor<3x2x4xi8>, %init: tensor<1x3x4xi32>, %z: i32, %v: i32) -> (tensor<1x3x4xi32>, tensor<1xi32>) {
  %0 = convoy.conv ins(%x, %w : tensor<1x5x2xi8>, tensor<3x2x4xi8>) outs(%init : tensor<1x3x4xi32>)
      zero_points(%z, %v : i32, i32) layout(nwc x wcf -> nwf)
  %narrow = arith.trunci %z : i32 to i8
  %wide = arith.extsi %narrow : i8 to i32
  %1 = tensor.splat %wide : tensor<1xi32>
  return %0, %1 : tensor<1x3x4xi32>, tensor<1xi32>
}
func.func @narrower(%x: tensor<1x5x2xi8>, %w: tensor<3x2x4xi8>, %init: tensor<1x3x4xi32>, %z: i32, %v: i32) -> (tensor<1x3x4xi32>, tensor<1xi32>) {
  %0 = convoy.conv ins(%x, %w : tensor<1x5x2xi8>, tensor<3x2x4xi8>) outs(%init : tensor<1x3x4xi32>)
      zero_points(%z, %v : i32, i32) layout(nwc x wcf -> nwf)
  %narrow = arith.trunci %z : i32 to i4
  %wide = arith.extsi %narrow : i4 to i32
  %1 = tensor.splat %wide : tensor<1xi32>
  return %0, %1 : tensor<1x3x4xi32>, tensor<1xi32>
}
func.func @of_channels(%x: tensor<1x5x2xi8>, %w: tensor<3x2x4xi8>, %init: tensor<1x3x4xi32>, %z: i32, %v: tensor<4xi32>) -> (tensor<1x3x4xi32>, tensor<4xi32>) {
  %0 = convoy.conv ins(%x, %w : tensor<1x5x2xi8>, tensor<3x2x4xi8>) outs(%init : tensor<1x3x4xi32>)
      zero_points(%z, %v : i32, tensor<4xi32>) layout(nwc x wcf -> nwf)
  %narrow = arith.trunci %v : tensor<4xi32> to tensor<4xi8>
  %wide = arith.extsi %narrow : tensor<4xi8> to tensor<4xi32>
  return %0, %wide : tensor<1x3x4xi32>, tensor<4xi32>
}
func.func @of_channels_narrower(%x: tensor<1x5x2xi8>, %w: tensor<3x2x4xi8>, %init: tensor<1x3x4xi32>, %z: i32, %v: tensor<4xi32>) -> (tensor<1x3x4xi32>, tensor<4xi32>) {
  %0 = convoy.conv ins(%x, %w : tensor<1x5x2xi8>, tensor<3x2x4xi8>) outs(%init : tensor<1x3x4xi32>)
      zero_points(%z, %v : i32, tensor<4xi32>) layout(nwc x wcf -> nwf)
  %narrow = arith.trunci %v : tensor<4xi32> to tensor<4xi4>
  %wide = arith.extsi %narrow : tensor<4xi4> to tensor<4xi32>
  return %0, %wide : tensor<1x3x4xi32>, tensor<4xi32>
}
func.func @of_groups(%x: tensor<1x2x5x3xi8>, %w: tensor<2x3x3x4xi8>, %init: tensor<1x2x3x4xi32>, %z: i32, %v: tensor<8xi32>) -> tensor<1x2x3x4xi32> {
  %apart = tensor.expand_shape %v [[0, 1]] output_shape [2, 4] : tensor<8xi32> into tensor<2x4xi32>
  %empty = tensor.empty() : tensor<2x3x3x4xi32>
  %less = linalg.generic {indexing_maps = [affine_map<(g, w, c, f) -> (g, w, c, f)>, affine_map<(g, w, c, f) -> (g, f)>, affine_map<(g, w, c, f) -> (g, w, c, f)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%w, %apart : tensor<2x3x3x4xi8>, tensor<2x4xi32>) outs(%empty : tensor<2x3x3x4xi32>) {
  ^bb0(%tap: i8, %zero: i32, %out: i32):
    %wide = arith.extsi %tap : i8 to i32
    %difference = arith.subi %wide, %zero : i32
    linalg.yield %difference : i32
  } -> tensor<2x3x3x4xi32>
  %none = arith.constant 0 : i32
  %0 = convoy.conv ins(%x, %less : tensor<1x2x5x3xi8>, tensor<2x3x3x4xi32>) outs(%init : tensor<1x2x3x4xi32>)
      zero_points(%z, %none : i32, i32) layout(ngwc x gwcf -> ngwf)
  return %0 : tensor<1x2x3x4xi32>
}
func.func @of_wrong_groups(%x: tensor<1x2x5x3xi8>, %w: tensor<2x3x3x2xi8>, %init: tensor<1x2x3x2xi32>, %z: i32, %v: tensor<4xi32>) -> tensor<1x2x3x2xi32> {
  %apart = tensor.expand_shape %v [[0, 1]] output_shape [2, 2] : tensor<4xi32> into tensor<2x2xi32>
  %empty = tensor.empty() : tensor<2x3x3x2xi32>
  %less = linalg.generic {indexing_maps = [affine_map<(g, w, c, f) -> (g, w, c, f)>, affine_map<(g, w, c, f) -> (f, g)>, affine_map<(g, w, c, f) -> (g, w, c, f)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%w, %apart : tensor<2x3x3x2xi8>, tensor<2x2xi32>) outs(%empty : tensor<2x3x3x2xi32>) {
  ^bb0(%tap: i8, %zero: i32, %out: i32):
    %wide = arith.extsi %tap : i8 to i32
    %difference = arith.subi %wide, %zero : i32
    linalg.yield %difference : i32
  } -> tensor<2x3x3x2xi32>
  %none = arith.constant 0 : i32
  %0 = convoy.conv ins(%x, %less : tensor<1x2x5x3xi8>, tensor<2x3x3x2xi32>) outs(%init : tensor<1x2x3x2xi32>)
      zero_points(%z, %none : i32, i32) layout(ngwc x gwcf -> ngwf)
  return %0 : tensor<1x2x3x2xi32>
}
func.func @of_uncounted_channels(%x: tensor<1x2x5x3xi8>, %w: tensor<2x3x3x?xi8>, %init: tensor<1x2x3x?xi32>, %z: i32, %v: tensor<?xi32>) -> tensor<1x2x3x?xi32> {
  %0 = convoy.conv ins(%x, %w : tensor<1x2x5x3xi8>, tensor<2x3x3x?xi8>) outs(%init : tensor<1x2x3x?xi32>)
      zero_points(%z, %z : i32, i32) layout(ngwc x gwcf -> ngwf)
  return %0 : tensor<1x2x3x?xi32>
}
