// Ops that take the bits of an index for a number without a sign.
// RUN: rm -rf %t && split-file %s %t
// RUN: not convoy-certify %t/before.mlir %t/after.mlir | FileCheck %s --implicit-check-not=undecided

//--- before.mlir
// Whatever its sign, an index has 64 bits.
// CHECK-DAG: certified: @argument:
func.func @argument(%x: tensor<64xf32>, %n: index) -> tensor<4xf32> {
  %c7 = arith.constant 7 : index
  %c8 = arith.constant 8 : index
  %quotient = arith.divui %n, %c8 : index
  %at = arith.minui %quotient, %c7 : index
  %r = tensor.extract_slice %x[%at] [4] [1] : tensor<64xf32> to tensor<4xf32>
  return %r : tensor<4xf32>
}
// CHECK-DAG: certified: @digits:
func.func @digits(%x: tensor<12xf32>) -> tensor<12xf32> {
  %e = tensor.empty() : tensor<12xf32>
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c1 = arith.constant 1 : index
  %cm1 = arith.constant -1 : index
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%e : tensor<12xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %q = arith.divui %i, %c4 : index
    %r4 = arith.remui %i, %c4 : index
    %s = arith.muli %q, %c4 : index
    %at = arith.addi %s, %r4 : index
    %v = tensor.extract %x[%at] : tensor<12xf32>
    linalg.yield %v : f32
  } -> tensor<12xf32>
  return %r : tensor<12xf32>
}
// CHECK-DAG: certified: @least:
func.func @least(%x: tensor<12xf32>) -> tensor<12xf32> {
  %e = tensor.empty() : tensor<12xf32>
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c1 = arith.constant 1 : index
  %cm1 = arith.constant -1 : index
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%e : tensor<12xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %at = arith.minui %i, %c3 : index
    %v = tensor.extract %x[%at] : tensor<12xf32>
    linalg.yield %v : f32
  } -> tensor<12xf32>
  return %r : tensor<12xf32>
}
// CHECK-DAG: certified: @greatest:
func.func @greatest(%x: tensor<12xf32>) -> tensor<12xf32> {
  %e = tensor.empty() : tensor<12xf32>
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c1 = arith.constant 1 : index
  %cm1 = arith.constant -1 : index
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%e : tensor<12xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %at = arith.maxui %i, %c3 : index
    %v = tensor.extract %x[%at] : tensor<12xf32>
    linalg.yield %v : f32
  } -> tensor<12xf32>
  return %r : tensor<12xf32>
}
// CHECK-DAG: certified: @least_of_negative:
func.func @least_of_negative(%x: tensor<12xf32>) -> tensor<12xf32> {
  %e = tensor.empty() : tensor<12xf32>
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c1 = arith.constant 1 : index
  %cm1 = arith.constant -1 : index
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%e : tensor<12xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %m = arith.subi %i, %c3 : index
    %at = arith.minui %m, %c4 : index
    %v = tensor.extract %x[%at] : tensor<12xf32>
    linalg.yield %v : f32
  } -> tensor<12xf32>
  return %r : tensor<12xf32>
}
// CHECK-DAG: different: @least_with_sign:
func.func @least_with_sign(%x: tensor<12xf32>) -> tensor<12xf32> {
  %e = tensor.empty() : tensor<12xf32>
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c1 = arith.constant 1 : index
  %cm1 = arith.constant -1 : index
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%e : tensor<12xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %m = arith.subi %i, %c3 : index
    %l = arith.minui %m, %c4 : index
    %at = arith.maxsi %l, %c1 : index
    %v = tensor.extract %x[%at] : tensor<12xf32>
    linalg.yield %v : f32
  } -> tensor<12xf32>
  return %r : tensor<12xf32>
}
// CHECK-DAG: certified: @cast:
func.func @cast(%x: tensor<12xf32>) -> tensor<12xf32> {
  %e = tensor.empty() : tensor<12xf32>
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c1 = arith.constant 1 : index
  %cm1 = arith.constant -1 : index
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%e : tensor<12xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %w = arith.index_castui %i : index to i64
    %at = arith.index_castui %w : i64 to index
    %v = tensor.extract %x[%at] : tensor<12xf32>
    linalg.yield %v : f32
  } -> tensor<12xf32>
  return %r : tensor<12xf32>
}
// CHECK-DAG: certified: @below:
func.func @below(%x: tensor<12xf32>) -> tensor<12xf32> {
  %e = tensor.empty() : tensor<12xf32>
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c1 = arith.constant 1 : index
  %cm1 = arith.constant -1 : index
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%e : tensor<12xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %m = arith.subi %i, %c3 : index
    %p = arith.cmpi ult, %m, %c4 : index
    %at = arith.select %p, %c1, %c3 : index
    %v = tensor.extract %x[%at] : tensor<12xf32>
    linalg.yield %v : f32
  } -> tensor<12xf32>
  return %r : tensor<12xf32>
}
// CHECK-DAG: different: @below_with_sign:
func.func @below_with_sign(%x: tensor<12xf32>) -> tensor<12xf32> {
  %e = tensor.empty() : tensor<12xf32>
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c1 = arith.constant 1 : index
  %cm1 = arith.constant -1 : index
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%e : tensor<12xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %m = arith.subi %i, %c3 : index
    %p = arith.cmpi ult, %m, %c4 : index
    %at = arith.select %p, %c1, %c3 : index
    %v = tensor.extract %x[%at] : tensor<12xf32>
    linalg.yield %v : f32
  } -> tensor<12xf32>
  return %r : tensor<12xf32>
}
// CHECK-DAG: different: @quotient_of_negative:
func.func @quotient_of_negative(%x: tensor<12xf32>) -> tensor<12xf32> {
  %e = tensor.empty() : tensor<12xf32>
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c1 = arith.constant 1 : index
  %cm1 = arith.constant -1 : index
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%e : tensor<12xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %m = arith.subi %i, %c3 : index
    %q = arith.floordivsi %m, %c4 : index
    %at = arith.maxsi %q, %c1 : index
    %v = tensor.extract %x[%at] : tensor<12xf32>
    linalg.yield %v : f32
  } -> tensor<12xf32>
  return %r : tensor<12xf32>
}

// A remainder that is too large for an index with a sign is a negative one.
// CHECK-DAG: certified: @high_remainder:
func.func @high_remainder(%x: tensor<12xf32>) -> tensor<12xf32> {
  %e = tensor.empty() : tensor<12xf32>
  %c1 = arith.constant 1 : index
  %c14 = arith.constant 14 : index
  %cm1 = arith.constant -1 : index
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%e : tensor<12xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %m = arith.subi %i, %c14 : index
    %q = arith.remui %m, %cm1 : index
    %p = arith.cmpi slt, %q, %c1 : index
    %at = arith.select %p, %i, %c1 : index
    %v = tensor.extract %x[%at] : tensor<12xf32>
    linalg.yield %v : f32
  } -> tensor<12xf32>
  return %r : tensor<12xf32>
}
// CHECK-DAG: different: @high_remainder_wrong:
func.func @high_remainder_wrong(%x: tensor<12xf32>) -> tensor<12xf32> {
  %e = tensor.empty() : tensor<12xf32>
  %c1 = arith.constant 1 : index
  %c14 = arith.constant 14 : index
  %cm1 = arith.constant -1 : index
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%e : tensor<12xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %m = arith.subi %i, %c14 : index
    %q = arith.remui %m, %cm1 : index
    %p = arith.cmpi slt, %q, %c1 : index
    %at = arith.select %p, %i, %c1 : index
    %v = tensor.extract %x[%at] : tensor<12xf32>
    linalg.yield %v : f32
  } -> tensor<12xf32>
  return %r : tensor<12xf32>
}
//--- after.mlir
func.func @argument(%x: tensor<64xf32>, %n: index) -> tensor<4xf32> {
  %c7 = arith.constant 7 : index
  %c8 = arith.constant 8 : index
  %quotient = arith.divui %n, %c8 : index
  %at = arith.minui %c7, %quotient : index
  %r = tensor.extract_slice %x[%at] [4] [1] : tensor<64xf32> to tensor<4xf32>
  return %r : tensor<4xf32>
}
func.func @digits(%x: tensor<12xf32>) -> tensor<12xf32> {
  %e = tensor.empty() : tensor<12xf32>
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c1 = arith.constant 1 : index
  %cm1 = arith.constant -1 : index
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%e : tensor<12xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %at = arith.maxsi %i, %i : index
    %v = tensor.extract %x[%at] : tensor<12xf32>
    linalg.yield %v : f32
  } -> tensor<12xf32>
  return %r : tensor<12xf32>
}
func.func @least(%x: tensor<12xf32>) -> tensor<12xf32> {
  %e = tensor.empty() : tensor<12xf32>
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c1 = arith.constant 1 : index
  %cm1 = arith.constant -1 : index
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%e : tensor<12xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %at = arith.minsi %i, %c3 : index
    %v = tensor.extract %x[%at] : tensor<12xf32>
    linalg.yield %v : f32
  } -> tensor<12xf32>
  return %r : tensor<12xf32>
}
func.func @greatest(%x: tensor<12xf32>) -> tensor<12xf32> {
  %e = tensor.empty() : tensor<12xf32>
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c1 = arith.constant 1 : index
  %cm1 = arith.constant -1 : index
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%e : tensor<12xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %at = arith.maxsi %i, %c3 : index
    %v = tensor.extract %x[%at] : tensor<12xf32>
    linalg.yield %v : f32
  } -> tensor<12xf32>
  return %r : tensor<12xf32>
}
func.func @least_of_negative(%x: tensor<12xf32>) -> tensor<12xf32> {
  %e = tensor.empty() : tensor<12xf32>
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c1 = arith.constant 1 : index
  %cm1 = arith.constant -1 : index
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%e : tensor<12xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %m = arith.subi %i, %c3 : index
    %p = arith.cmpi slt, %m, %c1 : index
    %n = arith.cmpi slt, %i, %c3 : index
    %least = arith.minsi %m, %c4 : index
    %at = arith.select %n, %c4, %least : index
    %v = tensor.extract %x[%at] : tensor<12xf32>
    linalg.yield %v : f32
  } -> tensor<12xf32>
  return %r : tensor<12xf32>
}
func.func @least_with_sign(%x: tensor<12xf32>) -> tensor<12xf32> {
  %e = tensor.empty() : tensor<12xf32>
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c1 = arith.constant 1 : index
  %cm1 = arith.constant -1 : index
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%e : tensor<12xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %m = arith.subi %i, %c3 : index
    %l = arith.minsi %m, %c4 : index
    %at = arith.maxsi %l, %c1 : index
    %v = tensor.extract %x[%at] : tensor<12xf32>
    linalg.yield %v : f32
  } -> tensor<12xf32>
  return %r : tensor<12xf32>
}
func.func @cast(%x: tensor<12xf32>) -> tensor<12xf32> {
  %e = tensor.empty() : tensor<12xf32>
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c1 = arith.constant 1 : index
  %cm1 = arith.constant -1 : index
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%e : tensor<12xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %at = arith.maxsi %i, %i : index
    %v = tensor.extract %x[%at] : tensor<12xf32>
    linalg.yield %v : f32
  } -> tensor<12xf32>
  return %r : tensor<12xf32>
}
func.func @below(%x: tensor<12xf32>) -> tensor<12xf32> {
  %e = tensor.empty() : tensor<12xf32>
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c1 = arith.constant 1 : index
  %cm1 = arith.constant -1 : index
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%e : tensor<12xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %a = arith.cmpi sge, %i, %c3 : index
    %c7 = arith.constant 7 : index
    %b = arith.cmpi slt, %i, %c7 : index
    %p = arith.andi %a, %b : i1
    %at = arith.select %p, %c1, %c3 : index
    %v = tensor.extract %x[%at] : tensor<12xf32>
    linalg.yield %v : f32
  } -> tensor<12xf32>
  return %r : tensor<12xf32>
}
func.func @below_with_sign(%x: tensor<12xf32>) -> tensor<12xf32> {
  %e = tensor.empty() : tensor<12xf32>
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c1 = arith.constant 1 : index
  %cm1 = arith.constant -1 : index
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%e : tensor<12xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %m = arith.subi %i, %c3 : index
    %p = arith.cmpi slt, %m, %c4 : index
    %at = arith.select %p, %c1, %c3 : index
    %v = tensor.extract %x[%at] : tensor<12xf32>
    linalg.yield %v : f32
  } -> tensor<12xf32>
  return %r : tensor<12xf32>
}
func.func @quotient_of_negative(%x: tensor<12xf32>) -> tensor<12xf32> {
  %e = tensor.empty() : tensor<12xf32>
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c1 = arith.constant 1 : index
  %cm1 = arith.constant -1 : index
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%e : tensor<12xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %m = arith.subi %i, %c3 : index
    %q = arith.divui %m, %c4 : index
    %at = arith.minsi %q, %c3 : index
    %v = tensor.extract %x[%at] : tensor<12xf32>
    linalg.yield %v : f32
  } -> tensor<12xf32>
  return %r : tensor<12xf32>
}
func.func @high_remainder(%x: tensor<12xf32>) -> tensor<12xf32> {
  %e = tensor.empty() : tensor<12xf32>
  %c0 = arith.constant 0 : index
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%e : tensor<12xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %at = arith.addi %i, %c0 : index
    %v = tensor.extract %x[%at] : tensor<12xf32>
    linalg.yield %v : f32
  } -> tensor<12xf32>
  return %r : tensor<12xf32>
}
func.func @high_remainder_wrong(%x: tensor<12xf32>) -> tensor<12xf32> {
  %e = tensor.empty() : tensor<12xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%e : tensor<12xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %at = arith.addi %c1, %c0 : index
    %v = tensor.extract %x[%at] : tensor<12xf32>
    linalg.yield %v : f32
  } -> tensor<12xf32>
  return %r : tensor<12xf32>
}
