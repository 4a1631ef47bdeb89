// Views have the layouts that their types say, whatever is known of the buffer.
// RUN: rm -rf %t && split-file %s %t
// RUN: not convoy-certify %t/before.mlir %t/after.mlir | FileCheck %s

//--- before.mlir
// CHECK-DAG: undecided: @strides: {{.*}}memref.cast: a layout that may not be that of the buffer
func.func @strides(%x: tensor<4x3xf32>, %out: memref<4xf32>) {
  %0 = tensor.extract_slice %x[0, 0] [4, 1] [1, 1] : tensor<4x3xf32> to tensor<4xf32>
  bufferization.materialize_in_destination %0 in restrict writable %out : (tensor<4xf32>, memref<4xf32>) -> ()
  return
}
// CHECK-DAG: undecided: @offset: {{.*}}memref.cast: a layout that may not be that of the buffer
func.func @offset(%x: tensor<5xf32>, %out: memref<3xf32>) {
  %0 = tensor.extract_slice %x[2] [3] [1] : tensor<5xf32> to tensor<3xf32>
  bufferization.materialize_in_destination %0 in restrict writable %out : (tensor<3xf32>, memref<3xf32>) -> ()
  return
}
// CHECK-DAG: undecided: @collapsed: {{.*}}memref.collapse_shape: a layout that may not be that of the buffer
func.func @collapsed(%x: tensor<4x3xf32>, %out: memref<8xf32>) {
  %0 = tensor.extract_slice %x[0, 0] [4, 2] [1, 1] : tensor<4x3xf32> to tensor<4x2xf32>
  %1 = tensor.collapse_shape %0 [[0, 1]] : tensor<4x2xf32> into tensor<8xf32>
  bufferization.materialize_in_destination %1 in restrict writable %out : (tensor<8xf32>, memref<8xf32>) -> ()
  return
}
// CHECK-DAG: certified: @forgotten:
func.func @forgotten(%x: tensor<4x3xf32>, %out: memref<6xf32>) {
  %0 = tensor.extract_slice %x[1, 0] [2, 3] [1, 1] : tensor<4x3xf32> to tensor<2x3xf32>
  %1 = tensor.collapse_shape %0 [[0, 1]] : tensor<2x3xf32> into tensor<6xf32>
  bufferization.materialize_in_destination %1 in restrict writable %out : (tensor<6xf32>, memref<6xf32>) -> ()
  return
}

//--- after.mlir
func.func @strides(%x: tensor<4x3xf32>, %out: memref<4xf32>) {
  %in = bufferization.to_buffer %x read_only : tensor<4x3xf32> to memref<4x3xf32>
  %column = memref.subview %in[0, 0] [4, 1] [1, 1] : memref<4x3xf32> to memref<4xf32, strided<[3]>>
  %any = memref.cast %column : memref<4xf32, strided<[3]>> to memref<4xf32, strided<[?]>>
  %row = memref.cast %any : memref<4xf32, strided<[?]>> to memref<4xf32, strided<[1]>>
  memref.copy %row, %out : memref<4xf32, strided<[1]>> to memref<4xf32>
  return
}
func.func @offset(%x: tensor<5xf32>, %out: memref<3xf32>) {
  %in = bufferization.to_buffer %x read_only : tensor<5xf32> to memref<5xf32>
  %end = memref.subview %in[2] [3] [1] : memref<5xf32> to memref<3xf32, strided<[1], offset: 2>>
  %any = memref.cast %end : memref<3xf32, strided<[1], offset: 2>> to memref<3xf32, strided<[1], offset: ?>>
  %start = memref.cast %any : memref<3xf32, strided<[1], offset: ?>> to memref<3xf32>
  memref.copy %start, %out : memref<3xf32> to memref<3xf32>
  return
}
func.func @collapsed(%x: tensor<4x3xf32>, %out: memref<8xf32>) {
  %in = bufferization.to_buffer %x read_only : tensor<4x3xf32> to memref<4x3xf32>
  %part = memref.subview %in[0, 0] [4, 2] [1, 1] : memref<4x3xf32> to memref<4x2xf32, strided<[3, 1]>>
  %any = memref.cast %part : memref<4x2xf32, strided<[3, 1]>> to memref<4x2xf32, strided<[?, 1]>>
  %flat = memref.collapse_shape %any [[0, 1]] : memref<4x2xf32, strided<[?, 1]>> into memref<8xf32, strided<[1]>>
  memref.copy %flat, %out : memref<8xf32, strided<[1]>> to memref<8xf32>
  return
}
func.func @forgotten(%x: tensor<4x3xf32>, %out: memref<6xf32>) {
  %in = bufferization.to_buffer %x read_only : tensor<4x3xf32> to memref<4x3xf32>
  %part = memref.subview %in[1, 0] [2, 3] [1, 1] : memref<4x3xf32> to memref<2x3xf32, strided<[3, 1], offset: 3>>
  %flat = memref.collapse_shape %part [[0, 1]] : memref<2x3xf32, strided<[3, 1], offset: 3>> into memref<6xf32, strided<[1], offset: 3>>
  %any = memref.cast %flat : memref<6xf32, strided<[1], offset: 3>> to memref<?xf32, strided<[?], offset: ?>>
  %to = memref.cast %out : memref<6xf32> to memref<?xf32>
  memref.copy %any, %to : memref<?xf32, strided<[?], offset: ?>> to memref<?xf32>
  return
}
