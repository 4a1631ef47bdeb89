// RUN: convoy-opt %s --convoy-attach-vulkan-profile=profile=generic --convoy-convert-gpu-to-spirv | FileCheck %s

// Quotients by what may be zero, which SPIR-V leaves undefined, are those of
// IEEE 754.

// CHECK-LABEL: spirv.func @by_argument
// CHECK-DAG:     %[[ZERO:.*]] = spirv.Constant 0.000000e+00 : f32
// CHECK-DAG:     %[[IS_ZERO:.*]] = spirv.FOrdEqual %[[DIVISOR:.*]], %[[ZERO]] : f32
// CHECK-DAG:     %[[PRODUCT:.*]] = spirv.FMul %[[NUMBER:.*]], %{{.*}} : f32
// CHECK-DAG:     %[[QUOTIENT:.*]] = spirv.FDiv %[[NUMBER]], %[[DIVISOR]] : f32
// CHECK:         spirv.Select %[[IS_ZERO]], %[[PRODUCT]], %[[QUOTIENT]]
// CHECK-LABEL: spirv.func @by_constant
// CHECK:         spirv.FDiv
// CHECK-NOT:     spirv.Select
// CHECK-LABEL: spirv.func @by_zero_among_others
// CHECK:         spirv.FDiv {{.*}} : vector<2xf32>
// CHECK:         spirv.Select {{.*}} : vector<2xi1>, vector<2xf32>

// Remainders of signed integers are what quotients leave.

// CHECK-LABEL: spirv.func @remainder
// CHECK:         %[[QUOTIENT:.*]] = spirv.SDiv %[[NUMBER:.*]], %[[DIVISOR:.*]] : i32
// CHECK:         %[[PRODUCT:.*]] = spirv.IMul %[[QUOTIENT]], %[[DIVISOR]] : i32
// CHECK:         spirv.ISub %[[NUMBER]], %[[PRODUCT]] : i32
gpu.module @kernels {
  gpu.func @by_argument(%x: memref<8xf32>, %y: memref<8xf32>) kernel attributes {known_block_size = array<i32: 8, 1, 1>} {
    %i = gpu.thread_id x
    %number = memref.load %x[%i] : memref<8xf32>
    %divisor = memref.load %y[%i] : memref<8xf32>
    %quotient = arith.divf %number, %divisor : f32
    memref.store %quotient, %x[%i] : memref<8xf32>
    gpu.return
  }
  gpu.func @by_constant(%x: memref<8xf32>) kernel attributes {known_block_size = array<i32: 8, 1, 1>} {
    %i = gpu.thread_id x
    %number = memref.load %x[%i] : memref<8xf32>
    %three = arith.constant 3.0 : f32
    %quotient = arith.divf %number, %three : f32
    memref.store %quotient, %x[%i] : memref<8xf32>
    gpu.return
  }
  gpu.func @by_zero_among_others(%x: memref<8xvector<2xf32>>) kernel attributes {known_block_size = array<i32: 8, 1, 1>} {
    %i = gpu.thread_id x
    %number = memref.load %x[%i] : memref<8xvector<2xf32>>
    %divisor = arith.constant dense<[0.0, 3.0]> : vector<2xf32>
    %quotient = arith.divf %number, %divisor : vector<2xf32>
    memref.store %quotient, %x[%i] : memref<8xvector<2xf32>>
    gpu.return
  }
  gpu.func @remainder(%x: memref<8xi32>, %y: memref<8xi32>) kernel attributes {known_block_size = array<i32: 8, 1, 1>} {
    %i = gpu.thread_id x
    %number = memref.load %x[%i] : memref<8xi32>
    %divisor = memref.load %y[%i] : memref<8xi32>
    %remainder = arith.remsi %number, %divisor : i32
    memref.store %remainder, %x[%i] : memref<8xi32>
    gpu.return
  }
}
