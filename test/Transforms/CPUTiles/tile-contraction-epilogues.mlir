// RUN: convoy-opt %s --convoy-conv-to-im2col --convoy-choose-tiles --convoy-tile-contraction --split-input-file | FileCheck %s

#all = affine_map<(n, w, f) -> (n, w, f)>
#channels = affine_map<(n, w, f) -> (f)>
#number = affine_map<(n, w, f) -> ()>
#turned = affine_map<(n, w, f) -> (n, f, w)>

// Operands of any mask are read by slices in the loop over tiles.
// CHECK-LABEL: @operands
// CHECK-SAME:    %[[SCALES:[^:]+]]: tensor<8xf32>, %[[SHIFT:[^:]+]]: tensor<f32>, %[[RESIDUAL:[^:]+]]: tensor<1x8x7xf16>
// CHECK: scf.forall (%[[W:.*]]) in (7)
// CHECK: %[[SUMS:.*]] = scf.for
// CHECK: %[[SCALE:.*]] = tensor.extract_slice %[[SCALES]]
// CHECK: %[[PART:.*]] = tensor.extract_slice %[[RESIDUAL]][0, {{.*}}, %[[W]]]
// CHECK: linalg.generic {{.*}} ins(%[[SUMS]], {{.*}}, {{.*}}, {{.*}} : tensor<1x1x8xf32>, tensor<8xf32>, tensor<f32>, tensor<1x8x1xf16>) {{.*}}convoy.tile_lanes
// CHECK: tensor.parallel_insert_slice
// CHECK-NOT: linalg.generic
module attributes {convoy.target = #convoy.target<vector_bytes = 16, registers = 9, tile = [1, 2]>} {
  func.func @operands(%x: tensor<1x9x5xf32>, %w: tensor<3x5x8xf32>, %init: tensor<1x7x8xf32>, %scales: tensor<8xf32>, %shift: tensor<f32>, %residual: tensor<1x8x7xf16>, %to: tensor<1x7x8xf32>) -> tensor<1x7x8xf32> {
    %sums = convoy.conv ins(%x, %w : tensor<1x9x5xf32>, tensor<3x5x8xf32>) outs(%init : tensor<1x7x8xf32>) layout(nwc x wcf -> nwf)
    %y = linalg.generic {indexing_maps = [#all, #channels, #number, #turned, #all], iterator_types = ["parallel", "parallel", "parallel"]}
        ins(%sums, %scales, %shift, %residual : tensor<1x7x8xf32>, tensor<8xf32>, tensor<f32>, tensor<1x8x7xf16>) outs(%to : tensor<1x7x8xf32>) {
    ^bb0(%sum: f32, %scale: f32, %number: f32, %narrow: f16, %old: f32):
      %scaled = arith.mulf %sum, %scale : f32
      %shifted = arith.addf %scaled, %number : f32
      %wide = arith.extf %narrow : f16 to f32
      %added = arith.addf %shifted, %wide : f32
      linalg.yield %added : f32
    } -> tensor<1x7x8xf32>
    return %y : tensor<1x7x8xf32>
  }
}

// -----

#all = affine_map<(n, w, f) -> (n, w, f)>

// Blocks of the reduction add to sums; what follows is in the tiles of the last.
// CHECK-LABEL: @blocks
// CHECK: linalg.fill {{.*}} -> tensor<1x63x16xf32>
// CHECK: scf.for {{.*}} to %c240{{.*}} step %c80
// CHECK-NOT: arith.truncf
// CHECK: scf.forall {{.*}} -> (tensor<1x63x16xf16>)
// CHECK: scf.for {{.*}} to %c80
// CHECK: arith.truncf
// CHECK-NOT: arith.truncf
module attributes {convoy.target = #convoy.target<vector_bytes = 16, registers = 9, tile = [3, 2], l2_bytes = 10240>} {
  func.func @blocks(%x: tensor<1x63x320xf32>, %w: tensor<16x1x320xf32>, %to: tensor<1x63x16xf16>) -> tensor<1x63x16xf16> {
    %zero = arith.constant 0.0 : f32
    %empty = tensor.empty() : tensor<1x63x16xf32>
    %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x63x16xf32>) -> tensor<1x63x16xf32>
    %sums = convoy.conv ins(%x, %w : tensor<1x63x320xf32>, tensor<16x1x320xf32>) outs(%init : tensor<1x63x16xf32>) layout(nwc x fwc -> nwf)
    %y = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%sums : tensor<1x63x16xf32>) outs(%to : tensor<1x63x16xf16>) {
    ^bb0(%sum: f32, %old: f16):
      %narrow = arith.truncf %sum : f32 to f16
      linalg.yield %narrow : f16
    } -> tensor<1x63x16xf16>
    return %y : tensor<1x63x16xf16>
  }
}

// -----

#all = affine_map<(n, w, f) -> (n, w, f)>

// Of two convolutions the last is finished; the sums of the other are read.
// CHECK-LABEL: @two
// CHECK: %[[FIRST:.*]] = scf.forall
// CHECK-NOT: arith.maximumf
// CHECK: scf.forall
// CHECK: tensor.extract_slice %[[FIRST]]
// CHECK: arith.maximumf
// CHECK-NOT: arith.maximumf
module attributes {convoy.target = #convoy.target<vector_bytes = 16, registers = 9, tile = [1, 2]>} {
  func.func @two(%x: tensor<1x9x5xf32>, %w: tensor<3x5x8xf32>, %init: tensor<1x7x8xf32>, %to: tensor<1x7x8xf32>) -> tensor<1x7x8xf32> {
    %first = convoy.conv ins(%x, %w : tensor<1x9x5xf32>, tensor<3x5x8xf32>) outs(%init : tensor<1x7x8xf32>) layout(nwc x wcf -> nwf)
    %second = convoy.conv ins(%x, %w : tensor<1x9x5xf32>, tensor<3x5x8xf32>) outs(%init : tensor<1x7x8xf32>) layout(nwc x wcf -> nwf) window(reverse = [true])
    %y = linalg.generic {indexing_maps = [#all, #all, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%second, %first : tensor<1x7x8xf32>, tensor<1x7x8xf32>) outs(%to : tensor<1x7x8xf32>) {
    ^bb0(%a: f32, %b: f32, %old: f32):
      %most = arith.maximumf %a, %b : f32
      linalg.yield %most : f32
    } -> tensor<1x7x8xf32>
    return %y : tensor<1x7x8xf32>
  }
}

// -----

#all = affine_map<(f, n, w) -> (f, n, w)>
#images = affine_map<(f, n, w) -> (f, n)>
#steps = affine_map<(f, n, w) -> (n, w)>

// Lanes go on along the images where an operand has a number for each step of
// each image, and not where it has one for each image.
// CHECK-LABEL: @of_images
// CHECK-NOT: tensor<2x12xf32>
// CHECK-LABEL: @of_steps
// CHECK: linalg.generic {{.*}} ins({{.*}} : tensor<{{[0-9]}}x12xf32>, tensor<12xf32>)
module attributes {convoy.target = #convoy.target<vector_bytes = 32, registers = 16>} {
  func.func @of_images(%x: tensor<3x6x5xf32>, %w: tensor<3x5x2xf32>, %init: tensor<2x3x4xf32>, %shift: tensor<2x3xf32>, %to: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
    %sums = convoy.conv ins(%x, %w : tensor<3x6x5xf32>, tensor<3x5x2xf32>) outs(%init : tensor<2x3x4xf32>) layout(nwc x wcf -> fnw)
    %y = linalg.generic {indexing_maps = [#all, #images, #all], iterator_types = ["parallel", "parallel", "parallel"]}
        ins(%sums, %shift : tensor<2x3x4xf32>, tensor<2x3xf32>) outs(%to : tensor<2x3x4xf32>) {
    ^bb0(%sum: f32, %s: f32, %old: f32):
      %shifted = arith.subf %sum, %s : f32
      linalg.yield %shifted : f32
    } -> tensor<2x3x4xf32>
    return %y : tensor<2x3x4xf32>
  }
  func.func @of_steps(%x: tensor<3x6x5xf32>, %w: tensor<3x5x2xf32>, %init: tensor<2x3x4xf32>, %shift: tensor<3x4xf32>, %to: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
    %sums = convoy.conv ins(%x, %w : tensor<3x6x5xf32>, tensor<3x5x2xf32>) outs(%init : tensor<2x3x4xf32>) layout(nwc x wcf -> fnw)
    %y = linalg.generic {indexing_maps = [#all, #steps, #all], iterator_types = ["parallel", "parallel", "parallel"]}
        ins(%sums, %shift : tensor<2x3x4xf32>, tensor<3x4xf32>) outs(%to : tensor<2x3x4xf32>) {
    ^bb0(%sum: f32, %s: f32, %old: f32):
      %shifted = arith.subf %sum, %s : f32
      linalg.yield %shifted : f32
    } -> tensor<2x3x4xf32>
    return %y : tensor<2x3x4xf32>
  }
}
