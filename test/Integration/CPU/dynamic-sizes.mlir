// Kernels of dynamic sizes: one compiled kernel gives the exact sums on data of
// several sizes.
// RUN: split-file %s %t

// Forward, 2-D, everything dynamic: batch, image, channels and taps.
// RUN: convoy-run %t/all.mlir --check --data=int \
// RUN:   --sizes=2,9,7,5,3,2,5,6,2,5,8,6 --sizes=1,4,6,3,3,4,3,17,1,2,5,17 --sizes=3,1,1,33,1,1,33,1,3,1,3,1 \
// RUN:   --sizes=0,9,7,5,3,2,5,6,0,5,8,6 | FileCheck %s --check-prefix=FOUR

// Dynamic batch and image, channels known.
// RUN: convoy-run %t/image.mlir --check --data=int --sizes=2,9,7,2,7,6 --sizes=3,20,19,3,18,18 \
// RUN:   --sizes=1,3,2,1,1,1 --sizes=1,2,9,1,0,8 | FileCheck %s --check-prefix=FOUR
// RUN: convoy-run %t/backward-data.mlir --check --data=int --sizes=2,9,7,2,9,7 --sizes=1,30,2,1,30,2 \
// RUN:   --sizes=4,1,1,4,1,1 --sizes=0,5,6,0,5,6 | FileCheck %s --check-prefix=FOUR
// RUN: convoy-run %t/strided-data.mlir --check --data=int --sizes=2,5,3,2,9,7 --sizes=1,1,1,1,1,1 \
// RUN:   --sizes=3,5,3,3,10,8 --sizes=0,5,3,0,10,8 | FileCheck %s --check-prefix=FOUR
// RUN: convoy-run %t/backward-filter.mlir --check --data=int --sizes=2,9,7,2,5,7 --sizes=1,8,12,1,4,12 \
// RUN:   --sizes=6,1,1,6,1,1 --sizes=0,8,12,0,4,12 | FileCheck %s --check-prefix=FOUR

// 1-D: f16 with sums in f32, i8, channels in the middle, groups.
// RUN: convoy-run %t/f16.mlir --check --data=int --sizes=2,9,2,10 --sizes=1,31,1,32 --sizes=3,1,3,2 --sizes=1,64,1,65 \
// RUN:   | FileCheck %s --check-prefix=FOUR
// RUN: convoy-run %t/i8.mlir --check --data=int --sizes=2,9,2,10 --sizes=5,1,5,2 --sizes=1,70,1,71 --sizes=2,2,2,3 \
// RUN:   | FileCheck %s --check-prefix=FOUR
// RUN: convoy-run %t/groups.mlir --check --data=int --sizes=2,9,3,3,4 --sizes=1,30,1,1,1 \
// RUN:   --sizes=3,2,8,8,9 --sizes=2,1,2,2,17 | FileCheck %s --check-prefix=FOUR

// Channels that raising takes apart into groups.
// RUN: convoy-run %t/depthwise.mlir --check --data=int --sizes=2,9,2,7 --sizes=1,3,1,1 --sizes=5,30,5,28 --sizes=0,4,0,2 \
// RUN:   | FileCheck %s --check-prefix=FOUR

// The result's sizes are computed from the inputs'; values of one's own.
// RUN: convoy-run %t/computed.mlir --check --data=int --sizes=2,9,5,5,33 --sizes=1,4,3,3,2 --sizes=7,2,1,1,1 --sizes=1,65,8,8,16 \
// RUN:   | FileCheck %s --check-prefix=FOUR
// RUN: convoy-run %t/computed.mlir --check --input=2x3x2xf32=1,2,3,4,5,6,7,8,9,10,11,12 --input=2x2x1xf32=1,2,3,4 \
// RUN:   | FileCheck %s --check-prefix=VALUES
// VALUES: 2x2x1xf32={{\[\[}}30][50]{{\]\[\[}}90][110]]
// VALUES: 1 case on cpu: 1 passed

// FOUR-COUNT-4: passed
// FOUR:         4 cases on cpu: 4 passed, 0 failed, worst error/bound 0.0000

//--- all.mlir
func.func @all(%x: tensor<?x?x?x?xf32>, %w: tensor<?x?x?x?xf32>, %init: tensor<?x?x?x?xf32>) -> tensor<?x?x?x?xf32> {
  %y = convoy.conv ins(%x, %w : tensor<?x?x?x?xf32>, tensor<?x?x?x?xf32>) outs(%init : tensor<?x?x?x?xf32>)
      layout(nhwc x hwcf -> nhwf) window(stride = [2, 1], pad = [[1, 1], [0, 2]])
  return %y : tensor<?x?x?x?xf32>
}
//--- image.mlir
func.func @image(%x: tensor<?x?x?x5xf32>, %w: tensor<3x2x5x7xf32>, %init: tensor<?x?x?x7xf32>) -> tensor<?x?x?x7xf32> {
  %y = convoy.conv ins(%x, %w : tensor<?x?x?x5xf32>, tensor<3x2x5x7xf32>) outs(%init : tensor<?x?x?x7xf32>)
      layout(nhwc x hwcf -> nhwf)
  return %y : tensor<?x?x?x7xf32>
}
//--- backward-data.mlir
func.func @backward_data(%dy: tensor<?x?x?x7xf32>, %w: tensor<3x2x5x7xf32>, %init: tensor<?x?x?x5xf32>) -> tensor<?x?x?x5xf32> {
  %dx = convoy.conv_backward_data ins(%dy, %w : tensor<?x?x?x7xf32>, tensor<3x2x5x7xf32>) outs(%init : tensor<?x?x?x5xf32>)
      layout(nhwc x hwcf -> nhwf) window(pad = [[1, 1], [0, 1]])
  return %dx : tensor<?x?x?x5xf32>
}
//--- strided-data.mlir
func.func @strided_data(%dy: tensor<?x?x?x7xf32>, %w: tensor<3x2x5x7xf32>, %init: tensor<?x?x?x5xf32>) -> tensor<?x?x?x5xf32> {
  %dx = convoy.conv_backward_data ins(%dy, %w : tensor<?x?x?x7xf32>, tensor<3x2x5x7xf32>) outs(%init : tensor<?x?x?x5xf32>)
      layout(nhwc x hwcf -> nhwf) window(stride = [2, 3], pad = [[1, 1], [0, 1]])
  return %dx : tensor<?x?x?x5xf32>
}
//--- backward-filter.mlir
func.func @backward_filter(%x: tensor<?x?x?x5xf32>, %dy: tensor<?x?x?x7xf32>, %init: tensor<3x2x5x7xf32>) -> tensor<3x2x5x7xf32> {
  %dw = convoy.conv_backward_filter ins(%x, %dy : tensor<?x?x?x5xf32>, tensor<?x?x?x7xf32>) outs(%init : tensor<3x2x5x7xf32>)
      layout(nhwc x hwcf -> nhwf) window(stride = [2, 1], pad = [[1, 1], [0, 1]])
  return %dw : tensor<3x2x5x7xf32>
}
//--- f16.mlir
func.func @half(%x: tensor<?x?x5xf16>, %w: tensor<2x5x7xf16>, %init: tensor<?x?x7xf16>) -> tensor<?x?x7xf16> {
  %y = convoy.conv ins(%x, %w : tensor<?x?x5xf16>, tensor<2x5x7xf16>) outs(%init : tensor<?x?x7xf16>)
      layout(nwc x wcf -> nwf) window(pad = [[1, 1]]) numerics(accumulator = f32)
  return %y : tensor<?x?x7xf16>
}
//--- i8.mlir
func.func @bytes(%x: tensor<?x5x?xi8>, %w: tensor<7x5x2xi8>, %init: tensor<?x7x?xi32>) -> tensor<?x7x?xi32> {
  %y = convoy.conv ins(%x, %w : tensor<?x5x?xi8>, tensor<7x5x2xi8>) outs(%init : tensor<?x7x?xi32>)
      layout(ncw x fcw -> nfw) window(pad = [[1, 1]])
  return %y : tensor<?x7x?xi32>
}
//--- groups.mlir
func.func @groups(%x: tensor<?x?x?x3xf32>, %w: tensor<?x?x3x3xf32>) -> tensor<?x?x?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?x?x?x3xf32>
  %g = tensor.dim %x, %c2 : tensor<?x?x?x3xf32>
  %i = tensor.dim %x, %c1 : tensor<?x?x?x3xf32>
  %f = tensor.dim %w, %c1 : tensor<?x?x3x3xf32>
  %empty = tensor.empty(%n, %i, %g, %f) : tensor<?x?x?x?xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<?x?x?x?xf32>) -> tensor<?x?x?x?xf32>
  %y = convoy.conv ins(%x, %w : tensor<?x?x?x3xf32>, tensor<?x?x3x3xf32>) outs(%init : tensor<?x?x?x?xf32>)
      layout(nwgc x gfwc -> nwgf) window(pad = [[1, 1]])
  return %y : tensor<?x?x?x?xf32>
}
//--- depthwise.mlir
func.func @depthwise(%x: tensor<?x?x5x2xf32>, %w: tensor<3x2x2x4xf32>, %init: tensor<?x?x4x2x4xf32>) -> tensor<?x?x4x2x4xf32> {
  %y = linalg.depthwise_conv_2d_nhwc_hwcm ins(%x, %w : tensor<?x?x5x2xf32>, tensor<3x2x2x4xf32>)
      outs(%init : tensor<?x?x4x2x4xf32>) -> tensor<?x?x4x2x4xf32>
  return %y : tensor<?x?x4x2x4xf32>
}
//--- computed.mlir
func.func @computed(%x: tensor<?x?x?xf32>, %w: tensor<2x?x?xf32>) -> tensor<?x?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?x?x?xf32>
  %i = tensor.dim %x, %c1 : tensor<?x?x?xf32>
  %f = tensor.dim %w, %c2 : tensor<2x?x?xf32>
  %o = arith.subi %i, %c1 : index
  %empty = tensor.empty(%n, %o, %f) : tensor<?x?x?xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %y = convoy.conv ins(%x, %w : tensor<?x?x?xf32>, tensor<2x?x?xf32>) outs(%init : tensor<?x?x?xf32>)
      layout(nwc x wcf -> nwf)
  return %y : tensor<?x?x?xf32>
}
