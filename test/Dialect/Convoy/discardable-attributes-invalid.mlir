// RUN: convoy-opt %s --split-input-file --verify-diagnostics

// expected-error @below {{expected convoy.arguments to be a list of dictionaries, each with the `name`, `type`, `layout` (empty, or a letter for each dimension of a ranked tensor) and `written` of an argument, but got [0]}}
func.func @number_as_argument(%x: memref<2xf32>) attributes {convoy.arguments = [0]} {
  return
}

// -----

// expected-error @below {{expected convoy.arguments to be a list of dictionaries, each with the `name`, `type`, `layout` (empty, or a letter for each dimension of a ranked tensor) and `written` of an argument, but got true}}
func.func @arguments_bool(%x: memref<2xf32>) attributes {convoy.arguments = true} {
  return
}

// -----

// expected-error @below {{expected convoy.arguments to be a list of dictionaries, each with the `name`, `type`, `layout` (empty, or a letter for each dimension of a ranked tensor) and `written` of an argument, but got "x"}}
func.func @arguments_text(%x: memref<2xf32>) attributes {convoy.arguments = "x"} {
  return
}

// -----

// expected-error @below {{expected convoy.arguments to be a list of dictionaries, each with the `name`, `type`, `layout` (empty, or a letter for each dimension of a ranked tensor) and `written` of an argument, but got @nosuch}}
func.func @arguments_symbol(%x: memref<2xf32>) attributes {convoy.arguments = @nosuch} {
  return
}

// -----

// expected-error @below {{and `written` of an argument, but got [{layout = "", name = "x", written = false}]}}
func.func @argument_without_type(%x: memref<2xf32>) attributes {convoy.arguments = [{layout = "", name = "x", written = false}]} {
  return
}

// -----

// expected-error @below {{and `written` of an argument, but got [{layout = "", name = "", type = tensor<2xf32>, written = false}]}}
func.func @argument_without_name(%x: memref<2xf32>) attributes {convoy.arguments = [{layout = "", name = "", type = tensor<2xf32>, written = false}]} {
  return
}

// -----

// expected-error @below {{and `written` of an argument, but got [{layout = "nw", name = "x", type = tensor<2xf32>, written = false}]}}
func.func @layout_of_other_rank(%x: memref<2xf32>) attributes {convoy.arguments = [{layout = "nw", name = "x", type = tensor<2xf32>, written = false}]} {
  return
}

// -----

// expected-error @below {{and `written` of an argument, but got [{layout = "", name = "x", packer = 0 : i64, type = tensor<2xf32>, written = false}]}}
func.func @packer_number(%x: memref<2xf32>) attributes {convoy.arguments = [{layout = "", name = "x", packer = 0, type = tensor<2xf32>, written = false}]} {
  return
}

// -----

// expected-error @below {{expected convoy.arguments of at most 0 arguments, but got 1}}
func.func @more_than_arguments() attributes {convoy.arguments = [{layout = "", name = "x", type = tensor<2xf32>, written = false}]} {
  return
}

// -----

// expected-error @below {{expected convoy.arguments on a function}}
module attributes {convoy.arguments = []} {
}

// -----

// expected-error @below {{expected convoy.workspace to be an i64 that is not negative, but got -64 : i64}}
func.func private @negative_workspace() attributes {convoy.workspace = -64}

// -----

// expected-error @below {{expected convoy.image_workspace to be an i64 that is not negative, but got 64 : i32}}
func.func private @narrow_workspace() attributes {convoy.image_workspace = 64 : i32}

// -----

// expected-error @below {{expected convoy.target to be a #convoy.target, but got 1 : i64}}
module attributes {convoy.target = 1} {
}

// -----

// expected-error @below {{expected convoy.vulkan_profile to be a #convoy.vulkan_profile, but got "small"}}
module attributes {convoy.vulkan_profile = "small"} {
}

// -----

// expected-error @below {{expected convoy.rocm_chip to be the name of a chip that kernels are made for, but got @gfx942}}
module attributes {convoy.rocm_chip = @gfx942} {
}

// -----

// expected-error @below {{expected convoy.rocm_chip to be the name of a chip that kernels are made for, but got "gfx906"}}
module attributes {convoy.rocm_chip = "gfx906"} {
}

// -----

func.func @wrong_plan(%x: f32) {
  // expected-error @below {{expected convoy.register_tile to be a #convoy.register_tile, but got [3, 32]}}
  %0 = arith.negf %x {convoy.register_tile = [3, 32]} : f32
  return
}

// -----

func.func @wrong_marks(%x: f32) {
  // expected-error @below {{expected convoy.workgroup_tile to be a #convoy.workgroup_tile, but got unit}}
  %0 = arith.negf %x {convoy.workgroup_tile} : f32
  return
}

// -----

func.func @untyped_lanes(%x: f32) {
  // expected-error @below {{expected convoy.tile_lanes to be a #convoy.tile_lanes, but got array<i64: 1, 4>}}
  %0 = arith.negf %x {convoy.tile_lanes = array<i64: 1, 4>} : f32
  return
}

// -----

func.func @panel_number(%x: f32) {
  // expected-error @below {{expected convoy.group_panel to be a #convoy.group_panel, but got 8 : i64}}
  %0 = arith.negf %x {convoy.group_panel = 8} : f32
  return
}

// -----

func.func @packed_text(%x: f32) {
  // expected-error @below {{expected convoy.packed to be a unit attribute, but got "x"}}
  %0 = arith.negf %x {convoy.packed = "x"} : f32
  return
}

// -----

func.func @region_number(%x: f32) {
  // expected-error @below {{expected convoy.thread_region to be a #convoy.thread_region, but got 0 : i64}}
  %0 = arith.negf %x {convoy.thread_region = 0} : f32
  return
}

// -----

gpu.module @m {
  gpu.func @barrier() kernel {
    // expected-error @below {{expected convoy.buffer_barrier to be a unit attribute, but got 0 : i64}}
    gpu.barrier {convoy.buffer_barrier = 0}
    gpu.return
  }
}

// -----

// expected-error @below {{expected an attribute that the dialect convoy has for ops, but got convoy.nosuch}}
func.func private @unknown() attributes {convoy.nosuch}

// -----

// expected-error @below {{expected convoy.name to be a text, but got 1 : i64}}
func.func private @name_number(f32 {convoy.name = 1})

// -----

// expected-error @below {{expected convoy.layout to be a text, but got []}}
func.func private @layout_list(f32) -> (f32 {convoy.layout = []})

// -----

// expected-error @below {{expected convoy.prepacked to be a unit attribute, but got true}}
func.func private @prepacked_bool(f32 {convoy.prepacked = true})

// -----

// expected-error @below {{expected an attribute that the dialect convoy has for arguments, but got "convoy.workspace"}}
func.func private @not_of_arguments(f32 {convoy.workspace = 1})

// -----

// expected-error @below {{expected an attribute that the dialect convoy has for results, but got "convoy.prepacked"}}
func.func private @not_of_results() -> (f32 {convoy.prepacked})

// -----

// expected-error @below {{expected convoy.range to be an array<f64> of a low and a high number in this order and, if known, the least magnitude that is not zero, but got array<f64: 1.000000e+00>}}
func.func private @range_of_one(f32 {convoy.range = array<f64: 1.0>})

// -----

// expected-error @below {{expected convoy.range to be an array<f64> of a low and a high number in this order and, if known, the least magnitude that is not zero, but got array<f64: 2.000000e+00, 1.000000e+00>}}
func.func private @range_order(f32 {convoy.range = array<f64: 2.0, 1.0>})

// -----

// expected-error @below {{expected convoy.range to be an array<f64> of a low and a high number in this order and, if known, the least magnitude that is not zero, but got array<f64: 1.000000e+00, 2.000000e+00, 0.000000e+00>}}
func.func private @range_least(f32 {convoy.range = array<f64: 1.0, 2.0, 0.0>})

// -----

// expected-error @below {{expected an attribute that the dialect convoy has for results, but got "convoy.range"}}
func.func private @range_of_result() -> (f32 {convoy.range = array<f64: 1.0, 2.0>})

// -----

// expected-error @below {{expected convoy.traced to be a unit attribute, but got "y"}}
func.func private @traced_text() -> (f32 {convoy.traced = "y"})

// -----

// expected-error @below {{expected an attribute that the dialect convoy has for arguments, but got "convoy.traced"}}
func.func private @traced_argument(f32 {convoy.traced})

// -----

// expected-error @below {{expected convoy.target on a module}}
func.func private @target_of_function() attributes {convoy.target = #convoy.target<vector_bytes = 64>}

// -----

// expected-error @below {{expected convoy.vulkan_profile on a module}}
func.func private @profile_of_function() attributes {convoy.vulkan_profile = #convoy.vulkan_profile<name = "small">}

// -----

// expected-error @below {{expected convoy.rocm_chip on a module}}
func.func private @chip_of_function() attributes {convoy.rocm_chip = "gfx942"}

// -----

func.func @register_tile_of_scalar(%x: f32) {
  // expected-error @below {{expected convoy.register_tile on an op with an init}}
  %0 = arith.negf %x {convoy.register_tile = #convoy.register_tile<lanes = [3, 32], vector_lanes = 16>} : f32
  return
}

// -----

func.func @workgroup_tile_of_scalar(%x: f32) {
  // expected-error @below {{expected convoy.workgroup_tile on an op with an init}}
  %0 = arith.negf %x {convoy.workgroup_tile = #convoy.workgroup_tile<extents = [8], sizes = [4], lane_loop = 0, item_rows = 4, item_lanes = 4>} : f32
  return
}

// -----

func.func @lanes_of_scalar(%x: f32) {
  // expected-error @below {{expected convoy.tile_lanes on an op with an init}}
  %0 = arith.negf %x {convoy.tile_lanes = #convoy.tile_lanes<dim = 1, lanes = 4>} : f32
  return
}

// -----

func.func @panel_of_scalar(%x: f32) {
  // expected-error @below {{expected convoy.group_panel on a convoy.conv}}
  %0 = arith.negf %x {convoy.group_panel = #convoy.group_panel<groups = 8>} : f32
  return
}

// -----

func.func @panel_of_gradient(%dy: tensor<1x9x1x16xf32>, %w: tensor<3x1x1x16xf32>, %init: tensor<1x9x1x16xf32>) -> tensor<1x9x1x16xf32> {
  // expected-error @below {{expected convoy.group_panel on a convoy.conv}}
  %dx = convoy.conv_backward_data ins(%dy, %w : tensor<1x9x1x16xf32>, tensor<3x1x1x16xf32>) outs(%init : tensor<1x9x1x16xf32>) layout(nwcg x wcfg -> nwfg) window(pad = [[1, 1]]) {convoy.group_panel = #convoy.group_panel<groups = 16>}
  return %dx : tensor<1x9x1x16xf32>
}

// -----

func.func @packed_scalar(%x: f32) {
  // expected-error @below {{expected convoy.packed on an op with an init}}
  %0 = arith.negf %x {convoy.packed} : f32
  return
}

// -----

func.func @uncontracted_number(%x: f32) {
  // expected-error @below {{expected convoy.uncontracted to be a unit attribute, but got 0 : i64}}
  %0 = arith.mulf %x, %x {convoy.uncontracted = 0} : f32
  return
}

// -----

func.func @region_of_scalar(%x: f32) {
  // expected-error @below {{expected convoy.thread_region on a loop}}
  %0 = arith.negf %x {convoy.thread_region = #convoy.thread_region<7>} : f32
  return
}

// -----

func.func @barrier_of_scalar(%x: f32) {
  // expected-error @below {{expected convoy.buffer_barrier on a barrier}}
  %0 = arith.negf %x {convoy.buffer_barrier} : f32
  return
}

// -----

func.func @bf16_factors_of_scalar(%x: f32) {
  // expected-error @below {{expected convoy.bf16_factors on a product of cooperative matrices}}
  %0 = arith.negf %x {convoy.bf16_factors} : f32
  return
}

// -----

func.func @uncontracted_quotient(%x: f32) {
  // expected-error @below {{expected convoy.uncontracted on a product, a sum or a difference of floats}}
  %0 = arith.divf %x, %x {convoy.uncontracted} : f32
  return
}

// -----

// expected-error @below {{expected convoy.sums to be counts, i64 that are not negative, for f64, f32, f16 or bf16, but got {f32 = -1 : i64}}}
func.func private @negative_sums() -> (f32 {convoy.sums = {f32 = -1}})

// -----

// expected-error @below {{expected convoy.sums to be counts, i64 that are not negative, for f64, f32, f16 or bf16, but got {i32 = 3 : i64}}}
func.func private @sums_in_integers() -> (f32 {convoy.sums = {i32 = 3}})

// -----

// expected-error @below {{expected an attribute that the dialect convoy has for arguments, but got "convoy.sums"}}
func.func private @sums_of_argument(f32 {convoy.sums = {f32 = 3}})

// -----

// expected-error @below {{and `written` of an argument, but got [{layout = "", name = "y", sums = 9 : i64, type = tensor<2xf32>, written = true}]}}
func.func @sums_number(%y: memref<2xf32>) attributes {convoy.arguments = [{layout = "", name = "y", sums = 9, type = tensor<2xf32>, written = true}]} {
  return
}

// -----

func.func @independent_number(%x: f32) {
  // expected-error @below {{expected convoy.independent to be a unit attribute, but got 1 : i64}}
  %0 = arith.negf %x {convoy.independent = 1} : f32
  return
}

// -----

func.func @independent_scalar(%x: f32) {
  // expected-error @below {{expected convoy.independent on a loop}}
  %0 = arith.negf %x {convoy.independent} : f32
  return
}

// -----

func.func @winograd_of_one(%x: tensor<1x8x4xf32>, %w: tensor<3x4x6xf32>, %init: tensor<1x6x6xf32>) -> tensor<1x6x6xf32> {
  // expected-error @below {{expected convoy.winograd to be an array<i64> of 1 to 3 numbers of results, 2 to 16 each, but got array<i64: 1>}}
  %r = convoy.conv ins(%x, %w : tensor<1x8x4xf32>, tensor<3x4x6xf32>) outs(%init : tensor<1x6x6xf32>) layout(nwc x wcf -> nwf) {convoy.winograd = array<i64: 1>}
  return %r : tensor<1x6x6xf32>
}

// -----

func.func @winograd_of_many(%x: tensor<1x8x4xf32>, %w: tensor<3x4x6xf32>, %init: tensor<1x6x6xf32>) -> tensor<1x6x6xf32> {
  // expected-error @below {{expected convoy.winograd to be an array<i64> of 1 to 3 numbers of results, 2 to 16 each, but got array<i64: 9223372036854775807>}}
  %r = convoy.conv ins(%x, %w : tensor<1x8x4xf32>, tensor<3x4x6xf32>) outs(%init : tensor<1x6x6xf32>) layout(nwc x wcf -> nwf) {convoy.winograd = array<i64: 9223372036854775807>}
  return %r : tensor<1x6x6xf32>
}

// -----

func.func @most_winograd_of_many(%x: tensor<1x8x4xf32>, %w: tensor<3x4x6xf32>, %init: tensor<1x6x6xf32>) -> tensor<1x6x6xf32> {
  // expected-error @below {{expected convoy.most_winograd to be a number of results, 0 to 16, but got 17 : i64}}
  %r = convoy.conv ins(%x, %w : tensor<1x8x4xf32>, tensor<3x4x6xf32>) outs(%init : tensor<1x6x6xf32>) layout(nwc x wcf -> nwf) {convoy.most_winograd = 17 : i64}
  return %r : tensor<1x6x6xf32>
}

// -----

func.func @most_winograd_of_sum(%x: f32) {
  // expected-error @below {{expected convoy.most_winograd on a convolution}}
  %0 = arith.addf %x, %x {convoy.most_winograd = 2 : i64} : f32
  return
}

// -----

func.func @winograd_of_sum(%x: f32) {
  // expected-error @below {{expected convoy.winograd on a convolution}}
  %0 = arith.addf %x, %x {convoy.winograd = array<i64: 2>} : f32
  return
}
