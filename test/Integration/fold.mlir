// Windows that are added up where they overlap, as PyTorch's fold and ONNX's
// Col2Im do, in each type.
// RUN: convoy-run %s --target=cpu,vulkan,rocm-sim --check --data=int --certify --quiet | FileCheck %s --check-prefix=INT
// RUN: convoy-run %s --target=cpu,vulkan,rocm-sim --check --certify --quiet | FileCheck %s
// RUN: convoy-run %s --check --data=int --threads=2 --quiet | FileCheck %s --check-prefix=THREADS
// RUN: convoy-run %s --check --data=int --O0 --cpu=x86-64 --quiet | FileCheck %s --check-prefix=THREADS
// INT-DAG: 10 cases on cpu: 10 passed, 0 failed, 10 certified, {{.*}}, 10 exact
// INT-DAG: 10 cases on vulkan: 10 passed, 0 failed, 10 certified, {{.*}}, 10 exact
// INT-DAG: 10 cases on rocm-sim: 10 passed, 0 failed, 10 certified, {{.*}}, 10 exact
// CHECK-DAG: 10 cases on cpu: 10 passed, 0 failed, 10 certified
// CHECK-DAG: 10 cases on vulkan: 10 passed, 0 failed, 10 certified
// CHECK-DAG: 10 cases on rocm-sim: 10 passed, 0 failed, 10 certified
// THREADS: 10 cases on cpu: 10 passed, 0 failed

func.func @overlapping(%y: tensor<2x5x4x3x2x3xf32>) -> tensor<2x9x7x3xf32> {
  %0 = convoy.col2im %y layout(nhwc, nhw|hwc)
      window(stride = [2, 2], pad = [[1, 1], [1, 0]])
      : tensor<2x5x4x3x2x3xf32> -> tensor<2x9x7x3xf32>
  return %0 : tensor<2x9x7x3xf32>
}

// Columns in the place of rows, channels before taps.
func.func @pytorch(%y: tensor<2x18x20xf32>) -> tensor<2x3x9x7xf32> {
  %empty = tensor.empty() : tensor<2x20x18xf32>
  %0 = linalg.transpose ins(%y : tensor<2x18x20xf32>)
      outs(%empty : tensor<2x20x18xf32>) permutation = [0, 2, 1]
  %1 = tensor.expand_shape %0 [[0], [1, 2], [3, 4, 5]]
      output_shape [2, 5, 4, 3, 3, 2]
      : tensor<2x20x18xf32> into tensor<2x5x4x3x3x2xf32>
  %2 = convoy.col2im %1 layout(nchw, nhw|chw)
      window(stride = [2, 2], pad = [[1, 1], [1, 0]])
      : tensor<2x5x4x3x3x2xf32> -> tensor<2x3x9x7xf32>
  return %2 : tensor<2x3x9x7xf32>
}

// Sums of bytes wrap around.
func.func @bytes(%y: tensor<1x9x7x5xi8>) -> tensor<1x9x5xi8> {
  %0 = convoy.col2im %y layout(nwc, nw|wc) window(pad = [[3, 3]])
      : tensor<1x9x7x5xi8> -> tensor<1x9x5xi8>
  return %0 : tensor<1x9x5xi8>
}

func.func @integers(%y: tensor<1x9x7x5xi32>) -> tensor<1x9x5xi32> {
  %0 = convoy.col2im %y layout(nwc, nw|wc) window(pad = [[3, 3]])
      : tensor<1x9x7x5xi32> -> tensor<1x9x5xi32>
  return %0 : tensor<1x9x5xi32>
}

func.func @half(%y: tensor<1x7x3x5xf16>) -> tensor<1x5x11xf16> {
  %0 = convoy.col2im %y layout(ncw, nw|wc)
      window(dilation = [2], reverse = [true])
      : tensor<1x7x3x5xf16> -> tensor<1x5x11xf16>
  return %0 : tensor<1x5x11xf16>
}

// Fewer elements than the windows lie on.
func.func @brain(%y: tensor<1x11x3x5xbf16>) -> tensor<1x5x25xbf16> {
  %0 = convoy.col2im %y layout(ncw, nw|wc)
      window(stride = [2], pad = [[-1, -1]])
      : tensor<1x11x3x5xbf16> -> tensor<1x5x25xbf16>
  return %0 : tensor<1x5x25xbf16>
}

func.func @volume(%y: tensor<1x3x4x2x3x1x2x2xf32>) -> tensor<1x5x4x3x2xf32> {
  %0 = convoy.col2im %y layout(ndhwc, ndhw|dhwc)
      window(stride = [2, 1, 1], pad = [[1, 1], [0, 0], [0, 0]])
      : tensor<1x3x4x2x3x1x2x2xf32> -> tensor<1x5x4x3x2xf32>
  return %0 : tensor<1x5x4x3x2xf32>
}

func.func @grouped(%y: tensor<3x2x5x2x4xf32>) -> tensor<2x3x4x6xf32> {
  %0 = convoy.col2im %y layout(ngcw, gnw|wc)
      : tensor<3x2x5x2x4xf32> -> tensor<2x3x4x6xf32>
  return %0 : tensor<2x3x4x6xf32>
}

// Steps as long as windows, and longer: nothing is added, and some elements are
// in no window.
func.func @patches(%y: tensor<1x3x4x5x2x2xf32>) -> tensor<1x8x8x5xf32> {
  %0 = convoy.col2im %y layout(nhwc, nhw|chw) window(stride = [3, 2])
      : tensor<1x3x4x5x2x2xf32> -> tensor<1x8x8x5xf32>
  return %0 : tensor<1x8x8x5xf32>
}

// A window of 11 taps over 187 positions of 512 channels.
func.func @wide(%y: tensor<1x63x11x512xf16>) -> tensor<1x187x512xf16> {
  %0 = convoy.col2im %y layout(nwc, nw|wc)
      window(stride = [3], pad = [[7, 3]])
      : tensor<1x63x11x512xf16> -> tensor<1x187x512xf16>
  return %0 : tensor<1x187x512xf16>
}
