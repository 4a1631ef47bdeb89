// RUN: convoy-opt %s --split-input-file --verify-diagnostics

// C1 of the convolutions: the layouts are legal.

// expected-error @below {{input layout 'nhwx' has 'x', but expected letters of 'ncgdhw'}}
#a = #convoy.layout<nhwx x hwcf -> nhwf>
// -----
// expected-error @below {{filter layout 'hwccf' has 'c' twice, but expected each letter once}}
#a = #convoy.layout<nhwc x hwccf -> nhwf>
// -----
// expected-error @below {{output layout 'nhwc' has 'c', but expected letters of 'nfgdhw'}}
#a = #convoy.layout<nhwc x hwcf -> nhwc>
// -----
// expected-error @below {{filter layout 'hwc' lacks 'f', but expected the letters 'fc' and one of 'w', 'hw' or 'dhw' in any order}}
#a = #convoy.layout<nhwc x hwc -> nhwf>
// -----
// expected-error @below {{input layout 'nhc' lacks 'w', but expected one of 'w', 'hw' or 'dhw' for the spatial dimensions, in any order}}
#a = #convoy.layout<nhc x hwcf -> nhwf>
// -----
// expected-error @below {{expected the same spatial letters in all layouts, but got nhwc x wcf -> nhwf}}
#a = #convoy.layout<nhwc x wcf -> nhwf>
// -----
// expected-error @below {{expected the same spatial letters in all layouts, but got nhwc x hwcf -> nwf}}
#a = #convoy.layout<nhwc x hwcf -> nwf>
// -----
// expected-error @below {{expected g in all layouts or in none, but got nghwc x hwcf -> nghwf}}
#a = #convoy.layout<nghwc x hwcf -> nghwf>
// -----
// expected-error @below {{expected g in all layouts or in none, but got nhwc x hwcf -> nghwf}}
#a = #convoy.layout<nhwc x hwcf -> nghwf>
// -----
// expected-error @below {{expected 'x'}}
#a = #convoy.layout<nhwc, hwcf -> nhwf>
// -----
// expected-error @below {{expected '->'}}
#a = #convoy.layout<nhwc x hwcf, nhwf>
// -----

// C1 of im2col.

// expected-error @below {{input layout 'nhw' lacks 'c', but expected the letters 'nc' and one of 'w', 'hw' or 'dhw' in any order}}
#a = #convoy.im2col_layout<nhw, nhw|hwc>
// -----
// expected-error @below {{expected the letters nhw in the positions, but got nw}}
#a = #convoy.im2col_layout<nhwc, nw|hwc>
// -----
// expected-error @below {{expected the letters hwc in the window, but got hwcf}}
#a = #convoy.im2col_layout<nhwc, nhw|hwcf>
// -----
// expected-error @below {{expected the letters hwc in the window, but got hhc}}
#a = #convoy.im2col_layout<nhwc, nhw|hhc>
// -----
// expected-error @below {{expected the letters gnw in the positions, but got nw}}
#a = #convoy.im2col_layout<ngwc, nw|wc>
// -----
// expected-error @below {{expected g first in the rows, but got ngw|wc}}
#a = #convoy.im2col_layout<ngwc, ngw|wc>
// -----
// expected-error @below {{expected g first in the rows, but got wc|gnw}}
#a = #convoy.im2col_layout<ngwc, wc|gnw>
// -----
// expected-error @below {{expected positions and a window with c, such as nhw|hwc or n|chw|hw, but got nhw}}
#a = #convoy.im2col_layout<nhwc, nhw, hwc>
// -----
// expected-error @below {{expected positions and a window with c, such as nhw|hwc or n|chw|hw, but got n|hw|hwc}}
#a = #convoy.im2col_layout<nhwc, n|hw|hwc>
// -----
// expected-error @below {{but got nhwc|hwc}}
#a = #convoy.im2col_layout<nhwc, nhwc|hwc>
// -----
// expected-error @below {{expected valid keyword}}
#a = #convoy.im2col_layout<nhwc, nhw|>
// -----

// Windows.

// expected-error @below {{expected a positive stride, but got 0}}
#a = #convoy.window<stride = [2, 0]>
// -----
// expected-error @below {{expected a positive dilation, but got -1}}
#a = #convoy.window<dilation = [-1]>
// -----
// expected-error @below {{expected a positive input dilation, but got 0}}
#a = #convoy.window<input_dilation = [0]>
// -----
// expected-error @below {{expected one of stride, dilation, pad, input_dilation, reverse in a window, but got padding}}
#a = #convoy.window<padding = [[1, 1]]>
// -----
// expected-error @below {{stride stands twice in a window}}
#a = #convoy.window<stride = [2], stride = [2]>
// -----
// expected-error @below {{expected '['}}
#a = #convoy.window<pad = [1, 1]>
// -----
// expected-error @below {{expected ','}}
#a = #convoy.window<pad = [[1]]>
// -----
// expected-error @below {{expected true or false, but got yes}}
#a = #convoy.window<reverse = [yes]>
// -----

// Numerics.

// expected-error @below {{expected signed or unsigned, but got u8}}
#a = #convoy.numerics<input = u8>
// -----
// expected-error @below {{expected normal, high or low, but got fast}}
#a = #convoy.numerics<policy = fast>
// -----
// expected-error @below {{expected a signless integer or float accumulator, but got 'index'}}
#a = #convoy.numerics<accumulator = index>
// -----
// expected-error @below {{expected a signless integer or float accumulator, but got 'ui32'}}
#a = #convoy.numerics<accumulator = ui32>
// -----
// expected-error @below {{expected input_range to be a low and a high finite number in this order}}
#a = #convoy.numerics<input_range = [1.0, -1.0]>
// -----
// expected-error @below {{expected filter_range to be a low and a high finite number in this order}}
#a = #convoy.numerics<filter_range = [0x7FF8000000000000, 1.0]>
// -----
// expected-error @below {{expected input_range to be a low and a high finite number in this order}}
#a = #convoy.numerics<input_range = [0.0, 0x7FF0000000000000]>
// -----
// expected-error @below {{expected one of input, filter, accumulator, policy, input_range, filter_range in numerics, but got output}}
#a = #convoy.numerics<output = unsigned>
// -----

// C1 of targets: sizes are positive.

// expected-error @below {{expected a positive vector_bytes, but got 0}}
#a = #convoy.target<vector_bytes = 0>
// -----
// expected-error @below {{expected a positive registers, but got -1}}
#a = #convoy.target<registers = -1>
// -----
// expected-error @below {{expected a positive l1_bytes, but got 0}}
#a = #convoy.target<l1_bytes = 0>
// -----
// expected-error @below {{expected a positive l2_bytes, but got 0}}
#a = #convoy.target<l2_bytes = 0>
// -----
// expected-error @below {{expected a positive line_bytes, but got 0}}
#a = #convoy.target<line_bytes = 0>
// -----
// expected-error @below {{expected a positive page_bytes, but got -4096}}
#a = #convoy.target<page_bytes = -4096>
// -----
// expected-error @below {{expected a positive critical_stride, but got 0}}
#a = #convoy.target<critical_stride = 0>
// -----
// expected-error @below {{expected a positive tlb_entries, but got 0}}
#a = #convoy.target<tlb_entries = 0>
// -----
// expected-error @below {{expected a positive compute_units or 0, but got -1}}
#a = #convoy.target<subgroup = 32, workgroup_bytes = 49152, workgroup_items = 1024, compute_units = -1>
// -----
// expected-error @below {{expected a positive compute_units or 0, but got -2}}
#a = #convoy.vulkan_profile<name = "a", compute_units = -2>
// -----
// expected-error @below {{expected a positive last_level_bytes or 0, but got -8}}
#a = #convoy.target<last_level_bytes = -8>
// -----
// expected-error @below {{expected a positive prefetch_streams, but got 0}}
#a = #convoy.target<prefetch_streams = 0>
// -----
// expected-error @below {{expected a positive vector_units, but got 0}}
#a = #convoy.target<vector_units = 0>
// -----
// expected-error @below {{expected a positive fma_latency, but got -4}}
#a = #convoy.target<fma_latency = -4>
// -----
// expected-error @below {{expected a positive masked_bytes, but got 0}}
#a = #convoy.target<masked_bytes = 0>
// -----

// C2 of targets: the tile.

// expected-error @below {{expected tile to be a positive number of rows and of vectors}}
#a = #convoy.target<tile = [4]>
// -----
// expected-error @below {{expected tile to be a positive number of rows and of vectors}}
#a = #convoy.target<tile = [4, 0]>
// -----
// expected-error @below {{expected the rows times the vectors of tile to be at most 4096, but got 9223372036854775807, 2}}
#a = #convoy.target<tile = [9223372036854775807, 2]>
// -----

// C3 of targets: a GPU says all that is asked of one.

// expected-error @below {{expected a positive subgroup for a GPU, but got 0}}
#a = #convoy.target<workgroup_bytes = 49152, workgroup_items = 1024>
// -----
// expected-error @below {{expected a positive workgroup_bytes for a GPU, but got -1}}
#a = #convoy.target<subgroup = 32, workgroup_bytes = -1, workgroup_items = 1024>
// -----
// expected-error @below {{expected a positive workgroup_items for a GPU, but got 0}}
#a = #convoy.target<subgroup = 32, workgroup_bytes = 49152>
// -----

// C4 of targets: subgroups.

// expected-error @below {{expected subgroup to be a power of two up to workgroup_items = 1024, but got 24}}
#a = #convoy.target<subgroup = 24, workgroup_bytes = 49152, workgroup_items = 1024>
// -----
// expected-error @below {{expected subgroup to be a power of two up to workgroup_items = 16, but got 32}}
#a = #convoy.target<subgroup = 32, workgroup_bytes = 49152, workgroup_items = 16>
// -----

// C5 of targets: matrix instructions.

// expected-error @below {{expected a matrix instruction such as mfma_f32_16x16x4f32, but got mfma_f32_4x4x1f32}}
#a = #convoy.target<subgroup = 64, workgroup_bytes = 49152, workgroup_items = 1024, matrix = ["mfma_f32_4x4x1f32"]>
// -----
// expected-error @below {{expected a subgroup of 64 work-items for mfma_f32_16x16x4f32, but got 32}}
#a = #convoy.target<subgroup = 32, workgroup_bytes = 49152, workgroup_items = 1024, matrix = ["mfma_f32_16x16x4f32"]>
// -----
// expected-error @below {{expected names of matrix instructions}}
#a = #convoy.target<subgroup = 32, workgroup_bytes = 49152, workgroup_items = 1024, matrix = [4]>
// -----

// C1 to C7 of workgroup tiles.

// expected-error @below {{expected as many sizes as extents, but got 2 and 3}}
#a = #convoy.workgroup_tile<extents = [8, 16, 6], sizes = [4, 8], lane_loop = 1, item_rows = 4, item_lanes = 4>
// -----
// expected-error @below {{expected a size from 1 to the extent of loop 1, but got 0}}
#a = #convoy.workgroup_tile<extents = [8, 16, 6], sizes = [4, 0, 3], lane_loop = 1, item_rows = 4, item_lanes = 4>
// -----
// expected-error @below {{expected a size from 1 to the extent of loop 2, but got 7}}
#a = #convoy.workgroup_tile<extents = [8, 16, 6], sizes = [4, 8, 7], lane_loop = 1, item_rows = 4, item_lanes = 4>
// -----
// expected-error @below {{expected lane_loop to be one of 3 loops, but got 99}}
#a = #convoy.workgroup_tile<extents = [8, 16, 6], sizes = [4, 8, 3], lane_loop = 99, item_rows = 4, item_lanes = 4>
// -----
// expected-error @below {{expected lane_loop to be one of 3 loops, but got -1}}
#a = #convoy.workgroup_tile<extents = [8, 16, 6], sizes = [4, 8, 3], lane_loop = -1, item_rows = 4, item_lanes = 4>
// -----
// expected-error @below {{expected a matrix instruction, but got matmul}}
#a = #convoy.workgroup_tile<extents = [64, 64, 64], sizes = [16, 16, 16], lane_loop = 1, item_rows = 16, item_lanes = 16, matrix = "matmul">
// -----
// expected-error @below {{expected multiples of 16 as item_rows and item_lanes, but got 24}}
#a = #convoy.workgroup_tile<extents = [64, 64, 64], sizes = [16, 16, 16], lane_loop = 1, item_rows = 16, item_lanes = 24, matrix = "mfma_f32_16x16x4f32">
// -----
// expected-error @below {{expected multiples of 4 as item_rows and item_lanes, but got 0}}
#a = #convoy.workgroup_tile<extents = [64, 64, 64], sizes = [16, 16, 16], lane_loop = 1, item_rows = 0, item_lanes = 8>
// -----
// expected-error @below {{expected item_rows times item_lanes to be at most 4096, but got 1028 and 4}}
#a = #convoy.workgroup_tile<extents = [64, 64, 64], sizes = [16, 16, 16], lane_loop = 1, item_rows = 1028, item_lanes = 4>
// -----
// expected-error @below {{expected item_rows times item_lanes to be at most 4096, but got 9223372036854775804 and 9223372036854775804}}
#a = #convoy.workgroup_tile<extents = [64, 64, 64], sizes = [16, 16, 16], lane_loop = 1, item_rows = 9223372036854775804, item_lanes = 9223372036854775804>
// -----
// expected-error @below {{expected 1 buffer, but got 2}}
#a = #convoy.workgroup_tile<extents = [64, 64, 64], sizes = [16, 16, 16], lane_loop = 1, item_rows = 4, item_lanes = 4, buffers = 2>
// -----
// expected-error @below {{expected 1 or 2 buffers, but got 0}}
#a = #convoy.workgroup_tile<extents = [64, 64, 64], sizes = [16, 16, 16], lane_loop = 1, item_rows = 16, item_lanes = 16, matrix = "mfma_f32_16x16x4f32", buffers = 0>
// -----
// expected-error @below {{expected sharers to be a power of two, at most 1024, but got 2048}}
#a = #convoy.workgroup_tile<extents = [64, 64, 64], sizes = [16, 16, 16], lane_loop = 1, item_rows = 4, item_lanes = 4, staged = false, sharers = 2048>
// -----
// expected-error @below {{expected sharers to be a power of two, at most 1024, but got 12}}
#a = #convoy.workgroup_tile<extents = [64, 64, 64], sizes = [16, 16, 16], lane_loop = 1, item_rows = 4, item_lanes = 4, staged = false, sharers = 12>
// -----
// expected-error @below {{expected sharers to be a power of two, at most 1, but got 2}}
#a = #convoy.workgroup_tile<extents = [64, 64, 64], sizes = [16, 16, 16], lane_loop = 1, item_rows = 4, item_lanes = 4, sharers = 2>
// -----
// expected-error @below {{expected idle to be from 0 to 1023, but got -1}}
#a = #convoy.workgroup_tile<extents = [64, 64, 64], sizes = [16, 16, 16], lane_loop = 1, item_rows = 4, item_lanes = 4, idle = -1>
// -----
// expected-error @below {{expected idle to be from 0 to 1023, but got 1024}}
#a = #convoy.workgroup_tile<extents = [64, 64, 64], sizes = [16, 16, 16], lane_loop = 1, item_rows = 4, item_lanes = 4, idle = 1024>
// -----
// expected-error @below {{expected idle to be from 0 to 0, but got 8}}
#a = #convoy.workgroup_tile<extents = [64, 64, 64], sizes = [16, 16, 16], lane_loop = 1, item_rows = 16, item_lanes = 16, matrix = "mfma_f32_16x16x4f32", idle = 8>
// -----

// expected-error @below {{expected one of vector_bytes, registers, l1_bytes, l2_bytes, line_bytes, page_bytes, critical_stride, tlb_entries, last_level_bytes, prefetch_streams, vector_units, fma_latency, masked_bytes, indexed_bytes, dot, tile, subgroup, workgroup_bytes, workgroup_items, matrix, slow_shared_memory, compute_units in a target, but got lanes}}
#a = #convoy.target<lanes = 4>
// -----

// C6 of targets: the instructions are known.
// expected-error @below {{expected dot to name instructions such as sse2_pmaddwd, but got "vpmaddwd"}}
#a = #convoy.target<dot = ["neon_sdot", "vpmaddwd"]>
// -----
// expected-error @below {{expected dot to name instructions such as sse2_pmaddwd, but got 3}}
#a = #convoy.target<dot = [3]>
// -----

// C1 of Vulkan profiles: numbers are positive.

// expected-error @below {{expected a positive minor_version, but got 0}}
#a = #convoy.vulkan_profile<name = "a", minor_version = 0>
// -----
// expected-error @below {{expected a positive registers, but got -1}}
#a = #convoy.vulkan_profile<name = "a", registers = -1>
// -----
// expected-error @below {{expected positive numbers in workgroup_size, but got 0}}
#a = #convoy.vulkan_profile<name = "a", workgroup_size = [128, 0, 1]>
// -----

// C2 of Vulkan profiles: subgroups.

// expected-error @below {{expected subgroup to be a power of two up to workgroup_items = 128, but got 24}}
#a = #convoy.vulkan_profile<name = "a", subgroup = 24>
// -----
// expected-error @below {{expected subgroup to be a power of two up to workgroup_items = 128, but got 256}}
#a = #convoy.vulkan_profile<name = "a", subgroup = 256>
// -----

// expected-error @below {{expected a feature such as f16, but got bf16}}
#a = #convoy.vulkan_profile<name = "a", features = [bf16]>
// -----
// expected-error @below {{expected ','}}
#a = #convoy.vulkan_profile<name = "a", workgroup_count = [1]>
// -----
// expected-error @below {{expected one of name, minor_version, subgroup, workgroup_bytes, workgroup_items, buffer_bytes, registers, compute_units, loop_iterations, workgroup_size, workgroup_count, features in a Vulkan profile, but got size}}
#a = #convoy.vulkan_profile<size = 4>

// -----

// expected-error @below {{expected as many offsets, sizes and strides, but got 1, 2 and 1}}
func.func private @slice_c1_lengths() attributes {a = #convoy.slice<[0] [1, 2] [1]>}

// -----

// expected-error @below {{expected an offset from 0 on, a positive size or -1 and a positive stride, but got 2, 0 and 1}}
func.func private @slice_c2_size() attributes {a = #convoy.slice<[2] [0] [1]>}

// -----

// expected-error @below {{expected an offset from 0 on, a positive size or -1 and a positive stride, but got -1, 3 and 1}}
func.func private @slice_c2_offset() attributes {a = #convoy.slice<[-1] [3] [1]>}
// -----

// Register tiles, C1: numbers.

// expected-error @below {{expected lanes in a register tile}}
#a = #convoy.register_tile<vector_lanes = 16>
// -----
// expected-error @below {{expected a positive vector_lanes, but got 0}}
#a = #convoy.register_tile<lanes = [3, 32], vector_lanes = 0>
// -----
// expected-error @below {{expected a positive number of steps in lanes, but got 0}}
#a = #convoy.register_tile<lanes = [3, 0], vector_lanes = 16>
// -----
// expected-error @below {{expected a positive number of steps in row_blocks, but got -6}}
#a = #convoy.register_tile<lanes = [3, 32], vector_lanes = 16, row_blocks = [[2, -6]]>
// -----
// expected-error @below {{expected the number of a loop, but got -1}}
#a = #convoy.register_tile<lanes = [-1, 32], vector_lanes = 16>
// -----

// expected-error @below {{expected positive cycles as an f64, but got -1.000000e+00 : f64}}
#a = #convoy.register_tile<lanes = [3, 32], vector_lanes = 16, cycles = -1.0>
// -----

// C2 of register tiles: no loop twice.

// expected-error @below {{expected each loop once, but got 3 again in rows}}
#a = #convoy.register_tile<lanes = [3, 32], vector_lanes = 16, rows = [[2, 6], [3, 2]]>
// -----
// expected-error @below {{expected each loop once, but got 4 again in blocks}}
#a = #convoy.register_tile<lanes = [3, 32], vector_lanes = 16, blocks = [[4, 6], [4, 2]]>
// -----

// C3 of register tiles: what goes together.

// expected-error @below {{expected packed = true beside outer_lanes}}
#a = #convoy.register_tile<lanes = [3, 32], vector_lanes = 16, outer_lanes = [2, 2]>
// -----
// expected-error @below {{expected blocks beside blocks_outside = true}}
#a = #convoy.register_tile<lanes = [3, 32], vector_lanes = 16, blocks_outside = true>
// -----
// expected-error @below {{expected terms and no masked lanes beside matrices = true}}
#a = #convoy.register_tile<lanes = [3, 32], vector_lanes = 16, matrices = true>
// -----
// expected-error @below {{expected terms and no masked lanes beside matrices = true}}
#a = #convoy.register_tile<lanes = [3, 32], vector_lanes = 16, terms = [5, 16], masked = true, matrices = true>
// -----

// C1 of panels of groups.

// expected-error @below {{expected positive groups, but got 0}}
#a = #convoy.group_panel<groups = 0, padding = split>
// -----

// C1 of regions of threads.

// expected-error @below {{expected a number that is not negative, but got -1}}
#a = #convoy.thread_region<-1>
// -----

// C1 of lanes of tiles.

// expected-error @below {{expected a dim that is not negative, but got -1}}
#a = #convoy.tile_lanes<dim = -1, lanes = 4>
// -----
// expected-error @below {{expected positive lanes, but got 0}}
#a = #convoy.tile_lanes<dim = 1, lanes = 0>
// -----
// expected-error @below {{expected no masked lanes beside matrices = true}}
#a = #convoy.tile_lanes<dim = 1, lanes = 16, masked = true, matrices = true>
