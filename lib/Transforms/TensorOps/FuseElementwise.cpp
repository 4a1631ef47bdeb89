//===- FuseElementwise.cpp - Fuse elementwise ops ---------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Dialect/Convoy/IR/Convoy.h"
#include "convoy/Transforms/TensorOps/Passes.h"
#include "convoy/Transforms/TensorOps/Patterns.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir::convoy {
#define GEN_PASS_DEF_FUSEELEMENTWISEPASS
#include "convoy/Transforms/TensorOps/Passes.h.inc"
} // namespace mlir::convoy

using namespace mlir;

/// Ops that a body may have: what they compute waits in registers, of which a
/// core has 16 to 32.
static constexpr size_t kMostOps = 64;

static size_t countOps(linalg::GenericOp op) {
  return op.getBody()->getOperations().size();
}

/// Whether what `operand` is made by should be computed where it is used.
static bool shouldFuse(OpOperand *operand) {
  auto producer = operand->get().getDefiningOp<linalg::GenericOp>();
  auto consumer = dyn_cast<linalg::GenericOp>(operand->getOwner());
  return producer && consumer && producer->hasOneUse() &&
         producer.getNumReductionLoops() == 0 &&
         consumer.getNumReductionLoops() == 0 &&
         consumer.getMatchingIndexingMap(operand).isPermutation() &&
         countOps(producer) + countOps(consumer) <= kMostOps;
}

namespace {
struct FuseElementwisePass final
    : mlir::convoy::impl::FuseElementwisePassBase<FuseElementwisePass> {
  using Base::Base;

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    mlir::convoy::populateFuseElementwisePatterns(patterns);
    GreedyRewriteConfig config;
    config.enableFolding(false).enableConstantCSE(false);
    // Inits that are not read are gone (convoy-generalize-ops). Upstream drops
    // those, too, of which elements are left as they are. The names are those
    // that Clang and GCC give the pattern.
    FrozenRewritePatternSet frozen(
        std::move(patterns), {"(anonymous namespace)::RemoveOutsDependency",
                              "{anonymous}::RemoveOutsDependency"});
    if (failed(applyPatternsGreedily(getOperation(), frozen, config))) {
      getOperation()->emitOpError("has ops that are not fused within as many "
                                  "steps as a rewriter takes");
      signalPassFailure();
    }
  }
};
} // namespace

void mlir::convoy::populateFuseElementwisePatterns(
    RewritePatternSet &patterns) {
  linalg::populateElementwiseOpsFusionPatterns(patterns, shouldFuse);
}
