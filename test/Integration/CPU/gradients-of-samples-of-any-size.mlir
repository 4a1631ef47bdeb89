// Gradients of samples whose sizes a kernel is told as it runs.
// RUN: convoy-run %s --function=image --sizes=2,3,5,4,2,5,4 --sizes=1,1,2,2,1,2,2 --check --data=int | FileCheck %s
// RUN: convoy-run %s --function=grid --sizes=2,3,5,4,2,3,9,7,2,5,4 --sizes=1,1,2,2,1,1,1,3,1,2,2 --check --data=int | FileCheck %s
// RUN: convoy-run %s --function=cubic --sizes=2,5,4,2,9,7,2,5,4 --sizes=1,2,2,1,1,3,1,2,2 --check | FileCheck %s
// CHECK: 2 cases on cpu: 2 passed, 0 failed
func.func @image(%y: tensor<?x?x?x?xf32>, %g: tensor<?x?x?x2xf32>)
    -> tensor<?x?x9x7xf32> {
  %0 = convoy.grid_sample_backward_input %y, %g layout(nchw x nhwc -> nchw)
      mode(linear) padding(zeros)
      : tensor<?x?x?x?xf32>, tensor<?x?x?x2xf32> -> tensor<?x?x9x7xf32>
  return %0 : tensor<?x?x9x7xf32>
}

func.func @grid(%y: tensor<?x?x?x?xf32>, %x: tensor<?x?x?x?xf32>,
                %g: tensor<?x?x?x2xf32>) -> tensor<?x?x?x2xf32> {
  %0 = convoy.grid_sample_backward_grid %y, %x, %g layout(nchw x nhwc -> nchw)
      mode(linear) padding(zeros)
      : tensor<?x?x?x?xf32>, tensor<?x?x?x?xf32>, tensor<?x?x?x2xf32>
  return %0 : tensor<?x?x?x2xf32>
}

func.func @cubic(%y: tensor<?x?x?x3xf16>, %x: tensor<?x?x?x3xf16>,
                 %g: tensor<?x?x?x2xbf16>) -> tensor<?x?x?x2xbf16> {
  %0 = convoy.grid_sample_backward_grid %y, %x, %g layout(nhwc x nhwc -> nhwc)
      mode(cubic) padding(reflection) align_corners
      : tensor<?x?x?x3xf16>, tensor<?x?x?x3xf16>, tensor<?x?x?x2xbf16>
  return %0 : tensor<?x?x?x2xbf16>
}

// Gradients and grid, or image, of other batches are refused.
// RUN: not convoy-run %s --function=image --sizes=2,3,5,4,3,5,4 2>&1 | FileCheck %s --check-prefix=BATCH
// BATCH: expected size 2 of n as in the result, but got 3 in the grid
// RUN: not convoy-run %s --function=grid --sizes=2,3,5,4,2,4,9,7,2,5,4 2>&1 | FileCheck %s --check-prefix=CHANNELS
// CHANNELS: expected size 4 of c as in the input, but got 3 in the output gradient

// Any number of images or of rows of samples on GPUs, too.
// RUN: convoy-run %s --function=warp --sizes=2,2 --target=cpu,vulkan,rocm-sim --check --data=int | FileCheck %s --check-prefix=WARP
// WARP-COUNT-3: 1 case on {{[a-z-]+}}: 1 passed, 0 failed
func.func @warp(%y: tensor<?x3x5x4xf16>, %g: tensor<?x5x4x2xf32>)
    -> tensor<?x3x9x7xf16> {
  %0 = convoy.grid_sample_backward_input %y, %g layout(nchw x nhwc -> nchw)
      mode(nearest) padding(border)
      : tensor<?x3x5x4xf16>, tensor<?x5x4x2xf32> -> tensor<?x3x9x7xf16>
  return %0 : tensor<?x3x9x7xf16>
}

// RUN: convoy-run %s --function=rows --sizes=9,9 --target=cpu,vulkan,rocm-sim --check --data=int | FileCheck %s --check-prefix=WARP
func.func @rows(%y: tensor<1x?x4x3xf32>, %g: tensor<1x?x4x2xf32>)
    -> tensor<1x6x7x3xf32> {
  %0 = convoy.grid_sample_backward_input %y, %g layout(nhwc x nhwc -> nhwc)
      mode(linear) padding(zeros)
      : tensor<1x?x4x3xf32>, tensor<1x?x4x2xf32> -> tensor<1x6x7x3xf32>
  return %0 : tensor<1x6x7x3xf32>
}

// RUN: convoy-run %s --function=positions --sizes=2,2,2 --target=cpu,vulkan,rocm-sim --check --data=int | FileCheck %s --check-prefix=WARP
func.func @positions(%y: tensor<?x3x5x4xf32>, %x: tensor<?x3x9x7xf32>,
                     %g: tensor<?x5x4x2xf32>) -> tensor<?x5x4x2xf32> {
  %0 = convoy.grid_sample_backward_grid %y, %x, %g layout(nchw x nhwc -> nchw)
      mode(linear) padding(border)
      : tensor<?x3x5x4xf32>, tensor<?x3x9x7xf32>, tensor<?x5x4x2xf32>
  return %0 : tensor<?x5x4x2xf32>
}

// One position a row, in front of a dimension of which there is one.
// RUN: convoy-run %s --function=narrow --target=cpu,vulkan,rocm-sim --check --data=int | FileCheck %s --check-prefix=WARP
func.func @narrow(%y: tensor<3x5x4x1xf32>, %x: tensor<3x5x2x4xf32>,
                  %g: tensor<4x1x2x3xf32>) -> tensor<4x1x2x3xf32> {
  %0 = convoy.grid_sample_backward_grid %y, %x, %g layout(nchw x hwcn -> nchw)
      mode(linear) padding(border)
      : tensor<3x5x4x1xf32>, tensor<3x5x2x4xf32>, tensor<4x1x2x3xf32>
  return %0 : tensor<4x1x2x3xf32>
}

// RUN: convoy-run %s --function=width --sizes=3,3 --sizes=1,1 --check --data=int | FileCheck %s
func.func @width(%y: tensor<3x5x4x?xf32>, %x: tensor<3x5x2x4xf32>,
                 %g: tensor<4x?x2x3xf32>) -> tensor<4x?x2x3xf32> {
  %0 = convoy.grid_sample_backward_grid %y, %x, %g layout(nchw x hwcn -> nchw)
      mode(linear) padding(border)
      : tensor<3x5x4x?xf32>, tensor<3x5x2x4xf32>, tensor<4x?x2x3xf32>
  return %0 : tensor<4x?x2x3xf32>
}
