// The dialect and the passes load into a stock mlir-opt. Its binary has no
// sanitizer runtime for a plugin that needs one.

// UNSUPPORTED: asan
// RUN: %mlir-opt %s --load-dialect-plugin=%convoy_lib_dir/ConvoyPlugin.so \
// RUN:     --load-pass-plugin=%convoy_lib_dir/ConvoyPlugin.so \
// RUN:     --pass-pipeline='builtin.module(convoy-conv-to-im2col)' | FileCheck %s
// RUN: not %mlir-opt %s 2>&1 | FileCheck %s --check-prefix=STOCK

// STOCK: Dialect `convoy' not found for custom op 'convoy.conv'

// CHECK-LABEL: func.func @conv
func.func @conv(%input: tensor<2x7x3xf32>, %filter: tensor<3x3x5xf32>,
                %init: tensor<2x5x5xf32>) -> tensor<2x5x5xf32> {
  // CHECK: %[[ROWS:.*]] = convoy.im2col
  // CHECK: linalg.generic {{.*}}ins(%[[ROWS]],
  // CHECK-NOT: convoy.conv
  %result = convoy.conv
      ins(%input, %filter : tensor<2x7x3xf32>, tensor<3x3x5xf32>)
      outs(%init : tensor<2x5x5xf32>) layout(nwc x wcf -> nwf)
  return %result : tensor<2x5x5xf32>
}
