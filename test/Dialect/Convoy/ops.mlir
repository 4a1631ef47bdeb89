// RUN: convoy-opt %s --verify-roundtrip | FileCheck %s
// RUN: convoy-opt %s --mlir-print-op-generic | convoy-opt | FileCheck %s

// CHECK-LABEL: func @conv_2d(
// CHECK-SAME:    %[[X:[^:]*]]: tensor<1x9x7x4xf32>, %[[W:[^:]*]]: tensor<3x2x4x6xf32>, %[[INIT:[^:]*]]: tensor<1x5x4x6xf32>)
// CHECK:         convoy.conv ins(%[[X]], %[[W]] : tensor<1x9x7x4xf32>, tensor<3x2x4x6xf32>)
// CHECK-SAME:        outs(%[[INIT]] : tensor<1x5x4x6xf32>) layout(nhwc x hwcf -> nhwf)
// CHECK-SAME:        window(stride = [2, 2], pad = {{\[}}[1, 2], [0, 1]])
func.func @conv_2d(%x: tensor<1x9x7x4xf32>, %w: tensor<3x2x4x6xf32>,
                   %init: tensor<1x5x4x6xf32>) -> tensor<1x5x4x6xf32> {
  %0 = convoy.conv ins(%x, %w : tensor<1x9x7x4xf32>, tensor<3x2x4x6xf32>)
      outs(%init : tensor<1x5x4x6xf32>) layout(nhwc x hwcf -> nhwf)
      window(stride = [2, 2], pad = [[1, 2], [0, 1]])
  return %0 : tensor<1x5x4x6xf32>
}

// CHECK-LABEL: func @conv_backward_data_2d(
// CHECK:         convoy.conv_backward_data ins(%{{.*}}, %{{.*}} : tensor<1x5x4x6xf32>, tensor<3x2x4x6xf32>)
// CHECK-SAME:        outs(%{{.*}} : tensor<1x9x7x4xf32>) layout(nhwc x hwcf -> nhwf)
// CHECK-SAME:        window(stride = [2, 2], pad = {{\[}}[1, 2], [0, 1]])
func.func @conv_backward_data_2d(
    %dy: tensor<1x5x4x6xf32>, %w: tensor<3x2x4x6xf32>,
    %init: tensor<1x9x7x4xf32>) -> tensor<1x9x7x4xf32> {
  %0 = convoy.conv_backward_data
      ins(%dy, %w : tensor<1x5x4x6xf32>, tensor<3x2x4x6xf32>)
      outs(%init : tensor<1x9x7x4xf32>) layout(nhwc x hwcf -> nhwf)
      window(stride = [2, 2], pad = [[1, 2], [0, 1]])
  return %0 : tensor<1x9x7x4xf32>
}

// CHECK-LABEL: func @conv_backward_filter_2d(
// CHECK:         convoy.conv_backward_filter ins(%{{.*}}, %{{.*}} : tensor<1x9x7x4xf32>, tensor<1x5x4x6xf32>)
// CHECK-SAME:        outs(%{{.*}} : tensor<3x2x4x6xf32>) layout(nhwc x hwcf -> nhwf)
// CHECK-SAME:        window(stride = [2, 2], pad = {{\[}}[1, 2], [0, 1]])
func.func @conv_backward_filter_2d(
    %x: tensor<1x9x7x4xf32>, %dy: tensor<1x5x4x6xf32>,
    %init: tensor<3x2x4x6xf32>) -> tensor<3x2x4x6xf32> {
  %0 = convoy.conv_backward_filter
      ins(%x, %dy : tensor<1x9x7x4xf32>, tensor<1x5x4x6xf32>)
      outs(%init : tensor<3x2x4x6xf32>) layout(nhwc x hwcf -> nhwf)
      window(stride = [2, 2], pad = [[1, 2], [0, 1]])
  return %0 : tensor<3x2x4x6xf32>
}

// Defaults are not printed.
// CHECK-LABEL: func @defaults_1d(
// CHECK:         convoy.conv ins({{.*}}) outs({{.*}}) layout(ncw x fcw -> nfw){{$}}
func.func @defaults_1d(%x: tensor<2x4x9xf64>, %w: tensor<6x4x3xf64>,
                       %init: tensor<2x6x7xf64>) -> tensor<2x6x7xf64> {
  %0 = convoy.conv ins(%x, %w : tensor<2x4x9xf64>, tensor<6x4x3xf64>)
      outs(%init : tensor<2x6x7xf64>) layout(ncw x fcw -> nfw) window()
      numerics(input = signed, filter = signed, policy = normal)
  return %0 : tensor<2x6x7xf64>
}

// Any order of dimensions, all of a window, its keys in any order.
// CHECK-LABEL: func @conv_3d(
// CHECK:         convoy.conv
// CHECK-SAME:        layout(dchnw x wfhcd -> fwdnh)
// CHECK-SAME:        window(stride = [1, 2, 3], dilation = [2, 1, 1]
// CHECK-SAME:        pad = {{\[}}[-1, 0], [0, 2], [1, -1]], input_dilation = [1, 3, 1], reverse = [false, true, false])
func.func @conv_3d(%x: tensor<6x4x3x1x9xf32>, %w: tensor<3x5x1x4x2xf32>,
                   %init: tensor<5x3x3x1x5xf32>) -> tensor<5x3x3x1x5xf32> {
  %0 = convoy.conv ins(%x, %w : tensor<6x4x3x1x9xf32>, tensor<3x5x1x4x2xf32>)
      outs(%init : tensor<5x3x3x1x5xf32>) layout(dchnw x wfhcd -> fwdnh)
      window(reverse = [false, true, false], input_dilation = [1, 3, 1],
             stride = [1, 2, 3], dilation = [2, 1, 1],
             pad = [[-1, 0], [0, 2], [1, -1]])
  return %0 : tensor<5x3x3x1x5xf32>
}

// CHECK-LABEL: func @groups(
// CHECK:         convoy.conv ins({{.*}}) outs({{.*}}) layout(ngcw x wgcf -> nwgf)
func.func @groups(%x: tensor<1x2x4x9xf32>, %w: tensor<3x2x4x6xf32>,
                  %init: tensor<1x7x2x6xf32>) -> tensor<1x7x2x6xf32> {
  %0 = convoy.conv ins(%x, %w : tensor<1x2x4x9xf32>, tensor<3x2x4x6xf32>)
      outs(%init : tensor<1x7x2x6xf32>) layout(ngcw x wgcf -> nwgf)
  return %0 : tensor<1x7x2x6xf32>
}

// CHECK-LABEL: func @dynamic(
// CHECK:         convoy.conv ins(%{{.*}}, %{{.*}} : tensor<?x?x4xf32>, tensor<?x4x?xf32>)
// CHECK-SAME:        outs(%{{.*}} : tensor<?x?x?xf32>)
func.func @dynamic(%x: tensor<?x?x4xf32>, %w: tensor<?x4x?xf32>,
                   %init: tensor<?x?x?xf32>) -> tensor<?x?x?xf32> {
  %0 = convoy.conv ins(%x, %w : tensor<?x?x4xf32>, tensor<?x4x?xf32>)
      outs(%init : tensor<?x?x?xf32>) layout(nwc x wcf -> nwf)
      window(stride = [2], pad = [[1, 1]])
  return %0 : tensor<?x?x?xf32>
}

// No output position, no channel, no tap.
// CHECK-LABEL: func @empty(
// CHECK-COUNT-3: convoy.conv ins(
func.func @empty(%x: tensor<1x2x4xf32>, %w: tensor<3x4x6xf32>,
                 %x0: tensor<1x2x0xf32>, %w0: tensor<2x0x6xf32>,
                 %k0: tensor<0x4x6xf32>, %none: tensor<1x0x6xf32>,
                 %one: tensor<1x1x6xf32>) {
  %0 = convoy.conv ins(%x, %w : tensor<1x2x4xf32>, tensor<3x4x6xf32>)
      outs(%none : tensor<1x0x6xf32>) layout(nwc x wcf -> nwf)
  %1 = convoy.conv ins(%x0, %w0 : tensor<1x2x0xf32>, tensor<2x0x6xf32>)
      outs(%one : tensor<1x1x6xf32>) layout(nwc x wcf -> nwf)
  %2 = convoy.conv ins(%x, %k0 : tensor<1x2x4xf32>, tensor<0x4x6xf32>)
      outs(%none : tensor<1x0x6xf32>) layout(nwc x wcf -> nwf)
  return
}

// CHECK-LABEL: func @zero_points(
// CHECK-SAME:    %[[ZX:[^:]*]]: i32, %[[ZW:[^:]*]]: i32)
// CHECK:         convoy.conv
// CHECK-SAME:        zero_points(%[[ZX]], %[[ZW]] : i32, i32) layout(nwc x wcf -> nwf)
// CHECK-SAME:        numerics(input = unsigned){{$}}
func.func @zero_points(%x: tensor<1x9x4xi8>, %w: tensor<3x4x6xi8>,
                       %init: tensor<1x7x6xi32>, %zx: i32, %zw: i32)
    -> tensor<1x7x6xi32> {
  %0 = convoy.conv ins(%x, %w : tensor<1x9x4xi8>, tensor<3x4x6xi8>)
      outs(%init : tensor<1x7x6xi32>) zero_points(%zx, %zw : i32, i32)
      layout(nwc x wcf -> nwf) numerics(input = unsigned)
  return %0 : tensor<1x7x6xi32>
}

// One for each channel of the result, of all groups.
// CHECK-LABEL: func @zero_points_of_channels(
// CHECK:         convoy.conv ins
// CHECK-SAME:        zero_points(%{{.*}}, %{{.*}} : i32, tensor<10xi32>) layout(ngwc x fgcw -> ngwf){{$}}
// CHECK:         convoy.conv_backward_data
// CHECK-SAME:        zero_points(%{{.*}}, %{{.*}} : i32, tensor<?xi32>)
// CHECK:         convoy.conv_transpose
// CHECK-SAME:        zero_points(%{{.*}}, %{{.*}} : i32, tensor<4xi32>)
func.func @zero_points_of_channels(
    %x: tensor<1x2x9x4xi8>, %w: tensor<5x2x4x3xi8>, %init: tensor<1x2x7x5xi32>,
    %dy: tensor<1x7x6xi8>, %v: tensor<6x4x3xi8>, %dx: tensor<1x9x4xi32>,
    %a: i32, %ten: tensor<10xi32>, %four: tensor<4xi32>, %some: tensor<?xi32>) {
  %0 = convoy.conv ins(%x, %w : tensor<1x2x9x4xi8>, tensor<5x2x4x3xi8>)
      outs(%init : tensor<1x2x7x5xi32>) zero_points(%a, %ten : i32, tensor<10xi32>)
      layout(ngwc x fgcw -> ngwf)
  %1 = convoy.conv_backward_data ins(%dy, %v : tensor<1x7x6xi8>, tensor<6x4x3xi8>)
      outs(%dx : tensor<1x9x4xi32>) zero_points(%a, %some : i32, tensor<?xi32>)
      layout(nwc x fcw -> nwf)
  %2 = convoy.conv_transpose ins(%dy, %v : tensor<1x7x6xi8>, tensor<6x4x3xi8>)
      outs(%dx : tensor<1x9x4xi32>) zero_points(%a, %four : i32, tensor<4xi32>)
      layout(nwc x cfw -> nwf)
  return
}

// Each size of one that the stride leaves open.
// CHECK-LABEL: func @conv_transpose_2d(
// CHECK:         convoy.conv_transpose ins(%{{.*}}, %{{.*}} : tensor<1x5x4x6xf32>, tensor<6x4x3x3xf32>)
// CHECK-SAME:        outs(%{{.*}} : tensor<1x10x7x4xf32>) layout(nhwc x cfhw -> nhwf)
// CHECK-SAME:        window(stride = [2, 2], pad = {{\[}}[1, 1], [1, 1]]) output_pad([1, 0]){{$}}
func.func @conv_transpose_2d(
    %x: tensor<1x5x4x6xf32>, %w: tensor<6x4x3x3xf32>,
    %init: tensor<1x10x7x4xf32>) -> tensor<1x10x7x4xf32> {
  %0 = convoy.conv_transpose
      ins(%x, %w : tensor<1x5x4x6xf32>, tensor<6x4x3x3xf32>)
      outs(%init : tensor<1x10x7x4xf32>) layout(nhwc x cfhw -> nhwf)
      window(stride = [2, 2], pad = [[1, 1], [1, 1]]) output_pad([1, 0])
  return %0 : tensor<1x10x7x4xf32>
}

// Groups, zero points, taps that are reversed, sizes that are not known.
// CHECK-LABEL: func @conv_transpose_integers(
// CHECK:         convoy.conv_transpose
// CHECK-SAME:        zero_points(%{{.*}}, %{{.*}} : i32, i32) layout(ngwc x gwcf -> ngwf)
// CHECK-SAME:        window(dilation = [2], reverse = [true]) numerics(input = unsigned){{$}}
func.func @conv_transpose_integers(
    %x: tensor<?x2x?x6xi8>, %w: tensor<2x3x6x4xi8>, %init: tensor<?x2x?x4xi32>,
    %a: i32, %b: i32) -> tensor<?x2x?x4xi32> {
  %0 = convoy.conv_transpose
      ins(%x, %w : tensor<?x2x?x6xi8>, tensor<2x3x6x4xi8>)
      outs(%init : tensor<?x2x?x4xi32>) zero_points(%a, %b : i32, i32)
      layout(ngwc x gwcf -> ngwf) window(dilation = [2], reverse = [true])
      output_pad([]) numerics(input = unsigned)
  return %0 : tensor<?x2x?x4xi32>
}

// Of no positions or no taps, sizes that would be less than 0 are 0.
// CHECK-LABEL: func @conv_transpose_empty(
// CHECK-COUNT-3: convoy.conv_transpose
func.func @conv_transpose_empty(
    %x: tensor<1x1x6xf32>, %none: tensor<1x0x6xf32>, %w: tensor<2x6x4xf32>,
    %no_taps: tensor<0x6x4xf32>, %empty: tensor<1x0x4xf32>,
    %init: tensor<1x1x4xf32>) {
  %0 = convoy.conv_transpose ins(%none, %w : tensor<1x0x6xf32>, tensor<2x6x4xf32>)
      outs(%empty : tensor<1x0x4xf32>) layout(nwc x wcf -> nwf)
      window(stride = [3])
  %1 = convoy.conv_transpose
      ins(%x, %no_taps : tensor<1x1x6xf32>, tensor<0x6x4xf32>)
      outs(%empty : tensor<1x0x4xf32>) layout(nwc x wcf -> nwf)
      window(pad = [[2, 3]])
  %2 = convoy.conv_transpose
      ins(%none, %w : tensor<1x0x6xf32>, tensor<2x6x4xf32>)
      outs(%init : tensor<1x1x4xf32>) layout(nwc x wcf -> nwf)
  return
}

// The ends of the ranges in which zero points may lie.
// CHECK-LABEL: func @zero_point_range(
// CHECK-COUNT-2: convoy.conv_backward_data
func.func @zero_point_range(%dy: tensor<1x7x6xi8>, %w: tensor<3x4x6xi8>,
                            %init: tensor<1x9x4xi32>) {
  %low = arith.constant -128 : i32
  %zero = arith.constant 0 : i32
  %high = arith.constant 127 : i32
  %highest = arith.constant 255 : i32
  %0 = convoy.conv_backward_data
      ins(%dy, %w : tensor<1x7x6xi8>, tensor<3x4x6xi8>)
      outs(%init : tensor<1x9x4xi32>) zero_points(%low, %highest : i32, i32)
      layout(nwc x wcf -> nwf) numerics(filter = unsigned)
  %1 = convoy.conv_backward_data
      ins(%dy, %w : tensor<1x7x6xi8>, tensor<3x4x6xi8>)
      outs(%init : tensor<1x9x4xi32>) zero_points(%zero, %high : i32, i32)
      layout(nwc x wcf -> nwf) numerics(input = unsigned)
  return
}

// CHECK-LABEL: func @numerics(
// CHECK:         convoy.conv
// CHECK-SAME:        numerics(accumulator = f32, policy = low, input_range = [-1.000000e+00, 1.000000e+00], filter_range = [0.000000e+00, 5.000000e-01])
func.func @numerics(%x: tensor<1x9x4xf16>, %w: tensor<3x4x6xbf16>,
                    %init: tensor<1x7x6xf16>) -> tensor<1x7x6xf16> {
  %0 = convoy.conv ins(%x, %w : tensor<1x9x4xf16>, tensor<3x4x6xbf16>)
      outs(%init : tensor<1x7x6xf16>) layout(nwc x wcf -> nwf)
      numerics(policy = low, filter_range = [0.0, 0.5],
               input_range = [-1.0, 1.0], accumulator = f32)
  return %0 : tensor<1x7x6xf16>
}

// Every type that an operand may have with its accumulator and init.
// CHECK-LABEL: func @element_types(
// CHECK-COUNT-6: convoy.conv ins(
func.func @element_types(
    %f16: tensor<1x9x4xf16>, %wf16: tensor<3x4x6xf16>,
    %bf16: tensor<1x9x4xbf16>, %wbf16: tensor<3x4x6xbf16>,
    %f64: tensor<1x9x4xf64>, %wf32: tensor<3x4x6xf32>,
    %f8: tensor<1x9x4xf8E4M3FN>, %i1: tensor<1x9x4xi1>, %wi8: tensor<3x4x6xi8>,
    %rf16: tensor<1x7x6xf16>, %rbf16: tensor<1x7x6xbf16>,
    %rf64: tensor<1x7x6xf64>, %ri16: tensor<1x7x6xi16>) {
  %0 = convoy.conv ins(%f16, %wf16 : tensor<1x9x4xf16>, tensor<3x4x6xf16>)
      outs(%rf16 : tensor<1x7x6xf16>) layout(nwc x wcf -> nwf)
  %1 = convoy.conv ins(%bf16, %wbf16 : tensor<1x9x4xbf16>, tensor<3x4x6xbf16>)
      outs(%rbf16 : tensor<1x7x6xbf16>) layout(nwc x wcf -> nwf)
      numerics(policy = high)
  %2 = convoy.conv ins(%f64, %wf32 : tensor<1x9x4xf64>, tensor<3x4x6xf32>)
      outs(%rf64 : tensor<1x7x6xf64>) layout(nwc x wcf -> nwf)
  %3 = convoy.conv ins(%f8, %wf16 : tensor<1x9x4xf8E4M3FN>, tensor<3x4x6xf16>)
      outs(%rf16 : tensor<1x7x6xf16>) layout(nwc x wcf -> nwf)
  %4 = convoy.conv ins(%bf16, %wf32 : tensor<1x9x4xbf16>, tensor<3x4x6xf32>)
      outs(%rf16 : tensor<1x7x6xf16>) layout(nwc x wcf -> nwf)
      numerics(accumulator = f64)
  %5 = convoy.conv ins(%i1, %wi8 : tensor<1x9x4xi1>, tensor<3x4x6xi8>)
      outs(%ri16 : tensor<1x7x6xi16>) layout(nwc x wcf -> nwf)
      numerics(input = unsigned)
  return
}

// CHECK-LABEL: func @im2col(
// CHECK:         convoy.im2col %{{[^ ]*}} layout(nhwc, nhw|hwc) window(pad = {{\[}}[1, 1], [0, 0]]) : tensor<1x9x7x4xf32> -> tensor<1x9x5x3x3x4xf32>
func.func @im2col(%x: tensor<1x9x7x4xf32>) -> tensor<1x9x5x3x3x4xf32> {
  %rows = convoy.im2col %x layout(nhwc, nhw|hwc)
      window(pad = [[1, 1], [0, 0]])
      : tensor<1x9x7x4xf32> -> tensor<1x9x5x3x3x4xf32>
  return %rows : tensor<1x9x5x3x3x4xf32>
}

// CHECK-LABEL: func @im2col_dynamic(
// CHECK-SAME:    %[[X:[^:]*]]: tensor<2x?x4x?xi8>, %[[N:[^:]*]]: index, %[[O:[^:]*]]: index, %[[PAD:[^:]*]]: i8)
// CHECK:         convoy.im2col %[[X]] sizes(%[[N]], %[[O]]) pad_value(%[[PAD]] : i8) layout(gncw, gnw|wc)
// CHECK-SAME:        window(stride = [2], pad = {{\[}}[1, 1]], reverse = [true]) : tensor<2x?x4x?xi8> -> tensor<2x?x?x3x4xi8>
func.func @im2col_dynamic(%x: tensor<2x?x4x?xi8>, %n: index, %o: index,
                          %pad: i8) -> tensor<2x?x?x3x4xi8> {
  %rows = convoy.im2col %x sizes(%n, %o) pad_value(%pad : i8)
      layout(gncw, gnw|wc)
      window(stride = [2], pad = [[1, 1]], reverse = [true])
      : tensor<2x?x4x?xi8> -> tensor<2x?x?x3x4xi8>
  return %rows : tensor<2x?x?x3x4xi8>
}

// The window may stand among the positions, or before them.
// CHECK-LABEL: func @im2col_orders(
// CHECK:         convoy.im2col %{{[^ ]*}} layout(nchw, n|chw|hw) : tensor<2x4x9x7xf32> -> tensor<2x4x3x2x7x6xf32>
// CHECK:         convoy.im2col %{{[^ ]*}} layout(nchw, cwh|wnh) : tensor<2x4x9x7xf32> -> tensor<4x2x3x6x2x7xf32>
func.func @im2col_orders(%x: tensor<2x4x9x7xf32>)
    -> (tensor<2x4x3x2x7x6xf32>, tensor<4x2x3x6x2x7xf32>) {
  %0 = convoy.im2col %x layout(nchw, n|chw|hw)
      : tensor<2x4x9x7xf32> -> tensor<2x4x3x2x7x6xf32>
  %1 = convoy.im2col %x layout(nchw, cwh|wnh)
      : tensor<2x4x9x7xf32> -> tensor<4x2x3x6x2x7xf32>
  return %0, %1 : tensor<2x4x3x2x7x6xf32>, tensor<4x2x3x6x2x7xf32>
}

// Attributes also stand alone.
// CHECK-LABEL: module attributes
// CHECK-SAME:    convoy.target = #convoy.target<vector_bytes = 64, registers = 32, l1_bytes = 49152, l2_bytes = 2097152, tile = [6, 4]>
module attributes {convoy.target = #convoy.target<tile = [6, 4], vector_bytes = 64, registers = 32, l1_bytes = 49152, l2_bytes = 2097152>} {
  // CHECK-LABEL: func private @attributes
  // CHECK-SAME:    a = #convoy.layout<nhwc x hwcf -> nhwf>
  // CHECK-SAME:    b = #convoy.im2col_layout<nhwc, nhw|hwc>
  // CHECK-SAME:    c = #convoy.window<stride = [2, 2], reverse = [true, false]>
  // CHECK-SAME:    d = #convoy.window<>
  // CHECK-SAME:    e = #convoy.numerics<input = unsigned, accumulator = i32>
  // CHECK-SAME:    f = #convoy.target<vector_bytes = 16, registers = 16, l1_bytes = 32768, l2_bytes = 262144>,
  // CHECK-SAME:    g = #convoy.target<vector_bytes = 16, registers = 64, l1_bytes = 32768, l2_bytes = 262144, subgroup = 32, workgroup_bytes = 49152, workgroup_items = 1024, matrix = ["wmma_f32_16x16x16_f16_w32"]>,
  // CHECK-SAME:    h = #convoy.vulkan_profile<name = "some GPU", minor_version = 3, subgroup = 16, workgroup_bytes = 16384, workgroup_items = 128, buffer_bytes = 134217728, registers = 32,
  // CHECK-SAME:      workgroup_size = [128, 64, 32], workgroup_count = [65535, 65535, 65535], features = [f16, storage16, nearest32]>
  // CHECK-SAME:    i = #convoy.target<{{.*}}subgroup = 8, workgroup_bytes = 32768, workgroup_items = 256, slow_shared_memory = true>,
  // CHECK-SAME:    j = #convoy.workgroup_tile<extents = [48, 64, 5], sizes = [12, 32, 5], lane_loop = 1, item_rows = 12, item_lanes = 8, staged = false, sharers = 16, idle = 8>,
  // CHECK-SAME:    k = #convoy.register_tile<lanes = [3, 48], vector_lanes = 16, masked = true, rows = [{{\[}}2, 6], [1, 2]], packed = true, outer_lanes = [7, 3], blocks = [{{\[}}4, 1], [5, 128]], blocks_outside = true, row_blocks = [{{\[}}0, 2]], cycles = 3.125000e-02>,
  // CHECK-SAME:    l = #convoy.register_tile<lanes = [4, 16], vector_lanes = 16, terms = [5, 3], matrices = true>,
  // CHECK-SAME:    m = #convoy.group_panel<groups = 16>,
  // CHECK-SAME:    n = #convoy.group_panel<groups = 16, padding = transposed>,
  // CHECK-SAME:    o = #convoy.group_panel<groups = 16, padding = copied>,
  // CHECK-SAME:    p = #convoy.group_panel<groups = 16, padding = split>,
  // CHECK-SAME:    q = #convoy.thread_region<3>,
  // CHECK-SAME:    r = #convoy.tile_lanes<dim = 2, lanes = 16>,
  // CHECK-SAME:    r0 = #convoy.tile_lanes<dim = 2, lanes = 16, matrices = true>,
  // CHECK-SAME:    s = #convoy.tile_lanes<dim = 2, lanes = 16, masked = true>,
  // CHECK-SAME:    t = #convoy.target<vector_bytes = 16, registers = 16, l1_bytes = 32768, l2_bytes = 262144, line_bytes = 128, page_bytes = 16384, critical_stride = 8192, tlb_entries = 160, last_level_bytes = 1048576, prefetch_streams = 32, vector_units = 3, fma_latency = 5, masked_bytes = 16, indexed_bytes = 8, dot = ["avx2_pmaddwd", "neon_udot"]>,
  // CHECK-SAME:    u = #convoy.target<vector_bytes = 16, registers = 16, l1_bytes = 32768, l2_bytes = 262144>}
  func.func private @attributes() attributes {
    a = #convoy.layout<nhwc x hwcf -> nhwf>,
    b = #convoy.im2col_layout<nhwc, nhw|hwc>,
    c = #convoy.window<stride = [2, 2], reverse = [true, false]>,
    d = #convoy.window<>,
    e = #convoy.numerics<input = unsigned, accumulator = i32>,
    f = #convoy.target<>,
    g = #convoy.target<registers = 64, workgroup_items = 1024, subgroup = 32, workgroup_bytes = 49152, matrix = ["wmma_f32_16x16x16_f16_w32"]>,
    h = #convoy.vulkan_profile<name = "some GPU", features = [storage16, f16, nearest32], minor_version = 3, subgroup = 16, workgroup_size = [128, 64, 32]>,
    i = #convoy.target<subgroup = 8, slow_shared_memory = true, workgroup_bytes = 32768, workgroup_items = 256>,
    j = #convoy.workgroup_tile<extents = [48, 64, 5], sizes = [12, 32, 5], lane_loop = 1, item_rows = 12, item_lanes = 8, staged = false, sharers = 16, idle = 8>,
    k = #convoy.register_tile<vector_lanes = 16, lanes = [3, 48], rows = [[2, 6], [1, 2]], outer_lanes = [7, 3], packed = true, masked = true, blocks = [[4, 1], [5, 128]], blocks_outside = true, row_blocks = [[0, 2]], cycles = 3.125e-2>,
    l = #convoy.register_tile<lanes = [4, 16], vector_lanes = 16, terms = [5, 3], matrices = true>,
    m = #convoy.group_panel<groups = 16, padding = undecided>,
    n = #convoy.group_panel<groups = 16, padding = transposed>,
    o = #convoy.group_panel<groups = 16, padding = copied>,
    p = #convoy.group_panel<groups = 16, padding = split>,
    q = #convoy.thread_region<3>,
    r = #convoy.tile_lanes<dim = 2, lanes = 16, masked = false>,
    r0 = #convoy.tile_lanes<dim = 2, lanes = 16, matrices = true>,
    s = #convoy.tile_lanes<dim = 2, lanes = 16, masked = true>,
    t = #convoy.target<page_bytes = 16384, indexed_bytes = 8, dot = ["avx2_pmaddwd", "neon_udot"], masked_bytes = 16, fma_latency = 5, vector_units = 3, critical_stride = 8192, last_level_bytes = 1048576, tlb_entries = 160, line_bytes = 128, prefetch_streams = 32>,
    u = #convoy.target<line_bytes = 64, page_bytes = 4096, critical_stride = 4096, tlb_entries = 64, last_level_bytes = 0, prefetch_streams = 16, vector_units = 2, fma_latency = 4, masked_bytes = 64, indexed_bytes = 0>
  }
}

// CHECK-LABEL: func @launch(
// CHECK-SAME:    %[[X:[^:]*]]: tensor<3x5xf32>, %[[INIT:[^:]*]]: tensor<2x7xf16>)
// CHECK:         convoy.launch @kernels::@one grid [4, 2, 1] ins(%[[X]] : tensor<3x5xf32>) outs(%[[INIT]] : tensor<2x7xf16>) -> tensor<2x7xf16>
func.func @launch(%x: tensor<3x5xf32>, %init: tensor<2x7xf16>) -> tensor<2x7xf16> {
  %0 = convoy.launch @kernels::@one grid [4, 2, 1] ins(%x : tensor<3x5xf32>)
      outs(%init : tensor<2x7xf16>) -> tensor<2x7xf16>
  return %0 : tensor<2x7xf16>
}

// CHECK-LABEL: func @launch_on_buffers(
// CHECK:         convoy.launch @kernels::@fill grid [1, 1, 1] outs(%{{.*}} : memref<2x7xf16>)
func.func @launch_on_buffers(%out: memref<2x7xf16>) {
  convoy.launch @kernels::@fill grid [1, 1, 1] outs(%out : memref<2x7xf16>)
  return
}

// CHECK-LABEL: func @launch_of_slice(
// CHECK:         convoy.launch @kernels::@fill grid [1, 1, 1] outs(%{{.*}} : memref<2x7xf16>) writes <[0, 1] [2, 3] [1, 2]>
func.func @launch_of_slice(%out: memref<2x7xf16>) {
  convoy.launch @kernels::@fill grid [1, 1, 1] outs(%out : memref<2x7xf16>) writes <[0, 1] [2, 3] [1, 2]>
  return
}

// CHECK-LABEL: func @launch_of_batch(
// CHECK:         convoy.launch @kernels::@images grid [4, 1, 2] batch(%{{.*}}) groups [3, 8] ins(%{{.*}} : tensor<?x5xf32>) outs(%{{.*}} : tensor<2x?xf16>) -> tensor<2x?xf16>
// CHECK:         convoy.launch @kernels::@copy grid [4, 1, 1] batch(%{{.*}}) ins(%{{.*}} : tensor<?x5xf32>) outs(%{{.*}} : tensor<2x7xf16>) -> tensor<2x7xf16>
func.func @launch_of_batch(%n: index, %x: tensor<?x5xf32>, %images: tensor<2x?xf16>, %init: tensor<2x7xf16>)
    -> (tensor<2x?xf16>, tensor<2x7xf16>) {
  %0 = convoy.launch @kernels::@images grid [4, 1, 2] batch(%n) groups [3, 8] ins(%x : tensor<?x5xf32>)
      outs(%images : tensor<2x?xf16>) -> tensor<2x?xf16>
  %1 = convoy.launch @kernels::@copy grid [4, 1, 1] batch(%n) ins(%x : tensor<?x5xf32>)
      outs(%init : tensor<2x7xf16>) -> tensor<2x7xf16>
  return %0, %1 : tensor<2x?xf16>, tensor<2x7xf16>
}

// CHECK-LABEL: func @trace(
// CHECK-SAME:    %[[X:[^:]*]]: tensor<3x?xf32>) -> (tensor<3x?xf32> {convoy.name = "y", convoy.traced})
// CHECK:         convoy.trace "conv_1" %[[X]] : tensor<3x?xf32>
func.func @trace(%x: tensor<3x?xf32>) -> (tensor<3x?xf32> {convoy.name = "y", convoy.traced}) {
  %0 = convoy.trace "conv_1" %x : tensor<3x?xf32>
  return %0 : tensor<3x?xf32>
}

gpu.module @kernels {
  gpu.func @images(%x: memref<?xf32>, %out: memref<?xf16>, %n: i32) kernel {
    gpu.return
  }
  gpu.func @copy(%x: memref<?xf32>, %out: memref<14xf16>) kernel {
    gpu.return
  }
  gpu.func @one(%x: memref<15xf32>, %out: memref<14xf16>) kernel {
    gpu.return
  }
  gpu.func @fill(%out: memref<14xf16>) kernel {
    gpu.return
  }
}
