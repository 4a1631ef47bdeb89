// RUN: convoy-opt --convoy-raise-tosa %s | FileCheck %s

// CHECK-LABEL: func @sigmoid(
// CHECK: %[[WIDE:.+]] = tosa.cast %{{.+}} : (tensor<2x3xf16>) -> tensor<2x3xf32>
// CHECK: %[[SIGMOID:.+]] = tosa.sigmoid %[[WIDE]] : (tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK: tosa.cast %[[SIGMOID]] : (tensor<2x3xf32>) -> tensor<2x3xf16>
func.func @sigmoid(%x: tensor<2x3xf16>) -> tensor<2x3xf16> {
  %y = tosa.sigmoid %x : (tensor<2x3xf16>) -> tensor<2x3xf16>
  return %y : tensor<2x3xf16>
}
