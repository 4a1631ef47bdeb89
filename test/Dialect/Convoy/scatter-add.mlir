// RUN: convoy-opt %s --split-input-file --verify-roundtrip --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func @groups(
// CHECK:         convoy.scatter_add ins({{.*}} : tensor<1x6x9xf32>, tensor<1x2x9x4xi32>, tensor<1x2x9x4xf32>) outs({{.*}} : tensor<1x6x35xf32>){{$}}
func.func @groups(%v: tensor<1x6x9xf32>, %p: tensor<1x2x9x4xi32>,
    %w: tensor<1x2x9x4xf32>, %init: tensor<1x6x35xf32>) -> tensor<1x6x35xf32> {
  %0 = convoy.scatter_add
      ins(%v, %p, %w : tensor<1x6x9xf32>, tensor<1x2x9x4xi32>, tensor<1x2x9x4xf32>)
      outs(%init : tensor<1x6x35xf32>)
  return %0 : tensor<1x6x35xf32>
}

// CHECK-LABEL: func @of_any_size(
// CHECK:         convoy.scatter_add {{.*}} outs({{.*}} : tensor<?x6x?xf32>){{$}}
func.func @of_any_size(%v: tensor<?x6x?xf32>, %p: tensor<?x2x?x4xi32>,
    %w: tensor<?x2x?x4xf32>, %init: tensor<?x6x?xf32>) -> tensor<?x6x?xf32> {
  %0 = convoy.scatter_add
      ins(%v, %p, %w : tensor<?x6x?xf32>, tensor<?x2x?x4xi32>, tensor<?x2x?x4xf32>)
      outs(%init : tensor<?x6x?xf32>)
  return %0 : tensor<?x6x?xf32>
}

// -----

func.func @c1_samples(%v: tensor<1x6x9xf32>, %p: tensor<1x2x8x4xi32>,
    %w: tensor<1x2x8x4xf32>, %init: tensor<1x6x35xf32>) -> tensor<1x6x35xf32> {
  // expected-error @below {{'convoy.scatter_add' op expected size 9 of dimension 2 as in the values, but got 8 in the places}}
  %0 = convoy.scatter_add
      ins(%v, %p, %w : tensor<1x6x9xf32>, tensor<1x2x8x4xi32>, tensor<1x2x8x4xf32>)
      outs(%init : tensor<1x6x35xf32>)
  return %0 : tensor<1x6x35xf32>
}

// -----

func.func @c1_channels(%v: tensor<1x6x9xf32>, %p: tensor<1x2x9x4xi32>,
    %w: tensor<1x2x9x4xf32>, %init: tensor<1x5x35xf32>) -> tensor<1x5x35xf32> {
  // expected-error @below {{'convoy.scatter_add' op expected size 6 of dimension 1 as in the values, but got 5 in the init}}
  %0 = convoy.scatter_add
      ins(%v, %p, %w : tensor<1x6x9xf32>, tensor<1x2x9x4xi32>, tensor<1x2x9x4xf32>)
      outs(%init : tensor<1x5x35xf32>)
  return %0 : tensor<1x5x35xf32>
}

// -----

func.func @c2_unknown(%v: tensor<1x?x9xf32>, %p: tensor<1x2x9x4xi32>,
    %w: tensor<1x2x9x4xf32>, %init: tensor<1x6x35xf32>) -> tensor<1x6x35xf32> {
  // expected-error @below {{'convoy.scatter_add' op expected static numbers of groups, elements and channels}}
  %0 = convoy.scatter_add
      ins(%v, %p, %w : tensor<1x?x9xf32>, tensor<1x2x9x4xi32>, tensor<1x2x9x4xf32>)
      outs(%init : tensor<1x6x35xf32>)
  return %0 : tensor<1x6x35xf32>
}

// -----

func.func @c2_groups(%v: tensor<1x6x9xf32>, %p: tensor<1x4x9x4xi32>,
    %w: tensor<1x4x9x4xf32>, %init: tensor<1x6x35xf32>) -> tensor<1x6x35xf32> {
  // expected-error @below {{'convoy.scatter_add' op expected a number of groups that divides 6 channels, but got 4}}
  %0 = convoy.scatter_add
      ins(%v, %p, %w : tensor<1x6x9xf32>, tensor<1x4x9x4xi32>, tensor<1x4x9x4xf32>)
      outs(%init : tensor<1x6x35xf32>)
  return %0 : tensor<1x6x35xf32>
}
