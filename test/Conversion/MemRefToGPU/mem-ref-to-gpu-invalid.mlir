// RUN: convoy-opt %s --convoy-outline-copies --split-input-file --verify-diagnostics

func.func @gaps(%x: memref<5x7xf32, strided<[8, 1]>>, %out: memref<5x7xf32>) {
  // expected-error @below {{expected buffers without gaps, but got 'memref<5x7xf32, strided<[8, 1]>>'}}
  memref.copy %x, %out : memref<5x7xf32, strided<[8, 1]>> to memref<5x7xf32>
  return
}
gpu.module @kernels {
}

// -----

func.func @own_size(%n: index) {
  %x = memref.alloc(%n) : memref<?xf32>
  %y = memref.alloc(%n) : memref<?xf32>
  // expected-error @below {{expected an argument of the function that has its dynamic size}}
  memref.copy %x, %y : memref<?xf32> to memref<?xf32>
  return
}
gpu.module @kernels {
}

// -----

func.func @other_effects(%value: f32, %out: memref<5xf32>) {
  %c0 = arith.constant 0 : index
  // expected-error @below {{expected nothing but launches of kernels}}
  memref.store %value, %out[%c0] : memref<5xf32>
  return
}
gpu.module @kernels {
}

// -----

func.func @unknown_place(%out: memref<?xi8>, %place: index) {
  %part = memref.view %out[%place][] : memref<?xi8> to memref<4xf32>
  // expected-error @below {{expected buffers at known places}}
  convoy.launch @kernels::@fill grid [1, 1, 1] outs(%part : memref<4xf32>)
  return
}
gpu.module @kernels {
  gpu.func @fill(%out: memref<4xf32>) kernel attributes {known_block_size = array<i32: 4, 1, 1>} {
    gpu.return
  }
}

// -----

// No op is free of effects that is not known.
func.func @unknown_op(%out: memref<5xf32>) {
  %n = arith.constant dense<1.0> : vector<5xf32>
  // expected-error @below {{expected nothing but launches of kernels}}
  %m = arith.mulf %n, %n : vector<5xf32>
  return
}
gpu.module @kernels {
}

// -----

// expected-error @below {{expected launches that write each element of 'y', but some have none}}
func.func @unwritten(%out: memref<4x6xf32>)
    attributes {convoy.arguments = [{layout = "", name = "y", type = tensor<4x6xf32>, written = true}]} {
  convoy.launch @kernels::@part grid [1, 1, 1] outs(%out : memref<4x6xf32>) writes <[0, 0] [4, 3] [1, 2]>
  convoy.launch @kernels::@part grid [1, 1, 1] outs(%out : memref<4x6xf32>) writes <[0, 1] [4, 2] [1, 2]>
  return
}
gpu.module @kernels {
  gpu.func @part(%out: memref<24xf32>) kernel attributes {known_block_size = array<i32: 4, 1, 1>} {
    gpu.return
  }
}

// -----

// Slices of another shape are as good.
func.func @phases(%out: memref<24xf32>)
    attributes {convoy.arguments = [{layout = "", name = "y", type = tensor<24xf32>, written = true}]} {
  %rows = memref.expand_shape %out [[0, 1]] output_shape [4, 6] : memref<24xf32> into memref<4x6xf32>
  convoy.launch @kernels::@part grid [1, 1, 1] outs(%rows : memref<4x6xf32>) writes <[0, 0] [4, 3] [1, 2]>
  convoy.launch @kernels::@part grid [1, 1, 1] outs(%rows : memref<4x6xf32>) writes <[0, 1] [2, 3] [1, 2]>
  convoy.launch @kernels::@part grid [1, 1, 1] outs(%rows : memref<4x6xf32>) writes <[2, 1] [2, 3] [1, 2]>
  return
}
gpu.module @kernels {
  gpu.func @part(%out: memref<24xf32>) kernel attributes {known_block_size = array<i32: 4, 1, 1>} {
    gpu.return
  }
}

// -----

// expected-error @below {{expected the gpu.module that convoy-outline-kernels leaves}}
module {
}
