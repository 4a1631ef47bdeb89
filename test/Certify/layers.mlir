// Functions of several layers are proved layer by layer: values that both
// functions compute are looked for, and stand for themselves from then on.
// RUN: rm -rf %t && split-file %s %t
// RUN: not convoy-certify %t/before.mlir %t/after.mlir | FileCheck %s

// Each pass of the way down, and the whole of it.
// RUN: convoy-opt %inputs/ten_layers.mlir --convoy-certify-each --convoy-to-llvm-pipeline -o /dev/null 2>&1 | FileCheck %s --check-prefix=NETWORK
// RUN: convoy-opt %inputs/ten_layers.mlir --convoy-raise-linalg --convoy-to-tiles-pipeline -o %t/tiles.mlir
// RUN: convoy-certify %inputs/ten_layers.mlir %t/tiles.mlir | FileCheck %s --check-prefix=TILES
// NETWORK: remark: certified @network up to convert-scf-to-cf ({{[1-9][0-9]*}} changes proved)
// NETWORK-NOT: undecided
// TILES: certified: @network: equal for all finite values

//--- before.mlir
// The same, but for names and order of loops.
// CHECK-DAG: certified: @two_layers:
func.func @two_layers(%x: tensor<9xf32>, %v: tensor<3xf32>, %w: tensor<2xf32>, %zeros: tensor<7xf32>, %init: tensor<6xf32>) -> tensor<6xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<7xf32>
  %start = linalg.fill ins(%zero : f32) outs(%empty : tensor<7xf32>) -> tensor<7xf32>
  %y = linalg.conv_1d ins(%x, %v : tensor<9xf32>, tensor<3xf32>) outs(%start : tensor<7xf32>) -> tensor<7xf32>
  %relu = arith.maximumf %y, %start : tensor<7xf32>
  %z = linalg.conv_1d ins(%relu, %w : tensor<7xf32>, tensor<2xf32>) outs(%init : tensor<6xf32>) -> tensor<6xf32>
  return %z : tensor<6xf32>
}

// The first layer reads its filter backwards.
// CHECK-DAG: different: @other_taps: {{.*}}element [{{[0-9]+}}]: the first function computes {{-?[0-9]+}}, the second {{-?[0-9]+}}, where
func.func @other_taps(%x: tensor<9xf32>, %v: tensor<3xf32>, %w: tensor<2xf32>, %init: tensor<6xf32>) -> tensor<6xf32> {
  %start = arith.constant dense<0.0> : tensor<7xf32>
  %y = linalg.conv_1d ins(%x, %v : tensor<9xf32>, tensor<3xf32>) outs(%start : tensor<7xf32>) -> tensor<7xf32>
  %z = linalg.conv_1d ins(%y, %w : tensor<7xf32>, tensor<2xf32>) outs(%init : tensor<6xf32>) -> tensor<6xf32>
  return %z : tensor<6xf32>
}

// The second layer lacks a ReLU, which counts where sums are positive.
// CHECK-DAG: different: @no_relu: element [5]: the second function lacks argument2[1] * maximumf((0 - the result of 'linalg.conv_1d'[6]), 0)
func.func @no_relu(%x: tensor<9xf32>, %v: tensor<3xf32>, %w: tensor<2xf32>, %u: tensor<3xf32>, %init: tensor<6xf32>) -> tensor<6xf32> {
  %start = arith.constant dense<0.0> : tensor<7xf32>
  %y = linalg.conv_1d ins(%x, %v : tensor<9xf32>, tensor<3xf32>) outs(%start : tensor<7xf32>) -> tensor<7xf32>
  %less = arith.subf %start, %y : tensor<7xf32>
  %relu = arith.maximumf %less, %start : tensor<7xf32>
  %z = linalg.conv_1d ins(%relu, %w : tensor<7xf32>, tensor<2xf32>) outs(%init : tensor<6xf32>) -> tensor<6xf32>
  return %z : tensor<6xf32>
}

// A ReLU behind squares changes nothing; that is not known, and no difference
// is made up.
// CHECK-DAG: undecided: @relu_of_squares: {{.*}}terms that differ as they are written, but perhaps not in value:
func.func @relu_of_squares(%x: tensor<7xf32>, %w: tensor<2xf32>, %init: tensor<6xf32>) -> tensor<6xf32> {
  %start = arith.constant dense<0.0> : tensor<7xf32>
  %square = arith.mulf %x, %x : tensor<7xf32>
  %ones = arith.constant dense<1.0> : tensor<1xf32>
  %y = linalg.conv_1d ins(%square, %ones : tensor<7xf32>, tensor<1xf32>) outs(%start : tensor<7xf32>) -> tensor<7xf32>
  %more = arith.addf %y, %square : tensor<7xf32>
  %z = linalg.conv_1d ins(%more, %w : tensor<7xf32>, tensor<2xf32>) outs(%init : tensor<6xf32>) -> tensor<6xf32>
  return %z : tensor<6xf32>
}

// The second function computes the first layer twice.
// CHECK-DAG: certified: @twice:
func.func @twice(%x: tensor<9xf32>, %v: tensor<3xf32>, %w: tensor<2xf32>, %init: tensor<6xf32>) -> (tensor<6xf32>, tensor<6xf32>) {
  %start = arith.constant dense<0.0> : tensor<7xf32>
  %y = linalg.conv_1d ins(%x, %v : tensor<9xf32>, tensor<3xf32>) outs(%start : tensor<7xf32>) -> tensor<7xf32>
  %z = linalg.conv_1d ins(%y, %w : tensor<7xf32>, tensor<2xf32>) outs(%init : tensor<6xf32>) -> tensor<6xf32>
  %less = arith.negf %y : tensor<7xf32>
  %minus = linalg.conv_1d ins(%less, %w : tensor<7xf32>, tensor<2xf32>) outs(%init : tensor<6xf32>) -> tensor<6xf32>
  return %z, %minus : tensor<6xf32>, tensor<6xf32>
}

// So does the first, here.
// CHECK-DAG: certified: @once:
func.func @once(%x: tensor<9xf32>, %v: tensor<3xf32>, %w: tensor<2xf32>, %init: tensor<6xf32>) -> (tensor<6xf32>, tensor<6xf32>) {
  %start = arith.constant dense<0.0> : tensor<7xf32>
  %y = linalg.conv_1d ins(%x, %v : tensor<9xf32>, tensor<3xf32>) outs(%start : tensor<7xf32>) -> tensor<7xf32>
  %z = linalg.conv_1d ins(%y, %w : tensor<7xf32>, tensor<2xf32>) outs(%init : tensor<6xf32>) -> tensor<6xf32>
  %again = linalg.conv_1d ins(%x, %v : tensor<9xf32>, tensor<3xf32>) outs(%start : tensor<7xf32>) -> tensor<7xf32>
  %less = arith.negf %again : tensor<7xf32>
  %minus = linalg.conv_1d ins(%less, %w : tensor<7xf32>, tensor<2xf32>) outs(%init : tensor<6xf32>) -> tensor<6xf32>
  return %z, %minus : tensor<6xf32>, tensor<6xf32>
}

// A product with zeros is no zero where a quotient has no number.
// CHECK-DAG: undecided: @quotient: {{.*}}linalg.conv_1d: a sum within a product
func.func @quotient(%x: tensor<9xf32>, %v: tensor<3xf32>, %w: tensor<2xf32>, %init: tensor<6xf32>) -> tensor<6xf32> {
  %start = arith.constant dense<0.0> : tensor<7xf32>
  %y = linalg.conv_1d ins(%x, %v : tensor<9xf32>, tensor<3xf32>) outs(%start : tensor<7xf32>) -> tensor<7xf32>
  %ones = arith.constant dense<1.0> : tensor<7xf32>
  %inverse = arith.divf %ones, %y : tensor<7xf32>
  %nothing = arith.mulf %inverse, %start : tensor<7xf32>
  %z = linalg.conv_1d ins(%nothing, %w : tensor<7xf32>, tensor<2xf32>) outs(%init : tensor<6xf32>) -> tensor<6xf32>
  return %z : tensor<6xf32>
}

// Terms with sums in them are matched one by one, in any order.
// CHECK-DAG: certified: @terms_in_order:
func.func @terms_in_order(%x: tensor<9xf32>, %v: tensor<3xf32>, %u: tensor<3xf32>, %b: tensor<7xf32>) -> tensor<7xf32> {
  %start = arith.constant dense<0.0> : tensor<7xf32>
  %y = linalg.conv_1d ins(%x, %v : tensor<9xf32>, tensor<3xf32>) outs(%start : tensor<7xf32>) -> tensor<7xf32>
  %z = linalg.conv_1d ins(%x, %u : tensor<9xf32>, tensor<3xf32>) outs(%start : tensor<7xf32>) -> tensor<7xf32>
  %p = arith.mulf %y, %b : tensor<7xf32>
  %q = arith.maximumf %z, %start : tensor<7xf32>
  %r = arith.addf %p, %q : tensor<7xf32>
  return %r : tensor<7xf32>
}

// The square of a sum is one of the same sum.
// CHECK-DAG: certified: @square_of_sum:
func.func @square_of_sum(%a: tensor<4xf32>, %b: tensor<4xf32>, %init: tensor<f32>) -> tensor<f32> {
  %zero = arith.constant dense<0.0> : tensor<f32>
  %sum = linalg.dot ins(%a, %b : tensor<4xf32>, tensor<4xf32>) outs(%zero : tensor<f32>) -> tensor<f32>
  %result = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []}
      ins(%sum : tensor<f32>) outs(%init : tensor<f32>) {
  ^bb0(%x: f32, %y: f32):
    %square = arith.mulf %x, %x : f32
    %more = arith.addf %square, %y : f32
    linalg.yield %more : f32
  } -> tensor<f32>
  return %result : tensor<f32>
}

// Zeros times what a division may have given no number are no zeros, though
// both functions have it.
// CHECK-DAG: undecided: @no_number: {{.*}}linalg.conv_1d: terms that differ as they are written, but perhaps not in value
func.func @no_number(%x: tensor<9xf32>, %v: tensor<3xf32>, %w: tensor<2xf32>, %init: tensor<6xf32>) -> tensor<6xf32> {
  %start = arith.constant dense<0.0> : tensor<7xf32>
  %ones = arith.constant dense<1.0> : tensor<9xf32>
  %inverse = arith.divf %ones, %x : tensor<9xf32>
  %y = linalg.conv_1d ins(%inverse, %v : tensor<9xf32>, tensor<3xf32>) outs(%start : tensor<7xf32>) -> tensor<7xf32>
  %nothing = arith.mulf %y, %start : tensor<7xf32>
  %z = linalg.conv_1d ins(%y, %w : tensor<7xf32>, tensor<2xf32>) outs(%init : tensor<6xf32>) -> tensor<6xf32>
  %more = linalg.conv_1d ins(%nothing, %w : tensor<7xf32>, tensor<2xf32>) outs(%z : tensor<6xf32>) -> tensor<6xf32>
  return %more : tensor<6xf32>
}

//--- after.mlir
#x = affine_map<(k, i) -> (i + k)>
#w = affine_map<(k, i) -> (k)>
#y = affine_map<(k, i) -> (i)>

func.func @two_layers(%x: tensor<9xf32>, %v: tensor<3xf32>, %w: tensor<2xf32>, %zeros: tensor<7xf32>, %init: tensor<6xf32>) -> tensor<6xf32> {
  %zero = arith.constant 0.0 : f32
  %start = arith.constant dense<0.0> : tensor<7xf32>
  %y = linalg.generic {indexing_maps = [#x, #w, #y], iterator_types = ["reduction", "parallel"]}
      ins(%x, %v : tensor<9xf32>, tensor<3xf32>) outs(%start : tensor<7xf32>) {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    %p = arith.mulf %b, %a : f32
    %s = arith.addf %p, %sum : f32
    linalg.yield %s : f32
  } -> tensor<7xf32>
  %z = linalg.generic {indexing_maps = [#x, #w, #y], iterator_types = ["reduction", "parallel"]}
      ins(%y, %w : tensor<7xf32>, tensor<2xf32>) outs(%init : tensor<6xf32>) {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    %relu = arith.maximumf %a, %zero : f32
    %p = arith.mulf %relu, %b : f32
    %s = arith.addf %sum, %p : f32
    linalg.yield %s : f32
  } -> tensor<6xf32>
  return %z : tensor<6xf32>
}

func.func @other_taps(%x: tensor<9xf32>, %v: tensor<3xf32>, %w: tensor<2xf32>, %init: tensor<6xf32>) -> tensor<6xf32> {
  %last = arith.constant 2 : index
  %start = arith.constant dense<0.0> : tensor<7xf32>
  %y = linalg.generic {indexing_maps = [#x, #w, #y], iterator_types = ["reduction", "parallel"]}
      ins(%x, %v : tensor<9xf32>, tensor<3xf32>) outs(%start : tensor<7xf32>) {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    %tap = linalg.index 0 : index
    %back = arith.subi %last, %tap : index
    %f = tensor.extract %v[%back] : tensor<3xf32>
    %p = arith.mulf %a, %f : f32
    %s = arith.addf %sum, %p : f32
    linalg.yield %s : f32
  } -> tensor<7xf32>
  %z = linalg.conv_1d ins(%y, %w : tensor<7xf32>, tensor<2xf32>) outs(%init : tensor<6xf32>) -> tensor<6xf32>
  return %z : tensor<6xf32>
}

func.func @no_relu(%x: tensor<9xf32>, %v: tensor<3xf32>, %w: tensor<2xf32>, %u: tensor<3xf32>, %init: tensor<6xf32>) -> tensor<6xf32> {
  %start = arith.constant dense<0.0> : tensor<7xf32>
  %y = linalg.conv_1d ins(%x, %v : tensor<9xf32>, tensor<3xf32>) outs(%start : tensor<7xf32>) -> tensor<7xf32>
  %less = arith.subf %start, %y : tensor<7xf32>
  %z = linalg.conv_1d ins(%less, %w : tensor<7xf32>, tensor<2xf32>) outs(%init : tensor<6xf32>) -> tensor<6xf32>
  return %z : tensor<6xf32>
}

func.func @relu_of_squares(%x: tensor<7xf32>, %w: tensor<2xf32>, %init: tensor<6xf32>) -> tensor<6xf32> {
  %start = arith.constant dense<0.0> : tensor<7xf32>
  %square = arith.mulf %x, %x : tensor<7xf32>
  %ones = arith.constant dense<1.0> : tensor<1xf32>
  %y = linalg.conv_1d ins(%square, %ones : tensor<7xf32>, tensor<1xf32>) outs(%start : tensor<7xf32>) -> tensor<7xf32>
  %more = arith.addf %y, %square : tensor<7xf32>
  %relu = arith.maximumf %more, %start : tensor<7xf32>
  %z = linalg.conv_1d ins(%relu, %w : tensor<7xf32>, tensor<2xf32>) outs(%init : tensor<6xf32>) -> tensor<6xf32>
  return %z : tensor<6xf32>
}

func.func @twice(%x: tensor<9xf32>, %v: tensor<3xf32>, %w: tensor<2xf32>, %init: tensor<6xf32>) -> (tensor<6xf32>, tensor<6xf32>) {
  %start = arith.constant dense<0.0> : tensor<7xf32>
  %y = linalg.conv_1d ins(%x, %v : tensor<9xf32>, tensor<3xf32>) outs(%start : tensor<7xf32>) -> tensor<7xf32>
  %again = linalg.conv_1d ins(%x, %v : tensor<9xf32>, tensor<3xf32>) outs(%start : tensor<7xf32>) -> tensor<7xf32>
  %less = arith.negf %again : tensor<7xf32>
  %minus = linalg.conv_1d ins(%less, %w : tensor<7xf32>, tensor<2xf32>) outs(%init : tensor<6xf32>) -> tensor<6xf32>
  %z = linalg.conv_1d ins(%y, %w : tensor<7xf32>, tensor<2xf32>) outs(%init : tensor<6xf32>) -> tensor<6xf32>
  return %z, %minus : tensor<6xf32>, tensor<6xf32>
}

func.func @once(%x: tensor<9xf32>, %v: tensor<3xf32>, %w: tensor<2xf32>, %init: tensor<6xf32>) -> (tensor<6xf32>, tensor<6xf32>) {
  %start = arith.constant dense<0.0> : tensor<7xf32>
  %y = linalg.conv_1d ins(%x, %v : tensor<9xf32>, tensor<3xf32>) outs(%start : tensor<7xf32>) -> tensor<7xf32>
  %z = linalg.conv_1d ins(%y, %w : tensor<7xf32>, tensor<2xf32>) outs(%init : tensor<6xf32>) -> tensor<6xf32>
  %less = arith.negf %y : tensor<7xf32>
  %minus = linalg.conv_1d ins(%less, %w : tensor<7xf32>, tensor<2xf32>) outs(%init : tensor<6xf32>) -> tensor<6xf32>
  return %z, %minus : tensor<6xf32>, tensor<6xf32>
}

func.func @quotient(%x: tensor<9xf32>, %v: tensor<3xf32>, %w: tensor<2xf32>, %init: tensor<6xf32>) -> tensor<6xf32> {
  return %init : tensor<6xf32>
}

func.func @terms_in_order(%x: tensor<9xf32>, %v: tensor<3xf32>, %u: tensor<3xf32>, %b: tensor<7xf32>) -> tensor<7xf32> {
  %start = arith.constant dense<0.0> : tensor<7xf32>
  %z = linalg.conv_1d ins(%x, %u : tensor<9xf32>, tensor<3xf32>) outs(%start : tensor<7xf32>) -> tensor<7xf32>
  %y = linalg.conv_1d ins(%x, %v : tensor<9xf32>, tensor<3xf32>) outs(%start : tensor<7xf32>) -> tensor<7xf32>
  %q = arith.maximumf %z, %start : tensor<7xf32>
  %p = arith.mulf %b, %y : tensor<7xf32>
  %r = arith.addf %q, %p : tensor<7xf32>
  return %r : tensor<7xf32>
}

func.func @square_of_sum(%a: tensor<4xf32>, %b: tensor<4xf32>, %init: tensor<f32>) -> tensor<f32> {
  %zero = arith.constant dense<0.0> : tensor<f32>
  %sum = linalg.dot ins(%a, %b : tensor<4xf32>, tensor<4xf32>) outs(%zero : tensor<f32>) -> tensor<f32>
  %result = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []}
      ins(%sum : tensor<f32>) outs(%init : tensor<f32>) {
  ^bb0(%x: f32, %y: f32):
    %square = arith.mulf %x, %x : f32
    %more = arith.addf %y, %square : f32
    linalg.yield %more : f32
  } -> tensor<f32>
  return %result : tensor<f32>
}

func.func @no_number(%x: tensor<9xf32>, %v: tensor<3xf32>, %w: tensor<2xf32>, %init: tensor<6xf32>) -> tensor<6xf32> {
  %start = arith.constant dense<0.0> : tensor<7xf32>
  %ones = arith.constant dense<1.0> : tensor<9xf32>
  %inverse = arith.divf %ones, %x : tensor<9xf32>
  %y = linalg.conv_1d ins(%inverse, %v : tensor<9xf32>, tensor<3xf32>) outs(%start : tensor<7xf32>) -> tensor<7xf32>
  %z = linalg.conv_1d ins(%y, %w : tensor<7xf32>, tensor<2xf32>) outs(%init : tensor<6xf32>) -> tensor<6xf32>
  return %z : tensor<6xf32>
}
