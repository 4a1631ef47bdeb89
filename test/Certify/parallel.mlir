// Iterations in parallel are what they are in turn if none accesses what
// another writes.
// RUN: rm -rf %t && split-file %s %t
// RUN: not convoy-certify %t/before.mlir %t/after.mlir | FileCheck %s --implicit-check-not=certified

//--- before.mlir
// CHECK-DAG: certified: @rows:
func.func @rows(%x: tensor<3x4xf32>, %out: memref<3x4xf32>) {
  bufferization.materialize_in_destination %x in restrict writable %out : (tensor<3x4xf32>, memref<3x4xf32>) -> ()
  return
}
// CHECK-DAG: certified: @tiles:
func.func @tiles(%x: tensor<?xf32>, %out: memref<?xf32>) {
  bufferization.materialize_in_destination %x in restrict writable %out : (tensor<?xf32>, memref<?xf32>) -> ()
  return
}
// CHECK-DAG: certified: @elements:
func.func @elements(%x: tensor<3x4xf32>, %out: memref<4x3xf32>) {
  %e = tensor.empty() : tensor<4x3xf32>
  %t = linalg.transpose ins(%x : tensor<3x4xf32>) outs(%e : tensor<4x3xf32>) permutation = [1, 0]
  bufferization.materialize_in_destination %t in restrict writable %out : (tensor<4x3xf32>, memref<4x3xf32>) -> ()
  return
}
// CHECK-DAG: certified: @threads:
func.func @threads(%x: tensor<7xf32>, %out: memref<7xf32>) {
  bufferization.materialize_in_destination %x in restrict writable %out : (tensor<7xf32>, memref<7xf32>) -> ()
  return
}
// CHECK-DAG: undecided: @overlapping_threads: {{.*}}an element that an iteration in parallel may write meanwhile
func.func @overlapping_threads(%x: tensor<7xf32>, %out: memref<7xf32>) {
  bufferization.materialize_in_destination %x in restrict writable %out : (tensor<7xf32>, memref<7xf32>) -> ()
  return
}
// CHECK-DAG: different: @lost_element: element [3]:
func.func @lost_element(%x: tensor<7xf32>, %out: memref<7xf32>) {
  bufferization.materialize_in_destination %x in restrict writable %out : (tensor<7xf32>, memref<7xf32>) -> ()
  return
}
// Bounds and sizes of what is in a thread's loop depend on its digits.
// CHECK-DAG: certified: @digits:
func.func @digits(%x: tensor<3x5xf32>, %init: tensor<3x5xf32>, %out: memref<3x5xf32>) {
  %r = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x : tensor<3x5xf32>) outs(%init : tensor<3x5xf32>) {
  ^bb0(%a: f32, %b: f32):
    %i = linalg.index 0 : index
    %k = linalg.index 2 : index
    %is_later = arith.cmpi sge, %k, %i : index
    %zero = arith.constant 0.0 : f32
    %one = arith.select %is_later, %a, %zero : f32
    %s = arith.addf %one, %b : f32
    linalg.yield %s : f32
  } -> tensor<3x5xf32>
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<3x5xf32>, memref<3x5xf32>) -> ()
  return
}
// CHECK-DAG: different: @other_digit:
func.func @other_digit(%x: tensor<3x5xf32>, %out: memref<3x5xf32>) {
  bufferization.materialize_in_destination %x in restrict writable %out : (tensor<3x5xf32>, memref<3x5xf32>) -> ()
  return
}
// CHECK-DAG: undecided: @same_digits: {{.*}}an element that an iteration in parallel may write meanwhile
func.func @same_digits(%x: tensor<3x5xf32>, %out: memref<3x5xf32>) {
  bufferization.materialize_in_destination %x in restrict writable %out : (tensor<3x5xf32>, memref<3x5xf32>) -> ()
  return
}
// CHECK-DAG: undecided: @negative_quotient: {{.*}}scf.for: a loop bound that is a quotient of a number that may be negative
func.func @negative_quotient(%x: tensor<7xf32>, %n: index) -> tensor<7xf32> {
  return %x : tensor<7xf32>
}
// CHECK-DAG: certified: @own_buffer:
func.func @own_buffer(%x: tensor<3x4xf32>, %out: memref<3x4xf32>) {
  bufferization.materialize_in_destination %x in restrict writable %out : (tensor<3x4xf32>, memref<3x4xf32>) -> ()
  return
}
// CHECK-DAG: certified: @in_place:
func.func @in_place(%x: tensor<6xf32>, %out: memref<6xf32>) {
  %0 = bufferization.to_tensor %out restrict writable : memref<6xf32> to tensor<6xf32>
  %r = linalg.add ins(%x, %0 : tensor<6xf32>, tensor<6xf32>) outs(%0 : tensor<6xf32>) -> tensor<6xf32>
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<6xf32>, memref<6xf32>) -> ()
  return
}
// CHECK-DAG: certified: @vectors:
func.func @vectors(%x: tensor<6xf32>, %out: memref<6xf32>) {
  bufferization.materialize_in_destination %x in restrict writable %out : (tensor<6xf32>, memref<6xf32>) -> ()
  return
}
// CHECK-DAG: certified: @sums:
func.func @sums(%x: tensor<3x4xf32>, %init: tensor<3xf32>, %out: memref<3xf32>) {
  %r = linalg.reduce ins(%x : tensor<3x4xf32>) outs(%init : tensor<3xf32>) dimensions = [1]
    (%a: f32, %b: f32) {
      %s = arith.addf %a, %b : f32
      linalg.yield %s : f32
    }
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<3xf32>, memref<3xf32>) -> ()
  return
}
// Each branch writes a half of its own.
// CHECK-DAG: certified: @branches:
func.func @branches(%x: tensor<8xf32>, %out: memref<8xf32>) {
  bufferization.materialize_in_destination %x in restrict writable %out : (tensor<8xf32>, memref<8xf32>) -> ()
  return
}
// CHECK-DAG: certified: @inserted:
func.func @inserted(%x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<2xf32> {
  %r = arith.addf %x, %y : tensor<2xf32>
  return %r : tensor<2xf32>
}

// CHECK-DAG: different: @other_row: element [0, 3]: the first function has argument0[0, 3], and has argument0[2, 3] instead
func.func @other_row(%x: tensor<3x4xf32>, %out: memref<3x4xf32>) {
  bufferization.materialize_in_destination %x in restrict writable %out : (tensor<3x4xf32>, memref<3x4xf32>) -> ()
  return
}
// CHECK-DAG: different: @row_left_out:
func.func @row_left_out(%x: tensor<3x4xf32>, %out: memref<3x4xf32>) {
  bufferization.materialize_in_destination %x in restrict writable %out : (tensor<3x4xf32>, memref<3x4xf32>) -> ()
  return
}
// CHECK-DAG: undecided: @overlapping_rows: {{.*}}an element that an iteration in parallel may write meanwhile
func.func @overlapping_rows(%x: tensor<4x4xf32>, %out: memref<4x4xf32>) {
  bufferization.materialize_in_destination %x in restrict writable %out : (tensor<4x4xf32>, memref<4x4xf32>) -> ()
  return
}
// No result is made of what is shared.
// CHECK-DAG: undecided: @shared_buffer: {{.*}}an element that an iteration in parallel may write meanwhile
func.func @shared_buffer(%x: tensor<6xf32>, %out: memref<6xf32>) {
  bufferization.materialize_in_destination %x in restrict writable %out : (tensor<6xf32>, memref<6xf32>) -> ()
  return
}
// CHECK-DAG: undecided: @shared_whole: {{.*}}an element that an iteration in parallel may write meanwhile
func.func @shared_whole(%x: tensor<3x4xf32>, %out: memref<3x4xf32>) {
  bufferization.materialize_in_destination %x in restrict writable %out : (tensor<3x4xf32>, memref<3x4xf32>) -> ()
  return
}
// CHECK-DAG: certified: @rows_of_slice:
func.func @rows_of_slice(%x: tensor<3x4xf32>, %out: memref<3x4xf32>) {
  %0 = bufferization.to_tensor %out restrict writable : memref<3x4xf32> to tensor<3x4xf32>
  %part = tensor.extract_slice %x[0, 1] [3, 2] [1, 1] : tensor<3x4xf32> to tensor<3x2xf32>
  %r = tensor.insert_slice %part into %0[0, 1] [3, 2] [1, 1] : tensor<3x2xf32> into tensor<3x4xf32>
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<3x4xf32>, memref<3x4xf32>) -> ()
  return
}
// CHECK-DAG: undecided: @columns_of_slice: {{.*}}an element that an iteration in parallel may write meanwhile
func.func @columns_of_slice(%x: tensor<3x4xf32>, %out: memref<3x4xf32>) {
  %0 = bufferization.to_tensor %out restrict writable : memref<3x4xf32> to tensor<3x4xf32>
  %part = tensor.extract_slice %x[0, 1] [3, 3] [1, 1] : tensor<3x4xf32> to tensor<3x3xf32>
  %r = tensor.insert_slice %part into %0[0, 1] [3, 3] [1, 1] : tensor<3x3xf32> into tensor<3x4xf32>
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<3x4xf32>, memref<3x4xf32>) -> ()
  return
}
// Another iteration may have written meanwhile what is put back.
// CHECK-DAG: undecided: @copied_back: {{.*}}an element that an iteration in parallel may write meanwhile
func.func @copied_back(%x: tensor<3xf32>, %out: memref<3xf32>) {
  bufferization.materialize_in_destination %x in restrict writable %out : (tensor<3xf32>, memref<3xf32>) -> ()
  return
}
// CHECK-DAG: undecided: @part_copied_back: {{.*}}an element that an iteration in parallel may write meanwhile
func.func @part_copied_back(%x: tensor<2x3xf32>, %out: memref<2x3xf32>) {
  bufferization.materialize_in_destination %x in restrict writable %out : (tensor<2x3xf32>, memref<2x3xf32>) -> ()
  return
}
// CHECK-DAG: undecided: @copied_unused: {{.*}}an element that an iteration in parallel may write meanwhile
func.func @copied_unused(%out: memref<3xf32>) {
  %0 = bufferization.to_tensor %out restrict writable : memref<3xf32> to tensor<3xf32>
  %r = arith.negf %0 : tensor<3xf32>
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<3xf32>, memref<3xf32>) -> ()
  return
}
// CHECK-DAG: undecided: @copied_in_loop: {{.*}}an element that an iteration in parallel may write meanwhile
func.func @copied_in_loop(%x: tensor<3xf32>, %out: memref<3xf32>) {
  bufferization.materialize_in_destination %x in restrict writable %out : (tensor<3xf32>, memref<3xf32>) -> ()
  return
}
// CHECK-DAG: undecided: @copied_in_branch: {{.*}}an element that an iteration in parallel may write meanwhile
func.func @copied_in_branch(%x: tensor<3xf32>, %out: memref<3xf32>) {
  bufferization.materialize_in_destination %x in restrict writable %out : (tensor<3xf32>, memref<3xf32>) -> ()
  return
}
// CHECK-DAG: undecided: @neighbour: {{.*}}an iteration that reads elements of the loop's tensor other than the one it makes
func.func @neighbour(%out: memref<6xf32>) {
  %0 = bufferization.to_tensor %out restrict writable : memref<6xf32> to tensor<6xf32>
  %first = tensor.extract_slice %0[1] [5] [1] : tensor<6xf32> to tensor<5xf32>
  %r = tensor.insert_slice %first into %0[0] [5] [1] : tensor<5xf32> into tensor<6xf32>
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<6xf32>, memref<6xf32>) -> ()
  return
}
// What is read has no part in the result.
// CHECK-DAG: undecided: @unused_neighbour: {{.*}}an element that an iteration in parallel may write meanwhile
func.func @unused_neighbour(%x: tensor<6xf32>, %out: memref<6xf32>) {
  bufferization.materialize_in_destination %x in restrict writable %out : (tensor<6xf32>, memref<6xf32>) -> ()
  return
}
// CHECK-DAG: undecided: @one_sum: {{.*}}an element that an iteration in parallel may write meanwhile
func.func @one_sum(%x: tensor<4xf32>, %out: memref<f32>) {
  %init = bufferization.to_tensor %out restrict writable : memref<f32> to tensor<f32>
  %r = linalg.reduce ins(%x : tensor<4xf32>) outs(%init : tensor<f32>) dimensions = [0]
    (%a: f32, %b: f32) {
      %s = arith.addf %a, %b : f32
      linalg.yield %s : f32
    }
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<f32>, memref<f32>) -> ()
  return
}
// What is written again as it was is lost where another iteration changed it.
// CHECK-DAG: undecided: @written_again: {{.*}}an element that an iteration in parallel may write meanwhile
// CHECK-DAG: undecided: @all_written_again: {{.*}}an element that an iteration in parallel may write meanwhile
func.func @written_again(%x: tensor<6xf32>, %out: memref<6xf32>) {
  bufferization.materialize_in_destination %x in restrict writable %out : (tensor<6xf32>, memref<6xf32>) -> ()
  return
}
func.func @all_written_again(%x: tensor<6xf32>, %out: memref<6xf32>) {
  bufferization.materialize_in_destination %x in restrict writable %out : (tensor<6xf32>, memref<6xf32>) -> ()
  return
}
// CHECK-DAG: undecided: @inserted_again: {{.*}}an element that an iteration in parallel may write meanwhile
func.func @inserted_again(%x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<2xf32> {
  %r = arith.addf %x, %y : tensor<2xf32>
  return %r : tensor<2xf32>
}
// CHECK-DAG: undecided: @columns_of_quotients: {{.*}}an element that an iteration in parallel may write meanwhile
func.func @columns_of_quotients(%x: tensor<3xf32>, %out: memref<3xf32>) {
  bufferization.materialize_in_destination %x in restrict writable %out : (tensor<3xf32>, memref<3xf32>) -> ()
  return
}
// CHECK-DAG: undecided: @in_second_dimension: {{.*}}an element that an iteration in parallel may write meanwhile
func.func @in_second_dimension(%x: tensor<3xf32>, %out: memref<3xf32>) {
  bufferization.materialize_in_destination %x in restrict writable %out : (tensor<3xf32>, memref<3xf32>) -> ()
  return
}
// CHECK-DAG: undecided: @filled: {{.*}}an element that an iteration in parallel may write meanwhile
func.func @filled(%x: tensor<3xf32>, %out: memref<3xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3xf32>
  %r = linalg.fill ins(%zero : f32) outs(%e : tensor<3xf32>) -> tensor<3xf32>
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<3xf32>, memref<3xf32>) -> ()
  return
}
// CHECK-DAG: certified: @parts_of_reshaped:
func.func @parts_of_reshaped(%x: tensor<3x4xf32>, %out: memref<3x4xf32>) {
  bufferization.materialize_in_destination %x in restrict writable %out : (tensor<3x4xf32>, memref<3x4xf32>) -> ()
  return
}
// CHECK-DAG: certified: @reshaped_parts:
func.func @reshaped_parts(%x: tensor<2x6xf32>, %out: memref<2x6xf32>) {
  bufferization.materialize_in_destination %x in restrict writable %out : (tensor<2x6xf32>, memref<2x6xf32>) -> ()
  return
}
// CHECK-DAG: undecided: @reshaped: {{.*}}an element that an iteration in parallel may write meanwhile
func.func @reshaped(%x: tensor<3x4xf32>, %out: memref<3x4xf32>) {
  bufferization.materialize_in_destination %x in restrict writable %out : (tensor<3x4xf32>, memref<3x4xf32>) -> ()
  return
}
// CHECK-DAG: undecided: @reduced: {{.*}}scf.parallel: iterations in parallel that reduce numbers
func.func @reduced(%x: tensor<3xf32>, %out: memref<3xf32>) {
  bufferization.materialize_in_destination %x in restrict writable %out : (tensor<3xf32>, memref<3xf32>) -> ()
  return
}
// CHECK-DAG: undecided: @tensor_and_buffer: {{.*}}scf.forall: iterations in parallel that write a buffer and make a tensor
func.func @tensor_and_buffer(%x: tensor<3xf32>, %out: memref<3xf32>) -> tensor<3xf32> {
  bufferization.materialize_in_destination %x in restrict writable %out : (tensor<3xf32>, memref<3xf32>) -> ()
  return %x : tensor<3xf32>
}

//--- after.mlir
func.func @rows(%x: tensor<3x4xf32>, %out: memref<3x4xf32>) {
  %m = bufferization.to_buffer %x read_only : tensor<3x4xf32> to memref<3x4xf32>
  scf.forall (%i) in (3) {
    %s = memref.subview %m[%i, 0] [1, 4] [1, 1] : memref<3x4xf32> to memref<1x4xf32, strided<[4, 1], offset: ?>>
    %t = memref.subview %out[%i, 0] [1, 4] [1, 1] : memref<3x4xf32> to memref<1x4xf32, strided<[4, 1], offset: ?>>
    memref.copy %s, %t : memref<1x4xf32, strided<[4, 1], offset: ?>> to memref<1x4xf32, strided<[4, 1], offset: ?>>
  }
  return
}
func.func @tiles(%x: tensor<?xf32>, %out: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %m = bufferization.to_buffer %x read_only : tensor<?xf32> to memref<?xf32>
  %n = memref.dim %out, %c0 : memref<?xf32>
  scf.forall (%i) = (0) to (%n) step (4) {
    %size = affine.min affine_map<(i)[n] -> (4, n - i)>(%i)[%n]
    %s = memref.subview %m[%i] [%size] [1] : memref<?xf32> to memref<?xf32, strided<[1], offset: ?>>
    %t = memref.subview %out[%i] [%size] [1] : memref<?xf32> to memref<?xf32, strided<[1], offset: ?>>
    memref.copy %s, %t : memref<?xf32, strided<[1], offset: ?>> to memref<?xf32, strided<[1], offset: ?>>
    memref.copy %t, %t : memref<?xf32, strided<[1], offset: ?>> to memref<?xf32, strided<[1], offset: ?>>
  }
  return
}
func.func @elements(%x: tensor<3x4xf32>, %out: memref<4x3xf32>) {
  %m = bufferization.to_buffer %x read_only : tensor<3x4xf32> to memref<3x4xf32>
  scf.forall (%i, %j) in (3, 4) {
    %e = memref.load %m[%i, %j] : memref<3x4xf32>
    memref.store %e, %out[%j, %i] : memref<4x3xf32>
  }
  return
}
func.func @threads(%x: tensor<7xf32>, %out: memref<7xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c7 = arith.constant 7 : index
  %m = bufferization.to_buffer %x read_only : tensor<7xf32> to memref<7xf32>
  scf.parallel (%thread) = (%c0) to (%c2) step (%c1) {
    %next = arith.addi %thread, %c1 : index
    %a = arith.muli %thread, %c7 : index
    %b = arith.muli %next, %c7 : index
    %from = arith.divui %a, %c2 : index
    %to = arith.divui %b, %c2 : index
    scf.for %i = %from to %to step %c1 {
      %e = memref.load %m[%i] : memref<7xf32>
      memref.store %e, %out[%i] : memref<7xf32>
    }
  }
  return
}
func.func @overlapping_threads(%x: tensor<7xf32>, %out: memref<7xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c7 = arith.constant 7 : index
  %m = bufferization.to_buffer %x read_only : tensor<7xf32> to memref<7xf32>
  scf.parallel (%thread) = (%c0) to (%c2) step (%c1) {
    %next = arith.addi %thread, %c1 : index
    %a = arith.muli %thread, %c7 : index
    %b = arith.muli %next, %c7 : index
    %from = arith.divui %a, %c2 : index
    %more = arith.addi %b, %c1 : index
    %to = arith.divui %more, %c2 : index
    scf.for %i = %from to %to step %c1 {
      %e = memref.load %m[%i] : memref<7xf32>
      memref.store %e, %out[%i] : memref<7xf32>
    }
  }
  return
}
func.func @lost_element(%x: tensor<7xf32>, %out: memref<7xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c7 = arith.constant 7 : index
  %m = bufferization.to_buffer %x read_only : tensor<7xf32> to memref<7xf32>
  scf.parallel (%thread) = (%c0) to (%c2) step (%c1) {
    %next = arith.addi %thread, %c1 : index
    %a = arith.muli %thread, %c7 : index
    %b = arith.muli %next, %c7 : index
    %more = arith.addi %a, %c1 : index
    %from = arith.divui %more, %c2 : index
    %to = arith.divui %b, %c2 : index
    scf.for %i = %from to %to step %c1 {
      %e = memref.load %m[%i] : memref<7xf32>
      memref.store %e, %out[%i] : memref<7xf32>
    }
  }
  return
}
func.func @digits(%x: tensor<3x5xf32>, %init: tensor<3x5xf32>, %out: memref<3x5xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  %c15 = arith.constant 15 : index
  %m = bufferization.to_buffer %x read_only : tensor<3x5xf32> to memref<3x5xf32>
  %n = bufferization.to_buffer %init read_only : tensor<3x5xf32> to memref<3x5xf32>
  scf.parallel (%thread) = (%c0) to (%c2) step (%c1) {
    %next = arith.addi %thread, %c1 : index
    %a = arith.muli %thread, %c15 : index
    %b = arith.muli %next, %c15 : index
    %from = arith.divui %a, %c2 : index
    %to = arith.divui %b, %c2 : index
    scf.for %number = %from to %to step %c1 {
      %j = arith.remui %number, %c5 : index
      %i = arith.divui %number, %c5 : index
      %start = memref.load %n[%i, %j] : memref<3x5xf32>
      memref.store %start, %out[%i, %j] : memref<3x5xf32>
      scf.for %k = %i to %c3 step %c1 {
        %so_far = memref.load %out[%i, %j] : memref<3x5xf32>
        %e = memref.load %m[%k, %j] : memref<3x5xf32>
        %more = arith.addf %so_far, %e : f32
        memref.store %more, %out[%i, %j] : memref<3x5xf32>
      }
    }
  }
  return
}
func.func @other_digit(%x: tensor<3x5xf32>, %out: memref<3x5xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c5 = arith.constant 5 : index
  %m = bufferization.to_buffer %x read_only : tensor<3x5xf32> to memref<3x5xf32>
  scf.forall (%number) in (15) {
    %j = arith.remui %number, %c5 : index
    %i = arith.divui %number, %c5 : index
    %other = arith.subi %c2, %i : index
    %to = arith.addi %other, %c1 : index
    scf.for %k = %other to %to step %c1 {
      %e = memref.load %m[%k, %j] : memref<3x5xf32>
      memref.store %e, %out[%i, %j] : memref<3x5xf32>
    }
  }
  return
}
func.func @same_digits(%x: tensor<3x5xf32>, %out: memref<3x5xf32>) {
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %c6 = arith.constant 6 : index
  %m = bufferization.to_buffer %x read_only : tensor<3x5xf32> to memref<3x5xf32>
  scf.forall (%number) in (18) {
    %j = arith.remui %number, %c5 : index
    %i = arith.divui %number, %c6 : index
    %to = arith.addi %i, %c1 : index
    scf.for %k = %i to %to step %c1 {
      %e = memref.load %m[%k, %j] : memref<3x5xf32>
      memref.store %e, %out[%k, %j] : memref<3x5xf32>
    }
  }
  return
}
func.func @negative_quotient(%x: tensor<7xf32>, %n: index) -> tensor<7xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %to = arith.divsi %n, %c2 : index
  %r = scf.for %i = %c0 to %to step %c1 iter_args(%so_far = %x) -> (tensor<7xf32>) {
    scf.yield %so_far : tensor<7xf32>
  }
  return %r : tensor<7xf32>
}
func.func @own_buffer(%x: tensor<3x4xf32>, %out: memref<3x4xf32>) {
  %m = bufferization.to_buffer %x read_only : tensor<3x4xf32> to memref<3x4xf32>
  scf.forall (%i) in (3) {
    %row = memref.alloc() : memref<1x4xf32>
    %s = memref.subview %m[%i, 0] [1, 4] [1, 1] : memref<3x4xf32> to memref<1x4xf32, strided<[4, 1], offset: ?>>
    memref.copy %s, %row : memref<1x4xf32, strided<[4, 1], offset: ?>> to memref<1x4xf32>
    %t = memref.subview %out[%i, 0] [1, 4] [1, 1] : memref<3x4xf32> to memref<1x4xf32, strided<[4, 1], offset: ?>>
    memref.copy %row, %t : memref<1x4xf32> to memref<1x4xf32, strided<[4, 1], offset: ?>>
  }
  return
}
func.func @in_place(%x: tensor<6xf32>, %out: memref<6xf32>) {
  %m = bufferization.to_buffer %x read_only : tensor<6xf32> to memref<6xf32>
  scf.forall (%i) in (6) {
    %a = memref.load %m[%i] : memref<6xf32>
    %b = memref.load %out[%i] : memref<6xf32>
    %c = arith.addf %a, %b : f32
    memref.store %c, %out[%i] : memref<6xf32>
  }
  return
}
func.func @vectors(%x: tensor<6xf32>, %out: memref<6xf32>) {
  %c6 = arith.constant 6 : index
  %p = ub.poison : f32
  %m = bufferization.to_buffer %x read_only : tensor<6xf32> to memref<6xf32>
  scf.forall (%i) = (0) to (6) step (4) {
    %rest = arith.subi %c6, %i : index
    %mask = vector.create_mask %rest : vector<4xi1>
    %a = vector.transfer_read %m[%i], %p, %mask : memref<6xf32>, vector<4xf32>
    vector.transfer_write %a, %out[%i], %mask : vector<4xf32>, memref<6xf32>
  }
  return
}
func.func @sums(%x: tensor<3x4xf32>, %init: tensor<3xf32>, %out: memref<3xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %m = bufferization.to_buffer %x read_only : tensor<3x4xf32> to memref<3x4xf32>
  %n = bufferization.to_buffer %init read_only : tensor<3xf32> to memref<3xf32>
  scf.forall (%i) in (3) {
    %start = memref.load %n[%i] : memref<3xf32>
    memref.store %start, %out[%i] : memref<3xf32>
    scf.for %j = %c0 to %c4 step %c1 {
      %a = memref.load %m[%i, %j] : memref<3x4xf32>
      %b = memref.load %out[%i] : memref<3xf32>
      %s = arith.addf %a, %b : f32
      memref.store %s, %out[%i] : memref<3xf32>
    }
  }
  return
}
func.func @branches(%x: tensor<8xf32>, %out: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %m = bufferization.to_buffer %x read_only : tensor<8xf32> to memref<8xf32>
  scf.forall (%i) in (2) {
    %is_first = arith.cmpi eq, %i, %c0 : index
    scf.if %is_first {
      %s = memref.subview %m[0] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1]>>
      %t = memref.subview %out[0] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1]>>
      memref.copy %s, %t : memref<4xf32, strided<[1]>> to memref<4xf32, strided<[1]>>
    } else {
      %s = memref.subview %m[4] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 4>>
      %t = memref.subview %out[4] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 4>>
      memref.copy %s, %t : memref<4xf32, strided<[1], offset: 4>> to memref<4xf32, strided<[1], offset: 4>>
    }
  }
  return
}
func.func @inserted(%x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<2xf32> {
  %r = scf.forall (%i) in (2) shared_outs(%o = %x) -> (tensor<2xf32>) {
    %a = tensor.extract_slice %o[%i] [1] [1] : tensor<2xf32> to tensor<1xf32>
    %b = tensor.extract_slice %y[%i] [1] [1] : tensor<2xf32> to tensor<1xf32>
    %c = arith.addf %a, %b : tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %c into %o[%i] [1] [1] : tensor<1xf32> into tensor<2xf32>
    }
  }
  return %r : tensor<2xf32>
}

func.func @other_row(%x: tensor<3x4xf32>, %out: memref<3x4xf32>) {
  %c2 = arith.constant 2 : index
  %m = bufferization.to_buffer %x read_only : tensor<3x4xf32> to memref<3x4xf32>
  scf.forall (%i) in (3) {
    %j = arith.subi %c2, %i : index
    %s = memref.subview %m[%j, 0] [1, 4] [1, 1] : memref<3x4xf32> to memref<1x4xf32, strided<[4, 1], offset: ?>>
    %t = memref.subview %out[%i, 0] [1, 4] [1, 1] : memref<3x4xf32> to memref<1x4xf32, strided<[4, 1], offset: ?>>
    memref.copy %s, %t : memref<1x4xf32, strided<[4, 1], offset: ?>> to memref<1x4xf32, strided<[4, 1], offset: ?>>
  }
  return
}
func.func @row_left_out(%x: tensor<3x4xf32>, %out: memref<3x4xf32>) {
  %m = bufferization.to_buffer %x read_only : tensor<3x4xf32> to memref<3x4xf32>
  scf.forall (%i) in (2) {
    %s = memref.subview %m[%i, 0] [1, 4] [1, 1] : memref<3x4xf32> to memref<1x4xf32, strided<[4, 1], offset: ?>>
    %t = memref.subview %out[%i, 0] [1, 4] [1, 1] : memref<3x4xf32> to memref<1x4xf32, strided<[4, 1], offset: ?>>
    memref.copy %s, %t : memref<1x4xf32, strided<[4, 1], offset: ?>> to memref<1x4xf32, strided<[4, 1], offset: ?>>
  }
  return
}
func.func @overlapping_rows(%x: tensor<4x4xf32>, %out: memref<4x4xf32>) {
  %m = bufferization.to_buffer %x read_only : tensor<4x4xf32> to memref<4x4xf32>
  scf.forall (%i) in (3) {
    %s = memref.subview %m[%i, 0] [2, 4] [1, 1] : memref<4x4xf32> to memref<2x4xf32, strided<[4, 1], offset: ?>>
    %t = memref.subview %out[%i, 0] [2, 4] [1, 1] : memref<4x4xf32> to memref<2x4xf32, strided<[4, 1], offset: ?>>
    memref.copy %s, %t : memref<2x4xf32, strided<[4, 1], offset: ?>> to memref<2x4xf32, strided<[4, 1], offset: ?>>
  }
  return
}
func.func @shared_buffer(%x: tensor<6xf32>, %out: memref<6xf32>) {
  %c0 = arith.constant 0 : index
  %m = bufferization.to_buffer %x read_only : tensor<6xf32> to memref<6xf32>
  %shared = memref.alloc() : memref<1xf32>
  scf.forall (%i) in (6) {
    %a = memref.load %m[%i] : memref<6xf32>
    memref.store %a, %shared[%c0] : memref<1xf32>
    %b = memref.load %shared[%c0] : memref<1xf32>
    memref.store %b, %out[%i] : memref<6xf32>
  }
  return
}
func.func @shared_whole(%x: tensor<3x4xf32>, %out: memref<3x4xf32>) {
  %m = bufferization.to_buffer %x read_only : tensor<3x4xf32> to memref<3x4xf32>
  %row = memref.alloc() : memref<1x4xf32>
  scf.forall (%i) in (3) {
    %s = memref.subview %m[%i, 0] [1, 4] [1, 1] : memref<3x4xf32> to memref<1x4xf32, strided<[4, 1], offset: ?>>
    memref.copy %s, %row : memref<1x4xf32, strided<[4, 1], offset: ?>> to memref<1x4xf32>
    %t = memref.subview %out[%i, 0] [1, 4] [1, 1] : memref<3x4xf32> to memref<1x4xf32, strided<[4, 1], offset: ?>>
    memref.copy %row, %t : memref<1x4xf32> to memref<1x4xf32, strided<[4, 1], offset: ?>>
  }
  return
}
func.func @rows_of_slice(%x: tensor<3x4xf32>, %out: memref<3x4xf32>) {
  %m = bufferization.to_buffer %x read_only : tensor<3x4xf32> to memref<3x4xf32>
  %from = memref.subview %m[0, 1] [3, 2] [1, 1] : memref<3x4xf32> to memref<3x2xf32, strided<[4, 1], offset: 1>>
  %to = memref.subview %out[0, 1] [3, 2] [1, 1] : memref<3x4xf32> to memref<3x2xf32, strided<[4, 1], offset: 1>>
  scf.forall (%i) in (3) {
    %s = memref.subview %from[%i, 0] [1, 2] [1, 1] : memref<3x2xf32, strided<[4, 1], offset: 1>> to memref<2xf32, strided<[1], offset: ?>>
    %t = memref.subview %to[%i, 0] [1, 2] [1, 1] : memref<3x2xf32, strided<[4, 1], offset: 1>> to memref<2xf32, strided<[1], offset: ?>>
    memref.copy %s, %t : memref<2xf32, strided<[1], offset: ?>> to memref<2xf32, strided<[1], offset: ?>>
    %again = memref.subview %to[%i, 0] [1, 2] [1, 1] : memref<3x2xf32, strided<[4, 1], offset: 1>> to memref<2xf32, strided<[1], offset: ?>>
    memref.copy %t, %again : memref<2xf32, strided<[1], offset: ?>> to memref<2xf32, strided<[1], offset: ?>>
  }
  return
}
func.func @columns_of_slice(%x: tensor<3x4xf32>, %out: memref<3x4xf32>) {
  %m = bufferization.to_buffer %x read_only : tensor<3x4xf32> to memref<3x4xf32>
  %from = memref.subview %m[0, 1] [3, 3] [1, 1] : memref<3x4xf32> to memref<3x3xf32, strided<[4, 1], offset: 1>>
  %to = memref.subview %out[0, 1] [3, 3] [1, 1] : memref<3x4xf32> to memref<3x3xf32, strided<[4, 1], offset: 1>>
  scf.forall (%i) in (2) {
    %s = memref.subview %from[0, %i] [3, 2] [1, 1] : memref<3x3xf32, strided<[4, 1], offset: 1>> to memref<3x2xf32, strided<[4, 1], offset: ?>>
    %t = memref.subview %to[0, %i] [3, 2] [1, 1] : memref<3x3xf32, strided<[4, 1], offset: 1>> to memref<3x2xf32, strided<[4, 1], offset: ?>>
    memref.copy %s, %t : memref<3x2xf32, strided<[4, 1], offset: ?>> to memref<3x2xf32, strided<[4, 1], offset: ?>>
  }
  return
}
func.func @copied_back(%x: tensor<3xf32>, %out: memref<3xf32>) {
  scf.forall (%i) in (3) {
    %own = memref.alloc() : memref<3xf32>
    memref.copy %out, %own : memref<3xf32> to memref<3xf32>
    %element = tensor.extract %x[%i] : tensor<3xf32>
    memref.store %element, %own[%i] : memref<3xf32>
    memref.copy %own, %out : memref<3xf32> to memref<3xf32>
  }
  return
}
func.func @part_copied_back(%x: tensor<2x3xf32>, %out: memref<2x3xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  scf.parallel (%i, %j) = (%c0, %c0) to (%c2, %c3) step (%c1, %c1) {
    %row = memref.subview %out[%i, 0] [1, 3] [1, 1] : memref<2x3xf32> to memref<3xf32, strided<[1], offset: ?>>
    %own = memref.alloc() : memref<3xf32>
    memref.copy %row, %own : memref<3xf32, strided<[1], offset: ?>> to memref<3xf32>
    %element = tensor.extract %x[%i, %j] : tensor<2x3xf32>
    memref.store %element, %own[%j] : memref<3xf32>
    memref.copy %own, %row : memref<3xf32> to memref<3xf32, strided<[1], offset: ?>>
  }
  return
}
func.func @copied_unused(%out: memref<3xf32>) {
  scf.forall (%i) in (3) {
    %own = memref.alloc() : memref<3xf32>
    memref.copy %out, %own : memref<3xf32> to memref<3xf32>
    %element = memref.load %own[%i] : memref<3xf32>
    %negated = arith.negf %element : f32
    memref.store %negated, %out[%i] : memref<3xf32>
  }
  return
}
func.func @copied_in_loop(%x: tensor<3xf32>, %out: memref<3xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %m = bufferization.to_buffer %x read_only : tensor<3xf32> to memref<3xf32>
  scf.forall (%i) in (2) {
    scf.for %j = %c0 to %c2 step %c1 {
      %e = memref.load %out[%j] : memref<3xf32>
      memref.copy %m, %out : memref<3xf32> to memref<3xf32>
    }
  }
  return
}
func.func @copied_in_branch(%x: tensor<3xf32>, %out: memref<3xf32>) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %m = bufferization.to_buffer %x read_only : tensor<3xf32> to memref<3xf32>
  scf.forall (%i) in (3) {
    %is_copied = arith.cmpi ne, %i, %c2 : index
    scf.if %is_copied {
      %e = memref.load %m[%i] : memref<3xf32>
      memref.copy %m, %out : memref<3xf32> to memref<3xf32>
    }
  }
  return
}
func.func @neighbour(%out: memref<6xf32>) {
  %c1 = arith.constant 1 : index
  scf.forall (%i) in (5) {
    %j = arith.addi %i, %c1 : index
    %a = memref.load %out[%j] : memref<6xf32>
    memref.store %a, %out[%i] : memref<6xf32>
  }
  return
}
func.func @unused_neighbour(%x: tensor<6xf32>, %out: memref<6xf32>) {
  %c5 = arith.constant 5 : index
  %m = bufferization.to_buffer %x read_only : tensor<6xf32> to memref<6xf32>
  scf.forall (%i) in (6) {
    %j = arith.subi %c5, %i : index
    %unused = memref.load %out[%j] : memref<6xf32>
    %a = memref.load %m[%i] : memref<6xf32>
    memref.store %a, %out[%i] : memref<6xf32>
  }
  return
}
func.func @one_sum(%x: tensor<4xf32>, %out: memref<f32>) {
  %m = bufferization.to_buffer %x read_only : tensor<4xf32> to memref<4xf32>
  scf.forall (%i) in (4) {
    %a = memref.load %m[%i] : memref<4xf32>
    %b = memref.load %out[] : memref<f32>
    %s = arith.addf %a, %b : f32
    memref.store %s, %out[] : memref<f32>
  }
  return
}
func.func @written_again(%x: tensor<6xf32>, %out: memref<6xf32>) {
  %m = bufferization.to_buffer %x read_only : tensor<6xf32> to memref<6xf32>
  scf.forall (%i) in (6) {
    %a = memref.load %m[%i] : memref<6xf32>
    memref.store %a, %out[%i] : memref<6xf32>
    %s = memref.subview %out[0] [3] [1] : memref<6xf32> to memref<3xf32, strided<[1]>>
    memref.copy %s, %s : memref<3xf32, strided<[1]>> to memref<3xf32, strided<[1]>>
  }
  return
}
func.func @all_written_again(%x: tensor<6xf32>, %out: memref<6xf32>) {
  %m = bufferization.to_buffer %x read_only : tensor<6xf32> to memref<6xf32>
  scf.forall (%i) in (6) {
    %a = memref.load %m[%i] : memref<6xf32>
    memref.store %a, %out[%i] : memref<6xf32>
    memref.copy %out, %out : memref<6xf32> to memref<6xf32>
  }
  return
}
func.func @inserted_again(%x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<2xf32> {
  %r = scf.forall (%i) in (2) shared_outs(%o = %x) -> (tensor<2xf32>) {
    %a = tensor.extract_slice %o[%i] [1] [1] : tensor<2xf32> to tensor<1xf32>
    %b = tensor.extract_slice %y[%i] [1] [1] : tensor<2xf32> to tensor<1xf32>
    %c = arith.addf %a, %b : tensor<1xf32>
    %d = tensor.insert_slice %c into %o[%i] [1] [1] : tensor<1xf32> into tensor<2xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %d into %o[0] [2] [1] : tensor<2xf32> into tensor<2xf32>
    }
  }
  return %r : tensor<2xf32>
}
func.func @columns_of_quotients(%x: tensor<3xf32>, %out: memref<3xf32>) {
  %m = bufferization.to_buffer %x read_only : tensor<3xf32> to memref<3xf32>
  scf.forall (%i) in (6) {
    %j = affine.apply affine_map<(i) -> (i floordiv 2)>(%i)
    %a = memref.load %m[%j] : memref<3xf32>
    memref.store %a, %out[%j] : memref<3xf32>
  }
  return
}
func.func @in_second_dimension(%x: tensor<3xf32>, %out: memref<3xf32>) {
  %m = bufferization.to_buffer %x read_only : tensor<3xf32> to memref<3xf32>
  scf.forall (%i, %j) in (3, 2) {
    %a = memref.load %m[%i] : memref<3xf32>
    memref.store %a, %out[%i] : memref<3xf32>
  }
  return
}
func.func @filled(%x: tensor<3xf32>, %out: memref<3xf32>) {
  %zero = arith.constant 0.0 : f32
  scf.forall (%i) in (2) {
    linalg.fill ins(%zero : f32) outs(%out : memref<3xf32>)
  }
  return
}
func.func @parts_of_reshaped(%x: tensor<3x4xf32>, %out: memref<3x4xf32>) {
  %m = bufferization.to_buffer %x read_only : tensor<3x4xf32> to memref<3x4xf32>
  %from = memref.collapse_shape %m [[0, 1]] : memref<3x4xf32> into memref<12xf32>
  %flat = memref.collapse_shape %out [[0, 1]] : memref<3x4xf32> into memref<12xf32>
  scf.forall (%i) = (0) to (12) step (6) {
    %s = memref.subview %from[%i] [6] [1] : memref<12xf32> to memref<6xf32, strided<[1], offset: ?>>
    %t = memref.subview %flat[%i] [6] [1] : memref<12xf32> to memref<6xf32, strided<[1], offset: ?>>
    memref.copy %s, %t : memref<6xf32, strided<[1], offset: ?>> to memref<6xf32, strided<[1], offset: ?>>
  }
  return
}
func.func @reshaped_parts(%x: tensor<2x6xf32>, %out: memref<2x6xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %m = bufferization.to_buffer %x read_only : tensor<2x6xf32> to memref<2x6xf32>
  %from = memref.expand_shape %m [[0], [1, 2]] output_shape [2, 2, 3] : memref<2x6xf32> into memref<2x2x3xf32>
  %to = memref.expand_shape %out [[0], [1, 2]] output_shape [2, 2, 3] : memref<2x6xf32> into memref<2x2x3xf32>
  scf.forall (%i) in (2) {
    scf.for %j = %c0 to %c2 step %c1 {
      scf.for %k = %c0 to %c3 step %c1 {
        %e = memref.load %from[%j, %i, %k] : memref<2x2x3xf32>
        memref.store %e, %to[%j, %i, %k] : memref<2x2x3xf32>
      }
    }
  }
  return
}
func.func @reshaped(%x: tensor<3x4xf32>, %out: memref<3x4xf32>) {
  %m = bufferization.to_buffer %x read_only : tensor<3x4xf32> to memref<3x4xf32>
  %from = memref.collapse_shape %m [[0, 1]] : memref<3x4xf32> into memref<12xf32>
  %flat = memref.collapse_shape %out [[0, 1]] : memref<3x4xf32> into memref<12xf32>
  scf.forall (%i) in (11) {
    %s = memref.subview %from[%i] [2] [1] : memref<12xf32> to memref<2xf32, strided<[1], offset: ?>>
    %t = memref.subview %flat[%i] [2] [1] : memref<12xf32> to memref<2xf32, strided<[1], offset: ?>>
    memref.copy %s, %t : memref<2xf32, strided<[1], offset: ?>> to memref<2xf32, strided<[1], offset: ?>>
  }
  return
}
func.func @reduced(%x: tensor<3xf32>, %out: memref<3xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0.0 : f32
  %m = bufferization.to_buffer %x read_only : tensor<3xf32> to memref<3xf32>
  %sum = scf.parallel (%i) = (%c0) to (%c3) step (%c1) init (%zero) -> f32 {
    %a = memref.load %m[%i] : memref<3xf32>
    memref.store %a, %out[%i] : memref<3xf32>
    scf.reduce(%a : f32) {
    ^bb0(%left: f32, %right: f32):
      %s = arith.addf %left, %right : f32
      scf.reduce.return %s : f32
    }
  }
  return
}
func.func @tensor_and_buffer(%x: tensor<3xf32>, %out: memref<3xf32>) -> tensor<3xf32> {
  %m = bufferization.to_buffer %x read_only : tensor<3xf32> to memref<3xf32>
  %e = tensor.empty() : tensor<3xf32>
  %r = scf.forall (%i) in (3) shared_outs(%o = %e) -> (tensor<3xf32>) {
    %a = memref.load %m[%i] : memref<3xf32>
    memref.store %a, %out[%i] : memref<3xf32>
    %one = tensor.extract_slice %x[%i] [1] [1] : tensor<3xf32> to tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %one into %o[%i] [1] [1] : tensor<1xf32> into tensor<3xf32>
    }
  }
  return %r : tensor<3xf32>
}
