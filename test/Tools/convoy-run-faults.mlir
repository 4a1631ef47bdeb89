// A function that misbehaves is a failure by name, with a check or without.

// RUN: sh -c 'convoy-run %s --function=unwritten --input=2xf32=1; test $? = 2' \
// RUN:   | FileCheck %s --check-prefix=UNWRITTEN
// UNWRITTEN: FAILED
// UNWRITTEN-NEXT: element 2 of result 0 was not written

// RUN: sh -c 'convoy-run %s --function=stray --input=2xf32=3; test $? = 2' \
// RUN:   | FileCheck %s --check-prefix=STRAY
// STRAY: FAILED
// STRAY-NEXT: guard of the result0: 4 bytes after the end were overwritten

// RUN: convoy-run %s --function=stray --input=2xf32=1 | FileCheck %s --check-prefix=INSIDE
// INSIDE: ran

func.func @unwritten(%x: tensor<2xf32>) -> tensor<3xf32> {
  %empty = tensor.empty() : tensor<3xf32>
  %part = tensor.insert_slice %x into %empty[0] [2] [1] : tensor<2xf32> into tensor<3xf32>
  return %part : tensor<3xf32>
}

func.func @stray(%x: tensor<2xf32>) -> tensor<3xf32> {
  %first = arith.constant 0 : index
  %value = arith.constant 2.0 : f32
  %empty = tensor.empty() : tensor<3xf32>
  %filled = linalg.fill ins(%value : f32) outs(%empty : tensor<3xf32>) -> tensor<3xf32>
  %element = tensor.extract %x[%first] : tensor<2xf32>
  %number = arith.fptosi %element : f32 to i64
  %place = arith.index_cast %number : i64 to index
  %written = tensor.insert %value into %filled[%place] : tensor<3xf32>
  return %written : tensor<3xf32>
}
