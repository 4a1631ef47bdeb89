//===- ParallelizeCopies.cpp - Let threads share a copy ---------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Dialect/Convoy/IR/ElementBits.h"
#include "convoy/Transforms/Threads/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::convoy {
#define GEN_PASS_DEF_PARALLELIZECOPIESPASS
#include "convoy/Transforms/Threads/Passes.h.inc"
} // namespace mlir::convoy

using namespace mlir;

/// The least bytes that are worth starting threads for: a core copies them in
/// some microseconds.
static constexpr int64_t kLeastBytes = 64 << 10;
/// The least bytes of an iteration.
static constexpr int64_t kLeastPiece = 4 << 10;
/// So many iterations are not cut into more.
static constexpr int64_t kEnoughPieces = 8;
/// The least steps of the last loop in one iteration, where it has several:
/// copies that transpose take so many at a time.
static constexpr int64_t kLeastLastStep = 16;

/// Bytes that the loops of `op` from number `first` on write.
static int64_t countBytes(linalg::LinalgOp op, unsigned first) {
  auto type = cast<MemRefType>(op.getDpsInits()[0].getType());
  int64_t bytes =
      llvm::divideCeil(mlir::convoy::getElementBits(type.getElementType()), 8);
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  for (int64_t size : ArrayRef(sizes).drop_front(first))
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

/// The steps that threads take of the outer loops of `op`; none where it is not
/// worth sharing.
static SmallVector<int64_t> getSteps(linalg::LinalgOp op) {
  SmallVector<int64_t> steps;
  if (countBytes(op, 0) < kLeastBytes)
    return steps;
  int64_t count = 1;
  for (auto [loop, size] : llvm::enumerate(op.getStaticLoopRanges())) {
    int64_t bytes = countBytes(op, loop + 1);
    if (bytes >= kLeastPiece) {
      steps.push_back(1);
      count *= ShapedType::isDynamic(size) ? 1 : size;
      continue;
    }
    // Several steps of the last loop at once, enough for vectors along it,
    // where the others are too few to be shared evenly.
    if (ShapedType::isDynamic(size) || count >= kEnoughPieces)
      break;
    int64_t step =
        std::max<int64_t>(llvm::divideCeil(kLeastPiece, bytes), kLeastLastStep);
    while (step < size && size % step != 0)
      ++step;
    if (step < size)
      steps.push_back(step);
    break;
  }
  return steps;
}

static LogicalResult parallelize(RewriterBase &rewriter, linalg::LinalgOp op,
                                 ArrayRef<int64_t> steps) {
  Location loc = op.getLoc();
  rewriter.setInsertionPoint(op);
  SmallVector<Range> domain =
      cast<TilingInterface>(*op).getIterationDomain(rewriter);
  SmallVector<OpFoldResult> offsets, sizes;
  for (const Range &range : domain) {
    offsets.push_back(range.offset);
    sizes.push_back(range.size);
  }
  SmallVector<OpFoldResult> lower(offsets.begin(),
                                  offsets.begin() + steps.size());
  SmallVector<OpFoldResult> upper(sizes.begin(), sizes.begin() + steps.size());
  SmallVector<OpFoldResult> mixedSteps =
      getAsIndexOpFoldResult(rewriter.getContext(), steps);
  auto forall = scf::ForallOp::create(rewriter, loc, lower, upper, mixedSteps,
                                      ValueRange(), std::nullopt);
  rewriter.setInsertionPoint(forall.getTerminator());
  for (auto [loop, index] : llvm::enumerate(forall.getInductionVars())) {
    offsets[loop] = index;
    sizes[loop] = mixedSteps[loop];
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
      if (SmallVector<int64_t> steps = getSteps(op); !steps.empty())
        if (failed(parallelize(rewriter, op, steps)))
          return signalPassFailure();
  }
};
} // namespace
