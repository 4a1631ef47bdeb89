// Gradients of deformable convolutions whose sizes a kernel is told as it runs.
// RUN: convoy-run %s --function=filter --sizes=2,7,21,5,2,7,21,2,7,21,2,7,21,5 --sizes=1,1,1,1,1,1,1,1,1,1,1,1,1,1 --check --data=int | FileCheck %s
// RUN: convoy-run %s --function=offset --sizes=2,7,21,5,2,7,21,5,2,7,21,2,7,21 --check --data=int | FileCheck %s --check-prefix=ONE
// RUN: convoy-run %s --function=mask --sizes=2,7,21,5,2,7,21,5,2,7,21,2,7,21 --check --data=int | FileCheck %s --check-prefix=ONE
// RUN: convoy-run %s --function=input --sizes=2,7,21,5,5,2,7,21,2,7,21 --check --data=int | FileCheck %s --check-prefix=ONE
// RUN: convoy-run %s --function=filter_batch --sizes=3,3,3 --check --target=cpu,rocm-sim | FileCheck %s --check-prefix=BATCH
// RUN: convoy-run %s --function=input_batch --sizes=3,3,3 --check --target=cpu,rocm-sim | FileCheck %s --check-prefix=BATCH
// RUN: convoy-run %s --function=offset_batch --sizes=3,3,3,3 --check --target=cpu,rocm-sim | FileCheck %s --check-prefix=BATCH
// CHECK: 2 cases on cpu: 2 passed, 0 failed
// ONE: 1 case on cpu: 1 passed, 0 failed
// BATCH: 1 case on cpu: 1 passed, 0 failed
// BATCH: 1 case on rocm-sim: 1 passed, 0 failed
func.func @filter(%dy: tensor<?x?x?x?xf32>, %x: tensor<?x?x?x4xf32>,
    %d: tensor<?x18x?x?xf32>, %m: tensor<?x9x?x?xf32>,
    %init: tensor<3x3x4x?xf32>) -> tensor<3x3x4x?xf32> {
  %0 = convoy.deform_conv_backward_filter
      ins(%dy, %x, %d
          : tensor<?x?x?x?xf32>, tensor<?x?x?x4xf32>, tensor<?x18x?x?xf32>)
      mask(%m : tensor<?x9x?x?xf32>) outs(%init : tensor<3x3x4x?xf32>)
      layout(nhwc x hwcf -> nhwf) offset_layout(nchw)
      window(pad = [[1, 1], [1, 1]])
  return %0 : tensor<3x3x4x?xf32>
}

func.func @offset(%dy: tensor<?x?x?x?xf32>, %x: tensor<?x?x?x4xf32>,
    %w: tensor<3x3x4x?xf32>, %d: tensor<?x18x?x?xf32>,
    %init: tensor<?x18x?x?xf32>) -> tensor<?x18x?x?xf32> {
  %0 = convoy.deform_conv_backward_offset
      ins(%dy, %x, %w, %d
          : tensor<?x?x?x?xf32>, tensor<?x?x?x4xf32>, tensor<3x3x4x?xf32>,
            tensor<?x18x?x?xf32>)
      outs(%init : tensor<?x18x?x?xf32>)
      layout(nhwc x hwcf -> nhwf) offset_layout(nchw)
      window(pad = [[1, 1], [1, 1]])
  return %0 : tensor<?x18x?x?xf32>
}

func.func @mask(%dy: tensor<?x?x?x?xf32>, %x: tensor<?x?x?x4xf32>,
    %w: tensor<3x3x4x?xf32>, %d: tensor<?x18x?x?xf32>,
    %init: tensor<?x9x?x?xf32>) -> tensor<?x9x?x?xf32> {
  %0 = convoy.deform_conv_backward_mask
      ins(%dy, %x, %w, %d
          : tensor<?x?x?x?xf32>, tensor<?x?x?x4xf32>, tensor<3x3x4x?xf32>,
            tensor<?x18x?x?xf32>)
      outs(%init : tensor<?x9x?x?xf32>)
      layout(nhwc x hwcf -> nhwf) offset_layout(nchw)
      window(pad = [[1, 1], [1, 1]])
  return %0 : tensor<?x9x?x?xf32>
}

func.func @input(%dy: tensor<?x?x?x?xf32>, %w: tensor<3x3x4x?xf32>,
    %d: tensor<?x18x?x?xf32>, %init: tensor<?x?x?x4xf32>)
    -> tensor<?x?x?x4xf32> {
  %0 = convoy.deform_conv_backward_input
      ins(%dy, %w, %d
          : tensor<?x?x?x?xf32>, tensor<3x3x4x?xf32>, tensor<?x18x?x?xf32>)
      outs(%init : tensor<?x?x?x4xf32>)
      layout(nhwc x hwcf -> nhwf) offset_layout(nchw)
      window(pad = [[1, 1], [1, 1]])
  return %0 : tensor<?x?x?x4xf32>
}

// Kernels for GPUs are told the batch alone. Sums of f16 may stay in f32.
func.func @filter_batch(%dy: tensor<?x5x9x7xf16>, %x: tensor<?x4x9x7xf16>,
    %d: tensor<?x18x9x7xf32>, %init: tensor<5x4x3x3xf32>)
    -> tensor<5x4x3x3xf32> {
  %0 = convoy.deform_conv_backward_filter
      ins(%dy, %x, %d
          : tensor<?x5x9x7xf16>, tensor<?x4x9x7xf16>, tensor<?x18x9x7xf32>)
      outs(%init : tensor<5x4x3x3xf32>)
      layout(nchw x fchw -> nfhw) offset_layout(nchw)
      window(pad = [[1, 1], [1, 1]])
  return %0 : tensor<5x4x3x3xf32>
}

func.func @input_batch(%dy: tensor<?x5x9x7xf16>, %w: tensor<5x4x3x3xf16>,
    %d: tensor<?x18x9x7xf32>, %init: tensor<?x4x9x7xf16>)
    -> tensor<?x4x9x7xf16> {
  %0 = convoy.deform_conv_backward_input
      ins(%dy, %w, %d
          : tensor<?x5x9x7xf16>, tensor<5x4x3x3xf16>, tensor<?x18x9x7xf32>)
      outs(%init : tensor<?x4x9x7xf16>)
      layout(nchw x fchw -> nfhw) offset_layout(nchw)
      window(pad = [[1, 1], [1, 1]])
  return %0 : tensor<?x4x9x7xf16>
}

func.func @offset_batch(%dy: tensor<?x5x9x7xf16>, %x: tensor<?x4x9x7xf16>,
    %w: tensor<5x4x3x3xf16>, %d: tensor<?x18x9x7xf32>,
    %init: tensor<?x18x9x7xf32>) -> tensor<?x18x9x7xf32> {
  %0 = convoy.deform_conv_backward_offset
      ins(%dy, %x, %w, %d
          : tensor<?x5x9x7xf16>, tensor<?x4x9x7xf16>, tensor<5x4x3x3xf16>,
            tensor<?x18x9x7xf32>)
      outs(%init : tensor<?x18x9x7xf32>)
      layout(nchw x fchw -> nfhw) offset_layout(nchw)
      window(pad = [[1, 1], [1, 1]])
  return %0 : tensor<?x18x9x7xf32>
}
