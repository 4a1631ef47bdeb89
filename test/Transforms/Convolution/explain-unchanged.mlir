// Passes for the convolutions of CPUs say what they leave as it is, and why.
// RUN: rm -rf %t && split-file %s %t
// RUN: convoy-opt %t/gpu.mlir --convoy-tile-groups=explain --verify-diagnostics -o /dev/null
// RUN: convoy-opt %t/gpu.mlir --convoy-merge-phases=explain --verify-diagnostics -o /dev/null
// RUN: convoy-opt %t/gpu.mlir --convoy-place-phases=explain --verify-diagnostics -o /dev/null
// RUN: convoy-opt %t/gpu.mlir --convoy-interleave-phases=explain --verify-diagnostics -o /dev/null
// RUN: convoy-opt %t/gpu.mlir --convoy-split-borders=explain --verify-diagnostics -o /dev/null
// RUN: convoy-opt %t/none.mlir --convoy-tile-groups=explain --verify-diagnostics -o /dev/null
// RUN: convoy-opt %t/groups.mlir --convoy-tile-groups=explain --split-input-file --verify-diagnostics -o /dev/null
// RUN: convoy-opt %t/merged.mlir --convoy-merge-phases=explain --split-input-file --verify-diagnostics -o /dev/null
// RUN: convoy-opt %t/interleaved.mlir --convoy-interleave-phases=explain --split-input-file --verify-diagnostics -o /dev/null
// RUN: convoy-opt %t/borders.mlir --convoy-split-borders=explain --split-input-file --verify-diagnostics -o /dev/null

//--- gpu.mlir
// expected-remark @below {{no convolution is rewritten: the target is a GPU}}
module attributes {convoy.target = #convoy.target<subgroup = 8, workgroup_bytes = 16384, workgroup_items = 256>} {
}
//--- none.mlir
// expected-remark @below {{no convolution is rewritten: there is no convoy.conv}}
module {
}
//--- groups.mlir
func.func @dynamic(%x: tensor<?x3x9x16xf32>, %w: tensor<3x16x2x16xf32>, %init: tensor<?x3x8x16xf32>) -> tensor<?x3x8x16xf32> {
  // expected-remark @below {{the convolution stays as it is: it has no groups of known sizes}}
  %r = convoy.conv ins(%x, %w : tensor<?x3x9x16xf32>, tensor<3x16x2x16xf32>) outs(%init : tensor<?x3x8x16xf32>) layout(ngwc x gfwc -> ngwf)
  return %r : tensor<?x3x8x16xf32>
}

// -----

func.func @many_channels(%x: tensor<1x3x9x16xf32>, %w: tensor<3x16x2x16xf32>, %init: tensor<1x3x8x16xf32>) -> tensor<1x3x8x16xf32> {
  // expected-remark @below {{the convolution stays as it is: panels of groups would take longer}}
  %r = convoy.conv ins(%x, %w : tensor<1x3x9x16xf32>, tensor<3x16x2x16xf32>) outs(%init : tensor<1x3x8x16xf32>) layout(ngwc x gfwc -> ngwf)
  return %r : tensor<1x3x8x16xf32>
}

// -----

func.func @zero_points(%x: tensor<1x3x9x1xi8>, %w: tensor<3x1x2x1xi8>, %init: tensor<1x3x8x1xi32>, %zx: i32, %zw: tensor<3xi32>) -> tensor<1x3x8x1xi32> {
  // expected-remark @below {{the convolution stays as it is: each channel of the filter has a zero point of its own}}
  %r = convoy.conv ins(%x, %w : tensor<1x3x9x1xi8>, tensor<3x1x2x1xi8>) outs(%init : tensor<1x3x8x1xi32>) zero_points(%zx, %zw : i32, tensor<3xi32>) layout(ngwc x gfwc -> ngwf)
  return %r : tensor<1x3x8x1xi32>
}
//--- merged.mlir
func.func @dense(%x: tensor<1x5x3xf32>, %w: tensor<2x3x7xf32>, %init: tensor<1x4x7xf32>) -> tensor<1x4x7xf32> {
  // expected-remark @below {{the convolution stays as it is: it is not dilated, its sizes are not known, or what fills its init fills more}}
  %r = convoy.conv ins(%x, %w : tensor<1x5x3xf32>, tensor<2x3x7xf32>) outs(%init : tensor<1x4x7xf32>) layout(nwc x wcf -> nwf)
  return %r : tensor<1x4x7xf32>
}

// -----

func.func @groups(%x: tensor<1x4x2x4xf32>, %w: tensor<3x2x4x3xf32>, %out: tensor<1x8x2x3xf32>) -> tensor<1x8x2x3xf32> {
  %zero = arith.constant 0.0 : f32
  %init = linalg.fill ins(%zero : f32) outs(%out : tensor<1x8x2x3xf32>) -> tensor<1x8x2x3xf32>
  // expected-remark @below {{the convolution stays as it is: it has zero points or groups}}
  %r = convoy.conv ins(%x, %w : tensor<1x4x2x4xf32>, tensor<3x2x4x3xf32>) outs(%init : tensor<1x8x2x3xf32>)
      layout(nwgc x wgcf -> nwgf) window(pad = [[2, 1]], input_dilation = [2])
  return %r : tensor<1x8x2x3xf32>
}

// -----

func.func @many_channels(%x: tensor<1x4x64xf32>, %w: tensor<3x64x256xf32>, %out: tensor<1x8x256xf32>) -> tensor<1x8x256xf32> {
  %zero = arith.constant 0.0 : f32
  %init = linalg.fill ins(%zero : f32) outs(%out : tensor<1x8x256xf32>) -> tensor<1x8x256xf32>
  // expected-remark @below {{the convolution stays as it is: its phases take no longer one by one}}
  %r = convoy.conv ins(%x, %w : tensor<1x4x64xf32>, tensor<3x64x256xf32>) outs(%init : tensor<1x8x256xf32>)
      layout(nwc x wcf -> nwf) window(pad = [[2, 1]], input_dilation = [2])
  return %r : tensor<1x8x256xf32>
}
//--- interleaved.mlir
func.func @dense(%x: tensor<1x5x3xf32>, %w: tensor<2x3x7xf32>, %init: tensor<1x4x7xf32>) -> tensor<1x4x7xf32> {
  // expected-remark @below {{the convolution stays as it is: it is not dilated, its sizes are not known, or what fills its init fills more}}
  %r = convoy.conv ins(%x, %w : tensor<1x5x3xf32>, tensor<2x3x7xf32>) outs(%init : tensor<1x4x7xf32>) layout(nwc x wcf -> nwf)
  return %r : tensor<1x4x7xf32>
}

// -----

func.func @channels_innermost(%x: tensor<1x4x64xf32>, %w: tensor<3x64x5xf32>, %out: tensor<1x8x5xf32>) -> tensor<1x8x5xf32> {
  %zero = arith.constant 0.0 : f32
  %init = linalg.fill ins(%zero : f32) outs(%out : tensor<1x8x5xf32>) -> tensor<1x8x5xf32>
  // expected-remark @below {{the convolution stays as it is: its phases do not lie between each other}}
  %r = convoy.conv ins(%x, %w : tensor<1x4x64xf32>, tensor<3x64x5xf32>) outs(%init : tensor<1x8x5xf32>)
      layout(nwc x wcf -> nwf) window(pad = [[2, 1]], input_dilation = [2])
  return %r : tensor<1x8x5xf32>
}
//--- borders.mlir
func.func @dynamic(%x: tensor<?x5x3xf32>, %w: tensor<2x3x7xf32>, %init: tensor<?x4x7xf32>) -> tensor<?x4x7xf32> {
  // expected-remark @below {{the convolution stays as it is: it has sizes that are not known}}
  %r = convoy.conv ins(%x, %w : tensor<?x5x3xf32>, tensor<2x3x7xf32>) outs(%init : tensor<?x4x7xf32>) layout(nwc x wcf -> nwf)
  return %r : tensor<?x4x7xf32>
}

// -----

func.func @nothing_padded(%x: tensor<1x9x1x16xf32>, %w: tensor<3x1x1x16xf32>, %init: tensor<1x7x1x16xf32>) -> tensor<1x7x1x16xf32> {
  // expected-remark @below {{the convolution stays as it is: its padding costs no more than borders would}}
  %r = convoy.conv ins(%x, %w : tensor<1x9x1x16xf32>, tensor<3x1x1x16xf32>) outs(%init : tensor<1x7x1x16xf32>) layout(nwcg x wcfg -> nwfg)
  return %r : tensor<1x7x1x16xf32>
}

// -----

func.func @copied(%x: tensor<1x1x9x16xf32>, %w: tensor<3x1x1x16xf32>, %init: tensor<1x9x1x16xf32>) -> tensor<1x9x1x16xf32> {
  %empty = tensor.empty() : tensor<1x9x1x16xf32>
  %turned = linalg.generic {indexing_maps = [affine_map<(n, w, c, g) -> (n, c, w, g)>, affine_map<(n, w, c, g) -> (n, w, c, g)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%x : tensor<1x1x9x16xf32>) outs(%empty : tensor<1x9x1x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x9x1x16xf32>
  // expected-remark @below {{the convolution stays as it is: its input is copied anyway}}
  %r = convoy.conv ins(%turned, %w : tensor<1x9x1x16xf32>, tensor<3x1x1x16xf32>) outs(%init : tensor<1x9x1x16xf32>) layout(nwcg x wcfg -> nwfg) window(pad = [[1, 1]]) {convoy.group_panel = #convoy.group_panel<groups = 16, padding = transposed>}
  return %r : tensor<1x9x1x16xf32>
}
