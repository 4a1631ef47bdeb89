//===- ExpandEpilogues.cpp - Epilogues of collapsed sums --------*- C++ -*-===//
//-*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PhaseConv.h"

#include "convoy/Transforms/Convolution/Passes.h"
#include "convoy/Transforms/Utils/Contractions.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir::convoy {
#define GEN_PASS_DEF_EXPANDEPILOGUESPASS
#include "convoy/Transforms/Convolution/Passes.h.inc"
} // namespace mlir::convoy

using namespace mlir;
using namespace mlir::convoy;

/// What finishes the sums of a contraction that `collapse` collapses, element
/// by element, if nothing else uses either; null otherwise.
static linalg::GenericOp findEpilogue(tensor::CollapseShapeOp collapse) {
  auto sums = collapse.getSrc().getDefiningOp<linalg::GenericOp>();
  if (!sums || !getRowsOf(sums) || !sums->hasOneUse() || !collapse->hasOneUse())
    return {};
  OpOperand &use = *collapse->use_begin();
  auto epilogue = dyn_cast<linalg::GenericOp>(use.getOwner());
  bool isFinished = epilogue && isElementwise(epilogue) &&
                    epilogue.isDpsInput(&use) &&
                    epilogue.getMatchingIndexingMap(&use).isIdentity();
  return isFinished ? epilogue : linalg::GenericOp();
}

namespace {
struct ExpandEpiloguesPass final
    : mlir::convoy::impl::ExpandEpiloguesPassBase<ExpandEpiloguesPass> {
  using Base::Base;

  void runOnOperation() override {
    SmallVector<tensor::CollapseShapeOp> ops;
    getOperation()->walk(
        [&](tensor::CollapseShapeOp op) { ops.push_back(op); });
    IRRewriter rewriter(&getContext());
    for (tensor::CollapseShapeOp collapse : ops)
      if (linalg::GenericOp epilogue = findEpilogue(collapse))
        expand(rewriter, collapse, epilogue);
  }

private:
  static void expand(RewriterBase &rewriter, tensor::CollapseShapeOp collapse,
                     linalg::GenericOp epilogue) {
    rewriter.setInsertionPoint(epilogue);
    Value init = epilogue.getDpsInits()[0];
    Value destination = makeDestination(rewriter, epilogue.getResult(0), init);
    if (destination != init)
      rewriter.modifyOpInPlace(
          epilogue, [&] { epilogue.getDpsInitsMutable()[0].set(destination); });
    RewritePatternSet patterns(rewriter.getContext());
    linalg::populateFoldReshapeOpsByExpansionPatterns(
        patterns, [&](OpOperand *operand) {
          return operand->get() == collapse.getResult();
        });
    (void)applyOpPatternsGreedily({epilogue}, std::move(patterns));
  }
};
} // namespace
