// RUN: convoy-opt %s --convoy-to-tiles-pipeline --convoy-vectorize-tiles --cse --canonicalize --split-input-file | FileCheck %s

// The accumulators are read before the reduction, carried through it as one
// vector a row, and written after it, all rows at once. The input has no lanes: its elements are
// broadcast; the filter's are loaded once for both rows.
// CHECK-LABEL: @rows_are_carried
// CHECK: %[[ROWS:.+]] = vector.transfer_read {{.*}} vector<2x2xf32>
// CHECK-DAG: vector.extract %[[ROWS]][0]
// CHECK-DAG: vector.extract %[[ROWS]][1]
// CHECK: scf.for {{.*}} -> (vector<2xf32>, vector<2xf32>)
// CHECK: %[[W:.+]] = vector.transfer_read {{.*}} vector<2xf32>
// CHECK: vector.fma {{.*}}, %[[W]],
// CHECK-NOT: vector.transfer_read
// CHECK: vector.fma {{.*}}, %[[W]],
// CHECK: scf.yield
// CHECK: vector.transfer_write {{.*}} vector<2x2xf32>
// CHECK-NOT: vector.transfer_write
// CHECK-NOT: linalg.generic
module attributes {convoy.target = #convoy.target<vector_bytes = 8, registers = 8, tile = [2, 1]>} {
  func.func @rows_are_carried(%x: tensor<1x2x3xf32>, %w: tensor<1x3x2xf32>, %init: tensor<1x2x2xf32>) -> tensor<1x2x2xf32> {
    %0 = convoy.conv ins(%x, %w : tensor<1x2x3xf32>, tensor<1x3x2xf32>) outs(%init : tensor<1x2x2xf32>) layout(nwc x wcf -> nwf)
    return %0 : tensor<1x2x2xf32>
  }
}

// -----

// A tile of more lanes than a register holds is several vectors a row, the last
// with what is left.
// CHECK-LABEL: @vectors_fit_registers
// CHECK: scf.for {{.*}} -> (vector<2xf32>, vector<1xf32>, vector<2xf32>, vector<1xf32>)
module attributes {convoy.target = #convoy.target<vector_bytes = 8, registers = 8, tile = [2, 2]>} {
  func.func @vectors_fit_registers(%x: tensor<1x2x5xf32>, %w: tensor<1x5x3xf32>, %init: tensor<1x2x3xf32>) -> tensor<1x2x3xf32> {
    %0 = convoy.conv ins(%x, %w : tensor<1x2x5xf32>, tensor<1x5x3xf32>) outs(%init : tensor<1x2x3xf32>) layout(nwc x wcf -> nwf)
    return %0 : tensor<1x2x3xf32>
  }
}

// -----

// An element of the input is widened once, for vectors of all lengths.
// CHECK-LABEL: @widened_once
// CHECK: scf.for {{.*}} -> (vector<4xf32>, vector<2xf32>, vector<4xf32>, vector<2xf32>)
// CHECK-COUNT-2: vector.broadcast {{.*}} : f16 to vector<4xf16>
// CHECK-NOT: vector.broadcast
// CHECK: scf.yield
module attributes {convoy.target = #convoy.target<vector_bytes = 16, registers = 16, tile = [2, 2]>} {
  func.func @widened_once(%x: tensor<1x2x3xf16>, %w: tensor<1x3x6xf16>, %init: tensor<1x2x6xf32>) -> tensor<1x2x6xf32> {
    %0 = convoy.conv ins(%x, %w : tensor<1x2x3xf16>, tensor<1x3x6xf16>) outs(%init : tensor<1x2x6xf32>) layout(nwc x wcf -> nwf)
    return %0 : tensor<1x2x6xf32>
  }
}

// -----

// Bytes are extended and their zero points subtracted in vectors of the
// accumulator's type.
// CHECK-LABEL: @bytes
// CHECK: arith.extui {{.*}} : vector<2xi8> to vector<2xi32>
// CHECK: arith.muli {{.*}} : vector<2xi32>
module attributes {convoy.target = #convoy.target<vector_bytes = 8, registers = 8, tile = [1, 1]>} {
  func.func @bytes(%x: tensor<1x1x3xi8>, %w: tensor<1x3x2xi8>, %init: tensor<1x1x2xi32>, %zx: i32, %zw: i32) -> tensor<1x1x2xi32> {
    %0 = convoy.conv ins(%x, %w : tensor<1x1x3xi8>, tensor<1x3x2xi8>) outs(%init : tensor<1x1x2xi32>) zero_points(%zx, %zw : i32, i32) layout(nwc x wcf -> nwf) numerics(filter = unsigned)
    return %0 : tensor<1x1x2xi32>
  }
}

// -----

// Channels of depthwise convolutions stand before one of size 1: vectors along
// them are read and written along the last dimension of a slice without it.
// CHECK-LABEL: @units_after_lanes
// CHECK: %[[X:.+]] = tensor.extract_slice {{.*}} to tensor<1x4x2xf32>
// CHECK: vector.transfer_read %[[X]]{{.*}} {in_bounds = [true]} : tensor<1x4x2xf32>, vector<2xf32>
// CHECK: vector.transfer_write {{.*}} {in_bounds = [true, true]} : vector<2x2xf32>, tensor<1x2x2xf32>
// CHECK: tensor.insert_slice {{.*}} : tensor<1x2x2xf32> into tensor<1x2x2x1xf32>
module attributes {convoy.target = #convoy.target<vector_bytes = 8, registers = 8, tile = [2, 1]>} {
  func.func @units_after_lanes(%x: tensor<1x4x2x1xf32>, %w: tensor<3x1x2x1xf32>, %init: tensor<1x2x2x1xf32>) -> tensor<1x2x2x1xf32> {
    %0 = convoy.conv ins(%x, %w : tensor<1x4x2x1xf32>, tensor<3x1x2x1xf32>) outs(%init : tensor<1x2x2x1xf32>) layout(nwgc x wcgf -> nwgf)
    return %0 : tensor<1x2x2x1xf32>
  }
}

// -----

// Where the rows take much of the registers, LLVM leaves the loop as it is.
// CHECK-LABEL: @loops_of_many_rows
// CHECK: scf.for
// CHECK: vector.fma
// CHECK: scf.yield
// CHECK-NEXT: } {llvm.loop_annotation = #
module attributes {convoy.target = #convoy.target<vector_bytes = 8, registers = 8, tile = [3, 1]>} {
  func.func @loops_of_many_rows(%x: tensor<1x3x3xf32>, %w: tensor<1x3x2xf32>, %init: tensor<1x3x2xf32>) -> tensor<1x3x2xf32> {
    %0 = convoy.conv ins(%x, %w : tensor<1x3x3xf32>, tensor<1x3x2xf32>) outs(%init : tensor<1x3x2xf32>) layout(nwc x wcf -> nwf)
    return %0 : tensor<1x3x2xf32>
  }
}

// -----

// Vectors of 64 bytes have masks: 14 lanes are a whole vector of which two are
// neither read nor written.
// CHECK-LABEL: @masked_lanes
// CHECK: %[[MASK:.+]] = vector.constant_mask [2, 14] : vector<2x16xi1>
// CHECK: vector.transfer_read {{.*}}, %[[MASK]] {{.*}} vector<2x16xf32>
// CHECK: scf.for {{.*}} -> (vector<16xf32>, vector<16xf32>)
// CHECK: %[[LANES:.+]] = vector.constant_mask [14] : vector<16xi1>
// CHECK: vector.transfer_read {{.*}}, %[[LANES]] {{.*}} vector<16xf32>
// CHECK: vector.transfer_write {{.*}}, %[[MASK]] {{.*}} vector<2x16xf32>
module attributes {convoy.target = #convoy.target<vector_bytes = 64, registers = 8, tile = [2, 1]>} {
  func.func @masked_lanes(%x: tensor<1x2x3xf32>, %w: tensor<1x3x14xf32>, %init: tensor<1x2x14xf32>) -> tensor<1x2x14xf32> {
    %0 = convoy.conv ins(%x, %w : tensor<1x2x3xf32>, tensor<1x3x14xf32>) outs(%init : tensor<1x2x14xf32>) layout(nwc x wcf -> nwf)
    return %0 : tensor<1x2x14xf32>
  }
}

// -----

// Bytes are converted before they are multiplied: no vector is masked.
// CHECK-LABEL: @no_masks
// CHECK-NOT: vector.constant_mask
// CHECK: return
module attributes {convoy.target = #convoy.target<vector_bytes = 64, registers = 8, tile = [2, 1]>} {
  func.func @no_masks(%x: tensor<1x2x3xi8>, %w: tensor<1x3x14xi8>, %init: tensor<1x2x14xi32>) -> tensor<1x2x14xi32> {
    %0 = convoy.conv ins(%x, %w : tensor<1x2x3xi8>, tensor<1x3x14xi8>) outs(%init : tensor<1x2x14xi32>) layout(nwc x wcf -> nwf)
    return %0 : tensor<1x2x14xi32>
  }
}

// -----

// Six vectors of pixels beside twelve of sums leave no room in 16 registers:
// each is read where both channels take it, and not kept.
// CHECK-LABEL: @longer_side_is_outside
// CHECK: scf.for
// CHECK: %[[FIRST:.+]] = vector.transfer_read {{.*}} vector<4xf32>
// CHECK: vector.fma %[[FIRST]]
// CHECK: vector.fma %[[FIRST]]
// CHECK-NOT: %[[FIRST]]
// CHECK: %[[SECOND:.+]] = vector.transfer_read {{.*}} vector<4xf32>
// CHECK: vector.fma %[[SECOND]]
// CHECK-NEXT: vector.fma %[[SECOND]]
module attributes {convoy.target = #convoy.target<vector_bytes = 16, registers = 16>} {
  func.func @longer_side_is_outside(%x: tensor<1x5x6x4xf32>, %w: tensor<2x5x1x1xf32>, %init: tensor<1x2x6x4xf32>) -> tensor<1x2x6x4xf32> {
    %0 = convoy.conv ins(%x, %w : tensor<1x5x6x4xf32>, tensor<2x5x1x1xf32>) outs(%init : tensor<1x2x6x4xf32>) layout(nchw x fchw -> nfhw)
    return %0 : tensor<1x2x6x4xf32>
  }
}
