// RUN: convoy-run %s --function=sum --target=cpu,vulkan,rocm-sim --check | FileCheck %s --check-prefix=ALL
// RUN: convoy-run %s --function=matmul --target=cpu,vulkan,rocm-sim --check | FileCheck %s --check-prefix=ALL
// RUN: convoy-run %s --function=last --target=cpu,vulkan,rocm-sim --check --input=0x3xf32 --input=3xf32=1,2,3 | FileCheck %s --check-prefix=LAST
// RUN: convoy-run %s --function=last --target=cpu,vulkan,rocm-sim --check --input=2x3xf32=1,2,3,4,5,6 --input=3xf32=0 | FileCheck %s --check-prefix=ROWS
// RUN: convoy-run %s --function=every_other --target=cpu --check --input=3xf32=1,2,3 --input=5xf32=7,8,9,10,11 | FileCheck %s --check-prefix=HOLES

// A reduction of nothing is what it begins with; so is what no iteration of an
// op that overwrites its init reaches.

// ALL-DAG: {{^}}passed  cpu {{.*}} exact
// ALL-DAG: {{^}}passed  vulkan {{.*}} exact
// ALL-DAG: {{^}}passed  rocm-sim {{.*}} exact
func.func @sum(%x: tensor<3x0xf32>) -> tensor<3xf32> {
  %c = arith.constant 1.5 : f32
  %e = tensor.empty() : tensor<3xf32>
  %f = linalg.fill ins(%c : f32) outs(%e : tensor<3xf32>) -> tensor<3xf32>
  %r = linalg.reduce ins(%x : tensor<3x0xf32>) outs(%f : tensor<3xf32>) dimensions = [1]
    (%a: f32, %b: f32) {
      %s = arith.addf %a, %b : f32
      linalg.yield %s : f32
    }
  return %r : tensor<3xf32>
}

func.func @matmul(%x: tensor<3x0xf32>, %y: tensor<0x5xf32>, %z: tensor<3x5xf32>) -> tensor<3x5xf32> {
  %r = linalg.matmul ins(%x, %y : tensor<3x0xf32>, tensor<0x5xf32>) outs(%z : tensor<3x5xf32>) -> tensor<3x5xf32>
  return %r : tensor<3x5xf32>
}

// LAST-DAG: cpu: 3xf32=1 2 3
// LAST-DAG: vulkan: 3xf32=1 2 3
// LAST-DAG: rocm-sim: 3xf32=1 2 3
// ROWS-DAG: cpu: 3xf32=4 5 6
// ROWS-DAG: vulkan: 3xf32=4 5 6
// ROWS-DAG: rocm-sim: 3xf32=4 5 6
func.func @last(%x: tensor<?x3xf32>, %y: tensor<3xf32>) -> tensor<3xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>], iterator_types = ["reduction", "parallel"]}
      ins(%x : tensor<?x3xf32>) outs(%y : tensor<3xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<3xf32>
  return %r : tensor<3xf32>
}

// HOLES: 5xf32=1 8 2 10 3
func.func @every_other(%x: tensor<3xf32>, %y: tensor<5xf32>) -> tensor<5xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (2 * i)>], iterator_types = ["parallel"]}
      ins(%x : tensor<3xf32>) outs(%y : tensor<5xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<5xf32>
  return %r : tensor<5xf32>
}
