// Vectors of the last dimension of buffers, and lanes with computed numbers.
// RUN: rm -rf %t && split-file %s %t
// RUN: not convoy-certify %t/before.mlir %t/after.mlir | FileCheck %s
// CHECK-DAG: certified: @vectors:
// CHECK-DAG: undecided: @vectors_outside: {{.*}}vector.transfer_read: dimension 1 of a tensor may be accessed outside, as at index 5 where its size is 5
// CHECK-DAG: different: @vectors_shifted: element [3, 3]: the first function has argument0[3, 3], and has argument0[3, 4] instead
// CHECK-DAG: undecided: @vectors_past_row: {{.*}}vector.transfer_read: dimension 1 of a tensor may be accessed outside, as at index 5 where its size is 5
// CHECK-DAG: certified: @vectors_of_part:
// CHECK-DAG: certified: @lanes:
// CHECK-DAG: different: @lanes_missing: element [3, 4]: the second function lacks argument0[3, 4]
// CHECK-DAG: different: @lane_outside: element [3, 4]: the first function has argument0[3, 4], and has argument0[3, 3] instead
// CHECK-DAG: certified: @lane_taken:
// CHECK-DAG: undecided: @lane_taken_outside: {{.*}}vector.extract: a position that may lie outside of a vector

//--- before.mlir
func.func @vectors(%x: tensor<4x5xf32>, %out: memref<4x5xf32>) attributes {convoy.arguments = [{layout = "hw", name = "x", type = tensor<4x5xf32>, written = false}, {layout = "hw", name = "out", type = tensor<4x5xf32>, written = true}]} {
  bufferization.materialize_in_destination %x in restrict writable %out : (tensor<4x5xf32>, memref<4x5xf32>) -> ()
  return
}
func.func @vectors_outside(%x: tensor<4x5xf32>, %out: memref<4x5xf32>) attributes {convoy.arguments = [{layout = "hw", name = "x", type = tensor<4x5xf32>, written = false}, {layout = "hw", name = "out", type = tensor<4x5xf32>, written = true}]} {
  bufferization.materialize_in_destination %x in restrict writable %out : (tensor<4x5xf32>, memref<4x5xf32>) -> ()
  return
}
func.func @vectors_shifted(%x: tensor<4x5xf32>, %out: memref<4x5xf32>) attributes {convoy.arguments = [{layout = "hw", name = "x", type = tensor<4x5xf32>, written = false}, {layout = "hw", name = "out", type = tensor<4x5xf32>, written = true}]} {
  bufferization.materialize_in_destination %x in restrict writable %out : (tensor<4x5xf32>, memref<4x5xf32>) -> ()
  return
}
func.func @vectors_past_row(%x: tensor<4x5xf32>, %out: memref<4x5xf32>) attributes {convoy.arguments = [{layout = "hw", name = "x", type = tensor<4x5xf32>, written = false}, {layout = "hw", name = "out", type = tensor<4x5xf32>, written = true}]} {
  bufferization.materialize_in_destination %x in restrict writable %out : (tensor<4x5xf32>, memref<4x5xf32>) -> ()
  return
}
func.func @vectors_of_part(%x: tensor<4x5xf32>, %out: memref<4x5xf32>) attributes {convoy.arguments = [{layout = "hw", name = "x", type = tensor<4x5xf32>, written = false}, {layout = "hw", name = "out", type = tensor<4x5xf32>, written = true}]} {
  bufferization.materialize_in_destination %x in restrict writable %out : (tensor<4x5xf32>, memref<4x5xf32>) -> ()
  return
}
func.func @lanes(%x: tensor<4x5xf32>, %out: memref<4x5xf32>) attributes {convoy.arguments = [{layout = "hw", name = "x", type = tensor<4x5xf32>, written = false}, {layout = "hw", name = "out", type = tensor<4x5xf32>, written = true}]} {
  bufferization.materialize_in_destination %x in restrict writable %out : (tensor<4x5xf32>, memref<4x5xf32>) -> ()
  return
}
func.func @lanes_missing(%x: tensor<4x5xf32>, %out: memref<4x5xf32>) attributes {convoy.arguments = [{layout = "hw", name = "x", type = tensor<4x5xf32>, written = false}, {layout = "hw", name = "out", type = tensor<4x5xf32>, written = true}]} {
  bufferization.materialize_in_destination %x in restrict writable %out : (tensor<4x5xf32>, memref<4x5xf32>) -> ()
  return
}
func.func @lane_outside(%x: tensor<4x5xf32>, %out: memref<4x5xf32>) attributes {convoy.arguments = [{layout = "hw", name = "x", type = tensor<4x5xf32>, written = false}, {layout = "hw", name = "out", type = tensor<4x5xf32>, written = true}]} {
  bufferization.materialize_in_destination %x in restrict writable %out : (tensor<4x5xf32>, memref<4x5xf32>) -> ()
  return
}
func.func @lane_taken(%x: tensor<4x5xf32>, %out: memref<4x5xf32>) attributes {convoy.arguments = [{layout = "hw", name = "x", type = tensor<4x5xf32>, written = false}, {layout = "hw", name = "out", type = tensor<4x5xf32>, written = true}]} {
  bufferization.materialize_in_destination %x in restrict writable %out : (tensor<4x5xf32>, memref<4x5xf32>) -> ()
  return
}
func.func @lane_taken_outside(%x: tensor<4x5xf32>, %out: memref<4x5xf32>) attributes {convoy.arguments = [{layout = "hw", name = "x", type = tensor<4x5xf32>, written = false}, {layout = "hw", name = "out", type = tensor<4x5xf32>, written = true}]} {
  bufferization.materialize_in_destination %x in restrict writable %out : (tensor<4x5xf32>, memref<4x5xf32>) -> ()
  return
}

//--- after.mlir
func.func @vectors(%x: memref<4x5xf32>, %out: memref<4x5xf32>) attributes {convoy.arguments = [{layout = "hw", name = "x", type = tensor<4x5xf32>, written = false}, {layout = "hw", name = "out", type = tensor<4x5xf32>, written = true}]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c20 = arith.constant 20 : index
  scf.for %i = %c0 to %c4 step %c1 {
    %v = vector.load %x[%i, %c0] : memref<4x5xf32>, vector<5xf32>
    vector.store %v, %out[%i, %c0] : memref<4x5xf32>, vector<5xf32>
  }
  return
}
func.func @vectors_outside(%x: memref<4x5xf32>, %out: memref<4x5xf32>) attributes {convoy.arguments = [{layout = "hw", name = "x", type = tensor<4x5xf32>, written = false}, {layout = "hw", name = "out", type = tensor<4x5xf32>, written = true}]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c20 = arith.constant 20 : index
  scf.for %i = %c0 to %c4 step %c1 {
    %v = vector.load %x[%i, %c0] : memref<4x5xf32>, vector<6xf32>
    vector.store %v, %out[%i, %c0] : memref<4x5xf32>, vector<6xf32>
  }
  return
}
func.func @vectors_shifted(%x: memref<4x5xf32>, %out: memref<4x5xf32>) attributes {convoy.arguments = [{layout = "hw", name = "x", type = tensor<4x5xf32>, written = false}, {layout = "hw", name = "out", type = tensor<4x5xf32>, written = true}]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c20 = arith.constant 20 : index
  scf.for %i = %c0 to %c4 step %c1 {
    %v = vector.load %x[%i, %c1] : memref<4x5xf32>, vector<4xf32>
    vector.store %v, %out[%i, %c0] : memref<4x5xf32>, vector<4xf32>
  }
  return
}
func.func @vectors_past_row(%x: memref<4x5xf32>, %out: memref<4x5xf32>) attributes {convoy.arguments = [{layout = "hw", name = "x", type = tensor<4x5xf32>, written = false}, {layout = "hw", name = "out", type = tensor<4x5xf32>, written = true}]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c20 = arith.constant 20 : index
  scf.for %i = %c0 to %c4 step %c1 {
    %v = vector.load %x[%i, %c1] : memref<4x5xf32>, vector<5xf32>
    vector.store %v, %out[%i, %c1] : memref<4x5xf32>, vector<5xf32>
  }
  return
}
func.func @vectors_of_part(%x: memref<4x5xf32>, %out: memref<4x5xf32>) attributes {convoy.arguments = [{layout = "hw", name = "x", type = tensor<4x5xf32>, written = false}, {layout = "hw", name = "out", type = tensor<4x5xf32>, written = true}]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c20 = arith.constant 20 : index
  scf.for %i = %c0 to %c4 step %c1 {
    memref.prefetch %x[%i, %c20], read, locality<3>, data : memref<4x5xf32>
    %v = vector.load %x[%i, %c0] : memref<4x5xf32>, vector<3xf32>
    %u = vector.load %x[%i, %c2] : memref<4x5xf32>, vector<3xf32>
    vector.store %v, %out[%i, %c0] : memref<4x5xf32>, vector<3xf32>
    vector.store %u, %out[%i, %c2] : memref<4x5xf32>, vector<3xf32>
  }
  return
}
func.func @lanes(%x: memref<4x5xf32>, %out: memref<4x5xf32>) attributes {convoy.arguments = [{layout = "hw", name = "x", type = tensor<4x5xf32>, written = false}, {layout = "hw", name = "out", type = tensor<4x5xf32>, written = true}]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c20 = arith.constant 20 : index
  %z = arith.constant dense<0.0> : vector<5xf32>
  scf.for %i = %c0 to %c4 step %c1 {
    %r = scf.for %j = %c0 to %c5 step %c1 iter_args(%a = %z) -> (vector<5xf32>) {
      %e = memref.load %x[%i, %j] : memref<4x5xf32>
      %b = vector.insert %e, %a [%j] : f32 into vector<5xf32>
      scf.yield %b : vector<5xf32>
    }
    vector.store %r, %out[%i, %c0] : memref<4x5xf32>, vector<5xf32>
  }
  return
}
func.func @lanes_missing(%x: memref<4x5xf32>, %out: memref<4x5xf32>) attributes {convoy.arguments = [{layout = "hw", name = "x", type = tensor<4x5xf32>, written = false}, {layout = "hw", name = "out", type = tensor<4x5xf32>, written = true}]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c20 = arith.constant 20 : index
  %z = arith.constant dense<0.0> : vector<5xf32>
  scf.for %i = %c0 to %c4 step %c1 {
    %r = scf.for %j = %c0 to %c4 step %c1 iter_args(%a = %z) -> (vector<5xf32>) {
      %e = memref.load %x[%i, %j] : memref<4x5xf32>
      %b = vector.insert %e, %a [%j] : f32 into vector<5xf32>
      scf.yield %b : vector<5xf32>
    }
    vector.store %r, %out[%i, %c0] : memref<4x5xf32>, vector<5xf32>
  }
  return
}
func.func @lane_outside(%x: memref<4x5xf32>, %out: memref<4x5xf32>) attributes {convoy.arguments = [{layout = "hw", name = "x", type = tensor<4x5xf32>, written = false}, {layout = "hw", name = "out", type = tensor<4x5xf32>, written = true}]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c20 = arith.constant 20 : index
  %z = arith.constant dense<0.0> : vector<5xf32>
  scf.for %i = %c0 to %c4 step %c1 {
    %r = scf.for %j = %c0 to %c5 step %c1 iter_args(%a = %z) -> (vector<5xf32>) {
      %jj = arith.addi %j, %c1 : index
      %e = memref.load %x[%i, %j] : memref<4x5xf32>
      %b = vector.insert %e, %a [%jj] : f32 into vector<5xf32>
      scf.yield %b : vector<5xf32>
    }
    vector.store %r, %out[%i, %c0] : memref<4x5xf32>, vector<5xf32>
  }
  return
}
func.func @lane_taken(%x: memref<4x5xf32>, %out: memref<4x5xf32>) attributes {convoy.arguments = [{layout = "hw", name = "x", type = tensor<4x5xf32>, written = false}, {layout = "hw", name = "out", type = tensor<4x5xf32>, written = true}]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c20 = arith.constant 20 : index
  scf.for %i = %c0 to %c4 step %c1 {
    %v = vector.load %x[%i, %c0] : memref<4x5xf32>, vector<5xf32>
    scf.for %j = %c0 to %c5 step %c1 {
      %e = vector.extract %v[%j] : f32 from vector<5xf32>
      memref.store %e, %out[%i, %j] : memref<4x5xf32>
    }
  }
  return
}
func.func @lane_taken_outside(%x: memref<4x5xf32>, %out: memref<4x5xf32>) attributes {convoy.arguments = [{layout = "hw", name = "x", type = tensor<4x5xf32>, written = false}, {layout = "hw", name = "out", type = tensor<4x5xf32>, written = true}]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c20 = arith.constant 20 : index
  scf.for %i = %c0 to %c4 step %c1 {
    %v = vector.load %x[%i, %c0] : memref<4x5xf32>, vector<4xf32>
    scf.for %j = %c0 to %c5 step %c1 {
      %e = vector.extract %v[%j] : f32 from vector<4xf32>
      %f = memref.load %x[%i, %j] : memref<4x5xf32>
      memref.store %f, %out[%i, %j] : memref<4x5xf32>
    }
  }
  return
}
