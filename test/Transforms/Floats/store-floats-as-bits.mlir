// RUN: convoy-opt %s --convoy-store-floats-as-bits | FileCheck %s
// RUN: convoy-opt %s --convoy-store-floats-as-bits=keep-f16 | FileCheck %s --check-prefix=KEEP

// CHECK-LABEL: llvm.func @move(
// CHECK-SAME:    convoy.arguments = [{layout = "", name = "x", type = tensor<7xbf16>, written = false}]
// CHECK:         llvm.getelementptr %{{.*}} : (!llvm.ptr, i64) -> !llvm.ptr, i16
// CHECK:         llvm.load %{{.*}} : !llvm.ptr -> i16
// CHECK:         llvm.insertelement %{{.*}} : vector<3xi16>
// KEEP-LABEL:  llvm.func @move(
// KEEP:          llvm.load %{{.*}} : !llvm.ptr -> i16
llvm.func @move(%p: !llvm.ptr, %i: i64) -> vector<3xbf16> attributes {
    convoy.arguments = [{layout = "", name = "x", type = tensor<7xbf16>, written = false}]} {
  %q = llvm.getelementptr %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, bf16
  %x = llvm.load %q : !llvm.ptr -> bf16
  %v = llvm.mlir.poison : vector<3xbf16>
  %r = llvm.insertelement %x, %v[%i : i64] : vector<3xbf16>
  llvm.return %r : vector<3xbf16>
}

// CHECK-LABEL: gpu.func @kernel(
// CHECK-SAME:    %[[A:.*]]: memref<7xi16>, %{{.*}}: memref<3xvector<4xf32>>)
// CHECK-SAME:    workgroup(%{{.*}} : memref<8xi16, #gpu.address_space<workgroup>>)
// CHECK:         %[[X:.*]] = memref.load %[[A]][%{{.*}}] : memref<7xi16>
// CHECK-NEXT:    %[[ZERO:.*]] = arith.constant 0 : i16
// CHECK-NEXT:    %[[R:.*]] = arith.select %{{.*}}, %[[X]], %[[ZERO]] : i16
// CHECK-NEXT:    arith.extui %[[R]] : i16 to i32
gpu.module @kernels {
  gpu.func @kernel(%a: memref<7xbf16>, %b: memref<3xvector<4xf32>>)
      workgroup(%s: memref<8xbf16, #gpu.address_space<workgroup>>) kernel {
    %i = gpu.thread_id x
    %c = arith.cmpi eq, %i, %i : index
    %x = memref.load %a[%i] : memref<7xbf16>
    %zero = arith.constant 0.0 : bf16
    %r = arith.select %c, %x, %zero : bf16
    %bits = arith.bitcast %r : bf16 to i16
    %word = arith.extui %bits : i16 to i32
    gpu.return
  }
}

// CHECK-LABEL: llvm.func @constants() -> !llvm.struct<(i16, vector<2xi16>)>
// CHECK-DAG:     llvm.mlir.constant(15360 : i16) : i16
// CHECK-DAG:     llvm.mlir.constant(dense<[16256, -16384]> : vector<2xi16>) : vector<2xi16>
// KEEP-LABEL:  llvm.func @constants() -> !llvm.struct<(f16, vector<2xi16>)>
// KEEP:          llvm.mlir.constant(1.000000e+00 : f16) : f16
llvm.func @constants() -> !llvm.struct<(f16, vector<2xbf16>)> {
  %f = llvm.mlir.constant(1.0 : f16) : f16
  %b = llvm.mlir.constant(dense<[1.0, -2.0]> : vector<2xbf16>) : vector<2xbf16>
  %0 = llvm.mlir.poison : !llvm.struct<(f16, vector<2xbf16>)>
  %1 = llvm.insertvalue %f, %0[0] : !llvm.struct<(f16, vector<2xbf16>)>
  %2 = llvm.insertvalue %b, %1[1] : !llvm.struct<(f16, vector<2xbf16>)>
  llvm.return %2 : !llvm.struct<(f16, vector<2xbf16>)>
}

// What LLVM's intrinsics take and return stays what they want.
// CHECK-LABEL: llvm.func @intrinsics(
// CHECK-SAME:    %[[WORDS:.*]]: vector<16xi32>, %[[SUM:.*]]: vector<16xf32>, %[[OUT:.*]]: !llvm.ptr)
// CHECK:         %[[BITS:.*]] = llvm.bitcast %[[WORDS]] : vector<16xi32> to vector<32xi16>
// CHECK:         %[[A:.*]] = llvm.bitcast %{{.*}} : vector<32xi16> to vector<32xbf16>
// CHECK:         %[[B:.*]] = llvm.bitcast %{{.*}} : vector<32xi16> to vector<32xbf16>
// CHECK:         %[[R:.*]] = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(%[[SUM]], %[[A]], %[[B]]) : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
// CHECK:         %[[N:.*]] = llvm.call_intrinsic "llvm.x86.avx512bf16.cvtneps2bf16.512"(%[[R]]) : (vector<16xf32>) -> vector<16xbf16>
// CHECK:         llvm.bitcast %[[N]] : vector<16xbf16> to vector<16xi16>
// CHECK:         llvm.store %{{.*}}, %[[OUT]] : vector<16xi16>, !llvm.ptr
llvm.func @intrinsics(%words: vector<16xi32>, %sum: vector<16xf32>, %out: !llvm.ptr) {
  %x = llvm.bitcast %words : vector<16xi32> to vector<32xbf16>
  %r = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(%sum, %x, %x) : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
  %n = llvm.call_intrinsic "llvm.x86.avx512bf16.cvtneps2bf16.512"(%r) : (vector<16xf32>) -> vector<16xbf16>
  llvm.store %n, %out : vector<16xbf16>, !llvm.ptr
  llvm.return
}
