// Parts of buffers whose offsets are made of those of other views, or of the
// quotient of an index besides the index itself.
// RUN: rm -rf %t && split-file %s %t
// RUN: not convoy-certify %t/before.mlir %t/after.mlir | FileCheck %s
// CHECK-DAG: certified: @rows:
// CHECK-DAG: undecided: @rows_one_on: {{.*}}dimension 0 of a tensor may be accessed outside, as at index 20 where its size is 20
// CHECK-DAG: certified: @columns:
// CHECK-DAG: certified: @lowered_columns:
// CHECK-DAG: certified: @remainders:
// CHECK-DAG: different: @wrong_columns: element [2, 3, 0]: the first function has argument0[2, 3, 0], and has argument0[2, 3, 1] instead
// CHECK-DAG: undecided: @negative_columns: {{.*}}dimension 0 of a tensor may be accessed outside, as at index -7 where its size is 24
// CHECK-DAG: certified: @quotients_of_quotients:
// CHECK-DAG: undecided: @number_of_rows: {{.*}}memref.extract_strided_metadata: the layout of a buffer as a number

//--- before.mlir
func.func @rows(%x: tensor<4x5xf32>, %out: memref<4x5xf32>) attributes {convoy.arguments = [{layout = "hw", name = "x", type = tensor<4x5xf32>, written = false}, {layout = "hw", name = "out", type = tensor<4x5xf32>, written = true}]} {
  bufferization.materialize_in_destination %x in restrict writable %out : (tensor<4x5xf32>, memref<4x5xf32>) -> ()
  return
}
func.func @rows_one_on(%x: tensor<4x5xf32>, %out: memref<4x5xf32>) attributes {convoy.arguments = [{layout = "hw", name = "x", type = tensor<4x5xf32>, written = false}, {layout = "hw", name = "out", type = tensor<4x5xf32>, written = true}]} {
  bufferization.materialize_in_destination %x in restrict writable %out : (tensor<4x5xf32>, memref<4x5xf32>) -> ()
  return
}
func.func @columns(%x: tensor<3x4x2xf32>, %out: memref<3x4x2xf32>) attributes {convoy.arguments = [{layout = "chw", name = "x", type = tensor<3x4x2xf32>, written = false}, {layout = "chw", name = "out", type = tensor<3x4x2xf32>, written = true}]} {
  bufferization.materialize_in_destination %x in restrict writable %out : (tensor<3x4x2xf32>, memref<3x4x2xf32>) -> ()
  return
}
func.func @lowered_columns(%x: tensor<3x4x2xf32>, %out: memref<3x4x2xf32>) attributes {convoy.arguments = [{layout = "chw", name = "x", type = tensor<3x4x2xf32>, written = false}, {layout = "chw", name = "out", type = tensor<3x4x2xf32>, written = true}]} {
  bufferization.materialize_in_destination %x in restrict writable %out : (tensor<3x4x2xf32>, memref<3x4x2xf32>) -> ()
  return
}
func.func @remainders(%x: tensor<3x4x2xf32>, %out: memref<3x4x2xf32>) attributes {convoy.arguments = [{layout = "chw", name = "x", type = tensor<3x4x2xf32>, written = false}, {layout = "chw", name = "out", type = tensor<3x4x2xf32>, written = true}]} {
  bufferization.materialize_in_destination %x in restrict writable %out : (tensor<3x4x2xf32>, memref<3x4x2xf32>) -> ()
  return
}
func.func @wrong_columns(%x: tensor<3x4x2xf32>, %out: memref<3x4x2xf32>) attributes {convoy.arguments = [{layout = "chw", name = "x", type = tensor<3x4x2xf32>, written = false}, {layout = "chw", name = "out", type = tensor<3x4x2xf32>, written = true}]} {
  bufferization.materialize_in_destination %x in restrict writable %out : (tensor<3x4x2xf32>, memref<3x4x2xf32>) -> ()
  return
}
func.func @negative_columns(%x: tensor<3x4x2xf32>, %out: memref<3x4x2xf32>) attributes {convoy.arguments = [{layout = "chw", name = "x", type = tensor<3x4x2xf32>, written = false}, {layout = "chw", name = "out", type = tensor<3x4x2xf32>, written = true}]} {
  bufferization.materialize_in_destination %x in restrict writable %out : (tensor<3x4x2xf32>, memref<3x4x2xf32>) -> ()
  return
}
func.func @quotients_of_quotients(%x: tensor<2x3x4x5xf32>, %out: memref<2x3x4x5xf32>) attributes {convoy.arguments = [{layout = "nchw", name = "x", type = tensor<2x3x4x5xf32>, written = false}, {layout = "nchw", name = "out", type = tensor<2x3x4x5xf32>, written = true}]} {
  bufferization.materialize_in_destination %x in restrict writable %out : (tensor<2x3x4x5xf32>, memref<2x3x4x5xf32>) -> ()
  return
}
func.func @number_of_rows(%x: tensor<?x5xf32>, %out: memref<?x5xf32>) attributes {convoy.arguments = [{layout = "hw", name = "x", type = tensor<?x5xf32>, written = false}, {layout = "hw", name = "out", type = tensor<?x5xf32>, written = true}]} {
  bufferization.materialize_in_destination %x in restrict writable %out : (tensor<?x5xf32>, memref<?x5xf32>) -> ()
  return
}

//--- after.mlir
func.func @rows(%x: memref<4x5xf32>, %out: memref<4x5xf32>) attributes {convoy.arguments = [{layout = "hw", name = "x", type = tensor<4x5xf32>, written = false}, {layout = "hw", name = "out", type = tensor<4x5xf32>, written = true}]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %y = %c0 to %c4 step %c1 {
    %row = memref.subview %x[%y, 0] [1, 5] [1, 1] : memref<4x5xf32> to memref<1x5xf32, strided<[5, 1], offset: ?>>
    %flat = memref.collapse_shape %row [[0, 1]] : memref<1x5xf32, strided<[5, 1], offset: ?>> into memref<5xf32, strided<[1], offset: ?>>
    %base, %first, %size, %stride = memref.extract_strided_metadata %flat : memref<5xf32, strided<[1], offset: ?>> -> memref<f32>, index, index, index
    %from = affine.apply affine_map<(y) -> (y)>(%first)
    %to = affine.apply affine_map<(y) -> (y * 5)>(%y)
    %s = memref.reinterpret_cast %base to offset: [%from], sizes: [5], strides: [1] : memref<f32> to memref<5xf32, strided<[1], offset: ?>>
    %d = memref.reinterpret_cast %out to offset: [%to], sizes: [5], strides: [1] : memref<4x5xf32> to memref<5xf32, strided<[1], offset: ?>>
    scf.for %place = %c0 to %size step %stride {
      %element = memref.load %s[%place] : memref<5xf32, strided<[1], offset: ?>>
      memref.store %element, %d[%place] : memref<5xf32, strided<[1], offset: ?>>
    }
  }
  return
}
func.func @rows_one_on(%x: memref<4x5xf32>, %out: memref<4x5xf32>) attributes {convoy.arguments = [{layout = "hw", name = "x", type = tensor<4x5xf32>, written = false}, {layout = "hw", name = "out", type = tensor<4x5xf32>, written = true}]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %y = %c0 to %c4 step %c1 {
    %row = memref.subview %x[%y, 0] [1, 5] [1, 1] : memref<4x5xf32> to memref<1x5xf32, strided<[5, 1], offset: ?>>
    %flat = memref.collapse_shape %row [[0, 1]] : memref<1x5xf32, strided<[5, 1], offset: ?>> into memref<5xf32, strided<[1], offset: ?>>
    %base, %first, %size, %stride = memref.extract_strided_metadata %flat : memref<5xf32, strided<[1], offset: ?>> -> memref<f32>, index, index, index
    %from = affine.apply affine_map<(y) -> (y + 1)>(%first)
    %to = affine.apply affine_map<(y) -> (y * 5)>(%y)
    %s = memref.reinterpret_cast %base to offset: [%from], sizes: [5], strides: [1] : memref<f32> to memref<5xf32, strided<[1], offset: ?>>
    %d = memref.reinterpret_cast %out to offset: [%to], sizes: [5], strides: [1] : memref<4x5xf32> to memref<5xf32, strided<[1], offset: ?>>
    scf.for %place = %c0 to %size step %stride {
      %element = memref.load %s[%place] : memref<5xf32, strided<[1], offset: ?>>
      memref.store %element, %d[%place] : memref<5xf32, strided<[1], offset: ?>>
    }
  }
  return
}
func.func @columns(%x: memref<3x4x2xf32>, %out: memref<3x4x2xf32>) attributes {convoy.arguments = [{layout = "chw", name = "x", type = tensor<3x4x2xf32>, written = false}, {layout = "chw", name = "out", type = tensor<3x4x2xf32>, written = true}]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %low = arith.constant 0 : index
  %high = arith.constant 6 : index
  scf.for %column = %low to %high step %c1 {
    %from = affine.apply affine_map<(column) -> (column + (column floordiv 2) * 6)>(%column)
    %s = memref.reinterpret_cast %x to offset: [%from], sizes: [4], strides: [2] : memref<3x4x2xf32> to memref<4xf32, strided<[2], offset: ?>>
    %to = affine.apply affine_map<(column) -> ((column floordiv 2) * 8 + column mod 2)>(%column)
    %d = memref.reinterpret_cast %out to offset: [%to], sizes: [4], strides: [2] : memref<3x4x2xf32> to memref<4xf32, strided<[2], offset: ?>>
    memref.copy %s, %d : memref<4xf32, strided<[2], offset: ?>> to memref<4xf32, strided<[2], offset: ?>>
  }
  return
}
func.func @lowered_columns(%x: memref<3x4x2xf32>, %out: memref<3x4x2xf32>) attributes {convoy.arguments = [{layout = "chw", name = "x", type = tensor<3x4x2xf32>, written = false}, {layout = "chw", name = "out", type = tensor<3x4x2xf32>, written = true}]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %low = arith.constant 0 : index
  %high = arith.constant 6 : index
  scf.for %column = %low to %high step %c1 {
    %isNegative = arith.cmpi slt, %column, %c0 : index
    %none = arith.constant -1 : index
    %mirrored = arith.subi %none, %column : index
    %absolute = arith.select %isNegative, %mirrored, %column : index
    %divided = arith.divsi %absolute, %c2 : index
    %back = arith.subi %none, %divided : index
    %quotient = arith.select %isNegative, %back, %divided : index
    %c6 = arith.constant 6 : index
    %skipped = arith.muli %quotient, %c6 : index
    %from = arith.addi %column, %skipped : index
    %s = memref.reinterpret_cast %x to offset: [%from], sizes: [4], strides: [2] : memref<3x4x2xf32> to memref<4xf32, strided<[2], offset: ?>>
    %to = affine.apply affine_map<(column) -> ((column floordiv 2) * 8 + column mod 2)>(%column)
    %d = memref.reinterpret_cast %out to offset: [%to], sizes: [4], strides: [2] : memref<3x4x2xf32> to memref<4xf32, strided<[2], offset: ?>>
    memref.copy %s, %d : memref<4xf32, strided<[2], offset: ?>> to memref<4xf32, strided<[2], offset: ?>>
  }
  return
}
func.func @remainders(%x: memref<3x4x2xf32>, %out: memref<3x4x2xf32>) attributes {convoy.arguments = [{layout = "chw", name = "x", type = tensor<3x4x2xf32>, written = false}, {layout = "chw", name = "out", type = tensor<3x4x2xf32>, written = true}]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %low = arith.constant 0 : index
  %high = arith.constant 6 : index
  scf.for %column = %low to %high step %c1 {
    %from = affine.apply affine_map<(column) -> (column * 4 - (column mod 2) * 3)>(%column)
    %s = memref.reinterpret_cast %x to offset: [%from], sizes: [4], strides: [2] : memref<3x4x2xf32> to memref<4xf32, strided<[2], offset: ?>>
    %to = affine.apply affine_map<(column) -> ((column floordiv 2) * 8 + column mod 2)>(%column)
    %d = memref.reinterpret_cast %out to offset: [%to], sizes: [4], strides: [2] : memref<3x4x2xf32> to memref<4xf32, strided<[2], offset: ?>>
    memref.copy %s, %d : memref<4xf32, strided<[2], offset: ?>> to memref<4xf32, strided<[2], offset: ?>>
  }
  return
}
func.func @wrong_columns(%x: memref<3x4x2xf32>, %out: memref<3x4x2xf32>) attributes {convoy.arguments = [{layout = "chw", name = "x", type = tensor<3x4x2xf32>, written = false}, {layout = "chw", name = "out", type = tensor<3x4x2xf32>, written = true}]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %low = arith.constant 0 : index
  %high = arith.constant 6 : index
  scf.for %column = %low to %high step %c1 {
    %from = affine.apply affine_map<(column) -> ((column floordiv 2) * 8 - column mod 2 + 1)>(%column)
    %s = memref.reinterpret_cast %x to offset: [%from], sizes: [4], strides: [2] : memref<3x4x2xf32> to memref<4xf32, strided<[2], offset: ?>>
    %to = affine.apply affine_map<(column) -> ((column floordiv 2) * 8 + column mod 2)>(%column)
    %d = memref.reinterpret_cast %out to offset: [%to], sizes: [4], strides: [2] : memref<3x4x2xf32> to memref<4xf32, strided<[2], offset: ?>>
    memref.copy %s, %d : memref<4xf32, strided<[2], offset: ?>> to memref<4xf32, strided<[2], offset: ?>>
  }
  return
}
func.func @negative_columns(%x: memref<3x4x2xf32>, %out: memref<3x4x2xf32>) attributes {convoy.arguments = [{layout = "chw", name = "x", type = tensor<3x4x2xf32>, written = false}, {layout = "chw", name = "out", type = tensor<3x4x2xf32>, written = true}]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %low = arith.constant -1 : index
  %high = arith.constant 5 : index
  scf.for %column = %low to %high step %c1 {
    %from = affine.apply affine_map<(column) -> (column + (column floordiv 2) * 6)>(%column)
    %s = memref.reinterpret_cast %x to offset: [%from], sizes: [4], strides: [2] : memref<3x4x2xf32> to memref<4xf32, strided<[2], offset: ?>>
    %to = affine.apply affine_map<(column) -> ((column floordiv 2) * 8 + column mod 2)>(%column)
    %d = memref.reinterpret_cast %out to offset: [%to], sizes: [4], strides: [2] : memref<3x4x2xf32> to memref<4xf32, strided<[2], offset: ?>>
    memref.copy %s, %d : memref<4xf32, strided<[2], offset: ?>> to memref<4xf32, strided<[2], offset: ?>>
  }
  return
}
func.func @quotients_of_quotients(%x: memref<2x3x4x5xf32>, %out: memref<2x3x4x5xf32>) attributes {convoy.arguments = [{layout = "nchw", name = "x", type = tensor<2x3x4x5xf32>, written = false}, {layout = "nchw", name = "out", type = tensor<2x3x4x5xf32>, written = true}]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c30 = arith.constant 30 : index
  // Columns of four rows: 15 of each image, five of each channel.
  scf.for %column = %c0 to %c30 step %c1 {
    %from = affine.apply affine_map<(i) -> (i + (i floordiv 15) * 45 + (i floordiv 5) * 15 - ((i floordiv 5) floordiv 3) * 45)>(%column)
    %to = affine.apply affine_map<(i) -> (i mod 5 + (i floordiv 5) * 20)>(%column)
    %s = memref.reinterpret_cast %x to offset: [%from], sizes: [4], strides: [5] : memref<2x3x4x5xf32> to memref<4xf32, strided<[5], offset: ?>>
    %d = memref.reinterpret_cast %out to offset: [%to], sizes: [4], strides: [5] : memref<2x3x4x5xf32> to memref<4xf32, strided<[5], offset: ?>>
    memref.copy %s, %d : memref<4xf32, strided<[5], offset: ?>> to memref<4xf32, strided<[5], offset: ?>>
  }
  return
}
func.func @number_of_rows(%x: memref<?x5xf32>, %out: memref<?x5xf32>) attributes {convoy.arguments = [{layout = "hw", name = "x", type = tensor<?x5xf32>, written = false}, {layout = "hw", name = "out", type = tensor<?x5xf32>, written = true}]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %base, %first, %sizes:2, %strides:2 = memref.extract_strided_metadata %x : memref<?x5xf32> -> memref<f32>, index, index, index, index, index
  scf.for %y = %c0 to %sizes#0 step %c1 {
    scf.for %place = %c0 to %sizes#1 step %strides#1 {
      %element = memref.load %x[%y, %place] : memref<?x5xf32>
      memref.store %element, %out[%y, %place] : memref<?x5xf32>
    }
  }
  return
}
