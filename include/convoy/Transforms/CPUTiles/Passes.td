//===- Passes.td - Register tiles of CPUs ------------------*- tablegen -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TRANSFORMS_CPUTILES_PASSES_TD
#define CONVOY_TRANSFORMS_CPUTILES_PASSES_TD

include "mlir/Pass/PassBase.td"

def TransposeResultsPass : Pass<"convoy-transpose-results"> {
  let summary = "Let vectors of sums lie side by side, and transpose them after";
  let description = [{
    - Needs: contractions over `convoy.im2col` of static sizes that start from
      a fill, whose result goes to a whole tensor, or to a part of one whose
      elements follow each other.
    - Leaves: an `scf.forall` over parts of the result, each computed with its
      lanes innermost and then transposed, where that pays; other contractions
      stay.

    Where the dimension that vectors should run along is not the result's
    innermost, each element would be stored by itself. Instead, parts of the
    result are computed with that dimension innermost and then transposed by a
    `linalg.generic`. A part takes a quarter of the L2 cache at most. This is
    done where sums have 512 terms at most and the estimate of
    `convoy-choose-tiles` saves a tenth of the time at least, copies
    counted. Where lanes would go on from row to row of pixels, a row of less
    than two vectors is copied by itself: there any time saved will do, and
    rows of less than one have sums of any number of terms.
    ```mlir
    %dw = linalg.generic {..} ins(%rows, %dy) outs(%zeros) -> tensor<96x64x3x3xf32>
    ```
    becomes
    ```mlir
    %m = tensor.collapse_shape %dest [[0], [1, 2, 3]] : tensor<96x576xf32>
    %r = scf.forall (%f) = (0) to (96) step (48) shared_outs(%t = %m) {
      %part = linalg.generic {..} ins(%rows, %dyf) outs(%z) -> tensor<64x3x3x48xf32>
      %flat = tensor.collapse_shape %part [[0, 1, 2], [3]] : tensor<576x48xf32>
      %copy = linalg.generic {(f, k) -> (k, f)} ins(%flat) ..
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %copy into %t[%f, 0] [48, 576] [1, 1]
      }
    }
    ```
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect",
                           "::mlir::convoy::ConvoyDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect"];
}

def ChooseTilesPass : Pass<"convoy-choose-tiles"> {
  let summary = "Choose register tiles of contractions for the target";
  let description = [{
    - Needs: contractions whose left operand is `convoy.im2col`; `#convoy.target`
      on the module.
    - Leaves: on each of them, as `convoy.register_tile`, how
      `convoy-tile-contraction` is to compute it. One that is there stays, unless a
      tile is asked for.

    It is the tile with the least estimated time (docs/CostModel.md):
    ```mlir
    %y = linalg.generic {..} ins(%rows, %w) outs(%init)
    ```
    becomes
    ```mlir
    %y = linalg.generic {..} ins(%rows, %w) outs(%init)
        {convoy.register_tile = #convoy.register_tile<lanes = [3, 32], vector_lanes = 16, rows = [[2, 6]], ..>}
    ```
    Lanes may also run along a reduction (`summed` in the remark), where nothing
    of the result fills vectors, as in the gradient of a filter that has few
    channels or lies with its taps innermost: each element of the tile is a vector
    of partial sums, whose lanes are added at the end. A step then takes as many
    taps as there are lanes, and a few of another reduction (`terms`) where rows
    of the tile read the same rows of the input at different ones. So does a step
    of depthwise convolutions, whose factors both have the lanes: 27 pixels read
    29 of the input for three taps, not 81.

    Where it pays, the factor that the lanes run along, filter or im2col, is
    copied for one tile of lanes into the order in which it is read. Lanes may
    then go on from one row of the output to the next. What is packed at a time
    takes a quarter of the L2 cache at most; longer reductions are cut into
    blocks, between which partial sums are stored in the result.

    What the tiles share is meant to stay in the L2 cache. Where it would not,
    loops outside of all others take some rows at a time for all lanes, or some
    of the reduction for all of the result (`for all lanes at a time` and `one
    for all lanes` in the remark). An estimate of the lines that then come from
    beyond the cache chooses.

    An elementwise op that reads the sums of one contraction is computed in its
    tiles, with slices of other operands that it may have; of several
    contractions, in those of the last. The remark of another op that goes on
    with sums says why it is not.

    Where the target has masks, vectors that lanes do not fill are masked, unless
    elements are converted before or after sums or are narrower than 32 bits. It
    is an error if a contraction cannot have the `tile` that the target asks for,
    and a warning if the sums of that tile fill more vectors than the target has
    registers.
  }];
  let options = [
    Option<"explain", "explain", "bool", "false",
           "Say in a remark how each contraction is tiled">,
    Option<"candidate", "candidate", "uint64_t", "0",
           "How many tiles with better estimates to pass over">
  ];
  let dependentDialects = ["::mlir::convoy::ConvoyDialect"];
}

def TileContractionPass : Pass<"convoy-tile-contraction"> {
  let summary = "Tile contractions over im2col for the target's registers";
  let description = [{
    - Needs: contractions whose left operand is `convoy.im2col`, with the ops
      that make their init and finish their result, and on each a
      `convoy.register_tile`, as `convoy-choose-tiles` leaves it.
    - Leaves: `scf.forall` over register tiles, each of static size and with a
      `#convoy.tile_lanes`, `scf.for` over reductions, and copies of packed
      factors (`convoy.packed`).

    A plan that does not fit its contraction is an error, and so is a
    `#convoy.tile_lanes` that is there already. Loops over tiles,
    which may run in any order, are outside; a register tile has one dimension of
    lanes and one of rows, or two. The reduction runs inside, one tap and channel
    at a time, with im2col fused, so that the matrix never exists. Where a size
    is no multiple of the tile, the rest is an op of its own with a smaller tile,
    and so is what whole vectors leave of a reduction whose lanes are summed.

    The factor that a plan packs is copied for one tile of lanes into the order in
    which it is read (`convoy.packed`), outside the loops that share it. Where
    lanes go on from one row of the output to the next, the tile takes whole rows,
    whose loops become one.

    An op that finishes the sums of blocks of a reduction does so in the last
    block, which is a contraction of its own; the blocks before leave their sums
    in a tensor. Where blocks are cut along several loops it stays, and reads the
    sums there.

    `#convoy.tile_lanes` on each tiled op tells `convoy-vectorize-tiles` the output
    dimension of the lanes, or the loop that is summed over, how many of them a
    vector holds, and whether those that do not fill one are masked.
  }];
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
    - Needs: `convoy.im2col` of any size, padded or not.
    - Leaves: slices of the input that its consumers read in place, and gathers
      by `linalg.generic` where no slice will do.

    Where each spatial dimension has one position or one tap and the consumer
    is a `linalg.generic`, the consumer reads a strided slice of the input in
    place of the rows, and nothing is copied:
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
    - Needs: loops on tensors around sums of products, as
      `convoy-decompose-im2col` leaves them.
    - Leaves: the same loops with narrower bounds, or with branches around sums
      that read nothing but padding.

    One factor of such a sum is read through slices and copies from a tensor
    padded with zeros. Where, for some iterations, all that is
    read lies beyond the border in one dimension, nothing is added. Loops of a
    reduction are narrowed to the other iterations; other loops keep theirs, so
    that threads share them as before, and branch:
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
  let options = [
    Option<"explain", "explain", "bool", "false",
           "Say in a remark how sums skip padding">
  ];
  let dependentDialects = ["::mlir::convoy::ConvoyDialect",
                           "::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect"];
}

def VectorizeTilesPass : Pass<"convoy-vectorize-tiles"> {
  let summary = "Hold register tiles in vectors";
  let description = [{
    - Needs: what `convoy-tile-contraction` left: fills, conversions and
      reduction loops on tiles of static size, each op of them with a
      `#convoy.tile_lanes`.
    - Leaves: vectors, carried through the reduction loops, that are read from
      tensors and written to them once.

    Each row of a tile is one vector along the lanes; the accumulators are
    carried through the reduction loops, read and written once. Operands
    without lanes are read as scalars and broadcast, operands whose lanes are
    not adjacent in memory are read element by element. If lanes are summed
    over, there is one vector for each element of the tile, which starts at
    zero: lanes without a term read zeros under a mask, elements up to four
    apart in memory are read with what lies between them, and in the end halves
    of the vector are added until one sum is left. Where the plan asks for masks,
    a vector that its lanes do not fill is one of a register's size with masked
    lanes, and rows that share a vector are computed one after the other if
    registers do not hold all such vectors. An op that such vectors cannot
    compute is an error. Where
    accumulators take more than a quarter of the registers,
    `llvm.loop_annotation` keeps LLVM from unrolling their loops.
  }];
  let dependentDialects = ["::mlir::convoy::ConvoyDialect",
                           "::mlir::LLVM::LLVMDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect",
                           "::mlir::ub::UBDialect",
                           "::mlir::vector::VectorDialect"];
}

#endif // CONVOY_TRANSFORMS_CPUTILES_PASSES_TD
