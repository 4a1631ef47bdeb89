// RUN: convoy-opt %s --convoy-interleave-phases --split-input-file | FileCheck %s
// RUN: convoy-opt %s --convoy-interleave-phases --split-input-file --convoy-certify-each 2>&1 | FileCheck %s --check-prefix=CERTIFIED

// CERTIFIED-NOT: undecided
// CERTIFIED-NOT: differ

// Even positions read taps 0 and 2, odd ones tap 1, of an input that is padded
// once.
// CHECK-LABEL: func @two_phases(
// CHECK-SAME:    %[[X:.*]]: tensor<1x2x3xf32>, %[[W:.*]]: tensor<4x2x3xf32>, %[[ROOM:.*]]: tensor<1x4x6xf32>)
// CHECK:         %[[PADDED:.*]] = tensor.pad %[[X]] low[0, 0, 1] high[0, 0, 0]
// CHECK:         %[[SUMS:.*]] = tensor.empty() : tensor<2x1x4x3xf32>
// CHECK:         %[[SLOT0:.*]] = tensor.extract_slice %[[SUMS]][0, 0, 0, 0] [1, 1, 4, 3] {{.*}} to tensor<1x4x3xf32>
// CHECK:         %[[FILLED0:.*]] = linalg.fill {{.*}} outs(%[[SLOT0]] :
// CHECK:         %[[W0:.*]] = tensor.extract_slice %[[W]][0, 0, 0] [4, 2, 2] [1, 1, 2]
// CHECK:         %[[CONV0:.*]] = convoy.conv ins(%[[PADDED]], %[[W0]] : {{.*}}) outs(%[[FILLED0]] : {{.*}}) layout(ncw x fcw -> nfw){{$}}
// CHECK:         %[[SUMS0:.*]] = tensor.insert_slice %[[CONV0]] into %[[SUMS]][0, 0, 0, 0]
// CHECK:         %[[W1:.*]] = tensor.extract_slice %[[W]][0, 0, 1] [4, 2, 1] [1, 1, 2]
// CHECK:         %[[CONV1:.*]] = convoy.conv ins(%[[PADDED]], %[[W1]] : {{.*}} window(pad = {{\[\[}}-1, 0]])
// CHECK:         %[[SUMS1:.*]] = tensor.insert_slice %[[CONV1]] into %[[SUMS0]][1, 0, 0, 0]
// CHECK:         %[[PLACE:.*]] = tensor.expand_shape %[[ROOM]] {{\[\[}}0], [1], [2, 3]]
// CHECK:         %[[COPY:.*]] = linalg.generic {{.*}} ins(%[[SUMS1]] : {{.*}}) outs(%[[PLACE]] :
// CHECK:         tensor.collapse_shape %[[COPY]] {{\[\[}}0], [1], [2, 3]]
module attributes {convoy.target = #convoy.target<vector_bytes = 32, registers = 16>} {
  func.func @two_phases(%x: tensor<1x2x3xf32>, %w: tensor<4x2x3xf32>, %room: tensor<1x4x6xf32>) -> tensor<1x4x6xf32> {
    %zero = arith.constant 0.0 : f32
    %init = linalg.fill ins(%zero : f32) outs(%room : tensor<1x4x6xf32>) -> tensor<1x4x6xf32>
    %r = convoy.conv ins(%x, %w : tensor<1x2x3xf32>, tensor<4x2x3xf32>) outs(%init : tensor<1x4x6xf32>)
        layout(ncw x fcw -> nfw) window(pad = [[2, 1]], input_dilation = [2])
    return %r : tensor<1x4x6xf32>
  }
}

// -----

// Where rows without taps are, all are filled. Rows with taps are made up of
// columns that have some, and of others, which are filled; the last column is
// one of the first phase alone.
// CHECK-LABEL: func @rows(
// CHECK-SAME:    %[[ROOM:[a-z0-9]*]]: tensor<1x4x3x7xf32>)
// CHECK:         linalg.fill
// CHECK:         %[[ALL:.*]] = linalg.fill {{.*}} outs(%[[ROOM]] :
// CHECK:         %[[ROWS:.*]] = tensor.extract_slice %[[ALL]][0, 0, 0, 0] [1, 4, 2, 7] [1, 1, 2, 1]
// CHECK:         %[[SUMS:.*]] = tensor.empty() : tensor<3x1x4x2x3xf32>
// CHECK:         convoy.conv {{.*}} outs({{.*}} : tensor<1x4x2x3xf32>)
// CHECK-NOT:     convoy.conv
// CHECK:         %[[WHOLE:.*]] = tensor.extract_slice %[[ROWS]][0, 0, 0, 0] [1, 4, 2, 6]
// CHECK:         tensor.expand_shape %[[WHOLE]] {{.*}} into tensor<1x4x2x2x3xf32>
// CHECK:         %[[PLACED:.*]] = tensor.insert_slice {{.*}} into %[[ROWS]][0, 0, 0, 0] [1, 4, 2, 6]
// CHECK:         %[[LAST:.*]] = tensor.extract_slice {{.*}}[0, 0, 0, 0, 2] [1, 1, 4, 2, 1] {{.*}} to tensor<1x1x4x2xf32>
// CHECK:         %[[REST:.*]] = tensor.extract_slice %[[PLACED]][0, 0, 0, 6] [1, 4, 2, 1]
// CHECK:         %[[COPY:.*]] = linalg.generic {{.*}} ins(%[[LAST]] : {{.*}}) outs(%[[REST]] :
// CHECK:         %[[ROWS0:.*]] = tensor.insert_slice %[[COPY]] into %[[PLACED]][0, 0, 0, 6]
// CHECK:         %[[RESULT:.*]] = tensor.insert_slice %[[ROWS0]] into %[[ALL]][0, 0, 0, 0] [1, 4, 2, 7] [1, 1, 2, 1]
// CHECK:         return %[[RESULT]]
module attributes {convoy.target = #convoy.target<vector_bytes = 32, registers = 16>} {
  func.func @rows(%x: tensor<1x2x2x3xf32>, %w: tensor<4x2x1x1xf32>, %room: tensor<1x4x3x7xf32>) -> tensor<1x4x3x7xf32> {
    %zero = arith.constant 0.0 : f32
    %init = linalg.fill ins(%zero : f32) outs(%room : tensor<1x4x3x7xf32>) -> tensor<1x4x3x7xf32>
    %r = convoy.conv ins(%x, %w : tensor<1x2x2x3xf32>, tensor<4x2x1x1xf32>) outs(%init : tensor<1x4x3x7xf32>)
        layout(nchw x fchw -> nfhw) window(input_dilation = [2, 3])
    return %r : tensor<1x4x3x7xf32>
  }
}

// -----

// Padding that is a zero point stays with each phase.
// CHECK-LABEL: func @zero_points(
// CHECK-NOT:     tensor.pad
// CHECK:         convoy.conv {{.*}} zero_points({{.*}}) {{.*}} window(pad = {{\[\[}}1, 0]])
// CHECK:         convoy.conv {{.*}} zero_points({{.*}}) layout(ncw x fcw -> nfw){{$}}
module attributes {convoy.target = #convoy.target<vector_bytes = 32, registers = 16>} {
  func.func @zero_points(%x: tensor<1x2x3xi8>, %w: tensor<4x2x3xi8>, %room: tensor<1x4x6xi32>, %zx: i32, %zw: i32) -> tensor<1x4x6xi32> {
    %zero = arith.constant 0 : i32
    %init = linalg.fill ins(%zero : i32) outs(%room : tensor<1x4x6xi32>) -> tensor<1x4x6xi32>
    %r = convoy.conv ins(%x, %w : tensor<1x2x3xi8>, tensor<4x2x3xi8>) outs(%init : tensor<1x4x6xi32>)
        zero_points(%zx, %zw : i32, i32)
        layout(ncw x fcw -> nfw) window(pad = [[2, 1]], input_dilation = [2])
    return %r : tensor<1x4x6xi32>
  }
}

// -----

// As it is: channels innermost, rows that are dilated alone, an init that holds
// something, a phase without positions.
// CHECK-LABEL: func @as_it_is(
// CHECK:         input_dilation = [2]
// CHECK:         input_dilation = [2, 1]
// CHECK:         input_dilation = [2]
// CHECK:         input_dilation = [2]
module attributes {convoy.target = #convoy.target<vector_bytes = 32, registers = 16>} {
  func.func @as_it_is(%x: tensor<1x2x3xf32>, %xl: tensor<1x3x2xf32>, %xh: tensor<1x2x3x6xf32>, %x1: tensor<1x2x1xf32>, %w: tensor<4x2x3xf32>, %wh: tensor<4x2x3x1xf32>,
                      %rl: tensor<1x6x4xf32>, %rh: tensor<1x4x6x6xf32>, %r: tensor<1x4x6xf32>, %r1: tensor<1x4x1xf32>)
      -> (tensor<1x6x4xf32>, tensor<1x4x6x6xf32>, tensor<1x4x6xf32>, tensor<1x4x1xf32>) {
    %zero = arith.constant 0.0 : f32
    %il = linalg.fill ins(%zero : f32) outs(%rl : tensor<1x6x4xf32>) -> tensor<1x6x4xf32>
    %ih = linalg.fill ins(%zero : f32) outs(%rh : tensor<1x4x6x6xf32>) -> tensor<1x4x6x6xf32>
    %i1 = linalg.fill ins(%zero : f32) outs(%r1 : tensor<1x4x1xf32>) -> tensor<1x4x1xf32>
    %cl = convoy.conv ins(%xl, %w : tensor<1x3x2xf32>, tensor<4x2x3xf32>) outs(%il : tensor<1x6x4xf32>)
        layout(nwc x fcw -> nwf) window(pad = [[2, 1]], input_dilation = [2])
    %ch = convoy.conv ins(%xh, %wh : tensor<1x2x3x6xf32>, tensor<4x2x3x1xf32>) outs(%ih : tensor<1x4x6x6xf32>)
        layout(nchw x fchw -> nfhw) window(pad = [[2, 1], [0, 0]], input_dilation = [2, 1])
    %c = convoy.conv ins(%x, %w : tensor<1x2x3xf32>, tensor<4x2x3xf32>) outs(%r : tensor<1x4x6xf32>)
        layout(ncw x fcw -> nfw) window(pad = [[2, 1]], input_dilation = [2])
    %c1 = convoy.conv ins(%x1, %w : tensor<1x2x1xf32>, tensor<4x2x3xf32>) outs(%i1 : tensor<1x4x1xf32>)
        layout(ncw x fcw -> nfw) window(pad = [[1, 1]], input_dilation = [2])
    return %cl, %ch, %c, %c1 : tensor<1x6x4xf32>, tensor<1x4x6x6xf32>, tensor<1x4x6xf32>, tensor<1x4x1xf32>
  }
}

// -----

// All phases of a result are written to its buffer.
// CHECK-LABEL: func @buffer(
// CHECK-SAME:    %[[BUFFER:[a-z0-9]*]]: memref<1x4x3x6xf32>)
// CHECK:         %[[ROOM:.*]] = bufferization.to_tensor %[[BUFFER]] restrict writable
// CHECK:         tensor.extract_slice %[[ROOM]][0, 0, 0, 0] [1, 4, 2, 6] [1, 1, 2, 1]
// CHECK:         tensor.insert_slice {{.*}} into %[[ROOM]][0, 0, 0, 0]
// CHECK:         materialize_in_destination {{.*}} in writable %[[BUFFER]]
module attributes {convoy.target = #convoy.target<vector_bytes = 32, registers = 16>} {
  func.func @buffer(%x: tensor<1x2x2x3xf32>, %w: tensor<4x2x2x2xf32>, %buffer: memref<1x4x3x6xf32>) {
    %zero = arith.constant 0.0 : f32
    %room = tensor.empty() : tensor<1x4x3x6xf32>
    %init = linalg.fill ins(%zero : f32) outs(%room : tensor<1x4x3x6xf32>) -> tensor<1x4x3x6xf32>
    %r = convoy.conv ins(%x, %w : tensor<1x2x2x3xf32>, tensor<4x2x2x2xf32>) outs(%init : tensor<1x4x3x6xf32>)
        layout(nchw x fchw -> nfhw) window(pad = [[1, 0], [1, 1]], input_dilation = [2, 2])
    bufferization.materialize_in_destination %r in restrict writable %buffer : (tensor<1x4x3x6xf32>, memref<1x4x3x6xf32>) -> ()
    return
  }
}

// -----

// Each phase keeps what is decided of the groups.
// CHECK-LABEL: func @panel(
// CHECK-COUNT-2: convoy.conv {{.*}} {convoy.group_panel = #convoy.group_panel<groups = 2>}
module attributes {convoy.target = #convoy.target<vector_bytes = 32, registers = 16>} {
  func.func @panel(%x: tensor<1x2x5x3xf32>, %w: tensor<2x4x5x3xf32>, %room: tensor<1x2x4x6xf32>) -> tensor<1x2x4x6xf32> {
    %zero = arith.constant 0.0 : f32
    %init = linalg.fill ins(%zero : f32) outs(%room : tensor<1x2x4x6xf32>) -> tensor<1x2x4x6xf32>
    %r = convoy.conv ins(%x, %w : tensor<1x2x5x3xf32>, tensor<2x4x5x3xf32>) outs(%init : tensor<1x2x4x6xf32>)
        layout(ngcw x gfcw -> ngfw) window(pad = [[2, 1]], input_dilation = [2]) {convoy.group_panel = #convoy.group_panel<groups = 2>}
    return %r : tensor<1x2x4x6xf32>
  }
}
