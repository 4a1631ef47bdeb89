// Values tell different functions apart where constants are no whole numbers,
// or infinite: by more than rounding moves them.
// RUN: rm -rf %t && split-file %s %t
// RUN: not convoy-certify %t/before.mlir %t/after.mlir | FileCheck %s

//--- before.mlir
#map = affine_map<(d0) -> (d0)>
// CHECK-DAG: different: @slope: element [4]: the first function has 0.1{{.*}}, and has 0.2{{.*}} instead
func.func @slope(%x: tensor<5xf32>) -> tensor<5xf32> {
  %slope = arith.constant 0.1 : f32
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<5xf32>
  %0 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]}
      ins(%x : tensor<5xf32>) outs(%empty : tensor<5xf32>) {
  ^bb0(%a: f32, %b: f32):
    %isPositive = arith.cmpf ogt, %a, %zero : f32
    %less = arith.mulf %a, %slope : f32
    %y = arith.select %isPositive, %a, %less : f32
    linalg.yield %y : f32
  } -> tensor<5xf32>
  return %0 : tensor<5xf32>
}
// CHECK-DAG: undecided: @tenth: {{.*}}terms that differ as they are written, but perhaps not in value
func.func @tenth(%x: tensor<5xf32>) -> tensor<5xf32> {
  %tenth = arith.constant dense<0.1> : tensor<5xf32>
  %y = arith.mulf %x, %tenth : tensor<5xf32>
  return %y : tensor<5xf32>
}
// CHECK-DAG: undecided: @product_of_constants: {{.*}}terms that differ as they are written, but perhaps not in value
func.func @product_of_constants(%x: tensor<5xbf16>) -> tensor<5xbf16> {
  %a = arith.constant dense<0.1> : tensor<5xbf16>
  %b = arith.constant dense<0.2> : tensor<5xbf16>
  %y = arith.mulf %x, %a : tensor<5xbf16>
  %z = arith.mulf %y, %b : tensor<5xbf16>
  return %z : tensor<5xbf16>
}
// CHECK-DAG: different: @hard_sigmoid: element [4]: the first function computes 0.83{{[0-9]*}}, the second 1, where all of argument N is N + 2
func.func @hard_sigmoid(%x: tensor<5xf32>) -> tensor<5xf32> {
  %scale = arith.constant dense<0.166666672> : tensor<5xf32>
  %half = arith.constant dense<0.5> : tensor<5xf32>
  %y = arith.mulf %x, %scale : tensor<5xf32>
  %z = arith.addf %y, %half : tensor<5xf32>
  return %z : tensor<5xf32>
}
// CHECK-DAG: different: @maxima_of_padding: element {{.*}}: only the second function has 0
func.func @maxima_of_padding(%x: tensor<1x4x3x2xf32>) -> tensor<1x5x4x2xf32> {
  %lowest = arith.constant 0xFF800000 : f32
  %padded = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %lowest : f32
  } : tensor<1x4x3x2xf32> to tensor<1x6x5x2xf32>
  %empty = tensor.empty() : tensor<1x5x4x2xf32>
  %init = linalg.fill ins(%lowest : f32) outs(%empty : tensor<1x5x4x2xf32>) -> tensor<1x5x4x2xf32>
  %window = tensor.empty() : tensor<2x2xf32>
  %y = linalg.pooling_nhwc_max ins(%padded, %window : tensor<1x6x5x2xf32>, tensor<2x2xf32>)
      outs(%init : tensor<1x5x4x2xf32>) -> tensor<1x5x4x2xf32>
  return %y : tensor<1x5x4x2xf32>
}

//--- after.mlir
#map = affine_map<(d0) -> (d0)>
func.func @slope(%x: tensor<5xf32>) -> tensor<5xf32> {
  %slope = arith.constant 0.2 : f32
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<5xf32>
  %0 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]}
      ins(%x : tensor<5xf32>) outs(%empty : tensor<5xf32>) {
  ^bb0(%a: f32, %b: f32):
    %isPositive = arith.cmpf ogt, %a, %zero : f32
    %less = arith.mulf %a, %slope : f32
    %y = arith.select %isPositive, %a, %less : f32
    linalg.yield %y : f32
  } -> tensor<5xf32>
  return %0 : tensor<5xf32>
}
func.func @tenth(%x: tensor<5xf32>) -> tensor<5xf32> {
  %ten = arith.constant dense<10.0> : tensor<5xf32>
  %y = arith.divf %x, %ten : tensor<5xf32>
  return %y : tensor<5xf32>
}
func.func @product_of_constants(%x: tensor<5xbf16>) -> tensor<5xbf16> {
  %a = arith.constant dense<0.02> : tensor<5xbf16>
  %y = arith.mulf %x, %a : tensor<5xbf16>
  return %y : tensor<5xbf16>
}
func.func @hard_sigmoid(%x: tensor<5xf32>) -> tensor<5xf32> {
  %three = arith.constant dense<3.0> : tensor<5xf32>
  %five = arith.constant dense<5.0> : tensor<5xf32>
  %y = arith.addf %x, %three : tensor<5xf32>
  %z = arith.divf %y, %five : tensor<5xf32>
  return %z : tensor<5xf32>
}
func.func @maxima_of_padding(%x: tensor<1x4x3x2xf32>) -> tensor<1x5x4x2xf32> {
  %zero = arith.constant 0.0 : f32
  %lowest = arith.constant 0xFF800000 : f32
  %padded = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<1x4x3x2xf32> to tensor<1x6x5x2xf32>
  %empty = tensor.empty() : tensor<1x5x4x2xf32>
  %init = linalg.fill ins(%lowest : f32) outs(%empty : tensor<1x5x4x2xf32>) -> tensor<1x5x4x2xf32>
  %window = tensor.empty() : tensor<2x2xf32>
  %y = linalg.pooling_nhwc_max ins(%padded, %window : tensor<1x6x5x2xf32>, tensor<2x2xf32>)
      outs(%init : tensor<1x5x4x2xf32>) -> tensor<1x5x4x2xf32>
  return %y : tensor<1x5x4x2xf32>
}
