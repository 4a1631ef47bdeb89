//===- PlacePhases.cpp - Phases become dimensions ---------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where windows do not overlap, as those of 2x2 taps by 2, each phase has one
// tap, and all read the same pixel: computed one by one, they read the input as
// often as there are phases.
//
//===----------------------------------------------------------------------===//

#include "ConvContraction.h"
#include "PhaseConv.h"

#include "convoy/Dialect/Convoy/IR/Convoy.h"
#include "convoy/Transforms/Convolution/Passes.h"
#include "convoy/Transforms/Costs/CycleCosts.h"
#include "convoy/Transforms/Utils/ConvRewrites.h"
#include "convoy/Transforms/Utils/Fills.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/Support/MathExtras.h"

namespace mlir::convoy {
#define GEN_PASS_DEF_PLACEPHASESPASS
#include "convoy/Transforms/Convolution/Passes.h.inc"
} // namespace mlir::convoy

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::Operand;
using ::convoy::WindowDim;
using ::convoy::WindowPhase;

/// Whether each phase of one dimension has one tap, the one of its number, and
/// as many positions as the input has.
static bool hasTapForEachPhase(int64_t input, int64_t filter, int64_t output,
                               const WindowDim &window) {
  std::vector<WindowPhase> phases =
      ::convoy::splitPhases(input, filter, output, window);
  if (int64_t(phases.size()) != filter || phases.front().outputStep != filter ||
      output != input * filter)
    return false;
  return llvm::all_of(phases, [&](const WindowPhase &phase) {
    return phase.tapCount == 1 && phase.firstTap == phase.firstOutput &&
           phase.outputCount == input && phase.window.stride == 1 &&
           phase.window.padLow == 0 && phase.window.padHigh == 0;
  });
}

/// The spatial dimensions of `op` that are dilated, if each phase of them has a
/// tap of its own; nothing where that is not so.
static std::optional<std::string> getPhased(ConvOp op) {
  auto conv = cast<ConvolutionOpInterface>(*op);
  std::string phased;
  for (auto [dim, letter] : llvm::enumerate(
           ::convoy::spatialLetters(op.getLayout().getSpatialRank()))) {
    WindowDim window = op.getWindow().getDim(dim);
    if (window.inputDilation == 1)
      continue;
    if (!hasTapForEachPhase(conv.getSize(Operand::Input, letter),
                            conv.getSize(Operand::Filter, letter),
                            conv.getSize(Operand::Output, letter), window))
      return std::nullopt;
    phased.push_back(letter);
  }
  return phased;
}

/// How much of their vectors the lanes fill, which run along the channels and,
/// where these follow each other in a row of the result, its phases.
static double getUsedLanes(ConvOp op, StringRef phased, TargetAttr target) {
  auto conv = cast<ConvolutionOpInterface>(*op);
  std::string letters = op.getLayout().getLayouts().output.letters();
  if (letters.back() != 'f')
    return 0;
  int64_t channels = conv.getSize(Operand::Output, 'f');
  if (char next = letters[letters.size() - 2]; phased.contains(next))
    channels *= conv.getSize(Operand::Filter, next);
  int64_t lanes = target.getVectorLanes(getElementTypeOrSelf(op.getInit()));
  return double(channels) / double(llvm::alignTo(channels, lanes));
}

/// Lets the sums of `op` be written where its result goes, if they are its
/// result, and all of that is filled first.
static void writeInto(RewriterBase &rewriter, ConvOp op) {
  linalg::FillOp fill = getOwnFill(op.getInit());
  if (!fill)
    return;
  Value init = fill.getOutputs()[0];
  Value destination = makeDestination(rewriter, op.getResult(), init);
  if (destination == init)
    return;
  Value filled = fillAs(rewriter, op.getLoc(), fill, destination);
  rewriter.modifyOpInPlace(op, [&] { op.getInitMutable().set(filled); });
}

namespace {
struct PlacePhasesPass final
    : mlir::convoy::impl::PlacePhasesPassBase<PlacePhasesPass> {
  using Base::Base;

  void runOnOperation() override {
    rewriteConvsForCPU(getOperation(), explain, placePhases);
  }

private:
  static std::optional<Choice> placePhases(RewriterBase &rewriter, ConvOp op,
                                           TargetAttr target) {
    auto conv = cast<ConvolutionOpInterface>(*op);
    if (!op.getWindow().hasInputDilation() || !conv.hasStaticSizes() ||
        conv.hasEmptyTensor())
      return Choice::NoPhases;
    if (!op.getZeroPoints().empty() ||
        op.getLayout().getLayouts().output.hasGroups())
      return Choice::ZeroPointsOrGroups;
    Type accumulator = conv.getAccumulatorType();
    std::optional<std::string> phased = getPhased(op);
    if (!phased || getElementTypeOrSelf(op.getInput()) != accumulator ||
        getElementTypeOrSelf(op.getInit()) != accumulator ||
        getUsedLanes(op, *phased, target) < kLeastPlacedLanes)
      return Choice::PhasesNotPlaced;
    rewriter.setInsertionPoint(op);
    writeInto(rewriter, op);
    ConvFactors factors = {op.getInput(), op.getFilter()};
    rewriter.replaceOp(
        op, createContraction(rewriter, op, factors, nullptr, *phased));
    return std::nullopt;
  }
};
} // namespace
