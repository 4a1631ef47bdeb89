//===- PhaseConv.cpp - Dense convolutions of phases -------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PhaseConv.h"

#include "convoy/Dialect/Convoy/IR/ConvoyPlans.h"
#include "convoy/Transforms/Utils/Fills.h"
#include "convoy/Transforms/Utils/TensorSlice.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::Layout;
using ::convoy::WindowDim;
using ::convoy::WindowPhase;

static void visitChoices(ArrayRef<ChosenPhases> phases, ChosenPhases &chosen,
                         function_ref<void(const ChosenPhases &)> visit) {
  if (chosen.size() == phases.size())
    return visit(chosen);
  for (const std::optional<WindowPhase> &phase : phases[chosen.size()]) {
    chosen.push_back(phase);
    visitChoices(phases, chosen, visit);
    chosen.pop_back();
  }
}

void mlir::convoy::forEachChoice(
    ArrayRef<ChosenPhases> phases,
    function_ref<void(const ChosenPhases &)> visit) {
  ChosenPhases chosen;
  visitChoices(phases, chosen, visit);
}

bool mlir::convoy::haveTaps(ArrayRef<std::optional<WindowPhase>> phases) {
  return llvm::none_of(phases, [](const std::optional<WindowPhase> &phase) {
    return phase && phase->tapCount == 0;
  });
}

linalg::FillOp mlir::convoy::getFillOfPhases(ConvOp op) {
  auto conv = cast<ConvolutionOpInterface>(*op);
  bool isKnown = op.getWindow().hasInputDilation() && conv.hasStaticSizes() &&
                 !conv.hasEmptyTensor();
  return isKnown ? getOwnFill(op.getInit()) : linalg::FillOp();
}

Value mlir::convoy::makeDestination(OpBuilder &builder, Value result,
                                    Value init) {
  using bufferization::MaterializeInDestinationOp;
  auto empty = init.getDefiningOp<tensor::EmptyOp>();
  if (!empty || !empty->hasOneUse() || !result.hasOneUse())
    return init;
  auto write = dyn_cast<MaterializeInDestinationOp>(*result.user_begin());
  if (!write || !write.getRestrict() || !isa<BlockArgument>(write.getDest()) ||
      init.getType() != result.getType())
    return init;
  // Only one way to a buffer may say that there is no other.
  write.setRestrict(false);
  return bufferization::ToTensorOp::create(builder, result.getLoc(),
                                           init.getType(), write.getDest(),
                                           /*restrict=*/true,
                                           /*writable=*/true);
}

int64_t mlir::convoy::countPhases(ConvOp op) {
  int64_t count = 1;
  for (int64_t dim = 0;
       dim < op.getLayout().getSpatialRank() && count <= ::convoy::kMostPhases;
       ++dim)
    count *= std::min(::convoy::countPhases(op.getWindow().getDim(dim)),
                      ::convoy::kMostPhases + 1);
  return count;
}

Value mlir::convoy::extractTaps(OpBuilder &builder, ConvOp op,
                                const ChosenPhases &phases) {
  Layout layout = op.getLayout().getLayouts().filter;
  TensorSlice taps(builder, op.getLoc(), op.getFilter());
  for (auto [letter, phase] :
       llvm::zip_equal(::convoy::spatialLetters(phases.size()), phases))
    if (phase)
      taps.narrow(layout.position(letter), phase->firstTap, phase->tapCount,
                  phase->tapStep);
  return taps.extract();
}

Value mlir::convoy::createPhaseConv(OpBuilder &builder, ConvOp op, Value input,
                                    Value taps, const ChosenPhases &phases,
                                    Value init) {
  SmallVector<WindowDim> window = op.getWindow().getDims(phases.size());
  for (auto [dim, phase] : llvm::zip_equal(window, phases))
    if (phase)
      dim = phase->window;
  auto conv = ConvOp::create(builder, op.getLoc(), input, taps, init,
                             op.getZeroPoints(), op.getLayout(),
                             WindowAttr::get(op.getContext(), window),
                             op.getNumerics());
  if (Attribute panel = op->getAttr(GroupPanelAttr::getAttrName()))
    conv->setAttr(GroupPanelAttr::getAttrName(), panel);
  return conv;
}

SmallVector<ReassociationIndices>
mlir::convoy::groupDims(StringRef letters, function_ref<int64_t(char)> count) {
  SmallVector<ReassociationIndices> groups;
  int64_t next = 0;
  for (char letter : letters) {
    int64_t end = next + count(letter);
    groups.push_back(llvm::to_vector<2>(llvm::seq(next, end)));
    next = end;
  }
  return groups;
}
