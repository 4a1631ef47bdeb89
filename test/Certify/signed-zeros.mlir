// 0 and -0 are one number, but for ops that make others of them: there only
// values of the same bits are the same.
// RUN: rm -rf %t && split-file %s %t
// RUN: not convoy-certify %t/before.mlir %t/after.mlir | FileCheck %s

//--- before.mlir
// x + 0 is never -0.
// CHECK-DAG: undecided: @copysign_sum: {{.*}}math.copysign: terms that differ as they are written, but perhaps not in value: element [3]: the first function has plus zero(argument0[3]), and has argument0[3] instead
func.func @copysign_sum(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %zero = arith.constant dense<0.0> : tensor<4xf32>
  %sum = arith.addf %x, %zero : tensor<4xf32>
  %r = math.copysign %y, %sum : tensor<4xf32>
  return %r : tensor<4xf32>
}
// CHECK-DAG: undecided: @atan2_constants: {{.*}}math.atan2: terms that differ as they are written
func.func @atan2_constants(%x: tensor<4xf32>) -> tensor<4xf32> {
  %zero = arith.constant dense<0.0> : tensor<4xf32>
  %r = math.atan2 %zero, %x : tensor<4xf32>
  return %r : tensor<4xf32>
}
// CHECK-DAG: undecided: @bits: {{.*}}arith.bitcast: terms that differ as they are written
func.func @bits(%x: tensor<4xf32>) -> tensor<4xi32> {
  %zero = arith.constant dense<0.0> : tensor<4xf32>
  %sum = arith.addf %zero, %x : tensor<4xf32>
  %r = arith.bitcast %sum : tensor<4xf32> to tensor<4xi32>
  return %r : tensor<4xi32>
}
// CHECK-DAG: undecided: @reciprocal: {{.*}}arith.divf: terms that differ as they are written
func.func @reciprocal(%x: tensor<4xf32>) -> tensor<4xf32> {
  %zero = arith.constant dense<0.0> : tensor<4xf32>
  %one = arith.constant dense<1.0> : tensor<4xf32>
  %sum = arith.addf %x, %zero : tensor<4xf32>
  %r = arith.divf %one, %sum : tensor<4xf32>
  return %r : tensor<4xf32>
}
// CHECK-DAG: undecided: @rsqrt: {{.*}}math.rsqrt: terms that differ as they are written
func.func @rsqrt(%x: tensor<4xf32>) -> tensor<4xf32> {
  %zero = arith.constant dense<-0.0> : tensor<4xf32>
  %difference = arith.subf %x, %zero : tensor<4xf32>
  %r = math.rsqrt %difference : tensor<4xf32>
  return %r : tensor<4xf32>
}
// -(x + 0) is -0 where -x + 0 is 0.
// CHECK-DAG: undecided: @negated: {{.*}}math.copysign: terms that differ as they are written
func.func @negated(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %zero = arith.constant dense<0.0> : tensor<4xf32>
  %sum = arith.addf %x, %zero : tensor<4xf32>
  %n = arith.negf %sum : tensor<4xf32>
  %r = math.copysign %y, %n : tensor<4xf32>
  return %r : tensor<4xf32>
}
// CHECK-DAG: undecided: @in_maximum: {{.*}}math.copysign: terms that differ as they are written
func.func @in_maximum(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %zero = arith.constant dense<0.0> : tensor<4xf32>
  %m = arith.maximumf %x, %zero : tensor<4xf32>
  %r = math.copysign %y, %m : tensor<4xf32>
  return %r : tensor<4xf32>
}
// A product with zero has the sign of the other factor.
// CHECK-DAG: undecided: @product: {{.*}}math.copysign: a zero whose sign is not known, of which an op makes other numbers where it is negative
func.func @product(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %zero = arith.constant dense<0.0> : tensor<4xf32>
  %p = arith.mulf %x, %zero : tensor<4xf32>
  %r = math.copysign %y, %p : tensor<4xf32>
  return %r : tensor<4xf32>
}
// CHECK-DAG: undecided: @choice: {{.*}}math.copysign: a zero whose sign is not known
func.func @choice(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %zero = arith.constant dense<0.0> : tensor<4xf32>
  %is = arith.cmpf oge, %x, %zero : tensor<4xf32>
  %m = arith.select %is, %x, %zero : tensor<4xi1>, tensor<4xf32>
  %r = math.copysign %y, %m : tensor<4xf32>
  return %r : tensor<4xf32>
}
// In a loop, and through a body of linalg.
// CHECK-DAG: undecided: @in_loop: {{.*}}terms that differ as they are written
func.func @in_loop(%x: tensor<4xf32>) -> tensor<4xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %0 = tensor.empty() : tensor<4xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x : tensor<4xf32>) outs(%0 : tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32):
    %sum = arith.addf %zero, %a : f32
    linalg.yield %sum : f32
  } -> tensor<4xf32>
  %2 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%1 : tensor<4xf32>) outs(%0 : tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32):
    %q = arith.divf %one, %a : f32
    linalg.yield %q : f32
  } -> tensor<4xf32>
  return %2 : tensor<4xf32>
}
// What is rounded, divided or taken apart without a zero that was added is the
// same, and so is what has one on both sides.
// CHECK-DAG: certified: @same_zeros: equal for all finite values (
func.func @same_zeros(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %zero = arith.constant dense<0.0> : tensor<4xf32>
  %sum = arith.addf %x, %zero : tensor<4xf32>
  %r = math.copysign %y, %sum : tensor<4xf32>
  return %r : tensor<4xf32>
}
// CHECK-DAG: certified: @minus_zero_is_nothing: equal for all finite values (
func.func @minus_zero_is_nothing(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %zero = arith.constant dense<-0.0> : tensor<4xf32>
  %sum = arith.addf %x, %zero : tensor<4xf32>
  %r = math.copysign %y, %sum : tensor<4xf32>
  return %r : tensor<4xf32>
}
// CHECK-DAG: certified: @never_zero: equal for all finite values (
func.func @never_zero(%x: tensor<4xf32>) -> tensor<4xf32> {
  %zero = arith.constant dense<0.0> : tensor<4xf32>
  %one = arith.constant dense<1.0> : tensor<4xf32>
  %n = arith.negf %x : tensor<4xf32>
  %e = math.exp %n : tensor<4xf32>
  %f = arith.addf %e, %zero : tensor<4xf32>
  %d = arith.addf %one, %f : tensor<4xf32>
  %r = arith.divf %one, %d : tensor<4xf32>
  return %r : tensor<4xf32>
}
// The sum of a softmax begins with 0 in both.
// CHECK-DAG: certified: @divided_by_sum: equal for all finite values (
func.func @divided_by_sum(%x: tensor<3x8xf32>) -> tensor<3xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant dense<1.0> : tensor<3xf32>
  %0 = tensor.empty() : tensor<3xf32>
  %1 = linalg.fill ins(%zero : f32) outs(%0 : tensor<3xf32>) -> tensor<3xf32>
  %2 = linalg.reduce ins(%x : tensor<3x8xf32>) outs(%1 : tensor<3xf32>) dimensions = [1]
    (%a: f32, %b: f32) {
      %s = arith.addf %a, %b : f32
      linalg.yield %s : f32
    }
  %r = arith.divf %one, %2 : tensor<3xf32>
  return %r : tensor<3xf32>
}

//--- after.mlir
func.func @copysign_sum(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %r = math.copysign %y, %x : tensor<4xf32>
  return %r : tensor<4xf32>
}
func.func @atan2_constants(%x: tensor<4xf32>) -> tensor<4xf32> {
  %zero = arith.constant dense<-0.0> : tensor<4xf32>
  %r = math.atan2 %zero, %x : tensor<4xf32>
  return %r : tensor<4xf32>
}
func.func @bits(%x: tensor<4xf32>) -> tensor<4xi32> {
  %r = arith.bitcast %x : tensor<4xf32> to tensor<4xi32>
  return %r : tensor<4xi32>
}
func.func @reciprocal(%x: tensor<4xf32>) -> tensor<4xf32> {
  %one = arith.constant dense<1.0> : tensor<4xf32>
  %r = arith.divf %one, %x : tensor<4xf32>
  return %r : tensor<4xf32>
}
func.func @rsqrt(%x: tensor<4xf32>) -> tensor<4xf32> {
  %r = math.rsqrt %x : tensor<4xf32>
  return %r : tensor<4xf32>
}
func.func @negated(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %zero = arith.constant dense<0.0> : tensor<4xf32>
  %n = arith.negf %x : tensor<4xf32>
  %sum = arith.addf %n, %zero : tensor<4xf32>
  %r = math.copysign %y, %sum : tensor<4xf32>
  return %r : tensor<4xf32>
}
func.func @in_maximum(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %zero = arith.constant dense<-0.0> : tensor<4xf32>
  %m = arith.maximumf %x, %zero : tensor<4xf32>
  %r = math.copysign %y, %m : tensor<4xf32>
  return %r : tensor<4xf32>
}
func.func @product(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %zero = arith.constant dense<0.0> : tensor<4xf32>
  %r = math.copysign %y, %zero : tensor<4xf32>
  return %r : tensor<4xf32>
}
func.func @choice(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %zero = arith.constant dense<0.0> : tensor<4xf32>
  %m = arith.maximumf %x, %zero : tensor<4xf32>
  %r = math.copysign %y, %m : tensor<4xf32>
  return %r : tensor<4xf32>
}
func.func @in_loop(%x: tensor<4xf32>) -> tensor<4xf32> {
  %one = arith.constant dense<1.0> : tensor<4xf32>
  %r = arith.divf %one, %x : tensor<4xf32>
  return %r : tensor<4xf32>
}
func.func @same_zeros(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %zero = arith.constant dense<0.0> : tensor<4xf32>
  %sum = arith.addf %zero, %x : tensor<4xf32>
  %again = arith.addf %zero, %sum : tensor<4xf32>
  %r = math.copysign %y, %again : tensor<4xf32>
  return %r : tensor<4xf32>
}
func.func @minus_zero_is_nothing(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %r = math.copysign %y, %x : tensor<4xf32>
  return %r : tensor<4xf32>
}
func.func @never_zero(%x: tensor<4xf32>) -> tensor<4xf32> {
  %one = arith.constant dense<1.0> : tensor<4xf32>
  %n = arith.negf %x : tensor<4xf32>
  %e = math.exp %n : tensor<4xf32>
  %d = arith.addf %e, %one : tensor<4xf32>
  %r = arith.divf %one, %d : tensor<4xf32>
  return %r : tensor<4xf32>
}
func.func @divided_by_sum(%x: tensor<3x8xf32>) -> tensor<3xf32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f32
  %one = arith.constant dense<1.0> : tensor<3xf32>
  %0 = tensor.empty() : tensor<3xf32>
  %1 = linalg.fill ins(%zero : f32) outs(%0 : tensor<3xf32>) -> tensor<3xf32>
  %2 = scf.for %k = %c0 to %c8 step %c2 iter_args(%sum = %1) -> tensor<3xf32> {
    %t = tensor.extract_slice %x[0, %k] [3, 2] [1, 1] : tensor<3x8xf32> to tensor<3x2xf32>
    %3 = linalg.reduce ins(%t : tensor<3x2xf32>) outs(%sum : tensor<3xf32>) dimensions = [1]
      (%a: f32, %b: f32) {
        %s = arith.addf %a, %b : f32
        linalg.yield %s : f32
      }
    scf.yield %3 : tensor<3xf32>
  }
  %r = arith.divf %one, %2 : tensor<3xf32>
  return %r : tensor<3xf32>
}
