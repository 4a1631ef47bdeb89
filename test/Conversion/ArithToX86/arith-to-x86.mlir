// RUN: convoy-opt %s --convoy-arith-to-x86 --split-input-file | FileCheck %s

// Sums of two products of the halves of words are one instruction, where they
// fill a register.
module attributes {convoy.target = #convoy.target<pair_bytes = 64>} {
  // CHECK-LABEL: func.func @sse
  // CHECK-SAME: (%[[A:.*]]: vector<4xi32>, %[[B:.*]]: vector<4xi32>, %[[SUM:.*]]: vector<4xi32>)
  func.func @sse(%a: vector<4xi32>, %b: vector<4xi32>, %sum: vector<4xi32>) -> vector<4xi32> {
    %c16 = arith.constant dense<16> : vector<4xi32>
    %a0 = arith.trunci %a : vector<4xi32> to vector<4xi16>
    %al = arith.extsi %a0 : vector<4xi16> to vector<4xi32>
    %b0 = arith.trunci %b : vector<4xi32> to vector<4xi16>
    %bl = arith.extsi %b0 : vector<4xi16> to vector<4xi32>
    %ah = arith.shrsi %a, %c16 : vector<4xi32>
    %bh = arith.shrsi %b, %c16 : vector<4xi32>
    %low = arith.muli %al, %bl : vector<4xi32>
    %high = arith.muli %ah, %bh : vector<4xi32>
    %both = arith.addi %low, %high : vector<4xi32>
    // CHECK: %[[AH:.*]] = vector.bitcast %[[A]] : vector<4xi32> to vector<8xi16>
    // CHECK: %[[BH:.*]] = vector.bitcast %[[B]] : vector<4xi32> to vector<8xi16>
    // CHECK: %[[BOTH:.*]] = llvm.call_intrinsic "llvm.x86.sse2.pmadd.wd"(%[[AH]], %[[BH]]) : (vector<8xi16>, vector<8xi16>) -> vector<4xi32>
    // CHECK: arith.addi %[[SUM]], %[[BOTH]]
    %r = arith.addi %sum, %both : vector<4xi32>
    return %r : vector<4xi32>
  }

  // CHECK-LABEL: func.func @avx512
  func.func @avx512(%a: vector<16xi32>, %b: vector<16xi32>) -> vector<16xi32> {
    %c16 = arith.constant dense<16> : vector<16xi32>
    %a0 = arith.trunci %a : vector<16xi32> to vector<16xi16>
    %al = arith.extsi %a0 : vector<16xi16> to vector<16xi32>
    %b0 = arith.trunci %b : vector<16xi32> to vector<16xi16>
    %bl = arith.extsi %b0 : vector<16xi16> to vector<16xi32>
    %ah = arith.shrsi %a, %c16 : vector<16xi32>
    %bh = arith.shrsi %b, %c16 : vector<16xi32>
    %low = arith.muli %al, %bl : vector<16xi32>
    %high = arith.muli %ah, %bh : vector<16xi32>
    // CHECK: llvm.call_intrinsic "llvm.x86.avx512.pmaddw.d.512"(%{{.*}}, %{{.*}}) : (vector<32xi16>, vector<32xi16>) -> vector<16xi32>
    %both = arith.addi %low, %high : vector<16xi32>
    return %both : vector<16xi32>
  }

  // Three words are no register.
  // CHECK-LABEL: func.func @three
  func.func @three(%a: vector<3xi32>, %b: vector<3xi32>) -> vector<3xi32> {
    %c16 = arith.constant dense<16> : vector<3xi32>
    %a0 = arith.trunci %a : vector<3xi32> to vector<3xi16>
    %al = arith.extsi %a0 : vector<3xi16> to vector<3xi32>
    %b0 = arith.trunci %b : vector<3xi32> to vector<3xi16>
    %bl = arith.extsi %b0 : vector<3xi16> to vector<3xi32>
    %ah = arith.shrsi %a, %c16 : vector<3xi32>
    %bh = arith.shrsi %b, %c16 : vector<3xi32>
    %low = arith.muli %al, %bl : vector<3xi32>
    %high = arith.muli %ah, %bh : vector<3xi32>
    // CHECK-NOT: llvm.call_intrinsic
    // CHECK: arith.addi
    %both = arith.addi %low, %high : vector<3xi32>
    return %both : vector<3xi32>
  }

  // The halves of one are those of another.
  // CHECK-LABEL: func.func @others
  func.func @others(%a: vector<4xi32>, %b: vector<4xi32>, %c: vector<4xi32>) -> vector<4xi32> {
    %c16 = arith.constant dense<16> : vector<4xi32>
    %a0 = arith.trunci %a : vector<4xi32> to vector<4xi16>
    %al = arith.extsi %a0 : vector<4xi16> to vector<4xi32>
    %b0 = arith.trunci %b : vector<4xi32> to vector<4xi16>
    %bl = arith.extsi %b0 : vector<4xi16> to vector<4xi32>
    %ch = arith.shrsi %c, %c16 : vector<4xi32>
    %bh = arith.shrsi %b, %c16 : vector<4xi32>
    %low = arith.muli %al, %bl : vector<4xi32>
    %high = arith.muli %ch, %bh : vector<4xi32>
    // CHECK-NOT: llvm.call_intrinsic
    // CHECK: arith.addi
    %both = arith.addi %low, %high : vector<4xi32>
    return %both : vector<4xi32>
  }

  // Bits without their sign are no half.
  // CHECK-LABEL: func.func @unsigned
  func.func @unsigned(%a: vector<4xi32>, %b: vector<4xi32>) -> vector<4xi32> {
    %c16 = arith.constant dense<16> : vector<4xi32>
    %a0 = arith.trunci %a : vector<4xi32> to vector<4xi16>
    %al = arith.extsi %a0 : vector<4xi16> to vector<4xi32>
    %b0 = arith.trunci %b : vector<4xi32> to vector<4xi16>
    %bl = arith.extsi %b0 : vector<4xi16> to vector<4xi32>
    %ah = arith.shrui %a, %c16 : vector<4xi32>
    %bh = arith.shrui %b, %c16 : vector<4xi32>
    %low = arith.muli %al, %bl : vector<4xi32>
    %high = arith.muli %ah, %bh : vector<4xi32>
    // CHECK-NOT: llvm.call_intrinsic
    // CHECK: arith.addi
    %both = arith.addi %low, %high : vector<4xi32>
    return %both : vector<4xi32>
  }
}

// -----

// Of the largest vectors that the target has the instruction for.
module attributes {convoy.target = #convoy.target<pair_bytes = 16>} {
  // CHECK-LABEL: func.func @too_long
  func.func @too_long(%a: vector<8xi32>, %b: vector<8xi32>) -> vector<8xi32> {
    %c16 = arith.constant dense<16> : vector<8xi32>
    %a0 = arith.trunci %a : vector<8xi32> to vector<8xi16>
    %al = arith.extsi %a0 : vector<8xi16> to vector<8xi32>
    %b0 = arith.trunci %b : vector<8xi32> to vector<8xi16>
    %bl = arith.extsi %b0 : vector<8xi16> to vector<8xi32>
    %ah = arith.shrsi %a, %c16 : vector<8xi32>
    %bh = arith.shrsi %b, %c16 : vector<8xi32>
    %low = arith.muli %al, %bl : vector<8xi32>
    %high = arith.muli %ah, %bh : vector<8xi32>
    // CHECK-NOT: llvm.call_intrinsic
    // CHECK: arith.addi
    %both = arith.addi %low, %high : vector<8xi32>
    return %both : vector<8xi32>
  }
}
