// RUN: convoy-opt %s --convoy-add-destinations --split-input-file | FileCheck %s

// The result becomes a last argument, which starts as a copy of the init; names and layouts come from the
// convolution.
// CHECK-LABEL: func @names_by_use(
// CHECK-SAME:    %[[X:.*]]: tensor<2x9x4xf32> {bufferization.writable = false}
// CHECK-SAME:    %[[INIT:[^ ]*]]: tensor<2x7x6xf32> {bufferization.writable = false}, %[[OUT:[^ ]*]]: memref<2x7x6xf32>)
// CHECK-SAME:    {layout = "nwc", name = "input", type = tensor<2x9x4xf32>, written = false}
// CHECK-SAME:    {layout = "wcf", name = "filter", type = tensor<3x4x6xf32>, written = false}
// CHECK-SAME:    {layout = "nwf", name = "init", type = tensor<2x7x6xf32>, written = false}
// CHECK-SAME:    {layout = "nwf", name = "output", type = tensor<2x7x6xf32>, written = true}
// CHECK:         %[[SOURCE:.*]] = bufferization.to_buffer %[[INIT]] read_only
// CHECK:         memref.copy %[[SOURCE]], %[[OUT]]
// CHECK:         %[[START:.*]] = bufferization.to_tensor %[[OUT]] restrict writable
// CHECK:         %[[Y:.*]] = convoy.conv {{.*}} outs(%[[START]] :
// CHECK:         bufferization.materialize_in_destination %[[Y]] in writable %[[OUT]]
// CHECK-NEXT:    return{{$}}
func.func @names_by_use(%x: tensor<2x9x4xf32>, %w: tensor<3x4x6xf32>,
                        %init: tensor<2x7x6xf32>) -> tensor<2x7x6xf32> {
  %y = convoy.conv ins(%x, %w : tensor<2x9x4xf32>, tensor<3x4x6xf32>)
      outs(%init : tensor<2x7x6xf32>) layout(nwc x wcf -> nwf)
  return %y : tensor<2x7x6xf32>
}

// -----

// What is reshaped to the result, or put together of parts, is computed in the
// buffer: the tensor that it begins with is what the buffer was reshaped from.
// CHECK-LABEL: func @reshaped(
// CHECK-SAME:    %[[OUT:[^ ]*]]: memref<2x35xf32>)
// CHECK:         %[[START:.*]] = bufferization.to_tensor %[[OUT]] restrict writable
// CHECK-NEXT:    %[[BEFORE:.*]] = tensor.expand_shape %[[START]] {{\[\[}}0], [1, 2]] output_shape [2, 7, 5]
// CHECK:         linalg.generic {{.*}} outs(%[[BEFORE]] :
// CHECK-LABEL: func @parts(
// CHECK-SAME:    %[[OUT:[^ ]*]]: memref<10xf32>)
// CHECK:         %[[START:.*]] = bufferization.to_tensor %[[OUT]] restrict writable
// CHECK:         tensor.insert_slice %{{.*}} into %[[START]][0] [7]
func.func @reshaped(%x: tensor<2x7x5xf32>) -> tensor<2x35xf32> {
  %empty = tensor.empty() : tensor<2x7x5xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (i, j, k)>],
                       iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x : tensor<2x7x5xf32>) outs(%empty : tensor<2x7x5xf32>) {
  ^bb0(%a: f32, %old: f32):
    %s = math.absf %a : f32
    linalg.yield %s : f32
  } -> tensor<2x7x5xf32>
  %flat = tensor.collapse_shape %r [[0], [1, 2]] : tensor<2x7x5xf32> into tensor<2x35xf32>
  return %flat : tensor<2x35xf32>
}
func.func @parts(%x: tensor<7xf32>, %y: tensor<3xf32>) -> tensor<10xf32> {
  %empty = tensor.empty() : tensor<10xf32>
  %a = math.absf %x : tensor<7xf32>
  %b = math.absf %y : tensor<3xf32>
  %0 = tensor.insert_slice %a into %empty[0] [7] [1] : tensor<7xf32> into tensor<10xf32>
  %1 = tensor.insert_slice %b into %0[7] [3] [1] : tensor<3xf32> into tensor<10xf32>
  return %1 : tensor<10xf32>
}

// -----

// Sizes that are not known may be others, of as many elements; reshapes that undo each
// other keep them.
// CHECK-LABEL: func @turned_sizes(
// CHECK-NOT:     memref.copy
// CHECK:         bufferization.materialize_in_destination %{{.*}} in restrict writable
// CHECK-LABEL: func @undone(
// CHECK:         memref.copy
// CHECK:         bufferization.materialize_in_destination %{{.*}} in writable
func.func @turned_sizes(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d0 = tensor.dim %x, %c0 : tensor<?x?xf32>
  %d1 = tensor.dim %x, %c1 : tensor<?x?xf32>
  %a = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} outs(%x : tensor<?x?xf32>) {
  ^bb0(%old: f32):
    %n = arith.negf %old : f32
    linalg.yield %n : f32
  } -> tensor<?x?xf32>
  %flat = tensor.collapse_shape %a [[0, 1]] : tensor<?x?xf32> into tensor<?xf32>
  %r = tensor.expand_shape %flat [[0, 1]] output_shape [%d1, %d0] : tensor<?xf32> into tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
func.func @undone(%x: tensor<?x6xf32>) -> tensor<?x6xf32> {
  %c0 = arith.constant 0 : index
  %d0 = tensor.dim %x, %c0 : tensor<?x6xf32>
  %groups = tensor.expand_shape %x [[0], [1, 2]] output_shape [%d0, 3, 2] : tensor<?x6xf32> into tensor<?x3x2xf32>
  %a = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>], iterator_types = ["parallel", "parallel", "parallel"]} outs(%groups : tensor<?x3x2xf32>) {
  ^bb0(%old: f32):
    %n = arith.negf %old : f32
    linalg.yield %n : f32
  } -> tensor<?x3x2xf32>
  %r = tensor.collapse_shape %a [[0], [1, 2]] : tensor<?x3x2xf32> into tensor<?x6xf32>
  return %r : tensor<?x6xf32>
}

// -----

// A result that is a slice of what another is written over later may not lie in the
// same buffer.
// CHECK-LABEL: func @overwritten(
// CHECK-NOT:     bufferization.to_tensor
// CHECK:         return{{$}}
func.func @overwritten(%x: tensor<2x8xf32>) -> (tensor<4x8xf32>, tensor<1x8xf32>) {
  %e = tensor.empty() : tensor<4x8xf32>
  %a = tensor.insert_slice %x into %e[0, 0] [2, 8] [1, 1] : tensor<2x8xf32> into tensor<4x8xf32>
  %b = tensor.insert_slice %x into %a[2, 0] [2, 8] [1, 1] : tensor<2x8xf32> into tensor<4x8xf32>
  %n = math.absf %x : tensor<2x8xf32>
  %c = tensor.insert_slice %n into %b[1, 0] [2, 8] [1, 1] : tensor<2x8xf32> into tensor<4x8xf32>
  %s = tensor.extract_slice %b[1, 0] [1, 8] [1, 1] : tensor<4x8xf32> to tensor<1x8xf32>
  return %c, %s : tensor<4x8xf32>, tensor<1x8xf32>
}

// -----

// CHECK-LABEL: func @gradient_names(
// CHECK-SAME:    name = "output_gradient"
// CHECK-SAME:    name = "filter"
// CHECK-SAME:    name = "input_gradient"
func.func @gradient_names(%dy: tensor<2x7x6xf32>, %w: tensor<3x4x6xf32>,
                          %init: tensor<2x9x4xf32>) -> tensor<2x9x4xf32> {
  %dx = convoy.conv_backward_data
      ins(%dy, %w : tensor<2x7x6xf32>, tensor<3x4x6xf32>)
      outs(%init : tensor<2x9x4xf32>) layout(nwc x wcf -> nwf)
  return %dx : tensor<2x9x4xf32>
}

// -----

// What the user says goes first; names that stand twice are numbered.
// CHECK-LABEL: func @own_names(
// CHECK-SAME:    {layout = "cw", name = "image", type = tensor<4x9xf32>, written = false}
// CHECK-SAME:    {layout = "", name = "scale", type = f32, written = false}
// CHECK-SAME:    {layout = "wc", name = "image1", type = tensor<9x4xf32>, written = true}
func.func @own_names(
    %x: tensor<4x9xf32> {convoy.name = "image", convoy.layout = "cw"},
    %s: f32 {convoy.name = "scale"}, %y: tensor<9x4xf32>)
    -> (tensor<9x4xf32> {convoy.name = "image", convoy.layout = "wc"}) {
  return %y : tensor<9x4xf32>
}

// -----

// A number that is taken is passed over; the workspace has a name already.
// CHECK-LABEL: func @taken_names(
// CHECK-SAME:    name = "image"
// CHECK-SAME:    name = "image1"
// CHECK-SAME:    name = "image2"
// CHECK-SAME:    name = "workspace1"
func.func @taken_names(
    %x: tensor<4xf32> {convoy.name = "image"}, %y: tensor<4xf32> {convoy.name = "image1"},
    %z: tensor<4xf32> {convoy.name = "image"})
    -> (tensor<4xf32> {convoy.name = "workspace"}) {
  return %z : tensor<4xf32>
}

// -----

// CHECK-LABEL: func private @not_a_kernel(%{{.*}}: tensor<4xf32>) -> tensor<4xf32> {
func.func private @not_a_kernel(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// The elimination of empty tensors stops at reshapes: the buffer itself is what
// is reshaped.
// CHECK-LABEL: func @reshaped(
// CHECK-SAME:    %[[TO:[^ ]*]]: memref<6xf32>)
// CHECK:         %[[DEST:.*]] = bufferization.to_tensor %[[TO]] restrict writable
// CHECK:         %[[WIDE:.*]] = tensor.expand_shape %[[DEST]]
// CHECK:         linalg.fill {{.*}} outs(%[[WIDE]] :
// CHECK:         bufferization.materialize_in_destination %{{.*}} in writable %[[TO]]
func.func @reshaped(%value: f32) -> tensor<6xf32> {
  %empty = tensor.empty() : tensor<6xf32>
  %wide = tensor.expand_shape %empty [[0, 1]] output_shape [2, 3] : tensor<6xf32> into tensor<2x3xf32>
  %filled = linalg.fill ins(%value : f32) outs(%wide : tensor<2x3xf32>) -> tensor<2x3xf32>
  %flat = tensor.collapse_shape %filled [[0, 1]] : tensor<2x3xf32> into tensor<6xf32>
  return %flat : tensor<6xf32>
}
