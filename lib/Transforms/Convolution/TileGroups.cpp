//===- TileGroups.cpp - Compute groups some at a time -----------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ConvParts.h"

#include "convoy/Dialect/Convoy/IR/ConvoyPlans.h"
#include "convoy/Transforms/Convolution/Passes.h"
#include "convoy/Transforms/Costs/GroupCosts.h"
#include "convoy/Transforms/Costs/Groups.h"
#include "convoy/Transforms/Costs/PaddingPlan.h"
#include "convoy/Transforms/Utils/ConvRewrites.h"
#include "convoy/Transforms/Utils/Copies.h"
#include "convoy/Transforms/Utils/Fills.h"
#include "convoy/Transforms/Utils/PlanErrors.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::convoy {
#define GEN_PASS_DEF_TILEGROUPSPASS
#include "convoy/Transforms/Convolution/Passes.h.inc"
} // namespace mlir::convoy

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::Layout;
using ::convoy::Operand;

//===----------------------------------------------------------------------===//
// The rewrite
//===----------------------------------------------------------------------===//

namespace {
/// Rewrites one convolution as a plan says.
class GroupTiler {
public:
  GroupTiler(RewriterBase &rewriter, ConvOp op, const GroupPlan &plan)
      : rewriter(rewriter), loc(op.getLoc()), op(op), plan(plan),
        isApart(getPanelLayout(Operand::Output) !=
                op.getLayout().getLayouts().output),
        // Transposed panels are copied back first: the finisher stays behind
        // the loop.
        parts(rewriter, op, /*isFinished=*/!isApart) {}

  void tile();

private:
  /// The results of `size` groups from `first` on, and where they go in
  /// `result`.
  std::pair<Value, TensorSlice> computePanel(OpFoldResult first, int64_t size,
                                             Value result);
  /// The sums of a panel, each added to `init`.
  Value sumPanel(OpFoldResult first, int64_t size, Value init);
  /// The convolution of a panel, with what is decided of it.
  Value createConv(Value input, Value filter, Value init);
  /// How `panel` is padded.
  PanelPadding getPadding(ConvOp panel);
  /// The groups' part of `tensor`, which plays `operand`.
  TensorSlice getPanel(Value tensor, Operand operand, OpFoldResult first,
                       int64_t size);
  /// The layout of `operand` in the convolution of a panel.
  Layout getPanelLayout(Operand operand);
  /// A tensor for `panel` in the panel's layout.
  Value createEmpty(Value panel, Operand operand);
  /// `panel` in the panel's layout.
  Value transpose(Value panel, Operand operand);
  /// The way back, into `destination`.
  Value transposeBack(Value panel, Value destination);

  RewriterBase &rewriter;
  Location loc;
  ConvOp op;
  GroupPlan plan;
  /// Whether panels have the result's dimensions in another order.
  bool isApart;
  ConvParts parts;
};
} // namespace

Layout GroupTiler::getPanelLayout(Operand operand) {
  Layout layout = op.getLayout().getLayouts()[operand];
  if (!plan.transposed || getGroupStride(op, operand) == 1)
    return layout;
  std::string letters = layout.letters();
  llvm::erase(letters, 'g');
  return Layout::fromLetters(letters + 'g');
}

TensorSlice GroupTiler::getPanel(Value tensor, Operand operand,
                                 OpFoldResult first, int64_t size) {
  TensorSlice panel(rewriter, loc, tensor);
  panel.narrow(op.getLayout().getLayouts()[operand].position('g'), first,
               rewriter.getIndexAttr(size));
  return panel;
}

Value GroupTiler::createEmpty(Value panel, Operand operand) {
  return createReordered(rewriter, loc, panel,
                         op.getLayout().getLayouts()[operand].letters(),
                         getPanelLayout(operand).letters());
}

Value GroupTiler::transpose(Value panel, Operand operand) {
  Layout layout = op.getLayout().getLayouts()[operand];
  Layout wanted = getPanelLayout(operand);
  if (layout == wanted)
    return panel;
  return reorderDims(rewriter, loc, panel, layout.letters(), wanted.letters());
}

Value GroupTiler::transposeBack(Value panel, Value destination) {
  Layout layout = op.getLayout().getLayouts().output;
  AffineMap order = getLetterMap(getPanelLayout(Operand::Output).letters(),
                                 layout.letters(), rewriter.getContext());
  return createCopy(rewriter, loc, panel, order, destination).getResult(0);
}

Value GroupTiler::createConv(Value input, Value filter, Value init) {
  auto layout =
      ConvLayoutAttr::get(op.getContext(), {getPanelLayout(Operand::Input),
                                            getPanelLayout(Operand::Filter),
                                            getPanelLayout(Operand::Output)});
  auto panel =
      ConvOp::create(rewriter, loc, input, filter, init, op.getZeroPoints(),
                     layout, op.getWindow(), op.getNumerics());
  int64_t groups =
      cast<ConvolutionOpInterface>(*panel).getSize(Operand::Output, 'g');
  panel->setAttr(
      GroupPanelAttr::getAttrName(),
      GroupPanelAttr::get(op.getContext(), groups, getPadding(panel)));
  return panel;
}

PanelPadding GroupTiler::getPadding(ConvOp panel) {
  if (getPanelLayout(Operand::Input) != op.getLayout().getLayouts().input)
    return PanelPadding::Transposed;
  if (op.getWindow().hasInputDilation())
    return PanelPadding::Undecided;
  PaddingPlan padding = getPaddingPlan(cast<ConvolutionOpInterface>(*panel));
  return padding.borders ? PanelPadding::Split : PanelPadding::Copied;
}

Value GroupTiler::sumPanel(OpFoldResult first, int64_t size, Value init) {
  Value input =
      transpose(getPanel(op.getInput(), Operand::Input, first, size).extract(),
                Operand::Input);
  Value filter = transpose(
      getPanel(op.getFilter(), Operand::Filter, first, size).extract(),
      Operand::Filter);
  if (!isApart)
    return createConv(input, filter, init);
  // One value lies in any order.
  auto fill = init.getDefiningOp<linalg::FillOp>();
  Value sum = fill ? createEmpty(init, Operand::Output)
                   : transpose(init, Operand::Output);
  sum = createConv(input, filter, fillAs(rewriter, loc, fill, sum));
  return transposeBack(sum, fill ? fill.getOutputs()[0] : init);
}

std::pair<Value, TensorSlice>
GroupTiler::computePanel(OpFoldResult first, int64_t size, Value result) {
  TensorSlice slice = getPanel(result, Operand::Output, first, size);
  Value panel = parts.compute(
      slice, [&](Value init) { return sumPanel(first, size, init); });
  return {panel, slice};
}

void GroupTiler::tile() {
  rewriter.setInsertionPoint(parts.getRoot());
  auto conv = cast<ConvolutionOpInterface>(*op);
  int64_t groups = conv.getSize(Operand::Output, 'g');
  int64_t whole = groups / plan.size * plan.size;
  Value result = parts.getDestination();
  auto index = [&](int64_t value) -> OpFoldResult {
    return rewriter.getIndexAttr(value);
  };
  auto loop =
      scf::ForallOp::create(rewriter, loc, index(0), index(whole),
                            index(plan.size), result, /*mapping=*/std::nullopt);
  rewriter.setInsertionPoint(loop.getTerminator());
  auto [panel, place] = computePanel(loop.getInductionVar(0), plan.size,
                                     loop.getRegionIterArgs()[0]);
  place.insert(panel, loop);
  rewriter.setInsertionPoint(parts.getRoot());
  result = loop.getResult(0);
  if (whole < groups) {
    auto [rest, place] = computePanel(index(whole), groups - whole, result);
    result = place.insert(rest);
  }
  parts.replaceBy(result);
}

namespace {
struct TileGroupsPass final
    : mlir::convoy::impl::TileGroupsPassBase<TileGroupsPass> {
  using Base::Base;

  void runOnOperation() override {
    if (failed(verifyNoPlan(getOperation(), GroupPanelAttr::getAttrName(),
                            "it has no panels of groups yet")))
      return signalPassFailure();
    // Workgroups divide the groups of a GPU, which has no such caches.
    rewriteConvsForCPU(getOperation(), explain,
                       [](RewriterBase &rewriter, ConvOp op,
                          TargetAttr target) -> std::optional<Choice> {
                         auto conv = cast<ConvolutionOpInterface>(*op);
                         if (!hasKnownGroups(conv))
                           return Choice::NoKnownGroups;
                         if (conv.hasZeroPointsPerChannel())
                           return Choice::ZeroPointOfEachChannel;
                         std::optional<GroupPlan> plan =
                             GroupCosts(conv, target).getPlan();
                         if (!plan)
                           return Choice::PanelsTakeLonger;
                         GroupTiler(rewriter, op, *plan).tile();
                         return std::nullopt;
                       });
  }
};
} // namespace
