// Slices, padding, reshapes, gathers and branches.
// RUN: rm -rf %t && split-file %s %t
// RUN: not convoy-certify %t/before.mlir %t/after.mlir | FileCheck %s

//--- before.mlir

// CHECK-DAG: certified: @fill:
func.func @fill(%a: tensor<5x3xf32>, %b: tensor<3x2xf32>) -> tensor<5x2xf32> {
  %init = arith.constant dense<0.0> : tensor<5x2xf32>
  %sum = linalg.matmul ins(%a, %b : tensor<5x3xf32>, tensor<3x2xf32>) outs(%init : tensor<5x2xf32>) -> tensor<5x2xf32>
  return %sum : tensor<5x2xf32>
}
// CHECK-DAG: different: @no_fill: element [{{.*}}]: only the second function has an element never written
func.func @no_fill(%a: tensor<5x3xf32>, %b: tensor<3x2xf32>) -> tensor<5x2xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<5x2xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<5x2xf32>) -> tensor<5x2xf32>
  %sum = linalg.matmul ins(%a, %b : tensor<5x3xf32>, tensor<3x2xf32>) outs(%init : tensor<5x2xf32>) -> tensor<5x2xf32>
  return %sum : tensor<5x2xf32>
}
// CHECK-DAG: different: @other_fill:
func.func @other_fill(%a: tensor<5x3xf32>, %b: tensor<3x2xf32>) -> tensor<5x2xf32> {
  %init = arith.constant dense<0.0> : tensor<5x2xf32>
  %sum = linalg.matmul ins(%a, %b : tensor<5x3xf32>, tensor<3x2xf32>) outs(%init : tensor<5x2xf32>) -> tensor<5x2xf32>
  return %sum : tensor<5x2xf32>
}
// A padded dot product: what the padding adds is zero.
// CHECK-DAG: certified: @pad:
func.func @pad(%a: tensor<5xf32>, %b: tensor<5xf32>, %init: tensor<f32>) -> tensor<f32> {
  %sum = linalg.dot ins(%a, %b : tensor<5xf32>, tensor<5xf32>) outs(%init : tensor<f32>) -> tensor<f32>
  return %sum : tensor<f32>
}
// CHECK-DAG: different: @pad_side: element []: the second function lacks argument0[{{[0-9]}}] * argument1[{{[0-9]}}]
func.func @pad_side(%a: tensor<5xf32>, %b: tensor<5xf32>, %init: tensor<f32>) -> tensor<f32> {
  %sum = linalg.dot ins(%a, %b : tensor<5xf32>, tensor<5xf32>) outs(%init : tensor<f32>) -> tensor<f32>
  return %sum : tensor<f32>
}
// CHECK-DAG: different: @pad_value: element [{{[0-9]+}}]:
func.func @pad_value(%a: tensor<5xf32>) -> tensor<8xf32> {
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %a low[1] high[2] {
  ^bb0(%i: index):
    tensor.yield %zero : f32
  } : tensor<5xf32> to tensor<8xf32>
  return %padded : tensor<8xf32>
}
// CHECK-DAG: certified: @reshape:
func.func @reshape(%a: tensor<6x35xf32>, %b: tensor<35x2xf32>, %init: tensor<6x2xf32>) -> tensor<6x2xf32> {
  %sum = linalg.matmul ins(%a, %b : tensor<6x35xf32>, tensor<35x2xf32>) outs(%init : tensor<6x2xf32>) -> tensor<6x2xf32>
  return %sum : tensor<6x2xf32>
}
// CHECK-DAG: different: @reshape_order: element [{{[1-4]}}, {{[0-9]+}}]: the first function has argument0[{{[1-4]}}, {{[0-9]+}}], and has argument0[{{[1-4]}}, {{[0-9]+}}] instead
func.func @reshape_order(%a: tensor<6x35xf32>) -> tensor<6x35xf32> {
  return %a : tensor<6x35xf32>
}
// CHECK-DAG: certified: @transpose:
func.func @transpose(%a: tensor<5x3xf32>, %b: tensor<3x2xf32>, %init: tensor<5x2xf32>) -> tensor<5x2xf32> {
  %sum = linalg.matmul ins(%a, %b : tensor<5x3xf32>, tensor<3x2xf32>) outs(%init : tensor<5x2xf32>) -> tensor<5x2xf32>
  return %sum : tensor<5x2xf32>
}
// CHECK-DAG: different: @no_transpose: element [{{.*}}]: the second function lacks argument0[{{.*}}] * argument1[{{.*}}], and has argument0[{{.*}}] * argument1[{{.*}}] instead
func.func @no_transpose(%a: tensor<3x3xf32>, %b: tensor<3x3xf32>, %init: tensor<3x3xf32>) -> tensor<3x3xf32> {
  %empty = tensor.empty() : tensor<3x3xf32>
  %t = linalg.transpose ins(%b : tensor<3x3xf32>) outs(%empty : tensor<3x3xf32>) permutation = [1, 0]
  %sum = linalg.matmul ins(%a, %t : tensor<3x3xf32>, tensor<3x3xf32>) outs(%init : tensor<3x3xf32>) -> tensor<3x3xf32>
  return %sum : tensor<3x3xf32>
}
// CHECK-DAG: certified: @gather:
func.func @gather(%a: tensor<9x2xf32>) -> tensor<4x2xf32> {
  %part = tensor.extract_slice %a[1, 0] [4, 2] [2, 1] : tensor<9x2xf32> to tensor<4x2xf32>
  return %part : tensor<4x2xf32>
}
// CHECK-DAG: different: @gather_stride: element [3, 1]: the first function has argument0[7, 1]
func.func @gather_stride(%a: tensor<9x2xf32>) -> tensor<4x2xf32> {
  %part = tensor.extract_slice %a[1, 0] [4, 2] [2, 1] : tensor<9x2xf32> to tensor<4x2xf32>
  return %part : tensor<4x2xf32>
}
// CHECK-DAG: certified: @insert_strided:
func.func @insert_strided(%a: tensor<4xf32>, %whole: tensor<9xf32>) -> tensor<9xf32> {
  %result = tensor.insert_slice %a into %whole[1] [4] [2] : tensor<4xf32> into tensor<9xf32>
  return %result : tensor<9xf32>
}
// CHECK-DAG: certified: @branch:
func.func @branch(%a: tensor<8xf32>, %b: tensor<8xf32>, %init: tensor<f32>) -> tensor<f32> {
  %sum = linalg.dot ins(%a, %b : tensor<8xf32>, tensor<8xf32>) outs(%init : tensor<f32>) -> tensor<f32>
  return %sum : tensor<f32>
}
// CHECK-DAG: different: @other_branch: element []: the second function lacks
func.func @other_branch(%a: tensor<8xf32>, %b: tensor<8xf32>, %init: tensor<f32>) -> tensor<f32> {
  %sum = linalg.dot ins(%a, %b : tensor<8xf32>, tensor<8xf32>) outs(%init : tensor<f32>) -> tensor<f32>
  return %sum : tensor<f32>
}

// CHECK-DAG: certified: @of_elements:
func.func @of_elements(%x: tensor<2x3xf32>) -> tensor<3x2xf32> {
  %e = tensor.empty() : tensor<3x2xf32>
  %t = linalg.transpose ins(%x : tensor<2x3xf32>) outs(%e : tensor<3x2xf32>) permutation = [1, 0]
  return %t : tensor<3x2xf32>
}
// CHECK-DAG: different: @other_elements: element [{{.*}}]
func.func @other_elements(%x: tensor<2x3xf32>) -> tensor<3x2xf32> {
  %e = tensor.empty() : tensor<3x2xf32>
  %t = linalg.transpose ins(%x : tensor<2x3xf32>) outs(%e : tensor<3x2xf32>) permutation = [1, 0]
  return %t : tensor<3x2xf32>
}

//--- after.mlir
#id = affine_map<(i, j) -> (i, j)>
func.func @fill(%a: tensor<5x3xf32>, %b: tensor<3x2xf32>) -> tensor<5x2xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<5x2xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<5x2xf32>) -> tensor<5x2xf32>
  %sum = linalg.matmul ins(%a, %b : tensor<5x3xf32>, tensor<3x2xf32>) outs(%init : tensor<5x2xf32>) -> tensor<5x2xf32>
  return %sum : tensor<5x2xf32>
}
func.func @no_fill(%a: tensor<5x3xf32>, %b: tensor<3x2xf32>) -> tensor<5x2xf32> {
  %init = tensor.empty() : tensor<5x2xf32>
  %sum = linalg.matmul ins(%a, %b : tensor<5x3xf32>, tensor<3x2xf32>) outs(%init : tensor<5x2xf32>) -> tensor<5x2xf32>
  return %sum : tensor<5x2xf32>
}
func.func @other_fill(%a: tensor<5x3xf32>, %b: tensor<3x2xf32>) -> tensor<5x2xf32> {
  %init = arith.constant dense<1.0> : tensor<5x2xf32>
  %sum = linalg.matmul ins(%a, %b : tensor<5x3xf32>, tensor<3x2xf32>) outs(%init : tensor<5x2xf32>) -> tensor<5x2xf32>
  return %sum : tensor<5x2xf32>
}
func.func @pad(%a: tensor<5xf32>, %b: tensor<5xf32>, %init: tensor<f32>) -> tensor<f32> {
  %zero = arith.constant 0.0 : f32
  %x = tensor.pad %a low[0] high[3] {
  ^bb0(%i: index):
    tensor.yield %zero : f32
  } : tensor<5xf32> to tensor<8xf32>
  %y = tensor.pad %b low[0] high[3] {
  ^bb0(%i: index):
    tensor.yield %zero : f32
  } : tensor<5xf32> to tensor<8xf32>
  %sum = linalg.dot ins(%x, %y : tensor<8xf32>, tensor<8xf32>) outs(%init : tensor<f32>) -> tensor<f32>
  return %sum : tensor<f32>
}
func.func @pad_side(%a: tensor<5xf32>, %b: tensor<5xf32>, %init: tensor<f32>) -> tensor<f32> {
  %zero = arith.constant 0.0 : f32
  %x = tensor.pad %a low[1] high[2] {
  ^bb0(%i: index):
    tensor.yield %zero : f32
  } : tensor<5xf32> to tensor<8xf32>
  %y = tensor.pad %b low[0] high[3] {
  ^bb0(%i: index):
    tensor.yield %zero : f32
  } : tensor<5xf32> to tensor<8xf32>
  %sum = linalg.dot ins(%x, %y : tensor<8xf32>, tensor<8xf32>) outs(%init : tensor<f32>) -> tensor<f32>
  return %sum : tensor<f32>
}
func.func @pad_value(%a: tensor<5xf32>) -> tensor<8xf32> {
  %one = arith.constant 1.0 : f32
  %padded = tensor.pad %a low[1] high[2] {
  ^bb0(%i: index):
    tensor.yield %one : f32
  } : tensor<5xf32> to tensor<8xf32>
  return %padded : tensor<8xf32>
}
func.func @reshape(%a: tensor<6x35xf32>, %b: tensor<35x2xf32>, %init: tensor<6x2xf32>) -> tensor<6x2xf32> {
  %x = tensor.expand_shape %a [[0, 1], [2, 3]] output_shape [2, 3, 5, 7] : tensor<6x35xf32> into tensor<2x3x5x7xf32>
  %y = tensor.expand_shape %b [[0, 1], [2]] output_shape [5, 7, 2] : tensor<35x2xf32> into tensor<5x7x2xf32>
  %start = tensor.expand_shape %init [[0, 1], [2]] output_shape [2, 3, 2] : tensor<6x2xf32> into tensor<2x3x2xf32>
  %sum = linalg.generic {indexing_maps = [affine_map<(a, b, f, p, q) -> (a, b, p, q)>, affine_map<(a, b, f, p, q) -> (p, q, f)>, affine_map<(a, b, f, p, q) -> (a, b, f)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %y : tensor<2x3x5x7xf32>, tensor<5x7x2xf32>) outs(%start : tensor<2x3x2xf32>) {
  ^bb0(%p: f32, %q: f32, %s: f32):
    %product = arith.mulf %p, %q : f32
    %next = arith.addf %s, %product : f32
    linalg.yield %next : f32
  } -> tensor<2x3x2xf32>
  %result = tensor.collapse_shape %sum [[0, 1], [2]] : tensor<2x3x2xf32> into tensor<6x2xf32>
  return %result : tensor<6x2xf32>
}
func.func @reshape_order(%a: tensor<6x35xf32>) -> tensor<6x35xf32> {
  %x = tensor.expand_shape %a [[0, 1], [2]] output_shape [2, 3, 35] : tensor<6x35xf32> into tensor<2x3x35xf32>
  %empty = tensor.empty() : tensor<3x2x35xf32>
  %t = linalg.transpose ins(%x : tensor<2x3x35xf32>) outs(%empty : tensor<3x2x35xf32>) permutation = [1, 0, 2]
  %result = tensor.collapse_shape %t [[0, 1], [2]] : tensor<3x2x35xf32> into tensor<6x35xf32>
  return %result : tensor<6x35xf32>
}
func.func @transpose(%a: tensor<5x3xf32>, %b: tensor<3x2xf32>, %init: tensor<5x2xf32>) -> tensor<5x2xf32> {
  %empty = tensor.empty() : tensor<2x3xf32>
  %t = linalg.transpose ins(%b : tensor<3x2xf32>) outs(%empty : tensor<2x3xf32>) permutation = [1, 0]
  %sum = linalg.contract indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (i, j)>]
      ins(%a, %t : tensor<5x3xf32>, tensor<2x3xf32>) outs(%init : tensor<5x2xf32>) -> tensor<5x2xf32>
  return %sum : tensor<5x2xf32>
}
func.func @no_transpose(%a: tensor<3x3xf32>, %b: tensor<3x3xf32>, %init: tensor<3x3xf32>) -> tensor<3x3xf32> {
  %sum = linalg.matmul ins(%a, %b : tensor<3x3xf32>, tensor<3x3xf32>) outs(%init : tensor<3x3xf32>) -> tensor<3x3xf32>
  return %sum : tensor<3x3xf32>
}
func.func @gather(%a: tensor<9x2xf32>) -> tensor<4x2xf32> {
  %empty = tensor.empty() : tensor<4x2xf32>
  %result = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%empty : tensor<4x2xf32>) {
  ^bb0(%old: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %row = affine.apply affine_map<(i) -> (i * 2 + 1)>(%i)
    %element = tensor.extract %a[%row, %j] : tensor<9x2xf32>
    linalg.yield %element : f32
  } -> tensor<4x2xf32>
  return %result : tensor<4x2xf32>
}
func.func @gather_stride(%a: tensor<9x2xf32>) -> tensor<4x2xf32> {
  %empty = tensor.empty() : tensor<4x2xf32>
  %result = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%empty : tensor<4x2xf32>) {
  ^bb0(%old: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %row = affine.apply affine_map<(i) -> (i + 1)>(%i)
    %element = tensor.extract %a[%row, %j] : tensor<9x2xf32>
    linalg.yield %element : f32
  } -> tensor<4x2xf32>
  return %result : tensor<4x2xf32>
}
func.func @insert_strided(%a: tensor<4xf32>, %whole: tensor<9xf32>) -> tensor<9xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %result = scf.for %i = %c0 to %c4 step %c1 iter_args(%so_far = %whole) -> (tensor<9xf32>) {
    %place = affine.apply affine_map<(i) -> (i * 2 + 1)>(%i)
    %part = tensor.extract_slice %a[%i] [1] [1] : tensor<4xf32> to tensor<1xf32>
    %next = tensor.insert_slice %part into %so_far[%place] [1] [1] : tensor<1xf32> into tensor<9xf32>
    scf.yield %next : tensor<9xf32>
  }
  return %result : tensor<9xf32>
}
func.func @branch(%a: tensor<8xf32>, %b: tensor<8xf32>, %init: tensor<f32>) -> tensor<f32> {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %sum = scf.for %i = %c0 to %c8 step %c4 iter_args(%so_far = %init) -> (tensor<f32>) {
    %isLast = arith.cmpi eq, %i, %c4 : index
    %next = scf.if %isLast -> (tensor<f32>) {
      %x = tensor.extract_slice %a[4] [4] [1] : tensor<8xf32> to tensor<4xf32>
      %y = tensor.extract_slice %b[4] [4] [1] : tensor<8xf32> to tensor<4xf32>
      %last = linalg.dot ins(%x, %y : tensor<4xf32>, tensor<4xf32>) outs(%so_far : tensor<f32>) -> tensor<f32>
      scf.yield %last : tensor<f32>
    } else {
      %x = tensor.extract_slice %a[%i] [4] [1] : tensor<8xf32> to tensor<4xf32>
      %y = tensor.extract_slice %b[%i] [4] [1] : tensor<8xf32> to tensor<4xf32>
      %first = linalg.dot ins(%x, %y : tensor<4xf32>, tensor<4xf32>) outs(%so_far : tensor<f32>) -> tensor<f32>
      scf.yield %first : tensor<f32>
    }
    scf.yield %next : tensor<f32>
  }
  return %sum : tensor<f32>
}
func.func @other_branch(%a: tensor<8xf32>, %b: tensor<8xf32>, %init: tensor<f32>) -> tensor<f32> {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %sum = scf.for %i = %c0 to %c8 step %c4 iter_args(%so_far = %init) -> (tensor<f32>) {
    %isLast = arith.cmpi eq, %i, %c4 : index
    %next = scf.if %isLast -> (tensor<f32>) {
      %x = tensor.extract_slice %a[4] [4] [1] : tensor<8xf32> to tensor<4xf32>
      %y = tensor.extract_slice %b[4] [4] [1] : tensor<8xf32> to tensor<4xf32>
      %last = linalg.dot ins(%x, %y : tensor<4xf32>, tensor<4xf32>) outs(%so_far : tensor<f32>) -> tensor<f32>
      scf.yield %last : tensor<f32>
    } else {
      %x = tensor.extract_slice %a[%i] [4] [1] : tensor<8xf32> to tensor<4xf32>
      %y = tensor.extract_slice %b[%c4] [4] [1] : tensor<8xf32> to tensor<4xf32>
      %first = linalg.dot ins(%x, %y : tensor<4xf32>, tensor<4xf32>) outs(%so_far : tensor<f32>) -> tensor<f32>
      scf.yield %first : tensor<f32>
    }
    scf.yield %next : tensor<f32>
  }
  return %sum : tensor<f32>
}
func.func @of_elements(%x: tensor<2x3xf32>) -> tensor<3x2xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %a = tensor.extract %x[%c0, %c0] : tensor<2x3xf32>
  %b = tensor.extract %x[%c0, %c1] : tensor<2x3xf32>
  %c = tensor.extract %x[%c0, %c2] : tensor<2x3xf32>
  %d = tensor.extract %x[%c1, %c0] : tensor<2x3xf32>
  %e = tensor.extract %x[%c1, %c1] : tensor<2x3xf32>
  %f = tensor.extract %x[%c1, %c2] : tensor<2x3xf32>
  %t = tensor.from_elements %a, %d, %b, %e, %c, %f : tensor<3x2xf32>
  return %t : tensor<3x2xf32>
}
func.func @other_elements(%x: tensor<2x3xf32>) -> tensor<3x2xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %a = tensor.extract %x[%c0, %c0] : tensor<2x3xf32>
  %b = tensor.extract %x[%c0, %c1] : tensor<2x3xf32>
  %c = tensor.extract %x[%c0, %c2] : tensor<2x3xf32>
  %d = tensor.extract %x[%c1, %c0] : tensor<2x3xf32>
  %e = tensor.extract %x[%c1, %c1] : tensor<2x3xf32>
  %f = tensor.extract %x[%c1, %c2] : tensor<2x3xf32>
  %t = tensor.from_elements %a, %d, %e, %b, %c, %f : tensor<3x2xf32>
  return %t : tensor<3x2xf32>
}
