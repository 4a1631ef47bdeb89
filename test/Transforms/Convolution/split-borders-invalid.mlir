// RUN: convoy-opt %s --convoy-split-borders --split-input-file --verify-diagnostics

func.func @groups(%x: tensor<1x9x1x16xf32>, %w: tensor<3x1x1x16xf32>, %init: tensor<1x9x1x16xf32>) -> tensor<1x9x1x16xf32> {
  // expected-error @below {{does not fit its plan, #convoy.group_panel<groups = 8, padding = split>: it has 16 groups}}
  %r = convoy.conv ins(%x, %w : tensor<1x9x1x16xf32>, tensor<3x1x1x16xf32>) outs(%init : tensor<1x9x1x16xf32>) layout(nwcg x wcfg -> nwfg) window(pad = [[1, 1]]) {convoy.group_panel = #convoy.group_panel<groups = 8, padding = split>}
  return %r : tensor<1x9x1x16xf32>
}

// -----

func.func @no_groups(%x: tensor<1x9x5xf32>, %w: tensor<3x5x6xf32>, %init: tensor<1x9x6xf32>) -> tensor<1x9x6xf32> {
  // expected-error @below {{does not fit its plan, #convoy.group_panel<groups = 8>: it has no groups of static sizes}}
  %r = convoy.conv ins(%x, %w : tensor<1x9x5xf32>, tensor<3x5x6xf32>) outs(%init : tensor<1x9x6xf32>) layout(nwc x wcf -> nwf) window(pad = [[1, 1]]) {convoy.group_panel = #convoy.group_panel<groups = 8>}
  return %r : tensor<1x9x6xf32>
}

// -----

func.func @not_copied(%x: tensor<1x9x1x16xf32>, %w: tensor<3x1x1x16xf32>, %init: tensor<1x9x1x16xf32>) -> tensor<1x9x1x16xf32> {
  // expected-error @below {{does not fit its plan, #convoy.group_panel<groups = 16, padding = transposed>: its input is not copied}}
  %r = convoy.conv ins(%x, %w : tensor<1x9x1x16xf32>, tensor<3x1x1x16xf32>) outs(%init : tensor<1x9x1x16xf32>) layout(nwcg x wcfg -> nwfg) window(pad = [[1, 1]]) {convoy.group_panel = #convoy.group_panel<groups = 16, padding = transposed>}
  return %r : tensor<1x9x1x16xf32>
}

// -----

// All positions meet padding.
func.func @no_borders(%x: tensor<1x2x1x16xf32>, %w: tensor<4x1x1x16xf32>, %init: tensor<1x5x1x16xf32>) -> tensor<1x5x1x16xf32> {
  // expected-error @below {{does not fit its plan, #convoy.group_panel<groups = 16, padding = split>: its borders cannot be split}}
  %r = convoy.conv ins(%x, %w : tensor<1x2x1x16xf32>, tensor<4x1x1x16xf32>) outs(%init : tensor<1x5x1x16xf32>) layout(nwcg x wcfg -> nwfg) window(pad = [[3, 3]]) {convoy.group_panel = #convoy.group_panel<groups = 16, padding = split>}
  return %r : tensor<1x5x1x16xf32>
}

// -----

func.func @dilated(%x: tensor<1x9x1x16xf32>, %w: tensor<3x1x1x16xf32>, %init: tensor<1x17x1x16xf32>) -> tensor<1x17x1x16xf32> {
  // expected-error @below {{does not fit its plan, #convoy.group_panel<groups = 16, padding = split>: its borders cannot be split}}
  %r = convoy.conv ins(%x, %w : tensor<1x9x1x16xf32>, tensor<3x1x1x16xf32>) outs(%init : tensor<1x17x1x16xf32>) layout(nwcg x wcfg -> nwfg) window(pad = [[1, 1]], input_dilation = [2]) {convoy.group_panel = #convoy.group_panel<groups = 16, padding = split>}
  return %r : tensor<1x17x1x16xf32>
}

// -----

// Nobody takes groups at a time there.
module attributes {convoy.target = #convoy.target<subgroup = 8, workgroup_bytes = 16384, workgroup_items = 256>} {
  func.func @gpu(%x: tensor<1x9x1x16xf32>, %w: tensor<3x1x1x16xf32>, %init: tensor<1x9x1x16xf32>) -> tensor<1x9x1x16xf32> {
    // expected-error @below {{does not fit its plan, #convoy.group_panel<groups = 16, padding = split>: the target is a GPU}}
    %r = convoy.conv ins(%x, %w : tensor<1x9x1x16xf32>, tensor<3x1x1x16xf32>) outs(%init : tensor<1x9x1x16xf32>) layout(nwcg x wcfg -> nwfg) window(pad = [[1, 1]]) {convoy.group_panel = #convoy.group_panel<groups = 16, padding = split>}
    return %r : tensor<1x9x1x16xf32>
  }
}
