//===- ParallelizeTiles.cpp - Run tiles in any order ------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ThreadRegions.h"

#include "convoy/Transforms/Threads/Passes.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/Support/MathExtras.h"

namespace mlir::convoy {
#define GEN_PASS_DEF_PARALLELIZETILESPASS
#include "convoy/Transforms/Threads/Passes.h.inc"
} // namespace mlir::convoy

using namespace mlir;
using namespace mlir::convoy;

namespace {
/// Loops, each the whole body of the one before, of which every iteration
/// inserts its own slice into one tensor.
struct TileNest {
  SmallVector<scf::ForOp> loops; ///< outermost first
  tensor::InsertSliceOp insert;

  scf::ForOp getOutermost() const { return loops.front(); }
  Block *getBody() { return loops.back().getBody(); }
  /// How many iterations there are; nothing where that is dynamic.
  std::optional<int64_t> getCount();
};
} // namespace

std::optional<int64_t> TileNest::getCount() {
  int64_t count = 1;
  for (scf::ForOp loop : loops) {
    std::optional<APInt> one = loop.getStaticTripCount();
    if (!one)
      return std::nullopt;
    count *= one->getSExtValue();
  }
  return count;
}

//===----------------------------------------------------------------------===//
// What is independent
//===----------------------------------------------------------------------===//

/// The loop that is all that `loop` does in an iteration, or null.
static scf::ForOp getOnlyLoop(scf::ForOp loop) {
  Block *body = loop.getBody();
  auto inner = dyn_cast<scf::ForOp>(body->front());
  bool isWhole = inner && inner->getNextNode() == body->getTerminator() &&
                 inner.getNumRegionIterArgs() == 1 &&
                 inner.getInitArgs()[0] == loop.getRegionIterArg(0) &&
                 body->getTerminator()->getOperand(0) == inner.getResult(0);
  return isWhole ? inner : nullptr;
}

/// Whether the slices that `insert` writes in different iterations of `loop`
/// are disjoint: one of its dimensions goes with the loop by its own size.
static bool stepsOver(tensor::InsertSliceOp insert, scf::ForOp loop) {
  std::optional<int64_t> step = getConstantIntValue(loop.getStep());
  for (auto [offset, size, stride] :
       llvm::zip_equal(insert.getMixedOffsets(), insert.getMixedSizes(),
                       insert.getMixedStrides())) {
    std::optional<int64_t> length = getConstantIntValue(size);
    if (dyn_cast<Value>(offset) == loop.getInductionVar())
      return step && length && *length <= *step &&
             isConstantIntValue(stride, 1);
  }
  return false;
}

/// Whether all that reads `tensor` beside `insert` reads the slice that this
/// writes.
static bool readsOwnSlice(Value tensor, tensor::InsertSliceOp insert) {
  return llvm::all_of(tensor.getUsers(), [&](Operation *user) {
    if (user == insert)
      return insert.getSource() != tensor;
    auto slice = dyn_cast<tensor::ExtractSliceOp>(user);
    return slice && slice.isSameAs(insert, [](OpFoldResult a, OpFoldResult b) {
      return isEqualConstantIntOrValue(a, b);
    });
  });
}

/// The nest that starts with `outermost`, if its iterations are independent.
static std::optional<TileNest> matchNest(scf::ForOp outermost) {
  if (outermost.getNumRegionIterArgs() != 1 || !isMemoryEffectFree(outermost))
    return std::nullopt;
  TileNest nest;
  for (scf::ForOp loop = outermost; loop; loop = getOnlyLoop(loop)) {
    auto isOutside = [&](Value bound) {
      return !outermost.getRegion().isAncestor(bound.getParentRegion());
    };
    if (!isOutside(loop.getLowerBound()) || !isOutside(loop.getUpperBound()) ||
        !isOutside(loop.getStep()))
      return std::nullopt;
    nest.loops.push_back(loop);
  }
  nest.insert = nest.getBody()
                    ->getTerminator()
                    ->getOperand(0)
                    .getDefiningOp<tensor::InsertSliceOp>();
  Value tensor = nest.loops.back().getRegionIterArg(0);
  bool isIndependent = nest.insert && nest.insert.getDest() == tensor &&
                       readsOwnSlice(tensor, nest.insert) &&
                       llvm::all_of(nest.loops, [&](scf::ForOp loop) {
                         return stepsOver(nest.insert, loop);
                       });
  return isIndependent ? std::optional(nest) : std::nullopt;
}

//===----------------------------------------------------------------------===//
// Which loops to run in parallel
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
static double countElements(scf::ForOp loop) {
  double elements = 1;
  for (Type type : loop.getResultTypes())
    if (auto tensor = dyn_cast<RankedTensorType>(type))
      for (int64_t size : tensor.getShape())
        elements *= ShapedType::isDynamic(size) ? 16 : double(size);
  return elements;
}

static Work estimateWork(TileNest &nest, int64_t threads) {
  double all = countElements(nest.getOutermost());
  std::optional<int64_t> count = nest.getCount();
  // Dynamic sizes are taken for large.
  if (!count || *count == 0)
    return {all, all / double(threads)};
  return {all,
          all * double(llvm::divideCeil(*count, threads)) / double(*count)};
}

/// Appends the nests to run in parallel, outermost ones unless those inside
/// them can be shared far better; returns how long `block` then takes.
static Work selectNests(Block &block, int64_t threads,
                        SmallVectorImpl<TileNest> &selected) {
  Work sum;
  for (auto loop : block.getOps<scf::ForOp>()) {
    double all = countElements(loop);
    Work work{all, all};
    std::optional<TileNest> nest = matchNest(loop);
    if (nest)
      work = estimateWork(*nest, threads);
    if (work.getUsedShare(threads) < kEnoughWork) {
      SmallVector<TileNest> inside;
      Block *body = nest ? nest->getBody() : loop.getBody();
      double share = selectNests(*body, threads, inside).getUsedShare(threads);
      if (!inside.empty() && share > work.getUsedShare(threads)) {
        llvm::append_range(selected, inside);
        nest = std::nullopt;
        work.longest = all / (double(threads) * share);
      }
    }
    if (nest)
      selected.push_back(*nest);
    sum.all += work.all;
    sum.longest += work.longest;
  }
  return sum;
}

//===----------------------------------------------------------------------===//
// The rewrite
//===----------------------------------------------------------------------===//

static void parallelize(RewriterBase &rewriter, TileNest &nest) {
  scf::ForOp outermost = nest.getOutermost();
  Location loc = outermost.getLoc();
  SmallVector<OpFoldResult> lower, upper, steps;
  for (scf::ForOp loop : nest.loops) {
    lower.push_back(getAsOpFoldResult(loop.getLowerBound()));
    upper.push_back(getAsOpFoldResult(loop.getUpperBound()));
    steps.push_back(getAsOpFoldResult(loop.getStep()));
  }
  rewriter.setInsertionPoint(outermost);
  auto forall = scf::ForallOp::create(rewriter, loc, lower, upper, steps,
                                      outermost.getInitArgs(), std::nullopt);
  for (auto [loop, index] :
       llvm::zip_equal(nest.loops, forall.getInductionVars()))
    rewriter.replaceAllUsesWith(loop.getInductionVar(), index);
  Value tensor = forall.getRegionIterArgs()[0];
  rewriter.replaceAllUsesWith(nest.loops.back().getRegionIterArg(0), tensor);

  tensor::InsertSliceOp insert = nest.insert;
  scf::InParallelOp terminator = forall.getTerminator();
  rewriter.setInsertionPointToEnd(&terminator.getRegion().front());
  tensor::ParallelInsertSliceOp::create(
      rewriter, insert.getLoc(), insert.getSource(), tensor,
      insert.getMixedOffsets(), insert.getMixedSizes(),
      insert.getMixedStrides());
  Block *body = nest.getBody();
  rewriter.eraseOp(body->getTerminator());
  rewriter.eraseOp(insert);
  for (Operation &op : llvm::make_early_inc_range(*body))
    rewriter.moveOpBefore(&op, terminator);
  rewriter.replaceAllUsesWith(outermost.getResult(0), forall.getResult(0));
  for (scf::ForOp loop : llvm::reverse(ArrayRef(nest.loops).drop_back()))
    if (loop.getBody()->mightHaveTerminator())
      rewriter.eraseOp(loop.getBody()->getTerminator());
  rewriter.eraseOp(outermost);
}

namespace {
struct ParallelizeTilesPass final
    : mlir::convoy::impl::ParallelizeTilesPassBase<ParallelizeTilesPass> {
  using Base::Base;

  void runOnOperation() override {
    SmallVector<TileNest> nests;
    getOperation()->walk([&](FunctionOpInterface function) {
      for (Block &block : function.getFunctionBody())
        selectNests(block, threads, nests);
    });
    IRRewriter rewriter(&getContext());
    for (TileNest &nest : nests)
      parallelize(rewriter, nest);
    getOperation()->walk([&](FunctionOpInterface function) {
      for (Block &block : function.getFunctionBody())
        markThreadRegions(block);
    });
  }
};
} // namespace
