// Each channel of the filter has a zero point of its own: exact on all targets.
// RUN: convoy-run %s --target=cpu,vulkan,rocm-sim --check --certify --quiet | FileCheck %s
// CHECK-DAG: 7 cases on cpu: 7 passed, 0 failed, 7 certified
// CHECK-DAG: 7 cases on vulkan: 7 passed, 0 failed, 7 certified
// CHECK-DAG: 7 cases on rocm-sim: 7 passed, 0 failed, 7 certified

// The sums of (3 - 1) * (5 - 4), (3 - 1) * (6 - -2) and (3 - 1) * (7 - 8).
// RUN: convoy-run %s --function=numbers --input=1x1x1xi8=3 --input=1x1x3xi8=5,6,7 --input=3xi32=4,-2,8 --target=cpu,vulkan,rocm-sim --output=- | FileCheck %s --check-prefix=NUMBERS
// NUMBERS: 1x1x3xi32={{\[\[}}2 16 -2]]
func.func @numbers(%x: tensor<1x1x1xi8>, %w: tensor<1x1x3xi8>, %zw: tensor<3xi32>) -> tensor<1x1x3xi32> {
  %one = arith.constant 1 : i32
  %init = arith.constant dense<0> : tensor<1x1x3xi32>
  %y = convoy.conv ins(%x, %w : tensor<1x1x1xi8>, tensor<1x1x3xi8>) outs(%init : tensor<1x1x3xi32>)
      zero_points(%one, %zw : i32, tensor<3xi32>) layout(nwc x wcf -> nwf)
  return %y : tensor<1x1x3xi32>
}

func.func @bytes(%x: tensor<2x9x7x5xi8>, %w: tensor<3x2x5x19xi8>, %init: tensor<2x5x4x19xi32>, %zw: tensor<19xi32>) -> tensor<2x5x4x19xi32> {
  %zx = arith.constant 77 : i32
  %y = convoy.conv ins(%x, %w : tensor<2x9x7x5xi8>, tensor<3x2x5x19xi8>) outs(%init : tensor<2x5x4x19xi32>)
      zero_points(%zx, %zw : i32, tensor<19xi32>) layout(nhwc x hwcf -> nhwf)
      window(stride = [2, 2], pad = [[1, 1], [0, 1]]) numerics(input = unsigned, filter = unsigned)
  return %y : tensor<2x5x4x19xi32>
}

func.func @groups(%x: tensor<1x3x4x11xi8>, %w: tensor<3x5x4x3xi8>, %init: tensor<1x3x5x9xi32>, %zw: tensor<15xi32>) -> tensor<1x3x5x9xi32> {
  %zx = arith.constant 0 : i32
  %y = convoy.conv ins(%x, %w : tensor<1x3x4x11xi8>, tensor<3x5x4x3xi8>) outs(%init : tensor<1x3x5x9xi32>)
      zero_points(%zx, %zw : i32, tensor<15xi32>) layout(ngcw x gfcw -> ngfw)
  return %y : tensor<1x3x5x9xi32>
}

func.func @depthwise(%x: tensor<1x9x8x17xi8>, %w: tensor<3x3x17x1x1xi8>, %init: tensor<1x9x8x17x1xi32>, %zw: tensor<17xi32>) -> tensor<1x9x8x17x1xi32> {
  %zx = arith.constant -5 : i32
  %apart = tensor.expand_shape %x [[0], [1], [2], [3, 4]] output_shape [1, 9, 8, 17, 1] : tensor<1x9x8x17xi8> into tensor<1x9x8x17x1xi8>
  %y = convoy.conv ins(%apart, %w : tensor<1x9x8x17x1xi8>, tensor<3x3x17x1x1xi8>) outs(%init : tensor<1x9x8x17x1xi32>)
      zero_points(%zx, %zw : i32, tensor<17xi32>) layout(nhwgc x hwgcf -> nhwgf) window(pad = [[1, 1], [1, 1]])
  return %y : tensor<1x9x8x17x1xi32>
}

func.func @transposed(%x: tensor<1x5x4x6xi8>, %w: tensor<6x7x3x2xi8>, %init: tensor<1x11x8x7xi32>, %zw: tensor<7xi32>) -> tensor<1x11x8x7xi32> {
  %zx = arith.constant 3 : i32
  %y = convoy.conv_transpose ins(%x, %w : tensor<1x5x4x6xi8>, tensor<6x7x3x2xi8>) outs(%init : tensor<1x11x8x7xi32>)
      zero_points(%zx, %zw : i32, tensor<7xi32>) layout(nhwc x cfhw -> nhwf) window(stride = [2, 2])
  return %y : tensor<1x11x8x7xi32>
}

func.func @constants(%x: tensor<1x9x4xi8>, %w: tensor<3x4x3xi8>, %init: tensor<1x7x3xi32>) -> tensor<1x7x3xi32> {
  %zx = arith.constant 100 : i32
  %zw = arith.constant dense<[-128, 0, 127]> : tensor<3xi32>
  %y = convoy.conv ins(%x, %w : tensor<1x9x4xi8>, tensor<3x4x3xi8>) outs(%init : tensor<1x7x3xi32>)
      zero_points(%zx, %zw : i32, tensor<3xi32>) layout(nwc x wcf -> nwf)
  return %y : tensor<1x7x3xi32>
}

#input = affine_map<(n, o, f, c, k) -> (n, o + k, c)>
#filter = affine_map<(n, o, f, c, k) -> (k, c, f)>
#zeros = affine_map<(n, o, f, c, k) -> (f)>
#output = affine_map<(n, o, f, c, k) -> (n, o, f)>
func.func @from_linalg(%x: tensor<1x9x2xi8>, %w: tensor<3x2x5xi8>, %zw: tensor<5xi8>, %init: tensor<1x7x5xi32>) -> tensor<1x7x5xi32> {
  %y = linalg.generic {indexing_maps = [#input, #filter, #zeros, #output],
      iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %w, %zw : tensor<1x9x2xi8>, tensor<3x2x5xi8>, tensor<5xi8>) outs(%init : tensor<1x7x5xi32>) {
  ^bb0(%a: i8, %b: i8, %z: i8, %acc: i32):
    %aa = arith.extsi %a : i8 to i32
    %bb = arith.extsi %b : i8 to i32
    %zz = arith.extsi %z : i8 to i32
    %shifted = arith.subi %bb, %zz : i32
    %product = arith.muli %aa, %shifted : i32
    %sum = arith.addi %acc, %product : i32
    linalg.yield %sum : i32
  } -> tensor<1x7x5xi32>
  return %y : tensor<1x7x5xi32>
}
