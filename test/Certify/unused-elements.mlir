// An element outside its tensor must not be read, even where no result depends
// on it.
// RUN: rm -rf %t && split-file %s %t
// RUN: not convoy-certify %t/before.mlir %t/after.mlir | FileCheck %s

//--- before.mlir
#row = affine_map<(i) -> (i)>
// The choice comes after the read.
// CHECK-DAG: undecided: @chosen: {{.*}}tensor.extract: an element that may lie outside its tensor
func.func @chosen(%x: tensor<8xf32>) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %0 = tensor.empty() : tensor<8xf32>
  %r = linalg.generic {indexing_maps = [#row], iterator_types = ["parallel"]} outs(%0 : tensor<8xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %is = arith.cmpi sgt, %i, %c0 : index
    %previous = arith.subi %i, %c1 : index
    %at = arith.maxsi %previous, %c0 : index
    %element = tensor.extract %x[%at] : tensor<8xf32>
    %v = arith.select %is, %element, %zero : f32
    linalg.yield %v : f32
  } -> tensor<8xf32>
  return %r : tensor<8xf32>
}
// CHECK-DAG: certified: @chosen_first:
func.func @chosen_first(%x: tensor<8xf32>) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %0 = tensor.empty() : tensor<8xf32>
  %r = linalg.generic {indexing_maps = [#row], iterator_types = ["parallel"]} outs(%0 : tensor<8xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %is = arith.cmpi sgt, %i, %c0 : index
    %previous = arith.subi %i, %c1 : index
    %element = tensor.extract %x[%previous] : tensor<8xf32>
    %v = arith.select %is, %element, %zero : f32
    linalg.yield %v : f32
  } -> tensor<8xf32>
  return %r : tensor<8xf32>
}
// CHECK-DAG: undecided: @unused: {{.*}}tensor.extract: an element that may lie outside its tensor
func.func @unused(%x: tensor<8xf32>) -> tensor<8xf32> {
  return %x : tensor<8xf32>
}
// CHECK-DAG: undecided: @unused_of_loop: {{.*}}tensor.extract: an element that may lie outside its tensor
func.func @unused_of_loop(%x: tensor<8xf32>, %y: tensor<?xf32>) -> tensor<8xf32> {
  return %x : tensor<8xf32>
}
// CHECK-DAG: certified: @within:
func.func @within(%x: tensor<8xf32>, %y: tensor<?xf32>) -> tensor<8xf32> {
  return %x : tensor<8xf32>
}
// 9 is no digit of 8.
// CHECK-DAG: undecided: @digits: {{.*}}affine.linearize_index: a digit that may not be one
func.func @digits(%x: tensor<64xf32>) -> tensor<4xf32> {
  %r = tensor.extract_slice %x[9] [4] [1] : tensor<64xf32> to tensor<4xf32>
  return %r : tensor<4xf32>
}
// Three times four is less than 13, which has more digits.
// CHECK-DAG: undecided: @more_digits: {{.*}}affine.delinearize_index: a number that may have more digits
// CHECK-DAG: undecided: @dynamic_digits: {{.*}}affine.delinearize_index: a number that may have more digits
func.func @more_digits(%x: tensor<64xf32>) -> tensor<4xf32> {
  %r = tensor.extract_slice %x[3] [4] [1] : tensor<64xf32> to tensor<4xf32>
  return %r : tensor<4xf32>
}
func.func @dynamic_digits(%x: tensor<64xf32>, %n: index) -> tensor<4xf32> {
  %r = tensor.extract_slice %x[3] [4] [1] : tensor<64xf32> to tensor<4xf32>
  return %r : tensor<4xf32>
}
// CHECK-DAG: certified: @all_digits:
func.func @all_digits(%x: tensor<64xf32>) -> tensor<4xf32> {
  %r = tensor.extract_slice %x[3] [4] [1] : tensor<64xf32> to tensor<4xf32>
  return %r : tensor<4xf32>
}
// A loop in few bits does not end where its index wraps around.
// CHECK-DAG: undecided: @wrapping_loop: {{.*}}scf.for: a loop whose index may wrap around
func.func @wrapping_loop(%x: tensor<8xf32>) -> tensor<8xf32> {
  %r = arith.addf %x, %x : tensor<8xf32>
  return %r : tensor<8xf32>
}
// CHECK-DAG: certified: @narrow_loop:
func.func @narrow_loop(%x: tensor<8xf32>, %n: i32) -> tensor<8xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %x) -> tensor<8xf32> : i32 {
    %next = arith.addf %sum, %x : tensor<8xf32>
    scf.yield %next : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

//--- after.mlir
#row = affine_map<(i) -> (i)>
func.func @chosen(%x: tensor<8xf32>) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %0 = tensor.empty() : tensor<8xf32>
  %r = linalg.generic {indexing_maps = [#row], iterator_types = ["parallel"]} outs(%0 : tensor<8xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %is = arith.cmpi sgt, %i, %c0 : index
    %previous = arith.subi %i, %c1 : index
    %element = tensor.extract %x[%previous] : tensor<8xf32>
    %v = arith.select %is, %element, %zero : f32
    linalg.yield %v : f32
  } -> tensor<8xf32>
  return %r : tensor<8xf32>
}
func.func @chosen_first(%x: tensor<8xf32>) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %0 = tensor.empty() : tensor<8xf32>
  %r = linalg.generic {indexing_maps = [#row], iterator_types = ["parallel"]} outs(%0 : tensor<8xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %is = arith.cmpi sgt, %i, %c0 : index
    %previous = arith.subi %i, %c1 : index
    %at = arith.maxsi %previous, %c0 : index
    %element = tensor.extract %x[%at] : tensor<8xf32>
    %v = arith.select %is, %element, %zero : f32
    linalg.yield %v : f32
  } -> tensor<8xf32>
  return %r : tensor<8xf32>
}
func.func @unused(%x: tensor<8xf32>) -> tensor<8xf32> {
  %c9 = arith.constant 9 : index
  %element = tensor.extract %x[%c9] : tensor<8xf32>
  return %x : tensor<8xf32>
}
func.func @unused_of_loop(%x: tensor<8xf32>, %y: tensor<?xf32>) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %y, %c0 : tensor<?xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%same = %x) -> tensor<8xf32> {
    %next = arith.addi %i, %c1 : index
    %element = tensor.extract %y[%next] : tensor<?xf32>
    scf.yield %same : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}
func.func @within(%x: tensor<8xf32>, %y: tensor<?xf32>) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %y, %c0 : tensor<?xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%same = %x) -> tensor<8xf32> {
    %element = tensor.extract %y[%i] : tensor<?xf32>
    scf.yield %same : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}
func.func @more_digits(%x: tensor<64xf32>) -> tensor<4xf32> {
  %number = arith.constant 13 : index
  %digits:2 = affine.delinearize_index %number into (3, 4) : index, index
  %r = tensor.extract_slice %x[3] [4] [1] : tensor<64xf32> to tensor<4xf32>
  return %r : tensor<4xf32>
}
func.func @dynamic_digits(%x: tensor<64xf32>, %n: index) -> tensor<4xf32> {
  %number = arith.constant 11 : index
  %digits:2 = affine.delinearize_index %number into (%n, 4) : index, index
  %r = tensor.extract_slice %x[3] [4] [1] : tensor<64xf32> to tensor<4xf32>
  return %r : tensor<4xf32>
}
func.func @all_digits(%x: tensor<64xf32>) -> tensor<4xf32> {
  %number = arith.constant 11 : index
  %digits:2 = affine.delinearize_index %number into (3, 4) : index, index
  %r = tensor.extract_slice %x[3] [4] [1] : tensor<64xf32> to tensor<4xf32>
  return %r : tensor<4xf32>
}
func.func @digits(%x: tensor<64xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c9 = arith.constant 9 : index
  %at = affine.linearize_index disjoint [%c0, %c9] by (8, 8) : index
  %r = tensor.extract_slice %x[%at] [4] [1] : tensor<64xf32> to tensor<4xf32>
  return %r : tensor<4xf32>
}
func.func @wrapping_loop(%x: tensor<8xf32>) -> tensor<8xf32> {
  %c0 = arith.constant 1 : i8
  %c100 = arith.constant 100 : i8
  %c127 = arith.constant 127 : i8
  %zero = arith.constant dense<0.0> : tensor<8xf32>
  %r = scf.for %i = %c0 to %c127 step %c100 iter_args(%sum = %zero) -> tensor<8xf32> : i8 {
    %next = arith.addf %sum, %x : tensor<8xf32>
    scf.yield %next : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}
func.func @narrow_loop(%x: tensor<8xf32>, %n: i32) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %end = arith.index_cast %n : i32 to index
  %r = scf.for %i = %c0 to %end step %c1 iter_args(%sum = %x) -> tensor<8xf32> {
    %next = arith.addf %sum, %x : tensor<8xf32>
    scf.yield %next : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}
