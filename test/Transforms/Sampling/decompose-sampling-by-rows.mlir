// RUN: convoy-opt %s --convoy-decompose-sampling=by-rows | FileCheck %s

// CHECK-DAG:   #[[ROW:.*]] = affine_map<(d0) -> (d0)>
// CHECK-DAG:   #[[SECOND:.*]] = affine_map<(d0, d1) -> (d1)>
// CHECK-DAG:   #[[FIRST:.*]] = affine_map<(d0, d1) -> (d0)>
// CHECK-DAG:   #[[BOTH:.*]] = affine_map<(d0, d1) -> (d0, d1)>

// Numbers of elements and weights once, then all channels.
// CHECK-LABEL: func.func @rows(
// CHECK-SAME:      %[[IMAGE:[^:]*]]: tensor<2x4x9x7xf32>, %[[GRID:[^:]*]]: tensor<2x5x6x2xf32>)
// CHECK:         %[[FLAT:.*]] = tensor.collapse_shape %[[IMAGE]] {{\[}}[0], [1], [2, 3]] : tensor<2x4x9x7xf32> into tensor<2x4x63xf32>
// CHECK:         scf.forall (%[[N:[^ ,]*]], %[[H:[^ ,]*]], %[[W:[^ ,)]*]]) = (0, 0, 0) to (2, 5, 6) step (1, 1, 6) shared_outs(%[[RESULT:[^ ]*]] =
// CHECK:           %[[Y:.*]] = tensor.extract_slice %[[GRID]][%[[N]], %[[H]], %[[W]], 1] [1, 1, 6, 1] [1, 1, 1, 1] : tensor<2x5x6x2xf32> to tensor<6xf32>
// CHECK:           %[[X:.*]] = tensor.extract_slice %[[GRID]][%[[N]], %[[H]], %[[W]], 0] [1, 1, 6, 1] [1, 1, 1, 1] : tensor<2x5x6x2xf32> to tensor<6xf32>
// CHECK:           %[[POSITIONS:.*]]:8 = linalg.generic
// CHECK-SAME:              iterator_types = ["parallel"]
// CHECK-SAME:              ins(%[[Y]], %[[X]] :
// CHECK:             %[[NUMBER:.*]] = arith.addi
// CHECK:             arith.select %{{.*}}, %[[NUMBER]], %{{.*}} : i32
// CHECK:             linalg.yield {{.*}} : i32, i32, i32, i32, f32, f32, f32, f32
// CHECK:           %[[SLICE:.*]] = tensor.extract_slice %[[RESULT]][%[[N]], 0, %[[H]], %[[W]]] [1, 4, 1, 6] [1, 1, 1, 1] : tensor<2x4x5x6xf32> to tensor<4x6xf32>
// CHECK:           %[[SAMPLES:.*]] = linalg.generic
// CHECK-SAME:              indexing_maps = [#[[SECOND]], {{.*}}, #[[BOTH]]]
// CHECK-SAME:              ins(%[[POSITIONS]]#0, {{.*}}, %[[POSITIONS]]#7 :
// CHECK-SAME:              outs(%[[SLICE]] : tensor<4x6xf32>)
// CHECK:           ^bb0(%[[ELEMENT:[^ ]*]]: i32, %{{[^ ]*}}: i32, %{{[^ ]*}}: i32, %{{[^ ]*}}: i32, %[[WEIGHT:[^ ]*]]: f32,
// CHECK:             %[[IS_INSIDE:.*]] = arith.cmpi sge, %[[ELEMENT]], %{{.*}} : i32
// CHECK:             %[[PLACE:.*]] = arith.maxsi %[[ELEMENT]], %{{.*}} : i32
// CHECK:             %[[PIXEL:.*]] = arith.index_cast %[[PLACE]] : i32 to index
// CHECK:             %[[C:.*]] = linalg.index 0
// CHECK:             %[[READ:.*]] = tensor.extract %[[FLAT]][%[[N]], %[[C]], %[[PIXEL]]]
// CHECK:             %[[VALUE:.*]] = arith.select %[[IS_INSIDE]], %[[READ]], %{{.*}} : f32
// CHECK:             arith.mulf %[[VALUE]], %[[WEIGHT]] : f32
// CHECK:           tensor.parallel_insert_slice %[[SAMPLES]] into %[[RESULT]][%[[N]], 0, %[[H]], %[[W]]] [1, 4, 1, 6]
// CHECK-NOT:     convoy.grid_sample
func.func @rows(%image: tensor<2x4x9x7xf32>, %grid: tensor<2x5x6x2xf32>)
    -> tensor<2x4x5x6xf32> {
  %0 = convoy.grid_sample %image, %grid layout(nchw x nhwc -> nchw)
      mode(linear) padding(zeros)
      : tensor<2x4x9x7xf32>, tensor<2x5x6x2xf32> -> tensor<2x4x5x6xf32>
  return %0 : tensor<2x4x5x6xf32>
}

// Channels innermost; no weight, and nothing outside.
// CHECK-LABEL: func.func @channels_innermost(
// CHECK:         tensor.collapse_shape %{{.*}} {{\[}}[0, 1], [2], [3]] : tensor<9x7x4x2xf16> into tensor<63x4x2xf16>
// CHECK:         linalg.generic
// CHECK:           linalg.yield %{{.*}} : i32
// CHECK:         linalg.generic {indexing_maps = [#[[FIRST]], #[[BOTH]]]
// CHECK-NOT:       arith.select
// CHECK:           linalg.index 1
// CHECK:           linalg.yield
func.func @channels_innermost(%image: tensor<9x7x4x2xf16>,
                              %grid: tensor<2x2x5x6xf32>)
    -> tensor<2x5x6x4xf16> {
  %0 = convoy.grid_sample %image, %grid layout(hwcn x ncwh -> nwhc)
      mode(nearest) padding(border)
      : tensor<9x7x4x2xf16>, tensor<2x2x5x6xf32> -> tensor<2x5x6x4xf16>
  return %0 : tensor<2x5x6x4xf16>
}

// Enough channels to bring them side by side: the image once, and the samples of
// a part.
// CHECK-LABEL: func.func @transposed(
// CHECK-SAME:      %[[IMAGE:[^:]*]]: tensor<2x9x9x7xf32>,
// CHECK:         %[[FLAT:.*]] = tensor.collapse_shape %[[IMAGE]] {{.*}} into tensor<2x9x63xf32>
// CHECK:         %[[COPY:.*]] = linalg.generic {{.*}} ins(%[[FLAT]] : tensor<2x9x63xf32>) outs(%{{.*}} : tensor<2x63x9xf32>)
// CHECK:         scf.forall
// CHECK:           %[[SLICE:.*]] = tensor.extract_slice {{.*}} to tensor<9x6xf32>
// CHECK:           %[[SAMPLES:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<6x9xf32>)
// CHECK:             %[[C:.*]] = linalg.index 1
// CHECK:             tensor.extract %[[COPY]][%{{.*}}, %{{.*}}, %[[C]]]
// CHECK:           %[[ROWS:.*]] = linalg.generic {{.*}} ins(%[[SAMPLES]] : tensor<6x9xf32>) outs(%[[SLICE]] : tensor<9x6xf32>)
// CHECK:           tensor.parallel_insert_slice %[[ROWS]]
func.func @transposed(%image: tensor<2x9x9x7xf32>, %grid: tensor<2x5x6x2xf32>)
    -> tensor<2x9x5x6xf32> {
  %0 = convoy.grid_sample %image, %grid layout(nchw x nhwc -> nchw)
      mode(linear) padding(zeros)
      : tensor<2x9x9x7xf32>, tensor<2x5x6x2xf32> -> tensor<2x9x5x6xf32>
  return %0 : tensor<2x9x5x6xf32>
}

// Of one element a sample, copies take longer than reading it where it lies.
// CHECK-LABEL: func.func @in_place(
// CHECK-SAME:      %[[IMAGE:[^:]*]]: tensor<2x9x9x7xf32>,
// CHECK:         %[[FLAT:.*]] = tensor.collapse_shape %[[IMAGE]]
// CHECK:           tensor.extract %[[FLAT]]
func.func @in_place(%image: tensor<2x9x9x7xf32>, %grid: tensor<2x5x6x2xf32>)
    -> tensor<2x9x5x6xf32> {
  %0 = convoy.grid_sample %image, %grid layout(nchw x nhwc -> nchw)
      mode(nearest) padding(zeros)
      : tensor<2x9x9x7xf32>, tensor<2x5x6x2xf32> -> tensor<2x9x5x6xf32>
  return %0 : tensor<2x9x5x6xf32>
}

// Parts of a long row, all of one size.
// CHECK-LABEL: func.func @long_row(
// CHECK:         scf.forall {{.*}} to (1, 1, 1000) step (1, 1, 250)
// CHECK:           tensor.extract_slice {{.*}} to tensor<250xf32>
func.func @long_row(%image: tensor<1x9x7x4xf32>, %grid: tensor<1x1x1000x2xf32>)
    -> tensor<1x1x1000x4xf32> {
  %0 = convoy.grid_sample %image, %grid layout(nhwc x nhwc -> nhwc)
      mode(linear) padding(border)
      : tensor<1x9x7x4xf32>, tensor<1x1x1000x2xf32> -> tensor<1x1x1000x4xf32>
  return %0 : tensor<1x1x1000x4xf32>
}

// One channel, rows apart in memory, other dimensions innermost, and sizes that
// are not known: sample by sample.
// CHECK-LABEL: func.func @no_rows(
// CHECK-NOT:     scf.forall
// CHECK:         return
func.func @no_rows(%image: tensor<1x9x7x1xf32>, %grid: tensor<1x5x6x2xf32>,
                   %apart: tensor<9x4x1x7xf32>, %whole: tensor<1x9x7x4xf32>,
                   %any: tensor<1x?x7x4xf32>)
    -> (tensor<1x5x6x1xf32>, tensor<1x5x6x4xf32>, tensor<5x6x4x1xf32>,
        tensor<1x5x6x4xf32>) {
  %0 = convoy.grid_sample %image, %grid layout(nhwc x nhwc -> nhwc)
      mode(linear) padding(border)
      : tensor<1x9x7x1xf32>, tensor<1x5x6x2xf32> -> tensor<1x5x6x1xf32>
  %1 = convoy.grid_sample %apart, %grid layout(hcnw x nhwc -> nhwc)
      mode(linear) padding(border)
      : tensor<9x4x1x7xf32>, tensor<1x5x6x2xf32> -> tensor<1x5x6x4xf32>
  %2 = convoy.grid_sample %whole, %grid layout(nhwc x nhwc -> hwcn)
      mode(linear) padding(border)
      : tensor<1x9x7x4xf32>, tensor<1x5x6x2xf32> -> tensor<5x6x4x1xf32>
  %3 = convoy.grid_sample %any, %grid layout(nhwc x nhwc -> nhwc)
      mode(linear) padding(border)
      : tensor<1x?x7x4xf32>, tensor<1x5x6x2xf32> -> tensor<1x5x6x4xf32>
  return %0, %1, %2, %3 : tensor<1x5x6x1xf32>, tensor<1x5x6x4xf32>,
      tensor<5x6x4x1xf32>, tensor<1x5x6x4xf32>
}
