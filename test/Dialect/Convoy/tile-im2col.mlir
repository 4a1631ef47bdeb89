// RUN: convoy-test-opt %s --test-convoy-tile-im2col=sizes=0,3,2,0 --canonicalize --split-input-file | FileCheck %s
// RUN: convoy-opt %s --convoy-pad-im2col --canonicalize --split-input-file | FileCheck %s --check-prefix=WHOLE

// No window leaves the input: a tile is the im2col of a slice.
// CHECK-DAG:   #[[START:.*]] = affine_map<()[s0, s1] -> (s0 * 2 + s1 * 4)>
// CHECK-LABEL: func @strided_dilated(
// CHECK-SAME:    %[[X:.*]]: tensor
// CHECK:         scf.for %[[O:[^ ]*]] = %c0 to %c6 step %c3
// CHECK:           scf.for %[[K:[^ ]*]] = %c0 to %c4 step %c2
// CHECK-NEXT:        %[[AT:.*]] = affine.apply #[[START]]()[%[[O]], %[[K]]]
// CHECK-NEXT:        %[[SLICE:.*]] = tensor.extract_slice %[[X]][0, %[[AT]], 0] [1, 9, 5] [1, 1, 1]
// CHECK-NEXT:        %[[ROWS:.*]] = convoy.im2col %[[SLICE]] layout(nwc, nw|wc) window(stride = [2], dilation = [4])
// CHECK-SAME:            : tensor<1x9x5xf32> -> tensor<1x3x2x5xf32>
// CHECK-NEXT:        tensor.insert_slice %[[ROWS]] into %{{.*}}[0, %[[O]], %[[K]], 0] [1, 3, 2, 5]
func.func @strided_dilated(%x: tensor<1x23x5xf32>) -> tensor<1x6x4x5xf32> {
  %rows = convoy.im2col %x layout(nwc, nw|wc)
      window(stride = [2], dilation = [4])
      : tensor<1x23x5xf32> -> tensor<1x6x4x5xf32>
  return %rows : tensor<1x6x4x5xf32>
}

// -----

// A padded tile has the size that its windows read: 3 positions and 2 taps read
// 4 elements. What lies before and after the input is clamped.
// CHECK-DAG:   #[[END_OR:.*]] = affine_map<()[s0, s1] -> (6, s0 + s1 - 1)>
// CHECK-DAG:   #[[NOT_BELOW_0:.*]] = affine_map<()[s0] -> (0, s0)>
// CHECK-DAG:   #[[STOP_OR:.*]] = affine_map<()[s0, s1] -> (6, s0 + s1 + 3)>
// CHECK-DAG:   #[[SIZE:.*]] = affine_map<()[s0, s1] -> (-s0 + s1)>
// CHECK-DAG:   #[[BEFORE:.*]] = affine_map<()[s0, s1] -> (-s0 - s1 + 1, 4)>
// CHECK-DAG:   #[[AFTER:.*]] = affine_map<()[s0, s1, s2] -> (-s0 + s1 - s2 + 4)>
// CHECK-LABEL: func @padded(
// CHECK-SAME:    %[[X:.*]]: tensor<1x6x5xi8>, %[[PAD:.*]]: i8)
// CHECK:         scf.for %[[O:[^ ]*]] = %c0 to %c6 step %c3
// CHECK:           scf.for %[[K:[^ ]*]] = %c0 to %c4 step %c2
// CHECK-NEXT:        %[[A:.*]] = affine.min #[[END_OR]]()[%[[O]], %[[K]]]
// CHECK-NEXT:        %[[START:.*]] = affine.max #[[NOT_BELOW_0]]()[%[[A]]]
// CHECK-NEXT:        %[[B:.*]] = affine.min #[[STOP_OR]]()[%[[O]], %[[K]]]
// CHECK-NEXT:        %[[STOP:.*]] = affine.max #[[NOT_BELOW_0]]()[%[[B]]]
// CHECK-NEXT:        %[[N:.*]] = affine.apply #[[SIZE]]()[%[[START]], %[[STOP]]]
// CHECK-NEXT:        %[[C:.*]] = affine.min #[[BEFORE]]()[%[[O]], %[[K]]]
// CHECK-NEXT:        %[[LOW:.*]] = affine.max #[[NOT_BELOW_0]]()[%[[C]]]
// CHECK-NEXT:        %[[HIGH:.*]] = affine.apply #[[AFTER]]()[%[[LOW]], %[[START]], %[[STOP]]]
// CHECK-NEXT:        %[[SLICE:.*]] = tensor.extract_slice %[[X]][0, %[[START]], 0] [1, %[[N]], 5] [1, 1, 1]
// CHECK-NEXT:        %[[PADDED:.*]] = tensor.pad %[[SLICE]] low[0, %[[LOW]], 0] high[0, %[[HIGH]], 0]
// CHECK:               tensor.yield %[[PAD]]
// CHECK-NEXT:        } : tensor<1x?x5xi8> to tensor<1x4x5xi8>
// CHECK-NEXT:        convoy.im2col %[[PADDED]] pad_value(%[[PAD]] : i8) layout(nwc, nw|wc) : tensor<1x4x5xi8> -> tensor<1x3x2x5xi8>
func.func @padded(%x: tensor<1x6x5xi8>, %pad: i8) -> tensor<1x6x4x5xi8> {
  %rows = convoy.im2col %x pad_value(%pad : i8) layout(nwc, nw|wc)
      window(pad = [[1, 2]])
      : tensor<1x6x5xi8> -> tensor<1x6x4x5xi8>
  return %rows : tensor<1x6x4x5xi8>
}

// -----

// Reversed taps k and k+1 of 4 are the taps 2-k and 3-k of the window. The last
// tile of positions has 1.
// CHECK-DAG:   #[[REST:.*]] = affine_map<(d0) -> (-d0 + 7, 3)>
// CHECK-DAG:   #[[START:.*]] = affine_map<()[s0, s1] -> (s0 - s1 + 3)>
// CHECK-DAG:   #[[SIZE:.*]] = affine_map<()[s0] -> (s0 + 1)>
// CHECK-LABEL: func @reversed_cropped(
// CHECK-SAME:    %[[X:.*]]: tensor
// CHECK:         scf.for %[[O:[^ ]*]] = %c0 to %c7 step %c3
// CHECK:           scf.for %[[K:[^ ]*]] = %c0 to %c4 step %c2
// CHECK-DAG:         %[[POSITIONS:.*]] = affine.min #[[REST]](%[[O]])
// CHECK-DAG:         %[[AT:.*]] = affine.apply #[[START]]()[%[[O]], %[[K]]]
// CHECK-DAG:         %[[N:.*]] = affine.apply #[[SIZE]]()[%[[POSITIONS]]]
// CHECK:             %[[SLICE:.*]] = tensor.extract_slice %[[X]][0, %[[AT]], 0] [1, %[[N]], 5] [1, 1, 1]
// CHECK-NEXT:        convoy.im2col %[[SLICE]] sizes(%[[POSITIONS]]) layout(nwc, nw|wc) window(reverse = [true])
// CHECK-SAME:            : tensor<1x?x5xf32> -> tensor<1x?x2x5xf32>
func.func @reversed_cropped(%x: tensor<1x13x5xf32>) -> tensor<1x7x4x5xf32> {
  %rows = convoy.im2col %x layout(nwc, nw|wc)
      window(pad = [[-1, -2]], reverse = [true])
      : tensor<1x13x5xf32> -> tensor<1x7x4x5xf32>
  return %rows : tensor<1x7x4x5xf32>
}

// -----

// Nothing of an empty input is read; a tile that knows it has no slice of it.
// WHOLE-LABEL: func @nothing_but_padding(
// WHOLE-NEXT:    %[[PADDING:.*]] = arith.constant dense<0.000000e+00> : tensor<1x4x5xf32>
// WHOLE-NEXT:    convoy.im2col %[[PADDING]] layout(nwc, nw|wc) : tensor<1x4x5xf32> -> tensor<1x3x2x5xf32>
// CHECK-LABEL: func @nothing_but_padding(
// CHECK:         tensor.pad
func.func @nothing_but_padding(%x: tensor<1x0x5xf32>) -> tensor<1x3x2x5xf32> {
  %rows = convoy.im2col %x layout(nwc, nw|wc) window(pad = [[2, 2]])
      : tensor<1x0x5xf32> -> tensor<1x3x2x5xf32>
  return %rows : tensor<1x3x2x5xf32>
}

// -----

// Where sizes are dynamic a tile may be empty; then its slice is within the
// input all the same.
// CHECK-DAG:   #[[REST3:.*]] = affine_map<(d0)[s0] -> (-d0 + s0, 3)>
// CHECK-DAG:   #[[REST2:.*]] = affine_map<(d0)[s0] -> (-d0 + s0, 2)>
// CHECK-DAG:   #[[START:.*]] = affine_map<()[s0, s1] -> (s0 + s1)>
// CHECK-DAG:   #[[SPAN:.*]] = affine_map<()[s0, s1] -> (0, s0 + s1 - 1)>
// CHECK-DAG:   #[[ROOM:.*]] = affine_map<()[s0, s1, s2, s3] -> (s1 - s2 - s3, s0)>
// CHECK-DAG:   #[[NOT_BELOW_0:.*]] = affine_map<()[s0] -> (0, s0)>
// CHECK-LABEL: func @dynamic(
// CHECK-SAME:    %[[X:.*]]: tensor<?x?x5xf32>, %[[N:.*]]: index, %[[OS:.*]]: index, %[[KS:.*]]: index)
// CHECK:         scf.for %[[O:[^ ]*]] = %c0 to %[[OS]] step %c3
// CHECK:           scf.for %[[K:[^ ]*]] = %c0 to %[[KS]] step %c2
// CHECK-DAG:         %[[POSITIONS:.*]] = affine.min #[[REST3]](%[[O]])[%[[OS]]]
// CHECK-DAG:         %[[TAPS:.*]] = affine.min #[[REST2]](%[[K]])[%[[KS]]]
// CHECK-DAG:         %[[I:.*]] = tensor.dim %[[X]], %c1
// CHECK-DAG:         %[[AT:.*]] = affine.apply #[[START]]()[%[[O]], %[[K]]]
// CHECK-DAG:         %[[READ:.*]] = affine.max #[[SPAN]]()[%[[POSITIONS]], %[[TAPS]]]
// CHECK-DAG:         %[[FITS:.*]] = affine.min #[[ROOM]]()[%[[READ]], %[[I]], %[[O]], %[[K]]]
// CHECK-DAG:         %[[SIZE:.*]] = affine.max #[[NOT_BELOW_0]]()[%[[FITS]]]
// CHECK:             %[[SLICE:.*]] = tensor.extract_slice %[[X]][0, %[[AT]], 0] [%[[N]], %[[SIZE]], 5]
// CHECK-NEXT:        convoy.im2col %[[SLICE]] sizes(%[[N]], %[[POSITIONS]], %[[TAPS]])
func.func @dynamic(%x: tensor<?x?x5xf32>, %n: index, %o: index, %k: index)
    -> tensor<?x?x?x5xf32> {
  %rows = convoy.im2col %x sizes(%n, %o, %k) layout(nwc, nw|wc)
      : tensor<?x?x5xf32> -> tensor<?x?x?x5xf32>
  return %rows : tensor<?x?x?x5xf32>
}
