// RUN: convoy-opt %s --convoy-convert-gpu-to-host --split-input-file --verify-diagnostics

gpu.module @kernels {
  // expected-error @below {{expected known_block_size on kernel f}}
  gpu.func @f() kernel {
    gpu.return
  }
}

// -----

gpu.module @kernels {
  // expected-error @below {{expected flat buffers of static size in kernel f, but got 'memref<?xf32>'}}
  gpu.func @f(%a: memref<?xf32>) kernel attributes {known_block_size = array<i32: 2, 1, 1>} {
    gpu.return
  }
}

// -----

gpu.module @kernels {
  // expected-error @below {{expected flat buffers of static size in kernel f, but got 'memref<3x5xf32, #gpu.address_space<workgroup>>'}}
  gpu.func @f() workgroup(%s: memref<3x5xf32, #gpu.address_space<workgroup>>)
      kernel attributes {known_block_size = array<i32: 2, 1, 1>} {
    gpu.return
  }
}

// -----

gpu.module @kernels {
  // expected-error @below {{expected flat buffers of static size in kernel f, but got 'i32'}}
  gpu.func @f(%n: i32) kernel attributes {known_block_size = array<i32: 2, 1, 1>} {
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @f(%a: memref<6xf32>) kernel attributes {known_block_size = array<i32: 2, 1, 1>} {
    // expected-error @below {{cannot be executed on the host}}
    %n = gpu.grid_dim x
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @f(%a: memref<6xf32>, %b: memref<6xf32>) kernel attributes {known_block_size = array<i32: 2, 1, 1>} {
    // expected-error @below {{cannot be executed on the host}}
    memref.copy %a, %b : memref<6xf32> to memref<6xf32>
    gpu.return
  }
}
