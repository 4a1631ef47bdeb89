//===- VectorizeReductions.cpp - Reduce over windows by vectors -*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ContiguousLoop.h"

#include "convoy/Dialect/Convoy/IR/Convoy.h"
#include "convoy/Dialect/Convoy/IR/ElementBits.h"
#include "convoy/Transforms/Buffers/Passes.h"
#include "convoy/Transforms/Utils/Copies.h"
#include "convoy/Transforms/Utils/Fills.h"
#include "convoy/Transforms/Utils/LoopAnnotation.h"
#include "convoy/Transforms/Utils/VectorBody.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace mlir::convoy {
#define GEN_PASS_DEF_VECTORIZEREDUCTIONSPASS
#include "convoy/Transforms/Buffers/Passes.h.inc"
} // namespace mlir::convoy

using namespace mlir;
using namespace mlir::convoy;

/// The most vectors that are reduced at once.
static constexpr int64_t kMaxVectors = 4;

namespace {
/// Some elements that lie side by side, from this one on.
struct Piece {
  int64_t offset, lanes;
};

/// One reduction, whose elements lie side by side along `laneLoop`: a loop of
/// the result, or a reduction that sums integers, in any order.
class ReductionVectorizer {
public:
  ReductionVectorizer(RewriterBase &rewriter, linalg::GenericOp op,
                      unsigned laneLoop, int64_t lanes)
      : rewriter(rewriter), loc(op.getLoc()), op(op), laneLoop(laneLoop),
        lanes(lanes), sumsLanes(linalg::isReductionIterator(
                          op.getIteratorTypesArray()[laneLoop])),
        sizes(op.getStaticLoopRanges()) {}

  /// Whether vectors can do it.
  bool canVectorize();
  void emit();

private:
  /// Whether `operand`, if it is read or written, has a vector of elements
  /// along the loop, or one element for all of them.
  bool isFit(OpOperand &operand);
  /// Loops of `kind`, from the `number`th on, around what `emitBody` emits
  /// inside, which starts with `vectors` and returns what becomes of them.
  SmallVector<Value>
  emitLoops(utils::IteratorType kind, unsigned number, ValueRange vectors,
            function_ref<SmallVector<Value>(ValueRange)> emitBody);
  /// Reduces blocks of as many vectors as there may be, then the rest.
  void emitBlocks();
  /// Reduces `pieces`, which begin `first` elements along the lanes.
  void emitPieces(Value first, ArrayRef<Piece> pieces);
  /// Sums all elements along the lanes.
  void emitSum();
  /// The same of those that all other loops have in one step, onto `sums` of
  /// `pieces`, then those of `rest`.
  SmallVector<Value> emitSumSteps(ArrayRef<Piece> pieces, ArrayRef<Piece> rest,
                                  ValueRange sums);
  /// `vectors` after a step of each of `pieces`.
  SmallVector<Value> emitSteps(ArrayRef<Piece> pieces, ValueRange vectors);
  /// What the elements of a piece are reduced with, in the step of all loops.
  Value emitStep(const Piece &piece, Value vector);
  /// The indices of the elements of `operand`, which begin with a piece's.
  SmallVector<Value> getIndices(OpOperand &operand, int64_t offset);
  Value index(int64_t value) {
    return arith::ConstantIndexOp::create(rewriter, loc, value);
  }
  VectorType getType(OpOperand &operand, int64_t size) {
    return VectorType::get({size}, getElementTypeOrSelf(operand.get()));
  }
  OpOperand &getInit() { return *op.getDpsInitOperand(0); }

  RewriterBase &rewriter;
  Location loc;
  linalg::GenericOp op;
  unsigned laneLoop;
  int64_t lanes;
  bool sumsLanes;
  SmallVector<int64_t> sizes;
  /// Where each loop stands; for the lanes, where the pieces begin.
  SmallVector<Value> position;
  /// What the result is filled with before, if it is.
  linalg::FillOp fill;
};
} // namespace

bool ReductionVectorizer::isFit(OpOperand &operand) {
  bool isInit = op.isDpsInit(&operand);
  if (!isInit && op.getMatchingBlockArgument(&operand).use_empty())
    return true;
  auto type = dyn_cast<MemRefType>(operand.get().getType());
  AffineMap map = op.getMatchingIndexingMap(&operand);
  if (!map.isFunctionOfDim(laneLoop))
    return !isInit || sumsLanes;
  if (!type || !type.isLastDimUnitStride() ||
      !isWholeInVectors(type.getElementType()))
    return false;
  AffineExpr lane = getAffineDimExpr(laneLoop, map.getContext());
  return map.getResults().back() == lane &&
         llvm::none_of(map.getResults().drop_back(), [&](AffineExpr index) {
           return index.isFunctionOfDim(laneLoop);
         });
}

bool ReductionVectorizer::canVectorize() {
  if (lanes < 2 || ShapedType::isDynamic(sizes[laneLoop]) ||
      op.hasIndexSemantics() || op.getNumDpsInits() != 1 ||
      !op.hasPureBufferSemantics())
    return false;
  // Each element of the result is reduced once.
  AffineMap result = op.getMatchingIndexingMap(&getInit());
  if (!result.isProjectedPermutation() ||
      result.getNumResults() != op.getNumParallelLoops())
    return false;
  bool isElementwise =
      llvm::all_of(op.getBody()->without_terminator(), [](Operation &inner) {
        return inner.getNumResults() == 1 &&
               (inner.hasTrait<OpTrait::ConstantLike>() ||
                OpTrait::hasElementwiseMappableTraits(&inner));
      });
  bool readsResult = llvm::is_contained(op.getDpsInputs(), getInit().get());
  return isElementwise && !readsResult &&
         llvm::all_of(op->getOpOperands(),
                      [&](OpOperand &operand) { return isFit(operand); });
}

//===----------------------------------------------------------------------===//
// Emitting
//===----------------------------------------------------------------------===//

SmallVector<Value> ReductionVectorizer::getIndices(OpOperand &operand,
                                                   int64_t offset) {
  AffineMap map = op.getMatchingIndexingMap(&operand);
  SmallVector<OpFoldResult> at = getAsOpFoldResult(position);
  SmallVector<Value> indices;
  for (AffineExpr result : map.getResults()) {
    if (result.isFunctionOfDim(laneLoop))
      result = result + offset;
    indices.push_back(getValueOrCreateConstantIndexOp(
        rewriter, loc,
        affine::makeComposedFoldedAffineApply(
            rewriter, loc,
            AffineMap::get(map.getNumDims(), map.getNumSymbols(), result),
            at)));
  }
  return indices;
}

Value ReductionVectorizer::emitStep(const Piece &piece, Value vector) {
  SmallVector<Value> operands;
  for (OpOperand *operand : op.getDpsInputOperands()) {
    bool isRead = !op.getMatchingBlockArgument(operand).use_empty();
    AffineMap map = op.getMatchingIndexingMap(operand);
    if (!isRead)
      operands.push_back({});
    else if (!isa<MemRefType>(operand->get().getType()))
      operands.push_back(operand->get());
    else if (map.isFunctionOfDim(laneLoop))
      operands.push_back(vector::LoadOp::create(
          rewriter, loc, getType(*operand, piece.lanes), operand->get(),
          getIndices(*operand, piece.offset)));
    else
      operands.push_back(memref::LoadOp::create(rewriter, loc, operand->get(),
                                                getIndices(*operand, 0)));
  }
  operands.push_back(vector);
  return computeOnVectors(rewriter, op, operands, piece.lanes);
}

SmallVector<Value> ReductionVectorizer::emitLoops(
    utils::IteratorType kind, unsigned number, ValueRange vectors,
    function_ref<SmallVector<Value>(ValueRange)> emitBody) {
  SmallVector<utils::IteratorType> kinds = op.getIteratorTypesArray();
  while (number < kinds.size() && (kinds[number] != kind || number == laneLoop))
    ++number;
  if (number == kinds.size())
    return emitBody(vectors);
  OpBuilder::InsertionGuard guard(rewriter);
  SmallVector<Range> ranges =
      cast<linalg::LinalgOp>(*op).createLoopRanges(rewriter, loc);
  auto toValue = [&](OpFoldResult value) {
    return getValueOrCreateConstantIndexOp(rewriter, loc, value);
  };
  auto loop = scf::ForOp::create(
      rewriter, loc, index(0), toValue(ranges[number].size), index(1), vectors);
  if (kind == utils::IteratorType::parallel)
    forbidUnrolling(loop);
  position[number] = loop.getInductionVar();
  rewriter.setInsertionPointToStart(loop.getBody());
  SmallVector<Value> results =
      emitLoops(kind, number + 1, loop.getRegionIterArgs(), emitBody);
  if (!vectors.empty()) {
    rewriter.setInsertionPointToEnd(loop.getBody());
    scf::YieldOp::create(rewriter, loc, results);
  }
  return SmallVector<Value>(loop.getResults());
}

SmallVector<Value> ReductionVectorizer::emitSteps(ArrayRef<Piece> pieces,
                                                  ValueRange vectors) {
  return llvm::map_to_vector(llvm::zip_equal(pieces, vectors), [&](auto pair) {
    auto [piece, vector] = pair;
    return emitStep(piece, vector);
  });
}

void ReductionVectorizer::emitPieces(Value first, ArrayRef<Piece> pieces) {
  position[laneLoop] = first;
  SmallVector<Value> vectors;
  for (const Piece &piece : pieces) {
    VectorType type = getType(getInit(), piece.lanes);
    vectors.push_back(fill ? Value(vector::BroadcastOp::create(
                                 rewriter, loc, type, fill.getInputs()[0]))
                           : Value(vector::LoadOp::create(
                                 rewriter, loc, type, getInit().get(),
                                 getIndices(getInit(), piece.offset))));
  }
  vectors =
      emitLoops(utils::IteratorType::reduction, 0, vectors,
                [&](ValueRange before) { return emitSteps(pieces, before); });
  for (auto [piece, vector] : llvm::zip_equal(pieces, vectors))
    vector::StoreOp::create(rewriter, loc, vector, getInit().get(),
                            getIndices(getInit(), piece.offset));
}

/// Vectors of `lanes` that `size` elements fill, and shorter ones of the rest.
static SmallVector<Piece> getPieces(int64_t size, int64_t lanes) {
  SmallVector<Piece> pieces;
  for (int64_t offset = 0; offset < size; offset += pieces.back().lanes) {
    while (lanes > size - offset)
      lanes /= 2;
    pieces.push_back({offset, lanes});
  }
  return pieces;
}

void ReductionVectorizer::emitBlocks() {
  int64_t block = kMaxVectors * lanes, size = sizes[laneLoop];
  int64_t whole = size / block * block;
  if (whole > 0) {
    OpBuilder::InsertionGuard guard(rewriter);
    auto loop =
        scf::ForOp::create(rewriter, loc, index(0), index(whole), index(block));
    forbidUnrolling(loop);
    rewriter.setInsertionPointToStart(loop.getBody());
    emitPieces(loop.getInductionVar(), getPieces(block, lanes));
  }
  if (whole < size)
    emitPieces(index(whole), getPieces(size - whole, lanes));
}

SmallVector<Value> ReductionVectorizer::emitSumSteps(ArrayRef<Piece> pieces,
                                                     ArrayRef<Piece> rest,
                                                     ValueRange sums) {
  int64_t block = kMaxVectors * lanes;
  int64_t whole = sizes[laneLoop] / block * block;
  SmallVector<Value> next(sums);
  if (!pieces.empty()) {
    OpBuilder::InsertionGuard guard(rewriter);
    auto loop =
        scf::ForOp::create(rewriter, loc, index(0), index(whole), index(block),
                           sums.take_front(pieces.size()));
    forbidUnrolling(loop);
    rewriter.setInsertionPointToStart(loop.getBody());
    position[laneLoop] = loop.getInductionVar();
    scf::YieldOp::create(rewriter, loc,
                         emitSteps(pieces, loop.getRegionIterArgs()));
    llvm::copy(loop.getResults(), next.begin());
  }
  position[laneLoop] = index(whole);
  llvm::copy(emitSteps(rest, sums.drop_front(pieces.size())),
             next.begin() + pieces.size());
  return next;
}

void ReductionVectorizer::emitSum() {
  int64_t block = kMaxVectors * lanes;
  SmallVector<Piece> pieces, rest = getPieces(sizes[laneLoop] % block, lanes);
  if (sizes[laneLoop] >= block)
    pieces = getPieces(block, lanes);
  SmallVector<Value> sums;
  for (const Piece &piece : llvm::concat<const Piece>(pieces, rest))
    sums.push_back(arith::ConstantOp::create(
        rewriter, loc, rewriter.getZeroAttr(getType(getInit(), piece.lanes))));
  sums = emitLoops(
      utils::IteratorType::reduction, 0, sums,
      [&](ValueRange before) { return emitSumSteps(pieces, rest, before); });
  SmallVector<Value> indices = getIndices(getInit(), 0);
  Value sum = fill ? fill.getInputs()[0]
                   : Value(memref::LoadOp::create(rewriter, loc,
                                                  getInit().get(), indices));
  // Whole vectors are added to each other first.
  Value all;
  for (Value vector : sums) {
    if (cast<VectorType>(vector.getType()).getDimSize(0) == lanes)
      all = all ? arith::AddIOp::create(rewriter, loc, all, vector) : vector;
    else
      sum = vector::ReductionOp::create(
          rewriter, loc, vector::CombiningKind::ADD, vector, sum);
  }
  if (all)
    sum = vector::ReductionOp::create(rewriter, loc, vector::CombiningKind::ADD,
                                      all, sum);
  memref::StoreOp::create(rewriter, loc, sum, getInit().get(), indices);
}

void ReductionVectorizer::emit() {
  position.resize(sizes.size());
  fill = findFillBefore(op, getInit().get());
  emitLoops(utils::IteratorType::parallel, 0, {}, [&](ValueRange) {
    if (sumsLanes)
      emitSum();
    else
      emitBlocks();
    return SmallVector<Value>();
  });
  if (fill)
    rewriter.eraseOp(fill);
  rewriter.eraseOp(op);
}

/// Whether `op` adds integers, which do so in any order, to its result.
static bool sumsIntegers(linalg::GenericOp op) {
  Value sum = op.getBody()->getTerminator()->getOperand(0);
  BlockArgument old = op.getRegionOutputArgs()[0];
  while (sum != old) {
    auto add = sum.getDefiningOp<arith::AddIOp>();
    if (!add || add->getBlock() != op.getBody() || !add->hasOneUse() ||
        add.getOverflowFlags() != arith::IntegerOverflowFlags::none)
      return false;
    sum = add.getLhs();
  }
  return old.hasOneUse();
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {
struct VectorizeReductionsPass final
    : mlir::convoy::impl::VectorizeReductionsPassBase<VectorizeReductionsPass> {
  using Base::Base;

  void runOnOperation() override {
    TargetAttr target = TargetAttr::lookup(getOperation());
    SmallVector<linalg::GenericOp> ops;
    getOperation()->walk([&](linalg::GenericOp op) { ops.push_back(op); });
    IRRewriter rewriter(&getContext());
    for (linalg::GenericOp op : ops) {
      if (op.getNumReductionLoops() == 0 || op.getNumDpsInits() != 1 ||
          !op.hasPureBufferSemantics())
        continue;
      std::optional<unsigned> laneLoop = findContiguousLoop(op);
      if (!laneLoop && sumsIntegers(op)) {
        rewriter.setInsertionPoint(op);
        op = collapseRuns(rewriter, op);
        laneLoop = findContiguousSum(op);
      }
      if (!laneLoop)
        continue;
      rewriter.setInsertionPoint(op);
      Type element = getElementTypeOrSelf(op.getDpsInits()[0]);
      auto lanes =
          int64_t(llvm::bit_floor(uint64_t(target.getVectorLanes(element))));
      ReductionVectorizer reduction(rewriter, op, *laneLoop, lanes);
      if (reduction.canVectorize())
        reduction.emit();
    }
  }
};
} // namespace
