// Maxima and minima as a comparison and a choice, within reductions and loops.
// RUN: rm -rf %t && split-file %s %t
// RUN: not convoy-certify %t/before.mlir %t/after.mlir | FileCheck %s

//--- before.mlir
// As frameworks write the maximum of a window.
// CHECK-DAG: certified: @pool:
func.func @pool(%x: tensor<1x3x7x8xf32>) -> tensor<1x3x3x3xf32> {
  %least = arith.constant 0xFF800000 : f32
  %window = tensor.empty() : tensor<3x3xf32>
  %e = tensor.empty() : tensor<1x3x3x3xf32>
  %init = linalg.fill ins(%least : f32) outs(%e : tensor<1x3x3x3xf32>) -> tensor<1x3x3x3xf32>
  %y = linalg.pooling_nchw_max {strides = dense<2> : vector<2xi64>} ins(%x, %window : tensor<1x3x7x8xf32>, tensor<3x3xf32>) outs(%init : tensor<1x3x3x3xf32>) -> tensor<1x3x3x3xf32>
  return %y : tensor<1x3x3x3xf32>
}
// CHECK-DAG: certified: @loop:
func.func @loop(%x: tensor<8xf32>, %init: tensor<f32>) -> tensor<f32> {
  %least = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]}
      ins(%x : tensor<8xf32>) outs(%init : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %m = arith.minimumf %in, %out : f32
    linalg.yield %m : f32
  } -> tensor<f32>
  return %least : tensor<f32>
}
// Two choices in one iteration, of integers.
// CHECK-DAG: certified: @in_pairs:
func.func @in_pairs(%x: tensor<8xi8>, %init: tensor<i8>) -> tensor<i8> {
  %most = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]}
      ins(%x : tensor<8xi8>) outs(%init : tensor<i8>) {
  ^bb0(%in: i8, %out: i8):
    %m = arith.maxui %in, %out : i8
    linalg.yield %m : i8
  } -> tensor<i8>
  return %most : tensor<i8>
}
// One comparison is the other way around.
// CHECK-DAG: different: @other_choice: {{.*}}
func.func @other_choice(%x: tensor<8xf32>, %init: tensor<f32>) -> tensor<f32> {
  %most = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]}
      ins(%x : tensor<8xf32>) outs(%init : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %m = arith.maximumf %in, %out : f32
    linalg.yield %m : f32
  } -> tensor<f32>
  return %most : tensor<f32>
}
// What is compared is not what is chosen.
// CHECK-NOT: certified: @other_term:
func.func @other_term(%x: tensor<8xf32>, %init: tensor<f32>) -> tensor<f32> {
  %most = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]}
      ins(%x : tensor<8xf32>) outs(%init : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %m = arith.maximumf %in, %out : f32
    linalg.yield %m : f32
  } -> tensor<f32>
  return %most : tensor<f32>
}
// A term that may be no number is not chosen, but one that follows it is: the
// maximum would be no number.
// CHECK-NOT: certified: @of_quotients:
func.func @of_quotients(%x: tensor<8xf32>, %y: tensor<8xf32>, %init: tensor<f32>) -> tensor<f32> {
  %most = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]}
      ins(%x, %y : tensor<8xf32>, tensor<8xf32>) outs(%init : tensor<f32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %q = arith.divf %a, %b : f32
    %m = arith.maximumf %q, %out : f32
    linalg.yield %m : f32
  } -> tensor<f32>
  return %most : tensor<f32>
}
// Nor is a start: what compares with it is always false.
// CHECK-DAG: undecided: @from_no_number: {{.*}}a maximum or minimum by a choice, from what may be no number
func.func @from_no_number(%x: tensor<8xf32>) -> tensor<f32> {
  %init = arith.constant dense<0x7FC00000> : tensor<f32>
  %most = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]}
      ins(%x : tensor<8xf32>) outs(%init : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %m = arith.maximumf %in, %out : f32
    linalg.yield %m : f32
  } -> tensor<f32>
  return %most : tensor<f32>
}
//--- after.mlir
func.func @pool(%x: tensor<1x3x7x8xf32>) -> tensor<1x3x3x3xf32> {
  %least = arith.constant 0xFF800000 : f32
  %window = tensor.empty() : tensor<3x3xf32>
  %e = tensor.empty() : tensor<1x3x3x3xf32>
  %init = linalg.fill ins(%least : f32) outs(%e : tensor<1x3x3x3xf32>) -> tensor<1x3x3x3xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(n, c, h, w, kh, kw) -> (n, c, h * 2 + kh, w * 2 + kw)>, affine_map<(n, c, h, w, kh, kw) -> (kh, kw)>, affine_map<(n, c, h, w, kh, kw) -> (n, c, h, w)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %window : tensor<1x3x7x8xf32>, tensor<3x3xf32>) outs(%init : tensor<1x3x3x3xf32>) {
  ^bb0(%in: f32, %w: f32, %out: f32):
    %is_more = arith.cmpf ogt, %in, %out : f32
    %m = arith.select %is_more, %in, %out : f32
    linalg.yield %m : f32
  } -> tensor<1x3x3x3xf32>
  return %y : tensor<1x3x3x3xf32>
}
func.func @loop(%x: tensor<8xf32>, %init: tensor<f32>) -> tensor<f32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %start = tensor.extract %init[] : tensor<f32>
  %y = scf.for %i = %c0 to %c8 step %c1 iter_args(%so_far = %start) -> f32 {
    %in = tensor.extract %x[%i] : tensor<8xf32>
    %is_more = arith.cmpf ule, %in, %so_far : f32
    %m = arith.select %is_more, %in, %so_far : f32
    scf.yield %m : f32
  }
  %r = tensor.from_elements %y : tensor<f32>
  return %r : tensor<f32>
}
func.func @in_pairs(%x: tensor<8xi8>, %init: tensor<i8>) -> tensor<i8> {
  %first = tensor.extract_slice %x[0] [4] [1] : tensor<8xi8> to tensor<4xi8>
  %second = tensor.extract_slice %x[4] [4] [1] : tensor<8xi8> to tensor<4xi8>
  %most = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]}
      ins(%first, %second : tensor<4xi8>, tensor<4xi8>) outs(%init : tensor<i8>) {
  ^bb0(%a: i8, %b: i8, %out: i8):
    %is_more = arith.cmpi ugt, %out, %a : i8
    %m = arith.select %is_more, %out, %a : i8
    %is_less = arith.cmpi ult, %m, %b : i8
    %both = arith.select %is_less, %b, %m : i8
    linalg.yield %both : i8
  } -> tensor<i8>
  return %most : tensor<i8>
}
func.func @other_choice(%x: tensor<8xf32>, %init: tensor<f32>) -> tensor<f32> {
  %most = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]}
      ins(%x : tensor<8xf32>) outs(%init : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %is_more = arith.cmpf olt, %in, %out : f32
    %m = arith.select %is_more, %in, %out : f32
    linalg.yield %m : f32
  } -> tensor<f32>
  return %most : tensor<f32>
}
func.func @other_term(%x: tensor<8xf32>, %init: tensor<f32>) -> tensor<f32> {
  %most = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (7 - i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]}
      ins(%x, %x : tensor<8xf32>, tensor<8xf32>) outs(%init : tensor<f32>) {
  ^bb0(%in: f32, %other: f32, %out: f32):
    %is_more = arith.cmpf ogt, %other, %out : f32
    %m = arith.select %is_more, %in, %out : f32
    linalg.yield %m : f32
  } -> tensor<f32>
  return %most : tensor<f32>
}
func.func @of_quotients(%x: tensor<8xf32>, %y: tensor<8xf32>, %init: tensor<f32>) -> tensor<f32> {
  %most = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]}
      ins(%x, %y : tensor<8xf32>, tensor<8xf32>) outs(%init : tensor<f32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %q = arith.divf %a, %b : f32
    %is_more = arith.cmpf ogt, %q, %out : f32
    %m = arith.select %is_more, %q, %out : f32
    linalg.yield %m : f32
  } -> tensor<f32>
  return %most : tensor<f32>
}
func.func @from_no_number(%x: tensor<8xf32>) -> tensor<f32> {
  %init = arith.constant dense<0x7FC00000> : tensor<f32>
  %most = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]}
      ins(%x : tensor<8xf32>) outs(%init : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %is_more = arith.cmpf ogt, %in, %out : f32
    %m = arith.select %is_more, %in, %out : f32
    linalg.yield %m : f32
  } -> tensor<f32>
  return %most : tensor<f32>
}
