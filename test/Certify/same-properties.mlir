// Ops that are not read are the same if all is the same that they say: their
// properties, too, which ops of dialects that are not known have in <{}>, as
// other tools print them in generic form.
// RUN: rm -rf %t && split-file %s %t
// RUN: not convoy-certify %t/before.mlir %t/after.mlir | FileCheck %s
// CHECK-DAG: certified: @same: the same ops
// CHECK-DAG: undecided: @other_property:
// CHECK-DAG: undecided: @other_property_of_vector:
// CHECK-DAG: undecided: @symbol:
// CHECK-DAG: undecided: @symbol_in_list:
// CHECK-DAG: undecided: @flag:
// CHECK-DAG: undecided: @inbounds:
// CHECK-DAG: undecided: @digits: {{.*}}a digit that may not be one
// CHECK-DAG: undecided: @in_parallel: {{.*}}linalg.generic: iterations in parallel that write one element

//--- before.mlir
memref.global "private" constant @table : memref<4xf32> = dense<1.0>
func.func @same(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %r = "other.scan"(%a) <{dimension = 0 : i64}> {hint} : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}
func.func @other_property(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %r = "other.scan"(%a) <{dimension = 0 : i64}> : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}
func.func @other_property_of_vector(%a: vector<4xf32>) -> vector<4xf32> {
  %r = "other.turn"(%a) <{by = "one"}> : (vector<4xf32>) -> vector<4xf32>
  return %r : vector<4xf32>
}
func.func @symbol(%a: tensor<4xf32>) -> tensor<4xf32> {
  %r = "other.look_up"(%a) <{table = @table}> : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
func.func @symbol_in_list(%a: tensor<4xf32>) -> tensor<4xf32> {
  %r = "other.look_up"(%a) <{tables = [[1 : i64, @table]]}> : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
func.func @flag(%x: i32) -> i32 {
  %y = llvm.mul %x, %x : i32
  return %y : i32
}
func.func @inbounds(%a: !llvm.ptr, %b: i64) -> !llvm.ptr {
  %r = llvm.getelementptr %a[%b] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  return %r : !llvm.ptr
}
func.func @digits(%x: tensor<16xf32>, %i: index, %j: index) -> tensor<1xf32> {
  %k = affine.linearize_index [%i, %j] by (4, 4) : index
  %r = tensor.extract_slice %x[%k][1][1] : tensor<16xf32> to tensor<1xf32>
  return %r : tensor<1xf32>
}
func.func @in_parallel(%x: tensor<3x4xf32>, %i: tensor<3xf32>) -> tensor<3xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(d, e) -> (d, e)>, affine_map<(d, e) -> (d)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<3x4xf32>) outs(%i : tensor<3xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<3xf32>
  return %r : tensor<3xf32>
}

//--- after.mlir
memref.global "private" constant @table : memref<4xf32> = dense<2.0>
func.func @same(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %r = "other.scan"(%a) <{dimension = 0 : i64}> {hint} : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}
func.func @other_property(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %r = "other.scan"(%a) <{dimension = 1 : i64}> : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}
func.func @other_property_of_vector(%a: vector<4xf32>) -> vector<4xf32> {
  %r = "other.turn"(%a) <{by = "two"}> : (vector<4xf32>) -> vector<4xf32>
  return %r : vector<4xf32>
}
func.func @symbol(%a: tensor<4xf32>) -> tensor<4xf32> {
  %r = "other.look_up"(%a) <{table = @table}> : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
func.func @symbol_in_list(%a: tensor<4xf32>) -> tensor<4xf32> {
  %r = "other.look_up"(%a) <{tables = [[1 : i64, @table]]}> : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
func.func @flag(%x: i32) -> i32 {
  %y = llvm.mul %x, %x overflow<nsw> : i32
  return %y : i32
}
func.func @inbounds(%a: !llvm.ptr, %b: i64) -> !llvm.ptr {
  %r = llvm.getelementptr inbounds %a[%b] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  return %r : !llvm.ptr
}
func.func @digits(%x: tensor<16xf32>, %i: index, %j: index) -> tensor<1xf32> {
  %k = affine.linearize_index disjoint [%i, %j] by (4, 4) : index
  %r = tensor.extract_slice %x[%k][1][1] : tensor<16xf32> to tensor<1xf32>
  return %r : tensor<1xf32>
}
func.func @in_parallel(%x: tensor<3x4xf32>, %i: tensor<3xf32>) -> tensor<3xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(d, e) -> (d, e)>, affine_map<(d, e) -> (d)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<3x4xf32>) outs(%i : tensor<3xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<3xf32>
  return %r : tensor<3xf32>
}
