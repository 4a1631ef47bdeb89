// What ops take sizes for, by their types or without saying so, must hold in the
// second function, wherever the first does not take the same for granted.
// RUN: rm -rf %t && split-file %s %t
// RUN: not convoy-certify %t/before.mlir %t/after.mlir | FileCheck %s

//--- before.mlir
// What pads to the size that its type says must have it, though no result depends on it.
// CHECK-DAG: different: @padded: a tensor of another size than its type says, in dimension 0
func.func @padded(%x: tensor<8xf32>) -> tensor<2xf32> {
  %r = tensor.extract_slice %x[0] [2] [1] : tensor<8xf32> to tensor<2xf32>
  return %r : tensor<2xf32>
}
// CHECK-DAG: different: @unused: a tensor of another size than its type says, in dimension 0
func.func @unused(%x: tensor<8xf32>) -> tensor<8xf32> {
  return %x : tensor<8xf32>
}
// Reshapes have as many elements as before.
// CHECK-DAG: undecided: @expanded: {{.*}}tensor.expand_shape: sizes of operands that do not agree, in dimension 0
func.func @expanded(%x: tensor<?xf32>) -> tensor<?x1xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %r = tensor.expand_shape %x [[0, 1]] output_shape [%n, 1] : tensor<?xf32> into tensor<?x1xf32>
  return %r : tensor<?x1xf32>
}
// CHECK-DAG: undecided: @expanded_in_blocks: {{.*}}tensor.expand_shape: sizes of operands that do not agree, in dimension 0
func.func @expanded_in_blocks(%x: tensor<?xf32>) -> tensor<?xf32> {
  return %x : tensor<?xf32>
}
// What a loop carries has the sizes that it began with.
// CHECK-DAG: undecided: @grows_in_loop: {{.*}}scf.yield: sizes of operands that do not agree, in dimension 0
func.func @grows_in_loop(%x: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %0 = tensor.empty(%n) : tensor<?xf32>
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %r = linalg.fill ins(%z : f32) outs(%0 : tensor<?xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
// What is chosen may have other sizes than what is not.
// CHECK-DAG: undecided: @chosen: {{.*}}arith.select: sizes of operands that do not agree, in dimension 0
func.func @chosen(%x: tensor<?xf32>, %y: tensor<?xf32>, %c: i1) -> index {
  %c0 = arith.constant 0 : index
  %r = arith.select %c, %x, %y : tensor<?xf32>
  %n = tensor.dim %r, %c0 : tensor<?xf32>
  return %n : index
}
// Of a tensor of unknown rank nothing is known.
// CHECK-DAG: undecided: @unranked: {{.*}}tensor.cast: a tensor whose sizes are not known
func.func @unranked(%x: tensor<8xf32>) -> tensor<2xf32> {
  %r = tensor.extract_slice %x[0] [2] [1] : tensor<8xf32> to tensor<2xf32>
  return %r : tensor<2xf32>
}
// TOSA's ops take sizes of other types, and broadcast single elements.
// CHECK-DAG: undecided: @tosa_unary: {{.*}}tosa.exp: sizes of operands that do not agree, in dimension 0
func.func @tosa_unary(%x: tensor<8xf32>) -> tensor<2xf32> {
  %r = tensor.extract_slice %x[0] [2] [1] : tensor<8xf32> to tensor<2xf32>
  %e = math.exp %r : tensor<2xf32>
  return %e : tensor<2xf32>
}
// CHECK-DAG: undecided: @tosa_binary: {{.*}}tosa.add: sizes of operands that do not agree, in dimension 0
func.func @tosa_binary(%x: tensor<8xf32>) -> tensor<2xf32> {
  %r = tensor.extract_slice %x[0] [2] [1] : tensor<8xf32> to tensor<2xf32>
  %e = arith.addf %r, %r : tensor<2xf32>
  return %e : tensor<2xf32>
}
// CHECK-DAG: undecided: @tosa_broadcast: {{.*}}tosa.add: sizes of operands that do not agree, in dimension 0
func.func @tosa_broadcast(%x: tensor<8xf32>) -> tensor<2xf32> {
  %r = tensor.extract_slice %x[0] [2] [1] : tensor<8xf32> to tensor<2xf32>
  %e = arith.addf %r, %r : tensor<2xf32>
  return %e : tensor<2xf32>
}
// CHECK-DAG: undecided: @tosa_transpose: {{.*}}tosa.transpose: a tensor whose sizes are not known
func.func @tosa_transpose(%x: tensor<8x1xf32>) -> tensor<1x2xf32> {
  %r = tensor.extract_slice %x[0, 0] [2, 1] [1, 1] : tensor<8x1xf32> to tensor<2xf32>
  %e = tensor.expand_shape %r [[0, 1]] output_shape [1, 2] : tensor<2xf32> into tensor<1x2xf32>
  return %e : tensor<1x2xf32>
}
// Sizes of one letter are equal, and windows reach no further than the padding.
// CHECK-DAG: undecided: @images: {{.*}}convoy.conv: sizes of operands that do not agree, in dimension 0
func.func @images(%x: tensor<?x4x3xf32>, %f: tensor<2x3x5xf32>, %o: tensor<?x3x5xf32>) -> tensor<?x3x5xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %o, %c0 : tensor<?x3x5xf32>
  %m = tensor.dim %x, %c0 : tensor<?x4x3xf32>
  %ok = arith.cmpi sle, %n, %m : index
  cf.assert %ok, "enough"
  %s = tensor.extract_slice %x[0, 0, 0] [%n, 4, 3] [1, 1, 1] : tensor<?x4x3xf32> to tensor<?x4x3xf32>
  %r = convoy.conv ins(%s, %f : tensor<?x4x3xf32>, tensor<2x3x5xf32>) outs(%o : tensor<?x3x5xf32>) layout(nwc x wcf -> nwf)
  return %r : tensor<?x3x5xf32>
}
// CHECK-DAG: undecided: @windows: {{.*}}convoy.conv: a window that may reach further than the padding
func.func @windows(%x: tensor<1x?x3xf32>, %f: tensor<2x3x5xf32>, %o: tensor<1x?x5xf32>) -> tensor<1x?x5xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %o, %c1 : tensor<1x?x5xf32>
  %m = tensor.dim %x, %c1 : tensor<1x?x3xf32>
  %ok = arith.cmpi eq, %n, %m : index
  cf.assert %ok, "as many"
  %z = arith.constant 0.0 : f32
  %s = tensor.pad %x low[0, 0, 0] high[0, 1, 0] {
  ^bb0(%a: index, %b: index, %c: index):
    tensor.yield %z : f32
  } : tensor<1x?x3xf32> to tensor<1x?x3xf32>
  %r = convoy.conv ins(%s, %f : tensor<1x?x3xf32>, tensor<2x3x5xf32>) outs(%o : tensor<1x?x5xf32>) layout(nwc x wcf -> nwf)
  return %r : tensor<1x?x5xf32>
}
// CHECK-DAG: undecided: @windows_of_first: {{.*}}convoy.conv: a window that may reach further than the padding
func.func @windows_of_first(%x: tensor<1x?x3xf32>, %f: tensor<2x3x5xf32>, %o: tensor<1x?x5xf32>) -> tensor<1x?x5xf32> {
  %r = convoy.conv ins(%x, %f : tensor<1x?x3xf32>, tensor<2x3x5xf32>) outs(%o : tensor<1x?x5xf32>) layout(nwc x wcf -> nwf) window(pad = [[0, 1]])
  return %r : tensor<1x?x5xf32>
}
// CHECK-DAG: undecided: @zero_points: {{.*}}convoy.conv: zero points that may not be one for each channel
func.func @zero_points(%x: tensor<1x4x3xi8>, %w: tensor<2x3x2xi8>, %y: tensor<1x3x2xi32>, %z: i32, %zs: tensor<?xi32>) -> tensor<1x3x2xi32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %n = tensor.dim %zs, %c0 : tensor<?xi32>
  %a = arith.cmpi sge, %n, %c2 : index
  cf.assert %a, "a"
  %z2 = tensor.extract_slice %zs[0] [2] [1] : tensor<?xi32> to tensor<2xi32>
  %r = convoy.conv ins(%x, %w : tensor<1x4x3xi8>, tensor<2x3x2xi8>) outs(%y : tensor<1x3x2xi32>) zero_points(%z, %z2 : i32, tensor<2xi32>) layout(nwc x wcf -> nwf)
  return %r : tensor<1x3x2xi32>
}
// CHECK-DAG: undecided: @rows: {{.*}}convoy.im2col: sizes of operands that do not agree, in dimension 0
func.func @rows(%x: tensor<?x4x3xf32>) -> tensor<2x3x2x3xf32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %n = tensor.dim %x, %c0 : tensor<?x4x3xf32>
  %a = arith.cmpi sge, %n, %c2 : index
  cf.assert %a, "a"
  %x2 = tensor.extract_slice %x[0, 0, 0] [2, 4, 3] [1, 1, 1] : tensor<?x4x3xf32> to tensor<2x4x3xf32>
  %r = convoy.im2col %x2 layout(nwc, nw|wc) : tensor<2x4x3xf32> -> tensor<2x3x2x3xf32>
  return %r : tensor<2x3x2x3xf32>
}
// CHECK-DAG: undecided: @sizes_of_rows: {{.*}}convoy.im2col: sizes of operands that do not agree, in dimension 0
func.func @sizes_of_rows(%x: tensor<?x4x3xf32>) -> tensor<?x3x2x3xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : tensor<?x4x3xf32>
  %m = arith.subi %n, %c1 : index
  %a = arith.cmpi sge, %n, %c1 : index
  cf.assert %a, "a"
  %x2 = tensor.extract_slice %x[0, 0, 0] [%m, 4, 3] [1, 1, 1] : tensor<?x4x3xf32> to tensor<?x4x3xf32>
  %r = convoy.im2col %x2 sizes(%m) layout(nwc, nw|wc) : tensor<?x4x3xf32> -> tensor<?x3x2x3xf32>
  return %r : tensor<?x3x2x3xf32>
}
// CHECK-DAG: undecided: @samples: {{.*}}convoy.grid_sample: sizes of operands that do not agree, in dimension 0
func.func @samples(%x: tensor<?x1x3x4xf32>, %g: tensor<?x5x2x2xf32>) -> tensor<2x1x5x2xf32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %n = tensor.dim %x, %c0 : tensor<?x1x3x4xf32>
  %m = tensor.dim %g, %c0 : tensor<?x5x2x2xf32>
  %a = arith.cmpi sge, %n, %c2 : index
  %b = arith.cmpi sge, %m, %c2 : index
  cf.assert %a, "a"
  cf.assert %b, "b"
  %x2 = tensor.extract_slice %x[0, 0, 0, 0] [2, 1, 3, 4] [1, 1, 1, 1] : tensor<?x1x3x4xf32> to tensor<2x1x3x4xf32>
  %g2 = tensor.extract_slice %g[0, 0, 0, 0] [2, 5, 2, 2] [1, 1, 1, 1] : tensor<?x5x2x2xf32> to tensor<2x5x2x2xf32>
  %r = convoy.grid_sample %x2, %g2 layout(nchw x nhwc -> nchw) mode(linear) padding(border) : tensor<2x1x3x4xf32>, tensor<2x5x2x2xf32> -> tensor<2x1x5x2xf32>
  return %r : tensor<2x1x5x2xf32>
}
// CHECK-DAG: undecided: @deformed: {{.*}}convoy.deform_conv: sizes of operands that do not agree, in dimension 0
func.func @deformed(%x: tensor<?x3x4x5xf32>, %w: tensor<4x3x2x2xf32>, %o: tensor<?x8x3x4xf32>, %y: tensor<2x4x3x4xf32>) -> tensor<2x4x3x4xf32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %n = tensor.dim %x, %c0 : tensor<?x3x4x5xf32>
  %m = tensor.dim %o, %c0 : tensor<?x8x3x4xf32>
  %a = arith.cmpi sge, %n, %c2 : index
  %b = arith.cmpi sge, %m, %c2 : index
  cf.assert %a, "a"
  cf.assert %b, "b"
  %x2 = tensor.extract_slice %x[0, 0, 0, 0] [2, 3, 4, 5] [1, 1, 1, 1] : tensor<?x3x4x5xf32> to tensor<2x3x4x5xf32>
  %o2 = tensor.extract_slice %o[0, 0, 0, 0] [2, 8, 3, 4] [1, 1, 1, 1] : tensor<?x8x3x4xf32> to tensor<2x8x3x4xf32>
  %r = convoy.deform_conv ins(%x2, %w, %o2 : tensor<2x3x4x5xf32>, tensor<4x3x2x2xf32>, tensor<2x8x3x4xf32>) outs(%y : tensor<2x4x3x4xf32>) layout(nchw x fchw -> nfhw) offset_layout(nchw)
  return %r : tensor<2x4x3x4xf32>
}
// A gradient of the input ends where windows do.
// CHECK-DAG: undecided: @room_for_windows: {{.*}}convoy.conv_backward_data: a gradient that may have room for another window
func.func @room_for_windows(%dy: tensor<1x?x2xf32>, %f: tensor<2x3x2xf32>, %o: tensor<1x?x3xf32>) -> tensor<1x?x3xf32> {
  %c1 = arith.constant 1 : index
  %n = tensor.dim %dy, %c1 : tensor<1x?x2xf32>
  %m = tensor.dim %o, %c1 : tensor<1x?x3xf32>
  %reached = arith.addi %n, %c1 : index
  %fits = arith.cmpi sle, %reached, %m : index
  cf.assert %fits, "expected windows within the input"
  %part = tensor.extract_slice %o[0, 0, 0] [1, %reached, 3] [1, 1, 1] : tensor<1x?x3xf32> to tensor<1x?x3xf32>
  %dx = convoy.conv_backward_data ins(%dy, %f : tensor<1x?x2xf32>, tensor<2x3x2xf32>) outs(%part : tensor<1x?x3xf32>) layout(nwc x wcf -> nwf)
  %r = tensor.insert_slice %dx into %o[0, 0, 0] [1, %reached, 3] [1, 1, 1] : tensor<1x?x3xf32> into tensor<1x?x3xf32>
  return %r : tensor<1x?x3xf32>
}
// A buffer is as large as what it holds.
// CHECK-DAG: undecided: @left_in_buffer: {{.*}}bufferization.materialize_in_destination: sizes of operands that do not agree, in dimension 0
func.func @left_in_buffer(%x: tensor<?xf32>) -> tensor<?xf32> {
  return %x : tensor<?xf32>
}
// CHECK-DAG: undecided: @start_of_buffer: {{.*}}memref.copy: sizes of operands that do not agree, in dimension 0
func.func @start_of_buffer(%x: tensor<6xf32>, %y: tensor<?xf32>) -> tensor<6xf32> {
  return %x : tensor<6xf32>
}
// Where there are no windows, the input may be of any size.
// CHECK-DAG: certified: @no_windows: equal for all finite values where no argument is empty
func.func @no_windows(%x: tensor<1x?x3xf32>, %f: tensor<5x3x2xf32>, %o: tensor<1x?x2xf32>) -> tensor<1x?x2xf32> {
  %r = convoy.conv ins(%x, %f : tensor<1x?x3xf32>, tensor<5x3x2xf32>) outs(%o : tensor<1x?x2xf32>) layout(nwc x wcf -> nwf)
  return %r : tensor<1x?x2xf32>
}
// Here they follow from the bounds of tiles.
// CHECK-DAG: certified: @padded_tiles:
func.func @padded_tiles(%x: tensor<8xf32>) -> tensor<8xf32> {
  %r = arith.addf %x, %x : tensor<8xf32>
  return %r : tensor<8xf32>
}
// CHECK-DAG: certified: @rows_of_windows:
func.func @rows_of_windows(%x: tensor<6x3xf32>, %f: tensor<2x3x5xf32>, %o: tensor<5x5xf32>) -> tensor<5x5xf32> {
  %x1 = tensor.expand_shape %x [[0, 1], [2]] output_shape [1, 6, 3] : tensor<6x3xf32> into tensor<1x6x3xf32>
  %o1 = tensor.expand_shape %o [[0, 1], [2]] output_shape [1, 5, 5] : tensor<5x5xf32> into tensor<1x5x5xf32>
  %r = convoy.conv ins(%x1, %f : tensor<1x6x3xf32>, tensor<2x3x5xf32>) outs(%o1 : tensor<1x5x5xf32>) layout(nwc x wcf -> nwf)
  %s = tensor.collapse_shape %r [[0, 1], [2]] : tensor<1x5x5xf32> into tensor<5x5xf32>
  return %s : tensor<5x5xf32>
}
// And here the first function takes them for granted.
// CHECK-DAG: certified: @granted_padding:
func.func @granted_padding(%x: tensor<?xf32>) -> tensor<9xf32> {
  %z = arith.constant 0.0 : f32
  %r = tensor.pad %x low[1] high[2] {
  ^bb0(%i: index):
    tensor.yield %z : f32
  } : tensor<?xf32> to tensor<9xf32>
  return %r : tensor<9xf32>
}
// CHECK-DAG: certified: @granted_reshape:
func.func @granted_reshape(%x: tensor<?xf32>, %n: index) -> tensor<?x1xf32> {
  %r = tensor.expand_shape %x [[0, 1]] output_shape [%n, 1] : tensor<?xf32> into tensor<?x1xf32>
  return %r : tensor<?x1xf32>
}

//--- after.mlir
func.func @padded(%x: tensor<8xf32>) -> tensor<2xf32> {
  %c3 = arith.constant 3 : index
  %z = arith.constant 0.0 : f32
  %s = tensor.extract_slice %x[0] [%c3] [1] : tensor<8xf32> to tensor<?xf32>
  %r = tensor.pad %s low[0] high[0] {
  ^bb0(%i: index):
    tensor.yield %z : f32
  } : tensor<?xf32> to tensor<2xf32>
  return %r : tensor<2xf32>
}
func.func @unused(%x: tensor<8xf32>) -> tensor<8xf32> {
  %c3 = arith.constant 3 : index
  %z = arith.constant 0.0 : f32
  %s = tensor.extract_slice %x[0] [%c3] [1] : tensor<8xf32> to tensor<?xf32>
  %r = tensor.pad %s low[0] high[0] {
  ^bb0(%i: index):
    tensor.yield %z : f32
  } : tensor<?xf32> to tensor<2xf32>
  return %x : tensor<8xf32>
}
func.func @expanded(%x: tensor<?xf32>) -> tensor<?x1xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %m = arith.addi %n, %c1 : index
  %r = tensor.expand_shape %x [[0, 1]] output_shape [%m, 1] : tensor<?xf32> into tensor<?x1xf32>
  return %r : tensor<?x1xf32>
}
func.func @expanded_in_blocks(%x: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %c2 = arith.constant 2 : index
  %m = arith.divui %n, %c2 : index
  %r = tensor.expand_shape %x [[0, 1]] output_shape [%m, 2] : tensor<?xf32> into tensor<?x2xf32>
  return %x : tensor<?xf32>
}
func.func @grows_in_loop(%x: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %0 = tensor.empty(%n) : tensor<?xf32>
  %z = arith.constant 0.0 : f32
  %r = scf.for %i = %c0 to %c5 step %c1 iter_args(%a = %0) -> tensor<?xf32> {
    %m = arith.addi %n, %i : index
    %e = tensor.empty(%m) : tensor<?xf32>
    %f = linalg.fill ins(%z : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
    scf.yield %f : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}
func.func @chosen(%x: tensor<?xf32>, %y: tensor<?xf32>, %c: i1) -> index {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  return %n : index
}
func.func @unranked(%x: tensor<8xf32>) -> tensor<2xf32> {
  %s = tensor.cast %x : tensor<8xf32> to tensor<*xf32>
  %r = tensor.cast %s : tensor<*xf32> to tensor<2xf32>
  return %r : tensor<2xf32>
}
func.func @tosa_unary(%x: tensor<8xf32>) -> tensor<2xf32> {
  %c3 = arith.constant 3 : index
  %s = tensor.extract_slice %x[0] [%c3] [1] : tensor<8xf32> to tensor<?xf32>
  %e = tosa.exp %s : (tensor<?xf32>) -> tensor<2xf32>
  return %e : tensor<2xf32>
}
func.func @tosa_binary(%x: tensor<8xf32>) -> tensor<2xf32> {
  %c3 = arith.constant 3 : index
  %s = tensor.extract_slice %x[0] [%c3] [1] : tensor<8xf32> to tensor<?xf32>
  %e = tosa.add %s, %s : (tensor<?xf32>, tensor<?xf32>) -> tensor<2xf32>
  return %e : tensor<2xf32>
}
func.func @tosa_broadcast(%x: tensor<8xf32>) -> tensor<2xf32> {
  %c1 = arith.constant 1 : index
  %s = tensor.extract_slice %x[0] [%c1] [1] : tensor<8xf32> to tensor<?xf32>
  %t = tensor.extract_slice %x[0] [2] [1] : tensor<8xf32> to tensor<2xf32>
  %e = tosa.add %s, %t : (tensor<?xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %e : tensor<2xf32>
}
func.func @tosa_transpose(%x: tensor<8x1xf32>) -> tensor<1x2xf32> {
  %c3 = arith.constant 3 : index
  %s = tensor.extract_slice %x[0, 0] [%c3, 1] [1, 1] : tensor<8x1xf32> to tensor<?x1xf32>
  %e = tosa.transpose %s {perms = array<i32: 1, 0>} : (tensor<?x1xf32>) -> tensor<1x2xf32>
  return %e : tensor<1x2xf32>
}
func.func @images(%x: tensor<?x4x3xf32>, %f: tensor<2x3x5xf32>, %o: tensor<?x3x5xf32>) -> tensor<?x3x5xf32> {
  %r = convoy.conv ins(%x, %f : tensor<?x4x3xf32>, tensor<2x3x5xf32>) outs(%o : tensor<?x3x5xf32>) layout(nwc x wcf -> nwf)
  return %r : tensor<?x3x5xf32>
}
func.func @windows(%x: tensor<1x?x3xf32>, %f: tensor<2x3x5xf32>, %o: tensor<1x?x5xf32>) -> tensor<1x?x5xf32> {
  %r = convoy.conv ins(%x, %f : tensor<1x?x3xf32>, tensor<2x3x5xf32>) outs(%o : tensor<1x?x5xf32>) layout(nwc x wcf -> nwf)
  return %r : tensor<1x?x5xf32>
}
func.func @windows_of_first(%x: tensor<1x?x3xf32>, %f: tensor<2x3x5xf32>, %o: tensor<1x?x5xf32>) -> tensor<1x?x5xf32> {
  %r = convoy.conv ins(%x, %f : tensor<1x?x3xf32>, tensor<2x3x5xf32>) outs(%o : tensor<1x?x5xf32>) layout(nwc x wcf -> nwf)
  return %r : tensor<1x?x5xf32>
}
func.func @zero_points(%x: tensor<1x4x3xi8>, %w: tensor<2x3x2xi8>, %y: tensor<1x3x2xi32>, %z: i32, %zs: tensor<?xi32>) -> tensor<1x3x2xi32> {
  %r = convoy.conv ins(%x, %w : tensor<1x4x3xi8>, tensor<2x3x2xi8>) outs(%y : tensor<1x3x2xi32>) zero_points(%z, %zs : i32, tensor<?xi32>) layout(nwc x wcf -> nwf)
  return %r : tensor<1x3x2xi32>
}
func.func @rows(%x: tensor<?x4x3xf32>) -> tensor<2x3x2x3xf32> {
  %r = convoy.im2col %x layout(nwc, nw|wc) : tensor<?x4x3xf32> -> tensor<2x3x2x3xf32>
  return %r : tensor<2x3x2x3xf32>
}
func.func @sizes_of_rows(%x: tensor<?x4x3xf32>) -> tensor<?x3x2x3xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : tensor<?x4x3xf32>
  %m = arith.subi %n, %c1 : index
  %r = convoy.im2col %x sizes(%m) layout(nwc, nw|wc) : tensor<?x4x3xf32> -> tensor<?x3x2x3xf32>
  return %r : tensor<?x3x2x3xf32>
}
func.func @samples(%x: tensor<?x1x3x4xf32>, %g: tensor<?x5x2x2xf32>) -> tensor<2x1x5x2xf32> {
  %r = convoy.grid_sample %x, %g layout(nchw x nhwc -> nchw) mode(linear) padding(border) : tensor<?x1x3x4xf32>, tensor<?x5x2x2xf32> -> tensor<2x1x5x2xf32>
  return %r : tensor<2x1x5x2xf32>
}
func.func @deformed(%x: tensor<?x3x4x5xf32>, %w: tensor<4x3x2x2xf32>, %o: tensor<?x8x3x4xf32>, %y: tensor<2x4x3x4xf32>) -> tensor<2x4x3x4xf32> {
  %r = convoy.deform_conv ins(%x, %w, %o : tensor<?x3x4x5xf32>, tensor<4x3x2x2xf32>, tensor<?x8x3x4xf32>) outs(%y : tensor<2x4x3x4xf32>) layout(nchw x fchw -> nfhw) offset_layout(nchw)
  return %r : tensor<2x4x3x4xf32>
}
func.func @room_for_windows(%dy: tensor<1x?x2xf32>, %f: tensor<2x3x2xf32>, %o: tensor<1x?x3xf32>) -> tensor<1x?x3xf32> {
  %r = convoy.conv_backward_data ins(%dy, %f : tensor<1x?x2xf32>, tensor<2x3x2xf32>) outs(%o : tensor<1x?x3xf32>) layout(nwc x wcf -> nwf)
  return %r : tensor<1x?x3xf32>
}
func.func @left_in_buffer(%x: tensor<?xf32>, %out: memref<4xf32>) {
  bufferization.materialize_in_destination %x in restrict writable %out : (tensor<?xf32>, memref<4xf32>) -> ()
  return
}
func.func @start_of_buffer(%x: tensor<6xf32>, %y: tensor<?xf32>, %out: memref<6xf32>) {
  %start = bufferization.to_buffer %y read_only : tensor<?xf32> to memref<?xf32>
  memref.copy %start, %out : memref<?xf32> to memref<6xf32>
  %unused = bufferization.to_tensor %out restrict writable : memref<6xf32> to tensor<6xf32>
  bufferization.materialize_in_destination %x in restrict writable %out : (tensor<6xf32>, memref<6xf32>) -> ()
  return
}
func.func @no_windows(%x: tensor<1x?x3xf32>, %f: tensor<5x3x2xf32>, %o: tensor<1x?x2xf32>) -> tensor<1x?x2xf32> {
  %unused = tensor.extract_slice %x[0, 0, 0] [1, 4, 3] [1, 1, 1] : tensor<1x?x3xf32> to tensor<1x4x3xf32>
  %r = convoy.conv ins(%x, %f : tensor<1x?x3xf32>, tensor<5x3x2xf32>) outs(%o : tensor<1x?x2xf32>) layout(nwc x wcf -> nwf)
  return %r : tensor<1x?x2xf32>
}
func.func @padded_tiles(%x: tensor<8xf32>) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %c8 = arith.constant 8 : index
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8xf32>
  %r = scf.for %i = %c0 to %c8 step %c3 iter_args(%so_far = %e) -> tensor<8xf32> {
    %size = affine.min affine_map<(i) -> (3, 8 - i)>(%i)
    %high = affine.apply affine_map<(n) -> (3 - n)>(%size)
    %tile = tensor.extract_slice %x[%i] [%size] [1] : tensor<8xf32> to tensor<?xf32>
    %whole = tensor.pad %tile low[0] high[%high] {
    ^bb0(%j: index):
      tensor.yield %z : f32
    } : tensor<?xf32> to tensor<3xf32>
    %twice = arith.addf %whole, %whole : tensor<3xf32>
    %part = tensor.extract_slice %twice[0] [%size] [1] : tensor<3xf32> to tensor<?xf32>
    %next = tensor.insert_slice %part into %so_far[%i] [%size] [1] : tensor<?xf32> into tensor<8xf32>
    scf.yield %next : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}
func.func @rows_of_windows(%x: tensor<6x3xf32>, %f: tensor<2x3x5xf32>, %o: tensor<5x5xf32>) -> tensor<5x5xf32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c5 = arith.constant 5 : index
  %r = scf.for %i = %c0 to %c5 step %c2 iter_args(%so_far = %o) -> tensor<5x5xf32> {
    %size = affine.min affine_map<(i) -> (2, 5 - i)>(%i)
    %reach = affine.apply affine_map<(n) -> (n + 1)>(%size)
    %in = tensor.extract_slice %x[%i, 0] [%reach, 3] [1, 1] : tensor<6x3xf32> to tensor<?x3xf32>
    %out = tensor.extract_slice %so_far[%i, 0] [%size, 5] [1, 1] : tensor<5x5xf32> to tensor<?x5xf32>
    %in1 = tensor.expand_shape %in [[0, 1], [2]] output_shape [1, %reach, 3] : tensor<?x3xf32> into tensor<1x?x3xf32>
    %out1 = tensor.expand_shape %out [[0, 1], [2]] output_shape [1, %size, 5] : tensor<?x5xf32> into tensor<1x?x5xf32>
    %conv = convoy.conv ins(%in1, %f : tensor<1x?x3xf32>, tensor<2x3x5xf32>) outs(%out1 : tensor<1x?x5xf32>) layout(nwc x wcf -> nwf)
    %row = tensor.collapse_shape %conv [[0, 1], [2]] : tensor<1x?x5xf32> into tensor<?x5xf32>
    %next = tensor.insert_slice %row into %so_far[%i, 0] [%size, 5] [1, 1] : tensor<?x5xf32> into tensor<5x5xf32>
    scf.yield %next : tensor<5x5xf32>
  }
  return %r : tensor<5x5xf32>
}
func.func @granted_padding(%x: tensor<?xf32>) -> tensor<9xf32> {
  %zeros = arith.constant dense<0.0> : tensor<9xf32>
  %x6 = tensor.cast %x : tensor<?xf32> to tensor<6xf32>
  %r = tensor.insert_slice %x6 into %zeros[1] [6] [1] : tensor<6xf32> into tensor<9xf32>
  return %r : tensor<9xf32>
}
func.func @granted_reshape(%x: tensor<?xf32>, %n: index) -> tensor<?x1xf32> {
  %e = tensor.empty(%n) : tensor<?x1xf32>
  %r = tensor.insert_slice %x into %e[0, 0] [%n, 1] [1, 1] : tensor<?xf32> into tensor<?x1xf32>
  return %r : tensor<?x1xf32>
}
