// RUN: convoy-opt %s --convoy-drop-hosts | FileCheck %s

// CHECK-NOT:   func.func @host
// CHECK:       func.func @other
// CHECK-NOT:   func.func @host
// CHECK:       gpu.func @kernel
func.func @host(%a: memref<2x3xf32>) {
  convoy.launch @kernels::@kernel grid [1, 1, 1] outs(%a : memref<2x3xf32>)
  return
}

func.func @other() {
  return
}

gpu.module @kernels {
  gpu.func @kernel(%a: memref<6xf32>) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    gpu.return
  }
}
