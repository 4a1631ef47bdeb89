// Images whose size is known only when the kernel runs, padded: what is left of
// a window then depends on the size, and each case is proved apart.
// RUN: rm -rf %t && split-file %s %t
// RUN: convoy-opt %t/images.mlir --convoy-attach-target="vector-bytes=32 registers=16" --convoy-to-tiles-pipeline -o %t/tiles.mlir
// RUN: convoy-certify %t/images.mlir %t/tiles.mlir | FileCheck %s --check-prefix=TILES
// TILES: certified: @strided:
// TILES-NEXT: certified: @gradient:
// TILES-NEXT: certified: @filter_gradient:

// After every pass the sizes are still those that the convolution takes for
// granted, though nothing says so any more.
// RUN: convoy-opt %t/forward.mlir --convoy-certify-each --convoy-attach-target="vector-bytes=32 registers=16" --convoy-to-tiles-pipeline -o %t/forward-tiles.mlir 2>&1 | FileCheck %s --check-prefix=EACH
// EACH: convoy-opt: certified {{[0-9]+}} changes of functions in

// One element more of padding on the low side, one less on the high side.
// RUN: sed 's/low\[0, %[0-9]*, \(%[0-9]*\), 0\] high/low[0, %c2, \1, 0] high/' %t/forward-tiles.mlir > %t/moved.mlir
// RUN: not convoy-certify %t/forward.mlir %t/moved.mlir | FileCheck %s --check-prefix=MOVED
// MOVED: different: @forward: element [{{.*}}]: the second function

// RUN: not convoy-certify %t/before.mlir %t/after.mlir | FileCheck %s
// CHECK: certified: @halves:
// CHECK-NEXT: different: @lost_half: element [0]: the second function never writes it; the first writes argument0[0]

//--- forward.mlir
func.func @forward(%input: tensor<?x?x?x2xf32>, %filter: tensor<3x2x2x4xf32>, %init: tensor<?x?x?x4xf32>) -> tensor<?x?x?x4xf32> {
  %result = convoy.conv ins(%input, %filter : tensor<?x?x?x2xf32>, tensor<3x2x2x4xf32>)
      outs(%init : tensor<?x?x?x4xf32>) layout(nhwc x hwcf -> nhwf) window(pad = [[1, 1], [0, 1]])
  return %result : tensor<?x?x?x4xf32>
}
//--- images.mlir
func.func @strided(%input: tensor<?x?x2xf32>, %filter: tensor<3x2x4xf32>, %init: tensor<?x?x4xf32>) -> tensor<?x?x4xf32> {
  %result = convoy.conv ins(%input, %filter : tensor<?x?x2xf32>, tensor<3x2x4xf32>)
      outs(%init : tensor<?x?x4xf32>) layout(nwc x wcf -> nwf) window(stride = [2], pad = [[1, 1]])
  return %result : tensor<?x?x4xf32>
}
func.func @gradient(%dy: tensor<?x?x4xf32>, %filter: tensor<3x2x4xf32>, %init: tensor<?x?x2xf32>) -> tensor<?x?x2xf32> {
  %result = convoy.conv_backward_data ins(%dy, %filter : tensor<?x?x4xf32>, tensor<3x2x4xf32>)
      outs(%init : tensor<?x?x2xf32>) layout(nwc x wcf -> nwf) window(stride = [2], pad = [[1, 1]])
  return %result : tensor<?x?x2xf32>
}
func.func @filter_gradient(%x: tensor<?x?x2xf32>, %dy: tensor<?x?x4xf32>, %init: tensor<3x2x4xf32>) -> tensor<3x2x4xf32> {
  %result = convoy.conv_backward_filter ins(%x, %dy : tensor<?x?x2xf32>, tensor<?x?x4xf32>)
      outs(%init : tensor<3x2x4xf32>) layout(nwc x wcf -> nwf) window(pad = [[1, 1]])
  return %result : tensor<3x2x4xf32>
}
//--- before.mlir
func.func @halves(%a: tensor<?xf32>) -> tensor<?xf32> {
  return %a : tensor<?xf32>
}
func.func @lost_half(%a: tensor<?xf32>) -> tensor<?xf32> {
  return %a : tensor<?xf32>
}
//--- after.mlir
// Sizes that are quotients: the odd elements after the even ones.
func.func @halves(%a: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %numEven = affine.apply affine_map<()[n] -> (n ceildiv 2)>()[%n]
  %numOdd = affine.apply affine_map<()[n] -> (n floordiv 2)>()[%n]
  %even = tensor.extract_slice %a[0] [%numEven] [2] : tensor<?xf32> to tensor<?xf32>
  %odd = tensor.extract_slice %a[1] [%numOdd] [2] : tensor<?xf32> to tensor<?xf32>
  %empty = tensor.empty(%n) : tensor<?xf32>
  %half = tensor.insert_slice %even into %empty[0] [%numEven] [2] : tensor<?xf32> into tensor<?xf32>
  %whole = tensor.insert_slice %odd into %half[1] [%numOdd] [2] : tensor<?xf32> into tensor<?xf32>
  return %whole : tensor<?xf32>
}
func.func @lost_half(%a: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %numEven = affine.apply affine_map<()[n] -> (n floordiv 2)>()[%n]
  %numOdd = affine.apply affine_map<()[n] -> (n floordiv 2)>()[%n]
  %even = tensor.extract_slice %a[0] [%numEven] [2] : tensor<?xf32> to tensor<?xf32>
  %odd = tensor.extract_slice %a[1] [%numOdd] [2] : tensor<?xf32> to tensor<?xf32>
  %empty = tensor.empty(%n) : tensor<?xf32>
  %half = tensor.insert_slice %even into %empty[0] [%numEven] [2] : tensor<?xf32> into tensor<?xf32>
  %whole = tensor.insert_slice %odd into %half[1] [%numOdd] [2] : tensor<?xf32> into tensor<?xf32>
  return %whole : tensor<?xf32>
}
