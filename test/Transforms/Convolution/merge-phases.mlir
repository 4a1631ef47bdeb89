// RUN: convoy-opt %s --convoy-merge-phases --split-input-file | FileCheck %s
// RUN: convoy-opt %s --convoy-attach-target=vector-units=8 --convoy-merge-phases --split-input-file | FileCheck %s --check-prefix=UNITS
// RUN: convoy-opt %s --convoy-merge-phases --split-input-file --convoy-certify-each 2>&1 | FileCheck %s --check-prefix=CERTIFIED

// CERTIFIED-NOT: undecided
// CERTIFIED-NOT: differ

// Even positions read taps 0 and 2, odd ones tap 1: in 2 phases of 3 channels,
// one vector holds what two had. A core with many units saves less than putting
// the phases apart takes.
// UNITS-LABEL: func @two_phases(
// UNITS:         convoy.conv {{.*}} input_dilation = [2]
// CHECK-LABEL: func @two_phases(
// CHECK-SAME:    %[[X:.*]]: tensor<1x4x64xf32>, %[[W:.*]]: tensor<3x64x3xf32>, %[[ROOM:.*]]: tensor<1x8x3xf32>)
// CHECK:         %[[ZEROS:.*]] = linalg.fill {{.*}} -> tensor<2x64x2x3xf32>
// CHECK:         %[[EVEN:.*]] = tensor.extract_slice %[[W]][0, 0, 0] [2, 64, 3] [2, 1, 1]
// CHECK:         %[[SLOT0:.*]] = tensor.extract_slice %[[ZEROS]][0, 0, 0, 0] [2, 64, 1, 3]
// CHECK:         %[[COPY0:.*]] = linalg.generic {{.*}} ins(%[[EVEN]] : {{.*}}) outs(%[[SLOT0]] :
// CHECK:         %[[W0:.*]] = tensor.insert_slice %[[COPY0]] into %[[ZEROS]][0, 0, 0, 0]
// CHECK:         %[[ODD:.*]] = tensor.extract_slice %[[W]][1, 0, 0] [1, 64, 3] [2, 1, 1]
// CHECK:         %[[W1:.*]] = tensor.insert_slice {{.*}} into %[[W0]][1, 0, 1, 0] [1, 64, 1, 3]
// CHECK:         %[[MERGED:.*]] = tensor.collapse_shape %[[W1]] {{\[\[}}0], [1], [2, 3]]
// CHECK:         %[[INIT:.*]] = linalg.fill {{.*}} -> tensor<1x4x6xf32>
// CHECK:         %[[SUMS:.*]] = convoy.conv ins(%[[X]], %[[MERGED]] : {{.*}}) outs(%[[INIT]] : {{.*}}) layout(nwc x wcf -> nwf) window(pad = {{\[\[}}1, 0]])
// CHECK:         %[[APART:.*]] = tensor.expand_shape %[[SUMS]] {{\[\[}}0], [1], [2, 3]]
// CHECK:         %[[PLACE:.*]] = tensor.expand_shape %[[ROOM]] {{\[\[}}0], [1, 2], [3]]
// CHECK:         %[[COPY:.*]] = linalg.generic {{.*}} ins(%[[APART]] : {{.*}}) outs(%[[PLACE]] :
// CHECK:         tensor.collapse_shape %[[COPY]] {{\[\[}}0], [1, 2], [3]]
module attributes {convoy.target = #convoy.target<vector_bytes = 32, registers = 16>} {
  func.func @two_phases(%x: tensor<1x4x64xf32>, %w: tensor<3x64x3xf32>, %room: tensor<1x8x3xf32>) -> tensor<1x8x3xf32> {
    %zero = arith.constant 0.0 : f32
    %init = linalg.fill ins(%zero : f32) outs(%room : tensor<1x8x3xf32>) -> tensor<1x8x3xf32>
    %r = convoy.conv ins(%x, %w : tensor<1x4x64xf32>, tensor<3x64x3xf32>) outs(%init : tensor<1x8x3xf32>)
        layout(nwc x wcf -> nwf) window(pad = [[2, 1]], input_dilation = [2])
    return %r : tensor<1x8x3xf32>
  }
}

// -----

// Reversed taps lie in memory from the other end; channels in front of the
// positions have their phases in front of them; a last position that one phase
// alone has is cut off.
// CHECK-LABEL: func @reversed(
// CHECK-SAME:    %[[W:[a-z0-9]*]]: tensor<3x64x3xf32>,
// CHECK:         tensor.extract_slice %[[W]][0, 0, 0] [3, 64, 2] [1, 1, 2]
// CHECK:         tensor.insert_slice {{.*}}[0, 0, 0, 0] [64, 2, 1, 3]
// CHECK:         tensor.extract_slice %[[W]][0, 0, 1] [3, 64, 1] [1, 1, 2]
// CHECK:         tensor.insert_slice {{.*}}[0, 0, 1, 0] [64, 1, 1, 3]
// CHECK:         %[[SUMS:.*]] = convoy.conv {{.*}} layout(ncw x cwf -> nfw) window(pad = {{\[\[}}1, 0]], reverse = [true])
// CHECK:         %[[APART:.*]] = tensor.expand_shape %[[SUMS]] {{\[\[}}0], [1, 2], [3]]
// CHECK:         linalg.generic {{.*}} ins(%[[APART]] : tensor<1x2x3x4xf32>) outs({{.*}} : tensor<1x3x4x2xf32>)
// CHECK:         %[[WHOLE:.*]] = tensor.collapse_shape {{.*}} into tensor<1x3x8xf32>
// CHECK:         tensor.extract_slice %[[WHOLE]][0, 0, 0] [1, 3, 7] [1, 1, 1]
module attributes {convoy.target = #convoy.target<vector_bytes = 32, registers = 16>} {
  func.func @reversed(%x: tensor<1x64x4xf32>, %w: tensor<3x64x3xf32>, %room: tensor<1x3x7xf32>) -> tensor<1x3x7xf32> {
    %zero = arith.constant 0.0 : f32
    %init = linalg.fill ins(%zero : f32) outs(%room : tensor<1x3x7xf32>) -> tensor<1x3x7xf32>
    %r = convoy.conv ins(%x, %w : tensor<1x64x4xf32>, tensor<3x64x3xf32>) outs(%init : tensor<1x3x7xf32>)
        layout(ncw x fcw -> nfw) window(pad = [[2, 0]], input_dilation = [2], reverse = [true])
    return %r : tensor<1x3x7xf32>
  }
}

// -----

// Channels fill vectors, but each phase's sums would be stored one by one.
// CHECK-LABEL: func @scattered(
// CHECK:         convoy.conv {{.*}} outs({{.*}} : tensor<1x16x4xf32>)
module attributes {convoy.target = #convoy.target<vector_bytes = 32, registers = 16>} {
  func.func @scattered(%x: tensor<1x2x4xf32>, %w: tensor<8x2x2xf32>, %room: tensor<1x8x8xf32>) -> tensor<1x8x8xf32> {
    %zero = arith.constant 0.0 : f32
    %init = linalg.fill ins(%zero : f32) outs(%room : tensor<1x8x8xf32>) -> tensor<1x8x8xf32>
    %r = convoy.conv ins(%x, %w : tensor<1x2x4xf32>, tensor<8x2x2xf32>) outs(%init : tensor<1x8x8xf32>)
        layout(ncw x fcw -> nfw) window(pad = [[1, 1]], input_dilation = [2], reverse = [true])
    return %r : tensor<1x8x8xf32>
  }
}

// -----

// As it is: channels that fill vectors by themselves, a phase without taps,
// an init that holds something, zero points.
// CHECK-LABEL: func @as_it_is(
// CHECK-COUNT-3: input_dilation = [2]
module attributes {convoy.target = #convoy.target<vector_bytes = 32, registers = 16>} {
  func.func @as_it_is(%x: tensor<1x4x64xf32>, %w8: tensor<3x64x8xf32>, %w1: tensor<1x64x3xf32>, %w: tensor<3x64x3xf32>,
                      %r8: tensor<1x8x8xf32>, %r1: tensor<1x8x3xf32>, %r: tensor<1x8x3xf32>)
      -> (tensor<1x8x8xf32>, tensor<1x8x3xf32>, tensor<1x8x3xf32>) {
    %zero = arith.constant 0.0 : f32
    %i8 = linalg.fill ins(%zero : f32) outs(%r8 : tensor<1x8x8xf32>) -> tensor<1x8x8xf32>
    %i1 = linalg.fill ins(%zero : f32) outs(%r1 : tensor<1x8x3xf32>) -> tensor<1x8x3xf32>
    %c8 = convoy.conv ins(%x, %w8 : tensor<1x4x64xf32>, tensor<3x64x8xf32>) outs(%i8 : tensor<1x8x8xf32>)
        layout(nwc x wcf -> nwf) window(pad = [[2, 1]], input_dilation = [2])
    %c1 = convoy.conv ins(%x, %w1 : tensor<1x4x64xf32>, tensor<1x64x3xf32>) outs(%i1 : tensor<1x8x3xf32>)
        layout(nwc x wcf -> nwf) window(pad = [[0, 1]], input_dilation = [2])
    %c = convoy.conv ins(%x, %w : tensor<1x4x64xf32>, tensor<3x64x3xf32>) outs(%r : tensor<1x8x3xf32>)
        layout(nwc x wcf -> nwf) window(pad = [[2, 1]], input_dilation = [2])
    return %c8, %c1, %c : tensor<1x8x8xf32>, tensor<1x8x3xf32>, tensor<1x8x3xf32>
  }
}

// -----

// CHECK-LABEL: func @quantized(
// CHECK:         input_dilation = [2]
module attributes {convoy.target = #convoy.target<vector_bytes = 32, registers = 16>} {
  func.func @quantized(%x: tensor<1x4x64xi8>, %w: tensor<3x64x3xi8>, %room: tensor<1x8x3xi32>, %zx: i32, %zw: i32) -> tensor<1x8x3xi32> {
    %zero = arith.constant 0 : i32
    %init = linalg.fill ins(%zero : i32) outs(%room : tensor<1x8x3xi32>) -> tensor<1x8x3xi32>
    %r = convoy.conv ins(%x, %w : tensor<1x4x64xi8>, tensor<3x64x3xi8>) outs(%init : tensor<1x8x3xi32>)
        zero_points(%zx, %zw : i32, i32)
        layout(nwc x wcf -> nwf) window(pad = [[2, 1]], input_dilation = [2])
    return %r : tensor<1x8x3xi32>
  }
}

// -----

// No slice of an empty dimension is legal.
// CHECK-LABEL: func @empty(
// CHECK-COUNT-2: input_dilation = [2]
module attributes {convoy.target = #convoy.target<vector_bytes = 32, registers = 16>} {
  func.func @empty(%x0: tensor<0x64x4xf32>, %w: tensor<3x64x3xf32>, %r0: tensor<0x3x7xf32>,
                   %x: tensor<1x0x4xf32>, %w0: tensor<3x0x3xf32>, %r: tensor<1x3x7xf32>)
      -> (tensor<0x3x7xf32>, tensor<1x3x7xf32>) {
    %zero = arith.constant 0.0 : f32
    %i0 = linalg.fill ins(%zero : f32) outs(%r0 : tensor<0x3x7xf32>) -> tensor<0x3x7xf32>
    %i = linalg.fill ins(%zero : f32) outs(%r : tensor<1x3x7xf32>) -> tensor<1x3x7xf32>
    %c0 = convoy.conv ins(%x0, %w : tensor<0x64x4xf32>, tensor<3x64x3xf32>) outs(%i0 : tensor<0x3x7xf32>)
        layout(ncw x fcw -> nfw) window(pad = [[2, 0]], input_dilation = [2], reverse = [true])
    %c = convoy.conv ins(%x, %w0 : tensor<1x0x4xf32>, tensor<3x0x3xf32>) outs(%i : tensor<1x3x7xf32>)
        layout(ncw x fcw -> nfw) window(pad = [[2, 0]], input_dilation = [2], reverse = [true])
    return %c0, %c : tensor<0x3x7xf32>, tensor<1x3x7xf32>
  }
}
