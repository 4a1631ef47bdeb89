// RUN: convoy-opt %s --convoy-conv-to-im2col --convoy-choose-tiles=explain --convoy-tile-contraction --split-input-file --verify-diagnostics -o /dev/null

module attributes {convoy.target = #convoy.target<vector_bytes = 16, registers = 9, tile = [3, 2]>} {
  func.func @in_place(%x: tensor<1x9x5xf32>, %w: tensor<3x5x8xf32>, %init: tensor<1x7x8xf32>) -> tensor<1x7x8xf32> {
    // expected-remark @below {{tile: 8 lanes of f in vectors of 4, rows: 3 of w; read in place}}
    %0 = convoy.conv ins(%x, %w : tensor<1x9x5xf32>, tensor<3x5x8xf32>) outs(%init : tensor<1x7x8xf32>) layout(nwc x wcf -> nwf)
    return %0 : tensor<1x7x8xf32>
  }
}

// -----

module attributes {convoy.target = #convoy.target<vector_bytes = 16, registers = 16, l2_bytes = 11520>} {
  func.func @packed(%x: tensor<1x5x10x8xf32>, %w: tensor<9x3x3x5xf32>, %init: tensor<1x9x8x6xf32>) -> tensor<1x9x8x6xf32> {
    // expected-remark @below {{tile: 12 lanes of w in vectors of 4, rows: 3 of f; im2col packed for 2 of h, lanes going on}}
    %0 = convoy.conv ins(%x, %w : tensor<1x5x10x8xf32>, tensor<9x3x3x5xf32>) outs(%init : tensor<1x9x8x6xf32>) layout(nchw x fhwc -> nfhw)
    return %0 : tensor<1x9x8x6xf32>
  }
}

// -----

module attributes {convoy.target = #convoy.target<vector_bytes = 16, registers = 9, tile = [3, 2], l2_bytes = 2560>} {
  func.func @blocks(%x: tensor<1x107x80xf32>, %w: tensor<16x3x80xf32>, %init: tensor<1x105x16xf32>) -> tensor<1x105x16xf32> {
    // expected-remark @below {{filter packed, in blocks: 1 of tap w x 20 of c, one for all lanes}}
    %0 = convoy.conv ins(%x, %w : tensor<1x107x80xf32>, tensor<16x3x80xf32>) outs(%init : tensor<1x105x16xf32>) layout(nwc x fwc -> nwf)
    return %0 : tensor<1x105x16xf32>
  }
}

// -----

// 45 KiB of input do not stay in the cache while two panels of f read them.
module attributes {convoy.target = #convoy.target<vector_bytes = 16, registers = 9, tile = [3, 2], l2_bytes = 16384>} {
  func.func @row_blocks(%x: tensor<1x480x24xf32>, %w: tensor<1x24x16xf32>, %init: tensor<1x480x16xf32>) -> tensor<1x480x16xf32> {
    // expected-remark @below {{rows: 3 of w; read in place; for all lanes at a time: 48 of w}}
    %0 = convoy.conv ins(%x, %w : tensor<1x480x24xf32>, tensor<1x24x16xf32>) outs(%init : tensor<1x480x16xf32>) layout(nwc x wcf -> nwf)
    return %0 : tensor<1x480x16xf32>
  }
}

// -----

// Vectors of the filter lie 2 KiB apart.
module attributes {convoy.target = #convoy.target<vector_bytes = 16, registers = 9, tile = [3, 2]>} {
  func.func @blocks_in_place(%x: tensor<1x512x3xf32>, %w: tensor<1x512x512xf32>, %init: tensor<3x1x512xf32>) -> tensor<3x1x512xf32> {
    // expected-remark @below {{read in place, in blocks: 128 of tap w, one for all lanes}}
    %0 = convoy.conv ins(%x, %w : tensor<1x512x3xf32>, tensor<1x512x512xf32>) outs(%init : tensor<3x1x512xf32>) layout(cwn x cwf -> nwf)
    return %0 : tensor<3x1x512xf32>
  }
}

// -----

// 256 KiB of pixels come from memory, with 16 KiB of second cache: as much of a
// row as registers hold is read at a time, once for both channels.
module attributes {convoy.target = #convoy.target<vector_bytes = 64, registers = 32, l2_bytes = 16384>} {
  func.func @rows_from_memory(%x: tensor<1x16x64x64xf32>, %w: tensor<2x16x1x1xf32>, %init: tensor<1x2x64x64xf32>) -> tensor<1x2x64x64xf32> {
    // expected-remark @below {{tile: 64 lanes of w in vectors of 16, rows: 2 of f x 3 of h; read in place}}
    %0 = convoy.conv ins(%x, %w : tensor<1x16x64x64xf32>, tensor<2x16x1x1xf32>) outs(%init : tensor<1x2x64x64xf32>) layout(nchw x fchw -> nfhw)
    return %0 : tensor<1x2x64x64xf32>
  }
}

// -----

// 37 channels are two vectors and five lanes of a third; 49 elements of rows
// that go on three and one.
module attributes {convoy.target = #convoy.target<vector_bytes = 64, registers = 32>} {
  func.func @masked(%x: tensor<1x9x3xf32>, %w: tensor<2x3x37xf32>, %init: tensor<1x8x37xf32>) -> tensor<1x8x37xf32> {
    // expected-remark @below {{tile: 37 lanes of f in vectors of 16, the last masked, rows: 8 of w; read in place}}
    %0 = convoy.conv ins(%x, %w : tensor<1x9x3xf32>, tensor<2x3x37xf32>) outs(%init : tensor<1x8x37xf32>) layout(nwc x wcf -> nwf)
    return %0 : tensor<1x8x37xf32>
  }
  func.func @masked_end(%x: tensor<1x3x8x7xf32>, %w: tensor<5x3x2x1xf32>, %init: tensor<1x5x7x7xf32>) -> tensor<1x5x7x7xf32> {
    // expected-remark @below {{tile: 49 lanes of w in vectors of 16, the last masked, rows: 5 of f; im2col packed for 7 of h, lanes going on}}
    %0 = convoy.conv ins(%x, %w : tensor<1x3x8x7xf32>, tensor<5x3x2x1xf32>) outs(%init : tensor<1x5x7x7xf32>) layout(nchw x fchw -> nfhw)
    return %0 : tensor<1x5x7x7xf32>
  }
  func.func @whole(%x: tensor<1x9x3xf32>, %w: tensor<2x3x32xf32>, %init: tensor<1x8x32xf32>) -> tensor<1x8x32xf32> {
    // expected-remark @below {{tile: 32 lanes of f in vectors of 16, rows: 8 of w; read in place}}
    %0 = convoy.conv ins(%x, %w : tensor<1x9x3xf32>, tensor<2x3x32xf32>) outs(%init : tensor<1x8x32xf32>) layout(nwc x wcf -> nwf)
    return %0 : tensor<1x8x32xf32>
  }
}
