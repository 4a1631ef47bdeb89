// Quotients of floats by zero are infinities and NaN on all targets: a driver of
// Vulkan may leave out what computes them, since they are undefined to SPIR-V.
// RUN: convoy-run %s --function=by_constant --check --data=int --target=cpu,vulkan,rocm-sim | FileCheck %s
// RUN: convoy-run %s --function=chosen --check --data=int --target=cpu,vulkan,rocm-sim | FileCheck %s
// RUN: convoy-run %s --function=by_vector --check --data=int --target=cpu,vulkan,rocm-sim | FileCheck %s
// RUN: convoy-run %s --function=by_argument --check --data=int --target=cpu,vulkan,rocm-sim | FileCheck %s
// RUN: convoy-run %s --function=by_argument --input=3xf32=1,-2,0 --input=3xf32=-0.0,-0.0,0 --target=vulkan --output=- | FileCheck %s --check-prefix=SIGNS
// CHECK-COUNT-3: passed
// SIGNS: 3xf32=-inf inf {{-?}}nan

// Those of integers are undefined. No program ends by them; other elements are
// right, and checks say how many were not compared.
// RUN: convoy-run %s --function=integers --input=3xi32=7 --input=3xi32=0 --quiet
// RUN: convoy-run %s --function=integers --input=3xi32=-2147483648 --input=3xi32=-1,0,-3 --check --target=cpu,vulkan,rocm-sim | FileCheck %s --check-prefix=INTEGERS
// RUN: convoy-run %s --function=bytes --input=67xi8=-128 --input=67xi8=-1 --quiet
// RUN: convoy-run %s --function=bytes --input=67xi8=-128 --input=67xi8=0 --quiet
// INTEGERS-COUNT-3: 1 of 3 compared, 2 overflowed
// INTEGERS-COUNT-3: 1 passed
// RUN: not convoy-run %s --function=integers_by_constant --check 2>&1 | FileCheck %s --check-prefix=UNDEFINED
// UNDEFINED: cannot check 'integers_by_constant': nothing was checked: the reference has 3 without a bound (a sum too long for its type, an overflow or a division of integers by 0)

// Remainders have the sign of what is divided, that of the smallest number, too.
// RUN: convoy-run %s --function=remainders --input=8xi8=-128,-127,-3,-2,-1,0,2,127 --check --target=cpu,vulkan,rocm-sim --output=- | FileCheck %s --check-prefix=REMAINDERS
// REMAINDERS: 8xi8=-2 -1 0 -2 -1 0 2 1
// REMAINDERS-COUNT-3: passed

// Quotients are rounded to whole numbers below and above.
// RUN: convoy-run %s --function=rounded --check --data=uniform --target=cpu,vulkan,rocm-sim | FileCheck %s
// RUN: convoy-run %s --function=rounded --check --data=edge --target=cpu,vulkan,rocm-sim | FileCheck %s
// RUN: convoy-run %s --function=rounded --input=6xi8=-128,-8,-7,7,8,127 --check --output=- --output=- --output=- | FileCheck %s --check-prefix=ROUNDED
// ROUNDED: 6xi8=42 2 2 -3 -3 -43
// ROUNDED: 6xi8=43 3 3 -2 -2 -42
// ROUNDED: 6xi8=43 83 83 3 3 43

// So have those of floats.
// RUN: convoy-run %s --function=float_remainders --check --data=int --target=cpu,vulkan,rocm-sim | FileCheck %s
// RUN: convoy-run %s --function=float_remainders --check --data=normal --target=cpu,vulkan,rocm-sim | FileCheck %s
// RUN: convoy-run %s --function=float_remainders --input=5x3xf32=-7.5 --input=5x3xf32=-2,2,0.125,7.5,1e30,-7,3,0.1,1,8,0.5,-8,11,7,9 --check --target=cpu,vulkan,rocm-sim | FileCheck %s

func.func @by_constant(%x: tensor<2x5xf32>) -> tensor<2x5xf32> {
  %zero = arith.constant dense<-0.0> : tensor<2x5xf32>
  %y = arith.divf %x, %zero : tensor<2x5xf32>
  return %y : tensor<2x5xf32>
}

func.func @chosen(%x: tensor<2x5xf32>) -> tensor<2x5xf32> {
  %zero = arith.constant dense<0.0> : tensor<2x5xf32>
  %one = arith.constant dense<1.0> : tensor<2x5xf32>
  %y = arith.divf %x, %zero : tensor<2x5xf32>
  %z = arith.minimumf %y, %one : tensor<2x5xf32>
  %w = arith.maximumf %z, %x : tensor<2x5xf32>
  return %w : tensor<2x5xf32>
}

func.func @by_vector(%x: tensor<4x64xf16>) -> tensor<4x64xf16> {
  %zero = arith.constant dense<0.0> : tensor<4x64xf16>
  %one = arith.constant dense<1.0> : tensor<4x64xf16>
  %y = arith.divf %x, %zero : tensor<4x64xf16>
  %z = arith.minimumf %y, %one : tensor<4x64xf16>
  return %z : tensor<4x64xf16>
}

func.func @by_argument(%x: tensor<3xf32>, %y: tensor<3xf32>) -> tensor<3xf32> {
  %z = arith.divf %x, %y : tensor<3xf32>
  return %z : tensor<3xf32>
}

func.func @integers(%x: tensor<3xi32>, %y: tensor<3xi32>) -> tensor<3xi32> {
  %z = arith.divsi %x, %y : tensor<3xi32>
  return %z : tensor<3xi32>
}

func.func @bytes(%x: tensor<67xi8>, %y: tensor<67xi8>) -> (tensor<67xi8>, tensor<67xi8>, tensor<67xi8>) {
  %z = arith.divsi %x, %y : tensor<67xi8>
  %w = arith.remui %x, %y : tensor<67xi8>
  %v = arith.floordivsi %x, %y : tensor<67xi8>
  return %z, %w, %v : tensor<67xi8>, tensor<67xi8>, tensor<67xi8>
}

func.func @integers_by_constant(%x: tensor<3xi32>) -> tensor<3xi32> {
  %zero = arith.constant dense<0> : tensor<3xi32>
  %y = arith.divsi %x, %zero : tensor<3xi32>
  return %y : tensor<3xi32>
}

func.func @remainders(%x: tensor<8xi8>) -> tensor<8xi8> {
  %three = arith.constant dense<-3> : tensor<8xi8>
  %y = arith.remsi %x, %three : tensor<8xi8>
  return %y : tensor<8xi8>
}

func.func @rounded(%x: tensor<6xi8>) -> (tensor<6xi8>, tensor<6xi8>, tensor<6xi8>) {
  %minus = arith.constant dense<-3> : tensor<6xi8>
  %three = arith.constant dense<3> : tensor<6xi8>
  %floor = arith.floordivsi %x, %minus : tensor<6xi8>
  %ceil = arith.ceildivsi %x, %minus : tensor<6xi8>
  %unsigned = arith.ceildivui %x, %three : tensor<6xi8>
  return %floor, %ceil, %unsigned : tensor<6xi8>, tensor<6xi8>, tensor<6xi8>
}

func.func @float_remainders(%x: tensor<5x3xf32>, %y: tensor<5x3xf32>) -> tensor<5x3xf32> {
  %z = arith.remf %x, %y : tensor<5x3xf32>
  return %z : tensor<5x3xf32>
}
