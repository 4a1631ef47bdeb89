// RUN: convoy-opt %s --convoy-check-rocm-limits --split-input-file --verify-diagnostics | FileCheck %s

module attributes {convoy.rocm_chip = "gfx1100"} {
  gpu.module @kernels {
    // CHECK-LABEL: gpu.func @fits(
    gpu.func @fits(%a: memref<33554432xf32>, %b: memref<7xi8>, %c: memref<3xf16>, %d: memref<6xbf16>, %e: memref<5xf64>)
        workgroup(%s: memref<16384xf32, #gpu.address_space<workgroup>>)
        kernel attributes {known_block_size = array<i32: 2, 512, 1>} {
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
  // expected-error @below {{expected convoy.rocm_chip on the module}}
  gpu.func @nameless() kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    gpu.return
  }
}

// -----

module attributes {convoy.rocm_chip = "gfx942"} {
  gpu.module @kernels {
    // expected-error @below {{expected known_block_size on kernel sizeless}}
    gpu.func @sizeless() kernel {
      gpu.return
    }
  }
}

// -----

module attributes {convoy.rocm_chip = "gfx942"} {
  gpu.module @kernels {
    // expected-error @below {{kernel many cannot run with chip gfx942: a workgroup of 1026 work-items, but up to 1024 are possible}}
    gpu.func @many() kernel attributes {known_block_size = array<i32: 342, 3, 1>} {
      gpu.return
    }
  }
}

// -----

module attributes {convoy.rocm_chip = "gfx942"} {
  gpu.module @kernels {
    // expected-error @below {{kernel large cannot run with chip gfx942: 65540 bytes of workgroup memory, but up to 65536 are possible}}
    gpu.func @large() workgroup(%s: memref<16385xf32, #gpu.address_space<workgroup>>)
        kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
      gpu.return
    }
  }
}

// -----

module attributes {convoy.rocm_chip = "gfx942"} {
  gpu.module @kernels {
    // expected-error @below {{kernel square cannot run with chip gfx942: expected a buffer of one dimension for argument 1, but got 'memref<2x3xf32>'}}
    gpu.func @square(%a: memref<5xf32>, %b: memref<2x3xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
      gpu.return
    }
  }
}

// -----

// A batch that is not known.
module attributes {convoy.rocm_chip = "gfx942"} {
  gpu.module @kernels {
    gpu.func @dynamic(%a: memref<?xf32>, %batch: i32) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
      gpu.return
    }
  }
}

// -----

module attributes {convoy.rocm_chip = "gfx942"} {
  gpu.module @kernels {
    // expected-error @below {{kernel odd cannot run with chip gfx942: a buffer of 'i24', but elements are of 8, 16, 32 or 64 bits}}
    gpu.func @odd(%a: memref<5xi24>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
      gpu.return
    }
  }
}

// -----

module attributes {convoy.rocm_chip = "gfx942"} {
  gpu.module @kernels {
    // expected-error @below {{kernel tiny cannot run with chip gfx942: values of 'f8E4M3FN', which it does not have}}
    gpu.func @tiny(%a: memref<5xf8E4M3FN>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
      gpu.return
    }
  }
}

// -----

module attributes {convoy.rocm_chip = "gfx950"} {
  gpu.module @kernels {
    // CHECK-LABEL: gpu.func @matrix(
    gpu.func @matrix(%a: memref<64xi8>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
      %x = arith.constant dense<1> : vector<16xi8>
      %y = arith.constant dense<1> : vector<4xi32>
      // CHECK: amdgpu.mfma
      %r = amdgpu.mfma 16x16x64 %x * %x + %y blgp = none : vector<16xi8>, vector<16xi8>, vector<4xi32>
      gpu.return
    }
  }
}

// -----

// The same size, with the operands' elements of another generation.
module attributes {convoy.rocm_chip = "gfx1201"} {
  gpu.module @kernels {
    // expected-error @below {{kernel replicated cannot run with chip gfx1201: matrix instruction 16x16x16 of 'vector<16xf16>', 'vector<16xf16>' and 'vector<8xf32>', which it does not have}}
    gpu.func @replicated(%a: memref<64xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
      %x = arith.constant dense<1.0> : vector<16xf16>
      %y = arith.constant dense<1.0> : vector<8xf32>
      %r = amdgpu.wmma 16x16x16 %x * %x + %y : vector<16xf16>, vector<16xf16>, vector<8xf32>
      gpu.return
    }
  }
}

// -----

module attributes {convoy.rocm_chip = "gfx90a"} {
  gpu.module @kernels {
    // expected-error @below {{kernel newer cannot run with chip gfx90a: matrix instruction 16x16x32 of 'vector<8xi8>', 'vector<8xi8>' and 'vector<4xi32>', which it does not have}}
    gpu.func @newer(%a: memref<64xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
      %x = arith.constant dense<1> : vector<8xi8>
      %y = arith.constant dense<1> : vector<4xi32>
      %r = amdgpu.mfma 16x16x32 %x * %x + %y blgp = none : vector<8xi8>, vector<8xi8>, vector<4xi32>
      gpu.return
    }
  }
}

// -----

module attributes {convoy.rocm_chip = "gfx90a"} {
  gpu.module @kernels {
    // expected-error @below {{kernel parted cannot run with chip gfx90a: a barrier that some work-items of a workgroup may not reach}}
    gpu.func @parted() kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
      %c7 = arith.constant 7 : index
      %item = gpu.thread_id x
      %is_inside = arith.cmpi ult, %item, %c7 : index
      // expected-note @below {{they may decide differently at this scf.if}}
      scf.if %is_inside {
        gpu.barrier
      }
      gpu.return
    }
  }
}
