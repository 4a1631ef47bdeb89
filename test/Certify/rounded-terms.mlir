// A sum of one term that is rounded to the term's type is the term, whichever
// function writes it so; a sum of others is not.
// RUN: rm -rf %t && split-file %s %t
// RUN: convoy-opt %t/windows.mlir --convoy-decompose-col2im=by-rows -o %t/rows.mlir
// RUN: convoy-certify %t/windows.mlir %t/rows.mlir | FileCheck %s --check-prefix=ROWS
// RUN: convoy-certify %t/rows.mlir %t/windows.mlir | FileCheck %s --check-prefix=ROWS
// ROWS: certified: @apart
// ROWS: certified: @overlapping
// RUN: sed 's/reverse = \[false\]/reverse = [true]/' %t/windows.mlir > %t/reversed.mlir
// RUN: not convoy-certify %t/reversed.mlir %t/rows.mlir | FileCheck %s --check-prefix=REVERSED
// REVERSED-NOT: certified

//--- windows.mlir
func.func @apart(%rows: tensor<1x2x2x3xf16>) -> tensor<1x4x3xf16> {
  %0 = convoy.col2im %rows layout(nwc, nw|wc) window(stride = [2], reverse = [false])
      : tensor<1x2x2x3xf16> -> tensor<1x4x3xf16>
  return %0 : tensor<1x4x3xf16>
}
func.func @overlapping(%rows: tensor<1x4x3x5xbf16>) -> tensor<1x9x5xbf16> {
  %0 = convoy.col2im %rows layout(nwc, nw|wc) window(stride = [2], reverse = [false])
      : tensor<1x4x3x5xbf16> -> tensor<1x9x5xbf16>
  return %0 : tensor<1x9x5xbf16>
}
