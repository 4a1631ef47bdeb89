// What is multiplied and added: signs, zero points, types and bodies.
// RUN: rm -rf %t && split-file %s %t
// RUN: not convoy-certify %t/before.mlir %t/after.mlir | FileCheck %s

//--- before.mlir

// CHECK-DAG: certified: @mixed_signs:
func.func @mixed_signs(%input: tensor<1x5x2xi8>, %filter: tensor<3x2x4xi8>, %init: tensor<1x3x4xi32>) -> tensor<1x3x4xi32> {
  %result = convoy.conv ins(%input, %filter : tensor<1x5x2xi8>, tensor<3x2x4xi8>)
      outs(%init : tensor<1x3x4xi32>) layout(nwc x wcf -> nwf) numerics(input = unsigned)
  return %result : tensor<1x3x4xi32>
}
// An unsigned input, widened as if it were signed.
// CHECK-DAG: different: @signedness: element [{{.*}}]: the second function lacks extsi(argument1[{{.*}}]) * extui(argument0[{{.*}}])
func.func @signedness(%input: tensor<1x5x2xi8>, %filter: tensor<3x2x4xi8>, %init: tensor<1x3x4xi32>) -> tensor<1x3x4xi32> {
  %result = convoy.conv ins(%input, %filter : tensor<1x5x2xi8>, tensor<3x2x4xi8>)
      outs(%init : tensor<1x3x4xi32>) layout(nwc x wcf -> nwf) numerics(input = unsigned)
  return %result : tensor<1x3x4xi32>
}
// The signs are those of the other operand.
// CHECK-DAG: different: @swapped_signs:
func.func @swapped_signs(%input: tensor<1x5x2xi8>, %filter: tensor<3x2x4xi8>, %init: tensor<1x3x4xi32>) -> tensor<1x3x4xi32> {
  %result = convoy.conv ins(%input, %filter : tensor<1x5x2xi8>, tensor<3x2x4xi8>)
      outs(%init : tensor<1x3x4xi32>) layout(nwc x wcf -> nwf) numerics(input = unsigned)
  return %result : tensor<1x3x4xi32>
}
// CHECK-DAG: certified: @zero_points:
func.func @zero_points(%input: tensor<1x5x2xi8>, %filter: tensor<3x2x4xi8>, %init: tensor<1x3x4xi32>, %zx: i32, %zw: i32) -> tensor<1x3x4xi32> {
  %result = convoy.conv ins(%input, %filter : tensor<1x5x2xi8>, tensor<3x2x4xi8>)
      outs(%init : tensor<1x3x4xi32>) zero_points(%zx, %zw : i32, i32) layout(nwc x wcf -> nwf)
  return %result : tensor<1x3x4xi32>
}
// CHECK-DAG: different: @zero_points_forgotten:
func.func @zero_points_forgotten(%input: tensor<1x5x2xi8>, %filter: tensor<3x2x4xi8>, %init: tensor<1x3x4xi32>, %zx: i32, %zw: i32) -> tensor<1x3x4xi32> {
  %result = convoy.conv ins(%input, %filter : tensor<1x5x2xi8>, tensor<3x2x4xi8>)
      outs(%init : tensor<1x3x4xi32>) zero_points(%zx, %zw : i32, i32) layout(nwc x wcf -> nwf)
  return %result : tensor<1x3x4xi32>
}
// CHECK-DAG: different: @zero_points_swapped:
func.func @zero_points_swapped(%input: tensor<1x5x2xi8>, %filter: tensor<3x2x4xi8>, %init: tensor<1x3x4xi32>, %zx: i32, %zw: i32) -> tensor<1x3x4xi32> {
  %result = convoy.conv ins(%input, %filter : tensor<1x5x2xi8>, tensor<3x2x4xi8>)
      outs(%init : tensor<1x3x4xi32>) zero_points(%zx, %zw : i32, i32) layout(nwc x wcf -> nwf)
  return %result : tensor<1x3x4xi32>
}
// CHECK-DAG: certified: @commuted:
func.func @commuted(%input: tensor<1x5x2xf32>, %filter: tensor<3x2x4xf32>, %init: tensor<1x3x4xf32>) -> tensor<1x3x4xf32> {
  %result = convoy.conv ins(%input, %filter : tensor<1x5x2xf32>, tensor<3x2x4xf32>)
      outs(%init : tensor<1x3x4xf32>) layout(nwc x wcf -> nwf)
  return %result : tensor<1x3x4xf32>
}
// CHECK-DAG: different: @subtracted: element [{{.*}}]: the second function lacks argument0[{{.*}}] * argument1[{{.*}}]
func.func @subtracted(%input: tensor<1x5x2xf32>, %filter: tensor<3x2x4xf32>, %init: tensor<1x3x4xf32>) -> tensor<1x3x4xf32> {
  %result = convoy.conv ins(%input, %filter : tensor<1x5x2xf32>, tensor<3x2x4xf32>)
      outs(%init : tensor<1x3x4xf32>) layout(nwc x wcf -> nwf)
  return %result : tensor<1x3x4xf32>
}
// CHECK-DAG: different: @square:
func.func @square(%input: tensor<1x5x2xf32>, %filter: tensor<3x2x4xf32>, %init: tensor<1x3x4xf32>) -> tensor<1x3x4xf32> {
  %result = convoy.conv ins(%input, %filter : tensor<1x5x2xf32>, tensor<3x2x4xf32>)
      outs(%init : tensor<1x3x4xf32>) layout(nwc x wcf -> nwf)
  return %result : tensor<1x3x4xf32>
}
// CHECK-DAG: different: @no_product:
func.func @no_product(%input: tensor<1x5x2xf32>, %filter: tensor<3x2x4xf32>, %init: tensor<1x3x4xf32>) -> tensor<1x3x4xf32> {
  %result = convoy.conv ins(%input, %filter : tensor<1x5x2xf32>, tensor<3x2x4xf32>)
      outs(%init : tensor<1x3x4xf32>) layout(nwc x wcf -> nwf)
  return %result : tensor<1x3x4xf32>
}
// CHECK-DAG: different: @replaced_sum: element [0, 2, 3]: the first function computes 40, the second 6,
func.func @replaced_sum(%input: tensor<1x5x2xf32>, %filter: tensor<3x2x4xf32>, %init: tensor<1x3x4xf32>) -> tensor<1x3x4xf32> {
  %result = convoy.conv ins(%input, %filter : tensor<1x5x2xf32>, tensor<3x2x4xf32>)
      outs(%init : tensor<1x3x4xf32>) layout(nwc x wcf -> nwf)
  return %result : tensor<1x3x4xf32>
}
// Each product rounded to 16 bits before it is added.
// CHECK-DAG: undecided: @rounded_products:
func.func @rounded_products(%input: tensor<1x5x2xf16>, %filter: tensor<3x2x4xf16>, %init: tensor<1x3x4xf32>) -> tensor<1x3x4xf32> {
  %result = convoy.conv ins(%input, %filter : tensor<1x5x2xf16>, tensor<3x2x4xf16>)
      outs(%init : tensor<1x3x4xf32>) layout(nwc x wcf -> nwf)
  return %result : tensor<1x3x4xf32>
}
// CHECK-DAG: certified: @widened:
func.func @widened(%input: tensor<1x5x2xf16>, %filter: tensor<3x2x4xf16>, %init: tensor<1x3x4xf32>) -> tensor<1x3x4xf32> {
  %result = convoy.conv ins(%input, %filter : tensor<1x5x2xf16>, tensor<3x2x4xf16>)
      outs(%init : tensor<1x3x4xf32>) layout(nwc x wcf -> nwf)
  return %result : tensor<1x3x4xf32>
}
// (x - zx) * w against x * w + (-zx) * w.
// CHECK-DAG: certified: @multiplied_out:
func.func @multiplied_out(%x: tensor<7xi8>, %w: tensor<7xi8>, %init: tensor<i32>, %zx: i32) -> tensor<i32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(k) -> (k)>, affine_map<(k) -> (k)>, affine_map<(k) -> ()>], iterator_types = ["reduction"]} ins(%x, %w : tensor<7xi8>, tensor<7xi8>) outs(%init : tensor<i32>) {
  ^bb0(%a: i8, %b: i8, %c: i32):
    %ea = arith.extsi %a : i8 to i32
    %eb = arith.extsi %b : i8 to i32
    %d = arith.subi %ea, %zx : i32
    %m = arith.muli %d, %eb : i32
    %s = arith.addi %c, %m : i32
    linalg.yield %s : i32
  } -> tensor<i32>
  return %0 : tensor<i32>
}

//--- after.mlir
#x = affine_map<(n, w, f, k, c) -> (n, w + k, c)>
#f = affine_map<(n, w, f, k, c) -> (k, c, f)>
#y = affine_map<(n, w, f, k, c) -> (n, w, f)>
func.func @mixed_signs(%input: tensor<1x5x2xi8>, %filter: tensor<3x2x4xi8>, %init: tensor<1x3x4xi32>) -> tensor<1x3x4xi32> {
  %result = linalg.generic {indexing_maps = [#x, #f, #y],
      iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%input, %filter : tensor<1x5x2xi8>, tensor<3x2x4xi8>) outs(%init : tensor<1x3x4xi32>) {
  ^bb0(%x: i8, %y: i8, %sum: i32):
    %a = arith.extui %x : i8 to i32
    %b = arith.extsi %y : i8 to i32
    %product = arith.muli %a, %b : i32
    %next = arith.addi %sum, %product : i32
    linalg.yield %next : i32
  } -> tensor<1x3x4xi32>
  return %result : tensor<1x3x4xi32>
}
func.func @signedness(%input: tensor<1x5x2xi8>, %filter: tensor<3x2x4xi8>, %init: tensor<1x3x4xi32>) -> tensor<1x3x4xi32> {
  %result = linalg.generic {indexing_maps = [#x, #f, #y],
      iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%input, %filter : tensor<1x5x2xi8>, tensor<3x2x4xi8>) outs(%init : tensor<1x3x4xi32>) {
  ^bb0(%x: i8, %y: i8, %sum: i32):
    %a = arith.extsi %x : i8 to i32
    %b = arith.extsi %y : i8 to i32
    %product = arith.muli %a, %b : i32
    %next = arith.addi %sum, %product : i32
    linalg.yield %next : i32
  } -> tensor<1x3x4xi32>
  return %result : tensor<1x3x4xi32>
}
func.func @swapped_signs(%input: tensor<1x5x2xi8>, %filter: tensor<3x2x4xi8>, %init: tensor<1x3x4xi32>) -> tensor<1x3x4xi32> {
  %result = linalg.generic {indexing_maps = [#x, #f, #y],
      iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%input, %filter : tensor<1x5x2xi8>, tensor<3x2x4xi8>) outs(%init : tensor<1x3x4xi32>) {
  ^bb0(%x: i8, %y: i8, %sum: i32):
    %a = arith.extsi %x : i8 to i32
    %b = arith.extui %y : i8 to i32
    %product = arith.muli %a, %b : i32
    %next = arith.addi %sum, %product : i32
    linalg.yield %next : i32
  } -> tensor<1x3x4xi32>
  return %result : tensor<1x3x4xi32>
}
func.func @zero_points(%input: tensor<1x5x2xi8>, %filter: tensor<3x2x4xi8>, %init: tensor<1x3x4xi32>, %zx: i32, %zw: i32) -> tensor<1x3x4xi32> {
  %result = linalg.generic {indexing_maps = [#x, #f, #y],
      iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%input, %filter : tensor<1x5x2xi8>, tensor<3x2x4xi8>) outs(%init : tensor<1x3x4xi32>) {
  ^bb0(%x: i8, %y: i8, %sum: i32):
    %a = arith.extsi %x : i8 to i32
    %b = arith.extsi %y : i8 to i32
    %c = arith.subi %a, %zx : i32
    %d = arith.subi %b, %zw : i32
    %product = arith.muli %c, %d : i32
    %next = arith.addi %sum, %product : i32
    linalg.yield %next : i32
  } -> tensor<1x3x4xi32>
  return %result : tensor<1x3x4xi32>
}
func.func @zero_points_forgotten(%input: tensor<1x5x2xi8>, %filter: tensor<3x2x4xi8>, %init: tensor<1x3x4xi32>, %zx: i32, %zw: i32) -> tensor<1x3x4xi32> {
  %result = linalg.generic {indexing_maps = [#x, #f, #y],
      iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%input, %filter : tensor<1x5x2xi8>, tensor<3x2x4xi8>) outs(%init : tensor<1x3x4xi32>) {
  ^bb0(%x: i8, %y: i8, %sum: i32):
    %a = arith.extsi %x : i8 to i32
    %b = arith.extsi %y : i8 to i32
    %product = arith.muli %a, %b : i32
    %next = arith.addi %sum, %product : i32
    linalg.yield %next : i32
  } -> tensor<1x3x4xi32>
  return %result : tensor<1x3x4xi32>
}
func.func @zero_points_swapped(%input: tensor<1x5x2xi8>, %filter: tensor<3x2x4xi8>, %init: tensor<1x3x4xi32>, %zx: i32, %zw: i32) -> tensor<1x3x4xi32> {
  %result = linalg.generic {indexing_maps = [#x, #f, #y],
      iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%input, %filter : tensor<1x5x2xi8>, tensor<3x2x4xi8>) outs(%init : tensor<1x3x4xi32>) {
  ^bb0(%x: i8, %y: i8, %sum: i32):
    %a = arith.extsi %x : i8 to i32
    %b = arith.extsi %y : i8 to i32
    %c = arith.subi %a, %zw : i32
    %d = arith.subi %b, %zx : i32
    %product = arith.muli %c, %d : i32
    %next = arith.addi %sum, %product : i32
    linalg.yield %next : i32
  } -> tensor<1x3x4xi32>
  return %result : tensor<1x3x4xi32>
}
func.func @commuted(%input: tensor<1x5x2xf32>, %filter: tensor<3x2x4xf32>, %init: tensor<1x3x4xf32>) -> tensor<1x3x4xf32> {
  %result = linalg.generic {indexing_maps = [#x, #f, #y],
      iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%input, %filter : tensor<1x5x2xf32>, tensor<3x2x4xf32>) outs(%init : tensor<1x3x4xf32>) {
  ^bb0(%x: f32, %y: f32, %sum: f32):
    %product = arith.mulf %y, %x : f32
    %next = arith.addf %product, %sum : f32
    linalg.yield %next : f32
  } -> tensor<1x3x4xf32>
  return %result : tensor<1x3x4xf32>
}
func.func @subtracted(%input: tensor<1x5x2xf32>, %filter: tensor<3x2x4xf32>, %init: tensor<1x3x4xf32>) -> tensor<1x3x4xf32> {
  %result = linalg.generic {indexing_maps = [#x, #f, #y],
      iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%input, %filter : tensor<1x5x2xf32>, tensor<3x2x4xf32>) outs(%init : tensor<1x3x4xf32>) {
  ^bb0(%x: f32, %y: f32, %sum: f32):
    %product = arith.mulf %x, %y : f32
    %next = arith.subf %sum, %product : f32
    linalg.yield %next : f32
  } -> tensor<1x3x4xf32>
  return %result : tensor<1x3x4xf32>
}
func.func @square(%input: tensor<1x5x2xf32>, %filter: tensor<3x2x4xf32>, %init: tensor<1x3x4xf32>) -> tensor<1x3x4xf32> {
  %result = linalg.generic {indexing_maps = [#x, #f, #y],
      iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%input, %filter : tensor<1x5x2xf32>, tensor<3x2x4xf32>) outs(%init : tensor<1x3x4xf32>) {
  ^bb0(%x: f32, %y: f32, %sum: f32):
    %product = arith.mulf %x, %x : f32
    %next = arith.addf %sum, %product : f32
    linalg.yield %next : f32
  } -> tensor<1x3x4xf32>
  return %result : tensor<1x3x4xf32>
}
func.func @no_product(%input: tensor<1x5x2xf32>, %filter: tensor<3x2x4xf32>, %init: tensor<1x3x4xf32>) -> tensor<1x3x4xf32> {
  %result = linalg.generic {indexing_maps = [#x, #f, #y],
      iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%input, %filter : tensor<1x5x2xf32>, tensor<3x2x4xf32>) outs(%init : tensor<1x3x4xf32>) {
  ^bb0(%x: f32, %y: f32, %sum: f32):
    %product = arith.addf %x, %y : f32
    %next = arith.addf %sum, %product : f32
    linalg.yield %next : f32
  } -> tensor<1x3x4xf32>
  return %result : tensor<1x3x4xf32>
}
func.func @replaced_sum(%input: tensor<1x5x2xf32>, %filter: tensor<3x2x4xf32>, %init: tensor<1x3x4xf32>) -> tensor<1x3x4xf32> {
  %result = linalg.generic {indexing_maps = [#x, #f, #y],
      iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%input, %filter : tensor<1x5x2xf32>, tensor<3x2x4xf32>) outs(%init : tensor<1x3x4xf32>) {
  ^bb0(%x: f32, %y: f32, %sum: f32):
    %product = arith.mulf %x, %y : f32
    %next = arith.maximumf %sum, %product : f32
    linalg.yield %next : f32
  } -> tensor<1x3x4xf32>
  return %result : tensor<1x3x4xf32>
}
func.func @rounded_products(%input: tensor<1x5x2xf16>, %filter: tensor<3x2x4xf16>, %init: tensor<1x3x4xf32>) -> tensor<1x3x4xf32> {
  %result = linalg.generic {indexing_maps = [#x, #f, #y],
      iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%input, %filter : tensor<1x5x2xf16>, tensor<3x2x4xf16>) outs(%init : tensor<1x3x4xf32>) {
  ^bb0(%x: f16, %y: f16, %sum: f32):
    %p = arith.mulf %x, %y : f16
    %product = arith.extf %p : f16 to f32
    %next = arith.addf %sum, %product : f32
    linalg.yield %next : f32
  } -> tensor<1x3x4xf32>
  return %result : tensor<1x3x4xf32>
}
func.func @widened(%input: tensor<1x5x2xf16>, %filter: tensor<3x2x4xf16>, %init: tensor<1x3x4xf32>) -> tensor<1x3x4xf32> {
  %result = linalg.generic {indexing_maps = [#x, #f, #y],
      iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%input, %filter : tensor<1x5x2xf16>, tensor<3x2x4xf16>) outs(%init : tensor<1x3x4xf32>) {
  ^bb0(%x: f16, %y: f16, %sum: f32):
    %a = arith.extf %x : f16 to f32
    %b = arith.extf %y : f16 to f32
    %product = arith.mulf %a, %b : f32
    %next = arith.addf %sum, %product : f32
    linalg.yield %next : f32
  } -> tensor<1x3x4xf32>
  return %result : tensor<1x3x4xf32>
}
func.func @multiplied_out(%x: tensor<7xi8>, %w: tensor<7xi8>, %init: tensor<i32>, %zx: i32) -> tensor<i32> {
  %c0 = arith.constant 0 : i32
  %neg = arith.subi %c0, %zx : i32
  %0 = linalg.generic {indexing_maps = [affine_map<(k) -> (k)>, affine_map<(k) -> (k)>, affine_map<(k) -> ()>], iterator_types = ["reduction"]} ins(%x, %w : tensor<7xi8>, tensor<7xi8>) outs(%init : tensor<i32>) {
  ^bb0(%a: i8, %b: i8, %c: i32):
    %ea = arith.extsi %a : i8 to i32
    %eb = arith.extsi %b : i8 to i32
    %m = arith.muli %ea, %eb : i32
    %m2 = arith.muli %neg, %eb : i32
    %s = arith.addi %c, %m : i32
    %s2 = arith.addi %s, %m2 : i32
    linalg.yield %s2 : i32
  } -> tensor<i32>
  return %0 : tensor<i32>
}
