// Loops from a maximum to a minimum, as padding that is skipped leaves them:
// their limits are terms divided and rounded up where the window is dilated.
// RUN: convoy-opt %s --convoy-attach-target="vector-bytes=32 registers=16" --convoy-to-tiles-pipeline -o %t.mlir
// RUN: convoy-certify %s %t.mlir | FileCheck %s
// CHECK: certified: @gradient:

// A pixel less on either side, and a pixel more, which is padding.
// RUN: grep '(0, (-d0 + 2) ceildiv 3)' %t.mlir
// RUN: sed 's/(0, (-d0 + 2) ceildiv 3)/(0, (-d0 + 5) ceildiv 3)/' %t.mlir > %t-late.mlir
// RUN: not convoy-certify %s %t-late.mlir | FileCheck %s --check-prefix=LATE
// LATE: different: @gradient: element [{{.*}}]: the second function lacks argument0[{{.*}}] * argument1[{{.*}}]
// RUN: grep '(5, (-d0 + 13) ceildiv 3)' %t.mlir
// RUN: sed 's/(5, (-d0 + 13) ceildiv 3)/(5, (-d0 + 10) ceildiv 3)/' %t.mlir > %t-early.mlir
// RUN: not convoy-certify %s %t-early.mlir | FileCheck %s --check-prefix=EARLY
// EARLY: different: @gradient: element [{{.*}}]: the second function lacks argument0[{{.*}}] * argument1[{{.*}}]
// RUN: sed 's/(5, (-d0 + 13) ceildiv 3)/(5, (-d0 + 16) ceildiv 3)/' %t.mlir > %t-more.mlir
// RUN: convoy-certify %s %t-more.mlir | FileCheck %s

// Rounded down is the same from further on. Bounds compared as unsigned are not
// understood.
// RUN: sed 's/(0, (-d0 + 2) ceildiv 3)/(0, (-d0 + 4) floordiv 3)/' %t.mlir > %t-down.mlir
// RUN: convoy-certify %s %t-down.mlir | FileCheck %s
// RUN: sed 's|scf.for |scf.for unsigned |' %t.mlir > %t-unsigned.mlir
// RUN: not convoy-certify %s %t-unsigned.mlir | FileCheck %s --check-prefix=UNSIGNED
// UNSIGNED: undecided: @gradient: {{.*}}scf.for: a loop whose bounds are unsigned
func.func @gradient(%x: tensor<2x11x14xf32>, %dy: tensor<2x5x9xf32>, %init: tensor<4x14x9xf32>) -> tensor<4x14x9xf32> {
  %result = convoy.conv_backward_filter ins(%x, %dy : tensor<2x11x14xf32>, tensor<2x5x9xf32>)
      outs(%init : tensor<4x14x9xf32>) layout(nwc x wcf -> nwf) window(stride = [3], pad = [[2, 3]])
  return %result : tensor<4x14x9xf32>
}
