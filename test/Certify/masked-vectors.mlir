// Vectors of buffers under masks, and conditions that are compared.
// RUN: rm -rf %t && split-file %s %t
// RUN: not convoy-certify %t/before.mlir %t/after.mlir | FileCheck %s
// CHECK-DAG: certified: @masked:
// CHECK-DAG: different: @mask_too_short: element [3, 4]: the second function never writes it; the first writes argument0[3, 4]
// CHECK-DAG: different: @masked_store_too_short: element [3, 4]: the first function has argument0[3, 4], and has argument1[3, 4] instead
// CHECK-DAG: certified: @mask_leaves_zeros:
// CHECK-DAG: different: @zeros_for_elements: element [3, 4]: the second function lacks argument0[3, 4]
// CHECK-DAG: undecided: @masked_load_outside: {{.*}}vector.transfer_read: dimension 1 of a tensor may be accessed outside, as at index 5 where its size is 5
// CHECK-DAG: certified: @conditions:
// CHECK-DAG: different: @other_condition: element [3, 4]: the first function has argument0[3, 4], and has argument1[3, 4] instead

//--- before.mlir
func.func @masked(%x: tensor<4x5xf32>, %out: memref<4x5xf32>) attributes {convoy.arguments = [{layout = "hw", name = "x", type = tensor<4x5xf32>, written = false}, {layout = "hw", name = "out", type = tensor<4x5xf32>, written = true}]} {
  bufferization.materialize_in_destination %x in restrict writable %out : (tensor<4x5xf32>, memref<4x5xf32>) -> ()
  return
}
func.func @mask_too_short(%x: tensor<4x5xf32>, %out: memref<4x5xf32>) attributes {convoy.arguments = [{layout = "hw", name = "x", type = tensor<4x5xf32>, written = false}, {layout = "hw", name = "out", type = tensor<4x5xf32>, written = true}]} {
  bufferization.materialize_in_destination %x in restrict writable %out : (tensor<4x5xf32>, memref<4x5xf32>) -> ()
  return
}
func.func @masked_store_too_short(%x: tensor<4x5xf32>, %out: memref<4x5xf32>) attributes {convoy.arguments = [{layout = "hw", name = "x", type = tensor<4x5xf32>, written = false}, {layout = "hw", name = "out", type = tensor<4x5xf32>, written = true}]} {
  bufferization.materialize_in_destination %x in restrict writable %out : (tensor<4x5xf32>, memref<4x5xf32>) -> ()
  return
}
func.func @mask_leaves_zeros(%x: tensor<4x5xf32>, %out: memref<4x5xf32>) attributes {convoy.arguments = [{layout = "hw", name = "x", type = tensor<4x5xf32>, written = false}, {layout = "hw", name = "out", type = tensor<4x5xf32>, written = true}]} {
  bufferization.materialize_in_destination %x in restrict writable %out : (tensor<4x5xf32>, memref<4x5xf32>) -> ()
  return
}
func.func @zeros_for_elements(%x: tensor<4x5xf32>, %out: memref<4x5xf32>) attributes {convoy.arguments = [{layout = "hw", name = "x", type = tensor<4x5xf32>, written = false}, {layout = "hw", name = "out", type = tensor<4x5xf32>, written = true}]} {
  bufferization.materialize_in_destination %x in restrict writable %out : (tensor<4x5xf32>, memref<4x5xf32>) -> ()
  return
}
func.func @masked_load_outside(%x: tensor<4x5xf32>, %out: memref<4x5xf32>) attributes {convoy.arguments = [{layout = "hw", name = "x", type = tensor<4x5xf32>, written = false}, {layout = "hw", name = "out", type = tensor<4x5xf32>, written = true}]} {
  bufferization.materialize_in_destination %x in restrict writable %out : (tensor<4x5xf32>, memref<4x5xf32>) -> ()
  return
}
func.func @conditions(%x: tensor<4x5xf32>, %out: memref<4x5xf32>) attributes {convoy.arguments = [{layout = "hw", name = "x", type = tensor<4x5xf32>, written = false}, {layout = "hw", name = "out", type = tensor<4x5xf32>, written = true}]} {
  bufferization.materialize_in_destination %x in restrict writable %out : (tensor<4x5xf32>, memref<4x5xf32>) -> ()
  return
}
func.func @other_condition(%x: tensor<4x5xf32>, %out: memref<4x5xf32>) attributes {convoy.arguments = [{layout = "hw", name = "x", type = tensor<4x5xf32>, written = false}, {layout = "hw", name = "out", type = tensor<4x5xf32>, written = true}]} {
  bufferization.materialize_in_destination %x in restrict writable %out : (tensor<4x5xf32>, memref<4x5xf32>) -> ()
  return
}

//--- after.mlir
func.func @masked(%x: memref<4x5xf32>, %out: memref<4x5xf32>) attributes {convoy.arguments = [{layout = "hw", name = "x", type = tensor<4x5xf32>, written = false}, {layout = "hw", name = "out", type = tensor<4x5xf32>, written = true}]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %none = ub.poison : vector<8xf32>
  %zeros = arith.constant dense<0.0> : vector<8xf32>
  %five = vector.constant_mask [5] : vector<8xi1>
  %four = vector.constant_mask [4] : vector<8xi1>
  %six = vector.constant_mask [6] : vector<8xi1>
  scf.for %i = %c0 to %c4 step %c1 {
    %v = vector.maskedload %x[%i, %c0], %five, %none : memref<4x5xf32>, vector<8xi1>, vector<8xf32> into vector<8xf32>
    vector.maskedstore %out[%i, %c0], %five, %v : memref<4x5xf32>, vector<8xi1>, vector<8xf32>
  }
  return
}
func.func @mask_too_short(%x: memref<4x5xf32>, %out: memref<4x5xf32>) attributes {convoy.arguments = [{layout = "hw", name = "x", type = tensor<4x5xf32>, written = false}, {layout = "hw", name = "out", type = tensor<4x5xf32>, written = true}]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %none = ub.poison : vector<8xf32>
  %zeros = arith.constant dense<0.0> : vector<8xf32>
  %five = vector.constant_mask [5] : vector<8xi1>
  %four = vector.constant_mask [4] : vector<8xi1>
  %six = vector.constant_mask [6] : vector<8xi1>
  scf.for %i = %c0 to %c4 step %c1 {
    %v = vector.maskedload %x[%i, %c0], %four, %none : memref<4x5xf32>, vector<8xi1>, vector<8xf32> into vector<8xf32>
    vector.maskedstore %out[%i, %c0], %five, %v : memref<4x5xf32>, vector<8xi1>, vector<8xf32>
  }
  return
}
func.func @masked_store_too_short(%x: memref<4x5xf32>, %out: memref<4x5xf32>) attributes {convoy.arguments = [{layout = "hw", name = "x", type = tensor<4x5xf32>, written = false}, {layout = "hw", name = "out", type = tensor<4x5xf32>, written = true}]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %none = ub.poison : vector<8xf32>
  %zeros = arith.constant dense<0.0> : vector<8xf32>
  %five = vector.constant_mask [5] : vector<8xi1>
  %four = vector.constant_mask [4] : vector<8xi1>
  %six = vector.constant_mask [6] : vector<8xi1>
  scf.for %i = %c0 to %c4 step %c1 {
    %v = vector.maskedload %x[%i, %c0], %five, %none : memref<4x5xf32>, vector<8xi1>, vector<8xf32> into vector<8xf32>
    vector.maskedstore %out[%i, %c0], %four, %v : memref<4x5xf32>, vector<8xi1>, vector<8xf32>
  }
  return
}
func.func @mask_leaves_zeros(%x: memref<4x5xf32>, %out: memref<4x5xf32>) attributes {convoy.arguments = [{layout = "hw", name = "x", type = tensor<4x5xf32>, written = false}, {layout = "hw", name = "out", type = tensor<4x5xf32>, written = true}]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %none = ub.poison : vector<8xf32>
  %zeros = arith.constant dense<0.0> : vector<8xf32>
  %five = vector.constant_mask [5] : vector<8xi1>
  %four = vector.constant_mask [4] : vector<8xi1>
  %six = vector.constant_mask [6] : vector<8xi1>
  scf.for %i = %c0 to %c4 step %c1 {
    %v = vector.maskedload %x[%i, %c0], %four, %zeros : memref<4x5xf32>, vector<8xi1>, vector<8xf32> into vector<8xf32>
    vector.maskedstore %out[%i, %c0], %four, %v : memref<4x5xf32>, vector<8xi1>, vector<8xf32>
    %e = memref.load %x[%i, %c4] : memref<4x5xf32>
    %z = vector.extract %v[4] : f32 from vector<8xf32>
    %s = arith.subf %e, %z : f32
    memref.store %s, %out[%i, %c4] : memref<4x5xf32>
  }
  return
}
func.func @zeros_for_elements(%x: memref<4x5xf32>, %out: memref<4x5xf32>) attributes {convoy.arguments = [{layout = "hw", name = "x", type = tensor<4x5xf32>, written = false}, {layout = "hw", name = "out", type = tensor<4x5xf32>, written = true}]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %none = ub.poison : vector<8xf32>
  %zeros = arith.constant dense<0.0> : vector<8xf32>
  %five = vector.constant_mask [5] : vector<8xi1>
  %four = vector.constant_mask [4] : vector<8xi1>
  %six = vector.constant_mask [6] : vector<8xi1>
  scf.for %i = %c0 to %c4 step %c1 {
    %v = vector.maskedload %x[%i, %c0], %four, %zeros : memref<4x5xf32>, vector<8xi1>, vector<8xf32> into vector<8xf32>
    vector.maskedstore %out[%i, %c0], %five, %v : memref<4x5xf32>, vector<8xi1>, vector<8xf32>
  }
  return
}
func.func @masked_load_outside(%x: memref<4x5xf32>, %out: memref<4x5xf32>) attributes {convoy.arguments = [{layout = "hw", name = "x", type = tensor<4x5xf32>, written = false}, {layout = "hw", name = "out", type = tensor<4x5xf32>, written = true}]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %none = ub.poison : vector<8xf32>
  %zeros = arith.constant dense<0.0> : vector<8xf32>
  %five = vector.constant_mask [5] : vector<8xi1>
  %four = vector.constant_mask [4] : vector<8xi1>
  %six = vector.constant_mask [6] : vector<8xi1>
  scf.for %i = %c0 to %c4 step %c1 {
    %v = vector.maskedload %x[%i, %c0], %six, %none : memref<4x5xf32>, vector<8xi1>, vector<8xf32> into vector<8xf32>
    vector.maskedstore %out[%i, %c0], %six, %v : memref<4x5xf32>, vector<8xi1>, vector<8xf32>
  }
  return
}
func.func @conditions(%x: memref<4x5xf32>, %out: memref<4x5xf32>) attributes {convoy.arguments = [{layout = "hw", name = "x", type = tensor<4x5xf32>, written = false}, {layout = "hw", name = "out", type = tensor<4x5xf32>, written = true}]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %none = ub.poison : vector<8xf32>
  %zeros = arith.constant dense<0.0> : vector<8xf32>
  %five = vector.constant_mask [5] : vector<8xi1>
  %four = vector.constant_mask [4] : vector<8xi1>
  %six = vector.constant_mask [6] : vector<8xi1>
  scf.for %i = %c0 to %c4 step %c1 {
    %neg = arith.cmpi slt, %i, %c0 : index
    %big = arith.cmpi sgt, %i, %c3 : index
    %same = arith.cmpi eq, %neg, %big : i1
    scf.if %same {
      %v = vector.load %x[%i, %c0] : memref<4x5xf32>, vector<5xf32>
      vector.store %v, %out[%i, %c0] : memref<4x5xf32>, vector<5xf32>
    }
  }
  return
}
func.func @other_condition(%x: memref<4x5xf32>, %out: memref<4x5xf32>) attributes {convoy.arguments = [{layout = "hw", name = "x", type = tensor<4x5xf32>, written = false}, {layout = "hw", name = "out", type = tensor<4x5xf32>, written = true}]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %none = ub.poison : vector<8xf32>
  %zeros = arith.constant dense<0.0> : vector<8xf32>
  %five = vector.constant_mask [5] : vector<8xi1>
  %four = vector.constant_mask [4] : vector<8xi1>
  %six = vector.constant_mask [6] : vector<8xi1>
  scf.for %i = %c0 to %c4 step %c1 {
    %neg = arith.cmpi slt, %i, %c0 : index
    %big = arith.cmpi sgt, %i, %c3 : index
    %same = arith.cmpi ne, %neg, %big : i1
    scf.if %same {
      %v = vector.load %x[%i, %c0] : memref<4x5xf32>, vector<5xf32>
      vector.store %v, %out[%i, %c0] : memref<4x5xf32>, vector<5xf32>
    }
  }
  return
}
