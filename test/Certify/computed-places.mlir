// Which elements of a tensor a computed place may be is asked of the tensor.
// What is not understood is said, and never certified.
// RUN: rm -rf %t && split-file %s %t
// RUN: sed 's/^func.func.*{$/&\n  %%unused = tensor.from_elements : tensor<0xf32>/' %t/known.mlir > %t/edited.mlir
// RUN: convoy-certify %t/known.mlir %t/edited.mlir | FileCheck %s --check-prefix=KNOWN
// RUN: sed 's/^func.func.*{$/&\n  %%unused = tensor.from_elements : tensor<0xf32>/' %t/undecided.mlir > %t/edited.mlir
// RUN: not convoy-certify %t/undecided.mlir %t/edited.mlir | FileCheck %s --check-prefix=UNDECIDED --implicit-check-not=certified

//--- known.mlir
// An integer of an argument that is limited, in a tensor made of another, in an
// element of a choice.
// KNOWN: certified: @limited
func.func @limited(%a: tensor<3x4xf32>, %places: tensor<2xi32>) -> tensor<3x2xf32> {
  %first = arith.constant 0 : i32
  %last = arith.constant 3 : i32
  %empty = tensor.empty() : tensor<4x3xf32>
  %turned = linalg.transpose ins(%a : tensor<3x4xf32>) outs(%empty : tensor<4x3xf32>) permutation = [1, 0]
  %negated = arith.negf %turned : tensor<4x3xf32>
  %samples = tensor.empty() : tensor<3x2xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(c, o) -> (o)>, affine_map<(c, o) -> (c, o)>], iterator_types = ["parallel", "parallel"]}
      ins(%places : tensor<2xi32>) outs(%samples : tensor<3x2xf32>) {
  ^bb0(%place: i32, %unused_sample: f32):
    %c = linalg.index 0 : index
    %low = arith.maxsi %place, %first : i32
    %kept = arith.minsi %low, %last : i32
    %i = arith.index_cast %kept : i32 to index
    %element = tensor.extract %negated[%i, %c] : tensor<4x3xf32>
    linalg.yield %element : f32
  } -> tensor<3x2xf32>
  return %0 : tensor<3x2xf32>
}

//--- undecided.mlir
// UNDECIDED-DAG: undecided: @padded: {{.*}}tensor.extract: a computed place in a tensor of several parts
func.func @padded(%a: tensor<4xf32>, %place: tensor<i32>) -> tensor<f32> {
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %a low[1] high[2] {
  ^bb0(%i: index):
    tensor.yield %zero : f32
  } : tensor<4xf32> to tensor<7xf32>
  %first = arith.constant 0 : i32
  %last = arith.constant 6 : i32
  %empty = tensor.empty() : tensor<f32>
  %0 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []}
      ins(%place : tensor<i32>) outs(%empty : tensor<f32>) {
  ^bb0(%at: i32, %unused_sample: f32):
    %low = arith.maxsi %at, %first : i32
    %kept = arith.minsi %low, %last : i32
    %i = arith.index_cast %kept : i32 to index
    %element = tensor.extract %padded[%i] : tensor<7xf32>
    linalg.yield %element : f32
  } -> tensor<f32>
  return %0 : tensor<f32>
}
// UNDECIDED-DAG: undecided: @strided: {{.*}}tensor.extract: a computed place in a tensor that is no copy of others
func.func @strided(%a: tensor<7xf32>, %place: tensor<i32>) -> tensor<f32> {
  %half = tensor.extract_slice %a[0] [4] [2] : tensor<7xf32> to tensor<4xf32>
  %first = arith.constant 0 : i32
  %last = arith.constant 3 : i32
  %empty = tensor.empty() : tensor<f32>
  %0 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []}
      ins(%place : tensor<i32>) outs(%empty : tensor<f32>) {
  ^bb0(%at: i32, %unused_sample: f32):
    %low = arith.maxsi %at, %first : i32
    %kept = arith.minsi %low, %last : i32
    %i = arith.index_cast %kept : i32 to index
    %element = tensor.extract %half[%i] : tensor<4xf32>
    linalg.yield %element : f32
  } -> tensor<f32>
  return %0 : tensor<f32>
}
// A sum may be formed in any order, and where it is a coordinate be rounded to
// that of another element.
// UNDECIDED-DAG: undecided: @of_sums: {{.*}}convoy.grid_sample: a computed place whose sums may be rounded in any order
func.func @of_sums(%image: tensor<2x3x5x7xf32>, %a: tensor<48x3xf32>, %b: tensor<3x2xf32>, %init: tensor<48x2xf32>) -> tensor<2x3x4x6xf32> {
  %sums = linalg.matmul ins(%a, %b : tensor<48x3xf32>, tensor<3x2xf32>) outs(%init : tensor<48x2xf32>) -> tensor<48x2xf32>
  %grid = tensor.expand_shape %sums [[0, 1, 2], [3]] output_shape [2, 4, 6, 2] : tensor<48x2xf32> into tensor<2x4x6x2xf32>
  %0 = convoy.grid_sample %image, %grid layout(nchw x nhwc -> nchw) mode(nearest) padding(zeros)
      : tensor<2x3x5x7xf32>, tensor<2x4x6x2xf32> -> tensor<2x3x4x6xf32>
  return %0 : tensor<2x3x4x6xf32>
}
// UNDECIDED-DAG: undecided: @dynamic: {{.*}}convoy.grid_sample: samples of an image of dynamic size
func.func @dynamic(%image: tensor<2x3x?x7xf32>, %grid: tensor<2x4x6x2xf32>) -> tensor<2x3x4x6xf32> {
  %0 = convoy.grid_sample %image, %grid layout(nchw x nhwc -> nchw) mode(linear) padding(zeros)
      : tensor<2x3x?x7xf32>, tensor<2x4x6x2xf32> -> tensor<2x3x4x6xf32>
  return %0 : tensor<2x3x4x6xf32>
}
