// RUN: convoy-opt %s --convoy-skip-padding --split-input-file | FileCheck %s --implicit-check-not=affine.m --implicit-check-not=scf.if

// Loops that are left alone.
// A bound below zero would be a large one.
// CHECK-LABEL: func.func @unsigned_bounds(
func.func @unsigned_bounds(%x: tensor<5x3xf32>, %w: tensor<9x3x4xf32>, %out: tensor<12x4xf32>) -> tensor<12x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %c12 = arith.constant 12 : index
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %x low[0, 0] high[30, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<5x3xf32> to tensor<35x3xf32>
  %r = scf.for %oh = %c0 to %c12 step %c1 iter_args(%b = %out) -> tensor<12x4xf32> {
    %t = tensor.extract_slice %b[%oh, 0] [1, 4] [1, 1] : tensor<12x4xf32> to tensor<1x4xf32>
    %taps = scf.for unsigned %kh = %c0 to %c9 step %c1 iter_args(%a = %t) -> tensor<1x4xf32> {
      %o = affine.apply affine_map<(d0, d1) -> (d0 + d1)>(%oh, %kh)
      %xs = tensor.extract_slice %padded[%o, 0] [1, 3] [1, 1] : tensor<35x3xf32> to tensor<1x3xf32>
      %ws = tensor.extract_slice %w[%kh, 0, 0] [1, 3, 4] [1, 1, 1] : tensor<9x3x4xf32> to tensor<3x4xf32>
      %0 = linalg.matmul ins(%xs, %ws : tensor<1x3xf32>, tensor<3x4xf32>) outs(%a : tensor<1x4xf32>) -> tensor<1x4xf32>
      scf.yield %0 : tensor<1x4xf32>
    }
    %u = tensor.insert_slice %taps into %b[%oh, 0] [1, 4] [1, 1] : tensor<1x4xf32> into tensor<12x4xf32>
    scf.yield %u : tensor<12x4xf32>
  }
  return %r : tensor<12x4xf32>
}

// -----

// What else the iterations do is done.
// CHECK-LABEL: func.func @stores(
func.func @stores(%m: memref<9xindex>, %x: tensor<5x3xf32>, %w: tensor<4x3x4xf32>, %out: tensor<5x4xf32>) -> tensor<5x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %x low[6, 0] high[3, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<5x3xf32> to tensor<14x3xf32>
  %taps = scf.for %kh = %c0 to %c9 step %c1 iter_args(%a = %out) -> tensor<5x4xf32> {
    memref.store %kh, %m[%kh] : memref<9xindex>
    %xs = tensor.extract_slice %padded[%kh, 0] [5, 3] [1, 1] : tensor<14x3xf32> to tensor<5x3xf32>
    %ws = tensor.extract_slice %w[0, 0, 0] [1, 3, 4] [1, 1, 1] : tensor<4x3x4xf32> to tensor<3x4xf32>
    %0 = linalg.matmul ins(%xs, %ws : tensor<5x3xf32>, tensor<3x4xf32>) outs(%a : tensor<5x4xf32>) -> tensor<5x4xf32>
    scf.yield %0 : tensor<5x4xf32>
  }
  return %taps : tensor<5x4xf32>
}

// -----

// Each step narrows the sum, adding nothing, too.
// CHECK-LABEL: func.func @narrowed_sum(
#x = affine_map<(m, n, k) -> (m, k)>
#y = affine_map<(m, n, k) -> (k, n)>
#z = affine_map<(m, n, k) -> (m, n)>
func.func @narrowed_sum(%x: tensor<5x3xi8>, %w: tensor<9x3x4xi8>, %out: tensor<5x4xi32>) -> tensor<5x4xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %zero = arith.constant 0 : i8
  %padded = tensor.pad %x low[6, 0] high[3, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : i8
  } : tensor<5x3xi8> to tensor<14x3xi8>
  %taps = scf.for %kh = %c0 to %c9 step %c1 iter_args(%a = %out) -> tensor<5x4xi32> {
    %xs = tensor.extract_slice %padded[%kh, 0] [5, 3] [1, 1] : tensor<14x3xi8> to tensor<5x3xi8>
    %ws = tensor.extract_slice %w[%kh, 0, 0] [1, 3, 4] [1, 1, 1] : tensor<9x3x4xi8> to tensor<3x4xi8>
    %0 = linalg.generic {indexing_maps = [#x, #y, #z], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%xs, %ws : tensor<5x3xi8>, tensor<3x4xi8>) outs(%a : tensor<5x4xi32>) {
      ^bb0(%p: i8, %q: i8, %r: i32):
        %pe = arith.extsi %p : i8 to i32
        %qe = arith.extsi %q : i8 to i32
        %m = arith.muli %pe, %qe : i32
        %s = arith.addi %r, %m : i32
        %t = arith.trunci %s : i32 to i8
        %u = arith.extsi %t : i8 to i32
        linalg.yield %u : i32
    } -> tensor<5x4xi32>
    scf.yield %0 : tensor<5x4xi32>
  }
  return %taps : tensor<5x4xi32>
}

// -----

// Two tensors carried.
// CHECK-LABEL: func.func @two_results(
func.func @two_results(%x: tensor<9x3xf32>, %w: tensor<9x3x4xf32>, %out: tensor<1x4xf32>) -> (tensor<1x4xf32>, tensor<1x4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %x low[2, 0] high[2, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<9x3xf32> to tensor<13x3xf32>
  %t:2 = scf.for %kh = %c0 to %c9 step %c1 iter_args(%a = %out, %b = %out) -> (tensor<1x4xf32>, tensor<1x4xf32>) {
    %xs = tensor.extract_slice %padded[%kh, 0] [1, 3] [1, 1] : tensor<13x3xf32> to tensor<1x3xf32>
    %ws = tensor.extract_slice %w[%kh, 0, 0] [1, 3, 4] [1, 1, 1] : tensor<9x3x4xf32> to tensor<3x4xf32>
    %0 = linalg.matmul ins(%xs, %ws : tensor<1x3xf32>, tensor<3x4xf32>) outs(%a : tensor<1x4xf32>) -> tensor<1x4xf32>
    %1 = linalg.matmul ins(%xs, %ws : tensor<1x3xf32>, tensor<3x4xf32>) outs(%0 : tensor<1x4xf32>) -> tensor<1x4xf32>
    scf.yield %1, %0 : tensor<1x4xf32>, tensor<1x4xf32>
  }
  return %t#0, %t#1 : tensor<1x4xf32>, tensor<1x4xf32>
}

// -----

// Sizes that are not known.
// CHECK-LABEL: func.func @dynamic(
func.func @dynamic(%x: tensor<?x3xf32>, %w: tensor<9x3x4xf32>, %out: tensor<1x4xf32>, %n: index) -> tensor<1x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c12 = arith.constant 9 : index
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %x low[4, 0] high[3, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<?x3xf32> to tensor<?x3xf32>
  %taps = scf.for %kh = %c0 to %n step %c1 iter_args(%a = %out) -> tensor<1x4xf32> {
    %xs = tensor.extract_slice %padded[%kh, 0] [1, 3] [1, 1] : tensor<?x3xf32> to tensor<1x3xf32>
    %ws = tensor.extract_slice %w[%kh, 0, 0] [1, 3, 4] [1, 1, 1] : tensor<9x3x4xf32> to tensor<3x4xf32>
    %0 = linalg.matmul ins(%xs, %ws : tensor<1x3xf32>, tensor<3x4xf32>) outs(%a : tensor<1x4xf32>) -> tensor<1x4xf32>
    scf.yield %0 : tensor<1x4xf32>
  }
  return %taps : tensor<1x4xf32>
}

// -----

// Rows that lie a variable apart.
// CHECK-LABEL: func.func @dynamic_stride(
func.func @dynamic_stride(%x: tensor<5x3xf32>, %w: tensor<3x4xf32>, %out: tensor<1x4xf32>) -> tensor<1x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %x low[6, 0] high[3, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<5x3xf32> to tensor<14x3xf32>
  %taps = scf.for %st = %c1 to %c3 step %c1 iter_args(%b = %out) -> tensor<1x4xf32> {
  %tapss = scf.for %kh = %c0 to %c3 step %c1 iter_args(%a = %b) -> tensor<1x4xf32> {
    %xx = tensor.extract_slice %padded[%kh, 0] [5, 3] [%st, 1] : tensor<14x3xf32> to tensor<5x3xf32>
    %xs = tensor.extract_slice %xx[%kh, 0] [1, 3] [1, 1] : tensor<5x3xf32> to tensor<1x3xf32>
    %0 = linalg.matmul ins(%xs, %w : tensor<1x3xf32>, tensor<3x4xf32>) outs(%a : tensor<1x4xf32>) -> tensor<1x4xf32>
    scf.yield %0 : tensor<1x4xf32>
  }
    scf.yield %tapss : tensor<1x4xf32>
  }
  return %taps : tensor<1x4xf32>
}

// -----

// Loops that do not tell their bounds.
// CHECK-LABEL: func.func @unknown_bounds(
func.func @unknown_bounds(%x: tensor<5x3xf32>, %w: tensor<3x4xf32>, %out: tensor<1x4xf32>, %n: index) -> tensor<1x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %x low[6, 0] high[3, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<5x3xf32> to tensor<14x3xf32>
  %rows = affine.for %kh = 0 to %n iter_args(%a = %out) -> tensor<1x4xf32> {
    %xs = tensor.extract_slice %padded[%kh, 0] [1, 3] [1, 1] : tensor<14x3xf32> to tensor<1x3xf32>
    %0 = linalg.matmul ins(%xs, %w : tensor<1x3xf32>, tensor<3x4xf32>) outs(%a : tensor<1x4xf32>) -> tensor<1x4xf32>
    affine.yield %0 : tensor<1x4xf32>
  }
  affine.parallel (%kh) = (0) to (9) {
    %sum = scf.for %c = %c0 to %c9 step %c1 iter_args(%a = %out) -> tensor<1x4xf32> {
      %xs = tensor.extract_slice %padded[%kh, 0] [1, 3] [1, 1] : tensor<14x3xf32> to tensor<1x3xf32>
      %0 = linalg.matmul ins(%xs, %w : tensor<1x3xf32>, tensor<3x4xf32>) outs(%a : tensor<1x4xf32>) -> tensor<1x4xf32>
      scf.yield %0 : tensor<1x4xf32>
    }
  }
  return %rows : tensor<1x4xf32>
}
