// What stands in a sum several times is one multiple of it, in whatever way its
// indices are written: here after a reshape there and back.
// RUN: rm -rf %t && split-file %s %t
// RUN: not convoy-certify %t/before.mlir %t/after.mlir | FileCheck %s --implicit-check-not=certified
// RUN: not convoy-certify %t/after.mlir %t/before.mlir | FileCheck %s --implicit-check-not=certified
// RUN: convoy-certify --pipeline='builtin.module(func.func(convoy-raise-linalg))' %t/layers.mlir | FileCheck %s --check-prefix=LAYERS

//--- before.mlir
// CHECK-DAG: certified: @twice:
func.func @twice(%x: tensor<4x3xi32>, %init: tensor<4x3xi32>) -> tensor<4x3xi32> {
  %y = arith.addi %x, %init : tensor<4x3xi32>
  %z = arith.addi %y, %init : tensor<4x3xi32>
  return %z : tensor<4x3xi32>
}
// CHECK-DAG: certified: @twice_i8:
func.func @twice_i8(%x: tensor<1x4xi8>, %init: tensor<1x4xi8>) -> tensor<1x4xi8> {
  %y = arith.addi %x, %init : tensor<1x4xi8>
  %z = arith.addi %y, %init : tensor<1x4xi8>
  return %z : tensor<1x4xi8>
}
// CHECK-DAG: certified: @twice_f32:
func.func @twice_f32(%x: tensor<4x3xf32>, %init: tensor<4x3xf32>) -> tensor<4x3xf32> {
  %y = arith.addf %x, %init : tensor<4x3xf32>
  %z = arith.addf %y, %init : tensor<4x3xf32>
  return %z : tensor<4x3xf32>
}
// CHECK-DAG: certified: @thrice:
func.func @thrice(%x: tensor<4x3xi32>, %init: tensor<4x3xi32>) -> tensor<4x3xi32> {
  %three = arith.constant dense<3> : tensor<4x3xi32>
  %scaled = arith.muli %init, %three : tensor<4x3xi32>
  %z = arith.addi %x, %scaled : tensor<4x3xi32>
  return %z : tensor<4x3xi32>
}
// CHECK-DAG: certified: @thrice_f32:
func.func @thrice_f32(%x: tensor<4x3xf32>, %init: tensor<4x3xf32>) -> tensor<4x3xf32> {
  %y = arith.addf %x, %init : tensor<4x3xf32>
  %two = arith.addf %y, %init : tensor<4x3xf32>
  %three = arith.addf %two, %init : tensor<4x3xf32>
  return %three : tensor<4x3xf32>
}
// CHECK-DAG: certified: @scaled:
func.func @scaled(%x: tensor<4x3xi32>, %init: tensor<4x3xi32>) -> tensor<4x3xi32> {
  %six = arith.constant dense<6> : tensor<4x3xi32>
  %scaled = arith.muli %init, %six : tensor<4x3xi32>
  %z = arith.addi %x, %scaled : tensor<4x3xi32>
  return %z : tensor<4x3xi32>
}
// CHECK-DAG: certified: @cancelled:
func.func @cancelled(%x: tensor<4x3xi32>, %init: tensor<4x3xi32>) -> tensor<4x3xi32> {
  return %x : tensor<4x3xi32>
}
// CHECK-DAG: certified: @nothing:
func.func @nothing(%x: tensor<4x3xi32>, %init: tensor<4x3xi32>) -> tensor<4x3xi32> {
  %zero = arith.constant dense<0> : tensor<4x3xi32>
  return %zero : tensor<4x3xi32>
}
// CHECK-DAG: certified: @in_products:
func.func @in_products(%x: tensor<4x3xi32>, %w: tensor<3x5xi32>, %init: tensor<4x5xi32>) -> tensor<4x5xi32> {
  %two = arith.addi %x, %x : tensor<4x3xi32>
  %z = linalg.matmul ins(%two, %w : tensor<4x3xi32>, tensor<3x5xi32>) outs(%init : tensor<4x5xi32>) -> tensor<4x5xi32>
  return %z : tensor<4x5xi32>
}
// CHECK-DAG: certified: @chosen:
func.func @chosen(%x: tensor<4x3xf32>, %y: tensor<4x3xf32>) -> tensor<4x3xf32> {
  %z = arith.maximumf %x, %y : tensor<4x3xf32>
  return %z : tensor<4x3xf32>
}
// CHECK-DAG: certified: @dynamic:
func.func @dynamic(%x: tensor<1x?xi32>, %init: tensor<1x?xi32>) -> tensor<1x?xi32> {
  %y = arith.addi %x, %init : tensor<1x?xi32>
  %z = arith.addi %y, %init : tensor<1x?xi32>
  return %z : tensor<1x?xi32>
}
// The one tap of a window.
// CHECK-DAG: certified: @one_tap:
func.func @one_tap(%x: tensor<4xi32>, %w: tensor<1xi32>, %init: tensor<4xi32>) -> tensor<4xi32> {
  %y = linalg.conv_1d ins(%x, %w : tensor<4xi32>, tensor<1xi32>) outs(%init : tensor<4xi32>) -> tensor<4xi32>
  %z = linalg.conv_1d ins(%x, %w : tensor<4xi32>, tensor<1xi32>) outs(%y : tensor<4xi32>) -> tensor<4xi32>
  return %z : tensor<4xi32>
}

// CHECK-DAG: different: @once: element [3, 2]: the second function lacks {{(2 \* )?}}argument1[3, 2]
func.func @once(%x: tensor<4x3xi32>, %init: tensor<4x3xi32>) -> tensor<4x3xi32> {
  %y = arith.addi %x, %init : tensor<4x3xi32>
  %z = arith.addi %y, %init : tensor<4x3xi32>
  return %z : tensor<4x3xi32>
}
// CHECK-DAG: different: @other_element: element [{{.*}}]: the second function lacks {{(2 \* )?}}argument1[
func.func @other_element(%x: tensor<4x3xi32>, %init: tensor<4x3xi32>) -> tensor<4x3xi32> {
  %y = arith.addi %x, %init : tensor<4x3xi32>
  %z = arith.addi %y, %init : tensor<4x3xi32>
  return %z : tensor<4x3xi32>
}
// Twice in the middle alone.
// CHECK-DAG: different: @mirrored: element [{{[0134]}}]: the second function lacks {{(2 \* )?}}argument1[
func.func @mirrored(%x: tensor<5xi32>, %init: tensor<5xi32>) -> tensor<5xi32> {
  %y = arith.addi %x, %init : tensor<5xi32>
  %z = arith.addi %y, %init : tensor<5xi32>
  return %z : tensor<5xi32>
}
// CHECK-DAG: different: @subtracted: element [3, 2]: {{.*}} 2 * argument1[3, 2]
func.func @subtracted(%x: tensor<4x3xi32>, %init: tensor<4x3xi32>) -> tensor<4x3xi32> {
  %y = arith.addi %x, %init : tensor<4x3xi32>
  %z = arith.addi %y, %init : tensor<4x3xi32>
  return %z : tensor<4x3xi32>
}
// What wraps around before it is widened, or stops at a bound, is no multiple.
// CHECK-DAG: {{different|undecided}}: @widened:
func.func @widened(%x: tensor<4x3xi8>) -> tensor<4x3xi32> {
  %wide = arith.extsi %x : tensor<4x3xi8> to tensor<4x3xi32>
  %z = arith.addi %wide, %wide : tensor<4x3xi32>
  return %z : tensor<4x3xi32>
}
// CHECK-DAG: {{different|undecided}}: @saturated:
func.func @saturated(%x: tensor<4x3xi32>) -> tensor<4x3xi32> {
  %most = arith.constant dense<127> : tensor<4x3xi32>
  %two = arith.addi %x, %x : tensor<4x3xi32>
  %z = arith.minsi %two, %most : tensor<4x3xi32>
  return %z : tensor<4x3xi32>
}
// What is rounded is not what it cancels out against.
// CHECK-DAG: {{different|undecided}}: @not_cancelled_f32:
func.func @not_cancelled_f32(%x: tensor<4x3xf32>, %init: tensor<4x3xf32>) -> tensor<4x3xf32> {
  return %x : tensor<4x3xf32>
}

//--- after.mlir
func.func @twice(%x: tensor<4x3xi32>, %init: tensor<4x3xi32>) -> tensor<4x3xi32> {
  %flat_x = tensor.collapse_shape %x [[0, 1]] : tensor<4x3xi32> into tensor<12xi32>
  %flat = tensor.collapse_shape %init [[0, 1]] : tensor<4x3xi32> into tensor<12xi32>
  %y = arith.addi %flat_x, %flat : tensor<12xi32>
  %back = tensor.expand_shape %y [[0, 1]] output_shape [4, 3] : tensor<12xi32> into tensor<4x3xi32>
  %z = arith.addi %back, %init : tensor<4x3xi32>
  return %z : tensor<4x3xi32>
}
func.func @twice_i8(%x: tensor<1x4xi8>, %init: tensor<1x4xi8>) -> tensor<1x4xi8> {
  %flat_x = tensor.collapse_shape %x [[0, 1]] : tensor<1x4xi8> into tensor<4xi8>
  %flat = tensor.collapse_shape %init [[0, 1]] : tensor<1x4xi8> into tensor<4xi8>
  %y = arith.addi %flat_x, %flat : tensor<4xi8>
  %back = tensor.expand_shape %y [[0, 1]] output_shape [1, 4] : tensor<4xi8> into tensor<1x4xi8>
  %z = arith.addi %back, %init : tensor<1x4xi8>
  return %z : tensor<1x4xi8>
}
func.func @twice_f32(%x: tensor<4x3xf32>, %init: tensor<4x3xf32>) -> tensor<4x3xf32> {
  %flat_x = tensor.collapse_shape %x [[0, 1]] : tensor<4x3xf32> into tensor<12xf32>
  %flat = tensor.collapse_shape %init [[0, 1]] : tensor<4x3xf32> into tensor<12xf32>
  %y = arith.addf %flat_x, %flat : tensor<12xf32>
  %back = tensor.expand_shape %y [[0, 1]] output_shape [4, 3] : tensor<12xf32> into tensor<4x3xf32>
  %z = arith.addf %back, %init : tensor<4x3xf32>
  return %z : tensor<4x3xf32>
}
func.func @thrice(%x: tensor<4x3xi32>, %init: tensor<4x3xi32>) -> tensor<4x3xi32> {
  %flat_x = tensor.collapse_shape %x [[0, 1]] : tensor<4x3xi32> into tensor<12xi32>
  %flat = tensor.collapse_shape %init [[0, 1]] : tensor<4x3xi32> into tensor<12xi32>
  %y = arith.addi %flat_x, %flat : tensor<12xi32>
  %back = tensor.expand_shape %y [[0, 1]] output_shape [4, 3] : tensor<12xi32> into tensor<4x3xi32>
  %two = arith.addi %back, %init : tensor<4x3xi32>
  %three = arith.addi %init, %two : tensor<4x3xi32>
  return %three : tensor<4x3xi32>
}
func.func @thrice_f32(%x: tensor<4x3xf32>, %init: tensor<4x3xf32>) -> tensor<4x3xf32> {
  %flat_x = tensor.collapse_shape %x [[0, 1]] : tensor<4x3xf32> into tensor<12xf32>
  %flat = tensor.collapse_shape %init [[0, 1]] : tensor<4x3xf32> into tensor<12xf32>
  %y = arith.addf %flat_x, %flat : tensor<12xf32>
  %two = arith.addf %y, %flat : tensor<12xf32>
  %back = tensor.expand_shape %two [[0, 1]] output_shape [4, 3] : tensor<12xf32> into tensor<4x3xf32>
  %three = arith.addf %back, %init : tensor<4x3xf32>
  return %three : tensor<4x3xf32>
}
func.func @scaled(%x: tensor<4x3xi32>, %init: tensor<4x3xi32>) -> tensor<4x3xi32> {
  %five = arith.constant dense<5> : tensor<12xi32>
  %flat_x = tensor.collapse_shape %x [[0, 1]] : tensor<4x3xi32> into tensor<12xi32>
  %flat = tensor.collapse_shape %init [[0, 1]] : tensor<4x3xi32> into tensor<12xi32>
  %scaled = arith.muli %flat, %five : tensor<12xi32>
  %y = arith.addi %flat_x, %scaled : tensor<12xi32>
  %back = tensor.expand_shape %y [[0, 1]] output_shape [4, 3] : tensor<12xi32> into tensor<4x3xi32>
  %z = arith.addi %back, %init : tensor<4x3xi32>
  return %z : tensor<4x3xi32>
}
func.func @cancelled(%x: tensor<4x3xi32>, %init: tensor<4x3xi32>) -> tensor<4x3xi32> {
  %flat_x = tensor.collapse_shape %x [[0, 1]] : tensor<4x3xi32> into tensor<12xi32>
  %flat = tensor.collapse_shape %init [[0, 1]] : tensor<4x3xi32> into tensor<12xi32>
  %y = arith.addi %flat_x, %flat : tensor<12xi32>
  %back = tensor.expand_shape %y [[0, 1]] output_shape [4, 3] : tensor<12xi32> into tensor<4x3xi32>
  %z = arith.subi %back, %init : tensor<4x3xi32>
  return %z : tensor<4x3xi32>
}
func.func @nothing(%x: tensor<4x3xi32>, %init: tensor<4x3xi32>) -> tensor<4x3xi32> {
  %flat = tensor.collapse_shape %init [[0, 1]] : tensor<4x3xi32> into tensor<12xi32>
  %back = tensor.expand_shape %flat [[0, 1]] output_shape [4, 3] : tensor<12xi32> into tensor<4x3xi32>
  %z = arith.subi %back, %init : tensor<4x3xi32>
  return %z : tensor<4x3xi32>
}
func.func @in_products(%x: tensor<4x3xi32>, %w: tensor<3x5xi32>, %init: tensor<4x5xi32>) -> tensor<4x5xi32> {
  %flat = tensor.collapse_shape %x [[0, 1]] : tensor<4x3xi32> into tensor<12xi32>
  %back = tensor.expand_shape %flat [[0, 1]] output_shape [4, 3] : tensor<12xi32> into tensor<4x3xi32>
  %two = arith.addi %back, %x : tensor<4x3xi32>
  %z = linalg.matmul ins(%two, %w : tensor<4x3xi32>, tensor<3x5xi32>) outs(%init : tensor<4x5xi32>) -> tensor<4x5xi32>
  return %z : tensor<4x5xi32>
}
func.func @chosen(%x: tensor<4x3xf32>, %y: tensor<4x3xf32>) -> tensor<4x3xf32> {
  %flat = tensor.collapse_shape %x [[0, 1]] : tensor<4x3xf32> into tensor<12xf32>
  %back = tensor.expand_shape %flat [[0, 1]] output_shape [4, 3] : tensor<12xf32> into tensor<4x3xf32>
  %larger = arith.cmpf ogt, %back, %y : tensor<4x3xf32>
  %z = arith.select %larger, %x, %y : tensor<4x3xi1>, tensor<4x3xf32>
  return %z : tensor<4x3xf32>
}
func.func @dynamic(%x: tensor<1x?xi32>, %init: tensor<1x?xi32>) -> tensor<1x?xi32> {
  %flat = tensor.collapse_shape %init [[0, 1]] : tensor<1x?xi32> into tensor<?xi32>
  %y = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%flat : tensor<?xi32>) outs(%x : tensor<1x?xi32>) {
  ^bb0(%a: i32, %b: i32):
    %sum = arith.addi %a, %b : i32
    linalg.yield %sum : i32
  } -> tensor<1x?xi32>
  %z = arith.addi %y, %init : tensor<1x?xi32>
  return %z : tensor<1x?xi32>
}
func.func @one_tap(%x: tensor<4xi32>, %w: tensor<1xi32>, %init: tensor<4xi32>) -> tensor<4xi32> {
  %two = arith.constant 2 : i32
  %z = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (0)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x, %w : tensor<4xi32>, tensor<1xi32>) outs(%init : tensor<4xi32>) {
  ^bb0(%a: i32, %b: i32, %c: i32):
    %product = arith.muli %a, %b : i32
    %twice = arith.muli %product, %two : i32
    %sum = arith.addi %twice, %c : i32
    linalg.yield %sum : i32
  } -> tensor<4xi32>
  return %z : tensor<4xi32>
}

func.func @once(%x: tensor<4x3xi32>, %init: tensor<4x3xi32>) -> tensor<4x3xi32> {
  %flat = tensor.collapse_shape %init [[0, 1]] : tensor<4x3xi32> into tensor<12xi32>
  %back = tensor.expand_shape %flat [[0, 1]] output_shape [4, 3] : tensor<12xi32> into tensor<4x3xi32>
  %z = arith.addi %x, %back : tensor<4x3xi32>
  return %z : tensor<4x3xi32>
}
func.func @other_element(%x: tensor<4x3xi32>, %init: tensor<4x3xi32>) -> tensor<4x3xi32> {
  %flat = tensor.collapse_shape %init [[0, 1]] : tensor<4x3xi32> into tensor<12xi32>
  %first = tensor.extract_slice %flat[0] [11] [1] : tensor<12xi32> to tensor<11xi32>
  %moved = tensor.insert_slice %first into %flat[1] [11] [1] : tensor<11xi32> into tensor<12xi32>
  %back = tensor.expand_shape %moved [[0, 1]] output_shape [4, 3] : tensor<12xi32> into tensor<4x3xi32>
  %y = arith.addi %x, %back : tensor<4x3xi32>
  %z = arith.addi %y, %init : tensor<4x3xi32>
  return %z : tensor<4x3xi32>
}
func.func @mirrored(%x: tensor<5xi32>, %init: tensor<5xi32>) -> tensor<5xi32> {
  %z = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (4 - i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x, %init : tensor<5xi32>, tensor<5xi32>) outs(%init : tensor<5xi32>) {
  ^bb0(%a: i32, %b: i32, %c: i32):
    %y = arith.addi %a, %b : i32
    %sum = arith.addi %y, %c : i32
    linalg.yield %sum : i32
  } -> tensor<5xi32>
  return %z : tensor<5xi32>
}
func.func @subtracted(%x: tensor<4x3xi32>, %init: tensor<4x3xi32>) -> tensor<4x3xi32> {
  %flat_x = tensor.collapse_shape %x [[0, 1]] : tensor<4x3xi32> into tensor<12xi32>
  %flat = tensor.collapse_shape %init [[0, 1]] : tensor<4x3xi32> into tensor<12xi32>
  %y = arith.addi %flat_x, %flat : tensor<12xi32>
  %back = tensor.expand_shape %y [[0, 1]] output_shape [4, 3] : tensor<12xi32> into tensor<4x3xi32>
  %z = arith.subi %back, %init : tensor<4x3xi32>
  return %z : tensor<4x3xi32>
}
func.func @widened(%x: tensor<4x3xi8>) -> tensor<4x3xi32> {
  %flat = tensor.collapse_shape %x [[0, 1]] : tensor<4x3xi8> into tensor<12xi8>
  %back = tensor.expand_shape %flat [[0, 1]] output_shape [4, 3] : tensor<12xi8> into tensor<4x3xi8>
  %two = arith.addi %back, %x : tensor<4x3xi8>
  %z = arith.extsi %two : tensor<4x3xi8> to tensor<4x3xi32>
  return %z : tensor<4x3xi32>
}
func.func @saturated(%x: tensor<4x3xi32>) -> tensor<4x3xi32> {
  %most = arith.constant dense<127> : tensor<4x3xi32>
  %flat = tensor.collapse_shape %x [[0, 1]] : tensor<4x3xi32> into tensor<12xi32>
  %back = tensor.expand_shape %flat [[0, 1]] output_shape [4, 3] : tensor<12xi32> into tensor<4x3xi32>
  %bounded = arith.minsi %back, %most : tensor<4x3xi32>
  %z = arith.addi %bounded, %x : tensor<4x3xi32>
  return %z : tensor<4x3xi32>
}
func.func @not_cancelled_f32(%x: tensor<4x3xf32>, %init: tensor<4x3xf32>) -> tensor<4x3xf32> {
  %flat_x = tensor.collapse_shape %x [[0, 1]] : tensor<4x3xf32> into tensor<12xf32>
  %flat = tensor.collapse_shape %init [[0, 1]] : tensor<4x3xf32> into tensor<12xf32>
  %y = arith.addf %flat_x, %flat : tensor<12xf32>
  %back = tensor.expand_shape %y [[0, 1]] output_shape [4, 3] : tensor<12xf32> into tensor<4x3xf32>
  %z = arith.subf %back, %init : tensor<4x3xf32>
  return %z : tensor<4x3xf32>
}

//--- layers.mlir
// LAYERS: convoy-raise-linalg  @depthwise      certified
// LAYERS: convoy-raise-linalg  @depthwise_f32  certified
func.func @depthwise(%x: tensor<1x3x5x3xi8>, %w: tensor<2x3x3xi8>, %init: tensor<1x2x1x3xi32>) -> tensor<1x2x1x3xi32> {
  %y = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<[1, 2]> : tensor<2xi64>, strides = dense<[1, 1]> : tensor<2xi64>}
      ins(%x, %w : tensor<1x3x5x3xi8>, tensor<2x3x3xi8>) outs(%init : tensor<1x2x1x3xi32>) -> tensor<1x2x1x3xi32>
  %z = arith.addi %y, %init : tensor<1x2x1x3xi32>
  return %z : tensor<1x2x1x3xi32>
}
func.func @depthwise_f32(%x: tensor<1x3x5x3xf32>, %w: tensor<2x3x3xf32>, %init: tensor<1x2x1x3xf32>) -> tensor<1x2x1x3xf32> {
  %y = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<[1, 2]> : tensor<2xi64>, strides = dense<[1, 1]> : tensor<2xi64>}
      ins(%x, %w : tensor<1x3x5x3xf32>, tensor<2x3x3xf32>) outs(%init : tensor<1x2x1x3xf32>) -> tensor<1x2x1x3xf32>
  %z = arith.addf %y, %init : tensor<1x2x1x3xf32>
  return %z : tensor<1x2x1x3xf32>
}
