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
