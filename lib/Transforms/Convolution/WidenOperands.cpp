//===- WidenOperands.cpp - Widen operands before all tiles ------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WordPlan.h"

#include "convoy/Transforms/Convolution/Passes.h"
#include "convoy/Transforms/Costs/WideningCosts.h"
#include "convoy/Transforms/Utils/ConvRewrites.h"
#include "convoy/Transforms/Utils/Copies.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::convoy {
#define GEN_PASS_DEF_WIDENOPERANDSPASS
#include "convoy/Transforms/Convolution/Passes.h.inc"
} // namespace mlir::convoy

using namespace mlir;
using namespace mlir::convoy;

/// Whether the type of `value` has floats narrower than `wide`.
static bool isNarrower(Value value, FloatType wide) {
  auto type = dyn_cast<FloatType>(getElementTypeOrSelf(value));
  return type && type.getWidth() < wide.getWidth();
}

namespace {
struct WidenOperandsPass final
    : mlir::convoy::impl::WidenOperandsPassBase<WidenOperandsPass> {
  using Base::Base;

  void runOnOperation() override {
    rewriteConvsForCPU(getOperation(), explain, widen);
  }

private:
  static std::optional<Choice> widen(RewriterBase &rewriter, ConvOp op,
                                     TargetAttr target) {
    auto conv = cast<ConvolutionOpInterface>(*op);
    auto wide = dyn_cast<FloatType>(conv.getAccumulatorType());
    if (!wide || !isNarrower(op.getInput(), wide) ||
        !isNarrower(op.getFilter(), wide))
      return Choice::NoWiderSums;
    if (WordPlan plan; !planWords(op, target, plan))
      return Choice::MultipliedAsTheyAre;
    if (!isWideningFaster(conv, target))
      return Choice::TilesWiden;
    rewriter.setInsertionPoint(op);
    Value input = convertElements(rewriter, op.getLoc(), op.getInput(), wide);
    Value filter = convertElements(rewriter, op.getLoc(), op.getFilter(), wide);
    rewriter.modifyOpInPlace(op, [&] {
      op.getInputMutable().set(input);
      op.getFilterMutable().set(filter);
    });
    return std::nullopt;
  }
};
} // namespace
