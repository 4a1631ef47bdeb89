// RUN: convoy-opt %s --convoy-to-kernels-pipeline --split-input-file | FileCheck %s

// Phases of a strided gradient are written into one buffer.
// CHECK-LABEL: func @gradient(
// CHECK-SAME:    %[[DY:arg[0-9]+]]: memref<1x4x2xf32>{{.*}}, %[[W:arg[0-9]+]]: memref<3x5x2xf32>{{.*}}, %[[DX:arg[0-9]+]]: memref<1x9x5xf32>
// CHECK-SAME:    convoy.workspace = 0
// CHECK-NOT:     memref.copy
// CHECK:         convoy.launch @kernels::@gradient_0 {{.*}} ins(%[[DY]], %[[W]] : {{.*}}) outs(%[[DX]] : memref<1x9x5xf32>)
// CHECK:         convoy.launch @kernels::@gradient_1 {{.*}} ins(%[[DY]], %[[W]] : {{.*}}) outs(%[[DX]] : memref<1x9x5xf32>)
// CHECK-NEXT:    return
func.func @gradient(%dy: tensor<1x4x2xf32>, %w: tensor<3x5x2xf32>) -> tensor<1x9x5xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x9x5xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x9x5xf32>) -> tensor<1x9x5xf32>
  %dx = convoy.conv_backward_data ins(%dy, %w : tensor<1x4x2xf32>, tensor<3x5x2xf32>)
      outs(%init : tensor<1x9x5xf32>) layout(nwc x wcf -> nwf) window(stride = [2])
  return %dx : tensor<1x9x5xf32>
}

// -----

// What one convolution hands to the next lies in the workspace, aligned for
// GPUs' buffers.
module attributes {convoy.target = #convoy.target<subgroup = 8, workgroup_bytes = 32768, workgroup_items = 64>} {
  // CHECK-LABEL: func @two(
  // CHECK-SAME:    %[[WORKSPACE:arg[0-9]+]]: memref<?xi8>
  // CHECK-SAME:    convoy.workspace = 256
  // CHECK:         %[[MIDDLE:.*]] = memref.view %[[WORKSPACE]]
  // CHECK:         convoy.launch @kernels::@two_0 {{.*}} outs(%[[MIDDLE]] : memref<1x5x3xf32>)
  // CHECK:         convoy.launch @kernels::@two_1 {{.*}} ins(%[[MIDDLE]], {{.*}})
  func.func @two(%x: tensor<1x7x2xf32>, %w: tensor<3x2x3xf32>, %v: tensor<2x3x4xf32>) -> tensor<1x4x4xf32> {
    %zero = arith.constant 0.0 : f32
    %empty = tensor.empty() : tensor<1x5x3xf32>
    %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x5x3xf32>) -> tensor<1x5x3xf32>
    %y = convoy.conv ins(%x, %w : tensor<1x7x2xf32>, tensor<3x2x3xf32>)
        outs(%init : tensor<1x5x3xf32>) layout(nwc x wcf -> nwf)
    %empty2 = tensor.empty() : tensor<1x4x4xf32>
    %init2 = linalg.fill ins(%zero : f32) outs(%empty2 : tensor<1x4x4xf32>) -> tensor<1x4x4xf32>
    %z = convoy.conv ins(%y, %v : tensor<1x5x3xf32>, tensor<2x3x4xf32>)
        outs(%init2 : tensor<1x4x4xf32>) layout(nwc x wcf -> nwf)
    return %z : tensor<1x4x4xf32>
  }
}
