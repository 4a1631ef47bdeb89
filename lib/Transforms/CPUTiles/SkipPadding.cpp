//===- SkipPadding.cpp - Tiles that read nothing but padding ----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PaddedReads.h"

#include "convoy/Dialect/Convoy/IR/Convoy.h"
#include "convoy/Transforms/CPUTiles/Passes.h"
#include "convoy/Transforms/Utils/Choices.h"
#include "convoy/Transforms/Utils/SumOfProducts.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/ADT/StringExtras.h"

namespace mlir::convoy {
#define GEN_PASS_DEF_SKIPPADDINGPASS
#include "convoy/Transforms/CPUTiles/Passes.h.inc"
} // namespace mlir::convoy

using namespace mlir;
using namespace mlir::convoy;

//===----------------------------------------------------------------------===//
// What a tile adds to
//===----------------------------------------------------------------------===//

/// What `op`, a sum or a loop around one, adds to.
static Value getInit(Operation *op) {
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return loop.getInitArgs()[0];
  return cast<linalg::LinalgOp>(op).getDpsInits()[0];
}

/// Whether `loop` does nothing but what `op`, in its body, does, to the whole
/// tensor that it carries: it is one of a reduction.
static bool addsDirectly(scf::ForOp loop, Operation *op) {
  return loop.getNumResults() == 1 &&
         loop.getYieldedValues()[0] == op->getResult(0) &&
         getInit(op) == loop.getRegionIterArg(0) && isMemoryEffectFree(loop);
}

/// The largest op of the reduction around `sum` through which `read` is the
/// same.
static Operation *findSkippable(Operation *sum, const PaddedRead &read) {
  Operation *op = sum;
  while (auto loop = dyn_cast<scf::ForOp>(op->getParentOp())) {
    if (read.variesIn(loop) || !addsDirectly(loop, op))
      break;
    op = loop;
  }
  return op;
}

//===----------------------------------------------------------------------===//
// Skipping
//===----------------------------------------------------------------------===//

/// Runs `op` where `read` reads more than padding, and else leaves what it adds
/// to.
static void branchAround(RewriterBase &rewriter, Operation *op,
                         const PaddedRead &read) {
  Location loc = op->getLoc();
  rewriter.setInsertionPoint(op);
  Value init = getInit(op);
  auto branch = scf::IfOp::create(rewriter, loc, op->getResultTypes(),
                                  read.isRead(rewriter, loc),
                                  /*withElseRegion=*/true);
  rewriter.replaceAllUsesWith(op->getResults(), branch.getResults());
  rewriter.moveOpBefore(op, branch.thenBlock(), branch.thenBlock()->end());
  rewriter.setInsertionPointAfter(op);
  scf::YieldOp::create(rewriter, loc, op->getResults());
  rewriter.setInsertionPointToEnd(branch.elseBlock());
  scf::YieldOp::create(rewriter, loc, init);
}

namespace {
/// What becomes of steps of sums that read nothing but padding.
enum class Skipping { Narrowed, Branched, Kept };
} // namespace

/// Whether an op goes on with the sums of `op` element by element, so that they
/// are in registers and not where the result lies.
static bool isFinished(Operation *op) {
  return llvm::any_of(op->getUsers(), llvm::IsaPred<linalg::LinalgOp>);
}

/// Skips as much around `sum` as adds nothing, along the dimension of `read`.
/// Sums in registers, those of a loop around, of a fill before or of an op
/// behind, stay there: nothing branches.
static Skipping skip(RewriterBase &rewriter, Operation *sum,
                     const PaddedRead &read) {
  Operation *op = findSkippable(sum, read);
  auto loop = dyn_cast<scf::ForOp>(op->getParentOp());
  if (loop && addsDirectly(loop, op))
    return read.narrow(rewriter, loop) ? Skipping::Narrowed : Skipping::Kept;
  if (!isa<scf::ForOp>(op) || !isMemoryEffectFree(op) || isFinished(op) ||
      getInit(op).getDefiningOp<linalg::LinalgOp>())
    return Skipping::Kept;
  branchAround(rewriter, op, read);
  return Skipping::Branched;
}

/// Says in a remark which ways were taken.
static void emitExplanation(Location loc,
                            const llvm::SmallSet<Skipping, 3> &ways) {
  SmallVector<StringRef> words;
  for (auto [way, choice] :
       {std::pair(Skipping::Narrowed, Choice::PaddingLeftOut),
        std::pair(Skipping::Branched, Choice::PaddingSkipped),
        std::pair(Skipping::Kept, Choice::PaddingComputed)})
    if (ways.contains(way))
      words.push_back(getWords(choice));
  emitRemark(loc) << getWords(Choice::PaddingSteps) << ": "
                  << llvm::join(words, ", ");
}

namespace {
struct SkipPaddingPass final
    : mlir::convoy::impl::SkipPaddingPassBase<SkipPaddingPass> {
  using Base::Base;

  void runOnOperation() override {
    SmallVector<linalg::LinalgOp> sums;
    getOperation()->walk([&](linalg::LinalgOp op) {
      if (isSumOfProducts(op))
        sums.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    // The parts of a contraction have its location.
    llvm::MapVector<Location, llvm::SmallSet<Skipping, 3>> ways;
    for (linalg::LinalgOp sum : sums)
      for (Value factor : sum.getDpsInputs())
        for (const PaddedRead &read : findPaddedReads(factor))
          ways[sum.getLoc()].insert(skip(rewriter, sum, read));
    if (explain)
      for (const auto &[loc, which] : ways)
        emitExplanation(loc, which);
  }
};
} // namespace
