// RUN: convoy-opt %s --convoy-decompose-pads | FileCheck %s
// RUN: convoy-opt %s --convoy-attach-target=line-bytes=128 --convoy-decompose-pads | FileCheck %s --check-prefix=LINES
// RUN: convoy-opt %s --convoy-attach-target=critical-stride=8192 --convoy-decompose-pads | FileCheck %s --check-prefix=SETS
// RUN: convoy-opt %s --convoy-attach-target="critical-stride=1 line-bytes=9223372036854775807" --convoy-decompose-pads | FileCheck %s --check-prefix=SETS

// The first dimension's borders reach over all of the second, whose borders lie
// beside what is padded.
// CHECK-LABEL: func @pad(
// CHECK-SAME:    %[[X:.*]]: tensor<4x5xf32>)
// CHECK:         %[[ZERO:.*]] = arith.constant 0.0
// CHECK:         %[[BUFFER:.*]] = memref.alloc() : memref<7x10xf32>
// CHECK:         %[[TOP:.*]] = memref.subview %[[BUFFER]][0, 0] [1, 10] [1, 1]
// CHECK:         linalg.fill ins(%[[ZERO]] : f32) outs(%[[TOP]] :
// CHECK:         memref.subview %[[BUFFER]][5, 0] [2, 10]
// CHECK:         memref.subview %[[BUFFER]][1, 0] [4, 3]
// CHECK:         memref.subview %[[BUFFER]][1, 8] [4, 2]
// CHECK:         %[[TO:.*]] = memref.subview %[[BUFFER]][1, 3] [4, 5]
// CHECK:         %[[FROM:.*]] = bufferization.to_buffer %[[X]] read_only
// CHECK:         memref.copy %[[FROM]], %[[TO]]
// CHECK:         %[[ALL:.*]] = bufferization.to_tensor %[[BUFFER]] restrict writable
// CHECK:         return %[[ALL]]
func.func @pad(%x: tensor<4x5xf32>) -> tensor<7x10xf32> {
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %x low[1, 3] high[2, 2] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<4x5xf32> to tensor<7x10xf32>
  return %padded : tensor<7x10xf32>
}

// A copy goes into the padded buffer, without one of its own.
// CHECK-LABEL: func @pad_copy(
// CHECK-SAME:    %[[X:.*]]: tensor<5x4xf32>)
// CHECK:         %[[BUFFER:.*]] = memref.alloc() : memref<7x10xf32>
// CHECK:         %[[TO:.*]] = memref.subview %[[BUFFER]][1, 3] [4, 5]
// CHECK:         %[[FROM:.*]] = bufferization.to_buffer %[[X]] read_only
// CHECK:         linalg.generic {{.*}} ins(%[[FROM]] : {{.*}}) outs(%[[TO]] :
// CHECK-NOT:     linalg.generic
// CHECK-NOT:     memref.copy
func.func @pad_copy(%x: tensor<5x4xf32>) -> tensor<7x10xf32> {
  %zero = arith.constant 0.0 : f32
  %room = tensor.empty() : tensor<4x5xf32>
  %copy = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<5x4xf32>) outs(%room : tensor<4x5xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<4x5xf32>
  %padded = tensor.pad %copy low[1, 3] high[2, 2] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<4x5xf32> to tensor<7x10xf32>
  return %padded : tensor<7x10xf32>
}

// No border, no fill.
// CHECK-LABEL: func @one_side(
// CHECK-COUNT-1: linalg.fill
// CHECK-NOT:     linalg.fill
func.func @one_side(%x: tensor<4x5xf32>, %value: f32) -> tensor<4x7xf32> {
  %padded = tensor.pad %x low[0, 0] high[0, 2] {
  ^bb0(%i: index, %j: index):
    tensor.yield %value : f32
  } : tensor<4x5xf32> to tensor<4x7xf32>
  return %padded : tensor<4x7xf32>
}

// CHECK-LABEL: func @dynamic(
// CHECK-SAME:    %[[X:.*]]: tensor<?xf32>, %[[LOW:.*]]: index, %[[VALUE:.*]]: f32)
// CHECK:         %[[BUFFER:.*]] = memref.alloc(%{{.*}}) : memref<?xf32>
// CHECK:         %[[SIZE:.*]] = tensor.dim %[[X]]
// CHECK:         memref.subview %[[BUFFER]][0] [%[[LOW]]] [1]
// CHECK:         %[[ABOVE:.*]] = affine.apply {{.*}}()[%[[LOW]], %[[SIZE]]]
// CHECK:         memref.subview %[[BUFFER]][%[[ABOVE]]] [3] [1]
// CHECK:         memref.subview %[[BUFFER]][%[[LOW]]] [%[[SIZE]]] [1]
func.func @dynamic(%x: tensor<?xf32>, %low: index, %value: f32)
    -> tensor<?xf32> {
  %padded = tensor.pad %x low[%low] high[3] {
  ^bb0(%i: index):
    tensor.yield %value : f32
  } : tensor<?xf32> to tensor<?xf32>
  return %padded : tensor<?xf32>
}

// Rows of 1024 bytes would begin in four sets of the cache: each is a line
// longer. In a cache with more sets they begin in eight.
// LINES-LABEL: func @aliased(
// LINES:         memref.alloc() : memref<6x288xf32>
// SETS-LABEL: func @aliased(
// SETS:         memref.alloc() : memref<6x256xf32>
// CHECK-LABEL: func @aliased(
// CHECK:         %[[BUFFER:.*]] = memref.alloc() : memref<6x272xf32>
// CHECK:         %[[ROWS:.*]] = memref.subview %[[BUFFER]][0, 0] [6, 256] [1, 1]
// CHECK:         memref.subview %[[ROWS]][0, 0] [1, 256] [1, 1]
// CHECK:         memref.subview %[[ROWS]][1, 0] [4, 256] [1, 1]
// CHECK:         bufferization.to_tensor %[[ROWS]] restrict writable
func.func @aliased(%x: tensor<4x256xf32>, %value: f32) -> tensor<6x256xf32> {
  %padded = tensor.pad %x low[1, 0] high[1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %value : f32
  } : tensor<4x256xf32> to tensor<6x256xf32>
  return %padded : tensor<6x256xf32>
}

// Nothing begins where another row does, since there is one.
// CHECK-LABEL: func @one_row(
// CHECK:         memref.alloc() : memref<1024xi8>
func.func @one_row(%x: tensor<1000xi8>, %value: i8) -> tensor<1024xi8> {
  %padded = tensor.pad %x low[12] high[12] {
  ^bb0(%i: index):
    tensor.yield %value : i8
  } : tensor<1000xi8> to tensor<1024xi8>
  return %padded : tensor<1024xi8>
}

// CHECK-LABEL: func @indices(
// CHECK:         memref.alloc() : memref<2x256xindex>
func.func @indices(%x: tensor<1x256xindex>, %value: index) -> tensor<2x256xindex> {
  %padded = tensor.pad %x low[1, 0] high[0, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %value : index
  } : tensor<1x256xindex> to tensor<2x256xindex>
  return %padded : tensor<2x256xindex>
}

// CHECK-LABEL: func @by_index(
// CHECK:         tensor.pad
func.func @by_index(%x: tensor<4xindex>) -> tensor<5xindex> {
  %padded = tensor.pad %x low[1] high[0] {
  ^bb0(%i: index):
    tensor.yield %i : index
  } : tensor<4xindex> to tensor<5xindex>
  return %padded : tensor<5xindex>
}
