// RUN: convoy-opt %s --convoy-tile-groups --split-input-file | FileCheck %s

// Few groups of many channels, nothing padded: as it is.
// CHECK-LABEL: @as_it_is
// CHECK-NOT: scf.forall
// CHECK: convoy.conv
// CHECK-NOT: scf.forall
func.func @as_it_is(%x: tensor<1x3x9x16xf32>, %w: tensor<3x16x2x16xf32>, %init: tensor<1x3x8x16xf32>) -> tensor<1x3x8x16xf32> {
  %r = convoy.conv ins(%x, %w : tensor<1x3x9x16xf32>, tensor<3x16x2x16xf32>) outs(%init : tensor<1x3x8x16xf32>) layout(ngwc x gfwc -> ngwf)
  return %r : tensor<1x3x8x16xf32>
}

// -----

// One group of 15 elements with its padding fits into the cache, but a vector
// takes four groups: those are padded at a time. The last two groups are a
// convolution of their own.
// CHECK-LABEL: @padded
// CHECK-SAME: %[[X:.+]]: tensor<1x9x1x10xf32>, %[[W:.+]]: tensor<7x1x1x10xf32>, %[[INIT:.+]]: tensor<1x9x1x10xf32>
// CHECK: %[[LOOP:.+]] = scf.forall (%[[G:.+]]) = (0) to (8) step (4) shared_outs(%[[ALL:.+]] = %[[INIT]])
// CHECK: %[[PART:.+]] = tensor.extract_slice %[[ALL]][0, 0, 0, %[[G]]] [1, 9, 1, 4]
// CHECK: %[[XPART:.+]] = tensor.extract_slice %[[X]][0, 0, 0, %[[G]]] [1, 9, 1, 4]
// CHECK: %[[WPART:.+]] = tensor.extract_slice %[[W]][0, 0, 0, %[[G]]] [7, 1, 1, 4]
// CHECK: %[[SUM:.+]] = convoy.conv ins(%[[XPART]], %[[WPART]] : {{.*}}) outs(%[[PART]] : {{.*}}) layout(nwcg x wcfg -> nwfg) window(pad = {{\[\[}}3, 3]]) {convoy.group_panel = #convoy.group_panel<groups = 4, padding = copied>}
// CHECK: tensor.parallel_insert_slice %[[SUM]] into %[[ALL]][0, 0, 0, %[[G]]]
// CHECK: tensor.extract_slice %[[LOOP]][0, 0, 0, 8] [1, 9, 1, 2]
// CHECK: convoy.conv {{.*}} {convoy.group_panel = #convoy.group_panel<groups = 2, padding = copied>}
// CHECK: tensor.insert_slice {{.*}} into %[[LOOP]][0, 0, 0, 8]
module attributes {convoy.target = #convoy.target<vector_bytes = 16, registers = 16, l1_bytes = 88>} {
  func.func @padded(%x: tensor<1x9x1x10xf32>, %w: tensor<7x1x1x10xf32>, %init: tensor<1x9x1x10xf32>) -> tensor<1x9x1x10xf32> {
    %r = convoy.conv ins(%x, %w : tensor<1x9x1x10xf32>, tensor<7x1x1x10xf32>) outs(%init : tensor<1x9x1x10xf32>) layout(nwcg x wcfg -> nwfg) window(pad = [[3, 3]])
    return %r : tensor<1x9x1x10xf32>
  }
}

// -----

// What gives the init, and what finishes the sums, are computed for the groups of
// a panel, too.
// CHECK-LABEL: @finished
// CHECK-SAME: %{{.+}}, %[[BIAS:.+]]: tensor<1x8xf32>)
// CHECK: %[[OUT:.+]] = tensor.empty() : tensor<1x9x1x8xf32>
// CHECK: %[[LOOP:.+]] = scf.forall (%[[G:.+]]) = (0) to (8) step (4) shared_outs(%[[ALL:.+]] = %[[OUT]])
// CHECK: %[[PART:.+]] = tensor.extract_slice %[[ALL]][0, 0, 0, %[[G]]] [1, 9, 1, 4]
// CHECK: %[[BIASPART:.+]] = tensor.extract_slice %[[BIAS]][0, %[[G]]] [1, 4]
// CHECK: %[[INIT:.+]] = linalg.broadcast ins(%[[BIASPART]]
// CHECK: %[[SUM:.+]] = convoy.conv {{.*}} outs(%[[INIT]]
// CHECK: %[[R:.+]] = linalg.generic {{.*}} ins(%[[SUM]] : {{.*}}) outs(%[[PART]]
// CHECK: tensor.parallel_insert_slice %[[R]] into %[[ALL]][0, 0, 0, %[[G]]]
// CHECK: return %[[LOOP]]
module attributes {convoy.target = #convoy.target<vector_bytes = 16, registers = 16, l1_bytes = 88>} {
  func.func @finished(%x: tensor<1x9x1x8xf32>, %w: tensor<7x1x1x8xf32>, %bias: tensor<1x8xf32>) -> tensor<1x9x1x8xf32> {
    %empty = tensor.empty() : tensor<1x9x1x8xf32>
    %init = linalg.broadcast ins(%bias : tensor<1x8xf32>) outs(%empty : tensor<1x9x1x8xf32>) dimensions = [0, 1]
    %sums = convoy.conv ins(%x, %w : tensor<1x9x1x8xf32>, tensor<7x1x1x8xf32>) outs(%init : tensor<1x9x1x8xf32>) layout(nwcg x wcfg -> nwfg) window(pad = [[3, 3]])
    %r = linalg.generic {indexing_maps = [affine_map<(n, w, f, g) -> (n, w, f, g)>, affine_map<(n, w, f, g) -> (n, w, f, g)>],
                         iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
        ins(%sums : tensor<1x9x1x8xf32>) outs(%empty : tensor<1x9x1x8xf32>) {
    ^bb0(%a: f32, %old: f32):
      %s = math.absf %a : f32
      linalg.yield %s : f32
    } -> tensor<1x9x1x8xf32>
    return %r : tensor<1x9x1x8xf32>
  }
}

// -----

// With three taps borders are narrow, and convolutions of their own.
// CHECK-LABEL: @split
// CHECK: scf.forall {{.*}} to (8) step (4)
// CHECK: convoy.conv {{.*}} {convoy.group_panel = #convoy.group_panel<groups = 4, padding = split>}
module attributes {convoy.target = #convoy.target<vector_bytes = 16, registers = 16, l1_bytes = 88>} {
  func.func @split(%x: tensor<1x9x1x8xf32>, %w: tensor<3x1x1x8xf32>, %init: tensor<1x9x1x8xf32>) -> tensor<1x9x1x8xf32> {
    %r = convoy.conv ins(%x, %w : tensor<1x9x1x8xf32>, tensor<3x1x1x8xf32>) outs(%init : tensor<1x9x1x8xf32>) layout(nwcg x wcfg -> nwfg) window(pad = [[1, 1]])
    return %r : tensor<1x9x1x8xf32>
  }
}

// -----

// Input and filter have groups side by side, the result has not: no copy of the
// input pads it.
// CHECK-LABEL: @copied_back
// CHECK: convoy.conv {{.*}} layout(ncwg x fcwg -> nfwg) {{.*}} {convoy.group_panel = #convoy.group_panel<groups = 8, padding = split>}
module attributes {convoy.target = #convoy.target<vector_bytes = 16, registers = 16>} {
  func.func @copied_back(%x: tensor<1x1x7x8xf32>, %w: tensor<1x1x3x8xf32>, %init: tensor<1x8x1x7xf32>) -> tensor<1x8x1x7xf32> {
    %r = convoy.conv ins(%x, %w : tensor<1x1x7x8xf32>, tensor<1x1x3x8xf32>) outs(%init : tensor<1x8x1x7xf32>) layout(ncwg x fcwg -> ngfw) window(pad = [[1, 1]])
    return %r : tensor<1x8x1x7xf32>
  }
}

// -----

// Groups lie apart and rows of 7 do not fill vectors of 4: operands are copied
// with groups side by side, and the sums back. What the init is filled with is
// filled in where they are computed.
// CHECK-LABEL: @transposed
// CHECK-SAME: %[[X:.+]]: tensor<1x8x1x7xf32>, %[[W:.+]]: tensor<8x1x1x15xf32>, %[[INIT:.+]]: tensor<1x8x1x7xf32>
// CHECK: scf.forall {{.*}} step (8) shared_outs(%[[ALL:.+]] = %[[INIT]])
// CHECK: %[[PART:.+]] = tensor.extract_slice %[[ALL]]
// CHECK: %[[XT:.+]] = linalg.generic {{.*}} ins({{.*}} : tensor<1x8x1x7xf32>) outs({{.*}} : tensor<1x1x7x8xf32>)
// CHECK: %[[WT:.+]] = linalg.generic {{.*}} ins({{.*}} : tensor<8x1x1x15xf32>) outs({{.*}} : tensor<1x1x15x8xf32>)
// CHECK: %[[ROOM:.+]] = tensor.empty() : tensor<1x1x7x8xf32>
// CHECK: %[[ZERO:.+]] = linalg.fill {{.*}} outs(%[[ROOM]]
// CHECK: %[[SUM:.+]] = convoy.conv ins(%[[XT]], %[[WT]] : {{.*}}) outs(%[[ZERO]] : {{.*}}) layout(ncwg x fcwg -> nfwg) window(pad = {{\[\[}}7, 7]]) {convoy.group_panel = #convoy.group_panel<groups = 8, padding = transposed>}
// CHECK: %[[BACK:.+]] = linalg.generic {{.*}} ins(%[[SUM]] : tensor<1x1x7x8xf32>) outs(%[[PART]] : tensor<1x8x1x7xf32>)
// CHECK: tensor.parallel_insert_slice %[[BACK]] into %[[ALL]]
module attributes {convoy.target = #convoy.target<vector_bytes = 16, registers = 16>} {
  func.func @transposed(%x: tensor<1x8x1x7xf32>, %w: tensor<8x1x1x15xf32>, %init: tensor<1x8x1x7xf32>) -> tensor<1x8x1x7xf32> {
    %zero = arith.constant 0.0 : f32
    %0 = linalg.fill ins(%zero : f32) outs(%init : tensor<1x8x1x7xf32>) -> tensor<1x8x1x7xf32>
    %r = convoy.conv ins(%x, %w : tensor<1x8x1x7xf32>, tensor<8x1x1x15xf32>) outs(%0 : tensor<1x8x1x7xf32>) layout(ngcw x gfcw -> ngfw) window(pad = [[7, 7]])
    return %r : tensor<1x8x1x7xf32>
  }
}

// -----

// A group's operands and their copies, 72 elements, shall lie in half of the first
// cache: four groups at a time.
// CHECK-LABEL: @transposed_few
// CHECK: scf.forall {{.*}} to (8) step (4)
// CHECK: convoy.conv {{.*}} layout(ncwg x fcwg -> nfwg)
module attributes {convoy.target = #convoy.target<vector_bytes = 16, registers = 16, l1_bytes = 2304>} {
  func.func @transposed_few(%x: tensor<1x8x1x7xf32>, %w: tensor<8x1x1x15xf32>, %init: tensor<1x8x1x7xf32>) -> tensor<1x8x1x7xf32> {
    %r = convoy.conv ins(%x, %w : tensor<1x8x1x7xf32>, tensor<8x1x1x15xf32>) outs(%init : tensor<1x8x1x7xf32>) layout(ngcw x gfcw -> ngfw) window(pad = [[7, 7]])
    return %r : tensor<1x8x1x7xf32>
  }
}

// -----

// The gradient of a filter whose groups lie apart: its rows of 28 pixels, which
// are summed over, fill vectors where there are registers enough for the input's
// rows. Groups stay as they lie.
// CHECK-LABEL: @summed
// CHECK: scf.forall
// CHECK-NOT: linalg.generic
// CHECK: convoy.conv {{.*}} layout(gcnhw x gfchw -> gfnhw) {{.*}} {convoy.group_panel = #convoy.group_panel<groups = 8, padding = copied>}
// CHECK-NOT: linalg.generic
module attributes {convoy.target = #convoy.target<vector_bytes = 64, registers = 32>} {
  func.func @summed(%x: tensor<32x1x1x28x28xf32>, %dy: tensor<32x1x1x28x28xf32>, %init: tensor<32x1x1x3x3xf32>) -> tensor<32x1x1x3x3xf32> {
    %r = convoy.conv ins(%x, %dy : tensor<32x1x1x28x28xf32>, tensor<32x1x1x28x28xf32>) outs(%init : tensor<32x1x1x3x3xf32>) layout(gcnhw x gfchw -> gfnhw) window(pad = [[1, 1], [1, 1]])
    return %r : tensor<32x1x1x3x3xf32>
  }
}

// -----

// Strided: the phases of a row of 56 pixels are put together by vectors, which
// takes less than to copy groups side by side. Each phase has padding of its
// own.
// CHECK-LABEL: @phases_of_rows
// CHECK: scf.forall
// CHECK-NOT: linalg.generic
// CHECK: convoy.conv {{.*}} layout(ngchw x gcfhw -> ngfhw) window({{.*}}input_dilation = [2, 2]{{.*}} {convoy.group_panel = #convoy.group_panel<groups = 1>}
// CHECK-NOT: linalg.generic
module attributes {convoy.target = #convoy.target<vector_bytes = 64, registers = 32>} {
  func.func @phases_of_rows(%dy: tensor<1x32x8x28x28xf32>, %w: tensor<32x8x8x3x3xf32>, %init: tensor<1x32x8x56x56xf32>) -> tensor<1x32x8x56x56xf32> {
    %r = convoy.conv ins(%dy, %w : tensor<1x32x8x28x28xf32>, tensor<32x8x8x3x3xf32>) outs(%init : tensor<1x32x8x56x56xf32>) layout(ngchw x gcfhw -> ngfhw) window(pad = [[1, 2], [1, 2]], input_dilation = [2, 2], reverse = [true, true])
    return %r : tensor<1x32x8x56x56xf32>
  }
}

// -----

// Sizes that are not known may be anything.
// CHECK-LABEL: @dynamic
// CHECK-NOT: scf.forall
// CHECK: convoy.conv
func.func @dynamic(%x: tensor<1x8x1x?xf32>, %w: tensor<8x1x1x3xf32>, %init: tensor<1x8x1x?xf32>) -> tensor<1x8x1x?xf32> {
  %r = convoy.conv ins(%x, %w : tensor<1x8x1x?xf32>, tensor<8x1x1x3xf32>) outs(%init : tensor<1x8x1x?xf32>) layout(ngcw x gfcw -> ngfw) window(pad = [[1, 1]])
  return %r : tensor<1x8x1x?xf32>
}
