// Deformable convolutions whose sizes a kernel is told as it runs.
// RUN: convoy-run %s --function=any --sizes=2,7,21,5,2,7,21,2,7,21,2,7,21,5 --sizes=1,1,1,1,1,1,1,1,1,1,1,1,1,1 --check --data=int | FileCheck %s
// RUN: convoy-run %s --function=batch --sizes=3,3,3 --check --target=cpu,rocm-sim | FileCheck %s --check-prefix=BATCH
// CHECK: 2 cases on cpu: 2 passed, 0 failed
// BATCH: 1 case on cpu: 1 passed, 0 failed
// BATCH: 1 case on rocm-sim: 1 passed, 0 failed
func.func @any(%x: tensor<?x?x?x4xf32>, %w: tensor<3x3x4x?xf32>,
    %d: tensor<?x18x?x?xf32>, %m: tensor<?x9x?x?xf32>,
    %init: tensor<?x?x?x?xf32>) -> tensor<?x?x?x?xf32> {
  %0 = convoy.deform_conv
      ins(%x, %w, %d
          : tensor<?x?x?x4xf32>, tensor<3x3x4x?xf32>, tensor<?x18x?x?xf32>)
      mask(%m : tensor<?x9x?x?xf32>) outs(%init : tensor<?x?x?x?xf32>)
      layout(nhwc x hwcf -> nhwf) offset_layout(nchw)
      window(pad = [[1, 1], [1, 1]])
  return %0 : tensor<?x?x?x?xf32>
}

// Kernels for GPUs are told the batch alone.
func.func @batch(%x: tensor<?x4x9x7xf16>, %w: tensor<5x4x3x3xf16>,
    %d: tensor<?x18x9x7xf32>, %init: tensor<?x5x9x7xf16>)
    -> tensor<?x5x9x7xf16> {
  %0 = convoy.deform_conv
      ins(%x, %w, %d
          : tensor<?x4x9x7xf16>, tensor<5x4x3x3xf16>, tensor<?x18x9x7xf32>)
      outs(%init : tensor<?x5x9x7xf16>)
      layout(nchw x fchw -> nfhw) offset_layout(nchw)
      window(pad = [[1, 1], [1, 1]])
  return %0 : tensor<?x5x9x7xf16>
}

// An offset of another size is refused.
// RUN: not convoy-run %s --function=any --sizes=2,7,21,5,2,7,20,2,7,21,2,7,21,5 2>&1 | FileCheck %s --check-prefix=SIZE
// SIZE: 'convoy.deform_conv' op expected size 21 of w as in the output, but got 20 in the offset

// RUN: not convoy-run %s --function=any --sizes=2,7,21,5,2,7,21,2,7,21,2,7,21,5 --target=rocm-sim 2>&1 | FileCheck %s --check-prefix=GPU
// GPU: expected no dynamic size but the batch
