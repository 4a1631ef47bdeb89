// RUN: convoy-opt %s --convoy-describe-buffers | FileCheck %s

gpu.module @kernels {
  // CHECK-LABEL: gpu.func @copy(
  // CHECK-SAME:    %[[A:[^:]*]]: memref<24xf32, #gpu.address_space<global>> {llvm.align = 16 : i64, llvm.dereferenceable = 96 : i64, llvm.noalias, llvm.readonly},
  // CHECK-SAME:    %[[B:[^:]*]]: memref<20xf16, #gpu.address_space<global>> {llvm.align = 16 : i64, llvm.dereferenceable = 40 : i64, llvm.noalias})
  // CHECK-SAME:    workgroup(%[[S:[^ ]*]] : memref<24xf32, #gpu.address_space<workgroup>> {llvm.align = 16 : i64})
  gpu.func @copy(%a: memref<24xf32>, %b: memref<20xf16>)
      workgroup(%s: memref<24xf32, #gpu.address_space<workgroup>>)
      kernel attributes {known_block_size = array<i32: 6, 1, 1>} {
    %c4 = arith.constant 4 : index
    %t = gpu.thread_id x
    %i = arith.muli %t, %c4 : index
    // CHECK: vector.load %[[A]][%{{.*}}] {alignment = 16 : i64} : memref<24xf32, #gpu.address_space<global>>, vector<4xf32>
    %v = vector.load %a[%i] : memref<24xf32>, vector<4xf32>
    // CHECK: vector.store %{{.*}}, %[[S]][%{{.*}}] {alignment = 16 : i64} : memref<24xf32, #gpu.address_space<workgroup>>, vector<4xf32>
    vector.store %v, %s[%i] : memref<24xf32, #gpu.address_space<workgroup>>, vector<4xf32>
    // Not known to be a multiple of 4.
    // CHECK: vector.load %[[S]][%{{[^ ]*}}] : memref<24xf32, #gpu.address_space<workgroup>>, vector<4xf32>
    %w = vector.load %s[%t] : memref<24xf32, #gpu.address_space<workgroup>>, vector<4xf32>
    %h = arith.truncf %w : vector<4xf32> to vector<4xf16>
    // CHECK: vector.store %{{.*}}, %[[B]][%{{.*}}] {alignment = 8 : i64} : memref<20xf16, #gpu.address_space<global>>, vector<4xf16>
    vector.store %h, %b[%i] : memref<20xf16>, vector<4xf16>
    gpu.return
  }

  // What another type depends on stays where it is.
  // CHECK-LABEL: gpu.func @other(
  // CHECK-SAME:    %{{[^:]*}}: memref<6xf32>)
  gpu.func @other(%a: memref<6xf32>) kernel {
    %b = memref.cast %a : memref<6xf32> to memref<?xf32>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @helper(
  // CHECK-SAME:    %{{[^:]*}}: memref<6xf32>)
  gpu.func @helper(%a: memref<6xf32>) {
    gpu.return
  }
}
