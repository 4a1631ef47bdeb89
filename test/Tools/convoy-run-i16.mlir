// Tensors of i16 have values and files.
// RUN: convoy-run %s --input=4xi16=1,-2,300,32767 --output=- | FileCheck %s
// RUN: convoy-run %s --input=4xi16=1,-2,300,32767 --output=@%t.npy
// RUN: convoy-run %s --input=@%t.npy --output=- | FileCheck %s --check-prefix=NPY
// RUN: sh -c 'convoy-run %s --input=4xi16=1,-2,300,32768 --output=-; test $? = 1' 2>&1 | FileCheck %s --check-prefix=RANGE

// CHECK: 4xi16=2 -4 600 -2
// NPY: 4xi16=4 -8 1200 -4
// RANGE: convoy-run: {{.*}}32768
func.func @twice(%x: tensor<4xi16>) -> tensor<4xi16> {
  %init = tensor.empty() : tensor<4xi16>
  %y = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%x : tensor<4xi16>) outs(%init : tensor<4xi16>) {
  ^bb0(%a: i16, %b: i16):
    %sum = arith.addi %a, %a : i16
    linalg.yield %sum : i16
  } -> tensor<4xi16>
  return %y : tensor<4xi16>
}
