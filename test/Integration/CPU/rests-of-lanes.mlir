// Lanes and rows that vectors do not fill: whatever the others hold does no
// harm, on CPUs with masks and without.

// RUN: convoy-compile %s --cpu=x86-64-v4 --emit=obj -o %t.o
// RUN: convoy-compile %s --cpu=haswell --emit=obj -o %t.o
// RUN: convoy-run %s --function=quotients --input=1x6x6x8xi32=1 --input=3x3x8x14xi32=1 --input=1x4x4x14xi32=7 --input=1x4x4x14xi32=2 | FileCheck %s --check-prefix=QUOTIENTS
// RUN: convoy-run %s --function=shared_fill --input=1x6x6x8xf32=1 --input=3x3x8x14xf32=1 --input=1x6x6x8xf16=2 --input=3x3x8x14xf16=1 | FileCheck %s --check-prefix=FILL

// Blocks of 9 to 15 rows and 12 or 15 elements are left over where filters are
// transposed, and were more than LLVM could choose instructions for.
// RUN: convoy-compile mb1ic12ih1iw1oc10kh1kw1 --filter-layout=fhwc --cpu=x86-64-v4 --emit=obj -o %t.o
// RUN: convoy-compile mb2ic11ih4iw11oc15kh3kw3ph1pw1 --filter-layout=fhwc --cpu=x86-64-v4 --emit=obj -o %t.o
// RUN: convoy-run mb2ic11ih4iw11oc15kh3kw3ph1pw1 --filter-layout=fhwc --dir=all --check --data=int --quiet | FileCheck %s
// RUN: convoy-run mb1ic12ih12iw12oc12kh1kw1 --input-layout=nchw --filter-layout=fchw --output-layout=nfhw --dir=all --check --data=int --quiet | FileCheck %s
// CHECK: 3 cases on cpu: 3 passed, 0 failed, worst error/bound 0.0000

#id = affine_map<(n, h, w, f) -> (n, h, w, f)>

// Sums start from quotients of integers: 7 / 2 + 3 * 3 * 8.
// QUOTIENTS: 1x4x4x14xi32={{\[*}}75 75 75 75 75 75 75 75 75 75 75 75 75 75]
// QUOTIENTS-NOT: 74
func.func @quotients(%x: tensor<1x6x6x8xi32>, %w: tensor<3x3x8x14xi32>, %a: tensor<1x4x4x14xi32>, %b: tensor<1x4x4x14xi32>) -> tensor<1x4x4x14xi32> {
  %room = tensor.empty() : tensor<1x4x4x14xi32>
  %init = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%a, %b : tensor<1x4x4x14xi32>, tensor<1x4x4x14xi32>) outs(%room : tensor<1x4x4x14xi32>) {
  ^bb0(%p: i32, %q: i32, %out: i32):
    %quotient = arith.divsi %p, %q : i32
    linalg.yield %quotient : i32
  } -> tensor<1x4x4x14xi32>
  %0 = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<1x6x6x8xi32>, tensor<3x3x8x14xi32>) outs(%init : tensor<1x4x4x14xi32>) -> tensor<1x4x4x14xi32>
  return %0 : tensor<1x4x4x14xi32>
}

// One fill starts sums with masked lanes, and others that are converted and
// have none: 3 * 3 * 8 * (1 + 2).
// FILL: 1x4x4x14xf32={{\[*}}216 216 216 216 216 216 216 216 216 216 216 216 216 216]
func.func @shared_fill(%x: tensor<1x6x6x8xf32>, %w: tensor<3x3x8x14xf32>, %xh: tensor<1x6x6x8xf16>, %wh: tensor<3x3x8x14xf16>) -> tensor<1x4x4x14xf32> {
  %zero = arith.constant 0.0 : f32
  %room = tensor.empty() : tensor<1x4x4x14xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%room : tensor<1x4x4x14xf32>) -> tensor<1x4x4x14xf32>
  %0 = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<1x6x6x8xf32>, tensor<3x3x8x14xf32>) outs(%zeros : tensor<1x4x4x14xf32>) -> tensor<1x4x4x14xf32>
  %1 = linalg.conv_2d_nhwc_hwcf ins(%xh, %wh : tensor<1x6x6x8xf16>, tensor<3x3x8x14xf16>) outs(%zeros : tensor<1x4x4x14xf32>) -> tensor<1x4x4x14xf32>
  %2 = linalg.add ins(%0, %1 : tensor<1x4x4x14xf32>, tensor<1x4x4x14xf32>) outs(%room : tensor<1x4x4x14xf32>) -> tensor<1x4x4x14xf32>
  return %2 : tensor<1x4x4x14xf32>
}
