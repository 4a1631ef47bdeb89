// RUN: convoy-opt %s --convoy-tile-groups --split-input-file --verify-diagnostics

// What has no panels yet has no plan for these.

func.func @cpu(%x: tensor<1x9x1x16xf32>, %w: tensor<3x1x1x16xf32>, %init: tensor<1x9x1x16xf32>) -> tensor<1x9x1x16xf32> {
  // expected-error @below {{does not fit its plan, #convoy.group_panel<groups = 16, padding = split>: it has no panels of groups yet}}
  %r = convoy.conv ins(%x, %w : tensor<1x9x1x16xf32>, tensor<3x1x1x16xf32>) outs(%init : tensor<1x9x1x16xf32>) layout(nwcg x wcfg -> nwfg) window(pad = [[1, 1]]) {convoy.group_panel = #convoy.group_panel<groups = 16, padding = split>}
  return %r : tensor<1x9x1x16xf32>
}

// -----

module attributes {convoy.target = #convoy.target<subgroup = 8, workgroup_bytes = 16384, workgroup_items = 256>} {
  func.func @gpu(%x: tensor<1x9x1x16xf32>, %w: tensor<3x1x1x16xf32>, %init: tensor<1x9x1x16xf32>) -> tensor<1x9x1x16xf32> {
    // expected-error @below {{does not fit its plan, #convoy.group_panel<groups = 16, padding = split>: it has no panels of groups yet}}
    %r = convoy.conv ins(%x, %w : tensor<1x9x1x16xf32>, tensor<3x1x1x16xf32>) outs(%init : tensor<1x9x1x16xf32>) layout(nwcg x wcfg -> nwfg) window(pad = [[1, 1]]) {convoy.group_panel = #convoy.group_panel<groups = 16, padding = split>}
    return %r : tensor<1x9x1x16xf32>
  }
}
