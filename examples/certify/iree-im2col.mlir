// A convolution of channels first, which IREE's passes make an im2col of; see
// run-examples for the passes.

func.func @conv(%x: tensor<1x16x18x18xf32>, %w: tensor<32x3x3x16xf32>, %init: tensor<1x32x16x16xf32>) -> tensor<1x32x16x16xf32> {
  %y = linalg.generic {
      indexing_maps = [affine_map<(n, f, h, w, c, kh, kw) -> (n, c, h + kh, w + kw)>,
                       affine_map<(n, f, h, w, c, kh, kw) -> (f, kh, kw, c)>,
                       affine_map<(n, f, h, w, c, kh, kw) -> (n, f, h, w)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<1x16x18x18xf32>, tensor<32x3x3x16xf32>) outs(%init : tensor<1x32x16x16xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %product = arith.mulf %a, %b : f32
    %sum = arith.addf %c, %product : f32
    linalg.yield %sum : f32
  } -> tensor<1x32x16x16xf32>
  return %y : tensor<1x32x16x16xf32>
}
