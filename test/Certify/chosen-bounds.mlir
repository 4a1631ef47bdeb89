// Bounds of loops that are the least or the greatest of two numbers, or quotients,
// as conditions choose them.
// RUN: rm -rf %t && split-file %s %t
// RUN: not convoy-certify %t/before.mlir %t/after.mlir | FileCheck %s
// CHECK-DAG: certified: @max_min:
// CHECK-DAG: different: @max_for_min: element [0, 0]: the first function has argument0[0, 0], and has argument1[0, 0] instead
// CHECK-DAG: certified: @ceil:
// CHECK-DAG: certified: @floor:
// CHECK-DAG: undecided: @ceil_wrong: {{.*}}scf.for: a loop bound or size that is a quotient

//--- before.mlir
func.func @max_min(%x: tensor<4x5xf32>, %out: memref<4x5xf32>) attributes {convoy.arguments = [{layout = "hw", name = "x", type = tensor<4x5xf32>, written = false}, {layout = "hw", name = "out", type = tensor<4x5xf32>, written = true}]} {
  bufferization.materialize_in_destination %x in restrict writable %out : (tensor<4x5xf32>, memref<4x5xf32>) -> ()
  return
}
func.func @max_for_min(%x: tensor<4x5xf32>, %out: memref<4x5xf32>) attributes {convoy.arguments = [{layout = "hw", name = "x", type = tensor<4x5xf32>, written = false}, {layout = "hw", name = "out", type = tensor<4x5xf32>, written = true}]} {
  bufferization.materialize_in_destination %x in restrict writable %out : (tensor<4x5xf32>, memref<4x5xf32>) -> ()
  return
}
func.func @ceil(%x: tensor<4x5xf32>, %out: memref<4x5xf32>) attributes {convoy.arguments = [{layout = "hw", name = "x", type = tensor<4x5xf32>, written = false}, {layout = "hw", name = "out", type = tensor<4x5xf32>, written = true}]} {
  bufferization.materialize_in_destination %x in restrict writable %out : (tensor<4x5xf32>, memref<4x5xf32>) -> ()
  return
}
func.func @floor(%x: tensor<4x5xf32>, %out: memref<4x5xf32>) attributes {convoy.arguments = [{layout = "hw", name = "x", type = tensor<4x5xf32>, written = false}, {layout = "hw", name = "out", type = tensor<4x5xf32>, written = true}]} {
  bufferization.materialize_in_destination %x in restrict writable %out : (tensor<4x5xf32>, memref<4x5xf32>) -> ()
  return
}
func.func @ceil_wrong(%x: tensor<4x5xf32>, %out: memref<4x5xf32>) attributes {convoy.arguments = [{layout = "hw", name = "x", type = tensor<4x5xf32>, written = false}, {layout = "hw", name = "out", type = tensor<4x5xf32>, written = true}]} {
  bufferization.materialize_in_destination %x in restrict writable %out : (tensor<4x5xf32>, memref<4x5xf32>) -> ()
  return
}

//--- after.mlir
func.func @max_min(%x: memref<4x5xf32>, %out: memref<4x5xf32>) attributes {convoy.arguments = [{layout = "hw", name = "x", type = tensor<4x5xf32>, written = false}, {layout = "hw", name = "out", type = tensor<4x5xf32>, written = true}]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c20 = arith.constant 20 : index
  %m1 = arith.constant -1 : index
  scf.for %h = %c0 to %c4 step %c1 {
    %a = arith.subi %c0, %h : index
    %l1 = arith.cmpi sgt, %a, %c0 : index
    %lo = arith.select %l1, %a, %c0 : index
    %b = arith.addi %h, %c5 : index
    %l2 = arith.cmpi slt, %b, %c5 : index
    %hi = arith.select %l2, %b, %c5 : index
    scf.for %i = %lo to %hi step %c1 {
      %e = memref.load %x[%h, %i] : memref<4x5xf32>
      memref.store %e, %out[%h, %i] : memref<4x5xf32>
    }
  }
  return
}
func.func @max_for_min(%x: memref<4x5xf32>, %out: memref<4x5xf32>) attributes {convoy.arguments = [{layout = "hw", name = "x", type = tensor<4x5xf32>, written = false}, {layout = "hw", name = "out", type = tensor<4x5xf32>, written = true}]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c20 = arith.constant 20 : index
  %m1 = arith.constant -1 : index
  scf.for %h = %c0 to %c4 step %c1 {
    %a = arith.subi %c1, %h : index
    %l1 = arith.cmpi sgt, %a, %c0 : index
    %lo = arith.select %l1, %a, %c0 : index
    %b = arith.addi %h, %c5 : index
    %l2 = arith.cmpi slt, %b, %c5 : index
    %hi = arith.select %l2, %b, %c5 : index
    scf.for %i = %lo to %hi step %c1 {
      %e = memref.load %x[%h, %i] : memref<4x5xf32>
      memref.store %e, %out[%h, %i] : memref<4x5xf32>
    }
  }
  return
}
func.func @ceil(%x: memref<4x5xf32>, %out: memref<4x5xf32>) attributes {convoy.arguments = [{layout = "hw", name = "x", type = tensor<4x5xf32>, written = false}, {layout = "hw", name = "out", type = tensor<4x5xf32>, written = true}]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c20 = arith.constant 20 : index
  %m1 = arith.constant -1 : index
  scf.for %h = %c0 to %c4 step %c1 {
    %xx = arith.subi %h, %c3 : index
    %cc = arith.cmpi sle, %xx, %c0 : index
    %n0 = arith.subi %c0, %xx : index
    %n1 = arith.subi %xx, %c1 : index
    %dd = arith.select %cc, %n0, %n1 : index
    %q = arith.divsi %dd, %c2 : index
    %q0 = arith.subi %c0, %q : index
    %q1 = arith.addi %q, %c1 : index
    %ce = arith.select %cc, %q0, %q1 : index
    %lo = arith.maxsi %ce, %c0 : index
    %hi = arith.minsi %c5, %c5 : index
    scf.for %i = %lo to %hi step %c1 {
      %e = memref.load %x[%h, %i] : memref<4x5xf32>
      memref.store %e, %out[%h, %i] : memref<4x5xf32>
    }
  }
  return
}
func.func @floor(%x: memref<4x5xf32>, %out: memref<4x5xf32>) attributes {convoy.arguments = [{layout = "hw", name = "x", type = tensor<4x5xf32>, written = false}, {layout = "hw", name = "out", type = tensor<4x5xf32>, written = true}]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c20 = arith.constant 20 : index
  %m1 = arith.constant -1 : index
  scf.for %h = %c0 to %c4 step %c1 {
    %xx = arith.subi %h, %c3 : index
    %cc = arith.cmpi slt, %xx, %c0 : index
    %n00 = arith.subi %c0, %xx : index
    %n0 = arith.subi %n00, %c1 : index
    %n1 = arith.addi %xx, %c0 : index
    %dd = arith.select %cc, %n0, %n1 : index
    %q = arith.divsi %dd, %c2 : index
    %q0 = arith.subi %m1, %q : index
    %q1 = arith.addi %q, %c0 : index
    %ce = arith.select %cc, %q0, %q1 : index
    %lo = arith.maxsi %ce, %c0 : index
    %hi = arith.minsi %c5, %c5 : index
    scf.for %i = %lo to %hi step %c1 {
      %e = memref.load %x[%h, %i] : memref<4x5xf32>
      memref.store %e, %out[%h, %i] : memref<4x5xf32>
    }
  }
  return
}
func.func @ceil_wrong(%x: memref<4x5xf32>, %out: memref<4x5xf32>) attributes {convoy.arguments = [{layout = "hw", name = "x", type = tensor<4x5xf32>, written = false}, {layout = "hw", name = "out", type = tensor<4x5xf32>, written = true}]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c20 = arith.constant 20 : index
  %m1 = arith.constant -1 : index
  scf.for %h = %c0 to %c4 step %c1 {
    %xx = arith.subi %h, %c3 : index
    %cc = arith.cmpi sle, %xx, %c0 : index
    %n0 = arith.subi %c0, %xx : index
    %n1 = arith.subi %xx, %c1 : index
    %dd = arith.select %cc, %n0, %n1 : index
    %q = arith.divsi %dd, %c2 : index
    %q0 = arith.subi %c0, %q : index
    %q1 = arith.addi %q, %c2 : index
    %ce = arith.select %cc, %q0, %q1 : index
    %lo = arith.maxsi %ce, %c0 : index
    %k2 = arith.subi %c0, %ce : index
    %hi = arith.addi %k2, %c5 : index
    scf.for %i = %lo to %hi step %c1 {
      %e = memref.load %x[%h, %i] : memref<4x5xf32>
      memref.store %e, %out[%h, %i] : memref<4x5xf32>
    }
  }
  return
}
