//===- ApplyPolicy.cpp - Choose the type of convolutions' sums --*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SumHazards.h"
#include "TargetError.h"

#include "convoy/Dialect/Convoy/IR/WinogradTile.h"
#include "convoy/Transforms/Numerics/Passes.h"
#include "convoy/Transforms/Numerics/PolicyTypes.h"
#include "convoy/Transforms/Utils/Choices.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::convoy {
#define GEN_PASS_DEF_APPLYPOLICYPASS
#include "convoy/Transforms/Numerics/Passes.h.inc"
} // namespace mlir::convoy

using namespace mlir;
using namespace mlir::convoy;

/// How the policy of `op`, a convolution of floats, lets it sum. `reason` says
/// why not all in a narrower type, if that is so.
static SumChoice chooseSum(ConvolutionOpInterface op, RangeAnalysis &ranges,
                           std::string &reason) {
  auto declared = cast<FloatType>(op.getAccumulatorType());
  SumChoice choice;
  choice.type = cast<FloatType>(getPolicyAccumulator(op, ranges, reason));
  if (reason.empty())
    return choice;
  SmallVector<SumBlocks> blocks =
      findSumBlocks(op, getNarrowAccumulator(op, declared), ranges);
  if (!blocks.empty())
    choice.blocks = blocks.front();
  return choice;
}

/// Says what policy `low` has done, and why.
static void explainLow(ConvolutionOpInterface op, const SumChoice &choice,
                       StringRef reason, RangeAnalysis &ranges) {
  auto lookup = [&](Value value) { return ranges.getRange(value); };
  std::optional<SumRange> sum = getSumRange(op, lookup);
  bool isGiven = reason.empty() && !(sum && choice.isNarrow());
  if (isGiven && choice.type != getElementTypeOrSelf(op->getResult(0)))
    return;
  InFlightDiagnostic remark = op.emitRemark();
  remark << describeSums(choice) << getWords(Choice::PolicyLow);
  if (isGiven) {
    remark << getWords(Choice::AsTheResult);
    return;
  }
  if (reason.empty()) {
    remark << ": sums of " << getNumberText(sum->length)
           << getWords(Choice::SumsStay)
           << getNumberText(sum->getPeak(choice.type));
    return;
  }
  auto declared = cast<FloatType>(op.getAccumulatorType());
  remark << ", not " << (choice.blocks ? "all " : "") << "in "
         << getNarrowAccumulator(op, declared) << ": " << reason;
  if (choice.blocks)
    remark << "; those of a block stay below "
           << getNumberText(choice.blocks->peak);
}

/// Says that ops of samples and their gradients take no part in policies: their
/// sums are in f32, as are the weights of their terms.
static void explainSamples(Operation *op) {
  auto sample = dyn_cast<GridSampleOp>(op);
  bool addsSamples = isa<GridSampleBackwardInputOp, GridSampleBackwardGridOp,
                         DeformOpInterface>(op) ||
                     (sample && sample.getMode() != SampleMode::Nearest);
  if (!addsSamples)
    return;
  auto type = cast<FloatType>(getElementTypeOrSelf(op->getResult(0)));
  if (type.getWidth() < 32)
    op->emitRemark() << "sums in 'f32'" << getWords(Choice::PolicyLow)
                     << ", not in " << type << ": "
                     << getWords(Choice::SamplesInF32);
}

/// Lets `op` sum as `choice` says, with `policy` unless it is summed in blocks.
static void applyChoice(ConvolutionOpInterface op, const SumChoice &choice,
                        Policy policy) {
  if (choice.blocks)
    return sumInBlocks(op, *choice.blocks);
  NumericsAttr numerics = op.getNumerics().withPolicy(policy);
  if (choice.type != op.getAccumulatorType())
    numerics = numerics.withAccumulator(choice.type);
  op.setNumericsAttr(numerics);
}

namespace {
struct ApplyPolicyPass final
    : mlir::convoy::impl::ApplyPolicyPassBase<ApplyPolicyPass> {
  using Base::Base;

  LogicalResult checkOptions() {
    if (!policy.empty() && !symbolizePolicy(policy))
      return getOperation()->emitError()
             << "expected normal, high or low for policy, but got '" << policy
             << "'";
    // Not a number, too.
    if (!(targetError >= 0 && targetError < 1))
      return getOperation()->emitError()
             << "expected a number from 0 to below 1 for target-error, but got "
             << getNumberText(targetError);
    return success();
  }

  /// Gives convolutions whose policy is normal another one. Ranges hold for all
  /// sums that the policies allow.
  static void setCommonPolicy(ArrayRef<ConvolutionOpInterface> convolutions,
                              Policy policy) {
    for (ConvolutionOpInterface op : convolutions)
      if (op.getNumerics().getPolicy() == Policy::Normal)
        op.setNumericsAttr(op.getNumerics().withPolicy(policy));
  }

  /// Policies that follow from the target error.
  LogicalResult
  applyTargetError(ArrayRef<ConvolutionOpInterface> convolutions) {
    llvm::SmallPtrSet<Operation *, 8> free;
    for (ConvolutionOpInterface op : convolutions)
      if (op.getNumerics().getPolicy() == Policy::Normal)
        free.insert(op);
    setCommonPolicy(convolutions, Policy::Low);
    RangeAnalysis ranges(getOperation());
    SmallVector<std::pair<ConvolutionOpInterface, SumChoice>> chosen;
    bool allowTiles = winograd && !TargetAttr::lookup(getOperation()).isGPU();
    WalkResult walk = getOperation()->walk([&](FunctionOpInterface function) {
      FailureOr<SumChoices> choices =
          chooseSums(function, targetError, free, allowTiles, ranges);
      if (failed(choices))
        return WalkResult::interrupt();
      function.walk([&](ConvolutionOpInterface op) {
        if (auto found = choices->find(op); found != choices->end())
          chosen.emplace_back(op, found->second);
      });
      return WalkResult::advance();
    });
    if (walk.wasInterrupted())
      return failure();
    for (auto [op, choice] : chosen) {
      if (allowTiles && op.getNumerics().getPolicy() != Policy::High)
        op->setAttr(kMostWinogradAttrName,
                    Builder(op).getI64IntegerAttr(choice.winogradResults));
      applyChoice(op, choice, choice.isNarrow() ? Policy::Low : Policy::High);
    }
    return success();
  }

  /// The policies that the ops have, or the option.
  void applyPolicies(ArrayRef<ConvolutionOpInterface> convolutions) {
    setCommonPolicy(convolutions,
                    symbolizePolicy(policy).value_or(Policy::Normal));
    if (policy == "low")
      getOperation()->walk(explainSamples);
    RangeAnalysis ranges(getOperation());
    SmallVector<std::tuple<ConvolutionOpInterface, SumChoice, Policy>> chosen;
    for (ConvolutionOpInterface op : convolutions) {
      if (!isa<FloatType>(op.getAccumulatorType()))
        continue;
      std::string reason;
      SumChoice choice = chooseSum(op, ranges, reason);
      Policy own = op.getNumerics().getPolicy();
      if (own == Policy::Low)
        explainLow(op, choice, reason, ranges);
      chosen.emplace_back(op, choice, reason.empty() ? own : Policy::Normal);
    }
    // Of what takes the place of convolutions no ranges are known.
    for (auto [op, choice, policy] : chosen)
      applyChoice(op, choice, policy);
  }

  void runOnOperation() override {
    if (failed(checkOptions()))
      return signalPassFailure();
    SmallVector<ConvolutionOpInterface> convolutions;
    getOperation()->walk(
        [&](ConvolutionOpInterface op) { convolutions.push_back(op); });
    if (targetError == 0)
      applyPolicies(convolutions);
    else if (failed(applyTargetError(convolutions)))
      signalPassFailure();
  }
};
} // namespace
