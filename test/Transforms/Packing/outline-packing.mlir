// RUN: convoy-opt %s --convoy-outline-packing --split-input-file --verify-diagnostics | FileCheck %s

#swap = affine_map<(i, j) -> (j, i)>
#identity = affine_map<(i, j) -> (i, j)>

// Two tensors depend on the filter alone: one is computed from the other, and
// both are read by more. 15 floats take a whole 64 bytes.
// CHECK-LABEL: func.func @conv(
// CHECK-SAME:    %[[X:.*]]: tensor<5x3xf32>, %[[W:.*]]: tensor<32xf32> {convoy.name = "filter"}, %[[Y:.*]]: memref<5x3xf32>)
// CHECK-SAME:    {layout = "", name = "filter", packer = "conv_pack_filter", type = tensor<32xf32>, written = false}
// CHECK-DAG:     %[[FIRST:.*]] = tensor.extract_slice %[[W]][0] [15] [1]
// CHECK-DAG:     %[[SUM_W:.*]] = tensor.expand_shape %[[FIRST]] {{\[\[}}0, 1]] output_shape [3, 5]
// CHECK-DAG:     %[[SECOND:.*]] = tensor.extract_slice %[[W]][16] [15] [1]
// CHECK-DAG:     %[[SWAPPED_W:.*]] = tensor.expand_shape %[[SECOND]] {{\[\[}}0, 1]] output_shape [5, 3]
// CHECK-NOT:     linalg.generic
// CHECK:         %[[SUM:.*]] = linalg.add ins(%[[X]], %[[SWAPPED_W]]
// CHECK:         tensor.extract %[[SUM_W]]
// CHECK-LABEL: func.func @conv_pack_filter(
// CHECK-SAME:    %[[W:.*]]: tensor<3x5xf32> {convoy.layout = "cf", convoy.name = "filter"}, %[[OUT:.*]]: memref<32xf32>)
// CHECK-SAME:    {layout = "cf", name = "filter", type = tensor<3x5xf32>, written = false}
// CHECK-SAME:    {layout = "", name = "filter_packed", type = tensor<32xf32>, written = true}
// CHECK:         %[[FLAT:.*]] = bufferization.to_tensor %[[OUT]] restrict writable
// CHECK:         %[[FIRST:.*]] = tensor.extract_slice %[[FLAT]][0] [15] [1]
// CHECK:         %[[DEST:.*]] = tensor.expand_shape %[[FIRST]]
// CHECK:         %[[SUM:.*]] = linalg.add ins(%[[W]], %[[W]] : {{.*}}) outs(%[[DEST]]
// CHECK:         %[[LINE:.*]] = tensor.collapse_shape %[[SUM]]
// CHECK:         %[[HALF:.*]] = tensor.insert_slice %[[LINE]] into %[[FLAT]][0] [15] [1]
// CHECK:         %[[SECOND:.*]] = tensor.extract_slice %[[HALF]][16] [15] [1]
// CHECK:         %[[DEST:.*]] = tensor.expand_shape %[[SECOND]]
// CHECK:         %[[SWAPPED:.*]] = linalg.generic {{.*}} ins(%[[SUM]] : {{.*}}) outs(%[[DEST]]
// CHECK:         %[[LINE:.*]] = tensor.collapse_shape %[[SWAPPED]]
// CHECK:         %[[WHOLE:.*]] = tensor.insert_slice %[[LINE]] into %[[HALF]][16] [15] [1]
// CHECK:         bufferization.materialize_in_destination %[[WHOLE]] in writable %[[OUT]]
func.func @conv(%x: tensor<5x3xf32>, %w: tensor<3x5xf32> {convoy.layout = "cf", convoy.name = "filter", convoy.prepacked}, %y: memref<5x3xf32>) attributes {
    convoy.arguments = [{layout = "", name = "input", type = tensor<5x3xf32>, written = false},
                        {layout = "cf", name = "filter", type = tensor<3x5xf32>, written = false},
                        {layout = "", name = "output", type = tensor<5x3xf32>, written = true}]} {
  %c0 = arith.constant 0 : index
  %empty = tensor.empty() : tensor<3x5xf32>
  %w2 = linalg.add ins(%w, %w : tensor<3x5xf32>, tensor<3x5xf32>) outs(%empty : tensor<3x5xf32>) -> tensor<3x5xf32>
  %empty2 = tensor.empty() : tensor<5x3xf32>
  %swapped = linalg.generic {indexing_maps = [#swap, #identity], iterator_types = ["parallel", "parallel"]}
      ins(%w2 : tensor<3x5xf32>) outs(%empty2 : tensor<5x3xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<5x3xf32>
  %dest = bufferization.to_tensor %y restrict writable : memref<5x3xf32> to tensor<5x3xf32>
  %sum = linalg.add ins(%x, %swapped : tensor<5x3xf32>, tensor<5x3xf32>) outs(%dest : tensor<5x3xf32>) -> tensor<5x3xf32>
  %first = tensor.extract %w2[%c0, %c0] : tensor<3x5xf32>
  %all = tensor.insert %first into %sum[%c0, %c0] : tensor<5x3xf32>
  bufferization.materialize_in_destination %all in writable %y : (tensor<5x3xf32>, memref<5x3xf32>) -> ()
  return
}

// -----

// Nothing is marked.
// CHECK-LABEL: func.func @plain(
// CHECK-SAME:    tensor<3xf32>
// CHECK-NOT:   func.func
func.func @plain(%w: tensor<3xf32>) attributes {
    convoy.arguments = [{layout = "", name = "w", type = tensor<3xf32>, written = false}]} {
  return
}

// -----

func.func @conv_pack_w() {
  return
}

// expected-error @below {{needs the name 'conv_pack_w' for the function that packs its filter}}
func.func @conv(%w: tensor<3xf32> {convoy.prepacked}) attributes {
    convoy.arguments = [{layout = "", name = "w", type = tensor<3xf32>, written = false}]} {
  return
}

// -----

// The filter is read as it lies there.
// CHECK-LABEL: func.func @as_it_is(
// CHECK-LABEL: func.func @as_it_is_pack_filter(
// expected-remark @below {{'as_it_is_pack_filter' packs nothing: no order is better than that of 'filter'}}
func.func @as_it_is(%x: tensor<3x5xf32>, %w: tensor<3x5xf32> {convoy.name = "filter", convoy.prepacked}, %y: memref<3x5xf32>) attributes {
    convoy.arguments = [{layout = "", name = "input", type = tensor<3x5xf32>, written = false},
                        {layout = "cf", name = "filter", type = tensor<3x5xf32>, written = false},
                        {layout = "", name = "output", type = tensor<3x5xf32>, written = true}]} {
  %dest = bufferization.to_tensor %y restrict writable : memref<3x5xf32> to tensor<3x5xf32>
  %sum = linalg.add ins(%x, %w : tensor<3x5xf32>, tensor<3x5xf32>) outs(%dest : tensor<3x5xf32>) -> tensor<3x5xf32>
  bufferization.materialize_in_destination %sum in restrict writable %y : (tensor<3x5xf32>, memref<3x5xf32>) -> ()
  return
}

// -----

#identity = affine_map<(i) -> (i)>

// Halves that are only read widened are packed as what they become. 19 floats
// take two times 64 bytes.
// CHECK-LABEL: func.func @widened(
// CHECK-SAME:    %{{.*}}: tensor<32xf32> {convoy.name = "filter"}
// CHECK-LABEL: func.func @widened_pack_filter(
// CHECK-SAME:    %[[W:.*]]: tensor<19xf16> {convoy.name = "filter"}, %{{.*}}: memref<32xf32>)
// CHECK-SAME:    {layout = "", name = "filter_packed", type = tensor<32xf32>, written = true}
// CHECK:         linalg.generic {{.*}} ins(%[[W]] : tensor<19xf16>)
func.func @widened(%w: tensor<19xf16> {convoy.name = "filter", convoy.prepacked}, %y: memref<19xf32>) attributes {
    convoy.arguments = [{layout = "", name = "filter", type = tensor<19xf16>, written = false},
                        {layout = "", name = "output", type = tensor<19xf32>, written = true}]} {
  %empty = tensor.empty() : tensor<19xf32>
  %wide = linalg.generic {indexing_maps = [#identity, #identity], iterator_types = ["parallel"]}
      ins(%w : tensor<19xf16>) outs(%empty : tensor<19xf32>) {
  ^bb0(%in: f16, %out: f32):
    %0 = arith.extf %in : f16 to f32
    linalg.yield %0 : f32
  } -> tensor<19xf32>
  %dest = bufferization.to_tensor %y restrict writable : memref<19xf32> to tensor<19xf32>
  %sum = linalg.add ins(%wide, %wide : tensor<19xf32>, tensor<19xf32>) outs(%dest : tensor<19xf32>) -> tensor<19xf32>
  bufferization.materialize_in_destination %sum in writable %y : (tensor<19xf32>, memref<19xf32>) -> ()
  return
}

// -----

#even = affine_map<(i) -> (i * 2)>
#odd = affine_map<(i) -> (i * 2 + 1)>
#identity = affine_map<(i) -> (i)>

// So are bytes that are only read as words of two.
// CHECK-LABEL: func.func @words(
// CHECK-SAME:    %{{.*}}: tensor<16xi32> {convoy.name = "filter"}
// CHECK-LABEL: func.func @words_pack_filter(
// CHECK-SAME:    %[[W:.*]]: tensor<18xi8> {convoy.name = "filter"}, %{{.*}}: memref<16xi32>)
// CHECK-SAME:    {layout = "", name = "filter_packed", type = tensor<16xi32>, written = true}
// CHECK:         linalg.generic {{.*}} ins(%[[W]], %[[W]] : tensor<18xi8>, tensor<18xi8>)
func.func @words(%w: tensor<18xi8> {convoy.name = "filter", convoy.prepacked}, %y: memref<9xi32>) attributes {
    convoy.arguments = [{layout = "", name = "filter", type = tensor<18xi8>, written = false},
                        {layout = "", name = "output", type = tensor<9xi32>, written = true}]} {
  %empty = tensor.empty() : tensor<9xi32>
  %words = linalg.generic {indexing_maps = [#even, #odd, #identity], iterator_types = ["parallel"]}
      ins(%w, %w : tensor<18xi8>, tensor<18xi8>) outs(%empty : tensor<9xi32>) {
  ^bb0(%a: i8, %b: i8, %out: i32):
    %c16 = arith.constant 16 : i32
    %0 = arith.extsi %a : i8 to i16
    %1 = arith.extsi %b : i8 to i16
    %2 = arith.extui %0 : i16 to i32
    %3 = arith.extui %1 : i16 to i32
    %4 = arith.shli %3, %c16 : i32
    %5 = arith.ori %2, %4 : i32
    linalg.yield %5 : i32
  } -> tensor<9xi32>
  %dest = bufferization.to_tensor %y restrict writable : memref<9xi32> to tensor<9xi32>
  %sum = linalg.add ins(%words, %words : tensor<9xi32>, tensor<9xi32>) outs(%dest : tensor<9xi32>) -> tensor<9xi32>
  bufferization.materialize_in_destination %sum in writable %y : (tensor<9xi32>, memref<9xi32>) -> ()
  return
}

// -----

#identity = affine_map<(i) -> (i)>

// Halves that are read as they are, too, stay halves.
// CHECK-LABEL: func.func @both(
// CHECK-SAME:    %{{.*}}: tensor<32xf16> {convoy.name = "filter"}
// expected-remark @below {{'both_pack_filter' packs nothing: no order is better than that of 'filter'}}
func.func @both(%w: tensor<19xf16> {convoy.name = "filter", convoy.prepacked}, %y: memref<19xf32>, %z: memref<19xf16>) attributes {
    convoy.arguments = [{layout = "", name = "filter", type = tensor<19xf16>, written = false},
                        {layout = "", name = "output", type = tensor<19xf32>, written = true},
                        {layout = "", name = "other", type = tensor<19xf16>, written = true}]} {
  %empty = tensor.empty() : tensor<19xf32>
  %wide = linalg.generic {indexing_maps = [#identity, #identity], iterator_types = ["parallel"]}
      ins(%w : tensor<19xf16>) outs(%empty : tensor<19xf32>) {
  ^bb0(%in: f16, %out: f32):
    %0 = arith.extf %in : f16 to f32
    linalg.yield %0 : f32
  } -> tensor<19xf32>
  bufferization.materialize_in_destination %wide in writable %y : (tensor<19xf32>, memref<19xf32>) -> ()
  bufferization.materialize_in_destination %w in writable %z : (tensor<19xf16>, memref<19xf16>) -> ()
  return
}
