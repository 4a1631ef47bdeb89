// One kernel for batches of any size.
// RUN: convoy-run %s --target=cpu,vulkan,rocm-sim --check --data=int --sizes=1 --sizes=5 --quiet | FileCheck %s
// CHECK-DAG: 2 cases on cpu: 2 passed, 0 failed, {{.*}}, 2 exact
// CHECK-DAG: 2 cases on vulkan: 2 passed, 0 failed, {{.*}}, 2 exact
// CHECK-DAG: 2 cases on rocm-sim: 2 passed, 0 failed, {{.*}}, 2 exact

func.func @any_batch(%y: tensor<?x5x4x3x3x2xf32>) -> tensor<?x3x9x7xf32> {
  %0 = convoy.col2im %y layout(nchw, nhw|chw)
      window(stride = [2, 2], pad = [[1, 1], [1, 0]])
      : tensor<?x5x4x3x3x2xf32> -> tensor<?x3x9x7xf32>
  return %0 : tensor<?x3x9x7xf32>
}
