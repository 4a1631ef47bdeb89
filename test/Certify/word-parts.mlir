// Parts of words: bytes in fours and floats in pairs.
// RUN: rm -rf %t && split-file %s %t
// RUN: not convoy-certify %t/before.mlir %t/after.mlir | FileCheck %s

//--- before.mlir
// Part 0 is what was put there.
// CHECK-DAG: certified: @part0
func.func @part0(%a0: tensor<4xi8>, %a1: tensor<4xi8>, %a2: tensor<4xi8>, %a3: tensor<4xi8>) -> tensor<4xi32> {
  %r = arith.extui %a0 : tensor<4xi8> to tensor<4xi32>
  return %r : tensor<4xi32>
}
// Part 1 is what was put there.
// CHECK-DAG: certified: @part1
func.func @part1(%a0: tensor<4xi8>, %a1: tensor<4xi8>, %a2: tensor<4xi8>, %a3: tensor<4xi8>) -> tensor<4xi32> {
  %r = arith.extsi %a1 : tensor<4xi8> to tensor<4xi32>
  return %r : tensor<4xi32>
}
// Part 2 is what was put there.
// CHECK-DAG: certified: @part2
func.func @part2(%a0: tensor<4xi8>, %a1: tensor<4xi8>, %a2: tensor<4xi8>, %a3: tensor<4xi8>) -> tensor<4xi32> {
  %r = arith.extui %a2 : tensor<4xi8> to tensor<4xi32>
  return %r : tensor<4xi32>
}
// Part 3 is what was put there.
// CHECK-DAG: certified: @part3
func.func @part3(%a0: tensor<4xi8>, %a1: tensor<4xi8>, %a2: tensor<4xi8>, %a3: tensor<4xi8>) -> tensor<4xi32> {
  %r = arith.extsi %a3 : tensor<4xi8> to tensor<4xi32>
  return %r : tensor<4xi32>
}
// Not its neighbour,
// CHECK-DAG: different: @neighbour
func.func @neighbour(%a0: tensor<4xi8>, %a1: tensor<4xi8>, %a2: tensor<4xi8>, %a3: tensor<4xi8>) -> tensor<4xi32> {
  %r = arith.extsi %a1 : tensor<4xi8> to tensor<4xi32>
  return %r : tensor<4xi32>
}
// nor bits of two.
// CHECK-DAG: different: @between
func.func @between(%a0: tensor<4xi8>, %a1: tensor<4xi8>, %a2: tensor<4xi8>, %a3: tensor<4xi8>) -> tensor<4xi32> {
  %r = arith.extsi %a1 : tensor<4xi8> to tensor<4xi32>
  return %r : tensor<4xi32>
}
// What is shifted out of the word is lost.
// CHECK-DAG: different: @shifted_out
func.func @shifted_out(%a0: tensor<4xi8>, %a1: tensor<4xi8>) -> tensor<4xi32> {
  %r = arith.extsi %a1 : tensor<4xi8> to tensor<4xi32>
  return %r : tensor<4xi32>
}
// Constants are parts, too.
// CHECK-DAG: certified: @constant_parts
func.func @constant_parts(%a0: tensor<4xi8>) -> tensor<4xi32> {
  %n = arith.constant dense<135> : tensor<4xi32>
  %e = arith.extui %a0 : tensor<4xi8> to tensor<4xi32>
  %r = arith.muli %e, %n : tensor<4xi32>
  return %r : tensor<4xi32>
}
// Parts that overlap are no word.
// CHECK-DAG: different: @overlapping
func.func @overlapping(%a0: tensor<4xi8>, %a1: tensor<4xi8>, %a2: tensor<4xi8>, %a3: tensor<4xi8>) -> tensor<4xi32> {
  %r = arith.extui %a0 : tensor<4xi8> to tensor<4xi32>
  return %r : tensor<4xi32>
}
// Bits of a float are the float again.
// CHECK-DAG: certified: @low_float
func.func @low_float(%a0: tensor<4xbf16>, %a1: tensor<4xbf16>) -> tensor<4xf32> {
  %r = arith.extf %a0 : tensor<4xbf16> to tensor<4xf32>
  return %r : tensor<4xf32>
}
// So are those of the high half.
// CHECK-DAG: certified: @high_float
func.func @high_float(%a0: tensor<4xbf16>, %a1: tensor<4xbf16>) -> tensor<4xf32> {
  %r = arith.extf %a1 : tensor<4xbf16> to tensor<4xf32>
  return %r : tensor<4xf32>
}
// The other one is another.
// CHECK-DAG: different: @other_float
func.func @other_float(%a0: tensor<4xbf16>, %a1: tensor<4xbf16>) -> tensor<4xf32> {
  %r = arith.extf %a0 : tensor<4xbf16> to tensor<4xf32>
  return %r : tensor<4xf32>
}
// In another type they are another number.
// CHECK-DAG: different: @other_type
func.func @other_type(%a0: tensor<4xbf16>, %a1: tensor<4xbf16>) -> tensor<4xf32> {
  %r = arith.extf %a0 : tensor<4xbf16> to tensor<4xf32>
  return %r : tensor<4xf32>
}
// Where there is nothing the float is zero.
// CHECK-DAG: certified: @no_float
func.func @no_float(%a0: tensor<4xbf16>) -> tensor<4xf32> {
  %r = arith.constant dense<0.0> : tensor<4xf32>
  return %r : tensor<4xf32>
}
// A difference that fits a byte is the byte,
// CHECK-DAG: certified: @signed_difference
func.func @signed_difference(%a0: tensor<4xi8>) -> tensor<4xi32> {
  %x = arith.extui %a0 : tensor<4xi8> to tensor<4xi32>
  %z = arith.constant dense<128> : tensor<4xi32>
  %r = arith.subi %x, %z : tensor<4xi32>
  return %r : tensor<4xi32>
}
// with a sign or without,
// CHECK-DAG: certified: @unsigned_difference
func.func @unsigned_difference(%a0: tensor<4xi8>) -> tensor<4xi32> {
  %x = arith.extsi %a0 : tensor<4xi8> to tensor<4xi32>
  %z = arith.constant dense<-128> : tensor<4xi32>
  %r = arith.subi %x, %z : tensor<4xi32>
  return %r : tensor<4xi32>
}
// but not where one number is too low,
// CHECK-DAG: undecided: @too_low
func.func @too_low(%a0: tensor<4xi8>) -> tensor<4xi32> {
  %x = arith.extui %a0 : tensor<4xi8> to tensor<4xi32>
  %z = arith.constant dense<129> : tensor<4xi32>
  %r = arith.subi %x, %z : tensor<4xi32>
  return %r : tensor<4xi32>
}
// or too high.
// CHECK-DAG: undecided: @too_high
func.func @too_high(%a0: tensor<4xi8>) -> tensor<4xi32> {
  %x = arith.extsi %a0 : tensor<4xi8> to tensor<4xi32>
  %z = arith.constant dense<-129> : tensor<4xi32>
  %r = arith.subi %x, %z : tensor<4xi32>
  return %r : tensor<4xi32>
}
//--- after.mlir
func.func @part0(%a0: tensor<4xi8>, %a1: tensor<4xi8>, %a2: tensor<4xi8>, %a3: tensor<4xi8>) -> tensor<4xi32> {
  %w0 = arith.extui %a0 : tensor<4xi8> to tensor<4xi32>
  %w1 = arith.extui %a1 : tensor<4xi8> to tensor<4xi32>
  %c1 = arith.constant dense<8> : tensor<4xi32>
  %s1 = arith.shli %w1, %c1 : tensor<4xi32>
  %w2 = arith.extui %a2 : tensor<4xi8> to tensor<4xi32>
  %c2 = arith.constant dense<16> : tensor<4xi32>
  %s2 = arith.shli %w2, %c2 : tensor<4xi32>
  %w3 = arith.extui %a3 : tensor<4xi8> to tensor<4xi32>
  %c3 = arith.constant dense<24> : tensor<4xi32>
  %s3 = arith.shli %w3, %c3 : tensor<4xi32>
  %o1 = arith.ori %w0, %s1 : tensor<4xi32>
  %o2 = arith.ori %o1, %s2 : tensor<4xi32>
  %o3 = arith.ori %o2, %s3 : tensor<4xi32>
  %c = arith.constant dense<0> : tensor<4xi32>
  %h = arith.shrui %o3, %c : tensor<4xi32>
  %t = arith.trunci %h : tensor<4xi32> to tensor<4xi8>
  %r = arith.extui %t : tensor<4xi8> to tensor<4xi32>
  return %r : tensor<4xi32>
}
func.func @part1(%a0: tensor<4xi8>, %a1: tensor<4xi8>, %a2: tensor<4xi8>, %a3: tensor<4xi8>) -> tensor<4xi32> {
  %w0 = arith.extui %a0 : tensor<4xi8> to tensor<4xi32>
  %w1 = arith.extui %a1 : tensor<4xi8> to tensor<4xi32>
  %c1 = arith.constant dense<8> : tensor<4xi32>
  %s1 = arith.shli %w1, %c1 : tensor<4xi32>
  %w2 = arith.extui %a2 : tensor<4xi8> to tensor<4xi32>
  %c2 = arith.constant dense<16> : tensor<4xi32>
  %s2 = arith.shli %w2, %c2 : tensor<4xi32>
  %w3 = arith.extui %a3 : tensor<4xi8> to tensor<4xi32>
  %c3 = arith.constant dense<24> : tensor<4xi32>
  %s3 = arith.shli %w3, %c3 : tensor<4xi32>
  %o1 = arith.ori %w0, %s1 : tensor<4xi32>
  %o2 = arith.ori %o1, %s2 : tensor<4xi32>
  %o3 = arith.ori %o2, %s3 : tensor<4xi32>
  %c = arith.constant dense<8> : tensor<4xi32>
  %h = arith.shrui %o3, %c : tensor<4xi32>
  %t = arith.trunci %h : tensor<4xi32> to tensor<4xi8>
  %r = arith.extsi %t : tensor<4xi8> to tensor<4xi32>
  return %r : tensor<4xi32>
}
func.func @part2(%a0: tensor<4xi8>, %a1: tensor<4xi8>, %a2: tensor<4xi8>, %a3: tensor<4xi8>) -> tensor<4xi32> {
  %w0 = arith.extui %a0 : tensor<4xi8> to tensor<4xi32>
  %w1 = arith.extui %a1 : tensor<4xi8> to tensor<4xi32>
  %c1 = arith.constant dense<8> : tensor<4xi32>
  %s1 = arith.shli %w1, %c1 : tensor<4xi32>
  %w2 = arith.extui %a2 : tensor<4xi8> to tensor<4xi32>
  %c2 = arith.constant dense<16> : tensor<4xi32>
  %s2 = arith.shli %w2, %c2 : tensor<4xi32>
  %w3 = arith.extui %a3 : tensor<4xi8> to tensor<4xi32>
  %c3 = arith.constant dense<24> : tensor<4xi32>
  %s3 = arith.shli %w3, %c3 : tensor<4xi32>
  %o1 = arith.ori %w0, %s1 : tensor<4xi32>
  %o2 = arith.ori %o1, %s2 : tensor<4xi32>
  %o3 = arith.ori %o2, %s3 : tensor<4xi32>
  %c = arith.constant dense<16> : tensor<4xi32>
  %h = arith.shrui %o3, %c : tensor<4xi32>
  %t = arith.trunci %h : tensor<4xi32> to tensor<4xi8>
  %r = arith.extui %t : tensor<4xi8> to tensor<4xi32>
  return %r : tensor<4xi32>
}
func.func @part3(%a0: tensor<4xi8>, %a1: tensor<4xi8>, %a2: tensor<4xi8>, %a3: tensor<4xi8>) -> tensor<4xi32> {
  %w0 = arith.extui %a0 : tensor<4xi8> to tensor<4xi32>
  %w1 = arith.extui %a1 : tensor<4xi8> to tensor<4xi32>
  %c1 = arith.constant dense<8> : tensor<4xi32>
  %s1 = arith.shli %w1, %c1 : tensor<4xi32>
  %w2 = arith.extui %a2 : tensor<4xi8> to tensor<4xi32>
  %c2 = arith.constant dense<16> : tensor<4xi32>
  %s2 = arith.shli %w2, %c2 : tensor<4xi32>
  %w3 = arith.extui %a3 : tensor<4xi8> to tensor<4xi32>
  %c3 = arith.constant dense<24> : tensor<4xi32>
  %s3 = arith.shli %w3, %c3 : tensor<4xi32>
  %o1 = arith.ori %w0, %s1 : tensor<4xi32>
  %o2 = arith.ori %o1, %s2 : tensor<4xi32>
  %o3 = arith.ori %o2, %s3 : tensor<4xi32>
  %c = arith.constant dense<24> : tensor<4xi32>
  %h = arith.shrui %o3, %c : tensor<4xi32>
  %t = arith.trunci %h : tensor<4xi32> to tensor<4xi8>
  %r = arith.extsi %t : tensor<4xi8> to tensor<4xi32>
  return %r : tensor<4xi32>
}
func.func @neighbour(%a0: tensor<4xi8>, %a1: tensor<4xi8>, %a2: tensor<4xi8>, %a3: tensor<4xi8>) -> tensor<4xi32> {
  %w0 = arith.extui %a0 : tensor<4xi8> to tensor<4xi32>
  %w1 = arith.extui %a1 : tensor<4xi8> to tensor<4xi32>
  %c1 = arith.constant dense<8> : tensor<4xi32>
  %s1 = arith.shli %w1, %c1 : tensor<4xi32>
  %w2 = arith.extui %a2 : tensor<4xi8> to tensor<4xi32>
  %c2 = arith.constant dense<16> : tensor<4xi32>
  %s2 = arith.shli %w2, %c2 : tensor<4xi32>
  %w3 = arith.extui %a3 : tensor<4xi8> to tensor<4xi32>
  %c3 = arith.constant dense<24> : tensor<4xi32>
  %s3 = arith.shli %w3, %c3 : tensor<4xi32>
  %o1 = arith.ori %w0, %s1 : tensor<4xi32>
  %o2 = arith.ori %o1, %s2 : tensor<4xi32>
  %o3 = arith.ori %o2, %s3 : tensor<4xi32>
  %c = arith.constant dense<16> : tensor<4xi32>
  %h = arith.shrui %o3, %c : tensor<4xi32>
  %t = arith.trunci %h : tensor<4xi32> to tensor<4xi8>
  %r = arith.extsi %t : tensor<4xi8> to tensor<4xi32>
  return %r : tensor<4xi32>
}
func.func @between(%a0: tensor<4xi8>, %a1: tensor<4xi8>, %a2: tensor<4xi8>, %a3: tensor<4xi8>) -> tensor<4xi32> {
  %w0 = arith.extui %a0 : tensor<4xi8> to tensor<4xi32>
  %w1 = arith.extui %a1 : tensor<4xi8> to tensor<4xi32>
  %c1 = arith.constant dense<8> : tensor<4xi32>
  %s1 = arith.shli %w1, %c1 : tensor<4xi32>
  %w2 = arith.extui %a2 : tensor<4xi8> to tensor<4xi32>
  %c2 = arith.constant dense<16> : tensor<4xi32>
  %s2 = arith.shli %w2, %c2 : tensor<4xi32>
  %w3 = arith.extui %a3 : tensor<4xi8> to tensor<4xi32>
  %c3 = arith.constant dense<24> : tensor<4xi32>
  %s3 = arith.shli %w3, %c3 : tensor<4xi32>
  %o1 = arith.ori %w0, %s1 : tensor<4xi32>
  %o2 = arith.ori %o1, %s2 : tensor<4xi32>
  %o3 = arith.ori %o2, %s3 : tensor<4xi32>
  %c = arith.constant dense<12> : tensor<4xi32>
  %h = arith.shrui %o3, %c : tensor<4xi32>
  %t = arith.trunci %h : tensor<4xi32> to tensor<4xi8>
  %r = arith.extsi %t : tensor<4xi8> to tensor<4xi32>
  return %r : tensor<4xi32>
}
func.func @shifted_out(%a0: tensor<4xi8>, %a1: tensor<4xi8>) -> tensor<4xi32> {
  %b0 = arith.extsi %a0 : tensor<4xi8> to tensor<4xi16>
  %w0 = arith.extui %b0 : tensor<4xi16> to tensor<4xi32>
  %b1 = arith.extsi %a1 : tensor<4xi8> to tensor<4xi16>
  %w1 = arith.extui %b1 : tensor<4xi16> to tensor<4xi32>
  %c = arith.constant dense<17> : tensor<4xi32>
  %s1 = arith.shli %w1, %c : tensor<4xi32>
  %o = arith.ori %w0, %s1 : tensor<4xi32>
  %h = arith.shrui %o, %c : tensor<4xi32>
  %t = arith.trunci %h : tensor<4xi32> to tensor<4xi16>
  %r = arith.extsi %t : tensor<4xi16> to tensor<4xi32>
  return %r : tensor<4xi32>
}
func.func @constant_parts(%a0: tensor<4xi8>) -> tensor<4xi32> {
  %n = arith.constant dense<0x870087> : tensor<4xi32>
  %w0 = arith.extui %a0 : tensor<4xi8> to tensor<4xi32>
  %c8 = arith.constant dense<8> : tensor<4xi32>
  %s0 = arith.shli %w0, %c8 : tensor<4xi32>
  %o = arith.ori %n, %s0 : tensor<4xi32>
  %c16 = arith.constant dense<16> : tensor<4xi32>
  %h = arith.shrui %o, %c16 : tensor<4xi32>
  %t2 = arith.trunci %h : tensor<4xi32> to tensor<4xi8>
  %p2 = arith.extui %t2 : tensor<4xi8> to tensor<4xi32>
  %h1 = arith.shrui %o, %c8 : tensor<4xi32>
  %t1 = arith.trunci %h1 : tensor<4xi32> to tensor<4xi8>
  %p1 = arith.extui %t1 : tensor<4xi8> to tensor<4xi32>
  %r = arith.muli %p1, %p2 : tensor<4xi32>
  return %r : tensor<4xi32>
}
func.func @overlapping(%a0: tensor<4xi8>, %a1: tensor<4xi8>, %a2: tensor<4xi8>, %a3: tensor<4xi8>) -> tensor<4xi32> {
  %w0 = arith.extui %a0 : tensor<4xi8> to tensor<4xi32>
  %w1 = arith.extui %a1 : tensor<4xi8> to tensor<4xi32>
  %c1 = arith.constant dense<7> : tensor<4xi32>
  %s1 = arith.shli %w1, %c1 : tensor<4xi32>
  %w2 = arith.extui %a2 : tensor<4xi8> to tensor<4xi32>
  %c2 = arith.constant dense<16> : tensor<4xi32>
  %s2 = arith.shli %w2, %c2 : tensor<4xi32>
  %w3 = arith.extui %a3 : tensor<4xi8> to tensor<4xi32>
  %c3 = arith.constant dense<24> : tensor<4xi32>
  %s3 = arith.shli %w3, %c3 : tensor<4xi32>
  %o1 = arith.ori %w0, %s1 : tensor<4xi32>
  %o2 = arith.ori %o1, %s2 : tensor<4xi32>
  %o3 = arith.ori %o2, %s3 : tensor<4xi32>
  %c = arith.constant dense<0> : tensor<4xi32>
  %h = arith.shrui %o3, %c : tensor<4xi32>
  %t = arith.trunci %h : tensor<4xi32> to tensor<4xi8>
  %r = arith.extui %t : tensor<4xi8> to tensor<4xi32>
  return %r : tensor<4xi32>
}
func.func @low_float(%a0: tensor<4xbf16>, %a1: tensor<4xbf16>) -> tensor<4xf32> {
  %b0 = arith.bitcast %a0 : tensor<4xbf16> to tensor<4xi16>
  %w0 = arith.extui %b0 : tensor<4xi16> to tensor<4xi32>
  %b1 = arith.bitcast %a1 : tensor<4xbf16> to tensor<4xi16>
  %w1 = arith.extui %b1 : tensor<4xi16> to tensor<4xi32>
  %c = arith.constant dense<16> : tensor<4xi32>
  %s = arith.shli %w1, %c : tensor<4xi32>
  %o = arith.ori %w0, %s : tensor<4xi32>
  %t = arith.trunci %o : tensor<4xi32> to tensor<4xi16>
  %f = arith.bitcast %t : tensor<4xi16> to tensor<4xbf16>
  %r = arith.extf %f : tensor<4xbf16> to tensor<4xf32>
  return %r : tensor<4xf32>
}
func.func @high_float(%a0: tensor<4xbf16>, %a1: tensor<4xbf16>) -> tensor<4xf32> {
  %b0 = arith.bitcast %a0 : tensor<4xbf16> to tensor<4xi16>
  %w0 = arith.extui %b0 : tensor<4xi16> to tensor<4xi32>
  %b1 = arith.bitcast %a1 : tensor<4xbf16> to tensor<4xi16>
  %w1 = arith.extui %b1 : tensor<4xi16> to tensor<4xi32>
  %c = arith.constant dense<16> : tensor<4xi32>
  %s = arith.shli %w1, %c : tensor<4xi32>
  %o = arith.ori %w0, %s : tensor<4xi32>
  %h = arith.shrui %o, %c : tensor<4xi32>
  %t = arith.trunci %h : tensor<4xi32> to tensor<4xi16>
  %f = arith.bitcast %t : tensor<4xi16> to tensor<4xbf16>
  %r = arith.extf %f : tensor<4xbf16> to tensor<4xf32>
  return %r : tensor<4xf32>
}
func.func @other_float(%a0: tensor<4xbf16>, %a1: tensor<4xbf16>) -> tensor<4xf32> {
  %b0 = arith.bitcast %a0 : tensor<4xbf16> to tensor<4xi16>
  %w0 = arith.extui %b0 : tensor<4xi16> to tensor<4xi32>
  %b1 = arith.bitcast %a1 : tensor<4xbf16> to tensor<4xi16>
  %w1 = arith.extui %b1 : tensor<4xi16> to tensor<4xi32>
  %c = arith.constant dense<16> : tensor<4xi32>
  %s = arith.shli %w1, %c : tensor<4xi32>
  %o = arith.ori %w0, %s : tensor<4xi32>
  %h = arith.shrui %o, %c : tensor<4xi32>
  %t = arith.trunci %h : tensor<4xi32> to tensor<4xi16>
  %f = arith.bitcast %t : tensor<4xi16> to tensor<4xbf16>
  %r = arith.extf %f : tensor<4xbf16> to tensor<4xf32>
  return %r : tensor<4xf32>
}
func.func @other_type(%a0: tensor<4xbf16>, %a1: tensor<4xbf16>) -> tensor<4xf32> {
  %b0 = arith.bitcast %a0 : tensor<4xbf16> to tensor<4xi16>
  %w0 = arith.extui %b0 : tensor<4xi16> to tensor<4xi32>
  %b1 = arith.bitcast %a1 : tensor<4xbf16> to tensor<4xi16>
  %w1 = arith.extui %b1 : tensor<4xi16> to tensor<4xi32>
  %c = arith.constant dense<16> : tensor<4xi32>
  %s = arith.shli %w1, %c : tensor<4xi32>
  %o = arith.ori %w0, %s : tensor<4xi32>
  %t = arith.trunci %o : tensor<4xi32> to tensor<4xi16>
  %f = arith.bitcast %t : tensor<4xi16> to tensor<4xf16>
  %r = arith.extf %f : tensor<4xf16> to tensor<4xf32>
  return %r : tensor<4xf32>
}
func.func @no_float(%a0: tensor<4xbf16>) -> tensor<4xf32> {
  %b = arith.bitcast %a0 : tensor<4xbf16> to tensor<4xi16>
  %w = arith.extui %b : tensor<4xi16> to tensor<4xi32>
  %c = arith.constant dense<16> : tensor<4xi32>
  %h = arith.shrui %w, %c : tensor<4xi32>
  %t = arith.trunci %h : tensor<4xi32> to tensor<4xi16>
  %f = arith.bitcast %t : tensor<4xi16> to tensor<4xbf16>
  %r = arith.extf %f : tensor<4xbf16> to tensor<4xf32>
  return %r : tensor<4xf32>
}
func.func @signed_difference(%a0: tensor<4xi8>) -> tensor<4xi32> {
  %x = arith.extui %a0 : tensor<4xi8> to tensor<4xi16>
  %z = arith.constant dense<128> : tensor<4xi16>
  %d = arith.subi %x, %z : tensor<4xi16>
  %t = arith.trunci %d : tensor<4xi16> to tensor<4xi8>
  %r = arith.extsi %t : tensor<4xi8> to tensor<4xi32>
  return %r : tensor<4xi32>
}
func.func @unsigned_difference(%a0: tensor<4xi8>) -> tensor<4xi32> {
  %x = arith.extsi %a0 : tensor<4xi8> to tensor<4xi16>
  %z = arith.constant dense<-128> : tensor<4xi16>
  %d = arith.subi %x, %z : tensor<4xi16>
  %t = arith.trunci %d : tensor<4xi16> to tensor<4xi8>
  %r = arith.extui %t : tensor<4xi8> to tensor<4xi32>
  return %r : tensor<4xi32>
}
func.func @too_low(%a0: tensor<4xi8>) -> tensor<4xi32> {
  %x = arith.extui %a0 : tensor<4xi8> to tensor<4xi16>
  %z = arith.constant dense<129> : tensor<4xi16>
  %d = arith.subi %x, %z : tensor<4xi16>
  %t = arith.trunci %d : tensor<4xi16> to tensor<4xi8>
  %r = arith.extsi %t : tensor<4xi8> to tensor<4xi32>
  return %r : tensor<4xi32>
}
func.func @too_high(%a0: tensor<4xi8>) -> tensor<4xi32> {
  %x = arith.extsi %a0 : tensor<4xi8> to tensor<4xi16>
  %z = arith.constant dense<-129> : tensor<4xi16>
  %d = arith.subi %x, %z : tensor<4xi16>
  %t = arith.trunci %d : tensor<4xi16> to tensor<4xi8>
  %r = arith.extui %t : tensor<4xi8> to tensor<4xi32>
  return %r : tensor<4xi32>
}
