//===- ParallelizeTiles.cpp - Which tiles threads share ---------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ThreadRegions.h"

#include "convoy/Dialect/Convoy/IR/Convoy.h"
#include "convoy/Dialect/Convoy/IR/DiscardableAttrs.h"
#include "convoy/Transforms/Threads/Passes.h"
#include "convoy/Transforms/Utils/AssumedSize.h"
#include "convoy/Transforms/Utils/IndependentLoops.h"
#include "convoy/Transforms/Utils/LoopValues.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/Support/MathExtras.h"

namespace mlir::convoy {
#define GEN_PASS_DEF_PARALLELIZETILESPASS
#include "convoy/Transforms/Threads/Passes.h.inc"
} // namespace mlir::convoy

using namespace mlir;
using namespace mlir::convoy;

//===----------------------------------------------------------------------===//
// Which loops threads share
//===----------------------------------------------------------------------===//

/// The least share of their time that threads may work for loops to be taken
/// where more would be used further inside. Every nest inside starts the
/// threads anew for each iteration of the loops around it.
static constexpr double kEnoughWork = 0.9;

namespace {
/// What loops take, in elements of results: one thread, and several.
struct Work {
  double all = 0, longest = 0;

  double getUsedShare(int64_t threads) const {
    return all == 0 ? 1 : all / (double(threads) * longest);
  }
};
} // namespace

/// How many elements `loop` computes. All loops around contractions give
/// tensors; dynamic sizes count as in the choice of tiles.
static double countElements(Operation *loop) {
  double elements = 1;
  for (Type type : loop->getResultTypes())
    if (auto tensor = dyn_cast<RankedTensorType>(type))
      for (int64_t size : tensor.getShape())
        elements *= estimateSize(size);
  return elements;
}

/// How many iterations `loop` has; nothing where that is dynamic.
static std::optional<int64_t> countIterations(scf::ForallOp loop) {
  int64_t count = 1;
  for (Value variable : loop.getInductionVars()) {
    std::optional<LoopValues> values = getLoopValues(variable);
    if (!values)
      return std::nullopt;
    count *= values->count;
  }
  return count;
}

static Work estimateWork(scf::ForallOp loop, int64_t threads) {
  double all = countElements(loop);
  std::optional<int64_t> count = countIterations(loop);
  // Dynamic sizes are taken for large.
  if (!count || *count == 0)
    return {all, all / double(threads)};
  return {all,
          all * double(llvm::divideCeil(*count, threads)) / double(*count)};
}

/// Whether `loop` is one on tensors whose iterations are independent.
static bool isParallelLoop(Operation *loop) {
  return isa<scf::ForallOp>(loop) && loop->getNumResults() > 0;
}

/// Adds the loops to run in parallel, outermost ones unless those inside them
/// can be shared far better; returns how long `block` then takes.
static Work selectLoops(Block &block, int64_t threads,
                        SmallPtrSetImpl<Operation *> &selected) {
  Work sum;
  for (Operation &loop : block) {
    bool isParallel = isParallelLoop(&loop);
    if (!isParallel && !isa<scf::ForOp>(loop))
      continue;
    double all = countElements(&loop);
    Work work = isParallel ? estimateWork(cast<scf::ForallOp>(loop), threads)
                           : Work{all, all};
    if (work.getUsedShare(threads) < kEnoughWork) {
      SmallPtrSet<Operation *, 4> inside;
      double share = selectLoops(loop.getRegion(0).front(), threads, inside)
                         .getUsedShare(threads);
      if (!inside.empty() && share > work.getUsedShare(threads)) {
        selected.insert_range(inside);
        isParallel = false;
        work.longest = all / (double(threads) * share);
      }
    }
    if (isParallel)
      selected.insert(&loop);
    sum.all += work.all;
    sum.longest += work.longest;
  }
  return sum;
}

//===----------------------------------------------------------------------===//
// The others
//===----------------------------------------------------------------------===//

/// Whether `op` takes the slice of `tensor` that `insert` writes.
static bool takesSlice(Operation *op, tensor::ParallelInsertSliceOp insert) {
  auto slice = dyn_cast<tensor::ExtractSliceOp>(op);
  return slice && slice.isSameAs(insert, [](OpFoldResult a, OpFoldResult b) {
    return isEqualConstantIntOrValue(a, b);
  });
}

/// Moves the body of `loop` to the end of `block`, an iteration of the loops
/// that take its place: these carry `tensors` where it shares its own. Returns
/// the tensors with what the iteration inserts.
static SmallVector<Value> moveBody(RewriterBase &rewriter, scf::ForallOp loop,
                                   Block *block, ValueRange tensors) {
  SmallVector<Value> next = llvm::to_vector(tensors);
  SmallVector<tensor::ParallelInsertSliceOp> inserts;
  for (Operation &op : loop.getTerminator().getYieldingOps())
    inserts.push_back(cast<tensor::ParallelInsertSliceOp>(op));
  for (auto [shared, before, tensor] :
       llvm::zip_equal(loop.getRegionIterArgs(), loop.getOutputs(), tensors)) {
    // An iteration does not see what others write.
    rewriter.replaceUsesWithIf(shared, tensor, [&](OpOperand &use) {
      return llvm::any_of(inserts, [&](tensor::ParallelInsertSliceOp insert) {
        return insert.getDest() == shared && takesSlice(use.getOwner(), insert);
      });
    });
    rewriter.replaceUsesWithIf(shared, before, [&](OpOperand &use) {
      return !isa<tensor::ParallelInsertSliceOp>(use.getOwner());
    });
  }
  for (Operation &op :
       llvm::make_early_inc_range(loop.getBody()->without_terminator()))
    rewriter.moveOpBefore(&op, block, block->end());
  rewriter.setInsertionPointToEnd(block);
  for (tensor::ParallelInsertSliceOp insert : inserts) {
    auto shared = cast<BlockArgument>(insert.getDest());
    Value &tensor = next[shared.getArgNumber() - loop.getRank()];
    tensor = tensor::InsertSliceOp::create(
        rewriter, insert.getLoc(), insert.getSource(), tensor,
        insert.getMixedOffsets(), insert.getMixedSizes(),
        insert.getMixedStrides());
  }
  return next;
}

/// Runs the iterations of `loop` one after the other.
static void serialize(RewriterBase &rewriter, scf::ForallOp loop) {
  Location loc = loop.getLoc();
  rewriter.setInsertionPoint(loop);
  auto getValues = [&](ArrayRef<OpFoldResult> bounds) {
    return getValueOrCreateConstantIndexOp(rewriter, loc, bounds);
  };
  scf::LoopNest nest = scf::buildLoopNest(
      rewriter, loc, getValues(loop.getMixedLowerBound()),
      getValues(loop.getMixedUpperBound()), getValues(loop.getMixedStep()),
      loop.getOutputs(),
      [&](OpBuilder &, Location, ValueRange variables, ValueRange tensors) {
        OpBuilder::InsertionGuard guard(rewriter);
        for (auto [old, variable] :
             llvm::zip_equal(loop.getInductionVars(), variables))
          rewriter.replaceAllUsesWith(old, variable);
        return moveBody(rewriter, loop, tensors.front().getParentBlock(),
                        tensors);
      });
  for (scf::ForOp serial : nest.loops)
    serial->setAttr(kIndependentAttrName, rewriter.getUnitAttr());
  rewriter.replaceOp(loop, nest.results);
}

namespace {
struct ParallelizeTilesPass final
    : mlir::convoy::impl::ParallelizeTilesPassBase<ParallelizeTilesPass> {
  using Base::Base;

  void runOnOperation() override {
    SmallVector<scf::ForallOp> loops;
    getOperation()->walk([&](scf::ForallOp loop) {
      if (isParallelLoop(loop))
        loops.push_back(loop);
    });
    if (llvm::any_of(loops, [](scf::ForallOp loop) {
          return failed(verifyIndependent(loop));
        }))
      return signalPassFailure();

    SmallPtrSet<Operation *, 8> selected;
    if (threads > 1)
      forEachBlock(
          [&](Block &block) { selectLoops(block, threads, selected); });
    IRRewriter rewriter(&getContext());
    for (scf::ForallOp loop : loops)
      if (!selected.contains(loop))
        serialize(rewriter, loop);
    forEachBlock(markThreadRegions);
  }

private:
  /// Calls `visit` with the blocks of functions.
  void forEachBlock(function_ref<void(Block &)> visit) {
    getOperation()->walk([&](FunctionOpInterface function) {
      for (Block &block : function.getFunctionBody())
        visit(block);
    });
  }
};
} // namespace
