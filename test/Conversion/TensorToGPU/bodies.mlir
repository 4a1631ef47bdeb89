// What bodies take from outside, ask for and yield.
// RUN: convoy-opt %s --convoy-outline-kernels --cse --split-input-file | FileCheck %s

// A number that is the same for all elements is read and computed once, at the
// kernel's start.
#id = affine_map<(i, j) -> (i, j)>
// CHECK-LABEL: func @scaled(
// CHECK-SAME:    %[[X:.*]]: tensor<3x8xf32>, %[[ALPHA:.*]]: tensor<f32>, %[[INIT:.*]]: tensor<3x8xf32>)
// CHECK-NEXT:    convoy.launch @kernels::@scaled_0 {{.*}} ins(%[[X]], %[[ALPHA]] : tensor<3x8xf32>, tensor<f32>)
// CHECK:       gpu.func @scaled_0(%[[XS:.*]]: memref<24xf32>, %[[ALPHAS:.*]]: memref<1xf32>, %{{.*}}: memref<24xf32>)
// CHECK:         %[[NUMBER:.*]] = memref.load %[[ALPHAS]]
// CHECK:         %[[SCALE:.*]] = arith.negf %[[NUMBER]]
// CHECK:         %[[ROW:.*]] = vector.load %[[XS]]
// CHECK:         %[[SCALES:.*]] = vector.broadcast %[[SCALE]] : f32 to vector<4xf32>
// CHECK:         arith.mulf %[[ROW]], %[[SCALES]]
func.func @scaled(%x: tensor<3x8xf32>, %alpha: tensor<f32>, %init: tensor<3x8xf32>) -> tensor<3x8xf32> {
  %number = tensor.extract %alpha[] : tensor<f32>
  %scale = arith.negf %number : f32
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<3x8xf32>) outs(%init : tensor<3x8xf32>) {
  ^bb0(%e: f32, %out: f32):
    %y = arith.mulf %e, %scale : f32
    linalg.yield %y : f32
  } -> tensor<3x8xf32>
  return %r : tensor<3x8xf32>
}

// -----

// An element that the function computes is read where it was written.
// CHECK-LABEL: func @shifted(
// CHECK:         %[[SUM:.*]] = convoy.launch @kernels::@shifted_0
// CHECK:         convoy.launch @kernels::@shifted_1 {{.*}} ins(%[[SUM]] : tensor<f32>)
func.func @shifted(%x: tensor<5xf32>, %zero: tensor<f32>, %init: tensor<3xf32>) -> tensor<3xf32> {
  %sum = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]}
      ins(%x : tensor<5xf32>) outs(%zero : tensor<f32>) {
  ^bb0(%e: f32, %out: f32):
    %y = arith.addf %e, %out : f32
    linalg.yield %y : f32
  } -> tensor<f32>
  %number = tensor.extract %sum[] : tensor<f32>
  %r = linalg.fill ins(%number : f32) outs(%init : tensor<3xf32>) -> tensor<3xf32>
  return %r : tensor<3xf32>
}

// -----

// Vectors lie along the last loop: the index of another one is theirs, too.
#id = affine_map<(i, j) -> (i, j)>
// CHECK-LABEL: func @numbered(
// CHECK:       gpu.func @numbered_0(
// CHECK:         %[[LAST:.*]] = arith.remui %{{.*}}, %c8
// CHECK:         %[[NUMBER:.*]] = arith.index_cast %[[LAST]] : index to i32
// CHECK:         memref.store %[[NUMBER]]
func.func @numbered(%init: tensor<3x8xi32>) -> tensor<3x8xi32> {
  %r = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]}
      outs(%init : tensor<3x8xi32>) {
  ^bb0(%out: i32):
    %j = linalg.index 1 : index
    %number = arith.index_cast %j : index to i32
    linalg.yield %number : i32
  } -> tensor<3x8xi32>
  return %r : tensor<3x8xi32>
}

// -----

// A place that the body computes may lie in what is padded.
#id = affine_map<(i) -> (i)>
// CHECK-LABEL: func @gathered(
// CHECK-SAME:    %[[X:.*]]: tensor<4xf32>
// CHECK:         %[[PADDED:.*]] = convoy.launch @kernels::@gathered_0 {{.*}} ins(%[[X]] : tensor<4xf32>)
// CHECK:         convoy.launch @kernels::@gathered_1 {{.*}} ins(%[[PADDED]] : tensor<6xf32>)
// CHECK:       gpu.func @gathered_1(%[[XS:.*]]: memref<6xf32>, %{{.*}}: memref<6xf32>)
// CHECK:         %[[PLACE:.*]] = arith.subi %c5, %{{.*}}
// CHECK:         memref.load %[[XS]][%[[PLACE]]]
func.func @gathered(%x: tensor<4xf32>, %init: tensor<6xf32>) -> tensor<6xf32> {
  %zero = arith.constant 0.0 : f32
  %c5 = arith.constant 5 : index
  %padded = tensor.pad %x low[1] high[1] {
  ^bb0(%i: index):
    tensor.yield %zero : f32
  } : tensor<4xf32> to tensor<6xf32>
  %r = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%init : tensor<6xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %place = arith.subi %c5, %i : index
    %e = tensor.extract %padded[%place] : tensor<6xf32>
    linalg.yield %e : f32
  } -> tensor<6xf32>
  return %r : tensor<6xf32>
}

// -----

// A kernel for each result, with all that the body carries.
#rows = affine_map<(i, j) -> (i)>
// CHECK-LABEL: func @largest(
// CHECK:         convoy.launch @kernels::@largest_0
// CHECK:         convoy.launch @kernels::@largest_1
// CHECK:       gpu.func @largest_0(
// CHECK:         %[[BOTH:.*]]:2 = scf.for {{.*}} -> (f32, i32)
// CHECK:         memref.store %[[BOTH]]#0
// CHECK:       gpu.func @largest_1(
// CHECK:         %[[BOTH:.*]]:2 = scf.for {{.*}} -> (f32, i32)
// CHECK:         memref.store %[[BOTH]]#1
func.func @largest(%x: tensor<3x5xf32>, %least: tensor<3xf32>, %none: tensor<3xi32>) -> (tensor<3xf32>, tensor<3xi32>) {
  %r:2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, #rows, #rows], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<3x5xf32>) outs(%least, %none : tensor<3xf32>, tensor<3xi32>) {
  ^bb0(%e: f32, %most: f32, %place: i32):
    %j = linalg.index 1 : index
    %number = arith.index_cast %j : index to i32
    %isMore = arith.cmpf ogt, %e, %most : f32
    %more = arith.select %isMore, %e, %most : f32
    %there = arith.select %isMore, %number, %place : i32
    linalg.yield %more, %there : f32, i32
  } -> (tensor<3xf32>, tensor<3xi32>)
  return %r#0, %r#1 : tensor<3xf32>, tensor<3xi32>
}

// -----

// Truth values that are stored are bytes.
#id = affine_map<(i) -> (i)>
// CHECK-LABEL: func @kept(
// CHECK:         %[[WHERE:.*]] = convoy.launch @kernels::@kept_0 {{.*}} outs(%{{.*}} : tensor<3xi1>)
// CHECK-COUNT-2: ins(%[[WHERE]], %{{.*}} : tensor<3xi1>, tensor<3xf32>)
// CHECK:       gpu.func @kept_0(%{{.*}}: memref<3xf32>, %[[BYTES:[a-z0-9]+]]: memref<3xi8>)
// CHECK:         %[[IS:.*]] = arith.cmpf
// CHECK:         %[[BYTE:.*]] = arith.extui %[[IS]] : i1 to i8
// CHECK:         memref.store %[[BYTE]], %[[BYTES]]
// CHECK:       gpu.func @kept_1(%[[BYTES:[a-z0-9]+]]: memref<3xi8>
// CHECK:         %[[BYTE:.*]] = memref.load %[[BYTES]]
// CHECK:         arith.cmpi ne, %[[BYTE]], %c0_i8
func.func @kept(%x: tensor<3xf32>, %a: tensor<3xf32>, %b: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3xi1>
  %is = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<3xf32>) outs(%e : tensor<3xi1>) {
  ^bb0(%v: f32, %out: i1):
    %c = arith.cmpf ogt, %v, %zero : f32
    linalg.yield %c : i1
  } -> tensor<3xi1>
  %r = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%is, %x : tensor<3xi1>, tensor<3xf32>) outs(%a : tensor<3xf32>) {
  ^bb0(%c: i1, %v: f32, %out: f32):
    %y = arith.select %c, %v, %zero : f32
    linalg.yield %y : f32
  } -> tensor<3xf32>
  %s = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%is, %x : tensor<3xi1>, tensor<3xf32>) outs(%b : tensor<3xf32>) {
  ^bb0(%c: i1, %v: f32, %out: f32):
    %y = arith.select %c, %zero, %v : f32
    linalg.yield %y : f32
  } -> tensor<3xf32>
  return %r, %s : tensor<3xf32>, tensor<3xf32>
}
