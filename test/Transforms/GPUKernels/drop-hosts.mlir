// RUN: convoy-opt %s --convoy-drop-hosts | FileCheck %s

// CHECK-NOT:   @unused
// CHECK:       memref.global "private" constant @used
memref.global "private" constant @unused : memref<2xf32> = dense<[1.0, 2.0]>
memref.global "private" constant @used : memref<2xf32> = dense<[3.0, 4.0]>

func.func @host(%a: memref<2x3xf32>) {
  %data = memref.get_global @unused : memref<2xf32>
  convoy.launch @kernels::@kernel grid [1, 1, 1] outs(%a : memref<2x3xf32>)
  return
}

// CHECK-NOT:   func.func @host
// CHECK:       func.func @other
func.func @other() -> memref<2xf32> {
  %data = memref.get_global @used : memref<2xf32>
  return %data : memref<2xf32>
}

// CHECK-NOT:   func.func @host
// CHECK:       gpu.func @kernel
gpu.module @kernels {
  gpu.func @kernel(%a: memref<6xf32>) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    gpu.return
  }
}
