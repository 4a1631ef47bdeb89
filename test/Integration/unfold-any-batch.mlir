// One kernel for batches of any size.
// RUN: convoy-run %s --target=cpu,vulkan,rocm-sim --check --data=int --sizes=1 --sizes=5 --quiet | FileCheck %s
// CHECK-DAG: 2 cases on cpu: 2 passed, 0 failed, {{.*}}, 2 exact
// CHECK-DAG: 2 cases on vulkan: 2 passed, 0 failed, {{.*}}, 2 exact
// CHECK-DAG: 2 cases on rocm-sim: 2 passed, 0 failed, {{.*}}, 2 exact

func.func @any_batch(%x: tensor<?x3x9x7xf16>) -> tensor<?x5x4x3x3x2xf16> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x3x9x7xf16>
  %0 = convoy.im2col %x sizes(%n) layout(nchw, nhw|chw)
      window(stride = [2, 2], pad = [[1, 1], [1, 0]])
      : tensor<?x3x9x7xf16> -> tensor<?x5x4x3x3x2xf16>
  return %0 : tensor<?x5x4x3x3x2xf16>
}
