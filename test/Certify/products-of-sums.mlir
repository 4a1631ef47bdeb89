// Products of sums of floating point are multiplied out where nothing else
// decides: equal in exact arithmetic, which the verdict says.
// RUN: rm -rf %t && split-file %s %t
// RUN: not convoy-certify %t/before.mlir %t/after.mlir | FileCheck %s --implicit-check-not=certified

//--- before.mlir
// CHECK-DAG: certified: @squares: equal in exact arithmetic for all finite values where nothing overflows (
func.func @squares(%a: tensor<5xf32>, %b: tensor<5xf32>) -> tensor<5xf32> {
  %aa = arith.mulf %a, %a : tensor<5xf32>
  %bb = arith.mulf %b, %b : tensor<5xf32>
  %r = arith.subf %aa, %bb : tensor<5xf32>
  return %r : tensor<5xf32>
}
// With the other sign,
// CHECK-DAG: different: @other_sign: element [{{[0-4]}}]
func.func @other_sign(%a: tensor<5xf32>, %b: tensor<5xf32>) -> tensor<5xf32> {
  %aa = arith.mulf %a, %a : tensor<5xf32>
  %bb = arith.mulf %b, %b : tensor<5xf32>
  %r = arith.subf %aa, %bb : tensor<5xf32>
  return %r : tensor<5xf32>
}
// twice,
// CHECK-DAG: different: @twice: element [{{[0-4]}}]
func.func @twice(%a: tensor<5xf32>, %b: tensor<5xf32>) -> tensor<5xf32> {
  %s = arith.addf %a, %b : tensor<5xf32>
  %aa = arith.mulf %s, %a : tensor<5xf32>
  return %aa : tensor<5xf32>
}
// and narrowed in between, which rounds in exact arithmetic, too.
// CHECK-DAG: undecided: @narrowed
func.func @narrowed(%a: tensor<5xf32>, %b: tensor<5xf32>) -> tensor<5xf32> {
  %aa = arith.mulf %a, %a : tensor<5xf32>
  %bb = arith.mulf %b, %b : tensor<5xf32>
  %r = arith.subf %aa, %bb : tensor<5xf32>
  return %r : tensor<5xf32>
}
// A third and three: 0.333333343 is what a third is rounded to.
// CHECK-DAG: certified: @thirds: equal in exact arithmetic, constants being the fractions that they round, for all finite values
func.func @thirds(%a: tensor<5xf32>, %b: tensor<5xf32>) -> tensor<5xf32> {
  %aa = arith.mulf %a, %a : tensor<5xf32>
  %ab = arith.mulf %a, %b : tensor<5xf32>
  %r = arith.addf %aa, %ab : tensor<5xf32>
  return %r : tensor<5xf32>
}
// 0.3333 is not.
// CHECK-DAG: {{different|undecided}}: @no_thirds
func.func @no_thirds(%a: tensor<5xf32>, %b: tensor<5xf32>) -> tensor<5xf32> {
  %aa = arith.mulf %a, %a : tensor<5xf32>
  %ab = arith.mulf %a, %b : tensor<5xf32>
  %r = arith.addf %aa, %ab : tensor<5xf32>
  return %r : tensor<5xf32>
}
// As they are written, 0.333333343 is a quarter and 0.083333343, which is not
// what a twelfth is rounded to.
// CHECK-DAG: certified: @as_written: equal in exact arithmetic for all finite values
func.func @as_written(%a: tensor<5xf32>, %b: tensor<5xf32>) -> tensor<5xf32> {
  %c = arith.constant dense<0x3EAAAAAB> : tensor<5xf32>
  %aa = arith.mulf %a, %a : tensor<5xf32>
  %ab = arith.mulf %a, %b : tensor<5xf32>
  %s = arith.addf %aa, %ab : tensor<5xf32>
  %r = arith.mulf %s, %c : tensor<5xf32>
  return %r : tensor<5xf32>
}
// What is no number does not cancel out.
// CHECK-DAG: undecided: @no_number
func.func @no_number(%a: tensor<5xf32>, %b: tensor<5xf32>) -> tensor<5xf32> {
  %aa = arith.mulf %a, %a : tensor<5xf32>
  %bb = arith.mulf %b, %b : tensor<5xf32>
  %r = arith.subf %aa, %bb : tensor<5xf32>
  return %r : tensor<5xf32>
}
// Other ops are made of sums that are multiplied out.
// CHECK-DAG: certified: @relu: equal in exact arithmetic
func.func @relu(%a: tensor<5xf32>, %b: tensor<5xf32>) -> tensor<5xf32> {
  %z = arith.constant dense<0.0> : tensor<5xf32>
  %aa = arith.mulf %a, %a : tensor<5xf32>
  %bb = arith.mulf %b, %b : tensor<5xf32>
  %d = arith.subf %aa, %bb : tensor<5xf32>
  %m = arith.maximumf %d, %z : tensor<5xf32>
  %r = arith.addf %m, %b : tensor<5xf32>
  return %r : tensor<5xf32>
}
// Padding is a zero of each factor of each term.
// CHECK-DAG: certified: @padded: equal in exact arithmetic
func.func @padded(%a: tensor<5xf32>, %b: tensor<7xf32>) -> tensor<7xf32> {
  %z = arith.constant 0.0 : f32
  %p = tensor.pad %a low[1] high[1] {
  ^bb0(%i: index):
    tensor.yield %z : f32
  } : tensor<5xf32> to tensor<7xf32>
  %pp = arith.mulf %p, %p : tensor<7xf32>
  %bb = arith.mulf %b, %b : tensor<7xf32>
  %r = arith.subf %pp, %bb : tensor<7xf32>
  return %r : tensor<7xf32>
}
// Not the padding of another place.
// CHECK-DAG: different: @padded_elsewhere
func.func @padded_elsewhere(%a: tensor<5xf32>, %b: tensor<7xf32>) -> tensor<7xf32> {
  %z = arith.constant 0.0 : f32
  %p = tensor.pad %a low[1] high[1] {
  ^bb0(%i: index):
    tensor.yield %z : f32
  } : tensor<5xf32> to tensor<7xf32>
  %pp = arith.mulf %p, %p : tensor<7xf32>
  %bb = arith.mulf %b, %b : tensor<7xf32>
  %r = arith.subf %pp, %bb : tensor<7xf32>
  return %r : tensor<7xf32>
}
// A product of two sums over the same axis has all pairs of their terms.
// CHECK-DAG: certified: @pairs: equal in exact arithmetic
func.func @pairs(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<f32> {
  %z = arith.constant dense<0.0> : tensor<f32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> ()>],
      iterator_types = ["reduction", "reduction"]} ins(%a, %b : tensor<4xf32>, tensor<4xf32>) outs(%z : tensor<f32>) {
  ^bb0(%x: f32, %y: f32, %s: f32):
    %p = arith.mulf %x, %y : f32
    %n = arith.addf %s, %p : f32
    linalg.yield %n : f32
  } -> tensor<f32>
  return %r : tensor<f32>
}
// Not those of one index alone.
// CHECK-DAG: different: @pairs_of_one
func.func @pairs_of_one(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<f32> {
  %z = arith.constant dense<0.0> : tensor<f32>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> ()>],
      iterator_types = ["reduction"]} ins(%a, %b : tensor<4xf32>, tensor<4xf32>) outs(%z : tensor<f32>) {
  ^bb0(%x: f32, %y: f32, %s: f32):
    %p = arith.mulf %x, %y : f32
    %n = arith.addf %s, %p : f32
    linalg.yield %n : f32
  } -> tensor<f32>
  return %r : tensor<f32>
}

//--- after.mlir
func.func @squares(%a: tensor<5xf32>, %b: tensor<5xf32>) -> tensor<5xf32> {
  %s = arith.addf %a, %b : tensor<5xf32>
  %d = arith.subf %a, %b : tensor<5xf32>
  %r = arith.mulf %d, %s : tensor<5xf32>
  return %r : tensor<5xf32>
}
func.func @other_sign(%a: tensor<5xf32>, %b: tensor<5xf32>) -> tensor<5xf32> {
  %s = arith.addf %a, %b : tensor<5xf32>
  %d = arith.subf %b, %a : tensor<5xf32>
  %r = arith.mulf %d, %s : tensor<5xf32>
  return %r : tensor<5xf32>
}
func.func @twice(%a: tensor<5xf32>, %b: tensor<5xf32>) -> tensor<5xf32> {
  %s = arith.addf %a, %b : tensor<5xf32>
  %t = arith.addf %a, %a : tensor<5xf32>
  %d = arith.subf %t, %b : tensor<5xf32>
  %r = arith.mulf %d, %s : tensor<5xf32>
  return %r : tensor<5xf32>
}
func.func @narrowed(%a: tensor<5xf32>, %b: tensor<5xf32>) -> tensor<5xf32> {
  %s = arith.addf %a, %b : tensor<5xf32>
  %n = arith.truncf %s : tensor<5xf32> to tensor<5xbf16>
  %w = arith.extf %n : tensor<5xbf16> to tensor<5xf32>
  %d = arith.subf %a, %b : tensor<5xf32>
  %r = arith.mulf %d, %w : tensor<5xf32>
  return %r : tensor<5xf32>
}
func.func @thirds(%a: tensor<5xf32>, %b: tensor<5xf32>) -> tensor<5xf32> {
  %third = arith.constant dense<0x3EAAAAAB> : tensor<5xf32>
  %three = arith.constant dense<3.0> : tensor<5xf32>
  %s = arith.addf %a, %b : tensor<5xf32>
  %t = arith.mulf %s, %third : tensor<5xf32>
  %d = arith.subf %a, %b : tensor<5xf32>
  %e = arith.addf %d, %b : tensor<5xf32>
  %m = arith.mulf %e, %three : tensor<5xf32>
  %r = arith.mulf %t, %m : tensor<5xf32>
  return %r : tensor<5xf32>
}
func.func @no_thirds(%a: tensor<5xf32>, %b: tensor<5xf32>) -> tensor<5xf32> {
  %third = arith.constant dense<0.3333> : tensor<5xf32>
  %three = arith.constant dense<3.0> : tensor<5xf32>
  %s = arith.addf %a, %b : tensor<5xf32>
  %t = arith.mulf %s, %third : tensor<5xf32>
  %d = arith.subf %a, %b : tensor<5xf32>
  %e = arith.addf %d, %b : tensor<5xf32>
  %m = arith.mulf %e, %three : tensor<5xf32>
  %r = arith.mulf %t, %m : tensor<5xf32>
  return %r : tensor<5xf32>
}
func.func @as_written(%a: tensor<5xf32>, %b: tensor<5xf32>) -> tensor<5xf32> {
  %quarter = arith.constant dense<0.25> : tensor<5xf32>
  %rest = arith.constant dense<0x3DAAAAAC> : tensor<5xf32>
  %s = arith.addf %a, %b : tensor<5xf32>
  %d = arith.subf %a, %b : tensor<5xf32>
  %e = arith.addf %d, %b : tensor<5xf32>
  %p = arith.mulf %s, %e : tensor<5xf32>
  %t = arith.mulf %p, %quarter : tensor<5xf32>
  %u = arith.mulf %p, %rest : tensor<5xf32>
  %r = arith.addf %t, %u : tensor<5xf32>
  return %r : tensor<5xf32>
}
func.func @no_number(%a: tensor<5xf32>, %b: tensor<5xf32>) -> tensor<5xf32> {
  %l = math.log %a : tensor<5xf32>
  %s = arith.addf %a, %b : tensor<5xf32>
  %d = arith.subf %a, %b : tensor<5xf32>
  %p = arith.mulf %d, %s : tensor<5xf32>
  %q = arith.addf %p, %l : tensor<5xf32>
  %r = arith.subf %q, %l : tensor<5xf32>
  return %r : tensor<5xf32>
}
func.func @relu(%a: tensor<5xf32>, %b: tensor<5xf32>) -> tensor<5xf32> {
  %z = arith.constant dense<0.0> : tensor<5xf32>
  %s = arith.addf %a, %b : tensor<5xf32>
  %d = arith.subf %a, %b : tensor<5xf32>
  %p = arith.mulf %d, %s : tensor<5xf32>
  %m = arith.maximumf %p, %z : tensor<5xf32>
  %r = arith.addf %m, %b : tensor<5xf32>
  return %r : tensor<5xf32>
}
func.func @padded(%a: tensor<5xf32>, %b: tensor<7xf32>) -> tensor<7xf32> {
  %z = arith.constant 0.0 : f32
  %p = tensor.pad %a low[1] high[1] {
  ^bb0(%i: index):
    tensor.yield %z : f32
  } : tensor<5xf32> to tensor<7xf32>
  %s = arith.addf %p, %b : tensor<7xf32>
  %d = arith.subf %p, %b : tensor<7xf32>
  %r = arith.mulf %d, %s : tensor<7xf32>
  return %r : tensor<7xf32>
}
func.func @padded_elsewhere(%a: tensor<5xf32>, %b: tensor<7xf32>) -> tensor<7xf32> {
  %z = arith.constant 0.0 : f32
  %p = tensor.pad %a low[1] high[1] {
  ^bb0(%i: index):
    tensor.yield %z : f32
  } : tensor<5xf32> to tensor<7xf32>
  %q = tensor.pad %a low[2] high[0] {
  ^bb0(%i: index):
    tensor.yield %z : f32
  } : tensor<5xf32> to tensor<7xf32>
  %s = arith.addf %p, %b : tensor<7xf32>
  %d = arith.subf %q, %b : tensor<7xf32>
  %r = arith.mulf %d, %s : tensor<7xf32>
  return %r : tensor<7xf32>
}
func.func @pairs(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<f32> {
  %z = arith.constant dense<0.0> : tensor<f32>
  %x = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]}
      ins(%a : tensor<4xf32>) outs(%z : tensor<f32>) {
  ^bb0(%v: f32, %s: f32):
    %n = arith.addf %s, %v : f32
    linalg.yield %n : f32
  } -> tensor<f32>
  %y = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]}
      ins(%b : tensor<4xf32>) outs(%z : tensor<f32>) {
  ^bb0(%v: f32, %s: f32):
    %n = arith.addf %s, %v : f32
    linalg.yield %n : f32
  } -> tensor<f32>
  %r = arith.mulf %x, %y : tensor<f32>
  return %r : tensor<f32>
}
func.func @pairs_of_one(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<f32> {
  %z = arith.constant dense<0.0> : tensor<f32>
  %x = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]}
      ins(%a : tensor<4xf32>) outs(%z : tensor<f32>) {
  ^bb0(%v: f32, %s: f32):
    %n = arith.addf %s, %v : f32
    linalg.yield %n : f32
  } -> tensor<f32>
  %y = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]}
      ins(%b : tensor<4xf32>) outs(%z : tensor<f32>) {
  ^bb0(%v: f32, %s: f32):
    %n = arith.addf %s, %v : f32
    linalg.yield %n : f32
  } -> tensor<f32>
  %r = arith.mulf %x, %y : tensor<f32>
  return %r : tensor<f32>
}
