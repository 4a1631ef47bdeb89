//===- ApplyWinograd.cpp - Convolutions by Winograd's algorithm -*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WinogradRewrite.h"

#include "convoy/Dialect/Convoy/IR/ConvoyPlans.h"
#include "convoy/Dialect/Convoy/IR/DiscardableAttrs.h"
#include "convoy/Dialect/Convoy/IR/WinogradTile.h"
#include "convoy/Support/CookToom.h"
#include "convoy/Transforms/KernelABI/KernelInterface.h"
#include "convoy/Transforms/Utils/Choices.h"
#include "convoy/Transforms/Utils/ConvRewrites.h"
#include "convoy/Transforms/Utils/PlanErrors.h"
#include "convoy/Transforms/Utils/WinogradObstacle.h"
#include "convoy/Transforms/Winograd/Passes.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace mlir::convoy {
#define GEN_PASS_DEF_APPLYWINOGRADPASS
#include "convoy/Transforms/Winograd/Passes.h.inc"
} // namespace mlir::convoy

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::Operand;

/// Says in the interface of the function around `op` which results are made of
/// what it computes in tiles.
static void markResults(ConvOp op, ArrayRef<int64_t> tile) {
  auto function = op->getParentOfType<FunctionOpInterface>();
  auto interface = function
                       ? function->getAttrOfType<ArrayAttr>(kArgumentsAttrName)
                       : ArrayAttr();
  if (!interface)
    return;
  SmallVector<KernelArgument> arguments = getKernelArguments(interface);
  SetVector<Operation *> users;
  getForwardSlice(op.getResult(), &users);
  for (Operation *user : users)
    if (auto written =
            dyn_cast<bufferization::MaterializeInDestinationOp>(user))
      if (auto argument = dyn_cast<BlockArgument>(written.getDest())) {
        DictionaryAttr &sums = arguments[argument.getArgNumber()].sums;
        sums = setWinogradTile(op.getContext(), sums, tile);
      }
  function->setAttr(kArgumentsAttrName,
                    toAttribute(op.getContext(), arguments));
}

/// Checks that `tile` is one for `op`.
static LogicalResult verifyTile(ConvOp op, ArrayRef<int64_t> tile) {
  if (Attribute panel = op->getAttr(GroupPanelAttr::getAttrName()))
    return emitPlanError(op, panel) << "Winograd's algorithm has no panels";
  auto conv = cast<ConvolutionOpInterface>(*op);
  if (std::string obstacle = findWinogradObstacle(conv); !obstacle.empty())
    return op.emitOpError() << "expected a convolution that Winograd's "
                               "algorithm can compute: "
                            << obstacle;
  if (int64_t(tile.size()) != op.getLayout().getSpatialRank())
    return op.emitOpError()
           << "expected " << op.getLayout().getSpatialRank() << " sizes in "
           << kWinogradAttrName << ", but got " << tile.size();
  for (auto [number, letter] : llvm::enumerate(
           ::convoy::spatialLetters(op.getLayout().getSpatialRank()))) {
    int64_t taps = conv.getSize(Operand::Filter, letter);
    if (!::convoy::getCookToom(tile[number], taps))
      return op.emitOpError()
             << "expected tiles that Winograd's algorithm has for " << taps
             << " taps, but got " << tile[number] << " results along '"
             << letter << "'";
  }
  return success();
}

/// Says why the op behind `op` is not applied to vectors of its sums.
static void explainUse(ConvOp op) {
  if (std::optional<Choice> reason = WinogradEpilogue::explainUse(op))
    op.emitRemark() << getWords(Choice::WinogradStores) << ": "
                    << getWords(*reason);
}

namespace {
struct ApplyWinogradPass final
    : mlir::convoy::impl::ApplyWinogradPassBase<ApplyWinogradPass> {
  using Base::Base;

  void runOnOperation() override {
    bool failed = false;
    rewriteConvsForCPU(getOperation(), /*explain=*/false,
                       [&](RewriterBase &rewriter, ConvOp op,
                           TargetAttr target) -> std::optional<Choice> {
                         auto tile = op->getAttrOfType<DenseI64ArrayAttr>(
                             kWinogradAttrName);
                         if (!tile)
                           return std::nullopt;
                         if (mlir::failed(verifyTile(op, tile))) {
                           failed = true;
                           return std::nullopt;
                         }
                         markResults(op, tile);
                         if (explain)
                           explainUse(op);
                         WinogradRewriter(rewriter, op, tile, target).rewrite();
                         return std::nullopt;
                       });
    if (failed)
      signalPassFailure();
  }
};
} // namespace
