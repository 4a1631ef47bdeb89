// Of a function of several ops a probable bound is known where a filter is drawn,
// with signs that are random, and read once.

// RUN: convoy-run %s --function=drawn --check --Werror=suspicious --json=- | FileCheck %s --check-prefix=KNOWN
// RUN: convoy-run %s --function=drawn --check --data=uniform --Werror=suspicious --json=- | FileCheck %s --check-prefix=KNOWN
// RUN: convoy-run --padding-mode=reflect mb1_ic40ih5iw6_oc4oh5ow6_kh3kw3ph1pw1 --check --json=- | FileCheck %s --check-prefix=KNOWN
// KNOWN: "probable_bound": {{[0-9]}}

// RUN: convoy-run %s --function=drawn --check --data=cancel --json=- | FileCheck %s --check-prefix=UNKNOWN
// RUN: convoy-run %s --function=drawn --check --data=edge --json=- | FileCheck %s --check-prefix=UNKNOWN
// RUN: convoy-run %s --function=shared --check --json=- | FileCheck %s --check-prefix=UNKNOWN
// RUN: convoy-run %s --function=constant --check --json=- | FileCheck %s --check-prefix=UNKNOWN
// RUN: convoy-run %s --function=drawn --range=1=-1:1 --check --json=- | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: "probable_bound": null

func.func @drawn(%x: tensor<1x9x40xf32>, %w: tensor<5x40x3xf32>) -> tensor<1x5x3xf32> {
  %zero = arith.constant 0.0 : f32
  %init = tensor.splat %zero : tensor<1x5x3xf32>
  %zeros = tensor.splat %zero : tensor<1x9x40xf32>
  %a = arith.maximumf %x, %zeros : tensor<1x9x40xf32>
  %y = linalg.conv_1d_nwc_wcf ins(%a, %w : tensor<1x9x40xf32>, tensor<5x40x3xf32>)
      outs(%init : tensor<1x5x3xf32>) -> tensor<1x5x3xf32>
  return %y : tensor<1x5x3xf32>
}

// The input of the second convolution is made of the filter.
func.func @shared(%x: tensor<1x9x4xf32>, %w: tensor<3x4x4xf32>) -> tensor<1x5x4xf32> {
  %zero = arith.constant 0.0 : f32
  %first = tensor.splat %zero : tensor<1x7x4xf32>
  %second = tensor.splat %zero : tensor<1x5x4xf32>
  %zeros = tensor.splat %zero : tensor<1x9x4xf32>
  %a = arith.maximumf %x, %zeros : tensor<1x9x4xf32>
  %y = linalg.conv_1d_nwc_wcf ins(%a, %w : tensor<1x9x4xf32>, tensor<3x4x4xf32>)
      outs(%first : tensor<1x7x4xf32>) -> tensor<1x7x4xf32>
  %z = linalg.conv_1d_nwc_wcf ins(%y, %w : tensor<1x7x4xf32>, tensor<3x4x4xf32>)
      outs(%second : tensor<1x5x4xf32>) -> tensor<1x5x4xf32>
  return %z : tensor<1x5x4xf32>
}

func.func @constant(%x: tensor<1x9x4xf32>) -> tensor<1x5x3xf32> {
  %zero = arith.constant 0.0 : f32
  %w = arith.constant dense<0.1> : tensor<5x4x3xf32>
  %init = tensor.splat %zero : tensor<1x5x3xf32>
  %zeros = tensor.splat %zero : tensor<1x9x4xf32>
  %a = arith.maximumf %x, %zeros : tensor<1x9x4xf32>
  %y = linalg.conv_1d_nwc_wcf ins(%a, %w : tensor<1x9x4xf32>, tensor<5x4x3xf32>)
      outs(%init : tensor<1x5x3xf32>) -> tensor<1x5x3xf32>
  return %y : tensor<1x5x3xf32>
}
