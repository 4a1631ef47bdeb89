// Sums of products of words by the instructions of CPUs.
// RUN: rm -rf %t && split-file %s %t
// RUN: not convoy-certify %t/before.mlir %t/after.mlir | FileCheck %s
// CHECK-DAG: certified: @pmaddwd:
// CHECK-DAG: certified: @vpdpwssd:
// CHECK-DAG: certified: @vpdpbusd:
// CHECK-DAG: different: @vpdpbusd_swapped: element [7]: the second function lacks extsi(argument1[31]) * extui(argument0[31])
// CHECK-DAG: certified: @sdot:
// CHECK-DAG: certified: @udot:
// CHECK-DAG: certified: @usdot:
// CHECK-DAG: different: @sdot_for_udot: element [3]: the second function lacks extui(argument0[15]) * extui(argument1[15])
// CHECK-DAG: undecided: @vpdpbusds: {{.*}}llvm.call_intrinsic: an effect that results do not show

//--- before.mlir
func.func @pmaddwd(%x: tensor<16xi16>, %y: tensor<16xi16>, %z: tensor<8xi32>) -> tensor<8xi32> {
  %c0 = arith.constant 0 : index
  %p = ub.poison : i16
  %q = ub.poison : i32
  %e = tensor.empty() : tensor<8xi32>
  %a = vector.transfer_read %x[%c0], %p {in_bounds = [true]} : tensor<16xi16>, vector<16xi16>
  %b = vector.transfer_read %y[%c0], %p {in_bounds = [true]} : tensor<16xi16>, vector<16xi16>
  %s = vector.transfer_read %z[%c0], %q {in_bounds = [true]} : tensor<8xi32>, vector<8xi32>
  %wa = arith.extsi %a : vector<16xi16> to vector<16xi32>
  %wb = arith.extsi %b : vector<16xi16> to vector<16xi32>
  %m = arith.muli %wa, %wb : vector<16xi32>
  %m2 = vector.shape_cast %m : vector<16xi32> to vector<8x2xi32>
  %w = vector.multi_reduction <add>, %m2, %s [1] : vector<8x2xi32> to vector<8xi32>
  %r = vector.transfer_write %w, %e[%c0] {in_bounds = [true]} : vector<8xi32>, tensor<8xi32>
  return %r : tensor<8xi32>
}

func.func @vpdpwssd(%x: tensor<16xi16>, %y: tensor<16xi16>, %z: tensor<8xi32>) -> tensor<8xi32> {
  %c0 = arith.constant 0 : index
  %p = ub.poison : i16
  %q = ub.poison : i32
  %e = tensor.empty() : tensor<8xi32>
  %a = vector.transfer_read %x[%c0], %p {in_bounds = [true]} : tensor<16xi16>, vector<16xi16>
  %b = vector.transfer_read %y[%c0], %p {in_bounds = [true]} : tensor<16xi16>, vector<16xi16>
  %s = vector.transfer_read %z[%c0], %q {in_bounds = [true]} : tensor<8xi32>, vector<8xi32>
  %wa = arith.extsi %a : vector<16xi16> to vector<16xi32>
  %wb = arith.extsi %b : vector<16xi16> to vector<16xi32>
  %m = arith.muli %wa, %wb : vector<16xi32>
  %m2 = vector.shape_cast %m : vector<16xi32> to vector<8x2xi32>
  %w = vector.multi_reduction <add>, %m2, %s [1] : vector<8x2xi32> to vector<8xi32>
  %r = vector.transfer_write %w, %e[%c0] {in_bounds = [true]} : vector<8xi32>, tensor<8xi32>
  return %r : tensor<8xi32>
}

func.func @vpdpbusd(%x: tensor<32xi8>, %y: tensor<32xi8>, %z: tensor<8xi32>) -> tensor<8xi32> {
  %c0 = arith.constant 0 : index
  %p = ub.poison : i8
  %q = ub.poison : i32
  %e = tensor.empty() : tensor<8xi32>
  %a = vector.transfer_read %x[%c0], %p {in_bounds = [true]} : tensor<32xi8>, vector<32xi8>
  %b = vector.transfer_read %y[%c0], %p {in_bounds = [true]} : tensor<32xi8>, vector<32xi8>
  %s = vector.transfer_read %z[%c0], %q {in_bounds = [true]} : tensor<8xi32>, vector<8xi32>
  %wa = arith.extui %a : vector<32xi8> to vector<32xi32>
  %wb = arith.extsi %b : vector<32xi8> to vector<32xi32>
  %m = arith.muli %wa, %wb : vector<32xi32>
  %m2 = vector.shape_cast %m : vector<32xi32> to vector<8x4xi32>
  %w = vector.multi_reduction <add>, %m2, %s [1] : vector<8x4xi32> to vector<8xi32>
  %r = vector.transfer_write %w, %e[%c0] {in_bounds = [true]} : vector<8xi32>, tensor<8xi32>
  return %r : tensor<8xi32>
}

func.func @vpdpbusd_swapped(%x: tensor<32xi8>, %y: tensor<32xi8>, %z: tensor<8xi32>) -> tensor<8xi32> {
  %c0 = arith.constant 0 : index
  %p = ub.poison : i8
  %q = ub.poison : i32
  %e = tensor.empty() : tensor<8xi32>
  %a = vector.transfer_read %x[%c0], %p {in_bounds = [true]} : tensor<32xi8>, vector<32xi8>
  %b = vector.transfer_read %y[%c0], %p {in_bounds = [true]} : tensor<32xi8>, vector<32xi8>
  %s = vector.transfer_read %z[%c0], %q {in_bounds = [true]} : tensor<8xi32>, vector<8xi32>
  %wa = arith.extui %a : vector<32xi8> to vector<32xi32>
  %wb = arith.extsi %b : vector<32xi8> to vector<32xi32>
  %m = arith.muli %wa, %wb : vector<32xi32>
  %m2 = vector.shape_cast %m : vector<32xi32> to vector<8x4xi32>
  %w = vector.multi_reduction <add>, %m2, %s [1] : vector<8x4xi32> to vector<8xi32>
  %r = vector.transfer_write %w, %e[%c0] {in_bounds = [true]} : vector<8xi32>, tensor<8xi32>
  return %r : tensor<8xi32>
}

func.func @sdot(%x: tensor<16xi8>, %y: tensor<16xi8>, %z: tensor<4xi32>) -> tensor<4xi32> {
  %c0 = arith.constant 0 : index
  %p = ub.poison : i8
  %q = ub.poison : i32
  %e = tensor.empty() : tensor<4xi32>
  %a = vector.transfer_read %x[%c0], %p {in_bounds = [true]} : tensor<16xi8>, vector<16xi8>
  %b = vector.transfer_read %y[%c0], %p {in_bounds = [true]} : tensor<16xi8>, vector<16xi8>
  %s = vector.transfer_read %z[%c0], %q {in_bounds = [true]} : tensor<4xi32>, vector<4xi32>
  %wa = arith.extsi %a : vector<16xi8> to vector<16xi32>
  %wb = arith.extsi %b : vector<16xi8> to vector<16xi32>
  %m = arith.muli %wa, %wb : vector<16xi32>
  %m2 = vector.shape_cast %m : vector<16xi32> to vector<4x4xi32>
  %w = vector.multi_reduction <add>, %m2, %s [1] : vector<4x4xi32> to vector<4xi32>
  %r = vector.transfer_write %w, %e[%c0] {in_bounds = [true]} : vector<4xi32>, tensor<4xi32>
  return %r : tensor<4xi32>
}

func.func @udot(%x: tensor<16xi8>, %y: tensor<16xi8>, %z: tensor<4xi32>) -> tensor<4xi32> {
  %c0 = arith.constant 0 : index
  %p = ub.poison : i8
  %q = ub.poison : i32
  %e = tensor.empty() : tensor<4xi32>
  %a = vector.transfer_read %x[%c0], %p {in_bounds = [true]} : tensor<16xi8>, vector<16xi8>
  %b = vector.transfer_read %y[%c0], %p {in_bounds = [true]} : tensor<16xi8>, vector<16xi8>
  %s = vector.transfer_read %z[%c0], %q {in_bounds = [true]} : tensor<4xi32>, vector<4xi32>
  %wa = arith.extui %a : vector<16xi8> to vector<16xi32>
  %wb = arith.extui %b : vector<16xi8> to vector<16xi32>
  %m = arith.muli %wa, %wb : vector<16xi32>
  %m2 = vector.shape_cast %m : vector<16xi32> to vector<4x4xi32>
  %w = vector.multi_reduction <add>, %m2, %s [1] : vector<4x4xi32> to vector<4xi32>
  %r = vector.transfer_write %w, %e[%c0] {in_bounds = [true]} : vector<4xi32>, tensor<4xi32>
  return %r : tensor<4xi32>
}

func.func @usdot(%x: tensor<16xi8>, %y: tensor<16xi8>, %z: tensor<4xi32>) -> tensor<4xi32> {
  %c0 = arith.constant 0 : index
  %p = ub.poison : i8
  %q = ub.poison : i32
  %e = tensor.empty() : tensor<4xi32>
  %a = vector.transfer_read %x[%c0], %p {in_bounds = [true]} : tensor<16xi8>, vector<16xi8>
  %b = vector.transfer_read %y[%c0], %p {in_bounds = [true]} : tensor<16xi8>, vector<16xi8>
  %s = vector.transfer_read %z[%c0], %q {in_bounds = [true]} : tensor<4xi32>, vector<4xi32>
  %wa = arith.extui %a : vector<16xi8> to vector<16xi32>
  %wb = arith.extsi %b : vector<16xi8> to vector<16xi32>
  %m = arith.muli %wa, %wb : vector<16xi32>
  %m2 = vector.shape_cast %m : vector<16xi32> to vector<4x4xi32>
  %w = vector.multi_reduction <add>, %m2, %s [1] : vector<4x4xi32> to vector<4xi32>
  %r = vector.transfer_write %w, %e[%c0] {in_bounds = [true]} : vector<4xi32>, tensor<4xi32>
  return %r : tensor<4xi32>
}

func.func @sdot_for_udot(%x: tensor<16xi8>, %y: tensor<16xi8>, %z: tensor<4xi32>) -> tensor<4xi32> {
  %c0 = arith.constant 0 : index
  %p = ub.poison : i8
  %q = ub.poison : i32
  %e = tensor.empty() : tensor<4xi32>
  %a = vector.transfer_read %x[%c0], %p {in_bounds = [true]} : tensor<16xi8>, vector<16xi8>
  %b = vector.transfer_read %y[%c0], %p {in_bounds = [true]} : tensor<16xi8>, vector<16xi8>
  %s = vector.transfer_read %z[%c0], %q {in_bounds = [true]} : tensor<4xi32>, vector<4xi32>
  %wa = arith.extui %a : vector<16xi8> to vector<16xi32>
  %wb = arith.extui %b : vector<16xi8> to vector<16xi32>
  %m = arith.muli %wa, %wb : vector<16xi32>
  %m2 = vector.shape_cast %m : vector<16xi32> to vector<4x4xi32>
  %w = vector.multi_reduction <add>, %m2, %s [1] : vector<4x4xi32> to vector<4xi32>
  %r = vector.transfer_write %w, %e[%c0] {in_bounds = [true]} : vector<4xi32>, tensor<4xi32>
  return %r : tensor<4xi32>
}

func.func @vpdpbusds(%x: tensor<32xi8>, %y: tensor<32xi8>, %z: tensor<8xi32>) -> tensor<8xi32> {
  %c0 = arith.constant 0 : index
  %p = ub.poison : i8
  %q = ub.poison : i32
  %e = tensor.empty() : tensor<8xi32>
  %a = vector.transfer_read %x[%c0], %p {in_bounds = [true]} : tensor<32xi8>, vector<32xi8>
  %b = vector.transfer_read %y[%c0], %p {in_bounds = [true]} : tensor<32xi8>, vector<32xi8>
  %s = vector.transfer_read %z[%c0], %q {in_bounds = [true]} : tensor<8xi32>, vector<8xi32>
  %wa = arith.extui %a : vector<32xi8> to vector<32xi32>
  %wb = arith.extsi %b : vector<32xi8> to vector<32xi32>
  %m = arith.muli %wa, %wb : vector<32xi32>
  %m2 = vector.shape_cast %m : vector<32xi32> to vector<8x4xi32>
  %w = vector.multi_reduction <add>, %m2, %s [1] : vector<8x4xi32> to vector<8xi32>
  %r = vector.transfer_write %w, %e[%c0] {in_bounds = [true]} : vector<8xi32>, tensor<8xi32>
  return %r : tensor<8xi32>
}

//--- after.mlir
func.func @pmaddwd(%x: tensor<16xi16>, %y: tensor<16xi16>, %z: tensor<8xi32>) -> tensor<8xi32> {
  %c0 = arith.constant 0 : index
  %p = ub.poison : i16
  %q = ub.poison : i32
  %e = tensor.empty() : tensor<8xi32>
  %a = vector.transfer_read %x[%c0], %p {in_bounds = [true]} : tensor<16xi16>, vector<16xi16>
  %b = vector.transfer_read %y[%c0], %p {in_bounds = [true]} : tensor<16xi16>, vector<16xi16>
  %s = vector.transfer_read %z[%c0], %q {in_bounds = [true]} : tensor<8xi32>, vector<8xi32>
  %d = llvm.call_intrinsic "llvm.x86.avx2.pmadd.wd"(%a, %b) : (vector<16xi16>, vector<16xi16>) -> vector<8xi32>
  %w = arith.addi %s, %d : vector<8xi32>
  %r = vector.transfer_write %w, %e[%c0] {in_bounds = [true]} : vector<8xi32>, tensor<8xi32>
  return %r : tensor<8xi32>
}

func.func @vpdpwssd(%x: tensor<16xi16>, %y: tensor<16xi16>, %z: tensor<8xi32>) -> tensor<8xi32> {
  %c0 = arith.constant 0 : index
  %p = ub.poison : i16
  %q = ub.poison : i32
  %e = tensor.empty() : tensor<8xi32>
  %a = vector.transfer_read %x[%c0], %p {in_bounds = [true]} : tensor<16xi16>, vector<16xi16>
  %b = vector.transfer_read %y[%c0], %p {in_bounds = [true]} : tensor<16xi16>, vector<16xi16>
  %s = vector.transfer_read %z[%c0], %q {in_bounds = [true]} : tensor<8xi32>, vector<8xi32>
  %w = llvm.call_intrinsic "llvm.x86.avx512.vpdpwssd.256"(%s, %a, %b) : (vector<8xi32>, vector<16xi16>, vector<16xi16>) -> vector<8xi32>
  %r = vector.transfer_write %w, %e[%c0] {in_bounds = [true]} : vector<8xi32>, tensor<8xi32>
  return %r : tensor<8xi32>
}

func.func @vpdpbusd(%x: tensor<32xi8>, %y: tensor<32xi8>, %z: tensor<8xi32>) -> tensor<8xi32> {
  %c0 = arith.constant 0 : index
  %p = ub.poison : i8
  %q = ub.poison : i32
  %e = tensor.empty() : tensor<8xi32>
  %a = vector.transfer_read %x[%c0], %p {in_bounds = [true]} : tensor<32xi8>, vector<32xi8>
  %b = vector.transfer_read %y[%c0], %p {in_bounds = [true]} : tensor<32xi8>, vector<32xi8>
  %s = vector.transfer_read %z[%c0], %q {in_bounds = [true]} : tensor<8xi32>, vector<8xi32>
  %w = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.256"(%s, %a, %b) : (vector<8xi32>, vector<32xi8>, vector<32xi8>) -> vector<8xi32>
  %r = vector.transfer_write %w, %e[%c0] {in_bounds = [true]} : vector<8xi32>, tensor<8xi32>
  return %r : tensor<8xi32>
}

func.func @vpdpbusd_swapped(%x: tensor<32xi8>, %y: tensor<32xi8>, %z: tensor<8xi32>) -> tensor<8xi32> {
  %c0 = arith.constant 0 : index
  %p = ub.poison : i8
  %q = ub.poison : i32
  %e = tensor.empty() : tensor<8xi32>
  %a = vector.transfer_read %x[%c0], %p {in_bounds = [true]} : tensor<32xi8>, vector<32xi8>
  %b = vector.transfer_read %y[%c0], %p {in_bounds = [true]} : tensor<32xi8>, vector<32xi8>
  %s = vector.transfer_read %z[%c0], %q {in_bounds = [true]} : tensor<8xi32>, vector<8xi32>
  %w = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.256"(%s, %b, %a) : (vector<8xi32>, vector<32xi8>, vector<32xi8>) -> vector<8xi32>
  %r = vector.transfer_write %w, %e[%c0] {in_bounds = [true]} : vector<8xi32>, tensor<8xi32>
  return %r : tensor<8xi32>
}

func.func @sdot(%x: tensor<16xi8>, %y: tensor<16xi8>, %z: tensor<4xi32>) -> tensor<4xi32> {
  %c0 = arith.constant 0 : index
  %p = ub.poison : i8
  %q = ub.poison : i32
  %e = tensor.empty() : tensor<4xi32>
  %a = vector.transfer_read %x[%c0], %p {in_bounds = [true]} : tensor<16xi8>, vector<16xi8>
  %b = vector.transfer_read %y[%c0], %p {in_bounds = [true]} : tensor<16xi8>, vector<16xi8>
  %s = vector.transfer_read %z[%c0], %q {in_bounds = [true]} : tensor<4xi32>, vector<4xi32>
  %w = llvm.call_intrinsic "llvm.aarch64.neon.sdot.v4i32.v16i8"(%s, %a, %b) : (vector<4xi32>, vector<16xi8>, vector<16xi8>) -> vector<4xi32>
  %r = vector.transfer_write %w, %e[%c0] {in_bounds = [true]} : vector<4xi32>, tensor<4xi32>
  return %r : tensor<4xi32>
}

func.func @udot(%x: tensor<16xi8>, %y: tensor<16xi8>, %z: tensor<4xi32>) -> tensor<4xi32> {
  %c0 = arith.constant 0 : index
  %p = ub.poison : i8
  %q = ub.poison : i32
  %e = tensor.empty() : tensor<4xi32>
  %a = vector.transfer_read %x[%c0], %p {in_bounds = [true]} : tensor<16xi8>, vector<16xi8>
  %b = vector.transfer_read %y[%c0], %p {in_bounds = [true]} : tensor<16xi8>, vector<16xi8>
  %s = vector.transfer_read %z[%c0], %q {in_bounds = [true]} : tensor<4xi32>, vector<4xi32>
  %w = llvm.call_intrinsic "llvm.aarch64.neon.udot.v4i32.v16i8"(%s, %a, %b) : (vector<4xi32>, vector<16xi8>, vector<16xi8>) -> vector<4xi32>
  %r = vector.transfer_write %w, %e[%c0] {in_bounds = [true]} : vector<4xi32>, tensor<4xi32>
  return %r : tensor<4xi32>
}

func.func @usdot(%x: tensor<16xi8>, %y: tensor<16xi8>, %z: tensor<4xi32>) -> tensor<4xi32> {
  %c0 = arith.constant 0 : index
  %p = ub.poison : i8
  %q = ub.poison : i32
  %e = tensor.empty() : tensor<4xi32>
  %a = vector.transfer_read %x[%c0], %p {in_bounds = [true]} : tensor<16xi8>, vector<16xi8>
  %b = vector.transfer_read %y[%c0], %p {in_bounds = [true]} : tensor<16xi8>, vector<16xi8>
  %s = vector.transfer_read %z[%c0], %q {in_bounds = [true]} : tensor<4xi32>, vector<4xi32>
  %w = llvm.call_intrinsic "llvm.aarch64.neon.usdot.v4i32.v16i8"(%s, %a, %b) : (vector<4xi32>, vector<16xi8>, vector<16xi8>) -> vector<4xi32>
  %r = vector.transfer_write %w, %e[%c0] {in_bounds = [true]} : vector<4xi32>, tensor<4xi32>
  return %r : tensor<4xi32>
}

func.func @sdot_for_udot(%x: tensor<16xi8>, %y: tensor<16xi8>, %z: tensor<4xi32>) -> tensor<4xi32> {
  %c0 = arith.constant 0 : index
  %p = ub.poison : i8
  %q = ub.poison : i32
  %e = tensor.empty() : tensor<4xi32>
  %a = vector.transfer_read %x[%c0], %p {in_bounds = [true]} : tensor<16xi8>, vector<16xi8>
  %b = vector.transfer_read %y[%c0], %p {in_bounds = [true]} : tensor<16xi8>, vector<16xi8>
  %s = vector.transfer_read %z[%c0], %q {in_bounds = [true]} : tensor<4xi32>, vector<4xi32>
  %w = llvm.call_intrinsic "llvm.aarch64.neon.sdot.v4i32.v16i8"(%s, %a, %b) : (vector<4xi32>, vector<16xi8>, vector<16xi8>) -> vector<4xi32>
  %r = vector.transfer_write %w, %e[%c0] {in_bounds = [true]} : vector<4xi32>, tensor<4xi32>
  return %r : tensor<4xi32>
}

func.func @vpdpbusds(%x: tensor<32xi8>, %y: tensor<32xi8>, %z: tensor<8xi32>) -> tensor<8xi32> {
  %c0 = arith.constant 0 : index
  %p = ub.poison : i8
  %q = ub.poison : i32
  %e = tensor.empty() : tensor<8xi32>
  %a = vector.transfer_read %x[%c0], %p {in_bounds = [true]} : tensor<32xi8>, vector<32xi8>
  %b = vector.transfer_read %y[%c0], %p {in_bounds = [true]} : tensor<32xi8>, vector<32xi8>
  %s = vector.transfer_read %z[%c0], %q {in_bounds = [true]} : tensor<8xi32>, vector<8xi32>
  %w = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusds.256"(%s, %a, %b) : (vector<8xi32>, vector<32xi8>, vector<32xi8>) -> vector<8xi32>
  %r = vector.transfer_write %w, %e[%c0] {in_bounds = [true]} : vector<8xi32>, tensor<8xi32>
  return %r : tensor<8xi32>
}
