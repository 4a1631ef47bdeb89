// Flags among the arguments make cases, and so do sizes that depend on them.
// RUN: rm -rf %t && split-file %s %t
// RUN: not convoy-certify %t/before.mlir %t/after.mlir | FileCheck %s

//--- before.mlir
// CHECK-DAG: certified: @branch:
func.func @branch(%x: tensor<4xf32>, %y: tensor<4xf32>, %flag: i1) -> tensor<4xf32> {
  %z = arith.select %flag, %x, %y : tensor<4xf32>
  return %z : tensor<4xf32>
}
// CHECK-DAG: certified: @index:
func.func @index(%x: tensor<8xf32>, %flag: i1) -> tensor<4xf32> {
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %at = arith.select %flag, %c3, %c1 : index
  %y = tensor.extract_slice %x[%at] [4] [1] : tensor<8xf32> to tensor<4xf32>
  return %y : tensor<4xf32>
}
// CHECK-DAG: certified: @body:
func.func @body(%x: tensor<4xf32>, %flag: i1) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %n = arith.negf %in : f32
    %s = arith.select %flag, %n, %in : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  return %y : tensor<4xf32>
}
// As an index true is -1 with a sign, and 1 without.
// CHECK-DAG: certified: @number:
func.func @number(%x: tensor<5xf32>, %flag: i1) -> tensor<4xf32> {
  %at = arith.index_castui %flag : i1 to index
  %y = tensor.extract_slice %x[%at] [4] [1] : tensor<5xf32> to tensor<4xf32>
  return %y : tensor<4xf32>
}
// CHECK-DAG: certified: @size:
func.func @size(%x: tensor<8xf32>, %n: index, %flag: i1) -> tensor<?xf32> {
  %c2 = arith.constant 2 : index
  %c5 = arith.constant 5 : index
  %y = scf.if %flag -> tensor<?xf32> {
    %a = tensor.extract_slice %x[1] [%c2] [1] : tensor<8xf32> to tensor<?xf32>
    scf.yield %a : tensor<?xf32>
  } else {
    %b = tensor.extract_slice %x[1] [%c5] [1] : tensor<8xf32> to tensor<?xf32>
    scf.yield %b : tensor<?xf32>
  }
  return %y : tensor<?xf32>
}
// The same size in both branches.
// CHECK-DAG: certified: @same_size:
func.func @same_size(%x: tensor<?xf32>, %flag: i1) -> tensor<?xf32> {
  %y = scf.if %flag -> tensor<?xf32> {
    scf.yield %x : tensor<?xf32>
  } else {
    %b = arith.negf %x : tensor<?xf32>
    scf.yield %b : tensor<?xf32>
  }
  return %y : tensor<?xf32>
}
// CHECK-DAG: different: @other_branch: {{.*}}the first function has argument1[3], and has argument0[3] instead
func.func @other_branch(%x: tensor<4xf32>, %y: tensor<4xf32>, %flag: i1) -> tensor<4xf32> {
  %z = arith.select %flag, %x, %y : tensor<4xf32>
  return %z : tensor<4xf32>
}
// CHECK-NOT: certified: @other_index:
func.func @other_index(%x: tensor<8xf32>, %flag: i1) -> tensor<4xf32> {
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %at = arith.select %flag, %c3, %c1 : index
  %y = tensor.extract_slice %x[%at] [4] [1] : tensor<8xf32> to tensor<4xf32>
  return %y : tensor<4xf32>
}
// CHECK-NOT: certified: @other_size:
func.func @other_size(%x: tensor<8xf32>, %n: index, %flag: i1) -> tensor<?xf32> {
  %c2 = arith.constant 2 : index
  %c5 = arith.constant 5 : index
  %y = scf.if %flag -> tensor<?xf32> {
    %a = tensor.extract_slice %x[1] [%c2] [1] : tensor<8xf32> to tensor<?xf32>
    scf.yield %a : tensor<?xf32>
  } else {
    %b = tensor.extract_slice %x[1] [%c5] [1] : tensor<8xf32> to tensor<?xf32>
    scf.yield %b : tensor<?xf32>
  }
  return %y : tensor<?xf32>
}
// A flag is data as well: both are one.
// CHECK-DAG: certified: @flag_as_data:
func.func @flag_as_data(%x: tensor<4xi32>, %flag: i1) -> tensor<4xi32> {
  %e = tensor.empty() : tensor<4xi32>
  %y = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x : tensor<4xi32>) outs(%e : tensor<4xi32>) {
  ^bb0(%in: i32, %out: i32):
    %w = arith.extui %flag : i1 to i32
    %s = arith.addi %in, %w : i32
    linalg.yield %s : i32
  } -> tensor<4xi32>
  return %y : tensor<4xi32>
}
// What is taken for data on one side and for cases on the other is not
// different.
// CHECK-NOT: {{certified|different}}: @both_ways:
func.func @both_ways(%x: tensor<4xi32>, %flag: i1) -> tensor<4xi32> {
  %e = tensor.empty() : tensor<4xi32>
  %y = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x : tensor<4xi32>) outs(%e : tensor<4xi32>) {
  ^bb0(%in: i32, %out: i32):
    %w = arith.extui %flag : i1 to i32
    %s = arith.addi %in, %w : i32
    linalg.yield %s : i32
  } -> tensor<4xi32>
  return %y : tensor<4xi32>
}

//--- after.mlir
func.func @branch(%x: tensor<4xf32>, %y: tensor<4xf32>, %flag: i1) -> tensor<4xf32> {
  %z = scf.if %flag -> tensor<4xf32> {
    scf.yield %x : tensor<4xf32>
  } else {
    scf.yield %y : tensor<4xf32>
  }
  return %z : tensor<4xf32>
}
func.func @index(%x: tensor<8xf32>, %flag: i1) -> tensor<4xf32> {
  %a = tensor.extract_slice %x[1] [4] [1] : tensor<8xf32> to tensor<4xf32>
  %b = tensor.extract_slice %x[3] [4] [1] : tensor<8xf32> to tensor<4xf32>
  %y = arith.select %flag, %b, %a : tensor<4xf32>
  return %y : tensor<4xf32>
}
func.func @body(%x: tensor<4xf32>, %flag: i1) -> tensor<4xf32> {
  %true = arith.constant true
  %other = arith.xori %flag, %true : i1
  %y = scf.if %other -> tensor<4xf32> {
    scf.yield %x : tensor<4xf32>
  } else {
    %n = arith.negf %x : tensor<4xf32>
    scf.yield %n : tensor<4xf32>
  }
  return %y : tensor<4xf32>
}
func.func @number(%x: tensor<5xf32>, %flag: i1) -> tensor<4xf32> {
  %a = tensor.extract_slice %x[0] [4] [1] : tensor<5xf32> to tensor<4xf32>
  %b = tensor.extract_slice %x[1] [4] [1] : tensor<5xf32> to tensor<4xf32>
  %y = arith.select %flag, %b, %a : tensor<4xf32>
  return %y : tensor<4xf32>
}
func.func @size(%x: tensor<8xf32>, %n: index, %flag: i1) -> tensor<?xf32> {
  %c2 = arith.constant 2 : index
  %c5 = arith.constant 5 : index
  %size = arith.select %flag, %c2, %c5 : index
  %y = tensor.extract_slice %x[1] [%size] [1] : tensor<8xf32> to tensor<?xf32>
  return %y : tensor<?xf32>
}
func.func @same_size(%x: tensor<?xf32>, %flag: i1) -> tensor<?xf32> {
  %n = arith.negf %x : tensor<?xf32>
  %y = arith.select %flag, %x, %n : tensor<?xf32>
  return %y : tensor<?xf32>
}
func.func @other_branch(%x: tensor<4xf32>, %y: tensor<4xf32>, %flag: i1) -> tensor<4xf32> {
  %z = scf.if %flag -> tensor<4xf32> {
    scf.yield %y : tensor<4xf32>
  } else {
    scf.yield %x : tensor<4xf32>
  }
  return %z : tensor<4xf32>
}
func.func @other_index(%x: tensor<8xf32>, %flag: i1) -> tensor<4xf32> {
  %a = tensor.extract_slice %x[1] [4] [1] : tensor<8xf32> to tensor<4xf32>
  %b = tensor.extract_slice %x[3] [4] [1] : tensor<8xf32> to tensor<4xf32>
  %y = arith.select %flag, %a, %b : tensor<4xf32>
  return %y : tensor<4xf32>
}
func.func @other_size(%x: tensor<8xf32>, %n: index, %flag: i1) -> tensor<?xf32> {
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %size = arith.select %flag, %c2, %c4 : index
  %y = tensor.extract_slice %x[1] [%size] [1] : tensor<8xf32> to tensor<?xf32>
  return %y : tensor<?xf32>
}
func.func @flag_as_data(%x: tensor<4xi32>, %flag: i1) -> tensor<4xi32> {
  %w = arith.extui %flag : i1 to i32
  %all = tensor.splat %w : tensor<4xi32>
  %y = arith.addi %all, %x : tensor<4xi32>
  return %y : tensor<4xi32>
}
func.func @both_ways(%x: tensor<4xi32>, %flag: i1) -> tensor<4xi32> {
  %one = arith.constant dense<1> : tensor<4xi32>
  %next = arith.addi %x, %one : tensor<4xi32>
  %y = arith.select %flag, %next, %x : tensor<4xi32>
  return %y : tensor<4xi32>
}
