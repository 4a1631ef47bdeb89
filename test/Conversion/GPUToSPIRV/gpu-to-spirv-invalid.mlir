// RUN: convoy-opt %s --convoy-attach-vulkan-profile=profile=nvidia --convoy-convert-gpu-to-spirv --verify-diagnostics

gpu.module @kernels {
  gpu.func @long_vectors(%a: memref<7xvector<2147483648xi8>>) kernel {
    %i = gpu.thread_id x
    // expected-error @below {{expected vectors of at most 65536 elements, but got 'memref<7xvector<2147483648xi8>>'}}
    %v = memref.load %a[%i] : memref<7xvector<2147483648xi8>>
    gpu.return
  }
}
