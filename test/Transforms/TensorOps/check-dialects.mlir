// RUN: convoy-opt %s --convoy-check-dialects | FileCheck %s

// CHECK-LABEL: func.func @leaves_others
// CHECK-SAME: (%[[INPUT:.*]]: tensor<2x3xf32>)
func.func @leaves_others(%input: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // CHECK-NEXT: return %[[INPUT]]
  return %input : tensor<2x3xf32>
}
