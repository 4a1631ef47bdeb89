//===- ParallelizeCopies.cpp - Let threads share a copy ---------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Dialect/Convoy/IR/ElementBits.h"
#include "convoy/Transforms/Threads/Passes.h"
#include "convoy/Transforms/Utils/Fills.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::convoy {
#define GEN_PASS_DEF_PARALLELIZECOPIESPASS
#include "convoy/Transforms/Threads/Passes.h.inc"
} // namespace mlir::convoy

using namespace mlir;
using namespace mlir::convoy;

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

/// Bytes that the loops of `op` from number `first` on write, counting one
/// write for each step of a reduction.
static int64_t countBytes(linalg::LinalgOp op, unsigned first) {
  auto type = cast<MemRefType>(op.getDpsInits()[0].getType());
  int64_t bytes = llvm::divideCeil(getElementBits(type.getElementType()), 8);
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  for (int64_t size : ArrayRef(sizes).drop_front(first))
    if (ShapedType::isStatic(size) && llvm::MulOverflow(bytes, size, bytes))
      return std::numeric_limits<int64_t>::max();
  return bytes;
}

/// Whether each iteration of the outer loops of `op` writes elements of one
/// buffer that no other does: reductions are inside of them.
static bool writesOwnElements(linalg::LinalgOp op) {
  if (!op.hasPureBufferSemantics() || op.getNumDpsInits() != 1)
    return false;
  // Another iteration may read what one writes.
  if (op.getNumReductionLoops() > 0 &&
      llvm::is_contained(op.getDpsInputs(), op.getDpsInits()[0]))
    return false;
  unsigned parallel = op.getNumParallelLoops();
  AffineMap result = op.getIndexingMapsArray().back();
  return parallel > 0 && result.isProjectedPermutation() &&
         result.getNumResults() == parallel &&
         llvm::all_of(ArrayRef(op.getIteratorTypesArray()).take_front(parallel),
                      linalg::isParallelIterator);
}

/// Steps of a reduction's loop whose elements lie side by side: as many vectors
/// of AVX-512 as registers reduce at once.
static constexpr int64_t kLeastReducedStep = 64;

/// Whether `op` reduces elements that lie side by side along parallel `loop`:
/// vectors of them, at a time.
static bool reducesVectors(linalg::LinalgOp op, unsigned loop) {
  AffineExpr lane = getAffineDimExpr(loop, op.getContext());
  return op.getNumReductionLoops() > 0 &&
         llvm::any_of(ArrayRef(op.getIndexingMapsArray()).drop_back(),
                      [&](AffineMap map) {
                        return map.getNumResults() > 0 &&
                               map.getResults().back() == lane;
                      });
}

/// The steps that threads take of the outer loops of `op`; none where it is not
/// worth sharing.
static SmallVector<int64_t> getSteps(linalg::LinalgOp op) {
  SmallVector<int64_t> steps;
  if (countBytes(op, 0) < kLeastBytes)
    return steps;
  int64_t count = 1;
  SmallVector<int64_t> loops = op.getStaticLoopRanges();
  loops.resize(op.getNumParallelLoops());
  for (auto [loop, size] : llvm::enumerate(loops)) {
    int64_t bytes = countBytes(op, loop + 1);
    bool takesVectors = reducesVectors(op, loop);
    if (bytes >= kLeastPiece && !takesVectors) {
      steps.push_back(1);
      count *= ShapedType::isDynamic(size) ? 1 : size;
      continue;
    }
    // Several steps of the last loop at once, enough for vectors along it,
    // where the others are too few to be shared evenly.
    if (ShapedType::isDynamic(size) || count >= kEnoughPieces)
      break;
    int64_t step =
        std::max<int64_t>(llvm::divideCeil(kLeastPiece, bytes),
                          takesVectors ? kLeastReducedStep : kLeastLastStep);
    while (step < size && size % step != 0)
      ++step;
    if (step < size)
      steps.push_back(step);
    break;
  }
  return steps;
}

/// Makes `op` a loop of such steps, in which its buffer is filled, too, if
/// there is a `fill`.
static LogicalResult parallelize(RewriterBase &rewriter, linalg::LinalgOp op,
                                 linalg::FillOp fill, ArrayRef<int64_t> steps) {
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
  FailureOr<TilingResult> tile =
      cast<TilingInterface>(*op).getTiledImplementation(rewriter, offsets,
                                                        sizes);
  if (failed(tile))
    return op.emitOpError("cannot be shared by threads");
  if (fill) {
    auto part = cast<linalg::LinalgOp>(tile->tiledOps.front());
    rewriter.setInsertionPoint(part);
    linalg::FillOp::create(rewriter, loc, fill.getInputs(),
                           part.getDpsInits()[0]);
    rewriter.eraseOp(fill);
  }
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
    DenseSet<Operation *> filled;
    // What fills the buffer of a reduction comes before it.
    for (linalg::LinalgOp op : llvm::reverse(ops)) {
      if (filled.contains(op))
        continue;
      SmallVector<int64_t> steps = getSteps(op);
      if (steps.empty())
        continue;
      linalg::FillOp fill;
      if (op.getNumReductionLoops() > 0)
        fill = findFillBefore(op, op.getDpsInits()[0]);
      if (fill)
        filled.insert(fill);
      if (failed(parallelize(rewriter, op, fill, steps)))
        return signalPassFailure();
    }
  }
};
} // namespace
