// Products of matrices of words by the instructions of CPUs, and words of 64 bits.
// RUN: rm -rf %t && split-file %s %t
// RUN: not convoy-certify %t/before.mlir %t/after.mlir | FileCheck %s
// CHECK-DAG: certified: @smmla:
// CHECK-DAG: certified: @ummla:
// CHECK-DAG: certified: @usmmla:
// CHECK-DAG: different: @smmla_swapped: element
// CHECK-DAG: different: @usmmla_swapped: element
// CHECK-DAG: different: @smmla_for_ummla: element
// CHECK-DAG: undecided: @short: {{.*}}llvm.call_intrinsic: an effect that results do not show
// CHECK-DAG: undecided: @bfmmla: {{.*}}llvm.call_intrinsic: an effect that results do not show
// CHECK-DAG: certified: @difference_in_a_word:
// CHECK-DAG: undecided: @far_difference_in_a_word:

//--- before.mlir
#rows = affine_map<(d0, d1, d2) -> (d0, d2)>
#columns = affine_map<(d0, d1, d2) -> (d1, d2)>
#results = affine_map<(d0, d1, d2) -> (d0, d1)>

func.func @smmla(%x: tensor<2x8xi8>, %y: tensor<2x8xi8>, %z: tensor<2x2xi32>) -> tensor<2x2xi32> {
  %r = linalg.generic {indexing_maps = [#rows, #columns, #results], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %y : tensor<2x8xi8>, tensor<2x8xi8>) outs(%z : tensor<2x2xi32>) {
  ^bb0(%a: i8, %b: i8, %sum: i32):
    %wa = arith.extsi %a : i8 to i32
    %wb = arith.extsi %b : i8 to i32
    %p = arith.muli %wa, %wb : i32
    %s = arith.addi %sum, %p : i32
    linalg.yield %s : i32
  } -> tensor<2x2xi32>
  return %r : tensor<2x2xi32>
}

func.func @ummla(%x: tensor<2x8xi8>, %y: tensor<2x8xi8>, %z: tensor<2x2xi32>) -> tensor<2x2xi32> {
  %r = linalg.generic {indexing_maps = [#rows, #columns, #results], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %y : tensor<2x8xi8>, tensor<2x8xi8>) outs(%z : tensor<2x2xi32>) {
  ^bb0(%a: i8, %b: i8, %sum: i32):
    %wa = arith.extui %a : i8 to i32
    %wb = arith.extui %b : i8 to i32
    %p = arith.muli %wa, %wb : i32
    %s = arith.addi %sum, %p : i32
    linalg.yield %s : i32
  } -> tensor<2x2xi32>
  return %r : tensor<2x2xi32>
}

func.func @usmmla(%x: tensor<2x8xi8>, %y: tensor<2x8xi8>, %z: tensor<2x2xi32>) -> tensor<2x2xi32> {
  %r = linalg.generic {indexing_maps = [#rows, #columns, #results], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %y : tensor<2x8xi8>, tensor<2x8xi8>) outs(%z : tensor<2x2xi32>) {
  ^bb0(%a: i8, %b: i8, %sum: i32):
    %wa = arith.extui %a : i8 to i32
    %wb = arith.extsi %b : i8 to i32
    %p = arith.muli %wa, %wb : i32
    %s = arith.addi %sum, %p : i32
    linalg.yield %s : i32
  } -> tensor<2x2xi32>
  return %r : tensor<2x2xi32>
}

func.func @smmla_swapped(%x: tensor<2x8xi8>, %y: tensor<2x8xi8>, %z: tensor<2x2xi32>) -> tensor<2x2xi32> {
  %r = linalg.generic {indexing_maps = [#rows, #columns, #results], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %y : tensor<2x8xi8>, tensor<2x8xi8>) outs(%z : tensor<2x2xi32>) {
  ^bb0(%a: i8, %b: i8, %sum: i32):
    %wa = arith.extsi %a : i8 to i32
    %wb = arith.extsi %b : i8 to i32
    %p = arith.muli %wa, %wb : i32
    %s = arith.addi %sum, %p : i32
    linalg.yield %s : i32
  } -> tensor<2x2xi32>
  return %r : tensor<2x2xi32>
}

func.func @usmmla_swapped(%x: tensor<2x8xi8>, %y: tensor<2x8xi8>, %z: tensor<2x2xi32>) -> tensor<2x2xi32> {
  %r = linalg.generic {indexing_maps = [#rows, #columns, #results], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %y : tensor<2x8xi8>, tensor<2x8xi8>) outs(%z : tensor<2x2xi32>) {
  ^bb0(%a: i8, %b: i8, %sum: i32):
    %wa = arith.extui %a : i8 to i32
    %wb = arith.extsi %b : i8 to i32
    %p = arith.muli %wa, %wb : i32
    %s = arith.addi %sum, %p : i32
    linalg.yield %s : i32
  } -> tensor<2x2xi32>
  return %r : tensor<2x2xi32>
}

func.func @smmla_for_ummla(%x: tensor<2x8xi8>, %y: tensor<2x8xi8>, %z: tensor<2x2xi32>) -> tensor<2x2xi32> {
  %r = linalg.generic {indexing_maps = [#rows, #columns, #results], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %y : tensor<2x8xi8>, tensor<2x8xi8>) outs(%z : tensor<2x2xi32>) {
  ^bb0(%a: i8, %b: i8, %sum: i32):
    %wa = arith.extui %a : i8 to i32
    %wb = arith.extui %b : i8 to i32
    %p = arith.muli %wa, %wb : i32
    %s = arith.addi %sum, %p : i32
    linalg.yield %s : i32
  } -> tensor<2x2xi32>
  return %r : tensor<2x2xi32>
}

func.func @short(%x: tensor<8xi8>, %y: tensor<8xi8>, %z: tensor<2xi32>) -> tensor<2xi32> {
  return %z : tensor<2xi32>
}

func.func @bfmmla(%x: tensor<8xbf16>, %y: tensor<8xbf16>, %z: tensor<4xf32>) -> tensor<4xf32> {
  return %z : tensor<4xf32>
}

func.func @difference_in_a_word(%x: tensor<5xi8>) -> tensor<5xi32> {
  %c = arith.constant dense<-128> : tensor<5xi32>
  %a = arith.extsi %x : tensor<5xi8> to tensor<5xi32>
  %d = arith.subi %a, %c : tensor<5xi32>
  return %d : tensor<5xi32>
}

func.func @far_difference_in_a_word(%x: tensor<5xi8>) -> tensor<5xi32> {
  %c = arith.constant dense<-129> : tensor<5xi32>
  %a = arith.extsi %x : tensor<5xi8> to tensor<5xi32>
  %d = arith.subi %a, %c : tensor<5xi32>
  return %d : tensor<5xi32>
}

//--- after.mlir
func.func @smmla(%x: tensor<2x8xi8>, %y: tensor<2x8xi8>, %z: tensor<2x2xi32>) -> tensor<2x2xi32> {
  %c0 = arith.constant 0 : index
  %p = ub.poison : i8
  %q = ub.poison : i32
  %a2 = vector.transfer_read %x[%c0, %c0], %p {in_bounds = [true, true]} : tensor<2x8xi8>, vector<2x8xi8>
  %b2 = vector.transfer_read %y[%c0, %c0], %p {in_bounds = [true, true]} : tensor<2x8xi8>, vector<2x8xi8>
  %s2 = vector.transfer_read %z[%c0, %c0], %q {in_bounds = [true, true]} : tensor<2x2xi32>, vector<2x2xi32>
  %a = vector.shape_cast %a2 : vector<2x8xi8> to vector<16xi8>
  %b = vector.shape_cast %b2 : vector<2x8xi8> to vector<16xi8>
  %s = vector.shape_cast %s2 : vector<2x2xi32> to vector<4xi32>
  %w = llvm.call_intrinsic "llvm.aarch64.neon.smmla.v4i32.v16i8"(%s, %a, %b) : (vector<4xi32>, vector<16xi8>, vector<16xi8>) -> vector<4xi32>
  %w2 = vector.shape_cast %w : vector<4xi32> to vector<2x2xi32>
  %r = vector.transfer_write %w2, %z[%c0, %c0] {in_bounds = [true, true]} : vector<2x2xi32>, tensor<2x2xi32>
  return %r : tensor<2x2xi32>
}

func.func @ummla(%x: tensor<2x8xi8>, %y: tensor<2x8xi8>, %z: tensor<2x2xi32>) -> tensor<2x2xi32> {
  %c0 = arith.constant 0 : index
  %p = ub.poison : i8
  %q = ub.poison : i32
  %a2 = vector.transfer_read %x[%c0, %c0], %p {in_bounds = [true, true]} : tensor<2x8xi8>, vector<2x8xi8>
  %b2 = vector.transfer_read %y[%c0, %c0], %p {in_bounds = [true, true]} : tensor<2x8xi8>, vector<2x8xi8>
  %s2 = vector.transfer_read %z[%c0, %c0], %q {in_bounds = [true, true]} : tensor<2x2xi32>, vector<2x2xi32>
  %a = vector.shape_cast %a2 : vector<2x8xi8> to vector<16xi8>
  %b = vector.shape_cast %b2 : vector<2x8xi8> to vector<16xi8>
  %s = vector.shape_cast %s2 : vector<2x2xi32> to vector<4xi32>
  %w = llvm.call_intrinsic "llvm.aarch64.neon.ummla.v4i32.v16i8"(%s, %a, %b) : (vector<4xi32>, vector<16xi8>, vector<16xi8>) -> vector<4xi32>
  %w2 = vector.shape_cast %w : vector<4xi32> to vector<2x2xi32>
  %r = vector.transfer_write %w2, %z[%c0, %c0] {in_bounds = [true, true]} : vector<2x2xi32>, tensor<2x2xi32>
  return %r : tensor<2x2xi32>
}

func.func @usmmla(%x: tensor<2x8xi8>, %y: tensor<2x8xi8>, %z: tensor<2x2xi32>) -> tensor<2x2xi32> {
  %c0 = arith.constant 0 : index
  %p = ub.poison : i8
  %q = ub.poison : i32
  %a2 = vector.transfer_read %x[%c0, %c0], %p {in_bounds = [true, true]} : tensor<2x8xi8>, vector<2x8xi8>
  %b2 = vector.transfer_read %y[%c0, %c0], %p {in_bounds = [true, true]} : tensor<2x8xi8>, vector<2x8xi8>
  %s2 = vector.transfer_read %z[%c0, %c0], %q {in_bounds = [true, true]} : tensor<2x2xi32>, vector<2x2xi32>
  %a = vector.shape_cast %a2 : vector<2x8xi8> to vector<16xi8>
  %b = vector.shape_cast %b2 : vector<2x8xi8> to vector<16xi8>
  %s = vector.shape_cast %s2 : vector<2x2xi32> to vector<4xi32>
  %w = llvm.call_intrinsic "llvm.aarch64.neon.usmmla.v4i32.v16i8"(%s, %a, %b) : (vector<4xi32>, vector<16xi8>, vector<16xi8>) -> vector<4xi32>
  %w2 = vector.shape_cast %w : vector<4xi32> to vector<2x2xi32>
  %r = vector.transfer_write %w2, %z[%c0, %c0] {in_bounds = [true, true]} : vector<2x2xi32>, tensor<2x2xi32>
  return %r : tensor<2x2xi32>
}

func.func @smmla_swapped(%x: tensor<2x8xi8>, %y: tensor<2x8xi8>, %z: tensor<2x2xi32>) -> tensor<2x2xi32> {
  %c0 = arith.constant 0 : index
  %p = ub.poison : i8
  %q = ub.poison : i32
  %a2 = vector.transfer_read %x[%c0, %c0], %p {in_bounds = [true, true]} : tensor<2x8xi8>, vector<2x8xi8>
  %b2 = vector.transfer_read %y[%c0, %c0], %p {in_bounds = [true, true]} : tensor<2x8xi8>, vector<2x8xi8>
  %s2 = vector.transfer_read %z[%c0, %c0], %q {in_bounds = [true, true]} : tensor<2x2xi32>, vector<2x2xi32>
  %a = vector.shape_cast %a2 : vector<2x8xi8> to vector<16xi8>
  %b = vector.shape_cast %b2 : vector<2x8xi8> to vector<16xi8>
  %s = vector.shape_cast %s2 : vector<2x2xi32> to vector<4xi32>
  %w = llvm.call_intrinsic "llvm.aarch64.neon.smmla.v4i32.v16i8"(%s, %b, %a) : (vector<4xi32>, vector<16xi8>, vector<16xi8>) -> vector<4xi32>
  %w2 = vector.shape_cast %w : vector<4xi32> to vector<2x2xi32>
  %r = vector.transfer_write %w2, %z[%c0, %c0] {in_bounds = [true, true]} : vector<2x2xi32>, tensor<2x2xi32>
  return %r : tensor<2x2xi32>
}

func.func @usmmla_swapped(%x: tensor<2x8xi8>, %y: tensor<2x8xi8>, %z: tensor<2x2xi32>) -> tensor<2x2xi32> {
  %c0 = arith.constant 0 : index
  %p = ub.poison : i8
  %q = ub.poison : i32
  %a2 = vector.transfer_read %x[%c0, %c0], %p {in_bounds = [true, true]} : tensor<2x8xi8>, vector<2x8xi8>
  %b2 = vector.transfer_read %y[%c0, %c0], %p {in_bounds = [true, true]} : tensor<2x8xi8>, vector<2x8xi8>
  %s2 = vector.transfer_read %z[%c0, %c0], %q {in_bounds = [true, true]} : tensor<2x2xi32>, vector<2x2xi32>
  %a = vector.shape_cast %a2 : vector<2x8xi8> to vector<16xi8>
  %b = vector.shape_cast %b2 : vector<2x8xi8> to vector<16xi8>
  %s = vector.shape_cast %s2 : vector<2x2xi32> to vector<4xi32>
  %w = llvm.call_intrinsic "llvm.aarch64.neon.usmmla.v4i32.v16i8"(%s, %b, %a) : (vector<4xi32>, vector<16xi8>, vector<16xi8>) -> vector<4xi32>
  %w2 = vector.shape_cast %w : vector<4xi32> to vector<2x2xi32>
  %r = vector.transfer_write %w2, %z[%c0, %c0] {in_bounds = [true, true]} : vector<2x2xi32>, tensor<2x2xi32>
  return %r : tensor<2x2xi32>
}

func.func @smmla_for_ummla(%x: tensor<2x8xi8>, %y: tensor<2x8xi8>, %z: tensor<2x2xi32>) -> tensor<2x2xi32> {
  %c0 = arith.constant 0 : index
  %p = ub.poison : i8
  %q = ub.poison : i32
  %a2 = vector.transfer_read %x[%c0, %c0], %p {in_bounds = [true, true]} : tensor<2x8xi8>, vector<2x8xi8>
  %b2 = vector.transfer_read %y[%c0, %c0], %p {in_bounds = [true, true]} : tensor<2x8xi8>, vector<2x8xi8>
  %s2 = vector.transfer_read %z[%c0, %c0], %q {in_bounds = [true, true]} : tensor<2x2xi32>, vector<2x2xi32>
  %a = vector.shape_cast %a2 : vector<2x8xi8> to vector<16xi8>
  %b = vector.shape_cast %b2 : vector<2x8xi8> to vector<16xi8>
  %s = vector.shape_cast %s2 : vector<2x2xi32> to vector<4xi32>
  %w = llvm.call_intrinsic "llvm.aarch64.neon.smmla.v4i32.v16i8"(%s, %a, %b) : (vector<4xi32>, vector<16xi8>, vector<16xi8>) -> vector<4xi32>
  %w2 = vector.shape_cast %w : vector<4xi32> to vector<2x2xi32>
  %r = vector.transfer_write %w2, %z[%c0, %c0] {in_bounds = [true, true]} : vector<2x2xi32>, tensor<2x2xi32>
  return %r : tensor<2x2xi32>
}

func.func @short(%x: tensor<8xi8>, %y: tensor<8xi8>, %z: tensor<2xi32>) -> tensor<2xi32> {
  %c0 = arith.constant 0 : index
  %p = ub.poison : i8
  %q = ub.poison : i32
  %a = vector.transfer_read %x[%c0], %p {in_bounds = [true]} : tensor<8xi8>, vector<8xi8>
  %b = vector.transfer_read %y[%c0], %p {in_bounds = [true]} : tensor<8xi8>, vector<8xi8>
  %s = vector.transfer_read %z[%c0], %q {in_bounds = [true]} : tensor<2xi32>, vector<2xi32>
  %w = llvm.call_intrinsic "llvm.aarch64.neon.smmla.v2i32.v8i8"(%s, %a, %b) : (vector<2xi32>, vector<8xi8>, vector<8xi8>) -> vector<2xi32>
  %r = vector.transfer_write %w, %z[%c0] {in_bounds = [true]} : vector<2xi32>, tensor<2xi32>
  return %r : tensor<2xi32>
}

func.func @bfmmla(%x: tensor<8xbf16>, %y: tensor<8xbf16>, %z: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %p = ub.poison : bf16
  %q = ub.poison : f32
  %a = vector.transfer_read %x[%c0], %p {in_bounds = [true]} : tensor<8xbf16>, vector<8xbf16>
  %b = vector.transfer_read %y[%c0], %p {in_bounds = [true]} : tensor<8xbf16>, vector<8xbf16>
  %s = vector.transfer_read %z[%c0], %q {in_bounds = [true]} : tensor<4xf32>, vector<4xf32>
  %w = llvm.call_intrinsic "llvm.aarch64.neon.bfmmla"(%s, %a, %b) : (vector<4xf32>, vector<8xbf16>, vector<8xbf16>) -> vector<4xf32>
  %r = vector.transfer_write %w, %z[%c0] {in_bounds = [true]} : vector<4xf32>, tensor<4xf32>
  return %r : tensor<4xf32>
}

func.func @difference_in_a_word(%x: tensor<5xi8>) -> tensor<5xi32> {
  %c = arith.constant dense<-128> : tensor<5xi16>
  %shift = arith.constant dense<56> : tensor<5xi64>
  %a = arith.extsi %x : tensor<5xi8> to tensor<5xi16>
  %d = arith.subi %a, %c : tensor<5xi16>
  %part = arith.trunci %d : tensor<5xi16> to tensor<5xi8>
  %low = arith.extui %part : tensor<5xi8> to tensor<5xi64>
  %high = arith.shli %low, %shift : tensor<5xi64>
  %word = arith.ori %low, %high : tensor<5xi64>
  %last = arith.shrui %word, %shift : tensor<5xi64>
  %byte = arith.trunci %last : tensor<5xi64> to tensor<5xi8>
  %r = arith.extui %byte : tensor<5xi8> to tensor<5xi32>
  return %r : tensor<5xi32>
}

func.func @far_difference_in_a_word(%x: tensor<5xi8>) -> tensor<5xi32> {
  %c = arith.constant dense<-129> : tensor<5xi16>
  %shift = arith.constant dense<56> : tensor<5xi64>
  %a = arith.extsi %x : tensor<5xi8> to tensor<5xi16>
  %d = arith.subi %a, %c : tensor<5xi16>
  %part = arith.trunci %d : tensor<5xi16> to tensor<5xi8>
  %low = arith.extui %part : tensor<5xi8> to tensor<5xi64>
  %high = arith.shli %low, %shift : tensor<5xi64>
  %word = arith.ori %low, %high : tensor<5xi64>
  %last = arith.shrui %word, %shift : tensor<5xi64>
  %byte = arith.trunci %last : tensor<5xi64> to tensor<5xi8>
  %r = arith.extui %byte : tensor<5xi8> to tensor<5xi32>
  return %r : tensor<5xi32>
}
