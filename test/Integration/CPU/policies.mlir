// A kernel sums as its policy says, and the checker assumes the same: 2048 + 1
// is 2048 in f16, and 256 + 1 is 256 in bf16.

// RUN: convoy-run %s --function=normal --check --input=1x1x3xf16=2048,1,1 --input=1x3x1xf16=1 | FileCheck %s --check-prefix=F32
// RUN: convoy-run %s --function=high --check --input=1x1x3xf16=2048,1,1 --input=1x3x1xf16=1 | FileCheck %s --check-prefix=F32
// RUN: convoy-run %s --function=low --check --input=1x1x3xf16=2048,1,1 --input=1x3x1xf16=1 | FileCheck %s --check-prefix=F16
// RUN: convoy-run %s --function=unproved --check --input=1x1x3xf16=2048,1,1 --input=1x3x1xf16=1 | FileCheck %s --check-prefix=F32
// RUN: convoy-run %s --function=raised --check --input=1x1x3xf16=2048,1,1 --input=1x3x1xf16=1 | FileCheck %s --check-prefix=F32
// RUN: convoy-run %s --function=low_bf16 --check --input=1x1x3xbf16=256,1,1 --input=1x3x1xbf16=1 | FileCheck %s --check-prefix=BF16
// RUN: convoy-run %s --function=low --cpu=x86-64 --check --input=1x1x3xf16=2048,1,1 --input=1x3x1xf16=1 | FileCheck %s --check-prefix=F16
// RUN: convoy-run %s --function=low_bf16 --cpu=x86-64 --check --input=1x1x3xbf16=256,1,1 --input=1x3x1xbf16=1 | FileCheck %s --check-prefix=BF16
// F32: 1x1x1xf16={{\[\[}}2050]]
// F32: passed
// F16: 1x1x1xf16={{\[\[}}2048]]
// F16: passed
// BF16: 1x1x1xbf16={{\[\[}}256]]
// BF16: passed

// Sums long and wide enough for vectors, in f16 by instructions or without.
// RUN: convoy-run %s --function=rows --check | FileCheck %s --check-prefix=PASSED
// RUN: convoy-run %s --function=rows --check --data=int | FileCheck %s --check-prefix=PASSED
// RUN: convoy-run %s --function=rows --cpu=x86-64 --check | FileCheck %s --check-prefix=PASSED
// RUN: convoy-run %s --function=rows --cpu=x86-64 --check --data=int | FileCheck %s --check-prefix=PASSED
// PASSED: passed

// Nor does arithmetic in 16 bits call a library.
// RUN: convoy-compile %s --cpu=x86-64 -o %t.o 2>&1 && llvm-nm --undefined-only %t.o | not grep -v ' U mem[a-z]*$'
// RUN: convoy-compile %s --cpu=haswell -o %t.o 2>&1 && llvm-nm --undefined-only %t.o | not grep -v ' U mem[a-z]*$'
// RUN: convoy-compile %s -o %t.o 2>&1 | FileCheck %s --check-prefix=REMARK --implicit-check-not=remark
// REMARK: policies.mlir:{{.*}}: remark: sums in 'f16' with policy low: sums of 3 products stay below
// REMARK: policies.mlir:{{.*}}: remark: sums in 'f32' with policy low, not in 'f16': no range is known of the input
// REMARK: policies.mlir:{{.*}}: remark: sums in 'bf16' with policy low: sums of 3 products stay below
// REMARK: policies.mlir:{{.*}}: remark: sums in 'f16' with policy low: sums of

func.func @normal(%x: tensor<1x1x3xf16>, %w: tensor<1x3x1xf16>) -> tensor<1x1x1xf16> {
  %init = arith.constant dense<0.0> : tensor<1x1x1xf16>
  %0 = convoy.conv ins(%x, %w : tensor<1x1x3xf16>, tensor<1x3x1xf16>) outs(%init : tensor<1x1x1xf16>) layout(nwc x wcf -> nwf)
  return %0 : tensor<1x1x1xf16>
}

func.func @high(%x: tensor<1x1x3xf16>, %w: tensor<1x3x1xf16>) -> tensor<1x1x1xf16> {
  %init = arith.constant dense<0.0> : tensor<1x1x1xf16>
  %0 = convoy.conv ins(%x, %w : tensor<1x1x3xf16>, tensor<1x3x1xf16>) outs(%init : tensor<1x1x1xf16>) layout(nwc x wcf -> nwf) numerics(policy = high)
  return %0 : tensor<1x1x1xf16>
}

func.func @low(%x: tensor<1x1x3xf16>, %w: tensor<1x3x1xf16>) -> tensor<1x1x1xf16> {
  %init = arith.constant dense<0.0> : tensor<1x1x1xf16>
  %0 = convoy.conv ins(%x, %w : tensor<1x1x3xf16>, tensor<1x3x1xf16>) outs(%init : tensor<1x1x1xf16>) layout(nwc x wcf -> nwf)
      numerics(policy = low, input_range = [1.0, 2048.0], filter_range = [1.0, 1.0])
  return %0 : tensor<1x1x1xf16>
}

func.func @unproved(%x: tensor<1x1x3xf16>, %w: tensor<1x3x1xf16>) -> tensor<1x1x1xf16> {
  %init = arith.constant dense<0.0> : tensor<1x1x1xf16>
  %0 = convoy.conv ins(%x, %w : tensor<1x1x3xf16>, tensor<1x3x1xf16>) outs(%init : tensor<1x1x1xf16>) layout(nwc x wcf -> nwf) numerics(policy = low)
  return %0 : tensor<1x1x1xf16>
}

func.func @raised(%x: tensor<1x1x3xf16>, %w: tensor<1x3x1xf16>) -> tensor<1x1x1xf16> {
  %init = arith.constant dense<0.0> : tensor<1x1x1xf16>
  %0 = linalg.conv_1d_nwc_wcf ins(%x, %w : tensor<1x1x3xf16>, tensor<1x3x1xf16>) outs(%init : tensor<1x1x1xf16>) -> tensor<1x1x1xf16>
  return %0 : tensor<1x1x1xf16>
}

func.func @low_bf16(%x: tensor<1x1x3xbf16>, %w: tensor<1x3x1xbf16>) -> tensor<1x1x1xbf16> {
  %init = arith.constant dense<0.0> : tensor<1x1x1xbf16>
  %0 = convoy.conv ins(%x, %w : tensor<1x1x3xbf16>, tensor<1x3x1xbf16>) outs(%init : tensor<1x1x1xbf16>) layout(nwc x wcf -> nwf)
      numerics(policy = low, input_range = [1.0, 256.0], filter_range = [1.0, 1.0])
  return %0 : tensor<1x1x1xbf16>
}

func.func @rows(%x: tensor<2x11x13xf16>, %w: tensor<3x13x37xf16>) -> tensor<2x11x37xf16> {
  %zero = arith.constant 0.0 : f16
  %empty = tensor.empty() : tensor<2x11x37xf16>
  %init = linalg.fill ins(%zero : f16) outs(%empty : tensor<2x11x37xf16>) -> tensor<2x11x37xf16>
  %0 = convoy.conv ins(%x, %w : tensor<2x11x13xf16>, tensor<3x13x37xf16>) outs(%init : tensor<2x11x37xf16>) layout(nwc x wcf -> nwf) window(pad = [[1, 1]])
      numerics(policy = low, input_range = [0.0625, 8.0], filter_range = [-8.0, -0.0625])
  return %0 : tensor<2x11x37xf16>
}
