// RUN: convoy-opt %s --convoy-arith-to-intrinsics --split-input-file | FileCheck %s

module attributes {convoy.target = #convoy.target<dot = ["neon_sdot", "neon_udot", "neon_usdot", "neon_bfdot"]>} {
  // CHECK-LABEL: func.func @signed
  // CHECK-SAME: (%[[A:.*]]: vector<4xi32>, %[[B:.*]]: vector<4xi32>, %[[SUM:.*]]: vector<4xi32>)
  func.func @signed(%a: vector<4xi32>, %b: vector<4xi32>, %sum: vector<4xi32>) -> vector<4xi32> {
    %c24 = arith.constant dense<24> : vector<4xi32>
    %c16 = arith.constant dense<16> : vector<4xi32>
    %c8 = arith.constant dense<8> : vector<4xi32>
    // CHECK: %[[X:.*]] = vector.bitcast %[[A]] : vector<4xi32> to vector<16xi8>
    // CHECK: %[[Y:.*]] = vector.bitcast %[[B]] : vector<4xi32> to vector<16xi8>
    // CHECK: llvm.call_intrinsic "llvm.aarch64.neon.sdot.v4i32.v16i8"(%[[SUM]], %[[X]], %[[Y]])
    %as3 = arith.shrui %a, %c24 : vector<4xi32>
    %an3 = arith.trunci %as3 : vector<4xi32> to vector<4xi8>
    %a3 = arith.extsi %an3 : vector<4xi8> to vector<4xi32>
    %bs3 = arith.shrui %b, %c24 : vector<4xi32>
    %bn3 = arith.trunci %bs3 : vector<4xi32> to vector<4xi8>
    %b3 = arith.extsi %bn3 : vector<4xi8> to vector<4xi32>
    %p3 = arith.muli %a3, %b3 : vector<4xi32>
    %r3 = arith.addi %sum, %p3 : vector<4xi32>
    %as2 = arith.shrui %a, %c16 : vector<4xi32>
    %an2 = arith.trunci %as2 : vector<4xi32> to vector<4xi8>
    %a2 = arith.extsi %an2 : vector<4xi8> to vector<4xi32>
    %bs2 = arith.shrui %b, %c16 : vector<4xi32>
    %bn2 = arith.trunci %bs2 : vector<4xi32> to vector<4xi8>
    %b2 = arith.extsi %bn2 : vector<4xi8> to vector<4xi32>
    %p2 = arith.muli %a2, %b2 : vector<4xi32>
    %r2 = arith.addi %r3, %p2 : vector<4xi32>
    %as1 = arith.shrui %a, %c8 : vector<4xi32>
    %an1 = arith.trunci %as1 : vector<4xi32> to vector<4xi8>
    %a1 = arith.extsi %an1 : vector<4xi8> to vector<4xi32>
    %bs1 = arith.shrui %b, %c8 : vector<4xi32>
    %bn1 = arith.trunci %bs1 : vector<4xi32> to vector<4xi8>
    %b1 = arith.extsi %bn1 : vector<4xi8> to vector<4xi32>
    %p1 = arith.muli %a1, %b1 : vector<4xi32>
    %r1 = arith.addi %r2, %p1 : vector<4xi32>
    %an0 = arith.trunci %a : vector<4xi32> to vector<4xi8>
    %a0 = arith.extsi %an0 : vector<4xi8> to vector<4xi32>
    %bn0 = arith.trunci %b : vector<4xi32> to vector<4xi8>
    %b0 = arith.extsi %bn0 : vector<4xi8> to vector<4xi32>
    %p0 = arith.muli %a0, %b0 : vector<4xi32>
    %r0 = arith.addi %r1, %p0 : vector<4xi32>
    return %r0 : vector<4xi32>
  }

  // CHECK-LABEL: func.func @half_a_register
  // CHECK-SAME: (%[[A:.*]]: vector<2xi32>, %[[B:.*]]: vector<2xi32>, %[[SUM:.*]]: vector<2xi32>)
  func.func @half_a_register(%a: vector<2xi32>, %b: vector<2xi32>, %sum: vector<2xi32>) -> vector<2xi32> {
    %c24 = arith.constant dense<24> : vector<2xi32>
    %c16 = arith.constant dense<16> : vector<2xi32>
    %c8 = arith.constant dense<8> : vector<2xi32>
    // CHECK: %[[X:.*]] = vector.bitcast %[[A]] : vector<2xi32> to vector<8xi8>
    // CHECK: %[[Y:.*]] = vector.bitcast %[[B]] : vector<2xi32> to vector<8xi8>
    // CHECK: llvm.call_intrinsic "llvm.aarch64.neon.sdot.v2i32.v8i8"(%[[SUM]], %[[X]], %[[Y]])
    %as3 = arith.shrui %a, %c24 : vector<2xi32>
    %an3 = arith.trunci %as3 : vector<2xi32> to vector<2xi8>
    %a3 = arith.extsi %an3 : vector<2xi8> to vector<2xi32>
    %bs3 = arith.shrui %b, %c24 : vector<2xi32>
    %bn3 = arith.trunci %bs3 : vector<2xi32> to vector<2xi8>
    %b3 = arith.extsi %bn3 : vector<2xi8> to vector<2xi32>
    %p3 = arith.muli %a3, %b3 : vector<2xi32>
    %r3 = arith.addi %sum, %p3 : vector<2xi32>
    %as2 = arith.shrui %a, %c16 : vector<2xi32>
    %an2 = arith.trunci %as2 : vector<2xi32> to vector<2xi8>
    %a2 = arith.extsi %an2 : vector<2xi8> to vector<2xi32>
    %bs2 = arith.shrui %b, %c16 : vector<2xi32>
    %bn2 = arith.trunci %bs2 : vector<2xi32> to vector<2xi8>
    %b2 = arith.extsi %bn2 : vector<2xi8> to vector<2xi32>
    %p2 = arith.muli %a2, %b2 : vector<2xi32>
    %r2 = arith.addi %r3, %p2 : vector<2xi32>
    %as1 = arith.shrui %a, %c8 : vector<2xi32>
    %an1 = arith.trunci %as1 : vector<2xi32> to vector<2xi8>
    %a1 = arith.extsi %an1 : vector<2xi8> to vector<2xi32>
    %bs1 = arith.shrui %b, %c8 : vector<2xi32>
    %bn1 = arith.trunci %bs1 : vector<2xi32> to vector<2xi8>
    %b1 = arith.extsi %bn1 : vector<2xi8> to vector<2xi32>
    %p1 = arith.muli %a1, %b1 : vector<2xi32>
    %r1 = arith.addi %r2, %p1 : vector<2xi32>
    %an0 = arith.trunci %a : vector<2xi32> to vector<2xi8>
    %a0 = arith.extsi %an0 : vector<2xi8> to vector<2xi32>
    %bn0 = arith.trunci %b : vector<2xi32> to vector<2xi8>
    %b0 = arith.extsi %bn0 : vector<2xi8> to vector<2xi32>
    %p0 = arith.muli %a0, %b0 : vector<2xi32>
    %r0 = arith.addi %r1, %p0 : vector<2xi32>
    return %r0 : vector<2xi32>
  }

  // CHECK-LABEL: func.func @unsigned
  // CHECK-SAME: (%[[A:.*]]: vector<4xi32>, %[[B:.*]]: vector<4xi32>, %[[SUM:.*]]: vector<4xi32>)
  func.func @unsigned(%a: vector<4xi32>, %b: vector<4xi32>, %sum: vector<4xi32>) -> vector<4xi32> {
    %c24 = arith.constant dense<24> : vector<4xi32>
    %c16 = arith.constant dense<16> : vector<4xi32>
    %c8 = arith.constant dense<8> : vector<4xi32>
    // CHECK: %[[X:.*]] = vector.bitcast %[[A]] : vector<4xi32> to vector<16xi8>
    // CHECK: %[[Y:.*]] = vector.bitcast %[[B]] : vector<4xi32> to vector<16xi8>
    // CHECK: llvm.call_intrinsic "llvm.aarch64.neon.udot.v4i32.v16i8"(%[[SUM]], %[[X]], %[[Y]])
    %as3 = arith.shrui %a, %c24 : vector<4xi32>
    %an3 = arith.trunci %as3 : vector<4xi32> to vector<4xi8>
    %a3 = arith.extui %an3 : vector<4xi8> to vector<4xi32>
    %bs3 = arith.shrui %b, %c24 : vector<4xi32>
    %bn3 = arith.trunci %bs3 : vector<4xi32> to vector<4xi8>
    %b3 = arith.extui %bn3 : vector<4xi8> to vector<4xi32>
    %p3 = arith.muli %a3, %b3 : vector<4xi32>
    %r3 = arith.addi %sum, %p3 : vector<4xi32>
    %as2 = arith.shrui %a, %c16 : vector<4xi32>
    %an2 = arith.trunci %as2 : vector<4xi32> to vector<4xi8>
    %a2 = arith.extui %an2 : vector<4xi8> to vector<4xi32>
    %bs2 = arith.shrui %b, %c16 : vector<4xi32>
    %bn2 = arith.trunci %bs2 : vector<4xi32> to vector<4xi8>
    %b2 = arith.extui %bn2 : vector<4xi8> to vector<4xi32>
    %p2 = arith.muli %a2, %b2 : vector<4xi32>
    %r2 = arith.addi %r3, %p2 : vector<4xi32>
    %as1 = arith.shrui %a, %c8 : vector<4xi32>
    %an1 = arith.trunci %as1 : vector<4xi32> to vector<4xi8>
    %a1 = arith.extui %an1 : vector<4xi8> to vector<4xi32>
    %bs1 = arith.shrui %b, %c8 : vector<4xi32>
    %bn1 = arith.trunci %bs1 : vector<4xi32> to vector<4xi8>
    %b1 = arith.extui %bn1 : vector<4xi8> to vector<4xi32>
    %p1 = arith.muli %a1, %b1 : vector<4xi32>
    %r1 = arith.addi %r2, %p1 : vector<4xi32>
    %an0 = arith.trunci %a : vector<4xi32> to vector<4xi8>
    %a0 = arith.extui %an0 : vector<4xi8> to vector<4xi32>
    %bn0 = arith.trunci %b : vector<4xi32> to vector<4xi8>
    %b0 = arith.extui %bn0 : vector<4xi8> to vector<4xi32>
    %p0 = arith.muli %a0, %b0 : vector<4xi32>
    %r0 = arith.addi %r1, %p0 : vector<4xi32>
    return %r0 : vector<4xi32>
  }

  // The first factor of the instruction is the one without a sign.
  // CHECK-LABEL: func.func @mixed
  // CHECK-SAME: (%[[A:.*]]: vector<4xi32>, %[[B:.*]]: vector<4xi32>, %[[SUM:.*]]: vector<4xi32>)
  func.func @mixed(%a: vector<4xi32>, %b: vector<4xi32>, %sum: vector<4xi32>) -> vector<4xi32> {
    %c24 = arith.constant dense<24> : vector<4xi32>
    %c16 = arith.constant dense<16> : vector<4xi32>
    %c8 = arith.constant dense<8> : vector<4xi32>
    // CHECK: %[[X:.*]] = vector.bitcast %[[B]] : vector<4xi32> to vector<16xi8>
    // CHECK: %[[Y:.*]] = vector.bitcast %[[A]] : vector<4xi32> to vector<16xi8>
    // CHECK: llvm.call_intrinsic "llvm.aarch64.neon.usdot.v4i32.v16i8"(%[[SUM]], %[[X]], %[[Y]])
    %as3 = arith.shrui %a, %c24 : vector<4xi32>
    %an3 = arith.trunci %as3 : vector<4xi32> to vector<4xi8>
    %a3 = arith.extsi %an3 : vector<4xi8> to vector<4xi32>
    %bs3 = arith.shrui %b, %c24 : vector<4xi32>
    %bn3 = arith.trunci %bs3 : vector<4xi32> to vector<4xi8>
    %b3 = arith.extui %bn3 : vector<4xi8> to vector<4xi32>
    %p3 = arith.muli %a3, %b3 : vector<4xi32>
    %r3 = arith.addi %sum, %p3 : vector<4xi32>
    %as2 = arith.shrui %a, %c16 : vector<4xi32>
    %an2 = arith.trunci %as2 : vector<4xi32> to vector<4xi8>
    %a2 = arith.extsi %an2 : vector<4xi8> to vector<4xi32>
    %bs2 = arith.shrui %b, %c16 : vector<4xi32>
    %bn2 = arith.trunci %bs2 : vector<4xi32> to vector<4xi8>
    %b2 = arith.extui %bn2 : vector<4xi8> to vector<4xi32>
    %p2 = arith.muli %a2, %b2 : vector<4xi32>
    %r2 = arith.addi %r3, %p2 : vector<4xi32>
    %as1 = arith.shrui %a, %c8 : vector<4xi32>
    %an1 = arith.trunci %as1 : vector<4xi32> to vector<4xi8>
    %a1 = arith.extsi %an1 : vector<4xi8> to vector<4xi32>
    %bs1 = arith.shrui %b, %c8 : vector<4xi32>
    %bn1 = arith.trunci %bs1 : vector<4xi32> to vector<4xi8>
    %b1 = arith.extui %bn1 : vector<4xi8> to vector<4xi32>
    %p1 = arith.muli %a1, %b1 : vector<4xi32>
    %r1 = arith.addi %r2, %p1 : vector<4xi32>
    %an0 = arith.trunci %a : vector<4xi32> to vector<4xi8>
    %a0 = arith.extsi %an0 : vector<4xi8> to vector<4xi32>
    %bn0 = arith.trunci %b : vector<4xi32> to vector<4xi8>
    %b0 = arith.extui %bn0 : vector<4xi8> to vector<4xi32>
    %p0 = arith.muli %a0, %b0 : vector<4xi32>
    %r0 = arith.addi %r1, %p0 : vector<4xi32>
    return %r0 : vector<4xi32>
  }

  // CHECK-LABEL: func.func @bf16
  // CHECK-SAME: (%[[A:.*]]: vector<4xi32>, %[[B:.*]]: vector<4xi32>, %[[SUM:.*]]: vector<4xf32>)
  func.func @bf16(%a: vector<4xi32>, %b: vector<4xi32>, %sum: vector<4xf32>) -> vector<4xf32> {
    %c16 = arith.constant dense<16> : vector<4xi32>
    // CHECK: %[[X:.*]] = vector.bitcast %[[A]] : vector<4xi32> to vector<8xbf16>
    // CHECK: %[[Y:.*]] = vector.bitcast %[[B]] : vector<4xi32> to vector<8xbf16>
    // CHECK: llvm.call_intrinsic "llvm.aarch64.neon.bfdot.v4f32.v8bf16"(%[[SUM]], %[[X]], %[[Y]])
    // CHECK-NEXT: return
    %as1 = arith.shrui %a, %c16 : vector<4xi32>
    %an1 = arith.trunci %as1 : vector<4xi32> to vector<4xi16>
    %ab1 = arith.bitcast %an1 : vector<4xi16> to vector<4xbf16>
    %a1 = arith.extf %ab1 : vector<4xbf16> to vector<4xf32>
    %bs1 = arith.shrui %b, %c16 : vector<4xi32>
    %bn1 = arith.trunci %bs1 : vector<4xi32> to vector<4xi16>
    %bb1 = arith.bitcast %bn1 : vector<4xi16> to vector<4xbf16>
    %b1 = arith.extf %bb1 : vector<4xbf16> to vector<4xf32>
    %r1 = vector.fma %a1, %b1, %sum : vector<4xf32>
    %an0 = arith.trunci %a : vector<4xi32> to vector<4xi16>
    %ab0 = arith.bitcast %an0 : vector<4xi16> to vector<4xbf16>
    %a0 = arith.extf %ab0 : vector<4xbf16> to vector<4xf32>
    %bn0 = arith.trunci %b : vector<4xi32> to vector<4xi16>
    %bb0 = arith.bitcast %bn0 : vector<4xi16> to vector<4xbf16>
    %b0 = arith.extf %bb0 : vector<4xbf16> to vector<4xf32>
    %r0 = vector.fma %a0, %b0, %r1 : vector<4xf32>
    return %r0 : vector<4xf32>
  }
}
