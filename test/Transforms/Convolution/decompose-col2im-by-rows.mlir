// RUN: convoy-opt %s --convoy-decompose-col2im=by-rows --canonicalize --split-input-file | FileCheck %s

// A row of the image adds up, for each tap above each other that has a position
// there, all taps along the row: each at the positions that have an element.
// CHECK-LABEL: func @strided(
// CHECK-SAME:    %[[Y:.*]]: tensor<2x5x2x3x3x8xf32>)
// CHECK:         scf.forall (%[[N:.*]], %[[H:.*]]) in (2, 9) shared_outs(%[[IMAGE:.*]] =
// CHECK:           %[[ROW:.*]] = tensor.extract_slice %[[IMAGE]][%[[N]], %[[H]], 0, 0] [1, 1, 4, 8]
// CHECK:           %[[ZEROS:.*]] = linalg.fill {{.*}} outs(%[[ROW]] :
// CHECK:           %[[SUMS:.*]] = scf.for %[[K:.*]] = %c0 to %c3 step %c1 iter_args(%[[BEFORE:.*]] = %[[ZEROS]])
// CHECK:             arith.floordivsi
// CHECK:             %[[PLACE:.*]] = arith.minsi
// CHECK:             %[[ADDED:.*]] = scf.if
// CHECK:               %[[PART:.*]] = tensor.extract_slice %[[BEFORE]][2, 0] [1, 8] [3, 1]
// CHECK:               tensor.extract_slice %[[Y]][%[[N]], %[[PLACE]], 1, %[[K]], 0, 0] [1, 1, 1, 1, 1, 8]
// CHECK:               %[[SUM:.*]] = linalg.generic {{.*}} outs(%[[PART]] : tensor<1x8xf32>)
// CHECK:                 arith.addf
// CHECK:               %[[FIRST:.*]] = tensor.insert_slice %[[SUM]] into %[[BEFORE]][2, 0] [1, 8] [3, 1]
// CHECK:               %[[NEXT:.*]] = tensor.extract_slice %[[FIRST]][0, 0] [2, 8] [3, 1]
// CHECK:               tensor.extract_slice %[[Y]][%[[N]], %[[PLACE]], 0, %[[K]], 1, 0] [1, 1, 2, 1, 1, 8]
// CHECK:               linalg.generic {{.*}} outs(%[[NEXT]] : tensor<2x8xf32>)
// CHECK:               tensor.insert_slice
// CHECK:               %[[LAST:.*]] = tensor.insert_slice
// CHECK:               scf.yield %[[LAST]]
// CHECK:             } else {
// CHECK-NEXT:          scf.yield %[[BEFORE]]
// CHECK:             scf.yield %[[ADDED]]
// CHECK:           tensor.parallel_insert_slice %[[SUMS]] into %[[IMAGE]]
func.func @strided(%y: tensor<2x5x2x3x3x8xf32>) -> tensor<2x9x4x8xf32> {
  %0 = convoy.col2im %y layout(nhwc, nhw|hwc)
      window(stride = [2, 3], pad = [[1, 1], [1, 1]])
      : tensor<2x5x2x3x3x8xf32> -> tensor<2x9x4x8xf32>
  return %0 : tensor<2x9x4x8xf32>
}

// -----

// Channels stand innermost while a row is added up, in f32.
// CHECK-DAG:   #[[SAME:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG:   #[[TURNED:.*]] = affine_map<(d0, d1) -> (d1, d0)>
// CHECK-LABEL: func @turned(
// CHECK-SAME:    %[[Y:.*]]: tensor<4x?x3x9xbf16>)
// CHECK:         %[[BATCH:.*]] = tensor.dim %[[Y]], %c1
// CHECK:         scf.forall (%[[N:.*]]) in (%[[BATCH]]) shared_outs(%[[IMAGE:.*]] =
// CHECK:           %[[ROW:.*]] = tensor.extract_slice %[[IMAGE]][%[[N]], 0, 0] [1, 9, 6]
// CHECK:           tensor.empty() : tensor<6x9xf32>
// CHECK:           %[[TERMS:.*]] = tensor.extract_slice %[[Y]][0, %[[N]], 0, 0] [4, 1, 1, 9]
// CHECK:           linalg.generic {indexing_maps = [#[[SAME]], #[[SAME]]]{{.*}} ins(%[[TERMS]] : tensor<4x9xbf16>) outs(%{{.*}} : tensor<4x9xf32>)
// CHECK:             arith.extf
// CHECK-COUNT-3:   arith.addf
// CHECK:           %[[ROUNDED:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<6x9xbf16>)
// CHECK:             arith.truncf
// CHECK:           linalg.generic {indexing_maps = [#[[TURNED]], #[[SAME]]]{{.*}} ins(%[[ROUNDED]] : tensor<6x9xbf16>) outs(%[[ROW]] : tensor<9x6xbf16>)
func.func @turned(%y: tensor<4x?x3x9xbf16>) -> tensor<?x9x6xbf16> {
  %0 = convoy.col2im %y layout(ncw, wn|wc)
      : tensor<4x?x3x9xbf16> -> tensor<?x9x6xbf16>
  return %0 : tensor<?x9x6xbf16>
}

// -----

// Channels that lie apart in rows and image are rows of their own. Positions that
// lie side by side are added to sums that do: element w of a row is number
// w / 2 of phase w mod 2, and written where it goes in the end, that which only
// the first phase has apart.
// CHECK-DAG:   #[[SAME:.*]] = affine_map<(d0) -> (d0)>
// CHECK-DAG:   #[[TURNED:.*]] = affine_map<(d0, d1) -> (d1, d0)>
// CHECK-LABEL: func @phases(
// CHECK-SAME:    %[[Y:.*]]: tensor<2x5x3x5xf32>)
// CHECK:         scf.forall (%[[N:.*]], %[[C:.*]]) in (2, 5)
// CHECK:           %[[SUMS:.*]] = linalg.fill {{.*}} -> tensor<2x6xf32>
// CHECK:           %[[PHASE:.*]] = tensor.extract_slice %[[SUMS]][0, 0] [1, 5] {{.*}} to tensor<5xf32>
// CHECK:           %[[TERMS:.*]] = tensor.extract_slice %[[Y]][%[[N]], %[[C]], 0, 0] [1, 1, 1, 5]
// CHECK:           %[[ADDED:.*]] = linalg.generic {indexing_maps = [#[[SAME]], #[[SAME]]]{{.*}} ins(%[[TERMS]] : tensor<5xf32>) outs(%[[PHASE]] : tensor<5xf32>)
// CHECK:           tensor.insert_slice %[[ADDED]] into %[[SUMS]][0, 0] [1, 5]
// CHECK:           tensor.extract_slice %{{.*}}[1, 0] [1, 5] {{.*}} to tensor<5xf32>
// CHECK:           tensor.extract_slice %{{.*}}[0, 1] [1, 5] {{.*}} to tensor<5xf32>
// CHECK:           %[[BOTH:.*]] = tensor.extract_slice %[[ALL:.*]][0, 0] [2, 5]
// CHECK:           linalg.generic {indexing_maps = [#[[TURNED]], {{.*}} ins(%[[BOTH]] : tensor<2x5xf32>) outs(%{{.*}} : tensor<5x2xf32>)
// CHECK:           %[[REST:.*]] = tensor.extract_slice %[[ALL]][0, 5] [1, 1]
// CHECK:           linalg.generic {{.*}} ins(%[[REST]] : tensor<1x1xf32>)
func.func @phases(%y: tensor<2x5x3x5xf32>) -> tensor<2x5x11xf32> {
  %0 = convoy.col2im %y layout(ncw, n|cw|w) window(stride = [2])
      : tensor<2x5x3x5xf32> -> tensor<2x5x11xf32>
  return %0 : tensor<2x5x11xf32>
}

// -----

// Where taps lie side by side all of a row are copied in the order of the sums
// first.
// CHECK-DAG:   #[[READ:.*]] = affine_map<(d0, d1, d2) -> (d1, d2, d0)>
// CHECK-LABEL: func @taps_side_by_side(
// CHECK-SAME:    %[[Y:.*]]: tensor<2x4x9x3xf32>)
// CHECK:         scf.forall (%[[N:.*]]) in (2)
// CHECK:           %[[WINDOWS:.*]] = tensor.extract_slice %[[Y]][%[[N]], 0, 0, 0] [1, 4, 9, 3]
// CHECK:           %[[COPY:.*]] = linalg.generic {indexing_maps = [#[[READ]], {{.*}} ins(%[[WINDOWS]] : tensor<4x9x3xf32>) outs(%{{.*}} : tensor<3x4x9xf32>)
// CHECK:           tensor.extract_slice %[[COPY]][0, 0, 0] [1, 4, 9] {{.*}} to tensor<4x9xf32>
// CHECK:           tensor.extract_slice %[[COPY]][1, 0, 0] [1, 4, 9] {{.*}} to tensor<4x9xf32>
func.func @taps_side_by_side(%y: tensor<2x4x9x3xf32>) -> tensor<2x6x9xf32> {
  %0 = convoy.col2im %y layout(nwc, nw|cw)
      : tensor<2x4x9x3xf32> -> tensor<2x6x9xf32>
  return %0 : tensor<2x6x9xf32>
}

// -----

// Of few channels positions are innermost.
// CHECK-DAG:   #[[READ:.*]] = affine_map<(d0, d1, d2) -> (d2, d0, d1)>
// CHECK-LABEL: func @few_channels(
// CHECK:           linalg.generic {indexing_maps = [#[[READ]], {{.*}} ins(%{{.*}} : tensor<4x3x2xf32>) outs(%{{.*}} : tensor<3x2x4xf32>)
// CHECK:           linalg.generic {{.*}} outs(%{{.*}} : tensor<2x4xf32>)
func.func @few_channels(%y: tensor<2x4x3x2xf32>) -> tensor<2x6x2xf32> {
  %0 = convoy.col2im %y layout(nwc, nw|wc)
      : tensor<2x4x3x2xf32> -> tensor<2x6x2xf32>
  return %0 : tensor<2x6x2xf32>
}

// -----

// Taps of a row that take more than a MiB are not copied, and windows further
// apart than the row is long make no more phases than it has elements.
// CHECK-LABEL: func @bounded(
// CHECK-SAME:    %[[LONG:.*]]: tensor<1x90000x2x2xf32>, %[[APART:.*]]: tensor<1x2x3x2xf32>)
// CHECK:         %[[TERMS:.*]] = tensor.extract_slice %[[LONG]][0, 0, 0, 0] [1, 90000, 1, 2] {{.*}} to tensor<90000x2xf32>
// CHECK:         linalg.generic {{.*}} ins(%[[TERMS]] : tensor<90000x2xf32>)
// CHECK:         linalg.fill {{.*}} -> tensor<2x5x1xf32>
func.func @bounded(%long: tensor<1x90000x2x2xf32>, %apart: tensor<1x2x3x2xf32>)
    -> (tensor<1x90001x2xf32>, tensor<1x5x2xf32>) {
  %0 = convoy.col2im %long layout(nwc, nw|wc)
      : tensor<1x90000x2x2xf32> -> tensor<1x90001x2xf32>
  %1 = convoy.col2im %apart layout(nwc, nw|wc)
      window(stride = [1000000], pad = [[0, 1000000]])
      : tensor<1x2x3x2xf32> -> tensor<1x5x2xf32>
  return %0, %1 : tensor<1x90001x2xf32>, tensor<1x5x2xf32>
}

// -----

// Groups are picked as images are.
// CHECK-LABEL: func @groups(
// CHECK-SAME:    %[[Y:.*]]: tensor<3x2x3x2x8xf32>)
// CHECK:         scf.forall (%[[N:.*]], %[[G:.*]]) in (2, 3)
// CHECK:           tensor.extract_slice %[[Y]][%[[G]], %[[N]], 0, 0, 0] [1, 1, 3, 1, 8] {{.*}} to tensor<3x8xf32>
func.func @groups(%y: tensor<3x2x3x2x8xf32>) -> tensor<2x3x8x6xf32> {
  %0 = convoy.col2im %y layout(ngcw, gnw|wc) window(stride = [2])
      : tensor<3x2x3x2x8xf32> -> tensor<2x3x8x6xf32>
  return %0 : tensor<2x3x8x6xf32>
}

// -----

// More taps in a row than there should be additions in the code, channels of any
// number, and nothing to add: element by element.
// CHECK-LABEL: func @others(
// CHECK-NOT:     scf.forall
// CHECK:         return
func.func @others(%long: tensor<1x4x17x5xf32>, %any: tensor<1x4x3x?xf32>,
                  %none: tensor<1x0x3x5xf32>)
    -> (tensor<1x20x5xf32>, tensor<1x6x?xf32>, tensor<1x2x5xf32>) {
  %0 = convoy.col2im %long layout(nwc, nw|wc)
      : tensor<1x4x17x5xf32> -> tensor<1x20x5xf32>
  %1 = convoy.col2im %any layout(nwc, nw|wc)
      : tensor<1x4x3x?xf32> -> tensor<1x6x?xf32>
  %2 = convoy.col2im %none layout(nwc, nw|wc)
      : tensor<1x0x3x5xf32> -> tensor<1x2x5xf32>
  return %0, %1, %2 : tensor<1x20x5xf32>, tensor<1x6x?xf32>, tensor<1x2x5xf32>
}
