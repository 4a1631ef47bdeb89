// RUN: convoy-opt %s --convoy-arith-to-intrinsics --split-input-file | FileCheck %s

// Sums of products of words are one instruction, where they fill a register.
module attributes {convoy.target = #convoy.target<dot = ["avx512_pmaddwd", "avx512_vpdpbusd", "avx512_vdpbf16ps"]>} {
  // CHECK-LABEL: func.func @sse
  // CHECK-SAME: (%[[A:.*]]: vector<4xi32>, %[[B:.*]]: vector<4xi32>, %[[SUM:.*]]: vector<4xi32>)
  func.func @sse(%a: vector<4xi32>, %b: vector<4xi32>, %sum: vector<4xi32>) -> vector<4xi32> {
    %c16 = arith.constant dense<16> : vector<4xi32>
    %as1 = arith.shrui %a, %c16 : vector<4xi32>
    %an1 = arith.trunci %as1 : vector<4xi32> to vector<4xi16>
    %a1 = arith.extsi %an1 : vector<4xi16> to vector<4xi32>
    %bs1 = arith.shrui %b, %c16 : vector<4xi32>
    %bn1 = arith.trunci %bs1 : vector<4xi32> to vector<4xi16>
    %b1 = arith.extsi %bn1 : vector<4xi16> to vector<4xi32>
    %p1 = arith.muli %a1, %b1 : vector<4xi32>
    %r1 = arith.addi %sum, %p1 : vector<4xi32>
    %an0 = arith.trunci %a : vector<4xi32> to vector<4xi16>
    %a0 = arith.extsi %an0 : vector<4xi16> to vector<4xi32>
    %bn0 = arith.trunci %b : vector<4xi32> to vector<4xi16>
    %b0 = arith.extsi %bn0 : vector<4xi16> to vector<4xi32>
    // CHECK: %[[X:.*]] = vector.bitcast %[[A]] : vector<4xi32> to vector<8xi16>
    // CHECK: %[[Y:.*]] = vector.bitcast %[[B]] : vector<4xi32> to vector<8xi16>
    // CHECK: %[[BOTH:.*]] = llvm.call_intrinsic "llvm.x86.sse2.pmadd.wd"(%[[X]], %[[Y]]) : (vector<8xi16>, vector<8xi16>) -> vector<4xi32>
    // CHECK: arith.addi %[[SUM]], %[[BOTH]]
    %p0 = arith.muli %a0, %b0 : vector<4xi32>
    %r0 = arith.addi %r1, %p0 : vector<4xi32>
    return %r0 : vector<4xi32>
  }

  // CHECK-LABEL: func.func @avx512
  // CHECK-SAME: (%[[A:.*]]: vector<16xi32>, %[[B:.*]]: vector<16xi32>, %[[SUM:.*]]: vector<16xi32>)
  func.func @avx512(%a: vector<16xi32>, %b: vector<16xi32>, %sum: vector<16xi32>) -> vector<16xi32> {
    %c16 = arith.constant dense<16> : vector<16xi32>
    %as1 = arith.shrui %a, %c16 : vector<16xi32>
    %an1 = arith.trunci %as1 : vector<16xi32> to vector<16xi16>
    %a1 = arith.extsi %an1 : vector<16xi16> to vector<16xi32>
    %bs1 = arith.shrui %b, %c16 : vector<16xi32>
    %bn1 = arith.trunci %bs1 : vector<16xi32> to vector<16xi16>
    %b1 = arith.extsi %bn1 : vector<16xi16> to vector<16xi32>
    %p1 = arith.muli %a1, %b1 : vector<16xi32>
    %r1 = arith.addi %sum, %p1 : vector<16xi32>
    %an0 = arith.trunci %a : vector<16xi32> to vector<16xi16>
    %a0 = arith.extsi %an0 : vector<16xi16> to vector<16xi32>
    %bn0 = arith.trunci %b : vector<16xi32> to vector<16xi16>
    %b0 = arith.extsi %bn0 : vector<16xi16> to vector<16xi32>
    // CHECK: %[[X:.*]] = vector.bitcast %[[A]] : vector<16xi32> to vector<32xi16>
    // CHECK: %[[Y:.*]] = vector.bitcast %[[B]] : vector<16xi32> to vector<32xi16>
    // CHECK: %[[BOTH:.*]] = llvm.call_intrinsic "llvm.x86.avx512.pmaddw.d.512"(%[[X]], %[[Y]]) : (vector<32xi16>, vector<32xi16>) -> vector<16xi32>
    // CHECK: arith.addi %[[SUM]], %[[BOTH]]
    %p0 = arith.muli %a0, %b0 : vector<16xi32>
    %r0 = arith.addi %r1, %p0 : vector<16xi32>
    return %r0 : vector<16xi32>
  }

  // Of four parts the first factor is unsigned,
  // CHECK-LABEL: func.func @quads
  // CHECK-SAME: (%[[A:.*]]: vector<8xi32>, %[[B:.*]]: vector<8xi32>, %[[SUM:.*]]: vector<8xi32>)
  func.func @quads(%a: vector<8xi32>, %b: vector<8xi32>, %sum: vector<8xi32>) -> vector<8xi32> {
    %c8 = arith.constant dense<8> : vector<8xi32>
    %c16 = arith.constant dense<16> : vector<8xi32>
    %c24 = arith.constant dense<24> : vector<8xi32>
    %as3 = arith.shrui %a, %c24 : vector<8xi32>
    %an3 = arith.trunci %as3 : vector<8xi32> to vector<8xi8>
    %a3 = arith.extui %an3 : vector<8xi8> to vector<8xi32>
    %bs3 = arith.shrui %b, %c24 : vector<8xi32>
    %bn3 = arith.trunci %bs3 : vector<8xi32> to vector<8xi8>
    %b3 = arith.extsi %bn3 : vector<8xi8> to vector<8xi32>
    %p3 = arith.muli %a3, %b3 : vector<8xi32>
    %r3 = arith.addi %sum, %p3 : vector<8xi32>
    %as2 = arith.shrui %a, %c16 : vector<8xi32>
    %an2 = arith.trunci %as2 : vector<8xi32> to vector<8xi8>
    %a2 = arith.extui %an2 : vector<8xi8> to vector<8xi32>
    %bs2 = arith.shrui %b, %c16 : vector<8xi32>
    %bn2 = arith.trunci %bs2 : vector<8xi32> to vector<8xi8>
    %b2 = arith.extsi %bn2 : vector<8xi8> to vector<8xi32>
    %p2 = arith.muli %a2, %b2 : vector<8xi32>
    %r2 = arith.addi %r3, %p2 : vector<8xi32>
    %as1 = arith.shrui %a, %c8 : vector<8xi32>
    %an1 = arith.trunci %as1 : vector<8xi32> to vector<8xi8>
    %a1 = arith.extui %an1 : vector<8xi8> to vector<8xi32>
    %bs1 = arith.shrui %b, %c8 : vector<8xi32>
    %bn1 = arith.trunci %bs1 : vector<8xi32> to vector<8xi8>
    %b1 = arith.extsi %bn1 : vector<8xi8> to vector<8xi32>
    %p1 = arith.muli %a1, %b1 : vector<8xi32>
    %r1 = arith.addi %r2, %p1 : vector<8xi32>
    %an0 = arith.trunci %a : vector<8xi32> to vector<8xi8>
    %a0 = arith.extui %an0 : vector<8xi8> to vector<8xi32>
    %bn0 = arith.trunci %b : vector<8xi32> to vector<8xi8>
    %b0 = arith.extsi %bn0 : vector<8xi8> to vector<8xi32>
    // CHECK: %[[X:.*]] = vector.bitcast %[[A]] : vector<8xi32> to vector<32xi8>
    // CHECK: %[[Y:.*]] = vector.bitcast %[[B]] : vector<8xi32> to vector<32xi8>
    // CHECK: %[[R:.*]] = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.256"(%[[SUM]], %[[X]], %[[Y]]) : (vector<8xi32>, vector<32xi8>, vector<32xi8>) -> vector<8xi32>
    // CHECK: return %[[R]]
    %p0 = arith.muli %a0, %b0 : vector<8xi32>
    %r0 = arith.addi %r1, %p0 : vector<8xi32>
    return %r0 : vector<8xi32>
  }

  // or the second is.
  // CHECK-LABEL: func.func @swapped_quads
  // CHECK-SAME: (%[[A:.*]]: vector<16xi32>, %[[B:.*]]: vector<16xi32>, %[[SUM:.*]]: vector<16xi32>)
  func.func @swapped_quads(%a: vector<16xi32>, %b: vector<16xi32>, %sum: vector<16xi32>) -> vector<16xi32> {
    %c8 = arith.constant dense<8> : vector<16xi32>
    %c16 = arith.constant dense<16> : vector<16xi32>
    %c24 = arith.constant dense<24> : vector<16xi32>
    %as3 = arith.shrui %a, %c24 : vector<16xi32>
    %an3 = arith.trunci %as3 : vector<16xi32> to vector<16xi8>
    %a3 = arith.extsi %an3 : vector<16xi8> to vector<16xi32>
    %bs3 = arith.shrui %b, %c24 : vector<16xi32>
    %bn3 = arith.trunci %bs3 : vector<16xi32> to vector<16xi8>
    %b3 = arith.extui %bn3 : vector<16xi8> to vector<16xi32>
    %p3 = arith.muli %a3, %b3 : vector<16xi32>
    %r3 = arith.addi %sum, %p3 : vector<16xi32>
    %as2 = arith.shrui %a, %c16 : vector<16xi32>
    %an2 = arith.trunci %as2 : vector<16xi32> to vector<16xi8>
    %a2 = arith.extsi %an2 : vector<16xi8> to vector<16xi32>
    %bs2 = arith.shrui %b, %c16 : vector<16xi32>
    %bn2 = arith.trunci %bs2 : vector<16xi32> to vector<16xi8>
    %b2 = arith.extui %bn2 : vector<16xi8> to vector<16xi32>
    %p2 = arith.muli %a2, %b2 : vector<16xi32>
    %r2 = arith.addi %r3, %p2 : vector<16xi32>
    %as1 = arith.shrui %a, %c8 : vector<16xi32>
    %an1 = arith.trunci %as1 : vector<16xi32> to vector<16xi8>
    %a1 = arith.extsi %an1 : vector<16xi8> to vector<16xi32>
    %bs1 = arith.shrui %b, %c8 : vector<16xi32>
    %bn1 = arith.trunci %bs1 : vector<16xi32> to vector<16xi8>
    %b1 = arith.extui %bn1 : vector<16xi8> to vector<16xi32>
    %p1 = arith.muli %a1, %b1 : vector<16xi32>
    %r1 = arith.addi %r2, %p1 : vector<16xi32>
    %an0 = arith.trunci %a : vector<16xi32> to vector<16xi8>
    %a0 = arith.extsi %an0 : vector<16xi8> to vector<16xi32>
    %bn0 = arith.trunci %b : vector<16xi32> to vector<16xi8>
    %b0 = arith.extui %bn0 : vector<16xi8> to vector<16xi32>
    // CHECK: %[[X:.*]] = vector.bitcast %[[B]] : vector<16xi32> to vector<64xi8>
    // CHECK: %[[Y:.*]] = vector.bitcast %[[A]] : vector<16xi32> to vector<64xi8>
    // CHECK: %[[R:.*]] = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(%[[SUM]], %[[X]], %[[Y]]) : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
    // CHECK: return %[[R]]
    %p0 = arith.muli %a0, %b0 : vector<16xi32>
    %r0 = arith.addi %r1, %p0 : vector<16xi32>
    return %r0 : vector<16xi32>
  }

  // A factor of which all parts are one constant is a constant word, of the sign
  // that an instruction takes.
  // CHECK-LABEL: func.func @multiples
  // CHECK-SAME: (%[[B:.*]]: vector<16xi32>, %[[SUM:.*]]: vector<16xi32>)
  func.func @multiples(%b: vector<16xi32>, %sum: vector<16xi32>) -> vector<16xi32> {
    %c8 = arith.constant dense<8> : vector<16xi32>
    %c16 = arith.constant dense<16> : vector<16xi32>
    %c24 = arith.constant dense<24> : vector<16xi32>
    %k3 = arith.constant dense<128> : vector<16xi32>
    %bs3 = arith.shrui %b, %c24 : vector<16xi32>
    %bn3 = arith.trunci %bs3 : vector<16xi32> to vector<16xi8>
    %b3 = arith.extsi %bn3 : vector<16xi8> to vector<16xi32>
    %p3 = arith.muli %b3, %k3 : vector<16xi32>
    %r3 = arith.addi %sum, %p3 : vector<16xi32>
    %k2 = arith.constant dense<128> : vector<16xi32>
    %bs2 = arith.shrui %b, %c16 : vector<16xi32>
    %bn2 = arith.trunci %bs2 : vector<16xi32> to vector<16xi8>
    %b2 = arith.extsi %bn2 : vector<16xi8> to vector<16xi32>
    %p2 = arith.muli %b2, %k2 : vector<16xi32>
    %r2 = arith.addi %r3, %p2 : vector<16xi32>
    %k1 = arith.constant dense<128> : vector<16xi32>
    %bs1 = arith.shrui %b, %c8 : vector<16xi32>
    %bn1 = arith.trunci %bs1 : vector<16xi32> to vector<16xi8>
    %b1 = arith.extsi %bn1 : vector<16xi8> to vector<16xi32>
    %p1 = arith.muli %b1, %k1 : vector<16xi32>
    %r1 = arith.addi %r2, %p1 : vector<16xi32>
    %k0 = arith.constant dense<128> : vector<16xi32>
    %bn0 = arith.trunci %b : vector<16xi32> to vector<16xi8>
    %b0 = arith.extsi %bn0 : vector<16xi8> to vector<16xi32>
    // CHECK: %[[K:.*]] = arith.constant dense<-2139062144> : vector<16xi32>
    // CHECK: %[[X:.*]] = vector.bitcast %[[K]] : vector<16xi32> to vector<64xi8>
    // CHECK: %[[Y:.*]] = vector.bitcast %[[B]] : vector<16xi32> to vector<64xi8>
    // CHECK: %[[R:.*]] = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(%[[SUM]], %[[X]], %[[Y]])
    // CHECK: return %[[R]]
    %p0 = arith.muli %b0, %k0 : vector<16xi32>
    %r0 = arith.addi %r1, %p0 : vector<16xi32>
    return %r0 : vector<16xi32>
  }

  // CHECK-LABEL: func.func @unsigned_multiples
  // CHECK-SAME: (%[[B:.*]]: vector<16xi32>, %[[SUM:.*]]: vector<16xi32>)
  func.func @unsigned_multiples(%b: vector<16xi32>, %sum: vector<16xi32>) -> vector<16xi32> {
    %c8 = arith.constant dense<8> : vector<16xi32>
    %c16 = arith.constant dense<16> : vector<16xi32>
    %c24 = arith.constant dense<24> : vector<16xi32>
    %k3 = arith.constant dense<-3> : vector<16xi32>
    %bs3 = arith.shrui %b, %c24 : vector<16xi32>
    %bn3 = arith.trunci %bs3 : vector<16xi32> to vector<16xi8>
    %b3 = arith.extui %bn3 : vector<16xi8> to vector<16xi32>
    %p3 = arith.muli %b3, %k3 : vector<16xi32>
    %r3 = arith.addi %sum, %p3 : vector<16xi32>
    %k2 = arith.constant dense<-3> : vector<16xi32>
    %bs2 = arith.shrui %b, %c16 : vector<16xi32>
    %bn2 = arith.trunci %bs2 : vector<16xi32> to vector<16xi8>
    %b2 = arith.extui %bn2 : vector<16xi8> to vector<16xi32>
    %p2 = arith.muli %b2, %k2 : vector<16xi32>
    %r2 = arith.addi %r3, %p2 : vector<16xi32>
    %k1 = arith.constant dense<-3> : vector<16xi32>
    %bs1 = arith.shrui %b, %c8 : vector<16xi32>
    %bn1 = arith.trunci %bs1 : vector<16xi32> to vector<16xi8>
    %b1 = arith.extui %bn1 : vector<16xi8> to vector<16xi32>
    %p1 = arith.muli %b1, %k1 : vector<16xi32>
    %r1 = arith.addi %r2, %p1 : vector<16xi32>
    %k0 = arith.constant dense<-3> : vector<16xi32>
    %bn0 = arith.trunci %b : vector<16xi32> to vector<16xi8>
    %b0 = arith.extui %bn0 : vector<16xi8> to vector<16xi32>
    // CHECK: %[[K:.*]] = arith.constant dense<-33686019> : vector<16xi32>
    // CHECK: %[[X:.*]] = vector.bitcast %[[B]] : vector<16xi32> to vector<64xi8>
    // CHECK: %[[Y:.*]] = vector.bitcast %[[K]] : vector<16xi32> to vector<64xi8>
    // CHECK: %[[R:.*]] = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(%[[SUM]], %[[X]], %[[Y]])
    // CHECK: return %[[R]]
    %p0 = arith.muli %b0, %k0 : vector<16xi32>
    %r0 = arith.addi %r1, %p0 : vector<16xi32>
    return %r0 : vector<16xi32>
  }

  // Neither sign fits, or parts have several factors.
  // CHECK-LABEL: func.func @large_multiples
  // CHECK-SAME: (%[[B:.*]]: vector<16xi32>, %[[SUM:.*]]: vector<16xi32>)
  func.func @large_multiples(%b: vector<16xi32>, %sum: vector<16xi32>) -> vector<16xi32> {
    %c8 = arith.constant dense<8> : vector<16xi32>
    %c16 = arith.constant dense<16> : vector<16xi32>
    %c24 = arith.constant dense<24> : vector<16xi32>
    %k3 = arith.constant dense<256> : vector<16xi32>
    %bs3 = arith.shrui %b, %c24 : vector<16xi32>
    %bn3 = arith.trunci %bs3 : vector<16xi32> to vector<16xi8>
    %b3 = arith.extsi %bn3 : vector<16xi8> to vector<16xi32>
    %p3 = arith.muli %b3, %k3 : vector<16xi32>
    %r3 = arith.addi %sum, %p3 : vector<16xi32>
    %k2 = arith.constant dense<256> : vector<16xi32>
    %bs2 = arith.shrui %b, %c16 : vector<16xi32>
    %bn2 = arith.trunci %bs2 : vector<16xi32> to vector<16xi8>
    %b2 = arith.extsi %bn2 : vector<16xi8> to vector<16xi32>
    %p2 = arith.muli %b2, %k2 : vector<16xi32>
    %r2 = arith.addi %r3, %p2 : vector<16xi32>
    %k1 = arith.constant dense<256> : vector<16xi32>
    %bs1 = arith.shrui %b, %c8 : vector<16xi32>
    %bn1 = arith.trunci %bs1 : vector<16xi32> to vector<16xi8>
    %b1 = arith.extsi %bn1 : vector<16xi8> to vector<16xi32>
    %p1 = arith.muli %b1, %k1 : vector<16xi32>
    %r1 = arith.addi %r2, %p1 : vector<16xi32>
    %k0 = arith.constant dense<256> : vector<16xi32>
    %bn0 = arith.trunci %b : vector<16xi32> to vector<16xi8>
    %b0 = arith.extsi %bn0 : vector<16xi8> to vector<16xi32>
    // CHECK-NOT: llvm.call_intrinsic
    // CHECK: return
    %p0 = arith.muli %b0, %k0 : vector<16xi32>
    %r0 = arith.addi %r1, %p0 : vector<16xi32>
    return %r0 : vector<16xi32>
  }

  // CHECK-LABEL: func.func @signed_multiples
  // CHECK-SAME: (%[[B:.*]]: vector<16xi32>, %[[SUM:.*]]: vector<16xi32>)
  func.func @signed_multiples(%b: vector<16xi32>, %sum: vector<16xi32>) -> vector<16xi32> {
    %c8 = arith.constant dense<8> : vector<16xi32>
    %c16 = arith.constant dense<16> : vector<16xi32>
    %c24 = arith.constant dense<24> : vector<16xi32>
    %k3 = arith.constant dense<-3> : vector<16xi32>
    %bs3 = arith.shrui %b, %c24 : vector<16xi32>
    %bn3 = arith.trunci %bs3 : vector<16xi32> to vector<16xi8>
    %b3 = arith.extsi %bn3 : vector<16xi8> to vector<16xi32>
    %p3 = arith.muli %b3, %k3 : vector<16xi32>
    %r3 = arith.addi %sum, %p3 : vector<16xi32>
    %k2 = arith.constant dense<-3> : vector<16xi32>
    %bs2 = arith.shrui %b, %c16 : vector<16xi32>
    %bn2 = arith.trunci %bs2 : vector<16xi32> to vector<16xi8>
    %b2 = arith.extsi %bn2 : vector<16xi8> to vector<16xi32>
    %p2 = arith.muli %b2, %k2 : vector<16xi32>
    %r2 = arith.addi %r3, %p2 : vector<16xi32>
    %k1 = arith.constant dense<-3> : vector<16xi32>
    %bs1 = arith.shrui %b, %c8 : vector<16xi32>
    %bn1 = arith.trunci %bs1 : vector<16xi32> to vector<16xi8>
    %b1 = arith.extsi %bn1 : vector<16xi8> to vector<16xi32>
    %p1 = arith.muli %b1, %k1 : vector<16xi32>
    %r1 = arith.addi %r2, %p1 : vector<16xi32>
    %k0 = arith.constant dense<-3> : vector<16xi32>
    %bn0 = arith.trunci %b : vector<16xi32> to vector<16xi8>
    %b0 = arith.extsi %bn0 : vector<16xi8> to vector<16xi32>
    // CHECK-NOT: llvm.call_intrinsic
    // CHECK: return
    %p0 = arith.muli %b0, %k0 : vector<16xi32>
    %r0 = arith.addi %r1, %p0 : vector<16xi32>
    return %r0 : vector<16xi32>
  }

  // CHECK-LABEL: func.func @unequal_multiples
  // CHECK-SAME: (%[[B:.*]]: vector<16xi32>, %[[SUM:.*]]: vector<16xi32>)
  func.func @unequal_multiples(%b: vector<16xi32>, %sum: vector<16xi32>) -> vector<16xi32> {
    %c8 = arith.constant dense<8> : vector<16xi32>
    %c16 = arith.constant dense<16> : vector<16xi32>
    %c24 = arith.constant dense<24> : vector<16xi32>
    %k3 = arith.constant dense<128> : vector<16xi32>
    %bs3 = arith.shrui %b, %c24 : vector<16xi32>
    %bn3 = arith.trunci %bs3 : vector<16xi32> to vector<16xi8>
    %b3 = arith.extsi %bn3 : vector<16xi8> to vector<16xi32>
    %p3 = arith.muli %b3, %k3 : vector<16xi32>
    %r3 = arith.addi %sum, %p3 : vector<16xi32>
    %k2 = arith.constant dense<127> : vector<16xi32>
    %bs2 = arith.shrui %b, %c16 : vector<16xi32>
    %bn2 = arith.trunci %bs2 : vector<16xi32> to vector<16xi8>
    %b2 = arith.extsi %bn2 : vector<16xi8> to vector<16xi32>
    %p2 = arith.muli %b2, %k2 : vector<16xi32>
    %r2 = arith.addi %r3, %p2 : vector<16xi32>
    %k1 = arith.constant dense<128> : vector<16xi32>
    %bs1 = arith.shrui %b, %c8 : vector<16xi32>
    %bn1 = arith.trunci %bs1 : vector<16xi32> to vector<16xi8>
    %b1 = arith.extsi %bn1 : vector<16xi8> to vector<16xi32>
    %p1 = arith.muli %b1, %k1 : vector<16xi32>
    %r1 = arith.addi %r2, %p1 : vector<16xi32>
    %k0 = arith.constant dense<128> : vector<16xi32>
    %bn0 = arith.trunci %b : vector<16xi32> to vector<16xi8>
    %b0 = arith.extsi %bn0 : vector<16xi8> to vector<16xi32>
    // CHECK-NOT: llvm.call_intrinsic
    // CHECK: return
    %p0 = arith.muli %b0, %k0 : vector<16xi32>
    %r0 = arith.addi %r1, %p0 : vector<16xi32>
    return %r0 : vector<16xi32>
  }

  // No instruction takes both with their signs.
  // CHECK-LABEL: func.func @signed_quads
  func.func @signed_quads(%a: vector<4xi32>, %b: vector<4xi32>, %sum: vector<4xi32>) -> vector<4xi32> {
    %c8 = arith.constant dense<8> : vector<4xi32>
    %c16 = arith.constant dense<16> : vector<4xi32>
    %c24 = arith.constant dense<24> : vector<4xi32>
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
    // CHECK-NOT: llvm.call_intrinsic
    // CHECK-NOT: vector.bitcast
    // CHECK: return
    %p0 = arith.muli %a0, %b0 : vector<4xi32>
    %r0 = arith.addi %r1, %p0 : vector<4xi32>
    return %r0 : vector<4xi32>
  }

  // CHECK-LABEL: func.func @bf16
  // CHECK-SAME: (%[[A:.*]]: vector<16xi32>, %[[B:.*]]: vector<16xi32>, %[[SUM:.*]]: vector<16xf32>)
  func.func @bf16(%a: vector<16xi32>, %b: vector<16xi32>, %sum: vector<16xf32>) -> vector<16xf32> {
    %c16 = arith.constant dense<16> : vector<16xi32>
    %as1 = arith.shrui %a, %c16 : vector<16xi32>
    %an1 = arith.trunci %as1 : vector<16xi32> to vector<16xi16>
    %ab1 = arith.bitcast %an1 : vector<16xi16> to vector<16xbf16>
    %a1 = arith.extf %ab1 : vector<16xbf16> to vector<16xf32>
    %bs1 = arith.shrui %b, %c16 : vector<16xi32>
    %bn1 = arith.trunci %bs1 : vector<16xi32> to vector<16xi16>
    %bb1 = arith.bitcast %bn1 : vector<16xi16> to vector<16xbf16>
    %b1 = arith.extf %bb1 : vector<16xbf16> to vector<16xf32>
    %r1 = vector.fma %a1, %b1, %sum : vector<16xf32>
    %an0 = arith.trunci %a : vector<16xi32> to vector<16xi16>
    %ab0 = arith.bitcast %an0 : vector<16xi16> to vector<16xbf16>
    %a0 = arith.extf %ab0 : vector<16xbf16> to vector<16xf32>
    %bn0 = arith.trunci %b : vector<16xi32> to vector<16xi16>
    %bb0 = arith.bitcast %bn0 : vector<16xi16> to vector<16xbf16>
    %b0 = arith.extf %bb0 : vector<16xbf16> to vector<16xf32>
    // CHECK: %[[X:.*]] = vector.bitcast %[[A]] : vector<16xi32> to vector<32xbf16>
    // CHECK: %[[Y:.*]] = vector.bitcast %[[B]] : vector<16xi32> to vector<32xbf16>
    // CHECK: %[[R:.*]] = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(%[[SUM]], %[[X]], %[[Y]]) : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
    // CHECK: return %[[R]]
    %r0 = vector.fma %a0, %b0, %r1 : vector<16xf32>
    return %r0 : vector<16xf32>
  }

  // Three words are part of a register.
  // CHECK-LABEL: func.func @three
  // CHECK-SAME: (%[[A:.*]]: vector<3xi32>, %[[B:.*]]: vector<3xi32>, %[[SUM:.*]]: vector<3xi32>)
  func.func @three(%a: vector<3xi32>, %b: vector<3xi32>, %sum: vector<3xi32>) -> vector<3xi32> {
    %c16 = arith.constant dense<16> : vector<3xi32>
    %as1 = arith.shrui %a, %c16 : vector<3xi32>
    %an1 = arith.trunci %as1 : vector<3xi32> to vector<3xi16>
    %a1 = arith.extsi %an1 : vector<3xi16> to vector<3xi32>
    %bs1 = arith.shrui %b, %c16 : vector<3xi32>
    %bn1 = arith.trunci %bs1 : vector<3xi32> to vector<3xi16>
    %b1 = arith.extsi %bn1 : vector<3xi16> to vector<3xi32>
    %p1 = arith.muli %a1, %b1 : vector<3xi32>
    %r1 = arith.addi %sum, %p1 : vector<3xi32>
    %an0 = arith.trunci %a : vector<3xi32> to vector<3xi16>
    %a0 = arith.extsi %an0 : vector<3xi16> to vector<3xi32>
    %bn0 = arith.trunci %b : vector<3xi32> to vector<3xi16>
    %b0 = arith.extsi %bn0 : vector<3xi16> to vector<3xi32>
    // CHECK: %[[WIDE_A:.*]] = vector.shuffle %[[A]], %[[A]] [0, 1, 2, -1] : vector<3xi32>, vector<3xi32>
    // CHECK: %[[X:.*]] = vector.bitcast %[[WIDE_A]] : vector<4xi32> to vector<8xi16>
    // CHECK: %[[WIDE_B:.*]] = vector.shuffle %[[B]], %[[B]] [0, 1, 2, -1]
    // CHECK: %[[Y:.*]] = vector.bitcast %[[WIDE_B]]
    // CHECK: %[[PRODUCTS:.*]] = llvm.call_intrinsic "llvm.x86.sse2.pmadd.wd"(%[[X]], %[[Y]])
    // CHECK: %[[FIRST:.*]] = vector.shuffle %[[PRODUCTS]], %[[PRODUCTS]] [0, 1, 2] : vector<4xi32>, vector<4xi32>
    // CHECK: %[[R:.*]] = arith.addi %[[SUM]], %[[FIRST]]
    // CHECK: return %[[R]]
    %p0 = arith.muli %a0, %b0 : vector<3xi32>
    %r0 = arith.addi %r1, %p0 : vector<3xi32>
    return %r0 : vector<3xi32>
  }

  // The parts of one are those of another.
  // CHECK-LABEL: func.func @others
  func.func @others(%a: vector<4xi32>, %b: vector<4xi32>, %sum: vector<4xi32>, %c: vector<4xi32>) -> vector<4xi32> {
    %c16 = arith.constant dense<16> : vector<4xi32>
    %as1 = arith.shrui %c, %c16 : vector<4xi32>
    %an1 = arith.trunci %as1 : vector<4xi32> to vector<4xi16>
    %a1 = arith.extsi %an1 : vector<4xi16> to vector<4xi32>
    %bs1 = arith.shrui %b, %c16 : vector<4xi32>
    %bn1 = arith.trunci %bs1 : vector<4xi32> to vector<4xi16>
    %b1 = arith.extsi %bn1 : vector<4xi16> to vector<4xi32>
    %p1 = arith.muli %a1, %b1 : vector<4xi32>
    %r1 = arith.addi %sum, %p1 : vector<4xi32>
    %an0 = arith.trunci %a : vector<4xi32> to vector<4xi16>
    %a0 = arith.extsi %an0 : vector<4xi16> to vector<4xi32>
    %bn0 = arith.trunci %b : vector<4xi32> to vector<4xi16>
    %b0 = arith.extsi %bn0 : vector<4xi16> to vector<4xi32>
    // CHECK-NOT: llvm.call_intrinsic
    // CHECK-NOT: vector.bitcast
    // CHECK: return
    %p0 = arith.muli %a0, %b0 : vector<4xi32>
    %r0 = arith.addi %r1, %p0 : vector<4xi32>
    return %r0 : vector<4xi32>
  }

  // Floats are added in the order of the instruction.
  // CHECK-LABEL: func.func @other_order
  func.func @other_order(%a: vector<16xi32>, %b: vector<16xi32>, %sum: vector<16xf32>) -> vector<16xf32> {
    %c16 = arith.constant dense<16> : vector<16xi32>
    %an0 = arith.trunci %a : vector<16xi32> to vector<16xi16>
    %ab0 = arith.bitcast %an0 : vector<16xi16> to vector<16xbf16>
    %a0 = arith.extf %ab0 : vector<16xbf16> to vector<16xf32>
    %bn0 = arith.trunci %b : vector<16xi32> to vector<16xi16>
    %bb0 = arith.bitcast %bn0 : vector<16xi16> to vector<16xbf16>
    %b0 = arith.extf %bb0 : vector<16xbf16> to vector<16xf32>
    %r0 = vector.fma %a0, %b0, %sum : vector<16xf32>
    %as1 = arith.shrui %a, %c16 : vector<16xi32>
    %an1 = arith.trunci %as1 : vector<16xi32> to vector<16xi16>
    %ab1 = arith.bitcast %an1 : vector<16xi16> to vector<16xbf16>
    %a1 = arith.extf %ab1 : vector<16xbf16> to vector<16xf32>
    %bs1 = arith.shrui %b, %c16 : vector<16xi32>
    %bn1 = arith.trunci %bs1 : vector<16xi32> to vector<16xi16>
    %bb1 = arith.bitcast %bn1 : vector<16xi16> to vector<16xbf16>
    %b1 = arith.extf %bb1 : vector<16xbf16> to vector<16xf32>
    // CHECK-NOT: llvm.call_intrinsic
    // CHECK-NOT: vector.bitcast
    // CHECK: return
    %r1 = vector.fma %a1, %b1, %r0 : vector<16xf32>
    return %r1 : vector<16xf32>
  }

  // Bits without their sign are no half.
  // CHECK-LABEL: func.func @unsigned
  func.func @unsigned(%a: vector<4xi32>, %b: vector<4xi32>, %sum: vector<4xi32>) -> vector<4xi32> {
    %c16 = arith.constant dense<16> : vector<4xi32>
    %as1 = arith.shrui %a, %c16 : vector<4xi32>
    %an1 = arith.trunci %as1 : vector<4xi32> to vector<4xi16>
    %a1 = arith.extui %an1 : vector<4xi16> to vector<4xi32>
    %bs1 = arith.shrui %b, %c16 : vector<4xi32>
    %bn1 = arith.trunci %bs1 : vector<4xi32> to vector<4xi16>
    %b1 = arith.extsi %bn1 : vector<4xi16> to vector<4xi32>
    %p1 = arith.muli %a1, %b1 : vector<4xi32>
    %r1 = arith.addi %sum, %p1 : vector<4xi32>
    %an0 = arith.trunci %a : vector<4xi32> to vector<4xi16>
    %a0 = arith.extui %an0 : vector<4xi16> to vector<4xi32>
    %bn0 = arith.trunci %b : vector<4xi32> to vector<4xi16>
    %b0 = arith.extsi %bn0 : vector<4xi16> to vector<4xi32>
    // CHECK-NOT: llvm.call_intrinsic
    // CHECK-NOT: vector.bitcast
    // CHECK: return
    %p0 = arith.muli %a0, %b0 : vector<4xi32>
    %r0 = arith.addi %r1, %p0 : vector<4xi32>
    return %r0 : vector<4xi32>
  }

  // Parts begin at multiples of their bits.
  // CHECK-LABEL: func.func @half_shift
  func.func @half_shift(%a: vector<4xi32>, %b: vector<4xi32>, %sum: vector<4xi32>) -> vector<4xi32> {
    %c8 = arith.constant dense<8> : vector<4xi32>
    %c16 = arith.constant dense<17> : vector<4xi32>
    %c24 = arith.constant dense<24> : vector<4xi32>
    %as3 = arith.shrui %a, %c24 : vector<4xi32>
    %an3 = arith.trunci %as3 : vector<4xi32> to vector<4xi8>
    %a3 = arith.extui %an3 : vector<4xi8> to vector<4xi32>
    %bs3 = arith.shrui %b, %c24 : vector<4xi32>
    %bn3 = arith.trunci %bs3 : vector<4xi32> to vector<4xi8>
    %b3 = arith.extsi %bn3 : vector<4xi8> to vector<4xi32>
    %p3 = arith.muli %a3, %b3 : vector<4xi32>
    %r3 = arith.addi %sum, %p3 : vector<4xi32>
    %as2 = arith.shrui %a, %c16 : vector<4xi32>
    %an2 = arith.trunci %as2 : vector<4xi32> to vector<4xi8>
    %a2 = arith.extui %an2 : vector<4xi8> to vector<4xi32>
    %bs2 = arith.shrui %b, %c16 : vector<4xi32>
    %bn2 = arith.trunci %bs2 : vector<4xi32> to vector<4xi8>
    %b2 = arith.extsi %bn2 : vector<4xi8> to vector<4xi32>
    %p2 = arith.muli %a2, %b2 : vector<4xi32>
    %r2 = arith.addi %r3, %p2 : vector<4xi32>
    %as1 = arith.shrui %a, %c8 : vector<4xi32>
    %an1 = arith.trunci %as1 : vector<4xi32> to vector<4xi8>
    %a1 = arith.extui %an1 : vector<4xi8> to vector<4xi32>
    %bs1 = arith.shrui %b, %c8 : vector<4xi32>
    %bn1 = arith.trunci %bs1 : vector<4xi32> to vector<4xi8>
    %b1 = arith.extsi %bn1 : vector<4xi8> to vector<4xi32>
    %p1 = arith.muli %a1, %b1 : vector<4xi32>
    %r1 = arith.addi %r2, %p1 : vector<4xi32>
    %an0 = arith.trunci %a : vector<4xi32> to vector<4xi8>
    %a0 = arith.extui %an0 : vector<4xi8> to vector<4xi32>
    %bn0 = arith.trunci %b : vector<4xi32> to vector<4xi8>
    %b0 = arith.extsi %bn0 : vector<4xi8> to vector<4xi32>
    // CHECK-NOT: llvm.call_intrinsic
    // CHECK-NOT: vector.bitcast
    // CHECK: return
    %p0 = arith.muli %a0, %b0 : vector<4xi32>
    %r0 = arith.addi %r1, %p0 : vector<4xi32>
    return %r0 : vector<4xi32>
  }

  // Results are rounded to bf16 as products are.
  // CHECK-LABEL: func.func @narrow
  func.func @narrow(%a: vector<16xi32>, %b: vector<16xi32>, %sum: vector<16xf32>, %eight: vector<8xf32>, %three: vector<3xf32>, %one: f32) -> (vector<16xbf16>, vector<8xbf16>, vector<3xbf16>, bf16) {
    %c16 = arith.constant dense<16> : vector<16xi32>
    %as1 = arith.shrui %a, %c16 : vector<16xi32>
    %an1 = arith.trunci %as1 : vector<16xi32> to vector<16xi16>
    %ab1 = arith.bitcast %an1 : vector<16xi16> to vector<16xbf16>
    %a1 = arith.extf %ab1 : vector<16xbf16> to vector<16xf32>
    %bs1 = arith.shrui %b, %c16 : vector<16xi32>
    %bn1 = arith.trunci %bs1 : vector<16xi32> to vector<16xi16>
    %bb1 = arith.bitcast %bn1 : vector<16xi16> to vector<16xbf16>
    %b1 = arith.extf %bb1 : vector<16xbf16> to vector<16xf32>
    %r1 = vector.fma %a1, %b1, %sum : vector<16xf32>
    %an0 = arith.trunci %a : vector<16xi32> to vector<16xi16>
    %ab0 = arith.bitcast %an0 : vector<16xi16> to vector<16xbf16>
    %a0 = arith.extf %ab0 : vector<16xbf16> to vector<16xf32>
    %bn0 = arith.trunci %b : vector<16xi32> to vector<16xi16>
    %bb0 = arith.bitcast %bn0 : vector<16xi16> to vector<16xbf16>
    %b0 = arith.extf %bb0 : vector<16xbf16> to vector<16xf32>
    // CHECK: llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"
    %r0 = vector.fma %a0, %b0, %r1 : vector<16xf32>
    // CHECK: %[[SIXTEEN:.*]] = llvm.call_intrinsic "llvm.x86.avx512bf16.cvtneps2bf16.512"(%{{.*}}) : (vector<16xf32>) -> vector<16xbf16>
    %s = arith.truncf %r0 : vector<16xf32> to vector<16xbf16>
    // CHECK: llvm.call_intrinsic "llvm.x86.avx512bf16.cvtneps2bf16.256"(%{{.*}}) : (vector<8xf32>) -> vector<8xbf16>
    %e = arith.truncf %eight : vector<8xf32> to vector<8xbf16>
    // CHECK: arith.truncf %{{.*}} : vector<3xf32> to vector<3xbf16>
    %t = arith.truncf %three : vector<3xf32> to vector<3xbf16>
    // CHECK: arith.truncf %{{.*}} : f32 to bf16
    %o = arith.truncf %one : f32 to bf16
    return %s, %e, %t, %o : vector<16xbf16>, vector<8xbf16>, vector<3xbf16>, bf16
  }

  // Where there are none, subnormal numbers stay.
  // CHECK-LABEL: func.func @keeps_subnormals
  func.func @keeps_subnormals(%x: vector<16xf32>) -> vector<16xbf16> {
    // CHECK: arith.truncf
    %r = arith.truncf %x : vector<16xf32> to vector<16xbf16>
    return %r : vector<16xbf16>
  }
}

// -----

// Of the largest vectors that the target has the instruction for.
module attributes {convoy.target = #convoy.target<dot = ["sse2_pmaddwd"]>} {
  // CHECK-LABEL: func.func @too_long
  func.func @too_long(%a: vector<8xi32>, %b: vector<8xi32>, %sum: vector<8xi32>) -> vector<8xi32> {
    %c16 = arith.constant dense<16> : vector<8xi32>
    %as1 = arith.shrui %a, %c16 : vector<8xi32>
    %an1 = arith.trunci %as1 : vector<8xi32> to vector<8xi16>
    %a1 = arith.extsi %an1 : vector<8xi16> to vector<8xi32>
    %bs1 = arith.shrui %b, %c16 : vector<8xi32>
    %bn1 = arith.trunci %bs1 : vector<8xi32> to vector<8xi16>
    %b1 = arith.extsi %bn1 : vector<8xi16> to vector<8xi32>
    %p1 = arith.muli %a1, %b1 : vector<8xi32>
    %r1 = arith.addi %sum, %p1 : vector<8xi32>
    %an0 = arith.trunci %a : vector<8xi32> to vector<8xi16>
    %a0 = arith.extsi %an0 : vector<8xi16> to vector<8xi32>
    %bn0 = arith.trunci %b : vector<8xi32> to vector<8xi16>
    %b0 = arith.extsi %bn0 : vector<8xi16> to vector<8xi32>
    // CHECK-NOT: llvm.call_intrinsic
    // CHECK-NOT: vector.bitcast
    // CHECK: return
    %p0 = arith.muli %a0, %b0 : vector<8xi32>
    %r0 = arith.addi %r1, %p0 : vector<8xi32>
    return %r0 : vector<8xi32>
  }

  // CHECK-LABEL: func.func @no_quads
  func.func @no_quads(%a: vector<4xi32>, %b: vector<4xi32>, %sum: vector<4xi32>) -> vector<4xi32> {
    %c8 = arith.constant dense<8> : vector<4xi32>
    %c16 = arith.constant dense<16> : vector<4xi32>
    %c24 = arith.constant dense<24> : vector<4xi32>
    %as3 = arith.shrui %a, %c24 : vector<4xi32>
    %an3 = arith.trunci %as3 : vector<4xi32> to vector<4xi8>
    %a3 = arith.extui %an3 : vector<4xi8> to vector<4xi32>
    %bs3 = arith.shrui %b, %c24 : vector<4xi32>
    %bn3 = arith.trunci %bs3 : vector<4xi32> to vector<4xi8>
    %b3 = arith.extsi %bn3 : vector<4xi8> to vector<4xi32>
    %p3 = arith.muli %a3, %b3 : vector<4xi32>
    %r3 = arith.addi %sum, %p3 : vector<4xi32>
    %as2 = arith.shrui %a, %c16 : vector<4xi32>
    %an2 = arith.trunci %as2 : vector<4xi32> to vector<4xi8>
    %a2 = arith.extui %an2 : vector<4xi8> to vector<4xi32>
    %bs2 = arith.shrui %b, %c16 : vector<4xi32>
    %bn2 = arith.trunci %bs2 : vector<4xi32> to vector<4xi8>
    %b2 = arith.extsi %bn2 : vector<4xi8> to vector<4xi32>
    %p2 = arith.muli %a2, %b2 : vector<4xi32>
    %r2 = arith.addi %r3, %p2 : vector<4xi32>
    %as1 = arith.shrui %a, %c8 : vector<4xi32>
    %an1 = arith.trunci %as1 : vector<4xi32> to vector<4xi8>
    %a1 = arith.extui %an1 : vector<4xi8> to vector<4xi32>
    %bs1 = arith.shrui %b, %c8 : vector<4xi32>
    %bn1 = arith.trunci %bs1 : vector<4xi32> to vector<4xi8>
    %b1 = arith.extsi %bn1 : vector<4xi8> to vector<4xi32>
    %p1 = arith.muli %a1, %b1 : vector<4xi32>
    %r1 = arith.addi %r2, %p1 : vector<4xi32>
    %an0 = arith.trunci %a : vector<4xi32> to vector<4xi8>
    %a0 = arith.extui %an0 : vector<4xi8> to vector<4xi32>
    %bn0 = arith.trunci %b : vector<4xi32> to vector<4xi8>
    %b0 = arith.extsi %bn0 : vector<4xi8> to vector<4xi32>
    // CHECK-NOT: llvm.call_intrinsic
    // CHECK-NOT: vector.bitcast
    // CHECK: return
    %p0 = arith.muli %a0, %b0 : vector<4xi32>
    %r0 = arith.addi %r1, %p0 : vector<4xi32>
    return %r0 : vector<4xi32>
  }

  // CHECK-LABEL: func.func @no_bf16
  func.func @no_bf16(%a: vector<4xi32>, %b: vector<4xi32>, %sum: vector<4xf32>) -> vector<4xf32> {
    %c16 = arith.constant dense<16> : vector<4xi32>
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
    // CHECK-NOT: llvm.call_intrinsic
    // CHECK-NOT: vector.bitcast
    // CHECK: return
    %r0 = vector.fma %a0, %b0, %r1 : vector<4xf32>
    return %r0 : vector<4xf32>
  }
}
