// RUN: convoy-opt %s --convoy-check-vulkan-limits --split-input-file --verify-diagnostics | FileCheck %s

module attributes {convoy.vulkan_profile = #convoy.vulkan_profile<name = "small", features = [f16, i8, i16, i64, storage16, storage8]>} {
  gpu.module @kernels {
    // CHECK-LABEL: gpu.func @fits(
    gpu.func @fits(%a: memref<33554432xf32>, %b: memref<7xi8>, %c: memref<3xf16>, %d: memref<6xbf16>, %e: memref<?xi64>)
        workgroup(%s: memref<4096xf32, #gpu.address_space<workgroup>>)
        kernel attributes {known_block_size = array<i32: 2, 1, 64>} {
      %i = gpu.thread_id x
      %x = memref.load %d[%i] : memref<6xbf16>
      %y = arith.extf %x : bf16 to f32
      memref.store %y, %a[%i] : memref<33554432xf32>
      gpu.return
    }
    // What is no kernel is of no concern.
    gpu.func @helper(%x: f80) {
      gpu.return
    }
  }
}

// -----

gpu.module @kernels {
  // expected-error @below {{expected convoy.vulkan_profile on the module}}
  gpu.func @nameless() kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    gpu.return
  }
}

// -----

module attributes {convoy.vulkan_profile = #convoy.vulkan_profile<name = "small">} {
  gpu.module @kernels {
    // expected-error @below {{expected known_block_size on kernel sizeless}}
    gpu.func @sizeless() kernel {
      gpu.return
    }
  }
}

// -----

module attributes {convoy.vulkan_profile = #convoy.vulkan_profile<name = "small">} {
  gpu.module @kernels {
    // expected-error @below {{kernel deep cannot run with profile small: a workgroup of 65 work-items along z, but 1 to 64 are possible}}
    gpu.func @deep() kernel attributes {known_block_size = array<i32: 1, 1, 65>} {
      gpu.return
    }
  }
}

// -----

module attributes {convoy.vulkan_profile = #convoy.vulkan_profile<name = "small">} {
  gpu.module @kernels {
    // expected-error @below {{kernel large cannot run with profile small: a workgroup of 192 work-items, but up to 128 are possible}}
    gpu.func @large() kernel attributes {known_block_size = array<i32: 64, 3, 1>} {
      gpu.return
    }
  }
}

// -----

module attributes {convoy.vulkan_profile = #convoy.vulkan_profile<name = "small">} {
  gpu.module @kernels {
    // expected-error @below {{kernel flat cannot run with profile small: expected a buffer of one dimension for argument 0, but got 'memref<2x3xf32>'}}
    gpu.func @flat(%a: memref<2x3xf32>) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
      gpu.return
    }
  }
}

// -----

module attributes {convoy.vulkan_profile = #convoy.vulkan_profile<name = "small">} {
  gpu.module @kernels {
    // expected-error @below {{kernel long cannot run with profile small: a buffer of 134217732 bytes, but up to 134217728 are possible}}
    gpu.func @long(%a: memref<33554433xf32>) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
      gpu.return
    }
  }
}

// -----

module attributes {convoy.vulkan_profile = #convoy.vulkan_profile<name = "small">} {
  gpu.module @kernels {
    // expected-error @below {{kernel staged cannot run with profile small: 16392 bytes of workgroup memory, but up to 16384 are possible}}
    gpu.func @staged() workgroup(%s: memref<4096xf32, #gpu.address_space<workgroup>>)
        kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
      %t = memref.alloc() : memref<2xvector<2xf16>, #gpu.address_space<workgroup>>
      gpu.return
    }
  }
}

// -----

module attributes {convoy.vulkan_profile = #convoy.vulkan_profile<name = "small", features = [f16]>} {
  gpu.module @kernels {
    // expected-error @below {{kernel half cannot run with profile small: a buffer of 'f16', but it has no storage of 16 bits}}
    gpu.func @half(%a: memref<7xf16>) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
      gpu.return
    }
  }
}

// -----

module attributes {convoy.vulkan_profile = #convoy.vulkan_profile<name = "small", features = [i16]>} {
  gpu.module @kernels {
    // expected-error @below {{kernel brain cannot run with profile small: a buffer of 'bf16', but it has no storage of 16 bits}}
    gpu.func @brain(%a: memref<7xbf16>) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
      gpu.return
    }
  }
}

// -----

module attributes {convoy.vulkan_profile = #convoy.vulkan_profile<name = "small", features = [i8]>} {
  gpu.module @kernels {
    // expected-error @below {{kernel bytes cannot run with profile small: a buffer of 'i8', but it has no storage of 8 bits}}
    gpu.func @bytes(%a: memref<7xi8>) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
      gpu.return
    }
  }
}

// -----

module attributes {convoy.vulkan_profile = #convoy.vulkan_profile<name = "small">} {
  gpu.module @kernels {
    // expected-error @below {{kernel bits cannot run with profile small: a buffer of 'i1', but elements are of 8, 16, 32 or 64 bits}}
    gpu.func @bits(%a: memref<7xi1>) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
      gpu.return
    }
  }
}

// -----

module attributes {convoy.vulkan_profile = #convoy.vulkan_profile<name = "small", features = [storage8]>} {
  gpu.module @kernels {
    // expected-error @below {{kernel byte_values cannot run with profile small: values of 'i8', which it does not have}}
    gpu.func @byte_values(%a: memref<7xi8>) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
      gpu.return
    }
  }
}

// -----

module attributes {convoy.vulkan_profile = #convoy.vulkan_profile<name = "small", features = [storage16]>} {
  gpu.module @kernels {
    // expected-error @below {{kernel half_values cannot run with profile small: values of 'f16', which it does not have}}
    gpu.func @half_values(%a: memref<7xf32>) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
      %x = arith.constant dense<1.0> : vector<4xf16>
      gpu.return
    }
  }
}

// -----

module attributes {convoy.vulkan_profile = #convoy.vulkan_profile<name = "small", features = [storage16]>} {
  gpu.module @kernels {
    // expected-error @below {{kernel brain_values cannot run with profile small: values of 'bf16', which it does not have}}
    gpu.func @brain_values(%a: memref<7xbf16>) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
      gpu.return
    }
  }
}

// -----

module attributes {convoy.vulkan_profile = #convoy.vulkan_profile<name = "small">} {
  gpu.module @kernels {
    // expected-error @below {{kernel double cannot run with profile small: values of 'f64', which it does not have}}
    gpu.func @double(%a: memref<7xf64>) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
      gpu.return
    }
  }
}

// -----

module attributes {convoy.vulkan_profile = #convoy.vulkan_profile<name = "small">} {
  gpu.module @kernels {
    // expected-error @below {{kernel long_values cannot run with profile small: values of 'i64', which it does not have}}
    gpu.func @long_values() kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
      %x = arith.constant 1 : i64
      gpu.return
    }
  }
}

// -----

module attributes {convoy.vulkan_profile = #convoy.vulkan_profile<name = "small">} {
  gpu.module @kernels {
    // expected-error @below {{kernel eighth cannot run with profile small: values of 'f8E4M3FN', which it does not have}}
    gpu.func @eighth() kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
      %x = arith.constant 1.0 : f8E4M3FN
      gpu.return
    }
  }
}

// -----

// Who launches kernels sees to it that buffers of unknown size are small enough.
module attributes {convoy.vulkan_profile = #convoy.vulkan_profile<name = "small", buffer_bytes = 4294967296, features = [i8, storage8]>} {
  gpu.module @kernels {
    // expected-error @below {{kernel wide cannot run with profile small: indices of 64 bits, which it does not have}}
    gpu.func @wide(%a: memref<1073741825xi8>) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
      gpu.return
    }
  }
}

// -----

module attributes {convoy.vulkan_profile = #convoy.vulkan_profile<name = "small", buffer_bytes = 4294967296, features = [i8, storage8]>} {
  gpu.module @kernels {
    gpu.func @unknown(%a: memref<?xi8>, %n: i32) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
      gpu.return
    }
  }
}

// -----

// Cooperative matrices.
module attributes {convoy.vulkan_profile = #convoy.vulkan_profile<name = "matrices", minor_version = 3, features = [f16, i8, i16, storage8, storage16, matrix16x16x16_f16, matrix16x16x16_bf16, matrix16x16x32_i8]>} {
  gpu.module @kernels {
    gpu.func @fine() workgroup(%s: memref<1024xf16, #gpu.address_space<workgroup>>)
        kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
      %c0 = arith.constant 0 : index
      %item = gpu.thread_id x
      %zero = arith.constant 0.0 : f32
      %a = gpu.subgroup_mma_load_matrix %s[%c0] {leadDimension = 24 : index} : memref<1024xf16, #gpu.address_space<workgroup>> -> !gpu.mma_matrix<16x16xf16, "AOp">
      %b = gpu.subgroup_mma_load_matrix %s[%c0] {leadDimension = 32 : index, transpose} : memref<1024xf16, #gpu.address_space<workgroup>> -> !gpu.mma_matrix<16x16xf16, "BOp">
      %c = gpu.subgroup_mma_constant_matrix %zero : !gpu.mma_matrix<16x16xf32, "COp">
      %d = gpu.subgroup_mma_compute %a, %b, %c : !gpu.mma_matrix<16x16xf16, "AOp">, !gpu.mma_matrix<16x16xf16, "BOp"> -> !gpu.mma_matrix<16x16xf32, "COp">
      gpu.return
    }
    gpu.func @fine_bf16() workgroup(%s: memref<1024xf16, #gpu.address_space<workgroup>>)
        kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
      %c0 = arith.constant 0 : index
      %item = gpu.thread_id x
      %zero = arith.constant 0.0 : f32
      %a = gpu.subgroup_mma_load_matrix %s[%c0] {leadDimension = 24 : index} : memref<1024xf16, #gpu.address_space<workgroup>> -> !gpu.mma_matrix<16x16xf16, "AOp">
      %b = gpu.subgroup_mma_load_matrix %s[%c0] {leadDimension = 32 : index, transpose} : memref<1024xf16, #gpu.address_space<workgroup>> -> !gpu.mma_matrix<16x16xf16, "BOp">
      %c = gpu.subgroup_mma_constant_matrix %zero : !gpu.mma_matrix<16x16xf32, "COp">
      %d = gpu.subgroup_mma_compute %a, %b, %c {convoy.bf16_factors} : !gpu.mma_matrix<16x16xf16, "AOp">, !gpu.mma_matrix<16x16xf16, "BOp"> -> !gpu.mma_matrix<16x16xf32, "COp">
      gpu.return
    }
    gpu.func @fine_i8() workgroup(%s: memref<1024xi8, #gpu.address_space<workgroup>>)
        kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
      %c0 = arith.constant 0 : index
      %item = gpu.thread_id x
      %zero = arith.constant 0 : i32
      %a = gpu.subgroup_mma_load_matrix %s[%c0] {leadDimension = 48 : index} : memref<1024xi8, #gpu.address_space<workgroup>> -> !gpu.mma_matrix<16x32xsi8, "AOp">
      %b = gpu.subgroup_mma_load_matrix %s[%c0] {leadDimension = 32 : index, transpose} : memref<1024xi8, #gpu.address_space<workgroup>> -> !gpu.mma_matrix<32x16xsi8, "BOp">
      %c = gpu.subgroup_mma_constant_matrix %zero : !gpu.mma_matrix<16x16xi32, "COp">
      %d = gpu.subgroup_mma_compute %a, %b, %c : !gpu.mma_matrix<16x32xsi8, "AOp">, !gpu.mma_matrix<32x16xsi8, "BOp"> -> !gpu.mma_matrix<16x16xi32, "COp">
      gpu.return
    }
    gpu.func @fine_u8() workgroup(%s: memref<1024xi8, #gpu.address_space<workgroup>>)
        kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
      %c0 = arith.constant 0 : index
      %item = gpu.thread_id x
      %zero = arith.constant 0 : i32
      %a = gpu.subgroup_mma_load_matrix %s[%c0] {leadDimension = 48 : index} : memref<1024xi8, #gpu.address_space<workgroup>> -> !gpu.mma_matrix<16x32xui8, "AOp">
      %b = gpu.subgroup_mma_load_matrix %s[%c0] {leadDimension = 32 : index, transpose} : memref<1024xi8, #gpu.address_space<workgroup>> -> !gpu.mma_matrix<32x16xui8, "BOp">
      %c = gpu.subgroup_mma_constant_matrix %zero : !gpu.mma_matrix<16x16xi32, "COp">
      %d = gpu.subgroup_mma_compute %a, %b, %c : !gpu.mma_matrix<16x32xui8, "AOp">, !gpu.mma_matrix<32x16xui8, "BOp"> -> !gpu.mma_matrix<16x16xi32, "COp">
      gpu.return
    }
  }
}

// -----

module attributes {convoy.vulkan_profile = #convoy.vulkan_profile<name = "matrices", minor_version = 3, features = [f16, i8, i16, storage8, storage16, matrix16x16x16_f16]>} {
  gpu.module @kernels {
    // expected-error @below {{kernel of_bf16 cannot run with profile matrices: cooperative matrices '!gpu.mma_matrix<16x16xf16, "AOp">', '!gpu.mma_matrix<16x16xf16, "BOp">' and '!gpu.mma_matrix<16x16xf32, "COp">' of bf16, which it does not have}}
    gpu.func @of_bf16() workgroup(%s: memref<1024xf16, #gpu.address_space<workgroup>>)
        kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
      %c0 = arith.constant 0 : index
      %item = gpu.thread_id x
      %zero = arith.constant 0.0 : f32
      %a = gpu.subgroup_mma_load_matrix %s[%c0] {leadDimension = 24 : index} : memref<1024xf16, #gpu.address_space<workgroup>> -> !gpu.mma_matrix<16x16xf16, "AOp">
      %b = gpu.subgroup_mma_load_matrix %s[%c0] {leadDimension = 32 : index, transpose} : memref<1024xf16, #gpu.address_space<workgroup>> -> !gpu.mma_matrix<16x16xf16, "BOp">
      %c = gpu.subgroup_mma_constant_matrix %zero : !gpu.mma_matrix<16x16xf32, "COp">
      %d = gpu.subgroup_mma_compute %a, %b, %c {convoy.bf16_factors} : !gpu.mma_matrix<16x16xf16, "AOp">, !gpu.mma_matrix<16x16xf16, "BOp"> -> !gpu.mma_matrix<16x16xf32, "COp">
      gpu.return
    }
  }
}

// -----

module attributes {convoy.vulkan_profile = #convoy.vulkan_profile<name = "matrices", minor_version = 3, features = [f16, i8, i16, storage8, storage16, matrix16x16x16_bf16]>} {
  gpu.module @kernels {
    // expected-error @below {{kernel of_f16 cannot run with profile matrices: cooperative matrices '!gpu.mma_matrix<16x16xf16, "AOp">', '!gpu.mma_matrix<16x16xf16, "BOp">' and '!gpu.mma_matrix<16x16xf32, "COp">', which it does not have}}
    gpu.func @of_f16() workgroup(%s: memref<1024xf16, #gpu.address_space<workgroup>>)
        kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
      %c0 = arith.constant 0 : index
      %item = gpu.thread_id x
      %zero = arith.constant 0.0 : f32
      %a = gpu.subgroup_mma_load_matrix %s[%c0] {leadDimension = 24 : index} : memref<1024xf16, #gpu.address_space<workgroup>> -> !gpu.mma_matrix<16x16xf16, "AOp">
      %b = gpu.subgroup_mma_load_matrix %s[%c0] {leadDimension = 32 : index, transpose} : memref<1024xf16, #gpu.address_space<workgroup>> -> !gpu.mma_matrix<16x16xf16, "BOp">
      %c = gpu.subgroup_mma_constant_matrix %zero : !gpu.mma_matrix<16x16xf32, "COp">
      %d = gpu.subgroup_mma_compute %a, %b, %c : !gpu.mma_matrix<16x16xf16, "AOp">, !gpu.mma_matrix<16x16xf16, "BOp"> -> !gpu.mma_matrix<16x16xf32, "COp">
      gpu.return
    }
  }
}

// -----

module attributes {convoy.vulkan_profile = #convoy.vulkan_profile<name = "matrices", minor_version = 3, features = [f16, i8, i16, storage8, storage16, matrix16x16x16_i8]>} {
  gpu.module @kernels {
    // expected-error @below {{kernel of_i8 cannot run with profile matrices: cooperative matrices '!gpu.mma_matrix<16x32xsi8, "AOp">', '!gpu.mma_matrix<32x16xsi8, "BOp">' and '!gpu.mma_matrix<16x16xi32, "COp">', which it does not have}}
    gpu.func @of_i8() workgroup(%s: memref<1024xi8, #gpu.address_space<workgroup>>)
        kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
      %c0 = arith.constant 0 : index
      %item = gpu.thread_id x
      %zero = arith.constant 0 : i32
      %a = gpu.subgroup_mma_load_matrix %s[%c0] {leadDimension = 48 : index} : memref<1024xi8, #gpu.address_space<workgroup>> -> !gpu.mma_matrix<16x32xsi8, "AOp">
      %b = gpu.subgroup_mma_load_matrix %s[%c0] {leadDimension = 32 : index, transpose} : memref<1024xi8, #gpu.address_space<workgroup>> -> !gpu.mma_matrix<32x16xsi8, "BOp">
      %c = gpu.subgroup_mma_constant_matrix %zero : !gpu.mma_matrix<16x16xi32, "COp">
      %d = gpu.subgroup_mma_compute %a, %b, %c : !gpu.mma_matrix<16x32xsi8, "AOp">, !gpu.mma_matrix<32x16xsi8, "BOp"> -> !gpu.mma_matrix<16x16xi32, "COp">
      gpu.return
    }
  }
}

// -----

module attributes {convoy.vulkan_profile = #convoy.vulkan_profile<name = "matrices", minor_version = 3, features = [f16, i8, i16, storage8, storage16, matrix16x16x16_f16]>} {
  gpu.module @kernels {
    // expected-error @below {{kernel sums_of_f16 cannot run with profile matrices: cooperative matrices '!gpu.mma_matrix<16x16xf16, "AOp">', '!gpu.mma_matrix<16x16xf16, "BOp">' and '!gpu.mma_matrix<16x16xf16, "COp">', which it does not have}}
    gpu.func @sums_of_f16() workgroup(%s: memref<1024xf16, #gpu.address_space<workgroup>>)
        kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
      %c0 = arith.constant 0 : index
      %item = gpu.thread_id x
      %zero = arith.constant 0.0 : f16
      %a = gpu.subgroup_mma_load_matrix %s[%c0] {leadDimension = 24 : index} : memref<1024xf16, #gpu.address_space<workgroup>> -> !gpu.mma_matrix<16x16xf16, "AOp">
      %b = gpu.subgroup_mma_load_matrix %s[%c0] {leadDimension = 32 : index, transpose} : memref<1024xf16, #gpu.address_space<workgroup>> -> !gpu.mma_matrix<16x16xf16, "BOp">
      %c = gpu.subgroup_mma_constant_matrix %zero : !gpu.mma_matrix<16x16xf16, "COp">
      %d = gpu.subgroup_mma_compute %a, %b, %c : !gpu.mma_matrix<16x16xf16, "AOp">, !gpu.mma_matrix<16x16xf16, "BOp"> -> !gpu.mma_matrix<16x16xf16, "COp">
      gpu.return
    }
  }
}

// -----

module attributes {convoy.vulkan_profile = #convoy.vulkan_profile<name = "matrices", minor_version = 3, features = [f16, i8, i16, storage8, storage16, matrix16x16x16_f16]>} {
  gpu.module @kernels {
    // expected-error @below {{kernel part_of_a_subgroup cannot run with profile matrices: cooperative matrices in a workgroup of 16 work-items along x, but expected whole subgroups of 32}}
    gpu.func @part_of_a_subgroup() workgroup(%s: memref<1024xf16, #gpu.address_space<workgroup>>)
        kernel attributes {known_block_size = array<i32: 16, 2, 1>} {
      %c0 = arith.constant 0 : index
      %item = gpu.thread_id x
      %zero = arith.constant 0.0 : f32
      %a = gpu.subgroup_mma_load_matrix %s[%c0] {leadDimension = 24 : index} : memref<1024xf16, #gpu.address_space<workgroup>> -> !gpu.mma_matrix<16x16xf16, "AOp">
      %b = gpu.subgroup_mma_load_matrix %s[%c0] {leadDimension = 32 : index, transpose} : memref<1024xf16, #gpu.address_space<workgroup>> -> !gpu.mma_matrix<16x16xf16, "BOp">
      %c = gpu.subgroup_mma_constant_matrix %zero : !gpu.mma_matrix<16x16xf32, "COp">
      %d = gpu.subgroup_mma_compute %a, %b, %c : !gpu.mma_matrix<16x16xf16, "AOp">, !gpu.mma_matrix<16x16xf16, "BOp"> -> !gpu.mma_matrix<16x16xf32, "COp">
      gpu.return
    }
  }
}

// -----

module attributes {convoy.vulkan_profile = #convoy.vulkan_profile<name = "matrices", minor_version = 3, features = [f16, i8, i16, storage8, storage16, matrix16x16x16_f16]>} {
  gpu.module @kernels {
    // expected-error @below {{kernel distance cannot run with profile matrices: a cooperative matrix in a 'memref<1024xf16, #gpu.address_space<workgroup>>' whose lines are not known to begin at multiples of 16 bytes}}
    gpu.func @distance() workgroup(%s: memref<1024xf16, #gpu.address_space<workgroup>>)
        kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
      %c0 = arith.constant 0 : index
      %item = gpu.thread_id x
      %zero = arith.constant 0.0 : f32
      %a = gpu.subgroup_mma_load_matrix %s[%c0] {leadDimension = 20 : index} : memref<1024xf16, #gpu.address_space<workgroup>> -> !gpu.mma_matrix<16x16xf16, "AOp">
      %b = gpu.subgroup_mma_load_matrix %s[%c0] {leadDimension = 32 : index, transpose} : memref<1024xf16, #gpu.address_space<workgroup>> -> !gpu.mma_matrix<16x16xf16, "BOp">
      %c = gpu.subgroup_mma_constant_matrix %zero : !gpu.mma_matrix<16x16xf32, "COp">
      %d = gpu.subgroup_mma_compute %a, %b, %c : !gpu.mma_matrix<16x16xf16, "AOp">, !gpu.mma_matrix<16x16xf16, "BOp"> -> !gpu.mma_matrix<16x16xf32, "COp">
      gpu.return
    }
  }
}

// -----

module attributes {convoy.vulkan_profile = #convoy.vulkan_profile<name = "matrices", minor_version = 3, features = [f16, i8, i16, storage8, storage16, matrix16x16x16_f16]>} {
  gpu.module @kernels {
    // expected-error @below {{kernel start cannot run with profile matrices: a cooperative matrix in a 'memref<1024xf16, #gpu.address_space<workgroup>>' whose lines are not known to begin at multiples of 16 bytes}}
    gpu.func @start() workgroup(%s: memref<1024xf16, #gpu.address_space<workgroup>>)
        kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
      %c0 = arith.constant 0 : index
      %item = gpu.thread_id x
      %zero = arith.constant 0.0 : f32
      %a = gpu.subgroup_mma_load_matrix %s[%item] {leadDimension = 24 : index} : memref<1024xf16, #gpu.address_space<workgroup>> -> !gpu.mma_matrix<16x16xf16, "AOp">
      %b = gpu.subgroup_mma_load_matrix %s[%c0] {leadDimension = 32 : index, transpose} : memref<1024xf16, #gpu.address_space<workgroup>> -> !gpu.mma_matrix<16x16xf16, "BOp">
      %c = gpu.subgroup_mma_constant_matrix %zero : !gpu.mma_matrix<16x16xf32, "COp">
      %d = gpu.subgroup_mma_compute %a, %b, %c : !gpu.mma_matrix<16x16xf16, "AOp">, !gpu.mma_matrix<16x16xf16, "BOp"> -> !gpu.mma_matrix<16x16xf32, "COp">
      gpu.return
    }
  }
}

// -----

module attributes {convoy.vulkan_profile = #convoy.vulkan_profile<name = "matrices", minor_version = 3, features = [f16, i8, i16, storage8, storage16, matrix16x16x16_f16]>} {
  gpu.module @kernels {
    // expected-error @below {{kernel divergent cannot run with profile matrices: a cooperative matrix that some work-items of a workgroup may not reach}}
    gpu.func @divergent() workgroup(%s: memref<1024xf16, #gpu.address_space<workgroup>>)
        kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
      %c0 = arith.constant 0 : index
      %item = gpu.thread_id x
      %zero = arith.constant 0.0 : f32
      %some = arith.cmpi ult, %item, %c0 : index
      // expected-note @below {{they may decide differently at this scf.if}}
      scf.if %some {
        %a = gpu.subgroup_mma_load_matrix %s[%c0] {leadDimension = 24 : index} : memref<1024xf16, #gpu.address_space<workgroup>> -> !gpu.mma_matrix<16x16xf16, "AOp">
        %b = gpu.subgroup_mma_load_matrix %s[%c0] {leadDimension = 32 : index, transpose} : memref<1024xf16, #gpu.address_space<workgroup>> -> !gpu.mma_matrix<16x16xf16, "BOp">
        %c = gpu.subgroup_mma_constant_matrix %zero : !gpu.mma_matrix<16x16xf32, "COp">
        %d = gpu.subgroup_mma_compute %a, %b, %c : !gpu.mma_matrix<16x16xf16, "AOp">, !gpu.mma_matrix<16x16xf16, "BOp"> -> !gpu.mma_matrix<16x16xf32, "COp">
      }
      gpu.return
    }
  }
}

// -----

// Loops end early on lavapipe: each iteration counts, and each end of a loop.
module attributes {convoy.vulkan_profile = #convoy.vulkan_profile<name = "short", loop_iterations = 62>} {
  gpu.module @kernels {
    // 6 * (7 + 1) + 6 + 1
    gpu.func @all(%a: memref<9xf32>) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c6 = arith.constant 6 : index
      %c7 = arith.constant 7 : index
      %x = arith.constant 1.0 : f32
      scf.for %i = %c0 to %c6 step %c1 {
        scf.for %j = %c0 to %c7 step %c1 {
          memref.store %x, %a[%i] : memref<9xf32>
        }
      }
      gpu.return
    }
    // expected-error @below {{kernel more cannot run with profile short: work-items with 64 iterations of loops, but only the first 62 are run}}
    gpu.func @more(%a: memref<9xf32>) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c7 = arith.constant 7 : index
      %x = arith.constant 1.0 : f32
      scf.for %i = %c0 to %c7 step %c1 {
        scf.for %j = %c0 to %c7 step %c1 {
          memref.store %x, %a[%i] : memref<9xf32>
        }
      }
      gpu.return
    }
    gpu.func @unknown(%a: memref<9xf32>, %n: index) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %x = arith.constant 1.0 : f32
      scf.for %i = %c0 to %n step %c1 {
        memref.store %x, %a[%i] : memref<9xf32>
      }
      gpu.return
    }
  }
}

// -----

// Both factors have a sign, or none.
module attributes {convoy.vulkan_profile = #convoy.vulkan_profile<name = "matrices", minor_version = 3, features = [f16, i8, i16, storage8, storage16, matrix16x16x32_i8]>} {
  gpu.module @kernels {
    // expected-error @below {{kernel of_mixed cannot run with profile matrices: cooperative matrices '!gpu.mma_matrix<16x32xui8, "AOp">', '!gpu.mma_matrix<32x16xsi8, "BOp">' and '!gpu.mma_matrix<16x16xi32, "COp">', which it does not have}}
    gpu.func @of_mixed() workgroup(%s: memref<1024xi8, #gpu.address_space<workgroup>>)
        kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
      %c0 = arith.constant 0 : index
      %item = gpu.thread_id x
      %zero = arith.constant 0 : i32
      %a = gpu.subgroup_mma_load_matrix %s[%c0] {leadDimension = 48 : index} : memref<1024xi8, #gpu.address_space<workgroup>> -> !gpu.mma_matrix<16x32xui8, "AOp">
      %b = gpu.subgroup_mma_load_matrix %s[%c0] {leadDimension = 32 : index, transpose} : memref<1024xi8, #gpu.address_space<workgroup>> -> !gpu.mma_matrix<32x16xsi8, "BOp">
      %c = gpu.subgroup_mma_constant_matrix %zero : !gpu.mma_matrix<16x16xi32, "COp">
      %d = gpu.subgroup_mma_compute %a, %b, %c : !gpu.mma_matrix<16x32xui8, "AOp">, !gpu.mma_matrix<32x16xsi8, "BOp"> -> !gpu.mma_matrix<16x16xi32, "COp">
      gpu.return
    }
  }
}
