// Deformed convolutions are what docs/Sampling.md says, and so are the samples
// and convolutions that passes make of them.
// RUN: convoy-certify --pipeline='builtin.module(func.func(convoy-decompose-sampling))' %s | FileCheck %s
// RUN: convoy-certify --pipeline='builtin.module(func.func(convoy-decompose-sampling{by-rows=true}))' %s | FileCheck %s
// RUN: convoy-certify --pipeline='builtin.module(func.func(convoy-decompose-sampling{by-rows=true},canonicalize,cse))' %s | FileCheck %s --check-prefix=SIMPLIFIED
// CHECK: 4 changes of functions: 4 certified
// SIMPLIFIED: 12 changes of functions: 12 certified

// Other windows, and offsets in another order, are other convolutions.
// RUN: sed 's/stride = \[2, 1\], pad = \[\[1, 0\]/stride = [2, 1], pad = [[0, 1]/' %s > %t.mlir
// RUN: not convoy-certify %s %t.mlir | FileCheck %s --check-prefix=PADDING
// PADDING: undecided: @two_groups
// RUN: sed 's/ins(%x, %w, %y_and_x/ins(%x, %w, %x_and_y/' %s > %t.mlir
// RUN: not convoy-certify %s %t.mlir | FileCheck %s --check-prefix=OFFSETS
// OFFSETS: undecided: @offsets

// Faults of what the pass makes.
// RUN: convoy-opt %s --convoy-decompose-sampling -o %t.right.mlir
// RUN: convoy-certify %s %t.right.mlir | FileCheck %s --check-prefix=RIGHT
// RIGHT-COUNT-4: certified: @
// The tap's place is subtracted.
// RUN: sed 's/arith.addi \(.*\) : i32/arith.subi \1 : i32/' %t.right.mlir > %t.mlir
// RUN: not convoy-certify %s %t.mlir | FileCheck %s --check-prefix=FAULT --implicit-check-not=certified
// Rows and columns of taps are exchanged.
// RUN: sed 's/linalg.index 1 /linalg.index 3 /' %t.right.mlir > %t.mlir
// RUN: not convoy-certify %s %t.mlir | FileCheck %s --check-prefix=FAULT
// The offset along h is taken along w, too.
// RUN: sed 's/%c1 = arith.constant 1 : index/%c1 = arith.constant 0 : index/' %t.right.mlir > %t.mlir
// RUN: not convoy-certify %s %t.mlir | FileCheck %s --check-prefix=FAULT --implicit-check-not=certified
// What is no number is another offset, and what is outside another element.
// RUN: sed 's/arith.constant 0.000000e+00 : f/arith.constant 1.000000e+00 : f/' %t.right.mlir > %t.mlir
// RUN: not convoy-certify %s %t.mlir | FileCheck %s --check-prefix=FAULT --implicit-check-not=certified
// A part of the samples lies elsewhere.
// RUN: sed 's/dilation = \[3, 6\]/dilation = [3, 5], pad = [[0, 0], [-1, 0]]/' %t.right.mlir > %t.mlir
// RUN: not convoy-certify %s %t.mlir | FileCheck %s --check-prefix=FAULT
// Positions are rounded as others may be.
// RUN: sed 's/ {convoy.uncontracted}//' %t.right.mlir > %t.mlir
// RUN: not convoy-certify %s %t.mlir | FileCheck %s --check-prefix=FAULT --implicit-check-not=certified
// FAULT: {{different|undecided}}: @masked

func.func @masked(%x: tensor<1x5x7x4xf32>, %w: tensor<3x2x4x6xf32>, %d: tensor<1x12x3x6xf32>, %m: tensor<1x6x3x6xf32>, %init: tensor<1x3x6x6xf32>)
    -> tensor<1x3x6x6xf32> {
  %0 = convoy.deform_conv
      ins(%x, %w, %d : tensor<1x5x7x4xf32>, tensor<3x2x4x6xf32>, tensor<1x12x3x6xf32>)
      mask(%m : tensor<1x6x3x6xf32>) outs(%init : tensor<1x3x6x6xf32>)
      layout(nhwc x hwcf -> nhwf) offset_layout(nchw)
  return %0 : tensor<1x3x6x6xf32>
}

func.func @two_groups(%x: tensor<1x4x6x7xf32>, %w: tensor<5x4x3x2xf32>, %d: tensor<1x24x3x6xf32>, %m: tensor<1x12x3x6xf32>, %init: tensor<1x5x3x6xf32>)
    -> tensor<1x5x3x6xf32> {
  %0 = convoy.deform_conv
      ins(%x, %w, %d : tensor<1x4x6x7xf32>, tensor<5x4x3x2xf32>, tensor<1x24x3x6xf32>)
      mask(%m : tensor<1x12x3x6xf32>) outs(%init : tensor<1x5x3x6xf32>)
      layout(nchw x fchw -> nfhw) offset_layout(nchw) window(stride = [2, 1], pad = [[1, 0], [0, 0]])
  return %0 : tensor<1x5x3x6xf32>
}

func.func @narrow_numbers(%x: tensor<2x3x5x7xf16>, %w: tensor<4x3x3x2xf16>, %d: tensor<2x3x6x12xbf16>, %init: tensor<2x4x3x6xf16>) -> tensor<2x4x3x6xf16> {
  %0 = convoy.deform_conv
      ins(%x, %w, %d : tensor<2x3x5x7xf16>, tensor<4x3x3x2xf16>, tensor<2x3x6x12xbf16>)
      outs(%init : tensor<2x4x3x6xf16>) layout(nchw x fchw -> nfhw) offset_layout(nhwc)
  return %0 : tensor<2x4x3x6xf16>
}

func.func @offsets(%x: tensor<1x5x7x4xf32>, %w: tensor<3x2x4x6xf32>, %y_and_x: tensor<1x12x3x6xf32>, %x_and_y: tensor<1x12x3x6xf32>, %init: tensor<1x3x6x6xf32>)
    -> tensor<1x3x6x6xf32> {
  %0 = convoy.deform_conv
      ins(%x, %w, %y_and_x : tensor<1x5x7x4xf32>, tensor<3x2x4x6xf32>, tensor<1x12x3x6xf32>)
      outs(%init : tensor<1x3x6x6xf32>) layout(nhwc x hwcf -> nhwf) offset_layout(nchw)
  return %0 : tensor<1x3x6x6xf32>
}
