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

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/SetVector.h"
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

/// Why `op`, which reads the result of `contraction`, does not finish its
/// tiles.
static StringRef explainDirectUse(linalg::GenericOp contraction,
                                  linalg::GenericOp op) {
  if (getRoot(contraction) == op)
    return "the reduction is cut into blocks along several loops";
  if (!contraction.getResult(0).hasOneUse())
    return "other ops read the sums, too";
  if (op.hasIndexSemantics())
    return "it depends on where an element is";
  if (op.getNumDpsInits() != 1)
    return "it has several results";
  if (op->getBlock() != contraction->getBlock())
    return "it is in another region";
  return "it does not read the sums element by element";
}

/// The values that hold the elements of `use`, moved only; none where the user
/// computes with them.
static SmallVector<Value> getMoved(OpOperand &use) {
  Operation *user = use.getOwner();
  if (isa<tensor::InsertSliceOp, tensor::ExtractSliceOp, tensor::ExpandShapeOp,
          tensor::CollapseShapeOp, tensor::CastOp>(user))
    return {user->getResult(0)};
  if (auto insert = dyn_cast<tensor::ParallelInsertSliceOp>(user))
    return llvm::to_vector<1>(ValueRange(insert.getTiedOpResult()));
  if (isa<scf::YieldOp>(user) &&
      isa<scf::ForOp, scf::IfOp>(user->getParentOp()))
    return {user->getParentOp()->getResult(use.getOperandNumber())};
  return {};
}

std::optional<LaterOp> mlir::convoy::findLaterOp(linalg::GenericOp contraction,
                                                 linalg::LinalgOp root) {
  SetVector<Value> moved;
  moved.insert(contraction.getResult(0));
  for (size_t next = 0; next < moved.size(); ++next)
    for (OpOperand &use : moved[next].getUses()) {
      moved.insert_range(getMoved(use));
      auto op = dyn_cast<linalg::GenericOp>(use.getOwner());
      if (!op || op.getNumReductionLoops() > 0 || !op.isDpsInput(&use) ||
          root == op)
        continue;
      if (next > 0)
        return LaterOp{op, "the sums are computed in parts"};
      linalg::GenericOp last = findFinished(op);
      if (last && last != contraction)
        continue;
      return LaterOp{op, explainDirectUse(contraction, op)};
    }
  return std::nullopt;
}
