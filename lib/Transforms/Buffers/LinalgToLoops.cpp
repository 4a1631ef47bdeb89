//===- LinalgToLoops.cpp - What is left of linalg as loops ------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

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

/// Whether iterations of `op` may run in any order, or at once: each writes
/// elements of its own.
static bool isParallel(linalg::LinalgOp op) {
  return op.getNumParallelLoops() == op.getNumLoops() &&
         llvm::all_of(op.getDpsInitsMutable(), [&](OpOperand &init) {
           return op.getMatchingIndexingMap(&init).isPermutation();
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
      FailureOr<linalg::LinalgLoops> loops =
          linalg::linalgOpToLoops(rewriter, op);
      if (failed(loops)) {
        op.emitOpError("cannot be turned into loops");
        return signalPassFailure();
      }
      bool runsInAnyOrder = isParallel(op);
      rewriter.eraseOp(op);
      for (Operation *loop : *loops)
        mlir::convoy::forbidUnrolling(loop);
      if (runsInAnyOrder && !loops->empty()) {
        // LLVM vectorizes innermost loops.
        mlir::convoy::markParallel(loops->back());
        hoistInvariants(cast<scf::ForOp>(loops->back()));
      }
    }
  }
};
} // namespace
