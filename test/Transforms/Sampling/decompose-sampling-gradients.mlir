// RUN: convoy-opt %s --convoy-decompose-sampling=by-rows --cse --canonicalize | FileCheck %s
// RUN: convoy-opt %s --convoy-decompose-sampling --cse --canonicalize | FileCheck %s --check-prefix=GPU

// CHECK-DAG:   #[[POSITION:.*]] = affine_map<(d0, d1) -> (d0)>
// CHECK-DAG:   #[[CHANNEL:.*]] = affine_map<(d0, d1) -> (d1, d0)>

// Images and channels are shared; of an image 32 channels, then the rest, go
// through all samples in their order.
// CHECK-LABEL: func.func @image(
// CHECK-SAME:      %[[Y:[^:]*]]: tensor<2x5x6x40xf16>, %[[GRID:[^:]*]]: tensor<2x5x6x2xf32>)
// CHECK:         %[[ZEROS:.*]] = linalg.fill {{.*}} -> tensor<2x9x7x40xf32>
// CHECK:         %[[FIRST:.*]] = scf.forall (%[[N:.*]]) in (2) shared_outs(%[[SUMS:.*]] = %[[ZEROS]])
// CHECK:           %[[OWN:.*]] = tensor.extract_slice %[[SUMS]][%[[N]], 0, 0, 0] [1, 9, 7, 32]
// CHECK:           scf.for %[[H:[^ ]*]] = %{{.*}} to %c5 {{.*}} iter_args(%[[ROW:.*]] = %[[OWN]])
// CHECK:             scf.for %[[W:[^ ]*]] = %{{.*}} to %c6 {{.*}} iter_args(%[[BEFORE:.*]] = %[[ROW]])
// CHECK:               %[[GRADIENT:.*]] = tensor.extract_slice %[[Y]][%[[N]], %[[H]], %[[W]], 0] [1, 1, 1, 32] {{.*}} to tensor<32xf16>
// CHECK:               tensor.extract %[[GRID]][%[[N]], %[[H]], %[[W]], %c1]
// CHECK:               tensor.extract %[[GRID]][%[[N]], %[[H]], %[[W]], %c0]
// CHECK:               %[[IS_INSIDE:.*]] = arith.andi %{{.*}}, %{{.*}} : i1
// CHECK:               %[[I:.*]] = arith.index_cast
// CHECK:               %[[J:.*]] = arith.index_cast
// CHECK:               %[[ELEMENT:.*]] = tensor.extract_slice %[[BEFORE]][0, %[[I]], %[[J]], 0] [1, 1, 1, 32]
// CHECK:               %[[SUM:.*]] = linalg.generic {{.*}} ins(%[[GRADIENT]] : tensor<32xf16>) outs(%[[ELEMENT]] : tensor<32xf32>)
// CHECK:                 %[[WIDE:.*]] = arith.extf
// CHECK:                 %[[SHARE:.*]] = arith.select %[[IS_INSIDE]], %[[WIDE]]
// CHECK:                 arith.addf %{{.*}}, %[[SHARE]] : f32
// CHECK:               tensor.insert_slice %[[SUM]] into %[[BEFORE]][0, %[[I]], %[[J]], 0] [1, 1, 1, 32]
// CHECK:           tensor.parallel_insert_slice %{{.*}} into %[[SUMS]][%[[N]], 0, 0, 0] [1, 9, 7, 32]
// CHECK:         scf.forall {{.*}} shared_outs(%{{.*}} = %[[FIRST]])
// CHECK:           tensor.parallel_insert_slice {{.*}}, 0, 0, 32] [1, 9, 7, 8]
// CHECK:         arith.truncf
// CHECK-NOT:     convoy.grid_sample

// Kernels of GPUs are made of the op, whose sums are f32.
// GPU-LABEL: func.func @image(
// GPU:         %[[SUMS:.*]] = convoy.grid_sample_backward_input %{{.*}}, %{{.*}} layout(nhwc x nhwc -> nhwc) mode(nearest) padding(zeros) : tensor<2x5x6x40xf16>, tensor<2x5x6x2xf32> -> tensor<2x9x7x40xf32>
// GPU:         linalg.generic {{.*}} ins(%[[SUMS]] :
// GPU:           arith.truncf
func.func @image(%y: tensor<2x5x6x40xf16>, %g: tensor<2x5x6x2xf32>)
    -> tensor<2x9x7x40xf16> {
  %0 = convoy.grid_sample_backward_input %y, %g layout(nhwc x nhwc -> nhwc)
      mode(nearest) padding(zeros)
      : tensor<2x5x6x40xf16>, tensor<2x5x6x2xf32> -> tensor<2x9x7x40xf16>
  return %0 : tensor<2x9x7x40xf16>
}

// Channels apart, 16 at a time: what the samples of a row are made of is written
// down, places and weights, and then added channel by channel.
// CHECK-LABEL: func.func @channels_apart(
// CHECK:         scf.forall (%{{.*}}, %[[C:.*]]) = (0, 0) to (2, 32) step (1, 16)
// CHECK:           tensor.extract_slice {{.*}}, %[[C]], 0, 0] [1, 16, 9, 7]
// CHECK:           scf.for %[[H:[^ ]*]] = %{{.*}} to %c5
// CHECK:             %[[TABLES:.*]]:12 = linalg.generic
// CHECK-SAME:            iterator_types = ["parallel"]
// CHECK:               linalg.yield {{.*}} : i32, i32, i32, i32, i32, i32, i32, i32, f32, f32, f32, f32
// CHECK:             scf.for %[[OF_THESE:[^ ]*]] = %{{.*}} to %c16
// CHECK:               scf.for %[[NUMBER:[^ ]*]] = %{{.*}} to %c6
// CHECK:                 %[[OF_ALL:.*]] = arith.addi %[[C]], %[[OF_THESE]]
// CHECK:                 %[[GRADIENT:.*]] = tensor.extract %{{.*}}[%{{.*}}, %[[OF_ALL]], %[[H]], %[[NUMBER]]]
// CHECK:                 %[[ROW:.*]] = tensor.extract %[[TABLES]]#0[%[[NUMBER]]]
// CHECK:                 %[[COLUMN:.*]] = tensor.extract %[[TABLES]]#1[%[[NUMBER]]]
// CHECK:                 %[[WEIGHT:.*]] = tensor.extract %[[TABLES]]#8[%[[NUMBER]]]
// CHECK:                 %[[I:.*]] = arith.index_cast %[[ROW]]
// CHECK:                 %[[J:.*]] = arith.index_cast %[[COLUMN]]
// CHECK:                 %[[SHARE:.*]] = arith.mulf %[[GRADIENT]], %[[WEIGHT]]
// CHECK:                 %[[BEFORE:.*]] = tensor.extract %[[SUMS:.*]][%c0, %[[OF_THESE]], %[[I]], %[[J]]]
// CHECK:                 %[[SUM:.*]] = arith.addf %[[BEFORE]], %[[SHARE]]
// CHECK:                 tensor.insert %[[SUM]] into %[[SUMS]][%c0, %[[OF_THESE]], %[[I]], %[[J]]]
// CHECK:         scf.forall
// CHECK:           tensor.extract_slice {{.*}}, 32, 0, 0] [1, 4, 9, 7]
// GPU-LABEL: func.func @channels_apart(
// GPU-NEXT:    convoy.grid_sample_backward_input
func.func @channels_apart(%y: tensor<2x36x5x6xf32>, %g: tensor<2x5x6x2xf32>)
    -> tensor<2x36x9x7xf32> {
  %0 = convoy.grid_sample_backward_input %y, %g layout(nchw x nhwc -> nchw)
      mode(linear) padding(border)
      : tensor<2x36x5x6xf32>, tensor<2x5x6x2xf32> -> tensor<2x36x9x7xf32>
  return %0 : tensor<2x36x9x7xf32>
}

// Row by row, or all at once for GPUs: sums over channels, then what becomes of
// them for x and y.
// CHECK-LABEL: func.func @grid(
// CHECK-SAME:      %[[Y:[^:]*]]: tensor<2x4x5x6xf32>, %[[X:[^:]*]]: tensor<2x4x9x7xf32>, %[[GRID:[^:]*]]: tensor<2x5x6x2xf32>)
// CHECK:         scf.forall (%[[N:.*]], %[[H:.*]]) in (2, 5) shared_outs(%[[RESULT:.*]] = %{{.*}})
// CHECK:           %[[ROW:.*]] = tensor.extract_slice %[[RESULT]][%[[N]], %[[H]], 0, 0] [1, 1, 6, 2]
// CHECK:           %[[SUMS:.*]]:2 = linalg.generic {indexing_maps = [#[[POSITION]], #[[POSITION]], #[[CHANNEL]], #[[POSITION]], #[[POSITION]]], iterator_types = ["parallel", "reduction"]}
// CHECK:             %[[IS_FLAT:.*]] = arith.andi %{{.*}}, %{{.*}} : i1
// CHECK:             tensor.extract %[[X]][%[[N]],
// CHECK:             %[[SLOPE:.*]] = arith.subf %{{.*}}, %{{.*}} : f32
// CHECK:             arith.select %[[IS_FLAT]], %{{.*}}, %[[SLOPE]] : f32
// CHECK:           linalg.generic {{.*}} ins(%[[SUMS]]#0, %[[SUMS]]#1 : {{.*}}) outs(%[[ROW]] : tensor<6x2xf32>)
// CHECK:             %[[C:.*]] = linalg.index 1
// CHECK:             arith.cmpi eq, %[[C]], %c0
// GPU-LABEL: func.func @grid(
// GPU-NOT:     scf.forall
// GPU:         %[[SUMS:.*]]:2 = linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
// GPU:         linalg.generic {{.*}} ins(%[[SUMS]]#0, %[[SUMS]]#1 :
// GPU:         return
func.func @grid(%y: tensor<2x4x5x6xf32>, %x: tensor<2x4x9x7xf32>,
                %g: tensor<2x5x6x2xf32>) -> tensor<2x5x6x2xf32> {
  %0 = convoy.grid_sample_backward_grid %y, %x, %g layout(nchw x nhwc -> nchw)
      mode(linear) padding(border)
      : tensor<2x4x5x6xf32>, tensor<2x4x9x7xf32>, tensor<2x5x6x2xf32>
  return %0 : tensor<2x5x6x2xf32>
}

// Parts of a long row; one position at a time where a row has any length.
// CHECK-LABEL: func.func @long_row(
// CHECK:         scf.forall (%{{.*}}) = (0) to (1000) step (250)
// CHECK-LABEL: func.func @any_row(
// CHECK:         scf.forall (%{{.*}}, %{{.*}}, %[[W:.*]]) in
// CHECK:           tensor.extract_slice {{.*}}, %[[W]], 0] [1, 1, 1, 2]
func.func @long_row(%y: tensor<1x1x1000x4xf32>, %x: tensor<1x9x7x4xf32>,
                    %g: tensor<1x1x1000x2xf32>) -> tensor<1x1x1000x2xf32> {
  %0 = convoy.grid_sample_backward_grid %y, %x, %g layout(nhwc x nhwc -> nhwc)
      mode(cubic) padding(zeros)
      : tensor<1x1x1000x4xf32>, tensor<1x9x7x4xf32>, tensor<1x1x1000x2xf32>
  return %0 : tensor<1x1x1000x2xf32>
}
func.func @any_row(%y: tensor<?x?x?x4xf32>, %x: tensor<?x?x?x4xf32>,
                   %g: tensor<?x?x?x2xf32>) -> tensor<?x?x?x2xf32> {
  %0 = convoy.grid_sample_backward_grid %y, %x, %g layout(nhwc x nhwc -> nhwc)
      mode(linear) padding(zeros)
      : tensor<?x?x?x4xf32>, tensor<?x?x?x4xf32>, tensor<?x?x?x2xf32>
  return %0 : tensor<?x?x?x2xf32>
}

// Where there are no samples, and of nearest ones by the grid, there are zeros:
// the last two results are the same.
// CHECK-LABEL: func.func @zeros(
// CHECK-NOT:     linalg.generic
// CHECK-NOT:     scf.for
// CHECK-COUNT-2: linalg.fill
// CHECK:         return
// GPU-LABEL: func.func @zeros(
// GPU-COUNT-2: linalg.fill
// GPU:         return
func.func @zeros(%y0: tensor<1x0x4x3xf16>, %g0: tensor<1x0x4x2xf32>,
                 %y1: tensor<1x5x4x0xf32>, %x1: tensor<1x9x7x0xf32>,
                 %y2: tensor<1x5x4x3xf32>, %x2: tensor<1x9x7x3xf32>,
                 %g: tensor<1x5x4x2xf32>)
    -> (tensor<1x9x7x3xf16>, tensor<1x5x4x2xf32>, tensor<1x5x4x2xf32>) {
  %0 = convoy.grid_sample_backward_input %y0, %g0 layout(nhwc x nhwc -> nhwc)
      mode(linear) padding(border)
      : tensor<1x0x4x3xf16>, tensor<1x0x4x2xf32> -> tensor<1x9x7x3xf16>
  %1 = convoy.grid_sample_backward_grid %y1, %x1, %g layout(nhwc x nhwc -> nhwc)
      mode(linear) padding(border)
      : tensor<1x5x4x0xf32>, tensor<1x9x7x0xf32>, tensor<1x5x4x2xf32>
  %2 = convoy.grid_sample_backward_grid %y2, %x2, %g layout(nhwc x nhwc -> nhwc)
      mode(nearest) padding(border)
      : tensor<1x5x4x3xf32>, tensor<1x9x7x3xf32>, tensor<1x5x4x2xf32>
  return %0, %1, %2 : tensor<1x9x7x3xf16>, tensor<1x5x4x2xf32>, tensor<1x5x4x2xf32>
}
