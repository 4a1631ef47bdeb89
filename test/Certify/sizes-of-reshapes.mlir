// Of a tensor with dimensions of one element beside them, sizes that are known
// when running are those of the source.
// RUN: split-file %s %t
// RUN: not convoy-certify %t/before.mlir %t/after.mlir | FileCheck %s

//--- before.mlir

// CHECK-DAG: certified: @rows_of_tiles:
func.func @rows_of_tiles(%input: tensor<5x2x3xf32>) -> tensor<5x2x3xf32> {
  %init = tensor.empty() : tensor<5x2x3xf32>
  %result = linalg.copy ins(%input : tensor<5x2x3xf32>) outs(%init : tensor<5x2x3xf32>) -> tensor<5x2x3xf32>
  return %result : tensor<5x2x3xf32>
}
// CHECK-DAG: different: @other_rows:
func.func @other_rows(%input: tensor<5x2x3xf32>) -> tensor<5x2x3xf32> {
  %init = tensor.empty() : tensor<5x2x3xf32>
  %result = linalg.copy ins(%input : tensor<5x2x3xf32>) outs(%init : tensor<5x2x3xf32>) -> tensor<5x2x3xf32>
  return %result : tensor<5x2x3xf32>
}

//--- after.mlir

func.func @rows_of_tiles(%input: tensor<5x2x3xf32>) -> tensor<5x2x3xf32> {
  %init = tensor.empty() : tensor<5x2x3xf32>
  %result = scf.forall (%i) = (0) to (5) step (3) shared_outs(%out = %init) -> (tensor<5x2x3xf32>) {
    %size = affine.min affine_map<(d0) -> (3, -d0 + 5)>(%i)
    %tile = tensor.extract_slice %input[%i, 0, 0] [%size, 2, 3] [1, 1, 1] : tensor<5x2x3xf32> to tensor<?x2x3xf32>
    %rows = tensor.expand_shape %tile [[0, 1], [2], [3]] output_shape [%size, 1, 2, 3] : tensor<?x2x3xf32> into tensor<?x1x2x3xf32>
    %part = tensor.extract_slice %out[%i, 0, 0] [%size, 2, 3] [1, 1, 1] : tensor<5x2x3xf32> to tensor<?x2x3xf32>
    %copy = linalg.generic {indexing_maps = [affine_map<(n, w, c) -> (n, 0, w, c)>, affine_map<(n, w, c) -> (n, w, c)>], iterator_types = ["parallel", "parallel", "parallel"]}
        ins(%rows : tensor<?x1x2x3xf32>) outs(%part : tensor<?x2x3xf32>) {
    ^bb0(%in: f32, %old: f32):
      linalg.yield %in : f32
    } -> tensor<?x2x3xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %copy into %out[%i, 0, 0] [%size, 2, 3] [1, 1, 1] : tensor<?x2x3xf32> into tensor<5x2x3xf32>
    }
  }
  return %result : tensor<5x2x3xf32>
}
func.func @other_rows(%input: tensor<5x2x3xf32>) -> tensor<5x2x3xf32> {
  %init = tensor.empty() : tensor<5x2x3xf32>
  %result = scf.forall (%i) = (0) to (5) step (3) shared_outs(%out = %init) -> (tensor<5x2x3xf32>) {
    %size = affine.min affine_map<(d0) -> (3, -d0 + 5)>(%i)
    %tile = tensor.extract_slice %input[0, 0, 0] [%size, 2, 3] [1, 1, 1] : tensor<5x2x3xf32> to tensor<?x2x3xf32>
    %rows = tensor.expand_shape %tile [[0, 1], [2], [3]] output_shape [%size, 1, 2, 3] : tensor<?x2x3xf32> into tensor<?x1x2x3xf32>
    %part = tensor.extract_slice %out[%i, 0, 0] [%size, 2, 3] [1, 1, 1] : tensor<5x2x3xf32> to tensor<?x2x3xf32>
    %copy = linalg.generic {indexing_maps = [affine_map<(n, w, c) -> (n, 0, w, c)>, affine_map<(n, w, c) -> (n, w, c)>], iterator_types = ["parallel", "parallel", "parallel"]}
        ins(%rows : tensor<?x1x2x3xf32>) outs(%part : tensor<?x2x3xf32>) {
    ^bb0(%in: f32, %old: f32):
      linalg.yield %in : f32
    } -> tensor<?x2x3xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %copy into %out[%i, 0, 0] [%size, 2, 3] [1, 1, 1] : tensor<?x2x3xf32> into tensor<5x2x3xf32>
    }
  }
  return %result : tensor<5x2x3xf32>
}
