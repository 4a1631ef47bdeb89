// RUN: convoy-opt --convoy-raise-linalg %s --verify-diagnostics | FileCheck %s --implicit-check-not=convoy.

// Bodies that are not a multiply-add over the declared types are left alone.

// CHECK: func.func private @observe

#input = affine_map<(o, k) -> (o + k)>
#filter = affine_map<(o, k) -> (k)>
#output = affine_map<(o, k) -> (o)>

func.func private @observe(f32)

func.func @max_plus(%input: tensor<9xf32>, %filter: tensor<3xf32>, %init: tensor<7xf32>) -> tensor<7xf32> {
  // expected-warning @below {{'linalg.generic' op was not raised}}
  // expected-note @below {{expected the body to add a product to its output, but it yields arith.maximumf}}
  %r = linalg.generic {indexing_maps = [#input, #filter, #output],
      iterator_types = ["parallel", "reduction"]}
      ins(%input, %filter : tensor<9xf32>, tensor<3xf32>)
      outs(%init : tensor<7xf32>) {
  ^bb0(%x: f32, %w: f32, %acc: f32):
    %plus = arith.addf %x, %w : f32
    %max = arith.maximumf %acc, %plus : f32
    linalg.yield %max : f32
  } -> tensor<7xf32>
  return %r : tensor<7xf32>
}

func.func @subtracted_product(%input: tensor<9xf32>, %filter: tensor<3xf32>, %init: tensor<7xf32>) -> tensor<7xf32> {
  // expected-warning @below {{'linalg.generic' op was not raised}}
  // expected-note @below {{expected the body to add a product to its output, but it yields arith.subf}}
  %r = linalg.generic {indexing_maps = [#input, #filter, #output],
      iterator_types = ["parallel", "reduction"]}
      ins(%input, %filter : tensor<9xf32>, tensor<3xf32>)
      outs(%init : tensor<7xf32>) {
  ^bb0(%x: f32, %w: f32, %acc: f32):
    %product = arith.mulf %x, %w : f32
    %sum = arith.subf %acc, %product : f32
    linalg.yield %sum : f32
  } -> tensor<7xf32>
  return %r : tensor<7xf32>
}

func.func @rounded_after_each_term(%input: tensor<9xf32>, %filter: tensor<3xf32>, %init: tensor<7xf16>) -> tensor<7xf16> {
  // expected-warning @below {{'linalg.generic' op was not raised}}
  // expected-note @below {{expected the body to add a product to its output, but it yields arith.truncf}}
  %r = linalg.generic {indexing_maps = [#input, #filter, #output],
      iterator_types = ["parallel", "reduction"]}
      ins(%input, %filter : tensor<9xf32>, tensor<3xf32>)
      outs(%init : tensor<7xf16>) {
  ^bb0(%x: f32, %w: f32, %acc: f16):
    %acc32 = arith.extf %acc : f16 to f32
    %product = arith.mulf %x, %w : f32
    %sum = arith.addf %acc32, %product : f32
    %rounded = arith.truncf %sum : f32 to f16
    linalg.yield %rounded : f16
  } -> tensor<7xf16>
  return %r : tensor<7xf16>
}

func.func @output_is_no_summand(%input: tensor<9xf32>, %filter: tensor<3xf32>, %init: tensor<7xf32>) -> tensor<7xf32> {
  // expected-warning @below {{'linalg.generic' op was not raised}}
  // expected-note @below {{expected the body to add a product to its output, but it adds arith.mulf and operand #0}}
  %r = linalg.generic {indexing_maps = [#input, #filter, #output],
      iterator_types = ["parallel", "reduction"]}
      ins(%input, %filter : tensor<9xf32>, tensor<3xf32>)
      outs(%init : tensor<7xf32>) {
  ^bb0(%x: f32, %w: f32, %acc: f32):
    %product = arith.mulf %x, %w : f32
    %sum = arith.addf %product, %x : f32
    linalg.yield %sum : f32
  } -> tensor<7xf32>
  return %r : tensor<7xf32>
}

func.func @output_is_a_factor(%input: tensor<9xf32>, %filter: tensor<3xf32>, %init: tensor<7xf32>) -> tensor<7xf32> {
  // expected-warning @below {{'linalg.generic' op was not raised}}
  // expected-note @below {{expected a factor to be an input's element, extended or not, but got operand #2}}
  %r = linalg.generic {indexing_maps = [#input, #filter, #output],
      iterator_types = ["parallel", "reduction"]}
      ins(%input, %filter : tensor<9xf32>, tensor<3xf32>)
      outs(%init : tensor<7xf32>) {
  ^bb0(%x: f32, %w: f32, %acc: f32):
    %product = arith.mulf %x, %acc : f32
    %unused = arith.negf %w : f32
    %sum = arith.addf %acc, %product : f32
    linalg.yield %sum : f32
  } -> tensor<7xf32>
  return %r : tensor<7xf32>
}

func.func @index_elements(%input: tensor<9xindex>, %filter: tensor<3xindex>, %init: tensor<7xindex>) -> tensor<7xindex> {
  // expected-warning @below {{'linalg.generic' op was not raised}}
  // expected-note @below {{expected signless integer or float elements, but got index}}
  %r = linalg.generic {indexing_maps = [#input, #filter, #output],
      iterator_types = ["parallel", "reduction"]}
      ins(%input, %filter : tensor<9xindex>, tensor<3xindex>)
      outs(%init : tensor<7xindex>) {
  ^bb0(%x: index, %w: index, %acc: index):
    %product = arith.muli %x, %w : index
    %sum = arith.addi %acc, %product : index
    linalg.yield %sum : index
  } -> tensor<7xindex>
  return %r : tensor<7xindex>
}

func.func @side_effects(%input: tensor<9xf32>, %filter: tensor<3xf32>, %init: tensor<7xf32>) -> tensor<7xf32> {
  // expected-warning @below {{'linalg.generic' op was not raised}}
  // expected-note @below {{expected a body without side effects, but got func.call}}
  %r = linalg.generic {indexing_maps = [#input, #filter, #output],
      iterator_types = ["parallel", "reduction"]}
      ins(%input, %filter : tensor<9xf32>, tensor<3xf32>)
      outs(%init : tensor<7xf32>) {
  ^bb0(%x: f32, %w: f32, %acc: f32):
    func.call @observe(%x) : (f32) -> ()
    %product = arith.mulf %x, %w : f32
    %sum = arith.addf %acc, %product : f32
    linalg.yield %sum : f32
  } -> tensor<7xf32>
  return %r : tensor<7xf32>
}

func.func @sum_of_sums(%input: tensor<9xf32>, %filter: tensor<3xf32>, %init: tensor<7xf32>) -> tensor<7xf32> {
  // expected-warning @below {{'linalg.generic' op was not raised}}
  // expected-note @below {{expected a product to be added, but got arith.addf}}
  %r = linalg.generic {indexing_maps = [#input, #filter, #output],
      iterator_types = ["parallel", "reduction"]}
      ins(%input, %filter : tensor<9xf32>, tensor<3xf32>)
      outs(%init : tensor<7xf32>) {
  ^bb0(%x: f32, %w: f32, %acc: f32):
    %plus = arith.addf %x, %w : f32
    %sum = arith.addf %acc, %plus : f32
    linalg.yield %sum : f32
  } -> tensor<7xf32>
  return %r : tensor<7xf32>
}

func.func @squared_difference(%input: tensor<9xf32>, %filter: tensor<3xf32>, %init: tensor<7xf32>) -> tensor<7xf32> {
  // expected-warning @below {{'linalg.generic' op was not raised}}
  // expected-note @below {{expected a factor to be an input's element, extended or not, but got arith.subf}}
  %r = linalg.generic {indexing_maps = [#input, #filter, #output],
      iterator_types = ["parallel", "reduction"]}
      ins(%input, %filter : tensor<9xf32>, tensor<3xf32>)
      outs(%init : tensor<7xf32>) {
  ^bb0(%x: f32, %w: f32, %acc: f32):
    %difference = arith.subf %x, %w : f32
    %square = arith.mulf %difference, %difference : f32
    %sum = arith.addf %acc, %square : f32
    linalg.yield %sum : f32
  } -> tensor<7xf32>
  return %r : tensor<7xf32>
}

func.func @squared_input(%input: tensor<9xf32>, %filter: tensor<3xf32>, %init: tensor<7xf32>) -> tensor<7xf32> {
  // expected-warning @below {{'linalg.generic' op was not raised}}
  // expected-note @below {{expected a product of two inputs, but both factors are operand #0}}
  %r = linalg.generic {indexing_maps = [#input, #filter, #output],
      iterator_types = ["parallel", "reduction"]}
      ins(%input, %filter : tensor<9xf32>, tensor<3xf32>)
      outs(%init : tensor<7xf32>) {
  ^bb0(%x: f32, %w: f32, %acc: f32):
    %unused = arith.negf %w : f32
    %square = arith.mulf %x, %x : f32
    %sum = arith.addf %acc, %square : f32
    linalg.yield %sum : f32
  } -> tensor<7xf32>
  return %r : tensor<7xf32>
}

func.func @truncated_filter(%input: tensor<9xf32>, %filter: tensor<3xf64>, %init: tensor<7xf32>) -> tensor<7xf32> {
  // expected-warning @below {{'linalg.generic' op was not raised}}
  // expected-note @below {{expected a factor to be an input's element, extended or not, but got arith.truncf}}
  %r = linalg.generic {indexing_maps = [#input, #filter, #output],
      iterator_types = ["parallel", "reduction"]}
      ins(%input, %filter : tensor<9xf32>, tensor<3xf64>)
      outs(%init : tensor<7xf32>) {
  ^bb0(%x: f32, %w: f64, %acc: f32):
    %narrow = arith.truncf %w : f64 to f32
    %product = arith.mulf %x, %narrow : f32
    %sum = arith.addf %acc, %product : f32
    linalg.yield %sum : f32
  } -> tensor<7xf32>
  return %r : tensor<7xf32>
}

func.func @converted_filter(%input: tensor<9xf32>, %filter: tensor<3xi8>, %init: tensor<7xf32>) -> tensor<7xf32> {
  // expected-warning @below {{'linalg.generic' op was not raised}}
  // expected-note @below {{expected a factor to be an input's element, extended or not, but got arith.sitofp}}
  %r = linalg.generic {indexing_maps = [#input, #filter, #output],
      iterator_types = ["parallel", "reduction"]}
      ins(%input, %filter : tensor<9xf32>, tensor<3xi8>)
      outs(%init : tensor<7xf32>) {
  ^bb0(%x: f32, %w: i8, %acc: f32):
    %float = arith.sitofp %w : i8 to f32
    %product = arith.mulf %x, %float : f32
    %sum = arith.addf %acc, %product : f32
    linalg.yield %sum : f32
  } -> tensor<7xf32>
  return %r : tensor<7xf32>
}

func.func @factor_from_outside(%input: tensor<9xf32>, %filter: tensor<3xf32>, %init: tensor<7xf32>) -> tensor<7xf32> {
  %scale = arith.constant 3.0 : f32
  // expected-warning @below {{'linalg.generic' op was not raised}}
  // expected-note @below {{expected a factor to be an input's element, extended or not, but got a value from outside of the body}}
  %r = linalg.generic {indexing_maps = [#input, #filter, #output],
      iterator_types = ["parallel", "reduction"]}
      ins(%input, %filter : tensor<9xf32>, tensor<3xf32>)
      outs(%init : tensor<7xf32>) {
  ^bb0(%x: f32, %w: f32, %acc: f32):
    %unused = arith.negf %w : f32
    %product = arith.mulf %x, %scale : f32
    %sum = arith.addf %acc, %product : f32
    linalg.yield %sum : f32
  } -> tensor<7xf32>
  return %r : tensor<7xf32>
}

func.func @extended_after_multiplication(%input: tensor<9xi8>, %filter: tensor<3xi8>, %init: tensor<7xi32>) -> tensor<7xi32> {
  // expected-warning @below {{'linalg.generic' op was not raised}}
  // expected-note @below {{expected factors to be extended before they are multiplied, but the product is, by arith.extsi}}
  %r = linalg.generic {indexing_maps = [#input, #filter, #output],
      iterator_types = ["parallel", "reduction"]}
      ins(%input, %filter : tensor<9xi8>, tensor<3xi8>)
      outs(%init : tensor<7xi32>) {
  ^bb0(%x: i8, %w: i8, %acc: i32):
    %narrow = arith.muli %x, %w : i8
    %product = arith.extsi %narrow : i8 to i32
    %sum = arith.addi %acc, %product : i32
    linalg.yield %sum : i32
  } -> tensor<7xi32>
  return %r : tensor<7xi32>
}

func.func @mixed_signedness(%input: tensor<9xi8>, %filter: tensor<3xi8>, %init: tensor<7xi32>) -> tensor<7xi32> {
  // expected-warning @below {{'linalg.generic' op was not raised}}
  // expected-note @below {{expected one signedness, but an element is both sign- and zero-extended}}
  %r = linalg.generic {indexing_maps = [#input, #filter, #output],
      iterator_types = ["parallel", "reduction"]}
      ins(%input, %filter : tensor<9xi8>, tensor<3xi8>)
      outs(%init : tensor<7xi32>) {
  ^bb0(%x: i8, %w: i8, %acc: i32):
    %x16 = arith.extsi %x : i8 to i16
    %xx = arith.extui %x16 : i16 to i32
    %ww = arith.extsi %w : i8 to i32
    %product = arith.muli %xx, %ww : i32
    %sum = arith.addi %acc, %product : i32
    linalg.yield %sum : i32
  } -> tensor<7xi32>
  return %r : tensor<7xi32>
}

func.func @difference_of_elements(%input: tensor<9xi8>, %filter: tensor<3xi8>, %init: tensor<7xi32>) -> tensor<7xi32> {
  // expected-warning @below {{'linalg.generic' op was not raised}}
  // expected-note @below {{expected a scalar zero point of the input, but got operand #1}}
  %r = linalg.generic {indexing_maps = [#input, #filter, #output],
      iterator_types = ["parallel", "reduction"]}
      ins(%input, %filter : tensor<9xi8>, tensor<3xi8>)
      outs(%init : tensor<7xi32>) {
  ^bb0(%x: i8, %w: i8, %acc: i32):
    %xx = arith.extsi %x : i8 to i32
    %ww = arith.extsi %w : i8 to i32
    %difference = arith.subi %xx, %ww : i32
    %product = arith.muli %difference, %ww : i32
    %sum = arith.addi %acc, %product : i32
    linalg.yield %sum : i32
  } -> tensor<7xi32>
  return %r : tensor<7xi32>
}

func.func @zero_point_before_extension(%input: tensor<9xi8>, %filter: tensor<3xi8>, %init: tensor<7xi32>) -> tensor<7xi32> {
  %zero_point = arith.constant 3 : i8
  // expected-warning @below {{'linalg.generic' op was not raised}}
  // expected-note @below {{expected a factor to be an input's element, extended or not, but got arith.subi}}
  %r = linalg.generic {indexing_maps = [#input, #filter, #output],
      iterator_types = ["parallel", "reduction"]}
      ins(%input, %filter : tensor<9xi8>, tensor<3xi8>)
      outs(%init : tensor<7xi32>) {
  ^bb0(%x: i8, %w: i8, %acc: i32):
    %shifted = arith.subi %x, %zero_point : i8
    %xx = arith.extsi %shifted : i8 to i32
    %ww = arith.extsi %w : i8 to i32
    %product = arith.muli %xx, %ww : i32
    %sum = arith.addi %acc, %product : i32
    linalg.yield %sum : i32
  } -> tensor<7xi32>
  return %r : tensor<7xi32>
}

func.func @input_zero_point_out_of_range(%input: tensor<9xi8>, %filter: tensor<3xi8>, %init: tensor<7xi32>) -> tensor<7xi32> {
  %zero_point = arith.constant 200 : i32
  // expected-warning @below {{'linalg.generic' op was not raised}}
  // expected-note @below {{expected a zero point of the input in the range of signed i8, but got 200}}
  %r = linalg.generic {indexing_maps = [#input, #filter, #output],
      iterator_types = ["parallel", "reduction"]}
      ins(%input, %filter : tensor<9xi8>, tensor<3xi8>)
      outs(%init : tensor<7xi32>) {
  ^bb0(%x: i8, %w: i8, %acc: i32):
    %xx = arith.extsi %x : i8 to i32
    %xz = arith.subi %xx, %zero_point : i32
    %ww = arith.extsi %w : i8 to i32
    %product = arith.muli %xz, %ww : i32
    %sum = arith.addi %acc, %product : i32
    linalg.yield %sum : i32
  } -> tensor<7xi32>
  return %r : tensor<7xi32>
}

func.func @named_zero_point_out_of_range(%input: tensor<1x5x5x3xi8>, %filter: tensor<3x3x3x4xi8>, %init: tensor<1x3x3x4xi32>) -> tensor<1x3x3x4xi32> {
  %input_zero_point = arith.constant 300 : i32
  %filter_zero_point = arith.constant -7 : i32
  // expected-warning @below {{'linalg.conv_2d_nhwc_hwcf_q' op was not raised}}
  // expected-note @below {{expected a zero point of the input in the range of signed i8, but got 300}}
  %r = linalg.conv_2d_nhwc_hwcf_q
      ins(%input, %filter, %input_zero_point, %filter_zero_point : tensor<1x5x5x3xi8>, tensor<3x3x3x4xi8>, i32, i32)
      outs(%init : tensor<1x3x3x4xi32>) -> tensor<1x3x3x4xi32>
  return %r : tensor<1x3x3x4xi32>
}

func.func @filter_zero_point_out_of_range(%input: tensor<9xi8>, %filter: tensor<3xi8>, %init: tensor<7xi32>) -> tensor<7xi32> {
  %zero_point = arith.constant -1 : i32
  // expected-warning @below {{'linalg.generic' op was not raised}}
  // expected-note @below {{expected a zero point of the filter in the range of unsigned i8, but got -1}}
  %r = linalg.generic {indexing_maps = [#input, #filter, #output],
      iterator_types = ["parallel", "reduction"]}
      ins(%input, %filter : tensor<9xi8>, tensor<3xi8>)
      outs(%init : tensor<7xi32>) {
  ^bb0(%x: i8, %w: i8, %acc: i32):
    %xx = arith.extsi %x : i8 to i32
    %ww = arith.extui %w : i8 to i32
    %wz = arith.subi %ww, %zero_point : i32
    %product = arith.muli %xx, %wz : i32
    %sum = arith.addi %acc, %product : i32
    linalg.yield %sum : i32
  } -> tensor<7xi32>
  return %r : tensor<7xi32>
}

#channels_input = affine_map<(o, f, c, k) -> (o + k, c)>
#channels_filter = affine_map<(o, f, c, k) -> (k, c, f)>
#channels_zeros = affine_map<(o, f, c, k) -> (f)>
#channels_output = affine_map<(o, f, c, k) -> (o, f)>

func.func @zero_points_not_extended(%input: tensor<9x2xi8>, %filter: tensor<3x2x5xi8>, %zw: tensor<5xi32>, %init: tensor<7x5xi32>) -> tensor<7x5xi32> {
  // expected-warning @below {{'linalg.generic' op was not raised}}
  // expected-note @below {{expected a scalar or extended zero point, but got operand #2}}
  %r = linalg.generic {indexing_maps = [#channels_input, #channels_filter, #channels_zeros, #channels_output],
      iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%input, %filter, %zw : tensor<9x2xi8>, tensor<3x2x5xi8>, tensor<5xi32>)
      outs(%init : tensor<7x5xi32>) {
  ^bb0(%x: i8, %w: i8, %z: i32, %acc: i32):
    %xx = arith.extsi %x : i8 to i32
    %ww = arith.extsi %w : i8 to i32
    %shifted = arith.subi %ww, %z : i32
    %product = arith.muli %xx, %shifted : i32
    %sum = arith.addi %acc, %product : i32
    linalg.yield %sum : i32
  } -> tensor<7x5xi32>
  return %r : tensor<7x5xi32>
}

func.func @zero_points_of_input(%input: tensor<9x2xi8>, %filter: tensor<3x2x5xi8>, %zw: tensor<5xi8>, %init: tensor<7x5xi32>) -> tensor<7x5xi32> {
  // expected-warning @below {{'linalg.generic' op was not raised}}
  // expected-note @below {{expected a scalar zero point of the input, but got operand #2}}
  %r = linalg.generic {indexing_maps = [#channels_input, #channels_filter, #channels_zeros, #channels_output],
      iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%input, %filter, %zw : tensor<9x2xi8>, tensor<3x2x5xi8>, tensor<5xi8>)
      outs(%init : tensor<7x5xi32>) {
  ^bb0(%x: i8, %w: i8, %z: i8, %acc: i32):
    %xx = arith.extsi %x : i8 to i32
    %ww = arith.extsi %w : i8 to i32
    %zz = arith.extsi %z : i8 to i32
    %shifted = arith.subi %xx, %zz : i32
    %product = arith.muli %shifted, %ww : i32
    %sum = arith.addi %acc, %product : i32
    linalg.yield %sum : i32
  } -> tensor<7x5xi32>
  return %r : tensor<7x5xi32>
}

func.func @zero_points_of_another_sign(%input: tensor<9x2xi8>, %filter: tensor<3x2x5xi8>, %zw: tensor<5xi8>, %init: tensor<7x5xi32>) -> tensor<7x5xi32> {
  // expected-warning @below {{'linalg.generic' op was not raised}}
  // expected-note @below {{expected zero points extended from i8 as the filter is, but got operand #2 of i8}}
  %r = linalg.generic {indexing_maps = [#channels_input, #channels_filter, #channels_zeros, #channels_output],
      iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%input, %filter, %zw : tensor<9x2xi8>, tensor<3x2x5xi8>, tensor<5xi8>)
      outs(%init : tensor<7x5xi32>) {
  ^bb0(%x: i8, %w: i8, %z: i8, %acc: i32):
    %xx = arith.extsi %x : i8 to i32
    %ww = arith.extsi %w : i8 to i32
    %zz = arith.extui %z : i8 to i32
    %shifted = arith.subi %ww, %zz : i32
    %product = arith.muli %xx, %shifted : i32
    %sum = arith.addi %acc, %product : i32
    linalg.yield %sum : i32
  } -> tensor<7x5xi32>
  return %r : tensor<7x5xi32>
}

func.func @zero_points_of_another_type(%input: tensor<9x2xi8>, %filter: tensor<3x2x5xi8>, %zw: tensor<5xi16>, %init: tensor<7x5xi32>) -> tensor<7x5xi32> {
  // expected-warning @below {{'linalg.generic' op was not raised}}
  // expected-note @below {{expected zero points extended from i8 as the filter is, but got operand #2 of i16}}
  %r = linalg.generic {indexing_maps = [#channels_input, #channels_filter, #channels_zeros, #channels_output],
      iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%input, %filter, %zw : tensor<9x2xi8>, tensor<3x2x5xi8>, tensor<5xi16>)
      outs(%init : tensor<7x5xi32>) {
  ^bb0(%x: i8, %w: i8, %z: i16, %acc: i32):
    %xx = arith.extsi %x : i8 to i32
    %ww = arith.extsi %w : i8 to i32
    %zz = arith.extsi %z : i16 to i32
    %shifted = arith.subi %ww, %zz : i32
    %product = arith.muli %xx, %shifted : i32
    %sum = arith.addi %acc, %product : i32
    linalg.yield %sum : i32
  } -> tensor<7x5xi32>
  return %r : tensor<7x5xi32>
}

func.func @zero_points_of_other_channels(%input: tensor<9x2xi8>, %filter: tensor<3x2x5xi8>, %zw: tensor<2xi8>, %init: tensor<7x5xi32>) -> tensor<7x5xi32> {
  // expected-warning @below {{'linalg.generic' op was not raised}}
  // expected-note @below {{expected a zero point for each channel of the filter, but got operand #2 at (d0, d1, d2, d3) -> (d2)}}
  %r = linalg.generic {indexing_maps = [#channels_input, #channels_filter, affine_map<(o, f, c, k) -> (c)>, #channels_output],
      iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%input, %filter, %zw : tensor<9x2xi8>, tensor<3x2x5xi8>, tensor<2xi8>)
      outs(%init : tensor<7x5xi32>) {
  ^bb0(%x: i8, %w: i8, %z: i8, %acc: i32):
    %xx = arith.extsi %x : i8 to i32
    %ww = arith.extsi %w : i8 to i32
    %zz = arith.extsi %z : i8 to i32
    %shifted = arith.subi %ww, %zz : i32
    %product = arith.muli %xx, %shifted : i32
    %sum = arith.addi %acc, %product : i32
    linalg.yield %sum : i32
  } -> tensor<7x5xi32>
  return %r : tensor<7x5xi32>
}
