// The rows of im2col as a result of their own, in the layouts that ggml (IM2COL)
// and PyTorch (unfold) give them, in each type and for shapes that are long.
// RUN: convoy-run %s --target=cpu,vulkan,rocm-sim --check --certify --quiet | FileCheck %s
// CHECK-DAG: 9 cases on cpu: 9 passed, 0 failed, 9 certified
// CHECK-DAG: 9 cases on vulkan: 9 passed, 0 failed, 9 certified
// CHECK-DAG: 9 cases on rocm-sim: 9 passed, 0 failed, 9 certified

// Channels before taps, as in the input.
func.func @ggml(%x: tensor<2x3x9x7xf16>) -> tensor<2x5x4x18xf16> {
  %0 = convoy.im2col %x layout(nchw, nhw|chw)
      window(stride = [2, 2], pad = [[1, 1], [1, 0]])
      : tensor<2x3x9x7xf16> -> tensor<2x5x4x3x3x2xf16>
  %1 = tensor.collapse_shape %0 [[0], [1], [2], [3, 4, 5]]
      : tensor<2x5x4x3x3x2xf16> into tensor<2x5x4x18xf16>
  return %1 : tensor<2x5x4x18xf16>
}

// Columns in the place of rows.
func.func @pytorch(%x: tensor<2x3x9x7xf32>) -> tensor<2x18x20xf32> {
  %0 = convoy.im2col %x layout(nchw, nhw|chw)
      window(stride = [2, 2], pad = [[1, 1], [1, 0]])
      : tensor<2x3x9x7xf32> -> tensor<2x5x4x3x3x2xf32>
  %1 = tensor.collapse_shape %0 [[0], [1, 2], [3, 4, 5]]
      : tensor<2x5x4x3x3x2xf32> into tensor<2x20x18xf32>
  %empty = tensor.empty() : tensor<2x18x20xf32>
  %2 = linalg.transpose ins(%1 : tensor<2x20x18xf32>)
      outs(%empty : tensor<2x18x20xf32>) permutation = [0, 2, 1]
  return %2 : tensor<2x18x20xf32>
}

// Beside the image lies the zero point.
func.func @bytes(%x: tensor<1x9x5xi8>) -> tensor<1x9x3x5xi8> {
  %zero_point = arith.constant 7 : i8
  %0 = convoy.im2col %x pad_value(%zero_point : i8) layout(nwc, nw|wc)
      window(pad = [[1, 1]]) : tensor<1x9x5xi8> -> tensor<1x9x3x5xi8>
  return %0 : tensor<1x9x3x5xi8>
}

func.func @reversed(%x: tensor<1x11x5xbf16>) -> tensor<1x7x3x5xbf16> {
  %0 = convoy.im2col %x layout(nwc, nw|wc)
      window(dilation = [2], reverse = [true])
      : tensor<1x11x5xbf16> -> tensor<1x7x3x5xbf16>
  return %0 : tensor<1x7x3x5xbf16>
}

func.func @volume(%x: tensor<1x5x4x3x2xf32>) -> tensor<1x3x4x2x3x1x2x2xf32> {
  %0 = convoy.im2col %x layout(ndhwc, ndhw|dhwc)
      window(stride = [2, 1, 1], pad = [[1, 1], [0, 0], [0, 0]])
      : tensor<1x5x4x3x2xf32> -> tensor<1x3x4x2x3x1x2x2xf32>
  return %0 : tensor<1x3x4x2x3x1x2x2xf32>
}

// No positions, of windows that would reach beyond the input.
func.func @empty(%x: tensor<1x3x3xf32>) -> tensor<1x0x5x3xf32> {
  %0 = convoy.im2col %x layout(nwc, nw|wc)
      : tensor<1x3x3xf32> -> tensor<1x0x5x3xf32>
  return %0 : tensor<1x0x5x3xf32>
}

// Sizes that came out wrong in ggml on Metal: a row of 3000 positions, from f32
// into f16 and in f16.
func.func @long_rounded(%x: tensor<1x3000x128xf32>) -> tensor<1x3000x3x128xf16> {
  %0 = convoy.im2col %x layout(nwc, nw|wc) window(pad = [[1, 1]])
      : tensor<1x3000x128xf32> -> tensor<1x3000x3x128xf32>
  %empty = tensor.empty() : tensor<1x3000x3x128xf16>
  %1 = linalg.generic {
      indexing_maps = [affine_map<(n, w, k, c) -> (n, w, k, c)>,
                       affine_map<(n, w, k, c) -> (n, w, k, c)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]
    } ins(%0 : tensor<1x3000x3x128xf32>)
      outs(%empty : tensor<1x3000x3x128xf16>) {
  ^bb0(%in: f32, %out: f16):
    %rounded = arith.truncf %in : f32 to f16
    linalg.yield %rounded : f16
  } -> tensor<1x3000x3x128xf16>
  return %1 : tensor<1x3000x3x128xf16>
}

func.func @long_columns(%x: tensor<1x128x3000xf16>) -> tensor<1x3000x128x3xf16> {
  %0 = convoy.im2col %x layout(ncw, nw|cw) window(pad = [[1, 1]])
      : tensor<1x128x3000xf16> -> tensor<1x3000x128x3xf16>
  return %0 : tensor<1x3000x128x3xf16>
}

// A window of 11 taps over 187 positions of 512 channels, which is not as far
// from one end as from the other.
func.func @wide(%x: tensor<1x187x512xf16>) -> tensor<1x63x11x512xf16> {
  %0 = convoy.im2col %x layout(nwc, nw|wc)
      window(stride = [3], pad = [[7, 3]])
      : tensor<1x187x512xf16> -> tensor<1x63x11x512xf16>
  return %0 : tensor<1x63x11x512xf16>
}
