// RUN: convoy-opt %s --convoy-contract-floats | FileCheck %s

gpu.module @kernels {
  // CHECK-LABEL: gpu.func @multiply_add(
  gpu.func @multiply_add(%x: vector<4xf32>, %y: vector<4xf32>, %s: vector<4xf32>) kernel {
    // CHECK: %[[P:.*]] = arith.mulf %{{.*}}, %{{.*}} fastmath<contract> : vector<4xf32>
    // CHECK: arith.addf %[[P]], %{{.*}} fastmath<contract> : vector<4xf32>
    %p = arith.mulf %x, %y : vector<4xf32>
    %r = arith.addf %p, %s : vector<4xf32>
    gpu.return
  }

  // What is rounded by itself stays so.
  // CHECK-LABEL: gpu.func @uncontracted(
  gpu.func @uncontracted(%x: f32, %y: f32, %s: f32) kernel {
    // CHECK: %[[P:.*]] = arith.mulf %{{.*}}, %{{.*}} {convoy.uncontracted} : f32
    // CHECK: arith.addf %[[P]], %{{.*}} {convoy.uncontracted} : f32
    %p = arith.mulf %x, %y {convoy.uncontracted} : f32
    %r = arith.addf %p, %s {convoy.uncontracted} : f32
    gpu.return
  }

  // What is there stays.
  // CHECK-LABEL: gpu.func @others(
  gpu.func @others(%x: f16, %i: i32) kernel {
    // CHECK: arith.addf %{{.*}}, %{{.*}} fastmath<nsz,contract> : f16
    // CHECK: arith.subf %{{.*}}, %{{.*}} : f16
    // CHECK: arith.muli %{{.*}}, %{{.*}} : i32
    %a = arith.addf %x, %x fastmath<nsz> : f16
    %b = arith.subf %x, %x : f16
    %c = arith.muli %i, %i : i32
    gpu.return
  }
}

// Functions of the host are none of its business.
// CHECK-LABEL: func.func @host(
// CHECK:         arith.mulf %{{.*}}, %{{.*}} : f32
func.func @host(%x: f32) -> f32 {
  %p = arith.mulf %x, %x : f32
  return %p : f32
}
