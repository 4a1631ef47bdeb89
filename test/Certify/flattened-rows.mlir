// Sums over tiles of two rows, whose places are flattened for the most part.
// RUN: rm -rf %t && split-file %s %t
// RUN: not convoy-certify %t/before.mlir %t/after.mlir | FileCheck %s
// CHECK-DAG: certified: @rows:
// CHECK-DAG: different: @wrong_row: element [3, 2]: the second function lacks argument0[2, 2, 2]

//--- before.mlir
#rows = affine_map<(c, y, x) -> (c, y, x)>
#sum = affine_map<(c, y, x) -> (y, x)>
func.func @rows(%image: tensor<3x3x4xf32>) -> tensor<4x4xf32> {
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %image low[0, 1, 0] high[0, 0, 0] {
  ^bb0(%c: index, %y: index, %x: index):
    tensor.yield %zero : f32
  } : tensor<3x3x4xf32> to tensor<3x4x4xf32>
  %empty = tensor.empty() : tensor<4x4xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<4x4xf32>) -> tensor<4x4xf32>
  %sum = linalg.generic {indexing_maps = [#rows, #sum], iterator_types = ["reduction", "parallel", "parallel"]} ins(%padded : tensor<3x4x4xf32>) outs(%init : tensor<4x4xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %b, %a : f32
    linalg.yield %s : f32
  } -> tensor<4x4xf32>
  return %sum : tensor<4x4xf32>
}
func.func @wrong_row(%image: tensor<3x3x4xf32>) -> tensor<4x4xf32> {
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %image low[0, 1, 0] high[0, 0, 0] {
  ^bb0(%c: index, %y: index, %x: index):
    tensor.yield %zero : f32
  } : tensor<3x3x4xf32> to tensor<3x4x4xf32>
  %empty = tensor.empty() : tensor<4x4xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<4x4xf32>) -> tensor<4x4xf32>
  %sum = linalg.generic {indexing_maps = [#rows, #sum], iterator_types = ["reduction", "parallel", "parallel"]} ins(%padded : tensor<3x4x4xf32>) outs(%init : tensor<4x4xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %b, %a : f32
    linalg.yield %s : f32
  } -> tensor<4x4xf32>
  return %sum : tensor<4x4xf32>
}

//--- after.mlir
func.func @rows(%image: tensor<3x3x4xf32>) -> tensor<4x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0.0 : f32
  %zeros = arith.constant dense<0.0> : tensor<2x4xf32>
  %padded = tensor.pad %image low[0, 1, 0] high[0, 0, 0] {
  ^bb0(%c: index, %y: index, %x: index):
    tensor.yield %zero : f32
  } : tensor<3x3x4xf32> to tensor<3x4x4xf32>
  %places = tensor.collapse_shape %padded [[0], [1, 2]] : tensor<3x4x4xf32> into tensor<3x16xf32>
  %empty = tensor.empty() : tensor<4x4xf32>
  %sum = scf.for %y = %c0 to %c4 step %c2 iter_args(%out = %empty) -> tensor<4x4xf32> {
    %init = tensor.insert_slice %zeros into %out[%y, 0] [2, 4] [1, 1] : tensor<2x4xf32> into tensor<4x4xf32>
    %first = affine.apply affine_map<(y) -> (4 * y)>(%y)
    %last = affine.apply affine_map<(y) -> (4 * y + 6)>(%y)
    %row = arith.addi %y, %c1 : index
    %two = scf.for %c = %c0 to %c3 step %c1 iter_args(%all = %init) -> tensor<4x4xf32> {
      // The first six places of both rows, whatever row they are in.
      %flat = tensor.collapse_shape %all [[0, 1]] : tensor<4x4xf32> into tensor<16xf32>
      %old = tensor.extract_slice %flat[%first] [6] [1] : tensor<16xf32> to tensor<6xf32>
      %terms = tensor.extract_slice %places[%c, %first] [1, 6] [1, 1] : tensor<3x16xf32> to tensor<6xf32>
      %new = arith.addf %old, %terms : tensor<6xf32>
      %flatter = tensor.insert_slice %new into %flat[%first] [6] [1] : tensor<6xf32> into tensor<16xf32>
      %expanded = tensor.expand_shape %flatter [[0, 1]] output_shape [4, 4] : tensor<16xf32> into tensor<4x4xf32>
      // The last two, of the second row.
      %oldest = tensor.extract_slice %expanded[%row, 2] [1, 2] [1, 1] : tensor<4x4xf32> to tensor<2xf32>
      %more = tensor.extract_slice %places[%c, %last] [1, 2] [1, 1] : tensor<3x16xf32> to tensor<2xf32>
      %newest = arith.addf %oldest, %more : tensor<2xf32>
      %done = tensor.insert_slice %newest into %expanded[%row, 2] [1, 2] [1, 1] : tensor<2xf32> into tensor<4x4xf32>
      scf.yield %done : tensor<4x4xf32>
    }
    scf.yield %two : tensor<4x4xf32>
  }
  return %sum : tensor<4x4xf32>
}
func.func @wrong_row(%image: tensor<3x3x4xf32>) -> tensor<4x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0.0 : f32
  %zeros = arith.constant dense<0.0> : tensor<2x4xf32>
  %padded = tensor.pad %image low[0, 1, 0] high[0, 0, 0] {
  ^bb0(%c: index, %y: index, %x: index):
    tensor.yield %zero : f32
  } : tensor<3x3x4xf32> to tensor<3x4x4xf32>
  %places = tensor.collapse_shape %padded [[0], [1, 2]] : tensor<3x4x4xf32> into tensor<3x16xf32>
  %empty = tensor.empty() : tensor<4x4xf32>
  %sum = scf.for %y = %c0 to %c4 step %c2 iter_args(%out = %empty) -> tensor<4x4xf32> {
    %init = tensor.insert_slice %zeros into %out[%y, 0] [2, 4] [1, 1] : tensor<2x4xf32> into tensor<4x4xf32>
    %first = affine.apply affine_map<(y) -> (4 * y)>(%y)
    %last = affine.apply affine_map<(y) -> (4 * y + 6)>(%y)
    %two = scf.for %c = %c0 to %c3 step %c1 iter_args(%all = %init) -> tensor<4x4xf32> {
      // The first six places of both rows, whatever row they are in.
      %flat = tensor.collapse_shape %all [[0, 1]] : tensor<4x4xf32> into tensor<16xf32>
      %old = tensor.extract_slice %flat[%first] [6] [1] : tensor<16xf32> to tensor<6xf32>
      %terms = tensor.extract_slice %places[%c, %first] [1, 6] [1, 1] : tensor<3x16xf32> to tensor<6xf32>
      %new = arith.addf %old, %terms : tensor<6xf32>
      %flatter = tensor.insert_slice %new into %flat[%first] [6] [1] : tensor<6xf32> into tensor<16xf32>
      %expanded = tensor.expand_shape %flatter [[0, 1]] output_shape [4, 4] : tensor<16xf32> into tensor<4x4xf32>
      // The last two, added to the first row.
      %oldest = tensor.extract_slice %expanded[%y, 2] [1, 2] [1, 1] : tensor<4x4xf32> to tensor<2xf32>
      %more = tensor.extract_slice %places[%c, %last] [1, 2] [1, 1] : tensor<3x16xf32> to tensor<2xf32>
      %newest = arith.addf %oldest, %more : tensor<2xf32>
      %done = tensor.insert_slice %newest into %expanded[%y, 2] [1, 2] [1, 1] : tensor<2xf32> into tensor<4x4xf32>
      scf.yield %done : tensor<4x4xf32>
    }
    scf.yield %two : tensor<4x4xf32>
  }
  return %sum : tensor<4x4xf32>
}
