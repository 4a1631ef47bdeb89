// RUN: convoy-opt %s --convoy-widen-operands --split-input-file | FileCheck %s
// RUN: convoy-opt %s --convoy-widen-operands=explain --split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=EXPLAIN

// Both operands are widened once.
// CHECK-LABEL: func.func @many_products
// CHECK-SAME: (%[[X:.*]]: tensor<1x56x64xf16>, %[[W:.*]]: tensor<3x64x72xf16>, %[[INIT:.*]]: tensor<1x54x72xf16>)
func.func @many_products(%x: tensor<1x56x64xf16>, %w: tensor<3x64x72xf16>, %init: tensor<1x54x72xf16>) -> tensor<1x54x72xf16> {
  // CHECK: %[[XE:.*]] = tensor.empty() : tensor<1x56x64xf32>
  // CHECK: %[[WIDEX:.*]] = linalg.generic {{.*}} ins(%[[X]] : tensor<1x56x64xf16>) outs(%[[XE]] : tensor<1x56x64xf32>)
  // CHECK: arith.extf %{{.*}} : f16 to f32
  // CHECK: %[[WIDEW:.*]] = linalg.generic {{.*}} ins(%[[W]] : tensor<3x64x72xf16>)
  // CHECK: arith.extf %{{.*}} : f16 to f32
  // CHECK: convoy.conv ins(%[[WIDEX]], %[[WIDEW]] : tensor<1x56x64xf32>, tensor<3x64x72xf32>) outs(%[[INIT]] : tensor<1x54x72xf16>) layout(nwc x wcf -> nwf) numerics(accumulator = f32)
  %r = convoy.conv ins(%x, %w : tensor<1x56x64xf16>, tensor<3x64x72xf16>) outs(%init : tensor<1x54x72xf16>) layout(nwc x wcf -> nwf) numerics(accumulator = f32)
  return %r : tensor<1x54x72xf16>
}

// -----

// The batch may be of any size.
// CHECK-LABEL: func.func @any_batch
func.func @any_batch(%x: tensor<?x56x64xbf16>, %w: tensor<3x64x72xbf16>, %init: tensor<?x54x72xf32>) -> tensor<?x54x72xf32> {
  // CHECK: tensor.empty(%{{.*}}) : tensor<?x56x64xf32>
  // CHECK: convoy.conv ins(%{{.*}}, %{{.*}} : tensor<?x56x64xf32>, tensor<3x64x72xf32>)
  %r = convoy.conv ins(%x, %w : tensor<?x56x64xbf16>, tensor<3x64x72xbf16>) outs(%init : tensor<?x54x72xf32>) layout(nwc x wcf -> nwf)
  return %r : tensor<?x54x72xf32>
}

// -----

// Each tap is read once.
// EXPLAIN: remark: the convolution stays as it is: each tile is estimated to widen what it reads in less time
// CHECK-LABEL: func.func @few_products
func.func @few_products(%x: tensor<1x1x512xf16>, %w: tensor<1x512x400xf16>, %init: tensor<1x1x400xf16>) -> tensor<1x1x400xf16> {
  // CHECK-NOT: arith.extf
  // CHECK: convoy.conv ins(%{{.*}}, %{{.*}} : tensor<1x1x512xf16>, tensor<1x512x400xf16>)
  %r = convoy.conv ins(%x, %w : tensor<1x1x512xf16>, tensor<1x512x400xf16>) outs(%init : tensor<1x1x400xf16>) layout(nwc x wcf -> nwf) numerics(accumulator = f32)
  return %r : tensor<1x1x400xf16>
}

// -----

// EXPLAIN: remark: the convolution stays as it is: it sums in no wider type of floats than its operands have
// CHECK-LABEL: func.func @sums_in_f16
func.func @sums_in_f16(%x: tensor<1x56x64xf16>, %w: tensor<3x64x72xf16>, %init: tensor<1x54x72xf16>) -> tensor<1x54x72xf16> {
  // CHECK-NOT: arith.extf
  // CHECK: convoy.conv ins(%{{.*}}, %{{.*}} : tensor<1x56x64xf16>, tensor<3x64x72xf16>)
  %r = convoy.conv ins(%x, %w : tensor<1x56x64xf16>, tensor<3x64x72xf16>) outs(%init : tensor<1x54x72xf16>) layout(nwc x wcf -> nwf)
  return %r : tensor<1x54x72xf16>
}

// -----

// Integers are multiplied as they are.
// EXPLAIN: remark: the convolution stays as it is: it sums in no wider type of floats than its operands have
// CHECK-LABEL: func.func @integers
func.func @integers(%x: tensor<1x56x64xi8>, %w: tensor<3x64x72xi8>, %init: tensor<1x54x72xi32>) -> tensor<1x54x72xi32> {
  // CHECK: convoy.conv ins(%{{.*}}, %{{.*}} : tensor<1x56x64xi8>, tensor<3x64x72xi8>)
  %r = convoy.conv ins(%x, %w : tensor<1x56x64xi8>, tensor<3x64x72xi8>) outs(%init : tensor<1x54x72xi32>) layout(nwc x wcf -> nwf)
  return %r : tensor<1x54x72xi32>
}

// -----

// EXPLAIN: remark: no convolution is rewritten: the target is a GPU
// CHECK-LABEL: func.func @for_a_gpu
module attributes {convoy.target = #convoy.target<subgroup = 8, workgroup_bytes = 16384, workgroup_items = 256>} {
  func.func @for_a_gpu(%x: tensor<1x56x64xf16>, %w: tensor<3x64x72xf16>, %init: tensor<1x54x72xf16>) -> tensor<1x54x72xf16> {
    // CHECK: convoy.conv ins(%{{.*}}, %{{.*}} : tensor<1x56x64xf16>, tensor<3x64x72xf16>)
    %r = convoy.conv ins(%x, %w : tensor<1x56x64xf16>, tensor<3x64x72xf16>) outs(%init : tensor<1x54x72xf16>) layout(nwc x wcf -> nwf) numerics(accumulator = f32)
    return %r : tensor<1x54x72xf16>
  }
}

// -----

// Tiles of one vector would widen an element of the input for each multiply-add:
// that takes longer than a copy beyond the L2 cache. Those of two, or with lanes
// along pixels, share it.
module attributes {convoy.target = #convoy.target<vector_bytes = 64, registers = 32>} {
  // CHECK-LABEL: func.func @one_vector
  func.func @one_vector(%x: tensor<1x784x96xf16>, %w: tensor<1x96x16xf16>, %init: tensor<1x784x16xf16>) -> tensor<1x784x16xf16> {
    // CHECK: convoy.conv ins(%{{.*}}, %{{.*}} : tensor<1x784x96xf32>, tensor<1x96x16xf32>)
    %r = convoy.conv ins(%x, %w : tensor<1x784x96xf16>, tensor<1x96x16xf16>) outs(%init : tensor<1x784x16xf16>) layout(nwc x wcf -> nwf) numerics(accumulator = f32)
    return %r : tensor<1x784x16xf16>
  }
  // CHECK-LABEL: func.func @two_vectors
  func.func @two_vectors(%x: tensor<1x784x96xf16>, %w: tensor<1x96x24xf16>, %init: tensor<1x784x24xf16>) -> tensor<1x784x24xf16> {
    // CHECK: convoy.conv ins(%{{.*}}, %{{.*}} : tensor<1x784x96xf16>, tensor<1x96x24xf16>)
    %r = convoy.conv ins(%x, %w : tensor<1x784x96xf16>, tensor<1x96x24xf16>) outs(%init : tensor<1x784x24xf16>) layout(nwc x wcf -> nwf) numerics(accumulator = f32)
    return %r : tensor<1x784x24xf16>
  }
  // CHECK-LABEL: func.func @vectors_of_pixels
  func.func @vectors_of_pixels(%x: tensor<1x96x784xf16>, %w: tensor<16x96x1xf16>, %init: tensor<1x16x784xf16>) -> tensor<1x16x784xf16> {
    // CHECK: convoy.conv ins(%{{.*}}, %{{.*}} : tensor<1x96x784xf16>, tensor<16x96x1xf16>)
    %r = convoy.conv ins(%x, %w : tensor<1x96x784xf16>, tensor<16x96x1xf16>) outs(%init : tensor<1x16x784xf16>) layout(ncw x fcw -> nfw) numerics(accumulator = f32)
    return %r : tensor<1x16x784xf16>
  }
}
