//===- Passes.td - Buffers and loops over them -------------*- tablegen -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TRANSFORMS_BUFFERS_PASSES_TD
#define CONVOY_TRANSFORMS_BUFFERS_PASSES_TD

include "mlir/Pass/PassBase.td"

def CheckIndexRangesPass : Pass<"convoy-check-index-ranges"> {
  let summary = "Refuse kernels whose indices could exceed their type";
  let description = [{
    - Needs: loops on buffers with indices in `arith`, whose types have no
      sizes in bits yet.
    - Leaves: the IR as it is.

    By upstream's integer range analysis, no sum, difference or product of
    indices, and no offset of an element in a buffer, may leave the range of a
    signed index of `bit-width` bits; the first that can is an error. Functions
    with arguments of dynamic sizes are passed over.
  }];
  let options = [
    Option<"bitWidth", "bit-width", "unsigned", "64",
           "Bits of an index on the target">
  ];
}

def FoldDescriptorsPass : Pass<"convoy-fold-descriptors"> {
  let summary = "Read the fields of structs where they were made";
  let description = [{
    - Needs: functions in LLVM's dialect, as lowered from memrefs.
    - Leaves: them without the structs of a pointer, sizes and strides that are
      put together and taken apart again.

    Reads of a field become the value that was put there, and structs of which
    nothing else is read go. Code that is never reached is dropped.
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

def DecomposePadsPass : Pass<"convoy-decompose-pads"> {
  let summary = "Turn pads into copies and fills of the border";
  let description = [{
    - Needs: `tensor.pad` by one value.
    - Leaves: a buffer that what is padded is copied into, and a `linalg.fill`
      for each border; other pads stay.

    Upstream fills all of the buffer first, and so writes most of it twice.
    What a copy alone gives is copied into the buffer from where the copy
    reads. Rows whose length is a multiple of 1024 bytes get a line of the
    cache more, which nothing reads: else all rows would begin in a few sets of
    the cache, which holds no more than some of them at a time. Other pads are
    left.
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect",
                           "::mlir::bufferization::BufferizationDialect",
                           "::mlir::convoy::ConvoyDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::memref::MemRefDialect"];
}

def CopyToLinalgPass : Pass<"convoy-copy-to-linalg"> {
  let summary = "Turn copies of buffers into linalg, which becomes loops";
  let description = [{
    - Needs: `memref.copy`.
    - Leaves: `linalg.generic`.

    Upstream lowers a copy between strided buffers to a call of a runtime
    library, which kernels do without.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect"];
}

def LinalgToLoopsPass : Pass<"convoy-linalg-to-loops"> {
  let summary = "Turn what is left of linalg on buffers into loops";
  let description = [{
    - Needs: linalg ops on buffers.
    - Leaves: loops of `scf` over single elements.

    This is upstream's `convert-linalg-to-loops`, whose loops LLVM is told not
    to unroll: those of a few positions and taps around a fill or a copy would
    become thousands of stores one after the other, whose order takes LLVM
    seconds to find. The innermost loop, which LLVM vectorizes, is one over
    elements that lie side by side where the op has such a loop: the one over
    channels of a pool with channels last, instead of that over its taps. Each
    element is reduced in the order that it was.
    ```mlir
    linalg.fill ins(%zero : f32) outs(%r : memref<4xf32>)
    ```
    becomes
    ```mlir
    scf.for %i = %c0 to %c4 step %c1 {
      memref.store %zero, %r[%i] : memref<4xf32>
    } {llvm.loop_annotation = #llvm.loop_annotation<unroll = <disable = true>>}
    ```
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect",
                           "::mlir::LLVM::LLVMDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect"];
}

def VectorizeReductionsPass : Pass<"convoy-vectorize-reductions", "::mlir::ModuleOp"> {
  let summary = "Reduce over windows by vectors";
  let description = [{
    - Needs: `linalg.generic` on buffers; `#convoy.target` on the module.
    - Leaves: loops over vectors in the place of those that reduce what does not
      lie innermost, as pools with channels last do, and of sums of integers;
      others stay.

    Elements that lie side by side are reduced at once, up to four vectors of
    them, which stay in registers until all parts were added; each element is
    reduced in the order that it was, and products are added in one rounding, as
    in tiles. What the result is filled with before is what registers start
    with. Elements that fill no vector are taken by shorter ones, of half as many
    lanes each time.

    Integers that lie side by side along a reduction are summed in lanes, which
    are added to each other in the end: their order does not matter. Reductions
    that go through memory as one loop would become that loop first.
    ```mlir
    linalg.fill ins(%zero : f32) outs(%r : memref<5x16xf32>)
    linalg.generic {.. iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%x : memref<5x3x16xf32>) outs(%r : memref<5x16xf32>) ..
    ```
    becomes
    ```mlir
    scf.for %i = %c0 to %c5 step %c1 {
      %sum = scf.for %k = %c0 to %c3 step %c1 iter_args(%s = %zeros) -> (vector<16xf32>) {
        %v = vector.load %x[%i, %k, %c0] : memref<5x3x16xf32>, vector<16xf32>
        %next = arith.addf %s, %v : vector<16xf32>
        scf.yield %next : vector<16xf32>
      }
      vector.store %sum, %r[%i, %c0] : memref<5x16xf32>, vector<16xf32>
    }
    ```
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::convoy::ConvoyDialect",
                           "::mlir::LLVM::LLVMDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::vector::VectorDialect"];
}

def VectorizeCopiesPass : Pass<"convoy-vectorize-copies", "::mlir::ModuleOp"> {
  let summary = "Copy and transpose buffers by vectors";
  let description = [{
    - Needs: `linalg.generic` that copies one buffer of static strides into
      another; `#convoy.target` on the module.
    - Leaves: loops over vectors, and functions that transpose blocks; other
      copies stay.

    Vectors are as wide as the target says. Loops that go through both buffers
    as one become one, as those over the taps of a row and all channels do where
    the source has the channels innermost. Where the elements that lie side by
    side in the source do not in the destination, blocks of as many rows as
    lanes are transposed in registers; where more than six copies are, by
    functions that all blocks with rows as far apart share; elements two to four
    apart in the source are read with what lies between. Loops are in the order
    of the destination if the last-level cache does not hold it, so that lines
    are written side by side, and otherwise that along the source's rows is
    innermost. Rows of a block that do not fill a vector are read and written
    under masks, where the target has 64-byte vectors and elements have 32 bits
    or more. Other copies are left. LLVM is told not to unroll loops that call
    such functions or whose parts overlap.
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::convoy::ConvoyDialect",
                           "::mlir::func::FuncDialect",
                           "::mlir::LLVM::LLVMDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::ub::UBDialect",
                           "::mlir::vector::VectorDialect"];
}

def StageScatteredTilesPass : Pass<"convoy-stage-scattered-tiles"> {
  let summary = "Move tiles whose lanes lie apart through a buffer";
  let description = [{
    - Needs: `vector.transfer_read` and `vector.transfer_write` of several rows
      at once from and to buffers of static strides.
    - Leaves: buffers in which the elements of a row lie side by side, and
      loops that copy single elements; other transfers stay.

    Where the elements of a row do not lie side by side, there is an allocation
    in which they do, accesses of whole rows to that, and a loop over the lanes
    that copies the elements of all rows, which LLVM is told to leave as it is.
    Each element by itself would be an instruction or two in the kernel, a
    thousand for a tile. Other transfers are left.
    ```mlir
    vector.transfer_write %rows, %result[%c0, %c0] {permutation_map = affine_map<(f, c) -> (c, f)>, …}
        : vector<3x16xf32>, memref<16x3xf32, strided<[90, 9]>>
    // becomes
    %stage = memref.alloc() : memref<3x16xf32>
    vector.transfer_write %rows, %stage[%c0, %c0] {…} : vector<3x16xf32>, memref<3x16xf32>
    scf.for %lane = %c0 to %c16 step %c1 {
      %0 = memref.load %stage[%c0, %lane] : memref<3x16xf32>
      memref.store %0, %result[%lane, %c0] : memref<16x3xf32, strided<[90, 9]>>
      … // rows 1 and 2
    }
    ```
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::LLVM::LLVMDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::vector::VectorDialect"];
}

def AllocateWorkspacePass : Pass<"convoy-allocate-workspace", "::mlir::ModuleOp"> {
  let summary = "Place buffers in one workspace that the caller gives";
  let description = [{
    - Needs: functions on buffers that are allocated outside of loops, or right
      inside an `scf.parallel` that `convoy-distribute-threads` left.
    - Leaves: functions without allocations, with a workspace as their last
      argument.

    A last argument of type `memref<?xi8>` is the workspace, aligned to 64
    bytes, or 256 for a GPU. Buffers that are not in use at the same time share
    a place in it; behind them every thread has room for its own. The attribute
    `convoy.workspace` is its size in bytes; where sizes are dynamic it is
    absent and a function `<name>_workspace_size` computes the size from the
    dynamic sizes of the arguments, in order; it gives -1 where these are
    negative or contradict each other, as the function of
    `convoy-outline-size-checks` says. On a GPU, where the dynamic size is that
    of a batch, the attribute `convoy.image_workspace` says how many bytes
    there are for each image besides.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::convoy::ConvoyDialect",
                           "::mlir::func::FuncDialect",
                           "::mlir::memref::MemRefDialect"];
}

def MarkParallelAccessesPass : Pass<"convoy-mark-parallel-accesses"> {
  let summary = "Tell LLVM which accesses depend on no other iteration";
  let description = [{
    - Needs: functions in LLVM's dialect, with loops that
      `convoy-linalg-to-loops` says run in any order.
    - Leaves: the accesses of each in the group that its branch names.

    LLVM vectorizes such a loop without asking as it runs whether what it reads
    and writes overlap, which it cannot find out where both lie in the workspace
    and places are read from memory.
    ```mlir
    %x = llvm.load %p : !llvm.ptr -> f32
    llvm.store %x, %q : f32, !llvm.ptr
    llvm.br ^header {loop_annotation = #llvm.loop_annotation<parallelAccesses = #group>}
    ```
    becomes
    ```mlir
    %x = llvm.load %p {access_groups = [#group]} : !llvm.ptr -> f32
    llvm.store %x, %q {access_groups = [#group]} : f32, !llvm.ptr
    llvm.br ^header {loop_annotation = #llvm.loop_annotation<parallelAccesses = #group>}
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def PrefetchLinesPass : Pass<"convoy-prefetch-lines"> {
  let summary = "Ask for lines before steps read them";
  let description = [{
    - Needs: loops on buffers, with vectors that are read in them;
      `#convoy.target`.
    - Leaves: a `memref.prefetch` for each line that comes late.

    A line comes late where the steps of an innermost loop lie half a page apart
    or more, so that no hardware prefetches it, in an argument or a buffer that
    is known to be larger than the L2 cache. Vectors shorter than a line stay as
    they are: asking took longer than it saved.

    Where such lines are those of a panel, which loops read several times before
    another loop goes on to the lines beside them, the first readings ask for the
    next panel, each step for its share. So each line is asked for once, or a few
    times, and not in every reading. The L2 cache has to hold both panels.

    Elsewhere a line is asked for some 200 cycles before, by the multiply-adds of
    the steps between, unless the loop has fewer than twice as many steps, or no
    multiply-adds. So are the lines of a run, up to 16 that an innermost loop
    reads whole in each step of the loop around it, where runs begin twice their
    length apart or more; a step is taken to last as long as its bytes take from
    memory. The last steps ask for what lies behind the part that the loop reads,
    perhaps behind the buffer, which no access follows.
    ```mlir
    scf.for %i = %c0 to %c128 step %c1 {
      %x = vector.load %filter[%i, %c0] : memref<512x2048xf32>, vector<16xf32>
      …
    ```
    becomes
    ```mlir
    scf.for %i = %c0 to %c128 step %c1 {
      %later = arith.addi %i, %c24 : index
      memref.prefetch %filter[%later, %c0], read, locality<2>, data : memref<512x2048xf32>
      %x = vector.load %filter[%i, %c0] : memref<512x2048xf32>, vector<16xf32>
      …
    ```
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::convoy::ConvoyDialect",
                           "::mlir::memref::MemRefDialect"];
}

def PrefetchBlocksPass : Pass<"convoy-prefetch-blocks"> {
  let summary = "Ask for a factor's next block";
  let description = [{
    - Needs: loops on buffers, with vectors that are read in them;
      `#convoy.target`.
    - Leaves: `memref.prefetch` in loops that read a block of an argument
      several times: each step asks for its share of the block that follows.

    A packed filter lies in the order in which it is read, block by block, and
    each block is read for some rows of pixels before the next. Where no cache
    holds the filter, as in a network, whose layers push out each other's, the
    first of these reads waits for memory, and memory has nothing to do in the
    others. So the next block is asked for in all of them. It goes into the L2
    cache. The last block asks for what lies behind the filter, which no access
    follows.

    Blocks are subviews whose elements follow each other. Stay as they are:
    loops of unknown length, blocks that are read once, which the core's own
    prefetching follows, arguments that the L1 cache holds, and buffers that the
    function itself has filled.
    ```mlir
    %block = memref.subview %filter[%b, 0, 0] [1, 512, 48] [1, 1, 1] : …
    scf.for %row = %c0 to %c7 step %c1 {
      scf.for %i = %c0 to %c512 step %c1 {
        %x = vector.load %block[%c0, %i, %c0] : …, vector<16xf32>
        …
    ```
    becomes
    ```mlir
    %block = memref.subview %filter[%b, 0, 0] [1, 512, 48] [1, 1, 1] : …
    scf.for %row = %c0 to %c7 step %c1 {
      scf.for %i = %c0 to %c512 step %c1 {
        // 7 of the 24576 elements in each of the 3584 steps.
        %next = affine.apply affine_map<(i, row) -> (i * 7 + row * 3584 + 24576)>(%i, %row)
        memref.prefetch %block[%c0, %c0, %next], read, locality<2>, data : …
        %x = vector.load %block[%c0, %i, %c0] : …, vector<16xf32>
        …
    ```
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::convoy::ConvoyDialect",
                           "::mlir::memref::MemRefDialect"];
}

#endif // CONVOY_TRANSFORMS_BUFFERS_PASSES_TD
