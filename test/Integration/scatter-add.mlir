// Sums at places that are arguments, some of which are no pixels.
// RUN: convoy-run %s --function=groups --target=cpu,vulkan,rocm-sim --check --data=int | FileCheck %s
// RUN: convoy-run %s --function=of_any_size --sizes=2,9,2,9,2,9,2,5 --check --data=int | FileCheck %s --check-prefix=SIZES
// CHECK: 1 case on cpu: 1 passed, 0 failed, {{.*}}, 1 exact
// CHECK-NEXT: 1 case on rocm-sim: 1 passed, 0 failed, {{.*}}, 1 exact
// CHECK-NEXT: 1 case on vulkan: 1 passed, 0 failed, {{.*}}, 1 exact
// SIZES: 1 case on cpu: 1 passed, 0 failed, {{.*}}, 1 exact
func.func @groups(%v: tensor<2x6x9xf32>, %p: tensor<2x2x9x4xi32>,
    %w: tensor<2x2x9x4xf32>, %init: tensor<2x6x5xf32>) -> tensor<2x6x5xf32> {
  %0 = convoy.scatter_add
      ins(%v, %p, %w : tensor<2x6x9xf32>, tensor<2x2x9x4xi32>, tensor<2x2x9x4xf32>)
      outs(%init : tensor<2x6x5xf32>)
  return %0 : tensor<2x6x5xf32>
}

func.func @of_any_size(%v: tensor<?x6x?xf32>, %p: tensor<?x2x?x4xi32>,
    %w: tensor<?x2x?x4xf32>, %init: tensor<?x6x?xf32>) -> tensor<?x6x?xf32> {
  %0 = convoy.scatter_add
      ins(%v, %p, %w : tensor<?x6x?xf32>, tensor<?x2x?x4xi32>, tensor<?x2x?x4xf32>)
      outs(%init : tensor<?x6x?xf32>)
  return %0 : tensor<?x6x?xf32>
}
