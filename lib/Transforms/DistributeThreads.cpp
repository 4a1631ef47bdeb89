//===- DistributeThreads.cpp - Give loops to threads ------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::convoy {
#define GEN_PASS_DEF_DISTRIBUTETHREADSPASS
#include "convoy/Transforms/Passes.h.inc"
} // namespace mlir::convoy

using namespace mlir;

namespace {
/// Rewrites one loop.
class Distributor {
public:
  Distributor(RewriterBase &rewriter, scf::ForallOp forall)
      : rewriter(rewriter), forall(forall), loc(forall.getLoc()) {}

  void distribute(int64_t threads);

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
  /// How often each of the loops runs.
  SmallVector<Value> countIterations();
  /// The loops' indices in iteration `number` of all, the last loop fastest.
  SmallVector<Value> getIndices(Value number, ArrayRef<Value> counts);

  RewriterBase &rewriter;
  scf::ForallOp forall;
  Location loc;
};
} // namespace

SmallVector<Value> Distributor::countIterations() {
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

SmallVector<Value> Distributor::getIndices(Value number,
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

void Distributor::distribute(int64_t threads) {
  rewriter.setInsertionPoint(forall);
  SmallVector<Value> counts = countIterations();
  Value all = counts[0];
  for (Value count : ArrayRef(counts).drop_front())
    all = multiply(all, count);
  Value zero = constant(0), one = constant(1), end = constant(threads);
  auto parallel = scf::ParallelOp::create(rewriter, loc, zero, end, one);
  rewriter.setInsertionPointToStart(parallel.getBody());
  Value thread = parallel.getInductionVars()[0];
  Value next = arith::AddIOp::create(rewriter, loc, thread, one);
  auto loop =
      scf::ForOp::create(rewriter, loc, divide(multiply(thread, all), end),
                         divide(multiply(next, all), end), one);
  rewriter.setInsertionPointToStart(loop.getBody());
  SmallVector<Value> indices = getIndices(loop.getInductionVar(), counts);
  Block *body = forall.getBody();
  rewriter.eraseOp(body->getTerminator());
  rewriter.inlineBlockBefore(body, loop.getBody()->getTerminator(), indices);
  rewriter.eraseOp(forall);
}

namespace {
struct DistributeThreadsPass final
    : mlir::convoy::impl::DistributeThreadsPassBase<DistributeThreadsPass> {
  using Base::Base;

  void runOnOperation() override {
    SmallVector<scf::ForallOp> loops;
    WalkResult walk = getOperation()->walk([&](scf::ForallOp op) {
      if (op.getNumResults() > 0) {
        op.emitOpError("expected a loop on buffers, but it gives tensors");
        return WalkResult::interrupt();
      }
      loops.push_back(op);
      return WalkResult::advance();
    });
    if (walk.wasInterrupted())
      return signalPassFailure();
    IRRewriter rewriter(&getContext());
    for (scf::ForallOp op : loops)
      Distributor(rewriter, op).distribute(threads);
  }
};
} // namespace
