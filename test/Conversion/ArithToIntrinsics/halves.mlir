// RUN: convoy-opt %s --convoy-arith-to-intrinsics | FileCheck %s

module attributes {convoy.target = #convoy.target<dot = ["neon_sdot", "neon_usdot", "neon_bfdot", "neon_smmla", "neon_usmmla", "neon_bfmmla"]>} {
  // Words of 64 bits that are no rows of a tile are multiplied by their halves.
  // CHECK-LABEL: func.func @halves
  // CHECK-SAME: (%[[A:.*]]: vector<4xi64>, %[[B:.*]]: vector<4xi64>, %[[SUM:.*]]: vector<4xi32>)
  func.func @halves(%a: vector<4xi64>, %b: vector<4xi64>, %sum: vector<4xi32>) -> vector<4xi32> {
    // CHECK: %[[PARTS:.*]] = vector.bitcast %[[A]] : vector<4xi64> to vector<32xi8>
    // CHECK: %[[A1:.*]] = vector.shuffle %[[PARTS]], %[[PARTS]] [4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31]
    // CHECK: %[[B1:.*]] = vector.shuffle {{.*}} [4, 5, 6, 7, 12,
    // CHECK: %[[HIGH:.*]] = llvm.call_intrinsic "llvm.aarch64.neon.sdot.v4i32.v16i8"(%[[SUM]], %[[A1]], %[[B1]])
    // CHECK: %[[A0:.*]] = vector.shuffle {{.*}} [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27]
    // CHECK: %[[B0:.*]] = vector.shuffle {{.*}} [0, 1, 2, 3, 8,
    // CHECK: %[[LOW:.*]] = llvm.call_intrinsic "llvm.aarch64.neon.sdot.v4i32.v16i8"(%[[HIGH]], %[[A0]], %[[B0]])
    // CHECK-NEXT: return %[[LOW]]
    %c8 = arith.constant dense<8> : vector<4xi64>
    %c16 = arith.constant dense<16> : vector<4xi64>
    %c24 = arith.constant dense<24> : vector<4xi64>
    %c32 = arith.constant dense<32> : vector<4xi64>
    %c40 = arith.constant dense<40> : vector<4xi64>
    %c48 = arith.constant dense<48> : vector<4xi64>
    %c56 = arith.constant dense<56> : vector<4xi64>
    %an0 = arith.trunci %a : vector<4xi64> to vector<4xi8>
    %a0 = arith.extsi %an0 : vector<4xi8> to vector<4xi32>
    %as1 = arith.shrui %a, %c8 : vector<4xi64>
    %an1 = arith.trunci %as1 : vector<4xi64> to vector<4xi8>
    %a1 = arith.extsi %an1 : vector<4xi8> to vector<4xi32>
    %as2 = arith.shrui %a, %c16 : vector<4xi64>
    %an2 = arith.trunci %as2 : vector<4xi64> to vector<4xi8>
    %a2 = arith.extsi %an2 : vector<4xi8> to vector<4xi32>
    %as3 = arith.shrui %a, %c24 : vector<4xi64>
    %an3 = arith.trunci %as3 : vector<4xi64> to vector<4xi8>
    %a3 = arith.extsi %an3 : vector<4xi8> to vector<4xi32>
    %as4 = arith.shrui %a, %c32 : vector<4xi64>
    %an4 = arith.trunci %as4 : vector<4xi64> to vector<4xi8>
    %a4 = arith.extsi %an4 : vector<4xi8> to vector<4xi32>
    %as5 = arith.shrui %a, %c40 : vector<4xi64>
    %an5 = arith.trunci %as5 : vector<4xi64> to vector<4xi8>
    %a5 = arith.extsi %an5 : vector<4xi8> to vector<4xi32>
    %as6 = arith.shrui %a, %c48 : vector<4xi64>
    %an6 = arith.trunci %as6 : vector<4xi64> to vector<4xi8>
    %a6 = arith.extsi %an6 : vector<4xi8> to vector<4xi32>
    %as7 = arith.shrui %a, %c56 : vector<4xi64>
    %an7 = arith.trunci %as7 : vector<4xi64> to vector<4xi8>
    %a7 = arith.extsi %an7 : vector<4xi8> to vector<4xi32>
    %bn0 = arith.trunci %b : vector<4xi64> to vector<4xi8>
    %b0 = arith.extsi %bn0 : vector<4xi8> to vector<4xi32>
    %bs1 = arith.shrui %b, %c8 : vector<4xi64>
    %bn1 = arith.trunci %bs1 : vector<4xi64> to vector<4xi8>
    %b1 = arith.extsi %bn1 : vector<4xi8> to vector<4xi32>
    %bs2 = arith.shrui %b, %c16 : vector<4xi64>
    %bn2 = arith.trunci %bs2 : vector<4xi64> to vector<4xi8>
    %b2 = arith.extsi %bn2 : vector<4xi8> to vector<4xi32>
    %bs3 = arith.shrui %b, %c24 : vector<4xi64>
    %bn3 = arith.trunci %bs3 : vector<4xi64> to vector<4xi8>
    %b3 = arith.extsi %bn3 : vector<4xi8> to vector<4xi32>
    %bs4 = arith.shrui %b, %c32 : vector<4xi64>
    %bn4 = arith.trunci %bs4 : vector<4xi64> to vector<4xi8>
    %b4 = arith.extsi %bn4 : vector<4xi8> to vector<4xi32>
    %bs5 = arith.shrui %b, %c40 : vector<4xi64>
    %bn5 = arith.trunci %bs5 : vector<4xi64> to vector<4xi8>
    %b5 = arith.extsi %bn5 : vector<4xi8> to vector<4xi32>
    %bs6 = arith.shrui %b, %c48 : vector<4xi64>
    %bn6 = arith.trunci %bs6 : vector<4xi64> to vector<4xi8>
    %b6 = arith.extsi %bn6 : vector<4xi8> to vector<4xi32>
    %bs7 = arith.shrui %b, %c56 : vector<4xi64>
    %bn7 = arith.trunci %bs7 : vector<4xi64> to vector<4xi8>
    %b7 = arith.extsi %bn7 : vector<4xi8> to vector<4xi32>
    %rp7 = arith.muli %a7, %b7 : vector<4xi32>
    %r7 = arith.addi %sum, %rp7 : vector<4xi32>
    %rp6 = arith.muli %a6, %b6 : vector<4xi32>
    %r6 = arith.addi %r7, %rp6 : vector<4xi32>
    %rp5 = arith.muli %a5, %b5 : vector<4xi32>
    %r5 = arith.addi %r6, %rp5 : vector<4xi32>
    %rp4 = arith.muli %a4, %b4 : vector<4xi32>
    %r4 = arith.addi %r5, %rp4 : vector<4xi32>
    %rp3 = arith.muli %a3, %b3 : vector<4xi32>
    %r3 = arith.addi %r4, %rp3 : vector<4xi32>
    %rp2 = arith.muli %a2, %b2 : vector<4xi32>
    %r2 = arith.addi %r3, %rp2 : vector<4xi32>
    %rp1 = arith.muli %a1, %b1 : vector<4xi32>
    %r1 = arith.addi %r2, %rp1 : vector<4xi32>
    %rp0 = arith.muli %a0, %b0 : vector<4xi32>
    %r = arith.addi %r1, %rp0 : vector<4xi32>
    return %r : vector<4xi32>
  }

  // Of three words in a vector of four, multiplied by an element.
  // CHECK-LABEL: func.func @halves_by_element
  // CHECK-SAME: (%[[X:.*]]: vector<2xi64>, %[[W:.*]]: vector<3xi64>, %[[SUM:.*]]: vector<3xf32>)
  func.func @halves_by_element(%x: vector<2xi64>, %w: vector<3xi64>, %sum: vector<3xf32>) -> vector<3xf32> {
    // CHECK: vector.shuffle {{.*}} [2, 3, 6, 7, 10, 11, -1, -1] : vector<12xbf16>, vector<12xbf16>
    // CHECK: vector.shuffle {{.*}} [6, 7, 6, 7, 6, 7, -1, -1] : vector<8xbf16>, vector<8xbf16>
    // CHECK: llvm.call_intrinsic "llvm.aarch64.neon.bfdot.v4f32.v8bf16"
    // CHECK: vector.shuffle {{.*}} [0, 1, 4, 5, 8, 9, -1, -1] : vector<12xbf16>, vector<12xbf16>
    // CHECK: vector.shuffle {{.*}} [4, 5, 4, 5, 4, 5, -1, -1] : vector<8xbf16>, vector<8xbf16>
    // CHECK: llvm.call_intrinsic "llvm.aarch64.neon.bfdot.v4f32.v8bf16"
    %c16 = arith.constant dense<16> : vector<3xi64>
    %c32 = arith.constant dense<32> : vector<3xi64>
    %c48 = arith.constant dense<48> : vector<3xi64>
    %xs = vector.shuffle %x, %x [1, 1, 1] : vector<2xi64>, vector<2xi64>
    %xn0 = arith.trunci %xs : vector<3xi64> to vector<3xi16>
    %xb0 = arith.bitcast %xn0 : vector<3xi16> to vector<3xbf16>
    %x0 = arith.extf %xb0 : vector<3xbf16> to vector<3xf32>
    %xs1 = arith.shrui %xs, %c16 : vector<3xi64>
    %xn1 = arith.trunci %xs1 : vector<3xi64> to vector<3xi16>
    %xb1 = arith.bitcast %xn1 : vector<3xi16> to vector<3xbf16>
    %x1 = arith.extf %xb1 : vector<3xbf16> to vector<3xf32>
    %xs2 = arith.shrui %xs, %c32 : vector<3xi64>
    %xn2 = arith.trunci %xs2 : vector<3xi64> to vector<3xi16>
    %xb2 = arith.bitcast %xn2 : vector<3xi16> to vector<3xbf16>
    %x2 = arith.extf %xb2 : vector<3xbf16> to vector<3xf32>
    %xs3 = arith.shrui %xs, %c48 : vector<3xi64>
    %xn3 = arith.trunci %xs3 : vector<3xi64> to vector<3xi16>
    %xb3 = arith.bitcast %xn3 : vector<3xi16> to vector<3xbf16>
    %x3 = arith.extf %xb3 : vector<3xbf16> to vector<3xf32>
    %wn0 = arith.trunci %w : vector<3xi64> to vector<3xi16>
    %wb0 = arith.bitcast %wn0 : vector<3xi16> to vector<3xbf16>
    %w0 = arith.extf %wb0 : vector<3xbf16> to vector<3xf32>
    %ws1 = arith.shrui %w, %c16 : vector<3xi64>
    %wn1 = arith.trunci %ws1 : vector<3xi64> to vector<3xi16>
    %wb1 = arith.bitcast %wn1 : vector<3xi16> to vector<3xbf16>
    %w1 = arith.extf %wb1 : vector<3xbf16> to vector<3xf32>
    %ws2 = arith.shrui %w, %c32 : vector<3xi64>
    %wn2 = arith.trunci %ws2 : vector<3xi64> to vector<3xi16>
    %wb2 = arith.bitcast %wn2 : vector<3xi16> to vector<3xbf16>
    %w2 = arith.extf %wb2 : vector<3xbf16> to vector<3xf32>
    %ws3 = arith.shrui %w, %c48 : vector<3xi64>
    %wn3 = arith.trunci %ws3 : vector<3xi64> to vector<3xi16>
    %wb3 = arith.bitcast %wn3 : vector<3xi16> to vector<3xbf16>
    %w3 = arith.extf %wb3 : vector<3xbf16> to vector<3xf32>
    %r3 = vector.fma %x3, %w3, %sum : vector<3xf32>
    %r2 = vector.fma %x2, %w2, %r3 : vector<3xf32>
    %r1 = vector.fma %x1, %w1, %r2 : vector<3xf32>
    %r = vector.fma %x0, %w0, %r1 : vector<3xf32>
    return %r : vector<3xf32>
  }

  // CHECK-LABEL: func.func @halves_by_number
  func.func @halves_by_number(%x: i64, %w: vector<2xi64>, %sum: vector<2xi32>) -> vector<2xi32> {
    // CHECK: %[[X:.*]] = vector.broadcast %{{.*}} : i64 to vector<1xi64>
    // CHECK: %[[PARTS:.*]] = vector.bitcast %[[X]] : vector<1xi64> to vector<8xi8>
    // CHECK: vector.shuffle %[[PARTS]], %[[PARTS]] [4, 5, 6, 7, 4, 5, 6, 7]
    // CHECK: llvm.call_intrinsic "llvm.aarch64.neon.usdot.v2i32.v8i8"
    // CHECK: llvm.call_intrinsic "llvm.aarch64.neon.usdot.v2i32.v8i8"
    %c8 = arith.constant dense<8> : vector<2xi64>
    %c16 = arith.constant dense<16> : vector<2xi64>
    %c24 = arith.constant dense<24> : vector<2xi64>
    %c32 = arith.constant dense<32> : vector<2xi64>
    %c40 = arith.constant dense<40> : vector<2xi64>
    %c48 = arith.constant dense<48> : vector<2xi64>
    %c56 = arith.constant dense<56> : vector<2xi64>
    %xs = vector.broadcast %x : i64 to vector<2xi64>
    %xn0 = arith.trunci %xs : vector<2xi64> to vector<2xi8>
    %x0 = arith.extui %xn0 : vector<2xi8> to vector<2xi32>
    %xs1 = arith.shrui %xs, %c8 : vector<2xi64>
    %xn1 = arith.trunci %xs1 : vector<2xi64> to vector<2xi8>
    %x1 = arith.extui %xn1 : vector<2xi8> to vector<2xi32>
    %xs2 = arith.shrui %xs, %c16 : vector<2xi64>
    %xn2 = arith.trunci %xs2 : vector<2xi64> to vector<2xi8>
    %x2 = arith.extui %xn2 : vector<2xi8> to vector<2xi32>
    %xs3 = arith.shrui %xs, %c24 : vector<2xi64>
    %xn3 = arith.trunci %xs3 : vector<2xi64> to vector<2xi8>
    %x3 = arith.extui %xn3 : vector<2xi8> to vector<2xi32>
    %xs4 = arith.shrui %xs, %c32 : vector<2xi64>
    %xn4 = arith.trunci %xs4 : vector<2xi64> to vector<2xi8>
    %x4 = arith.extui %xn4 : vector<2xi8> to vector<2xi32>
    %xs5 = arith.shrui %xs, %c40 : vector<2xi64>
    %xn5 = arith.trunci %xs5 : vector<2xi64> to vector<2xi8>
    %x5 = arith.extui %xn5 : vector<2xi8> to vector<2xi32>
    %xs6 = arith.shrui %xs, %c48 : vector<2xi64>
    %xn6 = arith.trunci %xs6 : vector<2xi64> to vector<2xi8>
    %x6 = arith.extui %xn6 : vector<2xi8> to vector<2xi32>
    %xs7 = arith.shrui %xs, %c56 : vector<2xi64>
    %xn7 = arith.trunci %xs7 : vector<2xi64> to vector<2xi8>
    %x7 = arith.extui %xn7 : vector<2xi8> to vector<2xi32>
    %wn0 = arith.trunci %w : vector<2xi64> to vector<2xi8>
    %w0 = arith.extsi %wn0 : vector<2xi8> to vector<2xi32>
    %ws1 = arith.shrui %w, %c8 : vector<2xi64>
    %wn1 = arith.trunci %ws1 : vector<2xi64> to vector<2xi8>
    %w1 = arith.extsi %wn1 : vector<2xi8> to vector<2xi32>
    %ws2 = arith.shrui %w, %c16 : vector<2xi64>
    %wn2 = arith.trunci %ws2 : vector<2xi64> to vector<2xi8>
    %w2 = arith.extsi %wn2 : vector<2xi8> to vector<2xi32>
    %ws3 = arith.shrui %w, %c24 : vector<2xi64>
    %wn3 = arith.trunci %ws3 : vector<2xi64> to vector<2xi8>
    %w3 = arith.extsi %wn3 : vector<2xi8> to vector<2xi32>
    %ws4 = arith.shrui %w, %c32 : vector<2xi64>
    %wn4 = arith.trunci %ws4 : vector<2xi64> to vector<2xi8>
    %w4 = arith.extsi %wn4 : vector<2xi8> to vector<2xi32>
    %ws5 = arith.shrui %w, %c40 : vector<2xi64>
    %wn5 = arith.trunci %ws5 : vector<2xi64> to vector<2xi8>
    %w5 = arith.extsi %wn5 : vector<2xi8> to vector<2xi32>
    %ws6 = arith.shrui %w, %c48 : vector<2xi64>
    %wn6 = arith.trunci %ws6 : vector<2xi64> to vector<2xi8>
    %w6 = arith.extsi %wn6 : vector<2xi8> to vector<2xi32>
    %ws7 = arith.shrui %w, %c56 : vector<2xi64>
    %wn7 = arith.trunci %ws7 : vector<2xi64> to vector<2xi8>
    %w7 = arith.extsi %wn7 : vector<2xi8> to vector<2xi32>
    %rp7 = arith.muli %x7, %w7 : vector<2xi32>
    %r7 = arith.addi %sum, %rp7 : vector<2xi32>
    %rp6 = arith.muli %x6, %w6 : vector<2xi32>
    %r6 = arith.addi %r7, %rp6 : vector<2xi32>
    %rp5 = arith.muli %x5, %w5 : vector<2xi32>
    %r5 = arith.addi %r6, %rp5 : vector<2xi32>
    %rp4 = arith.muli %x4, %w4 : vector<2xi32>
    %r4 = arith.addi %r5, %rp4 : vector<2xi32>
    %rp3 = arith.muli %x3, %w3 : vector<2xi32>
    %r3 = arith.addi %r4, %rp3 : vector<2xi32>
    %rp2 = arith.muli %x2, %w2 : vector<2xi32>
    %r2 = arith.addi %r3, %rp2 : vector<2xi32>
    %rp1 = arith.muli %x1, %w1 : vector<2xi32>
    %r1 = arith.addi %r2, %rp1 : vector<2xi32>
    %rp0 = arith.muli %x0, %w0 : vector<2xi32>
    %r = arith.addi %r1, %rp0 : vector<2xi32>
    return %r : vector<2xi32>
  }

  // A constant word.
  // CHECK-LABEL: func.func @halves_by_constant
  func.func @halves_by_constant(%w: vector<4xi64>, %sum: vector<4xi32>) -> vector<4xi32> {
    // CHECK: %[[WORD:.*]] = arith.constant dense<361700864190383365> : vector<4xi64>
    // CHECK: vector.bitcast %[[WORD]] : vector<4xi64> to vector<32xi8>
    // CHECK: llvm.call_intrinsic "llvm.aarch64.neon.usdot.v4i32.v16i8"
    // CHECK: llvm.call_intrinsic "llvm.aarch64.neon.usdot.v4i32.v16i8"
    %five = arith.constant dense<5> : vector<4xi32>
    %c8 = arith.constant dense<8> : vector<4xi64>
    %c16 = arith.constant dense<16> : vector<4xi64>
    %c24 = arith.constant dense<24> : vector<4xi64>
    %c32 = arith.constant dense<32> : vector<4xi64>
    %c40 = arith.constant dense<40> : vector<4xi64>
    %c48 = arith.constant dense<48> : vector<4xi64>
    %c56 = arith.constant dense<56> : vector<4xi64>
    %wn0 = arith.trunci %w : vector<4xi64> to vector<4xi8>
    %w0 = arith.extsi %wn0 : vector<4xi8> to vector<4xi32>
    %ws1 = arith.shrui %w, %c8 : vector<4xi64>
    %wn1 = arith.trunci %ws1 : vector<4xi64> to vector<4xi8>
    %w1 = arith.extsi %wn1 : vector<4xi8> to vector<4xi32>
    %ws2 = arith.shrui %w, %c16 : vector<4xi64>
    %wn2 = arith.trunci %ws2 : vector<4xi64> to vector<4xi8>
    %w2 = arith.extsi %wn2 : vector<4xi8> to vector<4xi32>
    %ws3 = arith.shrui %w, %c24 : vector<4xi64>
    %wn3 = arith.trunci %ws3 : vector<4xi64> to vector<4xi8>
    %w3 = arith.extsi %wn3 : vector<4xi8> to vector<4xi32>
    %ws4 = arith.shrui %w, %c32 : vector<4xi64>
    %wn4 = arith.trunci %ws4 : vector<4xi64> to vector<4xi8>
    %w4 = arith.extsi %wn4 : vector<4xi8> to vector<4xi32>
    %ws5 = arith.shrui %w, %c40 : vector<4xi64>
    %wn5 = arith.trunci %ws5 : vector<4xi64> to vector<4xi8>
    %w5 = arith.extsi %wn5 : vector<4xi8> to vector<4xi32>
    %ws6 = arith.shrui %w, %c48 : vector<4xi64>
    %wn6 = arith.trunci %ws6 : vector<4xi64> to vector<4xi8>
    %w6 = arith.extsi %wn6 : vector<4xi8> to vector<4xi32>
    %ws7 = arith.shrui %w, %c56 : vector<4xi64>
    %wn7 = arith.trunci %ws7 : vector<4xi64> to vector<4xi8>
    %w7 = arith.extsi %wn7 : vector<4xi8> to vector<4xi32>
    %p7 = arith.muli %w7, %five : vector<4xi32>
    %r7 = arith.addi %sum, %p7 : vector<4xi32>
    %p6 = arith.muli %w6, %five : vector<4xi32>
    %r6 = arith.addi %r7, %p6 : vector<4xi32>
    %p5 = arith.muli %w5, %five : vector<4xi32>
    %r5 = arith.addi %r6, %p5 : vector<4xi32>
    %p4 = arith.muli %w4, %five : vector<4xi32>
    %r4 = arith.addi %r5, %p4 : vector<4xi32>
    %p3 = arith.muli %w3, %five : vector<4xi32>
    %r3 = arith.addi %r4, %p3 : vector<4xi32>
    %p2 = arith.muli %w2, %five : vector<4xi32>
    %r2 = arith.addi %r3, %p2 : vector<4xi32>
    %p1 = arith.muli %w1, %five : vector<4xi32>
    %r1 = arith.addi %r2, %p1 : vector<4xi32>
    %p0 = arith.muli %w0, %five : vector<4xi32>
    %r0 = arith.addi %r1, %p0 : vector<4xi32>
    return %r0 : vector<4xi32>
  }
}
