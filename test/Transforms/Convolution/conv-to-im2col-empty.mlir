// RUN: convoy-opt %s --convoy-conv-to-im2col | FileCheck %s

// A filter that does not fit leaves no output position.
// CHECK-LABEL: func @no_output
// CHECK-SAME: %[[INIT:[^,]*]]: tensor<3x0x5xf32>)
// CHECK-NEXT: return %[[INIT]]
func.func @no_output(%x: tensor<3x2x4xf32>, %w: tensor<7x4x5xf32>,
                     %init: tensor<3x0x5xf32>) -> tensor<3x0x5xf32> {
  %r = convoy.conv ins(%x, %w : tensor<3x2x4xf32>, tensor<7x4x5xf32>)
      outs(%init : tensor<3x0x5xf32>) layout(nwc x wcf -> nwf)
  return %r : tensor<3x0x5xf32>
}

// CHECK-LABEL: func @no_channels
// CHECK-SAME: %[[INIT:[^,]*]]: tensor<3x5x4xf32>)
// CHECK-NEXT: return %[[INIT]]
func.func @no_channels(%x: tensor<3x6x0xf32>, %w: tensor<2x0x4xf32>,
                       %init: tensor<3x5x4xf32>) -> tensor<3x5x4xf32> {
  %r = convoy.conv ins(%x, %w : tensor<3x6x0xf32>, tensor<2x0x4xf32>)
      outs(%init : tensor<3x5x4xf32>) layout(nwc x wcf -> nwf)
  return %r : tensor<3x5x4xf32>
}

// All that the windows read is padding.
// CHECK-LABEL: func @no_input
// CHECK-SAME: %[[INIT:[^,]*]]: tensor<3x2x5xf32>)
// CHECK-NEXT: return %[[INIT]]
func.func @no_input(%x: tensor<3x0x4xf32>, %w: tensor<2x4x5xf32>,
                    %init: tensor<3x2x5xf32>) -> tensor<3x2x5xf32> {
  %r = convoy.conv ins(%x, %w : tensor<3x0x4xf32>, tensor<2x4x5xf32>)
      outs(%init : tensor<3x2x5xf32>) layout(nwc x wcf -> nwf)
      window(pad = [[2, 1]])
  return %r : tensor<3x2x5xf32>
}
