// Memory is read as values in time.
// RUN: rm -rf %t && split-file %s %t
// RUN: not convoy-certify %t/before.mlir %t/after.mlir | FileCheck %s

//--- before.mlir
// CHECK-DAG: certified: @staged:
// CHECK-DAG: certified: @carried:
// CHECK-DAG: certified: @vectors:
// CHECK-DAG: certified: @views:
// CHECK-DAG: certified: @branch:
// CHECK-DAG: certified: @hoisted:
// CHECK-DAG: certified: @same_element:
// CHECK-DAG: certified: @padded:
// CHECK-DAG: certified: @reshaped:
func.func @staged(%x: tensor<6xf32>, %out: memref<6xf32>) {
  %0 = bufferization.to_tensor %out restrict writable : memref<6xf32> to tensor<6xf32>
  %r = linalg.add ins(%x, %x : tensor<6xf32>, tensor<6xf32>) outs(%0 : tensor<6xf32>) -> tensor<6xf32>
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<6xf32>, memref<6xf32>) -> ()
  return
}
func.func @carried(%x: tensor<6xf32>, %out: memref<6xf32>) {
  bufferization.materialize_in_destination %x in restrict writable %out : (tensor<6xf32>, memref<6xf32>) -> ()
  return
}
func.func @vectors(%x: tensor<6xf32>, %out: memref<6xf32>) {
  bufferization.materialize_in_destination %x in restrict writable %out : (tensor<6xf32>, memref<6xf32>) -> ()
  return
}
func.func @views(%x: tensor<3x4xf32>, %out: memref<3x4xf32>) {
  bufferization.materialize_in_destination %x in restrict writable %out : (tensor<3x4xf32>, memref<3x4xf32>) -> ()
  return
}
func.func @branch(%x: tensor<6xf32>, %out: memref<6xf32>) {
  bufferization.materialize_in_destination %x in restrict writable %out : (tensor<6xf32>, memref<6xf32>) -> ()
  return
}
func.func @hoisted(%x: tensor<3x4xf32>, %out: memref<3x4xf32>) {
  bufferization.materialize_in_destination %x in restrict writable %out : (tensor<3x4xf32>, memref<3x4xf32>) -> ()
  return
}
func.func @same_element(%x: tensor<6xf32>, %out: memref<6xf32>) {
  %0 = bufferization.to_tensor %out restrict writable : memref<6xf32> to tensor<6xf32>
  %r = linalg.add ins(%x, %x : tensor<6xf32>, tensor<6xf32>) outs(%0 : tensor<6xf32>) -> tensor<6xf32>
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<6xf32>, memref<6xf32>) -> ()
  return
}
func.func @padded(%x: tensor<6xf32>, %out: memref<7xf32>) {
  %zero = arith.constant 0.0 : f32
  %r = tensor.pad %x low[1] high[0] {
  ^bb0(%i: index):
    tensor.yield %zero : f32
  } : tensor<6xf32> to tensor<7xf32>
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<7xf32>, memref<7xf32>) -> ()
  return
}
func.func @reshaped(%x: tensor<3x4xf32>, %out: memref<3x4xf32>) {
  bufferization.materialize_in_destination %x in restrict writable %out : (tensor<3x4xf32>, memref<3x4xf32>) -> ()
  return
}
// CHECK-DAG: certified: @reshaped_back:
func.func @reshaped_back(%x: tensor<3x4xf32>, %out: memref<3x4xf32>) {
  bufferization.materialize_in_destination %x in restrict writable %out : (tensor<3x4xf32>, memref<3x4xf32>) -> ()
  return
}
// CHECK-DAG: certified: @left_by_branches:
func.func @left_by_branches(%x: tensor<6xf32>, %out: memref<6xf32>) {
  bufferization.materialize_in_destination %x in restrict writable %out : (tensor<6xf32>, memref<6xf32>) -> ()
  return
}
// CHECK-NOT: certified: @wrong_
// CHECK-DAG: undecided: @wrong_branches: {{.*}}scf.if: branches that leave different buffers
func.func @wrong_branches(%x: tensor<6xf32>, %out: memref<6xf32>) {
  bufferization.materialize_in_destination %x in restrict writable %out : (tensor<6xf32>, memref<6xf32>) -> ()
  return
}
// CHECK-DAG: undecided: @wrong_reshape_back: {{.*}}memref.copy: a copy within one buffer
func.func @wrong_reshape_back(%x: tensor<1x3x4x1xf32>, %out: memref<1x3x4x1xf32>) {
  bufferization.materialize_in_destination %x in restrict writable %out : (tensor<1x3x4x1xf32>, memref<1x3x4x1xf32>) -> ()
  return
}
// CHECK-DAG: undecided: @wrong_reshape: {{.*}}memref.copy: a copy within one buffer
func.func @wrong_reshape(%x: tensor<3x4xf32>, %out: memref<3x4xf32>) {
  bufferization.materialize_in_destination %x in restrict writable %out : (tensor<3x4xf32>, memref<3x4xf32>) -> ()
  return
}
// CHECK-DAG: different: @wrong_index:
func.func @wrong_index(%x: tensor<6xf32>, %out: memref<6xf32>) {
  bufferization.materialize_in_destination %x in restrict writable %out : (tensor<6xf32>, memref<6xf32>) -> ()
  return
}
// CHECK-DAG: {{different|undecided}}: @wrong_last_index:
func.func @wrong_last_index(%x: tensor<6xf32>, %out: memref<6xf32>) {
  bufferization.materialize_in_destination %x in restrict writable %out : (tensor<6xf32>, memref<6xf32>) -> ()
  return
}
// CHECK-DAG: {{different|undecided}}: @wrong_read_before_copy:
func.func @wrong_read_before_copy(%x: tensor<6xf32>, %out: memref<6xf32>) {
  bufferization.materialize_in_destination %x in restrict writable %out : (tensor<6xf32>, memref<6xf32>) -> ()
  return
}
// CHECK-DAG: {{different|undecided}}: @wrong_order_of_writes:
func.func @wrong_order_of_writes(%x: tensor<6xf32>, %y: tensor<6xf32>, %out: memref<6xf32>) {
  bufferization.materialize_in_destination %y in restrict writable %out : (tensor<6xf32>, memref<6xf32>) -> ()
  return
}
// CHECK-DAG: different: @wrong_mask:
func.func @wrong_mask(%x: tensor<6xf32>, %out: memref<6xf32>) {
  bufferization.materialize_in_destination %x in restrict writable %out : (tensor<6xf32>, memref<6xf32>) -> ()
  return
}
// CHECK-DAG: different: @wrong_view:
func.func @wrong_view(%x: tensor<3x4xf32>, %out: memref<3x4xf32>) {
  bufferization.materialize_in_destination %x in restrict writable %out : (tensor<3x4xf32>, memref<3x4xf32>) -> ()
  return
}
// CHECK-DAG: {{different|undecided}}: @wrong_in_place:
func.func @wrong_in_place(%out: memref<6xf32>) {
  %0 = bufferization.to_tensor %out restrict writable : memref<6xf32> to tensor<6xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (-i + 5)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%0 : tensor<6xf32>) outs(%0 : tensor<6xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<6xf32>
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<6xf32>, memref<6xf32>) -> ()
  return
}
// CHECK-DAG: {{different|undecided}}: @wrong_in_place_by_loop:
func.func @wrong_in_place_by_loop(%out: memref<6xf32>) {
  %0 = bufferization.to_tensor %out restrict writable : memref<6xf32> to tensor<6xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (-i + 5)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%0 : tensor<6xf32>) outs(%0 : tensor<6xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<6xf32>
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<6xf32>, memref<6xf32>) -> ()
  return
}
// CHECK-DAG: undecided: @wrong_overlap: {{.*}}memref.copy: a copy within one buffer
func.func @wrong_overlap(%x: tensor<6xf32>, %out: memref<6xf32>) {
  bufferization.materialize_in_destination %x in restrict writable %out : (tensor<6xf32>, memref<6xf32>) -> ()
  return
}
// CHECK-DAG: undecided: @wrong_tensor: {{.*}}a buffer that is used after a tensor or a clone was made of it
func.func @wrong_tensor(%x: tensor<6xf32>, %out: memref<6xf32>) {
  bufferization.materialize_in_destination %x in restrict writable %out : (tensor<6xf32>, memref<6xf32>) -> ()
  return
}
// CHECK-DAG: undecided: @wrong_two_buffers: {{.*}}buffers that may be the same memory
func.func @wrong_two_buffers(%in: memref<6xf32>, %out: memref<6xf32>) {
  %0 = bufferization.to_tensor %in : memref<6xf32> to tensor<6xf32>
  bufferization.materialize_in_destination %0 in restrict writable %out : (tensor<6xf32>, memref<6xf32>) -> ()
  return
}
// CHECK-DAG: undecided: @wrong_returned: {{.*}}func.return: a buffer that is returned
func.func @wrong_returned(%x: tensor<6xf32>, %out: memref<6xf32>) {
  bufferization.materialize_in_destination %x in restrict writable %out : (tensor<6xf32>, memref<6xf32>) -> ()
  return
}
// CHECK-DAG: undecided: @wrong_swap: {{.*}}a loop that carries one buffer after another
func.func @wrong_swap(%x: tensor<6xf32>, %out: memref<6xf32>) {
  bufferization.materialize_in_destination %x in restrict writable %out : (tensor<6xf32>, memref<6xf32>) -> ()
  return
}
// CHECK-DAG: {{different|undecided}}: @wrong_stale:
func.func @wrong_stale(%x: tensor<3x4xf32>, %out: memref<3x4xf32>) {
  bufferization.materialize_in_destination %x in restrict writable %out : (tensor<3x4xf32>, memref<3x4xf32>) -> ()
  return
}
// CHECK-DAG: certified: @in_parallel:
func.func @in_parallel(%x: tensor<6xf32>, %out: memref<6xf32>) {
  bufferization.materialize_in_destination %x in restrict writable %out : (tensor<6xf32>, memref<6xf32>) -> ()
  return
}
// A kernel may leave a result alone that has no elements, and no other.
// CHECK-DAG: certified: @untouched_empty:
// CHECK-DAG: different: @untouched:
func.func @untouched(%x: memref<6xf32>, %out: memref<6xf32>) attributes {convoy.arguments = [{layout = "", name = "x", type = tensor<6xf32>, written = false}, {layout = "", name = "y", type = tensor<6xf32>, written = true}]} {
  memref.copy %x, %out : memref<6xf32> to memref<6xf32>
  %zero = arith.constant 0 : index
  %first = memref.load %x[%zero] : memref<6xf32>
  return
}
func.func @untouched_empty(%x: memref<0xf32>, %out: memref<0xf32>) attributes {convoy.arguments = [{layout = "", name = "x", type = tensor<0xf32>, written = false}, {layout = "", name = "y", type = tensor<0xf32>, written = true}]} {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  scf.for %i = %zero to %zero step %one {
    %e = memref.load %x[%i] : memref<0xf32>
    memref.store %e, %out[%i] : memref<0xf32>
  }
  return
}
// Of elements in one place the last write counts.
// CHECK-DAG: undecided: @overlapping_rows: {{.*}}func.func: a buffer two of whose elements may lie in one place
func.func @overlapping_rows(%x: tensor<2x2xf32>, %out: memref<2x2xf32, strided<[1, 1]>>) {
  bufferization.materialize_in_destination %x in restrict writable %out : (tensor<2x2xf32>, memref<2x2xf32, strided<[1, 1]>>) -> ()
  return
}
// CHECK-DAG: undecided: @rounded_places: {{.*}}memref.alloc: a buffer two of whose elements may lie in one place
func.func @rounded_places(%a: f32, %b: f32, %out: memref<1xf32>) {
  %c0 = arith.constant 0 : index
  memref.store %a, %out[%c0] : memref<1xf32>
  return
}
// CHECK-DAG: certified: @rows_apart:
func.func @rows_apart(%a: f32, %b: f32, %out: memref<2x2xf32, strided<[1, 3]>>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  memref.store %a, %out[%c0, %c1] : memref<2x2xf32, strided<[1, 3]>>
  memref.store %b, %out[%c1, %c0] : memref<2x2xf32, strided<[1, 3]>>
  return
}

//--- after.mlir
func.func @staged(%x: tensor<6xf32>, %out: memref<6xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  %m = bufferization.to_buffer %x read_only : tensor<6xf32> to memref<6xf32>
  %buffer = memref.alloc() : memref<6xf32>
  memref.copy %m, %buffer : memref<6xf32> to memref<6xf32>
  scf.for %i = %c0 to %c6 step %c1 {
    %a = memref.load %buffer[%i] : memref<6xf32>
    %b = arith.addf %a, %a : f32
    memref.store %b, %out[%i] : memref<6xf32>
  }
  return
}
// Bufferization leaves loops that carry the buffer that they write.
func.func @carried(%x: tensor<6xf32>, %out: memref<6xf32>) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c6 = arith.constant 6 : index
  %m = bufferization.to_buffer %x read_only : tensor<6xf32> to memref<6xf32>
  %r = scf.for %i = %c0 to %c6 step %c2 iter_args(%to = %out) -> (memref<6xf32>) {
    %s = memref.subview %m[%i] [2] [1] : memref<6xf32> to memref<2xf32, strided<[1], offset: ?>>
    %t = memref.subview %to[%i] [2] [1] : memref<6xf32> to memref<2xf32, strided<[1], offset: ?>>
    memref.copy %s, %t : memref<2xf32, strided<[1], offset: ?>> to memref<2xf32, strided<[1], offset: ?>>
    %u = memref.subview %to[%i] [2] [1] : memref<6xf32> to memref<2xf32, strided<[1], offset: ?>>
    memref.copy %t, %u : memref<2xf32, strided<[1], offset: ?>> to memref<2xf32, strided<[1], offset: ?>>
    scf.yield %to : memref<6xf32>
  }
  memref.copy %r, %out : memref<6xf32> to memref<6xf32>
  return
}
func.func @vectors(%x: tensor<6xf32>, %out: memref<6xf32>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c2 = arith.constant 2 : index
  %p = ub.poison : f32
  %m = bufferization.to_buffer %x read_only : tensor<6xf32> to memref<6xf32>
  %a = vector.transfer_read %m[%c0], %p {in_bounds = [true]} : memref<6xf32>, vector<4xf32>
  vector.transfer_write %a, %out[%c0] {in_bounds = [true]} : vector<4xf32>, memref<6xf32>
  %mask = vector.create_mask %c2 : vector<4xi1>
  %b = vector.transfer_read %m[%c4], %p, %mask : memref<6xf32>, vector<4xf32>
  vector.transfer_write %b, %out[%c4], %mask : vector<4xf32>, memref<6xf32>
  return
}
func.func @views(%x: tensor<3x4xf32>, %out: memref<3x4xf32>) {
  %m = bufferization.to_buffer %x read_only : tensor<3x4xf32> to memref<3x4xf32>
  %flat = memref.collapse_shape %out [[0, 1]] : memref<3x4xf32> into memref<12xf32>
  %from = memref.collapse_shape %m [[0, 1]] : memref<3x4xf32> into memref<12xf32>
  %a = memref.subview %from[0] [5] [1] : memref<12xf32> to memref<5xf32, strided<[1]>>
  %b = memref.subview %from[5] [7] [1] : memref<12xf32> to memref<7xf32, strided<[1], offset: 5>>
  %c = memref.subview %flat[0] [5] [1] : memref<12xf32> to memref<5xf32, strided<[1]>>
  %d = memref.subview %flat[5] [7] [1] : memref<12xf32> to memref<7xf32, strided<[1], offset: 5>>
  memref.copy %b, %d : memref<7xf32, strided<[1], offset: 5>> to memref<7xf32, strided<[1], offset: 5>>
  memref.copy %a, %c : memref<5xf32, strided<[1]>> to memref<5xf32, strided<[1]>>
  return
}
func.func @branch(%x: tensor<6xf32>, %out: memref<6xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  %zero = arith.constant 0.0 : f32
  %m = bufferization.to_buffer %x read_only : tensor<6xf32> to memref<6xf32>
  %last = memref.load %m[%c0] : memref<6xf32>
  scf.for %i = %c0 to %c6 step %c1 {
    %a = memref.load %m[%i] : memref<6xf32>
    %is = arith.cmpi eq, %i, %c0 : index
    scf.if %is {
      memref.store %last, %out[%i] : memref<6xf32>
    } else {
      memref.store %a, %out[%i] : memref<6xf32>
    }
  }
  return
}
// What each iteration fills before it reads it is no matter of others.
func.func @hoisted(%x: tensor<3x4xf32>, %out: memref<3x4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %m = bufferization.to_buffer %x read_only : tensor<3x4xf32> to memref<3x4xf32>
  %row = memref.alloc() : memref<1x4xf32>
  scf.for %i = %c0 to %c3 step %c1 {
    %s = memref.subview %m[%i, 0] [1, 4] [1, 1] : memref<3x4xf32> to memref<1x4xf32, strided<[4, 1], offset: ?>>
    memref.copy %s, %row : memref<1x4xf32, strided<[4, 1], offset: ?>> to memref<1x4xf32>
    %t = memref.subview %out[%i, 0] [1, 4] [1, 1] : memref<3x4xf32> to memref<1x4xf32, strided<[4, 1], offset: ?>>
    memref.copy %row, %t : memref<1x4xf32> to memref<1x4xf32, strided<[4, 1], offset: ?>>
  }
  return
}
func.func @same_element(%x: tensor<6xf32>, %out: memref<6xf32>) {
  %m = bufferization.to_buffer %x read_only : tensor<6xf32> to memref<6xf32>
  memref.copy %m, %out : memref<6xf32> to memref<6xf32>
  linalg.add ins(%out, %out : memref<6xf32>, memref<6xf32>) outs(%out : memref<6xf32>)
  return
}
func.func @padded(%x: tensor<6xf32>, %out: memref<7xf32>) {
  %zero = arith.constant 0.0 : f32
  %m = bufferization.to_buffer %x read_only : tensor<6xf32> to memref<6xf32>
  %buffer = memref.alloc() : memref<7xf32>
  %border = memref.subview %buffer[0] [1] [1] : memref<7xf32> to memref<1xf32, strided<[1]>>
  linalg.fill ins(%zero : f32) outs(%border : memref<1xf32, strided<[1]>>)
  %inner = memref.subview %buffer[1] [6] [1] : memref<7xf32> to memref<6xf32, strided<[1], offset: 1>>
  memref.copy %m, %inner : memref<6xf32> to memref<6xf32, strided<[1], offset: 1>>
  %r = bufferization.to_tensor %buffer restrict writable : memref<7xf32> to tensor<7xf32>
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<7xf32>, memref<7xf32>) -> ()
  return
}
func.func @reshaped(%x: tensor<3x4xf32>, %out: memref<3x4xf32>) {
  %m = bufferization.to_buffer %x read_only : tensor<3x4xf32> to memref<3x4xf32>
  memref.copy %m, %out : memref<3x4xf32> to memref<3x4xf32>
  %flat = memref.collapse_shape %out [[0, 1]] : memref<3x4xf32> into memref<12xf32>
  %again = memref.expand_shape %flat [[0, 1]] output_shape [3, 4] : memref<12xf32> into memref<3x4xf32>
  memref.copy %again, %out : memref<3x4xf32> to memref<3x4xf32>
  return
}
func.func @reshaped_back(%x: tensor<3x4xf32>, %out: memref<3x4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %m = bufferization.to_buffer %x read_only : tensor<3x4xf32> to memref<3x4xf32>
  %from = memref.expand_shape %m [[0], [1, 2]] output_shape [3, 4, 1] : memref<3x4xf32> into memref<3x4x1xf32>
  %long = memref.expand_shape %out [[0], [1, 2]] output_shape [3, 4, 1] : memref<3x4xf32> into memref<3x4x1xf32>
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%to = %long) -> (memref<3x4x1xf32>) {
    %s = memref.subview %from[%i, 0, 0] [1, 4, 1] [1, 1, 1] : memref<3x4x1xf32> to memref<1x4x1xf32, strided<[4, 1, 1], offset: ?>>
    %t = memref.subview %to[%i, 0, 0] [1, 4, 1] [1, 1, 1] : memref<3x4x1xf32> to memref<1x4x1xf32, strided<[4, 1, 1], offset: ?>>
    memref.copy %s, %t : memref<1x4x1xf32, strided<[4, 1, 1], offset: ?>> to memref<1x4x1xf32, strided<[4, 1, 1], offset: ?>>
    scf.yield %to : memref<3x4x1xf32>
  }
  %back = memref.collapse_shape %r [[0], [1, 2]] : memref<3x4x1xf32> into memref<3x4xf32>
  memref.copy %back, %out : memref<3x4xf32> to memref<3x4xf32>
  return
}
func.func @left_by_branches(%x: tensor<6xf32>, %out: memref<6xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c6 = arith.constant 6 : index
  %zero = arith.constant 0.0 : f32
  %m = bufferization.to_buffer %x read_only : tensor<6xf32> to memref<6xf32>
  scf.for %i = %c0 to %c6 step %c2 {
    %s = memref.subview %m[%i] [2] [1] : memref<6xf32> to memref<2xf32, strided<[1], offset: ?>>
    %t = memref.subview %out[%i] [2] [1] : memref<6xf32> to memref<2xf32, strided<[1], offset: ?>>
    linalg.fill ins(%zero : f32) outs(%t : memref<2xf32, strided<[1], offset: ?>>)
    %is = arith.cmpi sge, %i, %c1 : index
    %number, %left = scf.if %is -> (f32, memref<2xf32, strided<[1], offset: ?>>) {
      memref.copy %s, %t : memref<2xf32, strided<[1], offset: ?>> to memref<2xf32, strided<[1], offset: ?>>
      %a = memref.load %s[%c0] : memref<2xf32, strided<[1], offset: ?>>
      scf.yield %a, %t : f32, memref<2xf32, strided<[1], offset: ?>>
    } else {
      memref.copy %s, %t : memref<2xf32, strided<[1], offset: ?>> to memref<2xf32, strided<[1], offset: ?>>
      scf.yield %zero, %t : f32, memref<2xf32, strided<[1], offset: ?>>
    }
    memref.copy %left, %t : memref<2xf32, strided<[1], offset: ?>> to memref<2xf32, strided<[1], offset: ?>>
  }
  return
}
func.func @wrong_branches(%x: tensor<6xf32>, %out: memref<6xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  %m = bufferization.to_buffer %x read_only : tensor<6xf32> to memref<6xf32>
  %other = memref.alloc() : memref<6xf32>
  scf.for %i = %c0 to %c6 step %c1 {
    %is = arith.cmpi sge, %i, %c1 : index
    %to = scf.if %is -> (memref<6xf32>) {
      %a = memref.load %m[%i] : memref<6xf32>
      memref.store %a, %out[%i] : memref<6xf32>
      scf.yield %out : memref<6xf32>
    } else {
      scf.yield %other : memref<6xf32>
    }
    %b = memref.load %m[%i] : memref<6xf32>
    memref.store %b, %to[%i] : memref<6xf32>
  }
  return
}
func.func @wrong_reshape_back(%x: tensor<1x3x4x1xf32>, %out: memref<1x3x4x1xf32>) {
  %c0 = arith.constant 0 : index
  %m = bufferization.to_buffer %x read_only : tensor<1x3x4x1xf32> to memref<1x3x4x1xf32>
  %a = memref.load %m[%c0, %c0, %c0, %c0] : memref<1x3x4x1xf32>
  memref.copy %m, %out : memref<1x3x4x1xf32> to memref<1x3x4x1xf32>
  %flat = memref.collapse_shape %out [[0, 1], [2, 3]] : memref<1x3x4x1xf32> into memref<3x4xf32>
  %other = memref.expand_shape %flat [[0], [1, 2, 3]] output_shape [3, 2, 2, 1] : memref<3x4xf32> into memref<3x2x2x1xf32>
  %from = memref.subview %other[0, 0, 0, 0] [1, 2, 2, 1] [1, 1, 1, 1] : memref<3x2x2x1xf32> to memref<1x2x2x1xf32, strided<[4, 2, 1, 1]>>
  %to = memref.subview %out[0, 0, 0, 0] [1, 2, 2, 1] [1, 1, 1, 1] : memref<1x3x4x1xf32> to memref<1x2x2x1xf32, strided<[12, 4, 1, 1]>>
  memref.copy %from, %to : memref<1x2x2x1xf32, strided<[4, 2, 1, 1]>> to memref<1x2x2x1xf32, strided<[12, 4, 1, 1]>>
  return
}
func.func @wrong_reshape(%x: tensor<3x4xf32>, %out: memref<3x4xf32>) {
  %m = bufferization.to_buffer %x read_only : tensor<3x4xf32> to memref<3x4xf32>
  memref.copy %m, %out : memref<3x4xf32> to memref<3x4xf32>
  %flat = memref.collapse_shape %out [[0, 1]] : memref<3x4xf32> into memref<12xf32>
  %other = memref.expand_shape %flat [[0, 1]] output_shape [4, 3] : memref<12xf32> into memref<4x3xf32>
  %a = memref.subview %other[0, 0] [3, 3] [1, 1] : memref<4x3xf32> to memref<3x3xf32, strided<[3, 1]>>
  %b = memref.subview %out[0, 0] [3, 3] [1, 1] : memref<3x4xf32> to memref<3x3xf32, strided<[4, 1]>>
  memref.copy %a, %b : memref<3x3xf32, strided<[3, 1]>> to memref<3x3xf32, strided<[4, 1]>>
  return
}
func.func @wrong_index(%x: tensor<6xf32>, %out: memref<6xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %c6 = arith.constant 6 : index
  %m = bufferization.to_buffer %x read_only : tensor<6xf32> to memref<6xf32>
  scf.for %i = %c0 to %c6 step %c1 {
    %a = memref.load %m[%i] : memref<6xf32>
    %j = arith.subi %c5, %i : index
    memref.store %a, %out[%j] : memref<6xf32>
  }
  return
}
func.func @wrong_last_index(%x: tensor<6xf32>, %out: memref<6xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  %m = bufferization.to_buffer %x read_only : tensor<6xf32> to memref<6xf32>
  scf.for %i = %c0 to %c6 step %c1 {
    %j = arith.addi %i, %c1 : index
    %a = memref.load %m[%j] : memref<6xf32>
    memref.store %a, %out[%i] : memref<6xf32>
  }
  return
}
func.func @wrong_read_before_copy(%x: tensor<6xf32>, %out: memref<6xf32>) {
  %m = bufferization.to_buffer %x read_only : tensor<6xf32> to memref<6xf32>
  %buffer = memref.alloc() : memref<6xf32>
  memref.copy %buffer, %out : memref<6xf32> to memref<6xf32>
  memref.copy %m, %buffer : memref<6xf32> to memref<6xf32>
  return
}
func.func @wrong_order_of_writes(%x: tensor<6xf32>, %y: tensor<6xf32>, %out: memref<6xf32>) {
  %m = bufferization.to_buffer %x read_only : tensor<6xf32> to memref<6xf32>
  %n = bufferization.to_buffer %y read_only : tensor<6xf32> to memref<6xf32>
  memref.copy %n, %out : memref<6xf32> to memref<6xf32>
  memref.copy %m, %out : memref<6xf32> to memref<6xf32>
  return
}
func.func @wrong_mask(%x: tensor<6xf32>, %out: memref<6xf32>) {
  %c0 = arith.constant 0 : index
  %c5 = arith.constant 5 : index
  %p = ub.poison : f32
  %m = bufferization.to_buffer %x read_only : tensor<6xf32> to memref<6xf32>
  %a = vector.transfer_read %m[%c0], %p {in_bounds = [true]} : memref<6xf32>, vector<6xf32>
  %mask = vector.create_mask %c5 : vector<6xi1>
  vector.transfer_write %a, %out[%c0], %mask {in_bounds = [true]} : vector<6xf32>, memref<6xf32>
  return
}
func.func @wrong_view(%x: tensor<3x4xf32>, %out: memref<3x4xf32>) {
  %m = bufferization.to_buffer %x read_only : tensor<3x4xf32> to memref<3x4xf32>
  %a = memref.subview %m[0, 0] [1, 4] [1, 1] : memref<3x4xf32> to memref<1x4xf32, strided<[4, 1]>>
  %b = memref.subview %out[1, 0] [1, 4] [1, 1] : memref<3x4xf32> to memref<1x4xf32, strided<[4, 1], offset: 4>>
  memref.copy %m, %out : memref<3x4xf32> to memref<3x4xf32>
  memref.copy %a, %b : memref<1x4xf32, strided<[4, 1]>> to memref<1x4xf32, strided<[4, 1], offset: 4>>
  return
}
func.func @wrong_in_place(%out: memref<6xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i) -> (-i + 5)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%out : memref<6xf32>) outs(%out : memref<6xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  }
  return
}
func.func @wrong_in_place_by_loop(%out: memref<6xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %c6 = arith.constant 6 : index
  scf.for %i = %c0 to %c6 step %c1 {
    %j = arith.subi %c5, %i : index
    %a = memref.load %out[%j] : memref<6xf32>
    memref.store %a, %out[%i] : memref<6xf32>
  }
  return
}
func.func @wrong_overlap(%x: tensor<6xf32>, %out: memref<6xf32>) {
  %m = bufferization.to_buffer %x read_only : tensor<6xf32> to memref<6xf32>
  memref.copy %m, %out : memref<6xf32> to memref<6xf32>
  %a = memref.subview %out[0] [3] [1] : memref<6xf32> to memref<3xf32, strided<[1]>>
  %b = memref.subview %out[1] [3] [1] : memref<6xf32> to memref<3xf32, strided<[1], offset: 1>>
  memref.copy %a, %b : memref<3xf32, strided<[1]>> to memref<3xf32, strided<[1], offset: 1>>
  return
}
func.func @wrong_tensor(%x: tensor<6xf32>, %out: memref<6xf32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %m = bufferization.to_buffer %x read_only : tensor<6xf32> to memref<6xf32>
  %buffer = memref.alloc() : memref<6xf32>
  memref.copy %m, %buffer : memref<6xf32> to memref<6xf32>
  %r = bufferization.to_tensor %buffer restrict : memref<6xf32> to tensor<6xf32>
  memref.store %zero, %buffer[%c0] : memref<6xf32>
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<6xf32>, memref<6xf32>) -> ()
  return
}
func.func @wrong_two_buffers(%in: memref<6xf32>, %out: memref<6xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  scf.for %i = %c0 to %c6 step %c1 {
    %a = memref.load %in[%i] : memref<6xf32>
    memref.store %a, %out[%i] : memref<6xf32>
  }
  return
}
func.func @wrong_returned(%x: tensor<6xf32>, %out: memref<6xf32>) -> memref<6xf32> {
  %m = bufferization.to_buffer %x read_only : tensor<6xf32> to memref<6xf32>
  %buffer = memref.alloc() : memref<6xf32>
  memref.copy %m, %buffer : memref<6xf32> to memref<6xf32>
  memref.copy %m, %out : memref<6xf32> to memref<6xf32>
  return %buffer : memref<6xf32>
}
func.func @wrong_swap(%x: tensor<6xf32>, %out: memref<6xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  %m = bufferization.to_buffer %x read_only : tensor<6xf32> to memref<6xf32>
  %buffer = memref.alloc() : memref<6xf32>
  %r:2 = scf.for %i = %c0 to %c6 step %c1 iter_args(%a = %out, %b = %buffer) -> (memref<6xf32>, memref<6xf32>) {
    memref.copy %m, %a : memref<6xf32> to memref<6xf32>
    scf.yield %b, %a : memref<6xf32>, memref<6xf32>
  }
  return
}
// The last row is that of the iteration before.
func.func @wrong_stale(%x: tensor<3x4xf32>, %out: memref<3x4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %m = bufferization.to_buffer %x read_only : tensor<3x4xf32> to memref<3x4xf32>
  %row = memref.alloc() : memref<1x4xf32>
  scf.for %i = %c0 to %c3 step %c1 {
    %s = memref.subview %m[%i, 0] [1, 4] [1, 1] : memref<3x4xf32> to memref<1x4xf32, strided<[4, 1], offset: ?>>
    %t = memref.subview %out[%i, 0] [1, 4] [1, 1] : memref<3x4xf32> to memref<1x4xf32, strided<[4, 1], offset: ?>>
    memref.copy %row, %t : memref<1x4xf32> to memref<1x4xf32, strided<[4, 1], offset: ?>>
    memref.copy %s, %row : memref<1x4xf32, strided<[4, 1], offset: ?>> to memref<1x4xf32>
  }
  return
}
func.func @in_parallel(%x: tensor<6xf32>, %out: memref<6xf32>) {
  %m = bufferization.to_buffer %x read_only : tensor<6xf32> to memref<6xf32>
  scf.forall (%i) in (6) {
    %a = memref.load %m[%i] : memref<6xf32>
    memref.store %a, %out[%i] : memref<6xf32>
  }
  return
}
func.func @untouched(%x: memref<6xf32>, %out: memref<6xf32>) attributes {convoy.arguments = [{layout = "", name = "x", type = tensor<6xf32>, written = false}, {layout = "", name = "y", type = tensor<6xf32>, written = true}]} {
  return
}
func.func @untouched_empty(%x: memref<0xf32>, %out: memref<0xf32>) attributes {convoy.arguments = [{layout = "", name = "x", type = tensor<0xf32>, written = false}, {layout = "", name = "y", type = tensor<0xf32>, written = true}]} {
  return
}
func.func @overlapping_rows(%x: tensor<2x2xf32>, %out: memref<2x2xf32, strided<[1, 1]>>) {
  scf.forall (%i, %j) in (2, 2) {
    %element = tensor.extract %x[%i, %j] : tensor<2x2xf32>
    memref.store %element, %out[%i, %j] : memref<2x2xf32, strided<[1, 1]>>
  }
  return
}
func.func @rounded_places(%a: f32, %b: f32, %out: memref<1xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %own = memref.alloc() : memref<2xf32, affine_map<(i) -> (i floordiv 2)>>
  memref.store %a, %own[%c0] : memref<2xf32, affine_map<(i) -> (i floordiv 2)>>
  memref.store %b, %own[%c1] : memref<2xf32, affine_map<(i) -> (i floordiv 2)>>
  %element = memref.load %own[%c0] : memref<2xf32, affine_map<(i) -> (i floordiv 2)>>
  memref.store %element, %out[%c0] : memref<1xf32>
  return
}
func.func @rows_apart(%a: f32, %b: f32, %out: memref<2x2xf32, strided<[1, 3]>>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  memref.store %b, %out[%c1, %c0] : memref<2x2xf32, strided<[1, 3]>>
  memref.store %a, %out[%c0, %c1] : memref<2x2xf32, strided<[1, 3]>>
  return
}
