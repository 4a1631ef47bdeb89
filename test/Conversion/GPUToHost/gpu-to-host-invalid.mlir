// RUN: convoy-opt %s --convoy-convert-gpu-to-host --split-input-file --verify-diagnostics

gpu.module @kernels {
  // expected-error @below {{expected known_block_size on kernel f}}
  gpu.func @f() kernel {
    gpu.return
  }
}

// -----

gpu.module @kernels {
  // expected-error @below {{expected flat buffers in kernel f, but got 'memref<?x5xf32>'}}
  gpu.func @f(%a: memref<?x5xf32>) kernel attributes {known_block_size = array<i32: 2, 1, 1>} {
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
  // A vector of 3 may have a gap behind it.
  // expected-error @below {{expected flat buffers in kernel f, but got 'memref<4xvector<3xf32>>'}}
  gpu.func @f(%a: memref<4xvector<3xf32>>) kernel attributes {known_block_size = array<i32: 2, 1, 1>} {
    gpu.return
  }
}

// -----

gpu.module @kernels {
  // expected-error @below {{expected flat buffers in kernel f, but got 'i64'}}
  gpu.func @f(%n: i64) kernel attributes {known_block_size = array<i32: 2, 1, 1>} {
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

// -----

gpu.module @kernels {
  gpu.func @f(%a: memref<64xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %x = gpu.thread_id x
    %e = memref.load %a[%x] : memref<64xf32>
    %c = arith.constant dense<0.0> : vector<4xf32>
    // Another order of lanes.
    // expected-error @below {{cannot be executed on the host}}
    %d = amdgpu.mfma 16x16x4 %e * %e + %c blgp = bcast_first_32 : f32, f32, vector<4xf32>
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @f(%a: memref<64xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %x = gpu.thread_id x
    %e = memref.load %a[%x] : memref<64xf32>
    %c = arith.constant dense<0.0> : vector<16xf32>
    // Several matrices.
    // expected-error @below {{cannot be executed on the host}}
    %d = amdgpu.mfma 16x16x1 %e * %e + %c {blocks = 4 : i32} blgp = none : f32, f32, vector<16xf32>
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @f(%a: memref<64xi8>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %x = gpu.thread_id x
    %e = vector.load %a[%x] : memref<64xi8>, vector<8xi8>
    %c = arith.constant dense<0> : vector<8xi32>
    // expected-error @below {{cannot be executed on the host}}
    %d = amdgpu.wmma 16x16x16 %e * %e + %c {clamp} : vector<8xi8>, vector<8xi8>, vector<8xi32>
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @f(%a: memref<64xf16>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %x = gpu.thread_id x
    %e = vector.load %a[%x] : memref<64xf16>, vector<8xf16>
    // Sums of f16.
    // expected-error @below {{cannot be executed on the host}}
    %d = amdgpu.wmma 16x16x16 %e * %e + %e : vector<8xf16>, vector<8xf16>, vector<8xf16>
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @f() kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    // expected-error @below {{cannot be executed on the host}}
    amdgpu.lds_barrier
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @f() kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %x = gpu.thread_id x
    %a = memref.alloca() : memref<64xf32>
    // expected-error @below {{cannot be executed on the host}}
    %e = memref.load %a[%x] : memref<64xf32>
    gpu.return
  }
}

// -----

// Nothing says how many work-items a subgroup has.
module {
gpu.module @kernels {
  gpu.func @f(%a: memref<512xf16>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    // expected-error @below {{cannot be executed on the host}}
    %0 = gpu.subgroup_mma_load_matrix %a[%c0] {leadDimension = 16 : index} : memref<512xf16> -> !gpu.mma_matrix<16x16xf16, "AOp">
    gpu.return
  }
}
}

// -----

// Vectors across the parts.
module attributes {convoy.target = #convoy.target<registers = 32, subgroup = 32, workgroup_bytes = 49152, workgroup_items = 1024>} {
gpu.module @kernels {
  gpu.func @f(%a: memref<128xvector<4xf16>>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    // expected-error @below {{cannot be executed on the host}}
    %0 = gpu.subgroup_mma_load_matrix %a[%c0] {leadDimension = 4 : index, transpose} : memref<128xvector<4xf16>> -> !gpu.mma_matrix<16x16xf16, "AOp">
    gpu.return
  }
}
}

// -----

// Elements of another type.
module attributes {convoy.target = #convoy.target<registers = 32, subgroup = 32, workgroup_bytes = 49152, workgroup_items = 1024>} {
gpu.module @kernels {
  gpu.func @f(%a: memref<512xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    // expected-error @below {{cannot be executed on the host}}
    %0 = gpu.subgroup_mma_load_matrix %a[%c0] {leadDimension = 4 : index} : memref<512xf32> -> !gpu.mma_matrix<16x16xf16, "AOp">
    gpu.return
  }
}
}

// -----

module attributes {convoy.target = #convoy.target<registers = 32, subgroup = 32, workgroup_bytes = 49152, workgroup_items = 1024>} {
gpu.module @kernels {
  gpu.func @f() kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %x = arith.constant 7 : i32
    %0 = gpu.subgroup_mma_constant_matrix %x : !gpu.mma_matrix<16x16xi32, "COp">
    // expected-error @below {{cannot be executed on the host}}
    %1 = gpu.subgroup_mma_elementwise divs %0, %0 : (!gpu.mma_matrix<16x16xi32, "COp">, !gpu.mma_matrix<16x16xi32, "COp">) -> !gpu.mma_matrix<16x16xi32, "COp">
    gpu.return
  }
}
}

// -----

// Parts are no equal ones.
module attributes {convoy.target = #convoy.target<registers = 32, subgroup = 32, workgroup_bytes = 49152, workgroup_items = 1024>} {
gpu.module @kernels {
  gpu.func @f() kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %x = arith.constant 7.0 : f16
    // expected-error @below {{cannot be executed on the host}}
    %0 = gpu.subgroup_mma_constant_matrix %x : !gpu.mma_matrix<3x5xf16, "COp">
    gpu.return
  }
}
}

// -----

// Nor are parts of nothing.
module attributes {convoy.target = #convoy.target<registers = 32, subgroup = 32, workgroup_bytes = 49152, workgroup_items = 1024>} {
gpu.module @kernels {
  gpu.func @f(%a: memref<128xvector<4xf16>>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    // expected-error @below {{cannot be executed on the host}}
    %0 = gpu.subgroup_mma_load_matrix %a[%c0] {leadDimension = 4 : index} : memref<128xvector<4xf16>> -> !gpu.mma_matrix<16x0xf16, "AOp">
    gpu.return
  }
}
}

// -----

// Nor are billions of elements accessed one by one.
module attributes {convoy.target = #convoy.target<registers = 32, subgroup = 32, workgroup_bytes = 49152, workgroup_items = 1024>} {
gpu.module @kernels {
  gpu.func @f(%a: memref<128xvector<4xf16>>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    // expected-error @below {{cannot be executed on the host}}
    %0 = gpu.subgroup_mma_load_matrix %a[%c0] {leadDimension = 4 : index} : memref<128xvector<4xf16>> -> !gpu.mma_matrix<16x4294967296xf16, "AOp">
    gpu.return
  }
}
}
