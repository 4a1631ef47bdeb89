//===- ConvoyAttrs.td - Layouts, windows, numerics, targets ------ -*- tablegen -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_ATTRS_TD
#define CONVOY_ATTRS_TD

include "convoy/Dialect/Convoy/IR/ConvoyDialect.td"
include "mlir/IR/EnumAttr.td"

def Convoy_ConvLayoutAttr : Convoy_Attr<"ConvLayout", "layout"> {
  let summary = "Name the dimensions of input, filter and output in memory order";
  let description = [{
    Example: `#convoy.layout<nhwc x hwcf -> nhwf>`.
  }];
  let parameters = (ins StringRefParameter<"of the input">:$input,
                        StringRefParameter<"of the filter">:$filter,
                        StringRefParameter<"of the output">:$output);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// The three layouts as plain words.
    ::convoy::ConvLayouts getLayouts() const;
    static ConvLayoutAttr get(::mlir::MLIRContext *context,
                              const ::convoy::ConvLayouts &layouts);
    /// Number of spatial dimensions.
    int64_t getSpatialRank() const;
    bool hasGroups() const { return getInput().contains('g'); }
  }];
}

def Convoy_Im2colLayoutAttr : Convoy_Attr<"Im2colLayout", "im2col_layout"> {
  let summary = "Name the dimensions of an input and of its unfolded rows";
  let description = [{
    The rows have two parts: output positions, in which `d h w` are positions,
    and the window, in the filter's own order, in which `d h w` are taps. A bar
    parts them; the window, which has `c`, may stand first or among the
    positions, as in PyTorch's `unfold`, `n|chw|hw`.
    Example: `#convoy.im2col_layout<nhwc, nhw|hwc>`.
  }];
  let parameters = (ins StringRefParameter<"of the input">:$input,
                        StringRefParameter<"n, g and output positions">:$positions,
                        StringRefParameter<"taps and c, in the filter's order">:$window,
                        "int64_t":$windowDim);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Number of spatial dimensions.
    int64_t getSpatialRank() const;
    static Im2colLayoutAttr get(::mlir::MLIRContext *context,
                                ::llvm::StringRef input,
                                const ::convoy::RowsLayout &rows);
    /// Number of dimensions of the rows.
    int64_t getRowsRank() const {
      return getPositions().size() + getWindow().size();
    }
    /// Whether dimension `dim` of the rows is a tap or `c`.
    bool isWindow(int64_t dim) const {
      return dim >= getWindowDim() &&
             dim < getWindowDim() + int64_t(getWindow().size());
    }
    /// The letter of each dimension of the rows; spatial ones stand twice.
    std::string getRowsLetters() const;
    /// Dimension of the rows that is an output position or the batch.
    int64_t getPositionDim(char letter) const {
      int64_t dim = getPositions().find(letter);
      return dim < getWindowDim() ? dim : dim + getWindow().size();
    }
    /// Dimension of the rows that is a tap or `c`.
    int64_t getWindowDim(char letter) const {
      return getWindowDim() + getWindow().find(letter);
    }
    /// Dimension of the rows that `letter` is, which is not spatial.
    int64_t getSharedDim(char letter) const {
      return letter == 'c' ? getWindowDim(letter) : getPositionDim(letter);
    }
  }];
}

def Convoy_SampleLayoutAttr : Convoy_Attr<"SampleLayout", "sample_layout"> {
  let summary = "Name the dimensions of an image, a grid and the samples";
  let description = [{
    All three have `n`, `c` and spatial letters, `hw` or `dhw`: the image's are
    its own, the grid's and the result's those of the samples. The grid's `c`
    are the coordinates of a sample, innermost dimension first: x, y, z.
    Example: `#convoy.sample_layout<nchw x nhwc -> nchw>`.
  }];
  let parameters = (ins StringRefParameter<"of the image">:$input,
                        StringRefParameter<"of the grid">:$grid,
                        StringRefParameter<"of the samples">:$output);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Number of spatial dimensions, 2 or 3.
    int64_t getSpatialRank() const {
      return static_cast<int64_t>(getInput().size()) - 2;
    }
  }];
}

def Convoy_SampleMode : I32EnumAttr<"SampleMode", "how elements make a sample", [
    I32EnumAttrCase<"Linear", 0, "linear">,
    I32EnumAttrCase<"Nearest", 1, "nearest">,
    I32EnumAttrCase<"Cubic", 2, "cubic">]> {
  let cppNamespace = "::mlir::convoy";
  let genSpecializedAttr = 0;
}

def Convoy_SampleModeAttr
    : EnumAttr<Convoy_Dialect, Convoy_SampleMode, "sample_mode"> {
  let assemblyFormat = "`<` $value `>`";
}

def Convoy_SamplePadding : I32EnumAttr<"SamplePadding", "what lies around an image", [
    I32EnumAttrCase<"Zeros", 0, "zeros">,
    I32EnumAttrCase<"Border", 1, "border">,
    I32EnumAttrCase<"Reflection", 2, "reflection">]> {
  let cppNamespace = "::mlir::convoy";
  let genSpecializedAttr = 0;
}

def Convoy_SamplePaddingAttr
    : EnumAttr<Convoy_Dialect, Convoy_SamplePadding, "sample_padding"> {
  let assemblyFormat = "`<` $value `>`";
}

def Convoy_PaddingMode : I32EnumAttr<"PaddingMode", "which elements padding holds", [
    I32EnumAttrCase<"Reflect", 0, "reflect">,
    I32EnumAttrCase<"Replicate", 1, "replicate">,
    I32EnumAttrCase<"Circular", 2, "circular">]> {
  let cppNamespace = "::mlir::convoy";
  let genSpecializedAttr = 0;
}

def Convoy_PaddingModeAttr
    : EnumAttr<Convoy_Dialect, Convoy_PaddingMode, "padding_mode"> {
  let assemblyFormat = "`<` $value `>`";
}

def Convoy_WindowAttr : Convoy_Attr<"Window", "window"> {
  let summary = "Say how a filter moves over an input";
  let description = [{
    One entry for each spatial dimension, outermost first. An empty list stands
    for the default: strides, dilations and input dilations of 1, no padding, no
    reversed taps. Padding may differ between the low and the high side and may
    be negative, which crops. The names' meanings are those of StableHLO's
    convolution: `window_strides`, `rhs_dilation`, `padding`, `lhs_dilation` and
    `window_reversal`.
    Example: `#convoy.window<stride = [2, 2], pad = [[1, 1], [0, 1]]>`.
  }];
  let parameters = (ins OptionalArrayRefParameter<"int64_t">:$stride,
                        OptionalArrayRefParameter<"int64_t">:$dilation,
                        OptionalArrayRefParameter<"int64_t">:$padLow,
                        OptionalArrayRefParameter<"int64_t">:$padHigh,
                        OptionalArrayRefParameter<"int64_t">:$inputDilation,
                        OptionalArrayRefParameter<"bool">:$reverse);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// The window with every list that holds only defaults left empty.
    static WindowAttr get(::mlir::MLIRContext *context,
                          ::llvm::ArrayRef<::convoy::WindowDim> dims);
    /// The window of spatial dimension `dim`, outermost first.
    ::convoy::WindowDim getDim(int64_t dim) const;
    /// All `spatialRank` dimensions.
    ::llvm::SmallVector<::convoy::WindowDim> getDims(int64_t spatialRank) const;
    /// Whether every list is empty.
    bool isDefault() const;
    /// Whether an input dilation other than 1 stands in the list.
    bool hasInputDilation() const;
    /// Whether a window reaches beyond the input, as it says.
    bool hasPadding() const;
  }];
}

def Convoy_Policy : I32EnumAttr<"Policy", "how freely precision may be lowered", [
    I32EnumAttrCase<"Normal", 0, "normal">,
    I32EnumAttrCase<"High", 1, "high">,
    I32EnumAttrCase<"Low", 2, "low">]> {
  let cppNamespace = "::mlir::convoy";
  let genSpecializedAttr = 0;
}

def Convoy_NumericsAttr : Convoy_Attr<"Numerics", "numerics"> {
  let summary = "Say how elements are read and in which type they are summed";
  let description = [{
    `input` and `filter` stand for the first and the second operand of the op,
    whichever its direction: `conv_backward_data` has the output's gradient for
    `input`, `conv_backward_filter` for `filter`.
    Integers are signless in MLIR; `input = unsigned` and `filter = unsigned`
    say that elements are zero-extended. `accumulator` is the type of products
    and sums, where it is not the init's. `policy` is `normal` (operands in their
    type, sums as declared but not below f32), `high` (at least f32, nothing
    reduced) or `low` (sums may stay in the storage type where the declared
    ranges show that nothing overflows or vanishes); `convoy-apply-policy`
    changes the accumulator accordingly. `input_range` and `filter_range`, a low
    and a high finite number, bound the finite values of an operand.
    Example: `#convoy.numerics<input = unsigned, accumulator = i32>`.
  }];
  let parameters = (ins DefaultValuedParameter<"bool", "false">:$inputUnsigned,
                        DefaultValuedParameter<"bool", "false">:$filterUnsigned,
                        OptionalParameter<"::mlir::Type">:$accumulator,
                        DefaultValuedParameter<"::mlir::convoy::Policy",
                                               "::mlir::convoy::Policy::Normal">:$policy,
                        OptionalParameter<"::mlir::DenseF64ArrayAttr">:$inputRange,
                        OptionalParameter<"::mlir::DenseF64ArrayAttr">:$filterRange);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Signed operands, sums in the init's type, normal policy.
    static NumericsAttr getDefault(::mlir::MLIRContext *context);
    bool isDefault() const;
    /// The same numerics with another accumulator.
    NumericsAttr withAccumulator(::mlir::Type accumulator) const;
    /// The same numerics with another policy.
    NumericsAttr withPolicy(::mlir::convoy::Policy policy) const;
  }];
}

def Convoy_TargetAttr : Convoy_Attr<"Target", "target"> {
  let summary = "Describe the machine that tiles are made for";
  let description = [{
    Data, not code, is what differs between targets. `vector_bytes` is the width
    of a vector register, `registers` how many of them there are, `tile` the
    register tile as rows x vectors (empty: chosen from the registers), and
    `l1_bytes` and `l2_bytes` the caches next to a core. The rest of what the cost
    models of CPUs ask of a core is printed where it is not what most cores have:
    - `line_bytes` (64) and `page_bytes` (4096): a line of the caches, and a page.
    - `critical_stride` (4096): addresses that lie so many bytes apart share a
      set of the first cache.
    - `tlb_entries` (64): pages that the first level of the TLB translates.
    - `last_level_bytes` (0: eight times `l2_bytes`): a core's part of the last
      cache.
    - `prefetch_streams` (16): rows that are read in turn and prefetched all the
      same.
    - `vector_units` (2): multiply-adds of vectors that start in a cycle, and as
      many loads.
    - `fma_latency` (4): cycles from a multiply-add to the next that adds to its
      sum.
    - `masked_bytes` (64): the smallest vectors that are read and written under a
      mask as fast as without.
    - `indexed_bytes` (0: none): vectors any element of which an instruction
      multiplies with a vector, so that it need not fill one of its own.

    `dot` are the CPU's instructions that sum products of neighbours, some of
    them of matrices, by the names of `Support/CPUDotInstruction.h`.

    A GPU has besides `subgroup`, the work-items that run in step, `workgroup_bytes`, the memory
    that a workgroup shares, and `workgroup_items`, the most work-items in one;
    its vectors and registers are those of one work-item. All three are 0
    for what is not a GPU, and then not printed. With `slow_shared_memory` the memory
    that a workgroup shares is no faster than any other. `matrix` are the instructions
    that multiply matrices, by the names of `Support/GPUMatrixInstruction.h`.
    `compute_units` (0: not known) is how many units run workgroups of their own.
    Constraints:
    - (C1) All numbers of a core are positive; `last_level_bytes`
      and `indexed_bytes` may be 0.
    - (C2) `tile` is empty or two positive numbers with a product of at most 4096.
    - (C3) `subgroup`, `workgroup_bytes` and `workgroup_items` are all positive
      or all 0.
    - (C4) `subgroup` is a power of two, at most `workgroup_items`.
    - (C5) `matrix` holds names of instructions for waves of `subgroup`
      work-items.
    - (C6) `dot` holds names of instructions.
    - (C7) `compute_units` is not negative.
    Examples: `#convoy.target<vector_bytes = 64, registers = 32>`,
    `#convoy.target<page_bytes = 16384, dot = ["neon_sdot", "neon_udot"]>`,
    `#convoy.target<subgroup = 32, workgroup_bytes = 49152, workgroup_items = 1024>`.
  }];
  let parameters = (ins DefaultValuedParameter<"int64_t", "16">:$vectorBytes,
                        DefaultValuedParameter<"int64_t", "16">:$registers,
                        DefaultValuedParameter<"int64_t", "32768">:$l1Bytes,
                        DefaultValuedParameter<"int64_t", "262144">:$l2Bytes,
                        "::mlir::convoy::CoreTraits":$core,
                        OptionalParameter<"::mlir::ArrayAttr">:$dot,
                        OptionalArrayRefParameter<"int64_t">:$tile,
                        DefaultValuedParameter<"int64_t", "0">:$subgroup,
                        DefaultValuedParameter<"int64_t", "0">:$workgroupBytes,
                        DefaultValuedParameter<"int64_t", "0">:$workgroupItems,
                        OptionalParameter<"::mlir::ArrayAttr">:$matrix,
                        DefaultValuedParameter<"bool", "false">:$slowSharedMemory,
                        DefaultValuedParameter<"int64_t", "0">:$computeUnits);
  let builders = [
    // What is not a GPU.
    AttrBuilder<(ins "int64_t":$vectorBytes, "int64_t":$registers,
                     "int64_t":$l1Bytes, "int64_t":$l2Bytes,
                     "::llvm::ArrayRef<int64_t>":$tile), [{
      return $_get($_ctxt, vectorBytes, registers, l1Bytes, l2Bytes,
                   ::mlir::convoy::CoreTraits(), /*dot=*/::mlir::ArrayAttr(), tile,
                   /*subgroup=*/0, /*workgroupBytes=*/0, /*workgroupItems=*/0, /*matrix=*/::mlir::ArrayAttr(),
                   /*slowSharedMemory=*/false, /*computeUnits=*/0);
    }]>
  ];
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Whether work-items run in workgroups.
    bool isGPU() const { return getSubgroup() != 0; }
    /// Name of the module attribute that holds the target.
    static constexpr ::llvm::StringLiteral getModuleAttrName() {
      return "convoy.target";
    }
    /// A machine without anything known of it: 128-bit vectors, 16 registers.
    static TargetAttr getDefault(::mlir::MLIRContext *context);
    /// How many elements of this type, an integer's or a float's, a vector
    /// register holds: at least 1.
    int64_t getVectorLanes(::mlir::Type element) const;
    /// Whether some elements of a vector are read and written under a mask as
    /// fast as all.
    bool hasMasks() const {
      return getVectorBytes() >= getCore().maskedBytes;
    }
    /// A core's part of the last cache, be it said or not.
    int64_t getLastLevelBytes() const;
    /// The CPU's instructions that sum products of neighbours.
    ::llvm::SmallVector<const ::convoy::CPUDotInstruction *>
    getDotInstructions() const;
    /// The instruction for factors of type `operand` whose products are summed
    /// in `result`; null where there is none.
    const ::convoy::GPUMatrixInstruction *
    getMatrixInstruction(::mlir::Type operand, ::mlir::Type result) const;
    /// The target of the module around `op`, else the default.
    static TargetAttr lookup(::mlir::Operation *op);
  }];
}

def Convoy_WorkgroupTileAttr : Convoy_Attr<"WorkgroupTile", "workgroup_tile"> {
  let summary = "Say how a workgroup computes its tile of a contraction";
  let description = [{
    What `convoy-tile-workgroups` leaves on the contraction in a tile. `extents`
    are the sizes of the whole contraction's loops, `sizes` those of a tile: of
    the result's loops, and of the reductions' in one step. Vectors run along
    `lane_loop`; one work-item computes `item_rows` x `item_lanes` elements. With
    `matrix`, one of the target's instructions, those are what a subgroup computes
    together, and with two `buffers` the next step's factors are stored beside
    this one's in the memory that work-items share, not in their place. What is
    not `staged` there, they read where it lies, in one step; or in several,
    where `sharers` work-items add up each sum and take the steps in turn. Behind
    those with sums there are `idle` work-items, which have none of their own and
    make the last subgroup whole: they help to share what is read.
    Constraints:
    - (C1) `extents` and `sizes` are equally many.
    - (C2) A size is positive, and no larger than its extent, if that is known.
    - (C3) `lane_loop` is one of the loops.
    - (C4) `item_rows` and `item_lanes` are positive multiples of 4, with `matrix`
      of 16.
    - (C5) `matrix` names an instruction.
    - (C6) `buffers` is 1, or with `matrix` 2.
    - (C7) `sharers` is a power of two up to 1024, and 1 unless `staged` is false.
    - (C8) `idle` is not negative and below 1024, and 0 with `matrix`.
    Example: `#convoy.workgroup_tile<extents = [1, 8, 8, 128, 3, 3, 32], sizes = [1, 8, 8, 64, 1, 1, 16], lane_loop = 3, item_rows = 4, item_lanes = 4>`.
  }];
  let parameters = (ins "::mlir::DenseI64ArrayAttr":$extents,
                        "::mlir::DenseI64ArrayAttr":$sizes,
                        "int64_t":$laneLoop, "int64_t":$itemRows,
                        "int64_t":$itemLanes,
                        OptionalParameter<"::mlir::StringAttr">:$matrix,
                        DefaultValuedParameter<"bool", "true">:$staged,
                        DefaultValuedParameter<"int64_t", "1">:$buffers,
                        DefaultValuedParameter<"int64_t", "1">:$sharers,
                        DefaultValuedParameter<"int64_t", "0">:$idle);
  let assemblyFormat = [{
    `<` `extents` `=` $extents `,` `sizes` `=` $sizes `,` `lane_loop` `=` $laneLoop
    `,` `item_rows` `=` $itemRows `,` `item_lanes` `=` $itemLanes
    (`,` struct($matrix, $staged, $buffers, $sharers, $idle)^)? `>`
  }];
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Name of the attribute of a contraction that holds its tile.
    static constexpr ::llvm::StringLiteral getAttrName() {
      return "convoy.workgroup_tile";
    }
    /// What `matrix` names, or null.
    const ::convoy::GPUMatrixInstruction *getMatrixInstruction() const;
  }];
}

def Convoy_SliceAttr : Convoy_Attr<"Slice", "slice"> {
  let summary = "Say which elements of a tensor are meant";
  let description = [{
    Where they start along each dimension, how many there are, and how far apart
    they lie; -1 of them are as many as the batch has images.
    Constraints:
    - (C1) Offsets, sizes and strides are equally many.
    - (C2) Offsets are not negative, sizes positive or -1, strides positive.
    Example: `#convoy.slice<[0, 1, 0] [-1, 4, 8] [1, 2, 1]>`.
  }];
  let parameters = (ins "::mlir::DenseI64ArrayAttr":$offsets,
                        "::mlir::DenseI64ArrayAttr":$sizes,
                        "::mlir::DenseI64ArrayAttr":$strides);
  let assemblyFormat = "`<` $offsets $sizes $strides `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// The size that stands for the batch's.
    static constexpr int64_t kBatch = -1;
    int64_t getRank() const { return getOffsets().size(); }
    /// Whether `index` along dimension `dim` is in the slice.
    bool contains(int64_t dim, int64_t index) const;
  }];
}

def Convoy_VulkanProfileAttr : Convoy_Attr<"VulkanProfile", "vulkan_profile"> {
  let summary = "Say what a Vulkan device can do";
  let description = [{
    Kernels are made for a profile and run on any device that offers as much.
    What is not said is what every device with Vulkan 1.2 has to offer.
    `features` holds the types that it computes with (`f16`, `f64`, `i8`, `i16`,
    `i64`), the sizes of elements besides 32 bits that its buffers hold
    (`storage8`, `storage16`), and for which widths of floats a kernel may ask
    to round to nearest (`nearest16`, …) and to keep signs of zeros, infinities
    and NaNs (`special16`, …); also `slow_shared_memory`, as of a device that is a CPU:
    the memory that a workgroup shares is no faster than any other, and an access
    takes time for each of its elements, whatever their width. `registers`
    is how many vectors of 16 bytes a work-item holds, for the choice of tiles,
    and `compute_units` how many multiprocessors run workgroups of their own, or
    0 where that is not known.
    `loop_iterations` is how many iterations of its loops are run at most, one
    more counted each time that a loop ends, where the device leaves out the rest
    without an error, as Mesa's lavapipe does.
    Constraints:
    - (C1) All numbers are positive; `compute_units` may be 0.
    - (C2) `subgroup` is a power of two, at most `workgroup_items`.
    Example: `#convoy.vulkan_profile<name = "small", workgroup_items = 256, features = [f16, storage16]>`.
  }];
  let parameters = (ins StringRefParameter<"to call it by">:$profileName,
                        "::convoy::VulkanLimits":$limits);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Name of the module attribute that holds the profile.
    static constexpr ::llvm::StringLiteral getModuleAttrName() {
      return "convoy.vulkan_profile";
    }
    static VulkanProfileAttr get(::mlir::MLIRContext *context,
                                 const ::convoy::VulkanProfile &profile);
    /// The profile of the module around `op`, or null where there is none.
    static VulkanProfileAttr lookup(::mlir::Operation *op);
    /// The machine that tiles are made for.
    TargetAttr getTarget() const;
  }];
}

#endif // CONVOY_ATTRS_TD
