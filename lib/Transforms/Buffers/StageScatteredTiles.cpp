//===- StageScatteredTiles.cpp - Lanes that lie apart -----------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Dialect/Convoy/IR/ElementBits.h"
#include "convoy/Transforms/Buffers/Passes.h"
#include "convoy/Transforms/Utils/LoopAnnotation.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mlir::convoy {
#define GEN_PASS_DEF_STAGESCATTEREDTILESPASS
#include "convoy/Transforms/Buffers/Passes.h.inc"
} // namespace mlir::convoy

using namespace mlir;

/// Whether `op` moves rows of a buffer whose elements do not lie side by side.
static bool isScattered(VectorTransferOpInterface op) {
  auto buffer = dyn_cast<MemRefType>(op.getShapedType());
  AffineMap map = op.getPermutationMap();
  if (!buffer || isa<VectorType>(buffer.getElementType()) ||
      op.getVectorType().isScalable() || op.getVectorType().getRank() < 2 ||
      !mlir::convoy::canUnroll(op.getVectorType().getShape()) || op.getMask() ||
      op.hasOutOfBoundsDim() || !map.isProjectedPermutation() ||
      !op->getParentOfType<FunctionOpInterface>())
    return false;
  SmallVector<int64_t> strides;
  int64_t offset;
  if (failed(buffer.getStridesAndOffset(strides, offset)))
    return false;
  unsigned laneDim = map.getDimPosition(map.getNumResults() - 1);
  return strides[laneDim] != 1 && !ShapedType::isDynamic(strides[laneDim]);
}

/// Whether nothing between `first` and `second`, which follows it in the walk,
/// accesses memory.
static bool areNeighbors(Operation *first, Operation *second) {
  if (first->getBlock() != second->getBlock())
    return false;
  for (Operation *op = first->getNextNode(); op != second;
       op = op->getNextNode())
    if (!isMemoryEffectFree(op))
      return false;
  return true;
}

/// Whether all that `op` takes is there at `place`, which is before it.
static bool canMoveTo(Operation *op, Operation *place) {
  return llvm::all_of(op->getOperands(), [&](Value value) {
    Operation *def = value.getDefiningOp();
    return !def || def->getBlock() != place->getBlock() ||
           def->isBeforeInBlock(place);
  });
}

namespace {
/// One transfer, whose rows are to go through `buffer`.
class Stage {
public:
  Stage(RewriterBase &rewriter, VectorTransferOpInterface op, Value buffer)
      : rewriter(rewriter), op(op), loc(op.getLoc()), type(op.getVectorType()),
        buffer(buffer), zeros(type.getRank(), index(0)),
        inBounds(type.getRank(), true) {}

  void loadElements() {
    copy([&](ValueRange at, ValueRange staged) {
      Value element = memref::LoadOp::create(rewriter, loc, op.getBase(), at);
      memref::StoreOp::create(rewriter, loc, element, buffer, staged);
    });
  }
  void loadRows() {
    auto read = cast<vector::TransferReadOp>(op.getOperation());
    rewriter.replaceOpWithNewOp<vector::TransferReadOp>(
        read, type, buffer, zeros, read.getPadding(), inBounds);
  }

  void storeRows() {
    auto write = cast<vector::TransferWriteOp>(op.getOperation());
    vector::TransferWriteOp::create(rewriter, loc, write.getVector(), buffer,
                                    zeros, inBounds);
  }
  void storeElements() {
    copy([&](ValueRange at, ValueRange staged) {
      Value element = memref::LoadOp::create(rewriter, loc, buffer, staged);
      memref::StoreOp::create(rewriter, loc, element, op.getBase(), at);
    });
    rewriter.eraseOp(op);
  }

private:
  Value index(int64_t value) {
    return arith::ConstantIndexOp::create(rewriter, loc, value);
  }

  /// Calls `move` for each element, in a loop over the lanes, with its indices
  /// in the buffer that `op` accesses and in the stage.
  void copy(function_ref<void(ValueRange, ValueRange)> move) {
    auto loop = scf::ForOp::create(rewriter, loc, index(0),
                                   index(type.getShape().back()), index(1));
    mlir::convoy::forbidTransforming(loop);
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPointToStart(loop.getBody());
    SmallVector<int64_t> rows(type.getShape().drop_back());
    SmallVector<int64_t> strides = computeStrides(rows);
    for (int64_t row = 0; row < computeProduct(rows); ++row) {
      SmallVector<Value> staged =
          llvm::map_to_vector(delinearize(row, strides),
                              [&](int64_t value) { return index(value); });
      staged.push_back(loop.getInductionVar());
      move(getIndices(staged), staged);
    }
  }

  /// Where `op` accesses the element that lies at `staged` in the stage.
  SmallVector<Value> getIndices(ArrayRef<Value> staged) {
    SmallVector<Value> indices(op.getIndices());
    AffineExpr sum =
        rewriter.getAffineDimExpr(0) + rewriter.getAffineDimExpr(1);
    for (auto [dim, value] : llvm::enumerate(staged)) {
      Value &at = indices[op.getPermutationMap().getDimPosition(dim)];
      at = getValueOrCreateConstantIndexOp(
          rewriter, loc,
          affine::makeComposedFoldedAffineApply(
              rewriter, loc, sum, {OpFoldResult(at), OpFoldResult(value)}));
    }
    return indices;
  }

  RewriterBase &rewriter;
  VectorTransferOpInterface op;
  Location loc;
  VectorType type;
  Value buffer;
  SmallVector<Value> zeros;
  SmallVector<bool> inBounds;
};

/// Transfers one after the other. All of their rows go to their stages before
/// any leaves: stores that wait for lines of a result hold up those behind
/// them.
using Run = SmallVector<VectorTransferOpInterface>;

/// The stages of a function: so many of a type for it and for each thread,
/// since nothing stays in them.
class Stages {
public:
  explicit Stages(RewriterBase &rewriter) : rewriter(rewriter) {}

  /// A stage for each transfer of `run`.
  std::vector<Stage> get(Run &run) {
    std::vector<Stage> stages;
    for (auto [number, op] : llvm::enumerate(run))
      stages.emplace_back(rewriter, op, getBuffer(op, number));
    return stages;
  }

private:
  Value getBuffer(VectorTransferOpInterface op, size_t number) {
    VectorType type = op.getVectorType();
    Region *region = op->getParentRegion();
    while (!isa<FunctionOpInterface, scf::ParallelOp>(region->getParentOp()))
      region = region->getParentRegion();
    Value &buffer = buffers[{region, type, number}];
    if (!buffer) {
      OpBuilder::InsertionGuard guard(rewriter);
      rewriter.setInsertionPointToStart(&region->front());
      buffer = memref::AllocOp::create(
          rewriter, op.getLoc(),
          MemRefType::get(type.getShape(), type.getElementType()));
    }
    return buffer;
  }

  RewriterBase &rewriter;
  DenseMap<std::tuple<Region *, Type, size_t>, Value> buffers;
};

struct StageScatteredTilesPass final
    : mlir::convoy::impl::StageScatteredTilesPassBase<StageScatteredTilesPass> {
  using Base::Base;

  void runOnOperation() override {
    SmallVector<Run> reads, writes;
    getOperation()->walk([&](VectorTransferOpInterface op) {
      if (!isScattered(op))
        return;
      bool isRead = isa<vector::TransferReadOp>(op);
      SmallVector<Run> &runs = isRead ? reads : writes;
      if (!runs.empty() && areNeighbors(runs.back().back(), op) &&
          (!isRead || canMoveTo(op, runs.back().front())))
        runs.back().push_back(op);
      else
        runs.push_back({op});
    });
    IRRewriter rewriter(&getContext());
    Stages stages(rewriter);
    for (Run &run : reads) {
      rewriter.setInsertionPoint(run.front());
      std::vector<Stage> staged = stages.get(run);
      llvm::for_each(staged, [](Stage &stage) { stage.loadElements(); });
      llvm::for_each(staged, [](Stage &stage) { stage.loadRows(); });
    }
    for (Run &run : writes) {
      rewriter.setInsertionPoint(run.back());
      std::vector<Stage> staged = stages.get(run);
      llvm::for_each(staged, [](Stage &stage) { stage.storeRows(); });
      llvm::for_each(staged, [](Stage &stage) { stage.storeElements(); });
    }
  }
};
} // namespace
