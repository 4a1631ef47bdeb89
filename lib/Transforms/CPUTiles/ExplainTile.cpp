//===- ExplainTile.cpp - A tile in words ------------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Transforms/CPUTiles/ExplainTile.h"

#include "convoy/Transforms/KernelABI/PrepackedArguments.h"
#include "convoy/Transforms/Packing/Panels.h"
#include "convoy/Transforms/Utils/Contractions.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::convoy;

/// What each loop of `contraction` runs along: a letter of the dialect's
/// layouts, `tap h` for a tap. Only `f` is no letter of the rows.
static SmallVector<std::string> nameLoops(linalg::GenericOp contraction,
                                          Im2colOp rows) {
  SmallVector<std::string> names(contraction.getNumLoops(), "f");
  Im2colLayoutAttr layout = rows.getLayout();
  SmallVector<std::string> letters;
  for (char letter : layout.getPositions())
    letters.emplace_back(1, letter);
  for (char letter : layout.getWindow())
    letters.push_back((letter == 'c' ? "" : "tap ") + std::string(1, letter));
  AffineMap map = contraction.getIndexingMapsArray()[0];
  for (auto [dim, result] : llvm::enumerate(map.getResults()))
    names[cast<AffineDimExpr>(result).getPosition()] = letters[dim];
  return names;
}

/// How the factor with the lanes is read.
static StringRef explainPacking(linalg::GenericOp contraction,
                                const RegisterTile &tile) {
  if (!tile.packed)
    return "; read in place";
  if (contraction.getIndexingMapsArray()[0].isFunctionOfDim(tile.laneLoop))
    return "; im2col packed";
  if (getPrepackedArgument(contraction.getInputs()[1]))
    return "; filter packed beforehand";
  if (isInPanelOrder(contraction, tile.getLaneLoops()))
    return "; filter read by panels";
  return "; filter packed";
}

/// Whether the last vector of some rows is read and written under a mask.
static bool hasMaskedRest(linalg::GenericOp contraction,
                          const RegisterTile &tile) {
  if (!tile.masked)
    return false;
  SmallVector<int64_t> sizes = contraction.getStaticLoopRanges();
  int64_t lanes = sizes[tile.laneLoop], rest = 0;
  if (tile.outerLanes) {
    rest = lanes * (sizes[tile.outerLanes->loop] % tile.outerLanes->size);
    lanes *= tile.outerLanes->size;
  }
  return lanes % tile.vectorLanes != 0 || rest % tile.vectorLanes != 0;
}

std::string mlir::convoy::explainTile(linalg::GenericOp contraction,
                                      const RegisterTile &tile) {
  SmallVector<std::string> names =
      nameLoops(contraction, getRowsOf(contraction));
  auto describe = [&](const LoopSteps &rows) {
    return std::to_string(rows.size) + " of " + names[rows.loop];
  };
  std::string text =
      "tile: " + std::to_string(tile.lanes) + " lanes of " +
      names[tile.laneLoop] + (tile.sumsLanes ? ", summed," : "") +
      " in vectors of " + std::to_string(tile.vectorLanes) +
      (hasMaskedRest(contraction, tile) ? ", the last masked" : "") +
      ", rows: " +
      (tile.rows.empty()
           ? "1"
           : llvm::join(llvm::map_range(tile.rows, describe), " x "));
  if (tile.terms)
    text += ", terms: " + describe(*tile.terms);
  text += explainPacking(contraction, tile);
  if (tile.outerLanes)
    text += " for " + describe(*tile.outerLanes) + ", lanes going on";
  if (!tile.blocks.empty())
    text += std::string(", in blocks: ") +
            llvm::join(llvm::map_range(tile.blocks, describe), " x ") +
            (tile.blocksOutside ? ", one for all lanes" : "");
  if (!tile.rowBlocks.empty())
    text += "; for all lanes at a time: " +
            llvm::join(llvm::map_range(tile.rowBlocks, describe), " x ");
  return text;
}
