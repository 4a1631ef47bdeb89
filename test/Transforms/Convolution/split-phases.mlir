// RUN: convoy-opt %s --convoy-split-phases --split-input-file | FileCheck %s

// Two phases: even positions read taps 0 and 2, odd ones tap 1. Each is summed
// into the part of the result so far.
// CHECK-LABEL: func @two_phases(
// CHECK-SAME:    %[[X:.*]]: tensor<1x3x2xf32>, %[[W:.*]]: tensor<3x2x4xf32>, %[[INIT:.*]]: tensor
// CHECK-NEXT:    %[[W0:.*]] = tensor.extract_slice %[[W]][0, 0, 0] [2, 2, 4] [2, 1, 1]
// CHECK-NEXT:    %[[I0:.*]] = tensor.extract_slice %[[INIT]][0, 0, 0] [1, 4, 4] [1, 2, 1]
// CHECK-NEXT:    %[[C0:.*]] = convoy.conv ins(%[[X]], %[[W0]] :
// CHECK-SAME:        outs(%[[I0]] : tensor<1x4x4xf32>) layout(nwc x wcf -> nwf) window(pad = {{\[}}[1, 1]])
// CHECK-NEXT:    %[[R0:.*]] = tensor.insert_slice %[[C0]] into %[[INIT]][0, 0, 0] [1, 4, 4] [1, 2, 1]
// CHECK-NEXT:    %[[W1:.*]] = tensor.extract_slice %[[W]][1, 0, 0] [1, 2, 4] [2, 1, 1]
// CHECK-NEXT:    %[[I1:.*]] = tensor.extract_slice %[[R0]][0, 1, 0] [1, 3, 4] [1, 2, 1]
// CHECK-NEXT:    %[[C1:.*]] = convoy.conv ins(%[[X]], %[[W1]] :
// CHECK-SAME:        outs(%[[I1]] : tensor<1x3x4xf32>) layout(nwc x wcf -> nwf){{$}}
// CHECK-NEXT:    %[[R1:.*]] = tensor.insert_slice %[[C1]] into %[[R0]][0, 1, 0] [1, 3, 4] [1, 2, 1]
// CHECK-NEXT:    return %[[R1]]
func.func @two_phases(%x: tensor<1x3x2xf32>, %w: tensor<3x2x4xf32>,
                      %init: tensor<1x7x4xf32>) -> tensor<1x7x4xf32> {
  %r = convoy.conv ins(%x, %w : tensor<1x3x2xf32>, tensor<3x2x4xf32>)
      outs(%init : tensor<1x7x4xf32>) layout(nwc x wcf -> nwf)
      window(pad = [[2, 2]], input_dilation = [2])
  return %r : tensor<1x7x4xf32>
}

// -----

// Reversed taps stay reversed; the slice begins where the last of its taps is.
// CHECK-LABEL: func @reversed(
// CHECK:         tensor.extract_slice %{{.*}}[0, 0, 1] [4, 2, 1] [1, 1, 2]
// CHECK:         tensor.extract_slice %{{.*}}[0, 0, 0] [1, 4, 4] [1, 1, 2]
// CHECK:         convoy.conv
// CHECK-SAME:        layout(ncw x fcw -> nfw) window(pad = {{\[}}[0, 1]], reverse = [true])
// CHECK:         tensor.extract_slice %{{.*}}[0, 0, 0] [4, 2, 2] [1, 1, 2]
// CHECK:         tensor.extract_slice %{{.*}}[0, 0, 1] [1, 4, 3] [1, 1, 2]
// CHECK:         convoy.conv
// CHECK-SAME:        layout(ncw x fcw -> nfw) window(pad = {{\[}}[0, 1]], reverse = [true])
func.func @reversed(%x: tensor<1x2x3xf32>, %w: tensor<4x2x3xf32>,
                    %init: tensor<1x4x7xf32>) -> tensor<1x4x7xf32> {
  %r = convoy.conv ins(%x, %w : tensor<1x2x3xf32>, tensor<4x2x3xf32>)
      outs(%init : tensor<1x4x7xf32>) layout(ncw x fcw -> nfw)
      window(pad = [[1, 3]], input_dilation = [2], reverse = [true])
  return %r : tensor<1x4x7xf32>
}

// -----

// Both phases have taps: what fills the init fills the part of each.
// CHECK-LABEL: func @filled(
// CHECK-SAME:    %[[ROOM:[a-z0-9]*]]: tensor<1x7x4xf32>)
// CHECK:         %[[P0:.*]] = tensor.extract_slice %[[ROOM]][0, 0, 0] [1, 4, 4] [1, 2, 1]
// CHECK:         %[[I0:.*]] = linalg.fill {{.*}} outs(%[[P0]] :
// CHECK:         convoy.conv {{.*}} outs(%[[I0]] :
// CHECK:         %[[I1:.*]] = linalg.fill {{.*}} outs({{.*}} : tensor<1x3x4xf32>)
// CHECK:         convoy.conv {{.*}} outs(%[[I1]] :
func.func @filled(%x: tensor<1x3x2xf32>, %w: tensor<3x2x4xf32>,
                  %room: tensor<1x7x4xf32>) -> tensor<1x7x4xf32> {
  %zero = arith.constant 0.0 : f32
  %init = linalg.fill ins(%zero : f32) outs(%room : tensor<1x7x4xf32>) -> tensor<1x7x4xf32>
  %r = convoy.conv ins(%x, %w : tensor<1x3x2xf32>, tensor<3x2x4xf32>)
      outs(%init : tensor<1x7x4xf32>) layout(nwc x wcf -> nwf)
      window(pad = [[2, 2]], input_dilation = [2])
  return %r : tensor<1x7x4xf32>
}

// -----

// One phase has no taps: all is filled before.
// CHECK-LABEL: func @filled_before(
// CHECK:         %[[INIT:.*]] = linalg.fill
// CHECK:         tensor.extract_slice %[[INIT]]
// CHECK-NOT:     linalg.fill
func.func @filled_before(%x: tensor<1x3x2xf32>, %w: tensor<1x2x4xf32>,
                         %room: tensor<1x5x4xf32>) -> tensor<1x5x4xf32> {
  %zero = arith.constant 0.0 : f32
  %init = linalg.fill ins(%zero : f32) outs(%room : tensor<1x5x4xf32>) -> tensor<1x5x4xf32>
  %r = convoy.conv ins(%x, %w : tensor<1x3x2xf32>, tensor<1x2x4xf32>)
      outs(%init : tensor<1x5x4xf32>) layout(nwc x wcf -> nwf)
      window(input_dilation = [2])
  return %r : tensor<1x5x4xf32>
}

// -----

// Stride 2 leaves 3 / gcd(3, 2) phases, dilation 3 has taps in one of them.
// CHECK-LABEL: func @phase_without_taps(
// CHECK-SAME:    %[[X:.*]]: tensor<1x4x2xf32>, %[[W:.*]]: tensor<2x2x5xf32>, %[[INIT:.*]]: tensor
// CHECK-NEXT:    %[[I:.*]] = tensor.extract_slice %[[INIT]][0, 1, 0] [1, 1, 5] [1, 3, 1]
// CHECK-NEXT:    %[[C:.*]] = convoy.conv ins(%[[X]], %[[W]] :
// CHECK-SAME:        outs(%[[I]] : tensor<1x1x5xf32>) layout(nwc x wcf -> nwf)
// CHECK-SAME:        window(stride = [2], pad = {{\[}}[0, -2]])
// CHECK-NEXT:    %[[R:.*]] = tensor.insert_slice %[[C]] into %[[INIT]][0, 1, 0] [1, 1, 5] [1, 3, 1]
// CHECK-NEXT:    return %[[R]]
func.func @phase_without_taps(%x: tensor<1x4x2xf32>, %w: tensor<2x2x5xf32>,
                              %init: tensor<1x4x5xf32>) -> tensor<1x4x5xf32> {
  %r = convoy.conv ins(%x, %w : tensor<1x4x2xf32>, tensor<2x2x5xf32>)
      outs(%init : tensor<1x4x5xf32>) layout(nwc x wcf -> nwf)
      window(stride = [2], dilation = [3], pad = [[2, -1]], input_dilation = [3])
  return %r : tensor<1x4x5xf32>
}

// -----

// Every combination of the phases along h and w; d is not dilated. Groups,
// zero points and numerics go along.
// CHECK-LABEL: func @combinations(
// CHECK-COUNT-4: convoy.conv ins({{.*}} zero_points({{.*}}) layout(ngcdhw x gfcdhw -> ngfdhw) window(stride = [2, 1, 1]{{.*}} numerics(input = unsigned)
// CHECK-NOT:     convoy.conv
func.func @combinations(%x: tensor<1x2x3x5x4x3xi8>,
                        %w: tensor<2x5x3x3x2x4xi8>,
                        %init: tensor<1x2x5x2x6x2xi32>, %zx: i32, %zw: i32)
    -> tensor<1x2x5x2x6x2xi32> {
  %r = convoy.conv ins(%x, %w : tensor<1x2x3x5x4x3xi8>, tensor<2x5x3x3x2x4xi8>)
      outs(%init : tensor<1x2x5x2x6x2xi32>) zero_points(%zx, %zw : i32, i32)
      layout(ngcdhw x gfcdhw -> ngfdhw)
      window(stride = [2, 1, 1], input_dilation = [1, 2, 2])
      numerics(input = unsigned)
  return %r : tensor<1x2x5x2x6x2xi32>
}

// -----

// Sizes may be dynamic where nothing is dilated.
// CHECK-LABEL: func @dynamic(
// CHECK-SAME:    %[[X:.*]]: tensor<?x?x3x?xf32>, %[[W:.*]]: tensor<?x3x?x?xf32>, %[[INIT:.*]]: tensor
// CHECK-DAG:     %[[H:.*]] = tensor.dim %[[INIT]], %c1
// CHECK:         tensor.extract_slice %[[W]][0, 0, 0, 0] [%{{.*}}, 2, %{{.*}}, %{{.*}}] [1, 2, 1, 1]
// CHECK:         tensor.extract_slice %[[INIT]][0, 0, 0, 0] [%{{.*}}, %[[H]], 2, %{{.*}}] [1, 1, 2, 1]
// CHECK:         convoy.conv
// CHECK-SAME:        window(pad = {{\[}}[1, 1], [0, 0]])
func.func @dynamic(%x: tensor<?x?x3x?xf32>, %w: tensor<?x3x?x?xf32>,
                   %init: tensor<?x?x3x?xf32>) -> tensor<?x?x3x?xf32> {
  %r = convoy.conv ins(%x, %w : tensor<?x?x3x?xf32>, tensor<?x3x?x?xf32>)
      outs(%init : tensor<?x?x3x?xf32>) layout(nhwc x hwcf -> nhwf)
      window(pad = [[1, 1], [0, 0]], input_dilation = [1, 2])
  return %r : tensor<?x?x3x?xf32>
}

// -----

// Of dynamic sizes every phase has its part, (o - rho) / 2 rounded up, and pads
// as far as any size needs.
// CHECK:       #[[EVEN:.*]] = affine_map<()[s0] -> (s0 ceildiv 2)>
// CHECK:       #[[ODD:.*]] = affine_map<()[s0] -> ((s0 - 1) ceildiv 2)>
// CHECK-LABEL: func @dynamic_sizes(
// CHECK-SAME:    %[[X:[^:]*]]: tensor<1x?x2xf32>, %{{.*}}, %[[INIT:[^:]*]]: tensor<1x?x4xf32>)
// CHECK:         %[[N0:.*]] = affine.apply #[[EVEN]]()[%{{.*}}]
// CHECK:         tensor.extract_slice %[[INIT]][0, 0, 0] [1, %[[N0]], 4] [1, 2, 1]
// CHECK:         convoy.conv ins(%[[X]], {{.*}} window(pad = {{\[\[}}1, 3]])
// CHECK:         %[[N1:.*]] = affine.apply #[[ODD]]()[%{{.*}}]
// CHECK:         tensor.extract_slice %{{.*}}[0, 1, 0] [1, %[[N1]], 4] [1, 2, 1]
// CHECK:         convoy.conv ins(%[[X]], {{.*}} window(pad = {{\[\[}}0, 3]])
func.func @dynamic_sizes(%x: tensor<1x?x2xf32>, %w: tensor<3x2x4xf32>,
                         %init: tensor<1x?x4xf32>) -> tensor<1x?x4xf32> {
  %r = convoy.conv ins(%x, %w : tensor<1x?x2xf32>, tensor<3x2x4xf32>)
      outs(%init : tensor<1x?x4xf32>) layout(nwc x wcf -> nwf)
      window(pad = [[2, 5]], input_dilation = [2])
  return %r : tensor<1x?x4xf32>
}

// -----

// Nothing to split, nothing to compute.
// CHECK-LABEL: func @dense(
// CHECK-NEXT:    convoy.conv
// CHECK-NEXT:    return
func.func @dense(%x: tensor<1x?x2xf32>, %w: tensor<3x2x4xf32>,
                 %init: tensor<1x?x4xf32>) -> tensor<1x?x4xf32> {
  %r = convoy.conv ins(%x, %w : tensor<1x?x2xf32>, tensor<3x2x4xf32>)
      outs(%init : tensor<1x?x4xf32>) layout(nwc x wcf -> nwf)
      window(input_dilation = [1])
  return %r : tensor<1x?x4xf32>
}

// CHECK-LABEL: func @no_output(
// CHECK-SAME:    %[[INIT:[^:]*]]: tensor<1x0x4xf32>)
// CHECK-NEXT:    return %[[INIT]]
func.func @no_output(%x: tensor<1x1x2xf32>, %w: tensor<3x2x4xf32>,
                     %init: tensor<1x0x4xf32>) -> tensor<1x0x4xf32> {
  %r = convoy.conv ins(%x, %w : tensor<1x1x2xf32>, tensor<3x2x4xf32>)
      outs(%init : tensor<1x0x4xf32>) layout(nwc x wcf -> nwf)
      window(input_dilation = [2])
  return %r : tensor<1x0x4xf32>
}

// CHECK-LABEL: func @no_channel(
// CHECK-SAME:    %[[INIT:[^:]*]]: tensor<1x7x4xf32>)
// CHECK-NEXT:    return %[[INIT]]
func.func @no_channel(%x: tensor<1x3x0xf32>, %w: tensor<3x0x4xf32>,
                      %init: tensor<1x7x4xf32>) -> tensor<1x7x4xf32> {
  %r = convoy.conv ins(%x, %w : tensor<1x3x0xf32>, tensor<3x0x4xf32>)
      outs(%init : tensor<1x7x4xf32>) layout(nwc x wcf -> nwf)
      window(pad = [[2, 2]], input_dilation = [2])
  return %r : tensor<1x7x4xf32>
}

// -----

// Each phase keeps what is decided of the groups.
// CHECK-LABEL: func @panel(
// CHECK-COUNT-2: convoy.conv {{.*}} {convoy.group_panel = #convoy.group_panel<groups = 8, padding = transposed>}
func.func @panel(%x: tensor<1x3x1x8xf32>, %w: tensor<3x1x1x8xf32>,
                 %init: tensor<1x7x1x8xf32>) -> tensor<1x7x1x8xf32> {
  %r = convoy.conv ins(%x, %w : tensor<1x3x1x8xf32>, tensor<3x1x1x8xf32>)
      outs(%init : tensor<1x7x1x8xf32>) layout(nwcg x wcfg -> nwfg)
      window(pad = [[2, 2]], input_dilation = [2])
      {convoy.group_panel = #convoy.group_panel<groups = 8, padding = transposed>}
  return %r : tensor<1x7x1x8xf32>
}
