// Two layers that Winograd's algorithm is estimated to be faster for.
#id = affine_map<(n, h, w, c) -> (n, h, w, c)>
func.func @net(%x: tensor<1x14x13x16xf32>, %w: tensor<3x3x16x32xf32>,
               %v: tensor<3x3x32x24xf32>) -> tensor<1x14x13x24xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x14x13x32xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<1x14x13x32xf32>)
      -> tensor<1x14x13x32xf32>
  %a = convoy.conv ins(%x, %w : tensor<1x14x13x16xf32>, tensor<3x3x16x32xf32>)
      outs(%i : tensor<1x14x13x32xf32>) layout(nhwc x hwcf -> nhwf)
      window(pad = [[1, 1], [1, 1]])
  %r = linalg.generic {indexing_maps = [#id, #id],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%a : tensor<1x14x13x32xf32>) outs(%e : tensor<1x14x13x32xf32>) {
  ^bb0(%in: f32, %out: f32):
    %relu = arith.maximumf %in, %zero : f32
    linalg.yield %relu : f32
  } -> tensor<1x14x13x32xf32>
  %f = tensor.empty() : tensor<1x14x13x24xf32>
  %j = linalg.fill ins(%zero : f32) outs(%f : tensor<1x14x13x24xf32>)
      -> tensor<1x14x13x24xf32>
  %b = convoy.conv ins(%r, %v : tensor<1x14x13x32xf32>, tensor<3x3x32x24xf32>)
      outs(%j : tensor<1x14x13x24xf32>) layout(nhwc x hwcf -> nhwf)
      window(pad = [[1, 1], [1, 1]])
  return %b : tensor<1x14x13x24xf32>
}
