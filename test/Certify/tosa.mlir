// TOSA's convolutions and elementwise ops mean what its specification says.
// RUN: convoy-opt %s --convoy-certify-each --pass-pipeline='builtin.module(convoy-raise-tosa,tosa-to-arith,tosa-to-tensor,func.func(tosa-to-linalg-named,tosa-to-linalg))' -o %t.mlir 2>&1 | FileCheck %s --check-prefix=PASSES
// RUN: convoy-certify %s %t.mlir | FileCheck %s --check-prefix=WHOLE --implicit-check-not=undecided
// RUN: sed -e 's/pad = \[\[1, 0\], \[0, 0\]\]/pad = [[0, 1], [0, 0]]/' -e 's/pad = \[\[-1, 0\], \[0, 0\]\]/pad = [[0, -1], [0, 0]]/' -e 's/maximumf/minimumf/' %t.mlir > %t.edited.mlir
// RUN: not convoy-certify %s %t.edited.mlir | FileCheck %s --check-prefix=EDITED
// PASSES: convoy-opt: certified {{[0-9]+}} changes of functions in
// WHOLE-COUNT-7: certified: @
// EDITED-DAG: different: @conv2d: element [{{.*}}]: the second function lacks argument0
// EDITED-DAG: different: @transpose_conv2d:
// EDITED-DAG: undecided: @elementwise: {{.*}}terms that differ as they are written
// EDITED-DAG: certified: @conv3d:

func.func @conv2d(%x: tensor<2x8x7x4xf32>, %w: tensor<5x3x2x4xf32>, %b: tensor<5xf32>) -> tensor<2x4x6x5xf32> {
  %zero = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %0 = tosa.conv2d %x, %w, %b, %zero, %zero {acc_type = f32, pad = array<i64: 1, 0, 0, 0>, stride = array<i64: 2, 1>, dilation = array<i64: 1, 1>}
      : (tensor<2x8x7x4xf32>, tensor<5x3x2x4xf32>, tensor<5xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x4x6x5xf32>
  return %0 : tensor<2x4x6x5xf32>
}

func.func @conv3d(%x: tensor<1x4x6x5x2xf32>, %w: tensor<3x2x3x1x2xf32>) -> tensor<1x3x4x5x3xf32> {
  %zero = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %b = "tosa.const"() {values = dense<[1.0, 2.0, 3.0]> : tensor<3xf32>} : () -> tensor<3xf32>
  %0 = tosa.conv3d %x, %w, %b, %zero, %zero {acc_type = f32, pad = array<i64: 0, 0, 0, 0, 0, 0>, stride = array<i64: 1, 1, 1>, dilation = array<i64: 1, 1, 1>}
      : (tensor<1x4x6x5x2xf32>, tensor<3x2x3x1x2xf32>, tensor<3xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x3x4x5x3xf32>
  return %0 : tensor<1x3x4x5x3xf32>
}

func.func @depthwise_conv2d(%x: tensor<1x7x9x4xf32>, %w: tensor<3x2x4x2xf32>, %b: tensor<1xf32>) -> tensor<1x5x8x8xf32> {
  %zero = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %0 = tosa.depthwise_conv2d %x, %w, %b, %zero, %zero {acc_type = f32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>}
      : (tensor<1x7x9x4xf32>, tensor<3x2x4x2xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x5x8x8xf32>
  return %0 : tensor<1x5x8x8xf32>
}

func.func @transpose_conv2d(%x: tensor<1x4x3x2xf32>, %w: tensor<2x3x2x2xf32>, %b: tensor<2xf32>) -> tensor<1x10x4x2xf32> {
  %zero = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %0 = tosa.transpose_conv2d %x, %w, %b, %zero, %zero {acc_type = f32, out_pad = array<i64: 1, 0, 0, 0>, stride = array<i64: 2, 1>}
      : (tensor<1x4x3x2xf32>, tensor<2x3x2x2xf32>, tensor<2xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x10x4x2xf32>
  return %0 : tensor<1x10x4x2xf32>
}

func.func @zero_points(%x: tensor<1x4x4x3xi8>, %w: tensor<2x3x3x3xi8>, %b: tensor<2xi32>, %zx: tensor<1xi8>) -> tensor<1x2x2x2xi32> {
  %zw = "tosa.const"() {values = dense<-3> : tensor<1xi8>} : () -> tensor<1xi8>
  %0 = tosa.conv2d %x, %w, %b, %zx, %zw {acc_type = i32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>}
      : (tensor<1x4x4x3xi8>, tensor<2x3x3x3xi8>, tensor<2xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x2x2x2xi32>
  return %0 : tensor<1x2x2x2xi32>
}

func.func @elementwise(%x: tensor<3x4xf32>, %y: tensor<1x4xf32>) -> tensor<3x4xf32> {
  %0 = tosa.add %x, %y : (tensor<3x4xf32>, tensor<1x4xf32>) -> tensor<3x4xf32>
  %1 = tosa.tanh %0 : (tensor<3x4xf32>) -> tensor<3x4xf32>
  %2 = tosa.maximum %1, %y : (tensor<3x4xf32>, tensor<1x4xf32>) -> tensor<3x4xf32>
  %3 = tosa.clamp %2 {min_val = -1.0 : f32, max_val = 2.0 : f32} : (tensor<3x4xf32>) -> tensor<3x4xf32>
  return %3 : tensor<3x4xf32>
}

func.func @places(%x: tensor<3x4xf32>) -> tensor<6x2xf32> {
  %shape = tosa.const_shape {values = dense<[2, 6]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %0 = tosa.reshape %x, %shape : (tensor<3x4xf32>, !tosa.shape<2>) -> tensor<2x6xf32>
  %1 = tosa.transpose %0 {perms = array<i32: 1, 0>} : (tensor<2x6xf32>) -> tensor<6x2xf32>
  %2 = tosa.identity %1 : (tensor<6x2xf32>) -> tensor<6x2xf32>
  return %2 : tensor<6x2xf32>
}
