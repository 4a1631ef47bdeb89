// RUN: convoy-opt %s --convoy-matrices-to-amx --cse --canonicalize --split-input-file | FileCheck %s

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>

// Tiles hold the sums of a loop, which begin as zeros, and are written in place of
// them. Rows of bf16 that lie side by side are rows of words.
module attributes {convoy.target = #convoy.target<vector_bytes = 64, registers = 32, dot = ["amx_tdpbf16ps"]>} {
  // CHECK-LABEL: func.func @loop
  // CHECK-SAME: (%[[X:.*]]: memref<5x96xbf16>, %[[W:.*]]: memref<48x7xi32>, %[[Y:.*]]: memref<5x9xf32>)
  func.func @loop(%x: memref<5x96xbf16>, %w: memref<48x7xi32>, %y: memref<5x9xf32>) {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %c48 = arith.constant 48 : index
    %c2 = arith.constant 2 : index
    %word = ub.poison : i32
    %bits = ub.poison : bf16
    %high = arith.constant dense<16> : vector<5x16xi32>
    %highw = arith.constant dense<16> : vector<16x7xi32>
    %zeros = arith.constant dense<0.0> : vector<5x7xf32>
    // The palette, the bytes of rows of sums, of %x and of %w, and how many rows.
    // CHECK-DAG: %[[SHAPES:.*]] = arith.constant dense<[1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 28, 0, 64, 0, 28, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5, 5, 16, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]> : vector<64xi8>
    // CHECK-DAG: %[[SUMS:.*]] = arith.constant 0 : i8
    // CHECK-DAG: %[[ROWS:.*]] = arith.constant 1 : i8
    // CHECK-DAG: %[[COLUMNS:.*]] = arith.constant 2 : i8
    // CHECK: %[[MEMORY:.*]] = memref.alloca() {alignment = 64 : i64} : memref<64xi8>
    // CHECK: vector.store %[[SHAPES]], %[[MEMORY]]
    // CHECK: llvm.call_intrinsic "llvm.x86.ldtilecfg"(
    // CHECK: llvm.call_intrinsic "llvm.x86.tilezero"(%[[SUMS]])
    // CHECK: scf.for
    // CHECK-NOT: iter_args
    // CHECK: llvm.call_intrinsic "llvm.x86.tileloadd64"(%[[ROWS]], %{{.*}}, %{{.*}}) : (i8, !llvm.ptr, i64) -> ()
    // CHECK: llvm.call_intrinsic "llvm.x86.tileloadd64"(%[[COLUMNS]], %{{.*}}, %{{.*}})
    // CHECK-NEXT: llvm.call_intrinsic "llvm.x86.tdpbf16ps"(%[[SUMS]], %[[ROWS]], %[[COLUMNS]]) : (i8, i8, i8) -> ()
    // CHECK-NEXT: }
    // CHECK: llvm.call_intrinsic "llvm.x86.tilestored64"(%[[SUMS]],
    // CHECK-NEXT: llvm.call_intrinsic "llvm.x86.tilerelease"()
    // CHECK-NEXT: return
    %r = scf.for %k = %c0 to %c48 step %c16 iter_args(%sum = %zeros) -> (vector<5x7xf32>) {
      %element = arith.muli %k, %c2 : index
      %rows = vector.transfer_read %x[%c0, %element], %bits {in_bounds = [true, true]} : memref<5x96xbf16>, vector<5x32xbf16>
      %a = vector.bitcast %rows : vector<5x32xbf16> to vector<5x16xi32>
      %b = vector.transfer_read %w[%k, %c0], %word {in_bounds = [true, true]} : memref<48x7xi32>, vector<16x7xi32>
      %a1 = arith.shrui %a, %high : vector<5x16xi32>
      %a2 = arith.trunci %a1 : vector<5x16xi32> to vector<5x16xi16>
      %a3 = arith.bitcast %a2 : vector<5x16xi16> to vector<5x16xbf16>
      %a4 = arith.extf %a3 : vector<5x16xbf16> to vector<5x16xf32>
      %b1 = arith.shrui %b, %highw : vector<16x7xi32>
      %b2 = arith.trunci %b1 : vector<16x7xi32> to vector<16x7xi16>
      %b3 = arith.bitcast %b2 : vector<16x7xi16> to vector<16x7xbf16>
      %b4 = arith.extf %b3 : vector<16x7xbf16> to vector<16x7xf32>
      %sum1 = vector.contract {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %a4, %b4, %sum : vector<5x16xf32>, vector<16x7xf32> into vector<5x7xf32>
      %a5 = arith.trunci %a : vector<5x16xi32> to vector<5x16xi16>
      %a6 = arith.bitcast %a5 : vector<5x16xi16> to vector<5x16xbf16>
      %a7 = arith.extf %a6 : vector<5x16xbf16> to vector<5x16xf32>
      %b5 = arith.trunci %b : vector<16x7xi32> to vector<16x7xi16>
      %b6 = arith.bitcast %b5 : vector<16x7xi16> to vector<16x7xbf16>
      %b7 = arith.extf %b6 : vector<16x7xbf16> to vector<16x7xf32>
      %sum2 = vector.contract {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %a7, %b7, %sum1 : vector<5x16xf32>, vector<16x7xf32> into vector<5x7xf32>
      scf.yield %sum2 : vector<5x7xf32>
    }
    vector.transfer_write %r, %y[%c0, %c0] {in_bounds = [true, true]} : vector<5x7xf32>, memref<5x9xf32>
    return
  }
}

// -----

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>

// Sums that begin as something else are loaded, and rows that are used by
// themselves are read again.
module attributes {convoy.target = #convoy.target<dot = ["amx_tdpbuud"]>} {
  // CHECK-LABEL: func.func @rows
  func.func @rows(%x: memref<2x3xi32>, %w: memref<3x4xi32>, %init0: vector<4xi32>, %init1: vector<4xi32>) -> (vector<4xi32>, vector<4xi32>) {
    // CHECK: vector.store %{{.*}}, %[[BEFORE:.*]][%c0, %c0] : memref<2x16xi32>, vector<4xi32>
    // CHECK: vector.store %{{.*}}, %[[BEFORE]][%c1, %c0]
    // CHECK: llvm.call_intrinsic "llvm.x86.tileloadd64"(%c0_i8
    // CHECK: llvm.call_intrinsic "llvm.x86.tdpbuud"
    // CHECK: llvm.call_intrinsic "llvm.x86.tilestored64"(%c0_i8
    // CHECK: %[[FIRST:.*]] = vector.load %[[AFTER:.*]][%c0, %c0] : memref<2x16xi32>, vector<4xi32>
    // CHECK: %[[SECOND:.*]] = vector.load %[[AFTER]][%c1, %c0]
    // CHECK: return %[[FIRST]], %[[SECOND]]
    %c0 = arith.constant 0 : index
    %word = ub.poison : i32
    %none = ub.poison : vector<2x4xi32>
    %start = vector.insert %init0, %none [0] : vector<4xi32> into vector<2x4xi32>
    %s0 = vector.insert %init1, %start [1] : vector<4xi32> into vector<2x4xi32>
    %a = vector.transfer_read %x[%c0, %c0], %word {in_bounds = [true, true]} : memref<2x3xi32>, vector<2x3xi32>
    %b = vector.transfer_read %w[%c0, %c0], %word {in_bounds = [true, true]} : memref<3x4xi32>, vector<3x4xi32>
    %xs8 = arith.constant dense<8> : vector<2x3xi32>
    %ws8 = arith.constant dense<8> : vector<3x4xi32>
    %xs16 = arith.constant dense<16> : vector<2x3xi32>
    %ws16 = arith.constant dense<16> : vector<3x4xi32>
    %xs24 = arith.constant dense<24> : vector<2x3xi32>
    %ws24 = arith.constant dense<24> : vector<3x4xi32>
    %xh24 = arith.shrui %a, %xs24 : vector<2x3xi32>
    %wh24 = arith.shrui %b, %ws24 : vector<3x4xi32>
    %xt24 = arith.trunci %xh24 : vector<2x3xi32> to vector<2x3xi8>
    %xe24 = arith.extui %xt24 : vector<2x3xi8> to vector<2x3xi32>
    %wt24 = arith.trunci %wh24 : vector<3x4xi32> to vector<3x4xi8>
    %we24 = arith.extui %wt24 : vector<3x4xi8> to vector<3x4xi32>
    %s1 = vector.contract {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %xe24, %we24, %s0 : vector<2x3xi32>, vector<3x4xi32> into vector<2x4xi32>
    %xh16 = arith.shrui %a, %xs16 : vector<2x3xi32>
    %wh16 = arith.shrui %b, %ws16 : vector<3x4xi32>
    %xt16 = arith.trunci %xh16 : vector<2x3xi32> to vector<2x3xi8>
    %xe16 = arith.extui %xt16 : vector<2x3xi8> to vector<2x3xi32>
    %wt16 = arith.trunci %wh16 : vector<3x4xi32> to vector<3x4xi8>
    %we16 = arith.extui %wt16 : vector<3x4xi8> to vector<3x4xi32>
    %s2 = vector.contract {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %xe16, %we16, %s1 : vector<2x3xi32>, vector<3x4xi32> into vector<2x4xi32>
    %xh8 = arith.shrui %a, %xs8 : vector<2x3xi32>
    %wh8 = arith.shrui %b, %ws8 : vector<3x4xi32>
    %xt8 = arith.trunci %xh8 : vector<2x3xi32> to vector<2x3xi8>
    %xe8 = arith.extui %xt8 : vector<2x3xi8> to vector<2x3xi32>
    %wt8 = arith.trunci %wh8 : vector<3x4xi32> to vector<3x4xi8>
    %we8 = arith.extui %wt8 : vector<3x4xi8> to vector<3x4xi32>
    %s3 = vector.contract {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %xe8, %we8, %s2 : vector<2x3xi32>, vector<3x4xi32> into vector<2x4xi32>
    %xt0 = arith.trunci %a : vector<2x3xi32> to vector<2x3xi8>
    %xe0 = arith.extui %xt0 : vector<2x3xi8> to vector<2x3xi32>
    %wt0 = arith.trunci %b : vector<3x4xi32> to vector<3x4xi8>
    %we0 = arith.extui %wt0 : vector<3x4xi8> to vector<3x4xi32>
    %s4 = vector.contract {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %xe0, %we0, %s3 : vector<2x3xi32>, vector<3x4xi32> into vector<2x4xi32>
    %r0 = vector.extract %s4[0] : vector<4xi32> from vector<2x4xi32>
    %r1 = vector.extract %s4[1] : vector<4xi32> from vector<2x4xi32>
    return %r0, %r1 : vector<4xi32>, vector<4xi32>
  }
}

// -----

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
#turned = affine_map<(d0, d1) -> (d1, d0)>

// Rows whose words do not lie side by side fit no tile, nor do more than 16.
module attributes {convoy.target = #convoy.target<dot = ["amx_tdpbuud"]>} {
  // CHECK-LABEL: func.func @turned
  // CHECK-NOT: call_intrinsic
  // CHECK-COUNT-4: vector.contract
  func.func @turned(%x: memref<3x2xi32>, %w: memref<3x4xi32>, %s0: vector<2x4xi32>) -> vector<2x4xi32> {
    %c0 = arith.constant 0 : index
    %word = ub.poison : i32
    %a = vector.transfer_read %x[%c0, %c0], %word {in_bounds = [true, true], permutation_map = #turned} : memref<3x2xi32>, vector<2x3xi32>
    %b = vector.transfer_read %w[%c0, %c0], %word {in_bounds = [true, true]} : memref<3x4xi32>, vector<3x4xi32>
    %xs8 = arith.constant dense<8> : vector<2x3xi32>
    %ws8 = arith.constant dense<8> : vector<3x4xi32>
    %xs16 = arith.constant dense<16> : vector<2x3xi32>
    %ws16 = arith.constant dense<16> : vector<3x4xi32>
    %xs24 = arith.constant dense<24> : vector<2x3xi32>
    %ws24 = arith.constant dense<24> : vector<3x4xi32>
    %xh24 = arith.shrui %a, %xs24 : vector<2x3xi32>
    %wh24 = arith.shrui %b, %ws24 : vector<3x4xi32>
    %xt24 = arith.trunci %xh24 : vector<2x3xi32> to vector<2x3xi8>
    %xe24 = arith.extui %xt24 : vector<2x3xi8> to vector<2x3xi32>
    %wt24 = arith.trunci %wh24 : vector<3x4xi32> to vector<3x4xi8>
    %we24 = arith.extui %wt24 : vector<3x4xi8> to vector<3x4xi32>
    %s1 = vector.contract {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %xe24, %we24, %s0 : vector<2x3xi32>, vector<3x4xi32> into vector<2x4xi32>
    %xh16 = arith.shrui %a, %xs16 : vector<2x3xi32>
    %wh16 = arith.shrui %b, %ws16 : vector<3x4xi32>
    %xt16 = arith.trunci %xh16 : vector<2x3xi32> to vector<2x3xi8>
    %xe16 = arith.extui %xt16 : vector<2x3xi8> to vector<2x3xi32>
    %wt16 = arith.trunci %wh16 : vector<3x4xi32> to vector<3x4xi8>
    %we16 = arith.extui %wt16 : vector<3x4xi8> to vector<3x4xi32>
    %s2 = vector.contract {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %xe16, %we16, %s1 : vector<2x3xi32>, vector<3x4xi32> into vector<2x4xi32>
    %xh8 = arith.shrui %a, %xs8 : vector<2x3xi32>
    %wh8 = arith.shrui %b, %ws8 : vector<3x4xi32>
    %xt8 = arith.trunci %xh8 : vector<2x3xi32> to vector<2x3xi8>
    %xe8 = arith.extui %xt8 : vector<2x3xi8> to vector<2x3xi32>
    %wt8 = arith.trunci %wh8 : vector<3x4xi32> to vector<3x4xi8>
    %we8 = arith.extui %wt8 : vector<3x4xi8> to vector<3x4xi32>
    %s3 = vector.contract {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %xe8, %we8, %s2 : vector<2x3xi32>, vector<3x4xi32> into vector<2x4xi32>
    %xt0 = arith.trunci %a : vector<2x3xi32> to vector<2x3xi8>
    %xe0 = arith.extui %xt0 : vector<2x3xi8> to vector<2x3xi32>
    %wt0 = arith.trunci %b : vector<3x4xi32> to vector<3x4xi8>
    %we0 = arith.extui %wt0 : vector<3x4xi8> to vector<3x4xi32>
    %s4 = vector.contract {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %xe0, %we0, %s3 : vector<2x3xi32>, vector<3x4xi32> into vector<2x4xi32>
    return %s4 : vector<2x4xi32>
  }

  // CHECK-LABEL: func.func @large
  // CHECK-NOT: call_intrinsic
  // CHECK-COUNT-4: vector.contract
  func.func @large(%x: memref<17x3xi32>, %w: memref<3x4xi32>, %s0: vector<17x4xi32>) -> vector<17x4xi32> {
    %c0 = arith.constant 0 : index
    %word = ub.poison : i32
    %a = vector.transfer_read %x[%c0, %c0], %word {in_bounds = [true, true]} : memref<17x3xi32>, vector<17x3xi32>
    %b = vector.transfer_read %w[%c0, %c0], %word {in_bounds = [true, true]} : memref<3x4xi32>, vector<3x4xi32>
    %xs8 = arith.constant dense<8> : vector<17x3xi32>
    %ws8 = arith.constant dense<8> : vector<3x4xi32>
    %xs16 = arith.constant dense<16> : vector<17x3xi32>
    %ws16 = arith.constant dense<16> : vector<3x4xi32>
    %xs24 = arith.constant dense<24> : vector<17x3xi32>
    %ws24 = arith.constant dense<24> : vector<3x4xi32>
    %xh24 = arith.shrui %a, %xs24 : vector<17x3xi32>
    %wh24 = arith.shrui %b, %ws24 : vector<3x4xi32>
    %xt24 = arith.trunci %xh24 : vector<17x3xi32> to vector<17x3xi8>
    %xe24 = arith.extui %xt24 : vector<17x3xi8> to vector<17x3xi32>
    %wt24 = arith.trunci %wh24 : vector<3x4xi32> to vector<3x4xi8>
    %we24 = arith.extui %wt24 : vector<3x4xi8> to vector<3x4xi32>
    %s1 = vector.contract {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %xe24, %we24, %s0 : vector<17x3xi32>, vector<3x4xi32> into vector<17x4xi32>
    %xh16 = arith.shrui %a, %xs16 : vector<17x3xi32>
    %wh16 = arith.shrui %b, %ws16 : vector<3x4xi32>
    %xt16 = arith.trunci %xh16 : vector<17x3xi32> to vector<17x3xi8>
    %xe16 = arith.extui %xt16 : vector<17x3xi8> to vector<17x3xi32>
    %wt16 = arith.trunci %wh16 : vector<3x4xi32> to vector<3x4xi8>
    %we16 = arith.extui %wt16 : vector<3x4xi8> to vector<3x4xi32>
    %s2 = vector.contract {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %xe16, %we16, %s1 : vector<17x3xi32>, vector<3x4xi32> into vector<17x4xi32>
    %xh8 = arith.shrui %a, %xs8 : vector<17x3xi32>
    %wh8 = arith.shrui %b, %ws8 : vector<3x4xi32>
    %xt8 = arith.trunci %xh8 : vector<17x3xi32> to vector<17x3xi8>
    %xe8 = arith.extui %xt8 : vector<17x3xi8> to vector<17x3xi32>
    %wt8 = arith.trunci %wh8 : vector<3x4xi32> to vector<3x4xi8>
    %we8 = arith.extui %wt8 : vector<3x4xi8> to vector<3x4xi32>
    %s3 = vector.contract {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %xe8, %we8, %s2 : vector<17x3xi32>, vector<3x4xi32> into vector<17x4xi32>
    %xt0 = arith.trunci %a : vector<17x3xi32> to vector<17x3xi8>
    %xe0 = arith.extui %xt0 : vector<17x3xi8> to vector<17x3xi32>
    %wt0 = arith.trunci %b : vector<3x4xi32> to vector<3x4xi8>
    %we0 = arith.extui %wt0 : vector<3x4xi8> to vector<3x4xi32>
    %s4 = vector.contract {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %xe0, %we0, %s3 : vector<17x3xi32>, vector<3x4xi32> into vector<17x4xi32>
    return %s4 : vector<17x4xi32>
  }
}
