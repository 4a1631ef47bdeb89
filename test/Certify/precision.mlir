// The type of a sum is part of what a function means. A convolution of linalg
// sums in its result's type; raised, it sums in what its policy asks for.
// RUN: rm -rf %t && split-file %s %t
// RUN: convoy-opt %t/linalg.mlir --convoy-raise-linalg -o %t/raised.mlir
// RUN: bash -c 'convoy-certify %t/linalg.mlir %t/raised.mlir; test $? = 2' | FileCheck %s --check-prefix=NORMAL
// NORMAL: different: @half: sums are formed in f32 instead of f16
// NORMAL-NEXT: at {{.*}}raised.mlir:{{[0-9]+}}:10: convoy.conv
// NORMAL-NEXT: different: @brain: sums are formed in f32 instead of bf16
// NORMAL: certified: @single:

// Where the policy keeps the type, nothing changes.
// RUN: sed 's/accumulator = \([bf]*16\)/accumulator = \1, policy = low/' %t/raised.mlir > %t/low.mlir
// RUN: convoy-certify %t/linalg.mlir %t/low.mlir | FileCheck %s --check-prefix=LOW
// LOW-COUNT-3: certified: @

// And back: the second function forms its sums in less.
// RUN: not convoy-certify %t/raised.mlir %t/linalg.mlir --function=half | FileCheck %s --check-prefix=BACK
// BACK: different: @half: sums are formed in f16 instead of f32

// Other terms count for more than another type.
// RUN: sed 's/layout(nwc x wcf -> nwf)/layout(nwc x wcf -> nwf) window(reverse = [true])/' %t/raised.mlir > %t/reversed.mlir
// RUN: not convoy-certify %t/linalg.mlir %t/reversed.mlir --function=half | FileCheck %s --check-prefix=TERMS
// TERMS: different: @half: element [{{.*}}]: the second function lacks argument0[{{.*}}] * argument1[{{.*}}]

// After every pass: the raising is named.
// RUN: bash -c 'convoy-opt %t/linalg.mlir --convoy-certify-each --convoy-certify-folder=%t/sides --convoy-raise-linalg -o %t/none.mlir; test $? = 2' 2>&1 | FileCheck %s --check-prefix=EACH
// EACH: error: convoy-raise-linalg changed what @half computes: 'convoy.conv': sums are formed in f32 instead of f16; both sides are in

//--- linalg.mlir
func.func @half(%input: tensor<1x5x3xf16>, %filter: tensor<3x3x4xf16>, %init: tensor<1x3x4xf16>) -> tensor<1x3x4xf16> {
  %sum = linalg.conv_1d_nwc_wcf ins(%input, %filter : tensor<1x5x3xf16>, tensor<3x3x4xf16>) outs(%init : tensor<1x3x4xf16>) -> tensor<1x3x4xf16>
  return %sum : tensor<1x3x4xf16>
}
func.func @brain(%input: tensor<1x5x3xbf16>, %filter: tensor<3x3x4xbf16>, %init: tensor<1x3x4xbf16>) -> tensor<1x3x4xbf16> {
  %sum = linalg.conv_1d_nwc_wcf ins(%input, %filter : tensor<1x5x3xbf16>, tensor<3x3x4xbf16>) outs(%init : tensor<1x3x4xbf16>) -> tensor<1x3x4xbf16>
  return %sum : tensor<1x3x4xbf16>
}
func.func @single(%input: tensor<1x5x3xf16>, %filter: tensor<3x3x4xf16>, %init: tensor<1x3x4xf32>) -> tensor<1x3x4xf32> {
  %sum = linalg.conv_1d_nwc_wcf ins(%input, %filter : tensor<1x5x3xf16>, tensor<3x3x4xf16>) outs(%init : tensor<1x3x4xf32>) -> tensor<1x3x4xf32>
  return %sum : tensor<1x3x4xf32>
}
