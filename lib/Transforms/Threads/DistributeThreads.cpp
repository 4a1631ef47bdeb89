//===- DistributeThreads.cpp - Give loops to threads ------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RegionAccesses.h"

#include "convoy/Dialect/Convoy/IR/ConvoyPlans.h"
#include "convoy/Transforms/Threads/Passes.h"
#include "convoy/Transforms/Utils/Choices.h"
#include "convoy/Transforms/Utils/LoopAnnotation.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace mlir::convoy {
#define GEN_PASS_DEF_DISTRIBUTETHREADSPASS
#include "convoy/Transforms/Threads/Passes.h.inc"
} // namespace mlir::convoy

using namespace mlir;
using namespace mlir::convoy;

namespace {
/// Gives threads their parts of loops.
class Distributor {
public:
  Distributor(RewriterBase &rewriter, int64_t threads)
      : rewriter(rewriter), threads(threads) {}

  /// Lets threads run `loops`, which follow each other in one block with
  /// nothing but what isMovable between, each all of its parts.
  void distribute(ArrayRef<Operation *> loops);

private:
  Value constant(int64_t value) {
    return arith::ConstantIndexOp::create(rewriter, loc, value);
  }
  Value multiply(Value a, Value b) {
    return rewriter.createOrFold<arith::MulIOp>(loc, a, b);
  }
  Value divide(Value a, Value b) {
    return rewriter.createOrFold<arith::DivUIOp>(loc, a, b);
  }
  /// Replaces `forall` by a loop over part number `part`.
  void takePart(scf::ForallOp forall, Value part);
  /// How often each of the loops runs.
  SmallVector<Value> countIterations(scf::ForallOp forall);
  /// The loops' indices in iteration `number` of all, the last loop fastest.
  SmallVector<Value> getIndices(scf::ForallOp forall, Value number,
                                ArrayRef<Value> counts);

  RewriterBase &rewriter;
  int64_t threads;
  Location loc = rewriter.getUnknownLoc();
};
} // namespace

SmallVector<Value> Distributor::countIterations(scf::ForallOp forall) {
  SmallVector<Value> counts;
  for (auto [from, to, by] :
       llvm::zip_equal(forall.getMixedLowerBound(), forall.getMixedUpperBound(),
                       forall.getMixedStep())) {
    Value lower = getValueOrCreateConstantIndexOp(rewriter, loc, from);
    Value upper = getValueOrCreateConstantIndexOp(rewriter, loc, to);
    Value step = getValueOrCreateConstantIndexOp(rewriter, loc, by);
    Value length = rewriter.createOrFold<arith::SubIOp>(loc, upper, lower);
    length = rewriter.createOrFold<arith::MaxSIOp>(loc, length, constant(0));
    counts.push_back(
        rewriter.createOrFold<arith::CeilDivUIOp>(loc, length, step));
  }
  return counts;
}

SmallVector<Value> Distributor::getIndices(scf::ForallOp forall, Value number,
                                           ArrayRef<Value> counts) {
  SmallVector<Value> indices(counts.size());
  SmallVector<OpFoldResult> lower = forall.getMixedLowerBound();
  SmallVector<OpFoldResult> steps = forall.getMixedStep();
  for (size_t loop = counts.size(); loop-- > 0;) {
    Value index = number;
    if (loop > 0) {
      index = rewriter.createOrFold<arith::RemUIOp>(loc, number, counts[loop]);
      number = divide(number, counts[loop]);
    }
    Value step = getValueOrCreateConstantIndexOp(rewriter, loc, steps[loop]);
    Value first = getValueOrCreateConstantIndexOp(rewriter, loc, lower[loop]);
    indices[loop] =
        rewriter.createOrFold<arith::AddIOp>(loc, first, multiply(index, step));
  }
  return indices;
}

void Distributor::takePart(scf::ForallOp forall, Value part) {
  rewriter.setInsertionPoint(forall);
  SmallVector<Value> counts = countIterations(forall);
  Value all = counts[0];
  for (Value count : ArrayRef(counts).drop_front())
    all = multiply(all, count);
  Value one = constant(1), end = constant(threads);
  Value next = arith::AddIOp::create(rewriter, loc, part, one);
  auto loop =
      scf::ForOp::create(rewriter, loc, divide(multiply(part, all), end),
                         divide(multiply(next, all), end), one);
  // An iteration is a tile, or a copy of some thousand bytes.
  forbidUnrolling(loop);
  rewriter.setInsertionPointToStart(loop.getBody());
  SmallVector<Value> indices =
      getIndices(forall, loop.getInductionVar(), counts);
  Block *body = forall.getBody();
  rewriter.eraseOp(body->getTerminator());
  rewriter.inlineBlockBefore(body, loop.getBody()->getTerminator(), indices);
  rewriter.eraseOp(forall);
}

void Distributor::distribute(ArrayRef<Operation *> loops) {
  loc = loops.front()->getLoc();
  SmallVector<Operation *> between;
  for (Operation *op = loops.front(); op != loops.back();
       op = op->getNextNode())
    if (!llvm::is_contained(loops, op))
      between.push_back(op);
  for (Operation *op : between)
    rewriter.moveOpBefore(op, loops.front());
  rewriter.setInsertionPoint(loops.front());
  Value zero = constant(0), one = constant(1), end = constant(threads);
  auto parallel = scf::ParallelOp::create(rewriter, loc, zero, end, one);
  for (Operation *op : loops)
    rewriter.moveOpBefore(op, parallel.getBody()->getTerminator());
  SmallVector<scf::ForallOp> foralls = getForalls(loops);
  // Who has one iteration more than others in a loop has none more in the next.
  SmallVector<Value> parts = {parallel.getInductionVars()[0]};
  rewriter.setInsertionPointToStart(parallel.getBody());
  for (int64_t turn = 1; turn < std::min<int64_t>(threads, foralls.size());
       ++turn) {
    Value moved =
        arith::AddIOp::create(rewriter, loc, parts[0], constant(turn));
    parts.push_back(arith::RemUIOp::create(rewriter, loc, moved, end));
  }
  for (auto [number, forall] : llvm::enumerate(foralls))
    takePart(forall, parts[number % parts.size()]);
}

//===----------------------------------------------------------------------===//
// Regions
//===----------------------------------------------------------------------===//

static ThreadRegionAttr getRegion(Operation *op) {
  return op->getAttrOfType<ThreadRegionAttr>(ThreadRegionAttr::getAttrName());
}

/// Whether `op` does the same in front of the loops before it.
static bool isMovable(Operation *op) {
  return op->getNumRegions() == 0 && isMemoryEffectFree(op);
}

/// Whether `op` is a loop that threads share, or does nothing but run such
/// loops of its own region again and again.
static bool isShared(Operation *op) {
  if (isa<scf::ForallOp>(op))
    return true;
  auto loop = dyn_cast<scf::ForOp>(op);
  ThreadRegionAttr region = getRegion(op);
  return loop && region && loop.getNumResults() == 0 &&
         llvm::all_of(loop.getBody()->without_terminator(), [&](Operation &op) {
           return isMovable(&op) || (getRegion(&op) == region && isShared(&op));
         });
}

/// Loops in `block` to be run without a stop between them, and in the regions
/// of its ops.
static void findRegions(Block &block,
                        SmallVectorImpl<SmallVector<Operation *>> &regions) {
  SmallVector<Operation *> loops;
  auto close = [&] {
    if (!loops.empty())
      regions.push_back(std::exchange(loops, {}));
  };
  for (Operation &op : block) {
    if (isShared(&op)) {
      ThreadRegionAttr region = getRegion(&op);
      if (!region || (!loops.empty() && getRegion(loops.back()) != region))
        close();
      loops.push_back(&op);
    } else if (!isMovable(&op)) {
      close();
    }
  }
  close();
  // Loops in a `scf.forall` are shared by threads of their own.
  for (Operation &op : block)
    if (!isShared(&op) || isa<scf::ForallOp>(op))
      for (Region &inner : op.getRegions())
        for (Block &body : inner)
          findRegions(body, regions);
}

/// Says so where `function` has no loop for `threads`.
static void remarkIfUnshared(FunctionOpInterface function, int64_t threads) {
  bool isShared =
      function.isExternal() ||
      function->walk([](scf::ForallOp) { return WalkResult::interrupt(); })
          .wasInterrupted();
  if (!isShared)
    emitRemark(function->getLoc())
        << threads << " threads " << getWords(Choice::NothingToShare) << " in '"
        << function.getName()
        << "': it has no loop with several iterations that are independent";
}

namespace {
struct DistributeThreadsPass final
    : mlir::convoy::impl::DistributeThreadsPassBase<DistributeThreadsPass> {
  using Base::Base;

  void runOnOperation() override {
    if (threads < 1 || threads > kMaxThreads) {
      getOperation()->emitError() << "expected from 1 to " << kMaxThreads
                                  << " threads, but got " << threads.getValue();
      return signalPassFailure();
    }
    WalkResult walk = getOperation()->walk([&](scf::ForallOp op) {
      if (op.getNumResults() == 0)
        return WalkResult::advance();
      op.emitOpError("expected a loop on buffers, but it gives tensors");
      return WalkResult::interrupt();
    });
    if (walk.wasInterrupted())
      return signalPassFailure();
    if (threads > 1)
      getOperation()->walk([&](FunctionOpInterface function) {
        remarkIfUnshared(function, threads);
      });
    SmallVector<SmallVector<Operation *>> regions;
    for (Region &region : getOperation()->getRegions())
      for (Block &block : region)
        findRegions(block, regions);
    if (llvm::any_of(regions, [](ArrayRef<Operation *> loops) {
          return failed(verifyThreadRegion(loops));
        }))
      return signalPassFailure();
    IRRewriter rewriter(&getContext());
    Distributor distributor(rewriter, threads);
    for (ArrayRef<Operation *> loops : regions)
      distributor.distribute(loops);
  }
};
} // namespace
