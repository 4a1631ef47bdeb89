// What results do not show: promises to LLVM of arguments, of what a kernel
// writes and of alignment, and what is undefined although nothing uses it.
// RUN: rm -rf %t && split-file %s %t
// RUN: not convoy-certify %t/before.mlir %t/after.mlir | FileCheck %s
// CHECK-DAG: undecided: @apart: {{.*}}func.func: argument 1, of which only the second function says 'llvm.noalias'
// CHECK-DAG: certified: @apart_no_more: the same ops
// CHECK-DAG: undecided: @reads_nothing: {{.*}}func.func: a function, of which only the second function says 'passthrough'
// CHECK-DAG: undecided: @readnone: {{.*}}func.func: a function, of which only the second function says 'llvm.readnone'
// CHECK-DAG: certified: @hints:
// CHECK-DAG: undecided: @callee_promises: {{.*}}func.call: an op on memory whose meaning is not known
// CHECK-DAG: undecided: @shown: {{.*}}func.func: a function that only the first one's module shows to others
// CHECK-DAG: certified: @strides: equal for all finite values where no two elements of an argument are one (
// CHECK-DAG: undecided: @not_written: {{.*}}func.func: argument 1, which only the first function says that it writes
// CHECK-DAG: undecided: @aligned_vector: {{.*}}vector.load: an access that is said to be aligned
// CHECK-DAG: certified: @aligned_element:
// CHECK-DAG: undecided: @odd_view: {{.*}}memref.view: a part of a workspace whose elements may not be aligned
// CHECK-DAG: undecided: @unused_division: {{.*}}arith.divsi: a division by what may be zero, whose result nothing uses
// CHECK-DAG: undecided: @unused_quotients: {{.*}}arith.remui: a division by what may be zero, whose result nothing uses
// CHECK-DAG: certified: @unused_no_more:
// CHECK-DAG: certified: @unused_half:
// CHECK-DAG: undecided: @unused_memory: {{.*}}tensor.empty: a size that may be negative, as -5
// CHECK-DAG: undecided: @freed_memory: {{.*}}tensor.empty: a size that may be negative, as -5
// CHECK-DAG: undecided: @unused_on_stack: {{.*}}tensor.empty: a size that may be negative, as -{{[0-9]+}}
// CHECK-DAG: certified: @unused_in_both: the same ops
// CHECK-DAG: certified: @unused_copy:
// CHECK-DAG: undecided: @shifted_out: {{.*}}only the second function has shli(argument0[3], 8) * 0
// CHECK-DAG: certified: @asserted: equal for all finite values where the first function's assertions hold (
// CHECK-DAG: certified: @asserted_in_loop: equal for all finite values where the first function's assertions hold (

//--- before.mlir
func.func @reads_nothing(%x: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %v = arith.constant 1.0 : f32
  memref.store %v, %x[%c0] : memref<4xf32>
  return
}
func.func @readnone(%x: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %v = arith.constant 1.0 : f32
  memref.store %v, %x[%c0] : memref<4xf32>
  return
}
func.func @hints(%x: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %v = arith.constant 1.0 : f32
  memref.store %v, %x[%c0] : memref<4xf32>
  return
}
func.func private @copy(%x: memref<4xf32>, %y: memref<4xf32>) {
  memref.copy %x, %y : memref<4xf32> to memref<4xf32>
  return
}
func.func @callee_promises(%x: memref<4xf32>, %y: memref<4xf32>) attributes {convoy.arguments = []} {
  call @copy(%x, %y) : (memref<4xf32>, memref<4xf32>) -> ()
  return
}
func.func @shown(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
func.func @strides(%x: tensor<4x5xf32>, %y: memref<4x5xf32, strided<[?, 1], offset: ?>>) {
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 5 {
      %v = tensor.extract %x[%i, %j] : tensor<4x5xf32>
      affine.store %v, %y[%i, %j] : memref<4x5xf32, strided<[?, 1], offset: ?>>
    }
  }
  return
}
func.func @apart(%x: memref<8xf32>, %y: memref<8xf32>) attributes {convoy.arguments = []} {
  %c0 = arith.constant 0 : index
  %v = memref.load %x[%c0] : memref<8xf32>
  memref.store %v, %y[%c0] : memref<8xf32>
  return
}
func.func @apart_no_more(%x: memref<8xf32>, %y: memref<8xf32> {llvm.noalias}) attributes {convoy.arguments = []} {
  %c0 = arith.constant 0 : index
  %v = memref.load %x[%c0] : memref<8xf32>
  memref.store %v, %y[%c0] : memref<8xf32>
  return
}
func.func @not_written(%x: memref<8xf32>, %y: memref<8xf32>) attributes {convoy.arguments = [{layout = "c", name = "x", type = tensor<8xf32>, written = false}, {layout = "c", name = "y", type = tensor<8xf32>, written = true}]} {
  %c0 = arith.constant 0 : index
  %v = memref.load %x[%c0] : memref<8xf32>
  memref.store %v, %y[%c0] : memref<8xf32>
  return
}
func.func @aligned_vector(%x: memref<9xf32>, %o: memref<8xf32>) attributes {convoy.arguments = []} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = vector.load %x[%c1] : memref<9xf32>, vector<8xf32>
  %w = arith.addf %v, %v : vector<8xf32>
  vector.store %w, %o[%c0] : memref<8xf32>, vector<8xf32>
  return
}
func.func @aligned_element(%x: memref<9xf32>, %o: memref<9xf32>) attributes {convoy.arguments = []} {
  %c1 = arith.constant 1 : index
  %v = memref.load %x[%c1] : memref<9xf32>
  memref.store %v, %o[%c1] : memref<9xf32>
  return
}
func.func @odd_view(%x: tensor<8xf32>, %out: memref<8xf32>, %w: memref<?xi8>) attributes {convoy.arguments = [{layout = "c", name = "x", type = tensor<8xf32>, written = false}, {layout = "c", name = "out", type = tensor<8xf32>, written = true}], convoy.workspace = 64 : i64} {
  %c0 = arith.constant 0 : index
  %a = memref.view %w[%c0][] : memref<?xi8> to memref<8xf32>
  bufferization.materialize_in_destination %x in writable %a : (tensor<8xf32>, memref<8xf32>) -> ()
  memref.copy %a, %out : memref<8xf32> to memref<8xf32>
  return
}
func.func @unused_division(%x: tensor<4xi32>, %y: tensor<4xi32>) -> tensor<4xi32> {
  %r = arith.addi %x, %y : tensor<4xi32>
  return %r : tensor<4xi32>
}
func.func @unused_quotients(%x: tensor<4xi32>, %y: tensor<4xi32>) -> tensor<4xi32> {
  %r = arith.addi %x, %y : tensor<4xi32>
  return %r : tensor<4xi32>
}
func.func @unused_no_more(%x: tensor<4xi32>, %y: tensor<4xi32>) -> tensor<4xi32> {
  %q = arith.divsi %x, %y : tensor<4xi32>
  %r = arith.addi %x, %y : tensor<4xi32>
  return %r : tensor<4xi32>
}
func.func @unused_half(%x: tensor<4xi32>, %y: tensor<4xi32>) -> tensor<4xi32> {
  %r = arith.addi %y, %x : tensor<4xi32>
  return %r : tensor<4xi32>
}
func.func @shifted_out(%x: tensor<4xi8>) -> tensor<4xi8> {
  %r = arith.constant dense<0> : tensor<4xi8>
  return %r : tensor<4xi8>
}
func.func @asserted(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %m = tensor.dim %y, %c0 : tensor<?xf32>
  %same = arith.cmpi eq, %n, %m : index
  cf.assert %same, "sizes differ"
  %r = arith.addf %x, %x : tensor<?xf32>
  return %r : tensor<?xf32>
}
func.func @asserted_in_loop(%x: tensor<8xf32>, %n: index) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %e = tensor.empty() : tensor<8xf32>
  %r = scf.for %i = %c0 to %c8 step %c1 iter_args(%t = %e) -> tensor<8xf32> {
    %less = arith.cmpi slt, %i, %n : index
    cf.assert %less, "too few"
    %v = tensor.extract %x[%i] : tensor<8xf32>
    %d = arith.negf %v : f32
    %w = tensor.insert %d into %t[%i] : tensor<8xf32>
    scf.yield %w : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

func.func @unused_memory(%x: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  memref.store %zero, %x[%c0] : memref<4xf32>
  return
}
func.func @freed_memory(%x: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  memref.store %zero, %x[%c0] : memref<4xf32>
  return
}
func.func @unused_on_stack(%x: memref<4xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  memref.store %zero, %x[%c0] : memref<4xf32>
  return
}
func.func @unused_in_both(%x: memref<4xf32>) {
  %n = arith.constant -5 : index
  %m = memref.alloc(%n) : memref<?xf32>
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  memref.store %zero, %x[%c0] : memref<4xf32>
  return
}
func.func @unused_copy(%x: tensor<?xf32>) -> tensor<?xf32> {
  return %x : tensor<?xf32>
}

//--- after.mlir
func.func @reads_nothing(%x: memref<4xf32>) attributes {passthrough = ["readnone"]} {
  %c0 = arith.constant 0 : index
  %v = arith.constant 1.0 : f32
  memref.store %v, %x[%c0] : memref<4xf32>
  return
}
func.func @readnone(%x: memref<4xf32>) attributes {llvm.readnone} {
  %c0 = arith.constant 0 : index
  %v = arith.constant 1.0 : f32
  memref.store %v, %x[%c0] : memref<4xf32>
  return
}
func.func @hints(%x: memref<4xf32>) attributes {llvm.emit_c_interface, passthrough = ["noinline", ["target-cpu", "haswell"]]} {
  %c0 = arith.constant 0 : index
  %v = arith.constant 1.0 : f32
  memref.store %v, %x[%c0] : memref<4xf32>
  return
}
func.func private @copy(%x: memref<4xf32>, %y: memref<4xf32> {llvm.noalias}) {
  memref.copy %x, %y : memref<4xf32> to memref<4xf32>
  return
}
func.func @callee_promises(%x: memref<4xf32>, %y: memref<4xf32>) attributes {convoy.arguments = []} {
  call @copy(%x, %y) : (memref<4xf32>, memref<4xf32>) -> ()
  return
}
func.func private @shown(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
func.func @strides(%x: tensor<4x5xf32>, %y: memref<4x5xf32, strided<[?, 1], offset: ?>>) {
  affine.for %j = 0 to 5 {
    affine.for %i = 0 to 4 {
      %v = tensor.extract %x[%i, %j] : tensor<4x5xf32>
      affine.store %v, %y[%i, %j] : memref<4x5xf32, strided<[?, 1], offset: ?>>
    }
  }
  return
}
func.func @apart(%x: memref<8xf32>, %y: memref<8xf32> {llvm.noalias}) attributes {convoy.arguments = []} {
  %c0 = arith.constant 0 : index
  %v = memref.load %x[%c0] : memref<8xf32>
  memref.store %v, %y[%c0] : memref<8xf32>
  return
}
func.func @apart_no_more(%x: memref<8xf32>, %y: memref<8xf32>) attributes {convoy.arguments = []} {
  %c0 = arith.constant 0 : index
  %v = memref.load %x[%c0] : memref<8xf32>
  memref.store %v, %y[%c0] : memref<8xf32>
  return
}
func.func @not_written(%x: memref<8xf32>, %y: memref<8xf32>) attributes {convoy.arguments = [{layout = "c", name = "x", type = tensor<8xf32>, written = false}, {layout = "c", name = "y", type = tensor<8xf32>, written = false}]} {
  %c0 = arith.constant 0 : index
  %v = memref.load %x[%c0] : memref<8xf32>
  memref.store %v, %y[%c0] : memref<8xf32>
  return
}
func.func @aligned_vector(%x: memref<9xf32>, %o: memref<8xf32>) attributes {convoy.arguments = []} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = vector.load %x[%c1] {alignment = 32 : i64} : memref<9xf32>, vector<8xf32>
  %w = arith.addf %v, %v : vector<8xf32>
  vector.store %w, %o[%c0] : memref<8xf32>, vector<8xf32>
  return
}
func.func @aligned_element(%x: memref<9xf32>, %o: memref<9xf32>) attributes {convoy.arguments = []} {
  %c1 = arith.constant 1 : index
  %v = memref.load %x[%c1] {alignment = 4 : i64} : memref<9xf32>
  memref.store %v, %o[%c1] {alignment = 4 : i64} : memref<9xf32>
  return
}
func.func @odd_view(%x: tensor<8xf32>, %out: memref<8xf32>, %w: memref<?xi8>) attributes {convoy.arguments = [{layout = "c", name = "x", type = tensor<8xf32>, written = false}, {layout = "c", name = "out", type = tensor<8xf32>, written = true}], convoy.workspace = 64 : i64} {
  %c3 = arith.constant 3 : index
  %a = memref.view %w[%c3][] : memref<?xi8> to memref<8xf32>
  bufferization.materialize_in_destination %x in writable %a : (tensor<8xf32>, memref<8xf32>) -> ()
  memref.copy %a, %out : memref<8xf32> to memref<8xf32>
  return
}
func.func @unused_division(%x: tensor<4xi32>, %y: tensor<4xi32>) -> tensor<4xi32> {
  %q = arith.divsi %x, %y : tensor<4xi32>
  %r = arith.addi %x, %y : tensor<4xi32>
  return %r : tensor<4xi32>
}
func.func @unused_quotients(%x: tensor<4xi32>, %y: tensor<4xi32>) -> tensor<4xi32> {
  %q = arith.remui %x, %y : tensor<4xi32>
  %p = arith.muli %q, %q : tensor<4xi32>
  %r = arith.addi %x, %y : tensor<4xi32>
  return %r : tensor<4xi32>
}
func.func @unused_no_more(%x: tensor<4xi32>, %y: tensor<4xi32>) -> tensor<4xi32> {
  %r = arith.addi %x, %y : tensor<4xi32>
  return %r : tensor<4xi32>
}
func.func @unused_half(%x: tensor<4xi32>, %y: tensor<4xi32>) -> tensor<4xi32> {
  %two = arith.constant dense<2> : tensor<4xi32>
  %q = arith.divsi %x, %two : tensor<4xi32>
  %r = arith.addi %y, %x : tensor<4xi32>
  return %r : tensor<4xi32>
}
func.func @shifted_out(%x: tensor<4xi8>) -> tensor<4xi8> {
  %c8 = arith.constant dense<8> : tensor<4xi8>
  %r = arith.shli %x, %c8 : tensor<4xi8>
  %z = arith.constant dense<0> : tensor<4xi8>
  %m = arith.muli %r, %z : tensor<4xi8>
  return %m : tensor<4xi8>
}
func.func @asserted(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %r = arith.addf %x, %x : tensor<?xf32>
  return %r : tensor<?xf32>
}
func.func @asserted_in_loop(%x: tensor<8xf32>, %n: index) -> tensor<8xf32> {
  %r = arith.negf %x : tensor<8xf32>
  return %r : tensor<8xf32>
}
func.func @unused_memory(%x: memref<4xf32>) {
  %n = arith.constant -5 : index
  %m = memref.alloc(%n) : memref<?xf32>
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  memref.store %zero, %x[%c0] : memref<4xf32>
  return
}
func.func @freed_memory(%x: memref<4xf32>) {
  %n = arith.constant -5 : index
  %m = memref.alloc(%n) : memref<?xf32>
  memref.dealloc %m : memref<?xf32>
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  memref.store %zero, %x[%c0] : memref<4xf32>
  return
}
func.func @unused_on_stack(%x: memref<4xf32>, %n: index) {
  %m = memref.alloca(%n) : memref<?xf32>
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  memref.store %zero, %x[%c0] : memref<4xf32>
  return
}
func.func @unused_in_both(%x: memref<4xf32>) {
  %n = arith.constant -5 : index
  %m = memref.alloc(%n) : memref<?xf32>
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  memref.store %zero, %x[%c0] : memref<4xf32>
  return
}
func.func @unused_copy(%x: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %half = affine.apply affine_map<(n) -> (n floordiv 2 + 1)>(%n)
  %m = memref.alloc(%half) : memref<?xf32>
  memref.dealloc %m : memref<?xf32>
  return %x : tensor<?xf32>
}
