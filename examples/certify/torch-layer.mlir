// A layer as torch-mlir writes it: padded, from a bias, with a ReLU that
// compares and selects; then down to tiles by Convoy's passes.
// PIPELINE: builtin.module(convoy-import-pipeline,convoy-to-tiles-pipeline)

#channel = affine_map<(n, f, h, w) -> (f)>
#all = affine_map<(n, f, h, w) -> (n, f, h, w)>
func.func @layer(%x: tensor<1x3x8x7xf32>, %w: tensor<4x3x3x3xf32>, %b: tensor<4xf32>) -> tensor<1x4x4x4xf32> {
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%n: index, %c: index, %h: index, %v: index):
    tensor.yield %zero : f32
  } : tensor<1x3x8x7xf32> to tensor<1x3x10x9xf32>
  %empty = tensor.empty() : tensor<1x4x4x4xf32>
  %bias = linalg.broadcast ins(%b : tensor<4xf32>) outs(%empty : tensor<1x4x4x4xf32>) dimensions = [0, 2, 3]
  %conv = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>}
      ins(%padded, %w : tensor<1x3x10x9xf32>, tensor<4x3x3x3xf32>)
      outs(%bias : tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  %relu = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%conv : tensor<1x4x4x4xf32>) outs(%empty : tensor<1x4x4x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %isPositive = arith.cmpf ugt, %in, %zero : f32
    %positive = arith.select %isPositive, %in, %zero : f32
    linalg.yield %positive : f32
  } -> tensor<1x4x4x4xf32>
  return %relu : tensor<1x4x4x4xf32>
}
