//===- ThreadRegions.cpp - What threads run without waiting -----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ThreadRegions.h"

#include "convoy/Dialect/Convoy/IR/ConvoyPlans.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace mlir::convoy;

namespace {
/// A part of a tensor; all of it where it has no slice.
struct TensorPart {
  Value tensor;
  OffsetSizeAndStrideOpInterface slice;

  static TensorPart get(Value value) {
    if (auto slice = value.getDefiningOp<tensor::ExtractSliceOp>())
      return {slice.getSource(), slice};
    return {value, {}};
  }

  bool isDisjoint(const TensorPart &other) const;
};

/// Loops that may become one region.
struct Run {
  SmallVector<Operation *> loops;
  SmallVector<TensorPart> parts; ///< that they write, one each
  /// The slices that these are, and those that loops inside write.
  SmallVector<Operation *> slices;
  /// The tensor with all that they wrote so far.
  Value tensor;
  /// It, those before it, and slices of them.
  DenseSet<Value> written;
};

/// Finds the runs of a block.
class RegionMarker {
public:
  void markBlock(Block &block) {
    Run run = visitBlock(block, Run());
    finish(run);
  }

private:
  /// Marks all runs but the last, which starts with `first` if nothing stands
  /// between.
  Run visitBlock(Block &block, Run first);
  /// Whether threads can run all iterations of `loop` without waiting for each
  /// other; then `slices` are what they write. Else what is in it is marked.
  bool visitLoop(scf::ForOp loop, SmallVector<Operation *> &slices);
  /// Lets `op`, which gives what it makes of `init` by writing `slices` of
  /// that, join `run` or start anew.
  void addLoop(Operation *op, Value init, ArrayRef<Operation *> slices,
               Run &run);
  void finish(Run &run);

  int64_t numRegions = 0;
};
} // namespace

bool TensorPart::isDisjoint(const TensorPart &other) const {
  if (!slice || !other.slice)
    return false;
  auto mine = slice;
  auto theirs = other.slice;
  for (auto [offset, size, stride, otherOffset, otherSize, otherStride] :
       llvm::zip_equal(mine.getMixedOffsets(), mine.getMixedSizes(),
                       mine.getMixedStrides(), theirs.getMixedOffsets(),
                       theirs.getMixedSizes(), theirs.getMixedStrides())) {
    std::optional<int64_t> a = getConstantIntValue(offset);
    std::optional<int64_t> b = getConstantIntValue(otherOffset);
    std::optional<int64_t> n = getConstantIntValue(size);
    std::optional<int64_t> m = getConstantIntValue(otherSize);
    if (a && b && n && m && isOneInteger(stride) && isOneInteger(otherStride) &&
        (*a + *n <= *b || *b + *m <= *a))
      return true;
  }
  return false;
}

/// Whether `op` reads one of `values` inside.
static bool readsInside(Operation *op, const DenseSet<Value> &values) {
  SetVector<Value> used;
  getUsedValuesDefinedAbove(op->getRegions(), used);
  return llvm::any_of(used, [&](Value v) { return values.contains(v); });
}

/// Whether each iteration of the foralls in `loop` writes the same slice in all
/// iterations of `loop`.
static bool haveFixedSlices(scf::ForOp loop) {
  auto isFixed = [&](OpFoldResult value, scf::ForallOp forall) {
    auto dynamic = dyn_cast<Value>(value);
    return !dynamic || loop.isDefinedOutsideOfLoop(dynamic) ||
           llvm::is_contained(forall.getInductionVars(), dynamic);
  };
  WalkResult result = loop.getBody()->walk([&](scf::ForallOp forall) {
    SmallVector<OpFoldResult> fixed = forall.getMixedLowerBound();
    llvm::append_range(fixed, forall.getMixedUpperBound());
    llvm::append_range(fixed, forall.getMixedStep());
    for (Operation &op : forall.getTerminator().getYieldingOps()) {
      auto insert = cast<tensor::ParallelInsertSliceOp>(op);
      llvm::append_range(fixed, insert.getMixedOffsets());
      llvm::append_range(fixed, insert.getMixedSizes());
      llvm::append_range(fixed, insert.getMixedStrides());
    }
    bool areFixed = llvm::all_of(
        fixed, [&](OpFoldResult value) { return isFixed(value, forall); });
    return areFixed ? WalkResult::advance() : WalkResult::interrupt();
  });
  return !result.wasInterrupted();
}

void RegionMarker::finish(Run &run) {
  bool isRegion = run.loops.size() > 1 ||
                  (run.loops.size() == 1 && isa<scf::ForOp>(run.loops[0]));
  if (isRegion) {
    auto region =
        ThreadRegionAttr::get(run.loops[0]->getContext(), numRegions++);
    for (Operation *loop : run.loops)
      loop->walk<WalkOrder::PreOrder>([&](Operation *op) {
        if (isa<scf::ForallOp, scf::ForOp>(op))
          op->setAttr(ThreadRegionAttr::getAttrName(), region);
        return isa<scf::ForallOp>(op) ? WalkResult::skip()
                                      : WalkResult::advance();
      });
  }
  run = Run();
}

void RegionMarker::addLoop(Operation *op, Value init,
                           ArrayRef<Operation *> slices, Run &run) {
  TensorPart part = TensorPart::get(init);
  auto isDisjoint = [&](const TensorPart &other) {
    return part.isDisjoint(other);
  };
  if (run.tensor != part.tensor || !llvm::all_of(run.parts, isDisjoint) ||
      readsInside(op, run.written)) {
    finish(run);
    run.tensor = part.tensor;
  }
  run.loops.push_back(op);
  run.parts.push_back(part);
  llvm::append_range(run.slices, slices);
  if (part.slice)
    run.slices.push_back(part.slice);
  run.written.insert(op->getResult(0));
  if (!part.slice)
    run.tensor = op->getResult(0);
}

bool RegionMarker::visitLoop(scf::ForOp loop,
                             SmallVector<Operation *> &slices) {
  if (loop.getNumRegionIterArgs() != 1)
    return false;
  Run run;
  run.tensor = loop.getRegionIterArg(0);
  run.written.insert(run.tensor);
  run = visitBlock(*loop.getBody(), std::move(run));
  auto isFixed = [&](Operation *slice) {
    return llvm::all_of(
        ValueRange(slice->getOperands()).drop_front(),
        [&](Value operand) { return loop.isDefinedOutsideOfLoop(operand); });
  };
  // A run that did not start with the loop's tensor has not seen it.
  bool isWhole = !run.loops.empty() &&
                 run.written.contains(loop.getRegionIterArg(0)) &&
                 loop.getYieldedValues()[0] == run.tensor &&
                 llvm::all_of(run.slices, isFixed) && haveFixedSlices(loop);
  slices = run.slices;
  if (!isWhole)
    finish(run);
  return isWhole;
}

Run RegionMarker::visitBlock(Block &block, Run run) {
  for (Operation &op : block.without_terminator()) {
    auto isWritten = [&](Value value) { return run.written.contains(value); };
    SmallVector<Operation *> slices;
    if (auto forall = dyn_cast<scf::ForallOp>(op);
        forall && forall.getNumResults() == 1) {
      addLoop(&op, forall.getOutputs()[0], {}, run);
    } else if (auto loop = dyn_cast<scf::ForOp>(op);
               loop && visitLoop(loop, slices)) {
      addLoop(&op, loop.getInitArgs()[0], slices, run);
    } else if (auto insert = dyn_cast<tensor::InsertSliceOp>(op);
               insert && !run.loops.empty() &&
               insert.getSource() == run.loops.back()->getResult(0) &&
               insert.getDest() == run.tensor && run.parts.back().slice &&
               insert.isSameAs(run.parts.back().slice,
                               [](OpFoldResult a, OpFoldResult b) {
                                 return isEqualConstantIntOrValue(a, b);
                               })) {
      run.tensor = insert.getResult();
      run.written.insert(run.tensor);
    } else if (isa<tensor::ExtractSliceOp>(op)) {
      if (isWritten(op.getOperand(0)))
        run.written.insert(op.getResult(0));
    } else if (op.getNumRegions() > 0 || !isMemoryEffectFree(&op) ||
               llvm::any_of(op.getResultTypes(), llvm::IsaPred<TensorType>)) {
      finish(run);
    }
  }
  return run;
}

void mlir::convoy::markThreadRegions(Block &block) {
  RegionMarker().markBlock(block);
}
