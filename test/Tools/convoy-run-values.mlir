// RUN: convoy-run %s --function=conv --input=1x3x2xf32=0,1,0,0,0,0 --input=2x2x2xf32=2.5 \
// RUN:   | FileCheck %s --check-prefix=SPLAT
// SPLAT: 1x2x2xf32={{\[\[}}2.5 2.5][0 0]]
// SPLAT: ran

// Results go to a file, and files are inputs.
// RUN: convoy-run %s --function=conv --input=1x3x2xf32=0,1,0,0,0,0 \
// RUN:   --input="2x2x2xf32=[[1 2][3 4]][[5 6][7 8]]" --output=@%t.npy
// RUN: convoy-run %s --function=twice --input=@%t.npy --output=- | FileCheck %s --check-prefix=NPY
// NPY: 1x2x2xf32={{\[\[}}6 8][0 0]]

// Functions that hold no convolution have any number of results.
// RUN: convoy-run %s --function=two --input=2xi32=1,-2 | FileCheck %s --check-prefix=TWO
// TWO: 2xi32=1 -2
// TWO: 2xi32=2 -4

// Generated inputs do for what can be checked.
// RUN: convoy-run %s --function=conv --check --data=int | FileCheck %s --check-prefix=CHECKED
// CHECKED: passed  cpu {{.*}}convoy-run-values.mlir:conv

// RUN: convoy-run %s --function=bias --check | FileCheck %s --check-prefix=BIAS
// BIAS: passed

// Problems take values, too: input, filter, bias.
// RUN: convoy-run mb1ic2iw3oc2kw2 --dir=FWD_B --check --filter-layout=cwf --input=1x3x2xf32=0,1,0,0,0,0 \
// RUN:   --input=2x2x2xf32=1,2,3,4,5,6,7,8 --input=2xf32=10,20 | FileCheck %s --check-prefix=PROBLEM
// PROBLEM: 1x2x2xf32={{\[\[}}15 26][10 20]]
// PROBLEM: passed

func.func @conv(%input: tensor<1x3x2xf32>, %filter: tensor<2x2x2xf32>) -> tensor<1x2x2xf32> {
  %init = arith.constant dense<0.0> : tensor<1x2x2xf32>
  %result = linalg.conv_1d_nwc_wcf ins(%input, %filter : tensor<1x3x2xf32>, tensor<2x2x2xf32>)
      outs(%init : tensor<1x2x2xf32>) -> tensor<1x2x2xf32>
  return %result : tensor<1x2x2xf32>
}

func.func @bias(%input: tensor<1x3x2xf32>, %filter: tensor<2x2x4xf32>, %bias: tensor<4xf32>) -> tensor<1x2x4xf32> {
  %empty = tensor.empty() : tensor<1x2x4xf32>
  %init = linalg.broadcast ins(%bias : tensor<4xf32>) outs(%empty : tensor<1x2x4xf32>) dimensions = [0, 1]
  %result = linalg.conv_1d_nwc_wcf ins(%input, %filter : tensor<1x3x2xf32>, tensor<2x2x4xf32>)
      outs(%init : tensor<1x2x4xf32>) -> tensor<1x2x4xf32>
  return %result : tensor<1x2x4xf32>
}

func.func @twice(%x: tensor<1x2x2xf32>) -> tensor<1x2x2xf32> {
  %empty = tensor.empty() : tensor<1x2x2xf32>
  %sum = linalg.add ins(%x, %x : tensor<1x2x2xf32>, tensor<1x2x2xf32>)
      outs(%empty : tensor<1x2x2xf32>) -> tensor<1x2x2xf32>
  return %sum : tensor<1x2x2xf32>
}

func.func @two(%x: tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi32>) {
  %empty = tensor.empty() : tensor<2xi32>
  %sum = linalg.add ins(%x, %x : tensor<2xi32>, tensor<2xi32>)
      outs(%empty : tensor<2xi32>) -> tensor<2xi32>
  return %x, %sum : tensor<2xi32>, tensor<2xi32>
}
