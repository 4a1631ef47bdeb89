// Integers of few bits among the arguments are no larger than their types.
// RUN: rm -rf %t && split-file %s %t
// RUN: not convoy-certify %t/before.mlir %t/after.mlir | FileCheck %s

//--- before.mlir
// CHECK-DAG: certified: @signed:
func.func @signed(%x: tensor<300xf32>, %i: i8) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %at = arith.index_cast %i : i8 to index
  %from = arith.maxsi %at, %c0 : index
  %r = tensor.extract_slice %x[%from] [4] [1] : tensor<300xf32> to tensor<4xf32>
  return %r : tensor<4xf32>
}
// CHECK-DAG: certified: @shifted:
func.func @shifted(%x: tensor<300xf32>, %i: i8) -> tensor<4xf32> {
  %c128 = arith.constant 128 : index
  %at = arith.index_cast %i : i8 to index
  %from = arith.addi %at, %c128 : index
  %r = tensor.extract_slice %x[%from] [4] [1] : tensor<300xf32> to tensor<4xf32>
  return %r : tensor<4xf32>
}
// CHECK-DAG: certified: @unsigned:
func.func @unsigned(%x: tensor<300xf32>, %i: i8) -> tensor<4xf32> {
  %from = arith.index_castui %i : i8 to index
  %r = tensor.extract_slice %x[%from] [4] [1] : tensor<300xf32> to tensor<4xf32>
  return %r : tensor<4xf32>
}
// CHECK-DAG: certified: @widened:
func.func @widened(%x: tensor<300xf32>, %i: i8) -> tensor<4xf32> {
  %from = arith.index_castui %i : i8 to index
  %r = tensor.extract_slice %x[%from] [4] [1] : tensor<300xf32> to tensor<4xf32>
  return %r : tensor<4xf32>
}
// CHECK-DAG: certified: @bit:
func.func @bit(%x: tensor<3xf32>, %i: i1) -> tensor<2xf32> {
  %from = arith.index_castui %i : i1 to index
  %r = tensor.extract_slice %x[%from] [2] [1] : tensor<3xf32> to tensor<2xf32>
  return %r : tensor<2xf32>
}
// With a sign or without are different numbers.
// CHECK-DAG: different: @other_sign: element [3]: the first function has argument0[3], and has argument0[258] instead
func.func @other_sign(%x: tensor<300xf32>, %i: i8) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %at = arith.index_cast %i : i8 to index
  %from = arith.maxsi %at, %c0 : index
  %r = tensor.extract_slice %x[%from] [4] [1] : tensor<300xf32> to tensor<4xf32>
  return %r : tensor<4xf32>
}
// CHECK-DAG: different: @outside: index -1 is accessed in dimension 0 of a tensor, whose size is 300
func.func @outside(%x: tensor<300xf32>, %i: i8) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %at = arith.index_cast %i : i8 to index
  %from = arith.maxsi %at, %c0 : index
  %r = tensor.extract_slice %x[%from] [4] [1] : tensor<300xf32> to tensor<4xf32>
  return %r : tensor<4xf32>
}
// CHECK-DAG: undecided: @wider: {{.*}}an index of more than 64 bits
func.func @wider(%x: tensor<300xf32>, %i: i128) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c99 = arith.constant 99 : index
  %at = arith.index_cast %i : i128 to index
  %least = arith.maxsi %at, %c0 : index
  %from = arith.minsi %least, %c99 : index
  %r = tensor.extract_slice %x[%from] [4] [1] : tensor<300xf32> to tensor<4xf32>
  return %r : tensor<4xf32>
}
// Widened in steps, and with a sign or without in each of them.
// CHECK-DAG: certified: @in_steps:
func.func @in_steps(%x: tensor<300xf32>, %i: i8) -> tensor<4xf32> {
  %c128 = arith.constant 128 : index
  %w = arith.extsi %i : i8 to i16
  %v = arith.extsi %w : i16 to i32
  %at = arith.index_cast %v : i32 to index
  %from = arith.addi %at, %c128 : index
  %r = tensor.extract_slice %x[%from] [4] [1] : tensor<300xf32> to tensor<4xf32>
  return %r : tensor<4xf32>
}
// CHECK-DAG: certified: @unsigned_step:
func.func @unsigned_step(%x: tensor<300xf32>, %i: i8) -> tensor<4xf32> {
  %w = arith.extui %i : i8 to i16
  %from = arith.index_cast %w : i16 to index
  %r = tensor.extract_slice %x[%from] [4] [1] : tensor<300xf32> to tensor<4xf32>
  return %r : tensor<4xf32>
}
// CHECK-NOT: certified: @other_step:
func.func @other_step(%x: tensor<300xf32>, %i: i8) -> tensor<4xf32> {
  %c44 = arith.constant 44 : index
  %w = arith.extui %i : i8 to i16
  %at = arith.index_cast %w : i16 to index
  %from = arith.minsi %at, %c44 : index
  %r = tensor.extract_slice %x[%from] [4] [1] : tensor<300xf32> to tensor<4xf32>
  return %r : tensor<4xf32>
}
// In 16 bits with a sign, then without: of -1 that is 65535.
// CHECK-NOT: certified: @mixed_steps:
func.func @mixed_steps(%x: tensor<300xf32>, %i: i8) -> tensor<4xf32> {
  %c200 = arith.constant 200 : index
  %w = arith.extsi %i : i8 to i16
  %at = arith.index_castui %w : i16 to index
  %from = arith.minsi %at, %c200 : index
  %r = tensor.extract_slice %x[%from] [4] [1] : tensor<300xf32> to tensor<4xf32>
  return %r : tensor<4xf32>
}

//--- after.mlir
func.func @signed(%x: tensor<300xf32>, %i: i8) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c127 = arith.constant 127 : index
  %at = arith.index_cast %i : i8 to index
  %least = arith.maxsi %at, %c0 : index
  %from = arith.minsi %least, %c127 : index
  %r = tensor.extract_slice %x[%from] [4] [1] : tensor<300xf32> to tensor<4xf32>
  return %r : tensor<4xf32>
}
func.func @shifted(%x: tensor<300xf32>, %i: i8) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  %at = arith.index_cast %i : i8 to index
  %sum = arith.addi %at, %c128 : index
  %from = arith.maxsi %sum, %c0 : index
  %r = tensor.extract_slice %x[%from] [4] [1] : tensor<300xf32> to tensor<4xf32>
  return %r : tensor<4xf32>
}
func.func @unsigned(%x: tensor<300xf32>, %i: i8) -> tensor<4xf32> {
  %c255 = arith.constant 255 : index
  %at = arith.index_castui %i : i8 to index
  %from = arith.minsi %at, %c255 : index
  %r = tensor.extract_slice %x[%from] [4] [1] : tensor<300xf32> to tensor<4xf32>
  return %r : tensor<4xf32>
}
func.func @widened(%x: tensor<300xf32>, %i: i8) -> tensor<4xf32> {
  %wide = arith.extui %i : i8 to i64
  %from = arith.index_cast %wide : i64 to index
  %r = tensor.extract_slice %x[%from] [4] [1] : tensor<300xf32> to tensor<4xf32>
  return %r : tensor<4xf32>
}
func.func @bit(%x: tensor<3xf32>, %i: i1) -> tensor<2xf32> {
  %c0 = arith.constant 0 : index
  %at = arith.index_cast %i : i1 to index
  %from = arith.subi %c0, %at : index
  %r = tensor.extract_slice %x[%from] [2] [1] : tensor<3xf32> to tensor<2xf32>
  return %r : tensor<2xf32>
}
func.func @other_sign(%x: tensor<300xf32>, %i: i8) -> tensor<4xf32> {
  %from = arith.index_castui %i : i8 to index
  %r = tensor.extract_slice %x[%from] [4] [1] : tensor<300xf32> to tensor<4xf32>
  return %r : tensor<4xf32>
}
func.func @outside(%x: tensor<300xf32>, %i: i8) -> tensor<4xf32> {
  %at = arith.index_cast %i : i8 to index
  %r = tensor.extract_slice %x[%at] [4] [1] : tensor<300xf32> to tensor<4xf32>
  return %r : tensor<4xf32>
}
func.func @wider(%x: tensor<300xf32>, %i: i128) -> tensor<4xf32> {
  %c0 = arith.constant 0 : i64
  %c99 = arith.constant 99 : i64
  %at = arith.trunci %i : i128 to i64
  %least = arith.maxsi %at, %c0 : i64
  %most = arith.minsi %least, %c99 : i64
  %from = arith.index_cast %most : i64 to index
  %r = tensor.extract_slice %x[%from] [4] [1] : tensor<300xf32> to tensor<4xf32>
  return %r : tensor<4xf32>
}
func.func @in_steps(%x: tensor<300xf32>, %i: i8) -> tensor<4xf32> {
  %c128 = arith.constant 128 : index
  %at = arith.index_cast %i : i8 to index
  %from = arith.addi %at, %c128 : index
  %r = tensor.extract_slice %x[%from] [4] [1] : tensor<300xf32> to tensor<4xf32>
  return %r : tensor<4xf32>
}
func.func @unsigned_step(%x: tensor<300xf32>, %i: i8) -> tensor<4xf32> {
  %from = arith.index_castui %i : i8 to index
  %r = tensor.extract_slice %x[%from] [4] [1] : tensor<300xf32> to tensor<4xf32>
  return %r : tensor<4xf32>
}
func.func @other_step(%x: tensor<300xf32>, %i: i8) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c44 = arith.constant 44 : index
  %w = arith.extsi %i : i8 to i16
  %at = arith.index_cast %w : i16 to index
  %least = arith.maxsi %at, %c0 : index
  %from = arith.minsi %least, %c44 : index
  %r = tensor.extract_slice %x[%from] [4] [1] : tensor<300xf32> to tensor<4xf32>
  return %r : tensor<4xf32>
}
func.func @mixed_steps(%x: tensor<300xf32>, %i: i8) -> tensor<4xf32> {
  %c200 = arith.constant 200 : index
  %at = arith.index_castui %i : i8 to index
  %from = arith.minsi %at, %c200 : index
  %r = tensor.extract_slice %x[%from] [4] [1] : tensor<300xf32> to tensor<4xf32>
  return %r : tensor<4xf32>
}
