// One kernel for batches of any size.
// RUN: convoy-run %s --target=cpu,vulkan,rocm-sim --check --data=int --sizes=1 --sizes=5 --quiet | FileCheck %s
// CHECK-DAG: 4 cases on cpu: 4 passed, 0 failed, {{.*}}, 4 exact
// CHECK-DAG: 4 cases on vulkan: 4 passed, 0 failed, {{.*}}, 4 exact
// CHECK-DAG: 4 cases on rocm-sim: 4 passed, 0 failed, {{.*}}, 4 exact

func.func @pad(%x: tensor<?x5x4x3xf32>) -> tensor<?x9x6x3xf32> {
  %0 = convoy.pad %x mode(reflect) low[0, 3, 1, 0] high[0, 1, 1, 0]
      : tensor<?x5x4x3xf32> -> tensor<?x9x6x3xf32>
  return %0 : tensor<?x9x6x3xf32>
}

func.func @pad_backward(%y: tensor<?x3x9x6xf16>) -> tensor<?x3x5x4xf16> {
  %0 = convoy.pad_backward %y mode(circular) low[0, 0, 3, 1] high[0, 0, 1, 1]
      : tensor<?x3x9x6xf16> -> tensor<?x3x5x4xf16>
  return %0 : tensor<?x3x5x4xf16>
}
