// Kernels of a GPU where they are launched: loops in parallel over workgroups
// and, between two barriers, over work-items.
// RUN: rm -rf %t && split-file %s %t
// RUN: not convoy-certify %t/before.mlir %t/after.mlir | FileCheck %s --implicit-check-not=certified

//--- before.mlir
// Work-items read what others left before a barrier.
// CHECK-DAG: certified: @mirrored:
func.func @mirrored(%x: tensor<70xf32>) -> tensor<70xf32> {
  %e = tensor.expand_shape %x [[0, 1]] output_shape [7, 10] : tensor<70xf32> into tensor<7x10xf32>
  %i = tensor.empty() : tensor<7x10xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> (a, b)>], iterator_types = ["parallel", "parallel"]}
      ins(%e : tensor<7x10xf32>) outs(%i : tensor<7x10xf32>) {
  ^bb0(%v: f32, %o: f32):
    %a = linalg.index 0 : index
    %b = linalg.index 1 : index
    %c9 = arith.constant 9 : index
    %m = arith.subi %c9, %b : index
    %w = tensor.extract %e[%a, %m] : tensor<7x10xf32>
    %s = arith.addf %v, %w : f32
    linalg.yield %s : f32
  } -> tensor<7x10xf32>
  %c = tensor.collapse_shape %r [[0, 1]] : tensor<7x10xf32> into tensor<70xf32>
  return %c : tensor<70xf32>
}
// A branch that all work-items of a workgroup take.
// CHECK-DAG: certified: @in_branches:
func.func @in_branches(%x: tensor<70xf32>) -> tensor<70xf32> {
  %e = tensor.expand_shape %x [[0, 1]] output_shape [7, 10] : tensor<70xf32> into tensor<7x10xf32>
  %i = tensor.empty() : tensor<7x10xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> (a, b)>], iterator_types = ["parallel", "parallel"]}
      ins(%e : tensor<7x10xf32>) outs(%i : tensor<7x10xf32>) {
  ^bb0(%v: f32, %o: f32):
    %a = linalg.index 0 : index
    %b = linalg.index 1 : index
    %c9 = arith.constant 9 : index
    %m = arith.subi %c9, %b : index
    %w = tensor.extract %e[%a, %m] : tensor<7x10xf32>
    %s = arith.addf %v, %w : f32
    linalg.yield %s : f32
  } -> tensor<7x10xf32>
  %c = tensor.collapse_shape %r [[0, 1]] : tensor<7x10xf32> into tensor<70xf32>
  return %c : tensor<70xf32>
}
// CHECK-DAG: undecided: @no_barrier: {{.*}}an element that an iteration in parallel may write meanwhile
func.func @no_barrier(%x: tensor<70xf32>) -> tensor<70xf32> {
  %e = tensor.expand_shape %x [[0, 1]] output_shape [7, 10] : tensor<70xf32> into tensor<7x10xf32>
  %i = tensor.empty() : tensor<7x10xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> (a, b)>], iterator_types = ["parallel", "parallel"]}
      ins(%e : tensor<7x10xf32>) outs(%i : tensor<7x10xf32>) {
  ^bb0(%v: f32, %o: f32):
    %a = linalg.index 0 : index
    %b = linalg.index 1 : index
    %c9 = arith.constant 9 : index
    %m = arith.subi %c9, %b : index
    %w = tensor.extract %e[%a, %m] : tensor<7x10xf32>
    %s = arith.addf %v, %w : f32
    linalg.yield %s : f32
  } -> tensor<7x10xf32>
  %c = tensor.collapse_shape %r [[0, 1]] : tensor<7x10xf32> into tensor<70xf32>
  return %c : tensor<70xf32>
}
// CHECK-DAG: different: @another_element: element
func.func @another_element(%x: tensor<70xf32>) -> tensor<70xf32> {
  %e = tensor.expand_shape %x [[0, 1]] output_shape [7, 10] : tensor<70xf32> into tensor<7x10xf32>
  %i = tensor.empty() : tensor<7x10xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> (a, b)>], iterator_types = ["parallel", "parallel"]}
      ins(%e : tensor<7x10xf32>) outs(%i : tensor<7x10xf32>) {
  ^bb0(%v: f32, %o: f32):
    %a = linalg.index 0 : index
    %b = linalg.index 1 : index
    %c9 = arith.constant 9 : index
    %m = arith.subi %c9, %b : index
    %w = tensor.extract %e[%a, %m] : tensor<7x10xf32>
    %s = arith.addf %v, %w : f32
    linalg.yield %s : f32
  } -> tensor<7x10xf32>
  %c = tensor.collapse_shape %r [[0, 1]] : tensor<7x10xf32> into tensor<70xf32>
  return %c : tensor<70xf32>
}
// Not all work-items come to the barrier.
// CHECK-DAG: undecided: @some_wait: {{.*}}convoy.launch: an op whose meaning is not known
func.func @some_wait(%x: tensor<70xf32>) -> tensor<70xf32> {
  %e = tensor.expand_shape %x [[0, 1]] output_shape [7, 10] : tensor<70xf32> into tensor<7x10xf32>
  %i = tensor.empty() : tensor<7x10xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> (a, b)>], iterator_types = ["parallel", "parallel"]}
      ins(%e : tensor<7x10xf32>) outs(%i : tensor<7x10xf32>) {
  ^bb0(%v: f32, %o: f32):
    %a = linalg.index 0 : index
    %b = linalg.index 1 : index
    %c9 = arith.constant 9 : index
    %m = arith.subi %c9, %b : index
    %w = tensor.extract %e[%a, %m] : tensor<7x10xf32>
    %s = arith.addf %v, %w : f32
    linalg.yield %s : f32
  } -> tensor<7x10xf32>
  %c = tensor.collapse_shape %r [[0, 1]] : tensor<7x10xf32> into tensor<70xf32>
  return %c : tensor<70xf32>
}
// What a subgroup is depends on the device.
// CHECK-DAG: undecided: @lanes: {{.*}}convoy.launch: an op whose meaning is not known
func.func @lanes(%x: tensor<70xf32>) -> tensor<70xf32> {
  %e = tensor.expand_shape %x [[0, 1]] output_shape [7, 10] : tensor<70xf32> into tensor<7x10xf32>
  %i = tensor.empty() : tensor<7x10xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> (a, b)>], iterator_types = ["parallel", "parallel"]}
      ins(%e : tensor<7x10xf32>) outs(%i : tensor<7x10xf32>) {
  ^bb0(%v: f32, %o: f32):
    %a = linalg.index 0 : index
    %b = linalg.index 1 : index
    %c9 = arith.constant 9 : index
    %m = arith.subi %c9, %b : index
    %w = tensor.extract %e[%a, %m] : tensor<7x10xf32>
    %s = arith.addf %v, %w : f32
    linalg.yield %s : f32
  } -> tensor<7x10xf32>
  %c = tensor.collapse_shape %r [[0, 1]] : tensor<7x10xf32> into tensor<70xf32>
  return %c : tensor<70xf32>
}
// Tiles that work-items share, anew in each iteration.
// CHECK-DAG: certified: @tiles:
func.func @tiles(%a: tensor<8x12xf32>, %b: tensor<12x8xf32>, %c: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<8x12xf32>, tensor<12x8xf32>) outs(%c : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}
// The next tile may be written while this one is read.
// CHECK-DAG: undecided: @overtaken: {{.*}}convoy.launch: an op whose meaning is not known
func.func @overtaken(%a: tensor<8x12xf32>, %b: tensor<12x8xf32>, %c: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<8x12xf32>, tensor<12x8xf32>) outs(%c : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}
// CHECK-DAG: undecided: @too_early: {{.*}}an element that an iteration in parallel may write meanwhile
func.func @too_early(%a: tensor<8x12xf32>, %b: tensor<12x8xf32>, %c: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<8x12xf32>, tensor<12x8xf32>) outs(%c : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}
// More work-items than elements, each of which adds on its own.
// CHECK-DAG: certified: @sums:
func.func @sums(%x: tensor<20x7xf32>, %c: tensor<20xf32>) -> tensor<20xf32> {
  %r = linalg.reduce {arith.addf} ins(%x : tensor<20x7xf32>) outs(%c : tensor<20xf32>) dimensions = [1]
  return %r : tensor<20xf32>
}
// CHECK-DAG: certified: @groups:
func.func @groups(%x: tensor<20x7xf32>, %c: tensor<20xf32>) -> tensor<20xf32> {
  %r = linalg.reduce {arith.addf} ins(%x : tensor<20x7xf32>) outs(%c : tensor<20xf32>) dimensions = [1]
  return %r : tensor<20xf32>
}
// CHECK-DAG: different: @too_few_groups: element [{{1[6-9]}}]
func.func @too_few_groups(%x: tensor<20x7xf32>, %c: tensor<20xf32>) -> tensor<20xf32> {
  %r = linalg.reduce {arith.addf} ins(%x : tensor<20x7xf32>) outs(%c : tensor<20xf32>) dimensions = [1]
  return %r : tensor<20xf32>
}
// Two work-items add to one element.
// CHECK-DAG: different: @two_of_each: {{.*}}adds twice
func.func @two_of_each(%x: tensor<20x7xf32>, %c: tensor<20xf32>) -> tensor<20xf32> {
  %r = linalg.reduce {arith.addf} ins(%x : tensor<20x7xf32>) outs(%c : tensor<20xf32>) dimensions = [1]
  return %r : tensor<20xf32>
}
// CHECK-DAG: different: @again_in_another_group: {{.*}}adds twice
func.func @again_in_another_group(%x: tensor<20x7xf32>, %c: tensor<20xf32>) -> tensor<20xf32> {
  %r = linalg.reduce {arith.addf} ins(%x : tensor<20x7xf32>) outs(%c : tensor<20xf32>) dimensions = [1]
  return %r : tensor<20xf32>
}
// One buffer may be read and written by a launch.
// CHECK-DAG: certified: @in_place:
func.func @in_place(%m: memref<10xf32>) {
  %x = bufferization.to_tensor %m restrict writable : memref<10xf32> to tensor<10xf32>
  %e = tensor.empty() : tensor<10xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (9 - i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x : tensor<10xf32>) outs(%e : tensor<10xf32>) {
  ^bb0(%v: f32, %o: f32):
    linalg.yield %v : f32
  } -> tensor<10xf32>
  bufferization.materialize_in_destination %r in restrict writable %m : (tensor<10xf32>, memref<10xf32>) -> ()
  return
}
// CHECK-DAG: undecided: @in_place_at_once: {{.*}}an iteration that reads elements
func.func @in_place_at_once(%m: memref<10xf32>) {
  %x = bufferization.to_tensor %m restrict writable : memref<10xf32> to tensor<10xf32>
  %e = tensor.empty() : tensor<10xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (9 - i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x : tensor<10xf32>) outs(%e : tensor<10xf32>) {
  ^bb0(%v: f32, %o: f32):
    linalg.yield %v : f32
  } -> tensor<10xf32>
  bufferization.materialize_in_destination %r in restrict writable %m : (tensor<10xf32>, memref<10xf32>) -> ()
  return
}
// CHECK-DAG: undecided: @in_place_in_loops: {{.*}}convoy.launch: an op on memory whose meaning is not known
func.func @in_place_in_loops(%m: memref<10xf32>) {
  %x = bufferization.to_tensor %m restrict writable : memref<10xf32> to tensor<10xf32>
  %e = tensor.empty() : tensor<10xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (9 - i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x : tensor<10xf32>) outs(%e : tensor<10xf32>) {
  ^bb0(%v: f32, %o: f32):
    linalg.yield %v : f32
  } -> tensor<10xf32>
  bufferization.materialize_in_destination %r in restrict writable %m : (tensor<10xf32>, memref<10xf32>) -> ()
  return
}

//--- after.mlir
func.func @mirrored(%x: tensor<70xf32>) -> tensor<70xf32> {
  %e = tensor.empty() : tensor<70xf32>
  %r = convoy.launch @kernels::@mirrored grid [7, 1, 1] ins(%x : tensor<70xf32>) outs(%e : tensor<70xf32>) -> tensor<70xf32>
  return %r : tensor<70xf32>
}
func.func @in_branches(%x: tensor<70xf32>) -> tensor<70xf32> {
  %e = tensor.empty() : tensor<70xf32>
  %r = convoy.launch @kernels::@in_branches grid [7, 1, 1] ins(%x : tensor<70xf32>) outs(%e : tensor<70xf32>) -> tensor<70xf32>
  return %r : tensor<70xf32>
}
func.func @no_barrier(%x: tensor<70xf32>) -> tensor<70xf32> {
  %e = tensor.empty() : tensor<70xf32>
  %r = convoy.launch @kernels::@no_barrier grid [7, 1, 1] ins(%x : tensor<70xf32>) outs(%e : tensor<70xf32>) -> tensor<70xf32>
  return %r : tensor<70xf32>
}
func.func @another_element(%x: tensor<70xf32>) -> tensor<70xf32> {
  %e = tensor.empty() : tensor<70xf32>
  %r = convoy.launch @kernels::@another_element grid [7, 1, 1] ins(%x : tensor<70xf32>) outs(%e : tensor<70xf32>) -> tensor<70xf32>
  return %r : tensor<70xf32>
}
func.func @some_wait(%x: tensor<70xf32>) -> tensor<70xf32> {
  %e = tensor.empty() : tensor<70xf32>
  %r = convoy.launch @kernels::@some_wait grid [7, 1, 1] ins(%x : tensor<70xf32>) outs(%e : tensor<70xf32>) -> tensor<70xf32>
  return %r : tensor<70xf32>
}
func.func @lanes(%x: tensor<70xf32>) -> tensor<70xf32> {
  %e = tensor.empty() : tensor<70xf32>
  %r = convoy.launch @kernels::@lanes grid [7, 1, 1] ins(%x : tensor<70xf32>) outs(%e : tensor<70xf32>) -> tensor<70xf32>
  return %r : tensor<70xf32>
}
func.func @tiles(%a: tensor<8x12xf32>, %b: tensor<12x8xf32>, %c: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %r = convoy.launch @kernels::@tiles grid [2, 2, 1] ins(%a, %b : tensor<8x12xf32>, tensor<12x8xf32>) outs(%c : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}
func.func @overtaken(%a: tensor<8x12xf32>, %b: tensor<12x8xf32>, %c: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %r = convoy.launch @kernels::@overtaken grid [2, 2, 1] ins(%a, %b : tensor<8x12xf32>, tensor<12x8xf32>) outs(%c : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}
func.func @too_early(%a: tensor<8x12xf32>, %b: tensor<12x8xf32>, %c: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %r = convoy.launch @kernels::@too_early grid [2, 2, 1] ins(%a, %b : tensor<8x12xf32>, tensor<12x8xf32>) outs(%c : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}
func.func @sums(%x: tensor<20x7xf32>, %c: tensor<20xf32>) -> tensor<20xf32> {
  %r = convoy.launch @kernels::@sums grid [1, 1, 1] ins(%x : tensor<20x7xf32>) outs(%c : tensor<20xf32>) -> tensor<20xf32>
  return %r : tensor<20xf32>
}
func.func @groups(%x: tensor<20x7xf32>, %c: tensor<20xf32>) -> tensor<20xf32> {
  %r = convoy.launch @kernels::@groups grid [3, 1, 1] ins(%x : tensor<20x7xf32>) outs(%c : tensor<20xf32>) -> tensor<20xf32>
  return %r : tensor<20xf32>
}
func.func @too_few_groups(%x: tensor<20x7xf32>, %c: tensor<20xf32>) -> tensor<20xf32> {
  %r = convoy.launch @kernels::@too_few_groups grid [2, 1, 1] ins(%x : tensor<20x7xf32>) outs(%c : tensor<20xf32>) -> tensor<20xf32>
  return %r : tensor<20xf32>
}
func.func @two_of_each(%x: tensor<20x7xf32>, %c: tensor<20xf32>) -> tensor<20xf32> {
  %r = convoy.launch @kernels::@two_of_each grid [1, 1, 1] ins(%x : tensor<20x7xf32>) outs(%c : tensor<20xf32>) -> tensor<20xf32>
  return %r : tensor<20xf32>
}
func.func @again_in_another_group(%x: tensor<20x7xf32>, %c: tensor<20xf32>) -> tensor<20xf32> {
  %r = convoy.launch @kernels::@again_in_another_group grid [2, 1, 1] ins(%x : tensor<20x7xf32>) outs(%c : tensor<20xf32>) -> tensor<20xf32>
  return %r : tensor<20xf32>
}
func.func @in_place(%m: memref<10xf32>) {
  convoy.launch @kernels::@in_place grid [1, 1, 1] ins(%m : memref<10xf32>) outs(%m : memref<10xf32>)
  return
}
func.func @in_place_at_once(%m: memref<10xf32>) {
  convoy.launch @kernels::@in_place_at_once grid [1, 1, 1] ins(%m : memref<10xf32>) outs(%m : memref<10xf32>)
  return
}
func.func @in_place_in_loops(%m: memref<10xf32>) {
  convoy.launch @kernels::@in_place_in_loops grid [1, 1, 1] ins(%m : memref<10xf32>) outs(%m : memref<10xf32>)
  return
}
gpu.module @kernels {
  gpu.func @mirrored(%x: memref<70xf32>, %y: memref<70xf32>) workgroup(%s: memref<10xf32, #gpu.address_space<workgroup>>)
      kernel attributes {known_block_size = array<i32: 10, 1, 1>} {
    %c9 = arith.constant 9 : index
    %c10 = arith.constant 10 : index
    %g = gpu.block_id x
    %t = gpu.thread_id x
    %o = arith.muli %g, %c10 : index
    %i = arith.addi %o, %t : index
    %v = memref.load %x[%i] : memref<70xf32>
    memref.store %v, %s[%t] : memref<10xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %u = arith.subi %c9, %t : index
    %w = memref.load %s[%u] : memref<10xf32, #gpu.address_space<workgroup>>
    %sum = arith.addf %v, %w : f32
    memref.store %sum, %y[%i] : memref<70xf32>
    gpu.return
  }
  gpu.func @in_branches(%x: memref<70xf32>, %y: memref<70xf32>) workgroup(%s: memref<10xf32, #gpu.address_space<workgroup>>)
      kernel attributes {known_block_size = array<i32: 10, 1, 1>} {
    %c9 = arith.constant 9 : index
    %c10 = arith.constant 10 : index
    %g = gpu.block_id x
    %t = gpu.thread_id x
    %o = arith.muli %g, %c10 : index
    %i = arith.addi %o, %t : index
    %v = memref.load %x[%i] : memref<70xf32>
    memref.store %v, %s[%t] : memref<10xf32, #gpu.address_space<workgroup>>
    %c7 = arith.constant 7 : index
    %is_group = arith.cmpi ult, %g, %c7 : index
    %q = scf.if %is_group -> f32 {
      gpu.barrier
      %u = arith.subi %c9, %t : index
      %w = memref.load %s[%u] : memref<10xf32, #gpu.address_space<workgroup>>
      scf.yield %w : f32
    } else {
      scf.yield %v : f32
    }
    %sum = arith.addf %v, %q : f32
    memref.store %sum, %y[%i] : memref<70xf32>
    gpu.return
  }
  gpu.func @no_barrier(%x: memref<70xf32>, %y: memref<70xf32>) workgroup(%s: memref<10xf32, #gpu.address_space<workgroup>>)
      kernel attributes {known_block_size = array<i32: 10, 1, 1>} {
    %c9 = arith.constant 9 : index
    %c10 = arith.constant 10 : index
    %g = gpu.block_id x
    %t = gpu.thread_id x
    %o = arith.muli %g, %c10 : index
    %i = arith.addi %o, %t : index
    %v = memref.load %x[%i] : memref<70xf32>
    memref.store %v, %s[%t] : memref<10xf32, #gpu.address_space<workgroup>>
    %u = arith.subi %c9, %t : index
    %w = memref.load %s[%u] : memref<10xf32, #gpu.address_space<workgroup>>
    %sum = arith.addf %v, %w : f32
    memref.store %sum, %y[%i] : memref<70xf32>
    gpu.return
  }
  gpu.func @another_element(%x: memref<70xf32>, %y: memref<70xf32>) workgroup(%s: memref<10xf32, #gpu.address_space<workgroup>>)
      kernel attributes {known_block_size = array<i32: 10, 1, 1>} {
    %c9 = arith.constant 8 : index
    %c10 = arith.constant 10 : index
    %g = gpu.block_id x
    %t = gpu.thread_id x
    %o = arith.muli %g, %c10 : index
    %i = arith.addi %o, %t : index
    %v = memref.load %x[%i] : memref<70xf32>
    memref.store %v, %s[%t] : memref<10xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %v0 = arith.subi %c9, %t : index
    %c0 = arith.constant 0 : index
    %u = arith.maxsi %v0, %c0 : index
    %w = memref.load %s[%u] : memref<10xf32, #gpu.address_space<workgroup>>
    %sum = arith.addf %v, %w : f32
    memref.store %sum, %y[%i] : memref<70xf32>
    gpu.return
  }
  gpu.func @some_wait(%x: memref<70xf32>, %y: memref<70xf32>) workgroup(%s: memref<10xf32, #gpu.address_space<workgroup>>)
      kernel attributes {known_block_size = array<i32: 10, 1, 1>} {
    %c9 = arith.constant 9 : index
    %c10 = arith.constant 10 : index
    %g = gpu.block_id x
    %t = gpu.thread_id x
    %o = arith.muli %g, %c10 : index
    %i = arith.addi %o, %t : index
    %v = memref.load %x[%i] : memref<70xf32>
    memref.store %v, %s[%t] : memref<10xf32, #gpu.address_space<workgroup>>
    %is_first = arith.cmpi ult, %t, %c9 : index
    scf.if %is_first {
      gpu.barrier
    }
    %u = arith.subi %c9, %t : index
    %w = memref.load %s[%u] : memref<10xf32, #gpu.address_space<workgroup>>
    %sum = arith.addf %v, %w : f32
    memref.store %sum, %y[%i] : memref<70xf32>
    gpu.return
  }
  gpu.func @lanes(%x: memref<70xf32>, %y: memref<70xf32>) workgroup(%s: memref<10xf32, #gpu.address_space<workgroup>>)
      kernel attributes {known_block_size = array<i32: 10, 1, 1>} {
    %c9 = arith.constant 9 : index
    %c10 = arith.constant 10 : index
    %g = gpu.block_id x
    %l = gpu.lane_id
    %t = gpu.thread_id x
    %o = arith.muli %g, %c10 : index
    %i = arith.addi %o, %t : index
    %v = memref.load %x[%i] : memref<70xf32>
    memref.store %v, %s[%l] : memref<10xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %u = arith.subi %c9, %t : index
    %w = memref.load %s[%u] : memref<10xf32, #gpu.address_space<workgroup>>
    %sum = arith.addf %v, %w : f32
    memref.store %sum, %y[%i] : memref<70xf32>
    gpu.return
  }
  gpu.func @tiles(%a: memref<96xf32>, %b: memref<96xf32>, %c: memref<64xf32>)
      workgroup(%s: memref<16xf32, #gpu.address_space<workgroup>>, %z: memref<16xf32, #gpu.address_space<workgroup>>)
      kernel attributes {known_block_size = array<i32: 4, 4, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %c12 = arith.constant 12 : index
    %gx = gpu.block_id x
    %gy = gpu.block_id y
    %x = gpu.thread_id x
    %y = gpu.thread_id y
    %rows = arith.muli %gy, %c4 : index
    %row = arith.addi %rows, %y : index
    %columns = arith.muli %gx, %c4 : index
    %column = arith.addi %columns, %x : index
    %out = arith.muli %row, %c8 : index
    %place = arith.addi %out, %column : index
    %init = memref.load %c[%place] : memref<64xf32>
    %r = scf.for %k = %c0 to %c12 step %c4 iter_args(%sum = %init) -> (f32) {
      %line = arith.muli %row, %c12 : index
      %left = arith.addi %line, %k : index
      %in = arith.muli %y, %c4 : index
      %from = arith.addi %left, %x : index
      %to = arith.addi %in, %x : index
      %v = memref.load %a[%from] : memref<96xf32>
      memref.store %v, %s[%to] : memref<16xf32, #gpu.address_space<workgroup>>
      %depth = arith.addi %k, %y : index
      %above = arith.muli %depth, %c8 : index
      %right = arith.addi %above, %column : index
      %w = memref.load %b[%right] : memref<96xf32>
      %own = arith.muli %y, %c4 : index
      %cell = arith.addi %own, %x : index
      memref.store %w, %z[%cell] : memref<16xf32, #gpu.address_space<workgroup>>
      gpu.barrier
      %next = scf.for %j = %c0 to %c4 step %c1 iter_args(%acc = %sum) -> (f32) {
        %p = arith.addi %in, %j : index
        %q0 = arith.muli %j, %c4 : index
        %q = arith.addi %q0, %x : index
        %u = memref.load %s[%p] : memref<16xf32, #gpu.address_space<workgroup>>
        %t = memref.load %z[%q] : memref<16xf32, #gpu.address_space<workgroup>>
        %product = arith.mulf %u, %t : f32
        %more = arith.addf %acc, %product : f32
        scf.yield %more : f32
      }
      gpu.barrier
      scf.yield %next : f32
    }
    memref.store %r, %c[%place] : memref<64xf32>
    gpu.return
  }
  gpu.func @overtaken(%a: memref<96xf32>, %b: memref<96xf32>, %c: memref<64xf32>)
      workgroup(%s: memref<16xf32, #gpu.address_space<workgroup>>, %z: memref<16xf32, #gpu.address_space<workgroup>>)
      kernel attributes {known_block_size = array<i32: 4, 4, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %c12 = arith.constant 12 : index
    %gx = gpu.block_id x
    %gy = gpu.block_id y
    %x = gpu.thread_id x
    %y = gpu.thread_id y
    %rows = arith.muli %gy, %c4 : index
    %row = arith.addi %rows, %y : index
    %columns = arith.muli %gx, %c4 : index
    %column = arith.addi %columns, %x : index
    %out = arith.muli %row, %c8 : index
    %place = arith.addi %out, %column : index
    %init = memref.load %c[%place] : memref<64xf32>
    %r = scf.for %k = %c0 to %c12 step %c4 iter_args(%sum = %init) -> (f32) {
      %line = arith.muli %row, %c12 : index
      %left = arith.addi %line, %k : index
      %in = arith.muli %y, %c4 : index
      %from = arith.addi %left, %x : index
      %to = arith.addi %in, %x : index
      %v = memref.load %a[%from] : memref<96xf32>
      memref.store %v, %s[%to] : memref<16xf32, #gpu.address_space<workgroup>>
      %depth = arith.addi %k, %y : index
      %above = arith.muli %depth, %c8 : index
      %right = arith.addi %above, %column : index
      %w = memref.load %b[%right] : memref<96xf32>
      %own = arith.muli %y, %c4 : index
      %cell = arith.addi %own, %x : index
      memref.store %w, %z[%cell] : memref<16xf32, #gpu.address_space<workgroup>>
      gpu.barrier
      %next = scf.for %j = %c0 to %c4 step %c1 iter_args(%acc = %sum) -> (f32) {
        %p = arith.addi %in, %j : index
        %q0 = arith.muli %j, %c4 : index
        %q = arith.addi %q0, %x : index
        %u = memref.load %s[%p] : memref<16xf32, #gpu.address_space<workgroup>>
        %t = memref.load %z[%q] : memref<16xf32, #gpu.address_space<workgroup>>
        %product = arith.mulf %u, %t : f32
        %more = arith.addf %acc, %product : f32
        scf.yield %more : f32
      }
      scf.yield %next : f32
    }
    memref.store %r, %c[%place] : memref<64xf32>
    gpu.return
  }
  gpu.func @too_early(%a: memref<96xf32>, %b: memref<96xf32>, %c: memref<64xf32>)
      workgroup(%s: memref<16xf32, #gpu.address_space<workgroup>>, %z: memref<16xf32, #gpu.address_space<workgroup>>)
      kernel attributes {known_block_size = array<i32: 4, 4, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %c12 = arith.constant 12 : index
    %gx = gpu.block_id x
    %gy = gpu.block_id y
    %x = gpu.thread_id x
    %y = gpu.thread_id y
    %rows = arith.muli %gy, %c4 : index
    %row = arith.addi %rows, %y : index
    %columns = arith.muli %gx, %c4 : index
    %column = arith.addi %columns, %x : index
    %out = arith.muli %row, %c8 : index
    %place = arith.addi %out, %column : index
    %init = memref.load %c[%place] : memref<64xf32>
    %r = scf.for %k = %c0 to %c12 step %c4 iter_args(%sum = %init) -> (f32) {
      %line = arith.muli %row, %c12 : index
      %left = arith.addi %line, %k : index
      %in = arith.muli %y, %c4 : index
      %from = arith.addi %left, %x : index
      %to = arith.addi %in, %x : index
      %v = memref.load %a[%from] : memref<96xf32>
      memref.store %v, %s[%to] : memref<16xf32, #gpu.address_space<workgroup>>
      %depth = arith.addi %k, %y : index
      %above = arith.muli %depth, %c8 : index
      %right = arith.addi %above, %column : index
      %w = memref.load %b[%right] : memref<96xf32>
      %own = arith.muli %y, %c4 : index
      %cell = arith.addi %own, %x : index
      memref.store %w, %z[%cell] : memref<16xf32, #gpu.address_space<workgroup>>
      %next = scf.for %j = %c0 to %c4 step %c1 iter_args(%acc = %sum) -> (f32) {
        %p = arith.addi %in, %j : index
        %q0 = arith.muli %j, %c4 : index
        %q = arith.addi %q0, %x : index
        %u = memref.load %s[%p] : memref<16xf32, #gpu.address_space<workgroup>>
        %t = memref.load %z[%q] : memref<16xf32, #gpu.address_space<workgroup>>
        %product = arith.mulf %u, %t : f32
        %more = arith.addf %acc, %product : f32
        scf.yield %more : f32
      }
      gpu.barrier
      scf.yield %next : f32
    }
    memref.store %r, %c[%place] : memref<64xf32>
    gpu.return
  }
  gpu.func @sums(%x: memref<140xf32>, %y: memref<20xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c7 = arith.constant 7 : index
    %c20 = arith.constant 20 : index
    %items = arith.constant 32 : index
    %g = gpu.block_id x
    %t = gpu.thread_id x
    %o = arith.muli %g, %items : index
    %n = arith.addi %o, %t : index
    %i = arith.addi %o, %t : index
    %is_inside = arith.cmpi ult, %i, %c20 : index
    scf.if %is_inside {
      %init = memref.load %y[%i] : memref<20xf32>
      %line = arith.muli %i, %c7 : index
      %r = scf.for %j = %c0 to %c7 step %c1 iter_args(%sum = %init) -> (f32) {
        %p = arith.addi %line, %j : index
        %v = memref.load %x[%p] : memref<140xf32>
        %next = arith.addf %sum, %v : f32
        scf.yield %next : f32
      }
      memref.store %r, %y[%i] : memref<20xf32>
    }
    gpu.return
  }
  gpu.func @groups(%x: memref<140xf32>, %y: memref<20xf32>) kernel attributes {known_block_size = array<i32: 8, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c7 = arith.constant 7 : index
    %c20 = arith.constant 20 : index
    %items = arith.constant 8 : index
    %g = gpu.block_id x
    %t = gpu.thread_id x
    %o = arith.muli %g, %items : index
    %n = arith.addi %o, %t : index
    %i = arith.addi %o, %t : index
    %is_inside = arith.cmpi ult, %i, %c20 : index
    scf.if %is_inside {
      %init = memref.load %y[%i] : memref<20xf32>
      %line = arith.muli %i, %c7 : index
      %r = scf.for %j = %c0 to %c7 step %c1 iter_args(%sum = %init) -> (f32) {
        %p = arith.addi %line, %j : index
        %v = memref.load %x[%p] : memref<140xf32>
        %next = arith.addf %sum, %v : f32
        scf.yield %next : f32
      }
      memref.store %r, %y[%i] : memref<20xf32>
    }
    gpu.return
  }
  gpu.func @too_few_groups(%x: memref<140xf32>, %y: memref<20xf32>) kernel attributes {known_block_size = array<i32: 8, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c7 = arith.constant 7 : index
    %c20 = arith.constant 20 : index
    %items = arith.constant 8 : index
    %g = gpu.block_id x
    %t = gpu.thread_id x
    %o = arith.muli %g, %items : index
    %n = arith.addi %o, %t : index
    %i = arith.addi %o, %t : index
    %is_inside = arith.cmpi ult, %i, %c20 : index
    scf.if %is_inside {
      %init = memref.load %y[%i] : memref<20xf32>
      %line = arith.muli %i, %c7 : index
      %r = scf.for %j = %c0 to %c7 step %c1 iter_args(%sum = %init) -> (f32) {
        %p = arith.addi %line, %j : index
        %v = memref.load %x[%p] : memref<140xf32>
        %next = arith.addf %sum, %v : f32
        scf.yield %next : f32
      }
      memref.store %r, %y[%i] : memref<20xf32>
    }
    gpu.return
  }
  gpu.func @two_of_each(%x: memref<140xf32>, %y: memref<20xf32>) kernel attributes {known_block_size = array<i32: 40, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c7 = arith.constant 7 : index
    %c20 = arith.constant 20 : index
    %items = arith.constant 40 : index
    %g = gpu.block_id x
    %t = gpu.thread_id x
    %o = arith.muli %g, %items : index
    %n = arith.addi %o, %t : index
    %i = arith.divui %n, %c2 : index
    %is_inside = arith.cmpi ult, %i, %c20 : index
    scf.if %is_inside {
      %init = memref.load %y[%i] : memref<20xf32>
      %line = arith.muli %i, %c7 : index
      %r = scf.for %j = %c0 to %c7 step %c1 iter_args(%sum = %init) -> (f32) {
        %p = arith.addi %line, %j : index
        %v = memref.load %x[%p] : memref<140xf32>
        %next = arith.addf %sum, %v : f32
        scf.yield %next : f32
      }
      memref.store %r, %y[%i] : memref<20xf32>
    }
    gpu.return
  }
  gpu.func @again_in_another_group(%x: memref<140xf32>, %y: memref<20xf32>) kernel attributes {known_block_size = array<i32: 20, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c7 = arith.constant 7 : index
    %c20 = arith.constant 20 : index
    %items = arith.constant 20 : index
    %g = gpu.block_id x
    %t = gpu.thread_id x
    %o = arith.muli %g, %items : index
    %n = arith.addi %o, %t : index
    %i = arith.addi %c0, %t : index
    %is_inside = arith.cmpi ult, %i, %c20 : index
    scf.if %is_inside {
      %init = memref.load %y[%i] : memref<20xf32>
      %line = arith.muli %i, %c7 : index
      %r = scf.for %j = %c0 to %c7 step %c1 iter_args(%sum = %init) -> (f32) {
        %p = arith.addi %line, %j : index
        %v = memref.load %x[%p] : memref<140xf32>
        %next = arith.addf %sum, %v : f32
        scf.yield %next : f32
      }
      memref.store %r, %y[%i] : memref<20xf32>
    }
    gpu.return
  }
  gpu.func @in_place(%x: memref<10xf32>, %y: memref<10xf32>) kernel attributes {known_block_size = array<i32: 10, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c9 = arith.constant 9 : index
    %t = gpu.thread_id x
    %u = arith.subi %c9, %t : index
    %v = memref.load %x[%u] : memref<10xf32>
    gpu.barrier
    scf.for %i = %c0 to %c1 step %c1 {
      %own = gpu.thread_id x
      memref.store %v, %y[%own] : memref<10xf32>
    }
    gpu.return
  }
  gpu.func @in_place_at_once(%x: memref<10xf32>, %y: memref<10xf32>) kernel attributes {known_block_size = array<i32: 10, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c9 = arith.constant 9 : index
    %t = gpu.thread_id x
    %u = arith.subi %c9, %t : index
    %v = memref.load %x[%u] : memref<10xf32>
    memref.store %v, %y[%t] : memref<10xf32>
    gpu.return
  }
  // The barrier of the loop is behind what should wait.
  gpu.func @in_place_in_loops(%x: memref<10xf32>, %y: memref<10xf32>) kernel attributes {known_block_size = array<i32: 10, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c9 = arith.constant 9 : index
    %t = gpu.thread_id x
    %u = arith.subi %c9, %t : index
    %v = memref.load %x[%u] : memref<10xf32>
    scf.for %i = %c0 to %c1 step %c1 {
      memref.store %v, %y[%t] : memref<10xf32>
      gpu.barrier
    }
    gpu.return
  }
}
