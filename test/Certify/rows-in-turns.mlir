// Sums over tiles of two rows that each iteration begins anew, and then adds to
// row by row: of the other rows it is not seen that no zero is added to them.
// RUN: rm -rf %t && split-file %s %t
// RUN: not convoy-certify %t/before.mlir %t/after.mlir | FileCheck %s
// CHECK-DAG: certified: @rows:
// CHECK-DAG: different: @wrong_row:

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
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c6 = arith.constant 6 : index
  %cx = arith.constant 4 : index
  %padded = tensor.pad %image low[0, 1, 0] high[0, 0, 0] {
  ^bb0(%c: index, %y: index, %x: index):
    tensor.yield %zero : f32
  } : tensor<3x3x4xf32> to tensor<3x4x4xf32>
  %empty = tensor.empty() : tensor<4x4xf32>
  %all = scf.for %t = %c0 to %c4 step %c2 iter_args(%to = %empty) -> tensor<4x4xf32> {
    %own = tensor.extract_slice %to[%t, 0] [2, 4] [1, 1] : tensor<4x4xf32> to tensor<2x4xf32>
    %init = linalg.fill ins(%zero : f32) outs(%own : tensor<2x4xf32>) -> tensor<2x4xf32>
    %start = tensor.insert_slice %init into %to[%t, 0] [2, 4] [1, 1] : tensor<2x4xf32> into tensor<4x4xf32>
    %next = scf.for %j = %c0 to %c6 step %c1 iter_args(%sums = %start) -> tensor<4x4xf32> {
      %c = affine.apply affine_map<(j) -> (j floordiv 2)>(%j)
      %y = affine.apply affine_map<(j, t) -> (t + j mod 2)>(%j, %t)
      %done = scf.for %x = %c0 to %cx step %c1 iter_args(%row = %sums) -> tensor<4x4xf32> {
        %old = tensor.extract %row[%y, %x] : tensor<4x4xf32>
        %term = tensor.extract %padded[%c, %y, %x] : tensor<3x4x4xf32>
        %new = arith.addf %old, %term : f32
        %set = tensor.insert %new into %row[%y, %x] : tensor<4x4xf32>
        scf.yield %set : tensor<4x4xf32>
      }
      scf.yield %done : tensor<4x4xf32>
    }
    scf.yield %next : tensor<4x4xf32>
  }
  return %all : tensor<4x4xf32>
}
func.func @wrong_row(%image: tensor<3x3x4xf32>) -> tensor<4x4xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c6 = arith.constant 6 : index
  %cx = arith.constant 4 : index
  %padded = tensor.pad %image low[0, 1, 0] high[0, 0, 0] {
  ^bb0(%c: index, %y: index, %x: index):
    tensor.yield %zero : f32
  } : tensor<3x3x4xf32> to tensor<3x4x4xf32>
  %empty = tensor.empty() : tensor<4x4xf32>
  %all = scf.for %t = %c0 to %c4 step %c2 iter_args(%to = %empty) -> tensor<4x4xf32> {
    %own = tensor.extract_slice %to[%t, 0] [2, 4] [1, 1] : tensor<4x4xf32> to tensor<2x4xf32>
    %init = linalg.fill ins(%zero : f32) outs(%own : tensor<2x4xf32>) -> tensor<2x4xf32>
    %start = tensor.insert_slice %init into %to[%t, 0] [2, 4] [1, 1] : tensor<2x4xf32> into tensor<4x4xf32>
    %next = scf.for %j = %c0 to %c6 step %c1 iter_args(%sums = %start) -> tensor<4x4xf32> {
      %c = affine.apply affine_map<(j) -> (j floordiv 2)>(%j)
      %y = affine.apply affine_map<(j, t) -> (t + j mod 2)>(%j, %t)
      %done = scf.for %x = %c0 to %cx step %c1 iter_args(%row = %sums) -> tensor<4x4xf32> {
        %old = tensor.extract %row[%y, %x] : tensor<4x4xf32>
        %term = tensor.extract %padded[%c, %t, %x] : tensor<3x4x4xf32>
        %new = arith.addf %old, %term : f32
        %set = tensor.insert %new into %row[%y, %x] : tensor<4x4xf32>
        scf.yield %set : tensor<4x4xf32>
      }
      scf.yield %done : tensor<4x4xf32>
    }
    scf.yield %next : tensor<4x4xf32>
  }
  return %all : tensor<4x4xf32>
}
