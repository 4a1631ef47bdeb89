// RUN: convoy-opt %s --split-input-file --verify-diagnostics --convoy-convert-gpu-to-rocdl | FileCheck %s

module attributes {convoy.rocm_chip = "gfx942"} {
  gpu.module @kernels {
    // CHECK-LABEL: llvm.func @copy(
    // CHECK-SAME:    %{{[^:]*}}: !llvm.ptr<1> {llvm.align = 16 : i64, llvm.noalias, llvm.readonly}, %{{[^:]*}}: !llvm.ptr<1>)
    // CHECK-SAME:    rocdl.flat_work_group_size = "6,6"
    // CHECK-SAME:    rocdl.kernel
    // CHECK-SAME:    rocdl.reqd_work_group_size = array<i32: 6, 1, 1>
    // CHECK:         llvm.getelementptr inbounds|nuw %{{.*}}[%{{.*}}] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    gpu.func @copy(%a: memref<6xf32, #gpu.address_space<global>> {llvm.align = 16 : i64, llvm.noalias, llvm.readonly},
                   %b: memref<6xf32, #gpu.address_space<global>>)
        kernel attributes {known_block_size = array<i32: 6, 1, 1>} {
      %i = gpu.thread_id x
      %x = memref.load %a[%i] : memref<6xf32, #gpu.address_space<global>>
      memref.store %x, %b[%i] : memref<6xf32, #gpu.address_space<global>>
      gpu.return
    }
  }
}

// -----

// Parts of vectors are shuffles.
module attributes {convoy.rocm_chip = "gfx942"} {
  gpu.module @kernels {
    // CHECK-LABEL: llvm.func @parts(
    // CHECK:         llvm.shufflevector %{{.*}}, %{{.*}} [4, 5, 6, 7] : vector<8xf16>
    gpu.func @parts(%a: memref<8xf16>, %b: memref<4xf16>) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
      %zero = arith.constant 0 : index
      %x = vector.load %a[%zero] : memref<8xf16>, vector<8xf16>
      %second = vector.extract_strided_slice %x {offsets = [4], sizes = [4], strides = [1]} : vector<8xf16> to vector<4xf16>
      vector.store %second, %b[%zero] : memref<4xf16>, vector<4xf16>
      gpu.return
    }
  }
}

// -----

// Indices of 64 bits where 32 may be too few.
module attributes {convoy.rocm_chip = "gfx1100"} {
  gpu.module @kernels {
    // CHECK-LABEL: llvm.func @large(
    // CHECK:         llvm.getelementptr inbounds|nuw %{{.*}}[%{{.*}}] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    gpu.func @large(%a: memref<1073741825xi8>)
        kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
      %i = gpu.block_id x
      %x = memref.load %a[%i] : memref<1073741825xi8>
      memref.store %x, %a[%i] : memref<1073741825xi8>
      gpu.return
    }
  }
}

// -----

// Buffers of any size are addresses; the batch is passed by value.
module attributes {convoy.rocm_chip = "gfx942"} {
  gpu.module @kernels {
    // CHECK-LABEL: llvm.func @batch(
    // CHECK-SAME:    %{{[^:]*}}: !llvm.ptr<1>, %[[N:[^:]*]]: i32)
    // CHECK:         llvm.icmp "ult" %{{.*}}, %[[N]] : i32
    // CHECK:         llvm.getelementptr inbounds|nuw %{{.*}}[%{{.*}}] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    gpu.func @batch(%a: memref<?xf32, #gpu.address_space<global>>, %n: i32) workgroup(%s: memref<4xf32, #gpu.address_space<workgroup>>)
        kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
      %i = gpu.block_id z
      %batch = arith.index_cast %n : i32 to index
      %inside = arith.cmpi ult, %i, %batch : index
      %first = arith.constant 0 : index
      %place = arith.select %inside, %i, %first : index
      %x = memref.load %a[%place] : memref<?xf32, #gpu.address_space<global>>
      memref.store %x, %s[%first] : memref<4xf32, #gpu.address_space<workgroup>>
      gpu.return
    }
  }
}

// -----

// expected-error @below {{expected convoy.rocm_chip on the module}}
gpu.module @kernels {
}
