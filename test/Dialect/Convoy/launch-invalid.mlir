// RUN: convoy-opt %s --split-input-file --verify-diagnostics

func.func @launch_c1_grid(%out: memref<4xf32>) {
  // expected-error @below {{expected three positive sizes of the grid, but got [4, 0, 1]}}
  convoy.launch @kernels::@fill grid [4, 0, 1] outs(%out : memref<4xf32>)
  return
}

// -----

func.func @launch_c2_kernel(%out: memref<4xf32>) {
  // expected-error @below {{expected a kernel, but @kernels::@fill is none}}
  convoy.launch @kernels::@fill grid [4, 1, 1] outs(%out : memref<4xf32>)
  return
}

// -----

func.func @launch_c2_operands(%x: memref<4xf32>, %out: memref<4xf32>) {
  // expected-error @below {{expected 1 operands, as the kernel has, but got 2}}
  convoy.launch @kernels::@fill grid [4, 1, 1] ins(%x : memref<4xf32>)
      outs(%out : memref<4xf32>)
  return
}
gpu.module @kernels {
  gpu.func @fill(%out: memref<4xf32>) kernel {
    gpu.return
  }
}

// -----

func.func @launch_c2_elements(%out: memref<2x3xf32>) {
  // expected-error @below {{expected a kernel that takes 'memref<6xf32>' for 'memref<2x3xf32>', but got 'memref<4xf32>'}}
  convoy.launch @kernels::@fill grid [4, 1, 1] outs(%out : memref<2x3xf32>)
  return
}
gpu.module @kernels {
  gpu.func @fill(%out: memref<4xf32>) kernel {
    gpu.return
  }
}

// -----

func.func @launch_c3_shape(%out: memref<?xf32>) {
  // expected-error @below {{expected operands of static shape, but got 'memref<?xf32>'}}
  convoy.launch @kernels::@fill grid [4, 1, 1] outs(%out : memref<?xf32>)
  return
}

// -----

func.func @launch_c3_gaps(%out: memref<2x3xf32, strided<[5, 1]>>) {
  // expected-error @below {{expected buffers without gaps, but got 'memref<2x3xf32, strided<[5, 1]>>'}}
  convoy.launch @kernels::@fill grid [4, 1, 1] outs(%out : memref<2x3xf32, strided<[5, 1]>>)
  return
}

// -----

func.func @launch_c1_groups(%n: index, %out: memref<?xf32>) {
  // expected-error @below {{expected two positive numbers of groups, but got [3, 0]}}
  convoy.launch @kernels::@fill grid [4, 1, 1] batch(%n) groups [3, 0] outs(%out : memref<?xf32>)
  return
}

// -----

func.func @launch_c3_two_batches(%n: index, %out: memref<?x?xf32>) {
  // expected-error @below {{expected operands of static shape but for the batch, but got 'memref<?x?xf32>'}}
  convoy.launch @kernels::@fill grid [4, 1, 1] batch(%n) outs(%out : memref<?x?xf32>)
  return
}

// -----

func.func @launch_c4_grid(%out: memref<4xf32>) {
  // expected-error @below {{expected a batch, on which the grid depends}}
  convoy.launch @kernels::@fill grid [4, 1, 1] groups [1, 2] outs(%out : memref<4xf32>)
  return
}

// -----

func.func @launch_c4_kernel(%out: memref<4xf32>) {
  // expected-error @below {{expected a batch, which the kernel takes}}
  convoy.launch @kernels::@fill grid [4, 1, 1] outs(%out : memref<4xf32>)
  return
}
gpu.module @kernels {
  gpu.func @fill(%out: memref<4xf32>, %n: i32) kernel {
    gpu.return
  }
}

// -----

func.func @launch_c5_one_init(%a: memref<4xf32>, %b: memref<4xf32>) {
  // expected-error @below {{expected one init that a slice is written of, but got 2}}
  convoy.launch @kernels::@fill grid [4, 1, 1] outs(%a, %b : memref<4xf32>, memref<4xf32>) writes <[0] [2] [1]>
  return
}

// -----

func.func @launch_c5_rank(%out: memref<4xf32>) {
  // expected-error @below {{expected a slice of 1 dimensions, as the init has, but got 2}}
  convoy.launch @kernels::@fill grid [4, 1, 1] outs(%out : memref<4xf32>) writes <[0, 0] [1, 2] [1, 1]>
  return
}

// -----

func.func @launch_c5_inside(%out: memref<4x6xf32>) {
  // expected-error @below {{expected a slice of 'memref<4x6xf32>', but got #convoy.slice<[0, 1] [4, 4] [1, 2]>}}
  convoy.launch @kernels::@fill grid [4, 1, 1] outs(%out : memref<4x6xf32>) writes <[0, 1] [4, 4] [1, 2]>
  return
}

// -----

func.func @launch_c5_batch(%n: index, %out: memref<?x6xf32>) {
  // expected-error @below {{expected a slice of 'memref<?x6xf32>', but got #convoy.slice<[0, 1] [2, 4] [1, 1]>}}
  convoy.launch @kernels::@fill grid [4, 1, 1] batch(%n) outs(%out : memref<?x6xf32>) writes <[0, 1] [2, 4] [1, 1]>
  return
}
