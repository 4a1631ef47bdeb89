// RUN: convoy-opt %s --convoy-read-words --split-input-file --allow-unregistered-dialect | FileCheck %s

module attributes {convoy.vulkan_profile = #convoy.vulkan_profile<name = "cpu", features = [f16, i8, i16, i64, storage8, storage16, slow_shared_memory]>} {
  gpu.module @kernels {
    // CHECK-LABEL: gpu.func @fours(
    // CHECK-SAME:    %[[A:.*]]: memref<6xvector<2xi64>>, %[[B:.*]]: memref<7xvector<1xi64>>, %[[C:.*]]: memref<?xvector<1xi32>>, %{{.*}}: memref<24xf64>)
    gpu.func @fours(%a: memref<24xf32>, %b: memref<28xf16>, %c: memref<?xi8>, %d: memref<24xf64>) kernel {
      %c4 = arith.constant 4 : index
      %t = gpu.thread_id x
      // CHECK:      %[[INDEX:.*]] = arith.muli
      %i = arith.muli %t, %c4 : index
      // CHECK:      %[[J:.*]] = arith.divui %[[INDEX]], %{{.*}} : index
      // CHECK:      %[[WORDS:.*]] = memref.load %[[A]][%[[J]]] : memref<6xvector<2xi64>>
      // CHECK:      %[[V:.*]] = vector.bitcast %[[WORDS]] : vector<2xi64> to vector<4xf32>
      %v = vector.load %a[%i] : memref<24xf32>, vector<4xf32>
      // What the access itself says of its index holds.
      // CHECK:      vector.bitcast %{{.*}} : vector<1xi64> to vector<4xf16>
      %w = vector.load %b[%t] {alignment = 8 : i64} : memref<28xf16>, vector<4xf16>
      // Of no word more than 4 elements are taken.
      // CHECK:      vector.bitcast %{{.*}} : vector<1xi32> to vector<4xi8>
      %x = vector.load %c[%i] : memref<?xi8>, vector<4xi8>
      // Elements of 64 bits are words already.
      // CHECK:      vector.load %{{.*}} : memref<24xf64>, vector<4xf64>
      %y = vector.load %d[%i] : memref<24xf64>, vector<4xf64>
      // CHECK:      "test.use"(%[[V]],
      "test.use"(%v, %w, %x, %y) : (vector<4xf32>, vector<4xf16>, vector<4xi8>, vector<4xf64>) -> ()
      gpu.return
    }

    // CHECK-LABEL: gpu.func @eights(
    // CHECK-SAME:    %[[A:.*]]: memref<3xvector<4xi64>>, %[[B:.*]]: memref<3xvector<2xi64>>, %[[C:.*]]: memref<5xvector<2xi64>>)
    gpu.func @eights(%a: memref<24xf32>, %b: memref<24xi16>, %c: memref<20xf32>) kernel {
      %c4 = arith.constant 4 : index
      %c8 = arith.constant 8 : index
      %t = gpu.thread_id x
      %i = arith.muli %t, %c8 : index
      // CHECK:      %[[WORDS:.*]] = memref.load %[[A]]
      // CHECK:      %[[FIRST:.*]] = vector.extract_strided_slice %[[WORDS]] {offsets = [0], sizes = [2], strides = [1]}
      // CHECK:      %[[LOW:.*]] = vector.bitcast %[[FIRST]] : vector<2xi64> to vector<4xf32>
      // CHECK:      %[[SECOND:.*]] = vector.extract_strided_slice %[[WORDS]] {offsets = [2], sizes = [2], strides = [1]}
      // CHECK:      %[[HIGH:.*]] = vector.bitcast %[[SECOND]] : vector<2xi64> to vector<4xf32>
      // CHECK:      %[[X:.*]] = vector.extract %[[HIGH]][1]
      // CHECK:      %[[PAIR:.*]] = vector.extract_strided_slice %[[HIGH]] {offsets = [2], sizes = [2], strides = [1]}
      %v = vector.load %a[%i] : memref<24xf32>, vector<8xf32>
      %low = vector.extract_strided_slice %v {offsets = [0], sizes = [4], strides = [1]} : vector<8xf32> to vector<4xf32>
      %x = vector.extract %v[5] : f32 from vector<8xf32>
      %pair = vector.extract_strided_slice %v {offsets = [6], sizes = [2], strides = [1]} : vector<8xf32> to vector<2xf32>
      // CHECK:      %[[HALF:.*]] = vector.extract_strided_slice %{{.*}} {offsets = [1], sizes = [1], strides = [1]}
      // CHECK:      %[[W:.*]] = vector.bitcast %[[HALF]] : vector<1xi64> to vector<4xi16>
      %w = vector.load %b[%i] : memref<24xi16>, vector<8xi16>
      %high = vector.extract_strided_slice %w {offsets = [4], sizes = [4], strides = [1]} : vector<8xi16> to vector<4xi16>
      // A size that 8 does not divide: two reads.
      // CHECK:      %[[K:.*]] = arith.divui
      // CHECK:      memref.load %[[C]][%[[K]]]
      // CHECK:      %[[NEXT:.*]] = arith.addi %[[K]],
      // CHECK:      %[[LAST:.*]] = memref.load %[[C]][%[[NEXT]]]
      // CHECK:      %[[Y:.*]] = vector.bitcast %[[LAST]] : vector<2xi64> to vector<4xf32>
      %u = vector.load %c[%i] : memref<20xf32>, vector<8xf32>
      %y = vector.extract_strided_slice %u {offsets = [4], sizes = [4], strides = [1]} : vector<8xf32> to vector<4xf32>
      // CHECK:      "test.use"(%[[LOW]], %[[X]], %[[PAIR]], %[[W]], %[[Y]])
      "test.use"(%low, %x, %pair, %high, %y) : (vector<4xf32>, f32, vector<2xf32>, vector<4xi16>, vector<4xf32>) -> ()
      gpu.return
    }

    // Reads of single elements, writes, odd places, other vectors, and memory of
    // the workgroup.
    // CHECK-LABEL: gpu.func @others(
    // CHECK-SAME:    memref<24xf32>, %{{.*}}: memref<28xf32>, %[[ODD:.*]]: memref<32xf32>, %{{.*}}: memref<36xf32>, %{{.*}}: memref<26xf32>)
    // CHECK-SAME:    workgroup(%{{.*}} : memref<8xf32, #gpu.address_space<workgroup>>)
    gpu.func @others(%a: memref<24xf32>, %b: memref<28xf32>, %c: memref<32xf32>, %d: memref<36xf32>, %e: memref<26xf32>)
        workgroup(%s: memref<8xf32, #gpu.address_space<workgroup>>) kernel {
      %c0 = arith.constant 0 : index
      %t = gpu.thread_id x
      %v = vector.load %a[%c0] : memref<24xf32>, vector<4xf32>
      %x = memref.load %a[%t] : memref<24xf32>
      vector.store %v, %b[%c0] : memref<28xf32>, vector<4xf32>
      // CHECK:      vector.load %[[ODD]][%[[T:.*]]] : memref<32xf32>, vector<4xf32>
      // CHECK:      %[[NEXT:.*]] = arith.addi %[[T]], %
      // CHECK:      vector.load %[[ODD]][%[[NEXT]]] : memref<32xf32>, vector<4xf32>
      %w = vector.load %c[%t] : memref<32xf32>, vector<8xf32>
      %y = vector.extract %w[7] : f32 from vector<8xf32>
      %u = vector.load %d[%c0] : memref<36xf32>, vector<2xf32>
      %q = vector.load %e[%c0] : memref<26xf32>, vector<4xf32>
      %p = vector.load %s[%c0] : memref<8xf32, #gpu.address_space<workgroup>>, vector<4xf32>
      "test.use"(%x, %y, %u, %q, %p) : (f32, f32, vector<2xf32>, vector<4xf32>, vector<4xf32>) -> ()
      gpu.return
    }
  }
}

// -----

// Without integers of 64 bits, words of 32 hold what is narrower.
module attributes {convoy.vulkan_profile = #convoy.vulkan_profile<name = "cpu", features = [f16, storage16, slow_shared_memory]>} {
  gpu.module @kernels {
    // CHECK-LABEL: gpu.func @narrow(
    // CHECK-SAME:    memref<24xf32>, %{{.*}}: memref<3xvector<4xi32>>)
    gpu.func @narrow(%a: memref<24xf32>, %b: memref<24xf16>) kernel {
      %c8 = arith.constant 8 : index
      %v = vector.load %a[%c8] : memref<24xf32>, vector<4xf32>
      // CHECK:      vector.bitcast %{{.*}} : vector<2xi32> to vector<4xf16>
      %w = vector.load %b[%c8] : memref<24xf16>, vector<8xf16>
      %x = vector.extract %w[7] : f16 from vector<8xf16>
      "test.use"(%v, %x) : (vector<4xf32>, f16) -> ()
      gpu.return
    }
  }
}

// -----

// Elsewhere reads of 8 elements end, and that is all.
gpu.module @kernels {
  // CHECK-LABEL: gpu.func @gpu(
  // CHECK-SAME:    %[[A:.*]]: memref<24xf32>)
  gpu.func @gpu(%a: memref<24xf32>) kernel {
    %c8 = arith.constant 8 : index
    // CHECK:      vector.load %[[A]][%{{.*}}] : memref<24xf32>, vector<4xf32>
    // CHECK:      vector.load %[[A]][%{{.*}}] : memref<24xf32>, vector<4xf32>
    // CHECK-NOT:  vector<8xf32>
    %v = vector.load %a[%c8] : memref<24xf32>, vector<8xf32>
    %x = vector.extract %v[2] : f32 from vector<8xf32>
    "test.use"(%x) : (f32) -> ()
    gpu.return
  }
}

// -----

gpu.module @kernels {
  // CHECK-LABEL: gpu.func @too_long_to_be_taken_apart(
  gpu.func @too_long_to_be_taken_apart(%a: memref<24xf32>) kernel {
    %c8 = arith.constant 8 : index
    // CHECK: vector.load %{{.*}} : memref<24xf32>, vector<4294967296xf32>
    %v = vector.load %a[%c8] : memref<24xf32>, vector<4294967296xf32>
    gpu.return
  }
}

// -----

// Elements of 7 bits make up no word.
module attributes {convoy.vulkan_profile = #convoy.vulkan_profile<name = "cpu", features = [slow_shared_memory]>} {
  gpu.module @kernels {
    // CHECK-LABEL: gpu.func @no_words(
    // CHECK-SAME:    memref<24xi7>)
    gpu.func @no_words(%a: memref<24xi7>) kernel {
      %c8 = arith.constant 8 : index
      %v = vector.load %a[%c8] : memref<24xi7>, vector<4xi7>
      gpu.return
    }
  }
}

// -----

// Where shared memory is fast, buffers are of words whose reads all take 16 bytes,
// or more.
module attributes {convoy.vulkan_profile = #convoy.vulkan_profile<name = "gpu", features = [f16, i8, i16, storage8, storage16]>} {
  gpu.module @kernels {
    // CHECK-LABEL: gpu.func @long(
    // CHECK-SAME:    %[[A:.*]]: memref<4xvector<4xi32>>, %[[B:.*]]: memref<?xvector<4xi32>>, %{{.*}}: memref<32xf16>, %{{.*}}: memref<36xf16>, %{{.*}}: memref<16xf32>, %{{.*}}: memref<32xi7>)
    gpu.func @long(%a: memref<32xf16>, %b: memref<?xi8>, %c: memref<32xf16>, %d: memref<36xf16>, %e: memref<16xf32>, %f: memref<32xi7>) kernel {
      %c16 = arith.constant 16 : index
      %t = gpu.thread_id x
      %i = arith.muli %t, %c16 : index
      // CHECK:      %[[WORDS:.*]] = memref.load %[[A]][%{{.*}}] : memref<4xvector<4xi32>>
      // CHECK:      %[[HALF:.*]] = vector.extract_strided_slice %[[WORDS]] {offsets = [2], sizes = [2], strides = [1]}
      // CHECK:      vector.bitcast %[[HALF]] : vector<2xi32> to vector<4xf16>
      %v = vector.load %a[%i] : memref<32xf16>, vector<8xf16>
      %x = vector.extract_strided_slice %v {offsets = [4], sizes = [4], strides = [1]} : vector<8xf16> to vector<4xf16>
      // CHECK:      memref.load %[[B]]
      // CHECK:      vector.bitcast %{{.*}} : vector<1xi32> to vector<4xi8>
      %w = vector.load %b[%i] : memref<?xi8>, vector<16xi8>
      %y = vector.extract_strided_slice %w {offsets = [12], sizes = [4], strides = [1]} : vector<16xi8> to vector<4xi8>
      // One read takes fewer; the size is no multiple; vectors of 4 have 16 bytes.
      // CHECK-COUNT-6: vector.load
      // CHECK-NOT:  bitcast
      %p = vector.load %c[%i] : memref<32xf16>, vector<8xf16>
      %p0 = vector.extract %p[1] : f16 from vector<8xf16>
      %q = vector.load %c[%t] : memref<32xf16>, vector<4xf16>
      %r = vector.load %d[%i] : memref<36xf16>, vector<4xf16>
      %s = vector.load %e[%t] : memref<16xf32>, vector<4xf32>
      %u = vector.load %f[%t] : memref<32xi7>, vector<4xi7>
      "test.use"(%x, %y, %p0, %q, %r, %s, %u) : (vector<4xf16>, vector<4xi8>, f16, vector<4xf16>, vector<4xf16>, vector<4xf32>, vector<4xi7>) -> ()
      gpu.return
    }
  }
}
