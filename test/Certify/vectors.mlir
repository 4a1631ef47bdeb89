// Vectors are read like tensors of static sizes.
// RUN: rm -rf %t && split-file %s %t
// RUN: not convoy-certify %t/before.mlir %t/after.mlir | FileCheck %s

//--- before.mlir
// CHECK-DAG: certified: @copy:
func.func @copy(%x: tensor<4x6xf32>) -> tensor<4x6xf32> {
  return %x : tensor<4x6xf32>
}
// CHECK-NOT: certified: @transposed:
func.func @transposed(%x: tensor<4x4xf32>, %y: tensor<4x4xf32>) -> tensor<4x4xf32> {
  return %x : tensor<4x4xf32>
}
// CHECK-DAG: certified: @transposed_twice:
func.func @transposed_twice(%x: tensor<4x6xf32>, %y: tensor<4x6xf32>) -> tensor<4x6xf32> {
  return %x : tensor<4x6xf32>
}
// CHECK-DAG: certified: @padded:
func.func @padded(%x: tensor<5xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  %zero = arith.constant 0.0 : f32
  %r = tensor.pad %x low[0] high[3] {
  ^bb0(%i: index):
    tensor.yield %zero : f32
  } : tensor<5xf32> to tensor<8xf32>
  return %r : tensor<8xf32>
}
// CHECK-NOT: certified: @padded_by_one:
func.func @padded_by_one(%x: tensor<5xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  %zero = arith.constant 0.0 : f32
  %r = tensor.pad %x low[0] high[3] {
  ^bb0(%i: index):
    tensor.yield %zero : f32
  } : tensor<5xf32> to tensor<8xf32>
  return %r : tensor<8xf32>
}
// CHECK-DAG: certified: @masked:
func.func @masked(%x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  %0 = tensor.extract_slice %x[0] [3] [1] : tensor<8xf32> to tensor<3xf32>
  %1 = tensor.insert_slice %0 into %y[0] [3] [1] : tensor<3xf32> into tensor<8xf32>
  return %1 : tensor<8xf32>
}
// CHECK-NOT: certified: @mask_too_wide:
func.func @mask_too_wide(%x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  %0 = tensor.extract_slice %x[0] [3] [1] : tensor<8xf32> to tensor<3xf32>
  %1 = tensor.insert_slice %0 into %y[0] [3] [1] : tensor<3xf32> into tensor<8xf32>
  return %1 : tensor<8xf32>
}
// CHECK-DAG: different: @outside: index 8 is accessed in dimension 0 of a tensor, whose size is 8
func.func @outside(%x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  return %x : tensor<8xf32>
}
// A product of matrices: each sum in a vector over the columns.
// CHECK-DAG: certified: @products:
func.func @products(%a: tensor<3x5xf32>, %b: tensor<5x4xf32>, %c: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<3x5xf32>, tensor<5x4xf32>) outs(%c : tensor<3x4xf32>) -> tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}
// CHECK-NOT: certified: @products_of_others:
func.func @products_of_others(%a: tensor<3x5xf32>, %b: tensor<5x4xf32>, %c: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<3x5xf32>, tensor<5x4xf32>) outs(%c : tensor<3x4xf32>) -> tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}
// CHECK-DAG: certified: @contracted:
func.func @contracted(%a: tensor<3x5xf32>, %b: tensor<5x4xf32>, %c: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<3x5xf32>, tensor<5x4xf32>) outs(%c : tensor<3x4xf32>) -> tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}
// CHECK-DAG: certified: @moved:
func.func @moved(%x: tensor<4xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  %0 = tensor.insert_slice %x into %y[1] [4] [2] : tensor<4xf32> into tensor<8xf32>
  return %0 : tensor<8xf32>
}
// CHECK-NOT: certified: @shuffled:
func.func @shuffled(%x: tensor<4xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  %0 = tensor.insert_slice %x into %y[1] [4] [2] : tensor<4xf32> into tensor<8xf32>
  return %0 : tensor<8xf32>
}
// CHECK-DAG: certified: @cast:
func.func @cast(%x: tensor<4x6xf32>, %y: tensor<2x12xf32>) -> tensor<2x12xf32> {
  %0 = tensor.collapse_shape %x [[0, 1]] : tensor<4x6xf32> into tensor<24xf32>
  %1 = tensor.expand_shape %0 [[0, 1]] output_shape [2, 12] : tensor<24xf32> into tensor<2x12xf32>
  return %1 : tensor<2x12xf32>
}
// CHECK-DAG: certified: @inserted:
func.func @inserted(%x: tensor<4xf32>, %y: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %0 = tensor.insert_slice %x into %y[1, 0] [1, 4] [1, 1] : tensor<4xf32> into tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}
// CHECK-DAG: certified: @slices:
func.func @slices(%x: tensor<6xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  %0 = tensor.extract_slice %x[2] [3] [1] : tensor<6xf32> to tensor<3xf32>
  %1 = tensor.insert_slice %0 into %y[4] [3] [1] : tensor<3xf32> into tensor<8xf32>
  return %1 : tensor<8xf32>
}
// CHECK-DAG: certified: @reduced:
func.func @reduced(%x: tensor<4x3xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %r = linalg.reduce {arith.maximumf} ins(%x : tensor<4x3xf32>) outs(%y : tensor<4xf32>) dimensions = [1]
  return %r : tensor<4xf32>
}
// CHECK-DAG: certified: @reduced_to_one:
func.func @reduced_to_one(%x: tensor<5xi32>, %y: tensor<1xi32>) -> tensor<1xi32> {
  %r = linalg.generic {indexing_maps = [affine_map<(i, t) -> (t)>, affine_map<(i, t) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<5xi32>) outs(%y : tensor<1xi32>) {
  ^bb0(%in: i32, %sum: i32):
    %next = arith.addi %sum, %in : i32
    linalg.yield %next : i32
  } -> tensor<1xi32>
  return %r : tensor<1xi32>
}
// One lane is missing, or what is added to.
// CHECK-NOT: certified: @too_few_reduced:
// CHECK-DAG: different: @reduced_from_nothing: element [0]: the second function lacks argument1[0]
func.func @too_few_reduced(%x: tensor<5xi32>, %y: tensor<1xi32>) -> tensor<1xi32> {
  %r = linalg.generic {indexing_maps = [affine_map<(i, t) -> (t)>, affine_map<(i, t) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<5xi32>) outs(%y : tensor<1xi32>) {
  ^bb0(%in: i32, %sum: i32):
    %next = arith.addi %sum, %in : i32
    linalg.yield %next : i32
  } -> tensor<1xi32>
  return %r : tensor<1xi32>
}
func.func @reduced_from_nothing(%x: tensor<5xi32>, %y: tensor<1xi32>) -> tensor<1xi32> {
  return %y : tensor<1xi32>
}
// Bits are cast there and back.
// CHECK-DAG: certified: @bits:
func.func @bits(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

//--- after.mlir
func.func @copy(%x: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %p = ub.poison : f32
  %e = tensor.empty() : tensor<4x6xf32>
  %a = vector.transfer_read %x[%c0, %c0], %p {in_bounds = [true, true]} : tensor<4x6xf32>, vector<2x6xf32>
  %b = vector.transfer_read %x[%c2, %c0], %p {in_bounds = [true, true]} : tensor<4x6xf32>, vector<2x6xf32>
  %0 = vector.transfer_write %a, %e[%c0, %c0] {in_bounds = [true, true]} : vector<2x6xf32>, tensor<4x6xf32>
  %1 = vector.transfer_write %b, %0[%c2, %c0] {in_bounds = [true, true]} : vector<2x6xf32>, tensor<4x6xf32>
  return %1 : tensor<4x6xf32>
}
func.func @transposed(%x: tensor<4x4xf32>, %y: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %c0 = arith.constant 0 : index
  %p = ub.poison : f32
  %a = vector.transfer_read %x[%c0, %c0], %p {in_bounds = [true, true], permutation_map = affine_map<(i, j) -> (j, i)>} : tensor<4x4xf32>, vector<4x4xf32>
  %0 = vector.transfer_write %a, %y[%c0, %c0] {in_bounds = [true, true]} : vector<4x4xf32>, tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
func.func @transposed_twice(%x: tensor<4x6xf32>, %y: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %c0 = arith.constant 0 : index
  %p = ub.poison : f32
  %a = vector.transfer_read %x[%c0, %c0], %p {in_bounds = [true, true], permutation_map = affine_map<(i, j) -> (j, i)>} : tensor<4x6xf32>, vector<6x4xf32>
  %b = vector.transpose %a, [1, 0] : vector<6x4xf32> to vector<4x6xf32>
  %0 = vector.transfer_write %b, %y[%c0, %c0] {in_bounds = [true, true]} : vector<4x6xf32>, tensor<4x6xf32>
  return %0 : tensor<4x6xf32>
}
func.func @padded(%x: tensor<5xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %a = vector.transfer_read %x[%c0], %zero : tensor<5xf32>, vector<8xf32>
  %0 = vector.transfer_write %a, %y[%c0] {in_bounds = [true]} : vector<8xf32>, tensor<8xf32>
  return %0 : tensor<8xf32>
}
func.func @padded_by_one(%x: tensor<5xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %a = vector.transfer_read %x[%c0], %one : tensor<5xf32>, vector<8xf32>
  %0 = vector.transfer_write %a, %y[%c0] {in_bounds = [true]} : vector<8xf32>, tensor<8xf32>
  return %0 : tensor<8xf32>
}
func.func @masked(%x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %p = ub.poison : f32
  %m = vector.create_mask %c3 : vector<8xi1>
  %a = vector.transfer_read %x[%c0], %p, %m {in_bounds = [true]} : tensor<8xf32>, vector<8xf32>
  %0 = vector.transfer_write %a, %y[%c0], %m {in_bounds = [true]} : vector<8xf32>, tensor<8xf32>
  return %0 : tensor<8xf32>
}
func.func @mask_too_wide(%x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %p = ub.poison : f32
  %m = vector.constant_mask [3] : vector<8xi1>
  %n = vector.constant_mask [4] : vector<8xi1>
  %a = vector.transfer_read %x[%c0], %p, %n {in_bounds = [true]} : tensor<8xf32>, vector<8xf32>
  %0 = vector.transfer_write %a, %y[%c0], %n {in_bounds = [true]} : vector<8xf32>, tensor<8xf32>
  return %0 : tensor<8xf32>
}
func.func @outside(%x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  %c1 = arith.constant 1 : index
  %p = ub.poison : f32
  %a = vector.transfer_read %x[%c1], %p {in_bounds = [true]} : tensor<8xf32>, vector<8xf32>
  return %x : tensor<8xf32>
}
func.func @products(%a: tensor<3x5xf32>, %b: tensor<5x4xf32>, %c: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  %p = ub.poison : f32
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%so_far = %c) -> tensor<3x4xf32> {
    %start = vector.transfer_read %so_far[%i, %c0], %p {in_bounds = [true]} : tensor<3x4xf32>, vector<4xf32>
    %sum = scf.for %k = %c0 to %c5 step %c1 iter_args(%s = %start) -> vector<4xf32> {
      %x = tensor.extract %a[%i, %k] : tensor<3x5xf32>
      %xs = vector.broadcast %x : f32 to vector<4xf32>
      %row = vector.transfer_read %b[%k, %c0], %p {in_bounds = [true]} : tensor<5x4xf32>, vector<4xf32>
      %next = vector.fma %xs, %row, %s : vector<4xf32>
      scf.yield %next : vector<4xf32>
    }
    %t = vector.transfer_write %sum, %so_far[%i, %c0] {in_bounds = [true]} : vector<4xf32>, tensor<3x4xf32>
    scf.yield %t : tensor<3x4xf32>
  }
  return %r : tensor<3x4xf32>
}
func.func @products_of_others(%a: tensor<3x5xf32>, %b: tensor<5x4xf32>, %c: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  %p = ub.poison : f32
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%so_far = %c) -> tensor<3x4xf32> {
    %start = vector.transfer_read %so_far[%i, %c0], %p {in_bounds = [true]} : tensor<3x4xf32>, vector<4xf32>
    %sum = scf.for %k = %c0 to %c5 step %c1 iter_args(%s = %start) -> vector<4xf32> {
      %x = tensor.extract %a[%i, %k] : tensor<3x5xf32>
      %xs = vector.broadcast %x : f32 to vector<4xf32>
      %row = vector.transfer_read %b[%i, %c0], %p {in_bounds = [true]} : tensor<5x4xf32>, vector<4xf32>
      %next = vector.fma %xs, %row, %s : vector<4xf32>
      scf.yield %next : vector<4xf32>
    }
    %t = vector.transfer_write %sum, %so_far[%i, %c0] {in_bounds = [true]} : vector<4xf32>, tensor<3x4xf32>
    scf.yield %t : tensor<3x4xf32>
  }
  return %r : tensor<3x4xf32>
}
func.func @contracted(%a: tensor<3x5xf32>, %b: tensor<5x4xf32>, %c: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %c0 = arith.constant 0 : index
  %p = ub.poison : f32
  %x = vector.transfer_read %a[%c0, %c0], %p {in_bounds = [true, true]} : tensor<3x5xf32>, vector<3x5xf32>
  %y = vector.transfer_read %b[%c0, %c0], %p {in_bounds = [true, true]} : tensor<5x4xf32>, vector<5x4xf32>
  %z = vector.transfer_read %c[%c0, %c0], %p {in_bounds = [true, true]} : tensor<3x4xf32>, vector<3x4xf32>
  %v = vector.contract {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %x, %y, %z : vector<3x5xf32>, vector<5x4xf32> into vector<3x4xf32>
  %r = vector.transfer_write %v, %c[%c0, %c0] {in_bounds = [true, true]} : vector<3x4xf32>, tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}
func.func @moved(%x: tensor<4xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %p = ub.poison : f32
  %a = vector.transfer_read %x[%c0], %p {in_bounds = [true]} : tensor<4xf32>, vector<4xf32>
  %b = vector.transfer_read %y[%c0], %p {in_bounds = [true]} : tensor<8xf32>, vector<8xf32>
  %s = vector.shuffle %b, %a [0, 8, 2, 9, 4, 10, 6, 11] : vector<8xf32>, vector<4xf32>
  %r = vector.transfer_write %s, %y[%c0] {in_bounds = [true]} : vector<8xf32>, tensor<8xf32>
  return %r : tensor<8xf32>
}
func.func @shuffled(%x: tensor<4xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %p = ub.poison : f32
  %a = vector.transfer_read %x[%c0], %p {in_bounds = [true]} : tensor<4xf32>, vector<4xf32>
  %b = vector.transfer_read %y[%c0], %p {in_bounds = [true]} : tensor<8xf32>, vector<8xf32>
  %s = vector.shuffle %b, %a [0, 8, 2, 10, 4, 9, 6, 11] : vector<8xf32>, vector<4xf32>
  %r = vector.transfer_write %s, %y[%c0] {in_bounds = [true]} : vector<8xf32>, tensor<8xf32>
  return %r : tensor<8xf32>
}
func.func @cast(%x: tensor<4x6xf32>, %y: tensor<2x12xf32>) -> tensor<2x12xf32> {
  %c0 = arith.constant 0 : index
  %p = ub.poison : f32
  %a = vector.transfer_read %x[%c0, %c0], %p {in_bounds = [true, true]} : tensor<4x6xf32>, vector<4x6xf32>
  %b = vector.shape_cast %a : vector<4x6xf32> to vector<2x12xf32>
  %r = vector.transfer_write %b, %y[%c0, %c0] {in_bounds = [true, true]} : vector<2x12xf32>, tensor<2x12xf32>
  return %r : tensor<2x12xf32>
}
func.func @inserted(%x: tensor<4xf32>, %y: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %c0 = arith.constant 0 : index
  %p = ub.poison : f32
  %a = vector.transfer_read %x[%c0], %p {in_bounds = [true]} : tensor<4xf32>, vector<4xf32>
  %b = vector.transfer_read %y[%c0, %c0], %p {in_bounds = [true, true]} : tensor<3x4xf32>, vector<3x4xf32>
  %0 = vector.extract %a[0] : f32 from vector<4xf32>
  %1 = vector.extract %a[1] : f32 from vector<4xf32>
  %2 = vector.extract %a[2] : f32 from vector<4xf32>
  %3 = vector.from_elements %0, %1, %2, %2 : vector<4xf32>
  %4 = vector.extract %a[3] : f32 from vector<4xf32>
  %5 = vector.insert %4, %3 [3] : f32 into vector<4xf32>
  %6 = vector.insert %5, %b [1] : vector<4xf32> into vector<3x4xf32>
  %r = vector.transfer_write %6, %y[%c0, %c0] {in_bounds = [true, true]} : vector<3x4xf32>, tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}
func.func @slices(%x: tensor<6xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %p = ub.poison : f32
  %a = vector.transfer_read %x[%c0], %p {in_bounds = [true]} : tensor<6xf32>, vector<6xf32>
  %b = vector.transfer_read %y[%c0], %p {in_bounds = [true]} : tensor<8xf32>, vector<8xf32>
  %s = vector.extract_strided_slice %a {offsets = [2], sizes = [3], strides = [1]} : vector<6xf32> to vector<3xf32>
  %t = vector.insert_strided_slice %s, %b {offsets = [4], strides = [1]} : vector<3xf32> into vector<8xf32>
  %r = vector.transfer_write %t, %y[%c0] {in_bounds = [true]} : vector<8xf32>, tensor<8xf32>
  return %r : tensor<8xf32>
}
func.func @reduced(%x: tensor<4x3xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %p = ub.poison : f32
  %a = vector.transfer_read %x[%c0, %c0], %p {in_bounds = [true, true]} : tensor<4x3xf32>, vector<4x3xf32>
  %b = vector.transfer_read %y[%c0], %p {in_bounds = [true]} : tensor<4xf32>, vector<4xf32>
  %m = vector.multi_reduction <maximumf>, %a, %b [1] : vector<4x3xf32> to vector<4xf32>
  %r = vector.transfer_write %m, %y[%c0] {in_bounds = [true]} : vector<4xf32>, tensor<4xf32>
  return %r : tensor<4xf32>
}
func.func @reduced_to_one(%x: tensor<5xi32>, %y: tensor<1xi32>) -> tensor<1xi32> {
  %c0 = arith.constant 0 : index
  %p = ub.poison : i32
  %a = vector.transfer_read %x[%c0], %p {in_bounds = [true]} : tensor<5xi32>, vector<5xi32>
  %old = tensor.extract %y[%c0] : tensor<1xi32>
  %m = vector.reduction <add>, %a, %old : vector<5xi32> into i32
  %r = tensor.insert %m into %y[%c0] : tensor<1xi32>
  return %r : tensor<1xi32>
}
func.func @too_few_reduced(%x: tensor<5xi32>, %y: tensor<1xi32>) -> tensor<1xi32> {
  %c0 = arith.constant 0 : index
  %p = ub.poison : i32
  %a = vector.transfer_read %x[%c0], %p {in_bounds = [true]} : tensor<5xi32>, vector<4xi32>
  %old = tensor.extract %y[%c0] : tensor<1xi32>
  %m = vector.reduction <add>, %a, %old : vector<4xi32> into i32
  %r = tensor.insert %m into %y[%c0] : tensor<1xi32>
  return %r : tensor<1xi32>
}
func.func @reduced_from_nothing(%x: tensor<5xi32>, %y: tensor<1xi32>) -> tensor<1xi32> {
  %c0 = arith.constant 0 : index
  %p = ub.poison : i32
  %a = vector.transfer_read %x[%c0], %p {in_bounds = [true]} : tensor<5xi32>, vector<5xi32>
  %old = tensor.extract %y[%c0] : tensor<1xi32>
  %m = vector.reduction <add>, %a : vector<5xi32> into i32
  %r = tensor.insert %m into %y[%c0] : tensor<1xi32>
  return %r : tensor<1xi32>
}
func.func @bits(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %p = ub.poison : f32
  %a = vector.transfer_read %x[%c0], %p {in_bounds = [true]} : tensor<4xf32>, vector<4xf32>
  %b = vector.bitcast %a : vector<4xf32> to vector<4xi32>
  %c = vector.bitcast %b : vector<4xi32> to vector<4xf32>
  %r = vector.transfer_write %c, %x[%c0] {in_bounds = [true]} : vector<4xf32>, tensor<4xf32>
  return %r : tensor<4xf32>
}
