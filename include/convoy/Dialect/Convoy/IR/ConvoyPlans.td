//===- ConvoyPlans.td - What a pass decides, for later ones ------ -*- tablegen -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_PLANS_TD
#define CONVOY_PLANS_TD

include "convoy/Dialect/Convoy/IR/ConvoyDialect.td"
include "mlir/IR/EnumAttr.td"

def Convoy_RegisterTileAttr : Convoy_Attr<"RegisterTile", "register_tile"> {
  let summary = "Say how a CPU computes a contraction tile by tile";
  let description = [{
    What `convoy-choose-tiles` leaves on a contraction for
    `convoy-tile-contraction`. Pairs are a loop of the contraction and how many of
    its steps are taken at a time.

    `lanes` fill vectors of `vector_lanes`, `masked` where they do not fill the
    last; where their loop is a reduction, its lanes are summed at the end. `rows`
    are other loops of the result: a tile has one row of vectors for
    each step of these, and all of them stay in registers. In one step `terms` are
    added: the factor without lanes has them in one vector, or, where both
    have lanes, rows share what they read at different ones. With `matrices` the
    terms, rows and vectors of a step are multiplied as matrices of words, of 16
    rows and 16 terms at most. If `packed`, the factor with the lanes is first
    copied into the order in which it is read, and lanes go on from one step of
    `outer_lanes` to the next. `blocks` cut the reduction, outermost first; with
    `blocks_outside` one of them is finished for all lanes before the next.
    `row_blocks` cut loops that the other factor alone runs along. `cycles` is what a multiply-add
    of one lane is estimated to take.
    Constraints:
    - (C1) Numbers are positive, loops not negative.
    - (C2) No loop stands twice in `lanes`, `rows`, `terms` and `outer_lanes`, nor
      in `blocks` or in `row_blocks`.
    - (C3) `outer_lanes` need `packed`, `blocks_outside` needs `blocks`,
      `matrices` need `terms` and exclude `masked`.
    Example: `#convoy.register_tile<lanes = [3, 32], vector_lanes = 16, rows = [[2, 6]]>`.
  }];
  let parameters = (ins "::mlir::convoy::LoopSteps":$lanes,
                        "int64_t":$vectorLanes, "bool":$masked,
                        OptionalArrayRefParameter<"::mlir::convoy::LoopSteps">:$rows,
                        "::std::optional<::mlir::convoy::LoopSteps>":$terms,
                        "bool":$matrices,
                        "bool":$packed,
                        "::std::optional<::mlir::convoy::LoopSteps>":$outerLanes,
                        OptionalArrayRefParameter<"::mlir::convoy::LoopSteps">:$blocks,
                        "bool":$blocksOutside,
                        OptionalArrayRefParameter<"::mlir::convoy::LoopSteps">:$rowBlocks,
                        OptionalParameter<"::mlir::FloatAttr">:$cycles);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Name of the attribute of a contraction that holds its tile.
    static constexpr ::llvm::StringLiteral getAttrName() {
      return "convoy.register_tile";
    }
  }];
}

def Convoy_PanelPadding : I32EnumAttr<"PanelPadding", "how a panel of groups is padded", [
    I32EnumAttrCase<"Undecided", 0, "undecided">,
    I32EnumAttrCase<"Transposed", 1, "transposed">,
    I32EnumAttrCase<"Copied", 2, "copied">,
    I32EnumAttrCase<"Split", 3, "split">]> {
  let cppNamespace = "::mlir::convoy";
  let genSpecializedAttr = 0;
}

def Convoy_GroupPanelAttr : Convoy_Attr<"GroupPanel", "group_panel"> {
  let summary = "Say how some groups of a convolution are taken at a time";
  let description = [{
    What `convoy-tile-groups` leaves on the convolution of a panel, for
    `convoy-split-borders`. A panel has so many `groups`. Its `padding` is

    - `transposed`: the input is copied with groups side by side, and padded on
      the way,
    - `copied`: the input is copied for its padding alone, if it has some,
    - `split`: its borders are convolutions of their own,
    - `undecided`, which is not printed: each phase of a dilated input has
      padding of its own.

    Constraints:
    - (C1) `groups` is positive.
    Example: `#convoy.group_panel<groups = 16, padding = split>`.
  }];
  let parameters = (ins "int64_t":$groups,
                        DefaultValuedParameter<
                            "::mlir::convoy::PanelPadding",
                            "::mlir::convoy::PanelPadding::Undecided">:$padding);
  let assemblyFormat = [{
    `<` `groups` `=` $groups (`,` `padding` `=` $padding^)? `>`
  }];
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Name of the attribute of a `convoy.conv` that holds its panel.
    static constexpr ::llvm::StringLiteral getAttrName() {
      return "convoy.group_panel";
    }
  }];
}

def Convoy_ThreadRegionAttr : Convoy_Attr<"ThreadRegion", "thread_region"> {
  let summary = "Say that threads run loops without waiting for each other";
  let description = [{
    What `convoy-parallelize-tiles` leaves on `scf.forall`, and on `scf.for`
    around them, for `convoy-distribute-threads`. Loops in one block that have
    the same number write disjoint parts of one tensor and read no more of what
    the others write. Threads can run them one after the other without waiting,
    as long as each takes the same iterations of an `scf.forall` whenever it
    runs.
    Constraints:
    - (C1) The number is not negative.
    Example: `#convoy.thread_region<0>`.
  }];
  let parameters = (ins "int64_t":$number);
  let assemblyFormat = "`<` $number `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Name of the attribute of a loop that holds its region.
    static constexpr ::llvm::StringLiteral getAttrName() {
      return "convoy.thread_region";
    }
  }];
}

def Convoy_TileLanesAttr : Convoy_Attr<"TileLanes", "tile_lanes"> {
  let summary = "Say which elements of a tile fill vectors";
  let description = [{
    What `convoy-tile-contraction` leaves of a register tile on each op that
    computes one, for `convoy-vectorize-tiles`. `lanes` elements along `dim` fill
    a vector: a dimension of the op's result, or, after those, one of its loops
    that are summed over. If `masked`, a vector that lanes next to each other in
    memory do not fill has a power of two of lanes, the others being masked; that
    excludes lanes that are summed, since zeros stand for those that they lack.
    With `matrices`, which excludes both, a contraction of words is computed by
    matrices of `lanes` columns.
    Constraints:
    - (C1) `dim` is not negative, `lanes` is positive.
    - (C2) `matrices` excludes `masked`.
    Example: `#convoy.tile_lanes<dim = 3, lanes = 16, masked = true>`.
  }];
  let parameters = (ins "int64_t":$dim, "int64_t":$lanes,
                        DefaultValuedParameter<"bool", "false">:$masked,
                        DefaultValuedParameter<"bool", "false">:$matrices);
  let assemblyFormat = [{
    `<` struct(params) `>`
  }];
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Name of the attribute of a linalg op that holds its lanes.
    static constexpr ::llvm::StringLiteral getAttrName() {
      return "convoy.tile_lanes";
    }
  }];
}

#endif // CONVOY_PLANS_TD
