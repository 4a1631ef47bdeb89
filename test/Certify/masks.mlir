// Masks as values, and elements that are put into tensors where they are set.
// RUN: rm -rf %t && split-file %s %t
// RUN: not convoy-certify %t/before.mlir %t/after.mlir | FileCheck %s
// CHECK-DAG: certified: @mask:
// CHECK-DAG: different: @mask_one_over: element [3]: only the second function has argument0[3]
// CHECK-DAG: certified: @mask_of_size:
// CHECK-DAG: certified: @lanes_of_mask:
// CHECK-DAG: different: @lanes_of_other_mask: element [2]: the second function lacks argument0[2]
// CHECK-DAG: certified: @inserted:
// CHECK-DAG: different: @inserted_beside: element [3]: the first function has argument1, and has argument0[3] instead
// CHECK-DAG: different: @inserted_outside: index 5 is accessed in dimension 0 of a tensor, whose size is 5

//--- before.mlir
func.func @mask(%x: tensor<7xf32>, %n: index) -> tensor<7xf32> {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<7xf32>
  %m = vector.constant_mask [3] : vector<7xi1>
  %v = vector.transfer_read %x[%c0], %z, %m {in_bounds = [true]} : tensor<7xf32>, vector<7xf32>
  %r = vector.transfer_write %v, %e[%c0] {in_bounds = [true]} : vector<7xf32>, tensor<7xf32>
  return %r : tensor<7xf32>
}

func.func @mask_one_over(%x: tensor<7xf32>, %n: index) -> tensor<7xf32> {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<7xf32>
  %m = vector.constant_mask [3] : vector<7xi1>
  %v = vector.transfer_read %x[%c0], %z, %m {in_bounds = [true]} : tensor<7xf32>, vector<7xf32>
  %r = vector.transfer_write %v, %e[%c0] {in_bounds = [true]} : vector<7xf32>, tensor<7xf32>
  return %r : tensor<7xf32>
}

func.func @mask_of_size(%x: tensor<7xf32>, %n: index) -> tensor<7xf32> {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<7xf32>
  %m = vector.create_mask %n : vector<7xi1>
  %v = vector.transfer_read %x[%c0], %z, %m {in_bounds = [true]} : tensor<7xf32>, vector<7xf32>
  %r = vector.transfer_write %v, %e[%c0] {in_bounds = [true]} : vector<7xf32>, tensor<7xf32>
  return %r : tensor<7xf32>
}

func.func @lanes_of_mask(%x: tensor<7xf32>, %n: index) -> tensor<7xf32> {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<7xf32>
  %m = vector.constant_mask [3] : vector<7xi1>
  %v = vector.transfer_read %x[%c0], %z, %m {in_bounds = [true]} : tensor<7xf32>, vector<7xf32>
  %r = vector.transfer_write %v, %e[%c0] {in_bounds = [true]} : vector<7xf32>, tensor<7xf32>
  return %r : tensor<7xf32>
}

func.func @lanes_of_other_mask(%x: tensor<7xf32>, %n: index) -> tensor<7xf32> {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<7xf32>
  %m = vector.constant_mask [3] : vector<7xi1>
  %v = vector.transfer_read %x[%c0], %z, %m {in_bounds = [true]} : tensor<7xf32>, vector<7xf32>
  %r = vector.transfer_write %v, %e[%c0] {in_bounds = [true]} : vector<7xf32>, tensor<7xf32>
  return %r : tensor<7xf32>
}

func.func @inserted(%x: tensor<5xf32>, %a: f32) -> tensor<5xf32> {
  %s = tensor.splat %a : tensor<1xf32>
  %r = tensor.insert_slice %s into %x[3] [1] [1] : tensor<1xf32> into tensor<5xf32>
  return %r : tensor<5xf32>
}

func.func @inserted_beside(%x: tensor<5xf32>, %a: f32) -> tensor<5xf32> {
  %s = tensor.splat %a : tensor<1xf32>
  %r = tensor.insert_slice %s into %x[3] [1] [1] : tensor<1xf32> into tensor<5xf32>
  return %r : tensor<5xf32>
}

func.func @inserted_outside(%x: tensor<5xf32>, %a: f32) -> tensor<5xf32> {
  %s = tensor.splat %a : tensor<1xf32>
  %r = tensor.insert_slice %s into %x[3] [1] [1] : tensor<1xf32> into tensor<5xf32>
  return %r : tensor<5xf32>
}

//--- after.mlir
func.func @mask(%x: tensor<7xf32>, %n: index) -> tensor<7xf32> {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<7xf32>
  %zero = arith.constant dense<0.0> : vector<7xf32>
  %v = vector.transfer_read %x[%c0], %z {in_bounds = [true]} : tensor<7xf32>, vector<7xf32>
  %m = vector.constant_mask [3] : vector<7xi1>
  %s = arith.select %m, %v, %zero : vector<7xi1>, vector<7xf32>
  %r = vector.transfer_write %s, %e[%c0] {in_bounds = [true]} : vector<7xf32>, tensor<7xf32>
  return %r : tensor<7xf32>
}

func.func @mask_one_over(%x: tensor<7xf32>, %n: index) -> tensor<7xf32> {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<7xf32>
  %zero = arith.constant dense<0.0> : vector<7xf32>
  %v = vector.transfer_read %x[%c0], %z {in_bounds = [true]} : tensor<7xf32>, vector<7xf32>
  %m = vector.constant_mask [4] : vector<7xi1>
  %s = arith.select %m, %v, %zero : vector<7xi1>, vector<7xf32>
  %r = vector.transfer_write %s, %e[%c0] {in_bounds = [true]} : vector<7xf32>, tensor<7xf32>
  return %r : tensor<7xf32>
}

func.func @mask_of_size(%x: tensor<7xf32>, %n: index) -> tensor<7xf32> {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<7xf32>
  %zero = arith.constant dense<0.0> : vector<7xf32>
  %v = vector.transfer_read %x[%c0], %z {in_bounds = [true]} : tensor<7xf32>, vector<7xf32>
  %m = vector.create_mask %n : vector<7xi1>
  %s = arith.select %m, %v, %zero : vector<7xi1>, vector<7xf32>
  %r = vector.transfer_write %s, %e[%c0] {in_bounds = [true]} : vector<7xf32>, tensor<7xf32>
  return %r : tensor<7xf32>
}

func.func @lanes_of_mask(%x: tensor<7xf32>, %n: index) -> tensor<7xf32> {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<7xf32>
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %m = vector.constant_mask [3] : vector<7xi1>
  %r = scf.for %i = %c0 to %c7 step %c1 iter_args(%y = %e) -> tensor<7xf32> {
    %set = vector.extract %m[%i] : i1 from vector<7xi1>
    %t = scf.if %set -> tensor<7xf32> {
      %l = tensor.extract %x[%i] : tensor<7xf32>
      %j = tensor.insert %l into %y[%i] : tensor<7xf32>
      scf.yield %j : tensor<7xf32>
    } else {
      %j = tensor.insert %z into %y[%i] : tensor<7xf32>
      scf.yield %j : tensor<7xf32>
    }
    scf.yield %t : tensor<7xf32>
  }
  return %r : tensor<7xf32>
}

func.func @lanes_of_other_mask(%x: tensor<7xf32>, %n: index) -> tensor<7xf32> {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<7xf32>
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %m = vector.constant_mask [2] : vector<7xi1>
  %r = scf.for %i = %c0 to %c7 step %c1 iter_args(%y = %e) -> tensor<7xf32> {
    %set = vector.extract %m[%i] : i1 from vector<7xi1>
    %t = scf.if %set -> tensor<7xf32> {
      %l = tensor.extract %x[%i] : tensor<7xf32>
      %j = tensor.insert %l into %y[%i] : tensor<7xf32>
      scf.yield %j : tensor<7xf32>
    } else {
      %j = tensor.insert %z into %y[%i] : tensor<7xf32>
      scf.yield %j : tensor<7xf32>
    }
    scf.yield %t : tensor<7xf32>
  }
  return %r : tensor<7xf32>
}

func.func @inserted(%x: tensor<5xf32>, %a: f32) -> tensor<5xf32> {
  %c = arith.constant 3 : index
  %r = tensor.insert %a into %x[%c] : tensor<5xf32>
  return %r : tensor<5xf32>
}

func.func @inserted_beside(%x: tensor<5xf32>, %a: f32) -> tensor<5xf32> {
  %c = arith.constant 2 : index
  %r = tensor.insert %a into %x[%c] : tensor<5xf32>
  return %r : tensor<5xf32>
}

func.func @inserted_outside(%x: tensor<5xf32>, %a: f32) -> tensor<5xf32> {
  %c = arith.constant 5 : index
  %r = tensor.insert %a into %x[%c] : tensor<5xf32>
  return %r : tensor<5xf32>
}
