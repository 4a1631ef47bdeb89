//===- Passes.td - Conversions to and from the dialect -----*- tablegen -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_CONVERSION_PASSES_TD
#define CONVOY_CONVERSION_PASSES_TD

include "mlir/Pass/PassBase.td"

def RaiseLinalgPass : Pass<"convoy-raise-linalg"> {
  let summary = "Raise linalg convolutions to the convoy dialect";
  let description = [{
    - Needs: linalg ops on tensors.
    - Leaves: `convoy.conv` in the place of those that are convolutions; all
      other ops stay.

    Convolutions are any named one, and any `linalg.generic` whose maps and
    body say the same, whatever the order of its loops, operands and
    dimensions.
    ```mlir
    %r = linalg.conv_2d_nhwc_hwcf {dilations = dense<[3, 1]> : tensor<2xi64>, strides = dense<[1, 2]> : tensor<2xi64>}
        ins(%input, %filter : tensor<2x6x9x4xf32>, tensor<2x3x4x5xf32>)
        outs(%init : tensor<2x3x4x5xf32>) -> tensor<2x3x4x5xf32>
    ```
    becomes
    ```mlir
    %r = convoy.conv ins(%input, %filter : tensor<2x6x9x4xf32>, tensor<2x3x4x5xf32>)
        outs(%init : tensor<2x3x4x5xf32>) layout(nhwc x hwcf -> nhwf)
        window(stride = [1, 2], dilation = [3, 1])
    ```
    A loop in all three operands is `g`; one in input and output `n`; one in
    filter and output `f`; one in input and filter, summed, `c`. An input index
    s*o + d*k + constant is a window; with a negative d, and a static number of
    taps, a reversed one; a constant crops. Letters that the op lacks become
    unit dimensions by `tensor.expand_shape`: a depthwise convolution has one
    `c` in each group. A further batch dimension is a window of one tap, a
    further channel dimension a window of one position.

    The body must be `out + (ext(a) - za) * (ext(b) - zb)`; the extensions give
    the signedness, the scalars za and zb the zero points. That of the filter may
    be ext(c), with an element c of a tensor that has one for each `f`, of each
    `g`. A float accumulator
    below f32 is written down in `numerics`, so that only a policy promotes it.

    Raising is exact or refused. A refused convolution stays, and a warning `was
    not raised` gives the reason as a note. Pooling, contractions without a
    window and all other ops stay without a word.
  }];
  let options = [
    Option<"report", "report", "bool", /*default=*/"true",
           "Warn, with the reason, of each convolution that is refused">];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::convoy::ConvoyDialect",
                           "::mlir::tensor::TensorDialect"];
}

def RaiseTosaPass : Pass<"convoy-raise-tosa"> {
  let summary = "Raise TOSA convolutions to the convoy dialect";
  let description = [{
    - Needs: TOSA convolutions on tensors.
    - Leaves: `convoy.conv` and `convoy.conv_backward_data` in their place; all
      other ops stay, and `tosa.sigmoid` of f16 and bf16 stands between casts.

    `tosa.conv2d`, `tosa.conv3d` and `tosa.depthwise_conv2d` become
    `convoy.conv`, and `tosa.transpose_conv2d` becomes
    `convoy.conv_backward_data`: its input is the output gradient of a forward
    convolution, its output that one's input, `out_pad` the padding turned
    round. Padding stays a matter of the window and is not materialised.
    ```mlir
    %r = tosa.transpose_conv2d %input, %filter, %bias, %zero, %zero
        {acc_type = f32, out_pad = array<i64: -1, 0, 1, 2>, stride = array<i64: 2, 3>}
        : (tensor<1x4x3x2xf32>, tensor<5x3x2x2xf32>, tensor<5xf32>, tensor<1xf32>, tensor<1xf32>)
        -> tensor<1x8x11x5xf32>
    ```
    becomes
    ```mlir
    %empty = tensor.empty() : tensor<1x8x11x5xf32>
    %init = linalg.broadcast ins(%bias : tensor<5xf32>)
        outs(%empty : tensor<1x8x11x5xf32>) dimensions = [0, 1, 2]
    %r = convoy.conv_backward_data
        ins(%input, %filter : tensor<1x4x3x2xf32>, tensor<5x3x2x2xf32>)
        outs(%init : tensor<1x8x11x5xf32>) layout(nhwc x chwf -> nhwf)
        window(stride = [2, 3], pad = [[1, 0], [-1, -2]])
    ```
    The bias, one value or one for each channel, is the init. Constant zero
    points become constants of the accumulator's type, others are read and
    extended; two that are zero are left out. Sizes may be dynamic, those of a
    depthwise filter's channels and of the bias excepted. Constants stay
    `tosa.const`: see `tosa-to-arith`.

    A sigmoid of f16 or bf16 computes in f32. `tosa-to-linalg` makes
    1 / (1 + exp(-x)) of it, which is 0 in f16 from x = -11.1 down, where the
    sigmoid is 1.5e-5.

    Raising is exact or refused. A refused convolution stays, and a warning
    `was not raised` gives the reason as a note.
  }];
  let options = [
    Option<"report", "report", "bool", /*default=*/"true",
           "Warn, with the reason, of each convolution that is refused">];
  let dependentDialects = ["::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::convoy::ConvoyDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

def ArithToIntrinsicsPass : Pass<"convoy-arith-to-intrinsics"> {
  let summary = "Multiply words by the instructions of CPUs that do so";
  let description = [{
    - Needs: arithmetic on vectors, before that on bf16 is lowered;
      `#convoy.target` with `dot`.
    - Leaves: calls of LLVM's intrinsics in the place of sums of products, as
      `convoy-word-products` writes them, of vectors of up to 16 words: those
      that fill no register are shuffled into one. Of words of 64 bits, which
      `convoy-pair-rows` has left, both halves are multiplied. All other ops
      stay.

    LLVM does not find these instructions in arithmetic on words. Where all parts
    of one factor are one constant, as where words of a filter are summed, it is
    a word of the sign that an instruction takes.

    | parts of a word | `dot` | instruction |
    |---|---|---|
    | two of i16 | `sse2_pmaddwd`, `avx2_pmaddwd`, `avx512_pmaddwd` | `pmaddwd`, and an addition |
    | two of i16 | `avx_vpdpwssd`, `avx512_vpdpwssd` | `vpdpwssd` |
    | four of u8 and of i8 | `avx_vpdpbusd`, `avx512_vpdpbusd`, `neon_usdot` | `vpdpbusd`, `usdot` |
    | four of i8, or of u8 | `neon_sdot`, `neon_udot` | `sdot`, `udot` |
    | two of bf16 | `avx512_vdpbf16ps` | `vdpbf16ps`, which takes subnormal numbers for zeros and gives none |
    | two of bf16 | `neon_bfdot` | `bfdot`, which does so, too, adds both products before the sum, and rounds to odd |

    In functions with `vdpbf16ps`, or with AMX's `tdpbf16ps`, vectors of f32 are rounded to bf16 by
    `vcvtneps2bf16`, which takes subnormal numbers for zeros as well.
    ```mlir
    %al = arith.trunci %a : vector<8xi32> to vector<8xi16>
    %low_a = arith.extsi %al : vector<8xi16> to vector<8xi32>
    %ah = arith.shrui %a, %c16 : vector<8xi32>
    ..
    %high = arith.muli %high_a, %high_b : vector<8xi32>
    %sum0 = arith.addi %sum, %high : vector<8xi32>
    %low = arith.muli %low_a, %low_b : vector<8xi32>
    %r = arith.addi %sum0, %low : vector<8xi32>
    ```
    becomes
    ```mlir
    %parts_a = vector.bitcast %a : vector<8xi32> to vector<16xi16>
    %parts_b = vector.bitcast %b : vector<8xi32> to vector<16xi16>
    %products = llvm.call_intrinsic "llvm.x86.avx2.pmadd.wd"(%parts_a, %parts_b)
        : (vector<16xi16>, vector<16xi16>) -> vector<8xi32>
    %r = arith.addi %sum, %products : vector<8xi32>
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect",
                           "::mlir::convoy::ConvoyDialect",
                           "::mlir::vector::VectorDialect"];
}

def MatricesToAMXPass : Pass<"convoy-matrices-to-amx"> {
  let summary = "Multiply matrices of words in AMX's tiles";
  let description = [{
    - Needs: sums of products of matrices of words of 32 bits, as
      `convoy-vectorize-tiles` writes them: contractions of vectors of up to 16
      rows and 16 columns, one for each part of a word, whose factors are read
      from buffers; `#convoy.target` with `dot`.
    - Leaves: calls of LLVM's intrinsics in the place of those. Loops carry the
      sums unchanged: tiles hold them. Contractions that do not fit stay as they
      are.

    Sums that loops carry side by side share their factors. They, and the factors
    of a step, take the tiles one by one, at most eight. Sums begin as zeros, or
    are loaded from memory on the stack, and are stored there behind the loops,
    where their rows are read. The shapes of tiles are loaded before the outermost
    loop in which there are no others.

    | parts of a word | `dot` | instruction |
    |---|---|---|
    | two of bf16 | `amx_tdpbf16ps` | `tdpbf16ps` |
    | four of i8, four of u8, and of both | `amx_tdpbssd`, `amx_tdpbuud`, `amx_tdpbsud`, `amx_tdpbusd` | the same |

    ```mlir
    %x = vector.transfer_read %rows[%i, %k] .. : memref<14x64xi32>, vector<14x16xi32>
    %w = vector.transfer_read %panel[%k, %j] .. : memref<64x16xi32>, vector<16x16xi32>
    ..
    %r = vector.contract .. %xlow, %wlow, %s1 : vector<14x16xf32>, vector<16x16xf32> into vector<14x16xf32>
    ```
    becomes
    ```mlir
    llvm.call_intrinsic "llvm.x86.tileloadd64"(%c1, %x, %rowBytes) : (i8, !llvm.ptr, i64) -> ()
    llvm.call_intrinsic "llvm.x86.tileloadd64"(%c2, %w, %panelBytes) : (i8, !llvm.ptr, i64) -> ()
    llvm.call_intrinsic "llvm.x86.tdpbf16ps"(%c0, %c1, %c2) : (i8, i8, i8) -> ()
    ```
    The instruction adds products of the same part of all words first, and then
    both sums to the one before.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::convoy::ConvoyDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::ub::UBDialect",
                           "::mlir::vector::VectorDialect"];
}

def PairRowsPass : Pass<"convoy-pair-rows"> {
  let summary = "Multiply words of two rows by instructions for matrices";
  let description = [{
    - Needs: sums of products of words of 64 bits, as `convoy-word-products`
      writes them, on vectors; `#convoy.target` with `dot`.
    - Leaves: calls of LLVM's intrinsics in the place of those that are rows of
      tiles, of two to four columns. All other ops stay:
      `convoy-arith-to-intrinsics` multiplies the halves of what is left.

    An instruction for matrices multiplies each of two words with each of two
    others, and adds the four products to four sums. Two sums of four columns
    make two such blocks, if each of their words is one for all columns, and
    both multiply the same words of the columns, one after the other. Loops
    carry the blocks in the place of the sums, which they carry unchanged. A
    vector of sums without another one that matches is both rows, and vectors of
    two or three columns are blocks, too.

    | parts of a word | `dot` | instruction |
    |---|---|---|
    | eight of i8, or of u8 | `neon_smmla`, `neon_ummla` | `smmla`, `ummla` |
    | eight of u8 and of i8 | `neon_usmmla` | `usmmla`; where the columns have no sign, they are its rows |
    | four of bf16 | `neon_bfmmla` | `bfmmla`, which rounds as two of `bfdot` do |

    ```mlir
    %x = vector.broadcast %first : i64 to vector<4xi64>
    %y = vector.broadcast %second : i64 to vector<4xi64>
    ..
    %r = arith.addi %r1, %xw : vector<4xi32> // %a and the parts of %x by %w
    %s = arith.addi %s1, %yw : vector<4xi32> // %b and the parts of %y by %w
    ```
    becomes
    ```mlir
    %low = vector.shuffle %a, %b [0, 1, 4, 5] : vector<4xi32>, vector<4xi32>
    %high = vector.shuffle %a, %b [2, 3, 6, 7] : vector<4xi32>, vector<4xi32>
    %rows = vector.from_elements %first, %second : vector<2xi64>
    %w01 = vector.shuffle %w, %w [0, 1] : vector<4xi64>, vector<4xi64>
    %w23 = vector.shuffle %w, %w [2, 3] : vector<4xi64>, vector<4xi64>
    .. // vector.bitcast to vector<16xi8>
    %low1 = llvm.call_intrinsic "llvm.aarch64.neon.smmla.v4i32.v16i8"(%low, %rows8, %w01_8)
    %high1 = llvm.call_intrinsic "llvm.aarch64.neon.smmla.v4i32.v16i8"(%high, %rows8, %w23_8)
    %r = vector.shuffle %low1, %high1 [0, 1, 4, 5] : vector<4xi32>, vector<4xi32>
    %s = vector.shuffle %low1, %high1 [2, 3, 6, 7] : vector<4xi32>, vector<4xi32>
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect",
                           "::mlir::convoy::ConvoyDialect",
                           "::mlir::vector::VectorDialect"];
}

def OutlineCopiesPass : Pass<"convoy-outline-copies", "::mlir::ModuleOp"> {
  let summary = "Turn copies of buffers into kernels of a GPU and their launches";
  let description = [{
    - Needs: functions that launch kernels on buffers, as
      `convoy-outline-kernels` and bufferization leave them.
    - Leaves: launches of kernels in the place of `memref.copy`, and functions
      that do nothing but launch.

    Whatever else functions do is refused: what is left is data.
    ```mlir
    memref.copy %x, %out : memref<5x7xf16> to memref<5x7xf16>
    ```
    becomes
    ```mlir
    convoy.launch @kernels::@copied_copy_0 grid [1, 1, 1]
        ins(%x : memref<5x7xf16>) outs(%out : memref<5x7xf16>)
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::convoy::ConvoyDialect",
                           "::mlir::gpu::GPUDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect"];
}

def OutlineKernelsPass : Pass<"convoy-outline-kernels", "::mlir::ModuleOp"> {
  let summary = "Turn ops on tensors into kernels of a GPU and their launches";
  let description = [{
    - Needs: functions with linalg ops, pads, slices, `convoy.im2col`,
      `convoy.grid_sample_backward_input` and `convoy.scatter_add` on tensors of
      static shape, but for the batch that `convoy-check-batch` lets through; ops
      in the form of `convoy-generalize-ops`.
    - Leaves: `convoy.launch` in their place, and the kernels in a
      `gpu.module`, on flat buffers.

    A kernel computes what it writes from the tensors in memory: slices, pads,
    im2col and elementwise ops on the way are computed where their elements are
    used, and never stored. Buffers of kernels are flat. A tile of
    `convoy-tile-workgroups` is computed as `convoy.workgroup_tile` says, with a
    matrix instruction as `amdgpu.mfma` or `amdgpu.wmma` on fragments; loops
    that do not go through its extents in steps of its sizes are an error.
    `convoy.grid_sample_backward_input`, whose result is f32, becomes a kernel in
    which each work-item goes through all samples of an image and adds to some
    rows of one channel, so that no other one adds to them; `convoy.scatter_add`
    becomes one in which it adds to some pixels of one channel.
    ```mlir
    func.func @relu(%x: tensor<3x5xf32>, %init: tensor<3x5xf32>) -> tensor<3x5xf32> {
      %zero = arith.constant 0.0 : f32
      %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
          ins(%x : tensor<3x5xf32>) outs(%init : tensor<3x5xf32>) {
      ^bb0(%e: f32, %out: f32):
        %m = arith.maximumf %e, %zero : f32
        linalg.yield %m : f32
      } -> tensor<3x5xf32>
      return %r : tensor<3x5xf32>
    }
    ```
    becomes
    ```mlir
    func.func @relu(%x: tensor<3x5xf32>, %init: tensor<3x5xf32>) -> tensor<3x5xf32> {
      %r = convoy.launch @kernels::@relu_0 grid [1, 1, 1]
          ins(%x : tensor<3x5xf32>) outs(%init : tensor<3x5xf32>) -> tensor<3x5xf32>
      return %r : tensor<3x5xf32>
    }
    gpu.module @kernels {
      gpu.func @relu_0(%x: memref<15xf32>, %init: memref<15xf32>) kernel
          attributes {known_block_size = array<i32: 64, 1, 1>}
    ```
  }];
  let dependentDialects = ["::mlir::amdgpu::AMDGPUDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::convoy::ConvoyDialect",
                           "::mlir::gpu::GPUDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect",
                           "::mlir::vector::VectorDialect"];
}

def ConvertGPUToROCDLPass : Pass<"convoy-convert-gpu-to-rocdl", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Convert kernels to ROCDL for one of AMD's GPUs";
  let description = [{
    - Needs: a `gpu.module` of kernels on buffers without loops and branches of
      `scf`, in a module with `convoy.rocm_chip`.
    - Leaves: functions of LLVM's dialect and ROCDL in it, which take bare
      pointers.

    It runs upstream's pass with options that follow from the module: the chip,
    and for `index` 32 bits, or 64 where a buffer has more than 2^30 elements.
    ```mlir
    gpu.func @f(%a: memref<24xf32>) kernel attributes {known_block_size = array<i32: 6, 1, 1>} {
      %i = gpu.thread_id x
      %x = memref.load %a[%i] : memref<24xf32>
      ..
    ```
    becomes
    ```mlir
    llvm.func @f(%a: !llvm.ptr) attributes {gpu.kernel, gpu.known_block_size = array<i32: 6, 1, 1>, rocdl.kernel,
        rocdl.flat_work_group_size = "6,6", rocdl.reqd_work_group_size = array<i32: 6, 1, 1>} {
      %i = rocdl.workitem.id.x range <i32, 0, 6> : i32
      %p = llvm.getelementptr inbounds|nuw %a[%i] : (!llvm.ptr, i32) -> !llvm.ptr, f32
      %x = llvm.load %p : !llvm.ptr -> f32
      ..
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect",
                           "::mlir::ROCDL::ROCDLDialect",
                           "::mlir::amdgpu::AMDGPUDialect",
                           "::mlir::cf::ControlFlowDialect",
                           "::mlir::memref::MemRefDialect"];
}

def ConvertGPUToSPIRVPass : Pass<"convoy-convert-gpu-to-spirv", "::mlir::ModuleOp"> {
  let summary = "Convert kernels to SPIR-V for a Vulkan profile";
  let description = [{
    - Needs: each `gpu.module` of kernels on buffers, as
      `convoy-allocate-attributions` and the passes before it leave them, in a
      module with `#convoy.vulkan_profile`.
    - Leaves: a `spirv.module` in its place.

    Argument i of a kernel becomes binding i of set 0, `known_block_size` the
    local size. Upstream's patterns do most of it; what differs from upstream's
    pass:
    - No type is replaced by one of another width or kind. Upstream stores bf16
      as f32, and types that the device lacks in words of 32 bits.
    - Where a kernel reads and writes one buffer, its barriers hold for buffers
      as well as for workgroup memory.
    - The condition of a select of vectors is made a vector, which SPIR-V
      before 1.4 asks for; `math.fma`, `math.exp2` and `ub.poison` of vectors
      are taken.
    - Quotients of floats by zero, which SPIR-V leaves undefined, are the
      infinities and NaN of IEEE 754. Signed remainders are those of quotients:
      upstream's of the smallest number has another sign.
    - The width of `index` follows from the sizes of the buffers: see
      `convoy-check-vulkan-limits`.
    - Kernels of one module have their variables of the workgroup in common,
      since a driver may reserve the memory of all of them for each kernel:
      variables of one type of elements are as large as the largest kernel's.
      Where that is still more than the profile's, each kernel has one
      variable, of the narrowest integers that occur. More than the profile's
      is refused.
    ```mlir
    gpu.module @kernels {
      gpu.func @f(%a: memref<6xvector<4xf32>>) kernel attributes {known_block_size = array<i32: 6, 1, 1>} {
        %i = gpu.thread_id x
        %v = memref.load %a[%i] : memref<6xvector<4xf32>>
        ..
    ```
    becomes
    ```mlir
    spirv.module @__spv__kernels Logical GLSL450 {
      spirv.func @f(%a: !spirv.ptr<!spirv.struct<(!spirv.array<6 x vector<4xf32>, stride=16> [0])>, StorageBuffer> {spirv.interface_var_abi = #spirv.interface_var_abi<(0, 0)>}) "None"
          attributes {spirv.entry_point_abi = #spirv.entry_point_abi<workgroup_size = [6, 1, 1]>} {
        ..
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::math::MathDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::spirv::SPIRVDialect",
                           "::mlir::vector::VectorDialect"];
}

def ConvertGPUToHostPass : Pass<"convoy-convert-gpu-to-host", "::mlir::ModuleOp"> {
  let summary = "Convert kernels to functions that the host executes";
  let description = [{
    - Needs: each `gpu.module` of kernels on flat buffers of numbers or of
      vectors, whose launches are gone (`convoy-drop-hosts`).
    - Leaves: functions on buffers in its place, which the runtime's devices
      `rocm-sim` and `vulkan-sim` call once for each work-item.

    A function takes the work-item, an opaque number; the ids of its group and
    its own, along x, y and z; the batch, if the kernel does; the kernel's
    buffers; and its workgroup's buffers. `gpu.barrier` is a call that returns
    when all of the group have come there. A second function,
    `<kernel>.layout`, tells a number at a time: whether the kernel is checked,
    its 3 sizes of a group, whether it takes the batch, how many buffers it
    takes and how many of a workgroup; then for each its elements, -1 where a
    launch says how many, and the bytes of one; then how many matrix operations
    it has, and for each the numbers that describe it.

    `amdgpu.mfma` and `amdgpu.wmma`, without modifiers, are a call as well,
    which returns when all of the wave have come there. It is given the
    registers of A, B and C that the work-item has, and changes those of C to
    those of D. With `pairwise-sums` it adds products pair by pair, where they
    are added one after the other else: no document promises an order.
    `amdgpu.sched_barrier`, which is for LLVM's scheduler, goes away.

    With `checks` the runtime is asked before each access, by the buffer's
    number, the first element and their count. Where it says no, since there
    are no such elements, a load gives zeros and a store is left out.
    ```mlir
    gpu.module @kernels {
      gpu.func @turn(%x: memref<8xf32>) workgroup(%s: memref<8xf32, #gpu.address_space<workgroup>>)
          kernel attributes {known_block_size = array<i32: 8, 1, 1>} {
        %i = gpu.thread_id x
        gpu.barrier
        %e = memref.load %s[%i] : memref<8xf32, #gpu.address_space<workgroup>>
        ..
    ```
    becomes
    ```mlir
    func.func @turn(%item: index, %gx: index, %gy: index, %gz: index, %x: index, %y: index, %z: index,
                    %b: memref<8xf32>, %s: memref<8xf32>) {
      call @convoy_simulated_barrier(%item, %c0) : (index, index) -> ()
      %answer = call @convoy_simulated_read(%item, %c1, %x, %c1) : (index, index, index, index) -> index
      %allowed = arith.cmpi ne, %answer, %c0 : index
      %e = scf.if %allowed -> (f32) {
        %element = memref.load %s[%x] : memref<8xf32>
        ..
    ```
  }];
  let options = [
    Option<"checks", "checks", "bool", /*default=*/"true",
           "Ask the runtime before each access to memory">,
    Option<"pairwiseSums", "pairwise-sums", "bool", /*default=*/"false",
           "Let matrix instructions add products pair by pair">];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::func::FuncDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::vector::VectorDialect"];
}

#endif // CONVOY_CONVERSION_PASSES_TD
