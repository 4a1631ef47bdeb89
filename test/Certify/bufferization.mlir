// Buffers in the place of tensors that arguments and results were, as
// bufferization of functions leaves them, freed buffers, and loops of affine.
// RUN: rm -rf %t && split-file %s %t
// RUN: not convoy-certify %t/before.mlir %t/after.mlir | FileCheck %s
// RUN: convoy-certify %t/layer.mlir --pipeline='builtin.module(one-shot-bufferize)' | FileCheck %s --check-prefix=PARTLY
// RUN: convoy-certify %t/layer.mlir --pipeline='builtin.module(empty-tensor-to-alloc-tensor,one-shot-bufferize{bufferize-function-boundaries},func.func(convert-linalg-to-parallel-loops),canonicalize,expand-strided-metadata)' | FileCheck %s --check-prefix=PARALLEL
// RUN: convoy-certify %t/layer.mlir --pipeline='builtin.module(one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map},buffer-results-to-out-params{modify-public-functions},func.func(convert-linalg-to-loops))' | FileCheck %s --check-prefix=LEFT
// RUN: convoy-certify %t/layer.mlir --function=layer --pipeline='builtin.module(one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map},buffer-deallocation-pipeline,func.func(convert-linalg-to-affine-loops,affine-loop-tile{tile-size=4},affine-super-vectorize{virtual-vector-size=4}),lower-affine)' | FileCheck %s --check-prefix=AFFINE
// RUN: convoy-opt %t/layer.mlir --convoy-certify-each --one-shot-bufferize=bufferize-function-boundaries -o %t/buffers.mlir 2>&1 | FileCheck %s --check-prefix=OPT

// PARTLY: 2 changes of functions: 2 certified
// PARTLY-NOT: of them
// PARALLEL: one-shot-bufferize                @conv     certified
// PARALLEL: convert-linalg-to-parallel-loops  @layer    certified
// PARALLEL: 7 changes of functions: 7 certified
// PARALLEL-NEXT: 3 of them: equal for all finite values where arguments are apart and may be overwritten
// LEFT: buffer-results-to-out-params  @conv     certified
// LEFT: buffer-results-to-out-params  @layer    certified
// LEFT: 6 changes of functions: 6 certified
// AFFINE: affine-super-vectorize{{.*}}certified
// AFFINE: lower-affine{{.*}}certified
// AFFINE: 8 changes of functions: 8 certified
// OPT: convoy-opt: certified 2 changes of functions in {{.*}} ms: equal for all finite values where arguments are apart and may be overwritten

//--- layer.mlir
func.func @conv(%x: tensor<1x9x8x3xf32>, %w: tensor<3x2x3x5xf32>, %init: tensor<1x7x7x5xf32>) -> tensor<1x7x7x5xf32> {
  %y = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<1x9x8x3xf32>, tensor<3x2x3x5xf32>) outs(%init : tensor<1x7x7x5xf32>) -> tensor<1x7x7x5xf32>
  return %y : tensor<1x7x7x5xf32>
}
func.func @layer(%x: tensor<1x9x8x3xf32>, %w: tensor<3x2x3x5xf32>, %b: tensor<5xf32>) -> tensor<1x7x7x5xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x7x7x5xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<1x7x7x5xf32>) -> tensor<1x7x7x5xf32>
  %y = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<1x9x8x3xf32>, tensor<3x2x3x5xf32>) outs(%init : tensor<1x7x7x5xf32>) -> tensor<1x7x7x5xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(n, h, w, c) -> (n, h, w, c)>, affine_map<(n, h, w, c) -> (c)>, affine_map<(n, h, w, c) -> (n, h, w, c)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%y, %b : tensor<1x7x7x5xf32>, tensor<5xf32>) outs(%e : tensor<1x7x7x5xf32>) {
  ^bb0(%a: f32, %c: f32, %o: f32):
    %s = arith.addf %a, %c : f32
    %p = arith.maximumf %s, %zero : f32
    linalg.yield %p : f32
  } -> tensor<1x7x7x5xf32>
  return %r : tensor<1x7x7x5xf32>
}

//--- before.mlir
// A pair of results, one in an argument that was overwritten.
// CHECK-DAG: certified: @in_place: equal for all finite values where arguments are apart and may be overwritten
func.func @in_place(%x: tensor<7xf32>, %y: tensor<7xf32>) -> (tensor<7xf32>, tensor<7xf32>) {
  %s = arith.addf %x, %y : tensor<7xf32>
  %d = arith.subf %x, %y : tensor<7xf32>
  return %s, %d : tensor<7xf32>, tensor<7xf32>
}
// CHECK-DAG: certified: @alone: the same ops where arguments are apart and may be overwritten
func.func @alone(%x: tensor<7xf32>, %y: tensor<7xf32>) -> tensor<7xf32> {
  %s = linalg.add ins(%x, %y : tensor<7xf32>, tensor<7xf32>) outs(%x : tensor<7xf32>) -> tensor<7xf32>
  return %s : tensor<7xf32>
}
// What is read was overwritten before.
// CHECK-DAG: different: @too_early: element [{{.*}}]
func.func @too_early(%x: tensor<7xf32>, %y: tensor<7xf32>) -> (tensor<7xf32>, tensor<7xf32>) {
  %s = arith.addf %x, %y : tensor<7xf32>
  %d = arith.subf %x, %y : tensor<7xf32>
  return %s, %d : tensor<7xf32>, tensor<7xf32>
}
// CHECK-DAG: certified: @left: equal for all finite values where arguments are apart and may be overwritten
func.func @left(%x: tensor<7xf32>, %y: tensor<7xf32>) -> (tensor<7xf32>, i1, tensor<7xf32>) {
  %true = arith.constant true
  %s = arith.addf %x, %y : tensor<7xf32>
  %d = arith.mulf %x, %y : tensor<7xf32>
  return %s, %true, %d : tensor<7xf32>, i1, tensor<7xf32>
}
// CHECK-DAG: different: @left_in_other: element [{{.*}}]
func.func @left_in_other(%x: tensor<7xf32>, %y: tensor<7xf32>) -> (tensor<7xf32>, tensor<7xf32>) {
  %s = arith.addf %x, %y : tensor<7xf32>
  %d = arith.mulf %x, %y : tensor<7xf32>
  return %s, %d : tensor<7xf32>, tensor<7xf32>
}
// One result is returned, the other is left in an argument: types tell which.
// CHECK-DAG: certified: @partly: equal for all finite values where arguments are apart and may be overwritten
func.func @partly(%x: tensor<7xf32>, %y: tensor<5xf32>) -> (tensor<7xf32>, tensor<5xf32>, tensor<7xi8>) {
  %s = arith.addf %x, %x : tensor<7xf32>
  %d = arith.mulf %y, %y : tensor<5xf32>
  %c = arith.constant dense<3> : tensor<7xi8>
  return %s, %d, %c : tensor<7xf32>, tensor<5xf32>, tensor<7xi8>
}
// CHECK-DAG: certified: @partly_as_tensor: the same ops where arguments are apart and may be overwritten
func.func @partly_as_tensor(%x: tensor<7xf32>) -> (tensor<7xf32>, i32, tensor<5xf32>) {
  %s = arith.addf %x, %x : tensor<7xf32>
  %e = tensor.extract_slice %x[2] [5] [1] : tensor<7xf32> to tensor<5xf32>
  %n = arith.constant 8 : i32
  return %s, %n, %e : tensor<7xf32>, i32, tensor<5xf32>
}
// CHECK-DAG: different: @partly_other: element [{{.*}}]
func.func @partly_other(%x: tensor<7xf32>, %y: tensor<5xf32>) -> (tensor<7xf32>, tensor<5xf32>) {
  %s = arith.addf %x, %x : tensor<7xf32>
  %d = arith.mulf %y, %y : tensor<5xf32>
  return %s, %d : tensor<7xf32>, tensor<5xf32>
}
// What is returned is what was left before it was overwritten.
// CHECK-DAG: different: @partly_twice: element [{{.*}}]
func.func @partly_twice(%x: tensor<7xf32>) -> (tensor<7xf32>, tensor<1x7xf32>) {
  %s = arith.addf %x, %x : tensor<7xf32>
  %d = arith.mulf %x, %x : tensor<7xf32>
  %e = tensor.expand_shape %d [[0, 1]] output_shape [1, 7] : tensor<7xf32> into tensor<1x7xf32>
  return %s, %e : tensor<7xf32>, tensor<1x7xf32>
}
// CHECK-DAG: different: @partly_unwritten: element [{{.*}}]: the second function never writes it
func.func @partly_unwritten(%x: tensor<7xf32>, %y: tensor<5xf32>) -> (tensor<7xf32>, tensor<5xf32>) {
  return %x, %y : tensor<7xf32>, tensor<5xf32>
}
// Which of two results is left, types do not tell.
// CHECK-DAG: undecided: @partly_either:
func.func @partly_either(%x: tensor<7xf32>, %y: tensor<7xf32>) -> (tensor<7xf32>, tensor<7xf32>) {
  %s = arith.addf %x, %y : tensor<7xf32>
  %d = arith.mulf %x, %y : tensor<7xf32>
  return %s, %d : tensor<7xf32>, tensor<7xf32>
}
// What is left is returned as well.
// CHECK-DAG: different: @partly_same: element [{{.*}}]
func.func @partly_same(%x: tensor<7xf32>) -> (tensor<7xf32>, tensor<1x7xf32>) {
  %e = tensor.expand_shape %x [[0, 1]] output_shape [1, 7] : tensor<7xf32> into tensor<1x7xf32>
  %s = arith.addf %x, %x : tensor<7xf32>
  return %s, %e : tensor<7xf32>, tensor<1x7xf32>
}
// CHECK-DAG: different: @left_in_part: element [6]: the second function never writes it
func.func @left_in_part(%x: tensor<7xf32>) -> tensor<7xf32> {
  return %x : tensor<7xf32>
}
// CHECK-DAG: undecided: @left_of_dynamic_size: {{.*}}a result of dynamic size in an argument
func.func @left_of_dynamic_size(%x: tensor<?xf32>) -> tensor<?xf32> {
  return %x : tensor<?xf32>
}
// One argument is missing.
// CHECK-DAG: undecided: @fewer: {{.*}}func.func: buffers that may be the same memory
func.func @fewer(%x: tensor<7xf32>, %y: tensor<7xf32>, %z: tensor<7xf32>) -> tensor<7xf32> {
  return %x : tensor<7xf32>
}
// CHECK-DAG: certified: @freed:
func.func @freed(%x: tensor<7xf32>) -> tensor<7xf32> {
  %r = arith.addf %x, %x : tensor<7xf32>
  return %r : tensor<7xf32>
}
// CHECK-DAG: undecided: @freed_too_early: {{.*}}a buffer that comes from somewhere unknown
func.func @freed_too_early(%x: tensor<7xf32>) -> tensor<7xf32> {
  return %x : tensor<7xf32>
}
// CHECK-DAG: undecided: @freed_twice: {{.*}}memref.dealloc: a buffer that is freed twice
func.func @freed_twice(%x: tensor<7xf32>) -> tensor<7xf32> {
  return %x : tensor<7xf32>
}
// CHECK-DAG: undecided: @freed_of_caller: {{.*}}memref.dealloc: a buffer that is freed where it is not allocated
func.func @freed_of_caller(%x: tensor<7xf32>) -> tensor<7xf32> {
  return %x : tensor<7xf32>
}
// CHECK-DAG: undecided: @freed_by_owner: {{.*}}bufferization.dealloc: a number that says who owns a buffer
func.func @freed_by_owner(%x: tensor<7xf32>) -> (tensor<7xf32>, i1) {
  %true = arith.constant true
  return %x, %true : tensor<7xf32>, i1
}
// Memory that ends with the function, or a tensor of what is freed, is left.
// CHECK-DAG: undecided: @left_on_stack: {{.*}}memref.alloca: memory on the stack that is returned
func.func @left_on_stack(%x: tensor<7xf32>) -> tensor<7xf32> {
  return %x : tensor<7xf32>
}
// CHECK-DAG: undecided: @tensor_on_stack: {{.*}}bufferization.to_tensor: a tensor of memory on the stack
func.func @tensor_on_stack(%x: tensor<7xf32>) -> tensor<7xf32> {
  return %x : tensor<7xf32>
}
// CHECK-DAG: undecided: @freed_as_tensor: {{.*}}bufferization.dealloc: a buffer that is used after a tensor or a clone was made of it
func.func @freed_as_tensor(%x: tensor<7xf32>) -> tensor<7xf32> {
  return %x : tensor<7xf32>
}
// CHECK-DAG: undecided: @freed_as_view: {{.*}}memref.dealloc: a view that is freed in the place of its buffer
func.func @freed_as_view(%x: tensor<7xf32>) -> tensor<7xf32> {
  return %x : tensor<7xf32>
}
// CHECK-DAG: certified: @freed_as_cast:
func.func @freed_as_cast(%x: tensor<7xf32>) -> tensor<7xf32> {
  return %x : tensor<7xf32>
}
// CHECK-DAG: undecided: @not_writable: {{.*}}argument 0, which is overwritten, but not 'bufferization.writable'
func.func @not_writable(%x: tensor<7xf32> {bufferization.writable = false}) -> tensor<7xf32> {
  %r = arith.addf %x, %x : tensor<7xf32>
  return %r : tensor<7xf32>
}
// CHECK-DAG: certified: @writable:
func.func @writable(%x: tensor<7xf32> {bufferization.writable = true}) -> tensor<7xf32> {
  %r = arith.addf %x, %x : tensor<7xf32>
  return %r : tensor<7xf32>
}
// What is copied is as large as where it is copied to.
// CHECK-DAG: undecided: @copied_to_more: {{.*}}linalg.copy: sizes of operands that do not agree, in dimension 0
// CHECK-DAG: undecided: @put_into_more: {{.*}}linalg.copy: sizes of operands that do not agree, in dimension 0
// CHECK-DAG: different: @copied_to_cast: sizes of operands that do not agree, in dimension 0
func.func @copied_to_more(%x: tensor<?xf32>) -> tensor<?xf32> {
  return %x : tensor<?xf32>
}
func.func @put_into_more(%x: tensor<?xf32>) -> tensor<?xf32> {
  return %x : tensor<?xf32>
}
func.func @copied_to_cast(%x: tensor<7xf32>) -> tensor<7xf32> {
  return %x : tensor<7xf32>
}
// CHECK-DAG: undecided: @promises_of_result: {{.*}}result 0, of which only the second function says 'llvm.align'
func.func @promises_of_result(%x: tensor<7xf32>) -> tensor<7xf32> {
  return %x : tensor<7xf32>
}
// CHECK-DAG: certified: @cloned:
func.func @cloned(%x: tensor<7xf32>) -> tensor<7xf32> {
  return %x : tensor<7xf32>
}
// CHECK-DAG: undecided: @cloned_too_early: {{.*}}a buffer that is used after a tensor or a clone was made of it
func.func @cloned_too_early(%x: tensor<7xf32>, %y: tensor<7xf32>) -> tensor<7xf32> {
  return %x : tensor<7xf32>
}
// CHECK-DAG: certified: @copied:
// CHECK-DAG: different: @not_copied:
func.func @copied(%x: tensor<?xf32>) -> tensor<?xf32> {
  return %x : tensor<?xf32>
}
func.func @not_copied(%x: tensor<?xf32>) -> tensor<?xf32> {
  return %x : tensor<?xf32>
}
// CHECK-DAG: certified: @loops:
// CHECK-DAG: different: @other_loops: element [{{.*}}]
// CHECK-DAG: undecided: @reduced: {{.*}}affine.parallel
func.func @loops(%x: tensor<9x8xf32>, %init: tensor<9x8xf32>) -> tensor<9x8xf32> {
  %s = arith.addf %x, %init : tensor<9x8xf32>
  %last = tensor.extract_slice %init[0, 7] [9, 1] [1, 1] : tensor<9x8xf32> to tensor<9x1xf32>
  %r = tensor.insert_slice %last into %s[0, 7] [9, 1] [1, 1] : tensor<9x1xf32> into tensor<9x8xf32>
  return %r : tensor<9x8xf32>
}
func.func @other_loops(%x: tensor<9x8xf32>, %init: tensor<9x8xf32>) -> tensor<9x8xf32> {
  %r = arith.addf %x, %init : tensor<9x8xf32>
  return %r : tensor<9x8xf32>
}
func.func @reduced(%x: tensor<7xf32>, %init: tensor<1xf32>) -> tensor<1xf32> {
  return %init : tensor<1xf32>
}

//--- after.mlir
func.func @in_place(%x: memref<7xf32, strided<[?], offset: ?>>, %y: memref<7xf32>) -> (memref<7xf32>, memref<7xf32, strided<[?], offset: ?>>) {
  %s = memref.alloc() : memref<7xf32>
  linalg.add ins(%x, %y : memref<7xf32, strided<[?], offset: ?>>, memref<7xf32>) outs(%s : memref<7xf32>)
  linalg.sub ins(%x, %y : memref<7xf32, strided<[?], offset: ?>>, memref<7xf32>) outs(%x : memref<7xf32, strided<[?], offset: ?>>)
  return %s, %x : memref<7xf32>, memref<7xf32, strided<[?], offset: ?>>
}
func.func @alone(%x: memref<7xf32>, %y: memref<7xf32>) -> memref<7xf32> {
  linalg.add ins(%x, %y : memref<7xf32>, memref<7xf32>) outs(%x : memref<7xf32>)
  return %x : memref<7xf32>
}
func.func @too_early(%x: memref<7xf32>, %y: memref<7xf32>) -> (memref<7xf32>, memref<7xf32>) {
  %s = memref.alloc() : memref<7xf32>
  linalg.sub ins(%x, %y : memref<7xf32>, memref<7xf32>) outs(%x : memref<7xf32>)
  linalg.add ins(%x, %y : memref<7xf32>, memref<7xf32>) outs(%s : memref<7xf32>)
  return %s, %x : memref<7xf32>, memref<7xf32>
}
func.func @left(%x: memref<7xf32>, %y: memref<7xf32>, %s: memref<7xf32>, %d: memref<7xf32>) -> i1 {
  %true = arith.constant true
  linalg.add ins(%x, %y : memref<7xf32>, memref<7xf32>) outs(%s : memref<7xf32>)
  linalg.mul ins(%x, %y : memref<7xf32>, memref<7xf32>) outs(%d : memref<7xf32>)
  return %true : i1
}
func.func @left_in_other(%x: memref<7xf32>, %y: memref<7xf32>, %s: memref<7xf32>, %d: memref<7xf32>) {
  linalg.add ins(%x, %y : memref<7xf32>, memref<7xf32>) outs(%d : memref<7xf32>)
  linalg.mul ins(%x, %y : memref<7xf32>, memref<7xf32>) outs(%s : memref<7xf32>)
  return
}
func.func @partly(%x: memref<7xf32>, %y: memref<5xf32>, %d: memref<5xf32>, %c: memref<7xi8>) -> memref<7xf32> {
  %three = arith.constant 3 : i8
  linalg.add ins(%x, %x : memref<7xf32>, memref<7xf32>) outs(%x : memref<7xf32>)
  linalg.mul ins(%y, %y : memref<5xf32>, memref<5xf32>) outs(%d : memref<5xf32>)
  linalg.fill ins(%three : i8) outs(%c : memref<7xi8>)
  return %x : memref<7xf32>
}
func.func @partly_as_tensor(%x: tensor<7xf32>, %e: memref<5xf32>) -> (tensor<7xf32>, i32) {
  %s = arith.addf %x, %x : tensor<7xf32>
  %b = bufferization.to_buffer %x : tensor<7xf32> to memref<7xf32>
  %v = memref.subview %b[2] [5] [1] : memref<7xf32> to memref<5xf32, strided<[1], offset: 2>>
  memref.copy %v, %e : memref<5xf32, strided<[1], offset: 2>> to memref<5xf32>
  %n = arith.constant 8 : i32
  return %s, %n : tensor<7xf32>, i32
}
func.func @partly_other(%x: memref<7xf32>, %y: memref<5xf32>, %d: memref<5xf32>) -> memref<7xf32> {
  %s = memref.alloc() : memref<7xf32>
  linalg.add ins(%x, %x : memref<7xf32>, memref<7xf32>) outs(%s : memref<7xf32>)
  linalg.add ins(%y, %y : memref<5xf32>, memref<5xf32>) outs(%d : memref<5xf32>)
  return %s : memref<7xf32>
}
func.func @partly_twice(%x: memref<7xf32>, %d: memref<1x7xf32>) -> memref<7xf32> {
  %v = memref.collapse_shape %d [[0, 1]] : memref<1x7xf32> into memref<7xf32>
  linalg.add ins(%x, %x : memref<7xf32>, memref<7xf32>) outs(%v : memref<7xf32>)
  linalg.mul ins(%x, %x : memref<7xf32>, memref<7xf32>) outs(%v : memref<7xf32>)
  return %v : memref<7xf32>
}
func.func @partly_unwritten(%x: memref<7xf32>, %y: memref<5xf32>, %d: memref<5xf32>) -> memref<7xf32> {
  return %x : memref<7xf32>
}
func.func @partly_either(%x: memref<7xf32>, %y: memref<7xf32>, %d: memref<7xf32>) -> memref<7xf32> {
  %s = memref.alloc() : memref<7xf32>
  linalg.add ins(%x, %y : memref<7xf32>, memref<7xf32>) outs(%s : memref<7xf32>)
  linalg.mul ins(%x, %y : memref<7xf32>, memref<7xf32>) outs(%d : memref<7xf32>)
  return %s : memref<7xf32>
}
func.func @partly_same(%x: memref<7xf32>, %e: memref<1x7xf32>) -> memref<7xf32> {
  %v = memref.collapse_shape %e [[0, 1]] : memref<1x7xf32> into memref<7xf32>
  memref.copy %x, %v : memref<7xf32> to memref<7xf32>
  linalg.add ins(%x, %x : memref<7xf32>, memref<7xf32>) outs(%v : memref<7xf32>)
  return %v : memref<7xf32>
}
func.func @left_in_part(%x: memref<7xf32>, %r: memref<7xf32>) {
  affine.for %i = 0 to 6 {
    %e = affine.load %x[%i] : memref<7xf32>
    affine.store %e, %r[%i] : memref<7xf32>
  }
  return
}
func.func @left_of_dynamic_size(%x: memref<?xf32>, %r: memref<?xf32>) {
  linalg.copy ins(%x : memref<?xf32>) outs(%r : memref<?xf32>)
  return
}
func.func @fewer(%x: memref<7xf32>, %y: memref<7xf32>) -> memref<7xf32> {
  return %x : memref<7xf32>
}
func.func @freed(%x: memref<7xf32>) -> memref<7xf32> {
  %true = arith.constant true
  %false = arith.constant false
  %a = memref.alloc() : memref<7xf32>
  %b = memref.alloc() : memref<7xf32>
  memref.copy %x, %a : memref<7xf32> to memref<7xf32>
  linalg.add ins(%x, %a : memref<7xf32>, memref<7xf32>) outs(%b : memref<7xf32>)
  memref.dealloc %a : memref<7xf32>
  bufferization.dealloc (%b, %x : memref<7xf32>, memref<7xf32>) if (%true, %false) retain (%b : memref<7xf32>)
  return %b : memref<7xf32>
}
func.func @freed_too_early(%x: memref<7xf32>) -> memref<7xf32> {
  %a = memref.alloc() : memref<7xf32>
  memref.copy %x, %a : memref<7xf32> to memref<7xf32>
  memref.dealloc %a : memref<7xf32>
  return %a : memref<7xf32>
}
func.func @freed_twice(%x: memref<7xf32>) -> memref<7xf32> {
  %true = arith.constant true
  %a = memref.alloc() : memref<7xf32>
  bufferization.dealloc (%a : memref<7xf32>) if (%true)
  memref.dealloc %a : memref<7xf32>
  return %x : memref<7xf32>
}
func.func @freed_of_caller(%x: memref<7xf32>) -> memref<7xf32> {
  %a = memref.alloc() : memref<7xf32>
  memref.copy %x, %a : memref<7xf32> to memref<7xf32>
  memref.dealloc %x : memref<7xf32>
  return %a : memref<7xf32>
}
func.func @freed_by_owner(%x: memref<7xf32>) -> (memref<7xf32>, i1) {
  %true = arith.constant true
  %a = memref.alloc() : memref<7xf32>
  %owns = bufferization.dealloc (%a : memref<7xf32>) if (%true) retain (%x : memref<7xf32>)
  return %x, %owns : memref<7xf32>, i1
}
func.func @left_on_stack(%x: memref<7xf32>) -> memref<7xf32> {
  %a = memref.alloca() : memref<7xf32>
  memref.copy %x, %a : memref<7xf32> to memref<7xf32>
  return %a : memref<7xf32>
}
func.func @tensor_on_stack(%x: memref<7xf32>) -> tensor<7xf32> {
  %a = memref.alloca() : memref<7xf32>
  memref.copy %x, %a : memref<7xf32> to memref<7xf32>
  %r = bufferization.to_tensor %a restrict : memref<7xf32> to tensor<7xf32>
  return %r : tensor<7xf32>
}
func.func @freed_as_tensor(%x: memref<7xf32>) -> tensor<7xf32> {
  %true = arith.constant true
  %a = memref.alloc() : memref<7xf32>
  memref.copy %x, %a : memref<7xf32> to memref<7xf32>
  %r = bufferization.to_tensor %a restrict : memref<7xf32> to tensor<7xf32>
  bufferization.dealloc (%a : memref<7xf32>) if (%true)
  return %r : tensor<7xf32>
}
func.func @freed_as_view(%x: memref<7xf32>) -> memref<7xf32> {
  %a = memref.alloc() : memref<7xf32>
  %part = memref.subview %a[2] [2] [1] : memref<7xf32> to memref<2xf32, strided<[1], offset: 2>>
  memref.dealloc %part : memref<2xf32, strided<[1], offset: 2>>
  return %x : memref<7xf32>
}
func.func @freed_as_cast(%x: memref<7xf32>) -> memref<7xf32> {
  %a = memref.alloc() : memref<7xf32>
  %other = memref.cast %a : memref<7xf32> to memref<?xf32>
  memref.dealloc %other : memref<?xf32>
  return %x : memref<7xf32>
}
func.func @not_writable(%x: memref<7xf32>) -> memref<7xf32> {
  linalg.add ins(%x, %x : memref<7xf32>, memref<7xf32>) outs(%x : memref<7xf32>)
  return %x : memref<7xf32>
}
func.func @writable(%x: memref<7xf32>) -> memref<7xf32> {
  linalg.add ins(%x, %x : memref<7xf32>, memref<7xf32>) outs(%x : memref<7xf32>)
  return %x : memref<7xf32>
}
func.func @copied_to_more(%x: memref<?xf32>) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %size = memref.dim %x, %c0 : memref<?xf32>
  %more = arith.addi %size, %c1 : index
  %a = memref.alloc(%more) : memref<?xf32>
  memref.copy %x, %a : memref<?xf32> to memref<?xf32>
  return %a : memref<?xf32>
}
func.func @put_into_more(%x: memref<?xf32>) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %size = memref.dim %x, %c0 : memref<?xf32>
  %more = arith.addi %size, %c1 : index
  %a = memref.alloc(%more) : memref<?xf32>
  %t = bufferization.to_tensor %x restrict : memref<?xf32> to tensor<?xf32>
  bufferization.materialize_in_destination %t in restrict writable %a : (tensor<?xf32>, memref<?xf32>) -> ()
  return %a : memref<?xf32>
}
func.func @copied_to_cast(%x: memref<7xf32>) -> memref<7xf32> {
  %c8 = arith.constant 8 : index
  %a = memref.alloc(%c8) : memref<?xf32>
  memref.copy %x, %a : memref<7xf32> to memref<?xf32>
  %r = memref.cast %a : memref<?xf32> to memref<7xf32>
  return %r : memref<7xf32>
}
func.func @promises_of_result(%x: memref<7xf32>) -> (memref<7xf32> {llvm.align = 64 : i64}) {
  return %x : memref<7xf32>
}
func.func @cloned(%x: memref<7xf32>) -> memref<7xf32> {
  %a = memref.alloc() : memref<7xf32>
  memref.copy %x, %a : memref<7xf32> to memref<7xf32>
  %b = bufferization.clone %a : memref<7xf32> to memref<7xf32>
  memref.dealloc %a : memref<7xf32>
  return %b : memref<7xf32>
}
func.func @cloned_too_early(%x: memref<7xf32>, %y: memref<7xf32>) -> memref<7xf32> {
  %a = memref.alloc() : memref<7xf32>
  memref.copy %x, %a : memref<7xf32> to memref<7xf32>
  %b = bufferization.clone %a : memref<7xf32> to memref<7xf32>
  memref.copy %y, %a : memref<7xf32> to memref<7xf32>
  return %b : memref<7xf32>
}
func.func @copied(%x: tensor<?xf32>) -> tensor<?xf32> {
  %r = bufferization.alloc_tensor() copy(%x) : tensor<?xf32>
  return %r : tensor<?xf32>
}
func.func @not_copied(%x: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %r = bufferization.alloc_tensor(%n) : tensor<?xf32>
  return %r : tensor<?xf32>
}
// Tiles, of which the last are smaller, and a condition.
func.func @loops(%x: memref<9x8xf32>, %init: memref<9x8xf32>) -> memref<9x8xf32> {
  affine.parallel (%t) = (0) to (9) step (4) {
    affine.for %i = affine_map<(t) -> (t)>(%t) to min affine_map<(t) -> (t + 4, 9)>(%t) {
      affine.for %j = 0 to 8 step 2 {
        %a = affine.load %x[%i, %j] : memref<9x8xf32>
        %b = affine.load %init[%i, %j] : memref<9x8xf32>
        %s = arith.addf %a, %b : f32
        affine.store %s, %init[%i, %j] : memref<9x8xf32>
        %c = affine.vector_load %x[%i, %j + 1] : memref<9x8xf32>, vector<1xf32>
        %d = affine.vector_load %init[%i, %j + 1] : memref<9x8xf32>, vector<1xf32>
        %u = arith.addf %c, %d : vector<1xf32>
        affine.if affine_set<(j) : (5 - j >= 0)>(%j) {
          affine.vector_store %u, %init[%i, %j + 1] : memref<9x8xf32>, vector<1xf32>
        }
      }
    }
  }
  return %init : memref<9x8xf32>
}
func.func @other_loops(%x: memref<9x8xf32>, %init: memref<9x8xf32>) -> memref<9x8xf32> {
  affine.for %t = 0 to 9 step 4 {
    affine.for %i = max affine_map<(t) -> (t, 1)>(%t) to min affine_map<(t) -> (t + 4, 9)>(%t) {
      affine.for %j = 0 to 8 {
        %a = affine.load %x[%i, %j] : memref<9x8xf32>
        %b = affine.load %init[%i, %j] : memref<9x8xf32>
        %s = arith.addf %a, %b : f32
        affine.store %s, %init[%i, %j] : memref<9x8xf32>
      }
    }
  }
  return %init : memref<9x8xf32>
}
func.func @reduced(%x: memref<7xf32>, %init: memref<1xf32>) -> memref<1xf32> {
  %c0 = arith.constant 0 : index
  %r = affine.parallel (%i) = (0) to (7) reduce ("addf") -> f32 {
    %a = affine.load %x[%i] : memref<7xf32>
    affine.yield %a : f32
  }
  memref.store %r, %init[%c0] : memref<1xf32>
  return %init : memref<1xf32>
}
