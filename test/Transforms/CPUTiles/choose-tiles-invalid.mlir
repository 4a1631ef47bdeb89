// RUN: convoy-opt %s --convoy-conv-to-im2col --convoy-choose-tiles=candidate=1000 --split-input-file --verify-diagnostics
// RUN: not convoy-opt %s --convoy-conv-to-im2col --convoy-attach-target="vector-bytes=4 tile=2,5" --convoy-choose-tiles 2>&1 | FileCheck %s --check-prefix=TILE
// RUN: not convoy-opt %s --convoy-attach-target=tile=2 2>&1 | FileCheck %s --check-prefix=NUMBERS
// RUN: not convoy-opt %s --convoy-attach-target=tile=0,2 2>&1 | FileCheck %s --check-prefix=NUMBERS
// RUN: not convoy-opt %s --convoy-to-llvm-pipeline=tile=100000,2 2>&1 | FileCheck %s --check-prefix=PRODUCT

// PRODUCT: error: expected the rows times the vectors of tile to be at most 4096, but got 100000, 2
// NUMBERS: error: expected tile to be a positive number of rows and of vectors
// No loop is that short.
// TILE: error: has no tile of 2 rows and 5 vectors
module attributes {convoy.target = #convoy.target<vector_bytes = 4, registers = 16>} {
  func.func @conv(%x: tensor<5x8x6xf32>, %w: tensor<2x6x9xf32>, %init: tensor<5x7x9xf32>) -> tensor<5x7x9xf32> {
    // expected-error @below {{, the number of tiles for this contraction, but got 1000}}
    %0 = convoy.conv ins(%x, %w : tensor<5x8x6xf32>, tensor<2x6x9xf32>) outs(%init : tensor<5x7x9xf32>) layout(nwc x wcf -> nwf)
    return %0 : tensor<5x7x9xf32>
  }
}
