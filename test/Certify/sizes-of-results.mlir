// Sizes of results that types do not tell are compared.
// RUN: rm -rf %t && split-file %s %t
// RUN: not convoy-certify %t/before.mlir %t/after.mlir | FileCheck %s

//--- before.mlir
#map = affine_map<()[s0] -> ((s0 - 3) floordiv 2 + 1)>
#map1 = affine_map<()[s0] -> (s0)>
#map2 = affine_map<()[s0] -> (0)>
#map3 = affine_map<()[s0] -> (s0 - 1)>
#map4 = affine_map<()[s0] -> (s0 * 2)>
// CHECK-DAG: different: @size_window: dimension 0 of a result has size 1 in the first function, and 0 in the second
func.func @size_window(%arg0: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %dim = tensor.dim %arg0, %c0 : tensor<?xf32>
  %0 = affine.apply #map()[%dim]
  %extracted_slice = tensor.extract_slice %arg0[0] [%0] [1] : tensor<?xf32> to tensor<?xf32>
  return %extracted_slice : tensor<?xf32>
}
// CHECK-DAG: different: @size_zero: dimension 0 of a result has size 2 in the first function, and 0 in the second
func.func @size_zero(%arg0: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %dim = tensor.dim %arg0, %c0 : tensor<?xf32>
  %0 = affine.apply #map1()[%dim]
  %extracted_slice = tensor.extract_slice %arg0[0] [%0] [1] : tensor<?xf32> to tensor<?xf32>
  return %extracted_slice : tensor<?xf32>
}
// CHECK-DAG: different: @size_zero_before: dimension 0 of a result has size 0 in the first function, and 2 in the second
func.func @size_zero_before(%arg0: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %dim = tensor.dim %arg0, %c0 : tensor<?xf32>
  %0 = affine.apply #map2()[%dim]
  %extracted_slice = tensor.extract_slice %arg0[0] [%0] [1] : tensor<?xf32> to tensor<?xf32>
  return %extracted_slice : tensor<?xf32>
}
// CHECK-DAG: different: @size_shift: dimension 0 of a result has size 1 in the first function, and 0 in the second
func.func @size_shift(%arg0: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %dim = tensor.dim %arg0, %c0 : tensor<?xf32>
  %0 = affine.apply #map1()[%dim]
  %extracted_slice = tensor.extract_slice %arg0[0] [%0] [1] : tensor<?xf32> to tensor<?xf32>
  return %extracted_slice : tensor<?xf32>
}
// CHECK-DAG: different: @size_scale: dimension 0 of a result has size 7 in the first function, and 3 in the second
func.func @size_scale(%arg0: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %dim = tensor.dim %arg0, %c0 : tensor<?xf32>
  %0 = affine.apply #map1()[%dim]
  %extracted_slice = tensor.extract_slice %arg0[0] [%0] [1] : tensor<?xf32> to tensor<?xf32>
  return %extracted_slice : tensor<?xf32>
}
// CHECK-DAG: different: @size_bigger_after: dimension 0 of a result has size 3 in the first function, and 6 in the second
func.func @size_bigger_after(%arg0: tensor<?xf32>) -> tensor<?xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %c0 = arith.constant 0 : index
  %dim = tensor.dim %arg0, %c0 : tensor<?xf32>
  %0 = affine.apply #map1()[%dim]
  %1 = tensor.empty(%0) : tensor<?xf32>
  %2 = linalg.fill ins(%cst : f32) outs(%1 : tensor<?xf32>) -> tensor<?xf32>
  return %2 : tensor<?xf32>
}
// CHECK-DAG: certified: @size_same: equal for all finite values
func.func @size_same(%arg0: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %dim = tensor.dim %arg0, %c0 : tensor<?xf32>
  %0 = affine.apply #map3()[%dim]
  %extracted_slice = tensor.extract_slice %arg0[0] [%0] [1] : tensor<?xf32> to tensor<?xf32>
  return %extracted_slice : tensor<?xf32>
}
// CHECK-DAG: certified: @size_fill_same: equal for all finite values
func.func @size_fill_same(%arg0: tensor<?xf32>) -> tensor<?xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %c0 = arith.constant 0 : index
  %dim = tensor.dim %arg0, %c0 : tensor<?xf32>
  %0 = affine.apply #map4()[%dim]
  %1 = tensor.empty(%0) : tensor<?xf32>
  %2 = linalg.fill ins(%cst : f32) outs(%1 : tensor<?xf32>) -> tensor<?xf32>
  return %2 : tensor<?xf32>
}

//--- after.mlir
#map = affine_map<()[s0] -> ((s0 - 3) floordiv 2)>
#map1 = affine_map<()[s0] -> (0)>
#map2 = affine_map<()[s0] -> (s0)>
#map3 = affine_map<()[s0] -> (s0 - 1)>
#map4 = affine_map<()[s0] -> (s0 floordiv 2)>
#map5 = affine_map<()[s0] -> (s0 * 2)>
func.func @size_window(%arg0: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %dim = tensor.dim %arg0, %c0 : tensor<?xf32>
  %0 = affine.apply #map()[%dim]
  %extracted_slice = tensor.extract_slice %arg0[0] [%0] [1] : tensor<?xf32> to tensor<?xf32>
  return %extracted_slice : tensor<?xf32>
}
func.func @size_zero(%arg0: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %dim = tensor.dim %arg0, %c0 : tensor<?xf32>
  %0 = affine.apply #map1()[%dim]
  %extracted_slice = tensor.extract_slice %arg0[0] [%0] [1] : tensor<?xf32> to tensor<?xf32>
  return %extracted_slice : tensor<?xf32>
}
func.func @size_zero_before(%arg0: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %dim = tensor.dim %arg0, %c0 : tensor<?xf32>
  %0 = affine.apply #map2()[%dim]
  %extracted_slice = tensor.extract_slice %arg0[0] [%0] [1] : tensor<?xf32> to tensor<?xf32>
  return %extracted_slice : tensor<?xf32>
}
func.func @size_shift(%arg0: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %dim = tensor.dim %arg0, %c0 : tensor<?xf32>
  %0 = affine.apply #map3()[%dim]
  %extracted_slice = tensor.extract_slice %arg0[0] [%0] [1] : tensor<?xf32> to tensor<?xf32>
  return %extracted_slice : tensor<?xf32>
}
func.func @size_scale(%arg0: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %dim = tensor.dim %arg0, %c0 : tensor<?xf32>
  %0 = affine.apply #map4()[%dim]
  %extracted_slice = tensor.extract_slice %arg0[0] [%0] [1] : tensor<?xf32> to tensor<?xf32>
  return %extracted_slice : tensor<?xf32>
}
func.func @size_bigger_after(%arg0: tensor<?xf32>) -> tensor<?xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %c0 = arith.constant 0 : index
  %dim = tensor.dim %arg0, %c0 : tensor<?xf32>
  %0 = affine.apply #map5()[%dim]
  %1 = tensor.empty(%0) : tensor<?xf32>
  %2 = linalg.fill ins(%cst : f32) outs(%1 : tensor<?xf32>) -> tensor<?xf32>
  return %2 : tensor<?xf32>
}
func.func @size_same(%arg0: tensor<?xf32>) -> tensor<?xf32> {
  %unused = tensor.from_elements : tensor<0xf32>
  %c0 = arith.constant 0 : index
  %dim = tensor.dim %arg0, %c0 : tensor<?xf32>
  %0 = affine.apply #map3()[%dim]
  %extracted_slice = tensor.extract_slice %arg0[0] [%0] [1] : tensor<?xf32> to tensor<?xf32>
  return %extracted_slice : tensor<?xf32>
}
func.func @size_fill_same(%arg0: tensor<?xf32>) -> tensor<?xf32> {
  %unused = tensor.from_elements : tensor<0xf32>
  %cst = arith.constant 0.000000e+00 : f32
  %c0 = arith.constant 0 : index
  %dim = tensor.dim %arg0, %c0 : tensor<?xf32>
  %0 = affine.apply #map5()[%dim]
  %1 = tensor.empty(%0) : tensor<?xf32>
  %2 = linalg.fill ins(%cst : f32) outs(%1 : tensor<?xf32>) -> tensor<?xf32>
  return %2 : tensor<?xf32>
}
