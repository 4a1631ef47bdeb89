//===- SplitPhases.cpp - Input dilation becomes dense phases ----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PhaseConv.h"

#include "convoy/Dialect/Convoy/IR/Convoy.h"
#include "convoy/Transforms/Convolution/Passes.h"
#include "convoy/Transforms/Convolution/Patterns.h"
#include "convoy/Transforms/Utils/Fills.h"
#include "convoy/Transforms/Utils/ReasonRecorder.h"
#include "convoy/Transforms/Utils/TensorSlice.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace mlir::convoy {
#define GEN_PASS_DEF_SPLITPHASESPASS
#include "convoy/Transforms/Convolution/Passes.h.inc"
} // namespace mlir::convoy

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::Layout;
using ::convoy::Operand;
using ::convoy::WindowDim;
using ::convoy::WindowPhase;

/// Number of positions of `phase` among `outputSize`.
static OpFoldResult getOutputCount(OpBuilder &builder, Location loc,
                                   const WindowPhase &phase,
                                   OpFoldResult outputSize) {
  AffineExpr size = builder.getAffineSymbolExpr(0);
  return affine::makeComposedFoldedAffineApply(
      builder, loc, (size - phase.firstOutput).ceilDiv(phase.outputStep),
      {outputSize});
}

/// The phases of one dimension; `nullopt` where it is not dilated. Sizes of
/// input and output may be dynamic.
static ChosenPhases getPhases(int64_t input, int64_t filter, int64_t output,
                              const WindowDim &window) {
  if (window.inputDilation == 1)
    return {std::nullopt};
  bool isDynamic =
      ShapedType::isDynamic(input) || ShapedType::isDynamic(output);
  ChosenPhases phases;
  for (const WindowPhase &phase :
       isDynamic ? ::convoy::splitPhases(filter, window)
                 : ::convoy::splitPhases(input, filter, output, window))
    phases.push_back(phase);
  return phases;
}

/// The dense convolution of one phase in each input-dilated dimension, summed
/// into that part of `init`, or of what `fill` puts there. `phases` has nothing
/// for the other dimensions.
static Value createPhase(OpBuilder &builder, ConvOp op, Value init,
                         linalg::FillOp fill, const ChosenPhases &phases) {
  Location loc = op.getLoc();
  Layout layout = op.getLayout().getLayouts().output;
  TensorSlice positions(builder, loc, init);
  for (auto [dim, letter] :
       llvm::enumerate(::convoy::spatialLetters(phases.size()))) {
    if (!phases[dim])
      continue;
    const WindowPhase &phase = *phases[dim];
    int64_t position = layout.position(letter);
    positions.narrow(
        position, builder.getIndexAttr(phase.firstOutput),
        getOutputCount(builder, loc, phase, positions.getSize(position)),
        phase.outputStep);
  }
  Value taps = extractTaps(builder, op, phases);
  Value sum = positions.extract();
  sum = createPhaseConv(builder, op, op.getInput(), taps, phases,
                        fillAs(builder, loc, fill, sum));
  return positions.insert(sum);
}

/// What fills `init`, if that can be left to the phases: they make it up.
static linalg::FillOp getFill(Value init, ArrayRef<ChosenPhases> phases) {
  bool isMadeUp = llvm::all_of(phases, haveTaps);
  return isMadeUp ? getOwnFill(init) : linalg::FillOp();
}

namespace {
/// See the pass's description.
struct SplitPhases final : OpRewritePattern<ConvOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ConvOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.getWindow().hasInputDilation())
      return rewriter.notifyMatchFailure(op, "input is not dilated");

    auto conv = cast<ConvolutionOpInterface>(*op);
    if (conv.hasEmptyTensor()) {
      rewriter.replaceOp(op, op.getInit());
      return success();
    }
    if (countPhases(op) > ::convoy::kMostPhases)
      return rewriter.notifyMatchFailure(op, [](Diagnostic &why) {
        why << "the input's dilation makes more than " << ::convoy::kMostPhases
            << " phases";
      });
    // The phases of each dimension.
    SmallVector<ChosenPhases> phases;
    for (auto [dim, letter] : llvm::enumerate(
             ::convoy::spatialLetters(op.getLayout().getSpatialRank()))) {
      WindowDim window = op.getWindow().getDim(dim);
      int64_t filter = conv.getSize(Operand::Filter, letter);
      if (window.inputDilation != 1 && ShapedType::isDynamic(filter))
        return rewriter.notifyMatchFailure(
            op, "the filter's sizes along the dilated input are not static");
      phases.push_back(getPhases(conv.getSize(Operand::Input, letter), filter,
                                 conv.getSize(Operand::Output, letter),
                                 window));
    }

    auto fill = getFill(op.getInit(), phases);
    Value result =
        fill ? makeDestination(rewriter, op.getResult(), fill.getOutputs()[0])
             : op.getInit();
    forEachChoice(phases, [&](const ChosenPhases &chosen) {
      if (haveTaps(chosen))
        result = createPhase(rewriter, op, result, fill, chosen);
    });
    rewriter.replaceOp(op, result);
    return success();
  }
};

struct SplitPhasesPass final
    : mlir::convoy::impl::SplitPhasesPassBase<SplitPhasesPass> {
  using Base::Base;

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    populateSplitPhasesPatterns(patterns);
    ReasonRecorder recorder;
    walkAndApplyPatterns(getOperation(), std::move(patterns), &recorder);
    getOperation()->walk([&](ConvOp op) {
      if (!op.getWindow().hasInputDilation())
        return;
      recorder.emitLeftBehind(op, "split into phases");
      signalPassFailure();
    });
  }
};
} // namespace

void mlir::convoy::populateSplitPhasesPatterns(RewritePatternSet &patterns) {
  patterns.add<SplitPhases>(patterns.getContext());
}
