// RUN: convoy-opt %s --convoy-declare-buffer-accesses | FileCheck %s

!vectors = !spirv.ptr<!spirv.struct<(!spirv.array<6 x vector<4xf32>, stride=16> [0])>, StorageBuffer>
!shared = !spirv.ptr<!spirv.struct<(!spirv.array<6 x f32, stride=4>)>, Workgroup>
// CHECK-LABEL: spirv.module
spirv.module Logical GLSL450 {
  // CHECK-NEXT: spirv.GlobalVariable @read bind(0, 0) {non_writable, restrict} :
  spirv.GlobalVariable @read bind(0, 0) : !vectors
  // CHECK-NEXT: spirv.GlobalVariable @written bind(0, 1) {restrict} :
  spirv.GlobalVariable @written bind(0, 1) : !vectors
  // CHECK-NEXT: spirv.GlobalVariable @added_to bind(0, 2) {restrict} :
  spirv.GlobalVariable @added_to bind(0, 2) : !vectors
  // CHECK-NEXT: spirv.GlobalVariable @handed_on bind(0, 3) :
  spirv.GlobalVariable @handed_on bind(0, 3) : !vectors
  // CHECK-NEXT: spirv.GlobalVariable @shared :
  spirv.GlobalVariable @shared : !shared
  // CHECK-NOT: restrict
  spirv.func @callee(%buffer: !vectors) "None" {
    spirv.Return
  }
  spirv.func @kernel() "None" {
    %zero = spirv.Constant 0 : i32
    %two = spirv.Constant 2 : i32
    %read = spirv.mlir.addressof @read : !vectors
    %written = spirv.mlir.addressof @written : !vectors
    %added = spirv.mlir.addressof @added_to : !vectors
    %handed = spirv.mlir.addressof @handed_on : !vectors
    %from = spirv.AccessChain %read[%zero, %two] : !vectors, i32, i32 -> !spirv.ptr<vector<4xf32>, StorageBuffer>
    %to = spirv.AccessChain %written[%zero, %two] : !vectors, i32, i32 -> !spirv.ptr<vector<4xf32>, StorageBuffer>
    %both = spirv.AccessChain %added[%zero, %two] : !vectors, i32, i32 -> !spirv.ptr<vector<4xf32>, StorageBuffer>
    %x = spirv.Load "StorageBuffer" %from : vector<4xf32>
    %y = spirv.Load "StorageBuffer" %both : vector<4xf32>
    %sum = spirv.FAdd %x, %y : vector<4xf32>
    spirv.Store "StorageBuffer" %to, %x : vector<4xf32>
    spirv.Store "StorageBuffer" %both, %sum : vector<4xf32>
    spirv.FunctionCall @callee(%handed) : (!vectors) -> ()
    spirv.Return
  }
}
