// RUN: convoy-opt %s --convoy-decompose-backward --convoy-apply-winograd --split-input-file | FileCheck %s
// RUN: convoy-opt %s --convoy-decompose-backward --convoy-apply-winograd=explain --split-input-file 2>&1 >/dev/null | FileCheck %s --check-prefix=EXPLAIN

// Whole tiles with channels innermost are written where the result lies.
// CHECK-LABEL: @in_place
// CHECK-SAME: %[[X:.+]]: tensor<2x8x4xf32>, %[[W:.+]]: tensor<3x4x6xf32>, %[[OUT:.+]]: tensor<2x6x6xf32>
// A filter of taps and input channels by output channels: 4 and 2 lanes.
// CHECK: %[[TAPS:.+]] = scf.forall (%{{.+}}) in (4) shared_outs({{.*}}) -> (tensor<4x1x4x6xf32>)
// CHECK: scf.for
// CHECK: vector.transfer_read %[[W]]{{.*}}, vector<3x1x4xf32>
// CHECK: vector.transfer_write {{.*}} : vector<4x1x1x4xf32>
// CHECK: vector.transfer_read %[[W]]{{.*}}, vector<3x1x2xf32>
// CHECK: vector.transfer_write {{.*}} : vector<4x1x1x2xf32>
// Both images together: each has three tiles.
// CHECK: scf.forall (%[[N:.+]]) = (0) to (2) step (2) shared_outs(%[[ALL:.+]] = %[[OUT]])
// CHECK: %[[PART:.+]] = tensor.extract_slice %[[ALL]][%[[N]], 0, 0] [2, 6, 6]
// CHECK: %[[IMAGES:.+]] = tensor.extract_slice %[[X]][%[[N]], 0, 0] [2, 8, 4]
// CHECK: scf.forall (%{{.+}}) in (1) shared_outs(%{{.+}} = %[[PART]])
// CHECK: tensor.empty() : tensor<4x1x6x4xf32>
// CHECK: vector.transfer_read %[[IMAGES]]
// CHECK: %[[SUMS:.+]] = convoy.conv ins(%{{.+}}, %[[TAPS]] : tensor<4x1x6x4xf32>, tensor<4x1x4x6xf32>) outs(%{{.+}}) layout(gnwc x gwcf -> gnwf)
// CHECK: vector.transfer_read %[[SUMS]]
// CHECK: tensor.parallel_insert_slice
// CHECK: tensor.parallel_insert_slice %{{.+}} into %[[ALL]][%[[N]], 0, 0] [2, 6, 6]
// CHECK-NOT: convoy.winograd
func.func @in_place(%x: tensor<2x8x4xf32>, %w: tensor<3x4x6xf32>, %out: tensor<2x6x6xf32>) -> tensor<2x6x6xf32> {
  %zero = arith.constant 0.0 : f32
  %zeros = linalg.fill ins(%zero : f32) outs(%out : tensor<2x6x6xf32>) -> tensor<2x6x6xf32>
  %r = convoy.conv ins(%x, %w : tensor<2x8x4xf32>, tensor<3x4x6xf32>) outs(%zeros : tensor<2x6x6xf32>) layout(nwc x wcf -> nwf) {convoy.winograd = array<i64: 2>}
  return %r : tensor<2x6x6xf32>
}

// -----

// Padding, another order and an init: copied into zeros, and added from there.
// The last of 3 x 2 tiles reach beyond the result.
// CHECK-LABEL: @padded
// CHECK-SAME: %[[X:.+]]: tensor<?x4x9x7xf32>, %[[W:.+]]: tensor<5x4x3x3xf32>, %[[INIT:.+]]: tensor<?x5x9x8xf32>
// CHECK: %[[ORDERED:.+]] = linalg.generic {{.*}} ins(%[[W]] : tensor<5x4x3x3xf32>) outs(%{{.+}} : tensor<3x3x4x5xf32>)
// CHECK: scf.forall (%{{.+}}) in (4) {{.*}} -> (tensor<36x1x4x5xf32>)
// CHECK: vector.transfer_read %[[ORDERED]]
// CHECK: %[[BATCH:.+]] = tensor.dim %[[INIT]]
// CHECK: scf.forall (%[[N:.+]]) in (%[[BATCH]]) shared_outs(%[[ALL:.+]] = %[[INIT]])
// CHECK: %[[PART:.+]] = tensor.extract_slice %[[ALL]][%[[N]], 0, 0, 0] [1, 5, 9, 8]
// CHECK: %[[ZEROS:.+]] = linalg.fill {{.*}} -> tensor<1x14x10x4xf32>
// CHECK: %[[COPY:.+]] = linalg.generic
// CHECK: tensor.insert_slice %[[COPY]] into %[[ZEROS]][0, 1, 2, 0] [1, 9, 7, 4]
// CHECK: convoy.conv {{.*}} layout(gnwc x gwcf -> gnwf)
// CHECK: %[[USED:.+]] = tensor.extract_slice %{{.+}}[0, 0, 0, 0] [1, 9, 8, 5]
// CHECK: linalg.generic {{.*}} ins(%[[USED]] : tensor<1x9x8x5xf32>) outs(%[[PART]]
// CHECK: arith.addf
func.func @padded(%x: tensor<?x4x9x7xf32>, %w: tensor<5x4x3x3xf32>, %init: tensor<?x5x9x8xf32>) -> tensor<?x5x9x8xf32> {
  %r = convoy.conv ins(%x, %w : tensor<?x4x9x7xf32>, tensor<5x4x3x3xf32>) outs(%init : tensor<?x5x9x8xf32>) layout(nchw x fchw -> nfhw) window(pad = [[1, 1], [2, 1]]) {convoy.winograd = array<i64: 4, 4>}
  return %r : tensor<?x5x9x8xf32>
}

// -----

// A gradient reads the taps from the last to the first.
// CHECK-LABEL: @backward_data
// CHECK-SAME: %[[DY:.+]]: tensor<1x6x4xf32>, %[[W:.+]]: tensor<3x4x4xf32>
// CHECK: %[[ORDERED:.+]] = linalg.generic
// CHECK: %[[ALL:.+]] = vector.transfer_read %[[ORDERED]]
// CHECK-DAG: %[[FIRST:.+]] = vector.extract %[[ALL]][0, 0]
// CHECK-DAG: %[[LAST:.+]] = vector.extract %[[ALL]][2, 0]
// CHECK: %[[TAP0:.+]] = arith.mulf %[[LAST]]
// CHECK: vector.transfer_write
func.func @backward_data(%dy: tensor<1x6x4xf32>, %w: tensor<3x4x4xf32>, %init: tensor<1x8x4xf32>) -> tensor<1x8x4xf32> {
  %r = convoy.conv_backward_data ins(%dy, %w : tensor<1x6x4xf32>, tensor<3x4x4xf32>) outs(%init : tensor<1x8x4xf32>) layout(nwc x wcf -> nwf) {convoy.winograd = array<i64: 2>}
  return %r : tensor<1x8x4xf32>
}

// -----

// What finishes sums does so in vectors, before they are stored: a bias that
// they start from, and an op with operands. The last tile of three goes on
// behind the end, where it reads the last elements.
// CHECK-LABEL: @epilogue
// CHECK-SAME: %[[X:.+]]: tensor<1x7x4xf32>, %[[W:.+]]: tensor<3x4x6xf32>, %[[BIAS:.+]]: tensor<6xf32>, %[[RESIDUAL:.+]]: tensor<1x5x6xf32>, %[[SLOPE:.+]]: f32
// CHECK: %[[SUMS:.+]] = convoy.conv {{.*}} layout(gnwc x gwcf -> gnwf)
// CHECK: vector.transfer_read %[[SUMS]]
// CHECK: %[[AT:.+]] = affine.min
// CHECK: %[[ADDED:.+]] = vector.transfer_read %[[BIAS]]{{.*}} vector<4xf32>
// CHECK: %[[SUM:.+]] = arith.addf %[[ADDED]]
// CHECK: %[[OTHER:.+]] = vector.transfer_read %[[RESIDUAL]]{{.*}} vector<4xf32>
// CHECK: vector.fma %[[SUM]], %{{.+}}, %[[OTHER]]
// CHECK: vector.transfer_write {{.*}} : vector<1x2x4xf32>, tensor<1x6x6xf32>
// CHECK: %[[USED:.+]] = tensor.extract_slice %{{.+}}[0, 0, 0] [1, 5, 6]
// CHECK: linalg.generic {{.*}} ins(%[[USED]]
// CHECK-NEXT: ^bb0(%[[IN:.+]]: f32, %{{.+}}: f32):
// CHECK-NEXT: linalg.yield %[[IN]]
// CHECK-NOT: linalg.generic
#all = affine_map<(n, w, f) -> (n, w, f)>
func.func @epilogue(%x: tensor<1x7x4xf32>, %w: tensor<3x4x6xf32>, %bias: tensor<6xf32>, %residual: tensor<1x5x6xf32>, %slope: f32) -> tensor<1x5x6xf32> {
  %empty = tensor.empty() : tensor<1x5x6xf32>
  %start = linalg.broadcast ins(%bias : tensor<6xf32>) outs(%empty : tensor<1x5x6xf32>) dimensions = [0, 1]
  %sums = convoy.conv ins(%x, %w : tensor<1x7x4xf32>, tensor<3x4x6xf32>) outs(%start : tensor<1x5x6xf32>) layout(nwc x wcf -> nwf) {convoy.winograd = array<i64: 2>}
  %out = tensor.empty() : tensor<1x5x6xf32>
  %r = linalg.generic {indexing_maps = [#all, #all, affine_map<(n, w, f) -> ()>, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%sums, %residual, %slope : tensor<1x5x6xf32>, tensor<1x5x6xf32>, f32) outs(%out : tensor<1x5x6xf32>) {
  ^bb0(%sum: f32, %other: f32, %factor: f32, %old: f32):
    %scaled = arith.mulf %sum, %factor : f32
    %added = arith.addf %scaled, %other : f32
    linalg.yield %added : f32
  } -> tensor<1x5x6xf32>
  return %r : tensor<1x5x6xf32>
}

// -----

// An op that reads sums elsewhere stays.
// CHECK-LABEL: @transposed
// CHECK: convoy.conv {{.*}} layout(gnwc x gwcf -> gnwf)
// CHECK: scf.forall.in_parallel
// CHECK: linalg.generic {{.*}} ins(%{{.+}} : tensor<1x5x6xf32>) outs(%{{.+}} : tensor<1x6x5xf32>)
// CHECK: return
// EXPLAIN: remark: Winograd's algorithm stores its sums before 'linalg.generic' reads them: it does not read the sums element by element
func.func @transposed(%x: tensor<1x7x4xf32>, %w: tensor<3x4x6xf32>, %start: tensor<1x5x6xf32>) -> tensor<1x6x5xf32> {
  %sums = convoy.conv ins(%x, %w : tensor<1x7x4xf32>, tensor<3x4x6xf32>) outs(%start : tensor<1x5x6xf32>) layout(nwc x wcf -> nwf) {convoy.winograd = array<i64: 2>}
  %out = tensor.empty() : tensor<1x6x5xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(n, f, w) -> (n, w, f)>, affine_map<(n, f, w) -> (n, f, w)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%sums : tensor<1x5x6xf32>) outs(%out : tensor<1x6x5xf32>) {
  ^bb0(%sum: f32, %old: f32):
    %positive = math.absf %sum : f32
    linalg.yield %positive : f32
  } -> tensor<1x6x5xf32>
  return %r : tensor<1x6x5xf32>
}

// -----

// EXPLAIN: remark: Winograd's algorithm stores its sums before 'linalg.generic' reads them: other ops read the sums, too
func.func @shared(%x: tensor<1x7x4xf32>, %w: tensor<3x4x6xf32>, %start: tensor<1x5x6xf32>) -> (tensor<1x5x6xf32>, tensor<1x5x6xf32>) {
  %sums = convoy.conv ins(%x, %w : tensor<1x7x4xf32>, tensor<3x4x6xf32>) outs(%start : tensor<1x5x6xf32>) layout(nwc x wcf -> nwf) {convoy.winograd = array<i64: 2>}
  %out = tensor.empty() : tensor<1x5x6xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(n, w, f) -> (n, w, f)>, affine_map<(n, w, f) -> (n, w, f)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%sums : tensor<1x5x6xf32>) outs(%out : tensor<1x5x6xf32>) {
  ^bb0(%sum: f32, %old: f32):
    %positive = math.absf %sum : f32
    linalg.yield %positive : f32
  } -> tensor<1x5x6xf32>
  return %sums, %r : tensor<1x5x6xf32>, tensor<1x5x6xf32>
}

// -----

// The interface says how the result is computed.
// CHECK-LABEL: @interface
// CHECK-SAME: sums = {winograd = array<i64: 2>}
func.func @interface(%x: tensor<1x8x4xf32>, %w: tensor<3x4x6xf32>, %out: memref<1x6x6xf32>) attributes {convoy.arguments = [{layout = "", name = "x", type = tensor<1x8x4xf32>, written = false}, {layout = "", name = "w", type = tensor<3x4x6xf32>, written = false}, {layout = "", name = "y", type = tensor<1x6x6xf32>, written = true}]} {
  %empty = tensor.empty() : tensor<1x6x6xf32>
  %zero = arith.constant 0.0 : f32
  %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x6x6xf32>) -> tensor<1x6x6xf32>
  %r = convoy.conv ins(%x, %w : tensor<1x8x4xf32>, tensor<3x4x6xf32>) outs(%zeros : tensor<1x6x6xf32>) layout(nwc x wcf -> nwf) {convoy.winograd = array<i64: 2>}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<1x6x6xf32>, memref<1x6x6xf32>) -> ()
  return
}

// -----

// Bounds of errors rely on the order: taps and inputs are transformed along the
// outermost dimension first, each column of one position of the inner one, and
// so are sums.
// CHECK-LABEL: @order
// CHECK: vector.transfer_read {{.*}}, vector<3x3x1x4xf32>
// CHECK-DAG: %[[TAP:.+]] = vector.extract %{{.+}}[0, 0, 0] : vector<4xf32> from vector<3x3x1x4xf32>
// CHECK-DAG: %[[BELOW:.+]] = vector.extract %{{.+}}[2, 0, 0] : vector<4xf32> from vector<3x3x1x4xf32>
// CHECK: %[[HALF:.+]] = arith.mulf %[[TAP]],
// CHECK: vector.fma %[[BELOW]], %{{.+}}, %[[HALF]]
// CHECK: vector.transfer_read {{.*}}, vector<1x4x4x4xf32>
// CHECK-DAG: %[[INPUT:.+]] = vector.extract %{{.+}}[0, 0, 0] : vector<4xf32> from vector<1x4x4x4xf32>
// CHECK-DAG: %[[INPUT_BELOW:.+]] = vector.extract %{{.+}}[0, 2, 0] : vector<4xf32> from vector<1x4x4x4xf32>
// CHECK: arith.subf %[[INPUT_BELOW]], %[[INPUT]]
// CHECK: convoy.conv
// CHECK-DAG: %[[SUM:.+]] = vector.extract %{{.+}}[0, 0, 0] : vector<4xf32> from vector<16x1x1x4xf32>
// CHECK-DAG: %[[SUM_BELOW:.+]] = vector.extract %{{.+}}[4, 0, 0] : vector<4xf32> from vector<16x1x1x4xf32>
// CHECK: arith.addf %[[SUM]], %[[SUM_BELOW]]
func.func @order(%x: tensor<1x4x4x4xf32>, %w: tensor<3x3x4x4xf32>, %out: tensor<1x2x2x4xf32>) -> tensor<1x2x2x4xf32> {
  %zero = arith.constant 0.0 : f32
  %zeros = linalg.fill ins(%zero : f32) outs(%out : tensor<1x2x2x4xf32>) -> tensor<1x2x2x4xf32>
  %r = convoy.conv ins(%x, %w : tensor<1x4x4x4xf32>, tensor<3x3x4x4xf32>) outs(%zeros : tensor<1x2x2x4xf32>) layout(nhwc x hwcf -> nhwf) {convoy.winograd = array<i64: 2, 2>}
  return %r : tensor<1x2x2x4xf32>
}
