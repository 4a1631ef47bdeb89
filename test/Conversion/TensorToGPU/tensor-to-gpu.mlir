// RUN: convoy-opt %s --convoy-outline-kernels --cse --split-input-file | FileCheck %s

#id = affine_map<(i, j) -> (i, j)>
// CHECK-LABEL: func @relu(
// CHECK-SAME:    %[[X:.*]]: tensor<3x5xf32>, %[[INIT:.*]]: tensor<3x5xf32>)
// CHECK:         %[[R:.*]] = convoy.launch @kernels::@relu_0 grid [1, 1, 1] ins(%[[X]] : tensor<3x5xf32>) outs(%[[INIT]] : tensor<3x5xf32>) -> tensor<3x5xf32>
// CHECK-NEXT:    return %[[R]]
func.func @relu(%x: tensor<3x5xf32>, %init: tensor<3x5xf32>) -> tensor<3x5xf32> {
  %zero = arith.constant 0.0 : f32
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<3x5xf32>) outs(%init : tensor<3x5xf32>) {
  ^bb0(%e: f32, %out: f32):
    %m = arith.maximumf %e, %zero : f32
    linalg.yield %m : f32
  } -> tensor<3x5xf32>
  return %r : tensor<3x5xf32>
}

// CHECK-LABEL: gpu.module @kernels
// CHECK:       gpu.func @relu_0(%[[XS:.*]]: memref<15xf32>, %[[RS:.*]]: memref<15xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>}
// CHECK:         %[[ITEM:.*]] = gpu.thread_id x
// CHECK:         arith.cmpi ult, %[[ITEM]], %c15
// CHECK:         scf.if
// CHECK:           memref.load %[[XS]]
// CHECK:           arith.maximumf
// CHECK:           memref.store %{{.*}}, %[[RS]]

// -----

// For a batch, rows of workgroups along z are as many as its images need; its
// size is the kernel's last argument, and strides in affine addresses.
#image = affine_map<(c, n) -> (c, n)>
// CHECK-LABEL: func @images(
// CHECK-SAME:    %[[X:.*]]: tensor<300x?xf32>, %[[INIT:.*]]: tensor<300x?xf32>)
// CHECK:         %[[N:.*]] = tensor.dim %[[X]]
// CHECK:         convoy.launch @kernels::@images_0 grid [5, 1, 1] batch(%[[N]]) groups [300, 320] ins(%[[X]] : tensor<300x?xf32>) outs(%[[INIT]] : tensor<300x?xf32>)
func.func @images(%x: tensor<300x?xf32>, %init: tensor<300x?xf32>) -> tensor<300x?xf32> {
  %r = linalg.generic {indexing_maps = [#image, #image], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<300x?xf32>) outs(%init : tensor<300x?xf32>) {
  ^bb0(%e: f32, %out: f32):
    %y = arith.negf %e : f32
    linalg.yield %y : f32
  } -> tensor<300x?xf32>
  return %r : tensor<300x?xf32>
}

// CHECK:       gpu.func @images_0(%[[XS:.*]]: memref<?xf32>, %[[RS:.*]]: memref<?xf32>, %[[BATCH:.*]]: i32) kernel
// CHECK:         %[[N:.*]] = arith.index_cast %[[BATCH]] : i32 to index
// CHECK-DAG:     %[[ROW:.*]] = gpu.block_id z
// CHECK-DAG:     arith.muli %[[ROW]], %c5
// CHECK:         %[[ALL:.*]] = arith.muli %[[N]], %c300
// CHECK:         arith.cmpi ult, %[[NUMBER:.*]], %[[ALL]]
// CHECK:         arith.remui %[[NUMBER]], %[[N]]
// CHECK:         arith.divui %[[NUMBER]], %[[N]]
// CHECK:         memref.store %{{.*}}, %[[RS]]

// -----

// A dimension of size 1 beside the batch is no part of an address.
#vector = affine_map<(n) -> (n)>
// CHECK-LABEL: func @dropped_before(
func.func @dropped_before(%x: tensor<1x?xf32>, %init: tensor<?xf32>) -> tensor<?xf32> {
  %c = tensor.collapse_shape %x [[0, 1]] : tensor<1x?xf32> into tensor<?xf32>
  %r = linalg.generic {indexing_maps = [#vector, #vector], iterator_types = ["parallel"]}
      ins(%c : tensor<?xf32>) outs(%init : tensor<?xf32>) {
  ^bb0(%e: f32, %out: f32):
    %y = arith.negf %e : f32
    linalg.yield %y : f32
  } -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// CHECK:       gpu.func @dropped_before_0(%[[XS:.*]]: memref<?xf32>, %[[RS:.*]]: memref<?xf32>, %{{.*}}: i32) kernel
// CHECK:         memref.load %[[XS]][%[[I:.*]]]
// CHECK:         memref.store %{{.*}}, %[[RS]][%[[I]]]

// -----

// Pads, slices and rows are no tensors of their own; what is outside is not
// read.
#rows = affine_map<(w, f, k, c) -> (w, k, c)>
#filter = affine_map<(w, f, k, c) -> (k, c, f)>
#result = affine_map<(w, f, k, c) -> (w, f)>
// CHECK-LABEL: func @padded(
// CHECK-SAME:    %[[X:.*]]: tensor<7x4xf16>, %[[F:.*]]: tensor<3x4x5xf16>, %[[INIT:.*]]: tensor<7x5xf32>)
// CHECK-NEXT:    %[[R:.*]] = convoy.launch @kernels::@padded_0 grid [1, 1, 1] ins(%[[X]], %[[F]] : tensor<7x4xf16>, tensor<3x4x5xf16>) outs(%[[INIT]] : tensor<7x5xf32>)
// CHECK-NEXT:    return %[[R]]
func.func @padded(%x: tensor<7x4xf16>, %filter: tensor<3x4x5xf16>, %init: tensor<7x5xf32>) -> tensor<7x5xf32> {
  %zero = arith.constant 0.0 : f16
  %padded = tensor.pad %x low[1, 0] high[1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f16
  } : tensor<7x4xf16> to tensor<9x4xf16>
  %batch = tensor.expand_shape %padded [[0, 1], [2]] output_shape [1, 9, 4] : tensor<9x4xf16> into tensor<1x9x4xf16>
  %rows = convoy.im2col %batch layout(nwc, nw|wc) : tensor<1x9x4xf16> -> tensor<1x7x3x4xf16>
  %slice = tensor.extract_slice %rows[0, 0, 0, 0] [1, 7, 3, 4] [1, 1, 1, 1] : tensor<1x7x3x4xf16> to tensor<7x3x4xf16>
  %r = linalg.generic {indexing_maps = [#rows, #filter, #result], iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%slice, %filter : tensor<7x3x4xf16>, tensor<3x4x5xf16>) outs(%init : tensor<7x5xf32>) {
  ^bb0(%a: f16, %b: f16, %sum: f32):
    %wideA = arith.extf %a : f16 to f32
    %wideB = arith.extf %b : f16 to f32
    %product = arith.mulf %wideA, %wideB : f32
    %next = arith.addf %sum, %product : f32
    linalg.yield %next : f32
  } -> tensor<7x5xf32>
  return %r : tensor<7x5xf32>
}

// The init is read where the result is written.
// CHECK:       gpu.func @padded_0(%[[XS:.*]]: memref<28xf16>, %[[FS:.*]]: memref<60xf16>, %[[RS:.*]]: memref<35xf32>) kernel
// CHECK:         scf.if
// CHECK:           %[[START:.*]] = memref.load %[[RS]][%[[PLACE:.*]]]
// CHECK:           %[[SUM:.*]] = scf.for %[[K:.*]] = %{{.*}} to %c3 {{.*}} iter_args(%{{.*}} = %[[START]])
// CHECK:             scf.for
// CHECK:               %[[INSIDE:.*]] = arith.cmpi ult, %{{.*}}, %c7
// CHECK:               %[[SAFE:.*]] = arith.select %[[INSIDE]], %{{.*}}, %c0
// CHECK:               %[[READ:.*]] = memref.load %[[XS]][%[[SAFE]]]
// CHECK:               arith.select %[[INSIDE]], %[[READ]], %{{.*}} : f16
// CHECK:               memref.load %[[FS]]
// CHECK:           memref.store %[[SUM]], %[[RS]][%[[PLACE]]]

// -----

// A result that goes into a slice is written there.
// CHECK-LABEL: func @phase(
// CHECK-SAME:    %[[X:.*]]: tensor<4xi32>, %[[INIT:.*]]: tensor<9xi32>)
// CHECK-NEXT:    %[[R:.*]] = convoy.launch @kernels::@phase_0 grid [1, 1, 1] ins(%[[X]] : tensor<4xi32>) outs(%[[INIT]] : tensor<9xi32>)
// CHECK-NEXT:    return %[[R]]
#one = affine_map<(i) -> (i)>
func.func @phase(%x: tensor<4xi32>, %init: tensor<9xi32>) -> tensor<9xi32> {
  %old = tensor.extract_slice %init[1] [4] [2] : tensor<9xi32> to tensor<4xi32>
  %sum = linalg.generic {indexing_maps = [#one, #one], iterator_types = ["parallel"]}
      ins(%x : tensor<4xi32>) outs(%old : tensor<4xi32>) {
  ^bb0(%e: i32, %out: i32):
    %s = arith.addi %e, %out : i32
    linalg.yield %s : i32
  } -> tensor<4xi32>
  %r = tensor.insert_slice %sum into %init[1] [4] [2] : tensor<4xi32> into tensor<9xi32>
  return %r : tensor<9xi32>
}
// CHECK:       gpu.func @phase_0(%[[XS:.*]]: memref<4xi32>, %[[RS:.*]]: memref<9xi32>) kernel
// CHECK:           %[[TWICE:.*]] = arith.muli %{{.*}}, %c2
// CHECK:           %[[PLACE:.*]] = arith.addi %[[TWICE]], %c1
// CHECK:           %[[OLD:.*]] = memref.load %[[RS]][%[[PLACE]]]
// CHECK:           memref.store %{{.*}}, %[[RS]][%[[PLACE]]]

// -----

// More elements than one dimension of a grid has workgroups for.
// CHECK-LABEL: func @large(
// CHECK:         convoy.launch @kernels::@large_0 grid [65535, 2, 1]
func.func @large(%init: tensor<5000001xf32>) -> tensor<5000001xf32> {
  %one = arith.constant 1.0 : f32
  %r = linalg.fill ins(%one : f32) outs(%init : tensor<5000001xf32>) -> tensor<5000001xf32>
  return %r : tensor<5000001xf32>
}
// CHECK:       gpu.func @large_0
// CHECK:         gpu.block_id y

// -----

// There is nothing to compute, but a binary has a kernel.
// CHECK-LABEL: func @empty(
// CHECK-SAME:    %[[INIT:.*]]: tensor<3x0xf32>
// CHECK-NEXT:    return %[[INIT]]
func.func @empty(%init: tensor<3x0xf32>) -> tensor<3x0xf32> {
  %one = arith.constant 1.0 : f32
  %r = linalg.fill ins(%one : f32) outs(%init : tensor<3x0xf32>) -> tensor<3x0xf32>
  return %r : tensor<3x0xf32>
}
// CHECK:       gpu.func @idle() kernel attributes {known_block_size = array<i32: 1, 1, 1>}

// -----

// Each channel by its own filter: four channels are a work-item's.
#rows = affine_map<(w, g, k) -> (w + k, g)>
#filter = affine_map<(w, g, k) -> (k, g)>
#result = affine_map<(w, g, k) -> (w, g)>
// CHECK-LABEL: func @depthwise(
// CHECK:         convoy.launch @kernels::@depthwise_0 grid [1, 1, 1]
func.func @depthwise(%x: tensor<9x8xf32>, %w: tensor<3x8xf32>, %init: tensor<7x8xf32>) -> tensor<7x8xf32> {
  %r = linalg.generic {indexing_maps = [#rows, #filter, #result], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<9x8xf32>, tensor<3x8xf32>) outs(%init : tensor<7x8xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %product = arith.mulf %a, %b : f32
    %next = arith.addf %acc, %product : f32
    linalg.yield %next : f32
  } -> tensor<7x8xf32>
  return %r : tensor<7x8xf32>
}
// CHECK:       gpu.func @depthwise_0(%[[XS:.*]]: memref<72xf32>, %[[WS:.*]]: memref<24xf32>, %[[RS:.*]]: memref<56xf32>)
// CHECK:         %[[START:.*]] = vector.load %[[RS]]
// CHECK:         %[[SUM:.*]] = scf.for {{.*}} iter_args(%{{.*}} = %[[START]]) -> (vector<4xf32>)
// CHECK:           vector.load %[[XS]]
// CHECK:           vector.load %[[WS]]
// CHECK:         vector.store %[[SUM]], %[[RS]]
