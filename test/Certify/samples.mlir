// Samples are what docs/Sampling.md says, in the order of operations that it
// pins, and so are the loops that passes make of them.
// RUN: convoy-certify --pipeline='builtin.module(func.func(convoy-decompose-sampling))' %s | FileCheck %s
// RUN: convoy-certify --pipeline='builtin.module(func.func(convoy-decompose-sampling{by-rows=true}))' %s | FileCheck %s
// RUN: convoy-certify --pipeline='builtin.module(func.func(convoy-decompose-sampling{by-rows=true},canonicalize,cse))' %s | FileCheck %s --check-prefix=SIMPLIFIED
// CHECK: 7 changes of functions: 7 certified
// SIMPLIFIED: 20 changes of functions: 20 certified

// Other corners, padding and modes are other samples.
// RUN: sed 's/align_corners$//' %s > %t.mlir
// RUN: not convoy-certify %s %t.mlir | FileCheck %s --check-prefix=CORNERS
// CORNERS-COUNT-3: undecided: @
// RUN: sed 's/(zeros)/(was)/; s/(border)/(zeros)/; s/(reflection)/(border)/; s/(was)/(reflection)/' %s > %t.mlir
// RUN: not convoy-certify %s %t.mlir | FileCheck %s --check-prefix=PADDING --implicit-check-not=certified
// PADDING-COUNT-7: undecided: @
// RUN: sed 's/mode(nearest)/mode(was)/; s/mode(linear)/mode(nearest)/; s/mode(cubic)/mode(linear)/; s/mode(was)/mode(linear)/' %s > %t.mlir
// RUN: not convoy-certify %s %t.mlir | FileCheck %s --check-prefix=MODE --implicit-check-not=certified
// MODE-COUNT-7: undecided: @

func.func @bilinear_zeros(%image: tensor<2x3x5x7xf32>, %grid: tensor<2x4x6x2xf32>) -> tensor<2x3x4x6xf32> {
  %0 = convoy.grid_sample %image, %grid layout(nchw x nhwc -> nchw) mode(linear) padding(zeros)
      : tensor<2x3x5x7xf32>, tensor<2x4x6x2xf32> -> tensor<2x3x4x6xf32>
  return %0 : tensor<2x3x4x6xf32>
}

func.func @bilinear_border_corners(%image: tensor<3x5x7x2xf32>, %grid: tensor<4x6x2x2xf32>) -> tensor<4x6x2x3xf32> {
  %0 = convoy.grid_sample %image, %grid layout(chwn x hwnc -> hwnc) mode(linear) padding(border) align_corners
      : tensor<3x5x7x2xf32>, tensor<4x6x2x2xf32> -> tensor<4x6x2x3xf32>
  return %0 : tensor<4x6x2x3xf32>
}

func.func @trilinear_reflection(%image: tensor<2x3x4x5x7xf32>, %grid: tensor<2x2x4x6x3xf32>) -> tensor<2x3x2x4x6xf32> {
  %0 = convoy.grid_sample %image, %grid layout(ncdhw x ndhwc -> ncdhw) mode(linear) padding(reflection)
      : tensor<2x3x4x5x7xf32>, tensor<2x2x4x6x3xf32> -> tensor<2x3x2x4x6xf32>
  return %0 : tensor<2x3x2x4x6xf32>
}

func.func @nearest_reflection_corners(%image: tensor<2x5x7x3xf32>, %grid: tensor<2x4x6x2xf32>) -> tensor<2x4x6x3xf32> {
  %0 = convoy.grid_sample %image, %grid layout(nhwc x nhwc -> nhwc) mode(nearest) padding(reflection) align_corners
      : tensor<2x5x7x3xf32>, tensor<2x4x6x2xf32> -> tensor<2x4x6x3xf32>
  return %0 : tensor<2x4x6x3xf32>
}

func.func @bicubic_border(%image: tensor<2x3x5x7xf32>, %grid: tensor<2x4x6x2xf32>) -> tensor<2x3x4x6xf32> {
  %0 = convoy.grid_sample %image, %grid layout(nchw x nhwc -> nchw) mode(cubic) padding(border)
      : tensor<2x3x5x7xf32>, tensor<2x4x6x2xf32> -> tensor<2x3x4x6xf32>
  return %0 : tensor<2x3x4x6xf32>
}

func.func @narrow_numbers(%image: tensor<2x5x7x3xbf16>, %grid: tensor<2x2x4x6xf16>) -> tensor<2x3x4x6xbf16> {
  %0 = convoy.grid_sample %image, %grid layout(nhwc x nchw -> nchw) mode(linear) padding(zeros)
      : tensor<2x5x7x3xbf16>, tensor<2x2x4x6xf16> -> tensor<2x3x4x6xbf16>
  return %0 : tensor<2x3x4x6xbf16>
}

func.func @one_element(%image: tensor<2x3x2x1xf32>, %grid: tensor<2x4x6x2xf32>) -> tensor<2x3x4x6xf32> {
  %0 = convoy.grid_sample %image, %grid layout(nchw x nhwc -> nchw) mode(linear) padding(border) align_corners
      : tensor<2x3x2x1xf32>, tensor<2x4x6x2xf32> -> tensor<2x3x4x6xf32>
  return %0 : tensor<2x3x4x6xf32>
}
