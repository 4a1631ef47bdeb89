// RUN: convoy-opt %s --convoy-fold-descriptors | FileCheck %s

!descriptor = !llvm.struct<(ptr, ptr, i64)>

// CHECK-LABEL: llvm.func @reads_fields
// CHECK-SAME:    (%[[X:.*]]: f32, %[[POINTER:.*]]: !llvm.ptr, %[[OFFSET:.*]]: i64)
llvm.func @reads_fields(%x: f32, %pointer: !llvm.ptr, %offset: i64) {
  %none = llvm.mlir.poison : !descriptor
  %a = llvm.insertvalue %pointer, %none[0] : !descriptor
  %b = llvm.insertvalue %pointer, %a[1] : !descriptor
  %c = llvm.insertvalue %offset, %b[2] : !descriptor
  llvm.br ^next
^next:
  // CHECK-NOT: llvm.insertvalue
  // CHECK:     %[[AT:.*]] = llvm.getelementptr %[[POINTER]][%[[OFFSET]]]
  // CHECK-NOT: llvm.extractvalue
  // CHECK:     llvm.store %[[X]], %[[AT]]
  %aligned = llvm.extractvalue %c[1] : !descriptor
  %first = llvm.extractvalue %c[2] : !descriptor
  %at = llvm.getelementptr %aligned[%first] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  llvm.store %x, %at : f32, !llvm.ptr
  llvm.return
}

// Code that is never reached is dropped, even if it makes a struct of itself.
// CHECK-LABEL: llvm.func @unreached
// CHECK-NEXT: llvm.return
// CHECK-NEXT: }
llvm.func @unreached(%x: !llvm.ptr) {
  llvm.return
^never:
  %a = llvm.insertvalue %x, %a[0] : !descriptor
  %b = llvm.extractvalue %a[2] : !descriptor
  llvm.store %b, %x : i64, !llvm.ptr
  llvm.br ^never
}

// A struct that comes whole, or goes whole, stays.
// CHECK-LABEL: llvm.func @keeps_whole
// CHECK-SAME:    (%[[IN:.*]]: !llvm.struct<(ptr, ptr, i64)>, %[[OFFSET:.*]]: i64)
llvm.func @keeps_whole(%in: !descriptor, %offset: i64) -> !descriptor {
  // CHECK-NEXT: %[[POINTER:.*]] = llvm.extractvalue %[[IN]][1]
  // CHECK-NEXT: %[[OUT:.*]] = llvm.insertvalue %[[OFFSET]], %[[IN]][2]
  // CHECK-NEXT: llvm.store %[[OFFSET]], %[[POINTER]]
  // CHECK-NEXT: llvm.return %[[OUT]]
  %pointer = llvm.extractvalue %in[1] : !descriptor
  %out = llvm.insertvalue %offset, %in[2] : !descriptor
  llvm.store %offset, %pointer : i64, !llvm.ptr
  llvm.return %out : !descriptor
}
