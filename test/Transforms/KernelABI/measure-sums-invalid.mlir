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

// -----

// A mark of a user's on a loop whose terms pass all iterations.
func.func @scalar_sum(%x: tensor<7xf32>, %init: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  // expected-error @below {{expected iterations to write slices of their own, but they hand on result 0 as a whole}}
  %sum = scf.for %i = %c0 to %c7 step %c1 iter_args(%before = %init) -> (f32) {
    %a = tensor.extract %x[%i] : tensor<7xf32>
    // expected-note @below {{computed here}}
    %after = arith.addf %before, %a : f32
    scf.yield %after : f32
  } {convoy.independent}
  return %sum : f32
}

// -----

// The tensors change places each time.
func.func @exchanged(%x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<2xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  // expected-error @below {{expected iterations to write slices of their own, but they hand on result 0 as a whole}}
  %r:2 = scf.for %i = %c0 to %c7 step %c1 iter_args(%a = %x, %b = %y) -> (tensor<2xf32>, tensor<2xf32>) {
    scf.yield %b, %a : tensor<2xf32>, tensor<2xf32>
  } {convoy.independent}
  return %r#0 : tensor<2xf32>
}

// -----

// The slice is the same for the outer loop, which runs over those of the inner
// one again.
func.func @same_slice(%x: f32, %init: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c7 = arith.constant 7 : index
  // expected-error @below {{expected iterations to write slices of their own, but the slices are the same for all of loop 0}}
  %r = scf.for %i = %c0 to %c7 step %c1 iter_args(%outer = %init) -> (tensor<4xf32>) {
    %row = scf.for %j = %c0 to %c4 step %c1 iter_args(%t = %outer) -> (tensor<4xf32>) {
      %before = tensor.extract %t[%j] : tensor<4xf32>
      %after = arith.addf %before, %x : f32
      // expected-note @below {{written here}}
      %next = tensor.insert %after into %t[%j] : tensor<4xf32>
      scf.yield %next : tensor<4xf32>
    } {convoy.independent}
    scf.yield %row : tensor<4xf32>
  } {convoy.independent}
  return %r : tensor<4xf32>
}

// -----

func.func @overlap(%x: tensor<3xf32>, %init: tensor<9xf32>) -> tensor<9xf32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c6 = arith.constant 6 : index
  // expected-error @below {{expected iterations to write slices of their own, but those of loop 0 are 2 apart and 3 long}}
  %r = scf.for %i = %c0 to %c6 step %c2 iter_args(%t = %init) -> (tensor<9xf32>) {
    %before = tensor.extract_slice %t[%i] [3] [1] : tensor<9xf32> to tensor<3xf32>
    %after = arith.addf %before, %x : tensor<3xf32>
    // expected-note @below {{written here}}
    %next = tensor.insert_slice %after into %t[%i] [3] [1] : tensor<3xf32> into tensor<9xf32>
    scf.yield %next : tensor<9xf32>
  } {convoy.independent}
  return %r : tensor<9xf32>
}

// -----

// Sums of all elements up to each one.
func.func @running_sum(%x: tensor<7xf32>, %init: tensor<8xf32>) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  // expected-error @below {{expected iterations to read no slices but those that they write}}
  %r = scf.for %i = %c0 to %c7 step %c1 iter_args(%t = %init) -> (tensor<8xf32>) {
    %a = tensor.extract %x[%i] : tensor<7xf32>
    // expected-note @below {{read here}}
    %before = tensor.extract %t[%i] : tensor<8xf32>
    %after = arith.addf %before, %a : f32
    %next_index = arith.addi %i, %c1 : index
    %next = tensor.insert %after into %t[%next_index] : tensor<8xf32>
    scf.yield %next : tensor<8xf32>
  } {convoy.independent}
  return %r : tensor<8xf32>
}
