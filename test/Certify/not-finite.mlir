// A product with zero is zero only where the other factor is a number: not where
// it was never written, is an infinite constant, or divides by zero.
// RUN: rm -rf %t && split-file %s %t
// RUN: not convoy-certify %t/before.mlir %t/after.mlir | FileCheck %s

//--- before.mlir
#map = affine_map<(d0) -> (d0)>
// CHECK-DAG: undecided: @undefined_times_zero: {{.*}}linalg.dot: terms that differ as they are written, but perhaps not in value
func.func @undefined_times_zero(%arg0: tensor<3xf32>, %arg1: tensor<3xf32>) -> tensor<f32> {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<5xf32>
  %inserted_slice = tensor.insert_slice %arg0 into %0[0] [3] [1] : tensor<3xf32> into tensor<5xf32>
  %padded = tensor.pad %arg1 low[0] high[2] {
  ^bb0(%arg2: index):
    tensor.yield %cst : f32
  } : tensor<3xf32> to tensor<5xf32>
  %1 = tensor.empty() : tensor<f32>
  %2 = linalg.fill ins(%cst : f32) outs(%1 : tensor<f32>) -> tensor<f32>
  %3 = linalg.dot ins(%inserted_slice, %padded : tensor<5xf32>, tensor<5xf32>) outs(%2 : tensor<f32>) -> tensor<f32>
  return %3 : tensor<f32>
}
// CHECK-DAG: undecided: @empty_minus_empty: {{.*}}terms that differ as they are written, but perhaps not in value
func.func @empty_minus_empty(%arg0: tensor<4xi32>) -> tensor<4xi32> {
  %0 = tensor.empty() : tensor<4xi32>
  %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg0 : tensor<4xi32>) outs(%0 : tensor<4xi32>) {
  ^bb0(%in: i32, %out: i32):
    %2 = arith.subi %out, %out : i32
    linalg.yield %2 : i32
  } -> tensor<4xi32>
  return %1 : tensor<4xi32>
}
// CHECK-DAG: undecided: @empty_times_zero_i: {{.*}}terms that differ as they are written, but perhaps not in value
func.func @empty_times_zero_i(%arg0: tensor<4xi32>) -> tensor<4xi32> {
  %0 = tensor.empty() : tensor<4xi32>
  %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg0 : tensor<4xi32>) outs(%0 : tensor<4xi32>) {
  ^bb0(%in: i32, %out: i32):
    %c0_i32 = arith.constant 0 : i32
    %2 = arith.muli %out, %c0_i32 : i32
    linalg.yield %2 : i32
  } -> tensor<4xi32>
  return %1 : tensor<4xi32>
}
// CHECK-DAG: undecided: @inf_times_zero: {{.*}}terms that differ as they are written, but perhaps not in value
func.func @inf_times_zero(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  %0 = tensor.empty() : tensor<4xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg0 : tensor<4xf32>) outs(%0 : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 0x7F800000 : f32
    %2 = arith.mulf %cst_0, %cst : f32
    linalg.yield %2 : f32
  } -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
// CHECK-DAG: undecided: @nan_times_zero: {{.*}}terms that differ as they are written, but perhaps not in value
func.func @nan_times_zero(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  %0 = tensor.empty() : tensor<4xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg0 : tensor<4xf32>) outs(%0 : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 0x7FC00000 : f32
    %2 = arith.mulf %cst_0, %cst : f32
    linalg.yield %2 : f32
  } -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
// CHECK-DAG: undecided: @div_zero_times_zero: {{.*}}terms that differ as they are written, but perhaps not in value
func.func @div_zero_times_zero(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  %0 = tensor.empty() : tensor<4xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg0 : tensor<4xf32>) outs(%0 : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %cst = arith.constant 0.000000e+00 : f32
    %2 = arith.divf %in, %cst : f32
    %3 = arith.mulf %2, %cst : f32
    linalg.yield %3 : f32
  } -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
// CHECK-DAG: undecided: @log_times_zero: {{.*}}terms that differ as they are written, but perhaps not in value
func.func @log_times_zero(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  %0 = tensor.empty() : tensor<4xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg0 : tensor<4xf32>) outs(%0 : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant -1.000000e+00 : f32
    %2 = math.log %cst_0 : f32
    %3 = arith.mulf %2, %cst : f32
    linalg.yield %3 : f32
  } -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
// CHECK-DAG: undecided: @rsqrt_times_zero: {{.*}}terms that differ as they are written, but perhaps not in value
func.func @rsqrt_times_zero(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  %0 = tensor.empty() : tensor<4xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg0 : tensor<4xf32>) outs(%0 : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %cst = arith.constant 0.000000e+00 : f32
    %2 = math.rsqrt %in : f32
    %3 = arith.mulf %2, %cst : f32
    linalg.yield %3 : f32
  } -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
// CHECK-DAG: undecided: @big_const_f16: {{.*}}terms that differ as they are written, but perhaps not in value
func.func @big_const_f16(%arg0: tensor<4xf16>) -> tensor<4xf16> {
  %0 = tensor.empty() : tensor<4xf16>
  %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg0 : tensor<4xf16>) outs(%0 : tensor<4xf16>) {
  ^bb0(%in: f16, %out: f16):
    %cst = arith.constant 0.000000e+00 : f16
    %cst_0 = arith.constant 1.000000e+09 : f32
    %2 = arith.truncf %cst_0 : f32 to f16
    %3 = arith.mulf %2, %cst : f16
    linalg.yield %3 : f16
  } -> tensor<4xf16>
  return %1 : tensor<4xf16>
}

//--- after.mlir
#map = affine_map<(d0) -> (d0)>
func.func @undefined_times_zero(%arg0: tensor<3xf32>, %arg1: tensor<3xf32>) -> tensor<f32> {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<f32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<f32>) -> tensor<f32>
  %2 = linalg.dot ins(%arg0, %arg1 : tensor<3xf32>, tensor<3xf32>) outs(%1 : tensor<f32>) -> tensor<f32>
  return %2 : tensor<f32>
}
func.func @empty_minus_empty(%arg0: tensor<4xi32>) -> tensor<4xi32> {
  %0 = tensor.empty() : tensor<4xi32>
  %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg0 : tensor<4xi32>) outs(%0 : tensor<4xi32>) {
  ^bb0(%in: i32, %out: i32):
    %c0_i32 = arith.constant 0 : i32
    linalg.yield %c0_i32 : i32
  } -> tensor<4xi32>
  return %1 : tensor<4xi32>
}
func.func @empty_times_zero_i(%arg0: tensor<4xi32>) -> tensor<4xi32> {
  %0 = tensor.empty() : tensor<4xi32>
  %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg0 : tensor<4xi32>) outs(%0 : tensor<4xi32>) {
  ^bb0(%in: i32, %out: i32):
    %c0_i32 = arith.constant 0 : i32
    linalg.yield %c0_i32 : i32
  } -> tensor<4xi32>
  return %1 : tensor<4xi32>
}
func.func @inf_times_zero(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  %0 = tensor.empty() : tensor<4xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg0 : tensor<4xf32>) outs(%0 : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %cst = arith.constant 0.000000e+00 : f32
    linalg.yield %cst : f32
  } -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
func.func @nan_times_zero(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  %0 = tensor.empty() : tensor<4xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg0 : tensor<4xf32>) outs(%0 : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %cst = arith.constant 0.000000e+00 : f32
    linalg.yield %cst : f32
  } -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
func.func @div_zero_times_zero(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  %0 = tensor.empty() : tensor<4xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg0 : tensor<4xf32>) outs(%0 : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %cst = arith.constant 0.000000e+00 : f32
    linalg.yield %cst : f32
  } -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
func.func @log_times_zero(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  %0 = tensor.empty() : tensor<4xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg0 : tensor<4xf32>) outs(%0 : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %cst = arith.constant 0.000000e+00 : f32
    linalg.yield %cst : f32
  } -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
func.func @rsqrt_times_zero(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  %0 = tensor.empty() : tensor<4xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg0 : tensor<4xf32>) outs(%0 : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %cst = arith.constant 0.000000e+00 : f32
    linalg.yield %cst : f32
  } -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
func.func @big_const_f16(%arg0: tensor<4xf16>) -> tensor<4xf16> {
  %0 = tensor.empty() : tensor<4xf16>
  %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg0 : tensor<4xf16>) outs(%0 : tensor<4xf16>) {
  ^bb0(%in: f16, %out: f16):
    %cst = arith.constant 0.000000e+00 : f16
    linalg.yield %cst : f16
  } -> tensor<4xf16>
  return %1 : tensor<4xf16>
}
