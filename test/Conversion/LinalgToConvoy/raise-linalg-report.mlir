// RUN: convoy-opt --convoy-raise-linalg %s 2>&1 | FileCheck %s
// RUN: convoy-opt --convoy-raise-linalg=report=false %s 2>&1 | FileCheck %s --check-prefix=QUIET --implicit-check-not=warning --implicit-check-not=note

// CHECK: warning: 'linalg.conv_1d' op was not raised
// CHECK: note: expected tensors, but got memrefs
// QUIET-LABEL: func @memrefs(
// QUIET: linalg.conv_1d
func.func @memrefs(%input: memref<9xf32>, %filter: memref<3xf32>,
    %init: memref<7xf32>) {
  linalg.conv_1d ins(%input, %filter : memref<9xf32>, memref<3xf32>)
      outs(%init : memref<7xf32>)
  return
}
