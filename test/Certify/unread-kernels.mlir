// What is not read of a kernel is named, and where it stands.
// RUN: rm -rf %t && split-file %s %t
// RUN: not convoy-certify %t/before.mlir %t/after.mlir | FileCheck %s --implicit-check-not=certified

//--- before.mlir
// CHECK-DAG: undecided: @waits_for_some_memory: {{.*}}convoy.launch: an op whose meaning is not known (gpu.barrier{{.*}}after.mlir:{{[0-9]+:[0-9]+}}: a barrier that may be of some memory alone)
func.func @waits_for_some_memory(%x: tensor<64xf32>) -> tensor<64xf32> {
  return %x : tensor<64xf32>
}
// CHECK-DAG: undecided: @carries_memory: {{.*}}convoy.launch: an op whose meaning is not known (scf.for{{.*}}after.mlir:{{[0-9]+:[0-9]+}}: a loop that carries what is neither a number nor a vector)
func.func @carries_memory(%x: tensor<64xf32>) -> tensor<64xf32> {
  return %x : tensor<64xf32>
}
// CHECK-DAG: undecided: @leaves_memory: {{.*}}convoy.launch: an op whose meaning is not known (scf.if{{.*}}after.mlir:{{[0-9]+:[0-9]+}}: a branch that leaves what is neither a number nor a vector)
func.func @leaves_memory(%x: tensor<64xf32>) -> tensor<64xf32> {
  return %x : tensor<64xf32>
}
// CHECK-DAG: undecided: @waits_elsewhere: {{.*}}convoy.launch: an op whose meaning is not known (scf.execute_region{{.*}}after.mlir:{{[0-9]+:[0-9]+}}: an op around those of all work-items)
func.func @waits_elsewhere(%x: tensor<64xf32>) -> tensor<64xf32> {
  return %x : tensor<64xf32>
}
// CHECK-DAG: undecided: @keeps_memory: {{.*}}convoy.launch: an op whose meaning is not known (memref.alloca{{.*}}after.mlir:{{[0-9]+:[0-9]+}}: a value that work-items keep beyond a barrier and that is neither a number nor a vector)
func.func @keeps_memory(%x: tensor<64xf32>) -> tensor<64xf32> {
  return %x : tensor<64xf32>
}
// CHECK-DAG: undecided: @becomes_of_lanes: {{.*}}convoy.launch: an op whose meaning is not known (gpu.func{{.*}}after.mlir:{{[0-9]+:[0-9]+}}: a value that a work-item does not know)
func.func @becomes_of_lanes(%x: tensor<64xf32>) -> tensor<64xf32> {
  return %x : tensor<64xf32>
}
// CHECK-DAG: undecided: @is_item_and_lane: {{.*}}convoy.launch: an op whose meaning is not known (memref.store{{.*}}after.mlir:{{[0-9]+:[0-9]+}}: an op of a work-item that needs its numbers in the workgroup and in its subgroup)
func.func @is_item_and_lane(%x: tensor<64xf32>) -> tensor<64xf32> {
  return %x : tensor<64xf32>
}
// CHECK-DAG: undecided: @has_own_memory: {{.*}}convoy.launch: an op whose meaning is not known (gpu.func{{.*}}after.mlir:{{[0-9]+:[0-9]+}}: a kernel without one block and workgroups of a known size, or with memory of work-items)
func.func @has_own_memory(%x: tensor<64xf32>) -> tensor<64xf32> {
  return %x : tensor<64xf32>
}
// CHECK-DAG: undecided: @of_a_device: {{.*}}convoy.launch: an op whose meaning is not known (gpu.shuffle{{.*}}after.mlir:{{[0-9]+:[0-9]+}}: an op whose meaning is not known)
func.func @of_a_device(%x: tensor<64xf32>) -> tensor<64xf32> {
  return %x : tensor<64xf32>
}
// CHECK-DAG: undecided: @chooses_a_matrix: {{.*}}convoy.launch: an op whose meaning is not known (arith.select{{.*}}after.mlir:{{[0-9]+:[0-9]+}}: an op whose meaning is not known)
func.func @chooses_a_matrix(%x: tensor<64xf32>) -> tensor<64xf32> {
  return %x : tensor<64xf32>
}
// CHECK-DAG: undecided: @reads_other_elements: {{.*}}convoy.launch: an op whose meaning is not known (gpu.subgroup_mma_load_matrix{{.*}}after.mlir:{{[0-9]+:[0-9]+}}: a matrix in a buffer of other elements, or of several dimensions)
func.func @reads_other_elements(%x: tensor<64xf32>) -> tensor<64xf32> {
  return %x : tensor<64xf32>
}
// CHECK-DAG: undecided: @sums_narrow: {{.*}}convoy.launch: an op whose meaning is not known (gpu.subgroup_mma_compute{{.*}}after.mlir:{{[0-9]+:[0-9]+}}: a product of matrices of other types than those of which sums are f32 or i32)
func.func @sums_narrow(%x: tensor<64xf32>) -> tensor<64xf32> {
  return %x : tensor<64xf32>
}
// What would be undefined for this grid or workgroup.
// CHECK-DAG: undecided: @fewer_groups: {{.*}}convoy.launch: an op whose meaning is not known (gpu.func{{.*}}after.mlir:{{[0-9]+:[0-9]+}}: a size or a bound that may not be that of the launch)
func.func @fewer_groups(%x: tensor<64xf32>) -> tensor<64xf32> {
  return %x : tensor<64xf32>
}
// CHECK-DAG: undecided: @says_clusters: {{.*}}convoy.launch: an op whose meaning is not known (gpu.func{{.*}}after.mlir:{{[0-9]+:[0-9]+}}: a size or a bound that may not be that of the launch)
func.func @says_clusters(%x: tensor<64xf32>) -> tensor<64xf32> {
  return %x : tensor<64xf32>
}
// CHECK-DAG: undecided: @bounds_items: {{.*}}convoy.launch: an op whose meaning is not known (gpu.thread_id{{.*}}after.mlir:{{[0-9]+:[0-9]+}}: a size or a bound that may not be that of the launch)
func.func @bounds_items(%x: tensor<64xf32>) -> tensor<64xf32> {
  return %x : tensor<64xf32>
}
// CHECK-DAG: undecided: @bounds_groups: {{.*}}convoy.launch: an op whose meaning is not known (gpu.block_id{{.*}}after.mlir:{{[0-9]+:[0-9]+}}: a size or a bound that may not be that of the launch)
func.func @bounds_groups(%x: tensor<64xf32>) -> tensor<64xf32> {
  return %x : tensor<64xf32>
}
// CHECK-DAG: undecided: @bounds_lanes: {{.*}}convoy.launch: an op whose meaning is not known (gpu.lane_id{{.*}}after.mlir:{{[0-9]+:[0-9]+}}: a size or a bound that may not be that of the launch)
func.func @bounds_lanes(%x: tensor<64xf32>) -> tensor<64xf32> {
  return %x : tensor<64xf32>
}
// CHECK-DAG: undecided: @promises: {{.*}}convoy.launch: an op whose meaning is not known (gpu.func{{.*}}after.mlir:{{[0-9]+:[0-9]+}}: a promise to LLVM)
func.func @promises(%x: tensor<64xf32>) -> tensor<64xf32> {
  return %x : tensor<64xf32>
}
// CHECK-DAG: undecided: @batch: {{.*}}convoy.launch: an op whose meaning is not known (a grid, or buffers, of a size that is not known)
func.func @batch(%x: tensor<?xf32>) -> tensor<?xf32> {
  return %x : tensor<?xf32>
}

//--- after.mlir
module attributes {convoy.target = #convoy.target<subgroup = 32, workgroup_bytes = 49152, workgroup_items = 1024>} {
func.func @fewer_groups(%x: tensor<64xf32>) -> tensor<64xf32> {
  %i = tensor.empty() : tensor<64xf32>
  %r = convoy.launch @kernels::@fewer_groups grid [1, 1, 1] ins(%x : tensor<64xf32>) outs(%i : tensor<64xf32>) -> tensor<64xf32>
  return %r : tensor<64xf32>
}
func.func @says_clusters(%x: tensor<64xf32>) -> tensor<64xf32> {
  %i = tensor.empty() : tensor<64xf32>
  %r = convoy.launch @kernels::@says_clusters grid [1, 1, 1] ins(%x : tensor<64xf32>) outs(%i : tensor<64xf32>) -> tensor<64xf32>
  return %r : tensor<64xf32>
}
func.func @bounds_items(%x: tensor<64xf32>) -> tensor<64xf32> {
  %i = tensor.empty() : tensor<64xf32>
  %r = convoy.launch @kernels::@bounds_items grid [1, 1, 1] ins(%x : tensor<64xf32>) outs(%i : tensor<64xf32>) -> tensor<64xf32>
  return %r : tensor<64xf32>
}
func.func @bounds_groups(%x: tensor<64xf32>) -> tensor<64xf32> {
  %i = tensor.empty() : tensor<64xf32>
  %r = convoy.launch @kernels::@bounds_groups grid [1, 1, 1] ins(%x : tensor<64xf32>) outs(%i : tensor<64xf32>) -> tensor<64xf32>
  return %r : tensor<64xf32>
}
func.func @bounds_lanes(%x: tensor<64xf32>) -> tensor<64xf32> {
  %i = tensor.empty() : tensor<64xf32>
  %r = convoy.launch @kernels::@bounds_lanes grid [1, 1, 1] ins(%x : tensor<64xf32>) outs(%i : tensor<64xf32>) -> tensor<64xf32>
  return %r : tensor<64xf32>
}
func.func @promises(%x: tensor<64xf32>) -> tensor<64xf32> {
  %i = tensor.empty() : tensor<64xf32>
  %r = convoy.launch @kernels::@promises grid [1, 1, 1] ins(%x : tensor<64xf32>) outs(%i : tensor<64xf32>) -> tensor<64xf32>
  return %r : tensor<64xf32>
}
func.func @waits_for_some_memory(%x: tensor<64xf32>) -> tensor<64xf32> {
  %i = tensor.empty() : tensor<64xf32>
  %r = convoy.launch @kernels::@waits_for_some_memory grid [1, 1, 1] ins(%x : tensor<64xf32>) outs(%i : tensor<64xf32>) -> tensor<64xf32>
  return %r : tensor<64xf32>
}
func.func @carries_memory(%x: tensor<64xf32>) -> tensor<64xf32> {
  %i = tensor.empty() : tensor<64xf32>
  %r = convoy.launch @kernels::@carries_memory grid [1, 1, 1] ins(%x : tensor<64xf32>) outs(%i : tensor<64xf32>) -> tensor<64xf32>
  return %r : tensor<64xf32>
}
func.func @leaves_memory(%x: tensor<64xf32>) -> tensor<64xf32> {
  %i = tensor.empty() : tensor<64xf32>
  %r = convoy.launch @kernels::@leaves_memory grid [1, 1, 1] ins(%x : tensor<64xf32>) outs(%i : tensor<64xf32>) -> tensor<64xf32>
  return %r : tensor<64xf32>
}
func.func @waits_elsewhere(%x: tensor<64xf32>) -> tensor<64xf32> {
  %i = tensor.empty() : tensor<64xf32>
  %r = convoy.launch @kernels::@waits_elsewhere grid [1, 1, 1] ins(%x : tensor<64xf32>) outs(%i : tensor<64xf32>) -> tensor<64xf32>
  return %r : tensor<64xf32>
}
func.func @keeps_memory(%x: tensor<64xf32>) -> tensor<64xf32> {
  %i = tensor.empty() : tensor<64xf32>
  %r = convoy.launch @kernels::@keeps_memory grid [1, 1, 1] ins(%x : tensor<64xf32>) outs(%i : tensor<64xf32>) -> tensor<64xf32>
  return %r : tensor<64xf32>
}
func.func @becomes_of_lanes(%x: tensor<64xf32>) -> tensor<64xf32> {
  %i = tensor.empty() : tensor<64xf32>
  %r = convoy.launch @kernels::@becomes_of_lanes grid [1, 1, 1] ins(%x : tensor<64xf32>) outs(%i : tensor<64xf32>) -> tensor<64xf32>
  return %r : tensor<64xf32>
}
func.func @is_item_and_lane(%x: tensor<64xf32>) -> tensor<64xf32> {
  %i = tensor.empty() : tensor<64xf32>
  %r = convoy.launch @kernels::@is_item_and_lane grid [1, 1, 1] ins(%x : tensor<64xf32>) outs(%i : tensor<64xf32>) -> tensor<64xf32>
  return %r : tensor<64xf32>
}
func.func @has_own_memory(%x: tensor<64xf32>) -> tensor<64xf32> {
  %i = tensor.empty() : tensor<64xf32>
  %r = convoy.launch @kernels::@has_own_memory grid [1, 1, 1] ins(%x : tensor<64xf32>) outs(%i : tensor<64xf32>) -> tensor<64xf32>
  return %r : tensor<64xf32>
}
func.func @of_a_device(%x: tensor<64xf32>) -> tensor<64xf32> {
  %i = tensor.empty() : tensor<64xf32>
  %r = convoy.launch @kernels::@of_a_device grid [1, 1, 1] ins(%x : tensor<64xf32>) outs(%i : tensor<64xf32>) -> tensor<64xf32>
  return %r : tensor<64xf32>
}
func.func @chooses_a_matrix(%x: tensor<64xf32>) -> tensor<64xf32> {
  %i = tensor.empty() : tensor<64xf32>
  %r = convoy.launch @kernels::@chooses_a_matrix grid [1, 1, 1] ins(%x : tensor<64xf32>) outs(%i : tensor<64xf32>) -> tensor<64xf32>
  return %r : tensor<64xf32>
}
func.func @reads_other_elements(%x: tensor<64xf32>) -> tensor<64xf32> {
  %i = tensor.empty() : tensor<64xf32>
  %r = convoy.launch @kernels::@reads_other_elements grid [1, 1, 1] ins(%x : tensor<64xf32>) outs(%i : tensor<64xf32>) -> tensor<64xf32>
  return %r : tensor<64xf32>
}
func.func @sums_narrow(%x: tensor<64xf32>) -> tensor<64xf32> {
  %i = tensor.empty() : tensor<64xf32>
  %r = convoy.launch @kernels::@sums_narrow grid [1, 1, 1] ins(%x : tensor<64xf32>) outs(%i : tensor<64xf32>) -> tensor<64xf32>
  return %r : tensor<64xf32>
}
func.func @batch(%x: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %i = tensor.empty(%n) : tensor<?xf32>
  %r = convoy.launch @kernels::@batch grid [1, 1, 1] batch(%n) groups [1, 64] ins(%x : tensor<?xf32>) outs(%i : tensor<?xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
gpu.module @kernels {
  gpu.func @waits_for_some_memory(%x: memref<64xf32>, %y: memref<64xf32>)
      workgroup(%s: memref<64xf32, #gpu.address_space<workgroup>>)
      kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c32 = arith.constant 32 : index
    %true = arith.constant true
    %t = gpu.thread_id x
    %v = memref.load %x[%t] : memref<64xf32>
    gpu.barrier {note}
    memref.store %v, %y[%t] : memref<64xf32>
    gpu.return
  }
  gpu.func @carries_memory(%x: memref<64xf32>, %y: memref<64xf32>)
      workgroup(%s: memref<64xf32, #gpu.address_space<workgroup>>)
      kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c32 = arith.constant 32 : index
    %true = arith.constant true
    %t = gpu.thread_id x
    %v = memref.load %x[%t] : memref<64xf32>
    %m = scf.for %i = %c0 to %c2 step %c1 iter_args(%n = %s) -> (memref<64xf32, #gpu.address_space<workgroup>>) {
      gpu.barrier
      scf.yield %n : memref<64xf32, #gpu.address_space<workgroup>>
    }
    memref.store %v, %y[%t] : memref<64xf32>
    gpu.return
  }
  gpu.func @leaves_memory(%x: memref<64xf32>, %y: memref<64xf32>)
      workgroup(%s: memref<64xf32, #gpu.address_space<workgroup>>)
      kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c32 = arith.constant 32 : index
    %true = arith.constant true
    %t = gpu.thread_id x
    %v = memref.load %x[%t] : memref<64xf32>
    %m = scf.if %true -> (memref<64xf32, #gpu.address_space<workgroup>>) {
      gpu.barrier
      scf.yield %s : memref<64xf32, #gpu.address_space<workgroup>>
    } else {
      scf.yield %s : memref<64xf32, #gpu.address_space<workgroup>>
    }
    memref.store %v, %y[%t] : memref<64xf32>
    gpu.return
  }
  gpu.func @waits_elsewhere(%x: memref<64xf32>, %y: memref<64xf32>)
      workgroup(%s: memref<64xf32, #gpu.address_space<workgroup>>)
      kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c32 = arith.constant 32 : index
    %true = arith.constant true
    %t = gpu.thread_id x
    %v = memref.load %x[%t] : memref<64xf32>
    scf.execute_region {
      gpu.barrier
      scf.yield
    }
    memref.store %v, %y[%t] : memref<64xf32>
    gpu.return
  }
  gpu.func @keeps_memory(%x: memref<64xf32>, %y: memref<64xf32>)
      workgroup(%s: memref<64xf32, #gpu.address_space<workgroup>>)
      kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c32 = arith.constant 32 : index
    %true = arith.constant true
    %t = gpu.thread_id x
    %v = memref.load %x[%t] : memref<64xf32>
    %own = memref.alloca() : memref<1xf32>
    memref.store %v, %own[%c0] : memref<1xf32>
    gpu.barrier
    %u = memref.load %own[%c0] : memref<1xf32>
    memref.store %u, %y[%t] : memref<64xf32>
    gpu.return
  }
  gpu.func @becomes_of_lanes(%x: memref<64xf32>, %y: memref<64xf32>)
      workgroup(%s: memref<64xf32, #gpu.address_space<workgroup>>)
      kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c32 = arith.constant 32 : index
    %true = arith.constant true
    %t = gpu.thread_id x
    %v = memref.load %x[%t] : memref<64xf32>
    %l = gpu.lane_id
    %g = gpu.subgroup_id : index
    %first = arith.muli %g, %c32 : index
    %place = arith.addi %first, %l : index
    %w = memref.load %x[%place] : memref<64xf32>
    %m = scf.for %i = %c0 to %c2 step %c1 iter_args(%n = %v) -> (f32) {
      gpu.barrier
      scf.yield %w : f32
    }
    memref.store %m, %y[%t] : memref<64xf32>
    gpu.return
  }
  gpu.func @is_item_and_lane(%x: memref<64xf32>, %y: memref<64xf32>)
      workgroup(%s: memref<64xf32, #gpu.address_space<workgroup>>)
      kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c32 = arith.constant 32 : index
    %true = arith.constant true
    %t = gpu.thread_id x
    %v = memref.load %x[%t] : memref<64xf32>
    %l = gpu.lane_id
    %g = gpu.subgroup_id : index
    %first = arith.muli %g, %c32 : index
    %place = arith.addi %first, %l : index
    memref.store %v, %y[%place] : memref<64xf32>
    gpu.return
  }
  gpu.func @has_own_memory(%x: memref<64xf32>, %y: memref<64xf32>)
      private(%p: memref<1xf32, #gpu.address_space<private>>)
      kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c32 = arith.constant 32 : index
    %true = arith.constant true
    %t = gpu.thread_id x
    %v = memref.load %x[%t] : memref<64xf32>
    memref.store %v, %y[%t] : memref<64xf32>
    gpu.return
  }
  gpu.func @of_a_device(%x: memref<64xf32>, %y: memref<64xf32>)
      workgroup(%s: memref<64xf32, #gpu.address_space<workgroup>>)
      kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c32 = arith.constant 32 : index
    %true = arith.constant true
    %t = gpu.thread_id x
    %v = memref.load %x[%t] : memref<64xf32>
    %c0_i32 = arith.constant 0 : i32
    %c32_i32 = arith.constant 32 : i32
    %u, %valid = gpu.shuffle idx %v, %c0_i32, %c32_i32 : f32
    memref.store %u, %y[%t] : memref<64xf32>
    gpu.return
  }
  gpu.func @chooses_a_matrix(%x: memref<64xf32>, %y: memref<64xf32>)
      workgroup(%s: memref<64xf32, #gpu.address_space<workgroup>>)
      kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c32 = arith.constant 32 : index
    %true = arith.constant true
    %t = gpu.thread_id x
    %v = memref.load %x[%t] : memref<64xf32>
    %zero = arith.constant 0.0 : f32
    %a = gpu.subgroup_mma_constant_matrix %zero : !gpu.mma_matrix<16x16xf32, "COp">
    %b = gpu.subgroup_mma_constant_matrix %zero : !gpu.mma_matrix<16x16xf32, "COp">
    %m = arith.select %true, %a, %b : !gpu.mma_matrix<16x16xf32, "COp">
    memref.store %v, %y[%t] : memref<64xf32>
    gpu.return
  }
  gpu.func @reads_other_elements(%x: memref<64xf32>, %y: memref<64xf32>)
      workgroup(%s: memref<64xf32, #gpu.address_space<workgroup>>, %h: memref<16x16xf16, #gpu.address_space<workgroup>>)
      kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c32 = arith.constant 32 : index
    %true = arith.constant true
    %t = gpu.thread_id x
    %v = memref.load %x[%t] : memref<64xf32>
    %a = gpu.subgroup_mma_load_matrix %h[%c0] {leadDimension = 16 : index} : memref<16x16xf16, #gpu.address_space<workgroup>> -> !gpu.mma_matrix<16x16xf16, "AOp">
    memref.store %v, %y[%t] : memref<64xf32>
    gpu.return
  }
  gpu.func @sums_narrow(%x: memref<64xf32>, %y: memref<64xf32>)
      workgroup(%s: memref<64xf32, #gpu.address_space<workgroup>>)
      kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c32 = arith.constant 32 : index
    %true = arith.constant true
    %t = gpu.thread_id x
    %v = memref.load %x[%t] : memref<64xf32>
    %zero = arith.constant 0.0 : f16
    %a = gpu.subgroup_mma_constant_matrix %zero : !gpu.mma_matrix<16x16xf16, "AOp">
    %b = gpu.subgroup_mma_constant_matrix %zero : !gpu.mma_matrix<16x16xf16, "BOp">
    %c = gpu.subgroup_mma_constant_matrix %zero : !gpu.mma_matrix<16x16xf16, "COp">
    %m = gpu.subgroup_mma_compute %a, %b, %c : !gpu.mma_matrix<16x16xf16, "AOp">, !gpu.mma_matrix<16x16xf16, "BOp"> -> !gpu.mma_matrix<16x16xf16, "COp">
    memref.store %v, %y[%t] : memref<64xf32>
    gpu.return
  }
  gpu.func @fewer_groups(%x: memref<64xf32>, %y: memref<64xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>, known_grid_size = array<i32: 2, 1, 1>} {
    %t = gpu.thread_id x
    %other = gpu.block_id x
    %v = memref.load %x[%t] : memref<64xf32>
    memref.store %v, %y[%t] : memref<64xf32>
    gpu.return
  }
  gpu.func @says_clusters(%x: memref<64xf32>, %y: memref<64xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>, known_cluster_size = array<i32: 2, 1, 1>} {
    %t = gpu.thread_id x
    %other = gpu.block_id x
    %v = memref.load %x[%t] : memref<64xf32>
    memref.store %v, %y[%t] : memref<64xf32>
    gpu.return
  }
  gpu.func @bounds_items(%x: memref<64xf32>, %y: memref<64xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x upper_bound 32
    %other = gpu.block_id x
    %v = memref.load %x[%t] : memref<64xf32>
    memref.store %v, %y[%t] : memref<64xf32>
    gpu.return
  }
  gpu.func @bounds_groups(%x: memref<64xf32>, %y: memref<64xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %other = gpu.block_id x upper_bound 0
    %v = memref.load %x[%t] : memref<64xf32>
    memref.store %v, %y[%t] : memref<64xf32>
    gpu.return
  }
  gpu.func @bounds_lanes(%x: memref<64xf32>, %y: memref<64xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %other = gpu.lane_id upper_bound 16
    %v = memref.load %x[%t] : memref<64xf32>
    memref.store %v, %y[%t] : memref<64xf32>
    gpu.return
  }
  gpu.func @promises(%x: memref<64xf32> {llvm.noalias}, %y: memref<64xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %v = memref.load %x[%t] : memref<64xf32>
    memref.store %v, %y[%t] : memref<64xf32>
    gpu.return
  }
  gpu.func @batch(%x: memref<?xf32>, %y: memref<?xf32>, %n: i32) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %v = memref.load %x[%t] : memref<?xf32>
    memref.store %v, %y[%t] : memref<?xf32>
    gpu.return
  }
}
}
