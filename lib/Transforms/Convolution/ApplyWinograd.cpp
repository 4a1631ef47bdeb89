//===- ApplyWinograd.cpp - Convolutions by Winograd's algorithm -*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ConvRewrites.h"
#include "WinogradRewrite.h"

#include "convoy/Dialect/Convoy/IR/DiscardableAttrs.h"
#include "convoy/Dialect/Convoy/IR/WinogradTile.h"
#include "convoy/Support/CookToom.h"
#include "convoy/Transforms/Convolution/Passes.h"
#include "convoy/Transforms/KernelABI/KernelInterface.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace mlir::convoy {
#define GEN_PASS_DEF_APPLYWINOGRADPASS
#include "convoy/Transforms/Convolution/Passes.h.inc"
} // namespace mlir::convoy

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::Operand;
using ::convoy::WindowDim;

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

/// Whether the filter of `op` is handed over packed.
static bool isPacked(ConvOp op) {
  auto argument = dyn_cast<BlockArgument>(op.getFilter());
  auto function = op->getParentOfType<FunctionOpInterface>();
  return argument && function &&
         argument.getOwner() == &function.getFunctionBody().front() &&
         function.getArgAttr(argument.getArgNumber(), kPrepackedAttrName);
}

/// Checks that `tile` is one for `op`.
static LogicalResult verifyTile(ConvOp op, ArrayRef<int64_t> tile) {
  auto conv = cast<ConvolutionOpInterface>(*op);
  if (isPacked(op))
    return op.emitOpError("expected a filter that is not packed beforehand for "
                          "Winograd's algorithm");
  if (int64_t(tile.size()) != op.getLayout().getSpatialRank())
    return op.emitOpError()
           << "expected " << op.getLayout().getSpatialRank() << " sizes in "
           << kWinogradAttrName << ", but got " << tile.size();
  for (auto [number, letter] : llvm::enumerate(
           ::convoy::spatialLetters(op.getLayout().getSpatialRank()))) {
    WindowDim window = op.getWindow().getDim(number);
    int64_t taps = conv.getSize(Operand::Filter, letter);
    if (window.stride != 1 || window.dilation != 1 ||
        window.inputDilation != 1 || ShapedType::isDynamic(taps) ||
        !::convoy::getCookToom(tile[number], taps))
      return op.emitOpError()
             << "expected stride 1, no dilation and taps for tiles of "
             << tile[number] << " results along '" << letter << "'";
  }
  bool isOfF32 = llvm::all_of(op->getOperands(), [](Value operand) {
    return getElementTypeOrSelf(operand).isF32();
  });
  bool isStatic = true;
  ::convoy::ConvLayouts layouts = op.getLayout().getLayouts();
  for (Operand operand : {Operand::Input, Operand::Filter, Operand::Output})
    for (char letter : layouts[operand].letters())
      isStatic &=
          letter == 'n' || ShapedType::isStatic(conv.getSize(operand, letter));
  if (!isOfF32 || !conv.getAccumulatorType().isF32() || !isStatic ||
      op.getLayout().hasGroups())
    return op.emitOpError("expected f32, no groups, and static sizes but the "
                          "batch's for Winograd's algorithm");
  return success();
}

namespace {
struct ApplyWinogradPass final
    : mlir::convoy::impl::ApplyWinogradPassBase<ApplyWinogradPass> {
  using Base::Base;

  void runOnOperation() override {
    bool failed = false;
    rewriteConvsForCPU(
        getOperation(), /*explain=*/false,
        [&](RewriterBase &rewriter, ConvOp op, TargetAttr target) -> StringRef {
          auto tile = op->getAttrOfType<DenseI64ArrayAttr>(kWinogradAttrName);
          if (!tile)
            return "";
          if (mlir::failed(verifyTile(op, tile))) {
            failed = true;
            return "";
          }
          markResults(op, tile);
          WinogradRewriter(rewriter, op, tile, target).rewrite();
          return "";
        });
    if (failed)
      signalPassFailure();
  }
};
} // namespace
