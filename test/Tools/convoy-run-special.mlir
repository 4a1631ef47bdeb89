// Special data is for functions that are one convolution; of others it is said
// why they are none.
// DEFINE: %{function} =
// DEFINE: %{fails} = not convoy-run %s --function=%{function} --check --data=special 2>&1 | FileCheck %s --check-prefix
// RUN: convoy-run %s --function=conv --check --data=special | FileCheck %s
// CHECK: passed

func.func @conv(%x: tensor<1x3x2xf32>, %w: tensor<2x2x4xf32>, %init: tensor<1x2x4xf32>) -> tensor<1x2x4xf32> {
  %y = convoy.conv ins(%x, %w : tensor<1x3x2xf32>, tensor<2x2x4xf32>) outs(%init : tensor<1x2x4xf32>) layout(nwc x wcf -> nwf)
  return %y : tensor<1x2x4xf32>
}

// Zeros between the elements of a gradient meet infinities of the filter in
// some kernels: NaN is right there.
// RUN: convoy-run %s --function=gradient --check --data=special | FileCheck %s
// RUN: convoy-run %s --function=gradient --check --data=special --seed=2 | FileCheck %s

func.func @gradient(%dy: tensor<1x2x2xf32>, %w: tensor<2x2x2xf32>, %init: tensor<1x3x2xf32>) -> tensor<1x3x2xf32> {
  %dx = convoy.conv_backward_data ins(%dy, %w : tensor<1x2x2xf32>, tensor<2x2x2xf32>) outs(%init : tensor<1x3x2xf32>) layout(nwc x cwf -> nwf)
  return %dx : tensor<1x3x2xf32>
}

// REDEFINE: %{function} = blocks
// RUN: %{fails}=BLOCKS
// BLOCKS: convoy-run: {{.*}}convoy-run-special.mlir: '--data=special' is for functions that are one convolution, which 'blocks' is not: it has control flow{{$}}
func.func @blocks(%x: tensor<2xf32>, %c: tensor<i1>) -> tensor<2xf32> {
  %b = tensor.extract %c[] : tensor<i1>
  cf.cond_br %b, ^yes, ^no
^yes:
  return %x : tensor<2xf32>
^no:
  %zeros = arith.constant dense<0.0> : tensor<2xf32>
  return %zeros : tensor<2xf32>
}

// REDEFINE: %{function} = results
// RUN: %{fails}=RESULTS
// RESULTS: which 'results' is not: it has 2 results, not 1{{$}}
func.func @results(%x: tensor<1x3x2xf32>, %w: tensor<2x2x4xf32>, %init: tensor<1x2x4xf32>) -> (tensor<1x2x4xf32>, tensor<1x3x2xf32>) {
  %y = convoy.conv ins(%x, %w : tensor<1x3x2xf32>, tensor<2x2x4xf32>) outs(%init : tensor<1x2x4xf32>) layout(nwc x wcf -> nwf)
  return %y, %x : tensor<1x2x4xf32>, tensor<1x3x2xf32>
}

// REDEFINE: %{function} = other
// RUN: %{fails}=OTHER
// OTHER: which 'other' is not: its result is not a convolution's{{$}}
func.func @other(%x: tensor<3xf32>, %init: tensor<3xf32>) -> tensor<3xf32> {
  %y = linalg.abs ins(%x : tensor<3xf32>) outs(%init : tensor<3xf32>) -> tensor<3xf32>
  return %y : tensor<3xf32>
}

// REDEFINE: %{function} = computed
// RUN: %{fails}=COMPUTED
// COMPUTED: which 'computed' is not: the convolution's input is not an argument{{$}}
func.func @computed(%x: tensor<1x3x2xf32>, %w: tensor<2x2x4xf32>, %init: tensor<1x2x4xf32>) -> tensor<1x2x4xf32> {
  %doubled = arith.addf %x, %x : tensor<1x3x2xf32>
  %y = convoy.conv ins(%doubled, %w : tensor<1x3x2xf32>, tensor<2x2x4xf32>) outs(%init : tensor<1x2x4xf32>) layout(nwc x wcf -> nwf)
  return %y : tensor<1x2x4xf32>
}

// REDEFINE: %{function} = twice
// RUN: %{fails}=TWICE
// TWICE: which 'twice' is not: argument 0 is used twice{{$}}
func.func @twice(%x: tensor<2x2x2xf32>, %init: tensor<2x1x2xf32>) -> tensor<2x1x2xf32> {
  %y = convoy.conv ins(%x, %x : tensor<2x2x2xf32>, tensor<2x2x2xf32>) outs(%init : tensor<2x1x2xf32>) layout(nwc x wcf -> nwf)
  return %y : tensor<2x1x2xf32>
}

// REDEFINE: %{function} = unused
// RUN: %{fails}=UNUSED
// UNUSED: which 'unused' is not: it has arguments that the convolution does not use{{$}}
func.func @unused(%x: tensor<1x3x2xf32>, %w: tensor<2x2x4xf32>, %init: tensor<1x2x4xf32>, %more: tensor<5xf32>) -> tensor<1x2x4xf32> {
  %y = convoy.conv ins(%x, %w : tensor<1x3x2xf32>, tensor<2x2x4xf32>) outs(%init : tensor<1x2x4xf32>) layout(nwc x wcf -> nwf)
  return %y : tensor<1x2x4xf32>
}

// REDEFINE: %{function} = zero_point
// RUN: %{fails}=ZERO-POINT
// ZERO-POINT: which 'zero_point' is not: a zero point is not constant{{$}}
func.func @zero_point(%x: tensor<1x3x2xi8>, %w: tensor<2x2x4xi8>, %z: i32, %init: tensor<1x2x4xi32>) -> tensor<1x2x4xi32> {
  %y = convoy.conv ins(%x, %w : tensor<1x3x2xi8>, tensor<2x2x4xi8>) outs(%init : tensor<1x2x4xi32>) zero_points(%z, %z : i32, i32) layout(nwc x wcf -> nwf)
  return %y : tensor<1x2x4xi32>
}

// REDEFINE: %{function} = zero_points
// RUN: %{fails}=ZERO-POINTS
// ZERO-POINTS: which 'zero_points' is not: each channel has a zero point of its own{{$}}
func.func @zero_points(%x: tensor<1x3x2xi8>, %w: tensor<2x2x4xi8>, %z: i32, %of_channels: tensor<4xi32>, %init: tensor<1x2x4xi32>) -> tensor<1x2x4xi32> {
  %y = convoy.conv ins(%x, %w : tensor<1x3x2xi8>, tensor<2x2x4xi8>) outs(%init : tensor<1x2x4xi32>) zero_points(%z, %of_channels : i32, tensor<4xi32>) layout(nwc x wcf -> nwf)
  return %y : tensor<1x2x4xi32>
}

// REDEFINE: %{function} = types
// RUN: %{fails}=TYPES
// TYPES: which 'types' is not: the reference lacks the convolution's types{{$}}
func.func @types(%x: tensor<1x3x2xf8E5M2>, %w: tensor<2x2x4xf8E5M2>, %init: tensor<1x2x4xf32>) -> tensor<1x2x4xf32> {
  %y = convoy.conv ins(%x, %w : tensor<1x3x2xf8E5M2>, tensor<2x2x4xf8E5M2>) outs(%init : tensor<1x2x4xf32>) layout(nwc x wcf -> nwf)
  return %y : tensor<1x2x4xf32>
}

// REDEFINE: %{function} = constants
// RUN: %{fails}=CONSTANTS
// CONSTANTS: which 'constants' is not: the init has more than one constant{{$}}
func.func @constants(%x: tensor<1x3x2xf32>, %w: tensor<2x2x1xf32>) -> tensor<1x2x1xf32> {
  %init = arith.constant dense<[[[1.0], [2.0]]]> : tensor<1x2x1xf32>
  %y = convoy.conv ins(%x, %w : tensor<1x3x2xf32>, tensor<2x2x1xf32>) outs(%init : tensor<1x2x1xf32>) layout(nwc x wcf -> nwf)
  return %y : tensor<1x2x1xf32>
}

// REDEFINE: %{function} = init
// RUN: %{fails}=INIT
// INIT: which 'init' is not: the convolution's init is not an argument, a constant or a bias{{$}}
func.func @init(%x: tensor<1x3x2xf32>, %w: tensor<2x2x4xf32>, %more: tensor<1x2x4xf32>) -> tensor<1x2x4xf32> {
  %init = arith.addf %more, %more : tensor<1x2x4xf32>
  %y = convoy.conv ins(%x, %w : tensor<1x3x2xf32>, tensor<2x2x4xf32>) outs(%init : tensor<1x2x4xf32>) layout(nwc x wcf -> nwf)
  return %y : tensor<1x2x4xf32>
}

// REDEFINE: %{function} = filled
// RUN: %{fails}=FILLED
// FILLED: which 'filled' is not: the convolution's init is not constant{{$}}
func.func @filled(%x: tensor<1x3x2xf32>, %w: tensor<2x2x4xf32>, %value: f32) -> tensor<1x2x4xf32> {
  %empty = tensor.empty() : tensor<1x2x4xf32>
  %init = linalg.fill ins(%value : f32) outs(%empty : tensor<1x2x4xf32>) -> tensor<1x2x4xf32>
  %y = convoy.conv ins(%x, %w : tensor<1x3x2xf32>, tensor<2x2x4xf32>) outs(%init : tensor<1x2x4xf32>) layout(nwc x wcf -> nwf)
  return %y : tensor<1x2x4xf32>
}

// REDEFINE: %{function} = dynamic
// RUN: %{fails}=DYNAMIC
// DYNAMIC: which 'dynamic' is not: the convolution has dynamic sizes{{$}}
func.func @dynamic(%x: tensor<1x3x2xf32>, %w: tensor<2x2x4xf32>, %length: tensor<i32>) -> tensor<1x?x4xf32> {
  %number = tensor.extract %length[] : tensor<i32>
  %size = arith.index_cast %number : i32 to index
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty(%size) : tensor<1x?x4xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x?x4xf32>) -> tensor<1x?x4xf32>
  %y = convoy.conv ins(%x, %w : tensor<1x3x2xf32>, tensor<2x2x4xf32>) outs(%init : tensor<1x?x4xf32>) layout(nwc x wcf -> nwf)
  return %y : tensor<1x?x4xf32>
}
