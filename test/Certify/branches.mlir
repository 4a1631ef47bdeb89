// Slices that only the condition of a branch keeps within their tensors.
// RUN: rm -rf %t && split-file %s %t
// RUN: not convoy-certify %t/before.mlir %t/after.mlir | FileCheck %s

//--- before.mlir
// CHECK: certified: @guarded:
func.func @guarded(%a: tensor<11xf32>, %b: tensor<11xf32>, %init: tensor<f32>) -> tensor<f32> {
  %sum = linalg.dot ins(%a, %b : tensor<11xf32>, tensor<11xf32>) outs(%init : tensor<f32>) -> tensor<f32>
  return %sum : tensor<f32>
}
// The other branch is that of i = 4 or i > 4, which no one system says.
// CHECK: certified: @unequal:
func.func @unequal(%a: tensor<10xf32>) -> tensor<10xf32> {
  return %a : tensor<10xf32>
}
// CHECK: certified: @both:
func.func @both(%a: tensor<10xf32>) -> tensor<10xf32> {
  return %a : tensor<10xf32>
}
// CHECK: different: @off_by_one: index 11 is accessed in dimension 0 of a tensor, whose size is 11
func.func @off_by_one(%a: tensor<11xf32>, %b: tensor<11xf32>, %init: tensor<f32>) -> tensor<f32> {
  %sum = linalg.dot ins(%a, %b : tensor<11xf32>, tensor<11xf32>) outs(%init : tensor<f32>) -> tensor<f32>
  return %sum : tensor<f32>
}
// CHECK: certified: @never:
func.func @never(%a: tensor<10xf32>) -> tensor<10xf32> {
  return %a : tensor<10xf32>
}
// A minimum is 4 in the branch, but not outside it.
// CHECK: different: @minimum: element [{{.*}}]: the second function
func.func @minimum(%a: tensor<?xf32>, %b: tensor<?xf32>, %init: tensor<f32>) -> tensor<f32> {
  %sum = linalg.dot ins(%a, %b : tensor<?xf32>, tensor<?xf32>) outs(%init : tensor<f32>) -> tensor<f32>
  return %sum : tensor<f32>
}
// In the branch a minimum of a quotient is 1; the sizes of the other branch are
// not forgotten.
// CHECK: different: @quotient: element [{{.*}}]: the first function has argument0[{{[0-9]}}], and has argument1[{{[0-9]}}] instead
func.func @quotient(%a: tensor<9xf32>, %b: tensor<9xf32>, %n: index) -> tensor<9xf32> {
  return %a : tensor<9xf32>
}
// CHECK: different: @cases: element [{{.*}}]: the first function has argument0[{{[0-9]}}], and has argument1[{{[0-9]}}] instead
func.func @cases(%a: tensor<9xf32>, %b: tensor<9xf32>, %n: index) -> tensor<9xf32> {
  return %a : tensor<9xf32>
}
// CHECK: different: @unknown: index 10 is accessed in dimension 0 of a tensor, whose size is 10
func.func @unknown(%a: tensor<10xf32>, %condition: i1) -> tensor<10xf32> {
  return %a : tensor<10xf32>
}

//--- after.mlir
func.func @guarded(%a: tensor<11xf32>, %b: tensor<11xf32>, %init: tensor<f32>) -> tensor<f32> {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c11 = arith.constant 11 : index
  %sum = scf.for %i = %c0 to %c11 step %c4 iter_args(%so_far = %init) -> (tensor<f32>) {
    %isWhole = arith.cmpi slt, %i, %c8 : index
    %next = scf.if %isWhole -> (tensor<f32>) {
      %x = tensor.extract_slice %a[%i] [4] [1] : tensor<11xf32> to tensor<4xf32>
      %y = tensor.extract_slice %b[%i] [4] [1] : tensor<11xf32> to tensor<4xf32>
      %more = linalg.dot ins(%x, %y : tensor<4xf32>, tensor<4xf32>) outs(%so_far : tensor<f32>) -> tensor<f32>
      scf.yield %more : tensor<f32>
    } else {
      %x = tensor.extract_slice %a[%i] [3] [1] : tensor<11xf32> to tensor<3xf32>
      %y = tensor.extract_slice %b[%i] [3] [1] : tensor<11xf32> to tensor<3xf32>
      %more = linalg.dot ins(%x, %y : tensor<3xf32>, tensor<3xf32>) outs(%so_far : tensor<f32>) -> tensor<f32>
      scf.yield %more : tensor<f32>
    }
    scf.yield %next : tensor<f32>
  }
  return %sum : tensor<f32>
}
func.func @unequal(%a: tensor<10xf32>) -> tensor<10xf32> {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c10 = arith.constant 10 : index
  %c1 = arith.constant 1 : index
  %empty = tensor.empty() : tensor<10xf32>
  %result = scf.for %i = %c0 to %c10 step %c1 iter_args(%whole = %empty) -> (tensor<10xf32>) {
    %isFour = arith.cmpi eq, %i, %c4 : index
    %element = scf.if %isFour -> (tensor<1xf32>) {
      %x = tensor.extract_slice %a[4] [1] [1] : tensor<10xf32> to tensor<1xf32>
      scf.yield %x : tensor<1xf32>
    } else {
      %x = tensor.extract_slice %a[%i] [1] [1] : tensor<10xf32> to tensor<1xf32>
      scf.yield %x : tensor<1xf32>
    }
    %next = tensor.insert_slice %element into %whole[%i] [1] [1] : tensor<1xf32> into tensor<10xf32>
    scf.yield %next : tensor<10xf32>
  }
  return %result : tensor<10xf32>
}
func.func @both(%a: tensor<10xf32>) -> tensor<10xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c13 = arith.constant 13 : index
  %c16 = arith.constant 16 : index
  %true = arith.constant true
  %empty = tensor.empty() : tensor<10xf32>
  %result = scf.for %i = %c0 to %c16 step %c1 iter_args(%whole = %empty) -> (tensor<10xf32>) {
    %isEarly = arith.cmpi slt, %i, %c3 : index
    %isLate = arith.cmpi sge, %i, %c13 : index
    %isOutside = arith.ori %isEarly, %isLate : i1
    %isInside = arith.xori %isOutside, %true : i1
    %next = scf.if %isInside -> (tensor<10xf32>) {
      %place = arith.subi %i, %c3 : index
      %x = tensor.extract_slice %a[%place] [1] [1] : tensor<10xf32> to tensor<1xf32>
      %more = tensor.insert_slice %x into %whole[%place] [1] [1] : tensor<1xf32> into tensor<10xf32>
      scf.yield %more : tensor<10xf32>
    } else {
      scf.yield %whole : tensor<10xf32>
    }
    scf.yield %next : tensor<10xf32>
  }
  return %result : tensor<10xf32>
}
func.func @off_by_one(%a: tensor<11xf32>, %b: tensor<11xf32>, %init: tensor<f32>) -> tensor<f32> {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c11 = arith.constant 11 : index
  %sum = scf.for %i = %c0 to %c11 step %c4 iter_args(%so_far = %init) -> (tensor<f32>) {
    %isWhole = arith.cmpi sle, %i, %c8 : index
    %next = scf.if %isWhole -> (tensor<f32>) {
      %x = tensor.extract_slice %a[%i] [4] [1] : tensor<11xf32> to tensor<4xf32>
      %y = tensor.extract_slice %b[%i] [4] [1] : tensor<11xf32> to tensor<4xf32>
      %more = linalg.dot ins(%x, %y : tensor<4xf32>, tensor<4xf32>) outs(%so_far : tensor<f32>) -> tensor<f32>
      scf.yield %more : tensor<f32>
    } else {
      scf.yield %so_far : tensor<f32>
    }
    scf.yield %next : tensor<f32>
  }
  return %sum : tensor<f32>
}
func.func @never(%a: tensor<10xf32>) -> tensor<10xf32> {
  %false = arith.constant false
  %result = scf.if %false -> (tensor<10xf32>) {
    %c6 = arith.constant 6 : index
    %x = tensor.extract_slice %a[%c6] [5] [1] : tensor<10xf32> to tensor<5xf32>
    %y = tensor.insert_slice %x into %a[0] [5] [1] : tensor<5xf32> into tensor<10xf32>
    scf.yield %y : tensor<10xf32>
  } else {
    scf.yield %a : tensor<10xf32>
  }
  return %result : tensor<10xf32>
}
func.func @minimum(%a: tensor<?xf32>, %b: tensor<?xf32>, %init: tensor<f32>) -> tensor<f32> {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %size = arith.minsi %n, %c4 : index
  %isLong = arith.cmpi sge, %n, %c4 : index
  %start = scf.if %isLong -> (tensor<f32>) {
    %x = tensor.extract_slice %a[0] [%size] [1] : tensor<?xf32> to tensor<?xf32>
    %y = tensor.extract_slice %b[0] [%size] [1] : tensor<?xf32> to tensor<?xf32>
    %more = linalg.dot ins(%x, %y : tensor<?xf32>, tensor<?xf32>) outs(%init : tensor<f32>) -> tensor<f32>
    scf.yield %more : tensor<f32>
  } else {
    scf.yield %init : tensor<f32>
  }
  %x = tensor.extract_slice %a[0] [%size] [1] : tensor<?xf32> to tensor<?xf32>
  %y = tensor.extract_slice %b[0] [%size] [1] : tensor<?xf32> to tensor<?xf32>
  %sum = linalg.dot ins(%x, %y : tensor<?xf32>, tensor<?xf32>) outs(%start : tensor<f32>) -> tensor<f32>
  return %sum : tensor<f32>
}
func.func @quotient(%a: tensor<9xf32>, %b: tensor<9xf32>, %n: index) -> tensor<9xf32> {
  %c4 = arith.constant 4 : index
  %isLong = arith.cmpi sge, %n, %c4 : index
  %result = scf.if %isLong -> (tensor<9xf32>) {
    %size = affine.min affine_map<(n) -> (n floordiv 2, 1)>(%n)
    %x = tensor.extract_slice %a[0] [%size] [1] : tensor<9xf32> to tensor<?xf32>
    %y = tensor.insert_slice %x into %a[0] [%size] [1] : tensor<?xf32> into tensor<9xf32>
    scf.yield %y : tensor<9xf32>
  } else {
    scf.yield %b : tensor<9xf32>
  }
  return %result : tensor<9xf32>
}
func.func @cases(%a: tensor<9xf32>, %b: tensor<9xf32>, %n: index) -> tensor<9xf32> {
  %c4 = arith.constant 4 : index
  %isLong = arith.cmpi sge, %n, %c4 : index
  %result = scf.if %isLong -> (tensor<9xf32>) {
    %some = affine.min affine_map<(n) -> (n floordiv 2, 5)>(%n)
    %size = affine.max affine_map<(m) -> (m, 2)>(%some)
    %x = tensor.extract_slice %a[0] [%size] [1] : tensor<9xf32> to tensor<?xf32>
    %y = tensor.insert_slice %x into %a[0] [%size] [1] : tensor<?xf32> into tensor<9xf32>
    scf.yield %y : tensor<9xf32>
  } else {
    scf.yield %b : tensor<9xf32>
  }
  return %result : tensor<9xf32>
}
func.func @unknown(%a: tensor<10xf32>, %condition: i1) -> tensor<10xf32> {
  %result = scf.if %condition -> (tensor<10xf32>) {
    %c6 = arith.constant 6 : index
    %x = tensor.extract_slice %a[%c6] [5] [1] : tensor<10xf32> to tensor<5xf32>
    %y = tensor.insert_slice %x into %a[0] [5] [1] : tensor<5xf32> into tensor<10xf32>
    scf.yield %y : tensor<10xf32>
  } else {
    scf.yield %a : tensor<10xf32>
  }
  return %result : tensor<10xf32>
}
