//===- ParallelizeCopies.cpp - Let threads share a copy ---------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Transforms/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::convoy {
#define GEN_PASS_DEF_PARALLELIZECOPIESPASS
#include "convoy/Transforms/Passes.h.inc"
} // namespace mlir::convoy

using namespace mlir;

/// The least bytes that are worth starting threads for: a core copies them in
/// some microseconds.
static constexpr int64_t kLeastBytes = 64 << 10;
/// The least bytes of an iteration.
static constexpr int64_t kLeastPiece = 4 << 10;

/// Bytes that the loops of `op` from number `first` on write.
static int64_t countBytes(linalg::LinalgOp op, unsigned first) {
  auto type = cast<MemRefType>(op.getDpsInits()[0].getType());
  int64_t bytes = llvm::divideCeil(type.getElementTypeBitWidth(), 8);
  for (int64_t size : ArrayRef(op.getStaticLoopRanges()).drop_front(first))
    bytes *= ShapedType::isDynamic(size) ? 1 : size;
  return bytes;
}

/// Whether each iteration of `op` writes one element of one buffer, which no
/// other does.
static bool writesOwnElements(linalg::LinalgOp op) {
  return op.hasPureBufferSemantics() && op.getNumDpsInits() == 1 &&
         op.getNumReductionLoops() == 0 && op.getNumLoops() > 0 &&
         op.getIndexingMapsArray().back().isPermutation();
}

/// How many loops of `op` threads share.
static unsigned countSharedLoops(linalg::LinalgOp op) {
  unsigned loops = 0;
  if (countBytes(op, 0) >= kLeastBytes)
    while (loops < op.getNumLoops() && countBytes(op, loops + 1) >= kLeastPiece)
      ++loops;
  return loops;
}

static LogicalResult parallelize(RewriterBase &rewriter, linalg::LinalgOp op,
                                 unsigned numShared) {
  Location loc = op.getLoc();
  rewriter.setInsertionPoint(op);
  SmallVector<Range> domain =
      cast<TilingInterface>(*op).getIterationDomain(rewriter);
  SmallVector<OpFoldResult> offsets, sizes, counts;
  for (const Range &range : domain) {
    offsets.push_back(range.offset);
    sizes.push_back(range.size);
  }
  counts.assign(sizes.begin(), sizes.begin() + numShared);
  auto forall =
      scf::ForallOp::create(rewriter, loc, counts, ValueRange(), std::nullopt);
  rewriter.setInsertionPoint(forall.getTerminator());
  for (auto [loop, index] : llvm::enumerate(forall.getInductionVars())) {
    offsets[loop] = index;
    sizes[loop] = rewriter.getIndexAttr(1);
  }
  if (failed(cast<TilingInterface>(*op).getTiledImplementation(rewriter,
                                                               offsets, sizes)))
    return op.emitOpError("cannot be shared by threads");
  rewriter.eraseOp(op);
  return success();
}

namespace {
struct ParallelizeCopiesPass final
    : mlir::convoy::impl::ParallelizeCopiesPassBase<ParallelizeCopiesPass> {
  using Base::Base;

  void runOnOperation() override {
    SmallVector<linalg::LinalgOp> ops;
    getOperation()->walk([&](linalg::LinalgOp op) {
      if (writesOwnElements(op) && !op->getParentOfType<scf::ForallOp>())
        ops.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    for (linalg::LinalgOp op : ops)
      if (unsigned loops = countSharedLoops(op))
        if (failed(parallelize(rewriter, op, loops)))
          return signalPassFailure();
  }
};
} // namespace
