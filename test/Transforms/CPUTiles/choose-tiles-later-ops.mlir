// RUN: convoy-opt %s --convoy-conv-to-im2col --convoy-choose-tiles=explain --split-input-file --verify-diagnostics -o /dev/null

#all = affine_map<(n, w, f) -> (n, w, f)>

// What others read, too, has to be in memory.
module attributes {convoy.target = #convoy.target<vector_bytes = 16, registers = 9, tile = [1, 2]>} {
  func.func @used_twice(%x: tensor<1x9x5xf32>, %w: tensor<3x5x8xf32>, %init: tensor<1x7x8xf32>, %to: tensor<1x7x8xf32>) -> (tensor<1x7x8xf32>, tensor<1x7x8xf32>) {
    // expected-remark @below {{tile: 8 lanes of f in vectors of 4}}
    %sums = convoy.conv ins(%x, %w : tensor<1x9x5xf32>, tensor<3x5x8xf32>) outs(%init : tensor<1x7x8xf32>) layout(nwc x wcf -> nwf)
    // expected-remark @below {{the op of each element ('math.absf') is computed after all tiles, not in them: other ops read the sums, too}}
    %y = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%sums : tensor<1x7x8xf32>) outs(%to : tensor<1x7x8xf32>) {
    ^bb0(%sum: f32, %old: f32):
      %r = math.absf %sum : f32
      linalg.yield %r : f32
    } -> tensor<1x7x8xf32>
    return %y, %sums : tensor<1x7x8xf32>, tensor<1x7x8xf32>
  }
}

// -----

#all = affine_map<(n, w, f) -> (n, w, f)>

// Vectors have no index of their elements.
module attributes {convoy.target = #convoy.target<vector_bytes = 16, registers = 9, tile = [1, 2]>} {
  func.func @place(%x: tensor<1x9x5xf32>, %w: tensor<3x5x8xf32>, %init: tensor<1x7x8xf32>, %to: tensor<1x7x8xf32>) -> tensor<1x7x8xf32> {
    // expected-remark @below {{tile: 8 lanes of f in vectors of 4}}
    %sums = convoy.conv ins(%x, %w : tensor<1x9x5xf32>, tensor<3x5x8xf32>) outs(%init : tensor<1x7x8xf32>) layout(nwc x wcf -> nwf)
    // expected-remark @below {{the op of each element ('linalg.index', 'arith.index_cast', 'arith.sitofp', 'arith.addf') is computed after all tiles, not in them: it depends on where an element is}}
    %y = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%sums : tensor<1x7x8xf32>) outs(%to : tensor<1x7x8xf32>) {
    ^bb0(%sum: f32, %old: f32):
      %i = linalg.index 1 : index
      %j = arith.index_cast %i : index to i32
      %k = arith.sitofp %j : i32 to f32
      %r = arith.addf %sum, %k : f32
      linalg.yield %r : f32
    } -> tensor<1x7x8xf32>
    return %y : tensor<1x7x8xf32>
  }
}

// -----

#all = affine_map<(n, w, f) -> (n, w, f)>

// Two results would be two tiles.
module attributes {convoy.target = #convoy.target<vector_bytes = 16, registers = 9, tile = [1, 2]>} {
  func.func @results(%x: tensor<1x9x5xf32>, %w: tensor<3x5x8xf32>, %init: tensor<1x7x8xf32>, %to: tensor<1x7x8xf32>) -> (tensor<1x7x8xf32>, tensor<1x7x8xf32>) {
    // expected-remark @below {{tile: 8 lanes of f in vectors of 4}}
    %sums = convoy.conv ins(%x, %w : tensor<1x9x5xf32>, tensor<3x5x8xf32>) outs(%init : tensor<1x7x8xf32>) layout(nwc x wcf -> nwf)
    // expected-remark @below {{the op of each element ('math.absf') is computed after all tiles, not in them: it has several results}}
    %y:2 = linalg.generic {indexing_maps = [#all, #all, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%sums : tensor<1x7x8xf32>) outs(%to, %to : tensor<1x7x8xf32>, tensor<1x7x8xf32>) {
    ^bb0(%sum: f32, %old: f32, %older: f32):
      %r = math.absf %sum : f32
      linalg.yield %r, %sum : f32, f32
    } -> (tensor<1x7x8xf32>, tensor<1x7x8xf32>)
    return %y#0, %y#1 : tensor<1x7x8xf32>, tensor<1x7x8xf32>
  }
}

// -----

#all = affine_map<(n, w, f) -> (n, w, f)>
#turned = affine_map<(n, w, f) -> (n, f, w)>

// Tiles of a transposed result are others.
module attributes {convoy.target = #convoy.target<vector_bytes = 16, registers = 9, tile = [1, 2]>} {
  func.func @turned(%x: tensor<1x9x5xf32>, %w: tensor<3x5x8xf32>, %init: tensor<1x7x8xf32>, %to: tensor<1x7x8xf32>, %turned: tensor<1x8x7xf32>) -> tensor<1x8x7xf32> {
    // expected-remark @below {{tile: 8 lanes of f in vectors of 4}}
    %sums = convoy.conv ins(%x, %w : tensor<1x9x5xf32>, tensor<3x5x8xf32>) outs(%init : tensor<1x7x8xf32>) layout(nwc x wcf -> nwf)
    // expected-remark @below {{the op of each element ('math.absf') is computed after all tiles, not in them: it does not read the sums element by element}}
    %y = linalg.generic {indexing_maps = [#all, #turned], iterator_types = ["parallel", "parallel", "parallel"]} ins(%sums : tensor<1x7x8xf32>) outs(%turned : tensor<1x8x7xf32>) {
    ^bb0(%sum: f32, %old: f32):
      %r = math.absf %sum : f32
      linalg.yield %r : f32
    } -> tensor<1x8x7xf32>
    return %y : tensor<1x8x7xf32>
  }
}

// -----

#all = affine_map<(n, w, f) -> (n, w, f)>

// A branch may not be taken.
module attributes {convoy.target = #convoy.target<vector_bytes = 16, registers = 9, tile = [1, 2]>} {
  func.func @region(%x: tensor<1x9x5xf32>, %w: tensor<3x5x8xf32>, %init: tensor<1x7x8xf32>, %to: tensor<1x7x8xf32>, %condition: i1) -> tensor<1x7x8xf32> {
    // expected-remark @below {{tile: 8 lanes of f in vectors of 4}}
    %sums = convoy.conv ins(%x, %w : tensor<1x9x5xf32>, tensor<3x5x8xf32>) outs(%init : tensor<1x7x8xf32>) layout(nwc x wcf -> nwf)
    %z = scf.if %condition -> tensor<1x7x8xf32> {
      // expected-remark @below {{the op of each element ('math.absf') is computed after all tiles, not in them: it is in another region}}
      %y = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%sums : tensor<1x7x8xf32>) outs(%to : tensor<1x7x8xf32>) {
      ^bb0(%sum: f32, %old: f32):
        %r = math.absf %sum : f32
        linalg.yield %r : f32
      } -> tensor<1x7x8xf32>
      scf.yield %y : tensor<1x7x8xf32>
    } else {
      scf.yield %to : tensor<1x7x8xf32>
    }
    return %z : tensor<1x7x8xf32>
  }
}

// -----

#all = affine_map<(n, w, f) -> (n, w, f)>

// Sums that are put together from parts are finished as a whole.
module attributes {convoy.target = #convoy.target<vector_bytes = 16, registers = 9, tile = [1, 2]>} {
  func.func @parts(%x: tensor<1x9x5xf32>, %w: tensor<3x5x8xf32>, %init: tensor<1x7x8xf32>, %to: tensor<1x7x8xf32>, %whole: tensor<1x14x8xf32>) -> tensor<1x14x8xf32> {
    // expected-remark @below {{tile: 8 lanes of f in vectors of 4}}
    %sums = convoy.conv ins(%x, %w : tensor<1x9x5xf32>, tensor<3x5x8xf32>) outs(%init : tensor<1x7x8xf32>) layout(nwc x wcf -> nwf)
    %half = tensor.insert_slice %sums into %whole[0, 0, 0] [1, 7, 8] [1, 2, 1] : tensor<1x7x8xf32> into tensor<1x14x8xf32>
    // expected-remark @below {{the op of each element ('math.absf') is computed after all tiles, not in them: the sums are computed in parts}}
    %y = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%half : tensor<1x14x8xf32>) outs(%whole : tensor<1x14x8xf32>) {
    ^bb0(%sum: f32, %old: f32):
      %r = math.absf %sum : f32
      linalg.yield %r : f32
    } -> tensor<1x14x8xf32>
    return %y : tensor<1x14x8xf32>
  }
}

// -----

#all = affine_map<(n, w, f) -> (n, w, f)>

// Last blocks of two loops would be code of their own.
module attributes {convoy.target = #convoy.target<vector_bytes = 16, registers = 9, tile = [3, 2], l2_bytes = 2560>} {
  func.func @blocks(%x: tensor<1x107x80xf32>, %w: tensor<16x3x80xf32>, %to: tensor<1x105x16xf16>) -> tensor<1x105x16xf16> {
    %zero = arith.constant 0.0 : f32
    %empty = tensor.empty() : tensor<1x105x16xf32>
    %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x105x16xf32>) -> tensor<1x105x16xf32>
    // expected-remark @below {{in blocks: 1 of tap w x 20 of c, one for all lanes}}
    %sums = convoy.conv ins(%x, %w : tensor<1x107x80xf32>, tensor<16x3x80xf32>) outs(%init : tensor<1x105x16xf32>) layout(nwc x fwc -> nwf)
    // expected-remark @below {{the op of each element ('arith.truncf') is computed after all tiles, not in them: the reduction is cut into blocks along several loops}}
    %y = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%sums : tensor<1x105x16xf32>) outs(%to : tensor<1x105x16xf16>) {
    ^bb0(%sum: f32, %old: f16):
      %narrow = arith.truncf %sum : f32 to f16
      linalg.yield %narrow : f16
    } -> tensor<1x105x16xf16>
    return %y : tensor<1x105x16xf16>
  }
}
