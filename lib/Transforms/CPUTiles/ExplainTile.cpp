//===- ExplainTile.cpp - A tile in words ------------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Transforms/CPUTiles/ExplainTile.h"
#include "convoy/Transforms/Utils/Choices.h"

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
  for (auto [dim, letter] : llvm::enumerate(layout.getRowsLetters())) {
    bool isTap = layout.isWindow(dim) && letter != 'c';
    letters.push_back((isTap ? "tap " : "") + std::string(1, letter));
  }
  AffineMap map = contraction.getIndexingMapsArray()[0];
  for (auto [dim, result] : llvm::enumerate(map.getResults()))
    names[cast<AffineDimExpr>(result).getPosition()] = letters[dim];
  return names;
}

/// How the factor with the lanes is read.
static Choice explainPacking(linalg::GenericOp contraction,
                             const RegisterTile &tile) {
  if (!tile.packed)
    return Choice::ReadInPlace;
  if (contraction.getIndexingMapsArray()[0].isFunctionOfDim(tile.laneLoop))
    return Choice::Im2colPacked;
  if (getPrepackedArgument(contraction.getInputs()[1]))
    return Choice::FilterPackedBeforehand;
  if (isInPanelOrder(contraction, tile.getLaneLoops()))
    return Choice::FilterByPanels;
  return Choice::FilterPacked;
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
  auto describe = [&](const LoopSteps &steps) {
    return std::to_string(steps.size) + " of " + names[steps.loop];
  };
  auto say = [](bool isSo, Choice choice) {
    return isSo ? getWords(choice).str() : std::string();
  };
  std::string text =
      "tile: " + std::to_string(tile.lanes) + " lanes of " +
      names[tile.laneLoop] + say(tile.sumsLanes, Choice::LanesSummed) +
      " in vectors of " + std::to_string(tile.vectorLanes) +
      say(hasMaskedRest(contraction, tile), Choice::LastMasked) + ", rows: " +
      (tile.rows.empty()
           ? "1"
           : llvm::join(llvm::map_range(tile.rows, describe), " x "));
  if (tile.terms)
    text += getWords(Choice::TermsTiled).str() + describe(*tile.terms) +
            say(tile.matrices, Choice::TilesOfAMX);
  text += ("; " + getWords(explainPacking(contraction, tile))).str();
  if (tile.outerLanes)
    text += " for " + describe(*tile.outerLanes) +
            getWords(Choice::LanesGoOn).str();
  if (!tile.blocks.empty())
    text += getWords(Choice::InBlocks).str() +
            llvm::join(llvm::map_range(tile.blocks, describe), " x ") +
            say(tile.blocksOutside, Choice::OneBlockForAll);
  if (!tile.rowBlocks.empty())
    text += getWords(Choice::AllLanesAtOnce).str() +
            llvm::join(llvm::map_range(tile.rowBlocks, describe), " x ");
  return text;
}

/// Why `op`, which reads the result of `contraction`, does not finish its
/// tiles.
static Choice explainDirectUse(linalg::GenericOp contraction,
                               linalg::GenericOp op) {
  if (getRoot(contraction) == op)
    return Choice::SeveralBlocks;
  if (!contraction.getResult(0).hasOneUse())
    return Choice::SumsReadElsewhere;
  if (op.hasIndexSemantics())
    return Choice::DependsOnPlace;
  if (op.getNumDpsInits() != 1)
    return Choice::SeveralResults;
  if (op->getBlock() != contraction->getBlock())
    return Choice::OtherRegion;
  return Choice::ReadsOtherwise;
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

std::string LaterOp::describe() const {
  SetVector<StringRef> names;
  for (Operation &inner : linalg::GenericOp(op).getBody()->without_terminator())
    names.insert(inner.getName().getStringRef());
  std::string text = "the op of each element";
  if (!names.empty())
    text += " ('" + llvm::join(names, "', '") + "')";
  return text;
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
        return LaterOp{op, Choice::SumsInParts};
      linalg::GenericOp last = findFinished(op);
      if (last && last != contraction)
        continue;
      return LaterOp{op, explainDirectUse(contraction, op)};
    }
  return std::nullopt;
}
