//===- ConvoyPlans.td - What a pass decides, for later ones ------ -*- tablegen -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_PLANS_TD
#define CONVOY_PLANS_TD

include "convoy/Dialect/Convoy/IR/ConvoyDialect.td"

def Convoy_RegisterTileAttr : Convoy_Attr<"RegisterTile", "register_tile"> {
  let summary = "Say how a CPU computes a contraction tile by tile";
  let description = [{
    What `convoy-choose-tiles` leaves on a contraction for
    `convoy-tile-contraction`. Pairs are a loop of the contraction and how many of
    its steps are taken at a time.

    `lanes` fill vectors of `vector_lanes`, `masked` where they do not fill the
    last; where their loop is a reduction, its lanes are summed at the end. `rows`
    are other loops of the result: a tile has one row of vectors for
    each step of these, and all of them stay in registers. Where lanes are summed,
    `terms` are added in one step. If `packed`, the factor with the lanes is first
    copied into the order in which it is read, and lanes go on from one step of
    `outer_lanes` to the next. `blocks` cut the reduction, outermost first; with
    `blocks_outside` one of them is finished for all lanes before the next.
    `row_blocks` cut loops that the other factor alone runs along. `cycles` is what a multiply-add
    of one lane is estimated to take.
    Constraints:
    - (C1) Numbers are positive, loops not negative.
    - (C2) No loop stands twice in `lanes`, `rows`, `terms` and `outer_lanes`, nor
      in `blocks` or in `row_blocks`.
    - (C3) `outer_lanes` need `packed`, `blocks_outside` needs `blocks`, and `terms`
      exclude `packed`.
    Example: `#convoy.register_tile<lanes = [3, 32], vector_lanes = 16, rows = [[2, 6]]>`.
  }];
  let parameters = (ins "::mlir::convoy::LoopSteps":$lanes,
                        "int64_t":$vectorLanes, "bool":$masked,
                        OptionalArrayRefParameter<"::mlir::convoy::LoopSteps">:$rows,
                        "::std::optional<::mlir::convoy::LoopSteps>":$terms,
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

#endif // CONVOY_PLANS_TD
