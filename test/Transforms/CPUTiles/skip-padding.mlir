// RUN: convoy-opt %s --convoy-skip-padding --split-input-file --convoy-certify-each | FileCheck %s
// RUN: convoy-opt %s --convoy-skip-padding=explain --split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=EXPLAIN

// Taps outside, rows inside: a row of which the tap reads nothing adds nothing
// to what is there.
// EXPLAIN: remark: steps that read padding alone: skipped by branches{{$}}
// CHECK-DAG: #[[SUM:.*]] = affine_map<(d0, d1) -> (d0 + d1)>
// CHECK-LABEL: func.func @branch(
// CHECK:         scf.for %[[TAP:.*]] = %c0 to %c4
// CHECK:           scf.for %[[ROW:.*]] = %c0 to %c5 step %c1 iter_args(%[[T:.*]] =
// CHECK:             %[[TILE:.*]] = tensor.extract_slice %[[T]][%[[ROW]], 0] [1, 4]
// CHECK:             %[[AT:.*]] = affine.apply #[[SUM]]
// CHECK:             %[[LOW:.*]] = arith.cmpi sge, %[[AT]], %c2
// CHECK:             %[[HIGH:.*]] = arith.cmpi slt, %[[AT]], %c7
// CHECK:             %[[READ:.*]] = arith.andi %[[LOW]], %[[HIGH]]
// CHECK:             %[[R:.*]] = scf.if %[[READ]] -> (tensor<1x4xf32>) {
// CHECK-NEXT:          %[[S:.*]] = scf.for {{.*}} iter_args(%{{.*}} = %[[TILE]])
// CHECK:               scf.yield %[[S]]
// CHECK-NEXT:        } else {
// CHECK-NEXT:          scf.yield %[[TILE]]
// CHECK:             tensor.insert_slice %[[R]] into %[[T]][%[[ROW]], 0] [1, 4]
func.func @branch(%x: tensor<5x3xf32>, %w: tensor<4x3x4xf32>, %out: tensor<5x4xf32>) -> tensor<5x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %x low[2, 0] high[1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<5x3xf32> to tensor<8x3xf32>
  %taps = scf.for %kh = %c0 to %c4 step %c1 iter_args(%a = %out) -> tensor<5x4xf32> {
    %shifted = tensor.extract_slice %padded[%kh, 0] [5, 3] [1, 1] : tensor<8x3xf32> to tensor<5x3xf32>
    %rows = scf.for %oh = %c0 to %c5 step %c1 iter_args(%t = %a) -> tensor<5x4xf32> {
      %row = tensor.extract_slice %shifted[%oh, 0] [1, 3] [1, 1] : tensor<5x3xf32> to tensor<1x3xf32>
      %tile = tensor.extract_slice %t[%oh, 0] [1, 4] [1, 1] : tensor<5x4xf32> to tensor<1x4xf32>
      %sum = scf.for %c = %c0 to %c3 step %c1 iter_args(%s = %tile) -> tensor<1x4xf32> {
        %xs = tensor.extract_slice %row[0, %c] [1, 1] [1, 1] : tensor<1x3xf32> to tensor<1x1xf32>
        %ws = tensor.extract_slice %w[%kh, %c, 0] [1, 1, 4] [1, 1, 1] : tensor<4x3x4xf32> to tensor<1x4xf32>
        %0 = linalg.matmul ins(%xs, %ws : tensor<1x1xf32>, tensor<1x4xf32>) outs(%s : tensor<1x4xf32>) -> tensor<1x4xf32>
        scf.yield %0 : tensor<1x4xf32>
      }
      %next = tensor.insert_slice %sum into %t[%oh, 0] [1, 4] [1, 1] : tensor<1x4xf32> into tensor<5x4xf32>
      scf.yield %next : tensor<5x4xf32>
    }
    scf.yield %rows : tensor<5x4xf32>
  }
  return %taps : tensor<5x4xf32>
}

// -----

// Taps in steps of two rows, inside: the loop takes those that read something.
// EXPLAIN: remark: steps that read padding alone: left out by loops{{$}}
// CHECK-DAG: #[[LOW:.*]] = affine_map<(d0) -> (0, (d0 * -3 + 1) ceildiv 2)>
// CHECK-DAG: #[[HIGH:.*]] = affine_map<(d0) -> (3, (d0 * -3 + 6) ceildiv 2)>
// CHECK-LABEL: func.func @narrow(
// CHECK:         scf.for %[[ROW:.*]] = %c0 to %c2
// CHECK:           %[[FROM:.*]] = affine.max #[[LOW]](%[[ROW]]
// CHECK:           %[[TO:.*]] = affine.min #[[HIGH]](%[[ROW]]
// CHECK:           scf.for %{{.*}} = %[[FROM]] to %[[TO]] step %c1
// CHECK-NOT:     scf.if
func.func @narrow(%x: tensor<5x1xi32>, %w: tensor<3x1x4xi32>, %out: tensor<2x4xi32>) -> tensor<2x4xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0 : i32
  %padded = tensor.pad %x low[1, 0] high[2, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : i32
  } : tensor<5x1xi32> to tensor<8x1xi32>
  %rows = scf.for %oh = %c0 to %c2 step %c1 iter_args(%t = %out) -> tensor<2x4xi32> {
    %first = affine.apply affine_map<(d0) -> (d0 * 3)>(%oh)
    %window = tensor.extract_slice %padded[%first, 0] [5, 1] [1, 1] : tensor<8x1xi32> to tensor<5x1xi32>
    %tile = tensor.extract_slice %t[%oh, 0] [1, 4] [1, 1] : tensor<2x4xi32> to tensor<1x4xi32>
    %sum = scf.for %kh = %c0 to %c3 step %c1 iter_args(%s = %tile) -> tensor<1x4xi32> {
      %row = affine.apply affine_map<(d0) -> (d0 * 2)>(%kh)
      %xs = tensor.extract_slice %window[%row, 0] [1, 1] [1, 1] : tensor<5x1xi32> to tensor<1x1xi32>
      %ws = tensor.extract_slice %w[%kh, 0, 0] [1, 1, 4] [1, 1, 1] : tensor<3x1x4xi32> to tensor<1x4xi32>
      %0 = linalg.matmul ins(%xs, %ws : tensor<1x1xi32>, tensor<1x4xi32>) outs(%s : tensor<1x4xi32>) -> tensor<1x4xi32>
      scf.yield %0 : tensor<1x4xi32>
    }
    %next = tensor.insert_slice %sum into %t[%oh, 0] [1, 4] [1, 1] : tensor<1x4xi32> into tensor<2x4xi32>
    scf.yield %next : tensor<2x4xi32>
  }
  return %rows : tensor<2x4xi32>
}

// -----

// The same with flipped taps, whose rows come from the last to the first.
// CHECK-DAG: #[[LOW:.*]] = affine_map<(d0) -> (0, (d0 * 3 - 1) ceildiv 2)>
// CHECK-DAG: #[[HIGH:.*]] = affine_map<(d0) -> (3, (d0 * 3 + 4) ceildiv 2)>
// CHECK-LABEL: func.func @flipped(
// CHECK:         scf.for %[[ROW:.*]] = %c0 to %c2
// CHECK:           %[[FROM:.*]] = affine.max #[[LOW]](%[[ROW]]
// CHECK:           %[[TO:.*]] = affine.min #[[HIGH]](%[[ROW]]
// CHECK:           scf.for %{{.*}} = %[[FROM]] to %[[TO]] step %c1
// CHECK-NOT:     scf.if
func.func @flipped(%x: tensor<5x1xi32>, %w: tensor<3x1x4xi32>, %out: tensor<2x4xi32>) -> tensor<2x4xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0 : i32
  %padded = tensor.pad %x low[1, 0] high[2, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : i32
  } : tensor<5x1xi32> to tensor<8x1xi32>
  %rows = scf.for %oh = %c0 to %c2 step %c1 iter_args(%t = %out) -> tensor<2x4xi32> {
    %first = affine.apply affine_map<(d0) -> (d0 * 3)>(%oh)
    %window = tensor.extract_slice %padded[%first, 0] [5, 1] [1, 1] : tensor<8x1xi32> to tensor<5x1xi32>
    %tile = tensor.extract_slice %t[%oh, 0] [1, 4] [1, 1] : tensor<2x4xi32> to tensor<1x4xi32>
    %sum = scf.for %kh = %c0 to %c3 step %c1 iter_args(%s = %tile) -> tensor<1x4xi32> {
      %row = affine.apply affine_map<(d0) -> (d0 * -2 + 4)>(%kh)
      %xs = tensor.extract_slice %window[%row, 0] [1, 1] [1, 1] : tensor<5x1xi32> to tensor<1x1xi32>
      %ws = tensor.extract_slice %w[%kh, 0, 0] [1, 1, 4] [1, 1, 1] : tensor<3x1x4xi32> to tensor<1x4xi32>
      %0 = linalg.matmul ins(%xs, %ws : tensor<1x1xi32>, tensor<1x4xi32>) outs(%s : tensor<1x4xi32>) -> tensor<1x4xi32>
      scf.yield %0 : tensor<1x4xi32>
    }
    %next = tensor.insert_slice %sum into %t[%oh, 0] [1, 4] [1, 1] : tensor<1x4xi32> into tensor<2x4xi32>
    scf.yield %next : tensor<2x4xi32>
  }
  return %rows : tensor<2x4xi32>
}

// -----

// Rows are copied, each tap's side by side, and seen as one dimension: the
// planes outside can still be told.
// CHECK-DAG: #[[LOW:.*]] = affine_map<(d0) -> (0, -d0 + 1)>
// CHECK-DAG: #[[HIGH:.*]] = affine_map<(d0) -> (2, -d0 + 4)>
// CHECK-LABEL: func.func @copied(
// CHECK:         scf.for %[[PLANE:.*]] = %c0 to %c3
// CHECK:           %[[FROM:.*]] = affine.max #[[LOW]](%[[PLANE]]
// CHECK:           %[[TO:.*]] = affine.min #[[HIGH]](%[[PLANE]]
// CHECK:           scf.for %{{.*}} = %[[FROM]] to %[[TO]] step %c1
func.func @copied(%x: tensor<3x3x5xf32>, %w: tensor<4x2xf32>, %out: tensor<3x4x15xf32>) -> tensor<3x4x15xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %x low[1, 0, 0] high[0, 0, 0] {
  ^bb0(%i: index, %j: index, %k: index):
    tensor.yield %zero : f32
  } : tensor<3x3x5xf32> to tensor<4x3x5xf32>
  %planes = scf.for %od = %c0 to %c3 step %c1 iter_args(%t = %out) -> tensor<3x4x15xf32> {
    %window = tensor.extract_slice %padded[%od, 0, 0] [2, 3, 5] [1, 1, 1] : tensor<4x3x5xf32> to tensor<2x3x5xf32>
    %empty = tensor.empty() : tensor<2x1x3x5xf32>
    %copy = linalg.generic {indexing_maps = [affine_map<(k, d, h, w) -> (k + d, h, w)>, affine_map<(k, d, h, w) -> (k, d, h, w)>],
        iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%window : tensor<2x3x5xf32>) outs(%empty : tensor<2x1x3x5xf32>) {
    ^bb0(%from: f32, %to: f32):
      linalg.yield %from : f32
    } -> tensor<2x1x3x5xf32>
    %lines = tensor.collapse_shape %copy [[0], [1, 2, 3]] : tensor<2x1x3x5xf32> into tensor<2x15xf32>
    %tile = tensor.extract_slice %t[%od, 0, 0] [1, 4, 15] [1, 1, 1] : tensor<3x4x15xf32> to tensor<4x15xf32>
    %sum = scf.for %kd = %c0 to %c2 step %c1 iter_args(%s = %tile) -> tensor<4x15xf32> {
      %ws = tensor.extract_slice %w[0, %kd] [4, 1] [1, 1] : tensor<4x2xf32> to tensor<4x1xf32>
      %xs = tensor.extract_slice %lines[%kd, 0] [1, 15] [1, 1] : tensor<2x15xf32> to tensor<1x15xf32>
      %0 = linalg.matmul ins(%ws, %xs : tensor<4x1xf32>, tensor<1x15xf32>) outs(%s : tensor<4x15xf32>) -> tensor<4x15xf32>
      scf.yield %0 : tensor<4x15xf32>
    }
    %next = tensor.insert_slice %sum into %t[%od, 0, 0] [1, 4, 15] [1, 1, 1] : tensor<4x15xf32> into tensor<3x4x15xf32>
    scf.yield %next : tensor<3x4x15xf32>
  }
  return %planes : tensor<3x4x15xf32>
}

// -----

// Sums that begin here are in registers; ones in the padding count.
// EXPLAIN: remark: steps that read padding alone: computed all the same{{$}}
// CHECK-LABEL: func.func @leave(
// CHECK-NOT:     scf.if
// CHECK-NOT:     affine.m
// CHECK:         return
func.func @leave(%x: tensor<5x3xf32>, %w: tensor<3x4xf32>, %out: tensor<7x4xf32>) -> (tensor<7x4xf32>, tensor<7x4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c7 = arith.constant 7 : index
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %zeros = tensor.pad %x low[1, 0] high[1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<5x3xf32> to tensor<7x3xf32>
  %ones = tensor.pad %x low[1, 0] high[1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %one : f32
  } : tensor<5x3xf32> to tensor<7x3xf32>
  %begun = scf.for %oh = %c0 to %c7 step %c1 iter_args(%t = %out) -> tensor<7x4xf32> {
    %tile = tensor.extract_slice %t[%oh, 0] [1, 4] [1, 1] : tensor<7x4xf32> to tensor<1x4xf32>
    %fill = linalg.fill ins(%zero : f32) outs(%tile : tensor<1x4xf32>) -> tensor<1x4xf32>
    %sum = scf.for %c = %c0 to %c3 step %c1 iter_args(%s = %fill) -> tensor<1x4xf32> {
      %xs = tensor.extract_slice %zeros[%oh, %c] [1, 1] [1, 1] : tensor<7x3xf32> to tensor<1x1xf32>
      %ws = tensor.extract_slice %w[%c, 0] [1, 4] [1, 1] : tensor<3x4xf32> to tensor<1x4xf32>
      %0 = linalg.matmul ins(%xs, %ws : tensor<1x1xf32>, tensor<1x4xf32>) outs(%s : tensor<1x4xf32>) -> tensor<1x4xf32>
      scf.yield %0 : tensor<1x4xf32>
    }
    %next = tensor.insert_slice %sum into %t[%oh, 0] [1, 4] [1, 1] : tensor<1x4xf32> into tensor<7x4xf32>
    scf.yield %next : tensor<7x4xf32>
  }
  %counted = scf.for %oh = %c0 to %c7 step %c1 iter_args(%t = %out) -> tensor<7x4xf32> {
    %tile = tensor.extract_slice %t[%oh, 0] [1, 4] [1, 1] : tensor<7x4xf32> to tensor<1x4xf32>
    %sum = scf.for %c = %c0 to %c3 step %c1 iter_args(%s = %tile) -> tensor<1x4xf32> {
      %xs = tensor.extract_slice %ones[%oh, %c] [1, 1] [1, 1] : tensor<7x3xf32> to tensor<1x1xf32>
      %ws = tensor.extract_slice %w[%c, 0] [1, 4] [1, 1] : tensor<3x4xf32> to tensor<1x4xf32>
      %0 = linalg.matmul ins(%xs, %ws : tensor<1x1xf32>, tensor<1x4xf32>) outs(%s : tensor<1x4xf32>) -> tensor<1x4xf32>
      scf.yield %0 : tensor<1x4xf32>
    }
    %next = tensor.insert_slice %sum into %t[%oh, 0] [1, 4] [1, 1] : tensor<1x4xf32> into tensor<7x4xf32>
    scf.yield %next : tensor<7x4xf32>
  }
  return %begun, %counted : tensor<7x4xf32>, tensor<7x4xf32>
}

// -----

// exp(0) is not zero.
// CHECK-LABEL: func.func @function_of_factor(
// CHECK-NOT:     affine.m
// CHECK:         return
#element = affine_map<(f, k) -> (k, f)>
#factor = affine_map<(f, k) -> (k)>
#result = affine_map<(f, k) -> (f)>
func.func @function_of_factor(%x: tensor<5xf32>, %w: tensor<7x4xf32>, %out: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %x low[1] high[1] {
  ^bb0(%i: index):
    tensor.yield %zero : f32
  } : tensor<5xf32> to tensor<7xf32>
  %sum = scf.for %k = %c0 to %c7 step %c1 iter_args(%s = %out) -> tensor<4xf32> {
    %xs = tensor.extract_slice %padded[%k] [1] [1] : tensor<7xf32> to tensor<1xf32>
    %ws = tensor.extract_slice %w[%k, 0] [1, 4] [1, 1] : tensor<7x4xf32> to tensor<1x4xf32>
    %0 = linalg.generic {indexing_maps = [#factor, #element, #result], iterator_types = ["parallel", "reduction"]}
        ins(%xs, %ws : tensor<1xf32>, tensor<1x4xf32>) outs(%s : tensor<4xf32>) {
    ^bb0(%a: f32, %b: f32, %c: f32):
      %e = math.exp %a : f32
      %p = arith.mulf %e, %b : f32
      %r = arith.addf %c, %p : f32
      linalg.yield %r : f32
    } -> tensor<4xf32>
    scf.yield %0 : tensor<4xf32>
  }
  return %sum : tensor<4xf32>
}

// -----

// Two dimensions, each by its own loop; slices that drop dimensions.
// CHECK-LABEL: func.func @two_dimensions(
// CHECK-NOT:     affine.m
// CHECK:         scf.for %{{.*}} = %c3 to %c4
// CHECK:           scf.for %{{.*}} = %c2 to %c5
func.func @two_dimensions(%x: tensor<1x3x1xf32>, %w: tensor<9x4xf32>, %out: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %x low[0, 2, 3] high[0, 4, 5] {
  ^bb0(%i: index, %j: index, %k: index):
    tensor.yield %zero : f32
  } : tensor<1x3x1xf32> to tensor<1x9x9xf32>
  %t1 = scf.for %kw = %c0 to %c9 step %c1 iter_args(%b = %out) -> tensor<4xf32> {
  %taps = scf.for %kh = %c0 to %c9 step %c1 iter_args(%a = %b) -> tensor<4xf32> {
    %ys = tensor.extract_slice %padded[0, %kh, %kw] [1, 1, 1] [1, 1, 1] : tensor<1x9x9xf32> to tensor<1x1xf32>
    %xs = tensor.collapse_shape %ys [[0, 1]] : tensor<1x1xf32> into tensor<1xf32>
    %ws = tensor.extract_slice %w[%kh, 0] [1, 4] [1, 1] : tensor<9x4xf32> to tensor<1x4xf32>
    %0 = linalg.vecmat ins(%xs, %ws : tensor<1xf32>, tensor<1x4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %0 : tensor<4xf32>
  }
    scf.yield %taps : tensor<4xf32>
  }
  return %t1 : tensor<4xf32>
}

// -----

// A copy that begins further on.
// CHECK-LABEL: func.func @offset_copy(
// CHECK:         scf.for %{{.*}} = %c2 to %c4
func.func @offset_copy(%x: tensor<2x3xf32>, %w: tensor<9x3x4xf32>, %out: tensor<1x4xf32>) -> tensor<1x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c12 = arith.constant 6 : index
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %x low[4, 0] high[3, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<2x3xf32> to tensor<9x3xf32>
  %e = tensor.empty() : tensor<1x3xf32>
  %taps = scf.for %kh = %c0 to %c12 step %c1 iter_args(%a = %out) -> tensor<1x4xf32> {
    %ys = tensor.extract_slice %padded[%kh, 0] [4, 3] [1, 1] : tensor<9x3xf32> to tensor<4x3xf32>
    %xs = linalg.generic {indexing_maps = [affine_map<(h, c) -> (h + 2, c)>, affine_map<(h, c) -> (h, c)>], iterator_types = ["parallel", "parallel"]}
       ins(%ys : tensor<4x3xf32>) outs(%e : tensor<1x3xf32>) {
      ^bb0(%p: f32, %q: f32):
        linalg.yield %p : f32
    } -> tensor<1x3xf32>
    %ws = tensor.extract_slice %w[%kh, 0, 0] [1, 3, 4] [1, 1, 1] : tensor<9x3x4xf32> to tensor<3x4xf32>
    %0 = linalg.matmul ins(%xs, %ws : tensor<1x3xf32>, tensor<3x4xf32>) outs(%a : tensor<1x4xf32>) -> tensor<1x4xf32>
    scf.yield %0 : tensor<1x4xf32>
  }
  return %taps : tensor<1x4xf32>
}

// -----

// Padding that crops.
// CHECK-LABEL: func.func @cropped(
// CHECK:         scf.for %{{.*}} = %c0{{.*}} to %c7
func.func @cropped(%x: tensor<9x3xf32>, %w: tensor<9x3x4xf32>, %out: tensor<1x4xf32>) -> tensor<1x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c12 = arith.constant 9 : index
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %x low[-2, 0] high[2, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<9x3xf32> to tensor<9x3xf32>
  %taps = scf.for %kh = %c0 to %c12 step %c1 iter_args(%a = %out) -> tensor<1x4xf32> {
    %xs = tensor.extract_slice %padded[%kh, 0] [1, 3] [1, 1] : tensor<9x3xf32> to tensor<1x3xf32>
    %ws = tensor.extract_slice %w[%kh, 0, 0] [1, 3, 4] [1, 1, 1] : tensor<9x3x4xf32> to tensor<3x4xf32>
    %0 = linalg.matmul ins(%xs, %ws : tensor<1x3xf32>, tensor<3x4xf32>) outs(%a : tensor<1x4xf32>) -> tensor<1x4xf32>
    scf.yield %0 : tensor<1x4xf32>
  }
  return %taps : tensor<1x4xf32>
}

// -----

// Iterations that threads share stay as many.
// CHECK-LABEL: func.func @threads(
// CHECK:         scf.forall (%{{.*}}) in (9)
// CHECK:           scf.if
func.func @threads(%x: tensor<5x3xf32>, %w: tensor<3x4xf32>, %out: tensor<9x4xf32>) -> tensor<9x4xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %padded = tensor.pad %x low[6, 0] high[3, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<5x3xf32> to tensor<14x3xf32>
  %r = scf.forall (%oh) in (9) shared_outs(%o = %out) -> tensor<9x4xf32> {
    %t = tensor.extract_slice %o[%oh, 0] [1, 4] [1, 1] : tensor<9x4xf32> to tensor<1x4xf32>
    %s = scf.for %c = %c0 to %c3 step %c1 iter_args(%a = %t) -> tensor<1x4xf32> {
    %xs = tensor.extract_slice %padded[%oh, %c] [1, 1] [1, 1] : tensor<14x3xf32> to tensor<1x1xf32>
    %ws = tensor.extract_slice %w[%c, 0] [1, 4] [1, 1] : tensor<3x4xf32> to tensor<1x4xf32>
    %0 = linalg.matmul ins(%xs, %ws : tensor<1x1xf32>, tensor<1x4xf32>) outs(%a : tensor<1x4xf32>) -> tensor<1x4xf32>
    scf.yield %0 : tensor<1x4xf32>
    }
    scf.forall.in_parallel { tensor.parallel_insert_slice %s into %o[%oh, 0] [1, 4] [1, 1] : tensor<1x4xf32> into tensor<9x4xf32> }
  }
  return %r : tensor<9x4xf32>
}

// -----

// Planes, rows and lanes stay one nest, which threads share in one region.
// RUN: convoy-opt %s --split-input-file --convoy-to-tiles-pipeline --convoy-parallelize-tiles=threads=2 | FileCheck %s --check-prefix=NEST
// NEST-LABEL: func.func @nest(
// NEST:         scf.forall (%{{.*}}, %{{.*}}, %{{.*}}) = (0, 0, 0) to (96, 2, 7) step (48, 1, 1)
// NEST:           scf.if
// NEST:         {convoy.thread_region
// CHECK-LABEL: func.func @nest(
module attributes {convoy.target = #convoy.target<vector_bytes = 64, registers = 32, l1_bytes = 32768, l2_bytes = 1048576>} {
  func.func @nest(%x: tensor<1x2x7x7x512xf32>, %w: tensor<3x3x3x512x96xf32>, %init: tensor<1x2x7x7x96xf32>) -> tensor<1x2x7x7x96xf32> {
    %0 = convoy.conv ins(%x, %w : tensor<1x2x7x7x512xf32>, tensor<3x3x3x512x96xf32>) outs(%init : tensor<1x2x7x7x96xf32>) layout(ndhwc x dhwcf -> ndhwf) window(pad = [[1, 1], [1, 1], [1, 1]])
    return %0 : tensor<1x2x7x7x96xf32>
  }
}

// -----

// Sums that an op goes on with are in registers: they are not where the result
// lies, so that a branch would need memory for them.
// CHECK-LABEL: func.func @finished(
// CHECK-NOT:     scf.if
// CHECK:         math.absf
func.func @finished(%x: tensor<5x3xf32>, %w: tensor<3x4xf32>, %init: tensor<1x4xf32>, %out: tensor<9x4xf32>) -> tensor<9x4xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %padded = tensor.pad %x low[6, 0] high[3, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<5x3xf32> to tensor<14x3xf32>
  %r = scf.forall (%oh) in (9) shared_outs(%o = %out) -> tensor<9x4xf32> {
    %s = scf.for %c = %c0 to %c3 step %c1 iter_args(%a = %init) -> tensor<1x4xf32> {
      %xs = tensor.extract_slice %padded[%oh, %c] [1, 1] [1, 1] : tensor<14x3xf32> to tensor<1x1xf32>
      %ws = tensor.extract_slice %w[%c, 0] [1, 4] [1, 1] : tensor<3x4xf32> to tensor<1x4xf32>
      %0 = linalg.matmul ins(%xs, %ws : tensor<1x1xf32>, tensor<1x4xf32>) outs(%a : tensor<1x4xf32>) -> tensor<1x4xf32>
      scf.yield %0 : tensor<1x4xf32>
    }
    %t = tensor.extract_slice %o[%oh, 0] [1, 4] [1, 1] : tensor<9x4xf32> to tensor<1x4xf32>
    %e = linalg.generic {indexing_maps = [affine_map<(f, n) -> (f, n)>, affine_map<(f, n) -> (f, n)>], iterator_types = ["parallel", "parallel"]} ins(%s : tensor<1x4xf32>) outs(%t : tensor<1x4xf32>) {
    ^bb0(%in: f32, %before: f32):
      %1 = math.absf %in : f32
      linalg.yield %1 : f32
    } -> tensor<1x4xf32>
    scf.forall.in_parallel { tensor.parallel_insert_slice %e into %o[%oh, 0] [1, 4] [1, 1] : tensor<1x4xf32> into tensor<9x4xf32> }
  }
  return %r : tensor<9x4xf32>
}
