// Parts of buffers that are named by an offset and strides.
// RUN: rm -rf %t && split-file %s %t
// RUN: not convoy-certify %t/before.mlir %t/after.mlir | FileCheck %s
// CHECK-DAG: certified: @rows:
// CHECK-DAG: undecided: @rows_one_off: {{.*}}tensor.insert_slice: dimension 0 of a tensor may be accessed outside, as at index 20 where its size is 20
// CHECK-DAG: undecided: @too_many_rows: {{.*}}tensor.extract_slice: dimension 0 of a tensor may be accessed outside, as at index 4 where its size is 4
// CHECK-DAG: certified: @columns:
// CHECK-DAG: different: @columns_of_4: element [3, 4]: the first function has argument0[3, 4], and has argument1[3, 4] instead
// CHECK-DAG: certified: @halves:
// CHECK-DAG: certified: @across_rows:
// CHECK-DAG: undecided: @beyond: {{.*}}tensor.extract_slice: dimension 0 of a tensor may be accessed outside, as at index 20 where its size is 20
// CHECK-DAG: undecided: @before_start: {{.*}}tensor.extract_slice: dimension 0 of a tensor may be accessed outside, as at index -1 where its size is 20
// CHECK-DAG: undecided: @transposed: {{.*}}memref.reinterpret_cast: a part of a buffer that is no slice
// CHECK-DAG: certified: @other_shape:
// CHECK-DAG: undecided: @windows: {{.*}}memref.reinterpret_cast: a buffer two of whose elements may lie in one place
// CHECK-DAG: certified: @of_base:
// CHECK-DAG: undecided: @offset_of_part: {{.*}}tensor.extract_slice: dimension 0 of a tensor may be accessed outside, as at index 24 where its size is 20
// CHECK-DAG: certified: @base_of_part:
// CHECK-DAG: different: @base_of_part_moved: element [[[ROW:[0-9]+]], 4]: the first function has argument0[[[ROW]], 4], and has argument0[{{[1-4]}}, 4] instead
// CHECK-DAG: certified: @split_rows:
// CHECK-DAG: different: @split_rows_moved:
// CHECK-DAG: undecided: @split_rows_unevenly: {{.*}}memref.reinterpret_cast: a part of a buffer that is no slice

//--- before.mlir
func.func @rows(%x: tensor<4x5xf32>, %out: memref<4x5xf32>) attributes {convoy.arguments = [{layout = "hw", name = "x", type = tensor<4x5xf32>, written = false}, {layout = "hw", name = "out", type = tensor<4x5xf32>, written = true}]} {
  bufferization.materialize_in_destination %x in restrict writable %out : (tensor<4x5xf32>, memref<4x5xf32>) -> ()
  return
}
func.func @rows_one_off(%x: tensor<4x5xf32>, %out: memref<4x5xf32>) attributes {convoy.arguments = [{layout = "hw", name = "x", type = tensor<4x5xf32>, written = false}, {layout = "hw", name = "out", type = tensor<4x5xf32>, written = true}]} {
  bufferization.materialize_in_destination %x in restrict writable %out : (tensor<4x5xf32>, memref<4x5xf32>) -> ()
  return
}
func.func @too_many_rows(%x: tensor<4x5xf32>, %out: memref<4x5xf32>) attributes {convoy.arguments = [{layout = "hw", name = "x", type = tensor<4x5xf32>, written = false}, {layout = "hw", name = "out", type = tensor<4x5xf32>, written = true}]} {
  bufferization.materialize_in_destination %x in restrict writable %out : (tensor<4x5xf32>, memref<4x5xf32>) -> ()
  return
}
func.func @columns(%x: tensor<4x5xf32>, %out: memref<4x5xf32>) attributes {convoy.arguments = [{layout = "hw", name = "x", type = tensor<4x5xf32>, written = false}, {layout = "hw", name = "out", type = tensor<4x5xf32>, written = true}]} {
  bufferization.materialize_in_destination %x in restrict writable %out : (tensor<4x5xf32>, memref<4x5xf32>) -> ()
  return
}
func.func @columns_of_4(%x: tensor<4x5xf32>, %out: memref<4x5xf32>) attributes {convoy.arguments = [{layout = "hw", name = "x", type = tensor<4x5xf32>, written = false}, {layout = "hw", name = "out", type = tensor<4x5xf32>, written = true}]} {
  bufferization.materialize_in_destination %x in restrict writable %out : (tensor<4x5xf32>, memref<4x5xf32>) -> ()
  return
}
func.func @halves(%x: tensor<4x5xf32>, %out: memref<4x5xf32>) attributes {convoy.arguments = [{layout = "hw", name = "x", type = tensor<4x5xf32>, written = false}, {layout = "hw", name = "out", type = tensor<4x5xf32>, written = true}]} {
  bufferization.materialize_in_destination %x in restrict writable %out : (tensor<4x5xf32>, memref<4x5xf32>) -> ()
  return
}
func.func @across_rows(%x: tensor<4x5xf32>, %out: memref<4x5xf32>) attributes {convoy.arguments = [{layout = "hw", name = "x", type = tensor<4x5xf32>, written = false}, {layout = "hw", name = "out", type = tensor<4x5xf32>, written = true}]} {
  bufferization.materialize_in_destination %x in restrict writable %out : (tensor<4x5xf32>, memref<4x5xf32>) -> ()
  return
}
func.func @beyond(%x: tensor<4x5xf32>, %out: memref<4x5xf32>) attributes {convoy.arguments = [{layout = "hw", name = "x", type = tensor<4x5xf32>, written = false}, {layout = "hw", name = "out", type = tensor<4x5xf32>, written = true}]} {
  bufferization.materialize_in_destination %x in restrict writable %out : (tensor<4x5xf32>, memref<4x5xf32>) -> ()
  return
}
func.func @before_start(%x: tensor<4x5xf32>, %out: memref<4x5xf32>) attributes {convoy.arguments = [{layout = "hw", name = "x", type = tensor<4x5xf32>, written = false}, {layout = "hw", name = "out", type = tensor<4x5xf32>, written = true}]} {
  bufferization.materialize_in_destination %x in restrict writable %out : (tensor<4x5xf32>, memref<4x5xf32>) -> ()
  return
}
func.func @transposed(%x: tensor<4x5xf32>, %out: memref<4x5xf32>) attributes {convoy.arguments = [{layout = "hw", name = "x", type = tensor<4x5xf32>, written = false}, {layout = "hw", name = "out", type = tensor<4x5xf32>, written = true}]} {
  bufferization.materialize_in_destination %x in restrict writable %out : (tensor<4x5xf32>, memref<4x5xf32>) -> ()
  return
}
func.func @other_shape(%x: tensor<4x5xf32>, %out: memref<4x5xf32>) attributes {convoy.arguments = [{layout = "hw", name = "x", type = tensor<4x5xf32>, written = false}, {layout = "hw", name = "out", type = tensor<4x5xf32>, written = true}]} {
  bufferization.materialize_in_destination %x in restrict writable %out : (tensor<4x5xf32>, memref<4x5xf32>) -> ()
  return
}
func.func @windows(%x: tensor<4x5xf32>, %out: memref<4x5xf32>) attributes {convoy.arguments = [{layout = "hw", name = "x", type = tensor<4x5xf32>, written = false}, {layout = "hw", name = "out", type = tensor<4x5xf32>, written = true}]} {
  bufferization.materialize_in_destination %x in restrict writable %out : (tensor<4x5xf32>, memref<4x5xf32>) -> ()
  return
}
func.func @of_base(%x: tensor<4x5xf32>, %out: memref<4x5xf32>) attributes {convoy.arguments = [{layout = "hw", name = "x", type = tensor<4x5xf32>, written = false}, {layout = "hw", name = "out", type = tensor<4x5xf32>, written = true}]} {
  bufferization.materialize_in_destination %x in restrict writable %out : (tensor<4x5xf32>, memref<4x5xf32>) -> ()
  return
}
func.func @offset_of_part(%x: tensor<4x5xf32>, %out: memref<4x5xf32>) attributes {convoy.arguments = [{layout = "hw", name = "x", type = tensor<4x5xf32>, written = false}, {layout = "hw", name = "out", type = tensor<4x5xf32>, written = true}]} {
  bufferization.materialize_in_destination %x in restrict writable %out : (tensor<4x5xf32>, memref<4x5xf32>) -> ()
  return
}
func.func @base_of_part(%x: tensor<4x5xf32>, %out: memref<4x5xf32>) attributes {convoy.arguments = [{layout = "hw", name = "x", type = tensor<4x5xf32>, written = false}, {layout = "hw", name = "out", type = tensor<4x5xf32>, written = true}]} {
  bufferization.materialize_in_destination %x in restrict writable %out : (tensor<4x5xf32>, memref<4x5xf32>) -> ()
  return
}
func.func @base_of_part_moved(%x: tensor<4x5xf32>, %out: memref<4x5xf32>) attributes {convoy.arguments = [{layout = "hw", name = "x", type = tensor<4x5xf32>, written = false}, {layout = "hw", name = "out", type = tensor<4x5xf32>, written = true}]} {
  bufferization.materialize_in_destination %x in restrict writable %out : (tensor<4x5xf32>, memref<4x5xf32>) -> ()
  return
}
func.func @split_rows(%x: tensor<2x12xf32>, %out: memref<2x12xf32>) attributes {convoy.arguments = [{layout = "hw", name = "x", type = tensor<2x12xf32>, written = false}, {layout = "hw", name = "out", type = tensor<2x12xf32>, written = true}]} {
  bufferization.materialize_in_destination %x in restrict writable %out : (tensor<2x12xf32>, memref<2x12xf32>) -> ()
  return
}
func.func @split_rows_moved(%x: tensor<2x12xf32>, %out: memref<2x12xf32>) attributes {convoy.arguments = [{layout = "hw", name = "x", type = tensor<2x12xf32>, written = false}, {layout = "hw", name = "out", type = tensor<2x12xf32>, written = true}]} {
  bufferization.materialize_in_destination %x in restrict writable %out : (tensor<2x12xf32>, memref<2x12xf32>) -> ()
  return
}
func.func @split_rows_unevenly(%x: tensor<2x12xf32>, %out: memref<2x12xf32>) attributes {convoy.arguments = [{layout = "hw", name = "x", type = tensor<2x12xf32>, written = false}, {layout = "hw", name = "out", type = tensor<2x12xf32>, written = true}]} {
  bufferization.materialize_in_destination %x in restrict writable %out : (tensor<2x12xf32>, memref<2x12xf32>) -> ()
  return
}

//--- after.mlir
func.func @rows(%x: memref<4x5xf32>, %out: memref<4x5xf32>) attributes {convoy.arguments = [{layout = "hw", name = "x", type = tensor<4x5xf32>, written = false}, {layout = "hw", name = "out", type = tensor<4x5xf32>, written = true}]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c20 = arith.constant 20 : index
  scf.for %i = %c0 to %c4 step %c1 {
    %o = arith.muli %i, %c5 : index
    %s = memref.reinterpret_cast %x to offset: [%o], sizes: [5], strides: [1] : memref<4x5xf32> to memref<5xf32, strided<[1], offset: ?>>
    %d = memref.reinterpret_cast %out to offset: [%o], sizes: [5], strides: [1] : memref<4x5xf32> to memref<5xf32, strided<[1], offset: ?>>
    memref.copy %s, %d : memref<5xf32, strided<[1], offset: ?>> to memref<5xf32, strided<[1], offset: ?>>
  }
  return
}
func.func @rows_one_off(%x: memref<4x5xf32>, %out: memref<4x5xf32>) attributes {convoy.arguments = [{layout = "hw", name = "x", type = tensor<4x5xf32>, written = false}, {layout = "hw", name = "out", type = tensor<4x5xf32>, written = true}]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c20 = arith.constant 20 : index
  scf.for %i = %c0 to %c4 step %c1 {
    %o = arith.muli %i, %c5 : index
    %q = arith.addi %o, %c1 : index
    %s = memref.reinterpret_cast %x to offset: [%o], sizes: [5], strides: [1] : memref<4x5xf32> to memref<5xf32, strided<[1], offset: ?>>
    %d = memref.reinterpret_cast %out to offset: [%q], sizes: [5], strides: [1] : memref<4x5xf32> to memref<5xf32, strided<[1], offset: ?>>
    memref.copy %s, %d : memref<5xf32, strided<[1], offset: ?>> to memref<5xf32, strided<[1], offset: ?>>
  }
  return
}
func.func @too_many_rows(%x: memref<4x5xf32>, %out: memref<4x5xf32>) attributes {convoy.arguments = [{layout = "hw", name = "x", type = tensor<4x5xf32>, written = false}, {layout = "hw", name = "out", type = tensor<4x5xf32>, written = true}]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c20 = arith.constant 20 : index
  scf.for %i = %c0 to %c5 step %c1 {
    %o = arith.muli %i, %c5 : index
    %s = memref.reinterpret_cast %x to offset: [%o], sizes: [5], strides: [1] : memref<4x5xf32> to memref<5xf32, strided<[1], offset: ?>>
    %d = memref.reinterpret_cast %out to offset: [%o], sizes: [5], strides: [1] : memref<4x5xf32> to memref<5xf32, strided<[1], offset: ?>>
    memref.copy %s, %d : memref<5xf32, strided<[1], offset: ?>> to memref<5xf32, strided<[1], offset: ?>>
  }
  return
}
func.func @columns(%x: memref<4x5xf32>, %out: memref<4x5xf32>) attributes {convoy.arguments = [{layout = "hw", name = "x", type = tensor<4x5xf32>, written = false}, {layout = "hw", name = "out", type = tensor<4x5xf32>, written = true}]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c20 = arith.constant 20 : index
  scf.for %i = %c0 to %c5 step %c1 {
    %o = arith.muli %i, %c1 : index
    %s = memref.reinterpret_cast %x to offset: [%o], sizes: [4], strides: [5] : memref<4x5xf32> to memref<4xf32, strided<[5], offset: ?>>
    %d = memref.reinterpret_cast %out to offset: [%o], sizes: [4], strides: [5] : memref<4x5xf32> to memref<4xf32, strided<[5], offset: ?>>
    memref.copy %s, %d : memref<4xf32, strided<[5], offset: ?>> to memref<4xf32, strided<[5], offset: ?>>
  }
  return
}
func.func @columns_of_4(%x: memref<4x5xf32>, %out: memref<4x5xf32>) attributes {convoy.arguments = [{layout = "hw", name = "x", type = tensor<4x5xf32>, written = false}, {layout = "hw", name = "out", type = tensor<4x5xf32>, written = true}]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c20 = arith.constant 20 : index
  scf.for %i = %c0 to %c4 step %c1 {
    %o = arith.muli %i, %c1 : index
    %s = memref.reinterpret_cast %x to offset: [%o], sizes: [4], strides: [5] : memref<4x5xf32> to memref<4xf32, strided<[5], offset: ?>>
    %d = memref.reinterpret_cast %out to offset: [%o], sizes: [4], strides: [5] : memref<4x5xf32> to memref<4xf32, strided<[5], offset: ?>>
    memref.copy %s, %d : memref<4xf32, strided<[5], offset: ?>> to memref<4xf32, strided<[5], offset: ?>>
  }
  return
}
func.func @halves(%x: memref<4x5xf32>, %out: memref<4x5xf32>) attributes {convoy.arguments = [{layout = "hw", name = "x", type = tensor<4x5xf32>, written = false}, {layout = "hw", name = "out", type = tensor<4x5xf32>, written = true}]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c20 = arith.constant 20 : index
  scf.for %i = %c0 to %c1 step %c1 {
    %o = arith.muli %i, %c20 : index
    %s = memref.reinterpret_cast %x to offset: [%o], sizes: [20], strides: [1] : memref<4x5xf32> to memref<20xf32, strided<[1], offset: ?>>
    %d = memref.reinterpret_cast %out to offset: [%o], sizes: [20], strides: [1] : memref<4x5xf32> to memref<20xf32, strided<[1], offset: ?>>
    memref.copy %s, %d : memref<20xf32, strided<[1], offset: ?>> to memref<20xf32, strided<[1], offset: ?>>
  }
  return
}
func.func @across_rows(%x: memref<4x5xf32>, %out: memref<4x5xf32>) attributes {convoy.arguments = [{layout = "hw", name = "x", type = tensor<4x5xf32>, written = false}, {layout = "hw", name = "out", type = tensor<4x5xf32>, written = true}]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c20 = arith.constant 20 : index
  %c10 = arith.constant 10 : index
  scf.for %i = %c0 to %c20 step %c10 {
    %s = memref.reinterpret_cast %x to offset: [%i], sizes: [10], strides: [1] : memref<4x5xf32> to memref<10xf32, strided<[1], offset: ?>>
    %d = memref.reinterpret_cast %out to offset: [%i], sizes: [10], strides: [1] : memref<4x5xf32> to memref<10xf32, strided<[1], offset: ?>>
    memref.copy %s, %d : memref<10xf32, strided<[1], offset: ?>> to memref<10xf32, strided<[1], offset: ?>>
  }
  return
}
func.func @beyond(%x: memref<4x5xf32>, %out: memref<4x5xf32>) attributes {convoy.arguments = [{layout = "hw", name = "x", type = tensor<4x5xf32>, written = false}, {layout = "hw", name = "out", type = tensor<4x5xf32>, written = true}]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c20 = arith.constant 20 : index
  %s = memref.reinterpret_cast %x to offset: [0], sizes: [21], strides: [1] : memref<4x5xf32> to memref<21xf32>
  %d = memref.reinterpret_cast %out to offset: [0], sizes: [21], strides: [1] : memref<4x5xf32> to memref<21xf32>
  memref.copy %s, %d : memref<21xf32> to memref<21xf32>
  return
}
func.func @before_start(%x: memref<4x5xf32>, %out: memref<4x5xf32>) attributes {convoy.arguments = [{layout = "hw", name = "x", type = tensor<4x5xf32>, written = false}, {layout = "hw", name = "out", type = tensor<4x5xf32>, written = true}]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c20 = arith.constant 20 : index
  %m = arith.constant -1 : index
  %s = memref.reinterpret_cast %x to offset: [%m], sizes: [20], strides: [1] : memref<4x5xf32> to memref<20xf32, strided<[1], offset: ?>>
  %d = memref.reinterpret_cast %out to offset: [0], sizes: [20], strides: [1] : memref<4x5xf32> to memref<20xf32>
  memref.copy %s, %d : memref<20xf32, strided<[1], offset: ?>> to memref<20xf32>
  return
}
func.func @transposed(%x: memref<4x5xf32>, %out: memref<4x5xf32>) attributes {convoy.arguments = [{layout = "hw", name = "x", type = tensor<4x5xf32>, written = false}, {layout = "hw", name = "out", type = tensor<4x5xf32>, written = true}]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c20 = arith.constant 20 : index
  %s = memref.reinterpret_cast %x to offset: [0], sizes: [5, 4], strides: [1, 5] : memref<4x5xf32> to memref<5x4xf32, strided<[1, 5]>>
  %d = memref.reinterpret_cast %out to offset: [0], sizes: [5, 4], strides: [4, 1] : memref<4x5xf32> to memref<5x4xf32>
  memref.copy %s, %d : memref<5x4xf32, strided<[1, 5]>> to memref<5x4xf32>
  return
}
func.func @other_shape(%x: memref<4x5xf32>, %out: memref<4x5xf32>) attributes {convoy.arguments = [{layout = "hw", name = "x", type = tensor<4x5xf32>, written = false}, {layout = "hw", name = "out", type = tensor<4x5xf32>, written = true}]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c20 = arith.constant 20 : index
  %s = memref.reinterpret_cast %x to offset: [0], sizes: [2, 10], strides: [10, 1] : memref<4x5xf32> to memref<2x10xf32>
  %d = memref.reinterpret_cast %out to offset: [0], sizes: [10, 2], strides: [2, 1] : memref<4x5xf32> to memref<10x2xf32>
  %e = memref.reinterpret_cast %out to offset: [0], sizes: [2, 10], strides: [10, 1] : memref<4x5xf32> to memref<2x10xf32>
  memref.copy %s, %e : memref<2x10xf32> to memref<2x10xf32>
  return
}
func.func @windows(%x: memref<4x5xf32>, %out: memref<4x5xf32>) attributes {convoy.arguments = [{layout = "hw", name = "x", type = tensor<4x5xf32>, written = false}, {layout = "hw", name = "out", type = tensor<4x5xf32>, written = true}]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c20 = arith.constant 20 : index
  %s = memref.reinterpret_cast %x to offset: [0], sizes: [4, 5], strides: [1, 1] : memref<4x5xf32> to memref<4x5xf32, strided<[1, 1]>>
  memref.copy %s, %out : memref<4x5xf32, strided<[1, 1]>> to memref<4x5xf32>
  return
}
func.func @of_base(%x: memref<4x5xf32>, %out: memref<4x5xf32>) attributes {convoy.arguments = [{layout = "hw", name = "x", type = tensor<4x5xf32>, written = false}, {layout = "hw", name = "out", type = tensor<4x5xf32>, written = true}]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c20 = arith.constant 20 : index
  %base, %off, %sizes:2, %strides:2 = memref.extract_strided_metadata %x : memref<4x5xf32> -> memref<f32>, index, index, index, index, index
  %s = memref.reinterpret_cast %base to offset: [0], sizes: [20], strides: [1] : memref<f32> to memref<20xf32>
  %d = memref.reinterpret_cast %out to offset: [0], sizes: [20], strides: [1] : memref<4x5xf32> to memref<20xf32>
  memref.copy %s, %d : memref<20xf32> to memref<20xf32>
  return
}
func.func @offset_of_part(%x: memref<4x5xf32>, %out: memref<4x5xf32>) attributes {convoy.arguments = [{layout = "hw", name = "x", type = tensor<4x5xf32>, written = false}, {layout = "hw", name = "out", type = tensor<4x5xf32>, written = true}]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c20 = arith.constant 20 : index
  %v = memref.subview %x[1, 0] [3, 5] [1, 1] : memref<4x5xf32> to memref<3x5xf32, strided<[5, 1], offset: 5>>
  %base, %off, %sizes:2, %strides:2 = memref.extract_strided_metadata %v : memref<3x5xf32, strided<[5, 1], offset: 5>> -> memref<f32>, index, index, index, index, index
  %s = memref.reinterpret_cast %base to offset: [%off], sizes: [20], strides: [1] : memref<f32> to memref<20xf32, strided<[1], offset: ?>>
  %d = memref.reinterpret_cast %out to offset: [0], sizes: [20], strides: [1] : memref<4x5xf32> to memref<20xf32>
  memref.copy %s, %d : memref<20xf32, strided<[1], offset: ?>> to memref<20xf32>
  return
}
func.func @base_of_part(%x: memref<4x5xf32>, %out: memref<4x5xf32>) attributes {convoy.arguments = [{layout = "hw", name = "x", type = tensor<4x5xf32>, written = false}, {layout = "hw", name = "out", type = tensor<4x5xf32>, written = true}]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c20 = arith.constant 20 : index
  %v = memref.subview %x[1, 0] [3, 5] [1, 1] : memref<4x5xf32> to memref<3x5xf32, strided<[5, 1], offset: 5>>
  %base, %off, %sizes:2, %strides:2 = memref.extract_strided_metadata %v : memref<3x5xf32, strided<[5, 1], offset: 5>> -> memref<f32>, index, index, index, index, index
  %s = memref.reinterpret_cast %base to offset: [0], sizes: [20], strides: [1] : memref<f32> to memref<20xf32>
  %d = memref.reinterpret_cast %out to offset: [0], sizes: [20], strides: [1] : memref<4x5xf32> to memref<20xf32>
  memref.copy %s, %d : memref<20xf32> to memref<20xf32>
  return
}
func.func @base_of_part_moved(%x: memref<4x5xf32>, %out: memref<4x5xf32>) attributes {convoy.arguments = [{layout = "hw", name = "x", type = tensor<4x5xf32>, written = false}, {layout = "hw", name = "out", type = tensor<4x5xf32>, written = true}]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c20 = arith.constant 20 : index
  %v = memref.subview %x[1, 0] [3, 5] [1, 1] : memref<4x5xf32> to memref<3x5xf32, strided<[5, 1], offset: 5>>
  %base, %off, %sizes:2, %strides:2 = memref.extract_strided_metadata %v : memref<3x5xf32, strided<[5, 1], offset: 5>> -> memref<f32>, index, index, index, index, index
  %s = memref.reinterpret_cast %base to offset: [5], sizes: [15], strides: [1] : memref<f32> to memref<15xf32, strided<[1], offset: 5>>
  %d = memref.reinterpret_cast %out to offset: [0], sizes: [15], strides: [1] : memref<4x5xf32> to memref<15xf32>
  memref.copy %s, %d : memref<15xf32, strided<[1], offset: 5>> to memref<15xf32>
  return
}
func.func @split_rows(%x: memref<2x12xf32>, %out: memref<2x12xf32>) attributes {convoy.arguments = [{layout = "hw", name = "x", type = tensor<2x12xf32>, written = false}, {layout = "hw", name = "out", type = tensor<2x12xf32>, written = true}]} {
  memref.copy %x, %out : memref<2x12xf32> to memref<2x12xf32>
  %s = memref.reinterpret_cast %x to offset: [0], sizes: [6, 3], strides: [4, 1] : memref<2x12xf32> to memref<6x3xf32, strided<[4, 1]>>
  %d = memref.reinterpret_cast %out to offset: [0], sizes: [6, 3], strides: [4, 1] : memref<2x12xf32> to memref<6x3xf32, strided<[4, 1]>>
  memref.copy %s, %d : memref<6x3xf32, strided<[4, 1]>> to memref<6x3xf32, strided<[4, 1]>>
  return
}
func.func @split_rows_moved(%x: memref<2x12xf32>, %out: memref<2x12xf32>) attributes {convoy.arguments = [{layout = "hw", name = "x", type = tensor<2x12xf32>, written = false}, {layout = "hw", name = "out", type = tensor<2x12xf32>, written = true}]} {
  memref.copy %x, %out : memref<2x12xf32> to memref<2x12xf32>
  %s = memref.reinterpret_cast %x to offset: [1], sizes: [5, 3], strides: [4, 1] : memref<2x12xf32> to memref<5x3xf32, strided<[4, 1], offset: 1>>
  %d = memref.reinterpret_cast %out to offset: [0], sizes: [5, 3], strides: [4, 1] : memref<2x12xf32> to memref<5x3xf32, strided<[4, 1]>>
  memref.copy %s, %d : memref<5x3xf32, strided<[4, 1], offset: 1>> to memref<5x3xf32, strided<[4, 1]>>
  return
}
func.func @split_rows_unevenly(%x: memref<2x12xf32>, %out: memref<2x12xf32>) attributes {convoy.arguments = [{layout = "hw", name = "x", type = tensor<2x12xf32>, written = false}, {layout = "hw", name = "out", type = tensor<2x12xf32>, written = true}]} {
  memref.copy %x, %out : memref<2x12xf32> to memref<2x12xf32>
  %s = memref.reinterpret_cast %x to offset: [0], sizes: [4, 3], strides: [5, 1] : memref<2x12xf32> to memref<4x3xf32, strided<[5, 1]>>
  %d = memref.reinterpret_cast %out to offset: [0], sizes: [4, 3], strides: [5, 1] : memref<2x12xf32> to memref<4x3xf32, strided<[5, 1]>>
  memref.copy %s, %d : memref<4x3xf32, strided<[5, 1]>> to memref<4x3xf32, strided<[5, 1]>>
  return
}
