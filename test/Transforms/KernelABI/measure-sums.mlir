// RUN: convoy-opt %s --convoy-measure-sums | FileCheck %s

// Products and additions to an init: 1 + 8.
// CHECK-LABEL: func.func @chain
// CHECK-SAME: -> (tensor<f32> {convoy.sums = {f32 = 9 : i64}})
func.func @chain(%x: tensor<8xf32>, %w: tensor<8xf32>, %init: tensor<f32>) -> tensor<f32> {
  %sum = linalg.dot ins(%x, %w : tensor<8xf32>, tensor<8xf32>) outs(%init : tensor<f32>) -> tensor<f32>
  return %sum : tensor<f32>
}

// The first addition to zero rounds nothing.
// CHECK-LABEL: func.func @from_zero
// CHECK-SAME: -> (tensor<f32> {convoy.sums = {f32 = 8 : i64}})
func.func @from_zero(%x: tensor<8xf32>, %w: tensor<8xf32>) -> tensor<f32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<f32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<f32>) -> tensor<f32>
  %sum = linalg.dot ins(%x, %w : tensor<8xf32>, tensor<8xf32>) outs(%init : tensor<f32>) -> tensor<f32>
  return %sum : tensor<f32>
}

// Products of f16 are exact in f32; the result is rounded once.
// CHECK-LABEL: func.func @narrow
// CHECK-SAME: -> (tensor<f16> {convoy.sums = {f16 = 1 : i64, f32 = 7 : i64}})
func.func @narrow(%x: tensor<8xf16>, %w: tensor<8xf16>) -> tensor<f16> {
  %zero = arith.constant dense<0.0> : tensor<f32>
  %sum = linalg.generic {
      indexing_maps = [affine_map<(k) -> (k)>, affine_map<(k) -> (k)>, affine_map<(k) -> ()>],
      iterator_types = ["reduction"]}
      ins(%x, %w : tensor<8xf16>, tensor<8xf16>) outs(%zero : tensor<f32>) {
  ^bb0(%a: f16, %b: f16, %c: f32):
    %0 = arith.extf %a : f16 to f32
    %1 = arith.extf %b : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %c, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<f32>
  %element = tensor.extract %sum[] : tensor<f32>
  %rounded = arith.truncf %element : f32 to f16
  %result = tensor.from_elements %rounded : tensor<f16>
  return %result : tensor<f16>
}

// Parts of 8 products from zero, 8 roundings each; then 3 sums, from zero.
// CHECK-LABEL: func.func @split
// CHECK-SAME: -> (tensor<1xf32> {convoy.sums = {f32 = 10 : i64}})
func.func @split(%x: tensor<24xf32>, %w: tensor<24xf32>) -> tensor<1xf32> {
  %zero = arith.constant 0.0 : f32
  %zeros = arith.constant dense<0.0> : tensor<f32>
  %empty = tensor.empty() : tensor<3xf32>
  %parts = scf.forall (%i) = (0) to (24) step (8) shared_outs(%out = %empty) -> (tensor<3xf32>) {
    %n = affine.apply affine_map<(d0) -> (d0 floordiv 8)>(%i)
    %a = tensor.extract_slice %x[%i] [8] [1] : tensor<24xf32> to tensor<8xf32>
    %b = tensor.extract_slice %w[%i] [8] [1] : tensor<24xf32> to tensor<8xf32>
    %part = linalg.dot ins(%a, %b : tensor<8xf32>, tensor<8xf32>) outs(%zeros : tensor<f32>) -> tensor<f32>
    %row = tensor.expand_shape %part [] output_shape [1] : tensor<f32> into tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %row into %out[%n] [1] [1] : tensor<1xf32> into tensor<3xf32>
    }
  }
  %sum = linalg.reduce ins(%parts : tensor<3xf32>) outs(%zeros : tensor<f32>) dimensions = [0]
    (%a: f32, %c: f32) {
      %s = arith.addf %a, %c : f32
      linalg.yield %s : f32
    }
  %result = tensor.expand_shape %sum [] output_shape [1] : tensor<f32> into tensor<1xf32>
  return %result : tensor<1xf32>
}

// Steps of a loop follow each other: 6 multiply-adds in lanes, then a tree.
// CHECK-LABEL: func.func @lanes
// CHECK-SAME: -> (tensor<f32> {convoy.sums = {f32 = 9 : i64}})
func.func @lanes(%x: tensor<24xf32>, %w: tensor<24xf32>, %init: tensor<f32>) -> tensor<f32> {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c24 = arith.constant 24 : index
  %zero = arith.constant dense<0.0> : vector<4xf32>
  %padding = ub.poison : f32
  %lanes = scf.for %i = %c0 to %c24 step %c4 iter_args(%sum = %zero) -> (vector<4xf32>) {
    %a = vector.transfer_read %x[%i], %padding {in_bounds = [true]} : tensor<24xf32>, vector<4xf32>
    %b = vector.transfer_read %w[%i], %padding {in_bounds = [true]} : tensor<24xf32>, vector<4xf32>
    %next = vector.fma %a, %b, %sum : vector<4xf32>
    scf.yield %next : vector<4xf32>
  }
  %low = vector.extract_strided_slice %lanes {offsets = [0], sizes = [2], strides = [1]} : vector<4xf32> to vector<2xf32>
  %high = vector.extract_strided_slice %lanes {offsets = [2], sizes = [2], strides = [1]} : vector<4xf32> to vector<2xf32>
  %pair = arith.addf %low, %high : vector<2xf32>
  %first = vector.extract %pair[0] : f32 from vector<2xf32>
  %second = vector.extract %pair[1] : f32 from vector<2xf32>
  %both = arith.addf %first, %second : f32
  %start = tensor.extract %init[] : tensor<f32>
  %sum = arith.addf %start, %both : f32
  %result = tensor.insert %sum into %init[] : tensor<f32>
  return %result : tensor<f32>
}

// Blocks of a reduction that go on from each other: 5 of 3 products.
// CHECK-LABEL: func.func @blocks
// CHECK-SAME: -> (tensor<f32> {convoy.sums = {f32 = 16 : i64}})
func.func @blocks(%x: tensor<15xf32>, %w: tensor<15xf32>, %init: tensor<f32>) -> tensor<f32> {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %c15 = arith.constant 15 : index
  %result = scf.for %i = %c0 to %c15 step %c3 iter_args(%sum = %init) -> (tensor<f32>) {
    %a = tensor.extract_slice %x[%i] [3] [1] : tensor<15xf32> to tensor<3xf32>
    %b = tensor.extract_slice %w[%i] [3] [1] : tensor<15xf32> to tensor<3xf32>
    %next = linalg.dot ins(%a, %b : tensor<3xf32>, tensor<3xf32>) outs(%sum : tensor<f32>) -> tensor<f32>
    scf.yield %next : tensor<f32>
  }
  return %result : tensor<f32>
}

// Bounds as skipped padding leaves them: at most 6 iterations.
// CHECK-LABEL: func.func @bounded
// CHECK-SAME: -> (tensor<f32> {convoy.sums = {f32 = 6 : i64}})
func.func @bounded(%x: tensor<8xf32>, %init: tensor<f32>, %from: index, %to: index) -> tensor<f32> {
  %c1 = arith.constant 1 : index
  %low = affine.max affine_map<()[s0] -> (s0, 1)>()[%from]
  %high = affine.min affine_map<()[s0] -> (s0, 9, 7)>()[%to]
  %result = scf.for %i = %low to %high step %c1 iter_args(%sum = %init) -> (tensor<f32>) {
    %a = tensor.extract %x[%i] : tensor<8xf32>
    %b = tensor.extract %sum[] : tensor<f32>
    %c = arith.addf %a, %b : f32
    %next = tensor.insert %c into %sum[] : tensor<f32>
    scf.yield %next : tensor<f32>
  }
  return %result : tensor<f32>
}

// Steps of 16 and a rest of 5.
// CHECK-LABEL: func.func @rest
// CHECK-SAME: -> (tensor<f32> {convoy.sums = {f32 = 37 : i64}})
func.func @rest(%x: tensor<37xf32>, %w: tensor<37xf32>) -> tensor<f32> {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c37 = arith.constant 37 : index
  %zeros = arith.constant dense<0.0> : tensor<f32>
  %result = scf.for %i = %c0 to %c37 step %c16 iter_args(%sum = %zeros) -> (tensor<f32>) {
    %size = affine.min affine_map<(d0) -> (-d0 + 37, 16)>(%i)
    %a = tensor.extract_slice %x[%i] [%size] [1] : tensor<37xf32> to tensor<?xf32>
    %b = tensor.extract_slice %w[%i] [%size] [1] : tensor<37xf32> to tensor<?xf32>
    %next = linalg.dot ins(%a, %b : tensor<?xf32>, tensor<?xf32>) outs(%sum : tensor<f32>) -> tensor<f32>
    scf.yield %next : tensor<f32>
  }
  return %result : tensor<f32>
}

// CHECK-LABEL: func.func @unbounded
// CHECK-SAME: -> tensor<f32>
func.func @unbounded(%x: tensor<?xf32>, %init: tensor<f32>) -> tensor<f32> {
  %sum = linalg.dot ins(%x, %x : tensor<?xf32>, tensor<?xf32>) outs(%init : tensor<f32>) -> tensor<f32>
  return %sum : tensor<f32>
}

// Any number of iterations may move what they carry.
// CHECK-LABEL: func.func @moved
// CHECK-SAME: -> (tensor<?xf32> {convoy.sums = {}})
func.func @moved(%x: tensor<?xf32>, %init: tensor<?xf32>, %size: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %result = scf.for %i = %c0 to %size step %c1 iter_args(%to = %init) -> (tensor<?xf32>) {
    %a = tensor.extract %x[%i] : tensor<?xf32>
    %next = tensor.insert %a into %to[%i] : tensor<?xf32>
    scf.yield %next : tensor<?xf32>
  }
  return %result : tensor<?xf32>
}

// What threads could share counts once.
// CHECK-LABEL: func.func @independent
// CHECK-SAME: -> (tensor<7xf32> {convoy.sums = {f32 = 2 : i64}})
func.func @independent(%x: tensor<7xf32>, %init: tensor<7xf32>) -> tensor<7xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %result = scf.for %i = %c0 to %c7 step %c1 iter_args(%sums = %init) -> (tensor<7xf32>) {
    %a = tensor.extract %x[%i] : tensor<7xf32>
    %b = tensor.extract %sums[%i] : tensor<7xf32>
    %product = arith.mulf %a, %a : f32
    %sum = arith.addf %b, %product : f32
    %next = tensor.insert %sum into %sums[%i] : tensor<7xf32>
    scf.yield %next : tensor<7xf32>
  } {convoy.independent}
  return %result : tensor<7xf32>
}

// A part of a tensor has the sums of that part alone.
// CHECK-LABEL: func.func @parts
// CHECK-SAME: -> (tensor<5xf32> {convoy.sums = {f32 = 1 : i64}})
func.func @parts(%x: tensor<2xf32>, %y: tensor<3xf32>, %init: tensor<5xf32>) -> tensor<5xf32> {
  %first = tensor.extract_slice %init[0] [2] [1] : tensor<5xf32> to tensor<2xf32>
  %a = linalg.add ins(%x, %first : tensor<2xf32>, tensor<2xf32>) outs(%first : tensor<2xf32>) -> tensor<2xf32>
  %0 = tensor.insert_slice %a into %init[0] [2] [1] : tensor<2xf32> into tensor<5xf32>
  %second = tensor.extract_slice %0[2] [3] [1] : tensor<5xf32> to tensor<3xf32>
  %b = linalg.add ins(%y, %second : tensor<3xf32>, tensor<3xf32>) outs(%second : tensor<3xf32>) -> tensor<3xf32>
  %1 = tensor.insert_slice %b into %0[2] [3] [1] : tensor<3xf32> into tensor<5xf32>
  return %1 : tensor<5xf32>
}

// CHECK-LABEL: func.func @interleaved_parts
// CHECK-SAME: -> (tensor<5xf32> {convoy.sums = {f32 = 1 : i64}})
func.func @interleaved_parts(%x: tensor<3xf32>, %y: tensor<2xf32>, %init: tensor<5xf32>) -> tensor<5xf32> {
  %first = tensor.extract_slice %init[0] [3] [2] : tensor<5xf32> to tensor<3xf32>
  %a = linalg.add ins(%x, %first : tensor<3xf32>, tensor<3xf32>) outs(%first : tensor<3xf32>) -> tensor<3xf32>
  %0 = tensor.insert_slice %a into %init[0] [3] [2] : tensor<3xf32> into tensor<5xf32>
  %second = tensor.extract_slice %0[1] [2] [2] : tensor<5xf32> to tensor<2xf32>
  %b = linalg.add ins(%y, %second : tensor<2xf32>, tensor<2xf32>) outs(%second : tensor<2xf32>) -> tensor<2xf32>
  %1 = tensor.insert_slice %b into %0[1] [2] [2] : tensor<2xf32> into tensor<5xf32>
  return %1 : tensor<5xf32>
}

// CHECK-LABEL: func.func @overlapping_parts
// CHECK-SAME: -> (tensor<4xf32> {convoy.sums = {f32 = 2 : i64}})
func.func @overlapping_parts(%x: tensor<2xf32>, %y: tensor<3xf32>, %init: tensor<4xf32>) -> tensor<4xf32> {
  %first = tensor.extract_slice %init[0] [2] [1] : tensor<4xf32> to tensor<2xf32>
  %a = linalg.add ins(%x, %first : tensor<2xf32>, tensor<2xf32>) outs(%first : tensor<2xf32>) -> tensor<2xf32>
  %0 = tensor.insert_slice %a into %init[0] [2] [1] : tensor<2xf32> into tensor<4xf32>
  %second = tensor.extract_slice %0[1] [3] [1] : tensor<4xf32> to tensor<3xf32>
  %b = linalg.add ins(%y, %second : tensor<3xf32>, tensor<3xf32>) outs(%second : tensor<3xf32>) -> tensor<3xf32>
  %1 = tensor.insert_slice %b into %0[1] [3] [1] : tensor<3xf32> into tensor<4xf32>
  return %1 : tensor<4xf32>
}

// CHECK-LABEL: func.func @elements
// CHECK-SAME: -> (tensor<2xf32> {convoy.sums = {f32 = 1 : i64}})
func.func @elements(%x: tensor<2xf32>, %init: tensor<2xf32>) -> tensor<2xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = tensor.extract %x[%c0] : tensor<2xf32>
  %first = tensor.extract %init[%c0] : tensor<2xf32>
  %0 = arith.addf %a, %first : f32
  %1 = tensor.insert %0 into %init[%c0] : tensor<2xf32>
  %second = tensor.extract %1[%c1] : tensor<2xf32>
  %2 = arith.addf %a, %second : f32
  %3 = tensor.insert %2 into %1[%c1] : tensor<2xf32>
  return %3 : tensor<2xf32>
}

// CHECK-LABEL: func.func @same_element
// CHECK-SAME: -> (tensor<2xf32> {convoy.sums = {f32 = 2 : i64}})
func.func @same_element(%x: tensor<2xf32>, %init: tensor<2xf32>, %i: index) -> tensor<2xf32> {
  %c0 = arith.constant 0 : index
  %a = tensor.extract %x[%c0] : tensor<2xf32>
  %first = tensor.extract %init[%c0] : tensor<2xf32>
  %0 = arith.addf %a, %first : f32
  %1 = tensor.insert %0 into %init[%c0] : tensor<2xf32>
  %second = tensor.extract %1[%i] : tensor<2xf32>
  %2 = arith.addf %a, %second : f32
  %3 = tensor.insert %2 into %1[%i] : tensor<2xf32>
  return %3 : tensor<2xf32>
}

// The larger one of both branches.
// CHECK-LABEL: func.func @branches
// CHECK-SAME: -> (tensor<f32> {convoy.sums = {f32 = 3 : i64}})
func.func @branches(%x: tensor<f32>, %condition: i1) -> tensor<f32> {
  %a = tensor.extract %x[] : tensor<f32>
  %chosen = scf.if %condition -> (f32) {
    %0 = arith.addf %a, %a : f32
    %1 = arith.mulf %0, %0 : f32
    scf.yield %1 : f32
  } else {
    %0 = arith.negf %a : f32
    scf.yield %0 : f32
  }
  %result = tensor.from_elements %chosen : tensor<f32>
  return %result : tensor<f32>
}

// CHECK-LABEL: func.func @padded
// CHECK-SAME: -> (tensor<f32> {convoy.sums = {f32 = 5 : i64}})
func.func @padded(%x: tensor<3xf32>, %w: tensor<5xf32>) -> tensor<f32> {
  %zero = arith.constant 0.0 : f32
  %zeros = arith.constant dense<0.0> : tensor<f32>
  %rows = tensor.pad %x low[1] high[1] {
  ^bb0(%i: index):
    tensor.yield %zero : f32
  } : tensor<3xf32> to tensor<5xf32>
  %sum = linalg.dot ins(%rows, %w : tensor<5xf32>, tensor<5xf32>) outs(%zeros : tensor<f32>) -> tensor<f32>
  return %sum : tensor<f32>
}

// 3 taps of 4 channels, and the init.
// CHECK-LABEL: func.func @conv
// CHECK-SAME: -> (tensor<2x7x6xf16> {convoy.sums = {f16 = 1 : i64, f32 = 12 : i64}})
func.func @conv(%input: tensor<2x9x4xf16>, %filter: tensor<3x4x6xf16>, %init: tensor<2x7x6xf16>) -> tensor<2x7x6xf16> {
  %output = convoy.conv ins(%input, %filter : tensor<2x9x4xf16>, tensor<3x4x6xf16>) outs(%init : tensor<2x7x6xf16>)
      layout(nwc x wcf -> nwf) numerics(accumulator = f32)
  return %output : tensor<2x7x6xf16>
}

// No sums of products: functions, products of what a loop carries, a choice
// that depends on a sum, numbers made of integers.
// CHECK-LABEL: func.func @others
// CHECK-SAME: -> (tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<i32>)
func.func @others(%x: tensor<f32>, %number: i32) -> (tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<i32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %a = tensor.extract %x[] : tensor<f32>
  %0 = math.exp %a : f32
  %1 = scf.for %i = %c0 to %c3 step %c1 iter_args(%power = %a) -> (f32) {
    %square = arith.mulf %power, %power : f32
    scf.yield %square : f32
  }
  %isLess = arith.cmpf olt, %a, %1 : f32
  %sum = arith.addf %a, %a : f32
  %2 = arith.select %isLess, %a, %sum : f32
  %3 = arith.sitofp %number : i32 to f32
  %exp = tensor.from_elements %0 : tensor<f32>
  %squares = tensor.from_elements %1 : tensor<f32>
  %chosen = tensor.from_elements %2 : tensor<f32>
  %converted = tensor.from_elements %3 : tensor<f32>
  %integer = tensor.from_elements %number : tensor<i32>
  return %exp, %squares, %chosen, %converted, %integer : tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<i32>
}

// Types that errors have no bounds for.
// CHECK-LABEL: func.func @other_types
// CHECK-SAME: -> (tensor<f80>, tensor<f32> {convoy.sums = {f32 = 1 : i64}}, tensor<f32>)
func.func @other_types(%x: tensor<f80>, %y: tensor<f8E5M2>, %z: tensor<f32>) -> (tensor<f80>, tensor<f32>, tensor<f32>) {
  %0 = arith.addf %x, %x : tensor<f80>
  %1 = arith.extf %y : tensor<f8E5M2> to tensor<f32>
  %2 = arith.addf %1, %z : tensor<f32>
  %3 = arith.truncf %z : tensor<f32> to tensor<f8E5M2>
  %4 = arith.extf %3 : tensor<f8E5M2> to tensor<f32>
  return %0, %2, %4 : tensor<f80>, tensor<f32>, tensor<f32>
}

// In functions with destinations, that of the argument; what was measured
// before is replaced, or dropped where nothing is known.
// CHECK-LABEL: func.func @destinations
// CHECK-SAME: {layout = "", name = "y", sums = {f32 = 3 : i64}, type = tensor<f32>, written = true}
// CHECK-SAME: {layout = "", name = "z", type = tensor<f32>, written = true}
func.func @destinations(%x: tensor<2xf32>, %init: tensor<f32>, %y: memref<f32>, %z: memref<f32>)
    attributes {convoy.arguments = [
      {layout = "", name = "x", type = tensor<2xf32>, written = false},
      {layout = "", name = "init", type = tensor<f32>, written = false},
      {layout = "", name = "y", sums = {f32 = 8 : i64}, type = tensor<f32>, written = true},
      {layout = "", name = "z", sums = {f32 = 8 : i64}, type = tensor<f32>, written = true}]} {
  // Starts as a copy of the init.
  %source = bufferization.to_buffer %init read_only : tensor<f32> to memref<f32>
  memref.copy %source, %y : memref<f32> to memref<f32>
  %start = bufferization.to_tensor %y restrict writable : memref<f32> to tensor<f32>
  %sum = linalg.dot ins(%x, %x : tensor<2xf32>, tensor<2xf32>) outs(%start : tensor<f32>) -> tensor<f32>
  bufferization.materialize_in_destination %sum in writable %y : (tensor<f32>, memref<f32>) -> ()
  %exp = math.exp %sum : tensor<f32>
  bufferization.materialize_in_destination %exp in restrict writable %z : (tensor<f32>, memref<f32>) -> ()
  return
}

// Words of bf16 hold terms that were not rounded; the instruction that
// multiplies them takes subnormal numbers for zeros.
// CHECK-LABEL: func.func @words
// CHECK-SAME: {layout = "", name = "y", sums = {f32 = 4 : i64, flushes}, type = tensor<2xf32>, written = true}
func.func @words(%x: tensor<4x2xbf16>, %y: memref<2xf32>)
    attributes {convoy.arguments = [
      {layout = "", name = "x", type = tensor<4x2xbf16>, written = false},
      {layout = "", name = "y", type = tensor<2xf32>, written = true}]} {
  %c16 = arith.constant 16 : i32
  %shift = arith.constant dense<16> : vector<2xi32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %poison = ub.poison : i32
  %first = bufferization.to_tensor %y restrict writable : memref<2xf32> to tensor<2xf32>
  %zero = arith.constant 0.0 : f32
  %start = vector.transfer_read %first[%c0], %zero {in_bounds = [true]} : tensor<2xf32>, vector<2xf32>
  %empty = tensor.empty() : tensor<2x2xi32>
  %words = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i * 2, j)>, affine_map<(i, j) -> (i * 2 + 1, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x, %x : tensor<4x2xbf16>, tensor<4x2xbf16>) outs(%empty : tensor<2x2xi32>) {
  ^bb0(%low: bf16, %high: bf16, %out: i32):
    %low_bits = arith.bitcast %low : bf16 to i16
    %low_word = arith.extui %low_bits : i16 to i32
    %high_bits = arith.bitcast %high : bf16 to i16
    %high_word = arith.extui %high_bits : i16 to i32
    %shifted = arith.shli %high_word, %c16 : i32
    %word = arith.ori %low_word, %shifted : i32
    linalg.yield %word : i32
  } -> tensor<2x2xi32>
  %sums = scf.for %i = %c0 to %c2 step %c1 iter_args(%sum = %start) -> (vector<2xf32>) {
    %w = vector.transfer_read %words[%i, %c0], %poison {in_bounds = [true]} : tensor<2x2xi32>, vector<2xi32>
    %h = arith.shrui %w, %shift : vector<2xi32>
    %hb = arith.trunci %h : vector<2xi32> to vector<2xi16>
    %hf = arith.bitcast %hb : vector<2xi16> to vector<2xbf16>
    %hx = arith.extf %hf : vector<2xbf16> to vector<2xf32>
    %part = vector.fma %hx, %hx, %sum : vector<2xf32>
    %lb = arith.trunci %w : vector<2xi32> to vector<2xi16>
    %lf = arith.bitcast %lb : vector<2xi16> to vector<2xbf16>
    %lx = arith.extf %lf : vector<2xbf16> to vector<2xf32>
    %next = vector.fma %lx, %lx, %part : vector<2xf32>
    scf.yield %next : vector<2xf32>
  }
  %result = vector.transfer_write %sums, %first[%c0] {in_bounds = [true]} : vector<2xf32>, tensor<2xf32>
  bufferization.materialize_in_destination %result in restrict writable %y : (tensor<2xf32>, memref<2xf32>) -> ()
  return
}

// CHECK-LABEL: func.func private @private
// CHECK-SAME: -> tensor<2xf32>
func.func private @private(%x: tensor<2xf32>) -> tensor<2xf32> {
  return %x : tensor<2xf32>
}
// CHECK-NOT: convoy.independent

// Of a function's result nothing is known; what was counted before goes.
// CHECK-LABEL: func.func @no_more
// CHECK-SAME: -> tensor<f32> {
func.func @no_more(%x: tensor<8xf32>, %w: tensor<8xf32>, %init: tensor<f32>) -> (tensor<f32> {convoy.sums = {f32 = 1}}) {
  %sum = linalg.dot ins(%x, %w : tensor<8xf32>, tensor<8xf32>) outs(%init : tensor<f32>) -> tensor<f32>
  %result = math.exp %sum : tensor<f32>
  return %result : tensor<f32>
}
