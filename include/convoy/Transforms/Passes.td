//===- Passes.td - Passes on functions and their tiles -----*- tablegen -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TRANSFORMS_PASSES_TD
#define CONVOY_TRANSFORMS_PASSES_TD

include "convoy/Transforms/BufferPasses.td"
include "convoy/Transforms/ConvolutionPasses.td"
include "mlir/Pass/PassBase.td"

include "convoy/Transforms/PackingPasses.td"
include "convoy/Transforms/ROCDLPasses.td"
include "convoy/Transforms/SPIRVPasses.td"
include "convoy/Transforms/TensorPasses.td"
include "convoy/Transforms/ThreadPasses.td"
include "convoy/Transforms/WorkgroupPasses.td"

def PadIm2colPass : Pass<"convoy-pad-im2col"> {
  let summary = "Pad inputs so that no window leaves them";
  let description = [{
    Takes `convoy.im2col` whose window reaches outside the input; leaves a
    `tensor.pad` of what the windows read and an im2col without padding, whose
    tiles are then slices. Negative padding beside it becomes part of the slice
    that is padded; alone it is left as it is.
    ```mlir
    %rows = convoy.im2col %x layout(nwc, nw|wc) window(pad = [[1, 1]])
        : tensor<1x7x4xf32> -> tensor<1x7x3x4xf32>
    ```
    becomes
    ```mlir
    %padded = tensor.pad %x low[0, 1, 0] high[0, 1, 0] {..}
        : tensor<1x7x4xf32> to tensor<1x9x4xf32>
    %rows = convoy.im2col %padded layout(nwc, nw|wc)
        : tensor<1x9x4xf32> -> tensor<1x7x3x4xf32>
    ```
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::convoy::ConvoyDialect",
                           "::mlir::tensor::TensorDialect"];
}

def TransposeResultsPass : Pass<"convoy-transpose-results"> {
  let summary = "Let vectors of sums lie side by side, and transpose them after";
  let description = [{
    Takes contractions over im2col of static sizes that start from a fill, whose
    result goes to a whole tensor, or to a part of one whose elements follow each
    other. Where the dimension that vectors should run
    along is not the result's innermost, so that each element would be stored by
    itself, it leaves loops over parts of the result, each computed with that
    dimension innermost and then transposed by a `linalg.generic`. A part takes a
    quarter of the L2 cache at most. This is done where sums have 512 terms at most
    and the estimate of `convoy-tile-contraction` saves a tenth of the time at
    least, copies counted. Where lanes would go on from row to row of pixels, a row
    of less than two vectors is copied by itself: there any time saved will do,
    and rows of less than one have sums of any number of terms.
    ```mlir
    %dw = linalg.generic {..} ins(%rows, %dy) outs(%zeros) -> tensor<96x64x3x3xf32>
    ```
    becomes
    ```mlir
    %m = tensor.collapse_shape %dest [[0], [1, 2, 3]] : tensor<96x576xf32>
    %r = scf.for %f = %c0 to %c96 step %c48 iter_args(%t = %m) {
      %part = linalg.generic {..} ins(%rows, %dyf) outs(%z) -> tensor<64x3x3x48xf32>
      %flat = tensor.collapse_shape %part [[0, 1, 2], [3]] : tensor<576x48xf32>
      %copy = linalg.generic {(f, k) -> (k, f)} ins(%flat) ..
      %u = tensor.insert_slice %copy into %t[%f, 0] [48, 576] [1, 1]
      scf.yield %u
    }
    ```
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::convoy::ConvoyDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect"];
}

def TileContractionPass : Pass<"convoy-tile-contraction"> {
  let summary = "Tile contractions over im2col for the target's registers";
  let description = [{
    Takes a contraction whose left operand is `convoy.im2col`, with the ops that
    convert its init and its result; leaves loops over tiles. Parallel loops are
    outside; a register tile has one dimension of lanes and one of rows, or two
    where whole rows leave registers free and lanes of the filter lie apart. The
    reduction runs inside, one tap and channel at a time, with im2col fused, so
    that the matrix never exists. Where a size is no multiple of the tile, the
    rest is an op of its own with a smaller tile.

    Lanes may also run along a reduction (`summed` in the remark), where nothing
    of the result fills vectors, as in the gradient of a filter that has few
    channels or lies with its taps innermost: each element of the tile is a vector
    of partial sums, whose lanes are added at the end. A step then takes as many
    taps as there are lanes, and a few of another reduction (`terms`) where rows
    of the tile read the same rows of the input at different ones. What whole
    vectors leave of such a reduction is a contraction of its own.

    Where it pays, the factor that the lanes run along, filter or im2col, is
    copied for one tile of lanes into the order in which it is read
    (`convoy.packed`), outside the loops that share it. Lanes may then go on from
    one row of the output to the next: the tile takes whole rows, whose loops
    become one. What is packed at a time takes a quarter of the L2 cache at most;
    longer reductions are cut into blocks, between which partial sums are stored
    in the result.

    What the tiles share is meant to stay in the L2 cache. Where it would not,
    loops outside of all others take some rows at a time for all lanes, or some
    of the reduction for all of the result (`for all lanes at a time` and `one
    for all lanes` in the remark). An estimate of the lines that then come from
    beyond the cache chooses.

    The tile comes from `#convoy.target` on the module, and `convoy.lanes` on each
    tiled op tells `convoy-vectorize-tiles` the output dimension of the lanes, or
    the loop that is summed over, and how many of them a vector holds.
  }];
  let options = [
    Option<"explain", "explain", "bool", "false",
           "Say in a remark how each contraction is tiled">
  ];
  let dependentDialects = ["::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::convoy::ConvoyDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect"];
}

def DecomposeIm2colPass : Pass<"convoy-decompose-im2col"> {
  let summary = "Turn im2col into slices, or gathers where no slice will do";
  let description = [{
    Takes `convoy.im2col` of any size, padded or not. Where each spatial
    dimension has one position or one tap and the consumer is a
    `linalg.generic`, the consumer reads a strided slice of the input in place
    of the rows, and nothing is copied:
    ```mlir
    %rows = convoy.im2col %x layout(nwc, nw|wc) window(stride = [2])
        : tensor<1x5x4xf32> -> tensor<1x3x1x4xf32>
    ```
    becomes
    ```mlir
    %rows = tensor.extract_slice %x[0, 0, 0] [1, 3, 4] [1, 2, 1]
    ```
    Elsewhere the rows are gathered by a `linalg.generic`.
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::convoy::ConvoyDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

def SkipPaddingPass : Pass<"convoy-skip-padding"> {
  let summary = "Skip tiles and steps of sums that read nothing but padding";
  let description = [{
    Takes loops on tensors around sums of products, as
    `convoy-decompose-im2col` leaves them, one of whose factors is read through
    slices and copies from a tensor padded with zeros. Where, for some
    iterations, all that is read lies beyond the border in one dimension,
    nothing is added. Loops of a reduction are narrowed to the other iterations;
    other loops keep theirs, so that threads share them as before, and branch:
    ```mlir
    %s = scf.for %c = %c0 to %c512 step %c1 iter_args(%t = %tile) {..}
    ```
    becomes, where row %oh + %kh of an image of 7 rows padded by one is read,
    ```mlir
    %row = affine.apply affine_map<(d0, d1) -> (d0 + d1)>(%oh, %kh)
    %isRead = 1 <= %row < 8
    %s = scf.if %isRead -> (tensor<1x1x7x48xf32>) {
      %sum = scf.for %c = %c0 to %c512 step %c1 iter_args(%t = %tile) {..}
      scf.yield %sum
    } else {
      scf.yield %tile
    }
    ```
    What an infinity or a NaN of the other factor would make of the zeros is
    left out.
  }];
  let dependentDialects = ["::mlir::convoy::ConvoyDialect",
                           "::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect"];
}

def VectorizeTilesPass : Pass<"convoy-vectorize-tiles"> {
  let summary = "Hold register tiles in vectors";
  let description = [{
    Takes what `convoy-tile-contraction` left: fills, conversions and reduction
    loops on tiles of static size, marked `convoy.lanes`; leaves vectors. Each
    row of a tile is one vector along the lanes; the accumulators are carried
    through the reduction loops, read and written once. Operands without lanes
    are read as scalars and broadcast, operands whose lanes are not adjacent in
    memory are read element by element. If lanes are summed over, there is one
    vector for each element of the tile, which starts at zero: lanes without a
    term read zeros under a mask, elements up to four apart in memory are read with
    what lies between them, and in the end halves of the vector are added until one
    sum is left. Where the target has masks, a vector that its lanes do not fill
    is one of a register's size with masked lanes (`convoy.masked`), and rows that
    share a vector are computed one after the other if registers do not hold all
    such vectors. Where accumulators take more than a quarter
    of the registers, `llvm.loop_annotation` keeps LLVM from unrolling their loops.
  }];
  let dependentDialects = ["::mlir::convoy::ConvoyDialect",
                           "::mlir::LLVM::LLVMDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect",
                           "::mlir::ub::UBDialect",
                           "::mlir::vector::VectorDialect"];
}

def AttachTargetPass : Pass<"convoy-attach-target", "::mlir::ModuleOp"> {
  let summary = "Say which machine tiles are made for";
  let description = [{
    Puts `#convoy.target` on the module, in the place of the one it has.
  }];
  let options = [
    Option<"vectorBytes", "vector-bytes", "int64_t", "16",
           "Width of a vector register in bytes">,
    Option<"registers", "registers", "int64_t", "16",
           "Number of vector registers">,
    Option<"l1Bytes", "l1-bytes", "int64_t", "32768",
           "Size of a core's first cache in bytes">,
    Option<"l2Bytes", "l2-bytes", "int64_t", "262144",
           "Size of a core's second cache in bytes">,
    ListOption<"tile", "tile", "int64_t",
               "Rows and vectors of the register tile; empty chooses them from "
               "the registers">,
    Option<"subgroup", "subgroup", "int64_t", "0",
           "Work-items of a GPU that run in step; 0 for what is not a GPU">,
    Option<"workgroupBytes", "workgroup-bytes", "int64_t", "0",
           "Memory that a workgroup shares in bytes; 0 for what is not a GPU">,
    Option<"workgroupItems", "workgroup-items", "int64_t", "0",
           "Most work-items in a workgroup; 0 for what is not a GPU">,
    Option<"flatMemory", "flat-memory", "bool", "false",
           "Whether the memory that a workgroup shares is no faster than any "
           "other">
  ];
  let dependentDialects = ["::mlir::convoy::ConvoyDialect"];
}

def AddDestinationsPass : Pass<"convoy-add-destinations", "::mlir::func::FuncOp"> {
  let summary = "Write results into buffers that the caller gives";
  let description = [{
    Takes functions on tensors; leaves functions without results, with a memref
    argument for each result that was. Tensor arguments are only read. What a
    caller must know of each argument is kept in the attribute
    `convoy.arguments`: its name, type, layout, and whether it is written. Names
    and layouts come from the attributes `convoy.name` and `convoy.layout` of
    arguments and results, else from the convolution that uses them. A name that
    is taken, such as `workspace`, gets a number. Where ops add to an argument, as
    convolutions do to an init, the buffer starts as its copy. Names of functions and
    arguments that a header for C and C++ cannot declare are refused.
    ```mlir
    func.func @f(%x: tensor<7xf32>) -> tensor<5xf32> { .. return %r }
    ```
    becomes
    ```mlir
    func.func @f(%x: tensor<7xf32>, %out: memref<5xf32>) {
      ..
      bufferization.materialize_in_destination %r in restrict writable %out
      return
    }
    ```
  }];
  let dependentDialects = ["::mlir::bufferization::BufferizationDialect",
                           "::mlir::memref::MemRefDialect"];
}

def AssertSizesPass : Pass<"convoy-assert-sizes", "::mlir::func::FuncOp"> {
  let summary = "Assert that dynamic sizes agree";
  let description = [{
    Takes kernels on tensors; leaves before each convolution, linalg op and write
    of a result the assertions that the op takes for granted of its dynamic
    sizes: dimensions of one letter or loop are equal, windows reach no further
    than the padding.
    ```mlir
    %y = convoy.conv ins(%x, %w : tensor<?x9x4xf32>, ..) outs(%init : tensor<?x7x6xf32>) ..
    ```
    becomes
    ```mlir
    %n0 = tensor.dim %x, %c0 : tensor<?x9x4xf32>
    %n1 = tensor.dim %init, %c0 : tensor<?x7x6xf32>
    %equal = arith.cmpi eq, %n0, %n1 : index
    cf.assert %equal, "expected equal sizes of one dimension"
    %y = convoy.conv ..
    ```
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::cf::ControlFlowDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::tensor::TensorDialect"];
}

def OutlineSizeChecksPass : Pass<"convoy-outline-size-checks", "::mlir::ModuleOp"> {
  let summary = "Check sizes before a kernel runs";
  let description = [{
    Takes kernels on buffers; leaves them without their assertions outside of
    loops, which must follow from the sizes of arguments, and with a function
    `name.sizes` that takes these sizes and says whether all assertions hold.
    `convoy-wrap-kernels` calls it.
    ```mlir
    func.func @f(%x: memref<?xf32>, %y: memref<?xf32>) {
      ..
      cf.assert %equal, ".."
    ```
    becomes
    ```mlir
    func.func @f.sizes(%x_0: i64, %y_0: i64) -> i1 { .. return %equal : i1 }
    func.func @f(%x: memref<?xf32>, %y: memref<?xf32>) {
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def CheckIndexRangesPass : Pass<"convoy-check-index-ranges"> {
  let summary = "Refuse kernels whose indices could exceed their type";
  let description = [{
    Takes loops on buffers with indices in `arith`, before types have sizes in
    bits; leaves them as they are. By upstream's integer range analysis, no sum,
    difference or product of indices, and no offset of an element in a buffer,
    may leave the range of a signed index of `bit-width` bits; the first that
    can is an error. Functions with arguments of dynamic sizes are passed over.
  }];
  let options = [
    Option<"bitWidth", "bit-width", "unsigned", "64",
           "Bits of an index on the target">
  ];
}

def SplitF64ConversionsPass : Pass<"convoy-split-f64-conversions"> {
  let summary = "Convert between f64 and 16-bit floats through f32";
  let description = [{
    Takes `arith.extf` from f16 or bf16 to f64 and `arith.truncf` back; leaves
    conversions by way of f32, for CPUs on which LLVM would call a library.
    Results are the same: on the way down, f32 is rounded to odd (towards zero,
    with its last bit set where that is not exact), so that rounding it again
    gives what rounding once would have given.
    ```mlir
    %narrow = arith.truncf %x : f64 to f16
    ```
    becomes
    ```mlir
    %single = arith.truncf %x : f64 to f32
    ..
    %odd = arith.bitcast %bits : i32 to f32
    %narrow = arith.truncf %odd : f32 to f16
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def ExpandF16Pass : Pass<"convoy-expand-f16"> {
  let summary = "Convert f16 by integer arithmetic";
  let description = [{
    Takes `arith.extf` from f16 to f32 and `arith.truncf` back; leaves integer
    arithmetic on their bits, for CPUs on which LLVM would call a library.
    Results are the same: exact, or rounded to nearest, ties to even. A NaN
    keeps its sign and the leading bits of its payload.
    ```mlir
    %wide = arith.extf %x : f16 to f32
    ```
    becomes
    ```mlir
    %bits = arith.bitcast %x : f16 to i16
    ..
    %wide = arith.bitcast %result : i32 to f32
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def CallMathFunctionsPass : Pass<"convoy-call-math-functions", "::mlir::ModuleOp"> {
  let summary = "Call C's library for functions that LLVM lacks";
  let description = [{
    Takes functions of the math dialect in f32 and f64; leaves calls of C's
    mathematical library for those that LLVM has no operation for (`erf`, `erfc`,
    `cbrt`, `asinh`, `acosh`, `atanh`), or would make of others with larger
    errors (`expm1`, `log1p`). Vectors are called element by element. The rest
    stays; functions that are in neither are refused.
    ```mlir
    %y = math.erf %x : f32
    ```
    becomes
    ```mlir
    %y = call @erff(%x) : (f32) -> f32
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::func::FuncDialect",
                           "::mlir::vector::VectorDialect"];
}

def StoreFloatsAsBitsPass : Pass<"convoy-store-floats-as-bits"> {
  let summary = "Move 16-bit floats as integers";
  let description = [{
    Takes functions in LLVM's dialect, or kernels on buffers, in which bf16 and
    f16 are loaded, stored and moved, and in which nothing is computed with
    them; leaves i16. Where a CPU has no instructions for these types, LLVM moves
    their vectors element by element through f32, and calls a library to come
    back; Vulkan does not know bf16 at all.
    ```mlir
    %x = llvm.load %p : !llvm.ptr -> bf16
    %bits = llvm.bitcast %x : bf16 to i16
    ```
    becomes
    ```mlir
    %x = llvm.load %p : !llvm.ptr -> i16
    %bits = llvm.bitcast %x : i16 to i16
    ```
  }];
  let options = [
    Option<"keepF16", "keep-f16", "bool", /*default=*/"false",
           "Leave f16 as it is, for machines that convert it">
  ];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def FoldDescriptorsPass : Pass<"convoy-fold-descriptors"> {
  let summary = "Read the fields of structs where they were made";
  let description = [{
    Takes functions in LLVM's dialect, as lowered from memrefs, whose values are
    structs of a pointer, sizes and strides that are put together and taken apart
    again; leaves the fields, and no struct of which nothing else is read. Code
    that is never reached is dropped.
    ```mlir
    %a = llvm.insertvalue %pointer, %poison[1] : !llvm.struct<(ptr, ptr, i64)>
    %b = llvm.insertvalue %offset, %a[2] : !llvm.struct<(ptr, ptr, i64)>
    %c = llvm.extractvalue %b[1] : !llvm.struct<(ptr, ptr, i64)>
    llvm.store %x, %c : f32, !llvm.ptr
    ```
    becomes
    ```mlir
    llvm.store %x, %pointer : f32, !llvm.ptr
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def WrapKernelsPass : Pass<"convoy-wrap-kernels", "::mlir::ModuleOp"> {
  let summary = "Give kernels their C interface";
  let description = [{
    Takes `llvm.func` with `convoy.arguments`, as lowered from memrefs; leaves
    for each a function of its name with the interface
    ```c
    int name(const T *input, .., T *output, void *workspace, int64_t sizes..)
    ```
    and its body as an internal function to be inlined. A scalar f16 or bf16 is
    passed as the integer of its bits. The kernel returns 0, or
    1 where a pointer is null, 2 where one is not aligned to its elements (the
    workspace: to 64 bytes), 3 where sizes are negative or contradict each other.
    What loops say to LLVM, as `llvm.loop_annotation` on their branches, becomes
    what these say.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def CheckDialectsPass : Pass<"convoy-check-dialects"> {
  let summary = "Refuse ops of unknown dialects";
  let description = [{
    Takes any IR; leaves it as it is, or fails at the first op whose dialect is not
    loaded: other passes ask an op's dialect what it is, upstream's among them.
    So it does at a `tensor.pad` that lacks sizes: upstream's verifier counts none
    of them. All pipelines begin with it.
    ```mlir
    "a.b"() : () -> ()  // error: expected an op of a known dialect
    ```
  }];
}

#endif // CONVOY_TRANSFORMS_PASSES_TD
