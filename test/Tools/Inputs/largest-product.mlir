func.func @largest(%x: tensor<1x6x5x3xf32>, %w: tensor<2x4x3x4xf32>, %init: tensor<1x5x2x4xf32>) -> tensor<1x5x2x4xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(n, h, w, f, kh, kw, c) -> (n, h + kh, w + kw, c)>, affine_map<(n, h, w, f, kh, kw, c) -> (kh, kw, c, f)>, affine_map<(n, h, w, f, kh, kw, c) -> (n, h, w, f)>],
                       iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<1x6x5x3xf32>, tensor<2x4x3x4xf32>) outs(%init : tensor<1x5x2x4xf32>) {
  ^bb0(%a: f32, %b: f32, %largest: f32):
    %product = arith.mulf %a, %b : f32
    %larger = arith.maximumf %product, %largest : f32
    linalg.yield %larger : f32
  } -> tensor<1x5x2x4xf32>
  return %0 : tensor<1x5x2x4xf32>
}
