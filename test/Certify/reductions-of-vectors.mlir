// A reduction of a vector that is given nothing to begin with is that of its
// elements. What its flags promise of numbers is not known.
// RUN: rm -rf %t && split-file %s %t
// RUN: not convoy-certify %t/before.mlir %t/after.mlir | FileCheck %s

//--- before.mlir
// CHECK-DAG: certified: @sum:
func.func @sum(%x: vector<3xf32>) -> tensor<1xf32> {
  %r = vector.reduction <add>, %x : vector<3xf32> into f32
  %y = tensor.from_elements %r : tensor<1xf32>
  return %y : tensor<1xf32>
}
// CHECK-DAG: certified: @least:
func.func @least(%x: vector<3xi8>) -> tensor<1xi8> {
  %r = vector.reduction <minui>, %x : vector<3xi8> into i8
  %y = tensor.from_elements %r : tensor<1xi8>
  return %y : tensor<1xi8>
}
// CHECK-DAG: different: @most: element [0]: the second function lacks argument0[1]
func.func @most(%x: vector<3xf32>) -> tensor<1xf32> {
  %r = vector.reduction <maximumf>, %x : vector<3xf32> into f32
  %y = tensor.from_elements %r : tensor<1xf32>
  return %y : tensor<1xf32>
}
// CHECK-DAG: different: @one_more: element [0]: only the second function has argument1
func.func @one_more(%x: vector<3xf32>, %s: f32) -> tensor<1xf32> {
  %r = vector.reduction <add>, %x : vector<3xf32> into f32
  %y = tensor.from_elements %r : tensor<1xf32>
  return %y : tensor<1xf32>
}
// CHECK-DAG: undecided: @product: {{.*}}a reduction other than a sum, a maximum or a minimum
func.func @product(%x: vector<3xf32>) -> tensor<1xf32> {
  %r = vector.reduction <mul>, %x : vector<3xf32> into f32
  %y = tensor.from_elements %r : tensor<1xf32>
  return %y : tensor<1xf32>
}
// CHECK-DAG: certified: @any_order:
func.func @any_order(%x: vector<3xf32>) -> tensor<1xf32> {
  %r = vector.reduction <add>, %x : vector<3xf32> into f32
  %y = tensor.from_elements %r : tensor<1xf32>
  return %y : tensor<1xf32>
}
// CHECK-DAG: undecided: @no_infinity: {{.*}}a reduction that promises what its numbers are
func.func @no_infinity(%x: vector<3xf32>) -> tensor<1xf32> {
  %r = vector.reduction <add>, %x : vector<3xf32> into f32
  %y = tensor.from_elements %r : tensor<1xf32>
  return %y : tensor<1xf32>
}

//--- after.mlir
func.func @sum(%x: vector<3xf32>) -> tensor<1xf32> {
  %a = vector.extract %x[2] : f32 from vector<3xf32>
  %b = vector.extract %x[0] : f32 from vector<3xf32>
  %c = vector.extract %x[1] : f32 from vector<3xf32>
  %d = arith.addf %a, %b : f32
  %r = arith.addf %d, %c : f32
  %y = tensor.from_elements %r : tensor<1xf32>
  return %y : tensor<1xf32>
}
func.func @least(%x: vector<3xi8>) -> tensor<1xi8> {
  %a = vector.extract %x[2] : i8 from vector<3xi8>
  %b = vector.extract %x[0] : i8 from vector<3xi8>
  %c = vector.extract %x[1] : i8 from vector<3xi8>
  %d = arith.minui %a, %b : i8
  %r = arith.minui %d, %c : i8
  %y = tensor.from_elements %r : tensor<1xi8>
  return %y : tensor<1xi8>
}
func.func @most(%x: vector<3xf32>) -> tensor<1xf32> {
  %a = vector.extract %x[2] : f32 from vector<3xf32>
  %b = vector.extract %x[0] : f32 from vector<3xf32>
  %r = arith.maximumf %a, %b : f32
  %y = tensor.from_elements %r : tensor<1xf32>
  return %y : tensor<1xf32>
}
func.func @one_more(%x: vector<3xf32>, %s: f32) -> tensor<1xf32> {
  %r = vector.reduction <add>, %x, %s : vector<3xf32> into f32
  %y = tensor.from_elements %r : tensor<1xf32>
  return %y : tensor<1xf32>
}
func.func @product(%x: vector<3xf32>) -> tensor<1xf32> {
  %a = vector.extract %x[2] : f32 from vector<3xf32>
  %b = vector.extract %x[0] : f32 from vector<3xf32>
  %c = vector.extract %x[1] : f32 from vector<3xf32>
  %d = arith.mulf %a, %b : f32
  %r = arith.mulf %d, %c : f32
  %y = tensor.from_elements %r : tensor<1xf32>
  return %y : tensor<1xf32>
}
func.func @any_order(%x: vector<3xf32>) -> tensor<1xf32> {
  %r = vector.reduction <add>, %x fastmath<reassoc, contract> : vector<3xf32> into f32
  %y = tensor.from_elements %r : tensor<1xf32>
  return %y : tensor<1xf32>
}
func.func @no_infinity(%x: vector<3xf32>) -> tensor<1xf32> {
  %r = vector.reduction <add>, %x fastmath<ninf> : vector<3xf32> into f32
  %y = tensor.from_elements %r : tensor<1xf32>
  return %y : tensor<1xf32>
}
