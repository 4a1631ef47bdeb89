// What is written back to where it was taken from needs no buffer of its own:
// seen at once where offsets and sizes are the same values, else as MLIR sees it.
// DEFINE: %{passes} = -one-shot-bufferize="bufferize-function-boundaries"
// RUN: convoy-opt %s %{passes} | FileCheck %s
// RUN: %mlir-opt %s %{passes} | FileCheck %s

// CHECK-LABEL: func @same_values
// CHECK-NOT: memref.alloc
// CHECK: linalg.fill
// CHECK-NOT: memref.alloc
// CHECK: return
func.func @same_values(%t: tensor<?x9xf32>, %at: index, %size: index, %value: f32) -> tensor<?x9xf32> {
  %slice = tensor.extract_slice %t[%at, 3] [%size, 5] [1, 1] : tensor<?x9xf32> to tensor<?x5xf32>
  %filled = linalg.fill ins(%value : f32) outs(%slice : tensor<?x5xf32>) -> tensor<?x5xf32>
  %result = tensor.insert_slice %filled into %t[%at, 3] [%size, 5] [1, 1] : tensor<?x5xf32> into tensor<?x9xf32>
  return %result : tensor<?x9xf32>
}

// CHECK-LABEL: func @equal_values
// CHECK-NOT: memref.alloc
// CHECK: linalg.fill
// CHECK-NOT: memref.alloc
// CHECK: return
func.func @equal_values(%t: tensor<?xf32>, %at: index, %value: f32) -> tensor<?xf32> {
  %a = affine.apply affine_map<(d0) -> (d0 * 2 + 1)>(%at)
  %b = affine.apply affine_map<(d0) -> (d0 + d0 + 1)>(%at)
  %slice = tensor.extract_slice %t[%a] [4] [1] : tensor<?xf32> to tensor<4xf32>
  %filled = linalg.fill ins(%value : f32) outs(%slice : tensor<4xf32>) -> tensor<4xf32>
  %result = tensor.insert_slice %filled into %t[%b] [4] [1] : tensor<4xf32> into tensor<?xf32>
  return %result : tensor<?xf32>
}

// CHECK-LABEL: func @other_values
// CHECK: memref.alloc
// CHECK: linalg.fill
// CHECK: return
func.func @other_values(%t: tensor<?xf32>, %a: index, %b: index, %value: f32) -> tensor<?xf32> {
  %slice = tensor.extract_slice %t[%a] [4] [1] : tensor<?xf32> to tensor<4xf32>
  %filled = linalg.fill ins(%value : f32) outs(%slice : tensor<4xf32>) -> tensor<4xf32>
  %result = tensor.insert_slice %filled into %t[%b] [4] [1] : tensor<4xf32> into tensor<?xf32>
  return %result : tensor<?xf32>
}

// CHECK-LABEL: func @other_constants
// CHECK: memref.alloc
// CHECK: linalg.fill
// CHECK: return
func.func @other_constants(%t: tensor<?x9xf32>, %at: index, %value: f32) -> tensor<?x9xf32> {
  %slice = tensor.extract_slice %t[%at, 3] [2, 4] [1, 1] : tensor<?x9xf32> to tensor<2x4xf32>
  %filled = linalg.fill ins(%value : f32) outs(%slice : tensor<2x4xf32>) -> tensor<2x4xf32>
  %result = tensor.insert_slice %filled into %t[%at, 4] [2, 4] [1, 1] : tensor<2x4xf32> into tensor<?x9xf32>
  return %result : tensor<?x9xf32>
}

// A value in the one's place of a constant in the other's.
// CHECK-LABEL: func @value_and_constant
// CHECK: memref.alloc
// CHECK: linalg.fill
// CHECK: return
func.func @value_and_constant(%t: tensor<9xf32>, %at: index, %value: f32) -> tensor<9xf32> {
  %slice = tensor.extract_slice %t[3] [4] [1] : tensor<9xf32> to tensor<4xf32>
  %filled = linalg.fill ins(%value : f32) outs(%slice : tensor<4xf32>) -> tensor<4xf32>
  %result = tensor.insert_slice %filled into %t[%at] [4] [1] : tensor<4xf32> into tensor<9xf32>
  return %result : tensor<9xf32>
}

// Slices of one size in two tensors are not of the same elements.
// CHECK-LABEL: func @other_tensor
// CHECK: memref.alloc
// CHECK: linalg.fill
// CHECK: return
func.func @other_tensor(%t: tensor<9xf32>, %other: tensor<9xf32>, %at: index, %value: f32) -> (tensor<9xf32>, tensor<9xf32>) {
  %slice = tensor.extract_slice %other[%at] [4] [1] : tensor<9xf32> to tensor<4xf32>
  %filled = linalg.fill ins(%value : f32) outs(%slice : tensor<4xf32>) -> tensor<4xf32>
  %result = tensor.insert_slice %filled into %t[%at] [4] [1] : tensor<4xf32> into tensor<9xf32>
  return %result, %other : tensor<9xf32>, tensor<9xf32>
}

// Each iteration of a loop in parallel writes its own part.
// CHECK-LABEL: func @parallel
// CHECK: scf.forall
// CHECK-NOT: memref.alloc
// CHECK: linalg.fill
// CHECK-NOT: memref.alloc
// CHECK: return
func.func @parallel(%t: tensor<12xf32>, %value: f32) -> tensor<12xf32> {
  %result = scf.forall (%at) = (0) to (12) step (4) shared_outs(%all = %t) -> tensor<12xf32> {
    %slice = tensor.extract_slice %all[%at] [4] [1] : tensor<12xf32> to tensor<4xf32>
    %filled = linalg.fill ins(%value : f32) outs(%slice : tensor<4xf32>) -> tensor<4xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %filled into %all[%at] [4] [1] : tensor<4xf32> into tensor<12xf32>
    }
  }
  return %result : tensor<12xf32>
}
