// Elements of constants, arithmetic on whole tensors, calls and numbers.
// RUN: rm -rf %t && split-file %s %t
// RUN: not convoy-certify %t/before.mlir %t/after.mlir | FileCheck %s

//--- before.mlir

// CHECK-DAG: certified: @constant:
func.func @constant(%a: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %b = arith.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %sum = arith.addf %a, %b : tensor<2x2xf32>
  return %sum : tensor<2x2xf32>
}
// CHECK-DAG: certified: @copied_constant:
func.func @copied_constant() -> tensor<4xf32> {
  %constant = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  return %constant : tensor<4xf32>
}
// CHECK-DAG: different: @transposed_constant: element [1, 0]: the second function lacks 3
func.func @transposed_constant(%a: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %b = arith.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %sum = arith.addf %a, %b : tensor<2x2xf32>
  return %sum : tensor<2x2xf32>
}
// Elements of a constant may be equal: nothing is different that has no example.
// CHECK-DAG: undecided: @symmetric_constant: {{.*}}perhaps not in value
func.func @symmetric_constant(%a: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %b = arith.constant dense<[[1.0, 2.0], [2.0, 4.0]]> : tensor<2x2xf32>
  %sum = arith.addf %a, %b : tensor<2x2xf32>
  return %sum : tensor<2x2xf32>
}
// CHECK-DAG: certified: @function:
func.func @function(%a: tensor<3xf32>, %b: tensor<3xf32>) -> tensor<3xf32> {
  %zero = arith.constant dense<0.0> : tensor<3xf32>
  %is = arith.cmpf ogt, %a, %zero : tensor<3xf32>
  %exp = math.exp %a : tensor<3xf32>
  %chosen = arith.select %is, %exp, %b : tensor<3xi1>, tensor<3xf32>
  return %chosen : tensor<3xf32>
}
// CHECK-DAG: undecided: @other_function:
func.func @other_function(%a: tensor<3xf32>) -> tensor<3xf32> {
  %exp = math.exp %a : tensor<3xf32>
  return %exp : tensor<3xf32>
}
// CHECK-DAG: certified: @call:
func.func private @square(%x: tensor<3xf32>) -> tensor<3xf32> {
  %product = arith.mulf %x, %x : tensor<3xf32>
  return %product : tensor<3xf32>
}
func.func @call(%a: tensor<3xf32>) -> tensor<3xf32> {
  %b = func.call @square(%a) : (tensor<3xf32>) -> tensor<3xf32>
  %c = func.call @square(%b) : (tensor<3xf32>) -> tensor<3xf32>
  return %c : tensor<3xf32>
}
// CHECK-DAG: undecided: @recursive: {{.*}}func.call: a call whose effects are not known
func.func @recursive(%a: tensor<3xf32>) -> tensor<3xf32> {
  %b = func.call @recursive(%a) : (tensor<3xf32>) -> tensor<3xf32>
  return %b : tensor<3xf32>
}
// A number is as good as a tensor of one.
// CHECK-DAG: certified: @number:
func.func @number(%a: tensor<3xf32>, %alpha: f32) -> tensor<3xf32> {
  %b = tensor.splat %alpha : tensor<3xf32>
  %product = arith.mulf %a, %b : tensor<3xf32>
  return %product : tensor<3xf32>
}
// Products with one, and differences with zero.
// CHECK-DAG: certified: @neutral:
func.func @neutral(%a: tensor<4xf32>, %b: tensor<4xi8>) -> (tensor<4xf32>, tensor<4xi8>) {
  return %a, %b : tensor<4xf32>, tensor<4xi8>
}
// CHECK-DAG: {{different|undecided}}: @not_neutral:
func.func @not_neutral(%b: tensor<4xi1>) -> tensor<4xi1> {
  return %b : tensor<4xi1>
}

//--- after.mlir
func.func @copied_constant() -> tensor<4xf32> {
  %constant = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %empty = tensor.empty() : tensor<4xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %copy = scf.for %i = %c0 to %c4 step %c1 iter_args(%so_far = %empty) -> (tensor<4xf32>) {
    %element = tensor.extract_slice %constant[%i] [1] [1] : tensor<4xf32> to tensor<1xf32>
    %more = tensor.insert_slice %element into %so_far[%i] [1] [1] : tensor<1xf32> into tensor<4xf32>
    scf.yield %more : tensor<4xf32>
  }
  return %copy : tensor<4xf32>
}

#id = affine_map<(i) -> (i)>
func.func @constant(%a: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %b = "tosa.const"() {values = dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>} : () -> tensor<2x2xf32>
  %e = tensor.empty() : tensor<2x2xf32>
  %sum = linalg.add ins(%b, %a : tensor<2x2xf32>, tensor<2x2xf32>) outs(%e : tensor<2x2xf32>) -> tensor<2x2xf32>
  return %sum : tensor<2x2xf32>
}
func.func @transposed_constant(%a: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %b = arith.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %e = tensor.empty() : tensor<2x2xf32>
  %t = linalg.transpose ins(%b : tensor<2x2xf32>) outs(%e : tensor<2x2xf32>) permutation = [1, 0]
  %sum = arith.addf %a, %t : tensor<2x2xf32>
  return %sum : tensor<2x2xf32>
}
func.func @symmetric_constant(%a: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %b = arith.constant dense<[[1.0, 2.0], [2.0, 4.0]]> : tensor<2x2xf32>
  %e = tensor.empty() : tensor<2x2xf32>
  %t = linalg.transpose ins(%b : tensor<2x2xf32>) outs(%e : tensor<2x2xf32>) permutation = [1, 0]
  %sum = arith.addf %a, %t : tensor<2x2xf32>
  return %sum : tensor<2x2xf32>
}
func.func @function(%a: tensor<3xf32>, %b: tensor<3xf32>) -> tensor<3xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3xf32>
  %chosen = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
      ins(%a, %b : tensor<3xf32>, tensor<3xf32>) outs(%e : tensor<3xf32>) {
  ^bb0(%x: f32, %y: f32, %out: f32):
    %is = arith.cmpf ogt, %x, %zero : f32
    %exp = math.exp %x : f32
    %z = arith.select %is, %exp, %y : f32
    linalg.yield %z : f32
  } -> tensor<3xf32>
  return %chosen : tensor<3xf32>
}
func.func @other_function(%a: tensor<3xf32>) -> tensor<3xf32> {
  %exp = math.exp2 %a : tensor<3xf32>
  return %exp : tensor<3xf32>
}
func.func @call(%a: tensor<3xf32>) -> tensor<3xf32> {
  %unused = arith.constant 7 : index
  %b = arith.mulf %a, %a : tensor<3xf32>
  %c = arith.mulf %b, %b : tensor<3xf32>
  return %c : tensor<3xf32>
}
func.func @recursive(%a: tensor<3xf32>) -> tensor<3xf32> {
  return %a : tensor<3xf32>
}
func.func @number(%a: tensor<3xf32>, %alpha: tensor<f32>) -> tensor<3xf32> {
  %number = tensor.extract %alpha[] : tensor<f32>
  %e = tensor.empty() : tensor<3xf32>
  %product = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%a : tensor<3xf32>) outs(%e : tensor<3xf32>) {
  ^bb0(%x: f32, %out: f32):
    %y = arith.mulf %x, %number : f32
    linalg.yield %y : f32
  } -> tensor<3xf32>
  return %product : tensor<3xf32>
}
func.func @neutral(%a: tensor<4xf32>, %b: tensor<4xi8>) -> (tensor<4xf32>, tensor<4xi8>) {
  %ones = arith.constant dense<1.0> : tensor<4xf32>
  %zeros = arith.constant dense<0.0> : tensor<4xf32>
  %one = arith.constant dense<1> : tensor<4xi8>
  %product = arith.mulf %ones, %a : tensor<4xf32>
  %difference = arith.subf %product, %zeros : tensor<4xf32>
  %integers = arith.muli %b, %one : tensor<4xi8>
  return %difference, %integers : tensor<4xf32>, tensor<4xi8>
}
func.func @not_neutral(%b: tensor<4xi1>) -> tensor<4xi1> {
  %false = arith.constant dense<false> : tensor<4xi1>
  %r = arith.muli %b, %false : tensor<4xi1>
  return %r : tensor<4xi1>
}
