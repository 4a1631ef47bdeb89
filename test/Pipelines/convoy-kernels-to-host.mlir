// RUN: convoy-opt %s --convoy-kernels-to-host-pipeline | FileCheck %s
// RUN: convoy-opt %s --convoy-kernels-to-host-pipeline="cpu=haswell checks=false" | FileCheck %s --check-prefix=FAST

// What launches the kernels is gone.
// CHECK-NOT:   host
func.func @host(%a: memref<8xf16>) {
  convoy.launch @kernels::@double grid [2, 1, 1] outs(%a : memref<8xf16>)
  return
}

// No call but the runtime's: f16 is converted in place, or by the CPU.
// CHECK-DAG:   llvm.func @convoy_simulated_barrier(i64, i64)
// CHECK-DAG:   llvm.func @convoy_simulated_read(i64, i64, i64, i64) -> i64
// CHECK:       llvm.func @double.layout(%{{.*}}: i64) -> i64
// CHECK:       llvm.func @double(%{{[a-z0-9]*}}: i64, %{{[a-z0-9]*}}: i64, %{{[a-z0-9]*}}: i64, %{{[a-z0-9]*}}: i64, %{{[a-z0-9]*}}: i64, %{{[a-z0-9]*}}: i64, %{{[a-z0-9]*}}: i64, %{{[a-z0-9]*}}: !llvm.ptr, %{{[a-z0-9]*}}: !llvm.ptr)
// CHECK:           llvm.call @convoy_simulated_read
// CHECK:           llvm.load %{{.*}} -> i16
// CHECK-NOT:       f16
// CHECK:           llvm.fadd %{{.*}} : f32
// CHECK-NOT:       f16
// CHECK:           llvm.store %{{.*}} : i16
// CHECK:           llvm.call @convoy_simulated_barrier
// FAST:        llvm.func @double(
// FAST-NOT:      llvm.call @convoy_simulated_read
// FAST:          llvm.call @convoy_simulated_barrier
gpu.module @kernels {
  gpu.func @double(%a: memref<8xf16>) workgroup(%s: memref<4xf16, #gpu.address_space<workgroup>>)
      kernel attributes {known_block_size = array<i32: 4, 1, 1>} {
    %c3 = arith.constant 3 : index
    %x = gpu.thread_id x
    %old = memref.load %a[%x] : memref<8xf16>
    %twice = arith.addf %old, %old : f16
    memref.store %twice, %s[%x] : memref<4xf16, #gpu.address_space<workgroup>>
    gpu.barrier
    %other = arith.subi %c3, %x : index
    %new = memref.load %s[%other] : memref<4xf16, #gpu.address_space<workgroup>>
    memref.store %new, %a[%x] : memref<8xf16>
    gpu.return
  }
}
