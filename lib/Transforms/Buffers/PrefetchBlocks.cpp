//===- PrefetchBlocks.cpp - Ask for a factor's next block -------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Dialect/Convoy/IR/Convoy.h"
#include "convoy/Dialect/Convoy/IR/ElementBits.h"
#include "convoy/Transforms/Buffers/Passes.h"
#include "convoy/Transforms/Utils/LoopValues.h"
#include "convoy/Transforms/Utils/Views.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Utils/MemRefUtils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace mlir::convoy {
#define GEN_PASS_DEF_PREFETCHBLOCKSPASS
#include "convoy/Transforms/Buffers/Passes.h.inc"
} // namespace mlir::convoy

using namespace mlir;
using namespace mlir::convoy;

/// The buffer that `op` reads a vector from, or null.
static Value getReadBuffer(Operation &op) {
  if (auto read = dyn_cast<vector::TransferReadOp>(op))
    return isa<MemRefType>(read.getBase().getType()) ? read.getBase() : Value();
  if (auto load = dyn_cast<vector::LoadOp>(op))
    return load.getBase();
  return {};
}

namespace {
/// A part of a buffer whose elements follow each other, and the loops that read
/// it, outermost first: the innermost of these reads vectors of it.
struct ReadBlock {
  memref::SubViewOp view;
  SmallVector<scf::ForOp> loops;

  int64_t countElements() { return view.getType().getNumElements(); }
  /// Of all loops, at most.
  uint64_t countSteps();
  /// How many elements the vectors have that a step reads.
  int64_t countElementsOfStep();
};
} // namespace

uint64_t ReadBlock::countSteps() {
  uint64_t count = 1;
  for (scf::ForOp loop : loops)
    count = llvm::SaturatingMultiply(count, *getMostIterations(loop));
  return count;
}

int64_t ReadBlock::countElementsOfStep() {
  int64_t count = 0;
  for (Operation &op : loops.back().getBody()->without_terminator())
    if (Value buffer = getReadBuffer(op);
        buffer && llvm::is_contained(getViews(buffer), view.getResult()))
      count += cast<VectorType>(op.getResult(0).getType()).getNumElements();
  return count;
}

/// Whether the length of `loop` has a bound, and its numbers are small enough
/// to compute with.
static bool isBounded(scf::ForOp loop) {
  std::optional<uint64_t> count = getMostIterations(loop);
  return count && *count < kMostMultiplied &&
         uint64_t(*getConstantIntValue(loop.getStep())) < kMostMultiplied &&
         llvm::AbsoluteValue(*getLeastOf(loop.getLowerBound())) <
             kMostMultiplied;
}

/// The loops around the body of `inner`, it included, up to the block of code
/// in which `view` is made; none if it is not made outside of them, or if one
/// of them may be of any length.
static SmallVector<scf::ForOp> getLoops(scf::ForOp inner, Operation *view) {
  SmallVector<scf::ForOp> loops;
  if (!view->getParentRegion()->isProperAncestor(&inner.getRegion()))
    return {};
  for (Operation *op = inner; op != view->getParentOp();
       op = op->getParentOp()) {
    if (isa<scf::IfOp>(op))
      continue;
    auto loop = dyn_cast<scf::ForOp>(op);
    if (!loop || !isBounded(loop))
      return {};
    loops.push_back(loop);
  }
  std::reverse(loops.begin(), loops.end());
  return loops;
}

/// The smallest block that `buffer` is a part of and that `inner` and loops
/// around it read at least twice.
static std::optional<ReadBlock> findBlock(scf::ForOp inner, Value buffer) {
  SmallVector<Value> views = getViews(buffer);
  for (Value view : llvm::reverse(views)) {
    auto part = view.getDefiningOp<memref::SubViewOp>();
    if (!part || part.getType().getRank() == 0 ||
        !memref::isStaticShapeAndContiguousRowMajor(part.getType()) ||
        getStaticBytes(part.getType()) >= double(kMostMultiplied))
      continue;
    ReadBlock block{part, getLoops(inner, part)};
    uint64_t elements = block.countElements();
    if (block.loops.empty() || elements == 0)
      continue;
    uint64_t steps = block.countSteps();
    if (steps < kMostMultiplied &&
        steps * block.countElementsOfStep() >= 2 * elements)
      return block;
  }
  return std::nullopt;
}

/// Whether no cache need hold `buffer` before it is read first: it is a part of
/// an argument that the first one has no room for.
static bool isFar(Value buffer, TargetAttr target) {
  auto argument = dyn_cast<BlockArgument>(getViews(buffer).front());
  if (!argument || !isa<func::FuncOp>(argument.getOwner()->getParentOp()))
    return false;
  auto type = cast<MemRefType>(argument.getType());
  return type.hasStaticShape() &&
         getStaticBytes(type) > double(target.getL1Bytes());
}

/// Where the part of what lies behind `block` begins that the step at `ivs`
/// asks for, which get the loops' variables: `share` elements for each step.
static AffineExpr getNext(ReadBlock block, int64_t share,
                          SmallVectorImpl<OpFoldResult> &ivs) {
  MLIRContext *context = block.view.getContext();
  AffineExpr next = getAffineConstantExpr(block.countElements(), context);
  int64_t span = share;
  for (auto [number, loop] : llvm::enumerate(llvm::reverse(block.loops))) {
    int64_t step = *getConstantIntValue(loop.getStep());
    int64_t apart = llvm::divideCeil(span, step);
    int64_t first = *getLeastOf(loop.getLowerBound());
    next = next + (getAffineDimExpr(number, context) - first) * apart;
    span = apart * step * int64_t(*getMostIterations(loop));
    ivs.push_back(loop.getInductionVar());
  }
  return next;
}

/// Asks for a part of what lies behind `block` in each step of its loops.
static void prefetchNext(ReadBlock block, TargetAttr target) {
  Location loc = block.view.getLoc();
  scf::ForOp inner = block.loops.back();
  OpBuilder builder(inner.getBody(), inner.getBody()->begin());
  MemRefType type = block.view.getType();
  int64_t line = std::max<int64_t>(
      1, target.getCore().lineBytes / getElementBytes(type.getElementType()));
  int64_t share =
      llvm::divideCeil(uint64_t(block.countElements()), block.countSteps());
  SmallVector<OpFoldResult> ivs;
  AffineExpr next = getNext(block, share, ivs);
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  for (int64_t first = 0; first < share; first += line) {
    SmallVector<Value> indices(type.getRank(), zero);
    indices.back() = getValueOrCreateConstantIndexOp(
        builder, loc,
        affine::makeComposedFoldedAffineApply(
            builder, loc, AffineMap::get(ivs.size(), 0, next + first), ivs));
    // Into the L2 cache: the first one holds what is read now.
    memref::PrefetchOp::create(builder, loc, block.view, indices,
                               /*isWrite=*/false, /*localityHint=*/2,
                               /*isDataCache=*/true);
  }
}

namespace {
struct PrefetchBlocksPass final
    : mlir::convoy::impl::PrefetchBlocksPassBase<PrefetchBlocksPass> {
  using Base::Base;

  void runOnOperation() override {
    TargetAttr target = TargetAttr::lookup(getOperation());
    getOperation()->walk([&](scf::ForOp loop) {
      llvm::SmallSetVector<Operation *, 2> seen;
      SmallVector<ReadBlock> blocks;
      for (Operation &op : loop.getBody()->without_terminator())
        if (Value buffer = getReadBuffer(op); buffer && isFar(buffer, target))
          if (std::optional<ReadBlock> block = findBlock(loop, buffer);
              block && seen.insert(block->view))
            blocks.push_back(*block);
      for (const ReadBlock &block : blocks)
        prefetchNext(block, target);
    });
  }
};
} // namespace
