//===- LinalgToLoops.cpp - What is left of linalg as loops ------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ContiguousLoop.h"

#include "convoy/Transforms/Buffers/Passes.h"
#include "convoy/Transforms/Utils/LoopAnnotation.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::convoy {
#define GEN_PASS_DEF_LINALGTOLOOPSPASS
#include "convoy/Transforms/Buffers/Passes.h.inc"
} // namespace mlir::convoy

using namespace mlir;
using namespace mlir::convoy;

/// Makes the loop over which elements lie side by side the innermost one. Each
/// element is reduced in the order that it was.
static linalg::LinalgOp orderLoops(RewriterBase &rewriter,
                                   linalg::LinalgOp op) {
  auto generic = dyn_cast<linalg::GenericOp>(*op);
  std::optional<unsigned> contiguous =
      generic && generic.getNumLoops() > 0 && generic.getNumDpsInits() == 1
          ? findContiguousLoop(generic)
          : std::nullopt;
  if (!contiguous)
    return op;
  auto order = llvm::to_vector(llvm::seq<unsigned>(generic.getNumLoops()));
  order.erase(order.begin() + *contiguous);
  order.push_back(*contiguous);
  FailureOr<linalg::GenericOp> ordered =
      linalg::interchangeGenericOp(rewriter, generic, order);
  return succeeded(ordered) ? linalg::LinalgOp(*ordered) : op;
}

/// Whether iterations of the innermost loop of `op` may run in any order, or at
/// once: each writes elements of its own.
static bool isInnermostParallel(linalg::LinalgOp op) {
  if (op.getNumLoops() == 0 ||
      !linalg::isParallelIterator(op.getIteratorTypesArray().back()))
    return false;
  return llvm::all_of(op.getDpsInitsMutable(), [&](OpOperand &init) {
    AffineMap map = op.getMatchingIndexingMap(&init);
    return map.isProjectedPermutation() &&
           map.isFunctionOfDim(op.getNumLoops() - 1);
  });
}

/// Moves what is the same in all iterations of `loop`, which run in any order,
/// before it, reads of memory included: LLVM cannot tell that none of them
/// writes there. A loop that may have no iteration may have nothing to read.
static void hoistInvariants(scf::ForOp loop) {
  std::optional<APInt> iterations = loop.getStaticTripCount();
  if (!iterations || iterations->isZero())
    return;
  for (Operation &op :
       llvm::make_early_inc_range(loop.getBody()->without_terminator())) {
    bool isInvariant = llvm::all_of(op.getOperands(), [&](Value value) {
      return loop.isDefinedOutsideOfLoop(value);
    });
    if (isInvariant && (isPure(&op) || isa<memref::LoadOp>(op)))
      op.moveBefore(loop);
  }
}

/// Drops indices that are a loop's own.
static void foldIndices(RewriterBase &rewriter, scf::ForOp loop) {
  for (auto index :
       llvm::make_early_inc_range(loop.getOps<affine::AffineApplyOp>()))
    if (index.getAffineMap().isIdentity() && index.getNumOperands() == 1)
      rewriter.replaceOp(index, index.getOperands());
}

namespace {
struct LinalgToLoopsPass final
    : mlir::convoy::impl::LinalgToLoopsPassBase<LinalgToLoopsPass> {
  using Base::Base;

  void runOnOperation() override {
    SmallVector<linalg::LinalgOp> ops;
    getOperation()->walk([&](linalg::LinalgOp op) {
      if (op.hasPureBufferSemantics())
        ops.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    for (linalg::LinalgOp op : ops) {
      rewriter.setInsertionPoint(op);
      op = orderLoops(rewriter, op);
      FailureOr<linalg::LinalgLoops> loops =
          linalg::linalgOpToLoops(rewriter, op);
      if (failed(loops)) {
        op.emitOpError("cannot be turned into loops");
        return signalPassFailure();
      }
      bool runsInAnyOrder = isInnermostParallel(op);
      rewriter.eraseOp(op);
      for (Operation *loop : *loops) {
        forbidUnrolling(loop);
        foldIndices(rewriter, cast<scf::ForOp>(loop));
      }
      if (runsInAnyOrder && !loops->empty()) {
        // LLVM vectorizes innermost loops.
        markParallel(loops->back());
        hoistInvariants(cast<scf::ForOp>(loops->back()));
      }
    }
  }
};
} // namespace
