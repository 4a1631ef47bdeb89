// RUN: convoy-opt %s --convoy-mark-parallel-accesses | FileCheck %s

#group = #llvm.access_group<id = distinct[0]<>>
#parallel = #llvm.loop_annotation<parallelAccesses = #group>
#other = #llvm.loop_annotation<mustProgress = true>

// CHECK-DAG: #[[GROUP:.*]] = #llvm.access_group
// CHECK-LABEL: llvm.func @copy(
llvm.func @copy(%from: !llvm.ptr, %to: !llvm.ptr, %n: i64) {
  %zero = llvm.mlir.constant(0 : i64) : i64
  %one = llvm.mlir.constant(1 : i64) : i64
  // What stands outside of the loop is in no group.
  // CHECK: %[[FIRST:.*]] = llvm.load %{{.*}} : !llvm.ptr -> f32
  %first = llvm.load %from : !llvm.ptr -> f32
  llvm.br ^header(%zero : i64)
^header(%i: i64):
  %goes = llvm.icmp "slt" %i, %n : i64
  llvm.cond_br %goes, ^body, ^end
^body:
  %p = llvm.getelementptr %from[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  %q = llvm.getelementptr %to[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  // CHECK: llvm.load {{.*}} {access_groups = [#[[GROUP]]]}
  %x = llvm.load %p : !llvm.ptr -> f32
  // CHECK: llvm.store {{.*}} {access_groups = [#[[GROUP]]]}
  llvm.store %x, %q : f32, !llvm.ptr
  %next = llvm.add %i, %one : i64
  llvm.br ^header(%next : i64) {llvm.loop_annotation = #parallel}
^end:
  // CHECK: llvm.store %[[FIRST]], %{{.*}} : f32
  llvm.store %first, %to : f32, !llvm.ptr
  llvm.return
}

// A loop of another kind is left alone, and so is a branch of no loop.
// CHECK-LABEL: llvm.func @others(
// CHECK-NOT:   access_groups
llvm.func @others(%p: !llvm.ptr, %goes: i1) {
  llvm.br ^loop {llvm.loop_annotation = #parallel}
^loop:
  %x = llvm.load %p : !llvm.ptr -> f32
  llvm.store %x, %p : f32, !llvm.ptr
  llvm.cond_br %goes, ^loop, ^end {llvm.loop_annotation = #other}
^end:
  llvm.return
}
