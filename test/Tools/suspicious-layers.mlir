// A layer that is within its bound, but further off than rounding makes it, is
// named: here one that rounds its input to bf16, whose sums of 6912 products have a
// bound of 0.0004 of all their magnitudes.

// RUN: sed -e 's,// rounded: ,,' -e 's/ins(%relu0, %w1/ins(%rounded, %w1/' %s > %t.rounded.mlir
// RUN: convoy-diff %s %t.rounded.mlir --data=uniform --json=%t.json | FileCheck %s
// CHECK: first layer outside its bound: none
// CHECK-NEXT: first layer beyond what its inputs explain: none
// CHECK-NEXT: first suspicious layer: conv1 ({{.*}}.rounded.mlir)
// CHECK-NEXT: error/bound 0.{{.*}} {{[1-9][0-9]*}} suspicious, worst at result 0 [{{.*probably within.*$}}
// CHECK-NOT: {{.}}
// RUN: FileCheck %s --check-prefix=JSON --input-file=%t.json
// JSON: "first_outside": null,
// JSON-NEXT: "first_suspicious": {
// JSON-NEXT: "layer": "conv1",
// JSON-NEXT: "side": "{{.*}}.rounded.mlir"
// JSON-NEXT: },
// JSON-NEXT: "first_unexplained": null,
// JSON: "name": "conv1"
// JSON: "suspicious": 0,
// JSON: "suspicious": {{[1-9]}}
// JSON: "verdict": "suspicious",
// RUN: sh -c 'convoy-diff %s %t.rounded.mlir --data=uniform --Werror=suspicious; test $? = 2' | FileCheck %s
// RUN: convoy-diff %s --targets=cpu,rocm-sim --data=uniform --Werror=suspicious | FileCheck %s --check-prefix=RIGHT
// RIGHT: first layer beyond what its inputs explain: none
// RIGHT-NOT: {{.}}

// Not of data from declared ranges, or of their ends; nor where the signs of the
// filter are no chance, since another layer reads it.
// RUN: convoy-diff %s %t.rounded.mlir --data=edge | FileCheck %s --check-prefix=RIGHT
// RUN: convoy-diff %s %t.rounded.mlir --data=uniform --range=2=-1:1:0.01 | FileCheck %s --check-prefix=RIGHT
// RUN: sed -e 's,// again: ,,' -e 's/return %conv1 /return %again /' %s > %t.twice.mlir
// RUN: sed -e 's,// again: ,,' -e 's/return %conv1 /return %again /' %t.rounded.mlir > %t.twice-rounded.mlir
// RUN: convoy-diff %t.twice.mlir %t.twice-rounded.mlir --data=uniform | FileCheck %s --check-prefix=RIGHT

// RUN: not convoy-diff %s --targets=cpu,cpu --Werror=range 2>&1 | FileCheck %s --check-prefix=KIND
// KIND: convoy-diff: expected suspicious for '--Werror', but got 'range'

func.func @network(%x: tensor<1x4x4x64xf32>, %w0: tensor<1x1x64x768xf32>, %w1: tensor<3x3x768x8xf32>) -> tensor<1x2x2x8xf32> {
  %zero = arith.constant 0.0 : f32
  %empty0 = tensor.empty() : tensor<1x4x4x768xf32>
  %empty1 = tensor.empty() : tensor<1x2x2x8xf32>
  %zeros0 = linalg.fill ins(%zero : f32) outs(%empty0 : tensor<1x4x4x768xf32>) -> tensor<1x4x4x768xf32>
  %zeros1 = linalg.fill ins(%zero : f32) outs(%empty1 : tensor<1x2x2x8xf32>) -> tensor<1x2x2x8xf32>
  %sums0 = linalg.conv_2d_nhwc_hwcf ins(%x, %w0 : tensor<1x4x4x64xf32>, tensor<1x1x64x768xf32>) outs(%zeros0 : tensor<1x4x4x768xf32>) -> tensor<1x4x4x768xf32>
  %conv0 = convoy.trace "conv0" %sums0 : tensor<1x4x4x768xf32>
  %larger = linalg.max ins(%conv0, %zeros0 : tensor<1x4x4x768xf32>, tensor<1x4x4x768xf32>) outs(%empty0 : tensor<1x4x4x768xf32>) -> tensor<1x4x4x768xf32>
  %relu0 = convoy.trace "relu0" %larger : tensor<1x4x4x768xf32>
  // rounded: %narrow = arith.truncf %relu0 : tensor<1x4x4x768xf32> to tensor<1x4x4x768xbf16>
  // rounded: %rounded = arith.extf %narrow : tensor<1x4x4x768xbf16> to tensor<1x4x4x768xf32>
  %sums1 = linalg.conv_2d_nhwc_hwcf ins(%relu0, %w1 : tensor<1x4x4x768xf32>, tensor<3x3x768x8xf32>) outs(%zeros1 : tensor<1x2x2x8xf32>) -> tensor<1x2x2x8xf32>
  %conv1 = convoy.trace "conv1" %sums1 : tensor<1x2x2x8xf32>
  // again: %sums2 = linalg.conv_2d_nhwc_hwcf ins(%conv0, %w1 : tensor<1x4x4x768xf32>, tensor<3x3x768x8xf32>) outs(%conv1 : tensor<1x2x2x8xf32>) -> tensor<1x2x2x8xf32>
  // again: %again = convoy.trace "again" %sums2 : tensor<1x2x2x8xf32>
  return %conv1 : tensor<1x2x2x8xf32>
}
