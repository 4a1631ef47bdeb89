// RUN: convoy-opt %s --convoy-attach-vulkan-profile=profile=nvidia --convoy-convert-gpu-to-spirv --split-input-file --verify-diagnostics

gpu.module @kernels {
  gpu.func @long_vectors(%a: memref<7xvector<2147483648xi8>>) kernel {
    %i = gpu.thread_id x
    // expected-error @below {{expected vectors of at most 4096 elements, but got 'memref<7xvector<2147483648xi8>>'}}
    %v = memref.load %a[%i] : memref<7xvector<2147483648xi8>>
    gpu.return
  }
}

// -----

// Numbers of 19 bits are not packed.
gpu.module @odd_numbers {
  gpu.func @single(%a: memref<8xf32>) kernel attributes {known_block_size = array<i32: 8, 1, 1>} {
    %s = memref.alloc() : memref<6000xf32, #gpu.address_space<workgroup>>
    %i = gpu.thread_id x
    %x = memref.load %s[%i] : memref<6000xf32, #gpu.address_space<workgroup>>
    memref.store %x, %s[%i] : memref<6000xf32, #gpu.address_space<workgroup>>
    gpu.return
  }
  gpu.func @four(%a: memref<8xf32>) kernel attributes {known_block_size = array<i32: 8, 1, 1>} {
    %s = memref.alloc() : memref<2000xvector<4xf32>, #gpu.address_space<workgroup>>
    // expected-error @below {{failed to legalize operation 'memref.alloc'}}
    %t = memref.alloc() : memref<500xtf32, #gpu.address_space<workgroup>>
    %i = gpu.thread_id x
    %v = memref.load %s[%i] : memref<2000xvector<4xf32>, #gpu.address_space<workgroup>>
    memref.store %v, %s[%i] : memref<2000xvector<4xf32>, #gpu.address_space<workgroup>>
    %h = memref.load %t[%i] : memref<500xtf32, #gpu.address_space<workgroup>>
    memref.store %h, %t[%i] : memref<500xtf32, #gpu.address_space<workgroup>>
    gpu.return
  }
}

// -----

module attributes {convoy.vulkan_profile = #convoy.vulkan_profile<name = "small">} {
  gpu.module @attributions {
    // expected-error @below {{expected no attributions of kernel staged (convoy-allocate-attributions)}}
    gpu.func @staged() workgroup(%s: memref<16xf32, #gpu.address_space<workgroup>>)
        kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
      gpu.return
    }
  }
}
