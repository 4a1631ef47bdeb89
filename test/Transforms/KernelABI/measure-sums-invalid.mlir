// RUN: convoy-opt %s --convoy-measure-sums --split-input-file --verify-diagnostics

// Sums in f16, where the function asked for those in f32.
// expected-error @below {{expected no terms of 'y' to be rounded to f16, but got 5 roundings}}
func.func @narrow_sums(%x: tensor<4xf32>, %init: tensor<f32>, %y: memref<f32>)
    attributes {convoy.arguments = [
      {layout = "", name = "x", type = tensor<4xf32>, written = false},
      {layout = "", name = "init", type = tensor<f32>, written = false},
      {layout = "", name = "y", sums = {f32 = 4 : i64}, type = tensor<f32>, written = true}]} {
  %0 = arith.truncf %x : tensor<4xf32> to tensor<4xf16>
  %1 = arith.truncf %init : tensor<f32> to tensor<f16>
  %2 = linalg.reduce ins(%0 : tensor<4xf16>) outs(%1 : tensor<f16>) dimensions = [0]
    (%a: f16, %c: f16) {
      %s = arith.addf %a, %c : f16
      linalg.yield %s : f16
    }
  %3 = arith.extf %2 : tensor<f16> to tensor<f32>
  bufferization.materialize_in_destination %3 in writable %y : (tensor<f32>, memref<f32>) -> ()
  return
}

// -----

// A type that nobody asked for.
// expected-error @below {{expected no terms of 'y' to be rounded to bf16, but got 1 roundings}}
func.func @other_type(%x: tensor<4xf32>, %y: memref<4xf32>)
    attributes {convoy.arguments = [
      {layout = "", name = "x", type = tensor<4xf32>, written = false},
      {layout = "", name = "y", sums = {f32 = 1 : i64}, type = tensor<4xf32>, written = true}]} {
  %0 = arith.truncf %x : tensor<4xf32> to tensor<4xbf16>
  %1 = arith.extf %0 : tensor<4xbf16> to tensor<4xf32>
  bufferization.materialize_in_destination %1 in writable %y : (tensor<4xf32>, memref<4xf32>) -> ()
  return
}
