// Widening in steps, exact products and sums of constants have other forms, and
// the same values.
// RUN: rm -rf %t && split-file %s %t
// RUN: not convoy-certify %t/before.mlir %t/after.mlir | FileCheck %s

//--- before.mlir
#map = affine_map<(d0) -> (d0)>
// CHECK-DAG: certified: @x_plus_3: equal for all finite values
func.func @x_plus_3(%arg0: tensor<4xi32>) -> tensor<4xi32> {
  %0 = tensor.empty() : tensor<4xi32>
  %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg0 : tensor<4xi32>) outs(%0 : tensor<4xi32>) {
  ^bb0(%in: i32, %out: i32):
    %c1_i32 = arith.constant 1 : i32
    %c2_i32 = arith.constant 2 : i32
    %2 = arith.addi %in, %c1_i32 : i32
    %3 = arith.addi %2, %c2_i32 : i32
    linalg.yield %3 : i32
  } -> tensor<4xi32>
  return %1 : tensor<4xi32>
}
// CHECK-DAG: certified: @twice_i32: equal for all finite values
func.func @twice_i32(%arg0: tensor<4xi32>) -> tensor<4xi32> {
  %0 = tensor.empty() : tensor<4xi32>
  %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg0 : tensor<4xi32>) outs(%0 : tensor<4xi32>) {
  ^bb0(%in: i32, %out: i32):
    %c2_i32 = arith.constant 2 : i32
    %2 = arith.muli %in, %c2_i32 : i32
    linalg.yield %2 : i32
  } -> tensor<4xi32>
  return %1 : tensor<4xi32>
}
// CHECK-DAG: certified: @twice_f32: equal for all finite values
func.func @twice_f32(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  %0 = tensor.empty() : tensor<4xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg0 : tensor<4xf32>) outs(%0 : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %cst = arith.constant 2.000000e+00 : f32
    %2 = arith.mulf %in, %cst : f32
    linalg.yield %2 : f32
  } -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
// CHECK-DAG: certified: @twice_i1: equal for all finite values
func.func @twice_i1(%arg0: tensor<4xi1>) -> tensor<4xi1> {
  %0 = tensor.empty() : tensor<4xi1>
  %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg0 : tensor<4xi1>) outs(%0 : tensor<4xi1>) {
  ^bb0(%in: i1, %out: i1):
    %false = arith.constant false
    linalg.yield %false : i1
  } -> tensor<4xi1>
  return %1 : tensor<4xi1>
}
// CHECK-DAG: certified: @widen_steps: equal for all finite values
func.func @widen_steps(%arg0: tensor<4xi8>, %arg1: tensor<4xi8>) -> tensor<4xi32> {
  %0 = tensor.empty() : tensor<4xi32>
  %1 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} ins(%arg0, %arg1 : tensor<4xi8>, tensor<4xi8>) outs(%0 : tensor<4xi32>) {
  ^bb0(%in: i8, %in_0: i8, %out: i32):
    %2 = arith.extsi %in : i8 to i32
    %3 = arith.extsi %in_0 : i8 to i32
    %4 = arith.muli %2, %3 : i32
    linalg.yield %4 : i32
  } -> tensor<4xi32>
  return %1 : tensor<4xi32>
}
// CHECK-DAG: certified: @extui_then_extsi: equal for all finite values
func.func @extui_then_extsi(%arg0: tensor<4xi8>, %arg1: tensor<4xi8>) -> tensor<4xi32> {
  %0 = tensor.empty() : tensor<4xi32>
  %1 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} ins(%arg0, %arg1 : tensor<4xi8>, tensor<4xi8>) outs(%0 : tensor<4xi32>) {
  ^bb0(%in: i8, %in_0: i8, %out: i32):
    %2 = arith.extui %in : i8 to i32
    %3 = arith.extsi %in_0 : i8 to i32
    %4 = arith.muli %2, %3 : i32
    linalg.yield %4 : i32
  } -> tensor<4xi32>
  return %1 : tensor<4xi32>
}
// CHECK-DAG: different: @extu_vs_exts: element [3]: the first function has argument0[3], and has argument1[3] instead
func.func @extu_vs_exts(%arg0: tensor<4xi8>, %arg1: tensor<4xi8>) -> tensor<4xi32> {
  %0 = tensor.empty() : tensor<4xi32>
  %1 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} ins(%arg0, %arg1 : tensor<4xi8>, tensor<4xi8>) outs(%0 : tensor<4xi32>) {
  ^bb0(%in: i8, %in_0: i8, %out: i32):
    %2 = arith.extsi %in : i8 to i32
    %3 = arith.extsi %in_0 : i8 to i32
    %4 = arith.muli %2, %3 : i32
    linalg.yield %4 : i32
  } -> tensor<4xi32>
  return %1 : tensor<4xi32>
}
// CHECK-DAG: certified: @product_in_i16: equal for all finite values
func.func @product_in_i16(%arg0: tensor<4xi8>, %arg1: tensor<4xi8>) -> tensor<4xi32> {
  %0 = tensor.empty() : tensor<4xi32>
  %1 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} ins(%arg0, %arg1 : tensor<4xi8>, tensor<4xi8>) outs(%0 : tensor<4xi32>) {
  ^bb0(%in: i8, %in_0: i8, %out: i32):
    %2 = arith.extsi %in : i8 to i32
    %3 = arith.extsi %in_0 : i8 to i32
    %4 = arith.muli %2, %3 : i32
    linalg.yield %4 : i32
  } -> tensor<4xi32>
  return %1 : tensor<4xi32>
}
// CHECK-DAG: different: @product_in_i8
func.func @product_in_i8(%arg0: tensor<4xi8>, %arg1: tensor<4xi8>) -> tensor<4xi32> {
  %0 = tensor.empty() : tensor<4xi32>
  %1 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} ins(%arg0, %arg1 : tensor<4xi8>, tensor<4xi8>) outs(%0 : tensor<4xi32>) {
  ^bb0(%in: i8, %in_0: i8, %out: i32):
    %2 = arith.extsi %in : i8 to i32
    %3 = arith.extsi %in_0 : i8 to i32
    %4 = arith.muli %2, %3 : i32
    linalg.yield %4 : i32
  } -> tensor<4xi32>
  return %1 : tensor<4xi32>
}
// CHECK-DAG: certified: @extf_steps: equal for all finite values
func.func @extf_steps(%arg0: tensor<4xf16>, %arg1: tensor<4xf16>) -> tensor<4xf64> {
  %0 = tensor.empty() : tensor<4xf64>
  %1 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} ins(%arg0, %arg1 : tensor<4xf16>, tensor<4xf16>) outs(%0 : tensor<4xf64>) {
  ^bb0(%in: f16, %in_0: f16, %out: f64):
    %2 = arith.extf %in : f16 to f64
    %3 = arith.extf %in_0 : f16 to f64
    %4 = arith.mulf %2, %3 : f64
    linalg.yield %4 : f64
  } -> tensor<4xf64>
  return %1 : tensor<4xf64>
}
// CHECK-DAG: certified: @product_in_f32: equal for all finite values
func.func @product_in_f32(%arg0: tensor<4xf16>, %arg1: tensor<4xf16>) -> tensor<4xf64> {
  %0 = tensor.empty() : tensor<4xf64>
  %1 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} ins(%arg0, %arg1 : tensor<4xf16>, tensor<4xf16>) outs(%0 : tensor<4xf64>) {
  ^bb0(%in: f16, %in_0: f16, %out: f64):
    %2 = arith.extf %in : f16 to f64
    %3 = arith.extf %in_0 : f16 to f64
    %4 = arith.mulf %2, %3 : f64
    linalg.yield %4 : f64
  } -> tensor<4xf64>
  return %1 : tensor<4xf64>
}
// CHECK-DAG: undecided: @product_in_f16: {{.*}}terms that differ as they are written, but perhaps not in value
func.func @product_in_f16(%arg0: tensor<4xf16>, %arg1: tensor<4xf16>) -> tensor<4xf64> {
  %0 = tensor.empty() : tensor<4xf64>
  %1 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} ins(%arg0, %arg1 : tensor<4xf16>, tensor<4xf16>) outs(%0 : tensor<4xf64>) {
  ^bb0(%in: f16, %in_0: f16, %out: f64):
    %2 = arith.extf %in : f16 to f64
    %3 = arith.extf %in_0 : f16 to f64
    %4 = arith.mulf %2, %3 : f64
    linalg.yield %4 : f64
  } -> tensor<4xf64>
  return %1 : tensor<4xf64>
}

//--- after.mlir
#map = affine_map<(d0) -> (d0)>
func.func @x_plus_3(%arg0: tensor<4xi32>) -> tensor<4xi32> {
  %0 = tensor.empty() : tensor<4xi32>
  %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg0 : tensor<4xi32>) outs(%0 : tensor<4xi32>) {
  ^bb0(%in: i32, %out: i32):
    %c3_i32 = arith.constant 3 : i32
    %2 = arith.addi %in, %c3_i32 : i32
    linalg.yield %2 : i32
  } -> tensor<4xi32>
  return %1 : tensor<4xi32>
}
func.func @twice_i32(%arg0: tensor<4xi32>) -> tensor<4xi32> {
  %0 = tensor.empty() : tensor<4xi32>
  %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg0 : tensor<4xi32>) outs(%0 : tensor<4xi32>) {
  ^bb0(%in: i32, %out: i32):
    %2 = arith.addi %in, %in : i32
    linalg.yield %2 : i32
  } -> tensor<4xi32>
  return %1 : tensor<4xi32>
}
func.func @twice_f32(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  %0 = tensor.empty() : tensor<4xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg0 : tensor<4xf32>) outs(%0 : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %2 = arith.addf %in, %in : f32
    linalg.yield %2 : f32
  } -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
func.func @twice_i1(%arg0: tensor<4xi1>) -> tensor<4xi1> {
  %0 = tensor.empty() : tensor<4xi1>
  %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg0 : tensor<4xi1>) outs(%0 : tensor<4xi1>) {
  ^bb0(%in: i1, %out: i1):
    %2 = arith.addi %in, %in : i1
    linalg.yield %2 : i1
  } -> tensor<4xi1>
  return %1 : tensor<4xi1>
}
func.func @widen_steps(%arg0: tensor<4xi8>, %arg1: tensor<4xi8>) -> tensor<4xi32> {
  %0 = tensor.empty() : tensor<4xi32>
  %1 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} ins(%arg0, %arg1 : tensor<4xi8>, tensor<4xi8>) outs(%0 : tensor<4xi32>) {
  ^bb0(%in: i8, %in_0: i8, %out: i32):
    %2 = arith.extsi %in : i8 to i16
    %3 = arith.extsi %2 : i16 to i32
    %4 = arith.extsi %in_0 : i8 to i32
    %5 = arith.muli %3, %4 : i32
    linalg.yield %5 : i32
  } -> tensor<4xi32>
  return %1 : tensor<4xi32>
}
func.func @extui_then_extsi(%arg0: tensor<4xi8>, %arg1: tensor<4xi8>) -> tensor<4xi32> {
  %0 = tensor.empty() : tensor<4xi32>
  %1 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} ins(%arg0, %arg1 : tensor<4xi8>, tensor<4xi8>) outs(%0 : tensor<4xi32>) {
  ^bb0(%in: i8, %in_0: i8, %out: i32):
    %2 = arith.extui %in : i8 to i16
    %3 = arith.extsi %2 : i16 to i32
    %4 = arith.extsi %in_0 : i8 to i32
    %5 = arith.muli %3, %4 : i32
    linalg.yield %5 : i32
  } -> tensor<4xi32>
  return %1 : tensor<4xi32>
}
func.func @extu_vs_exts(%arg0: tensor<4xi8>, %arg1: tensor<4xi8>) -> tensor<4xi32> {
  %0 = tensor.empty() : tensor<4xi32>
  %1 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} ins(%arg0, %arg1 : tensor<4xi8>, tensor<4xi8>) outs(%0 : tensor<4xi32>) {
  ^bb0(%in: i8, %in_0: i8, %out: i32):
    %2 = arith.extui %in : i8 to i32
    %3 = arith.extsi %in_0 : i8 to i32
    %4 = arith.muli %2, %3 : i32
    linalg.yield %4 : i32
  } -> tensor<4xi32>
  return %1 : tensor<4xi32>
}
func.func @product_in_i16(%arg0: tensor<4xi8>, %arg1: tensor<4xi8>) -> tensor<4xi32> {
  %0 = tensor.empty() : tensor<4xi32>
  %1 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} ins(%arg0, %arg1 : tensor<4xi8>, tensor<4xi8>) outs(%0 : tensor<4xi32>) {
  ^bb0(%in: i8, %in_0: i8, %out: i32):
    %2 = arith.extsi %in : i8 to i16
    %3 = arith.extsi %in_0 : i8 to i16
    %4 = arith.muli %2, %3 : i16
    %5 = arith.extsi %4 : i16 to i32
    linalg.yield %5 : i32
  } -> tensor<4xi32>
  return %1 : tensor<4xi32>
}
func.func @product_in_i8(%arg0: tensor<4xi8>, %arg1: tensor<4xi8>) -> tensor<4xi32> {
  %0 = tensor.empty() : tensor<4xi32>
  %1 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} ins(%arg0, %arg1 : tensor<4xi8>, tensor<4xi8>) outs(%0 : tensor<4xi32>) {
  ^bb0(%in: i8, %in_0: i8, %out: i32):
    %2 = arith.muli %in, %in_0 : i8
    %3 = arith.extsi %2 : i8 to i32
    linalg.yield %3 : i32
  } -> tensor<4xi32>
  return %1 : tensor<4xi32>
}
func.func @extf_steps(%arg0: tensor<4xf16>, %arg1: tensor<4xf16>) -> tensor<4xf64> {
  %0 = tensor.empty() : tensor<4xf64>
  %1 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} ins(%arg0, %arg1 : tensor<4xf16>, tensor<4xf16>) outs(%0 : tensor<4xf64>) {
  ^bb0(%in: f16, %in_0: f16, %out: f64):
    %2 = arith.extf %in : f16 to f32
    %3 = arith.extf %2 : f32 to f64
    %4 = arith.extf %in_0 : f16 to f64
    %5 = arith.mulf %3, %4 : f64
    linalg.yield %5 : f64
  } -> tensor<4xf64>
  return %1 : tensor<4xf64>
}
func.func @product_in_f32(%arg0: tensor<4xf16>, %arg1: tensor<4xf16>) -> tensor<4xf64> {
  %0 = tensor.empty() : tensor<4xf64>
  %1 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} ins(%arg0, %arg1 : tensor<4xf16>, tensor<4xf16>) outs(%0 : tensor<4xf64>) {
  ^bb0(%in: f16, %in_0: f16, %out: f64):
    %2 = arith.extf %in : f16 to f32
    %3 = arith.extf %in_0 : f16 to f32
    %4 = arith.mulf %2, %3 : f32
    %5 = arith.extf %4 : f32 to f64
    linalg.yield %5 : f64
  } -> tensor<4xf64>
  return %1 : tensor<4xf64>
}
func.func @product_in_f16(%arg0: tensor<4xf16>, %arg1: tensor<4xf16>) -> tensor<4xf64> {
  %0 = tensor.empty() : tensor<4xf64>
  %1 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} ins(%arg0, %arg1 : tensor<4xf16>, tensor<4xf16>) outs(%0 : tensor<4xf64>) {
  ^bb0(%in: f16, %in_0: f16, %out: f64):
    %2 = arith.mulf %in, %in_0 : f16
    %3 = arith.extf %2 : f16 to f64
    linalg.yield %3 : f64
  } -> tensor<4xf64>
  return %1 : tensor<4xf64>
}
