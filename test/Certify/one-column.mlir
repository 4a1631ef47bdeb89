// One column of what loops have tiled: which tile it lies in follows from the
// column's number alone, though it is an index that an equation fixes.
// RUN: rm -rf %t && split-file %s %t
// RUN: convoy-certify %t/before.mlir %t/after.mlir | FileCheck %s
// RUN: sed 's/%room\[0, 6\]/%room[0, 5]/' %t/after.mlir > %t/shifted.mlir
// RUN: not convoy-certify %t/before.mlir %t/shifted.mlir | FileCheck %s --check-prefix=SHIFTED
// CHECK: certified: @column:
// SHIFTED: different: @column:

//--- before.mlir
func.func @column(%x: tensor<6x4xf32>, %room: tensor<6x7xf32>) -> tensor<6x7xf32> {
  %column = tensor.extract_slice %x[0, 3] [6, 1] [1, 1] : tensor<6x4xf32> to tensor<6x1xf32>
  %r = tensor.insert_slice %column into %room[0, 6] [6, 1] [1, 1] : tensor<6x1xf32> into tensor<6x7xf32>
  return %r : tensor<6x7xf32>
}

//--- after.mlir
func.func @column(%x: tensor<6x4xf32>, %room: tensor<6x7xf32>) -> tensor<6x7xf32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c6 = arith.constant 6 : index
  %empty = tensor.empty() : tensor<6x4xf32>
  %copy = scf.for %i = %c0 to %c6 step %c2 iter_args(%rows = %empty) -> tensor<6x4xf32> {
    %done = scf.for %j = %c0 to %c4 step %c2 iter_args(%tiles = %rows) -> tensor<6x4xf32> {
      %tile = tensor.extract_slice %x[%i, %j] [2, 2] [1, 1] : tensor<6x4xf32> to tensor<2x2xf32>
      %next = tensor.insert_slice %tile into %tiles[%i, %j] [2, 2] [1, 1] : tensor<2x2xf32> into tensor<6x4xf32>
      scf.yield %next : tensor<6x4xf32>
    }
    scf.yield %done : tensor<6x4xf32>
  }
  %column = tensor.extract_slice %copy[0, 3] [6, 1] [1, 1] : tensor<6x4xf32> to tensor<6x1xf32>
  %r = tensor.insert_slice %column into %room[0, 6] [6, 1] [1, 1] : tensor<6x1xf32> into tensor<6x7xf32>
  return %r : tensor<6x7xf32>
}
