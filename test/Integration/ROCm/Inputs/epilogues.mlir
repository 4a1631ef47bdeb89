// Convolutions whose results go through functions that LLVM has no code for.
#all = affine_map<(n, h, w, f) -> (n, h, w, f)>

func.func @gelu(%input: tensor<1x7x6x5xf32>, %filter: tensor<3x2x5x8xf32>) -> tensor<1x5x5x8xf32> {
  %zero = arith.constant 0.0 : f32
  %half = arith.constant 0.5 : f32
  %one = arith.constant 1.0 : f32
  %scale = arith.constant 0.70710678 : f32
  %empty = tensor.empty() : tensor<1x5x5x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x5x5x8xf32>) -> tensor<1x5x5x8xf32>
  %sums = linalg.conv_2d_nhwc_hwcf ins(%input, %filter : tensor<1x7x6x5xf32>, tensor<3x2x5x8xf32>)
      outs(%init : tensor<1x5x5x8xf32>) -> tensor<1x5x5x8xf32>
  %result = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%sums : tensor<1x5x5x8xf32>) outs(%empty : tensor<1x5x5x8xf32>) {
  ^bb0(%sum: f32, %out: f32):
    %scaled = arith.mulf %sum, %scale : f32
    %erf = math.erf %scaled : f32
    %more = arith.addf %erf, %one : f32
    %halved = arith.mulf %sum, %half : f32
    %gelu = arith.mulf %halved, %more : f32
    linalg.yield %gelu : f32
  } -> tensor<1x5x5x8xf32>
  return %result : tensor<1x5x5x8xf32>
}

func.func @functions(%input: tensor<1x7x6x5xf16>, %filter: tensor<3x2x5x8xf16>) -> tensor<1x5x5x8xf16> {
  %zero = arith.constant 0.0 : f16
  %empty = tensor.empty() : tensor<1x5x5x8xf16>
  %init = linalg.fill ins(%zero : f16) outs(%empty : tensor<1x5x5x8xf16>) -> tensor<1x5x5x8xf16>
  %sums = linalg.conv_2d_nhwc_hwcf ins(%input, %filter : tensor<1x7x6x5xf16>, tensor<3x2x5x8xf16>)
      outs(%init : tensor<1x5x5x8xf16>) -> tensor<1x5x5x8xf16>
  %result = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%sums : tensor<1x5x5x8xf16>) outs(%empty : tensor<1x5x5x8xf16>) {
  ^bb0(%sum: f16, %out: f16):
    %tanh = math.tanh %sum : f16
    %wide = arith.extf %tanh : f16 to f32
    %power = math.exp2 %wide : f32
    %root = math.rsqrt %power : f32
    %wave = math.sin %root : f32
    %whole = math.floor %wide : f32
    %both = arith.addf %wave, %whole : f32
    %narrow = arith.truncf %both : f32 to f16
    linalg.yield %narrow : f16
  } -> tensor<1x5x5x8xf16>
  return %result : tensor<1x5x5x8xf16>
}
