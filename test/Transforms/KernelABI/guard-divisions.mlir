// RUN: convoy-opt %s --convoy-guard-divisions | FileCheck %s

// CHECK-LABEL: llvm.func @unsigned_numbers
// CHECK-SAME: (%[[X:.*]]: i32, %[[Y:.*]]: i32)
llvm.func @unsigned_numbers(%x: i32, %y: i32) -> i32 {
  // CHECK: %[[ZERO:.*]] = llvm.mlir.constant(0 : i32)
  // CHECK: %[[WRONG:.*]] = llvm.icmp "eq" %[[Y]], %[[ZERO]]
  // CHECK: %[[ONE:.*]] = llvm.mlir.constant(1 : i32)
  // CHECK: %[[DIVISOR:.*]] = llvm.select %[[WRONG]], %[[ONE]], %[[Y]]
  // CHECK: llvm.udiv %[[X]], %[[DIVISOR]]
  %q = llvm.udiv %x, %y : i32
  // CHECK: %[[DIVISOR:.*]] = llvm.select %{{.*}}, %{{.*}}, %[[Y]]
  // CHECK: llvm.urem %{{.*}}, %[[DIVISOR]]
  %r = llvm.urem %q, %y : i32
  llvm.return %r : i32
}

// The smallest number divided by -1 is one more than the largest.
// CHECK-LABEL: llvm.func @signed_vectors
// CHECK-SAME: (%[[X:.*]]: vector<4xi8>, %[[Y:.*]]: vector<4xi8>)
llvm.func @signed_vectors(%x: vector<4xi8>, %y: vector<4xi8>) -> vector<4xi8> {
  // CHECK: %[[ZERO:.*]] = llvm.mlir.constant(dense<0> : vector<4xi8>)
  // CHECK: %[[IS_ZERO:.*]] = llvm.icmp "eq" %[[Y]], %[[ZERO]]
  // CHECK: %[[MINUS:.*]] = llvm.mlir.constant(dense<-1> : vector<4xi8>)
  // CHECK: %[[IS_MINUS:.*]] = llvm.icmp "eq" %[[Y]], %[[MINUS]]
  // CHECK: %[[LEAST:.*]] = llvm.mlir.constant(dense<-128> : vector<4xi8>)
  // CHECK: %[[IS_LEAST:.*]] = llvm.icmp "eq" %[[X]], %[[LEAST]]
  // CHECK: %[[BOTH:.*]] = llvm.and %[[IS_MINUS]], %[[IS_LEAST]]
  // CHECK: %[[WRONG:.*]] = llvm.or %[[IS_ZERO]], %[[BOTH]]
  // CHECK: %[[ONE:.*]] = llvm.mlir.constant(dense<1> : vector<4xi8>)
  // CHECK: %[[DIVISOR:.*]] = llvm.select %[[WRONG]], %[[ONE]], %[[Y]]
  // CHECK: llvm.sdiv %[[X]], %[[DIVISOR]]
  %q = llvm.sdiv %x, %y : vector<4xi8>
  // CHECK: llvm.icmp "eq" %{{.*}}, %{{.*}} : vector<4xi8>
  // CHECK: llvm.srem %{{.*}}, %{{.*}}
  %r = llvm.srem %q, %y : vector<4xi8>
  llvm.return %r : vector<4xi8>
}

// CHECK-LABEL: llvm.func @known
llvm.func @known(%x: i64, %v: vector<2xi16>) -> (i64) {
  %three = llvm.mlir.constant(-3 : i64) : i64
  %some = llvm.mlir.constant(dense<[7, -1]> : vector<2xi16>) : vector<2xi16>
  // CHECK-NOT: llvm.icmp
  // CHECK: llvm.sdiv
  %q = llvm.sdiv %x, %three : i64
  // CHECK-NEXT: llvm.urem
  %r = llvm.urem %v, %some : vector<2xi16>
  // CHECK: llvm.icmp
  // CHECK: llvm.srem
  %s = llvm.srem %v, %some : vector<2xi16>
  // CHECK: llvm.icmp
  // CHECK: llvm.udiv
  %zero = llvm.mlir.constant(0 : i64) : i64
  %t = llvm.udiv %q, %zero : i64
  llvm.return %t : i64
}
