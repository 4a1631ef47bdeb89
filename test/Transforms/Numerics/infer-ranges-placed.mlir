// RUN: convoy-opt %s --convoy-infer-ranges --split-input-file --verify-diagnostics | FileCheck %s

// Ranges of sums at places that an op names, of padding and of samples; those of
// the convolution behind each of them show what was found.

// Windows overlap in 2 of 3 taps with a stride of 2, and there are zeros where
// none is; with a stride and a dilation of 2 in all 3.
// CHECK-LABEL: @overlaps
// CHECK:         input_range = [-8.0078125, 2.001953125]
// CHECK:         input_range = [-12.0078125, 3.001953125]
func.func @overlaps(%rows: tensor<1x4x3x3xf16> {convoy.range = array<f64: -4.0, 1.0>}, %large: tensor<1x4x3x3xf16> {convoy.range = array<f64: 0.0, 50000.0>}, %w: tensor<1x3x5xf16>) -> (tensor<1x7x5xf16>, tensor<1x11x5xf16>, tensor<1x7x3xf16>) {
  %zeros7 = arith.constant dense<0.0> : tensor<1x7x5xf16>
  %zeros11 = arith.constant dense<0.0> : tensor<1x11x5xf16>
  %image = convoy.col2im %rows layout(nwc, nw|wc) window(stride = [2], pad = [[1, 1]]) : tensor<1x4x3x3xf16> -> tensor<1x7x3xf16>
  %0 = convoy.conv ins(%image, %w : tensor<1x7x3xf16>, tensor<1x3x5xf16>) outs(%zeros7 : tensor<1x7x5xf16>) layout(nwc x wcf -> nwf) numerics(accumulator = f32)
  %dilated = convoy.col2im %rows layout(nwc, nw|wc) window(stride = [2], dilation = [2]) : tensor<1x4x3x3xf16> -> tensor<1x11x3xf16>
  %1 = convoy.conv ins(%dilated, %w : tensor<1x11x3xf16>, tensor<1x3x5xf16>) outs(%zeros11 : tensor<1x11x5xf16>) layout(nwc x wcf -> nwf) numerics(accumulator = f32)
  // expected-warning @below {{sums of 2 terms of up to 50016 may reach 100032, and 'f16' ends at 65504}}
  %2 = convoy.col2im %large layout(nwc, nw|wc) window(stride = [2], pad = [[1, 1]]) : tensor<1x4x3x3xf16> -> tensor<1x7x3xf16>
  return %0, %1, %2 : tensor<1x7x5xf16>, tensor<1x11x5xf16>, tensor<1x7x3xf16>
}

// -----

// Padding holds elements of the input, and no zeros.
// CHECK-LABEL: @padding
// CHECK:         input_range = [1.000000e+00, 2.000000e+00]
// CHECK:         input_range = [1.000000e+00, 2.000000e+00]
// CHECK:         input_range = [1.000000e+00, 2.000000e+00]
func.func @padding(%x: tensor<1x4x3x2xf16> {convoy.range = array<f64: 1.0, 2.0>}, %w2: tensor<1x1x2x5xf16>) -> (tensor<1x6x5x5xf16>, tensor<1x6x5x5xf16>, tensor<1x6x5x5xf16>) {
  %z65 = arith.constant dense<0.0> : tensor<1x6x5x5xf16>
  %p0 = convoy.pad %x mode(reflect) low[0, 1, 2, 0] high[0, 1, 0, 0] : tensor<1x4x3x2xf16> -> tensor<1x6x5x2xf16>
  %p1 = convoy.pad %x mode(replicate) low[0, 1, 2, 0] high[0, 1, 0, 0] : tensor<1x4x3x2xf16> -> tensor<1x6x5x2xf16>
  %p2 = convoy.pad %x mode(circular) low[0, 1, 2, 0] high[0, 1, 0, 0] : tensor<1x4x3x2xf16> -> tensor<1x6x5x2xf16>
  %y0 = convoy.conv ins(%p0, %w2 : tensor<1x6x5x2xf16>, tensor<1x1x2x5xf16>) outs(%z65 : tensor<1x6x5x5xf16>) layout(nhwc x hwcf -> nhwf) numerics(accumulator = f32)
  %y1 = convoy.conv ins(%p1, %w2 : tensor<1x6x5x2xf16>, tensor<1x1x2x5xf16>) outs(%z65 : tensor<1x6x5x5xf16>) layout(nhwc x hwcf -> nhwf) numerics(accumulator = f32)
  %y2 = convoy.conv ins(%p2, %w2 : tensor<1x6x5x2xf16>, tensor<1x1x2x5xf16>) outs(%z65 : tensor<1x6x5x5xf16>) layout(nhwc x hwcf -> nhwf) numerics(accumulator = f32)
  return %y0, %y1, %y2 : tensor<1x6x5x5xf16>, tensor<1x6x5x5xf16>, tensor<1x6x5x5xf16>
}

// -----

// Copies of an element: the reflected ones and itself, all that lie beyond an
// end, or one in each turn; all of them of a single element. Without padding nothing
// is added.
// CHECK-LABEL: @padding_gradients
// CHECK:         input_range = [0.000000e+00, 8.0078125]
// CHECK:         input_range = [0.000000e+00, 8.0078125]
// CHECK:         input_range = [0.000000e+00, 6.00390625]
// CHECK:         input_range = [0.000000e+00, 16.015625]
// CHECK:         input_range = [0.000000e+00, 2.000000e+00]
func.func @padding_gradients(%dy: tensor<1x8x2x3xf16> {convoy.range = array<f64: 1.0, 2.0>}, %w3: tensor<1x1x3x5xf16>) -> (tensor<1x4x2x5xf16>, tensor<1x4x2x5xf16>, tensor<1x3x2x5xf16>, tensor<1x1x2x5xf16>, tensor<1x8x2x5xf16>) {
  %z12 = arith.constant dense<0.0> : tensor<1x1x2x5xf16>
  %z32 = arith.constant dense<0.0> : tensor<1x3x2x5xf16>
  %z42 = arith.constant dense<0.0> : tensor<1x4x2x5xf16>
  %z82 = arith.constant dense<0.0> : tensor<1x8x2x5xf16>
  %b0 = convoy.pad_backward %dy mode(reflect) low[0, 2, 0, 0] high[0, 2, 0, 0] : tensor<1x8x2x3xf16> -> tensor<1x4x2x3xf16>
  %b1 = convoy.pad_backward %dy mode(replicate) low[0, 1, 0, 0] high[0, 3, 0, 0] : tensor<1x8x2x3xf16> -> tensor<1x4x2x3xf16>
  %b2 = convoy.pad_backward %dy mode(circular) low[0, 4, 0, 0] high[0, 1, 0, 0] : tensor<1x8x2x3xf16> -> tensor<1x3x2x3xf16>
  %b3 = convoy.pad_backward %dy mode(reflect) low[0, 3, 0, 0] high[0, 4, 0, 0] : tensor<1x8x2x3xf16> -> tensor<1x1x2x3xf16>
  %b4 = convoy.pad_backward %dy mode(reflect) low[0, 0, 0, 0] high[0, 0, 0, 0] : tensor<1x8x2x3xf16> -> tensor<1x8x2x3xf16>
  %y0 = convoy.conv ins(%b0, %w3 : tensor<1x4x2x3xf16>, tensor<1x1x3x5xf16>) outs(%z42 : tensor<1x4x2x5xf16>) layout(nhwc x hwcf -> nhwf) numerics(accumulator = f32)
  %y1 = convoy.conv ins(%b1, %w3 : tensor<1x4x2x3xf16>, tensor<1x1x3x5xf16>) outs(%z42 : tensor<1x4x2x5xf16>) layout(nhwc x hwcf -> nhwf) numerics(accumulator = f32)
  %y2 = convoy.conv ins(%b2, %w3 : tensor<1x3x2x3xf16>, tensor<1x1x3x5xf16>) outs(%z32 : tensor<1x3x2x5xf16>) layout(nhwc x hwcf -> nhwf) numerics(accumulator = f32)
  %y3 = convoy.conv ins(%b3, %w3 : tensor<1x1x2x3xf16>, tensor<1x1x3x5xf16>) outs(%z12 : tensor<1x1x2x5xf16>) layout(nhwc x hwcf -> nhwf) numerics(accumulator = f32)
  %y4 = convoy.conv ins(%b4, %w3 : tensor<1x8x2x3xf16>, tensor<1x1x3x5xf16>) outs(%z82 : tensor<1x8x2x5xf16>) layout(nhwc x hwcf -> nhwf) numerics(accumulator = f32)
  return %y0, %y1, %y2, %y3, %y4 : tensor<1x4x2x5xf16>, tensor<1x4x2x5xf16>, tensor<1x3x2x5xf16>, tensor<1x1x2x5xf16>, tensor<1x8x2x5xf16>
}

// -----

// Interpolated samples lie between the elements, up to rounding, and zeros that lie
// around; no rounding gives them another sign. Cubic ones overshoot. What the grid
// is does not matter.
// CHECK-LABEL: @samples
// CHECK:         input_range = [1.9990234375, 4.00390625]
// CHECK:         input_range = [0.000000e+00, 4.00390625]
// CHECK:         input_range = [2.000000e+00, 4.000000e+00]
// CHECK:         input_range = [0.000000e+00, 4.000000e+00]
// CHECK:         input_range = [1.1083984375, 4.89453125]
// CHECK:         input_range = [-1.7822265625, 5.78515625]
// CHECK:         input_range = [-4.00390625, 0.000000e+00]
func.func @samples(%x: tensor<1x4x3x2xf16> {convoy.range = array<f64: 2.0, 4.0>}, %minus: tensor<1x4x3x2xf16> {convoy.range = array<f64: -4.0, 0.0>}, %grid: tensor<1x3x5x2xf16>, %w2: tensor<1x1x2x5xf16>) -> (tensor<1x3x5x5xf16>, tensor<1x3x5x5xf16>, tensor<1x3x5x5xf16>, tensor<1x3x5x5xf16>, tensor<1x3x5x5xf16>, tensor<1x3x5x5xf16>, tensor<1x3x5x5xf16>) {
  %z35 = arith.constant dense<0.0> : tensor<1x3x5x5xf16>
  %s0 = convoy.grid_sample %x, %grid layout(nhwc x nhwc -> nhwc) mode(linear) padding(border) : tensor<1x4x3x2xf16>, tensor<1x3x5x2xf16> -> tensor<1x3x5x2xf16>
  %s1 = convoy.grid_sample %x, %grid layout(nhwc x nhwc -> nhwc) mode(linear) padding(zeros) : tensor<1x4x3x2xf16>, tensor<1x3x5x2xf16> -> tensor<1x3x5x2xf16>
  %s2 = convoy.grid_sample %x, %grid layout(nhwc x nhwc -> nhwc) mode(nearest) padding(reflection) : tensor<1x4x3x2xf16>, tensor<1x3x5x2xf16> -> tensor<1x3x5x2xf16>
  %s3 = convoy.grid_sample %x, %grid layout(nhwc x nhwc -> nhwc) mode(nearest) padding(zeros) : tensor<1x4x3x2xf16>, tensor<1x3x5x2xf16> -> tensor<1x3x5x2xf16>
  %s4 = convoy.grid_sample %x, %grid layout(nhwc x nhwc -> nhwc) mode(cubic) padding(border) : tensor<1x4x3x2xf16>, tensor<1x3x5x2xf16> -> tensor<1x3x5x2xf16>
  %s5 = convoy.grid_sample %x, %grid layout(nhwc x nhwc -> nhwc) mode(cubic) padding(zeros) : tensor<1x4x3x2xf16>, tensor<1x3x5x2xf16> -> tensor<1x3x5x2xf16>
  %s6 = convoy.grid_sample %minus, %grid layout(nhwc x nhwc -> nhwc) mode(linear) padding(zeros) : tensor<1x4x3x2xf16>, tensor<1x3x5x2xf16> -> tensor<1x3x5x2xf16>
  %y0 = convoy.conv ins(%s0, %w2 : tensor<1x3x5x2xf16>, tensor<1x1x2x5xf16>) outs(%z35 : tensor<1x3x5x5xf16>) layout(nhwc x hwcf -> nhwf) numerics(accumulator = f32)
  %y1 = convoy.conv ins(%s1, %w2 : tensor<1x3x5x2xf16>, tensor<1x1x2x5xf16>) outs(%z35 : tensor<1x3x5x5xf16>) layout(nhwc x hwcf -> nhwf) numerics(accumulator = f32)
  %y2 = convoy.conv ins(%s2, %w2 : tensor<1x3x5x2xf16>, tensor<1x1x2x5xf16>) outs(%z35 : tensor<1x3x5x5xf16>) layout(nhwc x hwcf -> nhwf) numerics(accumulator = f32)
  %y3 = convoy.conv ins(%s3, %w2 : tensor<1x3x5x2xf16>, tensor<1x1x2x5xf16>) outs(%z35 : tensor<1x3x5x5xf16>) layout(nhwc x hwcf -> nhwf) numerics(accumulator = f32)
  %y4 = convoy.conv ins(%s4, %w2 : tensor<1x3x5x2xf16>, tensor<1x1x2x5xf16>) outs(%z35 : tensor<1x3x5x5xf16>) layout(nhwc x hwcf -> nhwf) numerics(accumulator = f32)
  %y5 = convoy.conv ins(%s5, %w2 : tensor<1x3x5x2xf16>, tensor<1x1x2x5xf16>) outs(%z35 : tensor<1x3x5x5xf16>) layout(nhwc x hwcf -> nhwf) numerics(accumulator = f32)
  %y6 = convoy.conv ins(%s6, %w2 : tensor<1x3x5x2xf16>, tensor<1x1x2x5xf16>) outs(%z35 : tensor<1x3x5x5xf16>) layout(nhwc x hwcf -> nhwf) numerics(accumulator = f32)
  return %y0, %y1, %y2, %y3, %y4, %y5, %y6 : tensor<1x3x5x5xf16>, tensor<1x3x5x5xf16>, tensor<1x3x5x5xf16>, tensor<1x3x5x5xf16>, tensor<1x3x5x5xf16>, tensor<1x3x5x5xf16>, tensor<1x3x5x5xf16>
}

// -----

// Each of the 15 samples may be made of one element alone, but no element has
// more than its weight in it.
// CHECK-LABEL: @image_gradients
// CHECK:         input_range = [0.000000e+00, 30.015625]
// CHECK:         input_range = [0.000000e+00, 30.015625]
// CHECK:         input_range = [-5.675000e+01, 5.675000e+01]
func.func @image_gradients(%dy: tensor<1x3x5x2xf16> {convoy.range = array<f64: 1.0, 2.0>}, %grid: tensor<1x3x5x2xf16>, %w2: tensor<1x1x2x5xf16>) -> (tensor<1x4x3x5xf16>, tensor<1x4x3x5xf16>, tensor<1x4x3x5xf16>) {
  %z43 = arith.constant dense<0.0> : tensor<1x4x3x5xf16>
  %i0 = convoy.grid_sample_backward_input %dy, %grid layout(nhwc x nhwc -> nhwc) mode(linear) padding(border) : tensor<1x3x5x2xf16>, tensor<1x3x5x2xf16> -> tensor<1x4x3x2xf16>
  %i1 = convoy.grid_sample_backward_input %dy, %grid layout(nhwc x nhwc -> nhwc) mode(nearest) padding(zeros) : tensor<1x3x5x2xf16>, tensor<1x3x5x2xf16> -> tensor<1x4x3x2xf16>
  %i2 = convoy.grid_sample_backward_input %dy, %grid layout(nhwc x nhwc -> nhwc) mode(cubic) padding(border) : tensor<1x3x5x2xf16>, tensor<1x3x5x2xf16> -> tensor<1x4x3x2xf16>
  %y0 = convoy.conv ins(%i0, %w2 : tensor<1x4x3x2xf16>, tensor<1x1x2x5xf16>) outs(%z43 : tensor<1x4x3x5xf16>) layout(nhwc x hwcf -> nhwf) numerics(accumulator = f32)
  %y1 = convoy.conv ins(%i1, %w2 : tensor<1x4x3x2xf16>, tensor<1x1x2x5xf16>) outs(%z43 : tensor<1x4x3x5xf16>) layout(nhwc x hwcf -> nhwf) numerics(accumulator = f32)
  %y2 = convoy.conv ins(%i2, %w2 : tensor<1x4x3x2xf16>, tensor<1x1x2x5xf16>) outs(%z43 : tensor<1x4x3x5xf16>) layout(nhwc x hwcf -> nhwf) numerics(accumulator = f32)
  return %y0, %y1, %y2 : tensor<1x4x3x5xf16>, tensor<1x4x3x5xf16>, tensor<1x4x3x5xf16>
}

// -----

// Two channels, times half a size of 4: slopes are the differences of elements,
// and of those at the border and zeros.
// CHECK-LABEL: @grid_gradients
// CHECK:         input_range = [-8.0078125, 8.0078125]
// CHECK:         input_range = [-48.03125, 48.03125]
// CHECK:         input_range = [0.000000e+00, 5.9604644775390625E-8]
// CHECK:         input_range = [-16.515625, 16.515625]
func.func @grid_gradients(%dy: tensor<1x3x5x2xf16> {convoy.range = array<f64: 1.0, 2.0>}, %x: tensor<1x4x3x2xf16> {convoy.range = array<f64: 5.0, 6.0>}, %grid: tensor<1x3x5x2xf16>, %w2: tensor<1x1x2x5xf16>) -> (tensor<1x3x5x5xf16>, tensor<1x3x5x5xf16>, tensor<1x3x5x5xf16>, tensor<1x3x5x5xf16>) {
  %z35 = arith.constant dense<0.0> : tensor<1x3x5x5xf16>
  %g0 = convoy.grid_sample_backward_grid %dy, %x, %grid layout(nhwc x nhwc -> nhwc) mode(linear) padding(border) : tensor<1x3x5x2xf16>, tensor<1x4x3x2xf16>, tensor<1x3x5x2xf16>
  %g1 = convoy.grid_sample_backward_grid %dy, %x, %grid layout(nhwc x nhwc -> nhwc) mode(linear) padding(zeros) : tensor<1x3x5x2xf16>, tensor<1x4x3x2xf16>, tensor<1x3x5x2xf16>
  %g2 = convoy.grid_sample_backward_grid %dy, %x, %grid layout(nhwc x nhwc -> nhwc) mode(nearest) padding(zeros) : tensor<1x3x5x2xf16>, tensor<1x4x3x2xf16>, tensor<1x3x5x2xf16>
  %g3 = convoy.grid_sample_backward_grid %dy, %x, %grid layout(nhwc x nhwc -> nhwc) mode(cubic) padding(border) : tensor<1x3x5x2xf16>, tensor<1x4x3x2xf16>, tensor<1x3x5x2xf16>
  %y0 = convoy.conv ins(%g0, %w2 : tensor<1x3x5x2xf16>, tensor<1x1x2x5xf16>) outs(%z35 : tensor<1x3x5x5xf16>) layout(nhwc x hwcf -> nhwf) numerics(accumulator = f32)
  %y1 = convoy.conv ins(%g1, %w2 : tensor<1x3x5x2xf16>, tensor<1x1x2x5xf16>) outs(%z35 : tensor<1x3x5x5xf16>) layout(nhwc x hwcf -> nhwf) numerics(accumulator = f32)
  %y2 = convoy.conv ins(%g2, %w2 : tensor<1x3x5x2xf16>, tensor<1x1x2x5xf16>) outs(%z35 : tensor<1x3x5x5xf16>) layout(nhwc x hwcf -> nhwf) numerics(accumulator = f32)
  %y3 = convoy.conv ins(%g3, %w2 : tensor<1x3x5x2xf16>, tensor<1x1x2x5xf16>) outs(%z35 : tensor<1x3x5x5xf16>) layout(nhwc x hwcf -> nhwf) numerics(accumulator = f32)
  return %y0, %y1, %y2, %y3 : tensor<1x3x5x5xf16>, tensor<1x3x5x5xf16>, tensor<1x3x5x5xf16>, tensor<1x3x5x5xf16>
}

// -----

// 12 products of samples, which may be zeros, the mask and the filter, and an init.
// CHECK-LABEL: @deformed
// CHECK:         input_range = [0.000000e+00, 1.361250e+02]
// CHECK:         input_range = [-7.206250e+01, 1.361250e+02]
func.func @deformed(%x: tensor<1x4x5x2xf16> {convoy.range = array<f64: 1.0, 3.0>}, %f: tensor<3x2x2x3xf16> {convoy.range = array<f64: 0.0, 1.0>}, %offset: tensor<1x2x4x12xf16>, %mask: tensor<1x2x4x6xf16> {convoy.range = array<f64: -2.0, 1.0>}, %init: tensor<1x2x4x3xf16> {convoy.range = array<f64: 0.0, 100.0>}, %w3: tensor<1x1x3x5xf16>) -> (tensor<1x2x4x5xf16>, tensor<1x2x4x5xf16>) {
  %z24 = arith.constant dense<0.0> : tensor<1x2x4x5xf16>
  %d0 = convoy.deform_conv ins(%x, %f, %offset : tensor<1x4x5x2xf16>, tensor<3x2x2x3xf16>, tensor<1x2x4x12xf16>) outs(%init : tensor<1x2x4x3xf16>) layout(nhwc x hwcf -> nhwf) offset_layout(nhwc)
  %d1 = convoy.deform_conv ins(%x, %f, %offset : tensor<1x4x5x2xf16>, tensor<3x2x2x3xf16>, tensor<1x2x4x12xf16>) mask(%mask : tensor<1x2x4x6xf16>) outs(%init : tensor<1x2x4x3xf16>) layout(nhwc x hwcf -> nhwf) offset_layout(nhwc)
  %y0 = convoy.conv ins(%d0, %w3 : tensor<1x2x4x3xf16>, tensor<1x1x3x5xf16>) outs(%z24 : tensor<1x2x4x5xf16>) layout(nhwc x hwcf -> nhwf) numerics(accumulator = f32)
  %y1 = convoy.conv ins(%d1, %w3 : tensor<1x2x4x3xf16>, tensor<1x1x3x5xf16>) outs(%z24 : tensor<1x2x4x5xf16>) layout(nhwc x hwcf -> nhwf) numerics(accumulator = f32)
  return %y0, %y1 : tensor<1x2x4x5xf16>, tensor<1x2x4x5xf16>
}

// -----

// 8 output positions; gradients of samples are sums of 3 products, and the mask's and
// the offsets' those of 2 channels; slopes reach from zeros to elements.
// CHECK-LABEL: @deformed_gradients
// CHECK:         input_range = [-9.612500e+01, 4.806250e+01]
// CHECK:         input_range = [-18.015625, 36.03125]
// CHECK:         input_range = [-36.03125, 36.03125]
// CHECK:         input_range = [-7.206250e+01, 7.206250e+01]
// CHECK:         input_range = [-5.765000e+02, 2.882500e+02]
func.func @deformed_gradients(%x: tensor<1x4x5x2xf16> {convoy.range = array<f64: 1.0, 3.0>}, %f: tensor<3x2x2x3xf16> {convoy.range = array<f64: 0.0, 1.0>}, %offset: tensor<1x2x4x12xf16>, %mask: tensor<1x2x4x6xf16> {convoy.range = array<f64: -2.0, 1.0>}, %dy: tensor<1x2x4x3xf16> {convoy.range = array<f64: -1.0, 2.0>}, %w2: tensor<1x1x2x5xf16>, %w3: tensor<1x1x3x5xf16>, %w6: tensor<1x1x6x5xf16>, %w12: tensor<1x1x12x5xf16>) -> (tensor<1x3x4x5xf16>, tensor<1x2x4x5xf16>, tensor<1x2x4x5xf16>, tensor<1x2x4x5xf16>, tensor<1x4x5x5xf16>) {
  %z24 = arith.constant dense<0.0> : tensor<1x2x4x5xf16>
  %z34 = arith.constant dense<0.0> : tensor<1x3x4x5xf16>
  %z45 = arith.constant dense<0.0> : tensor<1x4x5x5xf16>
  %xz = arith.constant dense<0.0> : tensor<1x4x5x2xf16>
  %fz = arith.constant dense<0.0> : tensor<3x2x2x3xf16>
  %mz = arith.constant dense<0.0> : tensor<1x2x4x6xf16>
  %oz = arith.constant dense<0.0> : tensor<1x2x4x12xf16>
  %e = convoy.deform_conv_backward_filter ins(%dy, %x, %offset : tensor<1x2x4x3xf16>, tensor<1x4x5x2xf16>, tensor<1x2x4x12xf16>) mask(%mask : tensor<1x2x4x6xf16>) outs(%fz : tensor<3x2x2x3xf16>) layout(nhwc x hwcf -> nhwf) offset_layout(nhwc)
  %e0 = tensor.collapse_shape %e [[0, 1, 2, 3]] : tensor<3x2x2x3xf16> into tensor<36xf16>
  %e1 = tensor.expand_shape %e0 [[0, 1, 2, 3]] output_shape [1, 3, 4, 3] : tensor<36xf16> into tensor<1x3x4x3xf16>
  %m = convoy.deform_conv_backward_mask ins(%dy, %x, %f, %offset : tensor<1x2x4x3xf16>, tensor<1x4x5x2xf16>, tensor<3x2x2x3xf16>, tensor<1x2x4x12xf16>) outs(%mz : tensor<1x2x4x6xf16>) layout(nhwc x hwcf -> nhwf) offset_layout(nhwc)
  %o0 = convoy.deform_conv_backward_offset ins(%dy, %x, %f, %offset : tensor<1x2x4x3xf16>, tensor<1x4x5x2xf16>, tensor<3x2x2x3xf16>, tensor<1x2x4x12xf16>) outs(%oz : tensor<1x2x4x12xf16>) layout(nhwc x hwcf -> nhwf) offset_layout(nhwc)
  %o1 = convoy.deform_conv_backward_offset ins(%dy, %x, %f, %offset : tensor<1x2x4x3xf16>, tensor<1x4x5x2xf16>, tensor<3x2x2x3xf16>, tensor<1x2x4x12xf16>) mask(%mask : tensor<1x2x4x6xf16>) outs(%oz : tensor<1x2x4x12xf16>) layout(nhwc x hwcf -> nhwf) offset_layout(nhwc)
  %i = convoy.deform_conv_backward_input ins(%dy, %f, %offset : tensor<1x2x4x3xf16>, tensor<3x2x2x3xf16>, tensor<1x2x4x12xf16>) mask(%mask : tensor<1x2x4x6xf16>) outs(%xz : tensor<1x4x5x2xf16>) layout(nhwc x hwcf -> nhwf) offset_layout(nhwc)
  %y0 = convoy.conv ins(%e1, %w3 : tensor<1x3x4x3xf16>, tensor<1x1x3x5xf16>) outs(%z34 : tensor<1x3x4x5xf16>) layout(nhwc x hwcf -> nhwf) numerics(accumulator = f32)
  %y1 = convoy.conv ins(%m, %w6 : tensor<1x2x4x6xf16>, tensor<1x1x6x5xf16>) outs(%z24 : tensor<1x2x4x5xf16>) layout(nhwc x hwcf -> nhwf) numerics(accumulator = f32)
  %y2 = convoy.conv ins(%o0, %w12 : tensor<1x2x4x12xf16>, tensor<1x1x12x5xf16>) outs(%z24 : tensor<1x2x4x5xf16>) layout(nhwc x hwcf -> nhwf) numerics(accumulator = f32)
  %y3 = convoy.conv ins(%o1, %w12 : tensor<1x2x4x12xf16>, tensor<1x1x12x5xf16>) outs(%z24 : tensor<1x2x4x5xf16>) layout(nhwc x hwcf -> nhwf) numerics(accumulator = f32)
  %y4 = convoy.conv ins(%i, %w2 : tensor<1x4x5x2xf16>, tensor<1x1x2x5xf16>) outs(%z45 : tensor<1x4x5x5xf16>) layout(nhwc x hwcf -> nhwf) numerics(accumulator = f32)
  return %y0, %y1, %y2, %y3, %y4 : tensor<1x3x4x5xf16>, tensor<1x2x4x5xf16>, tensor<1x2x4x5xf16>, tensor<1x2x4x5xf16>, tensor<1x4x5x5xf16>
}

// -----

// A mask of more than 1 makes samples larger than elements are.
// CHECK-LABEL: @masked
func.func @masked(%x: tensor<1x4x5x2xf16> {convoy.range = array<f64: 0.0, 40000.0>}, %f: tensor<3x2x2x3xf16> {convoy.range = array<f64: 0.0, 0.001>}, %offset: tensor<1x2x4x12xf16>, %mask: tensor<1x2x4x6xf16> {convoy.range = array<f64: 0.0, 2.0>}) -> tensor<1x2x4x3xf16> {
  %init = arith.constant dense<0.0> : tensor<1x2x4x3xf16>
  // expected-warning @below {{samples of up to 80000.3 may overflow in 'f16'}}
  %0 = convoy.deform_conv ins(%x, %f, %offset : tensor<1x4x5x2xf16>, tensor<3x2x2x3xf16>, tensor<1x2x4x12xf16>) mask(%mask : tensor<1x2x4x6xf16>) outs(%init : tensor<1x2x4x3xf16>) layout(nhwc x hwcf -> nhwf) offset_layout(nhwc)
  return %0 : tensor<1x2x4x3xf16>
}

// -----

// Sums in f32 of what nothing is known of but its type are not spoken of.
// CHECK-LABEL: @of_any_numbers
func.func @of_any_numbers(%dy: tensor<2x7x7x4xf16>, %w: tensor<3x4x3x4xf16>, %init: tensor<2x9x10x3xf32>) -> tensor<2x5x4x3xf16> {
  %sums = convoy.conv_backward_data ins(%dy, %w : tensor<2x7x7x4xf16>, tensor<3x4x3x4xf16>) outs(%init : tensor<2x9x10x3xf32>) layout(nhwc x hwcf -> nhwf) numerics(accumulator = f32)
  %r = convoy.pad_backward %sums mode(reflect) low[0, 2, 3, 0] high[0, 2, 3, 0] : tensor<2x9x10x3xf32> -> tensor<2x5x4x3xf16>
  return %r : tensor<2x5x4x3xf16>
}
