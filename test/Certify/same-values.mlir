// Ops of the same values do the same wherever scalars and vectors are computed,
// whatever the other ops do: linalg.softmax is not read.
// RUN: rm -rf %t && split-file %s %t
// RUN: not convoy-certify %t/before.mlir %t/after.mlir | FileCheck %s --implicit-check-not=certified

//--- before.mlir
// Indices that are other sums of the same terms, and what is computed once, out
// of the loop.
// CHECK-DAG: certified: @hoisted: the same ops
func.func @hoisted(%x: tensor<4x8xf32>, %o: index, %n: index) -> tensor<4x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %x) -> (tensor<4x8xf32>) {
    %o1 = arith.addi %o, %c1 : index
    %o3 = arith.muli %o1, %c3 : index
    %at = arith.addi %o3, %i : index
    %e = tensor.extract_slice %s[0, %at] [4, 2] [1, 1] : tensor<4x8xf32> to tensor<4x2xf32>
    %u = tensor.empty() : tensor<4x2xf32>
    %m = linalg.softmax dimension(1) ins(%e : tensor<4x2xf32>) outs(%u : tensor<4x2xf32>) -> tensor<4x2xf32>
    %w = tensor.insert_slice %m into %s[0, %at] [4, 2] [1, 1] : tensor<4x2xf32> into tensor<4x8xf32>
    scf.yield %w : tensor<4x8xf32>
  }
  return %r : tensor<4x8xf32>
}
// CHECK-DAG: {{different|undecided}}: @one_off:
func.func @one_off(%x: tensor<4x8xf32>, %o: index) -> tensor<4x2xf32> {
  %c1 = arith.constant 1 : index
  %at = arith.addi %o, %c1 : index
  %e = tensor.extract_slice %x[0, %at] [4, 2] [1, 1] : tensor<4x8xf32> to tensor<4x2xf32>
  %u = tensor.empty() : tensor<4x2xf32>
  %m = linalg.softmax dimension(1) ins(%e : tensor<4x2xf32>) outs(%u : tensor<4x2xf32>) -> tensor<4x2xf32>
  return %m : tensor<4x2xf32>
}
// CHECK-DAG: undecided: @swapped:
func.func @swapped(%x: tensor<4x2xf32>, %y: tensor<4x2xf32>) -> tensor<4x2xf32> {
  %u = tensor.empty() : tensor<4x2xf32>
  %m = linalg.softmax dimension(1) ins(%x : tensor<4x2xf32>) outs(%u : tensor<4x2xf32>) -> tensor<4x2xf32>
  %r = arith.subf %m, %y : tensor<4x2xf32>
  return %r : tensor<4x2xf32>
}
// A loop that perhaps never runs reads inside of its tensor; in front of it the
// same slice may lie outside.
// CHECK-DAG: {{different|undecided}}: @read_before_the_loop:
func.func @read_before_the_loop(%x: tensor<4x8xf32>, %o: index, %n: index) -> tensor<4x2xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %u = tensor.empty() : tensor<4x2xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %u) -> (tensor<4x2xf32>) {
    %e = tensor.extract_slice %x[0, %o] [4, 2] [1, 1] : tensor<4x8xf32> to tensor<4x2xf32>
    %m = linalg.softmax dimension(1) ins(%e : tensor<4x2xf32>) outs(%s : tensor<4x2xf32>) -> tensor<4x2xf32>
    scf.yield %m : tensor<4x2xf32>
  }
  return %r : tensor<4x2xf32>
}
// The divisor may be zero where the loop never runs.
// CHECK-DAG: undecided: @divided_before_the_loop:
func.func @divided_before_the_loop(%x: tensor<4x8xf32>, %o: index, %n: index) -> tensor<4x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %x) -> (tensor<4x8xf32>) {
    %q = arith.divui %o, %n : index
    %e = tensor.extract_slice %s[0, %q] [4, 2] [1, 1] : tensor<4x8xf32> to tensor<4x2xf32>
    %u = tensor.empty() : tensor<4x2xf32>
    %m = linalg.softmax dimension(1) ins(%e : tensor<4x2xf32>) outs(%u : tensor<4x2xf32>) -> tensor<4x2xf32>
    %w = tensor.insert_slice %m into %s[0, %q] [4, 2] [1, 1] : tensor<4x2xf32> into tensor<4x8xf32>
    scf.yield %w : tensor<4x8xf32>
  }
  return %r : tensor<4x8xf32>
}
// CHECK-DAG: {{different|undecided}}: @wraps_nowhere:
func.func @wraps_nowhere(%x: tensor<4x8xf32>, %o: index) -> tensor<4x2xf32> {
  %c1 = arith.constant 1 : index
  %at = arith.addi %o, %c1 : index
  %e = tensor.extract_slice %x[0, %at] [4, 2] [1, 1] : tensor<4x8xf32> to tensor<4x2xf32>
  %u = tensor.empty() : tensor<4x2xf32>
  %m = linalg.softmax dimension(1) ins(%e : tensor<4x2xf32>) outs(%u : tensor<4x2xf32>) -> tensor<4x2xf32>
  return %m : tensor<4x2xf32>
}
// What one loop leaves in another's place.
// CHECK-DAG: undecided: @other_loop:
func.func @other_loop(%x: tensor<4x2xf32>, %y: tensor<4x2xf32>, %n: index) -> (tensor<4x2xf32>, tensor<4x2xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = scf.for %i = %c0 to %n step %c1 iter_args(%s = %x) -> (tensor<4x2xf32>) {
    %u = tensor.empty() : tensor<4x2xf32>
    %m = linalg.softmax dimension(1) ins(%s : tensor<4x2xf32>) outs(%u : tensor<4x2xf32>) -> tensor<4x2xf32>
    scf.yield %m : tensor<4x2xf32>
  }
  %b = scf.for %i = %c0 to %n step %c1 iter_args(%s = %y) -> (tensor<4x2xf32>) {
    %u = tensor.empty() : tensor<4x2xf32>
    %m = linalg.softmax dimension(1) ins(%s : tensor<4x2xf32>) outs(%u : tensor<4x2xf32>) -> tensor<4x2xf32>
    scf.yield %m : tensor<4x2xf32>
  }
  return %a, %b : tensor<4x2xf32>, tensor<4x2xf32>
}
// The number of the outer loop for that of the inner one.
// CHECK-DAG: {{different|undecided}}: @outer_number:
func.func @outer_number(%x: tensor<8x8xf32>, %n: index) -> tensor<8x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = scf.for %i = %c0 to %n step %c1 iter_args(%s = %x) -> (tensor<8x8xf32>) {
    %b = scf.for %j = %c0 to %n step %c1 iter_args(%t = %s) -> (tensor<8x8xf32>) {
      %e = tensor.extract_slice %t[0, %j] [8, 2] [1, 1] : tensor<8x8xf32> to tensor<8x2xf32>
      %u = tensor.empty() : tensor<8x2xf32>
      %m = linalg.softmax dimension(1) ins(%e : tensor<8x2xf32>) outs(%u : tensor<8x2xf32>) -> tensor<8x2xf32>
      %w = tensor.insert_slice %m into %t[0, %j] [8, 2] [1, 1] : tensor<8x2xf32> into tensor<8x8xf32>
      scf.yield %w : tensor<8x8xf32>
    }
    scf.yield %b : tensor<8x8xf32>
  }
  return %a : tensor<8x8xf32>
}
// What nobody has written is one thing here, and two there.
// CHECK-DAG: undecided: @twice_unwritten:
func.func @twice_unwritten(%x: tensor<4x2xf32>) -> tensor<4x2xf32> {
  %u = tensor.empty() : tensor<4x2xf32>
  %m = linalg.softmax dimension(1) ins(%u : tensor<4x2xf32>) outs(%x : tensor<4x2xf32>) -> tensor<4x2xf32>
  %r = arith.subf %m, %m : tensor<4x2xf32>
  return %r : tensor<4x2xf32>
}
// The order of what has an effect counts.
// CHECK-DAG: different: @other_order:
func.func @other_order(%x: f32, %y: f32, %b: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  memref.store %x, %b[%c0] : memref<4xf32>
  memref.store %y, %b[%c0] : memref<4xf32>
  return
}

//--- after.mlir
func.func @hoisted(%x: tensor<4x8xf32>, %o: index, %n: index) -> tensor<4x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %o3 = arith.muli %o, %c3 : index
  %o6 = arith.addi %c3, %o3 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %x) -> (tensor<4x8xf32>) {
    %at = arith.addi %i, %o6 : index
    %e = tensor.extract_slice %s[0, %at] [4, 2] [1, 1] : tensor<4x8xf32> to tensor<4x2xf32>
    %u = tensor.empty() : tensor<4x2xf32>
    %m = linalg.softmax dimension(1) ins(%e : tensor<4x2xf32>) outs(%u : tensor<4x2xf32>) -> tensor<4x2xf32>
    %w = tensor.insert_slice %m into %s[0, %at] [4, 2] [1, 1] : tensor<4x2xf32> into tensor<4x8xf32>
    scf.yield %w : tensor<4x8xf32>
  }
  return %r : tensor<4x8xf32>
}
func.func @one_off(%x: tensor<4x8xf32>, %o: index) -> tensor<4x2xf32> {
  %c2 = arith.constant 2 : index
  %at = arith.addi %o, %c2 : index
  %e = tensor.extract_slice %x[0, %at] [4, 2] [1, 1] : tensor<4x8xf32> to tensor<4x2xf32>
  %u = tensor.empty() : tensor<4x2xf32>
  %m = linalg.softmax dimension(1) ins(%e : tensor<4x2xf32>) outs(%u : tensor<4x2xf32>) -> tensor<4x2xf32>
  return %m : tensor<4x2xf32>
}
func.func @swapped(%x: tensor<4x2xf32>, %y: tensor<4x2xf32>) -> tensor<4x2xf32> {
  %u = tensor.empty() : tensor<4x2xf32>
  %m = linalg.softmax dimension(1) ins(%x : tensor<4x2xf32>) outs(%u : tensor<4x2xf32>) -> tensor<4x2xf32>
  %r = arith.subf %y, %m : tensor<4x2xf32>
  return %r : tensor<4x2xf32>
}
func.func @read_before_the_loop(%x: tensor<4x8xf32>, %o: index, %n: index) -> tensor<4x2xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %u = tensor.empty() : tensor<4x2xf32>
  %e = tensor.extract_slice %x[0, %o] [4, 2] [1, 1] : tensor<4x8xf32> to tensor<4x2xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %u) -> (tensor<4x2xf32>) {
    %m = linalg.softmax dimension(1) ins(%e : tensor<4x2xf32>) outs(%s : tensor<4x2xf32>) -> tensor<4x2xf32>
    scf.yield %m : tensor<4x2xf32>
  }
  return %r : tensor<4x2xf32>
}
func.func @divided_before_the_loop(%x: tensor<4x8xf32>, %o: index, %n: index) -> tensor<4x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %q = arith.divui %o, %n : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %x) -> (tensor<4x8xf32>) {
    %e = tensor.extract_slice %s[0, %q] [4, 2] [1, 1] : tensor<4x8xf32> to tensor<4x2xf32>
    %u = tensor.empty() : tensor<4x2xf32>
    %m = linalg.softmax dimension(1) ins(%e : tensor<4x2xf32>) outs(%u : tensor<4x2xf32>) -> tensor<4x2xf32>
    %w = tensor.insert_slice %m into %s[0, %q] [4, 2] [1, 1] : tensor<4x2xf32> into tensor<4x8xf32>
    scf.yield %w : tensor<4x8xf32>
  }
  return %r : tensor<4x8xf32>
}
func.func @wraps_nowhere(%x: tensor<4x8xf32>, %o: index) -> tensor<4x2xf32> {
  %c1 = arith.constant 1 : index
  %at = arith.addi %o, %c1 overflow<nuw> : index
  %e = tensor.extract_slice %x[0, %at] [4, 2] [1, 1] : tensor<4x8xf32> to tensor<4x2xf32>
  %u = tensor.empty() : tensor<4x2xf32>
  %m = linalg.softmax dimension(1) ins(%e : tensor<4x2xf32>) outs(%u : tensor<4x2xf32>) -> tensor<4x2xf32>
  return %m : tensor<4x2xf32>
}
func.func @other_loop(%x: tensor<4x2xf32>, %y: tensor<4x2xf32>, %n: index) -> (tensor<4x2xf32>, tensor<4x2xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = scf.for %i = %c0 to %n step %c1 iter_args(%s = %x) -> (tensor<4x2xf32>) {
    %u = tensor.empty() : tensor<4x2xf32>
    %m = linalg.softmax dimension(1) ins(%s : tensor<4x2xf32>) outs(%u : tensor<4x2xf32>) -> tensor<4x2xf32>
    scf.yield %m : tensor<4x2xf32>
  }
  %b = scf.for %i = %c0 to %n step %c1 iter_args(%s = %y) -> (tensor<4x2xf32>) {
    %u = tensor.empty() : tensor<4x2xf32>
    %m = linalg.softmax dimension(1) ins(%s : tensor<4x2xf32>) outs(%u : tensor<4x2xf32>) -> tensor<4x2xf32>
    scf.yield %m : tensor<4x2xf32>
  }
  return %b, %a : tensor<4x2xf32>, tensor<4x2xf32>
}
func.func @outer_number(%x: tensor<8x8xf32>, %n: index) -> tensor<8x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = scf.for %i = %c0 to %n step %c1 iter_args(%s = %x) -> (tensor<8x8xf32>) {
    %b = scf.for %j = %c0 to %n step %c1 iter_args(%t = %s) -> (tensor<8x8xf32>) {
      %e = tensor.extract_slice %t[0, %i] [8, 2] [1, 1] : tensor<8x8xf32> to tensor<8x2xf32>
      %u = tensor.empty() : tensor<8x2xf32>
      %m = linalg.softmax dimension(1) ins(%e : tensor<8x2xf32>) outs(%u : tensor<8x2xf32>) -> tensor<8x2xf32>
      %w = tensor.insert_slice %m into %t[0, %i] [8, 2] [1, 1] : tensor<8x2xf32> into tensor<8x8xf32>
      scf.yield %w : tensor<8x8xf32>
    }
    scf.yield %b : tensor<8x8xf32>
  }
  return %a : tensor<8x8xf32>
}
func.func @twice_unwritten(%x: tensor<4x2xf32>) -> tensor<4x2xf32> {
  %u = tensor.empty() : tensor<4x2xf32>
  %v = tensor.empty() : tensor<4x2xf32>
  %m = linalg.softmax dimension(1) ins(%u : tensor<4x2xf32>) outs(%x : tensor<4x2xf32>) -> tensor<4x2xf32>
  %n = linalg.softmax dimension(1) ins(%v : tensor<4x2xf32>) outs(%x : tensor<4x2xf32>) -> tensor<4x2xf32>
  %r = arith.subf %m, %n : tensor<4x2xf32>
  return %r : tensor<4x2xf32>
}
func.func @other_order(%x: f32, %y: f32, %b: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  memref.store %y, %b[%c0] : memref<4xf32>
  memref.store %x, %b[%c0] : memref<4xf32>
  return
}
