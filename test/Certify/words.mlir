// Numbers that are put together in one of more bits, and taken out again.
// RUN: rm -rf %t && split-file %s %t
// RUN: not convoy-certify %t/before.mlir %t/after.mlir | FileCheck %s

//--- before.mlir
// The low half of a word is what was put there,
// CHECK-DAG: certified: @low
func.func @low(%a0: tensor<4xi16>, %a1: tensor<4xi16>) -> tensor<4xi32> {
  %r = arith.extsi %a0 : tensor<4xi16> to tensor<4xi32>
  return %r : tensor<4xi32>
}
// and so is the high half, with its sign.
// CHECK-DAG: certified: @high
func.func @high(%a0: tensor<4xi16>, %a1: tensor<4xi16>) -> tensor<4xi32> {
  %r = arith.extsi %a1 : tensor<4xi16> to tensor<4xi32>
  return %r : tensor<4xi32>
}
// Not the other one.
// CHECK-DAG: different: @swapped
func.func @swapped(%a0: tensor<4xi16>, %a1: tensor<4xi16>) -> tensor<4xi32> {
  %r = arith.extsi %a0 : tensor<4xi16> to tensor<4xi32>
  return %r : tensor<4xi32>
}
// A shift that brings in zeros leaves out the sign.
// CHECK-DAG: different: @no_sign
func.func @no_sign(%a0: tensor<4xi16>, %a1: tensor<4xi16>) -> tensor<4xi32> {
  %r = arith.extsi %a1 : tensor<4xi16> to tensor<4xi32>
  return %r : tensor<4xi32>
}
// Other shifts leave a bit of the low half, or take one of the high half.
// CHECK-DAG: different: @shift_15
func.func @shift_15(%a0: tensor<4xi16>, %a1: tensor<4xi16>) -> tensor<4xi32> {
  %r = arith.extsi %a1 : tensor<4xi16> to tensor<4xi32>
  return %r : tensor<4xi32>
}
// CHECK-DAG: different: @shift_17
func.func @shift_17(%a0: tensor<4xi16>, %a1: tensor<4xi16>) -> tensor<4xi32> {
  %r = arith.extsi %a1 : tensor<4xi16> to tensor<4xi32>
  return %r : tensor<4xi32>
}
// Halves that overlap are no word.
// CHECK-DAG: different: @overlapping
func.func @overlapping(%a0: tensor<4xi16>, %a1: tensor<4xi16>) -> tensor<4xi32> {
  %r = arith.extsi %a0 : tensor<4xi16> to tensor<4xi32>
  return %r : tensor<4xi32>
}
// The sign of the low half runs into the high one,
// CHECK-DAG: different: @sign_in_high
func.func @sign_in_high(%a0: tensor<4xi16>, %a1: tensor<4xi16>) -> tensor<4xi32> {
  %r = arith.extsi %a1 : tensor<4xi16> to tensor<4xi32>
  return %r : tensor<4xi32>
}
// A half may stand alone.
// CHECK-DAG: certified: @alone
func.func @alone(%a0: tensor<4xi16>, %a1: tensor<4xi16>) -> tensor<4xi32> {
  %r = arith.constant dense<0> : tensor<4xi32>
  return %r : tensor<4xi32>
}
// A byte has room in a half.
// CHECK-DAG: certified: @narrow
func.func @narrow(%a0: tensor<4xi8>, %a1: tensor<4xi8>) -> tensor<4xi32> {
  %r = arith.extui %a1 : tensor<4xi8> to tensor<4xi32>
  return %r : tensor<4xi32>
}
// Of a shift by 8 something lies in the low half.
// CHECK-DAG: different: @narrow_low
func.func @narrow_low(%a0: tensor<4xi8>, %a1: tensor<4xi8>) -> tensor<4xi32> {
  %r = arith.extui %a0 : tensor<4xi8> to tensor<4xi32>
  return %r : tensor<4xi32>
}
// A difference that does not wrap around is widened after it or before.
// CHECK-DAG: certified: @difference
func.func @difference(%a0: tensor<4xi8>) -> tensor<4xi32> {
  %x = arith.extui %a0 : tensor<4xi8> to tensor<4xi32>
  %z = arith.constant dense<200> : tensor<4xi32>
  %d = arith.subi %x, %z : tensor<4xi32>
  return %d : tensor<4xi32>
}
// One that wraps around is another number.
// CHECK-DAG: different: @wraps
func.func @wraps(%a0: tensor<4xi8>) -> tensor<4xi32> {
  %x = arith.extui %a0 : tensor<4xi8> to tensor<4xi32>
  %z = arith.constant dense<-32700> : tensor<4xi32>
  %d = arith.subi %x, %z : tensor<4xi32>
  return %d : tensor<4xi32>
}
//--- after.mlir
func.func @low(%a0: tensor<4xi16>, %a1: tensor<4xi16>) -> tensor<4xi32> {
  %l = arith.extui %a0 : tensor<4xi16> to tensor<4xi32>
  %h = arith.extui %a1 : tensor<4xi16> to tensor<4xi32>
  %s = arith.constant dense<16> : tensor<4xi32>
  %u = arith.shli %h, %s : tensor<4xi32>
  %w = arith.ori %l, %u : tensor<4xi32>
  %t = arith.trunci %w : tensor<4xi32> to tensor<4xi16>
  %r = arith.extsi %t : tensor<4xi16> to tensor<4xi32>
  return %r : tensor<4xi32>
}
func.func @high(%a0: tensor<4xi16>, %a1: tensor<4xi16>) -> tensor<4xi32> {
  %l = arith.extui %a0 : tensor<4xi16> to tensor<4xi32>
  %h = arith.extui %a1 : tensor<4xi16> to tensor<4xi32>
  %s = arith.constant dense<16> : tensor<4xi32>
  %u = arith.shli %h, %s : tensor<4xi32>
  %w = arith.ori %l, %u : tensor<4xi32>
  %r = arith.shrsi %w, %s : tensor<4xi32>
  return %r : tensor<4xi32>
}
func.func @swapped(%a0: tensor<4xi16>, %a1: tensor<4xi16>) -> tensor<4xi32> {
  %l = arith.extui %a0 : tensor<4xi16> to tensor<4xi32>
  %h = arith.extui %a1 : tensor<4xi16> to tensor<4xi32>
  %s = arith.constant dense<16> : tensor<4xi32>
  %u = arith.shli %h, %s : tensor<4xi32>
  %w = arith.ori %l, %u : tensor<4xi32>
  %r = arith.shrsi %w, %s : tensor<4xi32>
  return %r : tensor<4xi32>
}
func.func @no_sign(%a0: tensor<4xi16>, %a1: tensor<4xi16>) -> tensor<4xi32> {
  %l = arith.extui %a0 : tensor<4xi16> to tensor<4xi32>
  %h = arith.extui %a1 : tensor<4xi16> to tensor<4xi32>
  %s = arith.constant dense<16> : tensor<4xi32>
  %u = arith.shli %h, %s : tensor<4xi32>
  %w = arith.ori %l, %u : tensor<4xi32>
  %r = arith.shrui %w, %s : tensor<4xi32>
  return %r : tensor<4xi32>
}
func.func @shift_15(%a0: tensor<4xi16>, %a1: tensor<4xi16>) -> tensor<4xi32> {
  %l = arith.extui %a0 : tensor<4xi16> to tensor<4xi32>
  %h = arith.extui %a1 : tensor<4xi16> to tensor<4xi32>
  %s = arith.constant dense<16> : tensor<4xi32>
  %u = arith.shli %h, %s : tensor<4xi32>
  %w = arith.ori %l, %u : tensor<4xi32>
  %s15 = arith.constant dense<15> : tensor<4xi32>
  %r = arith.shrsi %w, %s15 : tensor<4xi32>
  return %r : tensor<4xi32>
}
func.func @shift_17(%a0: tensor<4xi16>, %a1: tensor<4xi16>) -> tensor<4xi32> {
  %l = arith.extui %a0 : tensor<4xi16> to tensor<4xi32>
  %h = arith.extui %a1 : tensor<4xi16> to tensor<4xi32>
  %s = arith.constant dense<16> : tensor<4xi32>
  %u = arith.shli %h, %s : tensor<4xi32>
  %w = arith.ori %l, %u : tensor<4xi32>
  %s17 = arith.constant dense<17> : tensor<4xi32>
  %r = arith.shrsi %w, %s17 : tensor<4xi32>
  return %r : tensor<4xi32>
}
func.func @overlapping(%a0: tensor<4xi16>, %a1: tensor<4xi16>) -> tensor<4xi32> {
  %l = arith.extui %a0 : tensor<4xi16> to tensor<4xi32>
  %h = arith.extui %a1 : tensor<4xi16> to tensor<4xi32>
  %s = arith.constant dense<15> : tensor<4xi32>
  %u = arith.shli %h, %s : tensor<4xi32>
  %w = arith.ori %l, %u : tensor<4xi32>
  %t = arith.trunci %w : tensor<4xi32> to tensor<4xi16>
  %r = arith.extsi %t : tensor<4xi16> to tensor<4xi32>
  return %r : tensor<4xi32>
}
func.func @sign_in_high(%a0: tensor<4xi16>, %a1: tensor<4xi16>) -> tensor<4xi32> {
  %l = arith.extsi %a0 : tensor<4xi16> to tensor<4xi32>
  %h = arith.extui %a1 : tensor<4xi16> to tensor<4xi32>
  %s = arith.constant dense<16> : tensor<4xi32>
  %u = arith.shli %h, %s : tensor<4xi32>
  %w = arith.ori %l, %u : tensor<4xi32>
  %r = arith.shrsi %w, %s : tensor<4xi32>
  return %r : tensor<4xi32>
}
func.func @alone(%a0: tensor<4xi16>, %a1: tensor<4xi16>) -> tensor<4xi32> {
  %w = arith.extui %a0 : tensor<4xi16> to tensor<4xi32>
  %s = arith.constant dense<16> : tensor<4xi32>
  %r = arith.shrsi %w, %s : tensor<4xi32>
  return %r : tensor<4xi32>
}
func.func @narrow(%a0: tensor<4xi8>, %a1: tensor<4xi8>) -> tensor<4xi32> {
  %l = arith.extui %a0 : tensor<4xi8> to tensor<4xi32>
  %h = arith.extui %a1 : tensor<4xi8> to tensor<4xi32>
  %s = arith.constant dense<16> : tensor<4xi32>
  %u = arith.shli %h, %s : tensor<4xi32>
  %w = arith.ori %l, %u : tensor<4xi32>
  %r = arith.shrsi %w, %s : tensor<4xi32>
  return %r : tensor<4xi32>
}
func.func @narrow_low(%a0: tensor<4xi8>, %a1: tensor<4xi8>) -> tensor<4xi32> {
  %l = arith.extui %a0 : tensor<4xi8> to tensor<4xi32>
  %h = arith.extui %a1 : tensor<4xi8> to tensor<4xi32>
  %s = arith.constant dense<8> : tensor<4xi32>
  %u = arith.shli %h, %s : tensor<4xi32>
  %w = arith.ori %l, %u : tensor<4xi32>
  %t = arith.trunci %w : tensor<4xi32> to tensor<4xi16>
  %r = arith.extsi %t : tensor<4xi16> to tensor<4xi32>
  return %r : tensor<4xi32>
}
func.func @difference(%a0: tensor<4xi8>) -> tensor<4xi32> {
  %x = arith.extui %a0 : tensor<4xi8> to tensor<4xi16>
  %z = arith.constant dense<200> : tensor<4xi16>
  %d = arith.subi %x, %z : tensor<4xi16>
  %r = arith.extsi %d : tensor<4xi16> to tensor<4xi32>
  return %r : tensor<4xi32>
}
func.func @wraps(%a0: tensor<4xi8>) -> tensor<4xi32> {
  %x = arith.extui %a0 : tensor<4xi8> to tensor<4xi16>
  %z = arith.constant dense<-32700> : tensor<4xi16>
  %d = arith.subi %x, %z : tensor<4xi16>
  %r = arith.extsi %d : tensor<4xi16> to tensor<4xi32>
  return %r : tensor<4xi32>
}
