// RUN: convoy-opt %s --convoy-emulate-narrow-floats --split-input-file --verify-diagnostics | FileCheck %s

module attributes {convoy.vulkan_profile = #convoy.vulkan_profile<name = "no_halves", features = [i16, storage16]>} {
  gpu.module @kernels {
    // What a device does not compute with is moved as integers.
    // CHECK-LABEL: gpu.func @halves(
    // CHECK-SAME:    %[[A:[a-z0-9]*]]: memref<6xi16>, %[[SUM:.*]]: memref<3xf32>)
    // CHECK-SAME:    workgroup(%[[STAGED:.*]] : memref<4xi16, #gpu.address_space<workgroup>>)
    // CHECK-DAG:     arith.constant 15360 : i16
    // CHECK:         %[[X:.*]] = memref.load %[[A]]
    // CHECK:         %[[CHOSEN:.*]] = arith.select %{{.*}}, %[[X]], %{{.*}} : i16
    // CHECK:         memref.store %[[CHOSEN]], %[[STAGED]]
    // CHECK:         arith.extui %{{.*}} : i16 to i32
    // CHECK:         %[[PRODUCT:.*]] = arith.mulf %[[WIDE:.*]], %[[WIDE]] : f32
    // CHECK:         memref.store %[[PRODUCT]], %[[SUM]]
    // CHECK:         %[[DOUBLED:.*]] = arith.addf %{{.*}} : f32
    // CHECK:         arith.trunci %{{.*}} : i32 to i16
    // CHECK:         memref.store %{{.*}}, %[[A]][%{{.*}}] : memref<6xi16>
    // CHECK-NOT:     f16
    // CHECK:         gpu.return
    gpu.func @halves(%a: memref<6xf16>, %sum: memref<3xf32>)
        workgroup(%staged: memref<4xf16, #gpu.address_space<workgroup>>)
        kernel attributes {known_block_size = array<i32: 3, 1, 1>} {
      %one = arith.constant 1.0 : f16
      %c2 = arith.constant 2 : index
      %i = gpu.thread_id x
      %isInside = arith.cmpi ult, %i, %c2 : index
      %x = memref.load %a[%i] : memref<6xf16>
      %chosen = arith.select %isInside, %x, %one : f16
      memref.store %chosen, %staged[%i] : memref<4xf16, #gpu.address_space<workgroup>>
      gpu.barrier
      %y = memref.load %staged[%c2] : memref<4xf16, #gpu.address_space<workgroup>>
      %wide = arith.extf %y : f16 to f32
      %product = arith.mulf %wide, %wide : f32
      memref.store %product, %sum[%i] : memref<3xf32>
      %doubled = arith.addf %y, %y : f16
      memref.store %doubled, %a[%i] : memref<6xf16>
      gpu.return
    }
  }
}

// -----

module attributes {convoy.vulkan_profile = #convoy.vulkan_profile<name = "halves", features = [f16, i16, storage16]>} {
  gpu.module @kernels {
    // CHECK-LABEL: gpu.func @both(
    // CHECK-SAME:    %{{.*}}: memref<2xf16>, %{{.*}}: memref<3xi16>)
    // CHECK:         arith.addf %{{.*}} : f16
    // CHECK:         arith.addf %{{.*}} : f32
    gpu.func @both(%a: memref<2xf16>, %b: memref<3xbf16>)
        kernel attributes {known_block_size = array<i32: 2, 1, 1>} {
      %i = gpu.thread_id x
      %x = memref.load %a[%i] : memref<2xf16>
      %y = arith.addf %x, %x : f16
      memref.store %y, %a[%i] : memref<2xf16>
      %brain = memref.load %b[%i] : memref<3xbf16>
      %sum = arith.addf %brain, %brain : bf16
      memref.store %sum, %b[%i] : memref<3xbf16>
      gpu.return
    }

    // Functions are always computed in f32, but for a multiply-add.
    // CHECK-LABEL: gpu.func @functions(
    // CHECK:         math.fma %{{.*}} : f16
    // CHECK:         %[[WIDE:.*]] = arith.extf %{{.*}} : f16 to f32
    // CHECK:         math.tanh %[[WIDE]] : f32
    // CHECK:         math.exp %{{.*}} : f32
    // CHECK:         gpu.return
    gpu.func @functions(%a: memref<2xf16>, %b: memref<3xbf16>)
        kernel attributes {known_block_size = array<i32: 2, 1, 1>} {
      %i = gpu.thread_id x
      %x = memref.load %a[%i] : memref<2xf16>
      %square = math.fma %x, %x, %x : f16
      %tanh = math.tanh %square : f16
      memref.store %tanh, %a[%i] : memref<2xf16>
      %brain = memref.load %b[%i] : memref<3xbf16>
      %exp = math.exp %brain : bf16
      memref.store %exp, %b[%i] : memref<3xbf16>
      gpu.return
    }
  }
}

// -----

// expected-error @below {{expected convoy.vulkan_profile on the module}}
module {
  gpu.module @kernels {
  }
}
