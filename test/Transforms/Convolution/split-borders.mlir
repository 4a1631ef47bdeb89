// RUN: convoy-opt %s --convoy-split-borders --split-input-file | FileCheck %s

// Between the borders nothing is padded, and at each border one tap meets
// nothing but padding: no part copies the input. What the init is filled with
// is filled in where parts are computed.
// CHECK-LABEL: @positions
// CHECK-SAME: %[[X:.+]]: tensor<1x9x1x16xf32>, %[[W:.+]]: tensor<3x1x1x16xf32>, %[[OUT:.+]]: tensor<1x9x1x16xf32>
// CHECK: %[[INNER:.+]] = tensor.extract_slice %[[OUT]][0, 1, 0, 0] [1, 7, 1, 16]
// CHECK: %[[ZERO:.+]] = linalg.fill {{.*}} outs(%[[INNER]]
// CHECK: %[[SUM0:.+]] = convoy.conv ins(%[[X]], %[[W]] : {{.*}}) outs(%[[ZERO]] : {{.*}}) layout(nwcg x wcfg -> nwfg){{$}}
// CHECK: %[[R0:.+]] = tensor.insert_slice %[[SUM0]] into %[[OUT]][0, 1, 0, 0]
// CHECK: %[[LOW:.+]] = tensor.extract_slice %[[R0]][0, 0, 0, 0] [1, 1, 1, 16]
// CHECK: %[[W1:.+]] = tensor.extract_slice %[[W]][1, 0, 0, 0] [2, 1, 1, 16]
// CHECK: convoy.conv ins(%[[X]], %[[W1]] : {{.*}} window(pad = {{\[\[}}0, -7]])
// CHECK: %[[R1:.+]] = tensor.insert_slice
// CHECK: %[[HIGH:.+]] = tensor.extract_slice %[[R1]][0, 8, 0, 0] [1, 1, 1, 16]
// CHECK: %[[W2:.+]] = tensor.extract_slice %[[W]][0, 0, 0, 0] [2, 1, 1, 16]
// CHECK: convoy.conv ins(%[[X]], %[[W2]] : {{.*}} window(pad = {{\[\[}}-7, 0]])
func.func @positions(%x: tensor<1x9x1x16xf32>, %w: tensor<3x1x1x16xf32>, %out: tensor<1x9x1x16xf32>) -> tensor<1x9x1x16xf32> {
  %zero = arith.constant 0.0 : f32
  %init = linalg.fill ins(%zero : f32) outs(%out : tensor<1x9x1x16xf32>) -> tensor<1x9x1x16xf32>
  %r = convoy.conv ins(%x, %w : tensor<1x9x1x16xf32>, tensor<3x1x1x16xf32>) outs(%init : tensor<1x9x1x16xf32>) layout(nwcg x wcfg -> nwfg) window(pad = [[1, 1]])
  return %r : tensor<1x9x1x16xf32>
}

// -----

// What gives the init, and what computes each element of the result further, do so
// part by part, too; what the latter writes into is all that parts are inserted in.
// CHECK-LABEL: @finished
// CHECK-SAME: %[[X:.+]]: tensor<1x9x1x16xf32>, %[[W:.+]]: tensor<3x1x1x16xf32>, %[[BIAS:.+]]: tensor<16xf32>, %[[REST:.+]]: tensor<1x9x1x16xf32>)
// CHECK: %[[OUT:.+]] = tensor.empty() : tensor<1x9x1x16xi8>
// CHECK: %[[INNER:.+]] = tensor.extract_slice %[[OUT]][0, 1, 0, 0] [1, 7, 1, 16]
// CHECK: %[[EMPTY:.+]] = tensor.empty() : tensor<1x7x1x16xf32>
// CHECK: %[[ADDEND:.+]] = tensor.extract_slice %[[BIAS]][0] [16]
// CHECK: %[[INIT:.+]] = linalg.broadcast ins(%[[ADDEND]] : tensor<16xf32>) outs(%[[EMPTY]] : tensor<1x7x1x16xf32>)
// CHECK: %[[SUM:.+]] = convoy.conv ins(%[[X]], %[[W]] : {{.*}}) outs(%[[INIT]] : {{.*}}) layout(nwcg x wcfg -> nwfg){{$}}
// CHECK: %[[ADDED:.+]] = tensor.extract_slice %[[REST]][0, 1, 0, 0] [1, 7, 1, 16]
// CHECK: %[[PART:.+]] = linalg.generic {{.*}} ins(%[[ADDED]], %[[SUM]] : {{.*}}) outs(%[[INNER]] : tensor<1x7x1x16xi8>)
// CHECK: %[[R0:.+]] = tensor.insert_slice %[[PART]] into %[[OUT]][0, 1, 0, 0]
// CHECK: %[[R1:.+]] = tensor.insert_slice {{.*}} into %[[R0]][0, 0, 0, 0]
// CHECK: %[[R2:.+]] = tensor.insert_slice {{.*}} into %[[R1]][0, 8, 0, 0]
// CHECK-NEXT: return %[[R2]]
func.func @finished(%x: tensor<1x9x1x16xf32>, %w: tensor<3x1x1x16xf32>, %bias: tensor<16xf32>, %rest: tensor<1x9x1x16xf32>) -> tensor<1x9x1x16xi8> {
  %empty = tensor.empty() : tensor<1x9x1x16xf32>
  %init = linalg.broadcast ins(%bias : tensor<16xf32>) outs(%empty : tensor<1x9x1x16xf32>) dimensions = [0, 1, 2]
  %sums = convoy.conv ins(%x, %w : tensor<1x9x1x16xf32>, tensor<3x1x1x16xf32>) outs(%init : tensor<1x9x1x16xf32>) layout(nwcg x wcfg -> nwfg) window(pad = [[1, 1]])
  %out = tensor.empty() : tensor<1x9x1x16xi8>
  %r = linalg.generic {indexing_maps = [affine_map<(n, w, f, g) -> (n, w, f, g)>, affine_map<(n, w, f, g) -> (n, w, f, g)>, affine_map<(n, w, f, g) -> (n, w, f, g)>],
                       iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%rest, %sums : tensor<1x9x1x16xf32>, tensor<1x9x1x16xf32>) outs(%out : tensor<1x9x1x16xi8>) {
  ^bb0(%a: f32, %b: f32, %old: i8):
    %s = arith.addf %a, %b : f32
    %i = arith.fptosi %s : f32 to i8
    linalg.yield %i : i8
  } -> tensor<1x9x1x16xi8>
  return %r : tensor<1x9x1x16xi8>
}

// -----

// Not where another op reads the sums, or where elements come from elsewhere.
// CHECK-LABEL: @read_twice
// CHECK: %[[SUMS:.+]] = tensor.insert_slice {{.*}}[0, 8, 0, 0]
// CHECK: %[[R:.+]] = linalg.generic {{.*}} ins(%[[SUMS]] : tensor<1x9x1x16xf32>)
// CHECK: return %[[SUMS]], %[[R]]
// CHECK-LABEL: @mirrored
// CHECK: %[[SUMS:.+]] = tensor.insert_slice {{.*}}[0, 8, 0, 0]
// CHECK: linalg.generic {{.*}} ins(%[[SUMS]] : tensor<1x9x1x16xf32>)
func.func @read_twice(%x: tensor<1x9x1x16xf32>, %w: tensor<3x1x1x16xf32>, %init: tensor<1x9x1x16xf32>) -> (tensor<1x9x1x16xf32>, tensor<1x9x1x16xf32>) {
  %sums = convoy.conv ins(%x, %w : tensor<1x9x1x16xf32>, tensor<3x1x1x16xf32>) outs(%init : tensor<1x9x1x16xf32>) layout(nwcg x wcfg -> nwfg) window(pad = [[1, 1]])
  %out = tensor.empty() : tensor<1x9x1x16xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(n, w, f, g) -> (n, w, f, g)>, affine_map<(n, w, f, g) -> (n, w, f, g)>],
                       iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%sums : tensor<1x9x1x16xf32>) outs(%out : tensor<1x9x1x16xf32>) {
  ^bb0(%a: f32, %old: f32):
    %s = math.absf %a : f32
    linalg.yield %s : f32
  } -> tensor<1x9x1x16xf32>
  return %sums, %r : tensor<1x9x1x16xf32>, tensor<1x9x1x16xf32>
}
func.func @mirrored(%x: tensor<1x9x1x16xf32>, %w: tensor<3x1x1x16xf32>, %init: tensor<1x9x1x16xf32>) -> tensor<1x9x1x16xf32> {
  %sums = convoy.conv ins(%x, %w : tensor<1x9x1x16xf32>, tensor<3x1x1x16xf32>) outs(%init : tensor<1x9x1x16xf32>) layout(nwcg x wcfg -> nwfg) window(pad = [[1, 1]])
  %out = tensor.empty() : tensor<1x9x1x16xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(n, w, f, g) -> (n, 8 - w, f, g)>, affine_map<(n, w, f, g) -> (n, w, f, g)>],
                       iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%sums : tensor<1x9x1x16xf32>) outs(%out : tensor<1x9x1x16xf32>) {
  ^bb0(%a: f32, %old: f32):
    %s = math.absf %a : f32
    linalg.yield %s : f32
  } -> tensor<1x9x1x16xf32>
  return %r : tensor<1x9x1x16xf32>
}

// -----

// What starts from mirrored elements has no parts that are slices: it is computed
// before all parts.
// CHECK-LABEL: @mirrored_start
// CHECK: %[[START:.+]] = linalg.generic
// CHECK: tensor.extract_slice %[[START]][0, 1, 0, 0] [1, 7, 1, 16]
func.func @mirrored_start(%x: tensor<1x9x1x16xf32>, %w: tensor<3x1x1x16xf32>, %rest: tensor<1x9x1x16xf32>, %out: tensor<1x9x1x16xf32>) -> tensor<1x9x1x16xf32> {
  %init = linalg.generic {indexing_maps = [affine_map<(n, w, f, g) -> (n, 8 - w, f, g)>, affine_map<(n, w, f, g) -> (n, w, f, g)>],
                          iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%rest : tensor<1x9x1x16xf32>) outs(%out : tensor<1x9x1x16xf32>) {
  ^bb0(%a: f32, %old: f32):
    %s = math.absf %a : f32
    linalg.yield %s : f32
  } -> tensor<1x9x1x16xf32>
  %sums = convoy.conv ins(%x, %w : tensor<1x9x1x16xf32>, tensor<3x1x1x16xf32>) outs(%init : tensor<1x9x1x16xf32>) layout(nwcg x wcfg -> nwfg) window(pad = [[1, 1]])
  return %sums : tensor<1x9x1x16xf32>
}

// -----

// Where taps are reversed, what meets padding is at the other end.
// CHECK-LABEL: @reversed
// CHECK-SAME: %{{.+}}: tensor<1x9x1x16xf32>, %[[W:.+]]: tensor<3x1x1x16xf32>
// CHECK: convoy.conv
// CHECK: %[[W1:.+]] = tensor.extract_slice %[[W]][0, 0, 0, 0] [2, 1, 1, 16]
// CHECK: convoy.conv ins(%{{.+}}, %[[W1]] : {{.*}} window(pad = {{\[\[}}0, -7]], reverse = [true])
// CHECK: %[[W2:.+]] = tensor.extract_slice %[[W]][1, 0, 0, 0] [2, 1, 1, 16]
// CHECK: convoy.conv ins(%{{.+}}, %[[W2]] : {{.*}} window(pad = {{\[\[}}-7, 0]], reverse = [true])
func.func @reversed(%x: tensor<1x9x1x16xf32>, %w: tensor<3x1x1x16xf32>, %init: tensor<1x9x1x16xf32>) -> tensor<1x9x1x16xf32> {
  %r = convoy.conv ins(%x, %w : tensor<1x9x1x16xf32>, tensor<3x1x1x16xf32>) outs(%init : tensor<1x9x1x16xf32>) layout(nwcg x wcfg -> nwfg) window(pad = [[1, 1]], reverse = [true])
  return %r : tensor<1x9x1x16xf32>
}

// -----

// Two dimensions have four borders and four corners.
// CHECK-LABEL: @corners
// CHECK-COUNT-9: convoy.conv
// CHECK-NOT: convoy.conv
func.func @corners(%x: tensor<1x9x8x1x16xf32>, %w: tensor<3x3x1x1x16xf32>, %init: tensor<1x9x8x1x16xf32>) -> tensor<1x9x8x1x16xf32> {
  %r = convoy.conv ins(%x, %w : tensor<1x9x8x1x16xf32>, tensor<3x3x1x1x16xf32>) outs(%init : tensor<1x9x8x1x16xf32>) layout(nhwcg x hwcfg -> nhwfg) window(pad = [[1, 1], [1, 1]])
  return %r : tensor<1x9x8x1x16xf32>
}

// -----

// Where taps are more than positions, as in a gradient of the filter, their sum
// is cut, and each part adds to the positions that it has terms of.
// CHECK-LABEL: @taps
// CHECK-SAME: %[[X:.+]]: tensor<1x30x1x8xf32>, %[[W:.+]]: tensor<30x1x1x8xf32>, %[[INIT:.+]]: tensor<1x3x1x8xf32>
// CHECK: %[[TAPS:.+]] = tensor.extract_slice %[[W]][1, 0, 0, 0] [28, 1, 1, 8]
// CHECK: convoy.conv ins(%[[X]], %[[TAPS]] : {{.*}} outs(%[[INIT]] : {{.*}} layout(nwcg x wcfg -> nwfg){{$}}
// CHECK: %[[SUM:.+]] = tensor.insert_slice
// CHECK: %[[LAST2:.+]] = tensor.extract_slice %[[SUM]][0, 1, 0, 0] [1, 2, 1, 8]
// CHECK: %[[FIRST:.+]] = tensor.extract_slice %[[W]][0, 0, 0, 0] [1, 1, 1, 8]
// CHECK: convoy.conv ins(%[[X]], %[[FIRST]] : {{.*}} outs(%[[LAST2]] : {{.*}} window(pad = {{\[\[}}0, -28]])
// CHECK: %[[SUM1:.+]] = tensor.insert_slice
// CHECK: %[[FIRST2:.+]] = tensor.extract_slice %[[SUM1]][0, 0, 0, 0] [1, 2, 1, 8]
// CHECK: %[[LAST:.+]] = tensor.extract_slice %[[W]][29, 0, 0, 0] [1, 1, 1, 8]
// CHECK: convoy.conv ins(%[[X]], %[[LAST]] : {{.*}} outs(%[[FIRST2]] : {{.*}} window(pad = {{\[\[}}-28, 0]])
func.func @taps(%x: tensor<1x30x1x8xf32>, %w: tensor<30x1x1x8xf32>, %init: tensor<1x3x1x8xf32>) -> tensor<1x3x1x8xf32> {
  %r = convoy.conv ins(%x, %w : tensor<1x30x1x8xf32>, tensor<30x1x1x8xf32>) outs(%init : tensor<1x3x1x8xf32>) layout(nwcg x wcfg -> nwfg) window(pad = [[1, 1]])
  return %r : tensor<1x3x1x8xf32>
}

// -----

// Sums in a wider type than the result's are rounded when all parts are added.
// CHECK-LABEL: @taps_f16
// CHECK: arith.extf
// CHECK: convoy.conv {{.*}} outs({{.*}} : tensor<1x3x1x8xf32>)
// CHECK-NOT: arith
// CHECK: convoy.conv {{.*}} outs({{.*}} : tensor<1x2x1x8xf32>)
// CHECK-NOT: arith
// CHECK: convoy.conv {{.*}} outs({{.*}} : tensor<1x2x1x8xf32>)
// CHECK: arith.truncf
func.func @taps_f16(%x: tensor<1x30x1x8xf16>, %w: tensor<30x1x1x8xf16>, %init: tensor<1x3x1x8xf16>) -> tensor<1x3x1x8xf16> {
  %r = convoy.conv ins(%x, %w : tensor<1x30x1x8xf16>, tensor<30x1x1x8xf16>) outs(%init : tensor<1x3x1x8xf16>) layout(nwcg x wcfg -> nwfg) window(pad = [[1, 1]]) numerics(accumulator = f32)
  return %r : tensor<1x3x1x8xf16>
}

// -----

// A stride leaves padding below alone, and the first position reads two of the
// taps, two elements apart.
// CHECK-LABEL: @strided
// CHECK: tensor.extract_slice %{{.+}}[0, 1, 0, 0] [1, 8, 1, 16]
// CHECK: convoy.conv {{.*}} window(stride = [2], dilation = [2])
// CHECK: tensor.extract_slice %{{.+}}[1, 0, 0, 0] [2, 1, 1, 16]
// CHECK: convoy.conv {{.*}} window(stride = [2], dilation = [2], pad = {{\[\[}}0, -16]])
// CHECK-NOT: convoy.conv
func.func @strided(%x: tensor<1x19x1x16xf32>, %w: tensor<3x1x1x16xf32>, %init: tensor<1x9x1x16xf32>) -> tensor<1x9x1x16xf32> {
  %r = convoy.conv ins(%x, %w : tensor<1x19x1x16xf32>, tensor<3x1x1x16xf32>) outs(%init : tensor<1x9x1x16xf32>) layout(nwcg x wcfg -> nwfg) window(stride = [2], dilation = [2], pad = [[2, 0]])
  return %r : tensor<1x9x1x16xf32>
}

// -----

// One side pads, at the other some of the input is left out.
// CHECK-LABEL: @cropped
// CHECK: convoy.conv {{.*}} window(pad = {{\[\[}}-2, 0]])
// CHECK: convoy.conv {{.*}} window(pad = {{\[\[}}-9, 0]])
// CHECK-NOT: convoy.conv
func.func @cropped(%x: tensor<1x11x1x16xf32>, %w: tensor<3x1x1x16xf32>, %init: tensor<1x8x1x16xf32>) -> tensor<1x8x1x16xf32> {
  %r = convoy.conv ins(%x, %w : tensor<1x11x1x16xf32>, tensor<3x1x1x16xf32>) outs(%init : tensor<1x8x1x16xf32>) layout(nwcg x wcfg -> nwfg) window(pad = [[-2, 1]])
  return %r : tensor<1x8x1x16xf32>
}

// -----

// Three dimensions would have 27 parts, dilated inputs are cut by phases first,
// and where all positions meet padding there is nothing between.
// CHECK-LABEL: @planes
// CHECK: convoy.conv
// CHECK-NOT: convoy.conv
func.func @planes(%x: tensor<1x9x9x9x1x16xf32>, %w: tensor<3x3x3x1x1x16xf32>, %init: tensor<1x9x9x9x1x16xf32>) -> tensor<1x9x9x9x1x16xf32> {
  %r = convoy.conv ins(%x, %w : tensor<1x9x9x9x1x16xf32>, tensor<3x3x3x1x1x16xf32>) outs(%init : tensor<1x9x9x9x1x16xf32>) layout(ndhwcg x dhwcfg -> ndhwfg) window(pad = [[1, 1], [1, 1], [1, 1]])
  return %r : tensor<1x9x9x9x1x16xf32>
}

// CHECK-LABEL: @dilated
// CHECK: convoy.conv
// CHECK-NOT: convoy.conv
func.func @dilated(%x: tensor<1x9x1x16xf32>, %w: tensor<3x1x1x16xf32>, %init: tensor<1x17x1x16xf32>) -> tensor<1x17x1x16xf32> {
  %r = convoy.conv ins(%x, %w : tensor<1x9x1x16xf32>, tensor<3x1x1x16xf32>) outs(%init : tensor<1x17x1x16xf32>) layout(nwcg x wcfg -> nwfg) window(pad = [[1, 1]], input_dilation = [2])
  return %r : tensor<1x17x1x16xf32>
}

// CHECK-LABEL: @all_padded
// CHECK: convoy.conv
// CHECK-NOT: convoy.conv
func.func @all_padded(%x: tensor<1x2x1x16xf32>, %w: tensor<4x1x1x16xf32>, %init: tensor<1x5x1x16xf32>) -> tensor<1x5x1x16xf32> {
  %r = convoy.conv ins(%x, %w : tensor<1x2x1x16xf32>, tensor<4x1x1x16xf32>) outs(%init : tensor<1x5x1x16xf32>) layout(nwcg x wcfg -> nwfg) window(pad = [[3, 3]])
  return %r : tensor<1x5x1x16xf32>
}

// -----

// Borders as wide as a filter of 7 taps wants pad as much as the whole: one copy
// is better.
// CHECK-LABEL: @wide
// CHECK: convoy.conv
// CHECK-NOT: convoy.conv
func.func @wide(%x: tensor<1x7x7x1x16xf32>, %w: tensor<7x7x1x1x16xf32>, %init: tensor<1x7x7x1x16xf32>) -> tensor<1x7x7x1x16xf32> {
  %r = convoy.conv ins(%x, %w : tensor<1x7x7x1x16xf32>, tensor<7x7x1x1x16xf32>) outs(%init : tensor<1x7x7x1x16xf32>) layout(nhwcg x hwcfg -> nhwfg) window(pad = [[3, 3], [3, 3]])
  return %r : tensor<1x7x7x1x16xf32>
}

// -----

// Where lanes run along rows of the result, borders of its positions would be
// columns; nor are borders split of many channels, beside whose multiply-adds a
// copy takes little time, nor of sizes that are not known, nor for a GPU.
// CHECK-LABEL: @rows
// CHECK: convoy.conv
// CHECK-NOT: convoy.conv
func.func @rows(%x: tensor<1x16x1x9xf32>, %w: tensor<16x1x1x3xf32>, %init: tensor<1x16x1x9xf32>) -> tensor<1x16x1x9xf32> {
  %r = convoy.conv ins(%x, %w : tensor<1x16x1x9xf32>, tensor<16x1x1x3xf32>) outs(%init : tensor<1x16x1x9xf32>) layout(ngcw x gfcw -> ngfw) window(pad = [[1, 1]])
  return %r : tensor<1x16x1x9xf32>
}

// CHECK-LABEL: @channels
// CHECK: convoy.conv
// CHECK-NOT: convoy.conv
func.func @channels(%x: tensor<1x9x2x64xf32>, %w: tensor<3x2x64x64xf32>, %init: tensor<1x9x2x64xf32>) -> tensor<1x9x2x64xf32> {
  %r = convoy.conv ins(%x, %w : tensor<1x9x2x64xf32>, tensor<3x2x64x64xf32>) outs(%init : tensor<1x9x2x64xf32>) layout(nwgc x wgcf -> nwgf) window(pad = [[1, 1]])
  return %r : tensor<1x9x2x64xf32>
}

// Groups were copied side by side, which pads on the way.
// CHECK-LABEL: @transposed
// CHECK: convoy.conv
// CHECK-NOT: convoy.conv
func.func @transposed(%x: tensor<1x16x1x9xf32>, %w: tensor<3x1x1x16xf32>, %room: tensor<1x9x1x16xf32>, %init: tensor<1x9x1x16xf32>) -> tensor<1x9x1x16xf32> {
  %t = linalg.generic {indexing_maps = [affine_map<(n, w, c, g) -> (n, g, c, w)>, affine_map<(n, w, c, g) -> (n, w, c, g)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<1x16x1x9xf32>) outs(%room : tensor<1x9x1x16xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<1x9x1x16xf32>
  %r = convoy.conv ins(%t, %w : tensor<1x9x1x16xf32>, tensor<3x1x1x16xf32>) outs(%init : tensor<1x9x1x16xf32>) layout(nwcg x wcfg -> nwfg) window(pad = [[1, 1]]) {convoy.group_panel = #convoy.group_panel<groups = 16, padding = transposed>}
  return %r : tensor<1x9x1x16xf32>
}

// A copy that nobody planned is one of many inputs that there are.
// CHECK-LABEL: @copied_by_others
// CHECK-COUNT-3: convoy.conv
// CHECK-NOT: convoy.conv
func.func @copied_by_others(%x: tensor<1x16x1x9xf32>, %w: tensor<3x1x1x16xf32>, %room: tensor<1x9x1x16xf32>, %init: tensor<1x9x1x16xf32>) -> tensor<1x9x1x16xf32> {
  %t = linalg.generic {indexing_maps = [affine_map<(n, w, c, g) -> (n, g, c, w)>, affine_map<(n, w, c, g) -> (n, w, c, g)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<1x16x1x9xf32>) outs(%room : tensor<1x9x1x16xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<1x9x1x16xf32>
  %r = convoy.conv ins(%t, %w : tensor<1x9x1x16xf32>, tensor<3x1x1x16xf32>) outs(%init : tensor<1x9x1x16xf32>) layout(nwcg x wcfg -> nwfg) window(pad = [[1, 1]])
  return %r : tensor<1x9x1x16xf32>
}

// Plans are followed, whatever would be best.
// CHECK-LABEL: @planned_copy
// CHECK: convoy.conv
// CHECK-NOT: convoy.conv
func.func @planned_copy(%x: tensor<1x9x1x16xf32>, %w: tensor<3x1x1x16xf32>, %init: tensor<1x9x1x16xf32>) -> tensor<1x9x1x16xf32> {
  %r = convoy.conv ins(%x, %w : tensor<1x9x1x16xf32>, tensor<3x1x1x16xf32>) outs(%init : tensor<1x9x1x16xf32>) layout(nwcg x wcfg -> nwfg) window(pad = [[1, 1]]) {convoy.group_panel = #convoy.group_panel<groups = 16, padding = copied>}
  return %r : tensor<1x9x1x16xf32>
}

// CHECK-LABEL: @planned_parts
// CHECK-COUNT-3: convoy.conv
// CHECK-NOT: convoy.conv
func.func @planned_parts(%x: tensor<1x9x2x64xf32>, %w: tensor<3x2x64x64xf32>, %init: tensor<1x9x2x64xf32>) -> tensor<1x9x2x64xf32> {
  %r = convoy.conv ins(%x, %w : tensor<1x9x2x64xf32>, tensor<3x2x64x64xf32>) outs(%init : tensor<1x9x2x64xf32>) layout(nwgc x wgcf -> nwgf) window(pad = [[1, 1]]) {convoy.group_panel = #convoy.group_panel<groups = 2, padding = split>}
  return %r : tensor<1x9x2x64xf32>
}

// CHECK-LABEL: @undecided
// CHECK-COUNT-3: convoy.conv
// CHECK-NOT: convoy.conv
func.func @undecided(%x: tensor<1x9x1x16xf32>, %w: tensor<3x1x1x16xf32>, %init: tensor<1x9x1x16xf32>) -> tensor<1x9x1x16xf32> {
  %r = convoy.conv ins(%x, %w : tensor<1x9x1x16xf32>, tensor<3x1x1x16xf32>) outs(%init : tensor<1x9x1x16xf32>) layout(nwcg x wcfg -> nwfg) window(pad = [[1, 1]]) {convoy.group_panel = #convoy.group_panel<groups = 16>}
  return %r : tensor<1x9x1x16xf32>
}

// CHECK-LABEL: @dynamic
// CHECK: convoy.conv
// CHECK-NOT: convoy.conv
func.func @dynamic(%x: tensor<1x?x1x16xf32>, %w: tensor<3x1x1x16xf32>, %init: tensor<1x?x1x16xf32>) -> tensor<1x?x1x16xf32> {
  %r = convoy.conv ins(%x, %w : tensor<1x?x1x16xf32>, tensor<3x1x1x16xf32>) outs(%init : tensor<1x?x1x16xf32>) layout(nwcg x wcfg -> nwfg) window(pad = [[1, 1]])
  return %r : tensor<1x?x1x16xf32>
}

// -----

// CHECK-LABEL: @gpu
// CHECK: convoy.conv
// CHECK-NOT: convoy.conv
module attributes {convoy.target = #convoy.target<subgroup = 32, workgroup_bytes = 32768, workgroup_items = 64>} {
  func.func @gpu(%x: tensor<1x9x1x16xf32>, %w: tensor<3x1x1x16xf32>, %init: tensor<1x9x1x16xf32>) -> tensor<1x9x1x16xf32> {
    %r = convoy.conv ins(%x, %w : tensor<1x9x1x16xf32>, tensor<3x1x1x16xf32>) outs(%init : tensor<1x9x1x16xf32>) layout(nwcg x wcfg -> nwfg) window(pad = [[1, 1]])
    return %r : tensor<1x9x1x16xf32>
  }
}
