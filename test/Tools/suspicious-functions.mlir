// Of a function of several ops a probable bound is known where a filter or an
// input is drawn, with signs that are random, and what it is multiplied with and
// added to does not depend on it.

// RUN: convoy-run %s --function=drawn --check --Werror=suspicious --json=- | FileCheck %s --check-prefix=KNOWN
// RUN: convoy-run %s --function=drawn --check --data=uniform --Werror=suspicious --json=- | FileCheck %s --check-prefix=KNOWN
// RUN: convoy-run --padding-mode=reflect mb1_ic40ih5iw6_oc4oh5ow6_kh3kw3ph1pw1 --check --json=- | FileCheck %s --check-prefix=KNOWN
// RUN: convoy-run %s --function=shared --check --Werror=suspicious --json=- | FileCheck %s --check-prefix=KNOWN
// RUN: convoy-run %s --function=padded --check --Werror=suspicious --json=- | FileCheck %s --check-prefix=KNOWN
// RUN: convoy-run %s --function=widened --check --Werror=suspicious --json=- | FileCheck %s --check-prefix=KNOWN
// RUN: convoy-run %s --function=tosa --check --Werror=suspicious --json=- | FileCheck %s --check-prefix=KNOWN
// RUN: convoy-run %s --function=skipped --check --Werror=suspicious --json=- | FileCheck %s --check-prefix=KNOWN
// KNOWN: "probable_bound": {{[0-9]}}

// RUN: convoy-run %s --function=drawn --check --data=cancel --json=- | FileCheck %s --check-prefix=UNKNOWN
// RUN: convoy-run %s --function=drawn --check --data=edge --json=- | FileCheck %s --check-prefix=UNKNOWN
// RUN: convoy-run %s --function=constant --check --json=- | FileCheck %s --check-prefix=UNKNOWN
// RUN: convoy-run %s --function=padded_with_ones --check --json=- | FileCheck %s --check-prefix=UNKNOWN
// RUN: convoy-run %s --function=added --check --json=- | FileCheck %s --check-prefix=UNKNOWN
// RUN: convoy-run %s --function=squared --check --json=- | FileCheck %s --check-prefix=UNKNOWN
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

// The input of the second convolution is made of the filter, that of the first is
// not.
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

// The filter is a constant, and the input an argument in other places.
func.func @padded(%x: tensor<1x4x9xf32>) -> tensor<1x9x3xf32> {
  %zero = arith.constant 0.0 : f32
  %w = arith.constant dense<0.1> : tensor<5x4x3xf32>
  %init = tensor.splat %zero : tensor<1x9x3xf32>
  %empty = tensor.empty() : tensor<1x9x4xf32>
  %moved = linalg.transpose ins(%x : tensor<1x4x9xf32>) outs(%empty : tensor<1x9x4xf32>) permutation = [0, 2, 1]
  %padded = tensor.pad %moved low[0, 2, 0] high[0, 2, 0] {
  ^bb0(%n: index, %i: index, %c: index):
    tensor.yield %zero : f32
  } : tensor<1x9x4xf32> to tensor<1x13x4xf32>
  %y = linalg.conv_1d_nwc_wcf ins(%padded, %w : tensor<1x13x4xf32>, tensor<5x4x3xf32>)
      outs(%init : tensor<1x9x3xf32>) -> tensor<1x9x3xf32>
  return %y : tensor<1x9x3xf32>
}

func.func @widened(%x: tensor<1x9x3xf16>) -> tensor<1x9x3xf32> {
  %zero = arith.constant 0.0 : f32
  %w = arith.constant dense<0.1> : tensor<1x3x3xf32>
  %init = tensor.splat %zero : tensor<1x9x3xf32>
  %minus = arith.negf %x : tensor<1x9x3xf16>
  %wide = arith.extf %minus : tensor<1x9x3xf16> to tensor<1x9x3xf32>
  %y = linalg.conv_1d_nwc_wcf ins(%wide, %w : tensor<1x9x3xf32>, tensor<1x3x3xf32>)
      outs(%init : tensor<1x9x3xf32>) -> tensor<1x9x3xf32>
  return %y : tensor<1x9x3xf32>
}

func.func @tosa(%x: tensor<1x3x5x6xf32>) -> tensor<1x7x6x2xf32> {
  %zero = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %w = "tosa.const"() {values = dense<0.1> : tensor<2x1x1x3xf32>} : () -> tensor<2x1x1x3xf32>
  %bias = "tosa.const"() {values = dense<0.5> : tensor<2xf32>} : () -> tensor<2xf32>
  %sizes = tosa.const_shape {values = dense<[0, 0, 1, 1, 0, 0, 0, 0]> : tensor<8xindex>} : () -> !tosa.shape<8>
  %moved = tosa.transpose %x {perms = array<i32: 0, 2, 3, 1>} : (tensor<1x3x5x6xf32>) -> tensor<1x5x6x3xf32>
  %padded = tosa.pad %moved, %sizes, %zero : (tensor<1x5x6x3xf32>, !tosa.shape<8>, tensor<1xf32>) -> tensor<1x7x6x3xf32>
  %y = tosa.conv2d %padded, %w, %bias, %zero, %zero {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x7x6x3xf32>, tensor<2x1x1x3xf32>, tensor<2xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x7x6x2xf32>
  return %y : tensor<1x7x6x2xf32>
}

// An op beside the convolution reads the input, too.
func.func @skipped(%x: tensor<1x9x3xf32>) -> tensor<1x9x3xf32> {
  %zero = arith.constant 0.0 : f32
  %w = arith.constant dense<0.1> : tensor<1x3x3xf32>
  %init = tensor.splat %zero : tensor<1x9x3xf32>
  %y = linalg.conv_1d_nwc_wcf ins(%x, %w : tensor<1x9x3xf32>, tensor<1x3x3xf32>)
      outs(%init : tensor<1x9x3xf32>) -> tensor<1x9x3xf32>
  %z = arith.addf %x, %y : tensor<1x9x3xf32>
  return %z : tensor<1x9x3xf32>
}

// Not all terms have the signs of drawn numbers.
func.func @padded_with_ones(%x: tensor<1x9x4xf32>) -> tensor<1x9x3xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %w = arith.constant dense<0.1> : tensor<5x4x3xf32>
  %init = tensor.splat %zero : tensor<1x9x3xf32>
  %padded = tensor.pad %x low[0, 2, 0] high[0, 2, 0] {
  ^bb0(%n: index, %i: index, %c: index):
    tensor.yield %one : f32
  } : tensor<1x9x4xf32> to tensor<1x13x4xf32>
  %y = linalg.conv_1d_nwc_wcf ins(%padded, %w : tensor<1x13x4xf32>, tensor<5x4x3xf32>)
      outs(%init : tensor<1x9x3xf32>) -> tensor<1x9x3xf32>
  return %y : tensor<1x9x3xf32>
}

// Sums begin with numbers that are made of the input.
func.func @added(%x: tensor<1x9x3xf32>) -> tensor<1x9x3xf32> {
  %w = arith.constant dense<0.1> : tensor<1x3x3xf32>
  %init = math.absf %x : tensor<1x9x3xf32>
  %y = linalg.conv_1d_nwc_wcf ins(%x, %w : tensor<1x9x3xf32>, tensor<1x3x3xf32>)
      outs(%init : tensor<1x9x3xf32>) -> tensor<1x9x3xf32>
  return %y : tensor<1x9x3xf32>
}

// So is the filter.
func.func @squared(%x: tensor<3x3xf32>) -> tensor<1x3x3xf32> {
  %zero = arith.constant 0.0 : f32
  %init = tensor.splat %zero : tensor<1x3x3xf32>
  %input = tensor.expand_shape %x [[0, 1], [2]] output_shape [1, 3, 3] : tensor<3x3xf32> into tensor<1x3x3xf32>
  %y = linalg.conv_1d_nwc_wcf ins(%input, %input : tensor<1x3x3xf32>, tensor<1x3x3xf32>)
      outs(%init : tensor<1x3x3xf32>) -> tensor<1x3x3xf32>
  return %y : tensor<1x3x3xf32>
}
